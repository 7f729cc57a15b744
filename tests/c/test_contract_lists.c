/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of tensors, arrays of scalars, hooks and tensors that are given, beside the rules that
 * tests/golden breaks. */
#include "contract_say.h"

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"frames", DLF_PARAMETER_LIST},
    {"axes", DLF_PARAMETER_ARRAY},
    {"weights", DLF_PARAMETER_ARRAY},
    {"n", DLF_PARAMETER_INTEGER},
    {"out", DLF_PARAMETER_OUTPUT},
    {"more", DLF_PARAMETER_OUTPUT},
    {"gift", DLF_PARAMETER_GIVEN},
};
enum { X, FRAMES, AXES, WEIGHTS, N, OUT, MORE, GIFT, COUNT, HOOKS = 3, ITEMS = 4 };

/* x, out, more, gift, then the frames. */
enum { TENSORS = 4 + ITEMS };
static _Alignas(256) unsigned char memory[TENSORS][1024];
static int64_t extents[TENSORS][2][8];
static DLTensor tensors[TENSORS];
static dlf_arg frames[ITEMS];
static dlf_value values[COUNT + HOOKS];

static DLTensor *give(int which, const char *dtype, int32_t ndim, const int64_t *shape) {
  DLTensor *t = &tensors[which];
  *t = (DLTensor){memory[which], cpu, ndim, f32, extents[which][0], extents[which][1], 0};
  EXPECT_INT(dlf_dtype_parse(dtype, &t->dtype, NULL), DLF_OK);
  for (int32_t i = 0; i < ndim; i++) {
    t->shape[i] = shape[i];
  }
  EXPECT_INT(dlf_compact_strides(ndim, shape, DLF_ROW_MAJOR, t->strides, NULL), DLF_OK);
  return t;
}

static DLTensor *frame(int which) {
  return &tensors[4 + which];
}

/* x and two frames f32[3, 4], out and more f32[2, 3, 4], axes and weights two numbers, no gift. */
static void give_usual(void) {
  static const int64_t numbers[] = {1, 0};
  memset(values, 0, sizeof values);
  for (int i = 0; i < TENSORS; i++) {
    give(i, "f32", 2, LIST(3, 4));
  }
  for (int i = 1; i < 3; i++) {
    give(i, "f32", 3, LIST(2, 3, 4));
  }
  for (int i = 0; i < ITEMS; i++) {
    frames[i] = (dlf_arg){frame(i), DLPACK_FLAG_BITMASK_READ_ONLY};
  }
  values[X].tensor.tensor = &tensors[0];
  values[OUT].tensor.tensor = &tensors[1];
  values[MORE].tensor.tensor = &tensors[2];
  values[FRAMES] = (dlf_value){.integer = 2, .items = frames};
  values[AXES] = values[WEIGHTS] = (dlf_value){.integer = 2, .items = numbers};
  values[N].integer = 2;
}

static const contract_call call = {parameters, COUNT, values};

static const char *verdict(const char *text) {
  return contract_verdict(call, dlf_contract_match, text);
}
static const char *inputs(const char *text) {
  return contract_verdict(call, dlf_contract_match_inputs, text);
}
static const char *inferred(const char *text, int32_t which) {
  return contract_inferred(call, text, which);
}

static void test_contract_lists__every_element_of_a_list_is_checked(void) {
  static const char stack[] = "frames: T[h, w] *k; out: T[k, h, w] noalias; T in f32|f64";
  give_usual();
  EXPECT_TEXT(verdict(stack), "");
  give(5, "f32", 2, LIST(3, 4))->strides[0] = 8;
  EXPECT_TEXT(verdict("frames: T[h, w] *k strided; out: T[k, h, w] noalias; T in any"), "");
  give_usual();
  EXPECT_TEXT(verdict("x: f32[n, a]; frames: f32[a-1, a+1] *k"),
              "SHAPE: f: x[n] is 3, expected 2 as n; got f32[3, 4], wanted f32[n, a]");
  EXPECT_TEXT(
      verdict("x: f32[a, b]; frames: f32[a, a+2] *k"),
      "SHAPE: f: frames[0] (from 0): [a+2] is 4, expected 5; got f32[3, 4], wanted f32[a, a+2] *k");
}

