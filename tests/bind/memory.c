/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts without memory: each allocation of a compilation, and of a call that makes its outputs,
 * fails in turn. Linked with --wrap=calloc,--wrap=malloc,--wrap=aligned_alloc. */
#include "../c/test.h"
#include "agree_dlferry.h"

#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static int left = -1;   /* allocations until one fails; -1: none does */
static bool for_good;   /* and all after it */
static int failed_ones; /* so far */

static bool fails(void) {
  if (left < 0 || left-- > 0) {
    return false;
  }
  if (for_good) {
    left = 0;
  }
  failed_ones++;
  return true;
}

void *__wrap_calloc(size_t count, size_t size) {
  return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_malloc(size_t size) {
  return fails() ? NULL : __real_malloc(size);
}
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

static const dlf_parameter parameters[] = {{"x", DLF_PARAMETER_INPUT},
                                           {"out", DLF_PARAMETER_OUTPUT},
                                           {"s", DLF_PARAMETER_REAL},
                                           {"m", DLF_PARAMETER_OTHER}};

static void test_memory__compile_fails_whole_at_each_allocation(void) {
  static const char text[] =
      "x: T[h, w, 3] cuda|cpu strided; out: like x samelayout noalias; T in f32|f64; h % 2;"
      "h + w > 1; s in 1..2; s = 1.5; m = \"text\"; return: status ok 1 text f";
  dlf_status status = DLF_NO_MEMORY;
  int tries = 0;
  for (; status == DLF_NO_MEMORY && tries < 200; tries++) {
    dlf_error error = {0};
    dlf_contract *c;
    left = tries;
    status = dlf_contract_compile(text, "f", parameters, 4, sizeof(dlf_parameter), &c, &error);
    left = -1;
    if (status) {
      EXPECT_TEXT(error.message, "f: contract: out of memory");
      EXPECT(c == NULL);
    } else {
      dlf_contract_free(c);
    }
  }
  EXPECT_INT(status, DLF_OK);
  EXPECT(tries > 20);
}

static void test_memory__create_fails_whole_at_each_allocation(void) {
  static const char text[] = "x: T[h, w] strided; out: like x samelayout; T in any";
  static double data[64];
  int64_t shape[] = {4, 4}, strides[] = {2, 16};
  const DLTensor x = {data, cpu, 2, {kDLFloat, 64, 1}, shape, strides, 0};
  const dlf_value values[4] = {{.tensor = {&x, 0}}};
  dlf_status status = DLF_NO_MEMORY;
  dlf_contract *c;
  dlf_tensor *out;
  int tries = 0;
  EXPECT_INT(dlf_contract_compile(text, "f", parameters, 4, sizeof(dlf_parameter), &c, NULL),
             DLF_OK);
  for (; status == DLF_NO_MEMORY && tries < 20; tries++) {
    left = tries;
    status = dlf_contract_create(c, values, sizeof(dlf_value), 1, &out, NULL);
    left = -1;
    if (status) {
      EXPECT(out == NULL);
    }
  }
  EXPECT_INT(status, DLF_OK);
  EXPECT_INT(tries, 2); /* one block */
  dlf_release(out);
  dlf_contract_free(c);
}

/* Two outputs: made by straight-line code, by the interpreter where a hook says an extent, and of a
 * list. */
typedef dlf_status (*two_new)(DLManagedTensorVersioned **a, DLManagedTensorVersioned **b,
                              dlf_error *error);

static double ones[4][4];
static const DLTensor square = {
    ones, {kDLCPU, 0}, 2, {kDLFloat, 64, 1}, (int64_t[]){4, 4}, (int64_t[]){4, 1}, 0};

static dlf_status pair_new(DLManagedTensorVersioned **a, DLManagedTensorVersioned **b,
                           dlf_error *error) {
  return agree_pair_new((dlf_arg){&square, 0}, a, b, 4, 1, error);
}

static dlf_status hooked_new(DLManagedTensorVersioned **a, DLManagedTensorVersioned **b,
                             dlf_error *error) {
  return agree_hooked_new((dlf_arg){&square, 0}, a, b, 3, 1, error);
}

static dlf_status stack_new(DLManagedTensorVersioned **a, DLManagedTensorVersioned **b,
                            dlf_error *error) {
  dlf_arg many[40];
  for (int i = 0; i < 40; i++) {
    many[i] = (dlf_arg){&square, 0};
  }
  *b = NULL;
  return agree_stack_new(many, 40, a, 3, 1, error);
}

/* The call whose n-th allocation fails, for every n: all outputs or none, and none is lost. One
 * that fails alone is made up for where straight-line code was about to make its output. */
static int outputs_at_each_allocation(two_new make) {
  int refused = 0;
  for (int n = 0; n < 20; n++) {
    dlf_error error = {0};
    DLManagedTensorVersioned *a = NULL, *b = NULL;
    const int before = failed_ones;
    left = n;
    const dlf_status status = make(&a, &b, &error);
    left = -1;
    if (status) {
      EXPECT_INT(status, DLF_NO_MEMORY);
      EXPECT(strstr(error.message, "expected memory for ") ||
             strstr(error.message, "out of memory"));
      EXPECT(!a && !b);
      refused++;
    }
    dlf_dlpack_release(a);
    dlf_dlpack_release(b);
    EXPECT_INT(dlf_live(), 0);
    if (failed_ones == before) {
      return refused;
    }
  }
  return -1;
}

static void test_memory__outputs_are_made_all_or_none_at_each_allocation(void) {
  /* The first call compiles the contract, which later ones share. */
  DLManagedTensorVersioned *a, *b;
  const two_new functions[] = {pair_new, hooked_new, stack_new};
  for (size_t i = 0; i < 3; i++) {
    EXPECT_INT(functions[i](&a, &b, NULL), DLF_OK);
    dlf_dlpack_release(a);
    dlf_dlpack_release(b);
    for_good = false;
    const int alone = outputs_at_each_allocation(functions[i]);
    for_good = true;
    const int all = outputs_at_each_allocation(functions[i]);
    for_good = false;
    if (i == 0) {
      EXPECT_INT(alone, 0);
    }
    if (i > 0) {
      EXPECT(alone >= 2);
    }
    EXPECT(all >= 2);
  }
}

int main(void) {
  RUN(test_memory__outputs_are_made_all_or_none_at_each_allocation);
  RUN(test_memory__create_fails_whole_at_each_allocation);
  RUN(test_memory__compile_fails_whole_at_each_allocation);
  return test_end();
}
