/* SPDX-License-Identifier: Apache-2.0 */
/* Managed tensors of the shared cases, made from one line of text; plain C, no hub. Every
 * language's runner builds made.c beside malformed.c and imports what it makes.
 *
 *   float32[2, 3] strides [1, 2] first 2 cuda:0 read-only: 0 1 2 3 4 5
 *
 * A dtype and a shape; then, in any order and each only if it matters:
 *   strides [...]  in elements; without it row-major
 *   first N        the number, in memory, of the element with index 0 on every axis; may be below 0
 * or beyond the end skew N         bytes by which all elements are moved from an aligned address
 *   cuda:N         the device that the tensor claims; its memory is always the processor's
 *   read-only, copied, padded, flags N
 *   : V V ...      the elements of the memory, in their order, a complex number as two. Without a
 * colon data is NULL. Integers, bool, float32, float64, complex64 and complex128 are values. All
 * other elements are bytes. */
#ifndef DLFERRY_TESTS_MADE_H
#define DLFERRY_TESTS_MADE_H

#include "malformed.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Make a managed tensor from its text; NULL if it is none. The caller owns it. */
MALFORMED_API DLManagedTensorVersioned *made_tensor(const char *text);

/** Count the deleters of such tensors that have run since the process began, on any thread. */
MALFORMED_API int64_t made_deleted(void);

#ifdef __cplusplus
}
#endif

#endif
