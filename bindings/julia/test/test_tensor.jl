# SPDX-License-Identifier: Apache-2.0
@testset "create" begin
    t = DLFerry.create(Float32, (2, 3))
    @test size(t) == (2, 3) && size(t, 2) == 3 && size(t, 9) == 1
    @test strides(t) == (3, 1)
    @test ndims(t) == 2 && length(t) == 6
    @test DLFerry.device(t) == "cpu" && DLFerry.byte_offset(t) == 0
    @test DLFerry.flags(t) == 0 && !isreadonly(t)
    @test UInt(pointer(t)) % 256 == 0
    @test all(iszero, DLArray(t))
    @test size(DLFerry.create("int8", 0, 5)) == (0, 5)
    @test size(DLFerry.create("int8", ())) == ()
    @test_throws ArgumentError DLFerry.create(Int8, (2, -1))
    @test_throws OverflowError DLFerry.create(Int8, (2^40, 2^40))
    @test thrown(() -> DLFerry.create(Int8, (2^45,))).status === :NO_MEMORY
    # The texts of Python.
    refused(arguments...; options...) = thrown(() -> DLFerry.create(arguments...; options...)).msg
    @test refused("flaot32", 2) == "create: dtype: expected a dtype such as float32, got 'flaot32'"
    @test refused(Int8, 2; device = "gpu7") == "create: device: expected a device such as cpu or cuda:0, got 'gpu7'"
    @test refused(Int8, ntuple(k -> 1, 65)) == "create: expected ndim between 0 and 64, got 65"
    @test refused(Int8, 2; device = "cuda:0") == "create: expected device cpu, got cuda:0"
end

@testset "closed twice is closed once" begin
    before = settle()
    t = DLFerry.create(Int8, 3)
    @test isopen(t) && DLFerry.live() == before + 1
    close(t)
    close(t)
    @test !isopen(t) && DLFerry.live() == before
    for f in (size, strides, DLFerry.dtype, DLFerry.flags, DLFerry.describe, DLArray, to_dlpack, copy, pointer, wrap)
        @test_throws ArgumentError f(t)
    end
    @test repr(t) == "Tensor(closed)"
end

@testset "closing under a call of another thread: the call ends well, then the tensor goes" begin
    before = settle()
    t = wrap([1, 2, 3])
    @test DLFerry.enter(t) # as a call in another thread does
    close(t)
    @test !isopen(t) && !DLFerry.enter(t) && DLFerry.live() == before + 1
    @test_throws ArgumentError size(t)
    DLFerry.leave(t)
    @test DLFerry.live() == before

    for round in 1:300 # with one thread it only goes round
        t = DLFerry.create(Float64, (4,))
        started = Threads.Atomic{Int}(0)
        Threads.@threads for k in 1:2
            Threads.atomic_add!(started, 1)
            while Threads.nthreads() > 1 && started[] < 2
            end
            try
                k == 1 ? foreach(_ -> size(copy(t)) == (4,) || error("a tensor that is gone"), 1:20) : close(t)
            catch e
                e isa ArgumentError || rethrow()
            end
        end
    end
    t = nothing
    @test settle() == before
end

@testset "the garbage collector closes" begin
    before = settle()
    (() -> (for _ in 1:1000 DLFerry.create(Int8, 3) end))()
    @test settle() == before
end

@testset "memory that only C sees does not pile up" begin
    before = settle()
    most = maximum(DLFerry.live() for _ in 1:400 if (DLFerry.create(UInt8, 1 << 26); true)) # 25 GiB in all, untouched
    @test most - before < 100
end

@testset "copy" begin
    A = reshape(collect(1.0f0:6), 2, 3)
    t = copy(wrap(view(A, 2:-1:1, 1:2:3)))
    @test strides(t) == (2, 1) && DLArray(t) == A[2:-1:1, 1:2:3]
    @test !isreadonly(copy(wrap(A; readonly = true)))
    c = DLArray(t)
    c[1, 1] = 9
    @test A[2, 1] == 2
end

@testset "check" begin
    @test DLFerry.check(DLFerry.create(Float64, 3)) === nothing
    @test DLFerry.check(DLFerry.create(Float64, 3); level = :strict) === nothing
    @test_throws ArgumentError DLFerry.check(wrap(view(zeros(UInt8, 9), 2:4)); level = :strict)
    @test_throws ArgumentError DLFerry.check(DLFerry.create(Float64, 3); level = :loose)
end
