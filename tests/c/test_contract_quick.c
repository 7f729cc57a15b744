/* SPDX-License-Identifier: Apache-2.0 */
/* The first walk, with its quick looks, says the same as the close one: valid random calls and
 * calls with faults, over contracts with every construct. test_contract_quick [ROUNDS], for each
 * contract. */
#include "contract/matching.h"
#include "spoil.h"
#include "test.h"

#include <stdlib.h>

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"y", DLF_PARAMETER_INPUT},
    {"out", DLF_PARAMETER_OUTPUT},
    {"list", DLF_PARAMETER_LIST},
    {"array", DLF_PARAMETER_ARRAY},
    {"n", DLF_PARAMETER_INTEGER},
    {"u", DLF_PARAMETER_UNSIGNED},
    {"s", DLF_PARAMETER_REAL},
    {"gift", DLF_PARAMETER_GIVEN},
};
enum { X, Y, OUT, LIST_OF, ARRAY, N, U, S, GIFT, COUNT, ITEMS = 3, TENSORS = 4 + ITEMS, AXES = 4 };

/* Extents of the usual call: x, y, out, gift are [3, 4, 2], the list's too, n is 3, u 4, s 1, array
 * has 2, lists 2. */
static const char *const contracts[] = {
    "x: T[h, w, c]; y: T[h, w, c]; out: T[h, w, c] noalias; list: T[h, w, c]; T in f32|f64; c in "
    "1..4; s > 0",
    "x: T[n, u, c] strided; y: like x; out: like x samelayout; list: like x *k strided; c <= k; n "
    "!= u; s < 1.5; T in "
    "any",
    "x: any[h, ..., c] rows; y: opt f32[h, ..., 2] noalias; out: inout f32[_, ..., c] strided "
    "noalias; list: any[_, "
    "..., _]",
    "x: f32[h, w, _] dense; y: f32[h, 2*h-2, _] samelayout; out: f32[(w + 5)/3, w /^ 1, hook(f)]; "
    "list: f32[...] *c",
    "x: f32[a, b, c]; array: i64 *c; list: f32[a, b, c] *c; out: f32[a, b, array_size - 0]; "
    "array_size == c",
    "x: any[_, _, _] anydevice; y: any[_, _, _] samedevice; out: any[...] cpu|cuda align 16; list: "
    "any[_, _, _] "
    "rocm|cpu",
    "x: f32[h, _, c]; gift: f32[h, q, c] noalias; q % c; c > 0; out: f32[h, _, _]; list: f32[_, _, "
    "_] samelayout",
    "x: opt T[h, w, c]; y: opt T[h, w, c]; out: opt U[h, w, c]; h * w > c; T in f32|u8; list: "
    "V[...] dense; U in any; "
    "V in any",
    "list: T[h, w, c] *k; out: T[h, w, k] noalias; x: f32[h, w, c] noalias; k in 0..2; n < 100; u "
    "!= 7; T in any",
    "x: f32_x2|f32|c64|f16[...] fortran; y: like x; out: like x fortran",
};
enum { CONTRACTS = sizeof contracts / sizeof *contracts };

typedef struct call {
  DLTensor tensors[TENSORS];
  int64_t shape[TENSORS][AXES], strides[TENSORS][AXES];
  dlf_arg items[ITEMS];
  dlf_value values[COUNT + 1];
} call;

static uint64_t state = 88172645463325252u;
static int rounds_asked = 20000;

static uint32_t below(uint32_t limit) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17; /* xorshift64: Marsaglia, 2003 */
  return (uint32_t)((state >> 16) % limit);
}

static void order(call *c, int which, int kind) {
  int64_t stride = 1;
  DLTensor *t = &c->tensors[which];
  t->strides = kind == 3 ? NULL : c->strides[which];
  for (int step = 0; step < 3; step++) {
    const int axis = kind == 1 ? step : 2 - step;
    c->strides[which][axis] = stride;
    stride *= c->shape[which][axis] + (kind == 2);
  }
}

