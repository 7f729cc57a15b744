# SPDX-License-Identifier: Apache-2.0
# copyto!, cast, cast!, fill! and setindex! of tensors. What C does with the elements is tested in C.
refused(@nospecialize f) = (e = thrown(f); (e isa DLFerryError ? e.status : nameof(typeof(e)), e.msg))

"The same elements in several orders of memory, as tensors."
function orders(A::Matrix{T}) where {T}
    apart = zeros(T, 2size(A, 1), size(A, 2))
    flipped = DLFerry.flip(wrap(view(apart, 1:2:size(apart, 1), :)); dims = 1)
    return Tensor[wrap(A), wrap(rowmajor(permutedims(A))), copyto!(flipped, A)]
end

@testset "copied between any strides" begin
    A = [1 2 3; 4 5 6]
    for from in orders(A), to in orders(zeros(Int, 2, 3))
        @test copyto!(to, from) === to && to == from
    end
    row_major, back = copy(wrap(A)), zeros(Int, 2, 3)
    @test strides(row_major) == (3, 1) && copyto!(back, row_major) === back && back == A
    @test copyto!(zeros(Int, 2, 3), DLFerry.broadcast(wrap([1 2 3]), (2, 3))) == [1 2 3; 1 2 3]
    @test isempty(copyto!(zeros(0, 2), DLFerry.create(Float64, 0, 2)))
    v = collect(1:6)
    copyto!(wrap(view(v, 2:6)), view(v, 1:5)) # as memmove
    @test v == [1, 1, 2, 3, 4, 5]
    halves, packed = Float4_E2M1FN[0.5, 1, 6], DLFerry.create("float4_e2m1fn", 3)
    @test copyto!(similar(halves), copyto!(packed, halves)) == halves && DLFerry.byte_size(packed) == 2
end

@testset "converted between any strides" begin
    A = Float32[0.1 -2.5 300; 4 1.5 0.01]
    for from in orders(A), to in orders(zeros(BFloat16, 2, 3))
        @test DLFerry.cast!(to, from) === to && DLFerry.equal(to, BFloat16.(A))
    end
    for T in (Float16, BFloat16, Float8_E4M3FN, Float4_E2M1FN)
        made, wanted = DLFerry.cast(A, T), T.(A)
        @test DLFerry.dtype(made) == DLFerry.dtype(T) && strides(made) == (3, 1) && DLFerry.equal(made, wanted)
        @test DLFerry.identical(DLFerry.cast!(zeros(T, 2, 3), A), wanted)
        @test DLFerry.equal(DLFerry.cast!(zeros(Float32, 2, 3), wanted), made)
    end
    @test DLFerry.cast(A, "complex128")[1, 3] === 300.0 + 0im
    @test DLFerry.cast!(zeros(Int8, 4), [NaN, Inf, -Inf, 200]) == [0, 127, -128, 127]
    @test DLArray(DLFerry.cast([0.5, -0.0, NaN], Bool)) == [true, false, true]
    huge = wrap([1e9])
    @test isnan(DLFerry.cast(huge, Float8_E4M3FN)[1]) && DLFerry.cast(huge, Float8_E4M3FN; saturate = true)[1] == 448
    @test DLFerry.cast!(wrap(zeros(Float32, 2, 3)), A) == wrap(A) # the same dtype is a copy
end

