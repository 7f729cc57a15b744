/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/internal.h"

/* Two tensors of one shape, walked together. */
typedef struct pair_walk {
  int64_t index[DLF_MAX_NDIM];
  int64_t a_step[DLF_MAX_NDIM], b_step[DLF_MAX_NDIM];
  int64_t a, b; /* the current element, relative to the first */
} pair_walk;

/* Move to the next element in row-major order; false after the last. */
static bool next(pair_walk *w, const DLTensor *shape) {
  for (int32_t axis = shape->ndim - 1; axis >= 0; axis--) {
    if (w->index[axis] + 1 < shape->shape[axis]) {
      w->index[axis]++;
      w->a += w->a_step[axis];
      w->b += w->b_step[axis];
      return true;
    }
    w->a -= w->index[axis] * w->a_step[axis];
    w->b -= w->index[axis] * w->b_step[axis];
    w->index[axis] = 0;
  }
  return false;
}

dlf_status dlf__check_elements(const char *name, dlf_arg arg, bool read, dlf_error *error) {
  char text[DLF_NAME_CAPACITY];
  dlf_status status = dlf__check(name, arg.tensor, arg.flags, error);
  if (!status) {
    status = dlf__check_flags(name, arg.flags, error);
  }
  if (!status) {
    status = dlf__check_reachable(name, arg.tensor, error);
  }
  if (status || !read || dlf__is_readable(arg.tensor->dtype)) {
    return status;
  }
  dlf_dtype_format(arg.tensor->dtype, text, sizeof text);
  return dlf__fail(
      error, DLF_UNSUPPORTED, "%s: expected a dtype with arithmetic, got %s", name, text);
}

static bool same_shape(const DLTensor *a, const DLTensor *b) {
  return a->ndim == b->ndim &&
         (a->ndim == 0 || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof *a->shape) == 0);
}

/* Check that both tensors are sound and reachable. *go_on: they have one shape and elements; else
 * *out is set. */
static dlf_status begin(const char *name, dlf_arg a, dlf_arg b, bool read, pair_walk *walk,
                        bool *go_on, bool *out, dlf_error *error) {
  *go_on = false;
  if (!out) {
    return dlf__missing(name, "a place for the answer", error);
  }
  *out = false;
  dlf_status status = dlf__check_elements(name, a, read, error);
  if (!status) {
    status = dlf__check_elements(name, b, read, error);
  }
  if (status || !same_shape(a.tensor, b.tensor)) {
    return status;
  }
  *out = true;
  *go_on = !dlf__is_empty(a.tensor);
  walk->a = walk->b = 0;
  for (int32_t i = 0; i < a.tensor->ndim; i++) {
    walk->index[i] = 0;
  }
  dlf__steps(a.tensor, walk->a_step);
  dlf__steps(b.tensor, walk->b_step);
  return DLF_OK;
}

static bool same_bits(dlf_arg a, dlf_arg b, int64_t at_a, int64_t at_b) {
  const int64_t bytes = dlf_dtype_size(a.tensor->dtype);
  return memcmp((const char *)dlf_data(a.tensor) + at_a * bytes,
                (const char *)dlf_data(b.tensor) + at_b * bytes,
                (size_t)bytes) == 0;
}

/* Compare elements narrower than a byte, packed or padded: the bits around them do not count. */
static bool same_odd_bits(dlf_arg a, dlf_arg b, int64_t at_a, int64_t at_b) {
  DLTensor x = *a.tensor;
  DLTensor y = *b.tensor;
  x.dtype.code = y.dtype.code = kDLUInt;
  for (int32_t lane = 0; lane < x.dtype.lanes; lane++) {
    if (dlf__read(&x, a.flags, at_a, lane).unsigned_value !=
        dlf__read(&y, b.flags, at_b, lane).unsigned_value) {
      return false;
    }
  }
  return true;
}

dlf_status dlf_identical(dlf_arg a, dlf_arg b, bool *out, dlf_error *error) {
  pair_walk w;
  bool go_on;
  const dlf_status status = begin("identical", a, b, false, &w, &go_on, out, error);
  if (status || !*out) {
    return status;
  }
  const DLDataType x = a.tensor->dtype;
  const DLDataType y = b.tensor->dtype;
  *out = dlf__same_dtype(x, y);
  if (!*out || !go_on) {
    return DLF_OK;
  }
  const bool odd = dlf__element_bits(x) % 8 != 0;
  if (odd && x.bits > 64) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "identical: expected elements of whole bytes or up to 64 bits, got %d",
                     x.bits);
  }
  if (!odd && dlf_is_contiguous(a.tensor, DLF_ROW_MAJOR) &&
      dlf_is_contiguous(b.tensor, DLF_ROW_MAJOR)) {
    int64_t size;
    (void)dlf__byte_size("identical", a.tensor, 0, &size, NULL);
    *out = memcmp(dlf_data(a.tensor), dlf_data(b.tensor), (size_t)size) == 0;
    return DLF_OK;
  }
  do {
    if (odd) {
      *out = same_odd_bits(a, b, w.a, w.b);
    } else {
      *out = same_bits(a, b, w.a, w.b);
    }
  } while (*out && next(&w, a.tensor));
  return DLF_OK;
}

