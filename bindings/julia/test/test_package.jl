# SPDX-License-Identifier: Apache-2.0
# The package as a whole: its texts and its habits.
"Run code, and compare what follows `# =>` with the value before it."
function run_examples(code)
    room = Module()
    Base.include_string(room, "using DLFerry")
    begun = ""
    for line in split(code, '\n')
        parts = split(begun * line, "# =>")
        begun = Meta.isexpr(Meta.parse(String(parts[1]); raise = false), :incomplete) ? parts[1] * "\n" : ""
        isempty(begun) || continue
        value = Base.include_string(room, String(parts[1]))
        length(parts) == 2 && @test repr(value) == repr(Base.include_string(room, String(parts[2])))
    end
end

@testset "every exported and documented name says its C function" begin
    for name in (:create, :wrap, :from_dlpack, :from_dlpack_legacy, :to_dlpack, :to_dlpack_legacy, :to_dlpack_copy, :from_python, :to_python,
                 :SmallFloat,
                 :check, :dtype, :device, :flags, :byte_offset, :live, :version, :describe, :format, :DLArray)
        text = sprint(show, "text/plain", Base.Docs.doc(Base.Docs.Binding(DLFerry, name)))
        @test occursin(r"C: dlf_\w+(, dlf_\w+)*$", text)
    end
end

@testset "every exported name has a docstring" begin
    documented = keys(Base.Docs.meta(DLFerry))
    for name in filter(!=(:DLFerry), names(DLFerry))
        @test (name, Base.Docs.Binding(DLFerry, name) in documented) == (name, true)
    end
end

@testset "the README is right" begin
    text = read(joinpath(@__DIR__, "..", "README.md"), String)
    run_examples(match(r"```julia\n(.*?)```"s, text)[1])
end

@testset "the manual is right" begin
    pages = joinpath(@__DIR__, "..", "docs", "src")
    texts = [read(joinpath(pages, file), String) for file in readdir(pages)]
    for text in texts, code in eachmatch(r"```julia\n(.*?)```"s, text)
        run_examples(code[1])
    end
    documented = Set(string(binding.var) for binding in keys(Base.Docs.meta(DLFerry)))
    for text in texts, name in eachmatch(r"\[`(?:DLFerry\.)?(\w+)`\]\(@ref\)", text)
        @test (name[1], name[1] in documented) == (name[1], true)
    end
end

@testset "the examples of the docstrings are right" begin
    texts = [join(filter(x -> x isa String, collect(doc.text))) for many in values(Base.Docs.meta(DLFerry)) for doc in values(many.docs)]
    count = 0
    for text in texts, code in eachmatch(r"```julia\n(.*?)```"s, text)
        count += 1
        run_examples(code[1])
    end
    @test count >= 40
end

@testset "the package carries its license, since Pkg takes its folder alone" begin
    @test occursin("Apache License\n                           Version 2.0", read(joinpath(@__DIR__, "..", "LICENSE"), String))
end

@testset "a finalizer is never run by hand" begin
    for file in readdir(joinpath(@__DIR__, "..", "src"))
        @test !occursin(r"\bfinalize\(", read(joinpath(@__DIR__, "..", "src", file), String))
    end
end

@testset "a process that still lends its arrays ends in peace" begin
    code = """
        using DLFerry
        const p = to_dlpack(rand(1000))
        const t = wrap(rand(1000))
        const q = to_dlpack(t)
        wrap([1]); GC.gc()
        print(DLFerry.live() >= 2)
        """
    command = `$(Base.julia_cmd()) --startup-file=no -e $code`
    environment = merge(ENV, Dict("JULIA_LOAD_PATH" => Base.join(Base.load_path(), ":")))
    @test read(setenv(command, environment), String) == "true"
end

@testset "what a precompiled module made has lost its memory, and says so" begin
    folder = joinpath(workshop, "Made")
    mkpath(joinpath(folder, "src"))
    write(joinpath(folder, "Project.toml"), """
        name = "Made"
        uuid = "0c2b0b59-1f0a-4e0d-8a53-1d0b5b5f4c99"
        [deps]
        DLFerry = "55670bff-fd3f-4f23-bb49-df5db85aa591"
        """)
    write(joinpath(folder, "src", "Made.jl"), """
        module Made
        using DLFerry
        const t = DLFerry.create(Float64, 2, 2)
        const A = DLArray(t)
        const B = copy(A) # an Array's elements stay
        const C = view(DLArray(wrap(zeros(4, 4)[1:2:4, :]; readonly = true)), 1:1, :)
        const D = reshape(DLArray(wrap(view(zeros(4, 4), 1:2:4, :))), 8)
        end
        """)
    code = """
        using Made, DLFerry, LinearAlgebra
        said(f) = try f() catch e; e isa ArgumentError end
        print(map(said, (() -> Made.A[1], () -> sum(Made.A), () -> Made.A .= 1, () -> wrap(Made.A), () -> size(Made.t),
                             () -> (@inbounds Made.C[1, 1]), () -> BLAS.nrm2(8, Made.D, 1), () -> wrap(Made.C))),
              isopen(Made.t), DLFerry.live())
        """
    command = `$(Base.julia_cmd()) --startup-file=no --compiled-modules=yes -e $code`
    environment = merge(ENV, Dict("JULIA_LOAD_PATH" => Base.join([folder; Base.load_path()], ":")))
    @test read(setenv(command, environment), String) == "$((true, true, true, true, true, true, true, true))false0"
end
