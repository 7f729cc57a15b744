# SPDX-License-Identifier: Apache-2.0
# Deleters on threads unknown to Julia, while Julia allocates and collects.
using Libdl

let library = dlopen(foreign)
    global start(p, n, legacy) =
        ccall(dlsym(library, :foreign_start), Ptr{Cvoid}, (Ptr{Ptr{Cvoid}}, Int64, Int32), p, n, legacy)
    global join_threads(shares) = ccall(dlsym(library, :foreign_join), Cvoid, (Ptr{Cvoid},), shares)
    global interrupted = dlsym(library, :foreign_interrupted)
    global give_waiting = dlsym(library, :foreign_give)
    global make_waiting(n, major = 1) = ccall(dlsym(library, :foreign_make), Ptr{DLManagedTensorVersioned},
                                              (Int64, UInt32), n, major)
    global take_gil() = ccall(dlsym(library, :foreign_gil_take), Cvoid, ())
    global give_gil() = ccall(dlsym(library, :foreign_gil_give), Cvoid, ())
    global interrupt_next() = ccall(dlsym(library, :foreign_interrupt), Cvoid, ())
    global count_waiting() = ccall(dlsym(library, :foreign_waiting), Cint, ())
    global count_stuck() = ccall(dlsym(library, :foreign_stuck), Cint, ())
    global count_deleted() = ccall(dlsym(library, :foreign_deleted), Cint, ())
end

roots() = DLFerry.kept()

function release_abroad(meanwhile, out, count)
    owned = Ptr{Cvoid}[out(fill(Float32(k), 64)) for k in 1:count]
    GC.@preserve owned begin
        shares = start(owned, count, out === to_dlpack_legacy)
        meanwhile()
        join_threads(shares)
    end
end

"Wait, without a call of the hub, until the woken task has released everything."
function woken(limit)
    for _ in 1:1000
        roots() <= limit && return true
        sleep(0.005)
    end
    return false
end

@testset "2,000 tensors while Julia collects" begin
    before, kept = settle(), roots()
    release_abroad(to_dlpack, 2000) do
        for _ in 1:20
            [rand(100) for _ in 1:100]
            GC.gc(false)
        end
    end
    @test woken(kept)
    @test settle() == before
end

@testset "while Julia wraps and drains itself" begin
    before, kept = settle(), roots()
    for out in (to_dlpack, to_dlpack_legacy)
        release_abroad(out, 2000) do
            for k in 1:2000
                delete(to_dlpack([k]))
            end
        end
    end
    @test DLFerry.live() == before && roots() == kept # the hub's calls have drained, nothing had to wake
end

@testset "while all Julia threads wrap" begin
    before, kept = settle(), roots()
    release_abroad(to_dlpack, 2000) do
        Threads.@threads for k in 1:2000
            t = wrap([k])
            u = from_dlpack(to_dlpack(t))
            DLArray(u)[1] == k || error("lost")
            close(t)
        end
    end
    @test settle() == before && roots() == kept
end

@testset "a tensor that dies in the collector" begin
    before, kept = settle(), roots()
    (() -> (for k in 1:2000 wrap([k]) end))()
    @test settle() == before && roots() == kept
end

@testset "Ctrl-C during a call comes after it, and leaves nothing open" begin
    before, t = settle(), DLFerry.create(Float64, 3)
    Base.exit_on_sigint(false)
    try
        @test thrown(() -> DLFerry.@kernel interrupted(t::Tensor)) isa InterruptException
    finally
        Base.exit_on_sigint(true)
    end
    close(t)
    @test DLFerry.live() == before
end

# NumPy's deleter waits for the GIL. A thread that holds the GIL may collect garbage, and then waits until all threads
# reach a safepoint: so a deleter must run at one.
@testset "a deleter waits for a lock whose holder collects garbage: $name" for (name, let_go) in (
    ("close", () -> (t = from_dlpack(make_waiting(3)); () -> close(t))),
    ("close of the last look", () -> (A = DLArray(from_dlpack(make_waiting(3))); settle(); () -> close(A))),
    ("the collector", () -> (from_dlpack(make_waiting(3)); () -> settle())),
    ("the collector, an Array", () -> (t = from_dlpack(make_waiting(3)); a = DLFerry.native(DLArray(t)); a[1] = 1;
                                       a = nothing; close(t); () -> settle())),
    ("an import refused", () -> () -> thrown(() -> from_dlpack(make_waiting(3, 9)))),
    ("what a kernel gave", () -> () -> thrown(() -> DLFerry.@kernel give_waiting(a::New, b::New))),
    ("a call that ends after close", () -> (t = from_dlpack(make_waiting(3)); DLFerry.enter(t); close(t);
                                            () -> DLFerry.leave(t))))
    stuck, waiting, before = count_stuck(), count_waiting(), count_deleted()
    go, held, done = let_go(), Threads.Atomic{Int}(0), Threads.Atomic{Int}(0)
    Threads.@threads for k in 1:2
        if Threads.nthreads() == 1
            k == 1 && go()
        elseif k == 1
            take_gil()
            held[] = 1
            while count_waiting() == waiting && done[] == 0
                GC.safepoint()
            end
            GC.gc()
            give_gil()
        else
            while held[] == 0
                GC.safepoint()
            end
            go()
            done[] = 1
        end
    end
    @test settle() >= 0 && count_stuck() == stuck && count_deleted() > before
end

@testset "Ctrl-C while forgotten tensors are let go, and while the task that does it runs" begin
    before, deleted = settle(), count_deleted()
    Base.exit_on_sigint(false)
    try
        (() -> (for _ in 1:100 from_dlpack(make_waiting(3)) end))()
        interrupt_next()
        GC.gc()
        @test thrown(() -> (DLFerry.live(); sleep(0.1))) isa InterruptException
    finally
        Base.exit_on_sigint(true)
    end
    @test settle() == before && count_deleted() == deleted + 100

    watcher = DLFerry.queue.watcher
    schedule(watcher, InterruptException(); error = true)
    wait_for(f) = any(_ -> f() || (sleep(0.005); false), 1:1000)
    @test wait_for(() -> istaskdone(watcher) && DLFerry.queue.watcher !== watcher)
    kept = roots()
    release_abroad(() -> nothing, to_dlpack, 100)
    @test woken(kept) && settle() == before
end

@testset "a finalizer that wraps does not wait for a lock that its own thread holds" begin
    before, wrapped = settle(), Tensor[]
    for k in 1:20000
        finalizer(_ -> push!(wrapped, wrap([k])), Ref(k))
    end
    GC.gc()
    @test length(wrapped) >= 19000 && all(isopen, wrapped)
    foreach(close, wrapped)
    empty!(wrapped)
    @test settle() <= before + 1000
end
