/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <math.h>
#include <string.h>

int odd_function(DLTensor *end, int64_t begin, dlf_error *error) {
  if (end->dtype.code != kDLInt || end->dtype.bits != 64)
    return dlf_error_set(error, DLF_UNSUPPORTED, "function: expected int64");
  for (int64_t i = 0; i < end->shape[0]; i++) ((int64_t *)dlf_data(end))[i] = begin + i;
  return 0;
}

int odd_split(const DLTensor *x, odd_mode mode, DLTensor *whole, DLTensor *rest, dlf_error *error) {
  (void)error;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    const double value = x->dtype.bits == 32 ? (double)((float *)dlf_data(x))[i] : ((double *)dlf_data(x))[i];
    const double part = mode == ODD_MODE_DOWN ? floor(value) : mode == ODD_MODE_UP ? ceil(value) : nearbyint(value);
    ((int64_t *)dlf_data(whole))[i] = (int64_t)part;
    if (x->dtype.bits == 32)
      ((float *)dlf_data(rest))[i] = (float)(value - part);
    else
      ((double *)dlf_data(rest))[i] = value - part;
  }
  return 0;
}

int64_t odd_sum(const DLTensor *x, const DLTensor *weights, odd_skip skip, DLTensor *total) {
  int64_t n = 1, counted = 0;
  double sum = 0;
  for (int i = 0; i < x->ndim; i++) n *= x->shape[i];
  for (int64_t i = 0; i < n; i++) {
    const double value = ((double *)dlf_data(x))[i];
    if ((skip & ODD_SKIP_FIRST && i == 0) || (skip & ODD_SKIP_LAST && i == n - 1)) continue;
    if (skip & ODD_SKIP_NEGATIVE && value < 0) continue;
    sum += weights ? value * ((double *)dlf_data(weights))[i] : value;
    counted++;
  }
  *(double *)dlf_data(total) = sum;
  return counted;
}

odd_mode odd_next(odd_mode mode) { return mode == ODD_MODE_UP ? ODD_MODE_DOWN : (odd_mode)((int)mode + 1); }

bool odd_same(const char *a, const char *b, bool strict) { return strict ? strcmp(a, b) == 0 : strlen(a) == strlen(b); }

double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, float i) {
  return a + b + c + d + e + (double)f + (double)g + (double)h + (double)i;
}

void odd_nothing(void) {}

int odd_code(int32_t code) { return code; }

int odd_eights(const DLTensor *like_this, DLTensor *out, dlf_error *error) {
  (void)error;
  memset(dlf_data(out), 0x50, (size_t)like_this->shape[0]);
  return 0;
}
