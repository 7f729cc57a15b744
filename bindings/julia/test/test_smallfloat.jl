# SPDX-License-Identifier: Apache-2.0
using DLFerry: PaddedFloat, small_bits, small_types

const small_floats = [getfield(DLFerry, name) for (name, _) in sort(collect(small_types); by = t -> t[2])]
dl_name(T) = lowercase(string(nameof(T)))

@testset "all values go through Float32 and back: $T" for T in small_floats
    for bits in 0x00:UInt8(2^Int(small_bits(T)) - 1)
        x = reinterpret(T, bits)
        isnan(x) ? (@assert isnan(T(Float32(x)))) : (@assert reinterpret(UInt8, T(Float32(x))) == bits)
    end
    @test dl_name(T) == DLFerry.dtype(T) && floatmax(T) > 0 && isfinite(floatmax(T))
end

@testset "values" begin
    @test [Float32(floatmax(T)) for T in small_floats[1:11]] == # up to DLPack 1.3
          [15.5, 240, 30, 448, 240, 57344, 57344, 2.0f0^127, 7.5, 28, 6]
    @test isinf(Float8_E5M2(1e9)) && isnan(Float8_E4M3FN(1e9)) && Float6_E2M3FN(100) == 7.5 && Float4_E2M1FN(-9) == -6
    @test Float8_E4M3FN(17) == 16 && Float8_E4M3FN(19) == 20 # ties to even
    @test isnan(Float8_E4M3FNUZ(NaN)) && reinterpret(UInt8, Float8_E4M3FNUZ(-0.0)) == 0
    @test isnan(Float8_E8M0FNU(-1)) && Float8_E8M0FNU(0.25) == 0.25
    @test Float4_E2M1FN(0.25) == 0 && Float4_E2M1FN(0.75) == 1
end

@testset "are numbers" begin
    T = Float8_E4M3FN
    @test T(2) * T(3) === 6.0f0 && T(2) + 1 === 3.0f0 && T(2) * 1.5 === 3.0 && T(2) + BFloat16(1) === 3.0f0
    @test -T(2) == T(-2) < T(0) && abs(T(-2)) == 2 && sum(T.(1:4)) == 10 && isless(T(1), T(2))
    @test repr(T(1.5)) == "Float8_E4M3FN(1.5)" && Int(T(8)) == 8 && Float16(T(1.5)) === Float16(1.5)
    @test convert(T, 1) === one(T) && zero(T) == 0 && typemax(T) == 448 && typemin(Float8_E5M2) == -Inf
    @test Float4_E2M1FN(T(1.5)) == 1.5 && BFloat16(T(1.5)) === BFloat16(1.5) && hash(T(1)) == hash(1)
    io = IOBuffer()
    write(io, T[1, 2])
    @test read(seekstart(io), T) == 1
end

@testset "compare exactly, and equal ones have equal hashes: $T" for T in (Float8_E8M0FNU, BFloat16)
    x = T(2.0^24)
    @test x == 2^24 && x != 2^24 + 1 && !isequal(x, 2^24 + 1) && 2^24 + 1 != x && x < 2^24 + 1 && !(x >= 2^24 + 1)
    @test T(2.0^100) != Int128(2)^100 + 1 && T(1) == 1//1 && T(1) < 3//2 && 1//2 <= T(1) && isequal(T(1), 1//1)
    @test isless(T(1), 2) && isless(2, T(NaN)) && T(2) > big(1) && unique([T(4), 4]) == [4]
end

@testset "have functions of reals: $T" for T in (Float8_E4M3FN, Float8_E5M2, Float6_E3M2FN, BFloat16)
    @test sqrt(T(4)) === 2.0f0 && exp(T(0)) === 1.0f0 && log(T(1)) === 0.0f0 && sin(T(0)) === 0.0f0
    @test round(T(1.5)) === T(2) && floor(T(1.5)) === T(1) && ceil(T(1.5)) === T(2) && trunc(T(-1.5)) === T(-1)
    @test round(Int, T(1.5)) === 2 && trunc(Int, T(1.5)) === 1 && floor(Int8, T(1.5)) === Int8(1) && Int(T(2)) === 2
    @test isinteger(T(2)) && !isinteger(T(1.5)) && Bool(T(1)) && T(1) + T(eps(T)) > 1
    @test T(1) ≈ T(1) && !(T(1) ≈ T(4)) && hypot(T(3), T(4)) == 5
end

@testset "in arrays, both ways: $T" for T in small_floats
    M = T[1 2 4; 0.5 1 2]
    t = wrap(M)
    @test DLFerry.dtype(t) == dl_name(T) && pointer(t) == pointer(M)
    @test (DLFerry.flags(t) & DLFerry.IS_SUBBYTE_TYPE_PADDED != 0) == (T <: PaddedFloat)
    A = DLArray(from_dlpack(to_dlpack(view(M, :, 1:2:3))))
    @test A isa DLArray{T,2} && A == M[:, 1:2:3]
    A[1, 1] = 0.5
    @test M[1, 1] == 0.5 && DLArray{T}(t) == M && DLArray{T,2}(t) == M
    @test t[2, 1] == 0.5 && DLFerry.native(DLArray(t)) == M
    @test thrown(() -> DLArray{Float32}(t)).status === :DTYPE
end

@testset "packed elements" begin
    t = DLFerry.create("float4_e2m1fn", 3)
    @test thrown(() -> DLArray(t)).status === :UNSUPPORTED
    @test thrown(() -> DLArray{Float4_E2M1FN}(t)).msg == "elements: expected elements of whole bytes, got float4_e2m1fn"
    A = DLArray(DLFerry.copy_padded(t))
    @test A isa DLArray{Float4_E2M1FN,1} && A == [0, 0, 0]
end

@testset "in several lanes" begin
    x = (Float8_E5M2(1), Float8_E5M2(2))
    @test DLFerry.dtype(wrap([x])) == "float8_e5m2x2" && DLArray(wrap([x]))[1] === x
end

@testset "where Julia has a BFloat16" begin
    if isdefined(Core, :BFloat16)
        x = reinterpret(Core.BFloat16, [0x3f80, 0x4000])
        @test DLFerry.dtype(wrap(x)) == "bfloat16" && DLArray(wrap(x)) == BFloat16[1, 2]
    end
end
