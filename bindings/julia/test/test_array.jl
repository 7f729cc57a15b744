# SPDX-License-Identifier: Apache-2.0
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
