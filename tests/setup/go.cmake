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
list(FILTER sums EXCLUDE REGEX "/tests/lint/") # tools, below
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

# dlferry_go_tool(name minimum package): a linter, built of the version in tests/lint/NAME/go.mod. Tests that need it declare
# NEEDS name, and find the program in DLFERRY_NAME.
macro(dlferry_go_tool name minimum package)
  string(TOUPPER DLFERRY_${name} tool)
  set(folder ${PROJECT_SOURCE_DIR}/tests/lint/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/go.sum)
  set(why "it needs go ${minimum} or later, and go is ${go_version}")
  if(NOT go_version VERSION_LESS ${minimum})
    file(SHA256 ${folder}/go.sum hash)
    set(why "it could not be built, see the output above")
    dlferry_step(${name} "${go_version} ${hash}" ${go_found} -C ${folder} build -o ${DLFERRY_SETUP_DIR}/go/bin/${name}
      ${package})
    if(dlferry_step_ok)
      set(${tool} ${DLFERRY_SETUP_DIR}/go/bin/${name})
    endif()
  endif()
  if(NOT ${tool})
    dlferry_missing(${name} "${why}")
  endif()
endmacro()
if(DLFERRY_TESTS)
  dlferry_go_tool(actionlint 1.25 github.com/rhysd/actionlint/cmd/actionlint)
endif()
if(DLFERRY_RELEASE_TESTS) # a minute; it reads the standard library's sources with the Go that compiled it
  dlferry_go_tool(staticcheck 1.26 honnef.co/go/tools/cmd/staticcheck)
endif()
dlferry_row(go "${go_version}" "found ${go_found}")
