/* SPDX-License-Identifier: Apache-2.0 */
/* A producer's exchange table, applied to an object. */
#ifndef DLFERRY_PYTHON_TABLE_H
#define DLFERRY_PYTHON_TABLE_H

#include "producer.h"

/** Call the owning function of a producer's exchange table, unchecked; the caller must release the
 * result. */
DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer,
                                        const char *name);

/** Describe x with the lending function of its producer's exchange table. */
bool dlfpy_described(PyObject *x, const dlfpy_producer *producer, const char *name, DLTensor *out);

/** Make an object of the framework whose table producer has. Takes owned. type names it in
 * messages. */
PyObject *dlfpy_from_managed(const dlfpy_producer *producer, const char *type,
                             DLManagedTensorVersioned *owned);

#endif
