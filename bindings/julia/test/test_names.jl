# SPDX-License-Identifier: Apache-2.0
@testset "every element type has its name" begin
    for (T, name) in ((Int8, "int8"), (Int16, "int16"), (Int32, "int32"), (Int64, "int64"), (UInt8, "uint8"),
                      (UInt16, "uint16"), (UInt32, "uint32"), (UInt64, "uint64"), (Float16, "float16"),
                      (Float32, "float32"), (Float64, "float64"), (BFloat16, "bfloat16"), (ComplexF16, "complex32"),
                      (ComplexF32, "complex64"), (ComplexF64, "complex128"), (Bool, "bool"),
                      (NTuple{4,UInt8}, "uint8x4"))
        @test DLFerry.dtype(T) == name
        @test DLFerry.dl_dtype(name) === DLFerry.dl_dtype(T)
        @test DLFerry.julia_type(DLFerry.dl_dtype(T)) === T
        @test DLFerry.dtype(DLFerry.create(T, 2, 3)) == name
    end
end

@testset "codes without a type are data" begin
    t = DLFerry.create("float8_e4m3fn", (4,))
    @test DLFerry.dtype(t) == "float8_e4m3fn"
    @test DLFerry.dtype(DLFerry.create("dtype(200, 16)", (4,))) == "dtype(200, 16)"
    @test DLArray(t) == zeros(4)
    @test thrown(() -> DLArray(DLFerry.create("dtype(200, 16)", (4,)))).status === :DTYPE
    @test thrown(() -> DLFerry.create("flaot32", (4,))).status === :DTYPE
    @test thrown(() -> DLFerry.create(String, (4,))).status === :DTYPE
    @test thrown(() -> DLFerry.create(Float32, (4,); device = "gpu")).status === :DEVICE
    @test thrown(() -> DLFerry.create(Float32, (4,); device = "cuda:0")).status === :UNSUPPORTED
end

@testset "oneAPI needs dpctl's library" begin
    missing_library = thrown(() -> DLFerry.oneapi_enable("/nowhere/libDPCTLSyclInterface.so"))
    @test missing_library.status === :FOREIGN
    @test startswith(missing_library.msg, "oneapi_enable: expected dpctl's C library, got: ")
end

@testset "versions agree" begin
    @test VersionNumber(DLFerry.version()) == DLFerry.package_version
    @test_throws ErrorException DLFerry.load!(DLFerry.hub, DLFerry.library_path(); made_by = v"99.0.0")
    @test_throws ErrorException DLFerry.load!(DLFerry.hub, joinpath(workshop, "none.so"))
end
