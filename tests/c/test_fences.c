/* SPDX-License-Identifier: Apache-2.0 */
/* Casts, fills and comparisons of tensors of any layout in fenced memory, with each instruction
 * set: no address outside may be touched. Copies are test_move.c's. */
#include "castable.h"
#include "hub/move/isa.h"
#include "placed.h"
#include "test.h"

static const DLDataType dtypes[] = {CASTABLE_REALS};
static const DLDataType complex_dtypes[] = {{kDLComplex, 64, 1}, {kDLComplex, 128, 1}};

typedef struct pair {
  placed from, to;
} pair;

static void open_pair(pair *p) {
  *p = (pair){{.size = MEMORY}, {.size = MEMORY}};
  p->from.memory = system_fence(&p->from.size);
  p->to.memory = system_fence(&p->to.size);
  fill_randomly(p->from.memory, p->from.size);
  fill_randomly(p->to.memory, p->to.size);
}

static void close_pair(const pair *p) {
  dlf__isa_limit(DLF__ISA_COUNT);
  system_free_fence(p->from.memory, p->from.size);
  system_free_fence(p->to.memory, p->to.size);
}

static DLTensor any_dtype(bool is_complex, uint16_t lanes) {
  DLTensor out = {.device = cpu, .dtype = dtypes[below(sizeof dtypes / sizeof *dtypes)]};
  if (is_complex) {
    out.dtype = complex_dtypes[below(2)];
  }
  out.dtype.lanes = lanes;
  return out;
}

/* False if one of them does not fit into its memory. */
static bool choose_pair(pair *p, uint32_t most_lanes) {
  const uint16_t lanes = (uint16_t)(1 + below(most_lanes));
  const bool is_complex = below(8) == 0;
  p->from.tensor = any_dtype(is_complex, lanes);
  p->from.flags = below(2) ? padded : 0;
  choose_shape(&p->from);
  p->to.tensor = any_dtype(is_complex, lanes);
  p->to.tensor.ndim = p->from.tensor.ndim;
  p->to.flags = below(2) ? padded : 0;
  memcpy(p->to.shape, p->from.shape, sizeof p->to.shape);
  choose_strides(&p->from, true);
  choose_strides(&p->to, false);
  dlf__isa_limit((dlf__isa)below(DLF__ISA_COUNT));
  return place(&p->from) && place(&p->to);
}

static dlf_tensor *handle_of(const placed *p) {
  dlf_tensor *out = NULL;
  EXPECT_INT(dlf_wrap(&p->tensor, p->flags, NULL, NULL, &out, NULL), DLF_OK);
  return out;
}

static dlf_arg lent(dlf_tensor *tensor) {
  return (dlf_arg){dlf_dltensor(tensor), dlf_flags(tensor)};
}

static bool casts_right(const pair *p) {
  bool same = false;
  dlf_tensor *from = handle_of(&p->from), *to = handle_of(&p->to), *dense = NULL;
  EXPECT_INT(dlf_cast_into(from, to, false, NULL), DLF_OK);
  EXPECT_INT(dlf_cast(from, p->to.tensor.dtype, false, &dense, NULL), DLF_OK);
  EXPECT_INT(dlf_identical(lent(to), lent(dense), &same, NULL), DLF_OK);
  dlf_release(from);
  dlf_release(to);
  dlf_release(dense);
  return same;
}

static void test_fences__casts(void) {
  pair p;
  open_pair(&p);
  for (int i = 0; i < ROUNDS(3000); i++) {
    EXPECT(!choose_pair(&p, 2) || casts_right(&p));
  }
  close_pair(&p);
}

static void test_fences__fills(void) {
  static const dlf_number one = {.kind = DLF_NUMBER_SIGNED, .signed_value = 1};
  static const dlf_number zero = {.kind = DLF_NUMBER_SIGNED};
  pair p;
  open_pair(&p);
  for (int i = 0; i < ROUNDS(1000); i++) {
    if (!choose_pair(&p, 1)) {
      continue;
    }
    bool holds_zero = true, holds_one = false;
    int64_t count = 0;
    dlf_tensor *to = handle_of(&p.to);
    EXPECT_INT(dlf_fill(to, &one, NULL), DLF_OK);
    EXPECT_INT(dlf_contains(lent(to), &zero, &holds_zero, NULL), DLF_OK);
    EXPECT_INT(dlf_contains(lent(to), &one, &holds_one, NULL), DLF_OK);
    EXPECT_INT(dlf_count(&p.to.tensor, &count, NULL), DLF_OK);
    EXPECT(!holds_zero && holds_one == (count > 0));
    dlf_release(to);
  }
  close_pair(&p);
}

/* NaN makes an element unlike itself, but with that option. */
static void test_fences__comparisons(void) {
  pair p;
  open_pair(&p);
  for (int i = 0; i < ROUNDS(1000); i++) {
    if (!choose_pair(&p, 2)) {
      continue;
    }
    bool equal = false, identical = false, close = false;
    dlf_tensor *from = handle_of(&p.from), *to = handle_of(&p.to), *copy = NULL;
    EXPECT_INT(dlf_copy(from, &copy, NULL), DLF_OK);
    EXPECT_INT(dlf_identical(lent(from), lent(copy), &identical, NULL), DLF_OK);
    EXPECT_INT(dlf_all_close(lent(from), lent(copy), 0, 0, true, &close, NULL), DLF_OK);
    EXPECT(identical && close);
    EXPECT_INT(dlf_equal(lent(from), lent(to), &equal, NULL), DLF_OK);
    EXPECT_INT(dlf_all_close(lent(from), lent(to), 0, 0, false, &close, NULL), DLF_OK);
    EXPECT_INT(equal, close);
    dlf_release(from);
    dlf_release(to);
    dlf_release(copy);
  }
  close_pair(&p);
}

int main(void) {
  RUN(test_fences__casts);
  RUN(test_fences__fills);
  RUN(test_fences__comparisons);
  return test_end();
}
