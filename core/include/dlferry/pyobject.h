/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as Python objects, for programs and languages that run CPython in their process. */
#ifndef DLFERRY_PYOBJECT_H
#define DLFERRY_PYOBJECT_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Python objects: a `PyObject *` is a `void *` here, since nothing is linked ----
 *
 * Any thread may call these functions: they take the GIL, and wait for it. So the caller must not hold a lock that a
 * thread of Python may wait for. The interpreter is the main one, 3.10 or newer, and must be running. An exception of
 * Python becomes a failure with its text; one that was in flight before the call stays in flight. The deleter of an
 * imported tensor takes the GIL itself, as DLPack demands of Python's producers. */

/** Find Python's functions in this process, for the rest of it.
 *  The functions below do so themselves if the program, or a library that all others see, has them; only a libpython
 *  that was loaded for one library alone (RTLD_LOCAL) must be named. Fails with FOREIGN if the library cannot be loaded,
 *  or UNSUPPORTED without Python's functions there.
 *  @param library its path; NULL means the program and the libraries that all others see */
DLF_API dlf_status dlf_python_enable(const char *library, dlf_error *error);

/** Import a Python object, such as a NumPy array: by its type's exchange table, else by its __dlpack__.
 *  A DLPack capsule is consumed. Borrows object. Gives *out. Like dlferry's Python package it flags arrays of JAX and
 *  TensorFlow, and torch tensors that require grad, READ_ONLY, and refuses torch's lazily conjugated and negated ones
 *  with LAYOUT. Data of another device is ready on that device's default stream. Fails with INVALID for other objects,
 *  FOREIGN and the text of Python's exception, UNSUPPORTED without a running Python, or like dlf_from_dlpack and
 *  dlf_to_device.
 *  @param device where the data shall be; device_type 0 for its own place */
DLF_API dlf_status dlf_from_python(void *object, DLDevice device, dlf_copy_mode copy, dlf_tensor **out,
                                   dlf_error *error);

/** Make a Python object that keeps self.
 *  Gives *out, a new reference. Fails with FOREIGN and the text of Python's exception, INVALID for a `like` that makes
 *  no arrays, UNSUPPORTED without a running Python, or like dlf_to_dlpack.
 *  @param like may be NULL, which gives an object with __dlpack__ and __dlpack_device__ alone, for any consumer's
 *              from_dlpack; else a type with an exchange table, a module or class with from_dlpack, such as numpy, or an
 *              array of either, whose kind *out then is */
DLF_API dlf_status dlf_to_python(dlf_tensor *self, void *like, void **out, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
