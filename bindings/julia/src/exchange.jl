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
for
a malformed one, or `OverflowError`.

C: `dlf_from_dlpack`
"""
from_dlpack(managed::Ptr) = (drain(); weigh_new(imported(managed)))

function imported(managed::Ptr)
    out, error = Ref{Handle}(), error_slot()
    owned = Ptr{Cvoid}(managed)
    status = ccall(hub.dlf_from_dlpack, Status, (Ptr{Cvoid}, Ref{Handle}, Ref{CError}), owned, out, error)
    status == 0 && return Tensor(out[])
    refused = failure(error) # read before a foreign deleter runs
    free_object(owned, hub.dlf_dlpack_release)
    throw(refused)
end

"""
    from_dlpack_legacy(managed::Ptr) -> Tensor

Import a `DLManagedTensor *` of DLPack 0.8 and before, like [`from_dlpack`](@ref).

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
give(f::Ptr{Cvoid}, t::Tensor, out, error) = inside(handle -> give(f, handle, out, error), t)
@inline function give(f::Ptr{Cvoid}, handle::Handle, out, error)
    GC.@preserve out error begin
        place, slot = Ptr{Cvoid}(pointer_from_objref(out)), Ptr{Cvoid}(pointer_from_objref(error))
        state = enter_gc_safe()
        status = ccall(f, Status, (Handle, Ptr{Cvoid}, Ptr{Cvoid}), handle, place, slot)
        leave_gc_safe(state)
    end
    return status
end

@inline function give(f::Ptr{Cvoid}, ::Type{T}, t::Tensor) where {T}
    drain()
    out, error = pointer_slot(), error_slot()
    enter(t) || closed()
    status = GC.@preserve t give(f, t.handle, out, error)
    leave(t)
    status == 0 || throw(failure(error))
    return Ptr{T}(out[])
end

@inline function give(f::Ptr{Cvoid}, ::Type{T}, A::AbstractArray) where {T}
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

C: `dlf_to_dlpack`
"""
to_dlpack(t) = give(hub.dlf_to_dlpack, DLManagedTensorVersioned, t)

"""
    to_dlpack_legacy(t) -> Ptr{DLManagedTensor}

Export without copying to a consumer of DLPack 0.8 and before. Throws `DLFerryError`: READ_ONLY and, for padded sub-byte
elements, UNSUPPORTED, since that structure cannot express them, or NO_MEMORY.

C: `dlf_to_dlpack_legacy`
"""
to_dlpack_legacy(t) = give(hub.dlf_to_dlpack_legacy, DLManagedTensor, t)

"""
    to_dlpack_copy(t) -> Ptr{DLManagedTensorVersioned}

Export a row-major copy with the consumer as its only owner. Throws like `copy`.

C: `dlf_to_dlpack_copy`
"""
to_dlpack_copy(t) = give(hub.dlf_to_dlpack_copy, DLManagedTensorVersioned, t)
