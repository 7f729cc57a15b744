# SPDX-License-Identifier: Apache-2.0
using LinearAlgebra: Transpose
using Serialization: deserialize, serialize
M = reshape(collect(Float32, 1:12), 3, 4)

@testset "is an array" begin
    D = DLArray(wrap(M))
    @test D isa AbstractMatrix{Float32} && !(D isa DenseArray)
    @test D == M && sum(D) == sum(M) && D * D' == M * M' && collect(D) == M && D .+ 1 == M .+ 1
    @test D[end, 1] == 3 && D[5] == M[5] && D[:, 2] == M[:, 2] && view(D, 2, :) == M[2, :]
    @test copy(D) isa Matrix{Float32} && similar(D) isa Matrix{Float32}
    @test strides(D) == (1, 3) && stride(D, 2) == 3 && DLFerry.dtype(D) == "float32" && DLFerry.device(D) == "cpu"
    @test_throws BoundsError D[4, 1]
    @test_throws BoundsError D[0]
    @test_throws BoundsError D[1, 5] = 0
    D .= 0
    @test all(iszero, M)
    @test eltype(DLArray(wrap(fill(2.5)))) == Float64 && DLArray(wrap(fill(2.5)))[] == 2.5
end

@testset "the type may be asked for" begin
    t = wrap(M)
    @test @inferred(DLArray{Float32,2}(t)) isa DLArray{Float32,2}
    @test DLArray{Float32}(t) isa DLArray{Float32,2}
    @test thrown(() -> DLArray{Float64,2}(t)).status === :DTYPE
    @test thrown(() -> DLArray{Float64}(t)).status === :DTYPE
    @test_throws DimensionMismatch DLArray{Float32,3}(t)
    @test_throws DimensionMismatch DLArray{Float32,1}(t)
    @test ndims(DLArray(DLFerry.create(Int8, ntuple(k -> 1, 11)))) == 11
end

@testset "shared memory is noticed" begin
    A = reshape(collect(1.0:9), 3, 3)
    D = DLArray(wrap(copy(A)))
    D .= rowmajor(D)
    @test D == A'
    B = copy(A)
    DLArray(wrap(B)) .= B'
    @test B == A'

    # Two looks that begin at different places of one memory, either of which may be an Array's own.
    looks = (v, range) -> (DLArray(wrap(view(v, range))), view(v, range))
    for to in 1:2, from in 1:2, (there, here) in ((2:5, 1:4), (1:4, 2:5), (5:-1:1, 1:5))
        v = collect(1.0:5)
        looks(v, there)[to] .= looks(v, here)[from]
        @test v[there] == here
    end
    @test !Base.mightalias(DLArray(wrap(zeros(2))), zeros(2)) && !Base.mightalias(DLArray(wrap(zeros(2))), 1:2)
    @test !Base.mightalias(DLArray(wrap(zeros(0))), DLArray(wrap(zeros(0))))
end

@testset "copied into, in any order of axes" begin
    D, E = DLArray(wrap(zeros(3, 4))), DLArray(DLFerry.create(Float64, (3, 4)))
    @test copyto!(D, M) === D && D == M && copyto!(E, D) == M && copyto!(zeros(3, 4), E) == M
    @test copyto!(D, view(M, :, 4:-1:1)) == reverse(M; dims = 2) && copyto!(E, M') == reshape(M', 3, 4)
    @test_throws BoundsError copyto!(D, zeros(4, 4))
    @test thrown(() -> copyto!(DLArray(wrap(zeros(3, 4); readonly = true)), M)).status === :READ_ONLY
end

