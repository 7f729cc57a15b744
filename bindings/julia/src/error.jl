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

# dlf_error. What it held before a call does not matter: C fills it in when it fails.
struct CError
    status::Status
    message::NTuple{252,UInt8}
end

# One for each thread, so that a call allocates nothing: no task switch lies between a call and the look at its error.
const error_slots = Base.RefValue{CError}[]
# Since Julia 1.9 there are threads besides the nthreads() of the default pool, the first one among them.
most_threads() = isdefined(Threads, :maxthreadid) ? Threads.maxthreadid() : Threads.nthreads()
make_error_slots() = append!(error_slots, [Ref{CError}() for _ in 1:most_threads()])

@inline function error_slot()
    k = Threads.threadid()
    return k <= length(error_slots) ? @inbounds(error_slots[k]) : Ref{CError}() # a thread that joined later
end

"The exception for a failure that C reported."
@noinline function failure(error::Ref{CError})
    held = Ref(error[]) # at once: making a string may run finalizers, which may fail and use this thread's slot
    message = GC.@preserve held unsafe_string(Ptr{UInt8}(pointer_from_objref(held)) + fieldoffset(CError, 2))
    name = Symbol(unsafe_string(ccall(hub.dlf_status_name, Cstring, (Status,), held[].status)))
    return failure(name, message)
end

function failure(status::Symbol, message)
    status === :INVALID && return ArgumentError(message)
    status === :SHAPE && return DimensionMismatch(message)
    status === :OVERFLOW && return OverflowError(message)
    return DLFerryError(status, message)
end
