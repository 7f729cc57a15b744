# SPDX-License-Identifier: Apache-2.0
# go from PATH, its caches below build/.

set(go_minimum 1.24) # runtime.AddCleanup, #cgo noescape
find_program(go_found go NO_CACHE)
set(go_version "")
if(go_found)
  dlferry_version(go_version ${go_found} version)
endif()
if(NOT go_version OR go_version VERSION_LESS go_minimum)
  dlferry_missing(go "expected go ${go_minimum} or later on PATH, got '${go_version}'. Unpack it from go.dev/dl and put its bin on PATH")
  return()
endif()

# Modules are downloaded here once, so that the builds themselves work offline. A module without a go.sum has none.
file(GLOB_RECURSE sums CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/*/go.sum ${PROJECT_SOURCE_DIR}/tests/*/go.sum
  ${PROJECT_SOURCE_DIR}/examples/*/go.sum)
set(dlferry_step_ok TRUE)
foreach(sum IN LISTS sums)
  get_filename_component(folder ${sum} DIRECTORY)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
  string(REPLACE "/" "-" name "${name}")
  file(SHA256 ${sum} hash)
  if(dlferry_step_ok)
    dlferry_step(modules-${name} "${hash}" ${go_found} -C ${folder} mod download)
  endif()
endforeach()
if(NOT dlferry_step_ok)
  dlferry_missing(go "downloading modules failed, see the output above. Is the module proxy reachable?")
  return()
endif()
set(DLFERRY_GO ${go_found})
dlferry_row(go "${go_version}" "found ${go_found}")
