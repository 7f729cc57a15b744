/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of the contract language, found by changing the hub one place at a time: each of these fails for a change that
 * all other tests let pass. */
#include "test.h"

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},  {"y", DLF_PARAMETER_INPUT},    {"out", DLF_PARAMETER_OUTPUT},
    {"z", DLF_PARAMETER_OUTPUT}, {"n", DLF_PARAMETER_INTEGER},  {"m", DLF_PARAMETER_INTEGER},
    {"s", DLF_PARAMETER_REAL},   {"flag", DLF_PARAMETER_OTHER},
};
enum { X, Y, OUT, Z, N, M, S, FLAG, COUNT, HOOKS = 2 };

static _Alignas(256) unsigned char memory[4][4096];
static DLTensor tensors[4];
static int64_t extents[4][2][DLF_MAX_NDIM];
static dlf_value values[COUNT + HOOKS];
static char said[600];

static DLTensor *give(int which, const char *dtype, int32_t ndim, const int64_t *shape) {
  DLTensor *t = &tensors[which];
  *t = (DLTensor){memory[which], cpu, ndim, f32, extents[which][0], extents[which][1], 0};
  EXPECT_INT(dlf_dtype_parse(dtype, &t->dtype, NULL), DLF_OK);
  memcpy(t->shape, shape, (size_t)ndim * sizeof *shape);
  EXPECT_INT(dlf_compact_strides(ndim, shape, DLF_ROW_MAJOR, t->strides, NULL), DLF_OK);
  values[which].tensor = (dlf_arg){t, 0};
  return t;
}

/* All tensors f32[3, 4], the scalars 1. */
static void give_usual(void) {
  for (int i = X; i <= Z; i++) give(i, "f32", 2, LIST(3, 4));
  for (int i = N; i < COUNT + HOOKS; i++) values[i] = (dlf_value){.integer = 1, .real = 1};
}

/* "" when the call holds, else "STATUS: text"; for an output to be inferred its prototype. */
static const char *outcome(const char *text, int which) {
  dlf_error error = {0};
  dlf_contract *c;
  dlf_prototype p = {0};
  dlf_status status = dlf_contract_compile(text, "f", parameters, COUNT, sizeof(dlf_parameter), &c, &error);
  if (status) return strcpy(said, error.message);
  status = which < 0 ? dlf_contract_match(c, values, sizeof(dlf_value), &error)
                     : dlf_contract_infer(c, values, sizeof(dlf_value), which, &p, &error);
  dlf_contract_free(c);
  snprintf(said, sizeof said, "%s%s%s", status ? dlf_status_name((int32_t)status) : "", status ? ": " : "",
           error.message);
  if (status || which < 0) return said;
  DLTensor t = {memory, p.device, p.ndim, p.dtype, p.shape, p.strides, 0};
  EXPECT(dlf_describe(&t, 0, said, sizeof said) < (int64_t)sizeof said);
  return said;
}

static const char *verdict(const char *text) { return outcome(text, -1); }

static void test_contract_edges__a_divisor_is_proved_by_its_own_bound_only(void) {
  static const char *const unproved[] = {
      "m > 0; y: f32[3, 4/n]",
      "n < 5; y: f32[3, 4/n]",
      "n <= 5; y: f32[3, 4/n]",
      "n != 0; y: f32[3, 4/n]",
      "n >= 0; y: f32[3, 4/n]",
      "n in 0..9; y: f32[3, 4/n]",
      "n+1 > 1; y: f32[3, 4/n]",
      "n > 3; m > 1; y: f32[3, 4/(n/m)]",
      "n > 3; m > 1; y: f32[3, 4/(n-m)]",
      "n > 0; m >= 0; y: f32[3, 4/(n*m)]",
      "m > 0; n % (m-1); y: any[3, 4]",
      "n > m; m > 0; y: f32[3, 4/n]",
  };
  give_usual();
  for (size_t i = 0; i < sizeof unproved / sizeof *unproved; i++) {
    EXPECT(strstr(verdict(unproved[i]), "f: contract: division may be by 0: needs ") != NULL);
    if (!strstr(said, "division may be by 0")) printf("       %s\n", unproved[i]);
  }
  EXPECT_TEXT(verdict("n > 0; m > 0; y: f32[3, 4/(n*m)]"), "");
  EXPECT_TEXT(verdict("n >= 1; m >= 0; y: f32[3, 8/(n+m)]"), "");
  EXPECT_TEXT(verdict("n == 1; m > 0; y: f32[3, 4/(n/^m)]"), "");
  EXPECT_TEXT(verdict("n in 1..1; y: f32[3, 4/n]"), ""); /* a range of one */
}

