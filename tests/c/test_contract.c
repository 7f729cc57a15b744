/* SPDX-License-Identifier: Apache-2.0 */
/* The contract language: accepted texts, refused texts and the reasons. Checks of calls are in
 * test_contract_match.c. */
#include "test.h"

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"y", DLF_PARAMETER_INPUT},
    {"out", DLF_PARAMETER_OUTPUT},
    {"n", DLF_PARAMETER_INTEGER},
    {"s", DLF_PARAMETER_REAL},
    {"mode", DLF_PARAMETER_OTHER},
    {"list", DLF_PARAMETER_LIST},
    {"array", DLF_PARAMETER_ARRAY},
    {"gift", DLF_PARAMETER_GIVEN},
};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

static dlf_status compile(const char *text, dlf_contract **out, dlf_error *error) {
  return dlf_contract_compile(text, "f", parameters, PARAMETERS, sizeof(dlf_parameter), out, error);
}

/* The usual form of a contract, or the text of its refusal. */
static const char *form_of(const char *text) {
  static char form[1024];
  dlf_error error = {0};
  dlf_contract *c;
  if (compile(text, &c, &error)) {
    snprintf(form, sizeof form, "%s: %s", dlf_status_name(error.status), error.message);
    EXPECT(c == NULL);
    return form;
  }
  EXPECT(dlf_contract_format(c, -1, form, sizeof form) < (int64_t)sizeof form);
  dlf_contract_free(c);
  return form;
}

static void test_contract__every_construct_is_taken_and_written_in_its_usual_form(void) {
  EXPECT_TEXT(form_of(NULL), "");
  EXPECT_TEXT(form_of("  ;; ;"), "");
  EXPECT_TEXT(form_of("x:T[h,w,c];out:T[ h , w,c ]noalias; T in any"),
              "x: T[h, w, c]; out: T[h, w, c] noalias; T in any");
  EXPECT_TEXT(form_of("x: any[]"), "x: any[]");
  EXPECT_TEXT(form_of("x: float32|u8_x4[_, ..., 3]"), "x: f32|u8_x4[_, ..., 3]");
  EXPECT_TEXT(form_of("x: f32[a]; y: f32[2 * (a + 1) /^ 3 - a / 2]"),
              "x: f32[a]; y: f32[2*(a+1)/^3-a/2]");
  EXPECT_TEXT(form_of("x: T[n] opt; T in any"),
              "INVALID: f: contract: expected a property (strided, rows, fortran, dense, "
              "samelayout, noalias, align, "
              "samedevice, anydevice), a device or `;`, got `opt` at character 9");
  EXPECT_TEXT(form_of("x: opt T[n] rows; T in any"), "x: opt T[n] rows; T in any");
  EXPECT_TEXT(form_of("out: opt inout T[n] align 64 noalias strided; T in any"),
              "out: inout opt T[n] strided noalias align 64; T in any");
  EXPECT_TEXT(form_of("x: T[a] dense; out: like x samelayout; T in any"),
              "x: T[a] dense; out: like x samelayout; T in any");
  EXPECT_TEXT(form_of("x: T[a] samelayout dense; T in any"), "x: T[a] dense samelayout; T in any");
  EXPECT_TEXT(
      form_of("x: T[a] fortran cuda|cpu; y: like x samedevice; out: like x anydevice; T in any"),
      "x: T[a] fortran cuda|cpu; y: like x samedevice; out: like x anydevice; T in any");
  EXPECT_TEXT(
      form_of("x: T[a]; T in f32|float64; a in 1..4; a%2; s>0.5; n <= a + 1; a!=7; s in -1..1e3"),
      "x: T[a]; T in f32|f64; a in 1..4; a % 2; s > 0.5; n <= a+1; a != 7; s in -1..1e3");
  EXPECT_TEXT(form_of("s = 1.0; n = -3; mode = true"), "s = 1.0; n = -3; mode = true");
  EXPECT_TEXT(form_of("mode = MODE_FAST"), "mode = MODE_FAST");
  EXPECT_TEXT(form_of("mode = \"two words\""), "mode = \"two words\"");
  EXPECT_TEXT(form_of("return: status ok 4 text strerror"), "return: status ok 4 text strerror");
  EXPECT_TEXT(form_of("return: status ok FINE info text \"is zero\""),
              "return: status ok FINE info text \"is zero\"");
  EXPECT_TEXT(form_of("return: opt;mode :opt  f64"), "mode: opt f64; return: opt");
  EXPECT_TEXT(form_of("mode in 'U' | 'L';mode='U'"), "mode in 'U'|'L'; mode = 'U'");
  EXPECT_TEXT(form_of("mode = ( 1.5 , -2 );n = A | B"), "mode = (1.5,-2); n = A|B");
}

