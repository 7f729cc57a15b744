# SPDX-License-Identifier: Apache-2.0
# Views of a Tensor: the same elements with another shape, without copying. Each keeps the first owner, so the tensor
# that it was made from may be closed. Axes and indices count from 1, but the texts of C's errors from 0, and say so.
# Where Base has the verb, its meaning holds: Base's `reshape` and `reinterpret` take the first axis as the fastest.

"Call C, which gives a view of a tensor. The name is C's for it."
@inline function viewed(call, t::Tensor, name)
    view = Tensor(derive(Handle) do out, error
        inside(handle -> call(handle, out, error), t, name)
    end)
    weigh(0) # only the handle is new
    return view
end

# C counts from 0, and refuses what is out of range.
from_zero(axis::Integer) = scalar(Int64, axis, :axis) - 1

# dlf_index_item
struct IndexItem
    kind::Int32
    reserved::Int32
    start::Int64
    count::Int64
    step::Int64
end
item(r::AbstractRange{<:Integer}, n) = IndexItem(0, 0, first(r) - 1, length(r), length(r) == 1 ? 1 : step(r))
item(::Colon, n) = IndexItem(0, 0, 0, n, 1)
item(i::Bool, n) = not_an_index(i)
item(i::Integer, n) = IndexItem(1, 0, i - 1, 1, 1)
item(x, n) = throw(ArgumentError("view: expected numbers, ranges and colons, got $(typeof(x))"))
@noinline not_an_index(i) = throw(ArgumentError("invalid index: $i of type Bool")) # Base's text
@noinline wrong_count(name, wanted, got) = throw(DLFerryError(:BOUNDS, "$name: expected $wanted indices, got $got"))

"""
    view(t::Tensor, indices...) -> Tensor

Select along all axes at once, without copying. There is one index for each axis: a number, whose axis disappears, a
range with any step, or `:`. `@view t[2:end, 1]` works too, and `t[2:end, 1]` is its copy, as for arrays.

```julia
t = wrap([1 2 3; 4 5 6])
copy(DLArray(view(t, 2, 3:-1:1)))    # => [6, 5, 4]
size(@view t[:, 2:end])              # => (2, 2)
```

C: `dlf_index`
"""
function Base.view(t::Tensor, indices...)
    shape = extents(t, :shape, :index)
    length(indices) == length(shape) || wrong_count("view", length(shape), length(indices))
    items = IndexItem[map(item, indices, shape)...]
    return viewed(t, :index) do handle, out, error
        ccall(hub.dlf_index, Status, (Handle, Ptr{IndexItem}, Int64, Ref{Handle}, Ref{CError}),
              handle, items, length(items), out, error)
    end
end
Base.axes(t::Tensor) = map(Base.OneTo, size(t))
Base.axes(t::Tensor, axis::Integer) = Base.OneTo(size(t, axis))
Base.firstindex(t::Tensor, axis::Integer = 1) = 1
Base.lastindex(t::Tensor, axis::Integer) = size(t, axis)
Base.lastindex(t::Tensor) = length(t)

"""
    selectdim(t::Tensor, axis, i) -> Tensor

Take one index of an axis, which disappears, or a range of it, without copying.

```julia
t = wrap([1 2 3; 4 5 6])
size(selectdim(t, 2, 1))             # => (2,)
strides(selectdim(t, 2, 1:2:3))      # => (1, 4)
```

C: `dlf_select`, `dlf_slice`
"""
Base.selectdim(::Tensor, axis::Integer, i::Bool) = not_an_index(i)
Base.selectdim(t::Tensor, axis::Integer, i::Integer) = viewed(t, :select) do handle, out, error
    ccall(hub.dlf_select, Status, (Handle, Int64, Int64, Ref{Handle}, Ref{CError}),
          handle, from_zero(axis), i - 1, out, error)
end
function Base.selectdim(t::Tensor, axis::Integer, r::AbstractRange{<:Integer})
    n = item(r, 0)
    return viewed(t, :slice) do handle, out, error
        ccall(hub.dlf_slice, Status, (Handle, Int64, Int64, Int64, Int64, Ref{Handle}, Ref{CError}),
              handle, from_zero(axis), n.start, n.count, n.step, out, error)
    end
