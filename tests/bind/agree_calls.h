/* SPDX-License-Identifier: Apache-2.0 */
/* Random calls for agree.c: arguments that hold, and ways of spoiling them. */
#ifndef AGREE_CALLS_H
#define AGREE_CALLS_H

#include "../c/spoil.h"
#include "agree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct call {
  DLTensor t[3];
  int64_t shape[3][6], strides[3][6];
  dlf_arg args[3];
  int64_t n, m; /* m: tensors in a list, which are the first of args */
  double k;
} call;

enum { FAR = 16, FUNCTIONS = 23 }; /* FAR makes nothing, and so may ask for any size */

/* ---- random numbers and arguments ---- */

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17; /* xorshift64: Marsaglia, 2003 */
  return (uint32_t)((state >> 16) % limit);
}

/* Shapes and dtypes that one of the contracts may want, by trial: cheap, and it misses in every
 * way. */
static void pick_shapes(call *c, int which) {
  static const DLDataType dtypes[] = {{kDLFloat, 32, 1},
                                      {kDLFloat, 64, 1},
                                      {kDLUInt, 8, 1},
                                      {kDLInt, 16, 1},
                                      {kDLComplex, 64, 1},
                                      {kDLFloat, 32, 2},
                                      {kDLFloat8_e4m3fn, 8, 1},
                                      {kDLInt, 4, 1}};
  const int64_t h = below(4), w = below(4), d = 1 + below(5), m = 2 * below(3) + (below(8) == 0);
  const DLDataType dtype = dtypes[below(below(3) ? 2 : 8)], f32 = dtypes[0], f64 = dtypes[1];
  const DLDataType other = dtypes[2 + below(2)], u8 = dtypes[2], f32x4 = {kDLFloat, 32, 4};
  const DLDataType f4 = {kDLFloat4_e2m1fn, 4, 1}, i4x2 = {kDLInt, 4, 2};
  const int64_t n = c->n, a = 1 + below(3);
  const int64_t shapes[FUNCTIONS][3][4] = {
      {{h, w, d}, {h}, {h, w, d}},
      {{n, m}, {m / 2 + 1}, {(n + 3) / 2, (m + 1) / 2}},
      {{h, w}, {h, w}, {h, w}},
      {{h, w}, {w, 3}, {d, h}},
      {{h}, {h, h}, {h}},
      {{0}, {n}, {n - 1, 2}},
      {{n, n}, {n, n}, {n, n}},
      {{a, 2}, {h}, {a - 1}},
      {{0}, {0}, {0}},
      {{3, 4}, {n + 1, 2}, {4, n * 2}},
      {{h}, {h}, {h}},
      {{h, w, d}, {h, w, d}, {d, w, h}},
      {{h, w}, {d}, {w, h}},
      {{h, w}, {h}, {w - h + n, (n + 1) / 2}},
      {{h, w}, {h, n}, {h, n}},
      {{h, 3}, {h, 3}, {h * n}},
      {{a}, {d}, {h}},
      {{h, w, d, a}, {a, d, w, h}, {w, n, a}},
      {{h, w}, {w, n}, {n, h}},
      {{h, d, w}, {w, h, d}, {n, h, d, w - 1}},
      {{h, w}, {h}, {w, h * n}},
      {{h, w}, {h, w + n - 2}, {h, w}},
      {{h, w}, {h, w}, {c->m, w, h * n}},
  };
  static const int32_t ranks[FUNCTIONS][3] = {
      {3, 1, 3}, {2, 1, 2}, {2, 2, 2}, {2, 2, 2}, {1, 2, 1}, {0, 1, 2}, {2, 2, 2}, {2, 1, 1},
      {0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 3, 3}, {2, 1, 2}, {2, 1, 2}, {2, 2, 2}, {2, 2, 1},
      {1, 1, 1}, {4, 4, 3}, {2, 2, 2}, {3, 3, 4}, {2, 1, 2}, {2, 2, 2}, {2, 2, 3}};
  const DLDataType types[FUNCTIONS][3] = {
      {dtype, other, dtype}, {f32, f32, dtype},     {dtype, dtype, dtype}, {other, dtype, dtype},
      {dtype, other, f64},   {dtype, dtype, dtype}, {dtype, dtype, dtype}, {f32, dtypes[2], f64},
      {dtype, other, dtype}, {other, dtype, dtype}, {dtype, dtype, dtype}, {dtype, dtype, other},
      {dtype, u8, dtype},    {dtype, other, f32x4}, {dtype, dtype, dtype}, {f64, f64, dtypes[3]},
      {dtype, other, f64},   {dtype, other, dtype}, {dtype, dtype, dtype}, {dtype, other, dtype},
      {f4, other, i4x2},     {dtype, dtype, dtype}, {dtype, dtype, dtype}};
  for (int i = 0; i < 3; i++) {
    c->t[i].ndim = ranks[which][i];
    c->t[i].dtype = types[which][i];
    memcpy(c->shape[i], shapes[which][i], sizeof shapes[which][i]);
  }
}

