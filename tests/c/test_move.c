/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between tensors of any layout, each byte of the memory compared with what a walk over the
 * indices, one bit after the other, leaves there. No address outside may be touched. */
#include "hub/move/kernels.h"
#include "placed.h"
#include "test.h"

#include <stdlib.h>

static int64_t bits_between(const placed *p) {
  const int64_t bits = (int64_t)p->tensor.dtype.bits * p->tensor.dtype.lanes;
  return p->flags & padded ? (bits + 7) / 8 * 8 : bits;
}

static bool get_bit(const char *memory, int64_t at) {
  return memory[at / 8] >> (at % 8) & 1;
}

static void set_bit(char *memory, int64_t at, bool value) {
  const int mask = 1 << (at % 8);
  memory[at / 8] = (char)((memory[at / 8] & ~mask) | (value ? mask : 0));
}

/* The bit of the memory at which the element with this number begins. */
static int64_t first_bit(const placed *p, int64_t number) {
  int64_t element = 0;
  for (int32_t i = p->tensor.ndim - 1; i >= 0; i--) {
    if (p->shape[i] > 1) {
      element += number % p->shape[i] * p->strides[i];
    }
    number /= p->shape[i];
  }
  return 8 * ((char *)p->tensor.data - p->memory) + element * bits_between(p);
}

static void copy_bits(const placed *from, const placed *to, char *memory, int64_t number,
                      int64_t bits) {
  for (int64_t bit = 0; bit < bits_between(to); bit++) {
    bool value = false;
    if (bit < bits) {
      value = get_bit(from->memory, first_bit(from, number) + bit);
    }
    set_bit(memory, first_bit(to, number) + bit, value);
  }
}

static void copy_bytes(const placed *from, const placed *to, char *memory, int64_t number) {
  memcpy(memory + first_bit(to, number) / 8,
         from->memory + first_bit(from, number) / 8,
         (size_t)bits_between(to) / 8);
}

static void copy_slowly(const placed *from, const placed *to, char *memory) {
  int64_t bits = bits_between(from); /* of padded ones what lies behind the element, too */
  int64_t count = 0;
  if (bits > bits_between(to)) {
    bits = bits_between(to);
  }
  dlf_count(&to->tensor, &count, NULL);
  for (int64_t number = 0; number < count; number++) {
    if (bits % 8 == 0 && bits == bits_between(to)) {
      copy_bytes(from, to, memory, number);
    } else {
      copy_bits(from, to, memory, number, bits);
    }
  }
}

static void describe(const placed *from, const placed *to) {
  char text[400];
  dlf_describe(&from->tensor, from->flags, text, sizeof text);
  printf("from %s, %d past a line, ", text, (int)((uintptr_t)from->tensor.data % 64));
  dlf_describe(&to->tensor, to->flags, text, sizeof text);
  printf("to %s, %d past a line\n", text, (int)((uintptr_t)to->tensor.data % 64));
}

