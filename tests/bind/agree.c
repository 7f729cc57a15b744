/* SPDX-License-Identifier: Apache-2.0 */
/* Compare generated code with the interpreter, on valid random calls and on calls with a fault: the
 * fast check accepts only calls that the interpreter accepts, and accepts plain calls; an omitted
 * output is made as by the interpreter, or refused with its text. agree [ROUNDS [SEED]], for each
 * contract: agree 1000000 makes 23 million calls. */
#include "agree_dlferry.c" /* for its static functions */

#include "agree_calls.h"

/* The call with its outputs left out: each made[i] is where args[i] would be. */
#define MAKES(name, y)                                                                             \
  static dlf_status new_##name(const call *c, DLManagedTensorVersioned **made, dlf_error *error) { \
    return agree_##name##_new(c->args[0], y, &made[2], c->n, c->k, error);                         \
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
MAKES(deep, c->args[1])
MAKES(maybe, c->args[1])
MAKES(run, c->args[1])
MAKES(packed, c->args[1])
MAKES(hooked, &made[1])

static dlf_status new_stack(const call *c, DLManagedTensorVersioned **made, dlf_error *error) {
  return agree_stack_new(c->args, c->m, &made[2], c->n, c->k, error);
}

/* NULL for none: then the interpreter makes an output, from the twin's values. */
typedef bool (*fits)(dlf_arg x, dlf_arg y, dlf_arg out, int64_t n, double k);

static const struct {
  const char *name;
  fits fast;
  dlferry_once *once;
  dlf_status (*new)(const call *c, DLManagedTensorVersioned **made, dlf_error *error);
  int first; /* output made */
  int64_t align[3];
} functions[] = {
    {"blur", dlferry_fits_blur, &dlferry_once_blur, new_blur, 2, {0}},
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
    {"chain", dlferry_fits_chain, &dlferry_once_chain, new_chain, 1, {0}},
    {"far", dlferry_fits_far, &dlferry_once_far, NULL, 2, {0}},
    {"deep", dlferry_fits_deep, &dlferry_once_deep, new_deep, 2, {0}},
    {"maybe", NULL, &dlferry_once_maybe, new_maybe, 2, {0}},
    {"run", NULL, &dlferry_once_run, new_run, 2, {0}},
    {"packed", NULL, &dlferry_once_packed, new_packed, 2, {0}},
    {"hooked", NULL, &dlferry_once_hooked, new_hooked, 1, {0}},
    {"stack", NULL, &dlferry_once_stack, new_stack, 2, {0}}};
_Static_assert(sizeof functions / sizeof *functions == FUNCTIONS, "a row for each");

/* The interpreter's values: x, y, out, n, k and a hook's extent; the list and its length for x and
 * y. */
enum { VALUES = 6 };

static void tell_interpreter(const call *c, int which, dlf_value *values) {
  memset(values, 0, VALUES * sizeof *values);
  if (functions[which].new == new_stack) {
    values[0] = (dlf_value){.integer = c->m, .items = c->args};
    values[1].integer = c->m;
  } else {
    values[0].tensor = c->args[0];
    values[1].tensor = c->args[1];
  }
  values[2].tensor = c->args[2];
  values[3].integer = c->n;
  values[4].real = c->k;
  if (functions[which].new == new_hooked && c->args[0].tensor && c->args[0].tensor->ndim == 2 &&
      c->args[0].tensor->shape) {
    values[5].integer = agree_width(c->args[0].tensor, c->n);
  }
}

