/* SPDX-License-Identifier: Apache-2.0 */
/* Generated code beside the interpreter, on random calls that hold and calls with something wrong: the fast check never
 * says yes where the interpreter says no, and says yes to plain calls; an output that is left out is made as the
 * interpreter makes it, or refused with its text. agree [ROUNDS [SEED]], for each contract: agree 1000000 makes sixteen
 * million calls. */
#include "agree_dlferry.c" /* for what is static in it */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(name, in, inout)                                                                                        \
  void agree_##name(in DLTensor *x, inout DLTensor *y, DLTensor *out, int64_t n, double k) {                           \
    (void)x, (void)y, (void)out, (void)n, (void)k;                                                                     \
  }
#define NOTHING
KERNEL(blur, const, const)
KERNEL(fold, const, const)
KERNEL(elementwise, const, const)
KERNEL(rows, const, const)
KERNEL(strided, const, const)
KERNEL(small, const, const)
KERNEL(square, const, const)
KERNEL(lanes, const, const)
KERNEL(points, const, const)
KERNEL(numbers, const, const)
KERNEL(apart, const, const)
KERNEL(volumes, const, const)
KERNEL(turned, const, const)
KERNEL(wide, const, const)
KERNEL(pair, const, NOTHING)
KERNEL(chain, NOTHING, NOTHING)

typedef struct call {
  DLTensor t[3];
  int64_t shape[3][6], strides[3][6];
  dlf_arg args[3];
  int64_t n;
  double k;
} call;

/* The call with its outputs left out: each made[i] is where args[i] would be. */
#define MAKES(name, y)                                                                                                 \
  static dlf_status new_##name(const call *c, DLManagedTensorVersioned **made, dlf_error *error) {                     \
    return agree_##name##_new(c->args[0], y, &made[2], c->n, c->k, error);                                             \
  }
MAKES(blur, c->args[1])
MAKES(elementwise, c->args[1])
MAKES(strided, c->args[1])
MAKES(small, c->args[1])
MAKES(square, c->args[1])
MAKES(points, c->args[1])
MAKES(apart, c->args[1])
MAKES(turned, c->args[1])
MAKES(wide, c->args[1])
MAKES(pair, &made[1])
MAKES(chain, &made[1])

typedef bool (*fits)(dlf_arg x, dlf_arg y, dlf_arg out, int64_t n, double k);

static const struct {
  const char *name;
  fits fast;
  dlferry_once *once;
  dlf_status (*new)(const call *c, DLManagedTensorVersioned **made, dlf_error *error);
  int first; /* output made */
  int64_t align[3];
} functions[] = {{"blur", dlferry_fits_blur, &dlferry_once_blur, new_blur, 2, {0}},
                 {"fold", dlferry_fits_fold, &dlferry_once_fold, NULL, 2, {0}},
                 {"elementwise", dlferry_fits_elementwise, &dlferry_once_elementwise, new_elementwise, 2, {0}},
                 {"rows", dlferry_fits_rows, &dlferry_once_rows, NULL, 2, {0}},
                 {"strided", dlferry_fits_strided, &dlferry_once_strided, new_strided, 2, {0}},
                 {"small", dlferry_fits_small, &dlferry_once_small, new_small, 2, {0}},
                 {"square", dlferry_fits_square, &dlferry_once_square, new_square, 2, {0}},
                 {"lanes", dlferry_fits_lanes, &dlferry_once_lanes, NULL, 2, {0}},
                 {"points", dlferry_fits_points, &dlferry_once_points, new_points, 2, {0}},
                 {"numbers", dlferry_fits_numbers, &dlferry_once_numbers, NULL, 2, {0}},
                 {"apart", dlferry_fits_apart, &dlferry_once_apart, new_apart, 2, {0}},
                 {"volumes", dlferry_fits_volumes, &dlferry_once_volumes, NULL, 2, {0}},
                 {"turned", dlferry_fits_turned, &dlferry_once_turned, new_turned, 2, {0, 0, 1024}},
                 {"wide", dlferry_fits_wide, &dlferry_once_wide, new_wide, 2, {0}},
                 {"pair", dlferry_fits_pair, &dlferry_once_pair, new_pair, 1, {0, 0, 512}},
                 {"chain", dlferry_fits_chain, &dlferry_once_chain, new_chain, 1, {0}}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* ---- random numbers and arguments ---- */

static uint64_t state;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17; /* xorshift64: Marsaglia, 2003 */
  return (uint32_t)((state >> 16) % limit);
}

