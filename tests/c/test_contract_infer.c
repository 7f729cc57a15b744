/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that callers leave out. */
#include "contract_say.h"

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"y", DLF_PARAMETER_INPUT},
    {"out", DLF_PARAMETER_OUTPUT},
    {"more", DLF_PARAMETER_OUTPUT},
    {"n", DLF_PARAMETER_INTEGER},
};
enum { X, Y, OUT, MORE, N, COUNT };

static double memory[256];
static DLTensor x, y;
static dlf_value values[COUNT];

static void give_usual(void) {
  static int64_t shape[] = {3, 4}, strides[] = {4, 1};
  x = y = (DLTensor){memory, cpu, 2, f32, shape, strides, 0};
  memset(values, 0, sizeof values);
  values[X].tensor.tensor = &x;
  values[Y].tensor.tensor = &y;
  values[N].integer = 2;
}

static const char *inferred(const char *text, int32_t which) {
  return contract_inferred((contract_call){parameters, COUNT, values}, text, which);
}

static void test_contract_infer__shape_and_dtype_come_from_the_inputs(void) {
  give_usual();
  EXPECT_TEXT(inferred("x: f32[h, w]; out: f32[h, w]; more: u8[]", OUT), "float32[3, 4] cpu");
  EXPECT_TEXT(inferred("x: f32[h, w]; out: f32[h, w]; more: u8[]", MORE), "uint8[] cpu");
  EXPECT_TEXT(inferred("x: T[h, w]; out: T[w, h * w, n, 7/^n]; n > 0; T in any", OUT),
              "float32[4, 12, 2, 4] cpu");
  EXPECT_TEXT(inferred("x: f32[h, ...]; out: u8[..., h, ...]", OUT),
              "f: contract: expected `...` once, got `]` at character 36");
  EXPECT_TEXT(inferred("x: f32[h, ...]; out: u8[..., h]", OUT), "uint8[4, 3] cpu");
  EXPECT_TEXT(inferred("x: f32|f64[_, _]; out: like x; more: like out", MORE), "float32[3, 4] cpu");
  EXPECT_TEXT(inferred("x: T[h, w]; out: T[h, w] fortran; T in any", OUT),
              "float32[3, 4] strides [1, 3] cpu");
  EXPECT_TEXT(inferred("out: u8[n]", OUT), "uint8[2] cpu");
  x.strides = LIST(1, 3);
  EXPECT_TEXT(inferred("x: T[h, w] dense; out: like x; T in any", OUT), "float32[3, 4] cpu");
  EXPECT_TEXT(inferred("x: T[h, w] dense; out: like x samelayout; T in any", OUT),
              "float32[3, 4] strides [1, 3] cpu");
  EXPECT_TEXT(inferred("x: T[h, w] dense; out: u8[w, h] dense samelayout; T in any", OUT),
              "uint8[4, 3] cpu");
  EXPECT_TEXT(inferred("x: T[h, w] dense; out: u8[n, w] dense samelayout; T in any", OUT),
              "uint8[2, 4] cpu"); /* a model counts only where every extent is the same */
}

static void test_contract_infer__a_model_without_axes_needs_no_shape(void) {
  give_usual();
  x.ndim = 0;
  x.shape = x.strides = NULL;
  EXPECT_TEXT(inferred("x: f32[]; out: f32[] samelayout", OUT), "float32[] cpu");
  EXPECT_TEXT(inferred("x: f32[] strided; out: like x samelayout", OUT), "float32[] cpu");
}

static void test_contract_infer__what_the_inputs_leave_open_must_be_given(void) {
  static const char *const open[] = {"x: f32[h, w]; out: f32[h, k]",
                                     "x: f32[h, w]; out: f32[_, h]",
                                     "x: f32[h, w]; out: T[h, w]; T in any",
                                     "x: f32[h, w]; out: f32|f64[h, w]",
                                     "x: f32[h, w]; out: any[h, w]",
                                     "x: f32[h, w]; out: f32[...]",
                                     "x: f32[h, w]; out: inout f32[h, w]",
                                     "x: f32[h, w]; out: opt f32[h, w]",
                                     "x: opt f32[h, w]; out: f32[h, w]",
                                     "x: f32[h, w]",
                                     "more: f32[a]; out: f32[a]"};
  give_usual();
  for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
    EXPECT_TEXT(inferred(open[i], OUT),
                "INVALID: f: out must be given: the contract does not determine it");
  }
  EXPECT_TEXT(inferred("x: f32[h, w]", X),
              "INVALID: f: x must be given: the contract does not determine it");
  EXPECT_TEXT(inferred("x: f32[h, w]", 99),
              "INVALID: f: that output must be given: the contract does not determine it");
}

