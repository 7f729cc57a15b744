/* SPDX-License-Identifier: Apache-2.0 */
/* DLPack's capsules: their content, and its owner. */
#ifndef DLFERRY_PYTHON_CAPSULE_H
#define DLFERRY_PYTHON_CAPSULE_H

#include "content.h"

/** Export a handle, flagged read-only if it counts as read-only. */
dlf_status dlfpy_export(dlfpy_content content, DLManagedTensorVersioned **out, dlf_error *error);
PyObject *dlfpy_capsule(dlfpy_content content);
PyObject *dlfpy_capsule_legacy(dlf_tensor *self);

/** Make a capsule of a managed tensor, which it takes, after a failure too. */
PyObject *dlfpy_capsule_of(DLManagedTensorVersioned *owned);
PyObject *dlfpy_capsule_of_legacy(DLManagedTensor *owned);

/** Refuse another major version than ours. */
bool dlfpy_has_our_version(const DLManagedTensorVersioned *managed, const char *name);

/** Read a capsule that has not been consumed, without consuming it. */
bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out);

/** Consume a capsule: gives its DLManagedTensorVersioned, or DLManagedTensor if *versioned is
 * false. */
void *dlfpy_capsule_take(PyObject *capsule, const char *name, bool *versioned);

#endif