/* Shapes and dtypes that one of the contracts may want, by trial: cheap, and it misses in every way. */
static void pick_shapes(call *c, int which) {
  static const DLDataType dtypes[] = {{kDLFloat, 32, 1},   {kDLFloat, 64, 1}, {kDLUInt, 8, 1},          {kDLInt, 16, 1},
                                      {kDLComplex, 64, 1}, {kDLFloat, 32, 2}, {kDLFloat8_e4m3fn, 8, 1}, {kDLInt, 4, 1}};
  const int64_t h = below(4), w = below(4), d = 1 + below(5), m = 2 * below(3) + (below(8) == 0);
  const DLDataType dtype = dtypes[below(below(3) ? 2 : 8)], f32 = dtypes[0], f64 = dtypes[1];
  const DLDataType other = dtypes[2 + below(2)], u8 = dtypes[2], f32x4 = {kDLFloat, 32, 4};
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
      {{h, w}, {d}, {w, h}},
      {{h, w}, {h}, {w - h + n, (n + 1) / 2}},
      {{h, w}, {h, n}, {h, n}},
      {{h, 3}, {h, 3}, {h * n}},
  };
  static const int32_t ranks[FUNCTIONS][3] = {{3, 1, 3}, {2, 1, 2}, {2, 2, 2}, {2, 2, 2}, {1, 2, 1}, {0, 1, 2},
                                              {2, 2, 2}, {2, 1, 1}, {0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 3, 3},
                                              {2, 1, 2}, {2, 1, 2}, {2, 2, 2}, {2, 2, 1}};
  const DLDataType types[FUNCTIONS][3] = {
      {dtype, other, dtype}, {f32, f32, dtype},     {dtype, dtype, dtype}, {other, dtype, dtype},
      {dtype, other, f64},   {dtype, dtype, dtype}, {dtype, dtype, dtype}, {f32, dtypes[2], f64},
      {dtype, other, dtype}, {other, dtype, dtype}, {dtype, dtype, dtype}, {dtype, dtype, other},
      {dtype, u8, dtype},    {dtype, other, f32x4}, {dtype, dtype, dtype}, {f64, f64, dtypes[3]}};
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
  static _Alignas(1024) unsigned char memory[4][8192];
  static const int kinds[FUNCTIONS][3] = {{0, 0, 0}, {2, 2, 2}, {1, 1, 1}, {3, 1, 3}, {2, 2, 2}, {0, 0, 0},
                                          {0, 0, 0}, {0, 0, 2}, {0, 0, 0}, {0, 0, 1}, {0, 2, 2}, {0, 0, 0},
                                          {2, 0, 1}, {3, 0, 0}, {0, 0, 0}, {2, 2, 0}};
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

static int show_call(const call *c) {
  for (int i = 0; i < 3; i++) {
    char text[300];
    if (c->args[i].tensor) dlf_describe(c->args[i].tensor, c->args[i].flags, text, sizeof text);
    printf("  %s\n", c->args[i].tensor ? text : "absent");
  }
  printf("  n %lld k %g\n", (long long)c->n, c->k);
  return 1;
}

static int show(const call *c, const char *name, const dlf_error *error) {
  printf("the fast check of %s says yes, the interpreter: %s\n", name, error->message);
  return show_call(c);
}

/* ---- outputs left out ---- */

static int tell(const call *c, const char *name, const char *what, const char *ours, const char *interpreter) {
  printf("%s: %s: %s; the interpreter: %s\n", name, what, ours, interpreter);
  return show_call(c);
}

/* What a made tensor is, in words; strides too where they are as usual. */
static const char *describe(const DLTensor *t, uint64_t flags, char text[400]) {
  dlf_describe(t, flags, text, 300);
  for (int32_t i = 0; i < t->ndim; i++) snprintf(text + strlen(text), 40, " %lld", (long long)t->strides[i]);
  return text;
}

/* Leaves other values there, so that the next in this place has to be made zero. */
static bool was_zero(const DLTensor *t) {
  const int64_t size = t->dtype.bits * t->dtype.lanes / 8;
  int64_t index[DLF_MAX_NDIM] = {0};
  bool repeats = false; /* the same element again: strides taken over from an input may do that */
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) return true;
    repeats |= !dlf_is_contiguous(t, DLF_DENSE);
  }
  for (;;) {
    char *at = dlf_data(t);
    for (int32_t i = 0; i < t->ndim; i++) at += index[i] * t->strides[i] * size;
    for (int64_t i = 0; i < size; i++)
      if (at[i] && !repeats) return false;
    memset(at, 1, (size_t)size);
    int32_t axis = t->ndim - 1;
    while (axis >= 0 && ++index[axis] == t->shape[axis]) index[axis--] = 0;
    if (axis < 0) return true;
  }
}

