# SPDX-License-Identifier: Apache-2.0
# How a package of this family makes its shared library; deps/build.jl and generated packages call it.

const csrc = normpath(joinpath(@__DIR__, "..", "deps", "csrc"))

"Where `deps/build.jl` of the package in `folder` leaves its library."
built_path(folder, name) = normpath(joinpath(folder, "deps", "usr", "lib", "lib$name." * dlext))

"""
    compile(name, sources; folder, include = String[], flags = String[]) -> path

Compile C sources into the library `name` below `folder`'s `deps/usr/lib`, with `CC` or `cc`, and `CFLAGS`.
"""
function compile(name, sources; folder, include = String[], flags = String[])
    path = built_path(folder, name)
    mkpath(dirname(path))
    fresh = "$path.$(getpid())"
    cc = split(get(ENV, "CC", "cc"))
    more = split(get(ENV, "CFLAGS", "-O2"))
    # nodelete: deleters of live tensors are code in here. Bsymbolic: another copy of the core may be loaded globally,
    # and calls inside this one must not go there.
    shared = Sys.isapple() ? `-dynamiclib` : `-shared -Wl,-z,nodelete -Wl,-Bsymbolic`
    command = `$cc -std=c11 $more -fPIC -fvisibility=hidden $flags $(map(d -> "-I" * d, include)) $shared
               -o $fresh $sources -lm`
    try
        run(command)
    catch e
        rm(fresh; force = true)
        error("compiling $name failed; it needs a C compiler (set CC to choose one): $command")
    end
    mv(fresh, path; force = true)
    return path
end

"""
    compile_kernels(name, folder, sources) -> path

Compile a generated package's C in `folder`'s `deps/csrc` together with a hub of its own, which stays hidden: between it
and DLFerry's tensors cross as DLPack structures.
"""
function compile_kernels(name, folder, sources)
    here = joinpath(folder, "deps", "csrc")
    return compile(name, [joinpath.(here, sources); joinpath(csrc, "dlferry.c")]; folder = folder,
                   include = [here, csrc], flags = ["-DDLF_HIDDEN"])
end
