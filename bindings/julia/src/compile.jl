# SPDX-License-Identifier: Apache-2.0
# How packages of this family make their shared library; deps/build.jl and generated packages call it.

const csrc = normpath(joinpath(@__DIR__, "..", "deps", "csrc"))

"Where `deps/build.jl` of the package in `folder` leaves its library."
built_path(folder, name) = normpath(joinpath(folder, "deps", "usr", "lib", "lib$name." * dlext))

# Uses CC or cc, and CFLAGS; only functions marked DLF_API are visible outside.
function run_cc(arguments; include)
    cc, flags = split(get(ENV, "CC", "cc")), split(get(ENV, "CFLAGS", "-O2"))
    command = `$cc -std=c11 $flags -fPIC -fvisibility=hidden $(map(d -> "-I" * d, include)) $arguments`
    try
        run(command)
    catch
        error("this needs a C compiler (CC chooses one), and it failed: $command")
    end
end

"""
    compile(name, sources; folder, include = String[], flags = String[], libraries = String[]) -> path

Compile C sources into the library `name` below `folder`'s `deps/usr/lib`; `libraries` are linked, as after `-l`.
"""
function compile(name, sources; folder, include = String[], flags = String[], libraries = String[])
    path = built_path(folder, name)
    mkpath(dirname(path))
    fresh = "$path.$(getpid())"
    # nodelete: deleters of live tensors are code in here. Bsymbolic: another copy of the core may be loaded globally,
    # and calls inside this one must not reach it.
    shared = Sys.isapple() ? `-dynamiclib` : `-shared -Wl,-z,nodelete -Wl,-Bsymbolic -Wl,-z,defs`
    try
        run_cc(`$flags $shared -o $fresh $sources $(map(l -> "-l" * l, libraries)) -lm`; include = include)
        mv(fresh, path; force = true) # in one step, since others may be loading it
    finally
        rm(fresh; force = true)
    end
    return path
end

"""
    compile_kernels(name, folder, sources; libraries = String[]) -> path

Compile a generated package's C in `folder`'s `deps/csrc` together with its own hidden hub: tensors cross between it and
DLFerry as DLPack structures.
"""
function compile_kernels(name, folder, sources; libraries = String[])
    here = joinpath(folder, "deps", "csrc")
    mktempdir() do made
        hub, dlpack = joinpath(made, "hub.o"), joinpath(made, "dlpack", "dlpack.h")
        mkdir(dirname(dlpack)) # kernels may include it too; the amalgamated header holds both
        write(dlpack, "#include <dlferry.h>\n")
        run_cc(`-DDLF_HIDDEN -c -o $hub $(joinpath(csrc, "dlferry.c"))`; include = [csrc])
        return compile(name, [joinpath.(here, sources); hub]; folder = folder, include = [here, csrc, made],
                       libraries = libraries)
    end
end