@testset "the same memory as an Array" begin
    A = rand(3, 4)
    D, E = DLArray(wrap(A)), DLArray(DLFerry.create(Float64, (3, 4)))
    N = DLFerry.native(D)
    @test N isa Matrix{Float64} && pointer(N) == pointer(A) && N == A
    @test DLFerry.native(E) isa Transpose{Float64,Matrix{Float64}} && pointer(parent(DLFerry.native(E))) == pointer(E)
    DLFerry.native(E) .= A
    @test E == A && inv(DLFerry.native(E) * N') ≈ inv(A * A')
    for t in (wrap(PermutedDimsArray(rand(2, 3, 4), (2, 3, 1))), DLFerry.create(Int8, (2, 1, 3)), wrap(zeros(0, 3)),
              wrap(fill(1)), wrap(view(A, :, 2:3)), DLFerry.create(NTuple{2,Float32}, 2))
        D = DLArray(t)
        @test DLFerry.native(D) == D && (isempty(D) || pointer(parent(DLFerry.native(D))) == pointer(D))
    end
    for (x, status) in ((wrap(A; readonly = true), :READ_ONLY), (wrap(view(A, 1:2, :)), :LAYOUT), (wrap([true]), :DTYPE),
                        (wrap(view([1, 2], 2:-1:1)), :LAYOUT))
        @test thrown(() -> DLFerry.native(DLArray(x))).status === status
    end
end

@testset "what is made of such an Array keeps the memory" begin
    before = settle()
    made() = (t = DLFerry.create(Float64, 1000); N = DLFerry.native(DLArray(t)); N .= 1; close(t); reshape(N, 10, 100))
    kept() = (N = made(); settle(); (DLFerry.live(), sum(N)))
    @test kept() == (before + 1, 1000)
    @test settle() == before
end

@testset "elements are serialized" begin
    read_back(x) = (io = IOBuffer(); serialize(io, x); deserialize(seekstart(io)))
    for D in map(DLArray ∘ wrap, (M, M', [true, false], BFloat16[1.5], fill(1)))
        @test read_back((D,))[1] isa typeof(D) && read_back((D,))[1] == D
    end
    for t in (wrap(M'), wrap(fill(1)), wrap(zeros(0, 3)), wrap([0x01]; readonly = true), DLFerry.create("f4_e2m1fn", 3, 5))
        u = read_back((t,))[1]
        @test DLFerry.format(copy(t)) == DLFerry.format(copy(u)) && pointer(u) != pointer(t)
    end
    # Not refused: who had half a message would wait for the rest.
    closed, elsewhere = wrap(M), wrap(Ptr{Cvoid}(4096), Float32, (1,); device = "cuda:0", owner = nothing)
    close(closed)
    @test !any(isopen, read_back([closed, elsewhere]))
    @test read_back(BFloat16(1.5)) === BFloat16(1.5)
end

@testset "deepcopy is deep" begin
    D = DLArray(wrap(M))
    E, t = deepcopy(D), deepcopy(D.tensor)
    @test E isa typeof(D) && E == D && pointer(E) != pointer(D) && pointer(t) != pointer(D)
    D[1, 1] += 1
    @test E != D
end

@testset "outlives close" begin
    t = wrap([1, 2, 3])
    D = DLArray(t)
    close(t)
    t = nothing
    GC.gc()
    @test D == [1, 2, 3]
end

@testset "foreign bytes are no surprise as Bool" begin
    bytes = UInt8[0, 1, 2, 255]
    D = GC.@preserve bytes DLArray(wrap(pointer(bytes), Bool, (4,); owner = bytes))
    @test collect(D) == [false, true, true, true] && count(D) == 3
    E = GC.@preserve bytes DLArray(wrap(pointer(bytes), NTuple{2,Bool}, (2,); owner = bytes))
    @test E[2] === (true, true)
end

@testset "elements of every type" begin
    for (T, code) in DLFerry.named_types
        D = DLArray(DLFerry.create(T, 2, 2))
        D[2, 1] = one(T)
        @test D == [0 0; 1 0] && eltype(D) === T
    end
    D = DLArray(DLFerry.create(NTuple{4,UInt8}, 2))
    D[2] = (1, 2, 3, 4)
    @test D[2] === (0x01, 0x02, 0x03, 0x04)
end

@testset "unaligned elements" begin
    bytes = zeros(UInt8, 17)
    D = GC.@preserve bytes DLArray(wrap(pointer(bytes) + 1, Float64, (2,); owner = bytes))
    D[1], D[2] = 1.5, -2
    @test D == [1.5, -2]
end
