# SPDX-License-Identifier: Apache-2.0
# dlferry_exports(target header...): a shared library exports the functions that these public headers declare, and no
# others. Visibility alone does so on macOS.
include_guard(GLOBAL)

# Functions of another minor version have another ABI: a version lets both libraries be in one program.
function(dlferry_exports_elf target)
  set(series ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set(map ${CMAKE_CURRENT_BINARY_DIR}/dlferry.map)
  file(CONFIGURE OUTPUT ${map} CONTENT "DLFERRY_${series} {\n  global: dlf_*;\n  local: *;\n};\n")
  target_link_options(${target} PRIVATE LINKER:--version-script,${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
endfunction()

# Windows has no visibility: without a list a linker of mingw's exports everything, its own runtime too.
function(dlferry_exports_windows target)
  set(names "")
  foreach(header IN LISTS ARGN)
    file(READ ${header} text)
    string(REGEX MATCHALL "DLF_API [^;(]*dlf_[a-z0-9_]+\\(" declarations "${text}")
    foreach(declaration IN LISTS declarations)
      string(REGEX REPLACE ".*[ *](dlf_[a-z0-9_]+)\\($" "\\1" name "${declaration}")
      string(APPEND names "  ${name}\n")
    endforeach()
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/dlferry.def)
  file(CONFIGURE OUTPUT ${list} CONTENT "EXPORTS\n${names}")
  target_sources(${target} PRIVATE ${list})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
endfunction()

function(dlferry_exports target)
  if(WIN32)
    dlferry_exports_windows(${target} ${ARGN})
  elseif(CMAKE_SYSTEM_NAME MATCHES "Linux|BSD")
    dlferry_exports_elf(${target})
  endif()
endfunction()