static void usual(call *c) {
  static _Alignas(64) unsigned char memory[TENSORS][1024];
  static const int64_t numbers[] = {1, 2, 3};
  const int shared = below(3) ? 0 : (int)below(4);
  memset(c, 0, sizeof *c);
  for (int i = 0; i < TENSORS; i++) {
    c->tensors[i] = (DLTensor){memory[i] + 512, cpu, 3, f32, c->shape[i], c->strides[i], 0};
    memcpy(c->shape[i], LIST(3, 4, 2, 1), sizeof c->shape[i]);
    order(c, i, below(4) ? shared : (int)below(4));
  }
  for (int i = 0; i < ITEMS; i++) {
    c->items[i].tensor = &c->tensors[4 + i];
  }
  for (int i = 0; i < 3; i++) {
    c->values[i].tensor.tensor = &c->tensors[i];
  }
  c->values[LIST_OF] = (dlf_value){.integer = below(3) ? 2 : 0, .items = c->items};
  c->values[ARRAY] = (dlf_value){.integer = 2, .items = numbers};
  c->values[N].integer = 3;
  c->values[U].integer = 4;
  c->values[S].real = 1;
  if (below(2)) {
    c->values[GIFT].tensor.tensor = &c->tensors[3];
  }
  c->values[COUNT].integer = 2;
}

/* One thing wrong or strange. */
static void spoil(call *c) {
  static const int64_t extremes[] = {
      -1, 0, 1, 2, 5, 3, 4, INT64_C(1) << 31, INT64_C(1) << 62, INT64_MAX, INT64_MIN};
  const int which = (int)below(TENSORS);
  DLTensor *t = &c->tensors[which];
  const int64_t extreme = extremes[below(11)];
  dlf_arg *arg = which < 3    ? &c->values[which].tensor
                 : which == 3 ? &c->values[GIFT].tensor
                              : &c->items[which - 4];
  const uint32_t kind = below(23);
  _Static_assert(SPOILS == 15,
                 "the ways of spoiling a call come behind those of spoiling a tensor");
  switch (kind) {
  case 15:
    arg->tensor = NULL;
    break;
  case 16:
    t->data =
        (void *)((uintptr_t)c->tensors[below(TENSORS)].data + 4 * below(30)); /* of NULL too */
    break;
  case 17:
    c->values[N + (int)below(2)].integer = extreme;
    break;
  case 18:
    c->values[S].real = below(2) ? -1 : (double)extreme;
    break;
  case 19:
    c->values[LIST_OF].integer = (int64_t)below(6) - 2;
    break;
  case 20:
    c->values[below(2) ? LIST_OF : ARRAY].items = NULL;
    break;
  case 21: /* down to address 0, where nothing is */
    t->data = (void *)(uintptr_t)64;
    c->strides[which][0] = -8;
    break;
  case 22:
    c->values[below(2) ? ARRAY : COUNT].integer = extreme;
    break;
  default:
    spoil_tensor(kind, arg, t, c->shape[which], c->strides[which], extreme);
    break;
  }
  /* No list may be longer than its items. */
  if (c->values[LIST_OF].integer > ITEMS) {
    c->values[LIST_OF].integer = ITEMS;
  }
}

/* As inference needs it. */
static void expect_bound_alike(const dlf_contract *contract, const dlf__match *fast,
                               const dlf__match *slow) {
  EXPECT_INT(fast->bound, slow->bound);
  EXPECT_INT(fast->types_bound, slow->types_bound);
  EXPECT_INT(fast->run_count, slow->run_count);
  for (int i = 0; i < contract->symbol_count; i++) {
    if (!(slow->bound >> i & 1)) {
      continue;
    }
    if (contract->symbols[i].real) {
      EXPECT(fast->numbers.reals[i] == slow->numbers.reals[i]);
    } else {
      EXPECT_INT(fast->numbers.integers[i], slow->numbers.integers[i]);
    }
  }
}

static void run_contract(const char *text) {
  dlf_contract *contract;
  dlf_parameter known[COUNT];
  memcpy(known, parameters, sizeof known);
  if (strstr(text, "array_size")) {
    known[N].name = "array_size";
  }
  dlf_error error = {0};
  EXPECT_INT(
      dlf_contract_compile(text, "f", known, COUNT, sizeof(dlf_parameter), &contract, &error),
      DLF_OK);
  EXPECT_TEXT(error.message, "");
  if (!contract) {
    return;
  }
  int64_t quick = 0, held = 0, refused = 0;
  const int rounds = ROUNDS(rounds_asked);
  for (int round = 0; round < rounds; round++) {
    call c;
    dlf__match fast, slow;
    usual(&c);
    if (strstr(text, "array_size")) {
      c.values[N].integer = 2;
    }
    for (uint32_t spoils = below(3); spoils > 0; spoils--) {
      spoil(&c);
    }
    const bool inputs_only = below(4) == 0;
    dlf__contract_begin(&fast, contract, c.values, sizeof(dlf_value), inputs_only, NULL);
    dlf__contract_begin(&slow, contract, c.values, sizeof(dlf_value), inputs_only, NULL);
    const dlf_status verdict = dlf__contract_walk_closely(&slow);
    if (dlf__contract_walk(&fast) != verdict || fast.closely != (verdict != DLF_OK)) {
      EXPECT_TEXT("the same", text);
      break;
    }
    if (!fast.closely) {
      expect_bound_alike(contract, &fast, &slow);
    }
    quick += fast.usual;
    held += verdict == DLF_OK;
    refused += verdict != DLF_OK;
  }
  /* Looks that find nothing usual would agree too. */
  if (rounds >= 1000) {
    printf("       %7" PRId64 " hold, %7" PRId64 " of them quickly: %s\n", held, quick, text);
  }
  EXPECT(rounds < 1000 || (held > rounds / 100 && refused > rounds / 100 && quick > held / 3));
  dlf_contract_free(contract);
}

