/* SPDX-License-Identifier: Apache-2.0 */
%module(package="dlferry") hub

%begin %{
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
%}
%{
#include "hub.h"
#include <dlferry/oneapi.h>
#include <dlferry/npy.h>
#include <errno.h>
#include <string.h>
%}

%include "typemaps.i"
%include "docs.i"

%rename("%(strip:[dlf_])s") "";

typedef struct dlf_tensor dlf_tensor;

/* Parameters have the names that Python's keywords have. */
dlf_status dlf_check(const DLTensor *x, uint64_t flags, int32_t level, dlf_error *error);
const char *dlf_version(void);

%exception dlf_live { dlfpy_drain(); $action }
int64_t dlf_live(void);
%exception;

%{
#define dlf_identical(a, b) hub_identical(a, b)
#define dlf_equal(a, b) hub_equal(a, b)
#define dlf_all_close(a, b, rtol, atol, equal_nan) hub_all_close(a, b, rtol, atol, equal_nan)
%}
PyObject *dlf_identical(PyObject *a, PyObject *b);
PyObject *dlf_equal(PyObject *a, PyObject *b);
PyObject *dlf_all_close(PyObject *a, PyObject *b, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);

%{
static PyObject *text_describe(dlf_arg tensor) { return hub_text(tensor, dlf_describe); }
static PyObject *text_format(dlf_arg tensor) { return hub_text(tensor, dlf_format); }
#define dlf_describe(x) text_describe(x)
#define dlf_format(x) text_format(x)
%}
PyObject *dlf_describe(dlf_arg x);
PyObject *dlf_format(dlf_arg x);

int32_t dlf_version_number(void);
dlf_status dlf_set_threads(int32_t count, dlf_error *error);

/* A handle of the call's own would be a second one. */
%typemap(in) dlf_tensor *alone {
  $1 = hub_handle($input, "$symname");
  if (!$1) SWIG_fail;
}
%typemap(freearg) dlf_tensor *alone "";
bool dlf_is_unique(dlf_tensor *alone);

%{
static PyObject *json_of(const dlf_tensor *tensor) {
  char text[1024 + 48 * DLF_MAX_NDIM]; /* an extent and a stride for each axis */
  return PyUnicode_FromStringAndSize(text, (Py_ssize_t)dlf_describe_json(tensor, text, sizeof text));
}
#define dlf_describe_json(tensor) json_of(tensor)
%}
PyObject *dlf_describe_json(dlf_tensor *tensor);

%typemap(arginit) const char *library { encoded$argnum = NULL; }
%typemap(default) const char *library { $1 = NULL; }
%typemap(in) const char *library (PyObject *encoded) {
  if ($input != Py_None) {
    if (!PyUnicode_FSConverter($input, &encoded)) SWIG_fail;
    $1 = PyBytes_AS_STRING(encoded);
  }
}
%typemap(freearg) const char *library { Py_XDECREF(encoded$argnum); }
dlf_status dlf_oneapi_enable(const char *library, dlf_error *error);

%include "layout.i"
%include "contract.i"
%include "npy.i" /* the last: its rule for a tensor is its own */

%wrapper %{
static PyObject *hub_swig_init(void);
PyMODINIT_FUNC PyInit__hub(void) { return dlfpy_init("dlferry", (PyModuleDef *)hub_swig_init()); }
#undef SWIG_init
#define SWIG_init hub_swig_init
#undef SWIGEXPORT
#define SWIGEXPORT static

static const char *strip(const char *doc) { return doc && *doc == '\n' ? doc + 1 : doc; }
%}

%init %{
  /* SWIG begins each docstring on a new line, where inspect does not find the signature. */
  for (PyMethodDef *f = SwigMethods; f->ml_name; f++) f->ml_doc = strip(f->ml_doc);
  if (!hub_finish(m)) return -1;
%}
