# SPDX-License-Identifier: Apache-2.0
# julia from PATH, else unpacked into build/julia.

set(julia_minimum 1.5)
find_program(julia_found julia NO_CACHE)
set(julia_version "")
if(julia_found)
  dlferry_version(julia_version ${julia_found} --version)
endif()
if(julia_version AND julia_version VERSION_GREATER_EQUAL julia_minimum)
  dlferry_row(julia "${julia_version}" "found ${julia_found}")
else()
  set(prefix ${DLFERRY_SETUP_DIR}/julia)
  file(SHA256 ${setup_sources}/install-julia.sh hash)
  if(NOT EXISTS ${prefix}/bin/julia)
    file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/julia)
  endif()
  dlferry_step(julia "${hash}" sh ${setup_sources}/install-julia.sh ${prefix})
  set(julia_found ${prefix}/bin/julia)
  dlferry_version(julia_version ${julia_found} --version)
  if(NOT dlferry_step_ok OR NOT julia_version)
    dlferry_missing(julia "none on PATH and unpacking Debian's failed, see the output above. Install Julia ${julia_minimum} or later from julialang.org and put it on PATH")
    return()
  endif()
  dlferry_row(julia "${julia_version}" "unpacked in ${prefix}")
endif()
set(DLFERRY_JULIA ${julia_found})
# Pkg reaches for the network unless it finds a registry, be it one without packages.
file(WRITE ${DLFERRY_SETUP_DIR}/julia-depot/registries/None/Registry.toml [[
name = "None"
uuid = "8f4b1f0e-6a5c-4f0d-9d0e-5d6f1a7c2b3e"
repo = "none"
[packages]
]])
