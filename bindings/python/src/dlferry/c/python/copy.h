/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_COPY_H
#define DLFERRY_PYTHON_COPY_H

#include "base.h"

/** Copy a tensor; a large copy releases the GIL. NULL with an exception. */
dlf_tensor *dlfpy_copy(dlf_tensor *self);

/** Export a copy likewise. */
DLManagedTensorVersioned *dlfpy_copy_managed(dlf_tensor *self);

#endif
