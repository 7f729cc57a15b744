# SPDX-License-Identifier: Apache-2.0
# Sets up the languages in DLFERRY_LANGUAGES at configure time, below DLFERRY_SETUP_DIR only, and never as root.
#
# Afterwards DLFERRY_PYTHON, DLFERRY_CARGO, DLFERRY_GO and DLFERRY_JULIA hold each language's program, empty when it is
# missing; DLFERRY_ENVIRONMENT lists the variables that keep caches below the build folder, and ${DLFERRY_ENV} in front
# of a command sets them. A stamp marks installed parts, which are not touched again, so that a second run works offline.
include_guard(GLOBAL)

set(DLFERRY_SETUP_DIR "${PROJECT_SOURCE_DIR}/build" CACHE PATH "Where set-up installs; shared by all presets")
set(DLFERRY_REPORT_DIR "${PROJECT_BINARY_DIR}/report")
set(setup_sources "${CMAKE_CURRENT_LIST_DIR}")
file(MAKE_DIRECTORY ${DLFERRY_SETUP_DIR}/stamps ${DLFERRY_REPORT_DIR})
# Two presets that configure at once would install into the same folders; one without languages installs nothing.
if(DLFERRY_LANGUAGES)
  file(LOCK ${DLFERRY_SETUP_DIR}/stamps/lock GUARD FILE TIMEOUT 1800)
endif()

set(DLFERRY_ENVIRONMENT
  "PATH=${DLFERRY_SETUP_DIR}/venv/bin:${DLFERRY_SETUP_DIR}/cargo-tools/bin:$ENV{PATH}"
  "CARGO_HOME=${DLFERRY_SETUP_DIR}/cargo"
  "CARGO_TARGET_DIR=${PROJECT_BINARY_DIR}/cargo-target"
  "CARGO_PROFILE_DEV_DEBUG=line-tables-only" # which link faster
  "GOPATH=${DLFERRY_SETUP_DIR}/go"
  "GOMODCACHE=${DLFERRY_SETUP_DIR}/go/mod"
  "GOCACHE=${DLFERRY_SETUP_DIR}/go/cache"
  "GOTOOLCHAIN=local"
  "STATICCHECK_CACHE=${DLFERRY_SETUP_DIR}/go/staticcheck"
  "GOFLAGS=-modcacherw"
  "JULIA_DEPOT_PATH=${DLFERRY_SETUP_DIR}/julia-depot"
  "JULIA_HISTORY=/dev/null"
  "PYTHONPYCACHEPREFIX=${DLFERRY_SETUP_DIR}/pycache"
  "PYTHONDONTWRITEBYTECODE=" # which images of Python set: each process would then compile torch again, for 5 seconds
  "SETUPTOOLS_USE_DISTUTILS=stdlib" # FindPython asks for distutils three times; setuptools' takes a second to import
  "HYPOTHESIS_STORAGE_DIRECTORY=${PROJECT_BINARY_DIR}/hypothesis"
  "MPLCONFIGDIR=${DLFERRY_SETUP_DIR}/matplotlib"
  "RUFF_CACHE_DIR=${DLFERRY_SETUP_DIR}/ruff"
  "ASAN_OPTIONS=allocator_may_return_null=1" # tests that ask for too much expect NO_MEMORY, not an abort
  "TSAN_OPTIONS=allocator_may_return_null=1"
  "UBSAN_OPTIONS=print_stacktrace=1"
  "DLFERRY_REPORT_DIR=${DLFERRY_REPORT_DIR}"
  "DLFERRY_BUILD_DIR=${PROJECT_BINARY_DIR}")
set(DLFERRY_ENV ${CMAKE_COMMAND} -E env ${DLFERRY_ENVIRONMENT})

set(DLFERRY_PYTHON "")
set(DLFERRY_CARGO "")
set(DLFERRY_BINDGEN "")
set(DLFERRY_GO "")
set(DLFERRY_JULIA "")
set(DLFERRY_DEBIAN_ROOT "")
set(DLFERRY_DEBIAN_LIBRARY "")
set(DLFERRY_ONNXRUNTIME "")
set(DLFERRY_STATICCHECK "")
set(DLFERRY_ACTIONLINT "")
set(DLFERRY_ZIG zig)
set(DLFERRY_CLANG clang)
set(DLFERRY_MISSING "")
set(DLFERRY_TABLE "")

