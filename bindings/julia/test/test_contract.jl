# SPDX-License-Identifier: Apache-2.0
blur = Contract("image: T[h, w];  out: T[h, w] noalias;  T in f32|f64;  sigma > 0", "blur",
                (image = :input, sigma = :real, out = :output))
words(f) = (e = thrown(f); (e isa DLFerryError ? e.status : typeof(e), e.msg))

@testset "a call is checked" begin
    image, out = DLFerry.create(Float32, 3, 4), DLFerry.create(Float32, 3, 4)
    @test match(blur, image, 1.5, out) === nothing && match(blur, image; sigma = 1, out = out) === nothing
    @test words(() -> match(blur, image, -1, out)) == (ArgumentError, "blur: sigma is -1, wanted sigma > 0")
    @test words(() -> match(blur, image, 1.5, DLFerry.create(Float32, 3, 5)))[1] === DimensionMismatch
    @test words(() -> match(blur, image, 1.5, DLFerry.create(Float64, 3, 4)))[1] === :DTYPE
    @test words(() -> match(blur, image, 1.5, wrap(zeros(Float32, 4, 3)'; readonly = true)))[1] === :READ_ONLY
    @test words(() -> match(blur, image, 1.5, image))[1] === ArgumentError
    @test words(() -> match(blur, image, 1.5)) isa Tuple
    @test match(blur, DLArray(image), 2, DLArray(out)) === nothing && DLFerry.match_inputs(blur, image, 1.5) === nothing
    @test words(() -> match(blur, image, 1.5, out, 1)) == (ArgumentError, "blur: expected at most 3 arguments, got 4")
    @test words(() -> match(blur, image, 1.5; image = out))[2] ==
          "blur: image: expected one value for a parameter, got two values"
    @test words(() -> match(blur, image, 1.5; other = out))[2] ==
          "blur: other: expected one value for a parameter, got no such parameter"
    @test words(() -> match(blur, 1, 1.5, out))[1] === ArgumentError && words(() -> match(blur, image, "a", out))[1] === ArgumentError
    close(out)
    @test words(() -> match(blur, image, 1.5, out)) == (ArgumentError, "blur: out: expected an open tensor, got a closed one")
end

@testset "an output is described and made" begin
    p = DLFerry.infer(blur, :out, zeros(4, 3)', 1.0)
    @test p.dtype == "float64" && p.shape == (3, 4) && p.strides == (4, 1) && p.device == "cpu"
    out = DLFerry.create(blur, :out, zeros(4, 3)', 1.0)
    @test DLFerry.describe(out) == "float64[3, 4] cpu"
    @test thrown(() -> DLFerry.infer(blur, :image, zeros(4, 3)', 1.0)) isa ArgumentError
    @test words(() -> DLFerry.infer(blur, :none, 1)) == (ArgumentError, "blur: expected the name of a parameter, got 'none'")
end

@testset "lists, arrays, counts, hooks" begin
    c = Contract("frames: u8[h, w];  out: u8[h, w];  n >= 0;  m >= 0", "stack",
                 (frames = :list, n = :integer, m = :unsigned, weights = :array, mode = :other, out = :output))
    frames, out = [zeros(UInt8, 4, 3)', zeros(UInt8, 4, 3)'], DLFerry.create(UInt8, 3, 4)
    for list in (frames, Tuple(frames))
        @test match(c, list, 1, 0x07, [1.0, 2.0], :fast, out) === nothing
    end
    @test words(() -> match(c, [frames[1], zeros(UInt8, 4, 2)'], 1, 1, (), nothing, out))[1] === DimensionMismatch
    @test words(() -> match(c, frames, -1, 1, (), nothing, out))[1] === ArgumentError
    @test words(() -> match(c, frames, 1, -1, (), nothing, out)) isa Tuple
    padded = Contract("x: f32[n];  y: f32[hook(size)]", "pad", (x = :input, by = :integer, y = :output);
                      hooks = (size = a -> length(a.x) + a.by,))
    @test DLFerry.infer(padded, :y, zeros(Float32, 3), 2).shape == (5,)
    @test match(padded, zeros(Float32, 3), 2, zeros(Float32, 5)) === nothing
    @test words(() -> match(padded, zeros(Float32, 3), 3, zeros(Float32, 5)))[1] === DimensionMismatch
    @test words(() -> Contract("y: f32[hook(size)]", "pad", (y = :output,)))[2] ==
          "pad: expected a function for hook(size) in hooks, got none"
end

@testset "its text" begin
    @test DLFerry.format(blur, :out) == "T[h, w] noalias" && startswith(repr(blur), "Contract(blur: image: T[h, w]")
    @test deepcopy([blur])[1] === blur # which its finalizer frees once
    @test thrown(() -> Contract("image: [", "blur", (image = :input,))) isa ArgumentError
    @test words(() -> Contract("", "f", (x = :in,)))[2] ==
          "f: x: expected input, output, integer, unsigned, real, other, list, array or given, got 'in'"
end
