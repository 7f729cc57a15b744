/* SPDX-License-Identifier: Apache-2.0 */
#include "awkward.h"

#include <math.h>
#include <stdlib.h>

static double *at(const DLTensor *t, int64_t i) { return (double *)((char *)t->data + t->byte_offset) + i; }

int awk_split(const DLTensor *x, DLTensor *whole, DLTensor *broken) {
  for (int64_t i = 0; i < x->shape[0]; i++) {
    *at(whole, i) = trunc(*at(x, i));
    *at(broken, i) = *at(x, i) - trunc(*at(x, i));
  }
  return 0;
}

double awk_sum(int8_t a, uint16_t b, uint64_t c, float d, double e, bool f, awk_way way, int64_t lambda) {
  return a + b + (double)c + d + e + f + (double)way + (double)lambda;
}

awk_choice awk_other(awk_choice from) { return from == AWK_CHOICE_YES ? AWK_CHOICE_NONE : AWK_CHOICE_YES; }

uint64_t awk_length(const char *text) {
  uint64_t n = 0;
  while (text[n]) n++;
  return n;
}

int awk_weigh(const DLTensor *x, const DLTensor *weight, DLTensor *out) {
  for (int64_t i = 0; i < x->shape[0]; i++) *at(out, i) = *at(x, i) * (weight ? *at(weight, i) : 1);
  return 0;
}

int awk_call(DLTensor *t, double status) {
  for (int64_t i = 0; i < t->shape[0]; i++) *at(t, i) *= status;
  return 0;
}

int awk_fill(DLTensor *out, double value) {
  for (int64_t i = 0; i < out->shape[0]; i++) *at(out, i) = value;
  return 0;
}

int awk_ramp(int64_t n, DLTensor *out) {
  for (int64_t i = 0; i < n; i++) *at(out, i) = (double)i;
  return 0;
}

int awk_fail(int32_t answer) { return answer; }

struct awk_bell {
  void (*function)(void);
};

awk_bell *awk_bell_new(int64_t function) {
  awk_bell *bell = malloc(sizeof *bell);
  if (bell) bell->function = (void (*)(void))(intptr_t)function;
  return bell;
}

void awk_bell_free(awk_bell *bell) {
  bell->function();
  free(bell);
}
