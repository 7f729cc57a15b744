/* SPDX-License-Identifier: Apache-2.0 */
/* Where the elements of a tensor lie: rows, alignment, axes beside a run. */
#include "contract_call.h"

static void test_contract_place__rows_of_one_axis_have_no_gaps_either(void) {
  give_usual();
  give(X, "f32", 1, LIST(3))->strides[0] = 2;
  EXPECT_TEXT(verdict("x: f32[k] rows"),
              "LAYOUT: f: x: layout is strided, wanted dense rows: pass a row-major copy");
  EXPECT_TEXT(verdict("x: f32[k] strided"), "");
  tensors[X].shape[0] = 1;
  EXPECT_TEXT(verdict("x: f32[k] rows"), "");
}

static void test_contract_place__complex_numbers_are_aligned_as_their_parts(void) {
  static const struct {
    const char *dtype;
    unsigned offset;
    const char *wanted;
  } cases[] = {
      {"c64", 4, ""},
      {"c64", 2, "LAYOUT: f: x: is not aligned to 4 bytes: pass an aligned copy; wanted any[k]"},
      {"c128", 8, ""},
      {"c128", 4, "LAYOUT: f: x: is not aligned to 8 bytes: pass an aligned copy; wanted any[k]"},
      {"f64", 4, "LAYOUT: f: x: is not aligned to 8 bytes: pass an aligned copy; wanted any[k]"},
  };
  const DLDevice host = {kDLCUDAHost, 0};
  give_usual();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int away = 0; away < 2; away++) { /* off the CPU the interpreter judges by itself */
      DLTensor *t = give(X, cases[i].dtype, 1, LIST(3));
      t->byte_offset = cases[i].offset;
      if (away) {
        t->device = host;
      }
      EXPECT_TEXT(verdict("x: any[k]"), cases[i].wanted);
    }
  }
}

/* A kernel that loads 16 bytes at once fails on others, and on a GPU that ends the whole context.
 */
static void test_contract_place__devices_with_addresses_are_aligned(void) {
  static const struct {
    DLDeviceType type;
    const char *clause;
    unsigned offset;
    const char *wanted;
  } cases[] = {
      {kDLCUDA, "x: f32[k] align 16 cuda", 16, ""},
      {kDLCUDA,
       "x: f32[k] align 16 cuda",
       4,
       "LAYOUT: f: x: is not aligned to 16 bytes: pass an aligned copy; wanted f32[k] align 16 "
       "cuda"},
      {kDLROCM,
       "x: f32[k] anydevice",
       2,
       "LAYOUT: f: x: is not aligned to 4 bytes: pass an aligned copy; wanted f32[k] anydevice"},
      {kDLOpenCL, "x: f32[k] align 16 anydevice", 2, ""}, /* a handle is not an address */
  };
  give_usual();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    DLTensor *t = give(X, "f32", 1, LIST(3));
    t->byte_offset += cases[i].offset;
    t->device = (DLDevice){cases[i].type, 0};
    EXPECT_TEXT(verdict(cases[i].clause), cases[i].wanted);
  }
}

static void test_contract_place__axes_beside_a_run_are_named(void) {
  give_usual();
  give(X, "f32", 4, LIST(2, 3, 4, 5));
  for (int axis = 0; axis < 4; axis++) {
    static const char *const names[] = {"a", "...", "...", "b"};
    char wanted[200];
    give(OUT, "f32", 4, LIST(2, 3, 4, 5))->strides[axis] = 0;
    snprintf(wanted,
             sizeof wanted,
             "INVALID: f: out: repeats elements along %s: pass a tensor that repeats none; wanted "
             "f32[a, ..., b] strided",
             names[axis]);
    EXPECT_TEXT(verdict("x: f32[a, ..., b]; out: f32[a, ..., b] strided"), wanted);
    give(OUT, "f32", 4, LIST(2, 3, 4, 5))->shape[axis]++;
    snprintf(wanted,
             sizeof wanted,
             "SHAPE: f: out[%s] is %d, expected %d as x[%s]; got f32",
             names[axis],
             axis + 3,
             axis + 2,
             names[axis]);
    EXPECT(strstr(verdict("x: f32[a, ..., b]; out: like x strided"), wanted) == said);
  }
}

int main(void) {
  RUN(test_contract_place__rows_of_one_axis_have_no_gaps_either);
  RUN(test_contract_place__complex_numbers_are_aligned_as_their_parts);
  RUN(test_contract_place__devices_with_addresses_are_aligned);
  RUN(test_contract_place__axes_beside_a_run_are_named);
  return test_end();
}
