/* SPDX-License-Identifier: Apache-2.0 */
/* Comparison of any two tensors that the processor can reach, of any strides. Nothing here allocates. dlferry.h includes
 * this part of itself. */
#ifndef DLFERRY_COMPARE_H
#define DLFERRY_COMPARE_H

#ifndef DLFERRY_H
#error "include <dlferry.h>, which includes dlferry/compare.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Compare (C only) ---- */

/** Tell whether two tensors have the same dtype and shape, and the same bits in every element.
 *  Borrows a and b. Fails with DEVICE, UNSUPPORTED for unknown flags and for sub-byte dtypes of more than 64 bits, or
 *  with what dlf_check fails with. */
DLF_API dlf_status dlf_identical(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape, and numbers that are equal, whatever their dtypes.
 *  Exact: an int64 equals a float64 only if no rounding lies between. NaN equals nothing; -0 equals 0. Borrows a and b.
 *  Fails with DEVICE, UNSUPPORTED for unknown flags and for dtypes without arithmetic, or with what dlf_check fails
 *  with. */
DLF_API dlf_status dlf_equal(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape, and |a - b| <= atol + rtol |b| in every element.
 *  Computed in float64. Equal infinities are close, infinities and numbers are not; NaN is close to NaN if equal_nan.
 *  Borrows a and b. Fails with INVALID for a negative tolerance, DEVICE, UNSUPPORTED for unknown flags and for dtypes
 *  without arithmetic, or with what dlf_check fails with. */
DLF_API dlf_status dlf_all_close(dlf_arg a, dlf_arg b, double rtol, double atol, bool equal_nan, bool *out,
                                 dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
