# SPDX-License-Identifier: Apache-2.0
# With the preset libraries: more C libraries from Debian's packages, in every language, and the packages of PyPI that read
# the files which they wrote.
set(prefix ${DLFERRY_SETUP_DIR}/examples)
set(packages libsndfile1-dev "libsndfile1(t64)?" "libflac[0-9]+(t64)?" libogg0 libvorbis0a libvorbisenc2 libopus0
  "libmpg123-0(t64)?" libmp3lame0 libhdf5-dev "libhdf5-[0-9-]+(t64)?" "libhdf5-hl-[0-9-]+(t64)?" libsz2 libaec0)
if(NOT EXISTS ${prefix}/debian/usr/include)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/examples)
endif()
file(SHA256 ${PROJECT_SOURCE_DIR}/tests/setup/debian.sh hash)
dlferry_step(examples "${hash} ${packages}" sh ${PROJECT_SOURCE_DIR}/tests/setup/debian.sh ${prefix}/debian ${packages})
if(NOT dlferry_step_ok)
  dlferry_missing(debian "packages of Debian could not be fetched, see the output above")
endif()

set(peer ${prefix}/peers/bin/python)
set(requirements ${CMAKE_CURRENT_SOURCE_DIR}/requirements-peers.txt)
if(DLFERRY_PYTHON)
  file(SHA256 ${requirements} hash)
  dlferry_step(examples-peers "${hash}" sh -c
    "${DLFERRY_PYTHON} -m venv --clear ${prefix}/peers && ${peer} -m pip install --quiet -r ${requirements}")
endif()

file(GLOB folder ${prefix}/debian/usr/lib/*-linux-gnu*)
set(with CPATH=${prefix}/debian/usr/include:${prefix}/debian/usr/include/hdf5/serial:${include}:${include}/${architecture}
  LIBRARY_PATH=${folder}:${libraries} LD_LIBRARY_PATH=${folder}:${libraries} PEER=${peer})
foreach(language IN LISTS DLFERRY_ALL_LANGUAGES)
  foreach(example IN ITEMS sndfile samplerate hdf5 zlib)
    dlferry_example(library_${example}_${language} ${language} ${example} NEEDS debian ENVIRONMENT ${with})
  endforeach()
endforeach()
