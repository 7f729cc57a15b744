# SPDX-License-Identifier: Apache-2.0

# DLManagedTensorVersioned, and DLManagedTensor of DLPack 0.8 and before
struct DLManagedTensorVersioned
    major::UInt32
    minor::UInt32
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
    flags::UInt64
    dl_tensor::DLTensor
end

struct DLManagedTensor
    dl_tensor::DLTensor
    manager_ctx::Ptr{Cvoid}
    deleter::Ptr{Cvoid}
end

"""
    from_dlpack(managed::Ptr) -> Tensor

Import a `DLManagedTensorVersioned *` without copying. Takes it: its deleter runs once, when the tensor is released, or
before the error is thrown. Throws `DLFerryError` (VERSION for another major version; DTYPE, DEVICE), `ArgumentError`
for a malformed one, or `OverflowError`.

C: `dlf_from_dlpack`
"""
from_dlpack(managed::Ptr) = (drain(); weigh_new(Tensor(imported(managed))))

function imported(managed::Ptr)
    out, error = Ref{Handle}(), error_slot()
    owned = Ptr{Cvoid}(managed)
    status = ccall(hub.dlf_from_dlpack, Status, (Ptr{Cvoid}, Ref{Handle}, Ref{CError}), owned, out, error)
    status == 0 && return out[]
    refused = failure(error) # read before a foreign deleter runs
    free_object(owned, hub.dlf_dlpack_release)
    throw(refused)
end

"""
    from_dlpack_legacy(managed::Ptr) -> Tensor

Import a `DLManagedTensor *` of DLPack 0.8 and before, like [`from_dlpack`](@ref).

```julia
t = from_dlpack_legacy(to_dlpack_legacy([1.0, 2.0]))
DLFerry.dlpack_version(t)  # => v"0.8.0"
```

C: `dlf_from_dlpack_legacy`
"""
function from_dlpack_legacy(managed::Ptr)
    drain()
    out, error = Ref{Handle}(), error_slot()
    owned = Ptr{Cvoid}(managed)
    status = ccall(hub.dlf_from_dlpack_legacy, Status, (Ptr{Cvoid}, Ref{Handle}, Ref{CError}), owned, out, error)
    status == 0 && return weigh_new(Tensor(out[]))
    refused = failure(error)
    free_object(owned, hub.dlf_dlpack_release_legacy)
    throw(refused)
end

# It may copy gigabytes, so other threads may collect garbage meanwhile.
give(f::Ptr{Cvoid}, t::Tensor, out, error, name) = inside(handle -> give(f, handle, out, error), t, name)
@inline function give(f::Ptr{Cvoid}, handle::Handle, out, error)
    GC.@preserve out error begin
        place, slot = Ptr{Cvoid}(pointer_from_objref(out)), Ptr{Cvoid}(pointer_from_objref(error))
        state = enter_gc_safe()
        status = ccall(f, Status, (Handle, Ptr{Cvoid}, Ptr{Cvoid}), handle, place, slot)
        leave_gc_safe(state)
    end
    return status
end

@inline function give(f::Ptr{Cvoid}, ::Type{T}, t::Tensor, name) where {T}
    drain()
    out, error = pointer_slot(), error_slot()
    enter(t) || closed(name)
    status = GC.@preserve t give(f, t.handle, out, error)
    leave(t)
    status == 0 || throw(failure(error))
    return Ptr{T}(out[])
end

@inline function give(f::Ptr{Cvoid}, ::Type{T}, A::AbstractArray, name) where {T}
    handle = handle_of(A, false)
    out, error = pointer_slot(), error_slot()
    status = give(f, handle, out, error)
    managed, refused = out[], status == 0 ? nothing : failure(error)
    release(handle) # the export holds its own reference
    refused === nothing || throw(refused)
    return Ptr{T}(managed)
end

"""
    to_dlpack(t) -> Ptr{DLManagedTensorVersioned}

Export a tensor or an array without copying. The caller must pass the pointer to a consumer, or call its deleter; until
then the memory stays alive. Throws `DLFerryError` (NO_MEMORY).

```julia
DLFerry.describe(from_dlpack(to_dlpack([1.0, 2.0])))  # => "float64[2] cpu"
```

C: `dlf_to_dlpack`
"""
to_dlpack(t) = give(hub.dlf_to_dlpack, DLManagedTensorVersioned, t, :to_dlpack)

"""
    to_dlpack_legacy(t) -> Ptr{DLManagedTensor}

Export without copying to a consumer of DLPack 0.8 and before. Throws `DLFerryError`: READ_ONLY and, for padded sub-byte
elements, UNSUPPORTED, since that structure cannot express them, or NO_MEMORY.

```julia
DLFerry.describe(from_dlpack_legacy(to_dlpack_legacy([1.0, 2.0])))  # => "float64[2] cpu"
```

C: `dlf_to_dlpack_legacy`
"""
to_dlpack_legacy(t) = give(hub.dlf_to_dlpack_legacy, DLManagedTensor, t, :to_dlpack_legacy)

