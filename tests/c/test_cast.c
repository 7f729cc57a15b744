/* SPDX-License-Identifier: Apache-2.0 */
/* tests/casts compares values with exact arithmetic and with NumPy; these need no other package. */
#include "castable.h"
#include "hub/convert/convert.h"
#include "hub/move/kernels.h"
#include "hub/rounding.h"
#include "system.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static const DLDataType f64 = {kDLFloat, 64, 1}, bf16 = {kDLBfloat, 16, 1}, i8 = {kDLInt, 8, 1},
                        i32 = {kDLInt, 32, 1}, u8 = {kDLUInt, 8, 1}, c64 = {kDLComplex, 64, 1},
                        fp4 = {kDLFloat4_e2m1fn, 4, 1}, fp6 = {kDLFloat6_e3m2fn, 6, 1},
                        e4m3fn = {kDLFloat8_e4m3fn, 8, 1}, e5m2 = {kDLFloat8_e5m2, 8, 1};

/* ---- every instruction set gives the bits of the general one ---- */

typedef struct pair {
  DLDataType from, to;
} pair;

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

/* Codes of 8 and 16 bits in turn, and random wider ones around every exponent. */
static void fill(char *memory, int64_t count, int width) {
  for (int64_t i = 0; i < count; i++) {
    const uint64_t bits = width > 2 ? next_random() : (uint64_t)i;
    const uint16_t half = (uint16_t)bits;
    const uint32_t word = (uint32_t)bits;
    if (width == 1) {
      memory[i] = (char)(bits & 0xFF);
    } else if (width == 2) {
      memcpy(memory + 2 * i, &half, sizeof half);
    } else if (width == 4) {
      memcpy(memory + 4 * i, &word, sizeof word);
    } else {
      memcpy(memory + 8 * i, &bits, sizeof bits);
    }
  }
}

static int width_of(DLDataType dtype) {
  return (dtype.bits + 7) / 8;
}

static void convert(pair p, bool saturate, dlf__isa isa, char *from, char *to, int64_t count) {
  dlf__conversion conversion;
  dlf__isa_limit(isa);
  random_state = 88172645463325252u;
  fill(from, count, width_of(p.from));
  EXPECT(dlf__conversion_of(p.from, p.to, saturate, &conversion));
  dlf__convert_row(&conversion,
                   (dlf__line){from, 0, width_of(p.from), false},
                   (dlf__line){to, 0, width_of(p.to), false},
                   count);
}

/* Of few elements, which end where memory does. */
static void convert_at_edge(pair p, bool saturate, dlf__isa isa, int64_t count, char *result) {
  const size_t from_bytes = (size_t)(count * width_of(p.from));
  const size_t to_bytes = (size_t)(count * width_of(p.to));
  char *const from = system_edge(from_bytes);
  char *const to = system_edge(to_bytes);
  convert(p, saturate, isa, from, to, count);
  memcpy(result, to, to_bytes);
  system_free_edge(from, from_bytes);
  system_free_edge(to, to_bytes);
}

static const DLDataType all[] = {CASTABLE_REALS};
enum { ALL = sizeof all / sizeof *all };

/* The first instruction set is the one that every processor has. */
static void test_cast__instruction_sets_agree(void) {
  static char from[8 << 16], wanted[8 << 16], got[8 << 16];
  for (int i = 0; i < ALL * ALL * 2; i++) {
    const pair p = {all[i / 2 / ALL], all[i / 2 % ALL]};
    const bool saturate = i % 2 != 0;
    const int64_t count = p.from.bits == 16 ? 65536 : 4096 + 7;
    convert(p, saturate, DLF__ISA_BASELINE, from, wanted, count);
    for (dlf__isa isa = DLF__ISA_AVX2; isa < DLF__ISA_COUNT; isa++) {
      convert(p, saturate, isa, from, got, count);
      EXPECT(memcmp(got, wanted, (size_t)(count * width_of(p.to))) == 0);
    }
  }
}

static void check_tails(pair p) {
  char wanted[8 * 70], got[8 * 70];
  for (int64_t count = 1; count < 70; count++) {
    convert_at_edge(p, false, DLF__ISA_BASELINE, count, wanted);
    for (dlf__isa isa = DLF__ISA_AVX2; isa < DLF__ISA_COUNT; isa++) {
      convert_at_edge(p, false, isa, count, got);
      EXPECT(memcmp(got, wanted, (size_t)(count * width_of(p.to))) == 0);
    }
  }
}

static void test_cast__every_tail(void) {
  for (int i = 0; i < ALL; i++) {
    check_tails((pair){f32, all[i]});
    check_tails((pair){all[i], f32});
  }
}

