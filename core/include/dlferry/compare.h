/* SPDX-License-Identifier: Apache-2.0 */
/* Elements as numbers, and comparison of any two tensors that the processor can reach, with any
 * strides. No function allocates. dlferry.h includes this part. */
#ifndef DLFERRY_COMPARE_H
#define DLFERRY_COMPARE_H

#ifndef DLFERRY_H
#error "include <dlferry.h>, which includes dlferry/compare.h"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Read ---- */

/** Kind of a dlf_number. */
typedef enum dlf_number_kind {
  DLF_NUMBER_REAL = 0,     /**< real */
  DLF_NUMBER_COMPLEX = 1,  /**< real and imaginary */
  DLF_NUMBER_SIGNED = 2,   /**< signed_value */
  DLF_NUMBER_UNSIGNED = 3, /**< unsigned_value */
  DLF_NUMBER_BOOL = 4      /**< unsigned_value: 0 or 1 */
} dlf_number_kind;

/** A number of any arithmetic dtype, in C. The kind decides which fields have a value. */
typedef struct dlf_number {
  int32_t kind;     /**< a dlf_number_kind */
  int32_t reserved; /**< 0 */
  double real, imaginary;
  int64_t signed_value;
  uint64_t unsigned_value;
} dlf_number;

/** Read one lane of one element as a number, exactly.
 *  Any dtype with arithmetic, packed or padded. Borrows tensor. Fails with BOUNDS, DEVICE,
 * UNSUPPORTED for unknown flags and for dtypes without arithmetic, or like dlf_check.
 *  @param index  one for each axis, from 0
 *  @param lane   from 0 */
DLF_API dlf_status dlf_read(dlf_arg tensor, const int64_t *index, int32_t lane, dlf_number *out,
                            dlf_error *error);

/** Tell whether an element, or a lane of one, equals a number.
 *  As in NumPy, a number is first rounded, once, to the precision of a dtype of reals: float32
 * elements can contain 0.1. Otherwise exact, like dlf_equal. Borrows tensor and number. Fails with
 * INVALID for an unknown kind, DEVICE, UNSUPPORTED for unknown flags and for dtypes without
 * arithmetic, or like dlf_check. */
DLF_API dlf_status dlf_contains(dlf_arg tensor, const dlf_number *number, bool *out,
                                dlf_error *error);

/** Set every element, or lane of one, to a number.
 *  Any dtype with arithmetic, packed or padded, and any strides. A number is rounded to a
 * dtype of reals as by dlf_cast, once, and a bool becomes 0 or 1. Borrows self and number. Fails
 * with INVALID for an unknown kind, for a number that a dtype of integers or bool does not have,
 * and for an imaginary part that the dtype has no place for, READ_ONLY, LAYOUT if elements lie
 * above or between each other, DEVICE, or UNSUPPORTED for unknown flags, for dtypes without
 * arithmetic and for padded lanes. Nothing is written then. */
DLF_API dlf_status dlf_fill(dlf_tensor *self, const dlf_number *number, dlf_error *error);

/* ---- Compare ---- */

/** Tell whether two tensors have the same dtype, shape and bits of every element.
 *  Borrows a and b. Fails with DEVICE, UNSUPPORTED for unknown flags and for sub-byte dtypes of
 * more than 64 bits, or like dlf_check. */
DLF_API dlf_status dlf_identical(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape and equal numbers, for any dtypes.
 *  Exact: an int64 equals a float64 only without rounding. NaN equals nothing; -0 equals 0. Borrows
 * a and b. Fails with DEVICE, UNSUPPORTED for unknown flags and for dtypes without arithmetic, or
 * like dlf_check. */
DLF_API dlf_status dlf_equal(dlf_arg a, dlf_arg b, bool *out, dlf_error *error);

/** Tell whether two tensors have the same shape and |a - b| <= atol + rtol |b|.
 *  This holds for every element, computed in float64. Equal infinities are close, infinities and
 * numbers are not; NaN is close to NaN if equal_nan. Borrows a and b. Fails with INVALID for a
 * negative tolerance, DEVICE, UNSUPPORTED for unknown flags and for dtypes without arithmetic, or
 * like dlf_check. */
DLF_API dlf_status dlf_all_close(dlf_arg a, dlf_arg b, double rtol, double atol, bool equal_nan,
                                 bool *out, dlf_error *error);

#ifdef __cplusplus
}
#endif

#endif
