/* SPDX-License-Identifier: Apache-2.0 */
/* A row of the table of dtypes as the steps of small floats use it. */
#include "step.h"

/* The code that larger numbers and infinities become. */
static uint32_t largest_of(const dlf__small_float *kind, uint32_t codes, bool saturate) {
  const uint32_t infinity = codes >> kind->fraction << kind->fraction;
  switch (kind->special) {
  case DLF__IEEE:
    return saturate ? infinity - 1 : infinity;
  case DLF__UNSIGNED_ZERO: /* the NaN has the sign of the next code */
    return saturate ? codes : codes + 1;
  case DLF__POWERS:
    return saturate ? codes - 1 : codes;
  default: /* DLF__FINITE */
    return saturate && kind->bits == 8 ? codes - 1 : codes;
  }
}

static uint32_t nan_of(const dlf__small_float *kind, uint32_t codes) {
  switch (kind->special) {
  case DLF__IEEE: /* the quiet one */
    return codes >> kind->fraction << kind->fraction | 1U << (kind->fraction - 1);
  case DLF__FINITE:
    return kind->bits == 8 ? codes : codes + 1; /* without NaN it is -0 */
  default:
    return 1U << (kind->bits - 1);
  }
}

/* The least code without a number. */
static uint32_t special_of(const dlf__small_float *kind, uint32_t codes) {
  if (kind->special == DLF__IEEE) {
    return codes >> kind->fraction << kind->fraction;
  }
  return kind->special == DLF__FINITE && kind->bits == 8 ? codes : INT32_MAX;
}

dlf__format dlf__format_of(const dlf__small_float *kind, bool saturate, bool keep_payload) {
  const uint32_t codes = (1U << (kind->exponent + kind->fraction)) - 1;
  const int shift = 23 - kind->fraction;
  const uint32_t bias = (uint32_t)(127 - kind->bias) << 23;
  const uint32_t lowest = (uint32_t)(128 - kind->bias) << 23;
  const uint32_t largest = largest_of(kind, codes, saturate);
  const uint32_t special = special_of(kind, codes);
  dlf__format format = {
      .shift = shift,
      .sign_shift = 31 - (kind->exponent + kind->fraction),
      .codes = codes,
      .bias = bias,
      .lowest = lowest,
      .raise = ((uint32_t)shift << 23) - (lowest >> shift),
      .most = (largest << shift) + bias,
      .special = special == INT32_MAX ? special : special << shift,
      .infinity = kind->special == DLF__IEEE ? 0x7F800000 : 0x7FC00000,
      .largest = largest,
      .nan = nan_of(kind, codes),
  };
  if (keep_payload) { /* quiet or signalling */
    format.payload = (1U << kind->fraction) - 1;
    format.nan = codes >> kind->fraction << kind->fraction;
  }
  return format;
}

static dlf__step_kind small_kernel_of(const dlf__small_float *kind, dlf__step_kind bfloat16,
                                      dlf__step_kind float16, dlf__step_kind small) {
  if (kind->bits == 16) {
    return kind->exponent == 8 ? bfloat16 : float16;
  }
  return small;
}

dlf__step_kind dlf__widening_of(const dlf__small_float *kind) {
  if (kind->special == DLF__UNSIGNED_ZERO) {
    return DLF__WIDEN_UNSIGNED_ZERO;
  }
  if (kind->special == DLF__POWERS) {
    return DLF__WIDEN_POWERS;
  }
  return small_kernel_of(kind, DLF__WIDEN_BFLOAT16, DLF__WIDEN_FLOAT16, DLF__WIDEN_SMALL);
}

dlf__step_kind dlf__narrowing_of(const dlf__small_float *kind) {
  if (kind->special == DLF__UNSIGNED_ZERO) {
    return DLF__NARROW_UNSIGNED_ZERO;
  }
  if (kind->special == DLF__POWERS) {
    return DLF__NARROW_POWERS;
  }
  return small_kernel_of(kind, DLF__NARROW_BFLOAT16, DLF__NARROW_FLOAT16, DLF__NARROW_SMALL);
}
