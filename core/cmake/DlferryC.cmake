# SPDX-License-Identifier: Apache-2.0
# Compile C for this project: dlferry_c(target) sets the house's language level, warnings and sanitizers.
include_guard(GLOBAL)

function(dlferry_c target)
  set_target_properties(${target} PROPERTIES C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
    C_VISIBILITY_PRESET hidden)
  # The shared library is made of the same objects as the static one.
  if("shared" IN_LIST DLFERRY_INSTALL_LIBRARIES OR NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(WIN32) # the hub's files say so themselves
    target_compile_definitions(${target} PRIVATE __USE_MINGW_ANSI_STDIO=1)
  endif()
  if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    return()
  endif()
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion)
  if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # mingw-w64's isnan() and signbit() convert what they get to each type, and take one result.
    target_compile_options(${target} PRIVATE -Wno-float-conversion)
  endif()
  if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    # To clang an enum without negative values is unsigned, so `return dlf_error_set(...)` from an int would warn.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion)
  endif()
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND "${CMAKE_C_FLAGS} ${DLFERRY_SANITIZE}" MATCHES "sanitize=|undefined")
    # The sanitizer's branches for NULL make an optimizing gcc believe that an address may be NULL.
    target_compile_options(${target} PRIVATE -Wno-format-overflow -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
  if(DLFERRY_DEVELOP)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(DLFERRY_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  if(DLFERRY_COVERAGE)
    target_compile_options(${target} PRIVATE --coverage -fprofile-update=atomic -O0)
    target_link_options(${target} PUBLIC --coverage)
  endif()
  if(DLFERRY_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${DLFERRY_SANITIZE} -fno-omit-frame-pointer
      -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=${DLFERRY_SANITIZE})
    # The sources ask by gcc's macros, which older clangs lack.
    foreach(sanitizer IN ITEMS address thread)
      if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND DLFERRY_SANITIZE MATCHES "${sanitizer}")
        string(TOUPPER "__SANITIZE_${sanitizer}__" macro)
        target_compile_definitions(${target} PRIVATE ${macro}=1)
      endif()
    endforeach()
  endif()
endfunction()

# Nothing may be unloaded under a live tensor: its deleter is code in this object.
function(dlferry_never_unload target)
  if(CMAKE_SYSTEM_NAME MATCHES "Linux|BSD")
    target_link_options(${target} PRIVATE LINKER:-z,nodelete)
  endif()
endfunction()
