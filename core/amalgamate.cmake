# SPDX-License-Identifier: Apache-2.0
# Write the core's copies for the bindings. Configure and the build do so too; git ignores them.
#
#   cmake -P core/amalgamate.cmake                  into the bindings of this checkout
#   cmake -DOUT=FOLDER -P core/amalgamate.cmake     dlferry.h, dlferry.c and dlferry_bind.c into a folder
#   cmake -DEMBED=FILE -P core/amalgamate.cmake     the files inside the generator, as C
#
# They are real files, since Go drops symlinks from module archives and cargo refuses paths outside a crate.
cmake_minimum_required(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/cmake/Amalgamate.cmake)

amalgamate_join(header TRUE ${AMALGAMATE_PUBLIC})
amalgamate_embed(embedded "${header}")
if(DEFINED EMBED)
  amalgamate_write(${EMBED} "${AMALGAMATE_FIRST}#include \"bind/base/embedded.h\"\n${embedded}")
  return()
endif()

amalgamate_join(hub FALSE ${AMALGAMATE_HUB})
amalgamate_join(bind FALSE ${AMALGAMATE_BIND})
string(APPEND bind "\n/* ---- embedded ---- */\n${embedded}")

set(hub_folders bindings/go bindings/rust/dlferry-sys/csrc bindings/julia/deps/csrc)
set(bind_folders bindings/go/cmd/dlferry-bind bindings/rust/dlferry-build/csrc bindings/julia/deps/csrc)
list(TRANSFORM hub_folders PREPEND ${AMALGAMATE_ROOT}/)
list(TRANSFORM bind_folders PREPEND ${AMALGAMATE_ROOT}/)
if(NOT DEFINED OUT)
  file(COPY ${AMALGAMATE_CORE}/bind/go/dlferry_go.h DESTINATION ${AMALGAMATE_ROOT}/bindings/go)
else()
  get_filename_component(hub_folders ${OUT} ABSOLUTE)
  set(bind_folders ${hub_folders})
endif()
foreach(folder IN LISTS hub_folders)
  amalgamate_write(${folder}/dlferry.h "${header}")
  amalgamate_write(${folder}/dlferry.c "${hub}")
endforeach()
foreach(folder IN LISTS bind_folders)
  amalgamate_write(${folder}/dlferry_bind.c "${bind}")
endforeach()
