/* SPDX-License-Identifier: Apache-2.0 */
/* Each runtime's functions for the matrix and the demo, through the C ABI alone. C, Rust and Go
 * export these symbols from a shared library; Julia gives the same functions as pointers from the
 * embedded runtime; Python is the main program. All calls come from the process's main thread,
 * except foreign calls of a deleter. */
#ifndef DLFERRY_ROOM_H
#define DLFERRY_ROOM_H

#include <dlferry.h>

/** Make the matrix's tensor in this runtime's own memory: float32, shape [2, 3], element (i, j) =
 * 10 i + j, with strides that are not compact (a window of a larger array, or column-major in
 * Julia). Gives *out. */
int32_t room_produce(DLManagedTensorVersioned **out, dlf_error *error);

/** Take a tensor, read it element by element through this runtime's own typed view, and release it.
 *  Takes owned, after a failure too. *sum gets the sum over i, j of (i + 1) (j + 1) A[i, j],
 * *address the address of the first element as the runtime saw it. Fails when the dtype is not
 * float32 or ndim is not 2. */
int32_t room_consume(DLManagedTensorVersioned *owned, double *sum, uint64_t *address,
                     dlf_error *error);

/** Run one kernel of the photo package, called as this runtime's users call it.
 *  Takes owned, after a failure too. *address gets the address of the input's first element as the
 * runtime saw it. Gives *out: the kernel's new output, or the input itself after a kernel that
 * works in place. */
int32_t room_photo(const char *kernel, DLManagedTensorVersioned *owned,
                   DLManagedTensorVersioned **out, uint64_t *address, dlf_error *error);

/** Count the tensors of this runtime's copy of the hub that are not released, after draining its
 * release queue and its garbage collector. */
int64_t room_live(void);

#endif