static void test_contract__what_is_wrong_is_said_with_its_place(void) {
  static const char *const cases[][2] = {
      {"z: f32[a]",
       "expected the name of a tensor, a list or an array, got `z: f32[a]` at character 1"},
      {"n f32[a]", "expected `:`, `=`, `in`, `%` or a comparison, got `f32[a]` at character 3"},
      {"x: f32", "expected `[`, got the end"},
      {"x: f32[a]; a % 2 == 0",
       "expected `;`, since `a % 2` alone asks for a multiple, got `== 0` at character 18"},
      {"n % 4 != 1; s > 0",
       "expected `;`, since `n % 4` alone asks for a multiple, got `!= 1` at character 7"},
      {"n % 4 + 1 > 2",
       "expected `;`, since `n % 4+1` alone asks for a multiple, got `> 2` at character 11"},
      {"x: f32[a", "expected `,` or `]`, got the end"},
      {"x: f32[a,]", "expected a number or a name, got `]` at character 10"},
      {"x: f32[a] f32",
       "expected a property (strided, rows, fortran, dense, samelayout, noalias, "
       "align, samedevice, "
       "anydevice), a device or `;`, got `f32` at character 11"},
      {"x: f32|q[a]", "expected a dtype, got `q[a]` at character 8"},
      {"x: n[a]", "expected a dtype or a type variable, got `n[a]` at character 4"},
      {"x: any|f32[a]", "expected `[`, got `|f32[a]` at character 7"},
      {"x: f32[..., ...]", "expected `...` once, got `]` at character 16"},
      {"x: f32[a]; x: f32[a]", "expected one clause for each tensor, got `f32[a]` at character 15"},
      {"x: inout f32[a]",
       "inout is for a DLTensor * that is not const, got `inout f32[a]` at character 4"},
      {"x: f32[a] dense strided", "expected one layout, got `strided` at character 17"},
      {"x: f32[a] noalias noalias", "expected `noalias` once, got `noalias` at character 19"},
      {"x: f32[a] samelayout strided samelayout",
       "expected `samelayout` once, got `samelayout` at character 30"},
      {"x: f32[a] align 64 align 16", "expected one alignment, got `align 16` at character 20"},
      {"x: f32[a] align 3",
       "expected an alignment, a power of two up to 1048576, got `3` at character 17"},
      {"x: f32[a] cuda cpu", "expected one device property, got `cpu` at character 16"},
      {"out: like y; y: f32[a]",
       "`like` needs a clause before it for that tensor, got `;` at character 12"},
      {"x: f32[out]",
       "expected a name that is not a parameter's other than a number's, got `out]` "
       "at character 8"},
      {"x: f32[like]", "expected a name that is not reserved, got `like]` at character 8"},
      {"x: T[T]; T in any",
       "expected another name than a type variable's, got `T]` at character 6"},
      {"x: f32[T]; y: T[a]; T in any",
       "expected another name than a symbol's, got `T[a]` at character 15"},
      {"s > ", "expected a number or a name, got the end"},
      {"s ? 3", "expected `:`, `=`, `in`, `%` or a comparison, got `? 3` at character 3"},
      {"s in 4..1", "expected a range that begins below its end, got `4..1` at character 6"},
      {"s in 1.5", "expected `..`, got the end"},
      {"s > 0.1234567890123456",
       "expected a number of at most 15 digits, got `0.1234567890123456` at character 5"},
      {"s > 1e40", "expected a number of at most 15 digits, got `1e40` at character 5"},
      {"n > 99999999999999999999",
       "expected a number of at most 15 digits, got `99999999999999999999` at character 5"},
      {"s = \"x\"", "expected a number, got `\"x\"` at character 5"},
      {"s = 'x'", "expected a number, got `'x'` at character 5"},
      {"s = A|", "expected a constant of C, got the end"},
      {"mode = (1, 2", "expected `)`, got the end"},
      {"mode = (1)", "expected `,` and the imaginary part, got `)` at character 10"},
      {"mode in 'U'|3", "expected a character, such as 'U', got `3` at character 13"},
      {"mode in 'U'|'U'", "expected each character once, got `'U'` at character 13"},
      {"n in 'U'", "expected the name of a `char`, got `n in 'U'` at character 1"},
      {"mode: any",
       "expected `out`, `inout`, `opt` or the dtype of a number, got `any` at character 7"},
      {"mode: c64; mode: opt", "expected one clause for each number, got `opt` at character 18"},
      {"return: opt; return: opt",
       "expected one clause for the return value, got `opt` at character 22"},
      {"return: status ok 1.5", "expected an integer before this, got the end"},
      {"return: status text \"a",
       "expected a `\"` that ends the string, got `\"a` at character 21"},
      {"n = 1.5", "expected an integer, got `1.5` at character 5"},
      {"x = 1", "a tensor has no default, got `1` at character 5"},
      {"q = 1", "expected the name of a parameter, got `q = 1` at character 1"},
      {"n = 1; n = 2", "expected one default, got `2` at character 12"},
      {"mode = \"open", "expected a `\"` that ends the string, got `\"open` at character 8"},
      {"return: value", "expected `from` and an integer, got the end"},
      {"x: f32[a] \xC3\xA4", "expected `;`, got `\xC3\xA4` at character 11"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char expected[400];
    snprintf(expected, sizeof expected, "INVALID: f: contract: %s", cases[i][1]);
    EXPECT_TEXT(form_of(cases[i][0]), expected);
  }
}

/* A word of C in a dtype's place once meant every dtype: a kernel of doubles was given bytes. */
static void test_contract__what_looks_like_a_dtype_is_never_a_type_variable(void) {
  static const char *const others[][2] = {
      {"double", "f64"},        {"float", "f32"},
      {"int", "i32"},           {"half", "f16"},
      {"uint8_t", "u8"},        {"int64_t", "i64"},
      {"size_t", "u64"},        {"unsigned", "u32"},
      {"unsigned  char", "u8"}, {"long long", "i64"},
      {"unsigned long", "u64"}, {"long", "i64"},
      {"char", "i8 or u8"},     {"single", "f32"},
      {"cdouble", "c128"},      {"_Float16", "f16"},
      {"fp32", "f32"},          {"usize", "u64"},
      {"ComplexF64", "c128"},   {"complex", "c64 or c128"},
  };
  static const char *const misspelt[][2] = {
      {"flaot32", "f32"},
      {"flot", "f32"},
      {"F32", "f32"},
      {"Float64", "f64"},
      {"f_32", "f32"},
      {"unit8", "u8"},
      {"doubel", "f64"},
      {"uint8_", "u8"},
      {"INT", "i32"},
      {"f8_e4m3f", "f8_e4m3"},
      {"blfoat16", "bf16"},
      {"bol", "bool"},
      {"compelx64", "c64"},
      {"uint32t", "u32"},
      {"flt64", "f64"},
  };
  char text[96], wanted[200];
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    snprintf(text, sizeof text, "x: %s[a]", others[i][0]);
    snprintf(wanted,
             sizeof wanted,
             "INVALID: f: contract: expected the dtype %s, got `%s[a]` at character 4",
             others[i][1],
             others[i][0]);
    EXPECT_TEXT(form_of(text), wanted);
    snprintf(text, sizeof text, "x: T[a]; T in f32|%s", others[i][0]);
    snprintf(wanted,
             sizeof wanted,
             "INVALID: f: contract: expected the dtype %s, got `%s` at character 19",
             others[i][1],
             others[i][0]);
    EXPECT_TEXT(form_of(text), wanted);
  }
  for (size_t i = 0; i < sizeof misspelt / sizeof *misspelt; i++) {
    snprintf(text, sizeof text, "x: %s[a]; %s in any", misspelt[i][0], misspelt[i][0]);
    snprintf(wanted,
             sizeof wanted,
             "INVALID: f: contract: expected a dtype, did you mean %s, got `%s[a]` at character 4",
             misspelt[i][1],
             misspelt[i][0]);
    EXPECT_TEXT(form_of(text), wanted);
  }
  EXPECT_TEXT(form_of("array: double *n"),
              "INVALID: f: contract: expected the dtype f64, got `double *n` at character 8");
  EXPECT_TEXT(
      form_of("float in f32|f64"),
      "INVALID: f: contract: expected the dtype f32, got `float in f32|f64` at character 1");
}