static bool copies_right(const placed *from, const placed *to, char *expected) {
  dlf_tensor *source = NULL, *destination = NULL;
  memcpy(expected, to->memory, to->size);
  copy_slowly(from, to, expected);
  EXPECT_INT(dlf_wrap(&from->tensor, from->flags, NULL, NULL, &source, NULL), DLF_OK);
  EXPECT_INT(dlf_wrap(&to->tensor, to->flags, NULL, NULL, &destination, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_OK);
  dlf_release(source);
  dlf_release(destination);
  if (memcmp(expected, to->memory, to->size) == 0) {
    return true;
  }
  describe(from, to);
  return false;
}

static void compare_copies(const DLDataType *dtypes, uint32_t count, int rounds) {
  placed from = {.size = MEMORY}, to = {.size = MEMORY};
  from.memory = system_fence(&from.size);
  to.memory = system_fence(&to.size);
  char *expected = malloc(to.size);
  EXPECT(expected != NULL);
  if (!expected) {
    return;
  }
  fill_randomly(from.memory, from.size);
  fill_randomly(to.memory, to.size);
  for (int i = 0, wrong = 0; i < ROUNDS(rounds) && wrong < 3; i++) {
    from.tensor = (DLTensor){.device = cpu, .dtype = dtypes[below(count)]};
    from.flags = below(2) ? padded : 0;
    choose_shape(&from);
    to.tensor = from.tensor;
    to.flags = from.flags;
    if (from.tensor.dtype.lanes == 1 && from.tensor.dtype.bits <= 64) {
      to.flags = below(2) ? padded : 0;
    }
    memcpy(to.shape, from.shape, sizeof to.shape);
    choose_strides(&from, true);
    choose_strides(&to, false);
    dlf__isa_limit((dlf__isa)below(DLF__ISA_COUNT));
    if (place(&from) && place(&to)) {
      const bool right = copies_right(&from, &to, expected);
      EXPECT(right);
      wrong += !right;
    }
  }
  dlf__isa_limit(DLF__ISA_COUNT);
  free(expected);
  system_free_fence(from.memory, from.size);
  system_free_fence(to.memory, to.size);
}

static void test_move__copies_elements_of_whole_bytes(void) {
  static const DLDataType dtypes[] = {
      {kDLUInt, 8, 1},     {kDLUInt, 8, 1},      {kDLUInt, 16, 1},  {kDLFloat, 32, 1},
      {kDLFloat, 32, 1},   {kDLFloat, 64, 1},    {kDLUInt, 8, 3},   {kDLUInt, 8, 5},
      {kDLUInt, 16, 3},    {kDLUInt, 8, 7},      {kDLUInt, 8, 9},   {kDLUInt, 16, 5},
      {kDLUInt, 8, 11},    {kDLFloat, 32, 3},    {kDLUInt, 8, 13},  {kDLUInt, 16, 7},
      {kDLUInt, 8, 15},    {kDLComplex, 128, 1}, {kDLUInt, 8, 17},  {kDLUInt, 64, 3},
      {kDLComplex, 64, 5}, {kDLUInt, 8, 33},     {kDLUInt, 64, 8},  {kDLUInt, 8, 65},
      {kDLUInt, 4, 2},     {kDLComplex, 64, 1},  {kDLFloat, 64, 4}, {kDLBool, 8, 1}};
  compare_copies(dtypes, sizeof dtypes / sizeof *dtypes, 3000);
}

static void test_move__copies_elements_that_share_bytes(void) {
  static const DLDataType dtypes[] = {{kDLUInt, 4, 1},
                                      {kDLUInt, 4, 1},
                                      {kDLUInt, 1, 1},
                                      {kDLInt, 2, 1},
                                      {kDLFloat6_e2m3fn, 6, 1},
                                      {kDLUInt, 12, 1},
                                      {kDLUInt, 4, 3},
                                      {kDLUInt, 63, 1},
                                      {kDLUInt, 7, 9}};
  compare_copies(dtypes, sizeof dtypes / sizeof *dtypes, 1000);
}

/* The kernels themselves, as only large tensors use them. */
static void test_move__streams_every_byte(void) {
  enum { SIZE = 70000 };
  size_t size = SIZE;
  char *from = system_fence(&size), *to = system_fence(&size);
  fill_randomly(from, size);
  for (int isa = 0; isa < DLF__ISA_COUNT; isa++) {
    dlf__isa_limit((dlf__isa)isa);
    for (int round = 0; round < ROUNDS(200); round++) {
      const int64_t bytes = (int64_t)below(round % 2 ? 300 : (uint32_t)size + 1);
      const int64_t at = (int64_t)size - bytes, shift = (int64_t)below((uint32_t)at + 1);
      memset(to, 0, size);
      dlf__kernels_here()->stream(to + at, from + shift, bytes);
      dlf__end_stream();
      EXPECT(memcmp(to + at, from + shift, (size_t)bytes) == 0);
      EXPECT(at == 0 || (to[at - 1] == 0 && memcmp(to, to + 1, (size_t)at - 1) == 0));
    }
  }
  dlf__isa_limit(DLF__ISA_COUNT);
  system_free_fence(from, size);
  system_free_fence(to, size);
}

static void expect_transpose(char *to, const char *from, int64_t rows, int64_t columns, int64_t gap,
                             int64_t width, bool stream) {
  const dlf__tile tile = {
      0, 0, rows, columns, (columns + gap) * width, width, width, (rows + gap) * width};
  int64_t wrong = 0;
  memset(to, 0, (size_t)(rows * tile.to_row - gap * width));
  dlf__kernels_here()->transpose(to, from, &tile, width, stream);
  dlf__end_stream();
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t c = 0; c < columns + gap; c++) {
      const char *at = to + r * tile.to_row + c * width;
      if (c < columns) {
        wrong += memcmp(at, from + c * tile.from_column + r * width, (size_t)width) != 0;
      } else if (r < rows - 1) {
        wrong += *at != 0;
      }
    }
  }
  EXPECT_INT(wrong, 0);
}

static void test_move__transposes_by_blocks(void) {
  enum { SIDE = 400 };
  size_t size = (size_t)(SIDE * SIDE * 8);
  char *from = system_fence(&size), *to = system_fence(&size);
  fill_randomly(from, size);
  for (int isa = 0; isa < DLF__ISA_COUNT; isa++) {
    dlf__isa_limit((dlf__isa)isa);
    for (int round = 0; round < ROUNDS(60); round++) {
      const int64_t width = (int64_t)1 << below(4);
      const int64_t gap = (int64_t)below(3);
      const int64_t rows = 1 + (int64_t)below(SIDE - 3), columns = 1 + (int64_t)below(SIDE - 3);
      const int64_t to_bytes = (rows * (columns + gap) - gap) * width;
      const int64_t from_bytes = (columns * (rows + gap) - gap) * width;
      expect_transpose(to + (int64_t)size - to_bytes,
                       from + (int64_t)size - from_bytes,
                       rows,
                       columns,
                       gap,
                       width,
                       round % 2);
      expect_transpose(to, from, rows, columns, gap, width, round % 2);
    }
  }
  dlf__isa_limit(DLF__ISA_COUNT);
  system_free_fence(from, size);
  system_free_fence(to, size);
}