end
Base.selectdim(t::Tensor, axis::Integer, ::Colon) = selectdim(t, axis, axes(t, axis))

"""
    permute(t::Tensor, axes) -> Tensor

Reorder the axes without copying: axis `i` of the view is axis `axes[i]` of `t`. `permutedims(t, axes)` is its copy, as
for arrays, and `transpose(t)` exchanges the two axes of a matrix without copying.

```julia
t = wrap(zeros(2, 3, 4))
size(DLFerry.permute(t, (3, 1, 2)))  # => (4, 2, 3)
size(permutedims(t, (2, 1, 3)))      # => (3, 2, 4)
```

C: `dlf_permute`
"""
function permute(t::Tensor, axes)
    order = Int64[from_zero(axis) for axis in axes]
    return viewed(t, :permute) do handle, out, error
        ccall(hub.dlf_permute, Status, (Handle, Ptr{Int64}, Int64, Ref{Handle}, Ref{CError}),
              handle, order, length(order), out, error)
    end
end
Base.permutedims(t::Tensor, axes) = closing(copy, permute(t, axes))
Base.permutedims(t::Tensor) = permutedims(t, (2, 1))
LinearAlgebra.transpose(t::Tensor) = permute(t, (2, 1))

"Apply a function of the last axis to the first one: with the axes in reverse order, and the result's reversed again."
turned(f, t::Tensor, name) = !isopen(t) ? closed(name) :
    closing(view -> permute(view, ndims(view):-1:1), closing(f, permute(t, ndims(t):-1:1)))

"""
    reshape(t::Tensor, shape...; order = :column_major) -> Tensor

Regroup the elements without copying, in Julia's order of their indices, as for arrays; with `order = :row_major` in the
order that the other languages use. One extent may be `:`. Throws `DLFerryError` (LAYOUT) if no strides can express it,
since nothing is copied.

```julia
t = wrap(collect(1:6))
DLArray(reshape(t, 2, :)) == [1 3 5; 2 4 6]                   # => true
DLArray(reshape(t, 2, :; order = :row_major)) == [1 2 3; 4 5 6]  # => true
```

C: `dlf_reshape`
"""
function Base.reshape(t::Tensor, shape::Tuple{Vararg{Union{Integer,Colon}}}; order::Symbol = :column_major)
    order === :row_major && return regrouped(t, shape)
    order === :column_major || throw(ArgumentError("reshape: expected order row_major or column_major, got $order"))
    return turned(view -> regrouped(view, reverse(shape)), t, :reshape)
end
Base.reshape(t::Tensor, shape::Union{Integer,Colon}...; order::Symbol = :column_major) = reshape(t, shape; order = order)

function regrouped(t::Tensor, shape)
    extents = Int64[n isa Colon ? -1 : n for n in shape]
    return viewed(t, :reshape) do handle, out, error
        ccall(hub.dlf_reshape, Status, (Handle, Ptr{Int64}, Int64, Ref{Handle}, Ref{CError}),
              handle, extents, length(extents), out, error)
    end
end

"""
    broadcast(t::Tensor, shape) -> Tensor

Repeat axes of extent 1, and add axes in front, without copying: their stride is 0. This is `DLFerry.broadcast`, not
Base's function.

```julia
t = wrap([1.0 2.0 3.0])
strides(DLFerry.broadcast(t, (4, 3)))  # => (0, 1)
```

C: `dlf_broadcast`
"""
function broadcast(t::Tensor, shape::Tuple{Vararg{Integer}})
    extents = collect(Int64, shape)
    return viewed(t, :broadcast) do handle, out, error
        ccall(hub.dlf_broadcast, Status, (Handle, Ptr{Int64}, Int64, Ref{Handle}, Ref{CError}),
              handle, extents, length(extents), out, error)
    end
end

"Call a function of one axis for several, each on the view before."
function each_axis(f, t::Tensor, axes, name)
    view = Tensor(retained(t, name))
    for axis in axes
        view = closing(v -> f(v, from_zero(axis)), view)
    end
    return view
end

