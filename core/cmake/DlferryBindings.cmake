# SPDX-License-Identifier: Apache-2.0
# dlferry_add_bindings(target HEADER photo.h [SOURCES photo.c ...] [NAME photo] [PREFIX photo_]
#                      LANGUAGES python rust go julia [OUT dir] [GO_MODULE path] [NO_TESTS])
#
# Runs dlferry-bind on a plain C header and makes
#   target        a static library: the sources and the checked twin (NAME_dlferry.c), linked to dlferry::dlferry;
#   target_bind   the step that writes OUT: NAME_dlferry.{c,h} and one package a language in OUT/<language>.
# NAME defaults to target, GO_MODULE to NAME, PREFIX to NAME_, OUT to the build folder's target-bindings; the property
# DLFERRY_OUT of target holds OUT. Works in dlferry's own tree and after find_package(dlferry CONFIG).
include_guard(GLOBAL)

function(dlferry_add_bindings target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_TESTS" "HEADER;NAME;PREFIX;OUT;GO_MODULE" "SOURCES;LANGUAGES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dlferry_add_bindings(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_HEADER OR NOT arg_LANGUAGES)
    message(FATAL_ERROR "dlferry_add_bindings(${target}): HEADER and LANGUAGES are needed")
  endif()
  foreach(language IN LISTS arg_LANGUAGES)
    if(NOT language MATCHES "^(python|rust|go|julia)$")
      message(FATAL_ERROR "dlferry_add_bindings(${target}): expected python, rust, go or julia, got ${language}")
    endif()
  endforeach()
  if(NOT arg_NAME)
    set(arg_NAME ${target})
  endif()
  if(NOT arg_PREFIX)
    set(arg_PREFIX ${arg_NAME}_)
  endif()
  if(NOT arg_OUT)
    set(arg_OUT ${CMAKE_CURRENT_BINARY_DIR}/${target}-bindings)
  endif()
  get_filename_component(header ${arg_HEADER} ABSOLUTE)
  get_filename_component(out ${arg_OUT} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  get_filename_component(header_folder ${header} DIRECTORY)
  set(sources)
  set(options)
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
    list(APPEND options --source ${source})
  endforeach()
  list(JOIN arg_LANGUAGES "," languages)
  if(arg_GO_MODULE)
    list(APPEND options --go-module ${arg_GO_MODULE})
  endif()
  if(arg_NO_TESTS)
    list(APPEND options --no-tests)
  endif()

  set(checked ${out}/${arg_NAME}_dlferry.c ${out}/${arg_NAME}_dlferry.h)
  add_custom_command(OUTPUT ${checked} ${out}/.stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${out}
    COMMAND dlferry::dlferry-bind ${header} --name ${arg_NAME} --prefix ${arg_PREFIX} --lang ${languages}
            --out ${out} ${options}
    COMMAND ${CMAKE_COMMAND} -E touch ${out}/.stamp
    DEPENDS ${header} ${sources} dlferry::dlferry-bind
    COMMENT "dlferry-bind ${arg_NAME}: ${languages}" VERBATIM)
  add_custom_target(${target}_bind ALL DEPENDS ${checked} ${out}/.stamp)

  add_library(${target} STATIC ${sources} ${checked})
  add_dependencies(${target} ${target}_bind)
  target_include_directories(${target} PUBLIC ${out} ${header_folder})
  target_link_libraries(${target} PUBLIC dlferry::dlferry)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON POSITION_INDEPENDENT_CODE ON
    C_VISIBILITY_PRESET hidden DLFERRY_OUT ${out})
endfunction()
