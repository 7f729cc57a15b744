# SPDX-License-Identifier: Apache-2.0
# cmake -DMANIFEST=install_manifest.txt -DHEADER=include/dlferry/dlferry.h -P uninstall.cmake
#
# Remove the files of a build's last installation, and the folders that become empty; never the prefix.
if(NOT EXISTS ${MANIFEST})
  message(FATAL_ERROR "uninstall: nothing to do, ${MANIFEST} does not exist")
endif()
file(STRINGS ${MANIFEST} files ENCODING UTF-8)

# `cmake --install --prefix` may differ from the configured prefix: the header's place shows it.
set(prefix "")
foreach(file IN LISTS files)
  string(LENGTH "${file}" length)
  string(FIND "${file}" "/${HEADER}" at REVERSE)
  string(LENGTH "/${HEADER}" tail)
  math(EXPR tail "${length} - ${tail}")
  if(at GREATER -1 AND at EQUAL tail)
    string(SUBSTRING "${file}" 0 ${at} prefix)
  endif()
endforeach()

set(folders "")
foreach(file IN LISTS files)
  set(path "$ENV{DESTDIR}${file}")
  if(EXISTS "${path}" OR IS_SYMLINK "${path}")
    message(STATUS "Uninstalling: ${path}")
    file(REMOVE "${path}")
  endif()
  # Upwards to the prefix; bin, lib and include of /usr or /usr/local belong to the system even if empty.
  get_filename_component(folder "${file}" DIRECTORY)
  while(prefix AND folder MATCHES "/" AND NOT folder STREQUAL prefix)
    get_filename_component(parent "${folder}" DIRECTORY)
    if(NOT (prefix MATCHES "^/usr(/local)?$" AND parent STREQUAL prefix))
      list(APPEND folders "$ENV{DESTDIR}${folder}")
    endif()
    set(folder "${parent}")
  endwhile()
endforeach()

list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING) # the innermost first
foreach(folder IN LISTS folders)
  execute_process(COMMAND rmdir -- "${folder}" ERROR_QUIET) # refuses a folder that is not empty
endforeach()
