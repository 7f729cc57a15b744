# SPDX-License-Identifier: Apache-2.0
# The packages of each library in each language, and one with a warning, which its compiler must find.
set(known ${DLFERRY_HOST_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/known.py)
execute_process(COMMAND ${known} OUTPUT_VARIABLE libraries COMMAND_ERROR_IS_FATAL ANY OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REPLACE "\n" ";" libraries "${libraries}")
get_property(go_environment GLOBAL PROPERTY DLFERRY_GO_ENVIRONMENT)

# header_package(NAME n LANGUAGE l LIBRARY x [ENVIRONMENT NAME=VALUE...])
function(header_package)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LANGUAGE;LIBRARY" "ENVIRONMENT")
  set(lock "")
  if(arg_LANGUAGE STREQUAL "rust")
    set(lock LOCK cargo)
  endif()
  dlferry_test(NAME ${arg_NAME} LABELS ${arg_LANGUAGE} generator ${lock} TIMEOUT 3600
    ENVIRONMENT PYTHON=${DLFERRY_PYTHON} CARGO=${DLFERRY_CARGO} GO=${DLFERRY_GO} JULIA=${DLFERRY_JULIA}
      JULIA_PACKAGE=${DLFERRY_JULIA_PACKAGE} JULIA_DEPOT_PATH=${DLFERRY_JULIA_DEPOT} ${go_environment} ${arg_ENVIRONMENT}
    COMMAND ${DLFERRY_HOST_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_packages.py $<TARGET_FILE:dlferry-bind>
      ${CMAKE_C_COMPILER} $<TARGET_FILE:dlferry_static> ${arg_LANGUAGE} ${arg_LIBRARY} ${prefix}/others ${prefix}/debian)
endfunction()

foreach(language IN LISTS DLFERRY_ALL_LANGUAGES)
  foreach(library IN LISTS libraries)
    header_package(NAME header_packages_${language}_${library} LANGUAGE ${language} LIBRARY ${library})
  endforeach()
  header_package(NAME header_packages_${language}_warns LANGUAGE ${language} LIBRARY soxr ENVIRONMENT WARN=1)
endforeach()
dlferry_test(NAME header_packages_without LABELS generator COMMAND ${known} --without)
