# SPDX-License-Identifier: Apache-2.0
# The crates' tests under what only a nightly Rust has: the address sanitizer, which watches the C in them too, or Miri.
set(not_run COMMAND sh ${PROJECT_SOURCE_DIR}/tests/setup/not_run.sh)
set(how "rustup toolchain install nightly --component miri --component rust-src")

if(DLFERRY_RUST_MIRI)
  if(NOT DLFERRY_NIGHTLY)
    dlferry_test(NAME rust_miri LABELS rust ${not_run} miri "`cargo miri setup` of a nightly Rust does not run: ${how}")
    return()
  endif()
  # What docs.rs shows, which only a nightly rustdoc writes.
  dlferry_test(NAME rust_badges LABELS rust lint LOCK cargo ENVIRONMENT RUSTUP_TOOLCHAIN=nightly CARGO=${DLFERRY_CARGO}
    COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/badges.sh)
  # The hub runs natively, with its handles and elements in memory of Rust's, which Miri follows. It cannot call Rust,
  # and code that it compiles for tests is not there: such tests are ignored.
  set(hub ${CMAKE_CURRENT_SOURCE_DIR}/dlferry-sys/csrc/dlferry.c)
  set_source_files_properties(${hub} PROPERTIES GENERATED TRUE
    COMPILE_DEFINITIONS "malloc=miri_hub_malloc;calloc=miri_hub_calloc;free=miri_hub_free")
  find_package(Threads REQUIRED)
  add_library(dlferry_miri SHARED ${hub} testing/miri.c)
  add_dependencies(dlferry_miri copies)
  target_include_directories(dlferry_miri PRIVATE dlferry-sys/csrc)
  target_link_libraries(dlferry_miri PRIVATE Threads::Threads m ${CMAKE_DL_LIBS})
  dlferry_test(NAME rust_miri LABELS rust TIMEOUT 3000 ENVIRONMENT RUSTUP_TOOLCHAIN=nightly
    MIRI_SYSROOT=${DLFERRY_MIRI_SYSROOT} MIRIFLAGS=-Zmiri-native-lib=$<TARGET_FILE:dlferry_miri>
    COMMAND ${DLFERRY_CARGO} miri test --locked -p dlferry --features half,num-complex,ndarray --lib --test arg --test nd
    --test aliasing)
  return()
endif()

include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=address)
check_c_source_compiles("int main(void) { return 0; }" DLFERRY_HAS_ASAN)
if(NOT DLFERRY_NIGHTLY)
  dlferry_test(NAME rust_asan LABELS rust ${not_run} nightly "there is no nightly Rust: ${how}")
  return()
elseif(NOT DLFERRY_HAS_ASAN)
  dlferry_test(NAME rust_asan LABELS rust ${not_run} asan "${CMAKE_C_COMPILER} has no address sanitizer")
  return()
endif()
# With a target named, programs that run while others are built are left alone. gcc's code works with Rust's runtime.
string(REPLACE "-" "_" host "${DLFERRY_NIGHTLY}")
set(asan LABELS rust LOCK cargo TIMEOUT 3000 ENVIRONMENT RUSTUP_TOOLCHAIN=nightly CARGO_BUILD_TARGET=${DLFERRY_NIGHTLY}
  RUSTFLAGS=-Zsanitizer=address RUSTDOCFLAGS=-Zsanitizer=address CC=${CMAKE_C_COMPILER}
  "CFLAGS_${host}=-fsanitize=address -fno-omit-frame-pointer" CARGO=${DLFERRY_CARGO})
dlferry_test(NAME rust_asan ${asan} COMMAND ${DLFERRY_CARGO} test --no-fail-fast ${features})
dlferry_test(NAME rust_asan_sees_c ${asan} COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/testing/sees_c.sh)
dlferry_test(NAME rust_asan_generated ${asan} DLFERRY_BIND=$<TARGET_FILE:dlferry-bind> ONLY=run
  COMMAND sh ${CMAKE_CURRENT_SOURCE_DIR}/generated/run.sh)