static void test_contract__a_word_far_from_dtypes_is_a_type_variable(void) {
  static const char *const names[] = {
      "T",     "In0",    "In1",    "In2",   "Tin",   "Tout",  "T16",  "Out16", "Dst16",
      "Acc32", "Acc64",  "Src32",  "Input", "Out1",  "index", "Real", "Elem",  "DType",
      "pixel", "Number", "scalar", "Key1",  "Type2", "mask",  "Label"};
  char text[96], wanted[96];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(text, sizeof text, "x: %s[a]; %s in f32|i64", names[i], names[i]);
    snprintf(wanted, sizeof wanted, "x: %s[a]; %s in f32|i64", names[i], names[i]);
    EXPECT_TEXT(form_of(text), wanted);
  }
}

static void test_contract__defaults_keep_their_constraints(void) {
  static const char *const cases[][2] = {
      {"n > 0; n = 0", "default of n: expected n > 0, got 0"},
      {"n = 0; n > 0", "default of n: expected n > 0, got 0"},
      {"s = 2; s in 0..1.5", "default of s: expected s in 0..1.5, got 2"},
      {"s <= 0.25; s = 0.5", "default of s: expected s <= 0.25, got 0.5"},
      {"n % 4; n = 6", "default of n: expected n % 4, got 6"},
      {"n * 2 < 7; n = 4", "default of n: expected n*2 < 7, got 4"},
      {"x: f32[a]; a % n; n > 0; n = -1", "default of n: expected n > 0, got -1"},
      {"n > 0 - s; n = 1; s = -1.0", "default of n: expected n > 0-s, got 1"},
      {"n * n * n > 0; n = 4000000000", "default of n: expected n*n*n > 0, got 4000000000"},
  };
  static const char *const good[] = {"n > 0; n = 1",
                                     "s in 0..1.5; s = 1.5",
                                     "x: f32[a]; n <= a; n = 9",
                                     "n > s; n = 0",
                                     "n % 4; n = -8",
                                     "s = 0; s > -0.5"};
  char wanted[160];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    snprintf(wanted, sizeof wanted, "INVALID: f: contract: %s", cases[i][1]);
    EXPECT_TEXT(form_of(cases[i][0]), wanted);
  }
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    EXPECT(strncmp(form_of(good[i]), "INVALID", 7) != 0);
  }
}

