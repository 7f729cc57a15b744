/* SPDX-License-Identifier: Apache-2.0 */
/* Limits of a contract: the number of names, dtypes and parameters, and the syntax of numbers. */
#include "contract_call.h"

static void test_contract_limits__parameters_have_names_and_kinds(void) {
  static const dlf_parameter wrong[] = {{NULL, DLF_PARAMETER_INPUT}, {"x", (dlf_parameter_kind)99}};
  static dlf_parameter many[4097];
  dlf_error error = {0};
  dlf_contract *c;
  for (int i = 0; i < 2; i++) {
    EXPECT_INT(dlf_contract_compile("", "f", &wrong[i], 1, sizeof(dlf_parameter), &c, &error),
               DLF_INVALID);
    EXPECT_TEXT(error.message, "f: contract: expected a name and a kind for every parameter");
  }
  EXPECT_INT(dlf_contract_compile("", "f", many, 4097, sizeof(dlf_parameter), &c, &error),
             DLF_INVALID);
  EXPECT_TEXT(error.message, "f: contract: expected 4096 parameters at most, got 4097");
}

static void test_contract_limits__there_is_an_end_to_names(void) {
  static char text[8192];
  for (int count = 64; count <= 65; count++) {
    int at = snprintf(text, sizeof text, "x: any[a0");
    for (int i = 1; i < count; i++) {
      at += snprintf(text + at, sizeof text - (size_t)at, i == 32 ? "]; y: any[a%d" : ", a%d", i);
    }
    snprintf(text + at, sizeof text - (size_t)at, "]");
    give_usual();
    EXPECT(strstr(verdict(text),
                  count > 64 ? "expected at most 64 names"
                             : "SHAPE: f: x: ndim is 2, expected 32") != NULL);
  }
  for (int count = 32; count <= 33; count++) {
    int at = snprintf(text, sizeof text, "x: u8");
    for (int i = 1; i < count; i++) {
      at += snprintf(text + at, sizeof text - (size_t)at, "|u8");
    }
    snprintf(text + at, sizeof text - (size_t)at, "[_, _]");
    EXPECT(strstr(verdict(text), count > 32 ? "expected at most 32 dtypes" : "DTYPE: f: x") !=
           NULL);
  }
  int at = 0;
  for (int i = 0; i < 33; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "T%d in f32; ", i);
  }
  EXPECT(strstr(verdict(text), "expected at most 32 type variables") != NULL);
}

static void test_contract_limits__what_is_no_number_is_refused(void) {
  static const char *const cases[] = {
      "n in -..3", "n = -", "s > .", "flag = -", "n in 3..", "x: f32[_] align"};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    EXPECT(strstr(verdict(cases[i]), "f: contract: expected a number") == said);
  }
  give_usual();
  EXPECT_TEXT(verdict("flag = 3"), ""); /* what such a parameter is only the generator knows */
  EXPECT_TEXT(verdict("return: status text"),
              "f: contract: expected the name of a function, or a text in quotes, got the end");
  EXPECT_TEXT(verdict("n = yes"), ""); /* a constant of C */
  EXPECT(strstr(verdict("s = \"a\""), "f: contract: expected a number") == said);
  EXPECT_TEXT(verdict("n in 4..3"),
              "f: contract: expected a range that begins below its end, got `4..3` at character 6");
}

/* An extent is the first level: 31 brackets are as many as there may be. */
static void test_contract_limits__brackets_nest_as_deep_as_32(void) {
  for (int count = 30; count <= 32; count++) {
    char text[120];
    int at = snprintf(text, sizeof text, "x: f32[");
    for (int i = 0; i < count; i++) {
      text[at++] = '(';
    }
    text[at++] = '3';
    for (int i = 0; i < count; i++) {
      text[at++] = ')';
    }
    snprintf(text + at, sizeof text - (size_t)at, ", _]");
    give_usual();
    if (count > 31) {
      EXPECT(strstr(verdict(text), "expected fewer brackets") != NULL);
    } else {
      EXPECT_TEXT(verdict(text), "");
    }
  }
}

/* k numbers and the additions between them are 2k - 1 parts, of which there may be 128. */
static void test_contract_limits__an_expression_has_128_parts(void) {
  for (int count = 64; count <= 65; count++) {
    char text[200];
    int at = snprintf(text, sizeof text, "x: f32[3");
    for (int i = 1; i < count; i++) {
      at += snprintf(text + at, sizeof text - (size_t)at, "+0");
    }
    snprintf(text + at, sizeof text - (size_t)at, ", _]");
    give_usual();
    if (count > 64) {
      EXPECT(strstr(verdict(text), "expected a shorter expression") != NULL);
    } else {
      EXPECT_TEXT(verdict(text), "");
    }
  }
}

/* The first parameter is a name like the others: its number is said, not the array that it
 * measures. */
