/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels in CUDA, as core/CONTRACTS.md describes them. vk_scale is its example. */
#ifndef VK_H
#define VK_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Scale a vector.
 *  @contract x: T[n] cuda;  out: T[n] noalias samedevice;  T in f32|f16|bf16|f8_e4m3fn */
int vk_scale(const DLTensor *x, double factor, DLTensor *out, dlf_stream stream, dlf_error *error);

/** Add two vectors, which may be in managed memory.
 *  @contract x: f32[n] cuda|cuda_managed;  y: f32[n] cuda|cuda_managed
 *  @contract out: f32[n] cuda|cuda_managed */
int vk_add(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream,
           dlf_error *error);

/** Fill a vector after some work of the given length.
 *  @contract x: inout f32[n] cuda|cuda_managed;  cycles >= 0 */
int vk_fill(DLTensor *x, double value, int64_t cycles, dlf_stream stream, dlf_error *error);

/** Add the vectors of a list.
 *  @contract all: f32[n] *count cuda;  count >= 1;  out: f32[n] cuda */
int vk_sum(const DLTensor *const *all, int count, DLTensor *out, dlf_stream stream,
           dlf_error *error);

/** Copy a matrix with any strides.
 *  @contract x: f32[h, w] strided cuda;  out: f32[h, w] strided noalias cuda */
int vk_copy(const DLTensor *x, DLTensor *out, dlf_stream stream, dlf_error *error);

/** Negate four elements at once.
 *  @contract x: f32[n] align 16 cuda;  n % 4;  out: f32[n] align 16 cuda */
int vk_negate(const DLTensor *x, DLTensor *out, dlf_stream stream, dlf_error *error);

/** Give a new vector that counts up, of the length of another.
 *  @contract like: f32[n] cuda;  out: f32[n] cuda */
int vk_ramp(const DLTensor *like, DLManagedTensorVersioned **out, dlf_error *error);

/** Tell how often the memory of vk_ramp was freed. */
int64_t vk_freed(void);

/** Tell which stream a function got last, as the number that its handle is. */
uint64_t vk_last_stream(void);

/** Tell which address a function read or wrote last. */
uint64_t vk_last_address(void);

/** Fail with a code of CUDA's.
 *  @contract x: f32[n] cuda;  return: status text vk_text */
int vk_fail(const DLTensor *x, int code);

/** Describe a code of CUDA's. */
const char *vk_text(int code);

#ifdef __cplusplus
}
#endif

#endif
