/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of any two tensors that the processor can reach, with any strides. No function allocates. dlferry.h
 * includes this part. */
#ifndef DLFERRY_COMPARE_H
#define DLFERRY_COMPARE_H

#ifndef DLFERRY_H
#error "include <dlferry.h>, which includes dlferry/compare.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Compare (C only) ---- */

/** Tell whether two tensors have the same dtype, shape and bits of every element.
 *  Borrows a and b. Fails with DEVICE, UNSUPPORTED for unknown flags and for sub-byte dtypes of more than 64 bits, or
 *  like dlf_check. */
DLF_API dlf_status dlf_identical(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape and equal numbers, for any dtypes.
 *  Exact: an int64 equals a float64 only without rounding. NaN equals nothing; -0 equals 0. Borrows a and b. Fails with
 *  DEVICE, UNSUPPORTED for unknown flags and for dtypes without arithmetic, or like dlf_check. */
DLF_API dlf_status dlf_equal(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape and |a - b| <= atol + rtol |b|.
 *  This holds for every element, computed in float64. Equal infinities are close, infinities and numbers are not; NaN
 *  is close to NaN if equal_nan. Borrows a and b. Fails with INVALID for a negative tolerance, DEVICE, UNSUPPORTED for
 *  unknown flags and for dtypes without arithmetic, or like dlf_check. */
DLF_API dlf_status dlf_all_close(dlf_arg a, dlf_arg b, double rtol, double atol, bool equal_nan, bool *out,
                                 dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
