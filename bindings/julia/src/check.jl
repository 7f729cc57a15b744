# SPDX-License-Identifier: Apache-2.0

"""
    check(t; level = :structure)

Check a foreign tensor; [`from_dlpack`](@ref) has already checked `:structure`. `:strict` also checks the letter of
DLPack 1.3: strides, NULL data when empty, 256-byte alignment. Throws `ArgumentError`, `OverflowError` or `DLFerryError`
(DTYPE, DEVICE).

```julia
DLFerry.check(DLFerry.create(Float32, 3); level = :strict)  # => nothing
```

C: `dlf_check`
"""
function check(t::Tensor; level::Symbol = :structure)
    n, error = level_number(level), error_slot()
    status = during(t, :check) do handle
        ccall(hub.dlf_check, Status, (Ptr{DLTensor}, UInt64, Int32, Ref{CError}), lent(handle), flags(handle), n,
              error)
    end
    status == 0 || throw(failure(error))
    return nothing
end

# dlf_check_level
function level_number(level::Symbol)
    level === :structure && return Int32(0)
    level === :strict && return Int32(1)
    throw(ArgumentError("check: expected level structure or strict, got $level"))
end
