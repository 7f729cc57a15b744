# SPDX-License-Identifier: Apache-2.0
# A generated package, as its users call it.
if photo === nothing
    @test_skip false
else
    image = rand(Float32, 40, 50)

    @testset "arrays of every kind go in, a DLArray comes out" begin
        rows = permutedims(image, (2, 1)) # its transpose is row-major
        expected = photo.blur(rowmajor(rows))
        @test expected isa DLArray{Float32,2} && size(expected) == (40, 50) && strides(expected) == (50, 1)
        for x in (rows', transpose(rows), PermutedDimsArray(rows, (2, 1)), wrap(rows'), DLArray(wrap(rows')),
                  view(rows, :, :)')
            @test photo.blur(x) == expected
        end
        @test (@inferred DLArray{Float32,2} photo.blur(rows')) isa DLArray{Float32,2}
        @test photo.blur(Float64.(rows)') isa DLArray{Float64,2}
        @test photo.blur(rows'; sigma = 3) != expected
    end

    @testset "a column-major array is taken where the kernel says so, and never reversed" begin
        E = photo.equalize(image)
        @test strides(E) == (1, 40) && extrema(E) == (0, 1) && sortperm(vec(E)) == sortperm(vec(image))
        @test photo.difference(image, image) == zeros(40, 50)
        @test thrown(() -> photo.blur(image)).status === :LAYOUT
        @test occursin("rowmajor", string(Base.Docs.doc(Base.Docs.Binding(photo, :blur))))
    end

    @testset "outputs and arrays in place" begin
        rows = permutedims(image, (2, 1))
        out = zeros(Float32, 50, 40)
        @test photo.blur!(out', rows') === out' || out' == photo.blur(rows')
        @test out' == photo.blur(rows')
        same = copy(image)
        @test photo.equalize!(same, same) === same && same == photo.equalize(image)
        drawn = copy(image)
        photo.draw_histogram!(view(drawn, :, 50:-1:1); corner = photo.CORNER_TOP_RIGHT, logarithmic = true)
        @test drawn != image
    end

    @testset "values, enums, errors" begin
        @test photo.mean(image) ≈ sum(image) / length(image)
        @test photo.mean(view(image, 1:3:40, 2:2)) ≈ sum(image[1:3:40, 2]) / 14
        @test Int(photo.CORNER_BOTTOM_LEFT) == 2 && photo.CORNER_TOP_LEFT isa photo.Corner
        @test_throws ArgumentError photo.blur(image'; sigma = -1)
        @test_throws ArgumentError photo.mean("text")
        @test_throws DimensionMismatch photo.mean([1.0f0])
        @test_throws DimensionMismatch photo.mean(fill(1.0f0))
        @test photo.mean(zeros(Float32, 0, 3)) == 0
        @test thrown(() -> photo.mean([1 2])).status === :DTYPE
        @test thrown(() -> photo.draw_histogram!(DLArray(wrap(image; readonly = true)))).status === :READ_ONLY
        @test_throws TypeError photo.draw_histogram!(image; corner = 2)
    end

    @testset "a call allocates nothing" begin
        a, b, out = rand(Float32, 4, 4), rand(Float32, 4, 4), zeros(Float32, 4, 4)
        f(out, a, b) = (photo.difference!(out, a, b); nothing)
        f(out, a, b)
        @test (@allocated f(out, a, b)) == 0
    end

    @testset "what cannot be written to is refused on every path, and nothing is written" begin
        kept = copy(image)
        locked = wrap(image; readonly = true)
        look = DLArray(locked)
        read_only = (locked, look, wrap(look), view(look, :, :), rowmajor(rowmajor(look)), PermutedDimsArray(look, (1, 2)),
                     from_dlpack(to_dlpack(locked)), DLArray(from_dlpack(to_dlpack(view(look, :, :)))))
        unstrided = (view(image, collect(1:40), :), reshape(PermutedDimsArray(image, (2, 1)), 40, 50), falses(40, 50))
        foreign = (Float64.(image), zeros(Int32, 40, 50), zeros(ComplexF32, 40, 50), Matrix{Any}(image),
                   Matrix{Union{Missing,Float32}}(image), wrap(Float64.(image)), DLArray(wrap(Float64.(image))))
        closed = wrap(image)
        close(closed)
        for write! in (photo.draw_histogram!, out -> photo.equalize!(out, kept), out -> photo.difference!(out, kept, kept))
            for (outputs, status) in ((read_only, :READ_ONLY), (unstrided, :LAYOUT), (foreign, :DTYPE)), out in outputs
                @test thrown(() -> write!(out)).status === status
            end
            @test occursin(r"^\w+: (image|out): expected an open tensor, got a closed one$", thrown(() -> write!(closed)).msg)
            for out in (nothing, "text", 1, [image], missing)
                @test thrown(() -> write!(out)) isa Union{ArgumentError,DLFerryError}
            end
        end
        for out in (look, view(look, :, :), rowmajor(look)), write! in (A -> A .= 0, A -> fill!(A, 0), A -> copyto!(A, A))
            @test thrown(() -> write!(out)).status === :READ_ONLY
        end
        @test image == kept
        @test photo.mean(locked) == photo.mean(image) # reading is fine
    end

    @testset "the tests that came with it pass, but for a call of which golden.txt is made to say something else" begin
        changed, said = joinpath(workshop, "changed"), joinpath(workshop, "said.txt")
        cp(joinpath(pkgdir(photo), "test"), changed; force = true)
        golden = joinpath(changed, "golden.txt")
        text = read(golden, String)
        write(golden, replace(text, "sigma is 1001, wanted" => "sigma is 1002, wanted"))
        command = `$(Base.julia_cmd()) --startup-file=no --compile=min $(joinpath(changed, "runtests.jl"))`
        environment = merge(ENV, Dict("JULIA_LOAD_PATH" => Base.join(Base.load_path(), ":")))
        @test !success(pipeline(setenv(command, environment); stdout = said, stderr = said))
        report = read(said, String)
        calls = count(!startswith("#"), split(chomp(text), '\n'))
        accepted = count(line -> occursin("\tOK\t", line), split(text, '\n')) # these calls are made again, with an offset
        passed = calls + accepted
        @test occursin(Regex("Photo +\\| +$passed +1 +$(passed + 1)"), report) # one test more: that each line has its call
        @test occursin("sigma is 1001, wanted sigma <= 1000\") == (\"blur/sigma_limit_2\"", report)
    end

    @testset "kernels run while other threads collect" begin
        big = rand(Float32, 1000, 1000)
        Threads.@threads for k in 1:8
            photo.equalize(big)
            GC.gc(false)
        end
        @test true
    end
end
