/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts when memory runs out: each allocation of a compilation, and of a call that makes its outputs, fails in turn.
 * Linked with --wrap=calloc,--wrap=malloc,--wrap=aligned_alloc. */
#include "../c/test.h"

#include <stdlib.h>

void *__real_calloc(size_t count, size_t size);
void *__real_malloc(size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

static int left = -1; /* allocations until one fails; -1: none does */

static bool fails(void) { return left >= 0 && left-- == 0; }
void *__wrap_calloc(size_t count, size_t size) { return fails() ? NULL : __real_calloc(count, size); }
void *__wrap_malloc(size_t size) { return fails() ? NULL : __real_malloc(size); }
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT}, {"out", DLF_PARAMETER_OUTPUT}, {"s", DLF_PARAMETER_REAL}, {"m", DLF_PARAMETER_OTHER}};

static void test_memory__compile_fails_whole_at_each_allocation(void) {
  static const char text[] = "x: T[h, w, 3] cuda|cpu strided; out: like x samelayout noalias; T in f32|f64; h % 2;"
                             "h + w > 1; s in 1..2; s = 1.5; m = \"text\"; return: status ok 1 text f";
  dlf_status status = DLF_NO_MEMORY;
  int tries = 0;
  for (; status == DLF_NO_MEMORY && tries < 200; tries++) {
    dlf_error error = {0};
    dlf_contract *c;
    left = tries;
    status = dlf_contract_compile(text, "f", parameters, 4, &c, &error);
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
  static const char text[] = "x: T[h, w] strided; out: like x samelayout";
  static double data[64];
  int64_t shape[] = {4, 4}, strides[] = {2, 16};
  const DLTensor x = {data, cpu, 2, {kDLFloat, 64, 1}, shape, strides, 0};
  const dlf_value values[4] = {{.tensor = {&x, 0}}};
  dlf_status status = DLF_NO_MEMORY;
  dlf_contract *c;
  dlf_tensor *out;
  int tries = 0;
  EXPECT_INT(dlf_contract_compile(text, "f", parameters, 4, &c, NULL), DLF_OK);
  for (; status == DLF_NO_MEMORY && tries < 20; tries++) {
    left = tries;
    status = dlf_contract_create(c, values, 1, &out, NULL);
    left = -1;
    if (status) EXPECT(out == NULL);
  }
  EXPECT_INT(status, DLF_OK);
  EXPECT_INT(tries, 2); /* one block */
  dlf_release(out);
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_memory__create_fails_whole_at_each_allocation);
  RUN(test_memory__compile_fails_whole_at_each_allocation);
  return test_end();
}
