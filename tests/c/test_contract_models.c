/* SPDX-License-Identifier: Apache-2.0 */
/* Sources of an output's description: its model, its hooks, its inputs, its device. */
#include "contract_call.h"

static void test_contract_models__an_output_may_have_as_many_axes_as_there_can_be(void) {
  int64_t ones[DLF_MAX_NDIM];
  for (int i = 0; i < DLF_MAX_NDIM; i++) {
    ones[i] = 1;
  }
  give_usual();
  give(X, "f32", DLF_MAX_NDIM - 1, ones);
  EXPECT(strstr(inferred("x: f32[...]; out: u8[..., 2]", OUT), "uint8[1, 1, ") == said);
  give(X, "f32", DLF_MAX_NDIM, ones);
  EXPECT_TEXT(inferred("x: f32[...]; out: u8[..., 2]", OUT),
              "SHAPE: f: out would have more than 64 axes; wanted u8[..., 2]");
}

static void test_contract_models__hooks_count_in_the_order_of_the_parameters(void) {
  give_usual();
  values[COUNT].integer = 5;
  values[COUNT + 1].integer = 7;
  for (int i = 0; i < 2; i++) {
    const char *text = i ? "z: u8[hook(g)]; out: u8[hook(h), hook(h)]"
                         : "out: u8[hook(h), hook(h)]; z: u8[hook(g)]";
    EXPECT_TEXT(inferred(text, OUT), "uint8[5, 5] cpu");
    EXPECT_TEXT(inferred(text, Z), "uint8[7] cpu");
  }
}

static void test_contract_models__like_follows_its_model_in_whatever_order_they_bind(void) {
  give_usual();
  give(Y, "f64", 1, LIST(7));
  give(OUT, "i8", 3, LIST(2, 2, 2));
  give(Z, "i8", 3, LIST(2, 2, 2));
  EXPECT_TEXT(verdict("out: inout i8[a, b, c]; z: like out; x: f32[_, _]; y: f64[_]"), "");
  give(Z, "f64", 1, LIST(7));
  EXPECT(strstr(verdict("out: inout i8[a, b, c]; z: like out"),
                "DTYPE: f: z: dtype is f64, expected i8 from out") == said);
  EXPECT_TEXT(verdict("x: like x"),
              "f: contract: expected the name of another tensor, got `x` at character 9");
  EXPECT_TEXT(verdict("x: f32[_]; y: like n"),
              "f: contract: expected the name of a tensor, got `n` at character 20");
  EXPECT_TEXT(verdict("x: f32[_]; y: like it"),
              "f: contract: expected the name of a tensor, got `it` at character 20");
  EXPECT_TEXT(verdict("out: f32[_]; x: like out"),
              "f: contract: `like out`: expected a tensor that binds before x");
}

static void test_contract_models__a_model_is_found_where_its_parameter_is_the_first(void) {
  static const dlf_parameter others[] = {
      {"a", DLF_PARAMETER_OUTPUT}, {"b", DLF_PARAMETER_INPUT}, {"c", DLF_PARAMETER_OUTPUT}};
  dlf_error error = {0};
  dlf_contract *c;
  give_usual();
  dlf_value given[] = {values[X], values[Y], values[Z]};
  give(Y, "i8", 1, LIST(7));
  EXPECT_INT(dlf_contract_compile("a: inout f32[n, m]; b: i8[_]; c: like a",
                                  "f",
                                  others,
                                  3,
                                  sizeof(dlf_parameter),
                                  &c,
                                  &error),
             DLF_OK);
  EXPECT_INT(dlf_contract_match(c, given, sizeof(dlf_value), &error), DLF_OK);
  give(Z, "i8", 1, LIST(7));
  EXPECT_INT(dlf_contract_match(c, given, sizeof(dlf_value), &error), DLF_DTYPE);
  EXPECT_TEXT(error.message, "f: c: dtype is i8, expected f32 from a; got i8[7], wanted like a");
  dlf_contract_free(c);
}

static void test_contract_models__the_usual_form_has_a_model_before_what_is_like_it(void) {
  static const dlf_parameter others[] = {
      {"a", DLF_PARAMETER_OUTPUT}, {"b", DLF_PARAMETER_OUTPUT}, {"c", DLF_PARAMETER_INPUT}};
  char form[100];
  dlf_contract *c;
  EXPECT_INT(
      dlf_contract_compile(
          "c: f32[n]; b: f32[n]; a: like c", "f", others, 3, sizeof(dlf_parameter), &c, NULL),
      DLF_OK);
  dlf_contract_format(c, -1, form, sizeof form);
  EXPECT_TEXT(form, "b: f32[n]; c: f32[n]; a: like c");
  dlf_contract_free(c);
}

static void test_contract_models__names_count_in_the_order_of_the_usual_form(void) {
  static const char wanted[] = "SHAPE: f: x[height] is 3 and x[width] is 4, wanted width < height";
  give_usual();
  EXPECT_TEXT(verdict("width < height; x: f32[height, width]"), wanted);
  EXPECT_TEXT(verdict("x: f32[height, width]; width < height"), wanted);
}

static void test_contract_models__an_output_is_inferred_where_its_place_says(void) {
  char form[100];
  dlf_contract *c;
  give_usual();
  tensors[X].device = (DLDevice){kDLCUDA, 1};
  EXPECT_TEXT(inferred("x: f32[a, b] cuda; out: f32[b] samedevice", OUT), "float32[4] cuda:1");
  EXPECT_TEXT(inferred("x: f32[a, b] cuda; out: f32[b]", OUT), "float32[4] cpu");
  EXPECT_TEXT(inferred("x: f32[a, b] cuda; out: f32[b] anydevice", OUT), "float32[4] cpu");
  EXPECT_TEXT(inferred("x: f32[a, b] cuda; out: like x", OUT), "float32[3, 4] cuda:1");
  EXPECT_TEXT(inferred("x: f32[a, b] rocm|cuda; out: f32[b] rocm|cuda", OUT), "float32[4] rocm:0");
  EXPECT_TEXT(inferred("x: f32[a, b] cuda; out: f32[b] cuda|cpu", OUT), "float32[4] cpu");
  tensors[X].device = cpu;
  EXPECT_TEXT(inferred("x: f32[a, b] cuda|cpu; out: like x", OUT), "float32[3, 4] cpu");
  EXPECT_INT(dlf_contract_compile("x: f32[a] cuda|cpu; out: like x",
                                  "f",
                                  parameters,
                                  COUNT,
                                  sizeof(dlf_parameter),
                                  &c,
                                  NULL),
             DLF_OK);
  dlf_contract_format(c, -1, form, sizeof form);
  EXPECT_TEXT(form,
              "x: f32[a] cuda|cpu; out: like x"); /* the model's properties are not repeated */
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_contract_models__an_output_may_have_as_many_axes_as_there_can_be);
  RUN(test_contract_models__hooks_count_in_the_order_of_the_parameters);
  RUN(test_contract_models__like_follows_its_model_in_whatever_order_they_bind);
  RUN(test_contract_models__a_model_is_found_where_its_parameter_is_the_first);
  RUN(test_contract_models__the_usual_form_has_a_model_before_what_is_like_it);
  RUN(test_contract_models__names_count_in_the_order_of_the_usual_form);
  RUN(test_contract_models__an_output_is_inferred_where_its_place_says);
  return test_end();
}
