# SPDX-License-Identifier: Apache-2.0
# C objects that packages made by dlferry-bind hand out: opened by a C function, freed by another, exactly once.

const CLOSED = 1 << 62

# `state` counts the calls that are inside the object, plus CLOSED. Whoever brings it to CLOSED alone frees the object:
# close() when nobody is inside, else the last call to leave. No lock, so a finalizer can never wait for one.
mutable struct Held
    object::Ptr{Cvoid}
    free::Ptr{Cvoid}
    state::Threads.Atomic{Int}
    grave::Ptr{Grave}
    function Held(object, free)
        queue.head == C_NULL && open_queue() # so that there is a task to wake
        grave = Ptr{Grave}(Libc.malloc(sizeof(Grave)))
        grave == C_NULL && (free_object(object, free); throw(OutOfMemoryError()))
        return finalizer(abandon, new(object, free, Threads.Atomic{Int}(0), grave))
    end
end

"Enter a call: the object's address, which stays good until `leave`; `C_NULL` when it is closed."
function enter(h::Held)
    state = h.state[]
    while state & CLOSED == 0
        seen = Threads.atomic_cas!(h.state, state, state + 1)
        seen == state && return h.object
        state = seen
    end
    return C_NULL
end

leave(h::Held, object) = object != C_NULL && Threads.atomic_sub!(h.state, 1) == CLOSED + 1 && dispose(h)

function dispose(h::Held)
    Libc.free(h.grave)
    free_object(h.object, h.free)
end

function abandon(h::Held)
    state = Threads.atomic_or!(h.state, CLOSED)
    state == 0 || return # closed long ago; or, when the process ends, another thread is inside and will free it
    queue.shut ? dispose(h) : bury(h.grave, h.object, h.free)
    return
end

"""
    Opaque

What a C function opened, of a type that a generated package declares. `close` frees it; `isopen` tells. A call that
another thread is inside ends well: then that call frees it. A forgotten one is freed after the garbage collector has
found it, by a task or a later call, on any thread: close it yourself where that matters.
"""
abstract type Opaque end

Base.close(x::Opaque) = (Threads.atomic_or!(x.held.state, CLOSED) == 0 && dispose(x.held); nothing)
Base.isopen(x::Opaque) = x.held.state[] & CLOSED == 0
Base.show(io::IO, x::Opaque) = print(io, typeof(x), isopen(x) ? "(open)" : "(closed)")

"""
    @opaque Name library.function

Declare a type of C objects that `function` frees.
"""
macro opaque(name, free)
    return esc(quote
        Base.@__doc__ struct $name <: $Opaque
            held::$Held
        end
        $DLFerry.free_function(::Type{$name}) = $free
    end)
end
function free_function end

"The object that a C function has just opened."
take(::Type{T}, object::Ptr{Cvoid}) where {T<:Opaque} = T(Held(object, free_function(T)))
