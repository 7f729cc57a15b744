# SPDX-License-Identifier: Apache-2.0
const Handle = Ptr{Cvoid} # dlf_tensor *

# DLTensor
struct DLTensor
    data::Ptr{Cvoid}
    device::DLDevice
    ndim::Int32
    dtype::DLDataType
    shape::Ptr{Int64}
    strides::Ptr{Int64}
    byte_offset::UInt64
end

const READ_ONLY = UInt64(1)
const IS_COPIED = UInt64(2)
const IS_SUBBYTE_TYPE_PADDED = UInt64(4)

"""
    Tensor

A counted handle on a tensor of any dtype and device: its description, its elements and their owner. Made by
[`create`](@ref DLFerry.create), [`wrap`](@ref) and [`from_dlpack`](@ref). `size`, `strides` (in elements), `ndims`,
`length`, [`dtype`](@ref DLFerry.dtype), [`device`](@ref DLFerry.device), [`flags`](@ref DLFerry.flags) and `isreadonly`
describe it; [`DLArray`](@ref) reads and writes its elements. `close` releases it early, the garbage collector late.

The extents are in index order, in every language; axes count from 1.
"""
mutable struct Tensor
    handle::Handle # never changes: `state` says whether it may be used
    state::Guard
    grave::Ptr{Grave}
    is_addressed::Bool # a DLArray has told its address
    Tensor(handle::Handle) = handle == C_NULL ? new(handle, Guard(CLOSED), C_NULL, false) :
                             finalizer(abandon, Tensor(handle, nothing))
    # Without a finalizer: that of an Array over the memory calls it.
    Tensor(handle::Handle, ::Nothing) = new(handle, Guard(0), dig(handle, hub.dlf_release), false)
end
(t::Tensor)(::Any) = abandon(t)

"""
    close(t::Tensor)

Release a tensor now instead of when the garbage collector finds it; if another thread is in a call with it, when that
call ends. A `DLArray` over it stays usable. Closing twice is allowed.

```julia
t = wrap([1.0])
close(t)
isopen(t)  # => false
```

C: `dlf_release`
"""
Base.close(t::Tensor) = (shut(t.state) && dispose(t); nothing)
Base.isopen(t::Tensor) = t.handle != C_NULL && t.state[] & CLOSED == 0
release(handle::Handle) = free_object(handle, hub.dlf_release)
dispose(t::Tensor) = (spare(t.grave); release(t.handle))
abandon(t::Tensor) = (shut(t.state) && bury(t.grave, t.handle, hub.dlf_release); nothing)
# A Tensor in a precompiled file has lost its handle.
enter(t::Tensor) = t.handle != C_NULL && enter(t.state)
leave(t::Tensor) = (leave(t.state) && dispose(t); nothing)

"Call C with a handle that stays open meanwhile. `f` must not throw."
@inline function inside(f, t::Tensor, name = :tensor)
    enter(t) || closed(name)
    result = GC.@preserve t f(t.handle)
    leave(t)
    return result
end
"The same, for a `do` block."
@inline during(f, t::Tensor, name) = inside(f, t, name)
@noinline closed(name) = throw(ArgumentError("$name: expected an open tensor, got a closed one"))

# Another handle on the same tensor, which outlives the first one's close().
retained(t::Tensor, name = :tensor) = inside(handle -> ccall(hub.dlf_retain, Handle, (Handle,), handle), t, name)
retain(t::Tensor) = Tensor(retained(t))

# The garbage collector does not see memory that C holds for us, and would let gigabytes pile up behind a few small
# handles: after so many bytes we request a collection, and sometimes a full one.
const patience = 1 << 28
const overhead = 1 << 10 # of a tensor in C, about: handles, alignment
const unseen = Ref(0)
const looks = Threads.Atomic{Int}(0)

"Count the bytes behind a handle that is not backed by a Julia object; returns the tensor."
weigh(t::Tensor) = (weigh(byte_size(t)); t)
"The same for a handle that nothing else has got yet."
@inline weigh_new(t::Tensor) = (weigh(GC.@preserve t byte_size(t.handle)); t)

byte_size(t::Tensor) = inside(byte_size, t, :byte_size)
@inline function byte_size(handle::Handle)
    bytes = Ref{Int64}(0)
    ccall(hub.dlf_byte_size, Status, (Ptr{DLTensor}, UInt64, Ref{Int64}, Ptr{Cvoid}),
          lent(handle), flags(handle), bytes, C_NULL)
    return Int(bytes[])
end

# A plain addition: one lost in a race delays a collection a little.
@inline function weigh(bytes::Int)
    more = min(bytes, patience) + overhead
    unseen[] += more
    return unseen[] > patience ? look_for_garbage() : nothing
end

@noinline function look_for_garbage()
    unseen[] = 0
    GC.gc(Threads.atomic_add!(looks, 1) % 8 == 7)
    return
end

