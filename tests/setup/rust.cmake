# SPDX-License-Identifier: Apache-2.0
# cargo from PATH with a CARGO_HOME below build/; bindgen, the oracle of dlferry-sys, only where tests run.

set(rust_minimum 1.82)
set(bindgen_pin 0.73.2)
find_program(cargo_found cargo NO_CACHE)
set(rust_version "")
if(cargo_found)
  dlferry_version(rust_version ${cargo_found} --version)
endif()
if(NOT rust_version OR rust_version VERSION_LESS rust_minimum)
  dlferry_missing(rust "expected cargo ${rust_minimum} or later on PATH, got '${rust_version}'. Install it with rustup (rustup.rs)")
  return()
endif()

# The user's own settings (a mirror, a proxy) must hold in this CARGO_HOME as well.
file(MAKE_DIRECTORY ${DLFERRY_SETUP_DIR}/cargo)
set(user_cargo "$ENV{CARGO_HOME}")
if(NOT user_cargo)
  set(user_cargo "$ENV{HOME}/.cargo")
endif()
foreach(name IN ITEMS config.toml config)
  if(EXISTS ${user_cargo}/${name} AND NOT EXISTS ${DLFERRY_SETUP_DIR}/cargo/${name})
    file(CREATE_LINK ${user_cargo}/${name} ${DLFERRY_SETUP_DIR}/cargo/${name} SYMBOLIC)
  endif()
endforeach()

# Crates are fetched here once, so that the builds themselves work offline.
file(GLOB_RECURSE locks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bindings/*/Cargo.lock
  ${PROJECT_SOURCE_DIR}/tests/*/Cargo.lock ${PROJECT_SOURCE_DIR}/examples/*/Cargo.lock)
set(dlferry_step_ok TRUE)
foreach(lock IN LISTS locks)
  get_filename_component(folder ${lock} DIRECTORY)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${folder})
  string(REPLACE "/" "-" name "${name}")
  file(SHA256 ${lock} hash)
  if(dlferry_step_ok)
    dlferry_step(crates-${name} "${hash}" ${cargo_found} fetch --locked --manifest-path ${folder}/Cargo.toml)
  endif()
endforeach()
if(NOT dlferry_step_ok)
  dlferry_missing(rust "fetching crates failed, see the output above. Is the crate registry reachable?")
  return()
endif()
set(DLFERRY_CARGO ${cargo_found})
list(APPEND DLFERRY_ENVIRONMENT CARGO_NET_OFFLINE=true)
dlferry_row(rust "${rust_version}" "found ${cargo_found}")

if(NOT DLFERRY_TESTS)
  set(DLFERRY_ENV ${CMAKE_COMMAND} -E env ${DLFERRY_ENVIRONMENT})
  return()
endif()
set(tools ${DLFERRY_SETUP_DIR}/cargo-tools)
if(NOT EXISTS ${tools}/bin/bindgen)
  file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/bindgen)
endif()
# It runs a few times on small headers: building it fast matters more than its own speed.
dlferry_step(bindgen "${bindgen_pin}" ${CMAKE_COMMAND} -E env --unset=CARGO_TARGET_DIR CARGO_PROFILE_DEV_DEBUG=0
  ${cargo_found} install bindgen-cli --debug --version ${bindgen_pin} --locked --root ${tools})
if(dlferry_step_ok)
  set(DLFERRY_BINDGEN ${tools}/bin/bindgen)
  dlferry_row(bindgen "${bindgen_pin}" "installed in ${tools}")
else()
  dlferry_row(bindgen "-" "MISSING: `cargo install bindgen-cli` failed, see the output above")
endif()
# libclang comes from its wheel, which lacks clang's own headers: the C compiler's serve.
if(DLFERRY_PYTHON)
  execute_process(COMMAND ${DLFERRY_PYTHON} -c
    "import clang, os; print(os.path.join(os.path.dirname(clang.__file__), 'native'))"
    OUTPUT_VARIABLE libclang OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=include OUTPUT_VARIABLE builtin
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  list(APPEND DLFERRY_ENVIRONMENT "LIBCLANG_PATH=${libclang}" "BINDGEN_EXTRA_CLANG_ARGS=-I${builtin}")
endif()
set(DLFERRY_ENV ${CMAKE_COMMAND} -E env ${DLFERRY_ENVIRONMENT})