/* ---- tensors ---- */

static dlf_tensor *wrap(void *data, DLDataType dtype, int32_t ndim, int64_t *shape,
                        int64_t *strides, uint64_t flags) {
  const DLTensor tensor = {data, cpu, ndim, dtype, shape, strides, 0};
  dlf_tensor *out;
  EXPECT_INT(dlf_wrap(&tensor, flags, NULL, NULL, &out, NULL), DLF_OK);
  return out;
}

static void test_cast__into_a_new_tensor(void) {
  float values[] = {1.5f, -2.5f, 3e38f, NAN, 0, 256};
  dlf_tensor *a = wrap(values, f32, 2, LIST(2, 3), LIST(1, 2), 0);
  dlf_tensor *b = NULL;
  EXPECT_INT(dlf_cast(a, i32, false, &b, NULL), DLF_OK);
  const int32_t wanted[] = {1, INT32_MAX, 0, -2, 0, 256};
  const DLTensor *const t = dlf_dltensor(b);
  EXPECT(dlf_dtype_equal(t->dtype, i32) && dlf_is_contiguous(t, DLF_ROW_MAJOR));
  EXPECT(t->ndim == 2 && t->shape[0] == 2 && t->shape[1] == 3);
  EXPECT(memcmp(dlf_data(t), wanted, sizeof wanted) == 0);
  EXPECT_INT(dlf_flags(b) & DLPACK_FLAG_BITMASK_READ_ONLY, 0);
  dlf_release(b);
  EXPECT_INT(dlf_cast(a, e4m3fn, true, &b, NULL), DLF_OK);
  const uint8_t saturated[] = {0x3C, 0x7E, 0x00, 0xC2, 0x7F, 0x78};
  EXPECT(memcmp(dlf_data(dlf_dltensor(b)), saturated, sizeof saturated) == 0);
  dlf_release(b);
  dlf_release(a);
}

static void test_cast__rounds_once(void) {
  double value = 1 + 0x1p-8 + 0x1p-40;
  int64_t integer = (INT64_C(1) << 62) + (INT64_C(1) << 54) + 1;
  uint16_t bits = 0;
  dlf_tensor *a = wrap(&value, f64, 0, NULL, NULL, 0);
  dlf_tensor *b = wrap(&integer, (DLDataType){kDLInt, 64, 1}, 0, NULL, NULL, 0);
  dlf_tensor *out = wrap(&bits, bf16, 0, NULL, NULL, 0);
  EXPECT_INT(dlf_cast_into(a, out, false, NULL), DLF_OK);
  EXPECT_INT(bits, 0x3F81);
  EXPECT_INT(dlf_cast_into(b, out, false, NULL), DLF_OK);
  EXPECT_INT(bits, 0x5E81);
  dlf_release(a);
  dlf_release(b);
  dlf_release(out);
}

#if defined(__SSE__)
enum { HOST_ROUNDING = 0xFFC0 }; /* towards 0, subnormal numbers are 0 before and after */
#elif defined(__aarch64__)
enum { HOST_ROUNDING = 0x1C00000 };
#else
enum { HOST_ROUNDING = DLF__DEFAULT_ROUNDING };
#endif

static dlf__rounding set_rounding(dlf__rounding state) {
  const dlf__rounding before = dlf__rounding_begin();
  DLF__WRITE_ROUNDING(state);
  return before;
}

static void test_cast__rounds_so_in_any_host(void) {
  static char from[8 * 4103], wanted[8 * 4103], got[8 * 4103];
  for (int i = 0; i < ALL * ALL; i++) {
    const pair p = {all[i / ALL], all[i % ALL]};
    const uint64_t padded = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
    fill(from, 4103, width_of(p.from));
    dlf_tensor *a = wrap(from, p.from, 1, LIST(4103), NULL, p.from.bits < 8 ? padded : 0);
    dlf_tensor *b = wrap(wanted, p.to, 1, LIST(4103), NULL, p.to.bits < 8 ? padded : 0);
    dlf_tensor *c = wrap(got, p.to, 1, LIST(4103), NULL, p.to.bits < 8 ? padded : 0);
    EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
    const dlf__rounding before = set_rounding(HOST_ROUNDING);
    EXPECT_INT(dlf_cast_into(a, c, false, NULL), DLF_OK);
    EXPECT(set_rounding(before) == HOST_ROUNDING);
    EXPECT(memcmp(got, wanted, (size_t)(4103 * width_of(p.to))) == 0);
    dlf_release(a);
    dlf_release(b);
    dlf_release(c);
  }
}

