/* SPDX-License-Identifier: Apache-2.0 */
/* The fast check never says yes where the interpreter says no, and says yes to plain calls: random calls that hold, and
 * calls with one thing wrong. agree [ROUNDS [SEED]], for each contract: agree 1000000 makes twelve million calls. */
#include "agree_dlferry.c" /* for what is static in it */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NEVER_CALLED(name)                                                                                             \
  void agree_##name(const DLTensor *x, const DLTensor *y, DLTensor *out, int64_t n, double k) {                        \
    (void)x, (void)y, (void)out, (void)n, (void)k;                                                                     \
  }
NEVER_CALLED(blur)
NEVER_CALLED(fold)
NEVER_CALLED(elementwise)
NEVER_CALLED(rows)
NEVER_CALLED(strided)
NEVER_CALLED(small)
NEVER_CALLED(square)
NEVER_CALLED(lanes)
NEVER_CALLED(points)
NEVER_CALLED(numbers)
NEVER_CALLED(apart)
NEVER_CALLED(volumes)

typedef bool (*fits)(dlf_arg x, dlf_arg y, dlf_arg out, int64_t n, double k);

static const struct {
  const char *name;
  fits fast;
  dlferry_once *once;
} functions[] = {{"blur", dlferry_fits_blur, &dlferry_once_blur},
                 {"fold", dlferry_fits_fold, &dlferry_once_fold},
                 {"elementwise", dlferry_fits_elementwise, &dlferry_once_elementwise},
                 {"rows", dlferry_fits_rows, &dlferry_once_rows},
                 {"strided", dlferry_fits_strided, &dlferry_once_strided},
                 {"small", dlferry_fits_small, &dlferry_once_small},
                 {"square", dlferry_fits_square, &dlferry_once_square},
                 {"lanes", dlferry_fits_lanes, &dlferry_once_lanes},
                 {"points", dlferry_fits_points, &dlferry_once_points},
                 {"numbers", dlferry_fits_numbers, &dlferry_once_numbers},
                 {"apart", dlferry_fits_apart, &dlferry_once_apart},
                 {"volumes", dlferry_fits_volumes, &dlferry_once_volumes}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- random numbers and arguments ---- */

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17; /* xorshift64: Marsaglia, 2003 */
  return (uint32_t)((state >> 16) % limit);
}

typedef struct call {
  DLTensor t[3];
  int64_t shape[3][6], strides[3][6];
  dlf_arg args[3];
  int64_t n;
  double k;
} call;

/* Shapes and dtypes that one of the contracts may want, by trial: cheap, and it misses in every way. */
static void pick_shapes(call *c, int which) {
  static const DLDataType dtypes[] = {{kDLFloat, 32, 1},   {kDLFloat, 64, 1}, {kDLUInt, 8, 1},          {kDLInt, 16, 1},
                                      {kDLComplex, 64, 1}, {kDLFloat, 32, 2}, {kDLFloat8_e4m3fn, 8, 1}, {kDLInt, 4, 1}};
  const int64_t h = below(4), w = below(4), d = 1 + below(5), m = 2 * below(3) + (below(8) == 0);
  const DLDataType dtype = dtypes[below(below(3) ? 2 : 8)], f32 = dtypes[0], f64 = dtypes[1];
  const DLDataType other = dtypes[2 + below(2)];
  const int64_t n = c->n, a = 1 + below(3);
  const int64_t shapes[FUNCTIONS][3][3] = {
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
  };
  static const int32_t ranks[FUNCTIONS][3] = {{3, 1, 3}, {2, 1, 2}, {2, 2, 2}, {2, 2, 2}, {1, 2, 1}, {0, 1, 2},
                                              {2, 2, 2}, {2, 1, 1}, {0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 3, 3}};
  const DLDataType types[FUNCTIONS][3] = {{dtype, other, dtype}, {f32, f32, dtype},     {dtype, dtype, dtype},
                                          {other, dtype, dtype}, {dtype, other, f64},   {dtype, dtype, dtype},
                                          {dtype, dtype, dtype}, {f32, dtypes[2], f64}, {dtype, other, dtype},
                                          {other, dtype, dtype}, {dtype, dtype, dtype}, {dtype, dtype, other}};
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
    if (kind == 2) stride += 1 + below(3);
    if (kind == 3 && step == 0)
      stride = 20;
    else
      stride *= c->shape[i][axis] > 0 ? c->shape[i][axis] : 1;
  }
  if (kind == 4) t->strides = NULL;
}

