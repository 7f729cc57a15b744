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
`:column_major`. With `order = :dense` any order of axes will do, and a copy is row-major.

```julia
t = wrap([1 2; 3 4])
strides(DLFerry.contiguous(t))                                                 # => (2, 1)
pointer(DLFerry.contiguous(t; order = :column_major)) == pointer(t)            # => true
```

C: `dlf_contiguous`
"""
function contiguous(t::Tensor; order::Symbol = :row_major)
    n = order_number(order, :contiguous)
    result = Tensor(derive(Handle) do out, error
        during(t, :contiguous) do handle
            GC.@preserve out error begin
                place, slot = Ptr{Cvoid}(pointer_from_objref(out)), Ptr{Cvoid}(pointer_from_objref(error))
                state = enter_gc_safe()
                status = ccall(hub.dlf_contiguous, Status, (Handle, Int32, Ptr{Cvoid}, Ptr{Cvoid}), handle, n, place, slot)
                leave_gc_safe(state)
                status
            end
        end
    end)
    return result.handle == t.handle ? result : weigh(result)
end

# It may be gigabytes, so other threads may collect garbage meanwhile. Not compiled for each pair of types.
"Have C write one tensor or array with the elements of another, and return the one written."
function written_from(call, @nospecialize(destination), @nospecialize(source), name)
    drain()
    with_handle(source, name) do from
        with_handle(destination, name) do to
            error = error_slot()
            GC.@preserve error begin
                slot = Ptr{CError}(pointer_from_objref(error))
                state = enter_gc_safe()
                status = call(from, to, slot)::Status
                leave_gc_safe(state)
            end
            status == 0 || throw(failure(error))
        end
    end
    return destination
end

"""
    copyto!(destination, source)

Copy the elements of one tensor into another one of the same dtype and shape, with any strides on both sides. One of the
two may be an array. They may share memory if their strides are equal. Unlike Base's for arrays it converts nothing, which
[`DLFerry.cast!`](@ref) does, and keeps the indices. Returns `destination`. Throws `DLFerryError` (DTYPE; READ_ONLY; LAYOUT
if elements of the destination lie above each other, or for shared memory and other strides; DEVICE; UNSUPPORTED) or
`DimensionMismatch`; nothing is written then.

```julia
t = DLFerry.create(Int64, 2, 2)
copyto!(t, [1 2; 3 4])
t[2, 1]                              # => 3
copyto!([0 0; 0 0], transpose(t))    # => [1 3; 2 4]
```

C: `dlf_copy_into`
"""
Base.copyto!(destination::Tensor, source::Union{Tensor,AbstractArray}) = copied(destination, source)
Base.copyto!(destination::AbstractArray, source::Tensor) = copied(destination, source)
copied(destination, source) = written_from(destination, source, :copy_into) do from, to, error
    ccall(hub.dlf_copy_into, Status, (Handle, Handle, Ptr{CError}), from, to, error)
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