static void test_cast__subnormal_numbers_in_any_host(void) {
  uint32_t code = 1, other_code = 2;
  uint64_t encoded;
  bool are_equal, are_found;
  double decoded;
  dlf_number number;
  dlf_tensor *a = wrap(&code, f32, 0, NULL, NULL, 0);
  dlf_tensor *b = wrap(&other_code, f32, 0, NULL, NULL, 0);
  const dlf_number sought = {.kind = DLF_NUMBER_REAL, .real = 0};
  const dlf_arg x = {dlf_dltensor(a), 0}, y = {dlf_dltensor(b), 0};
  char text[64];
  const dlf__rounding before = set_rounding(HOST_ROUNDING);
  EXPECT_INT(dlf_float_encode(f32, 0x1p-149, &encoded, NULL), DLF_OK);
  EXPECT_INT(dlf_float_decode(f32, code, &decoded, NULL), DLF_OK);
  EXPECT_INT(dlf_read(x, NULL, 0, &number, NULL), DLF_OK);
  EXPECT_INT(dlf_equal(x, y, &are_equal, NULL), DLF_OK);
  EXPECT_INT(dlf_contains(x, &sought, &are_found, NULL), DLF_OK);
  dlf_format(x.tensor, 0, text, sizeof text);
  EXPECT(set_rounding(before) == HOST_ROUNDING);
  EXPECT(encoded == 1 && decoded == 0x1p-149 && number.real == 0x1p-149);
  EXPECT(!are_equal && !are_found);
  EXPECT_TEXT(text, "float32[] cpu\n1.e-45");
  dlf_release(a);
  dlf_release(b);
}

static void test_cast__integers_wrap_or_saturate(void) {
  int32_t values[] = {-1, 300, -129, 127};
  uint8_t wrapped[4];
  dlf_tensor *a = wrap(values, i32, 1, LIST(4), NULL, 0);
  dlf_tensor *out = wrap(wrapped, u8, 1, LIST(4), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, out, false, NULL), DLF_OK);
  EXPECT(wrapped[0] == 255 && wrapped[1] == 44 && wrapped[2] == 127 && wrapped[3] == 127);
  EXPECT_INT(dlf_cast_into(a, out, true, NULL), DLF_OK);
  EXPECT(wrapped[0] == 0 && wrapped[1] == 255 && wrapped[2] == 0 && wrapped[3] == 127);
  dlf_release(a);
  dlf_release(out);
}

static void test_cast__complex(void) {
  float reals[] = {1, 2, 3};
  double parts[6];
  float narrow[6];
  dlf_tensor *a = wrap(reals + 2, f32, 1, LIST(3), LIST(-1), 0);
  dlf_tensor *wide = wrap(parts, (DLDataType){kDLComplex, 128, 1}, 1, LIST(3), NULL, 0);
  dlf_tensor *out = wrap(narrow, c64, 1, LIST(3), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, wide, false, NULL), DLF_OK);
  EXPECT(parts[0] == 3 && parts[1] == 0 && parts[4] == 1 && parts[5] == 0);
  parts[3] = -0.5;
  EXPECT_INT(dlf_cast_into(wide, out, false, NULL), DLF_OK);
  EXPECT(narrow[0] == 3 && narrow[2] == 2 && narrow[3] == -0.5f && narrow[5] == 0);
  uint16_t bfloats[6];
  dlf_tensor *brain = wrap(bfloats, (DLDataType){18, 32, 1}, 1, LIST(3), NULL, 0);
  EXPECT_INT(dlf_cast_into(wide, brain, false, NULL), DLF_OK);
  EXPECT(bfloats[0] == 0x4040 && bfloats[2] == 0x4000 && bfloats[3] == 0xBF00);
  narrow[3] = 0;
  EXPECT_INT(dlf_cast_into(brain, out, false, NULL), DLF_OK);
  EXPECT(narrow[0] == 3 && narrow[2] == 2 && narrow[3] == -0.5f && narrow[5] == 0);
  dlf_release(a);
  dlf_release(wide);
  dlf_release(out);
  dlf_release(brain);
}

