# SPDX-License-Identifier: Apache-2.0
# What is closed while calls of other threads may be inside it, and the C objects that generated packages hand out:
# opened by a C function, freed by another, exactly once.

const CLOSED = 1 << 62

# Counts the calls that are inside, plus CLOSED. Whoever brings it to CLOSED alone frees what it guards: `shut` when
# nobody is inside, else the last call to leave. No lock, so a finalizer can never wait for one.
const Guard = Threads.Atomic{Int}

"Enter a call: what is guarded stays until `leave`. False when it is closed."
function enter(guard::Guard)
    state = guard[]
    while state & CLOSED == 0
        seen = Threads.atomic_cas!(guard, state, state + 1)
        seen == state && return true
        state = seen
    end
    return false
end

"True for the last one to leave what was closed meanwhile, who must free it."
leave(guard::Guard) = Threads.atomic_sub!(guard, 1) == CLOSED + 1

"Let nobody enter any more. True when nobody is inside and it was open: then the caller must free it."
shut(guard::Guard) = Threads.atomic_or!(guard, CLOSED) == 0

mutable struct Held
    object::Ptr{Cvoid}
    free::Ptr{Cvoid}
    state::Guard
    grave::Ptr{Grave}
    function Held(object, free)
        return finalizer(abandon, new(object, free, Guard(0), dig(object, free)))
    end
    Held() = new(C_NULL, C_NULL, Guard(CLOSED), C_NULL)
end

# `C_NULL` when it is closed. What a precompiled file holds has lost its object.
enter(h::Held) = h.object != C_NULL && enter(h.state) ? h.object : C_NULL
leave(h::Held, object) = object != C_NULL && leave(h.state) && dispose(h)

function dispose(h::Held)
    Libc.free(h.grave)
    free_object(h.object, h.free)
end

function abandon(h::Held)
    shut(h.state) || return # closed long ago; or, when the process ends, another thread is inside and will free it
    bury(h.grave, h.object, h.free)
    return
end

"""
    Opaque

What a C function opened, of a type that a generated package declares. `close` frees it; `isopen` tells. A call that
another thread is inside ends well: then that call frees it. A forgotten one is freed after the garbage collector has
found it, by a task or a later call, on any thread: close it yourself where that matters.
"""
abstract type Opaque end

Base.close(x::Opaque) = (isopen(x) && shut(x.held.state) && dispose(x.held); nothing)
Base.isopen(x::Opaque) = x.held.object != C_NULL && x.held.state[] & CLOSED == 0
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

"What a `do` block behind a function that opens an object does."
function closing(use, object)
    try
        return use(object)
    finally
        close(object)
    end
end

"The object that a C function has just opened."
take(::Type{T}, object::Ptr{Cvoid}) where {T<:Opaque} = T(Held(object, free_function(T)))
