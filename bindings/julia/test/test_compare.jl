# SPDX-License-Identifier: Apache-2.0
@testset "equal, identical, close" begin
    a, b = wrap([1.0 2.0; 3.0 4.0]), DLFerry.create(Float64, 2, 2)
    @test a != b && !DLFerry.equal(a, b)
    DLArray(b) .= [1 2; 3 4]
    @test a == b && DLFerry.identical(a, b) && DLFerry.equal(a, [1 2; 3 4]) && !DLFerry.identical(a, [1 2; 3 4])
    @test DLFerry.equal([1 2; 3 4], a) && DLFerry.equal(view([0, 1, 2], 2:3), [1, 2]) && !DLFerry.equal([1], [1 1])
    @test !isequal(a, b) && isequal(a, a) && length(Dict(a => 1, b => 2)) == 2
    @test a ≈ b && isapprox(a, wrap([1.0 2.0; 3.0 4.1]); rtol = 0.1)
    @test DLFerry.all_close([NaN, Inf], [NaN, Inf]; nans = true) && !DLFerry.all_close([NaN], [NaN])
    @test DLFerry.all_close([1.0], [1.5]; atol = 1) && thrown(() -> DLFerry.all_close([1.0], [1.0]; rtol = -1)) isa ArgumentError
    @test DLFerry.equal([2.0^63], [UInt64(1) << 63]) && !DLFerry.equal([2.0^53], [2^53 + 1])
    close(b)
    @test thrown(() -> a == b) isa ArgumentError && thrown(() -> DLFerry.equal(a, 1)) isa ArgumentError
    far = wrap(Ptr{Cvoid}(4096), Float32, (1,); device = "cuda:0", owner = nothing)
    @test thrown(() -> far == far).status === :DEVICE
end

@testset "elements as numbers" begin
    for (T, x) in ((Float32, 1.5f0), (Int8, Int8(-3)), (UInt64, typemax(UInt64)), (Int64, typemin(Int64)), (Bool, true),
                   (BFloat16, BFloat16(1.5)), (Float16, Float16(0.1)), (ComplexF32, 1.0f0 - 2im))
        t = wrap([zero(T), x])
        @test t[2] === x && t[1] === zero(T)
    end
    t = wrap([(1.0f0, 2.0f0), (3.0f0, 4.0f0)])
    @test t[2] === (3.0f0, 4.0f0)
    @test DLFerry.create("float4_e2m1fn", 2, 3)[2, 3] == 0 && DLFerry.create("uint4", 3)[3] == 0
    @test thrown(() -> wrap([1, 2])[3]).status === :BOUNDS && thrown(() -> wrap([1, 2])[0]).status === :BOUNDS
    for use in (t -> t[true, 1], t -> t[true, :], t -> selectdim(t, 1, true), t -> view(t, false, 1))
        @test thrown(() -> use(wrap([1 2; 3 4]))).msg in ("invalid index: true of type Bool", "invalid index: false of type Bool")
    end
    @test thrown(() -> wrap([1, 2])[big(2)^70]) isa OverflowError
    @test thrown(() -> DLFerry.create(Float32, big(2)^70)) isa OverflowError && size(DLFerry.create(Float32, big(2))) == (2,)
    @test occursin("got 1099511627775", sprint(showerror, thrown(() -> selectdim(wrap([1, 2]), 2^40, 1))))
    @test thrown(() -> wrap([1, 2])[1, 1]) == DLFerryError(:BOUNDS, "read: expected 1 indices, got 2")
end

@testset "contains" begin
    @test contains(wrap(Float32[0.1, 2]), 0.1) && !contains(wrap([0.1]), 0.1f0) && contains(DLArray(wrap([1 2; 3 4])), 3)
    @test contains(wrap(UInt64[typemax(UInt64)]), typemax(UInt64)) && !contains(wrap([1]), big(2)) && contains(wrap([true]), true)
    @test contains(wrap([1.0 + 2im]), 1 + 2im) && !contains(wrap([1]), big(2)^70)
    @test contains(wrap([2.0^70]), big(2)^70) && contains(wrap([-2.0^70]), -big(2)^70) && contains(wrap([0.5]), big"0.5")
    @test thrown(() -> contains(wrap([Inf]), big(10)^400)) isa OverflowError
    @test !hasmethod(contains, Tuple{Vector{Int},Int}) # Base's types are not ours to extend
end