static void test_cast__infinity_in_a_part_of_the_same_width(void) {
  uint8_t infinity[] = {0xFC};
  const DLDataType parts[] = {f64, f32, {kDLFloat, 16, 1}, bf16};
  dlf_tensor *a = wrap(infinity, e5m2, 0, NULL, NULL, 0);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    const uint8_t code = parts[i].code == kDLBfloat ? 18 : kDLComplex;
    const DLDataType complex_dtype = {code, (uint8_t)(2 * parts[i].bits), 1};
    dlf_tensor *part, *wanted, *kept, *finite;
    EXPECT_INT(dlf_cast(a, parts[i], false, &part, NULL), DLF_OK);
    EXPECT_INT(dlf_cast(a, parts[i], true, &wanted, NULL), DLF_OK);
    EXPECT_INT(dlf_cast(part, complex_dtype, false, &kept, NULL), DLF_OK);
    EXPECT_INT(dlf_cast(part, complex_dtype, true, &finite, NULL), DLF_OK);
    const size_t width = (size_t)width_of(parts[i]);
    EXPECT(memcmp(dlf_data(dlf_dltensor(kept)), dlf_data(dlf_dltensor(part)), width) == 0);
    EXPECT(memcmp(dlf_data(dlf_dltensor(finite)), dlf_data(dlf_dltensor(wanted)), width) == 0);
    dlf_release(part);
    dlf_release(wanted);
    dlf_release(kept);
    dlf_release(finite);
  }
  dlf_release(a);
}

static void test_cast__true_is_what_is_not_0(void) {
  uint8_t odd[] = {0, 2, 255, 1};
  float values[4];
  uint8_t truths[4];
  dlf_tensor *a = wrap(odd, (DLDataType){kDLBool, 8, 1}, 1, LIST(4), NULL, 0);
  dlf_tensor *b = wrap(values, f32, 1, LIST(4), NULL, 0);
  dlf_tensor *out = wrap(truths, (DLDataType){kDLBool, 8, 1}, 1, LIST(4), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  EXPECT(values[0] == 0 && values[1] == 1 && values[2] == 1 && values[3] == 1);
  values[1] = NAN;
  values[2] = -0.0f;
  EXPECT_INT(dlf_cast_into(b, out, false, NULL), DLF_OK);
  EXPECT(truths[0] == 0 && truths[1] == 1 && truths[2] == 0 && truths[3] == 1);
  dlf_release(a);
  dlf_release(b);
  dlf_release(out);
}

/* ---- packed elements, whose neighbours keep their bits ---- */

static unsigned bits_at(const uint8_t *memory, int64_t bit, int count) {
  unsigned value = 0;
  for (int i = 0; i < count; i++, bit++) {
    value |= (unsigned)(memory[bit / 8] >> (bit % 8) & 1) << i;
  }
  return value;
}

/* A column of a packed matrix to a column of another one. */
static void check_packed(DLDataType from, DLDataType to, int64_t column) {
  enum { ROWS = 9, COLUMNS = 16 };
  uint8_t source[ROWS * COLUMNS], result[ROWS * COLUMNS];
  dlf_tensor *column_of[2];
  fill((char *)source, sizeof source, 1);
  memset(result, 0x5A, sizeof result);
  dlf_tensor *a = wrap(source, from, 2, LIST(ROWS, COLUMNS), NULL, 0);
  dlf_tensor *b = wrap(result, to, 2, LIST(ROWS, COLUMNS), NULL, 0);
  EXPECT_INT(dlf_slice(a, 1, column, 8 - column % 8, 1, &column_of[0], NULL), DLF_OK);
  EXPECT_INT(dlf_slice(b, 1, column, 8 - column % 8, 1, &column_of[1], NULL), DLF_OK);
  EXPECT_INT(dlf_cast_into(column_of[0], column_of[1], false, NULL), DLF_OK);
  for (int64_t i = 0; i < ROWS * COLUMNS; i++) {
    const unsigned code = bits_at(source, i * from.bits, from.bits);
    uint64_t wanted = bits_at((uint8_t[]){0x5A, 0x5A, 0x5A}, i * to.bits % 8, to.bits);
    double value = 0;
    if (i % COLUMNS >= column && i % COLUMNS < column + 8 - column % 8) {
      EXPECT_INT(dlf_float_decode(from, code, &value, NULL), DLF_OK);
      EXPECT_INT(dlf_float_encode(to, value, &wanted, NULL), DLF_OK);
    }
    EXPECT_INT(bits_at(result, i * to.bits, to.bits), wanted);
  }
  for (int i = 0; i < 2; i++) {
    dlf_release(column_of[i]);
  }
  dlf_release(a);
  dlf_release(b);
}

static void test_cast__packed(void) {
  const DLDataType narrow[] = {fp4, fp6, {kDLFloat6_e2m3fn, 6, 1}, e5m2};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 4; k++) {
      if (i != k) {
        check_packed(narrow[i], narrow[k], 0);
        check_packed(narrow[i], narrow[k], 4);
        check_packed(narrow[i], narrow[k], 8);
      }
    }
  }
}

