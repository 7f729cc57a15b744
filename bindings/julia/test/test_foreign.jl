# SPDX-License-Identifier: Apache-2.0
# Deleters on threads that Julia does not know, while Julia allocates and collects.
using Libdl

let library = dlopen(foreign)
    global start(p, n, legacy) =
        ccall(dlsym(library, :foreign_start), Ptr{Cvoid}, (Ptr{Ptr{Cvoid}}, Int64, Int32), p, n, legacy)
    global join(shares) = ccall(dlsym(library, :foreign_join), Cvoid, (Ptr{Cvoid},), shares)
    global interrupted = dlsym(library, :foreign_interrupted)
end

roots() = count(!isnothing, DLFerry.queue.roots)

function release_abroad(meanwhile, out, count)
    owned = Ptr{Cvoid}[out(fill(Float32(k), 64)) for k in 1:count]
    GC.@preserve owned begin
        shares = start(owned, count, out === to_dlpack_legacy)
        meanwhile()
        join(shares)
    end
end

"Wait, without a call of the hub, until the woken task has let go of everything."
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
