# SPDX-License-Identifier: Apache-2.0
@testset "all values go through Float32 and back" begin
    for bits in 0x0000:0xffff
        x = reinterpret(BFloat16, bits)
        isnan(x) ? (@assert isnan(BFloat16(Float32(x)))) : (@assert reinterpret(UInt16, BFloat16(Float32(x))) == bits)
    end
    @test true
end

@testset "rounds to nearest, ties to even" begin
    @test Float32(BFloat16(1.0f0 + 2.0f0^-8)) == 1.0f0
    @test Float32(BFloat16(1.0f0 + 3 * 2.0f0^-8)) == 1.0f0 + 2.0f0^-6
    @test Float32(BFloat16(1.0 + 2.0^-8 + 2.0^-40)) == 1.0f0 # a tie once it is a Float32, as in ml_dtypes
    @test Float32(BFloat16(1.0 + 3 * 2.0^-8 - 2.0^-40)) == 1.0f0 + 2.0f0^-6
    for x in (reinterpret(Float64, rand(UInt64)) for _ in 1:1000)
        isnan(x) && continue
        bits = Ref{UInt64}(0)
        ccall(DLFerry.hub.dlf_float_encode, Int32, (DLFerry.DLDataType, Float64, Ref{UInt64}, Ptr{Cvoid}),
              DLFerry.dl_dtype(BFloat16), x, bits, C_NULL)
        @test reinterpret(UInt16, BFloat16(x)) == bits[]
    end
    @test isinf(BFloat16(floatmax(Float32)))
    @test isnan(BFloat16(reinterpret(Float32, 0x7f800001)))
end

@testset "is a number" begin
    @test BFloat16(2) * BFloat16(3) === 6.0f0
    @test BFloat16(2) + 1 === 3.0f0
    @test -BFloat16(2) == BFloat16(-2) < BFloat16(0)
    @test abs(BFloat16(-2)) == 2
    @test sum(BFloat16.(1:4)) == 10
    @test repr(BFloat16(1.5)) == "BFloat16(1.5)"
end
