/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of the golden cases, for every language alike: plain C, no hub. */
#ifndef DLFERRY_TESTS_GOLDEN_TENSORS_H
#define DLFERRY_TESTS_GOLDEN_TENSORS_H

#include <dlpack/dlpack.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TENSORS_API __attribute__((visibility("default")))
#else
#define TENSORS_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Make a managed tensor of numbers in a row: slot code bits lanes device_type device_id flags skew
 * alias offset ndim, then shape, then strides in elements, then none or all elements, row-major.
 * The elements begin skew bytes behind an address that 256 divides, or offset bytes into the memory
 * of the slot `alias` if that is not -1; a slot forgets its last tensor. With
 * TENSORS_BYTE_OFFSET=64 in the environment every tensor has that byte_offset, and data begins that
 *  much before its elements. The caller owns it. */
TENSORS_API DLManagedTensorVersioned *tensors_make(const char *numbers);

/** Write a tensor as text: "f64[2, 3] 1 2 3 4 5 6". The next call overwrites it. */
TENSORS_API const char *tensors_show(const DLManagedTensorVersioned *tensor);

/** The same for the last tensor of a slot, which may be gone. */
TENSORS_API const char *tensors_text(int32_t slot);

/** Call a tensor's deleter. */
TENSORS_API void tensors_delete(DLManagedTensorVersioned *owned);

/** Count the tensors whose deleter has not run. */
TENSORS_API int64_t tensors_live(void);

#ifdef __cplusplus
}
#endif

#endif
