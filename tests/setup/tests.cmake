# SPDX-License-Identifier: Apache-2.0
# How tests are registered.
include_guard(GLOBAL)

# The published files, as the test package_release writes them; a test of FIXTURES release uses them, and FIXTURES
# source uses their C archive, built in DLFERRY_RELEASE_BUILD.
set(DLFERRY_RELEASE ${PROJECT_BINARY_DIR}/release)
set(DLFERRY_RELEASE_SOURCE ${PROJECT_BINARY_DIR}/release-c/dlferry-${PROJECT_VERSION})
set(DLFERRY_RELEASE_BUILD ${PROJECT_BINARY_DIR}/release-c/build)
find_program(DLFERRY_GIT git)
# Tests that put a function of theirs before one of the C library, or count what they print, need this; zig lacks it.
set(DLFERRY_WRAPS OFF)
if(DLFERRY_TESTS AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  include(CheckLinkerFlag)
  check_linker_flag(C "LINKER:--wrap=malloc" DLFERRY_HAS_WRAP)
  set(DLFERRY_WRAPS ${DLFERRY_HAS_WRAP})
endif()
option(DLFERRY_RELEASE_TESTS "Have the tests that only a release runs" OFF)

# dlferry_test(NAME n LABELS l... [NEEDS language...] [DEPENDS test...] [FIXTURES name...] [TIMEOUT s] [LOCK name...]
#              [COST s] [WORKING_DIRECTORY d] [ENVIRONMENT VAR=value...] [RELEASE] COMMAND ...)
#
# A RELEASE test takes long and claims what an everyday test claims of one case; it runs with the preset release-tests.
# Tests with a LOCK in common do not run at once; those of a high COST, the seconds they take on a quiet machine, are
# started first. A limit is for what hangs: it is at least five times the COST, since machines are shared.
# Exit status 77 means not run. A label that is a language is also a need, `debian` is one for debian.cmake's libraries.
# A need that is missing turns the test into one that says so: "not run", or a failure when the environment's
# DLFERRY_REQUIRE names it. A build that leaves a language out (DLFERRY_LANGUAGES) has no such test.
function(dlferry_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "RELEASE" "NAME;TIMEOUT;COST;WORKING_DIRECTORY"
    "LABELS;NEEDS;DEPENDS;FIXTURES;LOCK;ENVIRONMENT;COMMAND")
  if(NOT arg_NAME OR NOT arg_LABELS OR NOT arg_COMMAND OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dlferry_test: NAME, LABELS and COMMAND are needed; unknown: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT DLFERRY_TESTS OR (arg_RELEASE AND NOT DLFERRY_RELEASE_TESTS))
    return()
  endif()
  if(arg_RELEASE)
    list(APPEND arg_LABELS release)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 1800)
  endif()
  if(arg_COST)
    math(EXPR least "5 * ${arg_COST}")
    if(arg_TIMEOUT LESS least)
      message(FATAL_ERROR "dlferry_test: ${arg_NAME}: expected a TIMEOUT of ${least} or more, got ${arg_TIMEOUT}")
    endif()
  endif()
  if(NOT arg_WORKING_DIRECTORY)
    set(arg_WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  foreach(language IN LISTS arg_LABELS arg_NEEDS)
    set(others actionlint conan debhelper debian faiss onnxruntime staticcheck zig)
    if(language IN_LIST others OR language IN_LIST DLFERRY_ALL_LANGUAGES)
      if(NOT language IN_LIST DLFERRY_LANGUAGES AND NOT language IN_LIST others)
        return()
      elseif(language IN_LIST DLFERRY_MISSING)
        set(arg_COMMAND sh ${PROJECT_SOURCE_DIR}/tests/setup/not_run.sh ${language} "${DLFERRY_MISSING_${language}}")
        break()
      endif()
    endif()
  endforeach()
  if((arg_FIXTURES OR arg_NAME STREQUAL "package_release") AND NOT DLFERRY_GIT)
    set(arg_COMMAND sh ${PROJECT_SOURCE_DIR}/tests/setup/not_run.sh git "git is needed to pack what is published")
    set(arg_FIXTURES "")
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${arg_WORKING_DIRECTORY})
  set_tests_properties(${arg_NAME} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${arg_LABELS}" TIMEOUT ${arg_TIMEOUT}
    ENVIRONMENT "${DLFERRY_ENVIRONMENT};${arg_ENVIRONMENT}")
  if(arg_DEPENDS)
    set_tests_properties(${arg_NAME} PROPERTIES DEPENDS "${arg_DEPENDS}")
  endif()
  if(arg_FIXTURES)
    set_tests_properties(${arg_NAME} PROPERTIES FIXTURES_REQUIRED "${arg_FIXTURES}")
  endif()
  if(arg_LOCK)
    set_tests_properties(${arg_NAME} PROPERTIES RESOURCE_LOCK "${arg_LOCK}")
  endif()
  if(arg_COST)
    set_tests_properties(${arg_NAME} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

# dlferry_c_test(NAME n SOURCES ... [LIBRARIES ...] [LABELS ...] [ARGUMENTS ...]): a C program against the hub, label c.
function(dlferry_c_test)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;LIBRARIES;LABELS;ARGUMENTS")
  if(NOT DLFERRY_TESTS)
    return()
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS c)
  endif()
  add_executable(${arg_NAME} ${arg_SOURCES})
  dlferry_c(${arg_NAME})
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} dlferry::static)
  dlferry_test(NAME ${arg_NAME} LABELS ${arg_LABELS} COMMAND ${arg_NAME} ${arg_ARGUMENTS})
endfunction()

# Adds a binding's folder when its language is there; otherwise one test reports "not run" in its place.
function(dlferry_add_language language folder)
  if(NOT language IN_LIST DLFERRY_LANGUAGES)
    return()
  endif()
  if(language IN_LIST DLFERRY_MISSING)
    dlferry_test(NAME ${language} LABELS ${language} COMMAND true)
  else()
    dlferry_add_optional(${folder})
  endif()
endfunction()

# Adds a folder of the project once it has a CMakeLists.txt.
macro(dlferry_add_optional folder)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
    add_subdirectory(${folder})
  endif()
endmacro()
