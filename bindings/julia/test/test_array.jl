# SPDX-License-Identifier: Apache-2.0
using LinearAlgebra
using Serialization: deserialize, serialize
M = reshape(collect(Float32, 1:12), 3, 4)

@testset "is an array" begin
    D = DLArray(wrap(M))
    @test D isa AbstractMatrix{Float32} && D isa DLArray{Float32,2}
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

# "fast" means that LinearAlgebra and Base's own loops use its address.
@testset "elements without gaps are dense, or the transpose of what is" begin
    rows = DLArray(DLFerry.create(Float32, 3, 4))
    @test DLArray(wrap(M)) isa DenseArray{Float32,2} && rows isa Transpose{Float32,<:DenseArray{Float32,2}}
    @test DLArray(wrap(rowmajor(rand(2, 3, 4)))) isa PermutedDimsArray{Float64,3,(3, 2, 1),(3, 2, 1),<:DenseArray{Float64,3}}
    @test DLArray(wrap(rowmajor(NTuple{2,Int8}[(1, 2) (3, 4)]))) isa DLArray{NTuple{2,Int8},2}
    for A in (rand(2), fill(1), zeros(0, 3), rand(2, 3, 4), [1.5im 2], BFloat16[1.5])
        D = DLArray(wrap(A))
        @test D isa DenseArray{eltype(A),ndims(A)} && D == A && strides(D) == strides(A) && length(D) == length(A)
        @test isempty(A) || (pointer(D) == pointer(A) && Base.elsize(typeof(D)) == sizeof(eltype(A)))
    end
    for x in (wrap(view(M, 1:2, :)), wrap(M; readonly = true), wrap([true]), wrap(view([1, 2], 2:-1:1)))
        @test !(DLArray(x) isa DenseArray) && DLArray(x) isa DLArray && !(DLArray(x) isa StridedArray)
    end
    @test !any(A -> A isa DLArray, (rand(2), transpose(rand(2, 2)), view(rand(2), 1:1)))
    @test isreadonly(DLArray(wrap(M; readonly = true))) && !isreadonly(rows) && DLFerry.device(rows) == "cpu"
end

@testset "extrema are those of an Array, in any order of memory" begin
    cases = ([1.0 -2.0 3.0; 0.5 7.0 -2.0], [0.0 -0.0; -0.0 0.0], [1.0 NaN; 2.0 3.0], [Inf 1.0; -Inf 2.0], [5.0 5.0])
    for T in (Float32, Float64), values in cases
        A = convert(Matrix{T}, values)
        rows, gaps = transpose(permutedims(A)), view(repeat(A; inner = (2, 3)), 1:2:2size(A, 1), 1:3:3size(A, 2))
        for B in (A, rows, gaps)
            D = DLArray(wrap(B))
            @test isequal(extrema(D), extrema(A)) && isequal(extrema(D; dims = 1), extrema(A; dims = 1))
            @test isequal(extrema(abs, D), extrema(abs, A))
        end
    end
    @test extrema(DLArray(wrap(Int8[3 -4; 9 0]))) === (Int8(-4), Int8(9))
    @test_throws ArgumentError("collection must be non-empty") extrema(DLArray(wrap(zeros(0, 2))))
end

# test_linear.jl has all of it.
@testset "linear algebra calls the methods that Array has" begin
    A, B = rand(4, 4) + 4I, rand(4, 4)
    D = DLArray(wrap(A))
    for (f, types) in ((mul!, (Matrix{Float64}, typeof(D), typeof(D))), (mul!, (typeof(D), typeof(D), Matrix{Float64})),
                       (lu!, (typeof(D),)), (ldiv!, (LU{Float64,Matrix{Float64}}, typeof(D))))
        @test which(f, Tuple{types...}) === which(f, Tuple{map(T -> T === typeof(D) ? Matrix{Float64} : T, types)...})
    end
    for E in (D, DLArray(copy(wrap(A))), DLArray(wrap(copy(A); readonly = true)))
        @test E * B ≈ A * B && E \ B ≈ A \ B
    end
    @test thrown(() -> lu!(DLArray(wrap(copy(A); readonly = true)))).status === :READ_ONLY
    @test lu!(D).factors === D && A != D * 0
end