static void test_contract_limits__the_first_parameter_is_a_source(void) {
  static const dlf_parameter given[] = {{"n", DLF_PARAMETER_INTEGER}, {"x", DLF_PARAMETER_INPUT}};
  static const dlf_parameter listed[] = {{"list", DLF_PARAMETER_LIST}, {"x", DLF_PARAMETER_INPUT}};
  const DLTensor x = tensor_of(f32, 1, LIST(3), NULL);
  dlf_arg items[2] = {{&x, 0}, {&x, 0}};
  dlf_value arguments[2] = {{.integer = 2}, {.tensor = {&x, 0}}};
  dlf_contract *c = NULL;
  EXPECT_INT(dlf_contract_compile("x: f32[n]", "f", given, 2, sizeof *given, &c, NULL), DLF_OK);
  EXPECT_FAILS(dlf_contract_match(c, arguments, sizeof *arguments, &error),
               DLF_SHAPE,
               "f: x[n] is 3, expected 2 as n; got f32[3], wanted f32[n]");
  dlf_contract_free(c);
  EXPECT_INT(
      dlf_contract_compile("list: f32[_] *k; x: f32[k]", "f", listed, 2, sizeof *listed, &c, NULL),
      DLF_OK);
  arguments[0] = (dlf_value){.integer = 2, .items = items};
  EXPECT_FAILS(dlf_contract_match(c, arguments, sizeof *arguments, &error),
               DLF_SHAPE,
               "f: x[k] is 3, expected 2 as the number of list; got f32[3], wanted f32[k]");
  dlf_contract_free(c);
}

/* The array is named and not the integer, also where one of them is the first parameter. */
static void test_contract_limits__the_first_parameter_counts_or_is_counted(void) {
  for (int list = 0; list < 2; list++) {
    dlf_parameter both[2] = {{"n", DLF_PARAMETER_INTEGER}, {"n", DLF_PARAMETER_INTEGER}};
    const dlf_value none[2] = {{.integer = 0}, {.integer = 0}};
    dlf_contract *c = NULL;
    both[list] = (dlf_parameter){"list", DLF_PARAMETER_LIST};
    EXPECT_INT(dlf_contract_compile("list: f32[_] *n; n > 0", "f", both, 2, sizeof *both, &c, NULL),
               DLF_OK);
    EXPECT_FAILS(dlf_contract_match(c, none, sizeof *none, &error),
                 DLF_SHAPE,
                 "f: the number of list is 0, wanted n > 0");
    dlf_contract_free(c);
  }
}

static void test_contract_limits__the_first_parameter_is_an_extent(void) {
  static const dlf_parameter given[] = {{"n", DLF_PARAMETER_INTEGER},
                                        {"out", DLF_PARAMETER_OUTPUT}};
  const dlf_value passed[2] = {{.integer = 2}};
  EXPECT_TEXT(contract_inferred((contract_call){given, 2, passed}, "out: f32[n]", 1),
              "float32[2] cpu");
}

static void test_contract_limits__there_are_16_hooks(void) {
  for (int count = 16; count <= 17; count++) {
    char text[400] = "out: f32[";
    for (int i = 0; i < count; i++) {
      snprintf(text + strlen(text), 30, "%shook(g%d(n))", i ? ", " : "", i);
    }
    strcat(text, "]");
    dlf_contract *c = NULL;
    dlf_error error = {0};
    const dlf_status status =
        dlf_contract_compile(text, "f", parameters, COUNT, sizeof *parameters, &c, &error);
    EXPECT_INT(status, count == 16 ? DLF_OK : DLF_INVALID);
    EXPECT(count == 16 || strstr(error.message, "expected at most 16 hooks"));
    dlf_contract_free(c);
  }
}

/* As many limits as names: the search for another one that counts the same stops at the last. */
static void test_contract_limits__each_name_may_have_a_limit(void) {
  char text[1000];
  int at = snprintf(text, sizeof text, "out: f32[");
  for (int i = 0; i < 64; i++) {
    at += snprintf(text + at, sizeof text - (size_t)at, "%sm%d <= 1", i ? ", " : "", i);
  }
  snprintf(text + at, sizeof text - (size_t)at, "]; m5 := *flag");
  EXPECT(strstr(verdict(text),
                "f: contract: m0: expected a clause that tells how many there are") != NULL);
}

int main(void) {
  RUN(test_contract_limits__parameters_have_names_and_kinds);
  RUN(test_contract_limits__there_is_an_end_to_names);
  RUN(test_contract_limits__what_is_no_number_is_refused);
  RUN(test_contract_limits__brackets_nest_as_deep_as_32);
  RUN(test_contract_limits__an_expression_has_128_parts);
  RUN(test_contract_limits__each_name_may_have_a_limit);
  RUN(test_contract_limits__the_first_parameter_is_a_source);
  RUN(test_contract_limits__the_first_parameter_counts_or_is_counted);
  RUN(test_contract_limits__the_first_parameter_is_an_extent);
  RUN(test_contract_limits__there_are_16_hooks);
  return test_end();
}
