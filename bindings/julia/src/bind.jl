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
    bind(header; name, sources = String[], prefix = name_, out = "made", libraries = String[], ignore_macros = String[],
         strict = false) -> path

Make a Julia module from a plain C header over `DLTensor`, compile its C, and return the module's file. It is for a
package's `deps/build.jl`, where paths are relative to `deps`:

    import DLFerry
    DLFerry.bind("kernels.h"; sources = ["kernels.c"])

Then the package, whose `Project.toml` names DLFerry, includes the module:

    include(joinpath(@__DIR__, "..", "deps", "made", "julia", "src", "Kernels.jl"))

The default of `name` is the header's without `.h`. `libraries` are libraries of the sources, as after `-l`. It needs
only
a C compiler. A refusal of the generator is an error with its text, with file and line.
"""
function bind(header; name = first(splitext(basename(header))), sources = String[], prefix = nothing, out = "made",
              libraries = String[], ignore_macros = String[], strict = false)
    each(option, values) = collect(Iterators.flatten((option, value) for value in values))
    words = [header; "--name"; name; "--lang"; "julia"; "--no-tests"; "--out"; out; each("--source", sources);
             prefix === nothing ? String[] : ["--prefix", prefix]; each("--link", libraries);
             each("--ignore-macro", ignore_macros); strict ? ["--strict"] : String[]]
    mktempdir() do folder
        said = IOBuffer()
        done = run(pipeline(ignorestatus(`$(compile_generator(folder)) $words`); stderr = said))
        text = rstrip(String(take!(said)))
        success(done) || error(isempty(text) ? "dlferry-bind: failed" : text)
        isempty(text) || println(stderr, text)
    end
    package = abspath(out, "julia")
    Base.include(Module(:build), joinpath(package, "deps", "build.jl"))
    files = readdir(joinpath(package, "src"); join = true)
    return only(filter(file -> endswith(file, ".jl") && plain(file) == plain(name), files))
end
