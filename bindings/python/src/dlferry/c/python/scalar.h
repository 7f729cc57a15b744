/* SPDX-License-Identifier: Apache-2.0 */
/* Convert Python numbers, texts and bools to C. `name` opens the messages: "blur: sigma". */
#ifndef DLFERRY_PYTHON_SCALAR_H
#define DLFERRY_PYTHON_SCALAR_H

#include "base.h"

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out);
bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out);
bool dlfpy_real(const char *name, PyObject *x, double *out);
/** The same for C's float; a finite number must not become infinite. */
bool dlfpy_float(const char *name, PyObject *x, double *out);
/** Whether x is a bool of Python or NumPy, or an array of bool; no exception. */
bool dlfpy_is_bool(PyObject *x);
bool dlfpy_bool(const char *name, PyObject *x, bool *out);
/** A complex number of Python or NumPy, or a real one. */
bool dlfpy_complex_double(const char *name, PyObject *x, double *re, double *im);
bool dlfpy_complex_float(const char *name, PyObject *x, float *re, float *im);
/** A str of one character of ASCII. */
bool dlfpy_char(const char *name, PyObject *x, char *out);
bool dlfpy_string(const char *name, PyObject *x, const char **out);

#endif
