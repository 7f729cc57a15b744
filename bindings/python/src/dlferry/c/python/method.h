/* SPDX-License-Identifier: Apache-2.0 */
/* An object's own __dlpack__. */
#ifndef DLFERRY_PYTHON_METHOD_H
#define DLFERRY_PYTHON_METHOD_H

#include "base.h"

/** Find the method __dlpack__ of x; NULL for an object without one. */
bool dlfpy_method(PyObject *x, const char *name, PyObject **out);

/** Call it, for data that is ready on a stream: a number for __dlpack__, or NULL for the default
 * one. Gives a capsule.
 *  @param device  type 0 for the device that the data is on
 *  @param told_to_copy  whether copy=True was passed: producers from before that keyword cannot
 * copy
 */
PyObject *dlfpy_ask(PyObject *x, PyObject *method, const char *name, DLDevice device,
                    dlf_copy_mode copy, PyObject *stream, bool *told_to_copy);

/** Call it without asking for the device before: for an object of a type whose objects were on the
 * processor so far. The result may be anything, or NULL with the producer's exception. */
PyObject *dlfpy_ask_at_once(PyObject *x);

#endif
