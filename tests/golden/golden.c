/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels that do nothing but end as they are asked to. */
#include "golden.h"

#include <stdlib.h>
#include <string.h>

static int end(dlf_error *error, int32_t status, const char *text) {
  if (error) {
    error->status = status;
    strncpy(error->message, text, sizeof error->message - 1);
    error->message[sizeof error->message - 1] = 0;
  }
  return status;
}

struct unused {
  const void *all[9];
};

#define NOTHING(...)                                                                               \
  (void)(struct unused) {                                                                          \
    {                                                                                              \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

int golden_shape(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_error *error) {
  NOTHING(x, y, out, error);
  return 0;
}

int golden_dtypes(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                  dlf_error *error) {
  NOTHING(a, b, c, d, error);
  return 0;
}

int golden_layout(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                  const DLTensor *e, const DLTensor *f, dlf_error *error) {
  NOTHING(a, b, c, d, e, f, error);
  return 0;
}

int golden_elements(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_error *error) {
  NOTHING(x, y, out, error);
  return 0;
}

int golden_dots(const DLTensor *x, const DLTensor *y, const DLTensor *z, dlf_error *error) {
  NOTHING(x, y, z, error);
  return 0;
}

int golden_extents(const DLTensor *x, const DLTensor *y, const DLTensor *z, int32_t s,
                   DLTensor *out, dlf_error *error) {
  NOTHING(x, y, z, out, error);
  return s < 0;
}

int golden_grow(const DLTensor *x, DLTensor *out, dlf_error *error) {
  NOTHING(x, out, error);
  return 0;
}

int golden_spread(const DLTensor *x, DLTensor *out, dlf_error *error) {
  NOTHING(x, out, error);
  return 0;
}

int golden_devices(const DLTensor *a, const DLTensor *b, const DLTensor *c, const DLTensor *d,
                   dlf_error *error) {
  NOTHING(a, b, c, d, error);
  return 0;
}

int golden_follow(const DLTensor *x, DLTensor *out, dlf_error *error) {
  NOTHING(x, out, error);
  return 0;
}

int golden_aligned(const DLTensor *x, DLTensor *out, dlf_error *error) {
  NOTHING(x, out, error);
  return 0;
}

int golden_scalars(double k, float r, golden_mode mode, golden_flags flags, bool flag,
                   const char *text, dlf_error *error) {
  NOTHING(text, error);
  return !flag && k + (double)r < 0 && (int)mode + (int)flags < 0;
}

int golden_integers(int32_t a, int64_t b, int8_t c, uint8_t d, uint32_t e, int16_t f, uint64_t g,
                    dlf_error *error) {
  NOTHING(error);
  return a + b + c + d + e + f < -1000 && g > 9;
}

int golden_product(int64_t a, int64_t b, dlf_error *error) {
  NOTHING(error);
  return a > 99 && b > 99;
}

int golden_limits(const DLTensor *x, dlf_error *error) {
  NOTHING(x, error);
  return 0;
}

int golden_update(DLTensor *x, const DLTensor *bias, const DLTensor *mask, dlf_error *error) {
  NOTHING(x, bias, mask, error);
  return 0;
}

int golden_code(int32_t code) {
  return code;
}

int golden_bare(int32_t code, dlf_error *error) {
  NOTHING(error);
  return code;
}

int64_t golden_divide(int64_t a, int64_t b, double *result) {
  *result = (double)a / (double)b;
  return a / b;
}

int golden_said(int32_t code, dlf_error *error) {
  static const char more[] = "and more of the same, ";
  char text[300] = "a long story: ";
  switch (code) {
  case 0:
    return 0;
  case 1:
    return end(error, DLF_BOUNDS, "the kernel's own words");
  case 3:
    return end(error, DLF_INVALID, "größer als erlaubt: 日本");
  case 4:
    return end(error, DLF_SHAPE, "said: the kernel gave its name");
  case 5:
    return end(error, DLF_SHAPE, "saider: not the kernel's name");
  default:
    while (strlen(text) + sizeof more < sizeof text) {
      strcat(text, more);
    }
    return end(error, DLF_UNSUPPORTED, text);
  }
}

const char *golden_text(int code) {
  return code > 9 ? NULL : code < 0 ? "a code below zero" : "some code";
}

int golden_stack(const DLTensor *const *frames, int64_t count, DLTensor *out, dlf_error *error) {
  NOTHING(frames, out, error);
  return count < 0;
}

int golden_repeat(const DLTensor *x, const DLTensor *const *copies, int64_t count, DLTensor *out,
                  dlf_error *error) {
  NOTHING(x, copies, out, error);
  return count < 0;
}

int golden_count(const DLTensor *x, const int64_t *axes, int32_t axes_count,
                 const DLTensor *const *rows, int64_t count, dlf_error *error) {
  NOTHING(x, axes, rows, error);
  return count < 0 || axes_count < 0;
}

int golden_join(const DLTensor *const *rows, int64_t count, DLTensor *out, dlf_error *error) {
  NOTHING(rows, out, error);
  return count < 0;
}

int golden_weigh(const DLTensor *const *rows, const double *weights, int32_t n, DLTensor *out,
                 dlf_error *error) {
  NOTHING(rows, weights, out, error);
  return n < 0;
}

int golden_axes(const DLTensor *x, const int64_t *axes, int32_t count, dlf_error *error) {
  NOTHING(x, axes, error);
  return count < 0;
}

int64_t golden_length(const DLTensor *x, double ratio) {
  return ratio > 100 ? -1 : (int64_t)((double)x->shape[0] * ratio);
}

int golden_resample(const DLTensor *x, double ratio, DLTensor *out, dlf_error *error) {
  NOTHING(x, out, error);
  return ratio < 0;
}

static void free_given(DLManagedTensorVersioned *self) {
  free(self);
}

int golden_give(int32_t what, DLManagedTensorVersioned **out, dlf_error *error) {
  struct given {
    DLManagedTensorVersioned managed;
    int64_t shape[1], strides[1];
    double data[4];
  };
  if (what == 1) {
    return 0;
  }
  struct given *given = calloc(1, sizeof *given);
  if (!given) {
    return end(error, DLF_NO_MEMORY, "give: out of memory");
  }
  DLManagedTensorVersioned *m = &given->managed;
  m->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->deleter = free_given;
  m->dl_tensor =
      (DLTensor){.data = given->data, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 64, 1}};
  m->dl_tensor.shape = given->shape;
  m->dl_tensor.strides = given->strides;
  given->shape[0] = what == 3 ? 4 : what == 4 ? -3 : 3;
  given->strides[0] = 1;
  if (what == 2) {
    m->dl_tensor.dtype.bits = 32;
  }
  if (what == 5) {
    m->version.major = 2;
  }
  *out = m;
  return 0;
}

/* ---- kernels that never look at byte_offset ---- */

int golden_gather(const DLTensor *x, const DLTensor *y, DLTensor *z, DLTensor *out,
                  dlf_error *error) {
  const double *from = x->data, *more = y ? y->data : NULL;
  double *sums = z->data, *twice = out->data;
  (void)error;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    sums[i] += from[i] + (more ? more[i] : 0);
    twice[i] = 2 * sums[i];
  }
  return 0;
}

