/* SPDX-License-Identifier: Apache-2.0 */
/* Calls against contracts beside those of tests/golden, which breaks each rule once and has the
 * text for it: what holds, the order of the checks, arithmetic at its ends, and tensors that only C
 * can pass. */
#include "contract_say.h"

#include <float.h>
#include <locale.h>
#include <math.h>

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"y", DLF_PARAMETER_INPUT},
    {"out", DLF_PARAMETER_OUTPUT},
    {"n", DLF_PARAMETER_INTEGER},
    {"s", DLF_PARAMETER_REAL},
    {"mode", DLF_PARAMETER_OTHER},
    {"u", DLF_PARAMETER_UNSIGNED},
};
enum { X, Y, OUT, N, S, MODE, U, COUNT };

static _Alignas(256) unsigned char memory[3][4096];
static DLTensor tensors[3];
static int64_t extents[3][2][8];
static dlf_value values[COUNT];

/* Tensor number `which` of this shape; strides NULL: row-major, written out. */
static DLTensor *give(int which, const char *dtype, int32_t ndim, const int64_t *shape,
                      const int64_t *strides) {
  DLTensor *t = &tensors[which];
  *t = (DLTensor){memory[which], cpu, ndim, f32, extents[which][0], extents[which][1], 0};
  EXPECT_INT(dlf_dtype_parse(dtype, &t->dtype, NULL), DLF_OK);
  for (int32_t i = 0; i < ndim; i++) {
    t->shape[i] = shape[i];
  }
  if (strides) {
    for (int32_t i = 0; i < ndim; i++) {
      t->strides[i] = strides[i];
    }
  } else {
    EXPECT_INT(dlf_compact_strides(ndim, shape, DLF_ROW_MAJOR, t->strides, NULL), DLF_OK);
  }
  values[which].tensor = (dlf_arg){t, 0};
  return t;
}

/* x, y and out as f32[3, 4], the scalars 1. */
static void give_usual(void) {
  for (int i = X; i <= OUT; i++) {
    give(i, "f32", 2, LIST(3, 4), NULL);
  }
  for (int i = N; i < COUNT; i++) {
    values[i] = (dlf_value){.integer = 1, .real = 1};
  }
}

static const char *verdict(const char *text) {
  return contract_verdict((contract_call){parameters, COUNT, values}, dlf_contract_match, text);
}

static void test_contract_match__structure_comes_first_and_names_the_tensor(void) {
  give_usual();
  tensors[OUT].ndim = -1;
  EXPECT_TEXT(verdict("x: f64[a]"), "INVALID: f: out: expected ndim between 0 and 64, got -1");
  give_usual();
  tensors[X].shape = NULL;
  EXPECT_TEXT(verdict("x: f32[a, b]"), "INVALID: f: x: expected a shape of 2 extents, got NULL");
  give(X, "f32", 2, LIST(INT64_C(1) << 40, INT64_C(1) << 40), LIST(1, 1));
  EXPECT_TEXT(
      verdict(""),
      "OVERFLOW: f: x: expected an element count below 2^63, got a larger one by axis 1 (from 0) "
      "of extent 1099511627776");
  give_usual();
  values[Y].tensor.tensor = NULL;
  EXPECT_TEXT(verdict("y: f32[a]"), "INVALID: f: y: expected a tensor, got NULL");
  EXPECT_TEXT(verdict("y: opt f32[a]"), "");
}

static void test_contract_match__dtypes(void) {
  give_usual();
  EXPECT_TEXT(verdict("x: any[a, b]; y: T[a, b]; out: U[a, b]; T in any; U in any"), "");
  give(X, "float32x2", 2, LIST(3, 4), NULL);
  EXPECT_TEXT(verdict("x: f32_x2[a, b]"), "");
  give(X, "dtype(77, 8)", 2, LIST(3, 4), NULL);
  EXPECT_TEXT(verdict("x: any[a, b]"), "");
  EXPECT_TEXT(verdict("x: f32|f64[a, b]; y: like x"),
              "DTYPE: f: x: dtype is dtype(77, 8), expected f32|f64; got dtype(77, 8)[3, 4], "
              "wanted f32|f64[a, b]");
}