static void test_contract_lists__structure_of_a_list_comes_first(void) {
  static const char text[] = "x: u8[]; frames: f32[h, w] *k; axes: i64 *j";
  give_usual();
  frames[1].tensor = NULL;
  EXPECT_TEXT(verdict(text), "INVALID: f: frames[1] (from 0): expected a tensor, got NULL");
  give_usual();
  frame(1)->ndim = 65;
  EXPECT_TEXT(verdict(text),
              "INVALID: f: frames[1] (from 0): expected ndim between 0 and 64, got 65");
  give_usual();
  values[FRAMES].integer = -1;
  EXPECT_TEXT(verdict(text), "INVALID: f: frames: expected a number of 0 or more, got -1");
  EXPECT_TEXT(verdict(""), "INVALID: f: frames: expected a number of 0 or more, got -1");
  values[FRAMES] = (dlf_value){.integer = 2};
  EXPECT_TEXT(verdict(text), "INVALID: f: frames: expected 2 tensors, got NULL");
  give_usual();
  values[AXES].integer = INT64_MIN;
  EXPECT_TEXT(verdict(text),
              "INVALID: f: axes: expected a number of 0 or more, got -9223372036854775808");
  values[AXES] = (dlf_value){.integer = 3};
  EXPECT_TEXT(verdict(text), "INVALID: f: axes: expected 3 values, got NULL");
  values[AXES] = values[FRAMES] = (dlf_value){.integer = 0};
  EXPECT_TEXT(verdict("frames: f32[h, w] *k; axes: i64 *k; k == 0"), "");
}

static void test_contract_lists__the_number_of_things_is_a_name_like_others(void) {
  give_usual();
  EXPECT_TEXT(verdict("axes: i64 *k; weights: f64 *k; frames: any[...] *k"), "");
  values[WEIGHTS].integer = 1;
  EXPECT_TEXT(verdict("axes: i64 *k; axes = 2"),
              "f: contract: an array has no default, got `2` at character 22");
  EXPECT_TEXT(verdict("weights: f64 *k; k % 2"),
              "SHAPE: f: the number of weights is 1, wanted k % 2");
  EXPECT_TEXT(verdict("x: f32[a, _]; weights: f64 *k; k % 2"),
              "SHAPE: f: the number of weights is 1, wanted k % 2");
}

/* A number that C passes as a parameter of its own. */
static void test_contract_lists__the_name_may_be_an_integer_parameter(void) {
  give_usual();
  EXPECT_TEXT(verdict("frames: f32[_, _] *n; weights: f64 *n; n > 0"), "");
  values[WEIGHTS].integer = 3;
  EXPECT_TEXT(verdict("frames: f32[_, _] *n; weights: f64 *n"),
              "SHAPE: f: weights has 3 values, expected n = 2 from frames; wanted f64 *n");
  values[N].integer = values[FRAMES].integer = values[WEIGHTS].integer = 0;
  EXPECT_TEXT(verdict("frames: f32[_, _] *n; weights: f64 *n; n > 0"),
              "SHAPE: f: the number of frames is 0, wanted n > 0");
  values[N].integer = 1;
  EXPECT_TEXT(verdict("frames: f32[_, _] *n"),
              "SHAPE: f: frames has 0 tensors, expected n = 1; wanted f32[_, _] *n");
  EXPECT_TEXT(verdict("axes: i64 *n; x: f32[n, _]"),
              "SHAPE: f: axes has 2 values, expected n = 1; wanted i64 *n");
  values[AXES].integer = 1;
  EXPECT_TEXT(
      verdict("axes: i64 *n; x: f32[n, _]"),
      "SHAPE: f: x[n] is 3, expected 1 as the number of axes; got f32[3, 4], wanted f32[n, _]");
}