"""
    dropdims(t::Tensor; dims) -> Tensor

Drop an axis of extent 1, or several, without copying.

```julia
size(dropdims(DLFerry.create(Float32, 1, 3, 1); dims = (1, 3)))  # => (3,)
```

C: `dlf_squeeze`
"""
Base.dropdims(t::Tensor; dims) = each_axis(t, sort!(Int[dims...]; rev = true), :squeeze) do view, axis
    viewed(view, :squeeze) do handle, out, error
        ccall(hub.dlf_squeeze, Status, (Handle, Int64, Ref{Handle}, Ref{CError}), handle, axis, out, error)
    end
end

"""
    unsqueeze(t::Tensor; dims) -> Tensor

Add an axis of extent 1 at place `dims` of the view, from 1 to `ndims(t) + 1`, without copying.

```julia
size(DLFerry.unsqueeze(wrap([1, 2, 3]); dims = 1))  # => (1, 3)
```

C: `dlf_unsqueeze`
"""
unsqueeze(t::Tensor; dims::Integer) = viewed(t, :unsqueeze) do handle, out, error
    ccall(hub.dlf_unsqueeze, Status, (Handle, Int64, Ref{Handle}, Ref{CError}), handle, from_zero(dims), out, error)
end

"""
    flip(t::Tensor; dims = :) -> Tensor

Reverse an axis, several or all, without copying. `reverse(t; dims)` is its copy, as for arrays.

```julia
t = wrap([1 2; 3 4])
DLArray(DLFerry.flip(t; dims = 1)) == [3 4; 1 2]  # => true
```

C: `dlf_flip`
"""
flip(t::Tensor; dims = :) = each_axis(t, dims isa Colon ? (1:ndims(t)) : dims, :flip) do view, axis
    viewed(view, :flip) do handle, out, error
        ccall(hub.dlf_flip, Status, (Handle, Int64, Ref{Handle}, Ref{CError}), handle, axis, out, error)
    end
end
Base.reverse(t::Tensor; dims = :) = closing(copy, flip(t; dims = dims))

"""
    bitcast(t::Tensor, dtype) -> Tensor

Read the same bytes as another dtype, without copying. An element of equal width keeps the shape; otherwise the last
axis, which must be dense, shrinks or grows. `reinterpret(T, t)` does this to the first axis, as for arrays.

```julia
t = wrap(Float32[1 2; 3 4])
DLFerry.dtype(DLFerry.bitcast(t, "int32"))  # => "int32"
size(reinterpret(UInt8, t))                 # => (8, 2)
```

C: `dlf_bitcast`
"""
function bitcast(t::Tensor, dtype)
    type = dl_dtype(dtype, :bitcast)
    return viewed(t, :bitcast) do handle, out, error
        ccall(hub.dlf_bitcast, Status, (Handle, DLDataType, Ref{Handle}, Ref{CError}), handle, type, out, error)
    end
end
Base.reinterpret(T::Type, t::Tensor) = ndims(t) < 2 ? bitcast(t, T) : turned(view -> bitcast(view, T), t, :bitcast)

"""
    pack_lanes(t::Tensor) -> Tensor

Turn the last axis into lanes, `float32[n, 4]` into `float32x4[n]`, without copying.

```julia
DLFerry.describe(DLFerry.pack_lanes(DLFerry.create(Float32, 5, 4)))  # => "float32x4[5] cpu"
```

C: `dlf_pack_lanes`
"""
pack_lanes(t::Tensor) = viewed(t, :pack_lanes) do handle, out, error
    ccall(hub.dlf_pack_lanes, Status, (Handle, Ref{Handle}, Ref{CError}), handle, out, error)
end

"""
    unpack_lanes(t::Tensor) -> Tensor

Turn lanes into a last axis, `float32x4[n]` into `float32[n, 4]`, without copying.

```julia
size(DLFerry.unpack_lanes(wrap([(1.0f0, 2.0f0)])))  # => (1, 2)
```

C: `dlf_unpack_lanes`
"""
unpack_lanes(t::Tensor) = viewed(t, :unpack_lanes) do handle, out, error
    ccall(hub.dlf_unpack_lanes, Status, (Handle, Ref{Handle}, Ref{CError}), handle, out, error)
end
