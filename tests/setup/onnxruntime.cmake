# SPDX-License-Identifier: Apache-2.0
# ONNX Runtime's shared library, for the Go sub-module of that name and for examples/service: from the wheel, whose
# version has the API of the headers that onnxruntime_go bundles. Beside it the package onnx, which writes models.
#
#   DLFERRY_ONNXRUNTIME  the library's path; empty when there is none
#
# A test that needs them declares NEEDS onnxruntime; if they are missing it is *not run*.

if(NOT "go" IN_LIST DLFERRY_LANGUAGES)
  return()
endif()
set(onnxruntime_why "it is a Python package, and Python is missing")
if(DLFERRY_PYTHON)
  file(SHA256 ${setup_sources}/requirements-onnx.txt hash)
  dlferry_step(requirements-onnx.txt "${hash}" sh ${setup_sources}/install.sh ${DLFERRY_PYTHON} --no-deps
    -r ${setup_sources}/requirements-onnx.txt)
  set(onnxruntime_why "packages of Python could not be fetched, see the output above")
  if(dlferry_step_ok)
    file(GLOB DLFERRY_ONNXRUNTIME ${venv}/lib/python3.*/site-packages/onnxruntime/capi/libonnxruntime.so.1.*)
    set(onnxruntime_why "the wheel of onnxruntime has no libonnxruntime.so")
  endif()
endif()
if(DLFERRY_ONNXRUNTIME MATCHES "libonnxruntime[.]so[.]([0-9.]+)$")
  dlferry_row(onnx "${CMAKE_MATCH_1}" "installed in ${venv}")
else()
  dlferry_missing(onnxruntime "${onnxruntime_why}")
endif()
