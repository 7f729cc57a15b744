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
list(FILTER sums EXCLUDE REGEX "/tests/lint/staticcheck/") # a tool, below
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

#   DLFERRY_STATICCHECK  the linter of a release; tests that need it declare NEEDS staticcheck. It takes a minute to build
set(staticcheck_minimum 1.26) # it reads the standard library's sources with the Go that compiled it
set(staticcheck_why "it needs go ${staticcheck_minimum} or later, and go is ${go_version}")
if(DLFERRY_RELEASE_TESTS AND NOT go_version VERSION_LESS staticcheck_minimum)
  set(folder ${PROJECT_SOURCE_DIR}/tests/lint/staticcheck)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/go.sum)
  file(SHA256 ${folder}/go.sum hash)
  dlferry_step(staticcheck "${go_version} ${hash}" ${go_found} -C ${folder} build -o
    ${DLFERRY_SETUP_DIR}/go/bin/staticcheck honnef.co/go/tools/cmd/staticcheck)
  set(staticcheck_why "it could not be built, see the output above")
  if(dlferry_step_ok)
    set(DLFERRY_STATICCHECK ${DLFERRY_SETUP_DIR}/go/bin/staticcheck)
  endif()
endif()
if(DLFERRY_RELEASE_TESTS AND NOT DLFERRY_STATICCHECK)
  dlferry_missing(staticcheck "${staticcheck_why}")
endif()
dlferry_row(go "${go_version}" "found ${go_found}")
