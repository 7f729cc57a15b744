/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of each conversion. Exact ones lead to float32, float64 or int64, and one that may
 * round leads to the result. */
#include "convert.h"

/* An integer's steps; none where it needs none. */
typedef struct integer_row {
  uint8_t code, bits;
  dlf__step_kind to_float32; /* to nearest */
  dlf__step_kind to_float64; /* to nearest; none: through float32, which is exact then */
  dlf__step_kind to_odd;     /* to a float64 that FLOAT64_TO_ODD takes; none: float32 is exact */
  dlf__step_kind to_int64;
  dlf__step_kind nonzero;
} integer_row;

static const integer_row integers[] = {
    {kDLBool,
     8,
     DLF__UINT8_TO_FLOAT32,
     DLF__NO_STEP,
     DLF__NO_STEP,
     DLF__UINT8_TO_INT64,
     DLF__NONZERO_8},
    {kDLInt,
     8,
     DLF__INT8_TO_FLOAT32,
     DLF__NO_STEP,
     DLF__NO_STEP,
     DLF__INT8_TO_INT64,
     DLF__NONZERO_8},
    {kDLUInt,
     8,
     DLF__UINT8_TO_FLOAT32,
     DLF__NO_STEP,
     DLF__NO_STEP,
     DLF__UINT8_TO_INT64,
     DLF__NONZERO_8},
    {kDLInt,
     16,
     DLF__INT16_TO_FLOAT32,
     DLF__NO_STEP,
     DLF__NO_STEP,
     DLF__INT16_TO_INT64,
     DLF__NONZERO_16},
    {kDLUInt,
     16,
     DLF__UINT16_TO_FLOAT32,
     DLF__NO_STEP,
     DLF__NO_STEP,
     DLF__UINT16_TO_INT64,
     DLF__NONZERO_16},
    {kDLInt,
     32,
     DLF__INT32_TO_FLOAT32,
     DLF__INT32_TO_FLOAT64,
     DLF__INT32_TO_FLOAT64,
     DLF__INT32_TO_INT64,
     DLF__NONZERO_32},
    {kDLUInt,
     32,
     DLF__UINT32_TO_FLOAT32,
     DLF__UINT32_TO_FLOAT64,
     DLF__UINT32_TO_FLOAT64,
     DLF__UINT32_TO_INT64,
     DLF__NONZERO_32},
    {kDLInt,
     64,
     DLF__INT64_TO_FLOAT32,
     DLF__INT64_TO_FLOAT64,
     DLF__INT64_TO_STICKY,
     DLF__NO_STEP,
     DLF__NONZERO_64},
    {kDLUInt,
     64,
     DLF__UINT64_TO_FLOAT32,
     DLF__UINT64_TO_FLOAT64,
     DLF__UINT64_TO_STICKY,
     DLF__NO_STEP,
     DLF__NONZERO_64},
};

static const integer_row *integer_of(DLDataType dtype) {
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    if (integers[i].code == dtype.code && integers[i].bits == dtype.bits) {
      return &integers[i];
    }
  }
  return NULL;
}

static bool is_float_of(DLDataType dtype, int bits) {
  return dtype.code == kDLFloat && dtype.bits == bits;
}

static void add_step(dlf__conversion *self, dlf__step_kind kind) {
  if (kind != DLF__NO_STEP) {
    self->steps[self->count++].kind = kind;
  }
}

static void add_small(dlf__conversion *self, dlf__step_kind kind, dlf__format format) {
  self->steps[self->count++] = (dlf__step){kind, format};
}

/* A byte that is not 0 is true. */
static void add_integer(dlf__conversion *self, DLDataType from, dlf__step_kind kind) {
  if (from.code == kDLBool) {
    add_step(self, DLF__NONZERO_8);
  }
  add_step(self, kind);
}

static void add_to_float32(dlf__conversion *self, DLDataType from) {
  const integer_row *const integer = integer_of(from);
  const dlf__small_float *const small = dlf__small_float_of(from.code, from.bits);
  if (integer) {
    add_integer(self, from, integer->to_float32);
  } else if (small) {
    add_small(self, dlf__widening_of(small), dlf__format_of(small, false, false));
  } else if (is_float_of(from, 64)) {
    add_step(self, DLF__FLOAT64_TO_FLOAT32);
  }
}

static void add_to_float64(dlf__conversion *self, DLDataType from) {
  const integer_row *const integer = integer_of(from);
  if (integer && integer->to_float64) {
    add_step(self, integer->to_float64);
  } else if (!is_float_of(from, 64)) {
    add_to_float32(self, from);
    add_step(self, is_float_of(from, 16) ? DLF__FLOAT32_TO_FLOAT64_AS_IS : DLF__FLOAT32_TO_FLOAT64);
  }
}

/* To a float32 that rounds to a small float as the number itself does. */
static void add_to_odd(dlf__conversion *self, DLDataType from) {
  const integer_row *const integer = integer_of(from);
  if (integer && integer->to_odd) {
    add_step(self, integer->to_odd);
    add_step(self, DLF__FLOAT64_TO_ODD);
  } else if (is_float_of(from, 64)) {
    add_step(self, DLF__FLOAT64_TO_ODD);
  } else {
    add_to_float32(self, from);
  }
}

/* From an int64, or a uint64 whose bits are the same. */
static void add_wrap(dlf__conversion *self, int bits) {
  if (bits == 8) {
    add_step(self, DLF__WRAP_8);
  } else if (bits == 16) {
    add_step(self, DLF__WRAP_16);
  } else if (bits == 32) {
    add_step(self, DLF__WRAP_32);
  }
}

