# SPDX-License-Identifier: Apache-2.0
# For the packages that dlferry-bind makes:
#
#   dlferry_python_module(photo MADE_BY 0.3.0 MODULE photo_python.c SOURCES c/photo.c c/photo_dlferry.c [LIBRARIES name ...])
#
# whose headers lie in c/, builds the extension module photo._photo with a core of its own, whose symbols stay inside, and
# installs it. The core and the files in c/python are the same in each package; the variable DLFERRY_PYTHON_RUNTIME may
# name a static library of them, position-independent and with hidden symbols, which is then linked instead.
# DLFERRY_DEVELOP turns the warnings about MODULE into errors.
include_guard(GLOBAL)

set(DLFERRY_PYTHON_C ${CMAKE_CURRENT_LIST_DIR}/../c)
file(STRINGS ${DLFERRY_PYTHON_C}/dlferry.h numbers REGEX "^#define DLF_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]" "" numbers "${numbers}")
list(JOIN numbers "." DLFERRY_PYTHON_VERSION)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
include(CheckIPOSupported)

function(dlferry_python_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INTERFACE;MADE_BY;MODULE" "SOURCES;LIBRARIES")
  if(DLFERRY_PYTHON_VERSION VERSION_LESS arg_MADE_BY)
    message(FATAL_ERROR "${name}: made by dlferry-bind ${arg_MADE_BY}, expected dlferry ${arg_MADE_BY} or newer, got "
      "${DLFERRY_PYTHON_VERSION}")
  endif()
  if(arg_INTERFACE)
    message(FATAL_ERROR "${name}: made by a dlferry-bind whose packages needed SWIG: make it again")
  endif()
  set(runtime ${DLFERRY_PYTHON_RUNTIME})
  set(pieces "")
  if(NOT runtime)
    file(GLOB pieces ${DLFERRY_PYTHON_C}/dlferry.c ${DLFERRY_PYTHON_C}/python/*.c)
  endif()
  if(NOT Python_SOABI) # which CMake does not ask for when it compiles for another system
    set(Python_SOABI "${SKBUILD_SOABI}")
  endif()
  python_add_library(_${name} MODULE WITH_SOABI ${arg_MODULE} ${arg_SOURCES} ${pieces})
  target_include_directories(_${name} PRIVATE ${DLFERRY_PYTHON_C})
  target_include_directories(_${name} SYSTEM PRIVATE c) # the library's header may have warnings of its own
  target_compile_definitions(_${name} PRIVATE DLF_HIDDEN DLFERRY_PYTHON)
  set_target_properties(_${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_VISIBILITY_PRESET hidden)
  if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    set(warnings -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-overlength-strings) # docs are as long as theirs
    if(DLFERRY_DEVELOP)
      list(APPEND warnings -Werror)
    endif()
    set_source_files_properties(${arg_MODULE} PROPERTIES COMPILE_OPTIONS "${warnings}")
  endif()
  target_link_libraries(_${name} PRIVATE ${runtime} ${arg_LIBRARIES} m $<$<NOT:$<BOOL:${WIN32}>>:${CMAKE_DL_LIBS}>)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    check_ipo_supported(RESULT ipo LANGUAGES C OUTPUT why)
    set_target_properties(_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${ipo}) # a fifth off a call
    if(ipo AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
      target_link_options(_${name} PRIVATE -flto-partition=one) # parts would cut a call's path: another tenth
    endif()
  endif()
  if(CMAKE_SYSTEM_NAME MATCHES "Linux|BSD")
    # Deleters are code in this object: never unload it under a live tensor.
    target_link_options(_${name} PRIVATE LINKER:-z,nodelete)
  endif()
  install(TARGETS _${name} DESTINATION ${name})
endfunction()