/* Above the sizes from which copies go past the caches. */
static void test_move__copies_large_tensors(void) {
  int64_t shape[] = {1100, 1030}, across[] = {1030, 1}, down[] = {1, 1100};
  const int64_t count = shape[0] * shape[1];
  float *from = malloc((size_t)count * sizeof *from), *to = malloc((size_t)count * sizeof *to);
  dlf_tensor *source = NULL, *destination = NULL;
  int64_t wrong = 0;
  EXPECT(from && to);
  for (int64_t i = 0; i < count; i++) {
    from[i] = (float)i;
  }
  const DLTensor f = {from, cpu, 2, f32, shape, down, 0}, t = {to, cpu, 2, f32, shape, across, 0};
  EXPECT_INT(dlf_wrap(&f, 0, NULL, NULL, &source, NULL), DLF_OK);
  EXPECT_INT(dlf_wrap(&t, 0, NULL, NULL, &destination, NULL), DLF_OK);
  EXPECT_INT(dlf_copy_into(source, destination, NULL), DLF_OK);
  for (int64_t i = 0; i < count; i++) {
    wrong += to[i] != (float)(i % shape[1] * shape[0] + i / shape[1]);
  }
  EXPECT_INT(wrong, 0);
  dlf_release(source);
  dlf_release(destination);
  free(from);
  free(to);
}

static dlf_tensor *rows_of(char *memory, int64_t rows, int64_t bytes, int64_t step) {
  dlf_tensor *out = NULL;
  const DLTensor tensor = {memory, cpu, 2, {kDLUInt, 8, 1}, LIST(rows, bytes), LIST(step, 1), 0};
  EXPECT_INT(dlf_wrap(&tensor, 0, NULL, NULL, &out, NULL), DLF_OK);
  return out;
}

/* So many bytes go past the caches, but not in short rows. */
static void test_move__copies_large_rows(void) {
  enum { BYTES = DLF__STREAM_RUNS, GAP = 64 };
  static const int64_t widths[] = {BYTES, 4096, 1024};
  char *const from = malloc(BYTES + BYTES / 1024 * GAP), *const to = malloc(BYTES);
  EXPECT(from && to);
  for (int64_t i = 0; i < BYTES + BYTES / 1024 * GAP; i++) {
    from[i] = (char)(i * 7 >> 3);
  }
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    const int64_t width = widths[i], step = width + (width < BYTES) * GAP;
    dlf_tensor *a = rows_of(from, BYTES / width, width, step);
    dlf_tensor *b = rows_of(to, BYTES / width, width, width);
    memset(to, 0, BYTES);
    EXPECT_INT(dlf_copy_into(a, b, NULL), DLF_OK);
    int wrong = 0;
    for (int64_t row = 0; row < BYTES / width; row++) {
      wrong += memcmp(to + row * width, from + row * step, (size_t)width) != 0;
    }
    EXPECT_INT(wrong, 0);
    dlf_release(a);
    dlf_release(b);
  }
  free(from);
  free(to);
}

/* Axes whose end no int64_t counts continue nothing. No check lets such a destination pass. */
static void test_move__joins_no_axes_beyond_every_number(void) {
  const int64_t far = INT64_C(1) << 62;
  int64_t shape[] = {2, 2}, near[] = {2, 1}, broad[] = {far, far}, still[] = {0, far};
  const DLTensor dense = {NULL, cpu, 2, {kDLUInt, 8, 1}, shape, near, 0};
  const DLTensor wide = {NULL, cpu, 2, {kDLUInt, 8, 1}, shape, broad, 0};
  const DLTensor source = {NULL, cpu, 2, {kDLUInt, 8, 1}, shape, still, 0};
  dlf__loop loop;
  dlf__loop_begin(&loop, &wide, 1, &dense, 1);
  EXPECT_INT(loop.ndim, 2);
  dlf__loop_begin(&loop, &dense, 1, &source, 1);
  EXPECT_INT(loop.ndim, 2);
}

int main(void) {
  RUN(test_move__copies_elements_of_whole_bytes);
  RUN(test_move__copies_elements_that_share_bytes);
  RUN(test_move__streams_every_byte);
  RUN(test_move__transposes_by_blocks);
  RUN(test_move__copies_large_tensors);
  RUN(test_move__copies_large_rows);
  RUN(test_move__joins_no_axes_beyond_every_number);
  return test_end();
}
