# SPDX-License-Identifier: Apache-2.0
# The hub's conversions of small floats.

function encoded(::Type{T}, x::Float64) where {T<:SmallFloat}
    bits, error = Ref{UInt64}(0), error_slot()
    status = ccall(hub.dlf_float_encode, Status, (DLDataType, Float64, Ref{UInt64}, Ref{CError}), dl_dtype(T), x, bits,
                   error)
    status == 0 || throw(failure(error))
    return bits[] % UInt8
end

(::Type{T})(x::Float64) where {T<:SmallFloat} = reinterpret(T, encoded(T, x))

function fill_small_values()
    x, error = Ref(0.0), error_slot()
    for (T, values) in small_values, bits in 0x00:0xff
        status = ccall(hub.dlf_float_decode, Status, (DLDataType, UInt64, Ref{Float64}, Ref{CError}), dl_dtype(T), bits, x,
                       error)
        status == 0 || throw(failure(error))
        values[bits + 1] = x[]
    end
end
