# SPDX-License-Identifier: Apache-2.0
# The presets python-soak, python-asan and python-debug: the tests of this folder for longer, with every extension module
# built under sanitizers, and in a debug build of CPython.
set(sound_environment DLFERRY_MALFORMED=$<TARGET_FILE:python_malformed>)

if(DLFERRY_PYTHON_SOAK)
  dlferry_test(NAME python_soak LABELS python TIMEOUT 14400
    ENVIRONMENT ${sound_environment} DLFERRY_NEEDS_ALL=1 DLFERRY_ROUNDS=100000
    COMMAND ${DLFERRY_PYTHON} -m pytest -v -p no:cacheprovider tests/test_soak.py tests/test_threads.py
      tests/test_fork.py tests/test_shutdown.py tests/test_subinterpreters.py)
  return()
endif()

# dlferry_sound_install(TARGET option...): pip installs dlferry and photo with these options. The function runs in the
# root folder's scope.
function(dlferry_sound_install target)
  get_property(pip GLOBAL PROPERTY DLFERRY_SOUND_PIP)
  get_target_property(photo photo DLFERRY_OUT)
  set(build --config-settings=build-dir=${PROJECT_BINARY_DIR}/${target})
  add_custom_target(${target} ALL
    COMMAND ${pip} ${build}/dlferry --config-settings=cmake.define.DLFERRY_DEVELOP=ON
      ${PROJECT_SOURCE_DIR}/bindings/python
    COMMAND ${pip} ${build}/photo ${photo}/python VERBATIM)
  add_dependencies(${target} python photo_bind)
endfunction()
set(environment ${DLFERRY_ENV} ${CMAKE_COMMAND} -E env PIP_DISABLE_PIP_VERSION_CHECK=1)
set(options --quiet --no-index --no-deps --no-build-isolation)

if(DLFERRY_PYTHON_ASAN)
  set(flags "-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all")
  set(site ${PROJECT_BINARY_DIR}/python-asan-site)
  set_property(GLOBAL PROPERTY DLFERRY_SOUND_PIP ${environment} ${DLFERRY_PYTHON} -m pip install ${options} --upgrade
    --target ${site} --config-settings=cmake.build-type=RelWithDebInfo
    "--config-settings=cmake.define.CMAKE_C_FLAGS=${flags}")
  cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL dlferry_sound_install python_asan_site)
  dlferry_test(NAME python_asan LABELS python TIMEOUT 14400
    ENVIRONMENT ${sound_environment} DLFERRY_NEEDS_ALL=1 DLFERRY_ROUNDS=300
    COMMAND ${DLFERRY_PYTHON} tests/sanitized.py ${site} ${CMAKE_C_COMPILER} "${flags}" -v tests)
endif()

if(DLFERRY_PYTHON_DEBUG)
  # Debian's; elsewhere it must be unpacked by hand.
  set(root ${DLFERRY_SETUP_DIR}/cpython-debug)
  set(packages "python3[.][0-9]+-dbg" "python3[.][0-9]+-minimal" "libpython3[.][0-9]+-(dbg|dev|stdlib|minimal)")
  file(SHA256 ${PROJECT_SOURCE_DIR}/tests/setup/debian.sh hash)
  if(NOT EXISTS ${root}/usr/bin)
    file(REMOVE ${DLFERRY_SETUP_DIR}/stamps/python-debug)
  endif()
  dlferry_step(python-debug "${hash} ${packages}" sh ${PROJECT_SOURCE_DIR}/tests/setup/debian.sh ${root} ${packages})
  file(GLOB debug ${root}/usr/bin/python3.*-dbg)
  set(venv ${DLFERRY_SETUP_DIR}/cpython-debug-venv)
  if(dlferry_step_ok)
    dlferry_step(python-debug-venv "${debug}" ${debug} -m venv --without-pip --clear ${venv})
  endif()
  # A debug CPython loads modules that were built for a release build, so its own frameworks are PyPI's wheels.
  set(list ${PROJECT_SOURCE_DIR}/tests/setup/requirements-python-debug.txt)
  file(SHA256 ${list} hash)
  if(dlferry_step_ok)
    dlferry_step(requirements-python-debug.txt "${hash} ${debug}" ${DLFERRY_PYTHON} -m pip --python ${venv}/bin/python
      install --disable-pip-version-check --no-compile -r ${list})
  endif()
  if(NOT dlferry_step_ok)
    dlferry_test(NAME python_debug LABELS python COMMAND sh ${PROJECT_SOURCE_DIR}/tests/setup/not_run.sh python-debug
      "Debian's python3-dbg could not be unpacked, see the output of configure")
    return()
  endif()
  # The headers lie elsewhere than pyconfig.h expects, where it finds the release build's.
  set_property(GLOBAL PROPERTY DLFERRY_SOUND_PIP ${environment} "PATH=${venv}/bin:$ENV{PATH}" CPATH=${root}/usr/include ${DLFERRY_PYTHON} -m pip --python ${venv}/bin/python install ${options} --force-reinstall
    --config-settings=cmake.build-type=Debug --config-settings=cmake.define.CMAKE_C_FLAGS=-DPy_DEBUG)
  cmake_language(DEFER DIRECTORY ${PROJECT_SOURCE_DIR} CALL dlferry_sound_install python_debug_site)
  dlferry_test(NAME python_debug LABELS python TIMEOUT 14400
    ENVIRONMENT ${sound_environment} DLFERRY_ROUNDS=20000 CPATH=${root}/usr/include CFLAGS=-DPy_DEBUG
    COMMAND ${venv}/bin/python -X dev -W ignore -m pytest -v -rs -p no:cacheprovider tests)
endif()
