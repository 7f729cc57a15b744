# SPDX-License-Identifier: Apache-2.0
M = reshape(collect(Float32, 1:6), 2, 3)

@testset "there and back" begin
    t = wrap(M)
    for (out, back) in ((to_dlpack, from_dlpack), (to_dlpack_legacy, from_dlpack_legacy)), x in (t, M)
        u = back(out(x))
        @test pointer(u) == pointer(M) && DLArray(u) == M && strides(u) == (1, 2)
        @test DLArray(back(out(u))) == M
    end
    p = to_dlpack(t)
    m = unsafe_load(p)
    @test (m.major, m.minor, m.flags) == (1, 3, 0) && m.dl_tensor.ndim == 2
    delete(p)
end

@testset "a copy is the consumer's alone" begin
    u = from_dlpack(to_dlpack_copy(M))
    @test pointer(u) != pointer(M) && DLArray(u) == M && strides(u) == (3, 1)
    @test DLFerry.flags(u) == DLFerry.IS_COPIED
    v, w = from_dlpack(to_dlpack(u)), from_dlpack(to_dlpack(u)) # u may still be used: not the only owner
    @test DLFerry.flags(v) == DLFerry.flags(w) == 0 && pointer(v) == pointer(w) == pointer(u)
end

@testset "read-only has no legacy form" begin
    t = wrap(M; readonly = true)
    @test isreadonly(from_dlpack(to_dlpack(t)))
    @test thrown(() -> to_dlpack_legacy(t)).status === :READ_ONLY
    @test thrown(() -> to_dlpack_legacy(DLArray(t))).status === :READ_ONLY
    @test !isreadonly(from_dlpack(to_dlpack_copy(t)))
end

@testset "no data when there are no elements" begin
    p = to_dlpack(zeros(Float32, 0, 3))
    @test unsafe_load(p).dl_tensor.data == C_NULL
    @test size(DLArray(from_dlpack(p))) == (0, 3)
end

@testset "what was exported outlives its handle" begin
    before = settle()
    function export_and_close()
        t = wrap(fill(3.0, 5))
        p = to_dlpack(t)
        close(t)
        return p
    end
    p = export_and_close()
    GC.gc()
    @test DLFerry.live() == before + 1
    fits(u) = (same = DLArray(u) == fill(3.0, 5); close(u); same)
    @test fits(from_dlpack(p))
    @test settle() == before
end

@testset "nothing is not a tensor" begin
    @test_throws ArgumentError from_dlpack(C_NULL)
    @test_throws ArgumentError from_dlpack_legacy(C_NULL)
end
