# SPDX-License-Identifier: Apache-2.0
# A toolchain file: DLFERRY_COMPILER names a kind of compiler.sh, which makes the compiler available below
# DLFERRY_SETUP_DIR. CMake reads this before project(), and again in each of its own checks.
set(DLFERRY_COMPILER "" CACHE STRING "The compiler to find or unpack; compiler.sh lists the kinds")
set(DLFERRY_SETUP_DIR "${CMAKE_CURRENT_LIST_DIR}/../../build" CACHE PATH "Where set-up installs; shared by all presets")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DLFERRY_COMPILER DLFERRY_SETUP_DIR)

file(MAKE_DIRECTORY ${DLFERRY_SETUP_DIR}/compilers)
file(REAL_PATH ${DLFERRY_SETUP_DIR}/compilers/${DLFERRY_COMPILER} compiler)
if(NOT EXISTS ${compiler}/bin/complete OR NOT EXISTS ${compiler}/bin/system.cmake)
  execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/compiler.sh ${DLFERRY_COMPILER} ${compiler}
    RESULT_VARIABLE result)
  if(NOT result STREQUAL "0")
    message(FATAL_ERROR "the compiler ${DLFERRY_COMPILER} is missing, see the output above")
  endif()
endif()

set(CMAKE_C_COMPILER ${compiler}/bin/cc)
set(CMAKE_AR ${compiler}/bin/ar CACHE FILEPATH "" FORCE)
include(${compiler}/bin/system.cmake) # CMAKE_SYSTEM_NAME, unless programs run here as they are
if(NOT DLFERRY_COMPILER STREQUAL "clang")
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-sysroot OUTPUT_VARIABLE CMAKE_FIND_ROOT_PATH
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(CMAKE_C_FLAGS_INIT -Wno-psabi) # a note about what older compilers did
endif()
if(EXISTS ${compiler}/bin/run)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${compiler}/bin/run)
endif()