static int show_call(const call *c) {
  for (int i = 0; i < 3; i++) {
    char text[300];
    if (c->args[i].tensor) {
      dlf_describe(c->args[i].tensor, c->args[i].flags, text, sizeof text);
    }
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

static int tell(const call *c, const char *name, const char *what, const char *ours,
                const char *interpreter) {
  printf("%s: %s: %s; the interpreter: %s\n", name, what, ours, interpreter);
  return show_call(c);
}

/* Describe a made tensor, always with strides. */
static const char *describe(const DLTensor *t, uint64_t flags, char text[400]) {
  dlf_describe(t, flags, text, 300);
  for (int32_t i = 0; i < t->ndim; i++) {
    snprintf(text + strlen(text), 40, " %lld", (long long)t->strides[i]);
  }
  return text;
}

/* Leaves other values there, so that the next in this place has to be made zero. */
static bool was_zero(const DLTensor *t) {
  const int64_t size = t->dtype.bits * t->dtype.lanes / 8;
  int64_t index[DLF_MAX_NDIM] = {0};
  bool repeats = false; /* the same element again: strides taken over from an input may do that */
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] == 0) {
      return true;
    }
    repeats |= !dlf_is_contiguous(t, DLF_DENSE);
  }
  for (;;) {
    char *at = dlf_data(t);
    for (int32_t i = 0; i < t->ndim; i++) {
      at += index[i] * t->strides[i] * size;
    }
    for (int64_t i = 0; i < size; i++) {
      if (at[i] && !repeats) {
        return false;
      }
    }
    memset(at, 1, (size_t)size);
    int32_t axis = t->ndim - 1;
    while (axis >= 0 && ++index[axis] == t->shape[axis]) {
      index[axis--] = 0;
    }
    if (axis < 0) {
      return true;
    }
  }
}

/* The outputs as the interpreter makes them, and its verdict on the whole call. */
static dlf_status make_slowly(const dlf_contract *contract, const call *c, int which,
                              dlf_tensor **made, dlf_error *error) {
  dlf_value values[VALUES];
  tell_interpreter(c, which, values);
  const int first = functions[which].first;
  dlf_status status = DLF_OK;
  for (int i = first; i < 3 && !status; i++) {
    status = dlf_contract_create(contract, values, sizeof(dlf_value), i, &made[i], error);
  }
  for (int i = first; i < 3 && !status; i++) {
    values[i].tensor = (dlf_arg){dlf_dltensor(made[i]), dlf_flags(made[i])};
  }
  return status ? status : dlf_contract_match(contract, values, sizeof(dlf_value), error);
}

/* More than a megabyte is too much to make, and to read completely, a million times. */
static bool is_large(const dlf_contract *contract, const call *c, int which) {
  dlf_value values[VALUES];
  tell_interpreter(c, which, values);
  for (int i = functions[which].first; i < 3; i++) {
    dlf_prototype p = DLF_PROTOTYPE_INIT;
    int64_t low, high;
    if (dlf_contract_infer(contract, values, sizeof(dlf_value), i, &p, NULL)) {
      return false;
    }
    const DLTensor t = {NULL, p.device, (int32_t)p.ndim, p.dtype, p.shape, p.strides, 0};
    if (!dlf_byte_range(&t, 0, &low, &high, NULL) && high - low > 1 << 20) {
      return true;
    }
  }
  return false;
}

/* Returns 1 and prints a difference, or 0; *fast: made without the interpreter, whose exports have
 * another deleter, or there is no fast check. */
