# SPDX-License-Identifier: Apache-2.0
const Status = Int32

"""
    DLFerryError(status, msg)

A failure that none of Julia's own exceptions says. `status` is a symbol: `:BOUNDS`, `:DTYPE`, `:DEVICE`, `:LAYOUT`,
`:READ_ONLY`, `:VERSION`, `:NO_MEMORY`, `:FOREIGN` or `:UNSUPPORTED`. INVALID is an `ArgumentError`, SHAPE a
`DimensionMismatch`, OVERFLOW an `OverflowError`; the text is `msg` in all four.
"""
struct DLFerryError <: Exception
    status::Symbol
    msg::String
end

Base.showerror(io::IO, e::DLFerryError) = print(io, "DLFerryError (", e.status, "): ", e.msg)

# dlf_error. Left unset before a call: C fills it in when it fails.
struct CError
    status::Status
    message::NTuple{252,UInt8}
end

"The exception for a failure that C reported."
@noinline function failure(error::Ref{CError})
    GC.@preserve error begin
        p = Base.unsafe_convert(Ptr{CError}, error)
        status = unsafe_load(Ptr{Status}(p))
        message = unsafe_string(Ptr{UInt8}(p) + fieldoffset(CError, 2))
    end
    name = Symbol(unsafe_string(ccall(hub.dlf_status_name, Cstring, (Status,), status)))
    return failure(name, message)
end

function failure(status::Symbol, message)
    status === :INVALID && return ArgumentError(message)
    status === :SHAPE && return DimensionMismatch(message)
    status === :OVERFLOW && return OverflowError(message)
    return DLFerryError(status, message)
end
