# SPDX-License-Identifier: Apache-2.0

"""
    copy(t::Tensor) -> Tensor

Copy the elements into a new, writable row-major tensor. Throws `DLFerryError`: DEVICE if the processor cannot reach the
data, UNSUPPORTED for unknown flags, or NO_MEMORY.

```julia
strides(copy(wrap([1 2; 3 4])))  # => (2, 1)
```

C: `dlf_copy`
"""
Base.copy(t::Tensor) = weigh(Tensor(derive(Handle) do out, error
    give(hub.dlf_copy, t, out, error, :copy)
end))

"""
    copy_padded(t::Tensor) -> Tensor

Copy like `copy(t)`, and give each packed sub-byte element whole bytes of its own, as NumPy's arrays of such dtypes have
them. Any strides.

```julia
t = DLFerry.copy_padded(DLFerry.create("uint4", 5))
DLFerry.byte_size(t), DLFerry.flags(t) == DLFerry.IS_SUBBYTE_TYPE_PADDED  # => (5, true)
```

C: `dlf_copy_padded`
"""
copy_padded(t::Tensor) = weigh(Tensor(derive(Handle) do out, error
    give(hub.dlf_copy_padded, t, out, error, :copy_padded)
end))

"""
    contiguous(t::Tensor; order = :row_major) -> Tensor

Return another handle on `t` if its elements have this order without gaps, else a copy that has it: `:row_major` or
`:column_major`.

```julia
t = wrap([1 2; 3 4])
strides(DLFerry.contiguous(t))                                                 # => (2, 1)
pointer(DLFerry.contiguous(t; order = :column_major)) == pointer(t)            # => true
```

C: `dlf_is_contiguous`, `dlf_copy`
"""
function contiguous(t::Tensor; order::Symbol = :row_major)
    order === :dense && throw(ArgumentError("contiguous: expected order row_major or column_major, got dense"))
    is_contiguous(t; order = order) && return retain(t)
    return order === :row_major ? copy(t) : turned(copy, t, :contiguous)
end

"""
    similar(t::Tensor, [dtype], [shape]) -> Tensor

Allocate a row-major tensor like `t`; its elements are zero.

```julia
u = similar(wrap(Int8[1 2 3]), Float64)
size(u), DLFerry.dtype(u)  # => ((1, 3), "float64")
```

C: `dlf_create`
"""
Base.similar(t::Tensor) = similar(t, dtype(t), size(t))
Base.similar(t::Tensor, dtype::Union{Type,AbstractString}) = similar(t, dtype, size(t))
Base.similar(t::Tensor, shape::Tuple{Vararg{Integer}}) = similar(t, dtype(t), shape)
Base.similar(t::Tensor, shape::Integer...) = similar(t, shape)
Base.similar(t::Tensor, dtype::Union{Type,AbstractString}, shape::Integer...) = similar(t, dtype, shape)
Base.similar(t::Tensor, dtype::Union{Type,AbstractString}, shape::Tuple{Vararg{Integer}}) =
    create(dtype, shape; device = device(t))

# Copied field by field, a second object would release the same handle.
Base.deepcopy_internal(t::Tensor, seen::IdDict) = get!(() -> copy(t), seen, t)::Tensor
