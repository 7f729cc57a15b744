/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DLFERRY_PYTHON_CONTENT_H
#define DLFERRY_PYTHON_CONTENT_H

#include "base.h"

/** The content of a Python object for a tensor. */
typedef struct dlfpy_content {
  dlf_tensor *handle; /**< NULL once released */
  bool legacy; /**< its producer uses DLPack 0.8, which cannot say read-only: such a tensor must not
                  be written, but consumers of 0.8, which cannot ask, get it unchanged */
  PyObject *producer; /**< borrowed: it can move data that the processor cannot reach; or NULL */
} dlfpy_content;

/** Return the handle's flags, with READ_ONLY if it counts as read-only. */
static inline uint64_t dlfpy_flags(dlfpy_content content) {
  return dlf_flags(content.handle) | (content.legacy ? DLPACK_FLAG_BITMASK_READ_ONLY : 0);
}

#endif