static void test_contract__every_type_variable_has_a_clause(void) {
  static const char *const names[] = {"T",
                                      "U",
                                      "T1",
                                      "T16",
                                      "In",
                                      "Tout",
                                      "dtype",
                                      "Real",
                                      "Number",
                                      "Sample",
                                      "Store",
                                      "Signal",
                                      "t"};
  char text[96], wanted[96];
  EXPECT_TEXT(form_of("x: T[a]"),
              "INVALID: f: contract: expected a clause for the type variable T, such as `T in "
              "f32|f64` or `T in any`, got none");
  EXPECT_TEXT(form_of("x: T[a]; y: U[a]; T in any"),
              "INVALID: f: contract: expected a clause for the type variable U, such as `U in "
              "f32|f64` or `U in any`, got "
              "none");
  EXPECT_TEXT(form_of("T in any; x: T[a]"), "x: T[a]; T in any");
  EXPECT_TEXT(form_of("x: T[a]; T in any|f32"),
              "INVALID: f: contract: expected `;`, got `|f32` at character 18");
  EXPECT_TEXT(form_of("T in any"), "INVALID: f: contract: `T in any`: no tensor has the dtype T");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(text, sizeof text, "x:%s[a]; %s in any", names[i], names[i]);
    snprintf(wanted, sizeof wanted, "x: %s[a]; %s in any", names[i], names[i]);
    EXPECT_TEXT(form_of(text), wanted);
  }
}

static void test_contract__lists_arrays_hooks_and_given_tensors_have_a_usual_form(void) {
  EXPECT_TEXT(form_of("list:T[h,w]*k noalias;out:T[k,h,w]; T in any"),
              "out: T[k, h, w]; list: T[h, w] *k noalias; T in any");
  EXPECT_TEXT(form_of("x: f32[a]; list: like x * k strided"), "x: f32[a]; list: like x *k strided");
  EXPECT_TEXT(form_of("list: any[...]"), "list: any[...]");
  EXPECT_TEXT(form_of("list: f32[a] *n; array: float64 * n; n > 0"),
              "list: f32[a] *n; array: f64 *n; n > 0");
  EXPECT_TEXT(form_of("array: bool *k; k in 1..4; x: f32[k+1]"),
              "x: f32[k+1]; array: bool *k; k in 1..4");
  EXPECT_TEXT(form_of("list: f32[a] *k; out: f32[12/k]; k > 0"),
              "out: f32[12/k]; list: f32[a] *k; k > 0");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[hook( f_length ), a, hook(other)] noalias"),
              "x: f32[a]; out: f32[hook(f_length), a, hook(other)] noalias");
  EXPECT_TEXT(form_of("out: opt f32[hook(g)]"), "out: opt f32[hook(g)]");
  EXPECT_TEXT(form_of("gift: T[k]; x: T[a]; k <= a; T in any"),
              "x: T[a]; gift: T[k]; k <= a; T in any");
  EXPECT_TEXT(form_of("x: T[a]; gift: like x; T in any"), "x: T[a]; gift: like x; T in any");
}

