/* SPDX-License-Identifier: Apache-2.0 */
/* Python sequences as C's lists of tensors and arrays of numbers, during one call. */
#ifndef DLFERRY_PYTHON_SEQUENCE_H
#define DLFERRY_PYTHON_SEQUENCE_H

#include "call.h"

/** Widths, in dlferry-bind's order. */
typedef enum dlfpy_number {
  DLFPY_I8,
  DLFPY_I16,
  DLFPY_I32,
  DLFPY_I64,
  DLFPY_U8,
  DLFPY_U16,
  DLFPY_U32,
  DLFPY_U64,
  DLFPY_F32,
  DLFPY_F64
} dlfpy_number;

/** Add a list argument: any iterable of tensors that are only read. */
bool dlfpy_list(dlfpy_call *call, const char *name, PyObject *x, dlfpy_tensors *out);

/** The list's first tensor or NULL, borrowed. */
PyObject *dlfpy_first_of(const dlfpy_tensors *list);

/** Add an array argument: a matching buffer, which is borrowed, or any iterable of numbers, which
 * are copied. */
bool dlfpy_array(dlfpy_call *call, const char *name, PyObject *x, dlfpy_number number,
                 dlfpy_numbers *out);

#endif
