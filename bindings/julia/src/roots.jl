# SPDX-License-Identifier: Apache-2.0
# Julia's objects that C keeps. The last reference may be dropped on any thread, which must not enter Julia: C then
# writes `nothing` where a vector refers to the object, and pushes the place onto a list of free ones. No task runs.

# deps/roots.c has the same struct.
struct Root
    next::Ptr{Root}
    place::Ptr{Cvoid}
    nothing::Ptr{Cvoid}
    free::Ptr{Cvoid}
    objects::Ptr{Cvoid} # the vector
    index::Int
end

const free_roots = Threads.Atomic{UInt}(0)
# Free ones that a thread took, so that the next wrap on it needs no atomic operation. A list is used without a
# safepoint in between: neither a finalizer nor another task gets to see it half changed.
const taken_roots = Ptr{Root}[]
const roots_at_once = 256
# All vectors, each with the one before it as its last element: they never move, since none is resized.
const all_roots = Ref{Union{Nothing,Vector{Any}}}(nothing)
const roots_lock = Threads.SpinLock()

make_root_lists() = append!(taken_roots, [Ptr{Root}(C_NULL) for _ in 1:most_threads()])

"Keep an object until C, on any thread, calls `forget` with the result."
@inline function keep(object)
    k = Threads.threadid()
    root = k <= length(taken_roots) ? @inbounds(taken_roots[k]) : Ptr{Root}(C_NULL)
    root == C_NULL && return keep_slowly(object)
    r = unsafe_load(root)
    @inbounds taken_roots[k] = r.next
    return keep(root, r, object)
end
@inline function keep(root::Ptr{Root}, r::Root, object)
    @inbounds (unsafe_pointer_to_objref(r.objects)::Vector{Any})[r.index] = object
    return Ptr{Cvoid}(root)
end

"For use by Julia; C has the function's address."
forget(root) = ccall(rooting.dlfjl_forget, Cvoid, (Ptr{Cvoid},), root)

# What a thread takes it keeps. One that joined later has no list: it takes one and returns the others.
@noinline function keep_slowly(object)
    first = Ptr{Root}(Threads.atomic_xchg!(free_roots, UInt(0)))
    first == C_NULL && (first = make_roots()) # it may run finalizers, which may fill this thread's list
    r = unsafe_load(first)
    k = Threads.threadid()
    if k <= length(taken_roots)
        append_roots(r.next, @inbounds taken_roots[k])
        @inbounds taken_roots[k] = r.next == C_NULL ? taken_roots[k] : r.next
    else
        rest = r.next
        while rest != C_NULL
            after = unsafe_load(rest).next
            forget(rest)
            rest = after
        end
    end
    return keep(first, r, object)
end

function append_roots(root::Ptr{Root}, more::Ptr{Root})
    (root == C_NULL || more == C_NULL) && return
    while true
        next = unsafe_load(root).next
        next == C_NULL && break
        root = next
    end
    unsafe_store!(Ptr{Ptr{Root}}(root), more)
    return
end

function make_roots()
    objects = Vector{Any}(nothing, roots_at_once + 1)
    # One allocation for all. They are never freed.
    roots = Ptr{Root}(Libc.malloc(roots_at_once * sizeof(Root)))
    roots == C_NULL && throw(OutOfMemoryError())
    none = unsafe_load(cglobal(:jl_nothing, Ptr{Cvoid}))
    free, here = pointer_from_objref(free_roots), pointer_from_objref(objects)
    for k in 1:roots_at_once
        next = k == roots_at_once ? Ptr{Root}(C_NULL) : roots + k * sizeof(Root)
        unsafe_store!(roots, Root(next, pointer(objects, k), none, free, here, k), k)
    end
    undisturbed() do
        lock(roots_lock) # nothing is allocated under it: that may run a finalizer which wraps an array
        objects[end] = all_roots[]
        all_roots[] = objects
        unlock(roots_lock)
    end
    return roots
end

"Count the objects that C keeps."
function kept()
    n, objects = 0, all_roots[]
    while objects !== nothing
        n += count(!isnothing, view(objects, 1:roots_at_once))
        objects = objects[end]
    end
    return n
end