# A row of the table that configure prints.
function(dlferry_row language version how)
  string(SUBSTRING "${language}          " 0 10 language)
  string(SUBSTRING "${version}                " 0 16 version)
  list(APPEND DLFERRY_TABLE "${language}${version}${how}")
  set(DLFERRY_TABLE "${DLFERRY_TABLE}" PARENT_SCOPE)
endfunction()

# Why a language is missing and how to get it; its tests then report "not run".
macro(dlferry_missing language reason)
  list(APPEND DLFERRY_MISSING ${language})
  set(DLFERRY_MISSING_${language} "${reason}")
  dlferry_row(${language} "-" "MISSING: ${reason}")
endmacro()

# dlferry_step(NAME KEY key COMMAND ...) runs a command, its output live, unless its stamp says it succeeded for this
# key; sets dlferry_step_ok, dlferry_step_ran, and dlferry_step_why, the last line of a command that failed.
function(dlferry_step name key)
  set(stamp ${DLFERRY_SETUP_DIR}/stamps/${name})
  set(dlferry_step_ok TRUE PARENT_SCOPE)
  set(dlferry_step_ran FALSE PARENT_SCOPE)
  if(EXISTS ${stamp})
    file(READ ${stamp} done)
    if("${done}" STREQUAL "${key}")
      return()
    endif()
  endif()
  file(REMOVE ${stamp})
  list(JOIN ARGN " " words)
  string(REPLACE "${PROJECT_SOURCE_DIR}/" "" words "${words}")
  string(TIMESTAMP start "%s")
  message(STATUS "set-up: ${name}: ${words}")
  execute_process(COMMAND ${DLFERRY_ENV} ${ARGN} RESULT_VARIABLE result WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
    OUTPUT_VARIABLE output ERROR_VARIABLE output ECHO_OUTPUT_VARIABLE ECHO_ERROR_VARIABLE)
  string(TIMESTAMP end "%s")
  math(EXPR seconds "${end} - ${start}")
  set(dlferry_step_ran TRUE PARENT_SCOPE)
  if(result STREQUAL "0")
    file(WRITE ${stamp} "${key}")
    message(STATUS "set-up: ${name}: done in ${seconds} s")
  else()
    set(dlferry_step_ok FALSE PARENT_SCOPE)
    string(REGEX MATCH "[^\n]*[\n ]*$" why "${output}")
    string(REGEX REPLACE "[;\n]" " " why "${why}")
    set(dlferry_step_why "${why}" PARENT_SCOPE)
    message(STATUS "set-up: ${name}: failed (${result}) after ${seconds} s")
  endif()
endfunction()

# A program's version, the first x.y[.z] that it prints; empty when it does not run.
function(dlferry_version out)
  execute_process(COMMAND ${DLFERRY_ENV} ${ARGN} OUTPUT_VARIABLE text ERROR_QUIET RESULT_VARIABLE result)
  set(${out} "" PARENT_SCOPE)
  if(result STREQUAL "0" AND text MATCHES "([0-9]+[.][0-9]+([.][0-9]+)?)")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  endif()
endfunction()

dlferry_row(c "${CMAKE_C_COMPILER_VERSION}" "found ${CMAKE_C_COMPILER}")
foreach(language IN LISTS DLFERRY_LANGUAGES)
  if(NOT language IN_LIST DLFERRY_ALL_LANGUAGES)
    message(FATAL_ERROR "DLFERRY_LANGUAGES: expected any of ${DLFERRY_ALL_LANGUAGES}, got ${language}")
  endif()
endforeach()
foreach(language IN LISTS DLFERRY_ALL_LANGUAGES)
  if(language IN_LIST DLFERRY_LANGUAGES)
    include(${setup_sources}/${language}.cmake)
  endif()
endforeach()
if((DLFERRY_TESTS OR DLFERRY_BENCH) AND DLFERRY_LANGUAGES)
  include(${setup_sources}/debian.cmake)
endif()
if(DLFERRY_TESTS AND DLFERRY_LANGUAGES)
  include(${setup_sources}/onnxruntime.cmake)
endif()
if(DLFERRY_LANGUAGES)
  include(${setup_sources}/packagers.cmake)
endif()

function(dlferry_print_table)
  set(lines "language  version         from")
  foreach(row IN LISTS DLFERRY_TABLE)
    string(APPEND lines "\n   ${row}")
  endforeach()
  message(STATUS "dlferry ${PROJECT_VERSION}\n   ${lines}")
  if(DLFERRY_MISSING)
    list(JOIN DLFERRY_MISSING ", " missing)
    message(STATUS "MISSING: ${missing}; tests that need them will be reported as not run")
  endif()
endfunction()

include(${setup_sources}/tests.cmake)
