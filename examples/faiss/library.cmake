# SPDX-License-Identifier: Apache-2.0
# faiss's C API as a shared library: Debian's libfaiss-dev has its headers and a static libfaiss.a, but none of its
# functions. Their sources come from the crate faiss-sys, which configure fetches; nothing of faiss is checked in.
#
#   DLFERRY_FAISS  the folder of libfaiss_c.so; a test that needs it declares NEEDS faiss
set(DLFERRY_FAISS ${PROJECT_BINARY_DIR}/faiss)
file(GLOB crate ${DLFERRY_SETUP_DIR}/cargo/registry/src/*/faiss-sys-0.6.2/faiss/c_api)
find_program(cxx NAMES c++ g++ clang++ NO_CACHE)
set(libfaiss ${DLFERRY_DEBIAN_LIBRARY}/libfaiss.a)
if(NOT crate OR NOT cxx OR NOT EXISTS ${libfaiss})
  list(APPEND DLFERRY_MISSING faiss)
  set(DLFERRY_MISSING_faiss "expected a C++ compiler, cargo, which fetches faiss's C API, and Debian's libfaiss-dev")
  return()
endif()

# Copies, since a source's #include "Index_c.h" would find the crate's header beside it, which is of faiss 1.7.2.
set(sources "")
foreach(name IN ITEMS AutoTune_c Index_c error_impl impl/AuxIndexStructures_c index_factory_c index_io_c)
  get_filename_component(file ${name} NAME)
  configure_file(${crate}/${name}.cpp ${DLFERRY_FAISS}/${file}.cpp COPYONLY)
  list(APPEND sources ${DLFERRY_FAISS}/${file}.cpp)
endforeach()
set(include ${DLFERRY_DEBIAN_ROOT}/usr/include)
set(folders ${DLFERRY_DEBIAN_LIBRARY} ${DLFERRY_DEBIAN_LIBRARY}/blas ${DLFERRY_DEBIAN_LIBRARY}/lapack)
list(TRANSFORM folders PREPEND -L OUTPUT_VARIABLE link)
# Two headers that faiss 1.7.2 included by others, but 1.7.3 does not. NDEBUG: its functions print no exceptions.
add_custom_command(OUTPUT ${DLFERRY_FAISS}/libfaiss_c.so DEPENDS ${sources} VERBATIM
  COMMAND ${cxx} -shared -fPIC -O1 -w -DNDEBUG -I${include} -I${include}/faiss/c_api -I${include}/faiss/c_api/impl
    -include faiss/impl/IDSelector.h -include faiss/impl/DistanceComputer.h ${sources} ${libfaiss} ${link}
    -Wl,--exclude-libs,libfaiss.a -Wl,-z,defs -llapack -lblas -lgomp -o ${DLFERRY_FAISS}/libfaiss_c.so
  COMMENT "faiss's C API")
add_custom_target(faiss_c_api ALL DEPENDS ${DLFERRY_FAISS}/libfaiss_c.so)
