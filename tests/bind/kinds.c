/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that trust their contracts, as a user would write them. */
#define _POSIX_C_SOURCE 200809L
#include "kinds.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double *doubles(const DLTensor *t) {
  return (const double *)(const void *)((char *)t->data + t->byte_offset);
}
static double *written(DLTensor *t) {
  return (double *)(void *)((char *)t->data + t->byte_offset);
}

/* ---- handles ---- */

/* Changed by one call at a time, as the header says: `inside` is not a lock, but detects
 * violations. */
struct kinds_sum {
  double total;
  volatile int inside;
  _Atomic int64_t counted;
  char text[32];
};

static _Atomic int64_t open_sums, open_gifts, met;

int64_t kinds_open_sums(void) {
  return open_sums;
}
int64_t kinds_open_gifts(void) {
  return open_gifts;
}

int64_t kinds_met(void) {
  return met;
}

static void begin(kinds_sum *sum) {
  met += sum->inside++ != 0;
}
static void end(kinds_sum *sum) {
  met += --sum->inside != 0;
}
static void look(const kinds_sum *sum) {
  met += sum->inside != 0;
}

/* Takes long enough for another thread to enter meanwhile. */
static int add(kinds_sum *sum, const DLTensor *values) {
  begin(sum);
  for (int64_t i = 0; i < values->shape[0]; i++) {
    sum->total += doubles(values)[i];
  }
  for (volatile int i = 0; i < 500;) {
    i = i + 1;
  }
  end(sum);
  return 0;
}

bool kinds_sum_busy(const kinds_sum *sum) {
  return sum->inside != 0;
}
void kinds_sum_count(kinds_sum *sum) {
  sum->counted++;
}
int64_t kinds_sum_counted(const kinds_sum *sum) {
  return sum->counted;
}

void kinds_sleep(int32_t milliseconds) {
  nanosleep(&(struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L}, NULL);
}

void kinds_sum_move(kinds_sum *sum, kinds_sum *from) {
  begin(sum);
  begin(from);
  sum->total += from->total;
  from->total = 0;
  for (volatile int i = 0; i < 500;) {
    i = i + 1;
  }
  end(from);
  end(sum);
}

void kinds_even(kinds_sum *const *sums, int32_t n) {
  double total = 0;
  for (int32_t i = 0; i < n; i++) {
    begin(sums[i]);
    total += sums[i]->total;
  }
  for (int32_t i = 0; i < n; i++) {
    sums[i]->total = total / n;
    end(sums[i]);
  }
}

const char *kinds_sum_spell(kinds_sum *sum) {
  begin(sum);
  snprintf(sum->text, sizeof sum->text, "%.0f", sum->total);
  end(sum);
  return sum->text;
}

kinds_sum *kinds_sum_create(double start, dlf_error *error) {
  kinds_sum *sum = start == 13 ? NULL : malloc(sizeof *sum);
  if (sum) {
    *sum = (kinds_sum){.total = start};
  } else if (start == 13) {
    dlf_error_set(error, DLF_UNSUPPORTED, "sum_create: expected a lucky start, got 13");
  }
  open_sums += sum != NULL;
  return sum;
}

int kinds_sum_from_values(const DLTensor *values, kinds_sum **sum, dlf_error *error) {
  *sum = kinds_sum_create(0, error);
  return *sum ? add(*sum, values) : DLF_NO_MEMORY;
}

int kinds_sum_add(kinds_sum *sum, const DLTensor *values, dlf_error *error) {
  (void)error;
  return add(sum, values);
}

double kinds_sum_total(const kinds_sum *sum) {
  look(sum);
  return sum->total;
}

void kinds_sum_free(kinds_sum *sum) {
  open_sums -= sum != NULL;
  free(sum);
}

int kinds_scale(const DLTensor *x, const kinds_sum *sum, DLTensor *out) {
  look(sum);
  for (int64_t i = 0; i < x->shape[0]; i++) {
    written(out)[i] = doubles(x)[i] * sum->total;
  }
  look(sum);
  return 0;
}

/* ---- lists and arrays ---- */

int kinds_stack(const DLTensor *const *frames, int64_t count, DLTensor *out, dlf_error *error) {
  const size_t item = out->dtype.bits / 8u;
  (void)error;
  for (int64_t i = 0; i < count; i++) {
    const size_t size = (size_t)(out->shape[1] * out->shape[2]) * item;
    if (size) {
      memcpy((char *)out->data + out->byte_offset + (size_t)i * size,
             (char *)frames[i]->data + frames[i]->byte_offset,
             size);
    }
  }
  return 0;
}

int kinds_weigh(const DLTensor *const *rows, const double *weights, int32_t n, DLTensor *out,
                dlf_error *error) {
  (void)error;
  for (int64_t i = 0; i < out->shape[0]; i++) {
    written(out)[i] = 0;
    for (int32_t k = 0; k < n; k++) {
      written(out)[i] += weights[k] * doubles(rows[k])[i];
    }
  }
  return 0;
}

int kinds_pick(const DLTensor *x, const int64_t *index, int32_t count, DLTensor *out,
               dlf_error *error) {
  for (int32_t i = 0; i < count; i++) {
    if (index[i] < 0 || index[i] >= x->shape[0]) {
      return (int)dlf_error_set(
          error, DLF_BOUNDS, "pick: expected an index inside, got one outside");
    }
    written(out)[i] = doubles(x)[index[i]];
  }
  return 0;
}

/* ---- scalars that come back ---- */

int kinds_range(const DLTensor *x, double *low, double *high, dlf_error *error) {
  (void)error;
  *low = *high = doubles(x)[0];
  for (int64_t i = 1; i < x->shape[0]; i++) {
    if (doubles(x)[i] < *low) {
      *low = doubles(x)[i];
    }
    if (doubles(x)[i] > *high) {
      *high = doubles(x)[i];
    }
  }
  return 0;
}