static void test_contract__what_lists_arrays_hooks_and_given_tensors_cannot_be_is_said(void) {
  static const char *const cases[][2] = {
      {"x: f32[a] *k", "`*` is for a list, a const DLTensor *const *, got `k` at character 12"},
      {"list: f32[a] *", "expected a name for how many there are, got the end"},
      {"list: f32[a] *s", "expected the name of an integer, got `s` at character 15"},
      {"list: f32[a] *x",
       "expected a name that is not a parameter's other than a number's, got `x` at character 15"},
      {"list: f32[a] *T; x: T[a]; T in any",
       "expected another name than a symbol's, got `T[a]` at character 21"},
      {"list: opt f32[a] *k",
       "a list is never absent, though it may be empty, got `f32[a] *k` at character 11"},
      {"list: inout f32[a]",
       "inout is for a DLTensor * that is not const, got `inout f32[a]` at character 7"},
      {"list: f32[a] *k; x: like list", "`like` needs one tensor, not a list, got the end"},
      {"list: f32[hook(g)]",
       "hook() is for an extent of one tensor, got `hook(g)]` at character 11"},
      {"list = 1", "a tensor has no default, got `1` at character 8"},
      {"array: f32[a]",
       "expected `*` and a name for how many there are, got `[a]` at character 11"},
      {"array: any *k", "expected the dtype of a C number, got `any *k` at character 8"},
      {"array: f32_x2 *k", "expected the dtype of a C number, got `f32_x2 *k` at character 8"},
      {"array: c64 *k", "expected the dtype of a C number, got `c64 *k` at character 8"},
      {"array: i64 *3", "expected a name for how many there are, got `3` at character 13"},
      {"array: i64 *k; array: i64 *k",
       "expected one clause for each array, got `i64 *k` at character 23"},
      {"array = 3", "an array has no default, got `3` at character 9"},
      {"mode: i64 *k",
       "expected `;`, since this parameter is one number, got `*k` at character 11"},
      {"out: f32[hook]", "expected `(`, got `]` at character 14"},
      {"out: f32[hook(3)]", "expected the name of a function, got `3)]` at character 15"},
      {"out: f32[hook(g]", "expected `)`, got `]` at character 16"},
      {"out: f32[hook(g) + 1]", "expected `,` or `]`, got `+ 1]` at character 18"},
      {"gift: opt f32[a]",
       "opt is for a tensor that the caller gives, got `f32[a]` at character 11"},
      {"gift: inout f32[a]",
       "inout is for a DLTensor * that is not const, got `inout f32[a]` at character 7"},
      {"gift: f32[a]; x: like gift",
       "`like` needs a tensor that is there before the call, got the end"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char expected[400];
    snprintf(expected, sizeof expected, "INVALID: f: contract: %s", cases[i][1]);
    EXPECT_TEXT(form_of(cases[i][0]), expected);
  }
  EXPECT_TEXT(form_of("gift: f32[a]; out: f32[a+1]"),
              "INVALID: f: contract: out: `a+1` uses a before anything binds it");
}

static void test_contract__extents_that_c_reports_and_computes(void) {
  static const char *const forms[] = {
      "x: f32[a]; out: f32[m<=2*a]; m := result",
      "x: f32[a]; out: f32[m<=hook(g(a, x, 3)), 2] noalias; m := *mode",
      "x: f32[a]; out: f32[..., m<=min(a,max(n,4))]; m := result; n > 0; m >= 1; m in 1..9; m % 2",
      "x: any[...]; out: u8[m<=hook(g(bytes(x)))]; m := result",
      "x: f32[hook(mode->n)]; out: f32[hook(mode->size.of.it)]; hook(mode->n) < 9",
      "x: f32[hook(g(mode)->*d), hook(h)]; out: f32[hook(g(mode)->*d)]",
      "mode: inout; s: inout; n: inout; x: f32[n]; out: f32[n]; n > 0; s < 1.5",
      "hook(g(mode)) == 1; x: f32[a]; a >= hook(h(x)->*d); hook(h(x)->*d) in 1..9; s < hook(k)",
      ("x: f32[a]; out: f32[m<=hook(g)]; m := result; m <= hook(g)-hook(h); hook(h) > 0; "
       "a % hook(h)"),
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    char kept[400];
    snprintf(kept, sizeof kept, "%s", form_of(forms[i]));
    EXPECT(strstr(kept, "INVALID") == NULL);
    if (strstr(kept, "INVALID")) {
      EXPECT_TEXT(kept, forms[i]);
    }
    EXPECT_TEXT(form_of(kept), kept); /* the usual form compiles to itself */
  }
}

static void test_contract__extents_that_c_cannot_report(void) {
  static const char *const cases[][2] = {
      {"x: f32[a]; out: f32[m <= a]",
       "m: expected a clause that tells how many there are: `:= result`, or `:= *` and a "
       "parameter"},
      {"x: f32[a]; m := result", "m: expected an output with this extent and `<=`"},
      {"x: f32[a]; out: f32[m <= _]; m := result",
       "m: expected a parameter that tells C the extent, such as `size := m`"},
      {"x: f32[m <= 3]; m := result",
       "`<=` is for an output that the call may make, got `3]` at character 13"},
      {"out: inout f32[m <= 3]; m := result",
       "`<=` is for an output that the call may make, got `3]` at character 21"},
      {"out: f32[2 <= 3]", "expected a name before `<=`, got `3]` at character 15"},
      {"out: f32[n <= 3]; n := result",
       "expected a name before `<=` that no parameter has, got `3]` at character 15"},
      {"x: f32[m]; out: f32[m <= 3]; m := result",
       "m: the number that C reports is an extent of outputs alone"},
      {"out: f32[m <= 3, 2*m]; m := result",
       "m: the number that C reports stands alone in an extent"},
      {"out: f32[m <= 3]; m := *x",
       "expected the name of a parameter that points to an integer, got `x` at character "
       "25"},
      {"out: f32[m <= 3]; m := *mode; mode: out", "m: expected a parameter without another clause"},
      {"out: f32[m <= 3]; m := result; m := result",
       "expected one clause for each number, got `result` at character "
       "37"},
      {"out: f32[m <= 3]; m := result; return: status",
       "m: the result is a status, or counts something else"},
      {"out: f32[m <= 3, k <= 3]; m := result; k := result",
       "k: the result is a status, or counts something else"},
      {"out: f32[m <= 3, k <= m]; m := result; k := *mode",
       "k: expected a limit that is known before the call"},
      {"out: f32[m <= a]; m := result", "out: `m<=a` uses a before anything binds it"},
      {"out: f32[m <= 3]; m := result; m > s",
       "`m > s`: a number that C reports is compared with integers"},
      {"out: f32[min(3)]", "expected `,` and another value, got `)]` at character 15"},
      {"x: f32[a]; x: f32[hook(g(a))]",
       "expected one clause for each tensor, got `f32[hook(g(a))]` at character 15"},
      {"x: f32[a, hook(g(a))]", "hook(g(a)): nothing that is always there binds a"},
      {"x: f32[hook(g(x))]", "hook(g(x)): an input's hook runs before tensors are checked"},
      {"x: f32[hook(g(n))]; n > 0", "hook(g(n)): nothing that is always there binds n"},
      {"x: f32[a]; out: f32[hook(g(out))]", "hook(g(out)): an output is not there yet"},
      {"out: f32[hook(mode->)]", "expected the name of a field, got `)]` at character 21"},
      {"out: f32[hook(mode->n.)]", "expected the name of a field, got `)]` at character 23"},
      {"out: f32[hook(g -> d)]",
       "expected `*` and the name of a parameter, got `d)]` at character 20"},
      {"out: f32[hook(g(n)]", "expected `)`, got `]` at character 19"},
      {"out: f32[hook(g(n]", "expected `,` or `)`, got `]` at character 18"},
      {"x: f32[a] strided; out: u8[hook(g(bytes(x)))]",
       "hook(g(bytes(x))): bytes() needs a tensor without gaps"},
      {"x: f32[a, a] rows; out: u8[hook(g(ld(x)))]",
       "hook(g(ld(x))): expected an expression, a parameter, bytes() or stride()"},
      {"n := *mode",
       "`*` is for the extent of an output, and this is a parameter, got `mode` at character 7"},
      {"mode: inout; mode: out", "expected one clause for each number, got `out` at character 20"},
      {"x: inout", "inout is for a DLTensor * that is not const, got `inout` at character 4"},
      {"x: f32[a, 2 * hook(g)]",
       "hook() stands alone in an extent, or in a constraint, got `hook(g)]` at character 15"},
      {"n := 1 + hook(g)",
       "hook() stands alone in an extent, or in a constraint, got `hook(g)` at character 10"},
      {"n < hook(g(n)", "expected `)`, got the end"},
      {"x: f32[a]; a < hook(g(out))", "hook(g(out)): an output is not there yet"},
      {"x: f32[a]; a % hook(g)", "division may be by 0: needs g > 0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char expected[400];
    snprintf(expected, sizeof expected, "INVALID: f: contract: %s", cases[i][1]);
    EXPECT_TEXT(form_of(cases[i][0]), expected);
  }
}

static void test_contract__names_must_be_bound_before_they_are_used(void) {
  EXPECT_TEXT(form_of("x: f32[a+1]; y: f32[a]"),
              "INVALID: f: contract: x: `a+1` uses a before anything binds it");
  EXPECT_TEXT(form_of("x: f32[a, a+1]"), "x: f32[a, a+1]");
  EXPECT_TEXT(form_of("out: f32[a+1]; x: f32[a]"),
              "x: f32[a]; out: f32[a+1]"); /* inputs bind first */
  EXPECT_TEXT(form_of("x: f32[n+1]"), "x: f32[n+1]");
  EXPECT_TEXT(form_of("x: opt f32[a]; out: f32[a+1]"), "x: opt f32[a]; out: f32[a+1]");
  EXPECT_TEXT(form_of("a > 1"), "INVALID: f: contract: `a > 1`: nothing binds a");
  EXPECT_TEXT(form_of("1 > 0"), "INVALID: f: contract: `1 > 0`: names nothing that varies");
  EXPECT_TEXT(form_of("T in f32"), "INVALID: f: contract: `T in f32`: no tensor has the dtype T");
  EXPECT_TEXT(form_of("x: f32[s]"), "INVALID: f: contract: x: extent `s` is no integer");
  EXPECT_TEXT(form_of("x: f32[1.5]"), "INVALID: f: contract: x: extent `1.5` is no integer");
  EXPECT_TEXT(form_of("out: f32[a]; x: like out"),
              "INVALID: f: contract: `like out`: expected a tensor that binds before x");
  EXPECT_TEXT(form_of("x: opt f32[a]; y: like x"),
              "INVALID: f: contract: `like` needs a tensor that is always there, got the end");
}

static void test_contract__divisors_are_proved_positive(void) {
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[a/n]"),
              "INVALID: f: contract: division may be by 0: needs n > 0");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[a/n]; n > 0"), "x: f32[a]; out: f32[a/n]; n > 0");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[a/^n]; n in 1..9"),
              "x: f32[a]; out: f32[a/^n]; n in 1..9");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[7/a]"),
              "INVALID: f: contract: division may be by 0: needs a > 0");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[7/(2*a+1)]"), "x: f32[a]; out: f32[7/(2*a+1)]");
  EXPECT_TEXT(form_of("x: f32[a]; out: f32[7/(a-1)]"),
              "INVALID: f: contract: division may be by 0: needs the divisor of `7/(a-1)` > 0");
  EXPECT_TEXT(form_of("x: f32[a, b]; out: f32[b/(a/^2)]"), /* 0 /^ 2 is 0 */
              "INVALID: f: contract: division may be by 0: needs the divisor of `b/(a/^2)` > 0");
  EXPECT_TEXT(form_of("x: f32[a, b]; out: f32[b/(a/^2)]; a > 0"),
              "x: f32[a, b]; out: f32[b/(a/^2)]; a > 0");
  EXPECT_TEXT(form_of("x: f32[b]; out: f32[b/(n/^2)]; n >= 0"),
              "INVALID: f: contract: division may be by 0: needs the divisor of `b/(n/^2)` > 0");
  EXPECT_TEXT(form_of("x: f32[a, b]; out: f32[b/(a/2)]; a > 0"), /* 1 / 2 is 0 */
              "INVALID: f: contract: division may be by 0: needs the divisor of `b/(a/2)` > 0");
  EXPECT_TEXT(form_of("x: f32[a, b]; out: f32[b/(a*2)]"),
              "INVALID: f: contract: division may be by 0: needs the divisor of `b/(a*2)` > 0");
  EXPECT_TEXT(form_of("x: f32[a]; a % n"),
              "INVALID: f: contract: division may be by 0: needs n > 0");
  EXPECT_TEXT(form_of("x: f32[a]; s / 2 > 1"),
              "INVALID: f: contract: `s/2 > 1`: division needs integers");
  EXPECT_TEXT(form_of("x: f32[a]; s > a/2"),
              "INVALID: f: contract: `s > a/2`: division needs integers");
}