static void test_contract_lists__lists_with_every_property(void) {
  give_usual();
  EXPECT_TEXT(verdict("x: f32[a, b]; frames: like x *k"), "");
  give(5, "f32", 2, LIST(3, 5));
  EXPECT_TEXT(verdict("frames: f32[...] *k"),
              "SHAPE: f: frames[1] (from 0): [...] is 5, expected 4 as frames[...]; got "
              "f32[3, 5], wanted f32[...] *k");
  give_usual();
  frame(1)->strides = LIST(1, 3);
  give(0, "f32", 3, LIST(1, 3, 4));
  EXPECT_TEXT(verdict("frames: f32[a, b] *k samelayout"),
              "LAYOUT: f: frames[1] (from 0): layout is column-major, wanted that of frames[0] "
              "(from 0): pass a copy "
              "with its strides");
  frame(0)->strides = LIST(1, 3);
  EXPECT_TEXT(verdict("frames: f32[a, b] *k dense samelayout"), "");
  give(1, "f32", 2, LIST(3, 4));
  EXPECT_TEXT(verdict("frames: f32[a, b] *k fortran; out: f32[a, b] samelayout"),
              "LAYOUT: f: out: layout is row-major, wanted that of frames[0] (from 0): pass a "
              "tensor with its strides");
  give_usual();
  frame(0)->device = frame(1)->device = (DLDevice){kDLCUDA, 1};
  EXPECT_TEXT(verdict("frames: f32[_, _] *k cuda"), "");
  EXPECT_TEXT(verdict("frames: f32[_, _] *k anydevice align 256"), "");
}

static void test_contract_lists__shared_memory_is_looked_for_in_every_element(void) {
  give_usual();
  tensors[1].data = memory[5] + 44;
  EXPECT_TEXT(verdict("frames: f32[h, w] *k; out: f32[k, h, w]"), "");
  values[FRAMES].integer = 1;
  EXPECT_TEXT(verdict("frames: f32[h, w] *k; out: f32[_, h, w] noalias"), "");
  give_usual();
  frames[1] = frames[0]; /* read twice */
  EXPECT_TEXT(verdict("frames: f32[h, w] *k noalias; out: f32[k, h, w]"), "");
}

static void test_contract_lists__hooks_give_extents_of_outputs(void) {
  static const char text[] =
      "x: f32[h, w]; out: f32[hook(f_first), h, w]; more: f32[hook(f_second), h, hook(f_first)]";
  give_usual();
  values[COUNT].integer = 2;
  values[COUNT + 1].integer = 7;
  give(2, "f32", 3, LIST(7, 3, 2));
  EXPECT_TEXT(verdict(text), "");
  values[COUNT + 1].integer = 8;
  EXPECT_TEXT(
      verdict(text),
      "SHAPE: f: more[hook(f_second)] is 7, expected 8 as f_second returned; got f32[7, 3, 2], "
      "wanted f32[hook(f_second), h, hook(f_first)]");
  EXPECT_TEXT(inferred(text, OUT), "float32[2, 3, 4] cpu");
  EXPECT_TEXT(inferred(text, MORE), "float32[8, 3, 2] cpu");
  values[COUNT].integer = -1;
  EXPECT_TEXT(verdict(text), "SHAPE: f: f_first returned -1, wanted a length of 0 or more");
  EXPECT_TEXT(inferred(text, OUT), "SHAPE: f: f_first returned -1, wanted a length of 0 or more");
  EXPECT_TEXT(inputs(text), "");
  /* The usual form mentions hooks in the order in which values are passed, for any order of the
   * clauses. */
  EXPECT_TEXT(verdict("more: f32[hook(f_second), _, hook(f_first)]; out: f32[hook(f_first), _, _]"),
              "SHAPE: f: f_first returned -1, wanted a length of 0 or more");
  values[COUNT].integer = 0;
  EXPECT_TEXT(inferred("out: u8[hook(g)]; more: like out", MORE), "uint8[0] cpu");
}

