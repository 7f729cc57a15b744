# SPDX-License-Identifier: Apache-2.0
# dlferry_add_bindings(target HEADER photo.h ... [SOURCES photo.c ...] [LINK library ...]
#                      [LANGUAGES python rust go julia] [CONTRACTS file] [PACKAGE_FILE file]
#                      [NAME photo] [PREFIX photo_] [OUT dir] [GO_MODULE path | GO_PACKAGE path]
#                      [INCLUDE name ...] [IGNORE_MACROS name ...] [PREPROCESS] [INCLUDE_DIRECTORIES dir ...]
#                      [DEFINITIONS NAME[=VALUE] ...] [STRICT] [NO_TESTS])
#
# Runs dlferry-bind on plain C headers and makes
#   target        a static library: the sources and their twins (NAME_dlferry.c), linked to dlferry::dlferry;
#   target_bind   the step that writes OUT: NAME_dlferry.{c,h} and one package a language in OUT/<language>.
# NAME defaults to target, GO_MODULE to NAME, PREFIX to NAME_, OUT to the build folder's target-bindings; the property
# DLFERRY_OUT of target holds OUT. Packages carry SOURCES, which are C. Put code in other languages, such as C++ or
# CUDA, into a library named by LINK: target links it, and packages do as after -l, by its file's name.
# Works in dlferry's own tree and after find_package(dlferry CONFIG).
include_guard(GLOBAL)

function(dlferry_add_bindings target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STRICT;NO_TESTS;PREPROCESS"
    "CONTRACTS;PACKAGE_FILE;NAME;PREFIX;OUT;GO_MODULE;GO_PACKAGE"
    "HEADER;INCLUDE;SOURCES;LINK;LANGUAGES;IGNORE_MACROS;INCLUDE_DIRECTORIES;DEFINITIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dlferry_add_bindings(${target}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_HEADER)
    message(FATAL_ERROR "dlferry_add_bindings(${target}): HEADER is needed")
  endif()
  if(NOT arg_NAME)
    set(arg_NAME ${target})
  endif()
  if(NOT DEFINED arg_PREFIX AND NOT "PREFIX" IN_LIST ARGN)
    set(arg_PREFIX ${arg_NAME}_)
  endif()
  if(NOT arg_OUT)
    set(arg_OUT ${CMAKE_CURRENT_BINARY_DIR}/${target}-bindings)
  endif()
  set(headers "")
  set(header_folders "")
  foreach(header IN LISTS arg_HEADER)
    get_filename_component(header ${header} ABSOLUTE)
    get_filename_component(folder ${header} DIRECTORY)
    list(APPEND headers ${header})
    list(APPEND header_folders ${folder})
  endforeach()
  get_filename_component(out ${arg_OUT} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  set(options --name ${arg_NAME} --prefix=${arg_PREFIX} --out ${out})
  set(sources "")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND sources ${source})
    if(arg_LANGUAGES)
      if(NOT source MATCHES "\\.(c|h|inc|def)$")
        message(FATAL_ERROR "dlferry_add_bindings(${target}): packages carry C, got ${source}: make it a library of "
          "its own and name that with LINK")
      endif()
      list(APPEND options --source ${source})
    endif()
  endforeach()
  foreach(library IN LISTS arg_LINK)
    if(TARGET ${library})
      list(APPEND options --link $<TARGET_FILE_BASE_NAME:${library}>)
    else()
      list(APPEND options --link ${library})
    endif()
  endforeach()
  foreach(name IN LISTS arg_INCLUDE)
    list(APPEND options --include ${name})
  endforeach()
  set(contracts "")
  if(arg_CONTRACTS)
    get_filename_component(contracts ${arg_CONTRACTS} ABSOLUTE)
    list(APPEND options --contracts ${contracts})
  endif()
  set(package_file "")
  if(arg_PACKAGE_FILE)
    get_filename_component(package_file ${arg_PACKAGE_FILE} ABSOLUTE)
    list(APPEND options --package-file ${package_file})
  endif()
  set(environment "")
  if(arg_PREPROCESS)
    list(APPEND options --preprocess)
    set(environment ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER})
    foreach(folder IN LISTS arg_INCLUDE_DIRECTORIES)
      get_filename_component(folder ${folder} ABSOLUTE)
      list(APPEND options -I ${folder})
      list(APPEND header_folders ${folder})
    endforeach()
    list(APPEND options -I$<JOIN:$<TARGET_PROPERTY:dlferry::dlferry,INTERFACE_INCLUDE_DIRECTORIES>,$<SEMICOLON>-I>)
    foreach(definition IN LISTS arg_DEFINITIONS)
      list(APPEND options -D ${definition})
    endforeach()
  endif()
  foreach(macro IN LISTS arg_IGNORE_MACROS)
    list(APPEND options --ignore-macro ${macro})
  endforeach()
  if(arg_LANGUAGES)
    list(JOIN arg_LANGUAGES "," languages)
    list(APPEND options --lang ${languages})
  endif()
  if(arg_GO_MODULE)
    list(APPEND options --go-module ${arg_GO_MODULE})
  endif()
  if(arg_GO_PACKAGE)
    list(APPEND options --go-package ${arg_GO_PACKAGE})
  endif()
  if(arg_STRICT)
    list(APPEND options --strict)
  endif()
  if(arg_NO_TESTS)
    list(APPEND options --no-tests)
  endif()

  set(emulator "") # CMake adds it by itself only to a command that begins with a target's name
  if(CMAKE_CROSSCOMPILING)
    set(emulator $<TARGET_PROPERTY:dlferry::dlferry-bind,CROSSCOMPILING_EMULATOR>)
  endif()

  set(checked ${out}/${arg_NAME}_dlferry.c ${out}/${arg_NAME}_dlferry.h)
  # Unchanged files are not rewritten, so only the stamp records when this ran.
  add_custom_command(OUTPUT ${out}/.stamp BYPRODUCTS ${checked}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${out}
    COMMAND ${environment} ${emulator} $<TARGET_FILE:dlferry::dlferry-bind> ${headers} ${options}
    COMMAND ${CMAKE_COMMAND} -E touch ${out}/.stamp
    DEPENDS ${headers} ${contracts} ${package_file} ${sources} dlferry::dlferry-bind
    COMMENT "dlferry-bind ${arg_NAME}: ${languages}" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target}_bind ALL DEPENDS ${out}/.stamp)

  add_library(${target} STATIC ${sources} ${checked})
  add_dependencies(${target} ${target}_bind)
  # Only while building, else install(EXPORT) refuses the target; the installing project gives the place of its headers.
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${out};${header_folders}>")
  target_link_libraries(${target} PUBLIC dlferry::dlferry ${arg_LINK} $<$<BOOL:${UNIX}>:m>) # packages link libm too
  target_compile_features(${target} PRIVATE c_std_11)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden DLFERRY_OUT ${out})
endfunction()