static void test_contract__extents_that_no_tensor_has(void) {
  EXPECT_TEXT(form_of("x: f32[0, 999999999999999]"), "x: f32[0, 999999999999999]");
  EXPECT_TEXT(form_of("x: f32[-1]"),
              "INVALID: f: contract: x: extent `-1`: expected 0 to 999999999999999");
  EXPECT_TEXT(form_of("x: f32[a, 3 - 4]"),
              "INVALID: f: contract: x: extent `3-4`: expected 0 to 999999999999999");
  EXPECT_TEXT(form_of("x: f32[1000000000000000]"),
              "INVALID: f: contract: x: extent `1000000000000000`: expected 0 to 999999999999999");
  EXPECT_TEXT(form_of("out: f32[m <= 1 - 2]; m := result"),
              "INVALID: f: contract: out: extent `m<=1-2`: expected 0 to 999999999999999");
}

/* Any text gives a contract or an error: never a crash, never an endless loop. */
static void test_contract__hostile_texts_are_refused(void) {
  enum { SIZE = 1000 * ROUNDS(200) };
  static char text[SIZE + 64];
  dlf_contract *c;
  static const char *const cases[][2] = {{"n > ", "("},
                                         {"x: f32[", "("},
                                         {"n > n", "+n"},
                                         {"n > ", "n*(1+"},
                                         {"x: f32[", "a,"},
                                         {"", ";"},
                                         {"n > ", "-"},
                                         {"T", "T"},
                                         {"T in f32", "|f32"},
                                         {"n = ", "9"},
                                         {"x: f32[a] ", "noalias "}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t length = strlen(strcpy(text, cases[i][0]));
    while (length < SIZE) {
      length += strlen(strcpy(text + length, cases[i][1]));
    }
    if (!compile(text, &c, NULL)) {
      dlf_contract_free(c);
    }
  }
  uint32_t state = 1;
  static const char alphabet[] = "xyout nsTabf32[]()|:;=<>.,*/^+-% 0123456789inlike\"_\xC3\n";
  for (int round = 0; round < ROUNDS(20000); round++) {
    size_t length = 0;
    for (state = state * 1664525u + 1013904223u; length < (size_t)(state >> 24 & 63); length++) {
      state = state * 1664525u + 1013904223u;
      text[length] = alphabet[(state >> 16) % (sizeof alphabet - 1)];
    }
    text[length] = 0;
    if (!compile(text, &c, NULL)) {
      dlf_contract_free(c);
    }
  }
}