/* The outputs as the interpreter makes them, and its verdict on the whole call. */
static dlf_status make_slowly(const dlf_contract *contract, const call *c, int first, dlf_tensor **made,
                              dlf_error *error) {
  dlf_value values[] = {
      {.tensor = c->args[0]}, {.tensor = c->args[1]}, {.tensor = c->args[2]}, {.integer = c->n}, {.real = c->k}};
  dlf_status status = DLF_OK;
  for (int i = first; i < 3 && !status; i++) status = dlf_contract_create(contract, values, i, &made[i], error);
  for (int i = first; i < 3 && !status; i++) values[i].tensor = (dlf_arg){dlf_dltensor(made[i]), dlf_flags(made[i])};
  return status ? status : dlf_contract_match(contract, values, error);
}

/* More than a gigabyte is nothing to make a million times. */
static bool is_large(const dlf_contract *contract, const call *c, int first) {
  const dlf_value values[] = {
      {.tensor = c->args[0]}, {.tensor = c->args[1]}, {.real = 0}, {.integer = c->n}, {.real = c->k}};
  for (int i = first; i < 3; i++) {
    dlf_prototype p;
    int64_t low, high;
    if (dlf_contract_infer(contract, values, i, &p, NULL)) return false;
    const DLTensor t = {NULL, p.device, p.ndim, p.dtype, p.shape, p.strides, 0};
    if (!dlf_byte_range(&t, 0, &low, &high, NULL) && high - low > 1 << 30) return true;
  }
  return false;
}

/* 1 and what differs, or 0; *fast: made without the interpreter, whose exports have a deleter of their own. */
static int compare_new(const dlf_contract *contract, const call *c, int which, bool *fast) {
  const char *name = functions[which].name;
  const int first = functions[which].first;
  DLManagedTensorVersioned *made[3] = {NULL}, *export = NULL;
  dlf_tensor *slowly[3] = {NULL};
  dlf_error ours = {0}, theirs = {0};
  char a[400], b[400];
  int failed = 0;
  *fast = false;
  if (is_large(contract, c, first)) return 0;
  const int64_t live = dlf_live();
  const dlf_status status = functions[which].new(c, made, &ours);
  const dlf_status expected = make_slowly(contract, c, first, slowly, &theirs);
  if (status != expected || (status && strcmp(ours.message, theirs.message) != 0))
    failed = tell(c, name, "verdict", status ? ours.message : "made", expected ? theirs.message : "made");
  for (int i = first; i < 3 && !failed && status; i++)
    if (made[i]) failed = tell(c, name, "a refused call", "gives a tensor", "none");
  for (int i = first; i < 3 && !failed && !status; i++) {
    const DLTensor *t = &made[i]->dl_tensor;
    const char *is = describe(t, made[i]->flags, a), *should = describe(dlf_dltensor(slowly[i]), 0, b);
    const int64_t align = functions[which].align[i] > 256 ? functions[which].align[i] : 256;
    if (strcmp(is, should) != 0 || made[i]->flags) failed = tell(c, name, "made", is, should);
    if (dlf_alignment(t) < align) failed = tell(c, name, "alignment", is, should);
    if (!failed && !was_zero(t)) failed = tell(c, name, "elements", "not zero", "zero");
    if (!failed && dlf_to_dlpack(slowly[i], &export, NULL)) failed = tell(c, name, "export", "-", "no memory");
    if (!failed) *fast = made[i]->deleter != export->deleter;
    dlf_dlpack_release(export);
    export = NULL;
  }
  const dlf_arg x = c->args[0], y = first == 1 && !status ? (dlf_arg){dlf_dltensor(slowly[1]), 0} : c->args[1];
  if (!failed && !status && !*fast && functions[which].fast(x, y, (dlf_arg){dlf_dltensor(slowly[2]), 0}, c->n, c->k))
    failed = tell(c, name, "made", "slowly", "what the fast check takes");
  for (int i = 0; i < 3; i++) {
    dlf_dlpack_release(made[i]);
    dlf_release(slowly[i]);
  }
  if (!failed && dlf_live() != live) failed = tell(c, name, "handles", "left", "none");
  return failed;
}

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 88172645463325252u;
  if (!state) state = 1;
  int failed = 0;
  for (int which = 0; which < FUNCTIONS; which++) {
    long held = 0, fast = 0, refused = 0, made = 0;
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
      bool quickly = false;
      if (functions[which].new && !failed) failed = compare_new(contract, &c, which, &quickly);
      made += quickly;
    }
    printf("%-12s %8ld calls, %7ld hold, %7ld of them by the fast check; %7ld made\n", functions[which].name,
           held + refused, held, fast, made);
    /* A check that never says yes would agree too. */
    if (!failed && (held < rounds / 200 || refused < rounds / 20 || fast < held / 4 ||
                    (functions[which].new && made < rounds / 20)))
      failed = printf("too few to tell\n");
  }
  return failed ? 1 : 0;
}