static void test_cast__packed_and_padded(void) {
  float values[5] = {0.5f, 1, -6, 100, 0}, back[5] = {9, 9, 9, 9, 9};
  uint8_t packed[3] = {0xFF, 0xFF, 0xFF}, padded[5];
  dlf_tensor *a = wrap(values, f32, 1, LIST(5), NULL, 0);
  dlf_tensor *b = wrap(packed, fp4, 1, LIST(5), NULL, 0);
  dlf_tensor *c = wrap(padded, fp4, 1, LIST(5), NULL, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED);
  dlf_tensor *d = wrap(back, f32, 1, LIST(5), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  EXPECT(packed[0] == 0x21 && packed[1] == 0x7F && packed[2] == 0xF0);
  EXPECT_INT(dlf_cast_into(b, c, false, NULL), DLF_OK);
  EXPECT(padded[0] == 1 && padded[1] == 2 && padded[2] == 15 && padded[3] == 7 && padded[4] == 0);
  padded[1] = 0xF2; /* the upper bits do not count */
  EXPECT_INT(dlf_cast_into(c, d, false, NULL), DLF_OK);
  EXPECT(back[0] == 0.5f && back[1] == 1 && back[2] == -6 && back[3] == 6 && back[4] == 0);
  dlf_release(a);
  dlf_release(b);
  dlf_release(c);
  dlf_release(d);
}

/* Only elements that stay as they are may be moved within their memory. */
static void test_cast__within_its_memory(void) {
  float values[] = {1, 2, 3, 4, 5, 6};
  uint8_t sixths[] = {0x41, 0x01};
  const DLDataType pair_of_6 = {kDLFloat6_e3m2fn, 6, 2}, pair_of_8 = {kDLInt, 8, 2};
  dlf_tensor *from = wrap(values, f32, 1, LIST(4), LIST(1), 0);
  dlf_tensor *to = wrap(values + 1, f32, 1, LIST(4), LIST(1), 0);
  dlf_tensor *back = wrap(values + 3, f32, 1, LIST(4), LIST(-1), 0);
  EXPECT_INT(dlf_cast_into(from, to, false, NULL), DLF_OK);
  EXPECT(values[0] == 1 && values[1] == 1 && values[4] == 4 && values[5] == 6);
  EXPECT_INT(dlf_cast_into(from, back, false, NULL), DLF_LAYOUT);
  dlf_release(from);
  dlf_release(to);
  dlf_release(back);
  from = wrap(sixths, pair_of_6, 1, LIST(1), NULL, 0);
  EXPECT_INT(dlf_cast(from, pair_of_6, false, &to, NULL), DLF_OK);
  EXPECT(memcmp(dlf_data(dlf_dltensor(to)), sixths, 2) == 0);
  dlf_release(to);
  EXPECT_INT(dlf_cast_into(from, from, false, NULL), DLF_LAYOUT);
  dlf_release(from);
  from = wrap(sixths, pair_of_8, 1, LIST(1), NULL, 0);
  EXPECT_INT(dlf_cast_into(from, from, false, NULL), DLF_OK);
  dlf_release(from);
}

static void test_cast__lanes(void) {
  float values[] = {1, 2, 3, 4, 5, 6};
  uint8_t pairs[3];
  dlf_tensor *a = wrap(values, (DLDataType){kDLFloat, 32, 2}, 1, LIST(3), NULL, 0);
  dlf_tensor *b = wrap(pairs, (DLDataType){kDLFloat4_e2m1fn, 4, 2}, 1, LIST(3), LIST(1), 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  EXPECT(pairs[0] == 0x42 && pairs[1] == 0x65 && pairs[2] == 0x76);
  dlf_release(a);
  dlf_release(b);
}

/* ---- large ones: more than one block, in any order ---- */

static void test_cast__transposed(void) {
  enum { ROWS = 150, COLUMNS = 170 };
  static int16_t values[ROWS * COLUMNS];
  static float results[COLUMNS * ROWS];
  for (int i = 0; i < ROWS * COLUMNS; i++) {
    values[i] = (int16_t)(i * 7);
  }
  dlf_tensor *a =
      wrap(values, (DLDataType){kDLInt, 16, 1}, 2, LIST(COLUMNS, ROWS), LIST(1, COLUMNS), 0);
  dlf_tensor *b = wrap(results, f32, 2, LIST(COLUMNS, ROWS), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  for (int column = 0; column < COLUMNS; column++) {
    for (int row = 0; row < ROWS; row++) {
      EXPECT(results[column * ROWS + row] == (float)values[row * COLUMNS + column]);
    }
  }
  dlf_release(a);
  dlf_release(b);
}

/* Up to the end of the memory, by each instruction set; wanted is what a copy of the view gives. */
static void check_turned(pair p, int64_t rows, int64_t columns) {
  const int64_t count = rows * columns;
  const size_t to_bytes = (size_t)(count * width_of(p.to));
  size_t from_size = (size_t)(count * width_of(p.from)), to_size = to_bytes;
  char *const from = system_fence(&from_size) + from_size - count * width_of(p.from);
  char *const got = system_fence(&to_size) + to_size - to_bytes;
  dlf_tensor *dense, *wanted;
  fill(from, count, width_of(p.from));
  dlf_tensor *a = wrap(from, p.from, 2, LIST(rows, columns), LIST(1, rows), 0);
  dlf_tensor *b = wrap(got, p.to, 2, LIST(rows, columns), NULL, 0);
  EXPECT_INT(dlf_copy(a, &dense, NULL), DLF_OK);
  EXPECT_INT(dlf_cast(dense, p.to, false, &wanted, NULL), DLF_OK);
  for (dlf__isa isa = DLF__ISA_BASELINE; isa < DLF__ISA_COUNT; isa++) {
    dlf__isa_limit(isa);
    memset(got, 0x5A, to_bytes);
    EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
    EXPECT(memcmp(got, dlf_data(dlf_dltensor(wanted)), to_bytes) == 0);
  }
  dlf_release(a);
  dlf_release(b);
  dlf_release(dense);
  dlf_release(wanted);
  system_free_fence(from + count * width_of(p.from) - from_size, from_size);
  system_free_fence(got + to_bytes - to_size, to_size);
}

static void test_cast__turned_to_the_edge(void) {
  const pair pairs[] = {{u8, f32},
                        {f32, e4m3fn},
                        {f64, bf16},
                        {f64, e4m3fn},
                        {e5m2, e4m3fn},
                        {f32, f64},
                        {bf16, i32},
                        {f32, c64}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    check_turned(pairs[i], 16, 16);
    check_turned(pairs[i], 17, 301);
    check_turned(pairs[i], 201, 131);
  }
  check_turned((pair){u8, f32}, 601, 901); /* past the caches */
  check_turned((pair){f64, bf16}, 901, 1201);
  check_turned((pair){f64, e4m3fn}, 1501, 1403);
}

/* Up to both edges of the memory: one larger than the nearest caches, one that goes past all. */
static void test_cast__large_runs(void) {
  static const int64_t counts[] = {250001, 13500003};
  for (int i = 0; i < 2; i++) {
    size_t from_size = (size_t)counts[i], to_size = 4 * (size_t)counts[i];
    uint8_t *const from = (uint8_t *)system_fence(&from_size) + from_size - counts[i];
    float *const to = (float *)(void *)(system_fence(&to_size) + to_size) - counts[i];
    for (int64_t k = 0; k < counts[i]; k++) {
      from[k] = (uint8_t)(k * 7);
    }
    dlf_tensor *a = wrap(from, (DLDataType){kDLUInt, 8, 1}, 1, LIST(counts[i]), NULL, 0);
    dlf_tensor *b = wrap(to, f32, 1, LIST(counts[i]), NULL, 0);
    EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
    int64_t wrong = 0;
    for (int64_t k = 0; k < counts[i]; k++) {
      wrong += to[k] != (float)from[k];
    }
    EXPECT_INT(wrong, 0);
    dlf_release(a);
    dlf_release(b);
    system_free_fence((char *)(from + counts[i]) - from_size, from_size);
    system_free_fence((char *)(to + counts[i]) - to_size, to_size);
  }
}

/* Past the caches, up to both edges of the memory and from any address on: the bytes that the
 * general instruction set gives without. */
typedef struct streamed {
  DLDataType from_dtype, to_dtype;
  char *from, *to, *wanted;
  int64_t room; /* of from and to */
} streamed;

static void run_as(const streamed *s, dlf__isa isa, char *to, int64_t count, bool streams) {
  dlf__conversion conversion;
  const int64_t from_width = width_of(s->from_dtype);
  char *const from = s->from + s->room - count * from_width;
  dlf__isa_limit(isa);
  EXPECT(dlf__conversion_of(s->from_dtype, s->to_dtype, false, &conversion));
  conversion.caching = (dlf__caching){4096, streams};
  dlf__convert_row(&conversion,
                   (dlf__line){from, 0, from_width, false},
                   (dlf__line){to, 0, width_of(s->to_dtype), false},
                   count);
}

static bool is_untouched(const streamed *s) {
  for (int64_t i = 0; i < s->room; i++) {
    if (s->to[i] != 0x5A) {
      return false;
    }
  }
  return true;
}

static void check_streamed(const streamed *s, int64_t count, int64_t shift) {
  const int64_t bytes = count * width_of(s->to_dtype);
  char *const places[] = {s->to + shift, s->to + s->room - shift - bytes};
  run_as(s, DLF__ISA_BASELINE, s->wanted, count, false);
  for (dlf__isa isa = DLF__ISA_BASELINE; isa < DLF__ISA_COUNT; isa++) {
    for (int i = 0; i < 2; i++) {
      memset(s->to, 0x5A, (size_t)s->room);
      run_as(s, isa, places[i], count, true);
      EXPECT(memcmp(places[i], s->wanted, (size_t)bytes) == 0);
      memset(places[i], 0x5A, (size_t)bytes);
      EXPECT(is_untouched(s));
    }
  }
}

static void test_cast__streams(void) {
  static const DLDataType dtypes[] = {CASTABLE_REALS};
  static const int64_t shifts[] = {0, 3, 40};
  enum { DTYPES = sizeof dtypes / sizeof *dtypes, MOST = 333 };
  size_t from_size = 4096, to_size = 4096;
  char wanted[4096];
  streamed s = {.from = system_fence(&from_size), .to = system_fence(&to_size), .wanted = wanted};
  s.room = (int64_t)from_size;
  fill(s.from, s.room / 4, 4);
  for (int i = 0; i < DTYPES * DTYPES; i++) {
    s.from_dtype = dtypes[i / DTYPES];
    s.to_dtype = dtypes[i % DTYPES];
    for (int k = 0; k < 3 && i / DTYPES != i % DTYPES; k++) {
      check_streamed(&s, MOST, shifts[k]);
      check_streamed(&s, 1 + i % 64, shifts[k]);
    }
  }
  dlf__isa_limit(DLF__ISA_COUNT);
  dlf__end_stream();
  system_free_fence(s.from, from_size);
  system_free_fence(s.to, to_size);
}

/* The same elements again along both axes: a window that moves on by one. */
static void test_cast__windows(void) {
  enum { SIDE = 20 };
  int16_t values[2 * SIDE];
  float results[SIDE * SIDE];
  for (int i = 0; i < 2 * SIDE; i++) {
    values[i] = (int16_t)i;
  }
  dlf_tensor *a = wrap(values, (DLDataType){kDLInt, 16, 1}, 2, LIST(SIDE, SIDE), LIST(1, 1), 0);
  dlf_tensor *b = wrap(results, f32, 2, LIST(SIDE, SIDE), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  for (int i = 0; i < SIDE * SIDE; i++) {
    EXPECT(results[i] == (float)(i / SIDE + i % SIDE));
  }
  dlf_release(a);
  dlf_release(b);
}

/* Parts of complex numbers lie apart, and so do not go past the caches. */
static void test_cast__large_complex(void) {
  const int64_t count = 2900000;
  float *const from = malloc((size_t)count * 2 * sizeof *from);
  double *const to = malloc((size_t)count * 2 * sizeof *to);
  int64_t wrong = 0;
  EXPECT(from && to);
  for (int64_t i = 0; i < 2 * count; i++) {
    from[i] = (float)(i % 1000);
  }
  dlf_tensor *a = wrap(from, c64, 1, LIST(count), NULL, 0);
  dlf_tensor *b = wrap(to, (DLDataType){kDLComplex, 128, 1}, 1, LIST(count), NULL, 0);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  for (int64_t i = 0; i < 2 * count; i++) {
    wrong += to[i] != (double)(i % 1000);
  }
  EXPECT_INT(wrong, 0);
  dlf_release(a);
  dlf_release(b);
  free(from);
  free(to);
}

static void test_cast__nothing(void) {
  dlf_tensor *a = wrap(NULL, f32, 2, LIST(0, 3), NULL, 0);
  dlf_tensor *b;
  EXPECT_INT(dlf_cast(a, bf16, false, &b, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(b)->shape[1], 3);
  EXPECT_INT(dlf_cast_into(a, b, false, NULL), DLF_OK);
  dlf_release(a);
  dlf_release(b);
}

/* ---- refusals ---- */

static void test_cast__refusals(void) {
  float values[6] = {0};
  uint8_t bytes[6] = {0};
  dlf_tensor *out;
  dlf_tensor *a = wrap(values, f32, 2, LIST(2, 3), NULL, 0);
  dlf_tensor *turned = wrap(bytes, i8, 2, LIST(3, 2), NULL, 0);
  dlf_tensor *locked = wrap(bytes, i8, 2, LIST(2, 3), NULL, DLPACK_FLAG_BITMASK_READ_ONLY);
  dlf_tensor *repeated = wrap(bytes, i8, 2, LIST(2, 3), LIST(0, 1), 0);
  dlf_tensor *same = wrap(values, i32, 2, LIST(2, 3), NULL, 0);
  dlf_tensor *odd = wrap(bytes, (DLDataType){kDLInt, 4, 1}, 2, LIST(2, 3), NULL, 0);
  dlf_tensor *complex_one = wrap(values, c64, 0, NULL, NULL, 0);
  dlf_tensor *lanes = wrap(values, (DLDataType){kDLFloat, 32, 2}, 0, NULL, NULL, 0);
  EXPECT_FAILS(
      dlf_cast_into(a, turned, false, &error),
      DLF_SHAPE,
      "cast_into: expected a source of extent 3 on axis 0 (from 0), the destination's, got "
      "2");
  EXPECT_FAILS(dlf_cast_into(a, locked, false, &error),
               DLF_READ_ONLY,
               "cast_into: expected a writable destination, got a read-only one");
  EXPECT_FAILS(dlf_cast_into(a, repeated, false, &error),
               DLF_LAYOUT,
               "cast_into: expected a destination whose elements lie apart, got shape [2, 3] with "
               "strides [0, 1]");
  EXPECT_FAILS(dlf_cast_into(a, same, false, &error),
               DLF_LAYOUT,
               "cast_into: expected a source apart from the destination, got shared memory");
  EXPECT_FAILS(dlf_cast(odd, f32, false, &out, &error),
               DLF_DTYPE,
               "cast: expected bool, integers of 8 to 64 bits, floats or complex numbers, got int4 "
               "to float32");
  EXPECT(out == NULL);
  EXPECT_FAILS(dlf_cast(complex_one, f32, false, &out, &error),
               DLF_DTYPE,
               "cast: expected a complex dtype for complex64, got float32; bitcast it to its parts "
               "first");
  EXPECT_FAILS(dlf_cast(lanes, bf16, false, &out, &error),
               DLF_DTYPE,
               "cast: expected 2 lanes for float32x2, got bfloat16");
  EXPECT_FAILS(dlf_cast(a, (DLDataType){kDLFloat4_e2m1fn, 8, 1}, false, &out, &error),
               DLF_DTYPE,
               "cast: expected float4_e2m1fn to have 4 bits, got 8");
  EXPECT_FAILS(
      dlf_cast(NULL, f32, false, &out, &error), DLF_INVALID, "cast: expected a tensor, got NULL");
  EXPECT_FAILS(
      dlf_cast_into(a, NULL, false, &error), DLF_INVALID, "cast_into: expected a tensor, got NULL");
  EXPECT_INT(dlf_cast_into(NULL, a, false, NULL), DLF_INVALID);
  EXPECT_INT(dlf_cast(a, (DLDataType){kDLInt, 24, 1}, false, &out, NULL), DLF_DTYPE);
  EXPECT_INT(dlf_cast(a, (DLDataType){kDLFloat, 8, 1}, false, &out, NULL), DLF_DTYPE);
  dlf_release(a);
  dlf_release(turned);
  dlf_release(locked);
  dlf_release(repeated);
  dlf_release(same);
  dlf_release(odd);
  dlf_release(complex_one);
  dlf_release(lanes);
}

int main(void) {
  RUN(test_cast__instruction_sets_agree);
  RUN(test_cast__every_tail);
  RUN(test_cast__into_a_new_tensor);
  RUN(test_cast__within_its_memory);
  RUN(test_cast__rounds_once);
  RUN(test_cast__rounds_so_in_any_host);
  RUN(test_cast__subnormal_numbers_in_any_host);
  RUN(test_cast__integers_wrap_or_saturate);
  RUN(test_cast__complex);
  RUN(test_cast__infinity_in_a_part_of_the_same_width);
  RUN(test_cast__true_is_what_is_not_0);
  RUN(test_cast__packed);
  RUN(test_cast__packed_and_padded);
  RUN(test_cast__lanes);
  RUN(test_cast__transposed);
  RUN(test_cast__turned_to_the_edge);
  RUN(test_cast__large_runs);
  RUN(test_cast__streams);
  RUN(test_cast__windows);
  RUN(test_cast__large_complex);
  RUN(test_cast__nothing);
  RUN(test_cast__refusals);
  return test_end();
}