static int compare_new(const dlf_contract *contract, const call *c, int which, bool *fast) {
  const char *name = functions[which].name;
  const int first = functions[which].first;
  DLManagedTensorVersioned *made[3] = {NULL}, *export = NULL;
  dlf_tensor *slowly[3] = {NULL};
  dlf_error ours = {0}, theirs = {0};
  char a[400], b[400];
  int failed = 0;
  *fast = false;
  if (is_large(contract, c, which)) {
    return 0;
  }
  const int64_t live = dlf_live();
  const dlf_status status = functions[which].new(c, made, &ours);
  const dlf_status expected = make_slowly(contract, c, which, slowly, &theirs);
  if (status != expected || (status && strcmp(ours.message, theirs.message) != 0)) {
    failed = tell(
        c, name, "verdict", status ? ours.message : "made", expected ? theirs.message : "made");
  }
  for (int i = first; i < 3 && !failed && status; i++) {
    if (made[i]) {
      failed = tell(c, name, "a refused call", "gives a tensor", "none");
    }
  }
  for (int i = first; i < 3 && !failed && !status; i++) {
    const DLTensor *t = &made[i]->dl_tensor;
    const char *is = describe(t, made[i]->flags, a),
               *should = describe(dlf_dltensor(slowly[i]), 0, b);
    const int64_t align = functions[which].align[i] > 256 ? functions[which].align[i] : 256;
    if (strcmp(is, should) != 0 || made[i]->flags) {
      failed = tell(c, name, "made", is, should);
    }
    if (dlf_alignment(t) < align) {
      failed = tell(c, name, "alignment", is, should);
    }
    if (!failed && !was_zero(t)) {
      failed = tell(c, name, "elements", "not zero", "zero");
    }
    if (!failed && dlf_to_dlpack(slowly[i], &export, NULL)) {
      failed = tell(c, name, "export", "-", "no memory");
    }
    if (!failed) {
      *fast = !functions[which].fast || made[i]->deleter != export->deleter;
    }
    dlf_dlpack_release(export);
    export = NULL;
  }
  const dlf_arg x = c->args[0],
                y = first == 1 && !status ? (dlf_arg){dlf_dltensor(slowly[1]), 0} : c->args[1];
  if (!failed && !status && !*fast &&
      functions[which].fast(x, y, (dlf_arg){dlf_dltensor(slowly[2]), 0}, c->n, c->k)) {
    failed = tell(c, name, "made", "slowly", "what the fast check takes");
  }
  for (int i = 0; i < 3; i++) {
    dlf_dlpack_release(made[i]);
    dlf_release(slowly[i]);
  }
  if (!failed && dlf_live() != live) {
    failed = tell(c, name, "handles", "left", "none");
  }
  return failed;
}

int main(int argc, char **argv) {
  const long rounds = argc > 1 ? atol(argv[1]) : 20000;
  state = argc > 2 ? strtoull(argv[2], NULL, 0) : 88172645463325252u;
  if (!state) {
    state = 1;
  }
  int failed = 0;
  for (int which = 0; which < FUNCTIONS; which++) {
    long held = 0, fast = 0, refused = 0, made = 0;
    const dlf_contract *contract;
    dlf_error error = {0};
    if (dlferry_compile(functions[which].once, &contract, &error)) {
      return puts(error.message), 1;
    }
    for (long round = 0; round < rounds && !failed; round++) {
      call c;
      pick(&c, which);
      for (uint32_t spoils = below(4); spoils > 1; spoils--) {
        spoil(&c, which);
      }
      dlf_value values[VALUES];
      tell_interpreter(&c, which, values);
      const bool yes =
          functions[which].fast && functions[which].fast(c.args[0], c.args[1], c.args[2], c.n, c.k);
      const bool holds = dlf_contract_match(contract, values, sizeof(dlf_value), &error) == DLF_OK;
      held += holds;
      refused += !holds;
      fast += yes && holds;
      if (yes && !holds) {
        failed = show(&c, functions[which].name, &error);
      }
      bool quickly = false;
      if (functions[which].new && !failed) {
        failed = compare_new(contract, &c, which, &quickly);
      }
      made += quickly;
    }
    printf("%-12s %8ld calls, %7ld hold, %7ld of them by the fast check; %7ld made\n",
           functions[which].name,
           held + refused,
           held,
           fast,
           made);
    /* A check that refuses everything would agree too. */
    if (!failed && (held < rounds / 200 || refused < rounds / 20 ||
                    (functions[which].fast &&
                     (fast < held / 4 || (functions[which].new && made < rounds / 20))))) {
      failed = printf("too few to tell\n");
    }
  }
  return failed ? 1 : 0;
}
