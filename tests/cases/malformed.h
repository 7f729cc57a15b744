/* SPDX-License-Identifier: Apache-2.0 */
/* Managed tensors of a broken or hostile producer, made by name; plain C, no hub. Every language's
 * test suite builds malformed.c as a shared library and runs the cases of malformed.json.
 *
 * - well_formed: float32[2, 3], row-major, writable: 0 1 2 / 3 4 5. All others differ from it as
 * described.
 * - well_formed_null_strides, well_formed_null_deleter, well_formed_empty (shape [0, 3], NULL
 * data): to be accepted
 * - read_only: flagged so (versioned only), otherwise well formed
 * - major_2, major_0: another major version (versioned only); every field but version and deleter
 * is poison
 * - null_shape: ndim 2, shape NULL
 * - negative_ndim: ndim -1
 * - ndim_65: 65 axes of extent 1
 * - negative_extent: shape [2, -3]
 * - overflow_shape: shape [2^40, 2^40]: the number of elements overflows
 * - overflow_bytes: shape [2^40, 2^21]: the number of elements fits, the number of bytes does not
 * - overflow_strides: strides [2^62, 1]: the byte range overflows
 * - overflow_offset: data at address 64 with byte_offset 2^64 - 4
 * - null_data: six elements at NULL
 * - zero_bits, zero_lanes
 * - fp4_bits_8: dtype code 17, float4_e2m1fn, in 8 bits
 * - fp6_bits_8: dtype code 16, float6_e3m2fn, in 8 bits
 * - fp8_bits_16: dtype code 12, float8_e5m2, in 16 bits
 * - negative_device_id: device id -1
 * - bool_bits_16, complex_bits_24, code_200: unknown dtypes: data, to be accepted and passed on
 * - device_200: an unknown device type: likewise */
#ifndef DLFERRY_TESTS_MALFORMED_H
#define DLFERRY_TESTS_MALFORMED_H

#include <dlpack/dlpack.h>
#include <stdint.h>

#if defined(__GNUC__)
#define MALFORMED_API __attribute__((visibility("default")))
#else
#define MALFORMED_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Make a managed tensor by name; NULL when there is none of that name. The caller owns it. */
MALFORMED_API DLManagedTensorVersioned *malformed_make(const char *name);

/** Make the same as a tensor of DLPack 0.8; NULL also for the names that only exist versioned. The
 * caller owns it. */
MALFORMED_API DLManagedTensor *malformed_make_legacy(const char *name);

/** Count the deleters that have run since the process began, on any thread. */
MALFORMED_API int64_t malformed_deleted(void);

#ifdef __cplusplus
}
#endif

#endif