@testset "sizes, ranges, orders" begin
    A = rand(Float32, 4, 6)
    for x in (view(A, 1:2, 6:-2:1), wrap(view(A, 1:2, 6:-2:1)))
        @test DLFerry.byte_range(x) == (-4 * 16, 8) && DLFerry.byte_size(x) == 24 && length(x) == 6
        @test !any(order -> DLFerry.is_contiguous(x; order = order), (:row_major, :column_major, :dense))
    end
    @test DLFerry.is_contiguous(A'; order = :row_major) && DLFerry.is_contiguous(A'; order = :dense)
    @test DLFerry.compact_strides((2, 0, 3)) isa Tuple && DLFerry.compact_strides(()) == ()
    @test thrown(() -> DLFerry.compact_strides((2^40, 2^40, 2))) isa OverflowError
    for use in (() -> DLFerry.compact_strides((2,); order = :dense), () -> DLFerry.is_contiguous(A; order = :up))
        @test thrown(use) isa ArgumentError
    end
    bytes = zeros(UInt8, 64)
    GC.@preserve bytes begin
        align = UInt(pointer(bytes)) % 16 == 0 ? pointer(bytes) + 4 : pointer(bytes) + 16 - UInt(pointer(bytes)) % 16 + 4
        @test DLFerry.alignment(wrap(align, Int8, (1,); owner = bytes)) == 4
    end
    @test DLFerry.overlap(A, view(A, 1:1, 1:1)) && !DLFerry.overlap(A, copy(A)) && DLFerry.is_reachable(A)
    far = wrap(Ptr{Cvoid}(4096), Float32, (1,); device = "cuda:0", owner = nothing)
    @test !DLFerry.is_reachable(far) && !DLFerry.is_cpu_accessible("cuda:0")
end

@testset "unique owners" begin
    t = DLFerry.create(Int8, 3)
    @test DLFerry.is_unique(t)
    v = view(t, 1:2)
    @test !DLFerry.is_unique(t)
    close(v)
    @test DLFerry.is_unique(t) && DLFerry.held_bytes(t) > 3 && DLFerry.held_bytes(wrap(zeros(UInt8, 10^6))) < 10^5
    @test DLFerry.dlpack_version(from_dlpack_legacy(to_dlpack_legacy(t))) == v"0.8"
end

@testset "contiguous copies only what needs it" begin
    A = rand(3, 4)
    for (x, order, copied) in ((A, :column_major, false), (A, :row_major, true), (A', :row_major, false),
                               (view(A, 1:2, :), :column_major, true))
        t = wrap(x)
        c = DLFerry.contiguous(t; order = order)
        @test DLArray(c) == x && DLFerry.is_contiguous(c; order = order) && DLFerry.overlap(c, t) == !copied && c !== t
    end
    @test DLFerry.overlap(DLFerry.contiguous(wrap(A); order = :dense), A)
    @test strides(DLFerry.contiguous(wrap(view(A, 1:2, :)); order = :dense)) == (4, 1)
    @test thrown(() -> DLFerry.contiguous(wrap(A); order = :up)) isa ArgumentError
    t = DLFerry.copy_padded(DLFerry.create("uint4", 3))
    @test DLFerry.byte_size(t) == 3 && DLFerry.flags(t) == DLFerry.IS_SUBBYTE_TYPE_PADDED
end

@testset "exported as a consumer asks for it" begin
    A = [1 2; 3 4]
    managed = DLFerry.export_dlpack(A)
    @test managed isa Ptr{DLManagedTensorVersioned} && (t = from_dlpack(managed); pointer(t) == pointer(A))
    legacy = DLFerry.export_dlpack(wrap(A); max_version = v"0.8")
    @test legacy isa Ptr{DLManagedTensor} && (t = from_dlpack_legacy(legacy); pointer(t) == pointer(A))
    t = from_dlpack(DLFerry.export_dlpack(A; copy = :always, device = "cpu"))
    @test pointer(t) != pointer(A) && DLArray(t) == A
    @test thrown(() -> DLFerry.export_dlpack(A; device = "cuda:0")).status === :DEVICE
    @test thrown(() -> DLFerry.export_dlpack(A; copy = :maybe)) isa ArgumentError
    @test thrown(() -> DLFerry.export_dlpack(A; stream = 1)) isa Union{ArgumentError,DLFerryError}
    @test pointer(DLFerry.to_device(wrap(A), nothing)) == pointer(A)
    @test pointer(DLFerry.to_device(wrap(A), "cpu"; copy = :always)) != pointer(A)
    @test thrown(() -> DLFerry.to_device(wrap(A), "cuda:0")).status === :DEVICE
end
