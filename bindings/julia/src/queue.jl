# SPDX-License-Identifier: Apache-2.0
# Objects of C that the garbage collector found forgotten: a task or a later call frees them.

mutable struct Queue
    awake::Union{Nothing,Base.AsyncCondition}
    watcher::Union{Nothing,Task}
    shut::Bool # at exit: no later call would free anything
end

const queue = Queue(nothing, nothing, false)
const opening = ReentrantLock()

# A forgotten C object to be freed, such as a tensor's handle. Its finalizer may run at any point, on any thread, so it
# must neither wait nor run foreign C (NumPy's deleter waits for the GIL): it pushes the object onto `graves`. The nodes
# are made with the object, since a finalizer should not allocate either.
struct Grave
    next::Ptr{Grave}
    object::Ptr{Cvoid}
    free::Ptr{Cvoid}
end

const graves = Threads.Atomic{UInt}(0)
# Unused ones of each thread, since malloc takes longer. No safepoint is between the accesses to a list.
const spare_graves = Ptr{Grave}[]
make_grave_lists() = append!(spare_graves, [Ptr{Grave}(C_NULL) for _ in 1:most_threads()])

@inline function new_grave()
    k = Threads.threadid()
    grave = k <= length(spare_graves) ? @inbounds(spare_graves[k]) : Ptr{Grave}(C_NULL)
    grave == C_NULL && return Ptr{Grave}(Libc.malloc(sizeof(Grave)))
    @inbounds spare_graves[k] = unsafe_load(Ptr{Ptr{Grave}}(grave))
    return grave
end

@inline function spare(grave::Ptr{Grave})
    k = Threads.threadid()
    k <= length(spare_graves) || return Libc.free(grave)
    unsafe_store!(Ptr{Ptr{Grave}}(grave), @inbounds(spare_graves[k]))
    @inbounds spare_graves[k] = grave
    return nothing
end

"Make room for an object in `graves`, and a task that frees them. On failure the object is freed."
@inline function dig(object, free)
    grave = new_grave()
    return queue.watcher === nothing || grave == C_NULL ? dig_slowly(grave, object, free) : grave
end

@noinline function dig_slowly(grave, object, free)
    try
        grave == C_NULL && throw(OutOfMemoryError())
        open_queue()
    catch
        free_object(object, free)
        rethrow()
    end
    return grave
end

"Have an object freed by the next call of this package, or by the task that is woken here. For finalizers."
function bury(grave::Ptr{Grave}, object, free)
    if queue.shut # the process ends, and no later call would free it
        spare(grave)
        return free_object(object, free)
    end
    next = graves[]
    while true
        unsafe_store!(grave, Grave(Ptr{Grave}(next), object, free))
        seen = Threads.atomic_cas!(graves, next, UInt(grave))
        seen == next && break
        next = seen
    end
    awake = queue.awake
    next == 0 && awake !== nothing && ccall(:uv_async_send, Cint, (Ptr{Cvoid},), awake.handle)
    return nothing
end

# An InterruptException in this code would lose objects or leave the lock locked: it waits for the end.
@inline function undisturbed(f)
    Base.sigatomic_begin()
    result = f()
    Base.sigatomic_end()
    return result
end

@noinline sweep() = undisturbed() do
    grave = Ptr{Grave}(Threads.atomic_xchg!(graves, UInt(0)))
    while grave != C_NULL
        g = unsafe_load(grave)
        spare(grave)
        free_object(g.object, g.free)
        grave = g.next
    end
end

"Call C that may run a foreign deleter, which may wait for a thread that waits for a collection."
@inline function free_object(object, free)
    state = enter_gc_safe()
    ccall(free, Cvoid, (Ptr{Cvoid},), object)
    leave_gc_safe(state)
end

"Free what the garbage collector found since the last call. Costs a load if there is nothing."
@inline drain() = graves[] != 0 ? sweep() : nothing

# While Julia writes a precompiled file an open handle would block it; later calls still free what is found.
function open_queue()
    ccall(:jl_generating_output, Cint, ()) == 0 || return
    lock(opening) do
        queue.watcher === nothing && !queue.shut || return
        awake = queue.awake = Base.AsyncCondition()
        watch(awake)
    end
end

# Ctrl-C may end any running task, so another continues. It is not made by @async, which since Julia 1.7 also keeps the task
# that calls it, here the one that wraps the first array, on its thread.
function watch(awake)
    task = queue.watcher = Task() do
        try
            while isopen(awake)
                wait(awake)
                drain()
            end
        finally
            isopen(awake) && watch(awake)
        end
    end
    VERSION < v"1.7" || (task.sticky = false)
    schedule(task)
end

# Julia frees the handle behind `awake` after this.
shut_queue() = (drain(); queue.shut = true; nothing)