static void test_contract_edges__what_proves_a_divisor_is_checked_before_it_divides(void) {
  give_usual();
  values[N].integer = 0;
  EXPECT_TEXT(verdict("m/n > 0; m > 0; n > 0"), "INVALID: f: n is 0, wanted n > 0");
  EXPECT_TEXT(verdict("m % n; n > 0"), "INVALID: f: n is 0, wanted n > 0");
  EXPECT_TEXT(verdict("y: f32[3, 4/n]; m > 0; n in 1..3"), "INVALID: f: n is 0, wanted n in 1..3");
}

static void test_contract_edges__a_real_on_either_side_makes_a_constraint_real(void) {
  give_usual();
  values[N].integer = 2;
  values[S].real = 2.5;
  EXPECT_TEXT(verdict("n >= s"), "INVALID: f: n is 2 and s is 2.5, wanted n >= s");
  EXPECT_TEXT(verdict("s <= n"), "INVALID: f: s is 2.5 and n is 2, wanted s <= n");
  EXPECT_TEXT(verdict("n < s; n > 1.5; n in 1..2.5; s in 2..3; n*1.5 == 3"), "");
  EXPECT_TEXT(verdict("s != 2.5"), "INVALID: f: s is 2.5, wanted s != 2.5");
  EXPECT_TEXT(verdict("n in 2.25..2.5"), "INVALID: f: n is 2, wanted n in 2.25..2.5");
  EXPECT_TEXT(verdict("s > 2.5e+0"), "INVALID: f: s is 2.5, wanted s > 2.5e+0");
  EXPECT_TEXT(verdict("s > 1e22; s > 1"), "INVALID: f: s is 2.5, wanted s > 1e22");
}

static void test_contract_edges__rows_of_one_axis_have_no_gaps_either(void) {
  give_usual();
  give(X, "f32", 1, LIST(3))->strides[0] = 2;
  EXPECT_TEXT(verdict("x: f32[k] rows"), "LAYOUT: f: x: layout is strided, wanted dense rows");
  EXPECT_TEXT(verdict("x: f32[k] strided"), "");
  tensors[X].shape[0] = 1;
  EXPECT_TEXT(verdict("x: f32[k] rows"), "");
}

static void test_contract_edges__complex_numbers_are_aligned_as_their_parts(void) {
  static const struct {
    const char *dtype;
    unsigned offset;
    const char *wanted;
  } cases[] = {
      {"c64", 4, ""},
      {"c64", 2, "LAYOUT: f: x: is not aligned to 4 bytes; wanted any[k]"},
      {"c128", 8, ""},
      {"c128", 4, "LAYOUT: f: x: is not aligned to 8 bytes; wanted any[k]"},
      {"f64", 4, "LAYOUT: f: x: is not aligned to 8 bytes; wanted any[k]"},
  };
  const DLDevice host = {kDLCUDAHost, 0};
  give_usual();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (int away = 0; away < 2; away++) { /* off the CPU the interpreter judges by itself */
      DLTensor *t = give(X, cases[i].dtype, 1, LIST(3));
      t->byte_offset = cases[i].offset;
      if (away) t->device = host;
      EXPECT_TEXT(verdict("x: any[k]"), cases[i].wanted);
    }
}

static void test_contract_edges__axes_beside_a_run_are_named(void) {
  give_usual();
  give(X, "f32", 4, LIST(2, 3, 4, 5));
  for (int axis = 0; axis < 4; axis++) {
    static const char *const names[] = {"a", "...", "...", "b"};
    char wanted[200];
    give(OUT, "f32", 4, LIST(2, 3, 4, 5))->strides[axis] = 0;
    snprintf(wanted, sizeof wanted, "INVALID: f: out: repeats elements along %s; wanted f32[a, ..., b] strided",
             names[axis]);
    EXPECT_TEXT(verdict("x: f32[a, ..., b]; out: f32[a, ..., b] strided"), wanted);
    give(OUT, "f32", 4, LIST(2, 3, 4, 5))->shape[axis]++;
    snprintf(wanted, sizeof wanted, "SHAPE: f: out[%s] is %d, expected %d as x[%s]; got f32", names[axis], axis + 3,
             axis + 2, names[axis]);
    EXPECT(strstr(verdict("x: f32[a, ..., b]; out: like x strided"), wanted) == said);
  }
}