/* Every dtype that has a short name, alone and with lanes; a tensor of it holds, one of a wider
 * dtype does not. */
static void test_contract_match__every_dtype_by_its_name(void) {
  char name[DLF_NAME_CAPACITY], text[160], said_of_it[160];
  int known = 0;
  for (int code = 0; code <= 18; code++) {
    for (int bits = 1; bits <= ROUNDS(128); bits++) {
      for (int lanes = 1; lanes <= 4; lanes += 3) {
        const DLDataType dtype = {(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
        dlf_dtype_format_short(dtype, name, sizeof name);
        if (strchr(name, '(')) {
          continue; /* dtype(4, 3): no word of the language */
        }
        give_usual();
        tensors[X].dtype = dtype;
        if (dlf_check(&tensors[X], 0, DLF_CHECK_STRUCTURE, NULL)) {
          continue;
        }
        known++;
        snprintf(text, sizeof text, "x: %s[3, 4]", name);
        EXPECT_TEXT(verdict(text), "");
        tensors[X].dtype.lanes = 7;
        EXPECT_INT(strncmp(verdict(text), "DTYPE: f: x: dtype is ", 22), 0);
        snprintf(said_of_it, sizeof said_of_it, ", wanted %s[3, 4]", name);
        EXPECT(strstr(said, said_of_it) != NULL);
      }
    }
  }
  EXPECT(ROUNDS(128) == 1 || known > 60);
}

static void test_contract_match__every_device_by_its_name(void) {
  char name[DLF_NAME_CAPACITY], text[160];
  int known = 0;
  for (int type = 1; type <= 20; type++) {
    dlf_device_format((DLDevice){(DLDeviceType)type, 3}, name, sizeof name);
    if (strchr(name, '(')) {
      continue; /* a number that no device has */
    }
    name[strcspn(name, ":")] = 0;
    known++;
    give_usual();
    snprintf(text, sizeof text, "x: f32[3, 4] %s", name);
    tensors[X].device = (DLDevice){(DLDeviceType)type, 0};
    EXPECT_TEXT(verdict(text), "");
    tensors[X].device.device_type = type == kDLVPI ? kDLMetal : kDLVPI;
    EXPECT_INT(strncmp(verdict(text), "DEVICE: f: x: device is ", 24), 0);
  }
  EXPECT(known >= 16); /* those of DLPack 1.3 */
}

static void test_contract_match__shapes(void) {
  give_usual();
  EXPECT_TEXT(verdict("x: f32[a, ...]; y: f32[..., a]"),
              "SHAPE: f: y[...] is 3, expected 4 as x[...]; got f32[3, 4], wanted f32[..., a]");
  EXPECT_TEXT(verdict("x: f32[...]; y: f32[...]; out: f32[_, _, ...]"),
              "SHAPE: f: out: ndim is 2, expected 4 as x; got f32[3, 4], wanted f32[_, _, ...]");
  EXPECT_TEXT(verdict("x: f32[..., a, b]; y: f32[a, ..., b]; out: f32[a, b, ...]"), "");
  EXPECT_TEXT(verdict("x: f32[a, a]"),
              "SHAPE: f: x[a] is 4, expected 3 as its first [a]; got f32[3, 4], wanted f32[a, a]");
  EXPECT_TEXT(verdict("x: f32[a, a + 1]"), "");
  EXPECT_TEXT(verdict("x: f32[n, b]"),
              "SHAPE: f: x[n] is 3, expected 1 as n; got f32[3, 4], wanted f32[n, b]");
  EXPECT_TEXT(verdict("x: f32[_, b]; y: f32[_, b]"), "");
  EXPECT_TEXT(verdict("x: f32[(7 /^ 2) - 1, 9/2]"), "");
  give(Y, "f32", 2, LIST(3, 5), NULL);
  EXPECT_TEXT(verdict("x: f32[_, _]; y: like x"),
              "SHAPE: f: y[_] is 5, expected 4 as x[_]; got f32[3, 5], wanted like x");
  give(X, "f32", 0, NULL, NULL);
  EXPECT_TEXT(verdict("x: f32[]"), "");
}

static void test_contract_match__arithmetic_never_wraps(void) {
  give_usual();
  values[N].integer = INT64_MAX;
  EXPECT_TEXT(
      verdict("x: f32[n + 1, b]"),
      "OVERFLOW: f: x[n+1] is 3, expected a size below 2^63; got f32[3, 4], wanted f32[n+1, b]");
  EXPECT_TEXT(verdict("n * 2 > 0"), "OVERFLOW: f: n is 9223372036854775807, too large for n*2 > 0");
  values[N].integer = INT64_MIN;
  EXPECT_TEXT(verdict("n - 1 < 0"),
              "OVERFLOW: f: n is -9223372036854775808, too large for n-1 < 0");
  EXPECT_TEXT(verdict("n < 0"), "");
  values[N].integer = -7;
  EXPECT_TEXT(verdict("n / 2 == -4; n /^ 2 == -3; n % 7"), "");
  values[U].integer = -1;
  EXPECT_TEXT(verdict("x: f32[3, 4]"), "");
  EXPECT_TEXT(verdict("u > 0"), "OVERFLOW: f: u is 18446744073709551615, expected below 2^63");
}

static void test_contract_match__constraints(void) {
  give_usual();
  EXPECT_TEXT(verdict("x: f32[h, w]; n + h == w; w != h; h <= 3; h < 4; w > 3; s == 1"), "");
  EXPECT_TEXT(verdict("x: f32[h, w]; w > 2 * n + h"),
              "SHAPE: f: x[h] is 3, x[w] is 4 and n is 1, wanted w > 2*n+h");
  EXPECT_TEXT(verdict("n in 0.5..0.75"), "INVALID: f: n is 1, wanted n in 0.5..0.75");
  EXPECT_TEXT(verdict("s < n"), "INVALID: f: s is 1 and n is 1, wanted s < n");
  values[S].real = 0.1;
  EXPECT_TEXT(verdict("s in 0..0.1; s >= 0.1; s == 0.1; s < 0.2 - 0.05"), "");
  EXPECT_TEXT(verdict("s > 1e3"), "INVALID: f: s is 0.1, wanted s > 1e3");
  values[S].real = 1.0 / 3;
  EXPECT_TEXT(verdict("s > 1"), "INVALID: f: s is 0.3333333333333333, wanted s > 1");
  values[S].real = DBL_MAX;
  EXPECT_TEXT(verdict("s < 1"), "INVALID: f: s is 1.7976931348623157e+308, wanted s < 1");
  values[S].real = -INFINITY;
  EXPECT_TEXT(verdict("s > 1"), "INVALID: f: s is -inf, wanted s > 1");
}

static void test_contract_match__a_nan_fails_every_constraint(void) {
  static const char *const all[] = {
      "s > 1", "s >= 1", "s < 1", "s <= 1", "s == 1", "s != 1", "s in 0..1"};
  give_usual();
  values[S].real = NAN;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    char expected[64];
    snprintf(expected, sizeof expected, "INVALID: f: s is nan, wanted %s", all[i]);
    EXPECT_TEXT(verdict(all[i]), expected);
  }
}

static void test_contract_match__finite_numbers_stay_finite_as_floats(void) {
  static const double fits[] = {
      0, -0.0, 1.5, 1e-300, 3.4028234663852886e38, 3.40282356779733e38, -3.4028234663852886e38};
  static const double none[] = {
      3.4028235677973366e38, -3.4028235677973366e38, 3.5e38, 1e39, -1e300};
  volatile double zero = 0;
  float out;
  for (size_t i = 0; i < sizeof fits / sizeof *fits; i++) {
    EXPECT_INT(dlf_to_float(fits[i], "f: x", &out, NULL), DLF_OK);
    EXPECT(out == (float)fits[i]);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    out = 7;
    EXPECT_INT(dlf_to_float(none[i], "f: x", &out, NULL), DLF_OVERFLOW);
    EXPECT(out == 0);
  }
  EXPECT_FAILS(dlf_to_float(-1e300, "f: x", &out, &error),
               DLF_OVERFLOW,
               "f: x: expected a number that fits in float32, got -1e+300");
  EXPECT_INT(dlf_to_float(1 / zero, NULL, &out, NULL), DLF_OK);
  EXPECT(out > 3.4e38);
  EXPECT_INT(dlf_to_float(zero / zero, NULL, &out, NULL), DLF_OK);
  EXPECT(!(out == out));
  EXPECT_FAILS(dlf_to_float(1, "f: x", NULL, &error),
               DLF_INVALID,
               "f: x: expected a place for a float, got NULL");
}

/* The error names the tensor that bound a name first, for any order of the clauses. */
static void test_contract_match__constraints_are_checked_as_soon_as_they_can_be(void) {
  give_usual();
  give(Y, "f64", 1, LIST(3), NULL);
  EXPECT_TEXT(verdict("y: f32[w]; x: f32[h, w]; w > 100"), "SHAPE: f: x[w] is 4, wanted w > 100");
  values[N].integer = 0;
  EXPECT_TEXT(verdict("n > 0; x: f32[h, w]; y: f32[h / n]"), "INVALID: f: n is 0, wanted n > 0");
}

static void test_contract_match__layouts(void) {
  give_usual();
  give(X, "f32", 2, LIST(3, 4), LIST(8, 2));
  EXPECT_TEXT(verdict("x: f32[a, b] strided"), "");
  give(X, "f32", 2, LIST(3, 4), LIST(8, 1));
  EXPECT_TEXT(verdict("x: f32[a, b] rows"), "");
  give(X, "f32", 2, LIST(3, 4), LIST(1, 3));
  EXPECT_TEXT(verdict("x: f32[a, b] fortran; y: like x strided"), "");
  EXPECT_TEXT(verdict("x: f32[a, b] dense; y: like x"), "");
  give(Y, "f32", 2, LIST(3, 4), LIST(1, 3));
  EXPECT_TEXT(verdict("x: f32[a, b] dense; y: like x samelayout; out: any[...]"), "");
  tensors[Y].strides = NULL;
  EXPECT_TEXT(verdict("x: f32[a, b] dense; y: like x samelayout"),
              "LAYOUT: f: y: layout is row-major, wanted that of x: pass a copy with its strides");
  give(X, "f32", 3, LIST(2, 3, 4), LIST(4, 8, 1));
  EXPECT_TEXT(verdict("x: f32[a, b, c]"),
              "LAYOUT: f: x: layout is dense, wanted row-major: pass a row-major copy");
  EXPECT_TEXT(verdict("x: f32[a, b, c] dense"), "");
  give(X, "f32", 2, LIST(1, 4), LIST(-77, 1));
  EXPECT_TEXT(verdict("x: f32[a, b]"), "");
  give(X, "f32", 2, LIST(0, 4), LIST(5, 5));
  EXPECT_TEXT(verdict("x: f32[a, b]"), "");
}

static void test_contract_match__devices(void) {
  const DLDevice gpu = {kDLCUDA, 1}, pinned = {kDLCUDAHost, 0};
  give_usual();
  tensors[X].device = gpu;
  EXPECT_TEXT(verdict("x: f32[a, b] cuda"), "");
  tensors[Y].device = tensors[OUT].device = gpu;
  EXPECT_TEXT(verdict("x: f32[a, b] samedevice; y: like x; out: like x"), "");
  give_usual();
  tensors[X].device = pinned;
  EXPECT_TEXT(verdict("x: f32[a, b]"), "");
}

static void test_contract_match__alignment(void) {
  give_usual();
  tensors[X].byte_offset = 4;
  EXPECT_TEXT(verdict("x: f32[a, b]"), "");
  give(X, "c64", 1, LIST(4), NULL)->byte_offset = 4;
  EXPECT_TEXT(verdict("x: c64[a]"), "");
  give(X, "f6_e2m3fn", 1, LIST(4), NULL)->byte_offset = 1;
  EXPECT_TEXT(verdict("x: any[a]"), "");
  give(X, "f64", 1, LIST(0), NULL)->byte_offset = 1;
  EXPECT_TEXT(verdict("x: f64[a]"), "");
}

static void test_contract_match__written_tensors(void) {
  give_usual();
  values[OUT].tensor.flags = DLF_FLAGS_UNKNOWN;
  EXPECT_TEXT(verdict("out: inout f32[a, b]"),
              "READ_ONLY: f: out: is not known to be writable; wanted inout f32[a, b]");
  values[OUT].tensor.flags = DLPACK_FLAG_BITMASK_IS_COPIED;
  EXPECT_TEXT(verdict("out: inout f32[a, b]"), "");
  values[X].tensor.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_TEXT(verdict("x: f32[a, b]"), "");
  give(OUT, "f32", 2, LIST(3, 4), LIST(4, 0));
  EXPECT_TEXT(verdict("out: f32[..., b] strided"),
              "INVALID: f: out: repeats elements along b: pass a tensor that repeats none; wanted "
              "f32[..., b] strided");
  give(OUT, "f32", 2, LIST(3, 1), LIST(1, 0));
  EXPECT_TEXT(verdict("out: f32[a, b] strided"), "");
}

static void test_contract_match__aliases(void) {
  give_usual();
  tensors[OUT].data = memory[X] + 44;
  EXPECT_TEXT(verdict("x: f32[a, b] noalias; out: f32[a, b]"),
              "INVALID: f: x: shares memory with out; wanted f32[a, b] noalias");
  EXPECT_TEXT(verdict("x: f32[a, b]; out: f32[a, b]"), "");
  tensors[OUT].data = memory[X] + 48;
  EXPECT_TEXT(verdict("x: f32[a, b]; out: f32[a, b] noalias"), "");
  values[Y].tensor.tensor = NULL;
  EXPECT_TEXT(verdict("x: f32[a, b]; y: opt f32[a, b]; out: f32[a, b] noalias"), "");
}

static void test_contract_match__an_absent_tensor_skips_what_only_it_binds(void) {
  static const char text[] =
      "x: f32[h, w]; y: opt T[k, w]; k > 2; T in f32; out: f32[h, w + k - k]";
  give_usual();
  EXPECT_TEXT(verdict(text), "");
  give(Y, "f32", 2, LIST(2, 4), NULL);
  EXPECT_TEXT(verdict(text), "SHAPE: f: y[k] is 2, wanted k > 2");
  values[Y].tensor.tensor = NULL;
  EXPECT_TEXT(verdict(text), "");
  give(OUT, "f32", 2, LIST(3, 5), NULL);
  EXPECT_TEXT(verdict(text), "");
}

/* Texts are cut at a character's boundary, and numbers have a point in every locale. */
static void test_contract_match__texts_fit_and_follow_no_locale(void) {
  char text[600] = "x: f32[";
  dlf_error error = {0};
  dlf_contract *c;
  give_usual();
  for (int i = 0; i < 60; i++) {
    snprintf(text + strlen(text), 16, "%sq%d", i ? ", " : "", i);
  }
  strcat(text, "]");
  EXPECT_INT(dlf_contract_compile(text, "f", parameters, COUNT, sizeof(dlf_parameter), &c, NULL),
             DLF_OK);
  EXPECT_INT(dlf_contract_match(c, values, sizeof(dlf_value), &error), DLF_SHAPE);
  EXPECT_INT(strlen(error.message), sizeof error.message - 1);
  EXPECT_TEXT(error.message + sizeof error.message - 4, "\xE2\x80\xA6");
  dlf_contract_free(c);
  values[S].real = 0.5;
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8")) {
    EXPECT_TEXT(verdict("s > 0.75"), "INVALID: f: s is 0.5, wanted s > 0.75");
  }
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  RUN(test_contract_match__structure_comes_first_and_names_the_tensor);
  RUN(test_contract_match__dtypes);
  RUN(test_contract_match__every_dtype_by_its_name);
  RUN(test_contract_match__every_device_by_its_name);
  RUN(test_contract_match__shapes);
  RUN(test_contract_match__arithmetic_never_wraps);
  RUN(test_contract_match__constraints);
  RUN(test_contract_match__finite_numbers_stay_finite_as_floats);
  RUN(test_contract_match__a_nan_fails_every_constraint);
  RUN(test_contract_match__constraints_are_checked_as_soon_as_they_can_be);
  RUN(test_contract_match__layouts);
  RUN(test_contract_match__devices);
  RUN(test_contract_match__alignment);
  RUN(test_contract_match__written_tensors);
  RUN(test_contract_match__aliases);
  RUN(test_contract_match__an_absent_tensor_skips_what_only_it_binds);
  RUN(test_contract_match__texts_fit_and_follow_no_locale);
  return test_end();
}
