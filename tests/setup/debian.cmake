# SPDX-License-Identifier: Apache-2.0
# Real C libraries, for the oracle and for examples/, from packages of the machine's own Debian release, unpacked below
# build/ and never installed.
#
#   DLFERRY_DEBIAN_ROOT     build/debian: headers in usr/include, commands in usr/bin; empty when there are none
#   DLFERRY_DEBIAN_LIBRARY  its folder of shared libraries: for -L, and for LD_LIBRARY_PATH when something runs
#   DLFERRY_CLANG           a clang with its sanitizers' runtime; else just "clang", which its tests then miss
#   DLFERRY_ZIG             zig, from the package index of Python; its tests miss it otherwise
#   DLFERRY_ABIGAIL         build/abigail: abidw and abidiff in usr/bin, with their libraries; empty if there are none
#
# A test that needs them declares NEEDS debian; if they are missing it is *not run*. Another library is a name
# more in the list below; names are regular expressions, see debian.sh.

set(debian_packages
  # The oracle's headers. zlib1g-dev also has zconf.h, which lies in usr/include/<architecture>.
  zlib1g-dev libsqlite3-dev libfftw3-dev libblosc-dev libgsl-dev libpng-dev libglfw3-dev libcurl4-openssl-dev
  libcairo2-dev libfreetype-dev libhwloc-dev libjansson-dev libusb-1.0-0-dev libopenjp2-7-dev
  # examples/: the libraries, and libsamplerate's own command with all that it loads
  libsamplerate0-dev libsamplerate0 sndfile-tools "libsndfile1(t64)?" "libflac[0-9]+(t64)?" libogg0 libvorbis0a
  libvorbisenc2 libopus0 "libmpg123-0(t64)?" libmp3lame0
  libzfp-dev "libzfp[0-9]+(t64)?" libstb-dev "libstb0(t64)?"
  libblas-dev libblas3 libgfortran5 libquadmath0 liblapack-dev liblapack3 liblapacke-dev liblapacke libtmglib3
  libfftw3-double3 libfftw3-single3 libxgboost-dev "libxgboost[0-9]+" "libdmlc[0-9]+" libfaiss-dev libgomp1)

set(prefix ${DLFERRY_SETUP_DIR}/debian)
file(SHA256 ${setup_sources}/debian.sh hash)
if(NOT EXISTS ${prefix}/usr/include)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/debian)
endif()
dlferry_step(debian "${hash} ${debian_packages}" sh ${setup_sources}/debian.sh ${prefix} ${debian_packages})
if(dlferry_step_ok)
  set(DLFERRY_DEBIAN_ROOT ${prefix})
  file(GLOB DLFERRY_DEBIAN_LIBRARY ${prefix}/usr/lib/*-linux-gnu*)
  dlferry_row(debian "" "unpacked in ${prefix}")
else()
  dlferry_missing(debian "packages of Debian could not be fetched, see the output above")
endif()

if(NOT DLFERRY_TESTS)
  return()
endif()

# clang, for the tests of what is published and for the preset fuzz, which finds it here: this machine's if it has one.
set(prefix ${DLFERRY_SETUP_DIR}/compilers/clang)
file(SHA256 ${setup_sources}/compiler.sh compiler_hash)
if(NOT EXISTS ${prefix}/bin/complete)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/clang)
endif()
dlferry_step(clang "${hash} ${compiler_hash}" sh ${setup_sources}/compiler.sh clang ${prefix})
if(dlferry_step_ok)
  set(DLFERRY_CLANG ${prefix}/bin/cc)
  dlferry_version(version ${DLFERRY_CLANG} --version)
  dlferry_row(clang "${version}" "${DLFERRY_CLANG}")
else()
  dlferry_row(clang "-" "MISSING: packages of Debian could not be fetched, see the output above")
endif()

# zig, which compiles for other systems: tests/platforms.
set(prefix ${DLFERRY_SETUP_DIR}/compilers/zig)
file(SHA256 ${setup_sources}/requirements-zig.txt zig_hash)
if(NOT EXISTS ${prefix}/bin/complete)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/zig)
endif()
dlferry_step(zig "${zig_hash}" sh ${setup_sources}/compiler.sh zig ${prefix})
if(dlferry_step_ok)
  set(DLFERRY_ZIG ${prefix}/bin/zig)
  dlferry_version(version ${DLFERRY_ZIG} version)
  dlferry_row(zig "${version}" "installed in ${prefix}")
else()
  dlferry_missing(zig "the package ziglang could not be installed, see the output above. Is the package index reachable?")
endif()

# libabigail's tools, for tests/abi. A folder of their own, since other programs must not load their libraries.
set(abigail_packages abigail-tools "libabigail[0-9]+(t64)?" "libxml2(-16)?" "libdw1(t64)?" "libelf1(t64)?"
  "libicu[0-9]+")
set(prefix ${DLFERRY_SETUP_DIR}/abigail)
if(NOT EXISTS ${prefix}/usr/bin/abidiff)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/abigail)
endif()
dlferry_step(abigail "${hash} ${abigail_packages}" sh ${setup_sources}/debian.sh ${prefix} ${abigail_packages})
if(dlferry_step_ok)
  set(DLFERRY_ABIGAIL ${prefix})
  file(GLOB DLFERRY_ABIGAIL_LIBRARY ${prefix}/usr/lib/*-linux-gnu*)
  dlferry_row(abigail "" "unpacked in ${prefix}")
else()
  dlferry_row(abigail "-" "MISSING: packages of Debian could not be fetched, see the output above")
endif()