int64_t kinds_find(const DLTensor *x, double value, bool *found, kinds_sign *sign) {
  int64_t i = 0;
  while (i < x->shape[0] && doubles(x)[i] != value) {
    i++;
  }
  *found = i < x->shape[0];
  *sign = value > 0 ? KINDS_SIGN_POSITIVE : value < 0 ? KINDS_SIGN_NEGATIVE : KINDS_SIGN_ZERO;
  return i;
}

/* ---- tensors that are given ---- */

typedef struct gift {
  DLManagedTensorVersioned managed;
  int64_t extents[2];
} gift;

static void delete_gift(DLManagedTensorVersioned *managed) {
  open_gifts--;
  free(managed->dl_tensor.data);
  free(managed);
}

/* A tensor of one axis, its memory uninitialised. */
static DLManagedTensorVersioned *give(DLDataType dtype, int64_t count) {
  gift *g = calloc(1, sizeof *g);
  void *data = count ? malloc((size_t)count * (dtype.bits / 8u)) : NULL;
  if (!g || (count && !data)) {
    free(g);
    free(data);
    return NULL;
  }
  g->extents[0] = count;
  g->extents[1] = 1;
  g->managed.version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  g->managed.deleter = delete_gift;
  g->managed.dl_tensor = (DLTensor){data, {kDLCPU, 0}, 1, dtype, g->extents, g->extents + 1, 0};
  open_gifts++;
  return &g->managed;
}

int kinds_positive(const DLTensor *x, DLManagedTensorVersioned **out, dlf_error *error) {
  const bool wide = x->dtype.bits == 64;
  const float *from = (const float *)(const void *)((char *)x->data + x->byte_offset);
  int64_t count = 0, at = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    count += wide ? doubles(x)[i] > 0 : from[i] > 0;
  }
  *out = give(x->dtype, count);
  if (!*out) {
    return (int)dlf_error_set(error, DLF_NO_MEMORY, "positive: expected memory, got none");
  }
  if (count == x->shape[0]) {
    (*out)->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  for (int64_t i = 0; i < x->shape[0]; i++) {
    if (wide && doubles(x)[i] > 0) {
      ((double *)(*out)->dl_tensor.data)[at++] = doubles(x)[i];
    }
    if (!wide && from[i] > 0) {
      ((float *)(*out)->dl_tensor.data)[at++] = from[i];
    }
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int kinds_unique(const DLTensor *x, DLManagedTensorVersioned **values,
                 DLManagedTensorVersioned **counts, dlf_error *error) {
  const int64_t n = x->shape[0];
  int64_t k = 0;
  *values = give((DLDataType){kDLFloat, 64, 1}, n);
  *counts = give((DLDataType){kDLInt, 64, 1}, n);
  if (!*values || !*counts) {
    if (*values) {
      delete_gift(*values);
    }
    if (*counts) {
      delete_gift(*counts);
    }
    *values = *counts = NULL;
    return (int)dlf_error_set(error, DLF_NO_MEMORY, "unique: expected memory, got none");
  }
  double *v = (*values)->dl_tensor.data;
  int64_t *c = (*counts)->dl_tensor.data;
  if (n) {
    memcpy(v, doubles(x), (size_t)n * sizeof *v);
  }
  if (n) {
    qsort(v, (size_t)n, sizeof *v, ascending);
  }
  for (int64_t i = 0; i < n; i++) {
    if (k && v[k - 1] == v[i]) {
      c[k - 1]++;
    } else {
      v[k] = v[i];
      c[k++] = 1;
    }
  }
  (*values)->dl_tensor.shape[0] = (*counts)->dl_tensor.shape[0] = k;
  return 0;
}

int kinds_gift(int32_t what, DLManagedTensorVersioned **out, dlf_error *error) {
  *out = what == 1 ? NULL : give((DLDataType){kDLFloat, what == 2 ? 32 : 64, 1}, 3);
  if (!*out) {
    return 0;
  }
  memset((*out)->dl_tensor.data, 0, what == 2 ? 12 : 24);
  if (what == 3) {
    (*out)->dl_tensor.shape[0] = -3;
  }
  if (what != 4) {
    return 0;
  }
  delete_gift(*out); /* *out stays dangling, and must not be read */
  return (int)dlf_error_set(error, DLF_UNSUPPORTED, "gift: expected to give, got cold feet");
}

/* ---- the rest ---- */

int64_t kinds_resampled(const DLTensor *x, double ratio) {
  return ratio > 1000 ? -1 : (int64_t)((double)x->shape[0] * ratio);
}

int kinds_resample(const DLTensor *x, double ratio, DLTensor *out, dlf_error *error) {
  const float *from = (const float *)(const void *)((char *)x->data + x->byte_offset);
  float *to = (float *)(void *)((char *)out->data + out->byte_offset);
  (void)error;
  for (int64_t i = 0; i < out->shape[0]; i++) {
    const int64_t at = (int64_t)((double)i / ratio);
    to[i] = from[at < x->shape[0] ? at : x->shape[0] - 1];
  }
  return 0;
}

bool kinds_fill(DLTensor *out, double value, dlf_stream stream) {
  for (int64_t i = 0; i < out->shape[0]; i++) {
    written(out)[i] = value;
  }
  return stream.handle == NULL;
}

const char *kinds_word(int32_t number) {
  static const char *const words[] = {"one", "two", "three"};
  return number >= 1 && number <= 3 ? words[number - 1] : NULL;
}

kinds_spot kinds_right_of(kinds_spot spot) {
  spot.at.x++;
  return spot;
}