static void test_contract_infer__inputs_are_checked_first(void) {
  give_usual();
  EXPECT_TEXT(
      inferred("x: u8[h, w]; out: u8[h, w]", OUT),
      "DTYPE: f: x: dtype is f32, expected u8; got f32[3, 4], wanted u8[h, w]: cast converts");
  EXPECT_TEXT(inferred("x: f32[h, w]; out: u8[h - 5]", OUT),
              "SHAPE: f: out[h-5] would be -2, expected 0 or more; wanted u8[h-5]");
  values[N].integer = INT64_MAX;
  EXPECT_TEXT(inferred("out: u8[n + 1]", OUT),
              "OVERFLOW: f: out[n+1] does not fit in 64 bits; wanted u8[n+1]");
  EXPECT_TEXT(inferred("out: u8[n, n]", OUT),
              "OVERFLOW: f: expected an element count below 2^63, got a larger one by "
              "axis 1 (from 0) of extent 9223372036854775807");
  values[X].tensor.tensor = NULL;
  EXPECT_TEXT(inferred("x: f32[h]; out: f32[h]", OUT),
              "INVALID: f: x: expected a tensor, got NULL");
}

static void test_contract_infer__too_many_axes(void) {
  static int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  give_usual();
  x = (DLTensor){memory, cpu, DLF_MAX_NDIM, f32, ones, ones, 0};
  EXPECT_TEXT(inferred("x: f32[...]; out: u8[..., n]", OUT),
              "SHAPE: f: out would have more than 64 axes; wanted u8[..., n]");
}