static void add_clamp(dlf__conversion *self, DLDataType to) {
  const bool is_signed = to.code == kDLInt;
  if (to.bits == 8) {
    add_step(self, is_signed ? DLF__CLAMP_INT8 : DLF__CLAMP_UINT8);
  } else if (to.bits == 16) {
    add_step(self, is_signed ? DLF__CLAMP_INT16 : DLF__CLAMP_UINT16);
  } else if (to.bits == 32) {
    add_step(self, is_signed ? DLF__CLAMP_INT32 : DLF__CLAMP_UINT32);
  } else {
    add_step(self, is_signed ? DLF__NO_STEP : DLF__CLAMP_UINT64);
  }
}

static bool is_widest_unsigned(DLDataType dtype) {
  return dtype.code == kDLUInt && dtype.bits == 64;
}

static void add_integer_to_integer(dlf__conversion *self, DLDataType from, DLDataType to,
                                   bool saturate) {
  add_integer(self, from, integer_of(from)->to_int64);
  if (!saturate) {
    add_wrap(self, to.bits);
    return;
  }
  if (is_widest_unsigned(from)) {
    if (!is_widest_unsigned(to)) {
      add_step(self, DLF__CLAMP_INT64);
      add_clamp(self, to);
    }
    return;
  }
  add_clamp(self, to);
}

/* C does not define a number out of range, and processors differ: it becomes the nearest one. */
static void add_real_to_integer(dlf__conversion *self, DLDataType from, DLDataType to) {
  const bool is_narrow = to.bits <= 16 || (to.code == kDLInt && to.bits == 32);
  if (is_narrow && !is_float_of(from, 64)) {
    add_to_float32(self, from);
    add_step(self, DLF__FLOAT32_TO_INT32);
    if (to.bits <= 16) {
      add_step(self, DLF__INT32_TO_INT64);
      add_clamp(self, to);
    }
    return;
  }
  add_to_float64(self, from);
  if (is_widest_unsigned(to)) {
    add_step(self, DLF__FLOAT64_TO_UINT64);
    return;
  }
  add_step(self, DLF__FLOAT64_TO_INT64);
  add_clamp(self, to);
}

static void add_to_bool(dlf__conversion *self, DLDataType from) {
  const integer_row *const integer = integer_of(from);
  if (integer) {
    add_step(self, integer->nonzero);
  } else if (is_float_of(from, 64)) {
    add_step(self, DLF__NONZERO_FLOAT64);
  } else {
    add_to_float32(self, from);
    add_step(self, DLF__NONZERO_FLOAT32);
  }
}

/* NumPy keeps NaN's payload from float32 and float64 to float16, ml_dtypes never does. */
static void add_to_small(dlf__conversion *self, DLDataType from, DLDataType to, bool saturate) {
  const dlf__small_float *const kind = dlf__small_float_of(to.code, to.bits);
  const bool keep_payload = is_float_of(to, 16) && from.code == kDLFloat;
  const bool is_half = to.bits == 16; /* whose infinity is made finite last */
  add_to_odd(self, from);
  add_small(
      self, dlf__narrowing_of(kind), dlf__format_of(kind, saturate && !is_half, keep_payload));
  if (saturate && is_half) {
    add_step(self, to.code == kDLBfloat ? DLF__FINITE_BFLOAT16 : DLF__FINITE_FLOAT16);
  }
}

/* A complex number may have the parts of its source. */
static void add_same(dlf__conversion *self, DLDataType to, bool saturate) {
  if (!saturate) {
    return;
  }
  if (is_float_of(to, 64)) {
    add_step(self, DLF__FINITE_FLOAT64);
  } else if (is_float_of(to, 32)) {
    add_step(self, DLF__FINITE_FLOAT32);
  } else if (is_float_of(to, 16)) {
    add_step(self, DLF__FINITE_FLOAT16);
  } else if (to.code == kDLBfloat) {
    add_step(self, DLF__FINITE_BFLOAT16);
  }
}

static void add_all(dlf__conversion *self, DLDataType from, DLDataType to, bool saturate) {
  if (from.code == to.code && from.bits == to.bits) {
    add_same(self, to, saturate);
    return;
  }
  if (to.code == kDLBool) {
    add_to_bool(self, from);
  } else if (integer_of(to) && integer_of(from)) {
    add_integer_to_integer(self, from, to, saturate);
  } else if (integer_of(to)) {
    add_real_to_integer(self, from, to);
  } else if (is_float_of(to, 64)) {
    add_to_float64(self, from);
    add_step(self, saturate ? DLF__FINITE_FLOAT64 : DLF__NO_STEP);
  } else if (is_float_of(to, 32)) {
    add_to_float32(self, from);
    add_step(self, saturate ? DLF__FINITE_FLOAT32 : DLF__NO_STEP);
  } else {
    add_to_small(self, from, to, saturate);
  }
}

static int count_parts(DLDataType dtype) {
  if (dlf__is_complex(dtype)) {
    return 2;
  }
  return 1;
}

bool dlf__conversion_of(DLDataType from, DLDataType to, bool saturate, dlf__conversion *out) {
  if (!dlf__is_castable(from, to)) {
    return false;
  }
  *out = (dlf__conversion){.run = dlf__step_runner()};
  out->from_parts = count_parts(from);
  out->to_parts = count_parts(to);
  from = dlf__part_of(from);
  to = dlf__part_of(to);
  out->from_bits = from.bits;
  out->to_bits = to.bits;
  add_all(out, from, to, saturate);
  return true;
}
