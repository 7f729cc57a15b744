# SPDX-License-Identifier: Apache-2.0
using LinearAlgebra: transpose
A = reshape(collect(Int32, 1:24), 2, 3, 4)
same(t::Tensor, B) = size(t) == size(B) && DLArray(t) == B && UInt(pointer(t)) - UInt(pointer(A)) < sizeof(A)

@testset "views are Base's, without a copy" begin
    t = wrap(A)
    for index in ((1, :, 2), (:, 3:-1:1, 2:2), (2, 2, 2), (:, :, :), (1:1, 3:3, 4:-3:1), (Int8(2), :, 0x01))
        @test same(view(t, index...), view(A, index...))
        @test (x = t[index...]; (x isa Tensor ? DLArray(x) : x) == A[index...])
    end
    @test same((@view t[end, 2:end, [1][1]]), A[2, 2:3, 1])
    @test size(view(t, 1:0, :, 1)) == (0, 3)
    @test same(selectdim(t, 3, 2), selectdim(A, 3, 2)) && same(selectdim(t, 2, 3:-2:1), selectdim(A, 2, 3:-2:1))
    @test same(DLFerry.permute(t, (3, 1, 2)), permutedims(A, (3, 1, 2)))
    @test same(transpose(view(t, :, :, 1)), transpose(A[:, :, 1]))
    @test same(DLFerry.flip(t; dims = 2), reverse(A; dims = 2))
    @test same(DLFerry.flip(t), A[end:-1:1, end:-1:1, end:-1:1])
    @test same(DLFerry.unsqueeze(t; dims = 4), reshape(A, 2, 3, 4, 1))
    @test same(DLFerry.unsqueeze(t; dims = 2), reshape(A, 2, 1, 3, 4))
    @test same(dropdims(view(t, 1:1, :, 2:2); dims = (3, 1)), A[1, :, 2])
    @test same(dropdims(view(t, 1:1, :, :); dims = 1), A[1, :, :])
    @test same(DLFerry.broadcast(view(t, 1:1, :, 1), (5, 2, 3)), [A[1, j, 1] for i in 1:5, k in 1:2, j in 1:3])
    @test axes(t) == axes(A) && lastindex(t, 2) == 3 && firstindex(t, 1) == 1
end

@testset "what copies in Base copies here" begin
    t = wrap(A)
    for (u, B) in ((permutedims(t, (2, 3, 1)), permutedims(A, (2, 3, 1))), (reverse(t; dims = 1), reverse(A; dims = 1)),
                   (t[:, 2, :], A[:, 2, :]), (permutedims(t[:, :, 1]), permutedims(A[:, :, 1])))
        @test DLArray(u) == B && !DLFerry.overlap(u, A)
    end
    u = similar(t)
    @test size(u) == size(t) && DLFerry.dtype(u) == "int32" && !DLFerry.overlap(u, t)
    @test DLFerry.describe(similar(t, Float64, 3)) == "float64[3] cpu" && size(similar(t, (4, 5))) == (4, 5)
    @test size(similar(t, "float4_e2m1fn")) == (2, 3, 4) && size(similar(t, 7)) == (7,)
end

@testset "reshape and reinterpret take the first axis as the fastest, as in Base" begin
    t = wrap(A)
    for shape in ((6, 4), (24,), (2, 12), (2, 3, 2, 2), (1, 24, 1), (:, 4))
        @test same(reshape(t, shape...), reshape(A, shape...)) && same(reshape(t, shape), reshape(A, shape))
    end
    rows = DLFerry.create(Int32, 2, 6)
    DLArray(rows) .= reshape(1:12, 6, 2)'
    @test DLArray(reshape(rows, 3, 4; order = :row_major)) == reshape(1:12, 4, 3)'
    @test thrown(() -> reshape(rows, 3, 4)).status === :LAYOUT
    @test thrown(() -> reshape(rows, 3, 4; order = :up)) isa ArgumentError
    @test thrown(() -> reshape(t, 5, 5)) isa DimensionMismatch
    B = reshape(collect(1.0:12), 4, 3) # no NaN in any of the types
    for T in (Float32, Int64, NTuple{2,Float32}, UInt8)
        @test DLArray(reinterpret(T, wrap(B))) == reinterpret(T, B)
    end
    @test DLArray(reinterpret(UInt16, wrap(Int32[1, 2]))) == reinterpret(UInt16, Int32[1, 2])
    @test size(DLFerry.bitcast(wrap(permutedims(B)'), "int16")) == (4, 12)
    @test size(DLFerry.bitcast(DLFerry.create(Float32, 2, 4), Float64)) == (2, 2)
end

@testset "lanes" begin
    t = DLFerry.pack_lanes(DLFerry.create(Float32, 5, 4))
    @test DLFerry.describe(t) == "float32x4[5] cpu" && size(DLFerry.unpack_lanes(t)) == (5, 4)
end

@testset "errors count from 0, as in every language, and say so" begin
    t = wrap(A)
    words(f) = (e = thrown(f); (e isa DLFerryError ? e.status : typeof(e), e.msg))
    @test words(() -> view(t, 3, 1, 1)) == (:BOUNDS, "index: expected index below 2 of axis 0 (from 0), got 2")
    @test words(() -> view(t, 0, 1, 1))[1] === :BOUNDS && words(() -> view(t, 1:3, :, 1))[1] === :BOUNDS
    @test thrown(() -> view(t, 1)) == DLFerryError(:BOUNDS, "view: expected 3 indices, got 1")
    @test words(() -> view(t, "a", 1, 1))[1] === ArgumentError
    @test words(() -> selectdim(t, 4, 1)) == (:BOUNDS, "select: expected axis below 3 (from 0), got 3")
    @test words(() -> selectdim(t, 0, 1:1)) == (:BOUNDS, "slice: expected axis below 3 (from 0), got -1")
    @test words(() -> DLFerry.permute(t, (1, 1, 2)))[1] === ArgumentError
    @test words(() -> DLFerry.permute(t, (1, 2)))[2] == "permute: expected 3 axes, got 2"
    @test words(() -> DLFerry.flip(t; dims = 2^40))[1] === :BOUNDS
    @test thrown(() -> dropdims(t; dims = 1)) isa DimensionMismatch
    @test words(() -> DLFerry.unsqueeze(t; dims = 5))[2] == "unsqueeze: expected axis up to 3 (from 0), got 4"
    @test thrown(() -> DLFerry.broadcast(t, (2, 3, 5))) isa DimensionMismatch
    @test words(() -> DLFerry.bitcast(t, "flaot"))[1] === :DTYPE
    close(t)
    @test_throws ArgumentError DLFerry.flip(t)
end

@testset "a view outlives its tensor, and leaves no handle behind" begin
    before = settle()
    function flipped()
        t = wrap([1 2; 3 4])
        v = reshape(DLFerry.flip(t; dims = (1, 2)), 4)
        close(t)
        return v
    end
    read_and_close(v) = (GC.gc(); A = copy(DLArray(v)); close(v); A)
    @test read_and_close(flipped()) == [4, 2, 3, 1]
    @test settle() == before
end