static void test_contract_lists__hooks_give_numbers_for_constraints(void) {
  static const char text[] =
      "x: f32[h, w]; h < hook(f_least); n <= hook(f_most(n)); hook(f_most(n)) != 7";
  give_usual();
  values[COUNT].integer = 4;
  values[COUNT + 1].integer = 2;
  EXPECT_TEXT(verdict(text), "");
  values[COUNT].integer = -3;
  EXPECT_TEXT(verdict(text), "SHAPE: f: x[h] is 3 and f_least is -3, wanted h < hook(f_least)");
  EXPECT_TEXT(inputs(text), ""); /* these hooks run once the inputs hold */
  values[COUNT + 1].integer = 1;
  EXPECT_TEXT(verdict(text), "INVALID: f: n is 2 and f_most(n) is 1, wanted n <= hook(f_most(n))");
  values[COUNT + 1].integer = 7;
  EXPECT_TEXT(verdict(text), "INVALID: f: f_most(n) is 7, wanted hook(f_most(n)) != 7");
  values[COUNT].integer = 4;
  EXPECT_TEXT(inputs("x: f32[_, hook(f)]; hook(f) > 4"), "INVALID: f: f is 4, wanted hook(f) > 4");
}

static void test_contract_lists__inputs_alone(void) {
  give_usual();
  values[OUT].tensor.tensor = values[MORE].tensor.tensor = NULL;
  EXPECT_TEXT(verdict("x: f32[a, b]"), "INVALID: f: out: expected a tensor, got NULL");
  EXPECT_TEXT(inputs("x: f32[a, b]; out: f32[a] noalias"), "");
  EXPECT_TEXT(inputs("out: inout f32[a]"), "INVALID: f: out: expected a tensor, got NULL");
  EXPECT_TEXT(inputs("frames: f32[a, a] *k"),
              "SHAPE: f: frames[0] (from 0): [a] is 4, expected 3 "
              "as frames[a]; got f32[3, 4], wanted f32[a, a] *k");
  values[GIFT].tensor.tensor = &tensors[3];
  EXPECT_TEXT(inputs("gift: u8[a]"), "");
}

static void test_contract_lists__a_given_tensor_is_checked_once_it_is_there(void) {
  static const char text[] = "x: T[a, b]; gift: T[k, b] noalias; k <= a; k % 2; T in any";
  give_usual();
  EXPECT_TEXT(verdict(text), "");
  values[GIFT].tensor.tensor = give(3, "f32", 2, LIST(2, 4));
  EXPECT_TEXT(verdict(text), "");
  give(3, "f32", 2, LIST(1, 4));
  EXPECT_TEXT(verdict(text), "SHAPE: f: gift[k] is 1, wanted k % 2");
  give(3, "f32", 2, LIST(4, 4));
  EXPECT_TEXT(verdict(text), "SHAPE: f: x[a] is 3 and gift[k] is 4, wanted k <= a");
  give(3, "f64", 2, LIST(2, 4));
  EXPECT_TEXT(verdict(text),
              "DTYPE: f: gift: dtype is f64, expected T = f32 from x; got f64[2, "
              "4], wanted T[k, b] noalias");
  give(3, "f32", 2, LIST(2, 4))->data = memory[0];
  EXPECT_TEXT(verdict(text), "INVALID: f: gift: shares memory with x; wanted T[k, b] noalias");
  give(3, "f32", 2, LIST(2, 4))->strides = LIST(1, 2);
  EXPECT_TEXT(verdict(text),
              "LAYOUT: f: gift: layout is column-major, wanted row-major: pass a row-major copy");
  values[GIFT].tensor.flags = DLPACK_FLAG_BITMASK_READ_ONLY; /* never written */
  EXPECT_TEXT(verdict("gift: f32[_, _] fortran"), "");
  EXPECT_TEXT(verdict(""), "");
  tensors[3].ndim = -2;
  EXPECT_TEXT(verdict(""), "FOREIGN: f: gift: expected ndim between 0 and 64, got -2");
  EXPECT_TEXT(inferred("gift: f32[3]", GIFT),
              "INVALID: f: gift must be given: the contract does not determine it");
}