static void pick(call *c, int which) {
  static _Alignas(64) unsigned char memory[4][8192];
  static const int kinds[FUNCTIONS][3] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 1, 3}, {2, 2, 2}, {0, 0, 0},
                                          {0, 0, 0}, {0, 0, 2}, {0, 0, 0}, {0, 0, 1}, {0, 2, 2}, {0, 0, 0}};
  memset(c, 0, sizeof *c);
  c->n = 1 + below(4);
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

/* One thing wrong or strange, of those that a caller could do. */
static void spoil(call *c) {
  static const int64_t extremes[] = {-1, 0, 1, 2, 5, INT64_C(1) << 31, INT64_C(1) << 62, INT64_MAX, INT64_MIN};
  static const double reals[] = {0, -1, 2.5, 2.5000001, 1, 0.25};
  const int i = (int)below(3);
  DLTensor *t = &c->t[i];
  const uint32_t axis = below(3);
  const int64_t extreme = extremes[below(9)];
  switch (below(20)) {
  case 0: c->shape[i][axis] = extreme; break;
  case 1: c->strides[i][axis] = extreme; break;
  case 2: c->strides[i][axis] = -(int64_t)below(5); break;
  case 3: t->ndim = (int32_t)below(6) - 1; break;
  case 4: t->shape = NULL; break;
  case 5: t->strides = NULL; break;
  case 6: t->data = NULL; break;
  case 7: t->byte_offset = below(9); break;
  case 8: t->byte_offset = (uint64_t)extreme; break;
  case 9: t->device.device_type = below(2) ? kDLCUDA : kDLCUDAHost; break;
  case 10: t->device.device_id = (int32_t)below(3) - 1; break;
  case 11: t->dtype.bits = (uint8_t)(below(5) * 8); break;
  case 12: t->dtype.lanes = (uint16_t)below(3); break;
  case 13: t->dtype.code = (uint8_t)below(20); break;
  case 14: c->args[i].flags = below(2) ? DLPACK_FLAG_BITMASK_READ_ONLY : DLF_FLAGS_UNKNOWN; break;
  case 15: c->args[i].tensor = NULL; break;
  case 16: t->data = (char *)c->t[below(3)].data + 4 * below(30); break;
  case 17: c->n = extreme; break;
  case 18: c->k = below(4) ? reals[below(6)] : below(2) ? (double)NAN : (double)INFINITY; break;
  default: c->args[i] = c->args[below(3)]; break;
  }
}

static int show(const call *c, const char *name, const dlf_error *error) {
  printf("the fast check of %s says yes, the interpreter: %s\n", name, error->message);
  for (int i = 0; i < 3; i++) {
    char text[300];
    if (c->args[i].tensor) dlf_describe(c->args[i].tensor, c->args[i].flags, text, sizeof text);
    printf("  %s\n", c->args[i].tensor ? text : "absent");
  }
  printf("  n %lld k %g\n", (long long)c->n, c->k);
  return 1;
}

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 60000;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 88172645463325252u;
  if (!state) state = 1;
  int failed = 0;
  for (int which = 0; which < FUNCTIONS; which++) {
    long held = 0, fast = 0, refused = 0;
    const dlf_contract *contract;
    dlf_error error = {0};
    if (dlferry_compile(functions[which].once, &contract, &error)) return puts(error.message), 1;
    for (long round = 0; round < rounds && !failed; round++) {
      call c;
      pick(&c, which);
      for (uint32_t spoils = below(4); spoils > 1; spoils--) spoil(&c);
      const dlf_value values[] = {
          {.tensor = c.args[0]}, {.tensor = c.args[1]}, {.tensor = c.args[2]}, {.integer = c.n}, {.real = c.k}};
      const bool yes = functions[which].fast(c.args[0], c.args[1], c.args[2], c.n, c.k);
      const bool holds = dlf_contract_match(contract, values, &error) == DLF_OK;
      held += holds;
      refused += !holds;
      fast += yes && holds;
      if (yes && !holds) failed = show(&c, functions[which].name, &error);
    }
    printf("%-12s %8ld calls, %7ld hold, %7ld of them by the fast check\n", functions[which].name, held + refused, held,
           fast);
    /* A check that never says yes would agree too. */
    if (!failed && (held < rounds / 200 || refused < rounds / 20 || fast < held / 4))
      failed = printf("too few to tell\n");
  }
  return failed ? 1 : 0;
}