static void pick_layout(call *c, int i, int kind) {
  DLTensor *t = &c->t[i];
  t->strides = c->strides[i];
  int64_t stride = 1;
  for (int32_t step = 0; step < t->ndim; step++) {
    const int32_t axis = kind == 1 ? step : t->ndim - 1 - step;
    t->strides[axis] = stride;
    if (kind == 2) {
      stride += 1 + below(3);
    }
    if (kind == 3 && step == 0) {
      stride = 20;
    } else {
      stride *= c->shape[i][axis] > 0 ? c->shape[i][axis] : 1;
    }
  }
  if (kind == 4) {
    t->strides = NULL;
  }
}

static void pick(call *c, int which) {
  static _Alignas(1024) unsigned char memory[4][8192];
  static const int kinds[FUNCTIONS][3] = {
      {0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 1, 3}, {2, 2, 2}, {0, 0, 0}, {0, 0, 0}, {0, 0, 2},
      {0, 0, 0}, {0, 0, 1}, {0, 2, 2}, {0, 0, 0}, {2, 0, 1}, {3, 0, 0}, {0, 0, 0}, {2, 2, 0},
      {2, 2, 2}, {0, 1, 0}, {2, 0, 1}, {2, 0, 0}, {0, 2, 1}, {0, 0, 0}, {2, 2, 0}};
  memset(c, 0, sizeof *c);
  c->n = 1 + below(4);
  c->m = below(6) ? 2 : below(3);
  c->k = (1 + below(16)) / 8.0;
  pick_shapes(c, which);
  const int shared = below(3) ? -1 : (int)below(5);
  for (int i = 0; i < 3; i++) {
    c->t[i].shape = c->shape[i];
    c->t[i].device = (DLDevice){kDLCPU, 0};
    c->t[i].data = memory[i] + 4096;
    pick_layout(c, i, !below(4) ? (int)below(5) : shared < 0 ? kinds[which][i] : shared);
    c->args[i] = (dlf_arg){&c->t[i], 0};
  }
}

/* So far that 64 bits of bytes come back to where they began. */
static void reach_around(call *c, int i) {
  c->t[i].dtype = (DLDataType){kDLFloat, 64, 4096};
  c->t[i].strides = c->strides[i];
  c->shape[i][0] = (INT64_C(1) << 30) + 1;
  c->strides[i][0] = INT64_C(1) << 19;
}

/* Nothing on one axis, as much as can be on the others, and strides that fit as far as 64 bits go.
 */
static void empty_hugely(call *c, int i) {
  const int32_t ndim = c->t[i].ndim > 0 && c->t[i].ndim <= 4 ? c->t[i].ndim : 0;
  const bool first = below(2);
  uint64_t stride = 1;
  for (int32_t step = 0; step < ndim; step++) {
    const int32_t axis = first ? ndim - 1 - step : step;
    c->shape[i][axis] = step + 1 < ndim ? INT32_MAX : 0;
    c->strides[i][axis] = (int64_t)stride;
    stride *= INT32_MAX;
  }
}

/* Add one fault or oddity that a caller could cause. */
static void spoil(call *c, int which) {
  static const int64_t extremes[] = {
      -1, 0, 1, 2, 5, INT64_C(1) << 31, INT64_C(1) << 62, INT64_MAX, INT64_MIN};
  static const double reals[] = {0, -1, 2.5, 2.5000001, 1, 0.25};
  const int i = (int)below(3);
  DLTensor *t = &c->t[i];
  const int64_t extreme = extremes[below(9)];
  const uint32_t kind = below(23);
  uintptr_t address;
  _Static_assert(SPOILS == 15,
                 "the ways of spoiling a call come behind those of spoiling a tensor");
  switch (kind) {
  case 15:
    c->args[i].tensor = NULL;
    break;
  case 16:
    address = (uintptr_t)c->t[below(3)].data; /* which may be NULL */
    t->data = (void *)(address + 4 * below(30));
    break;
  case 17:
    c->n = extreme;
    c->m = (int64_t)below(5) - 1;
    break;
  case 18:
    c->k = below(4) ? reals[below(6)] : below(2) ? (double)NAN : (double)INFINITY;
    break;
  case 19:
    if (which == FAR) {
      reach_around(c, i);
    }
    break;
  case 20:
    empty_hugely(c, i);
    break;
  case 21: /* down to address 0, or all but */
    t->data = (void *)(uintptr_t)16;
    c->shape[i][0] = 2 + below(2);
    c->strides[i][0] = -1;
    break;
  case 22:
    c->args[i] = c->args[below(3)];
    break;
  default:
    spoil_tensor(kind, &c->args[i], t, c->shape[i], c->strides[i], extreme);
    break;
  }
}

#endif