static void test_contract__too_many_of_anything_is_refused(void) {
  char text[4096] = "x: f32[";
  for (int i = 0; i < 65; i++) {
    snprintf(text + strlen(text), 16, "%sa%d", i ? "," : "", i);
  }
  EXPECT_TEXT(form_of(text),
              "INVALID: f: contract: expected at most 64 axes, got `a64` at character 254");
  text[0] = 0;
  for (int i = 0; i < 65; i++) {
    snprintf(text + strlen(text), 24, "n > %d;", i);
  }
  EXPECT(strstr(form_of(text), "expected at most 64 constraints") != NULL);
  dlf_parameter many[33];
  for (int i = 0; i < 33; i++) {
    many[i] = (dlf_parameter){"t", DLF_PARAMETER_INPUT};
  }
  dlf_contract *c;
  EXPECT_FAILS(dlf_contract_compile("", "f", many, 33, sizeof(dlf_parameter), &c, &error),
               DLF_UNSUPPORTED,
               "f: contract: expected at most 32 tensors, got 33");
}

static void test_contract__arguments_of_compile_are_checked(void) {
  dlf_contract *c;
  EXPECT_INT(
      dlf_contract_compile("", NULL, parameters, PARAMETERS, sizeof(dlf_parameter), &c, NULL),
      DLF_INVALID);
  EXPECT_INT(dlf_contract_compile("", "f", NULL, PARAMETERS, sizeof(dlf_parameter), &c, NULL),
             DLF_INVALID);
  EXPECT_INT(dlf_contract_compile("", "f", parameters, -1, sizeof(dlf_parameter), &c, NULL),
             DLF_INVALID);
  EXPECT_INT(
      dlf_contract_compile("", "f", parameters, PARAMETERS, sizeof(dlf_parameter), NULL, NULL),
      DLF_INVALID);
  EXPECT_INT(dlf_contract_compile("", "f", NULL, 0, sizeof(dlf_parameter), &c, NULL), DLF_OK);
  dlf_contract_free(c);
  dlf_contract_free(NULL);
}