static void test_contract_quick__the_first_walk_says_the_same(void) {
  for (int i = 0; i < CONTRACTS; i++) {
    run_contract(contracts[i]);
  }
}

/* Unusual calls are not wrong, but looked at slowly. */
static void test_contract_quick__the_unusual_is_not_wrong(void) {
  dlf_contract *contract;
  call c;
  dlf__match m;
  EXPECT_INT(
      dlf_contract_compile(
          "x: any[...] cuda", "f", parameters, COUNT, sizeof(dlf_parameter), &contract, NULL),
      DLF_OK);
  usual(&c);
  for (int i = 0; i < TENSORS; i++) {
    order(&c, i, 0);
  }
  c.values[GIFT].tensor.tensor = NULL;
  c.values[LIST_OF].integer = 0;
  c.tensors[X].device = (DLDevice){kDLCUDA, 2};
  dlf__contract_begin(&m, contract, c.values, sizeof(dlf_value), false, NULL);
  EXPECT_INT(dlf__contract_walk(&m), DLF_OK);
  EXPECT(!m.usual && !m.closely);
  EXPECT_INT(dlf_contract_match(contract, c.values, sizeof(dlf_value), NULL), DLF_OK);
  c.tensors[X].device = cpu;
  dlf__contract_begin(&m, contract, c.values, sizeof(dlf_value), false, NULL);
  EXPECT_INT(dlf__contract_walk(&m), DLF_DEVICE);
  EXPECT_INT(dlf_contract_match(contract, c.values, sizeof(dlf_value), NULL), DLF_DEVICE);
  dlf_contract_free(contract);
}

/* What reaches 4 GiB from data is a tensor only where pointers have 64 bits. */
static void test_contract_quick__counts_addresses_in_64_bits(void) {
  static const char *const texts[] = {
      "x: u8[n]", "x: u8[n] strided", "x: any[...] strided align 16"};
  const int64_t far = INT64_C(1) << 32;
  const dlf_status wanted = UINTPTR_MAX > UINT32_MAX ? DLF_OK : DLF_OVERFLOW;
  for (int i = 0; i < 3; i++) {
    dlf_contract *contract = NULL;
    DLTensor t = tensor_of((DLDataType){kDLUInt, 8, 1}, 1, NULL, NULL);
    const dlf_value value = {.tensor = {&t, 0}};
    EXPECT_INT(
        dlf_contract_compile(texts[i], "f", parameters, 1, sizeof *parameters, &contract, NULL),
        DLF_OK);
    t.data = (void *)(uintptr_t)(UINTPTR_MAX / 2 + 1);
    t.shape = LIST(far);
    EXPECT_INT(dlf_contract_match(contract, &value, sizeof value, NULL), wanted);
    t.strides = LIST(1);
    EXPECT_INT(dlf_contract_match(contract, &value, sizeof value, NULL), wanted);
    t.shape = LIST(2);
    t.byte_offset = (uint64_t)far;
    EXPECT_INT(dlf_contract_match(contract, &value, sizeof value, NULL), wanted);
    t.byte_offset = 0;
    for (int sign = -1; sign <= 1 && i > 0; sign += 2) {
      t.strides = LIST(sign * far);
      EXPECT_INT(dlf_contract_match(contract, &value, sizeof value, NULL), wanted);
    }
    dlf_contract_free(contract);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) {
    rounds_asked = atoi(argv[1]);
  }
  RUN(test_contract_quick__the_first_walk_says_the_same);
  RUN(test_contract_quick__counts_addresses_in_64_bits);
  RUN(test_contract_quick__the_unusual_is_not_wrong);
  return test_end();
}
