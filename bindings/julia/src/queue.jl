# SPDX-License-Identifier: Apache-2.0
# Objects that Julia lends to C stay in `roots` until C is done. The last reference may be released on any thread, and a
# foreign thread must never enter Julia: it pushes onto the hub's lock-free queue and, if that was empty, calls libuv's
# uv_async_send, a plain C function, which wakes one of our tasks.

mutable struct Queue
    handle::Ptr{Cvoid}
    head::Ptr{Ptr{Cvoid}}  # C_NULL until something is wrapped, and after exit
    lock::Threads.SpinLock # guards the fields below; held for a few instructions, never across a task switch
    roots::Vector{Any}
    free::Vector{Int}
    owners::Vector{Ptr{Cvoid}}
    awake::Union{Nothing,Base.AsyncCondition}
    watcher::Union{Nothing,Task}
    shut::Bool             # at exit: nothing can be wrapped any more
end

const queue = Queue(C_NULL, C_NULL, Threads.SpinLock(), [], [], Vector{Ptr{Cvoid}}(undef, 256), nothing, nothing, false)
const opening = ReentrantLock()

# A forgotten C object to be freed, such as a tensor's handle. Its finalizer may run at any point, on any thread, so it
# must neither wait nor run foreign C (NumPy's deleter waits for the GIL): it pushes the object onto `graves`. The nodes
# are malloc'ed with the object, since a finalizer should not allocate either.
struct Grave
    next::Ptr{Grave}
    object::Ptr{Cvoid}
    free::Ptr{Cvoid}
end

const graves = Threads.Atomic{UInt}(0)

"Make room for an object in `graves`, and a task that frees them. On failure the object is freed."
function dig(object, free)
    grave = try
        queue.head == C_NULL && open_queue()
        Ptr{Grave}(Libc.malloc(sizeof(Grave)))
    catch
        free_object(object, free)
        rethrow()
    end
    grave == C_NULL && (free_object(object, free); throw(OutOfMemoryError()))
    return grave
end

"Have an object freed by the next call of this package, or by the task that is woken here. For finalizers."
function bury(grave::Ptr{Grave}, object, free)
    if queue.shut # the process ends, and no later call would free it
        Libc.free(grave)
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
        Libc.free(grave)
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

"Release the owners queued by other threads since the last call. Costs two loads if there are none."
@inline function drain()
    graves[] != 0 && sweep() # first: it may fill the queue
    head = queue.head
    head != C_NULL && unsafe_load(head) != C_NULL && empty_queue()
    return nothing
end

@noinline empty_queue() = undisturbed() do
    # A caller that does not get the lock may leave: the holder reads the head once more after it unlocks.
    while queue.head != C_NULL && unsafe_load(queue.head) != C_NULL
        trylock(queue.lock) || return
        while true
            n = ccall(hub.dlf_queue_drain, Int64, (Ptr{Cvoid}, Ptr{Ptr{Cvoid}}, Int64),
                      queue.handle, queue.owners, length(queue.owners))
            for k in 1:n
                forget(Int(queue.owners[k]))
            end
            n < length(queue.owners) && break
        end
        unlock(queue.lock)
    end
end

function forget(slot)
    queue.roots[slot] = nothing
    push!(queue.free, slot)
    return
end

"Keep an object alive; its slot, never 0, is the owner that C returns."
function keep(object)
    queue.head == C_NULL && open_queue()
    while true
        slot, count = undisturbed() do
            lock(queue.lock)
            free = isempty(queue.free) ? 0 : pop!(queue.free)
            free == 0 || (queue.roots[free] = object)
            count = length(queue.roots)
            unlock(queue.lock)
            free, count
        end
        slot == 0 || return Ptr{Cvoid}(slot)
        grow(count)
    end
end

# Nothing is allocated under the lock: allocation may run a finalizer that wraps an array.
function grow(count)
    total = max(2 * count, 64)
    roots, free = Vector{Any}(nothing, total), collect(total:-1:1) # room for every slot: forget() never allocates
    undisturbed() do
        lock(queue.lock)
        if length(queue.roots) == count
            copyto!(roots, 1, queue.roots, 1, count)
            slots = queue.free # slots freed meanwhile
            resize!(free, total - count)
            while !isempty(slots)
                push!(free, pop!(slots))
            end
            queue.roots, queue.free = roots, free
        end
        unlock(queue.lock)
    end
end

unkeep(owner) = undisturbed() do
    lock(queue.lock)
    forget(Int(owner))
    unlock(queue.lock)
end

function open_queue()
    lock(opening) do
        queue.handle == C_NULL && !queue.shut || return
        wake, context = C_NULL, C_NULL
        # While Julia writes a precompiled file an open handle would block it; polling still empties the queue.
        if ccall(:jl_generating_output, Cint, ()) == 0
            awake = queue.awake = Base.AsyncCondition()
            wake, context = cglobal(:uv_async_send), awake.handle
            watch(awake)
        end
        out, error = Ref{Ptr{Cvoid}}(C_NULL), error_slot()
        # No function runs when the handle may be freed: shut_queue polls, since no foreign thread may run Julia code.
        status = ccall(hub.dlf_queue_create, Status,
                       (Ptr{Cvoid}, Ptr{Cvoid}, Ptr{Cvoid}, Ref{Ptr{Cvoid}}, Ref{CError}),
                       wake, C_NULL, context, out, error)
        status == 0 || throw(failure(error))
        queue.handle = out[]
        queue.head = ccall(hub.dlf_queue_head, Ptr{Ptr{Cvoid}}, (Ptr{Cvoid},), out[])
    end
end

# Ctrl-C may end any running task, so another continues.
function watch(awake)
    queue.watcher = @async try
        while isopen(awake)
            wait(awake)
            drain()
        end
    finally
        isopen(awake) && watch(awake)
    end
end

# Julia frees the handle behind `awake` after this, so no thread may still be sending to it. That takes no time; the
# wait is bounded because a forked child waits for threads that it does not have.
function shut_queue()
    drain()
    handle, queue.handle, queue.head, queue.shut = queue.handle, C_NULL, C_NULL, true
    for _ in 1:1000
        ccall(hub.dlf_queue_close, Bool, (Ptr{Cvoid},), handle) && break
        Libc.systemsleep(0.001)
    end
    ccall(hub.dlf_queue_release, Cvoid, (Ptr{Cvoid},), handle)
end
