/* SPDX-License-Identifier: Apache-2.0 */
/* A cast from one layout into another, of any two dtypes: each element becomes what it becomes
 * alone, and no bit outside the destination's elements has changed. */
#include "../c/castable.h"
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];
static uint8_t before[FUZZ_MEMORY],
    is_written[8 * FUZZ_MEMORY]; /* is_written has a bit's own byte */

static DLDataType fuzz_arithmetic(fuzz_input *in, DLDataType other) {
  static const DLDataType known[] = {CASTABLE_REALS, {kDLComplex, 64, 1}, {kDLComplex, 128, 1}};
  const uint8_t choice = fuzz_byte(in);
  if (choice >= 240) {
    return other;
  }
  DLDataType dtype = known[choice % (sizeof known / sizeof *known)];
  dtype.lanes = other.lanes;
  return dtype;
}

static dlf_tensor *wrap(const DLTensor *tensor, uint64_t flags) {
  dlf_tensor *t = NULL;
  MUST(dlf_wrap(tensor, flags, NULL, NULL, &t, NULL) == DLF_OK);
  return t;
}

/* ---- which bits the destination's elements have ---- */

static int64_t bits_apart(DLDataType dtype, uint64_t flags) {
  const int64_t bits = (int64_t)dtype.bits * dtype.lanes;
  if (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) {
    return (bits + 7) / 8 * 8;
  }
  return bits;
}

static void mark(const DLTensor *t, int64_t apart, int32_t axis, int64_t first_bit) {
  if (axis == t->ndim) {
    memset(is_written + first_bit, 1, (size_t)apart);
    return;
  }
  for (int64_t i = 0; i < t->shape[axis]; i++) {
    mark(t, apart, axis + 1, first_bit + i * t->strides[axis] * apart);
  }
}

static void must_keep_the_rest(const dlf_tensor *destination) {
  const DLTensor *const t = dlf_dltensor(destination);
  int64_t count;
  memset(is_written, 0, sizeof is_written);
  MUST(dlf_count(t, &count, NULL) == DLF_OK);
  if (count > 0) { /* extents beside one of 0 may be huge */
    const int64_t first = 8 * ((uint8_t *)dlf_data(t) - fuzz_memory);
    mark(t, bits_apart(t->dtype, dlf_flags(destination)), 0, first);
  }
  for (int i = 0; i < FUZZ_MEMORY; i++) {
    const int changed = before[i] ^ fuzz_memory[i];
    for (int bit = 0; changed && bit < 8; bit++) {
      MUST(!(changed >> bit & 1) || is_written[8 * i + bit]);
    }
  }
}

/* ---- what each element becomes alone ---- */

/* Padding has any bits. */
static bool are_same(const uint8_t *a, const uint8_t *b, int64_t bits) {
  const int rest = (int)(bits % 8);
  const int mask = (1 << rest) - 1;
  return memcmp(a, b, (size_t)(bits / 8)) == 0 &&
         (rest == 0 || ((a[bits / 8] ^ b[bits / 8]) & mask) == 0);
}

/* Row-major copies, in which each element has bytes of its own. */
static void must_be_cast(const dlf_tensor *from, const dlf_tensor *to, bool saturate) {
  static int64_t none[1];
  uint8_t alone[16 * 64];
  int64_t count;
  DLTensor source = *dlf_dltensor(from);
  DLTensor result = *dlf_dltensor(to);
  const int64_t from_width = dlf_dtype_size(source.dtype);
  const int64_t to_width = dlf_dtype_size(result.dtype);
  MUST(dlf_count(&source, &count, NULL) == DLF_OK);
  char *const first = dlf_data(&source);
  const uint8_t *const got = dlf_data(&result);
  const int64_t bits = (int64_t)result.dtype.bits * result.dtype.lanes;
  source.ndim = result.ndim = 0;
  source.shape = result.shape = source.strides = result.strides = none;
  source.byte_offset = result.byte_offset = 0;
  result.data = alone;
  for (int64_t i = 0; i < count; i++) {
    source.data = first + i * from_width;
    memset(alone, 0, sizeof alone);
    dlf_tensor *one = wrap(&source, dlf_flags(from));
    dlf_tensor *its_cast = wrap(&result, dlf_flags(to));
    MUST(dlf_cast_into(one, its_cast, saturate, NULL) == DLF_OK);
    MUST(are_same(alone, got + i * to_width, bits));
    dlf_release(one);
    dlf_release(its_cast);
  }
}

static void cast(dlf_tensor *source, dlf_tensor *destination, bool saturate) {
  dlf_tensor *from = NULL, *to = NULL;
  dlf_error error = {0};
  const bool is_small = dlf_dtype_size(dlf_dltensor(destination)->dtype) <= 16 * 64;
  (void)dlf_copy_padded(source, &from, NULL); /* not of packed lanes */
  memcpy(before, fuzz_memory, FUZZ_MEMORY);
  if (dlf_cast_into(source, destination, saturate, &error) == DLF_OK) {
    must_keep_the_rest(destination);
    if (from && is_small && dlf_copy_padded(destination, &to, NULL) == DLF_OK) {
      must_be_cast(from, to, saturate);
    }
  } else {
    MUST(memcmp(before, fuzz_memory, FUZZ_MEMORY) == 0 && error.message[0]);
  }
  dlf_release(from);
  dlf_release(to);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  fuzz_tensor from, to;
  fuzz_fill(&in, &from);
  fuzz_fill(&in, &to);
  from.dl.dtype = fuzz_arithmetic(&in, from.dl.dtype);
  to.dl.dtype = fuzz_arithmetic(&in, from.dl.dtype);
  const uint8_t choices = fuzz_byte(&in);
  if (choices < 250) { /* mostly what fits */
    to.dl.ndim = from.dl.ndim;
    to.dl.shape = from.dl.shape;
  }
  for (size_t i = 0; i < FUZZ_MEMORY; i++) {
    fuzz_memory[i] = (uint8_t)(i * 7 + i / 256);
    if (in.size > 0) {
      fuzz_memory[i] ^= in.bytes[i % in.size];
    }
  }
  if (fuzz_is_readable(&from.dl, from.flags) && fuzz_is_readable(&to.dl, to.flags)) {
    dlf_tensor *source = wrap(&from.dl, from.flags);
    dlf_tensor *destination = wrap(&to.dl, to.flags);
    cast(source, destination, choices % 2 != 0);
    dlf_release(source);
    dlf_release(destination);
  }
  MUST(dlf_live() == 0);
  return 0;
}