"""
    to_dlpack_copy(t) -> Ptr{DLManagedTensorVersioned}

Export a row-major copy with the consumer as its only owner. Throws like `copy`.

```julia
DLFerry.describe(from_dlpack(to_dlpack_copy([1 2; 3 4])))  # => "int64[2, 2] cpu copied"
```

C: `dlf_to_dlpack_copy`
"""
to_dlpack_copy(t) = give(hub.dlf_to_dlpack_copy, DLManagedTensorVersioned, t, :to_dlpack_copy)

# dlf_export_options
struct ExportOptions
    size::Int64
    major::UInt32
    minor::UInt32
    device::DLDevice
    copy::Int32
    reserved::Int32
    stream::Int64
end

# dlf_copy_mode
function copy_mode(copy::Symbol, name)
    copy === :if_needed && return Int32(0)
    copy === :always && return Int32(1)
    copy === :never && return Int32(2)
    throw(ArgumentError("$name: expected copy if_needed, always or never, got $copy"))
end
# device_type 0 is the data's own
wanted_device(::Nothing) = DLDevice(0, 0)
wanted_device(name::AbstractString) = dl_device(name)

"""
    export_dlpack(t; max_version = v"1.3", device = nothing, copy = :if_needed, stream = nothing)

Export a tensor or an array as a consumer asks for it, with the parameters of Python's `__dlpack__`: the newest version
that it reads, its device (`nothing` is the data's own), `copy` as `:if_needed`, `:always` or `:never`, and the number of
its stream in Python's array API. Returns a `Ptr{DLManagedTensorVersioned}`, or a `Ptr{DLManagedTensor}` for a version
before 1.0. The export keeps the tensor, or is a copy; data is copied only from where the processor reaches it, and only
to the CPU. Throws `DLFerryError` (DEVICE, UNSUPPORTED), `ArgumentError` for a stream, or like [`to_dlpack`](@ref) and
`copy`.

```julia
B = DLArray(from_dlpack(DLFerry.export_dlpack([1 2; 3 4]; copy = :always)))
strides(B)  # => (2, 1)
```

C: `dlf_export`
"""
function export_dlpack(t; max_version::VersionNumber = v"1.3", device = nothing, copy::Symbol = :if_needed,
                       stream::Union{Integer,Nothing} = nothing)
    options = Ref(ExportOptions(sizeof(ExportOptions), max_version.major, max_version.minor, wanted_device(device),
                                copy_mode(copy, :export), 0, stream === nothing ? -1 : stream))
    legacy, held = Ref{Ptr{Cvoid}}(C_NULL), t isa Tensor ? t : wrap(t)
    versioned = GC.@preserve options legacy derive(Ptr{Cvoid}) do out, error
        during(held, :export) do handle
            GC.@preserve out error begin
                asked, new, old, slot = map(x -> Ptr{Cvoid}(pointer_from_objref(x)), (options, out, legacy, error))
                state = enter_gc_safe() # it may copy gigabytes
                status = ccall(hub.dlf_export, Status, (Handle, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}),
                               handle, asked, new, old, slot)
                leave_gc_safe(state)
                status
            end
        end
    end
    held === t || close(held) # the export holds its own reference
    return versioned == C_NULL ? Ptr{DLManagedTensor}(legacy[]) : Ptr{DLManagedTensorVersioned}(versioned)
end

"""
    export_device(t::Tensor)

Return the name of the device that exports of a tensor name: its own, unless a backend gives it another number.

```julia
DLFerry.export_device(wrap([1.0]))  # => "cpu"
```

C: `dlf_export_device`
"""
export_device(t::Tensor) = device_name(derive(DLDevice) do out, error
    during(t, :export_device) do handle
        ccall(hub.dlf_export_device, Status, (Handle, Ref{DLDevice}, Ref{CError}), handle, out, error)
    end
end)

"""
    to_device(t::Tensor, device; copy = :if_needed) -> Tensor

Return a tensor with the data on a device: another handle on `t`, or a copy. `copy` is `:if_needed`, `:always` or
`:never`. Only data that the processor reaches is copied, and only to the CPU. Throws `DLFerryError` (DEVICE), or like
`copy`.

```julia
t = wrap([1.0, 2.0])
pointer(DLFerry.to_device(t, "cpu")) == pointer(t)  # => true
```

C: `dlf_to_device`
"""
function to_device(t::Tensor, device; copy::Symbol = :if_needed)
    place, mode = wanted_device(device), copy_mode(copy, :to_device)
    moved = Tensor(derive(Handle) do out, error
        during(t, :to_device) do handle
            GC.@preserve out error begin
                there, slot = Ptr{Cvoid}(pointer_from_objref(out)), Ptr{Cvoid}(pointer_from_objref(error))
                state = enter_gc_safe()
                status = ccall(hub.dlf_to_device, Status, (Handle, DLDevice, Int32, Ptr{Cvoid}, Ptr{Cvoid}),
                               handle, place, mode, there, slot)
                leave_gc_safe(state)
                status
            end
        end
    end)
    return moved.handle == t.handle ? moved : weigh(moved)
end