static void test_contract__a_word_is_a_clause(void) {
  char buffer[80];
  dlf_contract *c;
  EXPECT_INT(compile("slow;x: f32[n];threadsafe ; slow > 0;", &c, NULL), DLF_INVALID);
  EXPECT_INT(compile("slow;x: f32[n];threadsafe ", &c, NULL), DLF_OK);
  dlf_contract_format(c, -1, buffer, sizeof buffer);
  EXPECT_TEXT(buffer, "x: f32[n]; threadsafe; slow");
  dlf_contract_free(c);
  EXPECT_INT(compile("fast", &c, NULL), DLF_OK);
  dlf_contract_free(c);
  EXPECT_INT(compile("x: f32[slow]; slow > 0", &c, NULL), DLF_OK); /* a name like any other */
  dlf_contract_free(c);
  EXPECT_FAILS(compile("slow; slow", &c, &error),
               DLF_INVALID,
               "f: contract: expected each word once, got `slow` at character 7");
  EXPECT_FAILS(compile("slow; fast", &c, &error),
               DLF_INVALID,
               "f: contract: expected `slow` or `fast`, not both, got `fast` at character 7");
}

static void test_contract__format_gives_one_clause_and_counts_what_is_cut(void) {
  char buffer[8];
  dlf_contract *c;
  EXPECT_INT(compile("x: T[h, w]; out: like x noalias; T in any", &c, NULL), DLF_OK);
  EXPECT_INT(dlf_contract_format(c, 2, NULL, 0), 14);
  EXPECT_INT(dlf_contract_format(c, 0, buffer, sizeof buffer), 7);
  EXPECT_TEXT(buffer, "T[h, w]");
  EXPECT_INT(dlf_contract_format(c, 1, buffer, sizeof buffer), 3);
  EXPECT_TEXT(buffer, "any");
  EXPECT_INT(dlf_contract_format(c, 3, buffer, sizeof buffer), 0);
  dlf_contract_free(c);
}

int main(void) {
  RUN(test_contract__every_construct_is_taken_and_written_in_its_usual_form);
  RUN(test_contract__what_is_wrong_is_said_with_its_place);
  RUN(test_contract__what_looks_like_a_dtype_is_never_a_type_variable);
  RUN(test_contract__a_word_far_from_dtypes_is_a_type_variable);
  RUN(test_contract__defaults_keep_their_constraints);
  RUN(test_contract__every_type_variable_has_a_clause);
  RUN(test_contract__lists_arrays_hooks_and_given_tensors_have_a_usual_form);
  RUN(test_contract__what_lists_arrays_hooks_and_given_tensors_cannot_be_is_said);
  RUN(test_contract__extents_that_c_reports_and_computes);
  RUN(test_contract__extents_that_c_cannot_report);
  RUN(test_contract__names_must_be_bound_before_they_are_used);
  RUN(test_contract__divisors_are_proved_positive);
  RUN(test_contract__extents_that_no_tensor_has);
  RUN(test_contract__hostile_texts_are_refused);
  RUN(test_contract__too_many_of_anything_is_refused);
  RUN(test_contract__arguments_of_compile_are_checked);
  RUN(test_contract__a_word_is_a_clause);
  RUN(test_contract__format_gives_one_clause_and_counts_what_is_cut);
  return test_end();
}