/* An integer as sign and magnitude, so that int64 and uint64 are comparable. */
static bool as_integer(const dlf__number *n, bool *negative, uint64_t *magnitude) {
  *negative = n->kind == DLF_NUMBER_SIGNED && n->signed_value < 0;
  *magnitude = n->unsigned_value;
  if (n->kind == DLF_NUMBER_SIGNED) {
    *magnitude = (uint64_t)n->signed_value;
  }
  if (*negative) {
    *magnitude = (uint64_t)0 - *magnitude;
  }
  return n->kind == DLF_NUMBER_SIGNED || n->kind == DLF_NUMBER_UNSIGNED ||
         n->kind == DLF_NUMBER_BOOL;
}

double dlf__real_of(const dlf__number *n) {
  bool negative;
  uint64_t magnitude;
  if (!as_integer(n, &negative, &magnitude)) {
    return n->real;
  }
  if (negative) {
    return -(double)magnitude;
  }
  return (double)magnitude;
}

/* Exact, for every pair of dtypes: an integer beyond 2^53 equals a real only if that real is this
 * integer. */
bool dlf__equal_numbers(const dlf__number *a, const dlf__number *b) {
  bool a_negative, b_negative;
  uint64_t x, y;
  const bool a_whole = as_integer(a, &a_negative, &x);
  const bool b_whole = as_integer(b, &b_negative, &y);
  if (a_whole && b_whole) {
    return a_negative == b_negative && x == y;
  }
  if (!a_whole && !b_whole) {
    return a->real == b->real && a->imaginary == b->imaginary;
  }
  if (b_whole) {
    return dlf__equal_numbers(b, a);
  }
  double magnitude = b->real;
  if (a_negative) {
    magnitude = -magnitude;
  }
  /* 2^64 and above, negative and NaN have no magnitude here; all other values convert back exactly
   * or not at all. */
  if (b->imaginary != 0 || !(magnitude >= 0 && magnitude < 18446744073709551616.0)) {
    return false;
  }
  return (uint64_t)magnitude == x && (double)(uint64_t)magnitude == magnitude;
}

/* Square root by Newton's iteration, for 1 <= x <= 2: the hub needs no libm. */
static double root(double x) {
  double y = 0.5 + 0.5 * x;
  for (int i = 0; i < 5; i++) {
    y = 0.5 * (y + x / y);
  }
  return y;
}

static double modulus(double real, double imaginary) {
  const double a = __builtin_fabs(real);
  const double b = __builtin_fabs(imaginary);
  double large = b;
  double small = a;
  if (a > b) {
    large = a;
    small = b;
  }
  if (small == 0 || large - large != 0) {
    return large; /* also infinite or NaN */
  }
  return large * root(1 + small / large * (small / large));
}

typedef struct tolerance {
  double rtol, atol;
  bool equal_nan;
} tolerance;

static bool close_numbers(const dlf__number *a, const dlf__number *b, const tolerance *close) {
  const double ar = dlf__real_of(a);
  const double ai = a->imaginary;
  const double br = dlf__real_of(b);
  const double bi = b->imaginary;
  const bool a_nan = ar != ar || ai != ai;
  const bool b_nan = br != br || bi != bi;
  if (a_nan || b_nan) {
    return close->equal_nan && a_nan && b_nan;
  }
  if (dlf__equal_numbers(a, b)) {
    return true;
  }
  if (modulus(br, bi) - modulus(br, bi) != 0) {
    return false; /* only infinity is close to infinity */
  }
  return modulus(ar - br, ai - bi) <= close->atol + close->rtol * modulus(br, bi);
}

/* Compare every lane of every element, with the tolerance if given. */
static bool all_numbers(dlf_arg a, dlf_arg b, pair_walk *w, const tolerance *close) {
  do {
    for (int32_t lane = 0; lane < a.tensor->dtype.lanes; lane++) {
      const dlf__number x = dlf__read(a.tensor, a.flags, w->a, lane);
      const dlf__number y = dlf__read(b.tensor, b.flags, w->b, lane);
      if (close ? !close_numbers(&x, &y, close) : !dlf__equal_numbers(&x, &y)) {
        return false;
      }
    }
  } while (next(w, a.tensor));
  return true;
}

static dlf_status compare_numbers(const char *name, dlf_arg a, dlf_arg b, const tolerance *close,
                                  bool *out, dlf_error *error) {
  pair_walk w;
  bool go_on;
  const dlf_status status = begin(name, a, b, true, &w, &go_on, out, error);
  if (!status && close && !(close->rtol >= 0 && close->atol >= 0)) {
    *out = false;
    return dlf__fail(error,
                     DLF_INVALID,
                     "%s: expected tolerances of 0 or more, got rtol %g and atol %g",
                     name,
                     close->rtol,
                     close->atol);
  }
  if (status || !*out) {
    return status;
  }
  *out = a.tensor->dtype.lanes == b.tensor->dtype.lanes && (!go_on || all_numbers(a, b, &w, close));
  return DLF_OK;
}

dlf_status dlf_equal(dlf_arg a, dlf_arg b, bool *out, dlf_error *error) {
  return compare_numbers("equal", a, b, NULL, out, error);
}

dlf_status dlf_all_close(dlf_arg a, dlf_arg b, double rtol, double atol, bool equal_nan, bool *out,
                         dlf_error *error) {
  const tolerance close = {rtol, atol, equal_nan};
  return compare_numbers("all_close", a, b, &close, out, error);
}