@testset "close lets go of the memory, and what looked at it says so" begin
    before = settle()
    for make in (() -> DLFerry.create(Float64, 3), () -> DLFerry.create(Float64, 2, 3), () -> DLFerry.create(Bool, 3),
                 () -> copy(wrap(view([1.0, 2, 3], 1:2:3))), () -> wrap(rand(2, 3)), () -> DLFerry.create(Int8, 2, 0))
        D = (t = make(); D = DLArray(t); close(t); D)
        looks = isempty(D) ? (D,) : (D, view(D, :), view(D, [1, 1]), view(D, 1:1), reshape(D, 1, :), transpose(D))
        count = settle()
        @test isopen(D) && count > before
        close(D)
        close(D)
        @test !isopen(D) && DLFerry.live() == count - 1 && repr(D) == repr("text/plain", D) == "DLArray(closed)"
        for A in looks, use in (A -> A[1], A -> A[1] = 0, sum, copy, A -> A .+ 1, A -> (@inbounds A[1]), A -> fill!(A, 0))
            @test thrown(() -> use(A)) isa ArgumentError
        end
        for use in (wrap, to_dlpack, pointer, DLFerry.describe, DLFerry.native, deepcopy)
            @test thrown(() -> use(D)) isa ArgumentError
        end
    end
    @test settle() == before
end

@testset "the type may be asked for" begin
    t = wrap(M)
    @test (@inferred DLArray{Float32,2} DLArray{Float32,2}(t)) isa DLArray{Float32,2}
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

    # Two arrays that begin at different places of one memory; each may be an Array.
    looks = (v, range) -> (DLArray(wrap(view(v, range))), view(v, range))
    for to in 1:2, from in 1:2, (there, here) in ((2:5, 1:4), (1:4, 2:5), (5:-1:1, 1:5))
        v = collect(1.0:5)
        looks(v, there)[to] .= looks(v, here)[from]
        @test v[there] == here
        v = collect(1.0:5)
        looks(v, there)[to] .= looks(v, here)[from] .+ 1
        @test v[there] == here .+ 1
    end
    @test !Base.mightalias(DLArray(wrap(zeros(2))), zeros(2)) && !Base.mightalias(DLArray(wrap(zeros(2))), 1:2)
    @test !Base.mightalias(DLArray(wrap(zeros(0))), DLArray(wrap(zeros(0))))
end

@testset "copied into, in any order of axes" begin
    D, E = DLArray(wrap(zeros(3, 4))), DLArray(DLFerry.create(Float64, (3, 4)))
    @test copyto!(D, M) === D && D == M && copyto!(E, D) == M && copyto!(zeros(3, 4), E) == M
    @test copyto!(D, view(M, :, 4:-1:1)) == reverse(M; dims = 2) && copyto!(E, M') == reshape(M', 3, 4)
    @test_throws BoundsError copyto!(D, zeros(4, 4))
    shifted = view(collect(1.0f0:9), Base.IdentityUnitRange(4:6)) # its indices are 4:6
    for E in (DLArray(wrap(zeros(Float32, 3))), DLArray(wrap(view(zeros(Float32, 6), 1:2:6))))
        @test copyto!(E, shifted) == 4:6
    end
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
    # Not refused: the receiver of half a message would wait for the rest.
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

@testset "a typed look is refused in C's words" begin
    words(f) = (e = thrown(f); (typeof(e), e isa DLFerryError ? e.status : :none, e.msg))
    t = wrap(Int32[1 2; 3 4])
    @test words(() -> DLArray{Float32,2}(t)) == (DLFerryError, :DTYPE, "elements: expected float32, got int32: cast converts")
    @test words(() -> DLArray{Float32}(t)) == (DLFerryError, :DTYPE, "elements: expected float32, got int32: cast converts")
    locked = DLArray(wrap([1.0]; readonly = true))
    for write! in (() -> locked[1] = 2, () -> DLFerry.native(locked), () -> fill!(locked, 0))
        @test words(write!) == (DLFerryError, :READ_ONLY, "elements: expected writable data, got read-only")
    end
    far = wrap(Ptr{Cvoid}(4096), Float32, (1,); device = "cuda:0", owner = nothing)
    @test words(() -> DLArray(far)) == (DLFerryError, :DEVICE, "elements: expected data that the processor can reach, got cuda:0: move it to the CPU first")
    gaps = DLArray(wrap(view([1, 2, 3], 1:2:3)))
    @test words(() -> DLFerry.native(gaps)) ==
          (DLFerryError, :LAYOUT, "elements: expected elements without gaps, got shape [2] with strides [2]: pass a row-major copy")
end
