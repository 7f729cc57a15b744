# SPDX-License-Identifier: Apache-2.0
# Compile the hub from csrc; Pkg.build runs this. DLFERRY_LIBRARY names another library when the package is loaded.
using Libdl: dlext
include(joinpath(@__DIR__, "..", "src", "compile.jl"))

isfile(joinpath(csrc, "dlferry.c")) || # git ignores it
    error("deps/csrc/dlferry.c is missing: run `cmake -P core/amalgamate.cmake` in the checkout of dlferry")
compile("dlferry", [joinpath(csrc, "dlferry.c")]; folder = dirname(@__DIR__), include = [csrc])
compile("dlferry_roots", [joinpath(@__DIR__, "roots.c")]; folder = dirname(@__DIR__))