"Call C with places for a result and an error; give the result or throw the error."
@inline function derive(call, ::Type{T}) where {T}
    drain()
    out, error = Ref{T}(), error_slot()
    status = call(out, error)
    status == 0 || throw(failure(error))
    return out[]
end

"""
    create(dtype, shape; device = "cpu") -> Tensor

Allocate a tensor: row-major, aligned to 256 bytes, its elements zero. `dtype` is a type or a name, `shape` a tuple.
Throws `DLFerryError` (NO_MEMORY, DTYPE, DEVICE, or UNSUPPORTED for a device other than the CPU), `ArgumentError` or
`OverflowError`.

C: `dlf_create`
"""
function create(dtype, shape::Tuple{Vararg{Integer}}; device = "cpu")
    type = dtype isa Type ? dl_dtype(dtype, :create) : dl_dtype(dtype; said = "create: dtype")
    place, extents = dl_device(device; said = "create: device"), Int64[fitting(Int64, n, :create) for n in shape]
    return weigh(Tensor(derive(Handle) do out, error
        ccall(hub.dlf_create, Status, (DLDataType, Int64, Ptr{Int64}, DLDevice, Ref{Handle}, Ref{CError}),
              type, length(extents), extents, place, out, error)
    end))
end
create(dtype, shape::Integer...; device = "cpu") = create(dtype, shape; device = device)

"The DLTensor that a handle lends."
lent(handle::Handle) = ccall(hub.dlf_dltensor, Ptr{DLTensor}, (Handle,), handle)
described(t::Tensor, name = :tensor) = inside(handle -> unsafe_load(lent(handle)), t, name)

extents(t::Tensor, field, name = :tensor) = during(t, name) do handle
    d = unsafe_load(lent(handle))
    ntuple(k -> Int(unsafe_load(getfield(d, field)::Ptr{Int64}, k)), Int(d.ndim))
end

"""
    size(t::Tensor), strides(t::Tensor)

Return the extents, or the distances between neighbours along each axis in elements, as tuples.

C: `dlf_dltensor`
"""
Base.size(t::Tensor) = extents(t, :shape)
Base.size(t::Tensor, axis::Integer) = axis > ndims(t) ? 1 : size(t)[axis]
Base.strides(t::Tensor) = extents(t, :strides)
Base.ndims(t::Tensor) = Int(described(t).ndim)

"""
    dtype(t)

Return the name of the dtype of a tensor or a `DLArray`, such as `"float32"` or `"uint8x4"`.

C: `dlf_dtype_format`
"""
dtype(t::Tensor) = dtype_name(described(t).dtype)

"""
    device(t)

Return the name of the device that holds the elements, such as `"cpu"` or `"cuda:1"`.

```julia
DLFerry.device(wrap([1.0]))  # => "cpu"
```

C: `dlf_device_format`
"""
device(t::Tensor) = device_name(described(t).device)

"""
    flags(t::Tensor)

Return the flags, a combination of `DLFerry.READ_ONLY`, `DLFerry.IS_COPIED` and `DLFerry.IS_SUBBYTE_TYPE_PADDED`.

C: `dlf_flags`
"""
flags(t::Tensor) = inside(flags, t)
flags(handle::Handle) = ccall(hub.dlf_flags, UInt64, (Handle,), handle)

Base.isreadonly(t::Tensor) = flags(t) & READ_ONLY != 0

"""
    byte_offset(t::Tensor)

Return the distance in bytes from the data pointer of its DLTensor to the first element; `pointer(t)` includes it.

C: `dlf_dltensor`
"""
byte_offset(t::Tensor) = Int(described(t).byte_offset)

"""
    pointer(t::Tensor)

Return the address of the first element, valid while `t` is preserved and open.

C: `dlf_data`
"""
Base.pointer(t::Tensor) = address(described(t))
address(d::DLTensor) = d.data + d.byte_offset

"""
    live()

Count the tensors that are not released yet, including owners in the release queue: 0 when nothing leaked. Those that
wait for the garbage collector count until `GC.gc()`.

```julia
t = DLFerry.create(Float32, 3)
DLFerry.live() >= 1  # => true
```

C: `dlf_live`
"""
function live()
    drain()
    return ccall(hub.dlf_live, Int64, ())
end

"""
    set_threads(count)

Let one large copy, cast or fill use up to `count` threads, from now on in all the process: 1 before the first call.
Results of less than 16 MiB get one thread. Threads are made for each call and end before it returns. Throws an
`ArgumentError` for less than 1 or more than 64.

```julia
DLFerry.set_threads(1)
try
    DLFerry.set_threads(0)
catch e
    e isa ArgumentError
end  # => true
```

C: `dlf_set_threads`
"""
function set_threads(count::Integer)
    error = error_slot()
    status = ccall(hub.dlf_set_threads, Status, (Int32, Ref{CError}), count, error)
    status == 0 || throw(failure(error))
    return nothing
end