static void test_contract_edges__an_output_may_have_as_many_axes_as_there_can_be(void) {
  int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) ones[i] = 1;
  give_usual();
  give(X, "f32", DLF_MAX_NDIM - 1, ones);
  EXPECT(strstr(outcome("x: f32[...]; out: u8[..., 2]", OUT), "uint8[1, 1, ") == said);
  give(X, "f32", DLF_MAX_NDIM, ones);
  EXPECT_TEXT(outcome("x: f32[...]; out: u8[..., 2]", OUT),
              "SHAPE: f: out would have more than 64 axes; wanted u8[..., 2]");
}

static void test_contract_edges__hooks_count_in_the_order_of_the_parameters(void) {
  give_usual();
  values[COUNT].integer = 5;
  values[COUNT + 1].integer = 7;
  for (int i = 0; i < 2; i++) {
    const char *text = i ? "z: u8[hook(g)]; out: u8[hook(h), hook(h)]" : "out: u8[hook(h), hook(h)]; z: u8[hook(g)]";
    EXPECT_TEXT(outcome(text, OUT), "uint8[5, 5] cpu");
    EXPECT_TEXT(outcome(text, Z), "uint8[7] cpu");
  }
}

static void test_contract_edges__like_follows_its_model_in_whatever_order_they_bind(void) {
  give_usual();
  give(Y, "f64", 1, LIST(7));
  give(OUT, "i8", 3, LIST(2, 2, 2));
  give(Z, "i8", 3, LIST(2, 2, 2));
  EXPECT_TEXT(verdict("out: inout i8[a, b, c]; z: like out; x: f32[_, _]; y: f64[_]"), "");
  give(Z, "f64", 1, LIST(7));
  EXPECT(strstr(verdict("out: inout i8[a, b, c]; z: like out"), "DTYPE: f: z: dtype is f64, expected i8 from out") ==
         said);
  EXPECT_TEXT(verdict("x: like x"), "f: contract: expected the name of another tensor, got `x` at character 9");
  EXPECT_TEXT(verdict("x: f32[_]; y: like n"), "f: contract: expected the name of a tensor, got `n` at character 20");
  EXPECT_TEXT(verdict("x: f32[_]; y: like it"), "f: contract: expected the name of a tensor, got `it` at character 20");
  EXPECT_TEXT(verdict("out: f32[_]; x: like out"), "f: contract: `like out`: expected a tensor that binds before x");
}

static void test_contract_edges__a_model_is_found_where_its_parameter_is_the_first(void) {
  static const dlf_parameter others[] = {
      {"a", DLF_PARAMETER_OUTPUT}, {"b", DLF_PARAMETER_INPUT}, {"c", DLF_PARAMETER_OUTPUT}};
  dlf_error error = {0};
  dlf_contract *c;
  give_usual();
  dlf_value given[] = {values[X], values[Y], values[Z]};
  give(Y, "i8", 1, LIST(7));
  EXPECT_INT(dlf_contract_compile("a: inout f32[n, m]; b: i8[_]; c: like a", "f", others, 3, sizeof(dlf_parameter), &c,
                                  &error),
             DLF_OK);
  EXPECT_INT(dlf_contract_match(c, given, sizeof(dlf_value), &error), DLF_OK);
  give(Z, "i8", 1, LIST(7));
  EXPECT_INT(dlf_contract_match(c, given, sizeof(dlf_value), &error), DLF_DTYPE);
  EXPECT_TEXT(error.message, "f: c: dtype is i8, expected f32 from a; got i8[7], wanted like a");
  dlf_contract_free(c);
}

static void test_contract_edges__an_output_is_inferred_where_its_place_says(void) {
  char form[100];
  dlf_contract *c;
  give_usual();
  tensors[X].device = (DLDevice){kDLCUDA, 1};
  EXPECT_TEXT(outcome("x: f32[a, b] cuda; out: f32[b] samedevice", OUT), "float32[4] cuda:1");
  EXPECT_TEXT(outcome("x: f32[a, b] cuda; out: f32[b]", OUT), "float32[4] cpu");
  EXPECT_TEXT(outcome("x: f32[a, b] cuda; out: f32[b] anydevice", OUT), "float32[4] cpu");
  EXPECT_TEXT(outcome("x: f32[a, b] cuda; out: like x", OUT), "float32[3, 4] cuda:1");
  EXPECT_TEXT(outcome("x: f32[a, b] rocm|cuda; out: f32[b] rocm|cuda", OUT), "float32[4] rocm:0");
  EXPECT_TEXT(outcome("x: f32[a, b] cuda; out: f32[b] cuda|cpu", OUT), "float32[4] cpu");
  tensors[X].device = cpu;
  EXPECT_TEXT(outcome("x: f32[a, b] cuda|cpu; out: like x", OUT), "float32[3, 4] cpu");
  EXPECT_INT(
      dlf_contract_compile("x: f32[a] cuda|cpu; out: like x", "f", parameters, COUNT, sizeof(dlf_parameter), &c, NULL),
      DLF_OK);
  dlf_contract_format(c, -1, form, sizeof form);
  EXPECT_TEXT(form, "x: f32[a] cuda|cpu; out: like x"); /* what a model says is not said again */
  dlf_contract_free(c);
}

