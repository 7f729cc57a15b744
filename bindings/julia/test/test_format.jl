# SPDX-License-Identifier: Apache-2.0
M = reshape(collect(Float32, 1:6), 2, 3)

@testset "one line, and all elements" begin
    @test DLFerry.describe(wrap(M)) == "float32[2, 3] strides [1, 2] cpu"
    @test DLFerry.describe(wrap(M; readonly = true)) == "float32[2, 3] strides [1, 2] cpu read-only"
    @test DLFerry.format(wrap(M)) == "float32[2, 3] strides [1, 2] cpu\n[[1., 3., 5.],\n [2., 4., 6.]]"
    @test DLFerry.format(M) == DLFerry.format(wrap(M)) && DLFerry.describe(M) == DLFerry.describe(wrap(M))
    @test repr(wrap(M)) == "Tensor(float32[2, 3] strides [1, 2] cpu)"
    @test sprint(show, "text/plain", wrap(M)) == DLFerry.format(wrap(M))
    long = DLFerry.format(collect(1:900))
    @test endswith(long, "900]") && length(long) > 3000
end
