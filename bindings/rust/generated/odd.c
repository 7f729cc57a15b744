/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <string.h>

static void copy(const DLTensor *a, DLTensor *b) {
  memcpy(b->data, (char *)a->data + a->byte_offset, (size_t)a->shape[0] * (a->dtype.bits / 8));
}

int odd_split(const DLTensor *match, DLTensor *left, DLTensor *right, dlf_error *error) {
  (void)error;
  copy(match, left);
  copy(match, right);
  return 0;
}

double odd_sum(const DLTensor *x, const DLTensor *mask, float scale, const char *label, enum odd_kind kind) {
  double s = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) s += ((float *)x->data)[i] * (mask ? ((float *)mask->data)[i] : 1);
  return s * scale + (double)strlen(label) + (int)kind;
}

int odd_bits(odd_mode modes) { return (int)modes; }

enum odd_kind odd_kind_of(int64_t value) { return value > 5 ? ODD_LARGE : ODD_SMALL; }

bool odd_is_even(uint64_t value) { return value % 2 == 0; }

int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c, uint16_t d, uint32_t e,
             dlf_error *error) {
  (void)extra;
  (void)error;
  copy(x, out);
  return a + b + c + d + (int)e == 15 ? 0 : 1;
}

void odd_nothing(void) {}

int odd_text_of(const char *text) { return *text != 'a'; }
