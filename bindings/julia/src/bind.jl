# SPDX-License-Identifier: Apache-2.0
# The generator, compiled on first use: most users of DLFerry never need it.

"Compile dlferry-bind into a folder and give its path. It runs once, so compile time matters most."
function compile_generator(folder)
    path = joinpath(folder, "dlferry-bind")
    run_cc(`-O0 -o $path $(joinpath(csrc, "dlferry_bind.c")) $(joinpath(csrc, "dlferry.c")) -lm`; include = [csrc])
    return path
end

# The generator's module names: my_kernels is MyKernels, and Julia's reserved names end in '_'.
plain(file) = replace(lowercase(first(splitext(basename(file)))), "_" => "")

"""
    bind(header, more...; name, contracts = nothing, sources = String[], libraries = String[], prefix = name_,
         out = "made", includes = String[], preprocess = false, include_directories = String[],
         definitions = String[], package_file = nothing, ignore_macros = String[], strict = false) -> path

Make a Julia module from plain C headers, compile its C, and return the module's file. It is for a package's
`deps/build.jl`, where paths are relative to `deps`:

    import DLFerry
    DLFerry.bind("kernels.h"; sources = ["kernels.c"])

Then the package, whose `Project.toml` names DLFerry, includes the module:

    include(joinpath(@__DIR__, "..", "deps", "made", "julia", "src", "Kernels.jl"))

The default of `name` is the first header's without `.h`. Several headers make one module with a submodule for each.
`libraries` are libraries that the C calls, as after `-l`. The other keywords are options of `dlferry-bind`: `contracts`
is a file of contracts beside headers that stay as they are, `includes` are the names that the C includes instead of
the headers, and `include_directories` and `definitions` go to the preprocessor and to the compiler. It needs only a C
compiler. A refusal of the generator is an error with its text, with file and line.
"""
function bind(header, more...; name = first(splitext(basename(header))), contracts = nothing, sources = String[],
              libraries = String[], prefix = nothing, out = "made", includes = String[], preprocess = false,
              include_directories = String[], definitions = String[], package_file = nothing,
              ignore_macros = String[], strict = false)
    each(option, values) = collect(Iterators.flatten((option, value) for value in values))
    optional(option, value) = value === nothing ? String[] : [option, value]
    flag(option, truth) = truth ? [option] : String[]
    folders = preprocess ? [include_directories; csrc] : include_directories
    words = [header; collect(String, more); "--name"; name; "--lang"; "julia"; "--no-tests"; "--out"; out; each("--source", sources);
             optional("--contracts", contracts); optional("--package-file", package_file); optional("--prefix", prefix);
             each("--link", libraries); each("--include", includes); flag("--preprocess", preprocess);
             each("-I", folders); each("-D", definitions); each("--ignore-macro", ignore_macros);
             flag("--strict", strict)]
    mktempdir() do folder
        errors = IOBuffer()
        process = run(pipeline(ignorestatus(`$(compile_generator(folder)) $words`); stderr = errors))
        text = rstrip(String(take!(errors)))
        success(process) || error(isempty(text) ? "dlferry-bind: failed" : text)
        isempty(text) || println(stderr, text)
    end
    package = abspath(out, "julia")
    flags = [get(ENV, "CFLAGS", "-O2"); "-I" .* abspath.(include_directories); "-D" .* definitions]
    withenv("CFLAGS" => join(flags, " ")) do
        Base.include(Module(:build), joinpath(package, "deps", "build.jl"))
    end
    files = readdir(joinpath(package, "src"); join = true)
    return only(filter(file -> endswith(file, ".jl") && plain(file) == plain(name), files))
end
