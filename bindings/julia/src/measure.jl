# SPDX-License-Identifier: Apache-2.0
# Arithmetic on a tensor's or an array's description. Nothing reads elements.

# DLPackVersion
struct DLPackVersion
    major::UInt32
    minor::UInt32
end

"Call C that fills a place or fails."
function measured(call, x, ::Type{T}, name) where {T}
    out, error = Ref{T}(), error_slot()
    status = with_arg(arg -> call(arg, out, error), x, name)
    status == 0 || throw(failure(error))
    return out[]
end

# dlf_order
function order_number(order::Symbol, name)
    order === :row_major && return Int32(0)
    order === :column_major && return Int32(1)
    order === :dense && return Int32(2)
    throw(ArgumentError("$name: expected order row_major, column_major or dense, got $order"))
end

"""
    length(t::Tensor)

Count the elements.

```julia
length(DLFerry.create(Int8, 3, 4))  # => 12
```

C: `dlf_count`
"""
Base.length(t::Tensor) = Int(measured(t, Int64, :count) do arg, out, error
    ccall(hub.dlf_count, Status, (Ptr{DLTensor}, Ref{Int64}, Ref{CError}), arg.tensor, out, error)
end)

"""
    byte_size(x)

Count the bytes that the elements of a tensor or an array take without gaps. Packed sub-byte elements share bytes.

```julia
DLFerry.byte_size(zeros(Float32, 2, 3))             # => 24
DLFerry.byte_size(DLFerry.create("uint4", 5))       # => 3
```

C: `dlf_byte_size`
"""
byte_size(A::AbstractArray) = Int(measured(A, Int64, :byte_size) do arg, out, error
    ccall(hub.dlf_byte_size, Status, (Ptr{DLTensor}, UInt64, Ref{Int64}, Ref{CError}), arg.tensor, arg.flags, out,
          error)
end)

"""
    byte_range(x) -> (low, high)

Tell which bytes the elements of a tensor or an array touch, `low` to `high - 1`, relative to the first element. `low`
is negative for negative strides.

```julia
DLFerry.byte_range(view(Int32[1, 2, 3, 4], 4:-2:1))  # => (-8, 4)
```

C: `dlf_byte_range`
"""
function byte_range(x)
    low, high = measured(x, NTuple{2,Int64}, :byte_range) do arg, out, error
        first = Ptr{Int64}(pointer_from_objref(out))
        GC.@preserve out ccall(hub.dlf_byte_range, Status, (Ptr{DLTensor}, UInt64, Ptr{Int64}, Ptr{Int64}, Ref{CError}),
                               arg.tensor, arg.flags, first, first + 8, error)
    end
    return Int(low), Int(high)
end

"""
    is_contiguous(x; order = :row_major)

Tell whether the elements of a tensor or an array have this order without gaps: `:row_major`, `:column_major` or
`:dense`, which is any order of axes.

```julia
DLFerry.is_contiguous([1 2; 3 4])                         # => false
DLFerry.is_contiguous([1 2; 3 4]; order = :column_major)  # => true
```

C: `dlf_is_contiguous`
"""
function is_contiguous(x; order::Symbol = :row_major)
    n = order_number(order, :is_contiguous)
    return with_arg(x, :is_contiguous) do arg
        ccall(hub.dlf_is_contiguous, Bool, (Ptr{DLTensor}, Int32), arg.tensor, n)
    end
end

"""
    compact_strides(shape; order = :row_major)

Compute the strides of a shape without gaps, in elements, for `:row_major` or `:column_major`.

```julia
DLFerry.compact_strides((2, 3, 4))                           # => (12, 4, 1)
DLFerry.compact_strides((2, 3, 4); order = :column_major)    # => (1, 2, 6)
```

C: `dlf_compact_strides`
"""
function compact_strides(shape; order::Symbol = :row_major)
    n, extents, error = order_number(order, :compact_strides), collect(Int64, shape), error_slot()
    strides = similar(extents)
    status = ccall(hub.dlf_compact_strides, Status, (Int64, Ptr{Int64}, Int32, Ptr{Int64}, Ref{CError}),
                   length(extents), extents, n, strides, error)
    status == 0 || throw(failure(error))
    return Tuple(strides)
end

"""
    alignment(x)

Return the highest power of two that divides the address of the first element of a tensor or an array. Without elements
it is 2^62, since nothing is misaligned.

```julia
DLFerry.alignment(DLFerry.create(Float32, 3)) >= 256  # => true
```

C: `dlf_alignment`
"""
alignment(x) = Int(with_arg(arg -> ccall(hub.dlf_alignment, Int64, (Ptr{DLTensor},), arg.tensor), x, :alignment))

"""
    overlap(a, b)

Tell whether the byte ranges of two tensors or arrays share a byte; true if that is unknown.

```julia
A = [1, 2, 3, 4]
DLFerry.overlap(view(A, 1:2), view(A, 3:4))  # => false
```

C: `dlf_overlap`
"""
overlap(a, b) = compared(a, b, :overlap) do x, y, out, error
    unsafe_store!(out, ccall(hub.dlf_overlap, Bool, (Arg, Arg), x, y))
    Status(0)
end

"""
    is_reachable(x)

Tell whether the processor may use the elements of a tensor or an array in place.

```julia
DLFerry.is_reachable([1.0])  # => true
```

C: `dlf_is_reachable`
"""
is_reachable(x) = with_arg(arg -> ccall(hub.dlf_is_reachable, Bool, (Ptr{DLTensor},), arg.tensor), x, :is_reachable)

"""
    is_unique(t::Tensor)

Tell whether no other reference, view, export or `DLArray` of the tensor's elements exists. Users that DLFerry does not
know, such as the producer, do not count.

```julia
t = DLFerry.create(Float32, 3)
A = DLArray(t)
DLFerry.is_unique(t)  # => false
```

C: `dlf_is_unique`
"""
is_unique(t::Tensor) = inside(handle -> ccall(hub.dlf_is_unique, Bool, (Handle,), handle), t, :is_unique)

"""
    held_bytes(t::Tensor)

Count the bytes that are freed with a tensor now: its own, and those of elements that nothing else refers to.

```julia
DLFerry.held_bytes(DLFerry.create(Float32, 1000)) > 4000  # => true
```

C: `dlf_held_bytes`
"""
held_bytes(t::Tensor) = Int(inside(handle -> ccall(hub.dlf_held_bytes, Int64, (Handle,), handle), t, :held_bytes))

"""
    dlpack_version(t::Tensor)

Return the DLPack version of the structure that a tensor was imported from: 0.8 for a legacy one, and what DLFerry
implements for its own.

```julia
DLFerry.dlpack_version(wrap([1]))  # => v"1.3.0"
```

C: `dlf_dlpack_version`
"""
function dlpack_version(t::Tensor)
    v = inside(handle -> ccall(hub.dlf_dlpack_version, DLPackVersion, (Handle,), handle), t, :version)
    return VersionNumber(v.major, v.minor)
end