static void test_contract_edges__parameters_have_names_and_kinds(void) {
  static const dlf_parameter wrong[] = {{NULL, DLF_PARAMETER_INPUT}, {"x", (dlf_parameter_kind)99}};
  static dlf_parameter many[4097];
  dlf_error error = {0};
  dlf_contract *c;
  for (int i = 0; i < 2; i++) {
    EXPECT_INT(dlf_contract_compile("", "f", &wrong[i], 1, sizeof(dlf_parameter), &c, &error), DLF_INVALID);
    EXPECT_TEXT(error.message, "f: contract: expected a name and a kind for every parameter");
  }
  EXPECT_INT(dlf_contract_compile("", "f", many, 4097, sizeof(dlf_parameter), &c, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "f: contract: expected 4096 parameters at most, got 4097");
}

static void test_contract_edges__there_is_an_end_to_names(void) {
  static char text[8192];
  for (int count = 64; count <= 65; count++) {
    int at = snprintf(text, sizeof text, "x: any[a0");
    for (int i = 1; i < count; i++)
      at += snprintf(text + at, sizeof text - (size_t)at, i == 32 ? "]; y: any[a%d" : ", a%d", i);
    snprintf(text + at, sizeof text - (size_t)at, "]");
    give_usual();
    EXPECT(strstr(verdict(text), count > 64 ? "expected at most 64 names" : "SHAPE: f: x: ndim is 2, expected 32") !=
           NULL);
  }
  for (int count = 32; count <= 33; count++) {
    int at = snprintf(text, sizeof text, "x: u8");
    for (int i = 1; i < count; i++) at += snprintf(text + at, sizeof text - (size_t)at, "|u8");
    snprintf(text + at, sizeof text - (size_t)at, "[_, _]");
    EXPECT(strstr(verdict(text), count > 32 ? "expected at most 32 dtypes" : "DTYPE: f: x") != NULL);
  }
  int at = 0;
  for (int i = 0; i < 33; i++) at += snprintf(text + at, sizeof text - (size_t)at, "T%d in f32; ", i);
  EXPECT(strstr(verdict(text), "expected at most 32 type variables") != NULL);
}

static void test_contract_edges__what_is_no_number_is_refused(void) {
  static const char *const cases[] = {"n in -..3", "n = -", "s > .", "flag = -", "n in 3..", "x: f32[_] align"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    EXPECT(strstr(verdict(cases[i]), "f: contract: expected a number") == said);
  give_usual();
  EXPECT_TEXT(verdict("flag = 3"), ""); /* what such a parameter is only the generator knows */
  EXPECT_TEXT(verdict("return: status text"), "f: contract: expected the name of a function, got the end");
  EXPECT(strstr(verdict("n = yes"), "f: contract: expected a number") == said);
  EXPECT(strstr(verdict("s = \"a\""), "f: contract: expected a number") == said);
  EXPECT_TEXT(verdict("n in 4..3"),
              "f: contract: expected a range that begins below its end, got `4..3` at character 6");
}

int main(void) {
  RUN(test_contract_edges__a_divisor_is_proved_by_its_own_bound_only);
  RUN(test_contract_edges__what_proves_a_divisor_is_checked_before_it_divides);
  RUN(test_contract_edges__a_real_on_either_side_makes_a_constraint_real);
  RUN(test_contract_edges__rows_of_one_axis_have_no_gaps_either);
  RUN(test_contract_edges__complex_numbers_are_aligned_as_their_parts);
  RUN(test_contract_edges__axes_beside_a_run_are_named);
  RUN(test_contract_edges__an_output_may_have_as_many_axes_as_there_can_be);
  RUN(test_contract_edges__hooks_count_in_the_order_of_the_parameters);
  RUN(test_contract_edges__like_follows_its_model_in_whatever_order_they_bind);
  RUN(test_contract_edges__a_model_is_found_where_its_parameter_is_the_first);
  RUN(test_contract_edges__an_output_is_inferred_where_its_place_says);
  RUN(test_contract_edges__parameters_have_names_and_kinds);
  RUN(test_contract_edges__there_is_an_end_to_names);
  RUN(test_contract_edges__what_is_no_number_is_refused);
  return test_end();
}
