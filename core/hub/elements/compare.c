/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/move/loop.h"
#include "hub/rounding.h"

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

/* Check that both tensors are sound and reachable. *out: they have one shape. */
static dlf_status begin(const char *name, dlf_arg a, dlf_arg b, bool read, bool *out,
                        dlf_error *error) {
  if (!out) {
    return dlf__missing(name, "a place for the answer", error);
  }
  *out = false;
  dlf_status status = dlf__check_elements(name, a, read, error);
  if (!status) {
    status = dlf__check_elements(name, b, read, error);
  }
  if (!status) {
    *out = same_shape(a.tensor, b.tensor);
  }
  return status;
}

/* Two tensors of one shape, walked together, the first one as `to`. */
typedef struct element_comparison {
  dlf_arg a, b;
  const struct tolerance *close;
  bool (*are_alike)(const struct element_comparison *self, int64_t at_a, int64_t at_b);
  int64_t width; /* for the bits of whole bytes */
} element_comparison;

static bool compare_tile(const dlf__tile *tile, void *context) {
  const element_comparison *self = context;
  for (int64_t r = 0; r < tile->rows; r++) {
    int64_t a = tile->to + r * tile->to_row;
    int64_t b = tile->from + r * tile->from_row;
    for (int64_t c = 0; c < tile->columns; c++) {
      if (!self->are_alike(self, a, b)) {
        return false;
      }
      a += tile->to_column;
      b += tile->from_column;
    }
  }
  return true;
}

/* The places are bytes. */
static bool same_bytes(const element_comparison *self, int64_t at_a, int64_t at_b) {
  const char *a = dlf__data(self->a.tensor);
  const char *b = dlf__data(self->b.tensor);
  return memcmp(a + at_a, b + at_b, (size_t)self->width) == 0;
}

/* Compare elements narrower than a byte, packed or padded: the bits around them do not count. */
static bool same_odd_bits(const element_comparison *self, int64_t at_a, int64_t at_b) {
  DLTensor x = *self->a.tensor;
  DLTensor y = *self->b.tensor;
  x.dtype.code = y.dtype.code = kDLUInt;
  for (int32_t lane = 0; lane < x.dtype.lanes; lane++) {
    if (dlf__read(&x, self->a.flags, at_a, lane).unsigned_value !=
        dlf__read(&y, self->b.flags, at_b, lane).unsigned_value) {
      return false;
    }
  }
  return true;
}

dlf_status dlf_identical(dlf_arg a, dlf_arg b, bool *out, dlf_error *error) {
  dlf__loop loop;
  const dlf_status status = begin("identical", a, b, false, out, error);
  if (status || !*out) {
    return status;
  }
  const DLDataType x = a.tensor->dtype;
  *out = dlf__same_dtype(x, b.tensor->dtype);
  if (!*out) {
    return DLF_OK;
  }
  if (dlf__element_bits(x) % 8 != 0 && x.bits > 64 && !dlf__is_empty(a.tensor)) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "identical: expected elements of whole bytes or up to 64 bits, got %d",
                     x.bits);
  }
  element_comparison self = {a, b, NULL, same_odd_bits, 1};
  if (dlf__element_bits(x) % 8 == 0) {
    const int64_t width = dlf_dtype_size(x);
    dlf__loop_begin(&loop, a.tensor, width, b.tensor, width);
    self.width = dlf__loop_widen(&loop, width);
    self.are_alike = same_bytes;
  } else {
    dlf__loop_begin(&loop, a.tensor, 1, b.tensor, 1);
  }
  *out = dlf__walk(&loop, compare_tile, &self);
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

double dlf__real_of_sticky(const dlf__number *n) {
  const uint64_t low = 0x7FF; /* of 64 bits, those that a double has no place for */
  bool negative;
  uint64_t magnitude;
  if (!as_integer(n, &negative, &magnitude) || magnitude >> 53 == 0 || (magnitude & low) == 0) {
    return dlf__real_of(n);
  }
  const double sticky = (double)((magnitude & ~low) | (low + 1));
  if (negative) {
    return -sticky;
  }
  return sticky;
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

/* Compare every lane of an element, with the tolerance if given. */
static bool alike_numbers(const element_comparison *self, int64_t at_a, int64_t at_b) {
  for (int32_t lane = 0; lane < self->a.tensor->dtype.lanes; lane++) {
    const dlf__number x = dlf__read(self->a.tensor, self->a.flags, at_a, lane);
    const dlf__number y = dlf__read(self->b.tensor, self->b.flags, at_b, lane);
    if (self->close ? !close_numbers(&x, &y, self->close) : !dlf__equal_numbers(&x, &y)) {
      return false;
    }
  }
  return true;
}

static dlf_status compare_numbers(const char *name, dlf_arg a, dlf_arg b, const tolerance *close,
                                  bool *out, dlf_error *error) {
  dlf__loop loop;
  const dlf_status status = begin(name, a, b, true, out, error);
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
  element_comparison self = {a, b, close, alike_numbers, 0};
  dlf__loop_begin(&loop, a.tensor, 1, b.tensor, 1);
  const dlf__rounding before = dlf__rounding_begin();
  *out = a.tensor->dtype.lanes == b.tensor->dtype.lanes && dlf__walk(&loop, compare_tile, &self);
  dlf__rounding_end(before);
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
