# SPDX-License-Identifier: Apache-2.0

"""
    cast(x, dtype; saturate = false) -> Tensor

Convert the elements of a tensor or an array into a new, writable row-major tensor of another dtype, a type or a name.
Between `Bool`, integers of 8 to 64 bits, all reals of DLPack, and from these to complex numbers; complex ones only to
complex ones. Exact, with one rounding, to nearest and ties to even. Integers wrap; a real loses its fraction as an
integer, and beyond the range becomes the nearest one; NaN becomes 0. With `saturate`, integers, finite reals and
infinities become the nearest number of the dtype. Elements of less than 8 bits are packed. Throws `DLFerryError` (DTYPE,
DEVICE, UNSUPPORTED, NO_MEMORY).

```julia
DLArray(DLFerry.cast([300 -1], UInt8)) == [44 255]                     # => true
DLArray(DLFerry.cast([300 -1], UInt8; saturate = true)) == [255 0]     # => true
DLFerry.describe(DLFerry.cast(Float32[1, 2], "float4_e2m1fn"))         # => "float4_e2m1fn[2] cpu"
```

C: `dlf_cast`
"""
function cast(x, dtype; saturate::Bool = false)
    type = dl_dtype(dtype, :cast)
    return weigh(with_handle(x, :cast) do handle
        Tensor(derive(Handle) do out, error
            GC.@preserve out error begin
                place, slot = Ptr{Cvoid}(pointer_from_objref(out)), Ptr{Cvoid}(pointer_from_objref(error))
                state = enter_gc_safe()
                status = ccall(hub.dlf_cast, Status, (Handle, DLDataType, Bool, Ptr{Cvoid}, Ptr{Cvoid}),
                               handle, type, saturate, place, slot)
                leave_gc_safe(state)
                status
            end
        end)
    end)
end

"""
    cast!(destination, source; saturate = false)

Convert the elements of a tensor or an array into another one of the same shape, as [`DLFerry.cast`](@ref) does, with any
strides on both sides. The two must not share memory, unless their dtypes are equal: then it is a `copyto!`. Returns
`destination`. Throws `DLFerryError` (DTYPE, READ_ONLY, LAYOUT, DEVICE, UNSUPPORTED) or `DimensionMismatch`; nothing is
written then.

```julia
DLFerry.cast!(zeros(BFloat16, 2), [1.0 + 2^-8 + 2^-40, 3]) == BFloat16[1.0078125, 3]  # => true
DLFerry.cast!(zeros(UInt8, 2), Float32[-1, 1000]; saturate = true)                   # => UInt8[0, 255]
```

C: `dlf_cast_into`
"""
cast!(destination, source; saturate::Bool = false) =
    written_from(destination, source, :cast_into) do from, to, error
        ccall(hub.dlf_cast_into, Status, (Handle, Handle, Bool, Ptr{CError}), from, to, saturate, error)
    end