static void test_contract_lists__outputs_follow_from_lists(void) {
  static const char text[] = "frames: T[h, w] *k; out: T[k, h, w]; more: T[k]; T in any";
  give_usual();
  EXPECT_TEXT(inferred(text, OUT), "float32[2, 3, 4] cpu");
  EXPECT_TEXT(inferred("frames: T[...] *k; out: u8[k, ...]; T in any", OUT), "uint8[2, 3, 4] cpu");
  EXPECT_TEXT(inferred("axes: i64 *k; out: f64[k, k]", OUT), "float64[2, 2] cpu");
  frame(0)->strides = frame(1)->strides = LIST(1, 3);
  EXPECT_TEXT(
      inferred("x: any[...] strided; frames: f32[h, w] *k dense; out: f32[h, w] samelayout", OUT),
      "float32[3, 4] cpu");
  give(0, "f32", 1, LIST(3));
  EXPECT_TEXT(inferred("x: any[_]; frames: f32[h, w] *k dense; out: f32[h, w] samelayout", OUT),
              "float32[3, 4] strides [1, 3] cpu");
  give_usual();
  values[FRAMES].integer = 0;
  EXPECT_TEXT(verdict("frames: T[h, w] *k; out: U[_, h, w]; T in any; U in any"), "");
  EXPECT_TEXT(inferred(text, OUT),
              "INVALID: f: out must be given: an empty list leaves T open; wanted T[k, h, w]");
  EXPECT_TEXT(inferred("frames: f32[h, w] *k; out: f32[k, h + 1]", OUT),
              "INVALID: f: out must be given: an empty list leaves h open; wanted f32[k, h+1]");
  EXPECT_TEXT(inferred("frames: f32[...] *k; out: f32[k, ...]", OUT),
              "INVALID: f: out must be given: an empty list leaves ... open; wanted f32[k, ...]");
  EXPECT_TEXT(inferred("frames: f32[h, w] *k; out: f32[k]", OUT), "float32[0] cpu");
}

static void test_contract_lists__format_gives_arrays_too(void) {
  char buffer[32];
  dlf_contract *c;
  EXPECT_INT(dlf_contract_compile("axes: i64 *k; frames: T[h] *k; T in any",
                                  "f",
                                  parameters,
                                  COUNT,
                                  sizeof(dlf_parameter),
                                  &c,
                                  NULL),
             DLF_OK);
  EXPECT_INT(dlf_contract_format(c, AXES, buffer, sizeof buffer), 6);
  EXPECT_TEXT(buffer, "i64 *k");
  dlf_contract_format(c, FRAMES, buffer, sizeof buffer);
  EXPECT_TEXT(buffer, "T[h] *k");
  EXPECT_INT(dlf_contract_format(c, WEIGHTS, buffer, sizeof buffer), 0);
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_contract_lists__every_element_of_a_list_is_checked);
  RUN(test_contract_lists__structure_of_a_list_comes_first);
  RUN(test_contract_lists__the_number_of_things_is_a_name_like_others);
  RUN(test_contract_lists__the_name_may_be_an_integer_parameter);
  RUN(test_contract_lists__lists_with_every_property);
  RUN(test_contract_lists__shared_memory_is_looked_for_in_every_element);
  RUN(test_contract_lists__hooks_give_extents_of_outputs);
  RUN(test_contract_lists__hooks_give_numbers_for_constraints);
  RUN(test_contract_lists__inputs_alone);
  RUN(test_contract_lists__a_given_tensor_is_checked_once_it_is_there);
  RUN(test_contract_lists__outputs_follow_from_lists);
  RUN(test_contract_lists__format_gives_arrays_too);
  return test_end();
}
