/* SPDX-License-Identifier: Apache-2.0 */
/* What clauses say and refuse, where only the generator's calls used them: arguments that the call
 * computes (`:=`), orders, words of numbers, characters, alignments, limits. */
#include "contract_call.h"

static void test_contract_clauses__orders_are_read(void) {
  static const struct {
    const char *text, *expected;
  } rows[] = {
      {"x: f32[a, b]; flag := order(x) {rows: 1, columns: 2}", ""},
      {"x: f32[a, b]; y: f32[b, c]; flag := order(x, y) {same: 1, other: 2}", ""},
      {"x: f32[a, b]; y: f32[b, c]; flag := order(x, y) {rows: 1, columns: 2}", ""},
      {"x: f32[a, b]; y: f32[b, c]; out: f32[a, c]; flag := order(x, y, out) {rows: 1, columns: 2}",
       ""},
      {"x: f32[a, b]; y: f32[b, c]; out: f32[a, c]; flag := order(x, y, out) {same: 1, other: 2}",
       "expected `rows` or `columns`"},
      {"x: f32[a, b]; flag := order(x) {same: 1, other: 2}", "expected `rows` or `columns`"},
      {"x: f32[a, b]; y: f32[b, c]; flag := order(x, y) {same: 1, columns: 2}",
       "expected `same` or `other`"},
      {"x: f32[a, b]; flag := order(x, x) {rows: 1, columns: 2}", "expected each matrix once"},
      {"x: f32[a, b]; flag := order(x, n) {rows: 1, columns: 2}", "expected the name of a tensor"},
      {"x: f32[a, b]; flag := order(x) {rows: 1}",
       "expected a value for `rows` and one for `columns`"},
      {"x: f32[a, b]; flag := order(x) {rows: 'R', columns: ColMajor}", ""},
      {"x: f32[a, b]; flag := order(x) {rows: ', columns: 2}", "expected"},
      {"x: f32[a, b]; y: f32[b]; flag := order(x, y) {rows: 1, columns: 2}",
       "expected tensors with two axes"},
      {"x: f32[a, b]; y: opt f32[b, c]; flag := order(x, y) {rows: 1, columns: 2}",
       "expected matrices that are always there"},
      {"x: f32[a, b] strided; n := stride(x)", "expected a tensor with one axis, or an axis"},
      {"x: f32[a, b] strided; n := stride(x, 2)", "expected an axis that the tensor has"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    dlf_error error = {0};
    dlf_contract *c = NULL;
    const dlf_status status =
        dlf_contract_compile(rows[i].text, "f", parameters, COUNT, sizeof *parameters, &c, &error);
    EXPECT_INT(status, *rows[i].expected ? DLF_INVALID : DLF_OK);
    EXPECT(strstr(error.message, rows[i].expected) != NULL);
    if (status && !*rows[i].expected) {
      printf("%s\n", error.message);
    }
    if (*rows[i].expected && !strstr(error.message, rows[i].expected)) {
      printf("%s\n", error.message);
    }
    dlf_contract_free(c);
  }
}

static void test_contract_clauses__an_axis_is_0_to_63(void) {
  static const char *const good[] = {"x: f32[a, b] strided; n := stride(x, 0)",
                                     "x: f32[..., b] strided; n := stride(x, 63)"};
  static const char *const wrong[] = {"x: f32[a, b] strided; n := stride(x, 64)",
                                      "x: f32[a, b] strided; n := stride(x, -1)",
                                      "x: f32[a, b] strided; n := stride(x, 1.5)"};
  for (int i = 0; i < 2; i++) {
    EXPECT(!strstr(verdict(good[i]), "expected an axis, from 0 to 63"));
  }
  for (int i = 0; i < 3; i++) {
    EXPECT(strstr(verdict(wrong[i]), "expected an axis, from 0 to 63") != NULL);
  }
}

/* A number's clause may say `in`, and is written again as it was read. */
static void test_contract_clauses__words_of_numbers_stay(void) {
  static const char *const texts[] = {"flag: out", "flag: opt", "flag: out f64", "flag: opt f64"};
  for (int i = 0; i < 4; i++) {
    dlf_contract *c = NULL;
    char form[100];
    EXPECT_INT(dlf_contract_compile(texts[i], "f", parameters, COUNT, sizeof *parameters, &c, NULL),
               DLF_OK);
    dlf_contract_format(c, -1, form, sizeof form);
    EXPECT_TEXT(form, texts[i]);
    dlf_contract_free(c);
  }
  dlf_contract *c = NULL;
  EXPECT_INT(dlf_contract_compile(
                 "flag: in opt f64", "f", parameters, COUNT, sizeof *parameters, &c, NULL),
             DLF_OK);
  dlf_contract_free(c);
}

static void test_contract_clauses__alignments_are_powers_of_two(void) {
  static const struct {
    const char *text;
    bool good;
  } rows[] = {{"x: f32[_, _] align 1", true},
              {"x: f32[_, _] align 2", true},
              {"x: f32[_, _] align 64", true},
              {"x: f32[_, _] align 1048576", true},
              {"x: f32[_, _] align 0", false},
              {"x: f32[_, _] align 3", false},
              {"x: f32[_, _] align 2097152", false},
              {"x: f32[_, _] align 6", false},
              {"x: f32[_, _] align -4", false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    EXPECT((strstr(verdict(rows[i].text), "expected an alignment") == NULL) == rows[i].good);
  }
}

/* The device's own words, without a model. */
static void test_contract_clauses__a_device_is_named(void) {
  give_usual();
  tensors[X].device = (DLDevice){kDLCUDA, 1};
  EXPECT_TEXT(verdict("x: f32[_, _] cpu"),
              "DEVICE: f: x: device is cuda:1, wanted cpu: pass a copy there");
  EXPECT_TEXT(verdict("x: f32[_, _]"),
              "DEVICE: f: x: device is cuda:1, wanted cpu: pass a copy there");
}

/* One character on each side of what C prints. */
static void test_contract_clauses__letters_are_printable(void) {
  EXPECT(!strstr(verdict("flag in ' '|'~'"), "contract:"));
  EXPECT(strstr(verdict("flag in '\x7f'"), "contract:") != NULL);
  EXPECT(strstr(verdict("flag in 'ab'"), "contract:") != NULL);
  EXPECT(strstr(verdict("flag in '\x1f'"), "contract:") != NULL);
}

static void test_contract_clauses__a_parameter_has_47_letters(void) {
  char text[400] = "flag in 'A'";
  for (char letter = 'B'; letter < 'A' + 47; letter++) {
    const char word[] = {'|', '\'', letter, '\'', '\0'};
    if (letter != '\\') {
      strcat(text, word);
    }
  }
  strcat(text, "|'!'");
  EXPECT(!strstr(verdict(text), "contract:"));
  strcat(text, "|'?'");
  EXPECT(strstr(verdict(text), "expected fewer characters") != NULL);
}

/* Conditions of other languages are explained, not only refused. */
static void test_contract_clauses__several_conditions_are_explained(void) {
  static const char *const texts[] = {"n > 0 && m > 0",
                                      "n > 0 || m > 0",
                                      "0 < n < 3",
                                      "n > 0 == m",
                                      "n > 0 and m > 0",
                                      "n > 0 if m"};
  for (int i = 0; i < 6; i++) {
    EXPECT(strstr(verdict(texts[i]),
                  "a condition is one comparison, and all conditions of a contract must hold"));
  }
  EXPECT(!strstr(verdict("n > 0 | m"), "a condition is one comparison"));
}

static void test_contract_clauses__exponents_have_signs(void) {
  static const char *const texts[] = {
      "s > 1e-1", "s > 1e-12", "s > 5e-1", "s < 1e+1", "s < 2e0", "s < 1e1"};
  give_usual();
  for (int i = 0; i < 6; i++) {
    EXPECT_TEXT(verdict(texts[i]), "");
  }
  EXPECT_TEXT(verdict("s > 1e+1"), "INVALID: f: s is 1, wanted s > 1e+1");
  EXPECT_TEXT(verdict("s > 1e12"), "INVALID: f: s is 1, wanted s > 1e12");
}

/* The contract holds, or is one that only refuses calls. */
static void expect_sound(const char *text) {
  give_usual();
  EXPECT(!strstr(verdict(text), "contract:"));
  if (strstr(said, "contract:")) {
    printf("%s\n", said);
  }
}

static void test_contract_clauses__names_are_bound_wherever_they_stand(void) {
  expect_sound("x: f32[a, b]; n := 2*b");
  expect_sound("x: f32[a, b]; y: f32[b, c]; n := c - b");
  expect_sound("x: f32[hook(g(n)), _]");
  expect_sound("x: f32[hook(g(n, m)), _]");
  expect_sound("out: f32[m2 <= _]; n := m2; m2 := result");
  expect_sound("x: T[a, b]; T in f32|f64; flag := dtype(x) {f32: 0, f64: 1}");
}

static void test_contract_clauses__a_map_has_each_dtype(void) {
  give_usual();
  EXPECT(strstr(verdict("x: T[a, b]; T in f32|f64; flag := dtype(x) {f32: 0}"),
                "expected a value for each dtype of the tensor") != NULL);
}

static void test_contract_clauses__only_reals_have_fractions(void) {
  expect_sound("x: f32[a, b]; s := 0.5 * b");
  expect_sound("x: f32[a, b]; flag := 0.5 * b");
  EXPECT(strstr(verdict("x: f32[a, b]; n := 0.5 * b"), "expected integers before this") != NULL);
  EXPECT(strstr(verdict("x: f32[hook(g(0.5 * n)), b]"), "expected integers before this") != NULL);
}

static void test_contract_clauses__a_parameter_counts_one_extent(void) {
  expect_sound("out: f32[k <= 3]; k := *flag; n = 2");
  EXPECT(strstr(verdict("out: f32[k <= 3]; k := *flag; flag = 2"),
                "a number that C reports has no default") != NULL);
  EXPECT(strstr(verdict("out: f32[k <= 3, j <= 4]; k := *flag; j := *flag"),
                "expected a parameter that counts nothing else") != NULL);
}

static void test_contract_clauses__a_broken_default_is_said(void) {
  EXPECT_TEXT(verdict("n = 1; m = 7; m < 5"), "f: contract: default of m: expected m < 5, got 7");
}

static void test_contract_clauses__a_type_allows_what_it_lists(void) {
  give_usual();
  EXPECT_TEXT(verdict("n > 0; x: T[a, b]; y: T[a, b]; T in f32|f64"), "");
  EXPECT_TEXT(verdict("n > 0; x: T[a, b]; y: T[a, b]; T in i8|f64"),
              "DTYPE: f: x: dtype is f32, expected T in i8|f64; got f32[3, 4], wanted T[a, b]: "
              "cast converts");
}

static void test_contract_clauses__an_added_letter_is_a_typing_error(void) {
  EXPECT_TEXT(verdict("x: bxool[a, b]"),
              "f: contract: expected a dtype, did you mean bool, got `bxool[a, b]` at character 4");
}

static void test_contract_clauses__devices_are_the_same(void) {
  give_usual();
  give(Y, "f32", 2, LIST(3, 4))->device = (DLDevice){kDLCUDA, 1};
  EXPECT_TEXT(verdict("x: f32[_, _]; y: f32[_, _] samedevice"),
              "DEVICE: f: y: device is cuda:1, wanted cpu as x: pass a copy there");
}

/* Elements below a byte are left to the slow walk, which must accept them too. */
static void test_contract_clauses__an_output_with_room_is_accepted(void) {
  give_usual();
  for (int64_t room = 2; room <= 5; room++) {
    give(OUT, "i4", 1, LIST(room));
    EXPECT_TEXT(verdict("out: i4[k <= 3]; k := *flag"),
                room >= 3
                    ? ""
                    : "SHAPE: f: out[k<=3] is 2, expected at least 3; got i4[2], wanted i4[k<=3]");
  }
}

static void test_contract_clauses__the_first_parameter_may_report(void) {
  static const dlf_parameter given[] = {{"count", DLF_PARAMETER_OTHER},
                                        {"out", DLF_PARAMETER_OUTPUT}};
  dlf_contract *c = NULL;
  char form[100];
  EXPECT_INT(
      dlf_contract_compile("out: f32[k <= 3]; k := *count", "f", given, 2, sizeof *given, &c, NULL),
      DLF_OK);
  dlf_contract_format(c, -1, form, sizeof form);
  EXPECT_TEXT(form, "out: f32[k<=3]; k := *count");
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_contract_clauses__names_are_bound_wherever_they_stand);
  RUN(test_contract_clauses__a_map_has_each_dtype);
  RUN(test_contract_clauses__only_reals_have_fractions);
  RUN(test_contract_clauses__a_parameter_counts_one_extent);
  RUN(test_contract_clauses__a_broken_default_is_said);
  RUN(test_contract_clauses__a_type_allows_what_it_lists);
  RUN(test_contract_clauses__an_added_letter_is_a_typing_error);
  RUN(test_contract_clauses__devices_are_the_same);
  RUN(test_contract_clauses__an_output_with_room_is_accepted);
  RUN(test_contract_clauses__the_first_parameter_may_report);
  RUN(test_contract_clauses__orders_are_read);
  RUN(test_contract_clauses__an_axis_is_0_to_63);
  RUN(test_contract_clauses__words_of_numbers_stay);
  RUN(test_contract_clauses__alignments_are_powers_of_two);
  RUN(test_contract_clauses__a_device_is_named);
  RUN(test_contract_clauses__letters_are_printable);
  RUN(test_contract_clauses__a_parameter_has_47_letters);
  RUN(test_contract_clauses__several_conditions_are_explained);
  RUN(test_contract_clauses__exponents_have_signs);
  return test_end();
}