static void test_contract_infer__create_allocates_what_is_inferred(void) {
  dlf_contract *c;
  dlf_tensor *t;
  int64_t strides[] = {2, -100};
  give_usual();
  x.strides = strides;
  x.byte_offset = 300 * 4;
  EXPECT_INT(dlf_contract_compile("x: T[h, w] strided; out: like x samelayout; T in any",
                                  "f",
                                  parameters,
                                  COUNT,
                                  sizeof(dlf_parameter),
                                  &c,
                                  NULL),
             0);
  EXPECT_INT(dlf_contract_create(c, values, sizeof(dlf_value), OUT, &t, NULL), DLF_OK);
  const DLTensor *made = dlf_dltensor(t);
  EXPECT_INT(made->strides[0], 2);
  EXPECT_INT(made->strides[1], -100);
  EXPECT_INT(dlf_check(made, 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
  float *first = dlf_data(made);
  for (int64_t i = 0; i < 3; i++) {
    for (int64_t k = 0; k < 4; k++) {
      EXPECT(first[2 * i - 100 * k] == 0);
    }
  }
  memset(first - 300,
         0xff,
         305 * sizeof *first); /* all of its range, which the sanitizers watch; the handle stays */
  EXPECT_INT(made->shape[1], 4);
  EXPECT_INT(made->strides[1], -100);
  values[OUT].tensor = (dlf_arg){made, dlf_flags(t)};
  values[Y].tensor.tensor = &y;
  EXPECT_INT(dlf_contract_match(c, values, sizeof(dlf_value), NULL),
             DLF_INVALID); /* `more` is missing, nothing else */
  dlf_release(t);
  x.strides = LIST(0, 1);
  EXPECT_INT(dlf_contract_create(c, values, sizeof(dlf_value), OUT, &t, NULL), DLF_OK);
  dlf_release(t);
  x.strides = LIST(INT64_C(1) << 62, 1); /* a range that does not fit */
  EXPECT_INT(dlf_contract_create(c, values, sizeof(dlf_value), OUT, &t, NULL), DLF_OVERFLOW);
  EXPECT(t == NULL);
  dlf_contract_free(c);
}

/* An unused stride is row-major, for any stride of the model. */
static void test_contract_infer__create_leaves_no_odd_strides(void) {
  static const char text[] = "x: T[h, w] strided; out: like x samelayout; T in any";
  dlf_contract *c;
  dlf_tensor *t;
  give_usual();
  x.shape = LIST(1, 4);
  x.strides = LIST(100, 1);
  EXPECT_INT(dlf_contract_compile(text, "f", parameters, COUNT, sizeof(dlf_parameter), &c, NULL),
             0);
  EXPECT_INT(dlf_contract_create(c, values, sizeof(dlf_value), OUT, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->strides[0], 4);
  EXPECT_INT(dlf_dltensor(t)->strides[1], 1);
  dlf_release(t);
  dlf_contract_free(c);
}

/* The call of generated code: one block, whose export is imported as the original handle. */
static void test_contract_infer__make_is_create_and_export(void) {
  dlf_prototype p = {.size = sizeof p,
                     .dtype = f32,
                     .device = cpu,
                     .ndim = 2,
                     .shape = {3, 4},
                     .strides = {1, 3},
                     .align = 512};
  DLManagedTensorVersioned *made, *again;
  dlf_tensor *t;
  const int64_t live = dlf_live();
  EXPECT_INT(dlf_make(&p, &made, NULL), DLF_OK);
  EXPECT_INT(dlf_live(), live + 1);
  EXPECT_INT((uintptr_t)made->dl_tensor.data % 512, 0);
  EXPECT_INT(dlf_check(&made->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  EXPECT(made->flags == 0 && made->version.minor == DLF_DLPACK_MINOR);
  memset(made->dl_tensor.data, 0xff, 12 * sizeof(float));
  void *const data = made->dl_tensor.data;
  EXPECT_INT(dlf_from_dlpack(made, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_live(), live + 1);
  EXPECT(dlf_data(dlf_dltensor(t)) == data && dlf_dltensor(t)->strides[1] == 3);
  EXPECT_INT(dlf_to_dlpack(t, &again, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(again->dl_tensor.data == data);
  dlf_dlpack_release(again);
  EXPECT_INT(dlf_make(&p, &made, NULL), DLF_OK);
  made->dl_tensor.strides[1] = 1; /* a consumer may: then it is a tensor like any other */
  EXPECT_INT(dlf_from_dlpack(made, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->strides[1], 1);
  dlf_release(t);
  p.size = sizeof p - 8;
  EXPECT_INT(dlf_make(&p, &made, NULL), DLF_INVALID);
  p.size = sizeof p;
  p.shape[0] = 0;
  EXPECT_INT(dlf_make(&p, &made, NULL), DLF_OK);
  EXPECT_INT(dlf_check(&made->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK); /* no data */
  dlf_dlpack_release(made);
  EXPECT_INT(dlf_live(), live);
  p.align = 48;
  EXPECT_FAILS(dlf_make(&p, &made, &error),
               DLF_INVALID,
               "make: expected an alignment of 0 or a power of two, got 48");
  p.align = INT64_C(1) << 62;
  p.shape[0] = 1;
  EXPECT_FAILS(
      dlf_make(&p, &made, &error), DLF_NO_MEMORY, "make: expected memory for 40 bytes, got none");
  p.ndim = DLF_MAX_NDIM + 1;
  EXPECT_INT(dlf_make(&p, &made, NULL), DLF_INVALID);
  EXPECT_FAILS(dlf_make(NULL, &made, &error), DLF_INVALID, "make: expected a prototype, got NULL");
  EXPECT(made == NULL);
}

/* More than dlf_create gives: one allocation in four would do by chance. */
static void test_contract_infer__create_aligns(void) {
  dlf_contract *c;
  dlf_tensor *made[16];
  int64_t strides[] = {2, -8};
  give_usual();
  x.strides = strides;
  x.byte_offset = 24 * 4;
  for (int turned = 0; turned < 2; turned++) {
    const char *text = turned ? "x: T[h, w] strided; out: like x samelayout align 1024; T in any"
                              : "x: T[h, w] strided; out: T[w] align 1024; T in any";
    EXPECT_INT(dlf_contract_compile(text, "f", parameters, COUNT, sizeof(dlf_parameter), &c, NULL),
               0);
    for (int i = 0; i < 16; i++) {
      EXPECT_INT(dlf_contract_create(c, values, sizeof(dlf_value), OUT, &made[i], NULL), DLF_OK);
      float *first = dlf_data(dlf_dltensor(made[i]));
      EXPECT_INT((uintptr_t)first % 1024, 0);
      for (int64_t k = 0; k < 4; k++) {
        first[turned ? 4 - 8 * k : k] = 1; /* the sanitizers watch the range */
      }
    }
    for (int i = 0; i < 16; i++) {
      dlf_release(made[i]);
    }
    dlf_contract_free(c);
  }
}

int main(void) {
  RUN(test_contract_infer__shape_and_dtype_come_from_the_inputs);
  RUN(test_contract_infer__a_model_without_axes_needs_no_shape);
  RUN(test_contract_infer__what_the_inputs_leave_open_must_be_given);
  RUN(test_contract_infer__inputs_are_checked_first);
  RUN(test_contract_infer__too_many_axes);
  RUN(test_contract_infer__create_allocates_what_is_inferred);
  RUN(test_contract_infer__create_leaves_no_odd_strides);
  RUN(test_contract_infer__make_is_create_and_export);
  RUN(test_contract_infer__create_aligns);
  return test_end();
}