@testset "filled" begin
    for t in orders(ones(Float32, 2, 3))
        @test fill!(t, 0.1) === t && DLFerry.equal(t, fill(0.1f0, 2, 3))
    end
    for (dtype, x, wanted) in (("int8", -128, Int8(-128)), ("uint64", typemax(UInt64), typemax(UInt64)), ("bool", true, true),
                               ("bfloat16", 1//3, BFloat16(1/3)), ("complex128", 1 - 2im, 1.0 - 2im), ("uint4", 15, UInt64(15)),
                               ("float8_e5m2", π, Float8_E5M2(3)), ("float64", big(10)^300, 1e300), ("float32", NaN, NaN32))
        @test isequal(fill!(DLFerry.create(dtype, 3), x)[3], wanted)
    end
    @test fill!(wrap([(1, 2), (3, 4)]), 7)[2] === (7, 7)
    t = wrap([1 2 3; 4 5 6])
    t[2, 3], t[1, :] = 60, [7, 8, 9]
    t[:, 2] = 0
    @test DLFerry.equal(t, [7 0 9; 4 0 60])
    u = DLFerry.create(Int, 2, 3)
    u .= t
    @test DLFerry.equal(u, t)
    u .= 5
    u[2, :] .= [1, 2, 3]
    u[:, 1] .= 0
    @test DLFerry.equal(u, [0 5 5; 0 2 3])
end

@testset "what is refused writes nothing" begin
    A, closed = [1 2; 3 4], wrap([1])
    close(closed)
    t, locked, far = wrap(A), wrap(A; readonly = true), wrap(Ptr{Cvoid}(4096), Int, (2, 2); device = "cuda:0", owner = nothing)
    repeated, unlike = wrap(pointer(A), Int, (2, 2); strides = (0, 1), owner = A), "copy_into: expected a source of"
    reals = wrap([1.0 2; 3 4])
    into(f, x, y) = () -> f(x, y)
    for (f, status, text) in Any[
        (into(copyto!, t, reals), :DTYPE, "$unlike int64, the destination's dtype, got float64: cast_into converts"),
        (into(copyto!, t, closed), :ArgumentError, "copy_into: expected an open tensor, got a closed one"),
        (into(copyto!, t, wrap([1])), :DimensionMismatch, "$unlike 2 axes, as many as the destination has, got 1"),
        (into(copyto!, locked, t), :READ_ONLY, "copy_into: expected a writable destination, got a read-only one"),
        (into(copyto!, t, transpose(t)), :LAYOUT, nothing), (into(copyto!, repeated, copy(t)), :LAYOUT, nothing),
        (into(copyto!, t, far), :DEVICE, nothing),
        (into(copyto!, t, trues(2)), :LAYOUT, "copy_into: expected an array with strides, got BitArray{1}; pass collect(x)"),
        (into(DLFerry.cast!, t, DLFerry.unsqueeze(reals; dims = 1)), :DimensionMismatch, nothing),
        (into(DLFerry.cast!, closed, t), :ArgumentError, "cast_into: expected an open tensor, got a closed one"),
        (into(DLFerry.cast!, locked, reals), :READ_ONLY, nothing), (into(DLFerry.cast!, repeated, reals), :LAYOUT, nothing),
        (into(DLFerry.cast!, t, DLFerry.bitcast(t, Float64)), :LAYOUT, nothing),
        (into(DLFerry.cast!, t, DLFerry.create("complex128", 2, 2)), :DTYPE, nothing), (into(DLFerry.cast, t, "uint4"), :DTYPE, nothing),
        (into(DLFerry.cast, t, String), :DTYPE, "cast: expected an element type of DLPack, got String"),
        (into(DLFerry.cast, 1, "int8"), :ArgumentError, "cast: expected an array or a DLFerry.Tensor, got Int64"),
        (into(fill!, locked, 0), :READ_ONLY, "fill: expected a writable destination, got a read-only one"),
        (into(fill!, closed, 0), :ArgumentError, "fill: expected an open tensor, got a closed one"),
        (into(fill!, repeated, 0), :LAYOUT, "fill: expected a destination whose elements lie apart, got shape [2, 2] with strides [0, 1]"),
        (into(fill!, far, 0), :DEVICE, nothing), (into(fill!, t, 1im), :ArgumentError, nothing),
        (into(fill!, t, 0.5), :ArgumentError, "fill: expected a number that int64 has, got 0.5"),
        (into(fill!, t, big(2)^70), :ArgumentError, nothing),
        (into(fill!, t, big(10)^400), :OverflowError, "fill: expected a number that fits in float64, got a larger one"),
        (into((x, y) -> x .= y .+ 1, t, A), :ArgumentError,
         "broadcast!: expected a number, an array or a DLFerry.Tensor, got a computation: write DLArray(t) .= x"),
        (into((x, y) -> x .= y, t, trues(2, 2)), :LAYOUT, nothing), (into((x, y) -> x .= y, t, [1.0 2; 3 4]), :DTYPE, nothing),
        (into((x, y) -> x[1, 1] = y, t, "x"), :ArgumentError, "setindex!: expected a number, an array or a DLFerry.Tensor, got String")]
        got = refused(f)
        @test got == (status, text === nothing ? got[2] : text)
    end
    @test A == [1 2; 3 4]
end

@testset "other threads may collect garbage meanwhile" begin
    t, small = DLFerry.create(Float32, 500, 500), DLFerry.create(BFloat16, 500, 500)
    for k in 1:20
        collector = Threads.@spawn GC.gc(false)
        DLFerry.cast!(small, fill!(t, k))
        @test copyto!(t, DLFerry.cast(small, Float32))[500, 500] == k
        wait(collector)
    end
end
