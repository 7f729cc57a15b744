# SPDX-License-Identifier: Apache-2.0
# Generates, builds and calls the package of tests/bind/odd.h: test_declarations.jl DLFERRY_BIND TESTS_BIND OUT
using DLFerry, Test

bind, folder, out = ARGS
cd(() -> run(`$bind odd.h --name odd --lang julia --source odd.c --out $out`), folder)
run(`$(Base.julia_cmd()) --startup-file=no $(joinpath(out, "julia", "deps", "build.jl"))`)
push!(LOAD_PATH, joinpath(out, "julia"))
import Odd

include(joinpath(@__DIR__, "..", "thrown.jl"))

docs(name) = string(Base.Docs.doc(Base.Docs.Binding(Odd, name)))

@testset "parameters whose names a language or the generated code needs" begin
    @test Odd.errors(1, 2, 3, 4) == Odd.owns(1, 2, 3, 4) == 1234
    @test thrown(() -> Odd.errors(0, 2, 3, 4)).msg == "errors: error is 0, wanted error in 1..9"
    @test Odd.tensors([1.0]; type_ = 3) == [3.0] && Odd.hooked(2) == [0.0, 2, 4, 6]
    @test Odd.lists([1.0, 2.0], [Float32[1]], 5) == 108 && Odd.status(1, -2, Odd.MODE_UP) === nothing
    @test thrown(() -> Odd.status(1, 5, Odd.MODE_UP)).msg == "status: kernel returned 7 (seven)"
    @test thrown(() -> Odd.hooked(5)).msg == "hooked: odd_reach is 5, wanted odd_reach < 5"
    box = Odd.box_new(7)
    @test Odd.box_read(box, 2, 3) == 17 && Odd.outs(4) == (5, 6)
    close(box)
    @test Odd.words_c(0:7...) == 168 && Odd.words_python(0:17...) == 1938 && Odd.words_rust(0:29...) == 8990
    @test Odd.words_go(0:28...) == 8120 && Odd.words_julia(0:25...) == 5850 && Odd.locals([1.0], 0:32...) == [529.0]
end

@testset "a generated package of all kinds" begin
    @testset "words that Julia keeps" begin
        x = zeros(Int64, 4)
        @test getfield(Odd, Symbol("function!"))(x; begin_ = 3) === x == [3, 4, 5, 6]
        @test thrown(() -> getfield(Odd, Symbol("function!"))(Int32[1])).status === :UNSUPPORTED
        @test Odd.nothing_() === nothing
        @test thrown(() -> getfield(Odd, Symbol("function!"))(codeunits("text"))).status === :READ_ONLY
    end

    @testset "enums, flags" begin
        @test Odd.MODE_DEFAULT === Odd.MODE_NEAREST && Int(Odd.MODE_DOWN) == -1
        @test Odd.next(Odd.MODE_UP) === Odd.MODE_DOWN && Odd.next(Odd.MODE_DEFAULT) === Odd.MODE_UP
        @test occursin("a \"quote\", a \\ and", docs(:Mode))
        @test Odd.SKIP_FIRST | Odd.SKIP_NEGATIVE == 5 && occursin("combine them with `|`", docs(:Skip))
    end

    @testset "two outputs" begin
        for T in (Float32, Float64)
            whole, rest = @inferred Tuple{DLArray{Int64,1},DLArray{T,1}} Odd.split(T[1.25, -1.75])
            @test whole == [1, -2] && rest == [0.25, 0.25] && eltype(rest) === T
        end
        whole, rest = zeros(Int64, 2), zeros(2)
        @test Odd.split!(whole, rest, [1.25, -1.75]; mode = Odd.MODE_UP) === (whole, rest)
        @test whole == [2, -1] && rest == [-0.75, -0.75]
        @test thrown(() -> Odd.split!(whole, whole, [1.0, 2.0])).status === :DTYPE
    end

    @testset "an optional tensor, an output without axes, a value" begin
        x = [1.0, -2, 4]
        n, total = Odd.sum(x, 0) # the value first
        @test total isa DLArray{Float64,0} && total[] == 3 && n === Int64(3)
        @test Odd.sum(x, Odd.SKIP_FIRST | Odd.SKIP_NEGATIVE) == (1, fill(4.0))
        @test Odd.sum(x, 0; weights = [1.0, 10, 100])[2][] == 381
        @test_throws DimensionMismatch Odd.sum(x, 0; weights = [1.0])
        @test Odd.sum!(fill(0.0), x, Odd.SKIP_LAST) === Int64(2)
    end

    @testset "texts, truths and numbers of every width" begin
        @test Odd.same("größer"; b = "größer") && !Odd.same("a") && Odd.same("wxyz"; strict = false)
        @test thrown(() -> Odd.same("a\0b")).msg == "same: a: expected a text without NUL, got one"
        @test Odd.same(SubString("größer", 1, 3); b = "grö")
        @test (@test_deprecated r"`twice` is deprecated: Use `n \+ n` instead" Odd.twice(21)) == 42
        @test Odd.widths(-1, 255, -1, 65535, -1, 2^32 - 1, -1, 2^40, 0.5) == 255 + 65535 + (2^32 - 1) - 4 + 2.0^40 + 0.5
        @test thrown(() -> Odd.widths(128, 0, 0, 0, 0, 0, 0, 0, 0)) == OverflowError("widths: a: expected -128 to 127, got 128")
        @test thrown(() -> Odd.widths(0, -1, 0, 0, 0, 0, 0, 0, 0)).msg == "widths: b: expected 0 to 255, got -1"
        for (beyond, said) in ((1e39, "1e+39"), (-1e300, "-1e+300"), (10^18 * 1e22, "1e+40"))
            e = thrown(() -> Odd.widths(0, 0, 0, 0, 0, 0, 0, 0, beyond))
            @test e isa OverflowError && e.msg == "widths: i: expected a number that fits in float32, got $said"
        end
        @test Odd.widths(0, 0, 0, 0, 0, 0, 0, 0, Inf) == Inf && isnan(Odd.widths(0, 0, 0, 0, 0, 0, 0, 0, NaN))
        @test Odd.widths(0, 0, 0, 0, 0, 0, 0, 0, 3.4e38) == Float64(3.4f38)
        @test thrown(() -> Odd.code(7)).status === :FOREIGN
        @test Odd.code(0) === nothing
    end

    @testset "small reals" begin
        x = Odd.eights([1, 2, 3])
        @test x isa DLArray{Float8_E4M3FN,1} && size(x) == (3,)
    end
end

@testset "tests that come with it" begin
    folder = joinpath(out, "julia", "test")
    Base.include(Module(), joinpath(folder, "runtests.jl"))
    tried = [split(line, '\t')[1] for line in eachline(joinpath(folder, "golden.txt")) if !startswith(line, '#')]
    cases = cd(() -> read(`$bind odd.h --name odd --cases`, String), ARGS[2])
    # A value that is none of an @enum's cannot be made.
    @test setdiff([m[1] for m in eachmatch(r"\"name\": \"(.*?)\"", cases)], tried) ==
          ["next/mode_unknown", "split/mode_unknown", "score/mode_unknown", "status/odd_mode_unknown"]
end

for _ in 1:2
    GC.gc()
end
@test DLFerry.live() == 0