static double sum(const DLTensor *x) {
  const double *data = x->data;
  double all = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    all += data[i];
  }
  return all;
}

double golden_sum_all(const DLTensor *const *all, int64_t count) {
  double total = 0;
  for (int64_t i = 0; i < count; i++) {
    total += sum(all[i]);
  }
  return total;
}

int64_t golden_first(const DLTensor *x) {
  return x->shape[0] ? *(const int64_t *)x->data : 0;
}

int golden_upwards(const DLTensor *x, DLTensor *out, dlf_error *error) {
  NOTHING(x, error);
  for (int64_t i = 0; i < out->shape[0]; i++) {
    ((int64_t *)out->data)[i] = i;
  }
  return 0;
}

struct behind {
  DLManagedTensorVersioned managed;
  int64_t shape[1], strides[1];
  double data[];
};

static void free_behind(DLManagedTensorVersioned *self) {
  free(self);
}

int golden_behind(int64_t n, DLManagedTensorVersioned **out, dlf_error *error) {
  enum { BEFORE = 5 };
  struct behind *given = calloc(1, sizeof *given + (size_t)(n + BEFORE) * sizeof *given->data);
  if (!given) {
    return end(error, DLF_NO_MEMORY, "behind: out of memory");
  }
  for (int64_t i = 0; i < n + BEFORE; i++) {
    given->data[i] = (double)(i < BEFORE ? -7 : i - BEFORE + 1);
  }
  DLManagedTensorVersioned *m = &given->managed;
  m->version = (DLPackVersion){DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->deleter = free_behind;
  given->shape[0] = n == 13 ? 12 : n;
  given->strides[0] = 1;
  m->dl_tensor =
      (DLTensor){.data = given->data, .device = {kDLCPU, 0}, .ndim = 1, .dtype = {kDLFloat, 64, 1}};
  m->dl_tensor.shape = given->shape;
  m->dl_tensor.strides = given->strides;
  m->dl_tensor.byte_offset = BEFORE * sizeof *given->data;
  *out = m;
  return 0;
}

struct golden_shelf {
  const DLTensor *first;
  DLTensor *second;
};

golden_shelf *golden_shelf_create(const DLTensor *x) {
  golden_shelf *shelf = calloc(1, sizeof *shelf);
  if (shelf) {
    shelf->first = x;
  }
  return shelf;
}

int golden_shelf_put(golden_shelf *shelf, DLTensor *x) {
  if (*(const double *)x->data < 0) {
    return 1;
  }
  shelf->second = x;
  return 0;
}

double golden_shelf_sum(golden_shelf *shelf) {
  double *put = shelf->second ? shelf->second->data : NULL;
  const double total = sum(shelf->first) + (put ? sum(shelf->second) : 0);
  for (int64_t i = 0; put && i < shelf->second->shape[0]; i++) {
    put[i] *= 2;
  }
  return total;
}

void golden_shelf_free(golden_shelf *shelf) {
  free(shelf);
}

/* ---- stores ---- */

struct golden_store {
  int32_t size;
};

golden_store *golden_store_create(int32_t size, dlf_error *error) {
  golden_store *store = size == 13 ? NULL : calloc(1, sizeof *store);
  if (store) {
    store->size = size;
  } else {
    end(error, size == 13 ? DLF_UNSUPPORTED : DLF_NO_MEMORY, "stores of 13 bring bad luck");
  }
  return store;
}

int golden_store_put(golden_store *store, const DLTensor *x, dlf_error *error) {
  NOTHING(store, x, error);
  return 0;
}

bool golden_store_equal(const golden_store *store, const golden_store *other) {
  return store->size == other->size;
}

/* Each argument that is not as it should be crashes this, or leaves the table. */
int64_t golden_take_length(const golden_store *store, golden_mode mode, golden_flags flags,
                           const char *text) {
  static const int64_t times[] = {1, -1, 2}, more[8] = {0};
  return (store->size ? 0 : 1) + (int64_t)strlen(text) * times[mode] + more[flags];
}

int golden_take(const golden_store *store, golden_mode mode, golden_flags flags, const char *text,
                DLTensor *out, dlf_error *error) {
  NOTHING(store, text, out, error);
  return (int)mode + (int)flags < 0;
}

void golden_store_free(golden_store *store) {
  free(store);
}
