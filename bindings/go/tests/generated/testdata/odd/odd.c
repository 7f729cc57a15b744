/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int odd_select(DLTensor *type, int64_t func, bool range) {
  int64_t *data = (int64_t *)((char *)type->data + type->byte_offset);
  for (int64_t i = 0; i < type->shape[0]; i++) data[i] += range ? func : -func;
  return 0;
}

static double doubles(const DLTensor *t, int64_t i) {
  const char *data = (const char *)t->data + t->byte_offset;
  return t->dtype.bits == 32 ? (double)((const float *)data)[i] : ((const double *)data)[i];
}

int odd_split(const DLTensor *err, odd_mode mode, DLTensor *whole, DLTensor *status) {
  for (int64_t i = 0; i < err->shape[0]; i++) {
    double x = doubles(err, i), w = mode == ODD_MODE_DOWN ? floor(x) : mode == ODD_MODE_UP ? ceil(x) : nearbyint(x);
    ((int64_t *)whole->data)[i] = (int64_t)w;
    if (err->dtype.bits == 32)
      ((float *)status->data)[i] = (float)(x - w);
    else
      ((double *)status->data)[i] = x - w;
  }
  return 0;
}

int64_t odd_sum(const DLTensor *x, const DLTensor *weights, enum odd_skip skip, DLTensor *total) {
  int64_t counted = 0, last = x->shape[0] - 1;
  double sum = 0;
  for (int64_t i = 0; i <= last; i++) {
    if (((skip & ODD_SKIP_FIRST) && i == 0) || ((skip & ODD_SKIP_LAST) && i == last)) continue;
    sum += doubles(x, i) * (weights ? doubles(weights, i) : 1);
    counted++;
  }
  *(double *)((char *)total->data + total->byte_offset) = sum;
  return counted;
}

odd_mode odd_next(odd_mode mode) { return mode == ODD_MODE_UP ? ODD_MODE_DOWN : (odd_mode)(mode + 1); }

bool odd_same(const char *a, const char *b) { return strcmp(a, b) == 0; }

const char *odd_greet(const char *who, const char *word) {
  static _Thread_local char text[240];
  snprintf(text, sizeof text, "%s, %s", word, who);
  return text;
}

double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, float i) {
  return (double)a + b + c + d + e + f + (double)g + (double)h + (double)i;
}

void odd_nothing(void) {}

int odd_code(int32_t code) { return code; }

struct odd_box {
  int64_t content;
};

struct odd_lid {
  odd_box *box;
};

odd_box *odd_box_new(int64_t content) {
  odd_box *box = content < 0 ? NULL : malloc(sizeof *box);
  if (box) box->content = content;
  return box;
}

void odd_box_close(odd_box *box) {
  box->content = -1; /* whoever looks later shall see it */
  free(box);
}

int odd_box_fill(odd_box *box, const DLTensor *const *parts, const int64_t *times, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    const int64_t *data = (const int64_t *)((char *)parts[i]->data + parts[i]->byte_offset);
    for (int64_t k = 0; k < parts[i]->shape[0]; k++) box->content += times[i] * data[k];
  }
  return 0;
}

int64_t odd_box_between(const odd_box *box, dlf_stream from, dlf_stream to) {
  return (int64_t)((intptr_t)to.handle - (intptr_t)from.handle) + box->content;
}

odd_lid *odd_lid_make(odd_box *box) {
  odd_lid *lid = malloc(sizeof *lid);
  if (lid) lid->box = box;
  return lid;
}

int64_t odd_lid_content(const odd_lid *lid) { return lid->box->content; }

void odd_lid_free(odd_lid *lid) { free(lid); }

struct odd_roll {
  double length;
};

int odd_roll_open(const DLTensor *x, double *length, odd_roll **roll) {
  *roll = malloc(sizeof **roll);
  if (!*roll) return 1;
  (*roll)->length = *length = (double)x->shape[0];
  return 0;
}

double odd_roll_length(const odd_roll *roll, const DLTensor *marks) { return roll->length + (double)marks->shape[0]; }

void odd_roll_close(odd_roll *roll) { free(roll); }

struct odd_key {
  unsigned char code;
};

odd_key *odd_key_new(const DLTensor *code) {
  const unsigned char first = *((unsigned char *)code->data + code->byte_offset);
  odd_key *key = first ? malloc(sizeof *key) : NULL;
  if (key) key->code = first;
  return key;
}

int odd_key_turn(const odd_key *key, const DLTensor *times) {
  return key->code == *((unsigned char *)times->data + times->byte_offset) ? 1 : 0;
}

void odd_key_free(odd_key *key) { free(key); }
