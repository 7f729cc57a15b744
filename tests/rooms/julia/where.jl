# SPDX-License-Identifier: Apache-2.0
# Prints, a line each: the folder of Julia's program, its shared library, the library path it runs with.
using Libdl

println(Sys.BINDIR)
println(first(filter(path -> occursin(r"^libjulia\.", basename(path)), dllist())))
println(get(ENV, "LD_LIBRARY_PATH", "none"))
