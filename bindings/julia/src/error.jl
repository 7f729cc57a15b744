# SPDX-License-Identifier: Apache-2.0
const Status = Int32

"""
    DLFerryError(status, msg)

A failure for which Julia has no exception. `status` is a symbol: `:BOUNDS`, `:DTYPE`, `:DEVICE`, `:LAYOUT`,
`:READ_ONLY`, `:VERSION`, `:NO_MEMORY`, `:FOREIGN` or `:UNSUPPORTED`. INVALID is an `ArgumentError`, SHAPE a
`DimensionMismatch`, OVERFLOW an `OverflowError`; the text is `msg` in all four.
"""
struct DLFerryError <: Exception
    status::Symbol
    msg::String
end

Base.showerror(io::IO, e::DLFerryError) = print(io, "DLFerryError (", e.status, "): ", e.msg)

# dlf_error. Its content before a call does not matter: C fills it in on failure.
struct CError
    status::Status
    message::NTuple{252,UInt8}
end

# One for each thread, so that a call allocates nothing: no task switch happens between a call and the check of its
# error.
const error_slots = Base.RefValue{CError}[]
const pointer_slots = Base.RefValue{Ptr{Cvoid}}[] # likewise, for a result
# Since Julia 1.9 there are threads outside the default pool's nthreads(), the first one among them.
most_threads() = isdefined(Threads, :maxthreadid) ? Threads.maxthreadid() : Threads.nthreads()
function make_error_slots()
    append!(error_slots, [Ref{CError}() for _ in 1:most_threads()])
    append!(pointer_slots, [Ref{Ptr{Cvoid}}() for _ in 1:most_threads()])
end

@inline function error_slot()
    k = Threads.threadid()
    return k <= length(error_slots) ? @inbounds(error_slots[k]) : Ref{CError}() # a thread that joined later
end

@inline function pointer_slot()
    k = Threads.threadid()
    return k <= length(pointer_slots) ? @inbounds(pointer_slots[k]) : Ref{Ptr{Cvoid}}()
end

"The exception for a failure that C reported."
@noinline function failure(error::Ref{CError})
    held = Ref(error[]) # at once: making a string may run finalizers, which may fail and use this thread's slot
    message = GC.@preserve held unsafe_string(Ptr{UInt8}(pointer_from_objref(held)) + fieldoffset(CError, 2))
    name = Symbol(unsafe_string(ccall(hub.dlf_status_name, Cstring, (Status,), held[].status)))
    return failure(name, message)
end

"The same for a call on behalf of another function, whose text begins otherwise."
@noinline function failure(error::Ref{CError}, begins, said)
    e = failure(error)
    text = replace(e.msg, "$begins: " => "$said: "; count = 1)
    return e isa DLFerryError ? DLFerryError(e.status, text) : typeof(e)(text)
end

function failure(status::Symbol, message)
    status === :INVALID && return ArgumentError(message)
    status === :SHAPE && return DimensionMismatch(message)
    status === :OVERFLOW && return OverflowError(message)
    return DLFerryError(status, message)
end

"A text for C, which would cut it at a NUL."
@inline terminated(text::AbstractString, name) = (s = String(text); '\0' in s ? no_text(name) : s)
@noinline no_text(name) = throw(ArgumentError("$name: expected a text without NUL, got one"))

"An integer for C. One that does not fit throws `OverflowError`."
@inline fitting(::Type{T}, x::Integer, name) where {T} = typemin(T) <= x <= typemax(T) ? x % T : no_room(T, x, name)
@noinline no_room(T, x, name) = throw(OverflowError("$name: expected $(typemin(T)) to $(typemax(T)), got $x"))
