# SPDX-License-Identifier: Apache-2.0
# Find SWIG: DLFERRY_SWIG, a command, and DLFERRY_SWIG_OPTIONS. The one from PyPI, beside the interpreter, comes first,
# since a system's may be too old.
include_guard(GLOBAL)

get_filename_component(python_bin ${Python_EXECUTABLE} DIRECTORY)
find_program(DLFERRY_SWIG NAMES swig HINTS ${python_bin} REQUIRED)
execute_process(COMMAND ${DLFERRY_SWIG} -version OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
if(NOT text MATCHES "SWIG Version ([0-9.]+)" OR CMAKE_MATCH_1 VERSION_LESS 4.4)
  message(FATAL_ERROR "dlferry: expected SWIG 4.4 or newer (pip install swig), got ${CMAKE_MATCH_1} at ${DLFERRY_SWIG}")
endif()
set(DLFERRY_SWIG_OPTIONS -python -builtin -DSWIGWORDSIZE64)
