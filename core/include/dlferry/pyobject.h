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
 * Any thread may call these functions: they take the GIL, and wait for it. So the caller must not
 * hold a lock that a thread of Python may wait for. The interpreter is the main one, 3.10 or newer,
 * and must be running. An exception of Python becomes a failure with its text, and is left in
 * flight only for a caller who asks for that; one that was in flight before the call otherwise
 * stays in flight. The deleter of an imported tensor takes the GIL itself, as DLPack demands of
 * Python's producers. */

/** Find Python's functions in this process, for the rest of it.
 *  The functions below do so themselves if the program, or a library that all others see, has them;
 * only a libpython that was loaded for one library alone (RTLD_LOCAL) must be named. Fails with
 * FOREIGN if the library cannot be loaded, or UNSUPPORTED without Python's functions there.
 *  @param library its path; NULL means the program and the libraries that all others see */
DLF_API dlf_status dlf_python_enable(const char *library, dlf_error *error);

/** Stream number of an import that waits on the default stream of the data's device. */
#define DLF_STREAM_DEFAULT (-2)

/** What an import asks of a producer.
 *  Begin with DLF_IMPORT_OPTIONS_INIT. */
typedef struct dlf_import_options {
  int64_t size;           /**< of this structure, like in dlf_backend */
  DLDevice device;        /**< where the data shall be; device_type 0: its own place */
  int32_t copy;           /**< a dlf_copy_mode */
  int32_t keep_exception; /**< not 0: leave Python's exception in flight, for a caller who holds the
                             GIL */
  int64_t stream; /**< number of a stream in Python's array API on which the data shall be ready,
                               or DLF_STREAM_DEFAULT */
} dlf_import_options;
#define DLF_IMPORT_OPTIONS_INIT                                                                    \
  {sizeof(dlf_import_options), {(DLDeviceType)0, 0}, 0, 0, DLF_STREAM_DEFAULT}

/** Import a Python object, such as a NumPy array: by its type's exchange table, else by its
 * __dlpack__. A DLPack capsule is consumed. Borrows object. Gives *out. options may be NULL, which
 * asks for nothing. Like dlferry's Python package it flags arrays of JAX and TensorFlow READ_ONLY,
 * and torch tensors that require grad, which it refuses with READ_ONLY while torch's grad mode is
 * enabled; and it refuses with LAYOUT torch's lazily conjugated and negated ones, and NumPy's
 * masked arrays that hide an element. A torch tensor's storage is kept. Fails with INVALID for
 * other objects, FOREIGN and the text of Python's exception, UNSUPPORTED without a running Python,
 * or like dlf_from_dlpack and dlf_to_device. */
DLF_API dlf_status dlf_from_python(void *object, const dlf_import_options *options,
                                   dlf_tensor **out, dlf_error *error);

/** Make a Python object that keeps self.
 *  Gives *out, a new reference. Fails with FOREIGN and the text of Python's exception, INVALID for
 * a `like` that makes no arrays, READ_ONLY for a read-only tensor whose array of that kind could
 * be written, as those of PyTorch, UNSUPPORTED without a running Python, and with `like` for flags
 * that DLPack 1.3 does not name, or like dlf_to_dlpack.
 *  @param like may be NULL, which gives a dlferry.SharedTensor, for any consumer's from_dlpack,
 * numpy.asarray and memoryview; else a type with an exchange table, a module or class with
 * from_dlpack, such as numpy, or an array of either, whose kind *out then is
 *  @param keep_exception leave Python's exception in flight, for a caller who holds the GIL */
DLF_API dlf_status dlf_to_python(dlf_tensor *self, void *like, bool keep_exception, void **out,
                                 dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
