/* SPDX-License-Identifier: Apache-2.0 */
/* What a producer's exchange table says of an object. */
#ifndef DLFERRY_PYTHON_TABLE_H
#define DLFERRY_PYTHON_TABLE_H

#include "producer.h"

/** Give what the owning function of a producer's exchange table gives, unchecked; the caller must release it. */
DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer, const char *name);

/** Describe x as its producer's exchange table lends it. */
bool dlfpy_described(PyObject *x, const dlfpy_producer *producer, const char *name, DLTensor *out);

#endif
