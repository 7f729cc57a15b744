/* SPDX-License-Identifier: Apache-2.0 */
%module(package="dlferry") hub

%begin %{
#ifndef PY_SSIZE_T_CLEAN
#define PY_SSIZE_T_CLEAN
#endif
%}
%{
#include "hub.h"
#include <string.h>
%}

%include "stdint.i"
%include "typemaps.i"
%include "docs.i"

%rename("%(strip:[dlf_])s") "";

typedef struct dlf_tensor dlf_tensor;

/* Parameters have the names that Python's keywords have. */
dlf_status dlf_create(DLDataType dtype, int32_t shape, const int64_t *extents, DLDevice device, dlf_tensor **out,
                      dlf_error *error);
dlf_status dlf_check(const DLTensor *x, uint64_t flags, dlf_check_level level, dlf_error *error);
const char *dlf_version(void);

%exception dlf_live { dlfpy_drain(); $action }
int64_t dlf_live(void);
%exception;

%{
static PyObject *text_describe(dlf_arg tensor) { return hub_text(tensor, dlf_describe); }
static PyObject *text_format(dlf_arg tensor) { return hub_text(tensor, dlf_format); }
#define dlf_describe(x) text_describe(x)
#define dlf_format(x) text_format(x)
%}
PyObject *dlf_describe(dlf_arg x);
PyObject *dlf_format(dlf_arg x);

%wrapper %{
static PyObject *hub_swig_init(void);
PyMODINIT_FUNC PyInit__hub(void) { return dlfpy_init("dlferry", hub_swig_init); }
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
