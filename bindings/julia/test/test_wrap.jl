# SPDX-License-Identifier: Apache-2.0
using LinearAlgebra: Diagonal
A = reshape(collect(Int32, 1:24), 2, 3, 4)
M = reshape(collect(1.0:12), 3, 4)

@testset "A[i, j] is the same element on the other side" begin
    for X in (A, M, view(A, :, 2, :), view(A, 2:-1:1, 1:2:3, 3), view(A, 1, 1, 1), fill(7.0), zeros(0, 3),
              PermutedDimsArray(A, (3, 1, 2)), view(PermutedDimsArray(A, (3, 1, 2)), 4:-2:1, 2, 1:2),
              PermutedDimsArray(view(A, :, :, 2:3), (2, 3, 1)), M', transpose(M), view(M', 2:3, :), view(M, :, 2)',
              reinterpret(Int64, collect(1.0:4)), reshape(view(A, :, :, 2), 6), view(A, :, 3:2, 1),
              transpose(complex(M)), view(fill(7.0)), reshape(M', 1, 1, 4, 3), view(reshape(M', 2, 2, 3), 2, :, 1:2:3),
              reshape(PermutedDimsArray(A, (2, 3, 1)), 12, 2), reshape(view(A, :, 1:2, 1:2:3), 4, 1, 2, 1),
              reshape(view(M', 1:0, :), 3, 0), reshape(DLArray(wrap(M)), 12), reshape(view(A, 1:1, 2:2, 3), ()),
              reinterpret(Float32, M), reinterpret(Float32, view(M, 2:3, 1:2:3)),
              reinterpret(Int64, view(M, 1:2:3, :)), reinterpret(Float32, view(M, 2:2, :)), reinterpret(UInt64, M'),
              reinterpret(ComplexF64, view(reshape(collect(1.0:12), 4, 3), 3:4, :)), reinterpret(UInt32, DLArray(wrap(M))),
              view(reinterpret(Int64, PermutedDimsArray(M, (2, 1))), 2:3, :),
              rowmajor(A), rowmajor(view(M, 1:2:3, :)), rowmajor(view(M', 2:4, 1:2)), view(vec(M), 9:-3:1))
        t = wrap(X)
        @test size(t) == size(X)
        Y = DLArray(t)
        @test Y == X && eltype(Y) === eltype(X)
        isempty(X) || @test UInt(pointer(Y)) == UInt(pointer(t))
    end
    @test strides(wrap(A)) == (1, 2, 6)
    @test strides(wrap(view(A, 2:-1:1, 1:2:3, 3))) == (-1, 4)
    @test pointer(wrap(view(A, 2:-1:1, 1:2:3, 3))) == pointer(A, LinearIndices(A)[2, 1, 3])
    @test pointer(wrap(A)) == pointer(A)
end

@testset "an array of other elements over the same bytes, where that has strides" begin
    for X in (reinterpret(Float32, view(M, 1:2:3, :)), reinterpret(Float32, M'), reinterpret(ComplexF64, view(M, 1:2, :)))
        @test thrown(() -> wrap(X)).status === :LAYOUT
    end
    if VERSION >= v"1.6"
        C = complex.(M, 1)
        for X in (reinterpret(reshape, Float64, C), reinterpret(reshape, Float64, view(C, 1:2:3, :)),
                  reinterpret(reshape, ComplexF64, view(M, 1:2, :)))
            @test DLArray(wrap(X)) == X
        end
    end
end

@testset "rowmajor reverses the dimensions, and only it" begin
    t = wrap(rowmajor(A))
    @test size(t) == (4, 3, 2) && strides(t) == (6, 2, 1)
    @test rowmajor(rowmajor(A)) === A
    @test rowmajor(PermutedDimsArray(A, (2, 3, 1))) == permutedims(A, (1, 3, 2))
    for B in (A, PermutedDimsArray(A, (2, 3, 1)), rowmajor(A), view(A, :, :, 1), DLArray(t), rand(2))
        @test @inferred(rowmajor(B)) == permutedims(B, ndims(B):-1:1)
    end
    v = [1, 2]
    @test rowmajor(v) === v
    D = DLArray(wrap(A))
    @test rowmajor(D) == rowmajor(A) && rowmajor(D) isa DLArray && rowmajor(rowmajor(D)) == A
end

@testset "writes are seen on both sides" begin
    X = zeros(Float32, 2, 2)
    Y = DLArray(wrap(X))
    Y[1, 2] = 5
    X[2, 1] = 6
    @test X[1, 2] == 5 && Y[2, 1] == 6
end

@testset "read-only stays read-only" begin
    for X in (wrap(M; readonly = true), wrap(codeunits("text")), wrap(DLArray(wrap(M; readonly = true))),
              wrap(view(DLArray(wrap(M; readonly = true)), 1:2, :)'),
              wrap(rowmajor(DLArray(wrap(M; readonly = true)))))
        @test isreadonly(X)
        @test thrown(() -> DLArray(X)[1] = 0).status === :READ_ONLY
    end
end

@testset "arrays without strides, numbers without a dtype" begin
    for X in (1:3, trues(3), view(M, [1, 3], :), M .== 1, reshape(PermutedDimsArray(M, (2, 1)), 12), complex(M)',
              reshape(view(M, 1:2:3, :), 8), reshape(M', 3, 4), reshape(1:4, 2, 2), Diagonal([1.0]))
        @test thrown(() -> wrap(X)).status === :LAYOUT
    end
    @test thrown(() -> wrap(trues(3))).msg == "wrap: expected an array with strides, got BitArray{1}; pass collect(x)"
    @test thrown(() -> wrap(["a"])).status === :DTYPE
    @test thrown(() -> wrap([1, nothing])).status === :DTYPE
    @test thrown(() -> wrap(Any[1])).status === :DTYPE
end

@testset "a Vector that C sees is not resized" begin
    for f in (wrap, to_dlpack, v -> wrap(view(v, 2:3)), v -> wrap(reinterpret(Int32, v)'))
        v = [1.0, 2.0, 3.0]
        t = f(v)
        for change in (v -> push!(v, 1), pop!, v -> resize!(v, 1000), empty!, v -> sizehint!(v, 1000))
            VERSION < v"1.11" && @test_throws ErrorException change(v)
        end
        @test v == [1, 2, 3]
        t isa Ptr ? delete(t) : close(t)
    end
    # Julia would let a string's bytes grow: C keeps the lent ones.
    bytes = read(IOBuffer("hello"))
    t = wrap(bytes)
    append!(bytes, zeros(UInt8, 1 << 20))
    GC.gc()
    [fill(0x78, 5) for _ in 1:1000]
    @test DLArray(t) == codeunits("hello")
    # Julia 1.11 and later resize it: the Vector may get other memory, and C keeps the lent one.
    if VERSION >= v"1.11"
        v = [1.0, 2.0, 3.0]
        t = wrap(v)
        append!(v, zeros(1 << 17))
        v[1] = 9
        GC.gc()
        [fill(-1.0, 3) for _ in 1:1000]
        @test DLArray(t) == [1, 2, 3] && v[1:3] == [9, 2, 3]
    end
    # Making text from it, or calling a kernel with it, leaves it a usable vector.
    v = [1.0]
    DLFerry.describe(v), DLFerry.format(v)
    @test push!(v, 2) == [1, 2]
end

# An array of another package whose parent is not its memory.
struct Framed{P} <: AbstractVector{Float64}
    frame::P
    memory::Vector{Float64}
end
Base.size(A::Framed) = size(A.memory)
Base.getindex(A::Framed, i::Int) = A.memory[i]
Base.parent(A::Framed) = A.frame
Base.strides(A::Framed) = (1,)
Base.unsafe_convert(::Type{Ptr{Float64}}, A::Framed) = pointer(A.memory)

@testset "what is wrapped is kept, not only its root" begin
    for frame in ([0.0], DLArray(wrap([0.0])))
        tensors = [wrap(Framed(frame, fill(Float64(k), 1000))) for k in 1:500]
        GC.gc()
        [fill(-1.0, 1000) for _ in 1:2000]
        @test all(k -> all(==(k), DLArray(tensors[k])), 1:500)
    end
end

# An array of another package, with the interface that Base documents for strided ones.
struct Tilted <: AbstractMatrix{Float64}
    memory::Vector{Float64}
end
Base.size(A::Tilted) = (2, 3)
Base.getindex(A::Tilted, i::Int, j::Int) = A.memory[3i + j - 3]
Base.strides(A::Tilted) = (3, 1)
Base.unsafe_convert(::Type{Ptr{Float64}}, A::Tilted) = pointer(A.memory)

@testset "arrays of other packages" begin
    A = Tilted(collect(1.0:6))
    @test DLArray(wrap(A)) == A && pointer(wrap(A)) == pointer(A.memory) && DLArray(wrap(A')) == A'
end

@testset "a look at a tensor is kept by C alone" begin
    before, roots = settle(), DLFerry.kept()
    D = DLArray(DLFerry.create(Float32, 4, 4))
    p = to_dlpack(rowmajor(view(D, 2:3, :)))
    @test DLFerry.kept() == roots
    delete(p)
end

@testset "a long chain of owners is released in little stack" begin
    before = settle()
    memory = Float32[1]
    last = wrap(memory)
    for _ in 1:1_000_000
        next = wrap(pointer(memory), Float32, (1,); owner = last)
        close(last)
        last = next
    end
    close(last)
    @test settle() == before
end

@testset "any memory with an owner" begin
    memory = collect(Int16, 1:20)
    t = GC.@preserve memory wrap(pointer(memory) + 2, Int16, (2, 3); strides = (6, -1), owner = memory, readonly = true)
    @test DLArray(view(DLArray(t), :, 1:1) |> wrap) == reshape(Int16[2, 8], 2, 1)
    @test isreadonly(t)
    u = wrap(Ptr{Cvoid}(4096), "float32", (2,); device = "cuda:1", owner = nothing)
    @test DLFerry.device(u) == "cuda:1" && strides(u) == (1,)
    @test thrown(() -> DLArray(u)).status === :DEVICE
    refused = thrown(() -> wrap(pointer(memory), Int16, (2, 3); strides = (1,), owner = memory))
    @test refused isa ArgumentError && refused.msg == "wrap: expected 2 strides, got 1" # as in the other languages
    @test_throws ArgumentError wrap(C_NULL, Int16, (2, 3); owner = memory)
    @test_throws OverflowError wrap(pointer(memory), Int16, (2, 2); strides = (2^62, 1), owner = memory)
end

@testset "a task that wraps the first array is not tied to its thread" begin
    watcher, awake = DLFerry.queue.watcher, Base.AsyncCondition()
    @test !fetch(Threads.@spawn (DLFerry.watch(awake); current_task().sticky))
    close(awake)
    DLFerry.queue.watcher = watcher
end

@testset "an array lives as long as its tensor" begin
    before = settle()
    roots = DLFerry.kept()
    tensors = [wrap(fill(Float64(k), 1000)) for k in 1:500]
    GC.gc()
    [fill(-1.0, 1000) for _ in 1:2000] # would reuse the memory of arrays released too early
    @test all(k -> all(==(k), DLArray(tensors[k])), 1:500)
    @test DLFerry.kept() == roots + 500
    foreach(close, tensors)
    @test DLFerry.live() <= before + 500 # the looks hold on until they are collected
    tensors = nothing
    @test settle() == before
    @test DLFerry.kept() == roots
end
