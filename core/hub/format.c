/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are printed in two passes over the same walk, the first of which only measures the widest one. */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_ABOVE 1000   /* elements; NumPy's threshold */
#define EDGE 3               /* elements shown at either end of a summarised axis */
#define SHOWN_AT_MOST 100000 /* elements printed; many short axes could ask for 2^62 of them */
#define ELEMENT_CAPACITY 80

static float float_of_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float float_of_half(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 1023;
  if (exponent == 0) return (sign ? -1.0f : 1.0f) * (float)fraction * 0x1p-24f;
  return float_of_bits(sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13);
}

static float float_of_bfloat(uint16_t bfloat) { return float_of_bits((uint32_t)bfloat << 16); }

/* The least digits that read back as the same number; `digits` are enough for the type. */
static void put_real(dlf__text *text, double value, int digits, bool single) {
  char buffer[40];
  if (isnan(value) || isinf(value)) {
    dlf__put(text, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  for (int precision = 1; precision <= digits; precision++) {
    snprintf(buffer, sizeof buffer, "%.*g", precision, value);
    if (single ? strtof(buffer, NULL) == (float)value : strtod(buffer, NULL) == value) break;
  }
  char *point = strpbrk(buffer, ",."); /* the locale's */
  if (point) *point = '.';
  dlf__put(text, "%s%s", buffer, point || strchr(buffer, 'e') ? "" : ".");
}

/* A real number of a floating dtype; false when this build cannot read it. */
static bool put_float(dlf__text *text, int code, int bits, const char *at) {
  uint16_t half;
  float single;
  double real;
  if (bits == 16) {
    memcpy(&half, at, sizeof half);
    single = code == kDLBfloat ? float_of_bfloat(half) : float_of_half(half);
    put_real(text, (double)single, code == kDLBfloat ? 4 : 5, true);
  } else if (bits == 32 && code == kDLFloat) {
    memcpy(&single, at, sizeof single);
    put_real(text, (double)single, 9, true);
  } else if (bits == 64 && code == kDLFloat) {
    memcpy(&real, at, sizeof real);
    put_real(text, real, 17, false);
  } else {
    return false;
  }
  return true;
}

static bool put_integer(dlf__text *text, bool is_signed, int bits, const char *at) {
  uint64_t value = 0;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  memcpy((char *)&value + 8 - bits / 8, at, (size_t)bits / 8);
#else
  memcpy(&value, at, (size_t)bits / 8);
#endif
  const uint64_t sign = UINT64_C(1) << (bits - 1);
  if (is_signed)
    dlf__put(text, "%" PRId64, (int64_t)((value ^ sign) - sign));
  else
    dlf__put(text, "%" PRIu64, value);
  return true;
}

static bool put_lane(dlf__text *text, DLDataType dtype, const char *at) {
  switch (dtype.code) {
  case kDLInt:
  case kDLUInt: return put_integer(text, dtype.code == kDLInt, dtype.bits, at);
  case kDLFloat:
  case kDLBfloat: return put_float(text, dtype.code, dtype.bits, at);
  case kDLBool: return dtype.bits == 8 && (dlf__put(text, *at ? "True" : "False"), true);
  case kDLComplex:
  case DLF__BCOMPLEX: {
    const int64_t start = text->length;
    const int code = dtype.code == kDLComplex ? kDLFloat : kDLBfloat, bits = dtype.bits / 2;
    char imaginary[ELEMENT_CAPACITY];
    dlf__text part = dlf__text_in(imaginary, sizeof imaginary);
    if (!put_float(text, code, bits, at) || !put_float(&part, code, bits, at + bits / 8)) {
      text->length = start;
      return false;
    }
    dlf__put(text, "%s%sj", imaginary[0] == '-' ? "" : "+", imaginary);
    return true;
  }
  default: return false;
  }
}

static bool put_element(dlf__text *text, DLDataType dtype, const char *at) {
  if (dtype.lanes == 1) return put_lane(text, dtype, at);
  dlf__put(text, "(");
  for (int lane = 0; lane < dtype.lanes && text->length < text->capacity; lane++) {
    if (lane) dlf__put(text, ", ");
    if (!put_lane(text, dtype, at + lane * (dtype.bits / 8))) return false;
  }
  dlf__put(text, ")");
  return true;
}

typedef struct printer {
  const DLTensor *tensor;
  dlf__text *text; /* NULL while measuring */
  int64_t step[DLF_MAX_NDIM];
  int64_t width;
  bool summary;
} printer;

static void print_element(printer *p, const char *at) {
  char buffer[ELEMENT_CAPACITY];
  dlf__text element = dlf__text_in(buffer, sizeof buffer);
  put_element(&element, p->tensor->dtype, at);
  dlf__text_finish(&element);
  const int64_t length = (int64_t)strlen(buffer);
  if (!p->text)
    p->width = length > p->width ? length : p->width;
  else
    dlf__put(p->text, "%*s%s", (int)(p->width - length), "", buffer);
}

static void print_axis(printer *p, int32_t axis, const char *at) {
  const int32_t ndim = p->tensor->ndim;
  if (axis == ndim) {
    print_element(p, at);
    return;
  }
  const int64_t extent = p->tensor->shape[axis];
  const bool cut = p->summary && extent > 2 * EDGE, innermost = axis + 1 == ndim;
  if (p->text) dlf__put(p->text, "[");
  for (int64_t i = 0; i < extent; i++) {
    if (p->text && i && innermost) dlf__put(p->text, ", ");
    if (p->text && i && !innermost) {
      dlf__put(p->text, ",");
      for (int32_t line = axis + 1; line < ndim; line++) dlf__put(p->text, "\n");
      dlf__put(p->text, "%*s", axis + 1, "");
    }
    if (cut && i == EDGE) {
      if (p->text) dlf__put(p->text, "...");
      i = extent - EDGE - 1;
      continue;
    }
    print_axis(p, axis + 1, at + i * p->step[axis]);
  }
  if (p->text) dlf__put(p->text, "]");
}

static void describe(dlf__text *text, const DLTensor *tensor, uint64_t flags) {
  char name[DLF_NAME_CAPACITY];
  dlf_dtype_format(tensor->dtype, name, sizeof name);
  dlf__put(text, "%s", name);
  dlf__put_list(text, tensor->shape, tensor->ndim);
  if (!dlf_is_contiguous(tensor, DLF_ROW_MAJOR)) {
    dlf__put(text, " strides ");
    dlf__put_list(text, tensor->strides, tensor->ndim);
  }
  dlf_device_format(tensor->device, name, sizeof name);
  dlf__put(text, " %s", name);
  if (flags & DLPACK_FLAG_BITMASK_READ_ONLY) dlf__put(text, " read-only");
  if (flags & DLPACK_FLAG_BITMASK_IS_COPIED) dlf__put(text, " copied");
  if (flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) dlf__put(text, " padded");
}

int64_t dlf_describe(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf_error error;
  if (dlf__check("describe", tensor, flags, &error))
    dlf__put(&text, "%s", error.message);
  else
    describe(&text, tensor, flags);
  dlf__text_finish(&text);
  return text.length;
}

/* Elements that print_axis would visit; stops counting once they are too many. */
static int64_t count_shown(const DLTensor *tensor, bool summary) {
  int64_t shown = 1;
  for (int32_t i = 0; i < tensor->ndim && shown <= SHOWN_AT_MOST; i++)
    shown *= summary && tensor->shape[i] > 2 * EDGE ? 2 * EDGE : tensor->shape[i];
  return shown;
}

static void print_elements(dlf__text *text, const DLTensor *tensor) {
  printer p = {.tensor = tensor};
  char buffer[ELEMENT_CAPACITY];
  dlf__text probe = dlf__text_in(buffer, sizeof buffer);
  const int64_t size = dlf__element_bits(tensor->dtype) / 8;
  int64_t count = 0, stride[DLF_MAX_NDIM];
  (void)dlf__count("format", tensor, &count, NULL);
  if (count > 0 && (tensor->dtype.bits % 8 != 0 || !dlf_is_cpu_accessible(tensor->device) ||
                    !put_element(&probe, tensor->dtype, dlf_data(tensor))))
    return;
  (void)dlf__compact_strides("format", tensor->ndim, tensor->shape, DLF_ROW_MAJOR, stride, NULL);
  for (int32_t i = 0; i < tensor->ndim; i++) /* nothing bounds the stride of an axis of extent 1 */
    p.step[i] = tensor->shape[i] > 1 && count ? (tensor->strides ? tensor->strides[i] : stride[i]) * size : 0;
  p.summary = count > SUMMARY_ABOVE;
  if (count_shown(tensor, p.summary) > SHOWN_AT_MOST) return;
  dlf__put(text, "\n");
  if (count == 0) {
    dlf__put(text, "[]");
    return;
  }
  print_axis(&p, 0, dlf_data(tensor));
  p.text = text;
  print_axis(&p, 0, dlf_data(tensor));
}

int64_t dlf_format(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf_error error;
  if (dlf__check("format", tensor, flags, &error)) {
    dlf__put(&text, "%s", error.message);
  } else {
    describe(&text, tensor, flags);
    print_elements(&text, tensor);
  }
  dlf__text_finish(&text);
  return text.length;
}
