# SPDX-License-Identifier: Apache-2.0
# Another package, whose deps/build.jl makes a module from its C header: bind.jl FOLDER ARCHIVE KERNELS installs DLFerry
# from its published ARCHIVE in FOLDER, without a network, and such a package beside it.
import Pkg

folder, archive, kernels = ARGS
rm(folder; recursive = true, force = true)
mkpath(folder)
run(`tar -xzf $archive -C $folder`)
mv(joinpath(folder, first(split(basename(archive), ".tar.gz"))), joinpath(folder, "DLFerry"))
# Pkg reaches for the network unless it finds a registry, be it one of no packages.
registry = joinpath(first(DEPOT_PATH), "registries", "None")
mkpath(registry)
write(joinpath(registry, "Registry.toml"), """
    name = "None"
    uuid = "8f4b1f0e-6a5c-4f0d-9d0e-5d6f1a7c2b3e"
    repo = "none"
    [packages]
    """)

stranger = joinpath(folder, "Stranger")
foreach(part -> mkpath(joinpath(stranger, part)), ("src", "deps"))
foreach(file -> cp(joinpath(kernels, file), joinpath(stranger, "deps", file)), ("kernels.h", "kernels.c"))
write(joinpath(stranger, "Project.toml"), """
    name = "Stranger"
    uuid = "0c2b0b59-1f0a-4e0d-8a53-1d0b5b5f4c11"
    version = "0.1.0"

    [deps]
    DLFerry = "55670bff-fd3f-4f23-bb49-df5db85aa591"
    """)
write(joinpath(stranger, "deps", "build.jl"), """
    import DLFerry
    DLFerry.bind("kernels.h"; sources = ["kernels.c"], strict = true)
    DLFerry.bind("lib_modes.h", "lib_sums.h"; name = "lib", contracts = "lib.contracts", includes = ["lib_sums.h"],
                 preprocess = true, include_directories = ["."], definitions = ["LIB_MORE"],
                 sources = ["lib_sums.c"], out = "lib", strict = true)
    """)
# Two headers that stay as they are, with their contracts beside them.
for (file, text) in (
    ("lib_modes.h", """
        #ifndef LIB_MODES_H
        #define LIB_MODES_H
        typedef enum lib_mode { LIB_ONE, LIB_TWO } lib_mode;
        #endif
        """),
    ("lib_sums.h", """
        #define LIB_API(type) type
        #include "lib_modes.h"
        LIB_API(double) lib_sum(const double *x, int n, lib_mode mode);
        #ifdef LIB_MORE
        int lib_more(int a);
        #endif
        """),
    ("lib_sums.c", """
        #include "lib_sums.h"
        double lib_sum(const double *x, int n, lib_mode mode) {
          double sum = 0;
          for (int i = 0; i < n; i++) sum += mode == LIB_TWO ? 2 * x[i] : x[i];
          return sum;
        }
        int lib_more(int a) { return a + 1; }
        """),
    ("lib.contracts", "lib_sum { x: f64[n];  n := n;  n > 0;  mode = LIB_ONE }\n"))
    write(joinpath(stranger, "deps", file), text)
end
write(joinpath(stranger, "src", "Stranger.jl"), """
    module Stranger
    include(joinpath(@__DIR__, "..", "deps", "made", "julia", "src", "Kernels.jl"))
    include(joinpath(@__DIR__, "..", "deps", "lib", "julia", "src", "Lib.jl"))
    double(x) = Kernels.scale(x)
    end
    """)

environment = joinpath(folder, "environment")
Pkg.activate(environment)
Pkg.develop([Pkg.PackageSpec(path = joinpath(folder, "DLFerry")), Pkg.PackageSpec(path = stranger)])
Pkg.build("Stranger") # and DLFerry before it
program = """
    import Stranger
    doubled = Stranger.double(Float32[1, 2, 3])
    Stranger.Lib.Sums.sum([1.0, 2.0]; mode = Stranger.Lib.Modes.TWO) + Stranger.Lib.more(3) == 10 || error("no sum")
    print(doubled == [2, 4, 6], " ", Stranger.Kernels.sum(doubled), "; ")
    try
        Stranger.Kernels.scale!(zeros(Float32, 2), Float32[1, 2, 3])
    catch e
        print(typeof(e), ": ", e.msg)
    end
    """
got = read(`$(Base.julia_cmd()) --startup-file=no --project=$environment -e $program`, String)
wanted = "true 12.0; DimensionMismatch: scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]"
got == wanted || error("expected $wanted, got $got")

# A refusal of the generator ends the build, with its text; with strict, so does a function that it cannot bind.
header = joinpath(stranger, "deps", "kernels.h")
text = read(header, String)
for (more, words) in (("int kernels_late(@);", "kernels.h:22: expected a declaration"),
                      ("int kernels_va(int n, ...);", "kernels_va"))
    write(header, text * more * "\n")
    try
        Pkg.build("Stranger")
    catch # later versions of Pkg throw, earlier ones print to stderr
    end
    log = read(joinpath(stranger, "deps", "build.log"), String)
    occursin(words, log) || error("expected a build that fails with $words, got $log")
end
println("bind: a package that uses DLFerry.bind works, and what is refused is said")
