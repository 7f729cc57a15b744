# SPDX-License-Identifier: Apache-2.0
# For the packages that dlferry-bind makes:
#
#   dlferry_python_module(photo MADE_BY 0.3.0 INTERFACE photo.i SOURCES photo.c photo_dlferry.c [LIBRARIES name ...])
#
# whose C files lie in c/, builds the extension module photo._photo with a core of its own, whose symbols stay inside, and
# installs it. The core and the files in c/python are the same in each package; the variable DLFERRY_PYTHON_RUNTIME may
# name a static library of them, position-independent and with hidden symbols, which is then linked instead.
include_guard(GLOBAL)

set(DLFERRY_PYTHON_C ${CMAKE_CURRENT_LIST_DIR}/../c)
file(STRINGS ${DLFERRY_PYTHON_C}/dlferry.h numbers REGEX "^#define DLF_VERSION_(MAJOR|MINOR|PATCH) ")
string(REGEX REPLACE "[^0-9;]" "" numbers "${numbers}")
list(JOIN numbers "." DLFERRY_PYTHON_VERSION)
find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)
include(${CMAKE_CURRENT_LIST_DIR}/DlferrySwig.cmake)
include(CheckIPOSupported)

function(dlferry_python_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "INTERFACE;MADE_BY" "SOURCES;LIBRARIES")
  if(DLFERRY_PYTHON_VERSION VERSION_LESS arg_MADE_BY)
    message(FATAL_ERROR "${name}: made by dlferry-bind ${arg_MADE_BY}, expected dlferry ${arg_MADE_BY} or newer, got "
      "${DLFERRY_PYTHON_VERSION}")
  endif()
  set(wrap ${CMAKE_CURRENT_BINARY_DIR}/${name}_wrap.c)
  get_filename_component(interface ${arg_INTERFACE} ABSOLUTE)
  get_filename_component(folder ${interface} DIRECTORY)
  add_custom_command(OUTPUT ${wrap} DEPENDS ${interface} VERBATIM
    COMMAND ${DLFERRY_SWIG} ${DLFERRY_SWIG_OPTIONS} -outdir ${CMAKE_CURRENT_BINARY_DIR} -o ${wrap} ${interface})
  set(runtime ${DLFERRY_PYTHON_RUNTIME})
  set(pieces "")
  if(NOT runtime)
    file(GLOB pieces ${DLFERRY_PYTHON_C}/dlferry.c ${DLFERRY_PYTHON_C}/python/*.c)
  endif()
  python_add_library(_${name} MODULE WITH_SOABI ${wrap} ${arg_SOURCES} ${pieces})
  target_include_directories(_${name} PRIVATE ${folder}/c ${DLFERRY_PYTHON_C})
  # Two modules with one type table would use each other's classes.
  target_compile_definitions(_${name} PRIVATE SWIG_TYPE_TABLE=dlferry_${name} DLF_HIDDEN DLFERRY_PYTHON)
  set_target_properties(_${name} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_VISIBILITY_PRESET hidden)
  set_source_files_properties(${wrap} PROPERTIES COMPILE_OPTIONS "$<$<C_COMPILER_ID:GNU,Clang>:-w>")
  target_link_libraries(_${name} PRIVATE ${runtime} ${arg_LIBRARIES} m ${CMAKE_DL_LIBS})
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    check_ipo_supported(RESULT ipo LANGUAGES C OUTPUT why)
    set_target_properties(_${name} PROPERTIES INTERPROCEDURAL_OPTIMIZATION ${ipo}) # a fifth off a call
  endif()
  if(CMAKE_SYSTEM_NAME MATCHES "Linux|BSD")
    # Deleters are code in this object: never unload it under a live tensor.
    target_link_options(_${name} PRIVATE LINKER:-z,nodelete)
  endif()
  install(TARGETS _${name} DESTINATION ${name})
endfunction()
