# SPDX-License-Identifier: Apache-2.0
# Objects that may be closed during calls of other threads, and the C objects of generated packages: one C function
# opens them, another frees them, exactly once.

const CLOSED = 1 << 62

# Counts the calls that are inside, plus CLOSED. The caller that reduces it to CLOSED frees the guarded object: `shut`
# if no call is inside, else the last call to leave. There is no lock, so a finalizer never waits.
const Guard = Threads.Atomic{Int}

# Nothing else runs between two plain accesses while there is one thread: an atomic operation takes longer than the rest
# of a call.

"Enter a call: the guarded object stays until `leave`. False if it is closed."
@inline function enter(guard::Guard)
    alone() || return enter_among_threads(guard)
    guard.value & CLOSED == 0 || return false
    guard.value += 1
    return true
end
function enter_among_threads(guard::Guard)
    state = guard[]
    while state & CLOSED == 0
        seen = Threads.atomic_cas!(guard, state, state + 1)
        seen == state && return true
        state = seen
    end
    return false
end

"True for the last call to leave a closed object; that caller must free it."
@inline function leave(guard::Guard)
    alone() || return Threads.atomic_sub!(guard, 1) == CLOSED + 1
    guard.value -= 1
    return guard.value == CLOSED
end

"Let no further call enter. True if no call is inside and it was open: then the caller must free it."
@inline function shut(guard::Guard)
    alone() || return Threads.atomic_or!(guard, CLOSED) == 0
    state = guard.value
    guard.value = state | CLOSED
    return state == 0
end

# A dlf_object, which counts and locks: C does everything described for an Opaque below.
mutable struct Held
    object::Ptr{Cvoid} # C_NULL in a precompiled file: closed
    grave::Ptr{Grave}
    Held(object) = finalizer(abandon, new(object, dig(object, hub.dlf_object_release)))
    Held() = new(C_NULL, C_NULL)
end

const NO_OBJECT = Held() # of an argument that is absent

abandon(h::Held) = (bury(h.grave, h.object, hub.dlf_object_release); nothing)

# dlf_use, an object of a call. The hub writes the fields after item.
struct Use
    size::Int64
    object::Ptr{Cvoid}
    name::Ptr{UInt8}
    type::Ptr{UInt8}
    mode::Int32
    item::Int32 # its place in a list, from 1, or 0
    pointer::Ptr{Cvoid}
    held::Int64 # dlf_use_notes, from here on
    thread::UInt
    next::Ptr{Cvoid}
    waiting::Ptr{Cvoid}
    root::Ptr{Cvoid}
end
Use(h::Held, name, type, mode) =
    Use(sizeof(Use), h.object, static(name), static(type), mode, 0, C_NULL, 0, 0, C_NULL, C_NULL, C_NULL)

"The same for the k-th object of a list."
item_use(h::Held, k, name, type, mode) =
    Use(sizeof(Use), h.object, static(name), static(type), mode, k, C_NULL, 0, 0, C_NULL, C_NULL, C_NULL)

"Add the objects of a list to the uses of a call; returns how many there were before."
function add_uses!(uses::Vector{Use}, objects::Vector{Held}, name, type, mode)
    before = length(uses)
    append!(uses, (item_use(h, k, name, type, mode) for (k, h) in enumerate(objects)))
    return before
end

"C's addresses of a list's objects in a call that has entered them."
@inline function pointed_list(addresses::Ptr{Ptr{Cvoid}}, uses::Ptr{Use}, before::Int, n::Int)
    for k in 1:n
        unsafe_store!(addresses, pointed(uses, before + k), k)
    end
    return addresses
end

"The dlf_use_mode of `Opaque{mode,type}`."
use_mode(type) = Int32(max(1, findfirst(==(type.args[2]), (:ended, :exclusive, :shared, :unlocked)) - 1) - 1)
const ABSENT = Int32(3)

"The text of a symbol, which stays as long as the process."
static(name::Symbol) = Base.unsafe_convert(Ptr{UInt8}, name)

"C's argument for the k-th object of a call that has entered them."
@inline pointed(uses::Ptr{Use}, k) = unsafe_load(Ptr{Ptr{Cvoid}}(place_pointed(uses, k)))
"The place of that argument, which C empties if it frees the object."
@inline place_pointed(uses::Ptr{Use}, k) = Ptr{Cvoid}(uses + (k - 1) * sizeof(Use) + fieldoffset(Use, 7))

"""
    Opaque

An object opened by a C function, of a type that a generated package declares. Calls that change it run one at a time,
calls that read it together. `close` frees it, after the last call of another thread on it; `isopen` tells whether it is
open. After the garbage collector finds a forgotten one, a task or a later call frees it, on any thread: close it
yourself if that matters.
"""
abstract type Opaque end

Base.close(x::Opaque) = (h = x.held; GC.@preserve h free_object(h.object, hub.dlf_object_close); nothing)
function Base.isopen(x::Opaque)
    h = x.held
    return GC.@preserve h ccall(hub.dlf_object_is_open, Bool, (Ptr{Cvoid},), h.object)
end
# C has one object: a copy of its address would be used after the finalizer of the first has freed it.
Base.deepcopy_internal(x::Union{Opaque,Held}, ::IdDict) =
    throw(ArgumentError("deepcopy: expected a value that can be copied, got an object of C: $(typeof(x))"))
Base.show(io::IO, x::Opaque) = print(io, typeof(x), isopen(x) ? "(open)" : "(closed)")

"""
    @opaque Name library.function
    @opaque Name

Declare a type of C objects that `function` frees, or no function.
"""
macro opaque(name, free...)
    return esc(quote
        Base.@__doc__ struct $name <: $Opaque
            held::$Held
        end
        $((:($DLFerry.free_function(::$Type{$name}) = $f) for f in free)...)
    end)
end
function free_function end

"Run a `do` block after a function that opens an object, or gives `nothing`."
closing(use, ::Nothing) = use(nothing)
function closing(use, object)
    try
        return use(object)
    finally
        close(object)
    end
end

"The box of an object that a C function has just opened."
take(::Type{T}, box::Ptr{Cvoid}) where {T<:Opaque} = box == C_NULL ? throw(OutOfMemoryError()) : T(Held(box))

"A string from C's copy, which is freed."
function taken_text(copy::Ptr{UInt8})
    copy == C_NULL && return ""
    text = unsafe_string(copy)
    Libc.free(copy)
    return text
end
