/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are printed in two passes over the same walk; the first only measures the widest one. */
#include "internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_ABOVE 1000   /* elements; NumPy's threshold */
#define EDGE 3               /* elements shown at each end of a summarised axis */
#define SHOWN_AT_MOST 100000 /* elements printed; many short axes could reach 2^62 */
#define ELEMENT_CAPACITY 80

enum { HALF = 10, SINGLE = 23, DOUBLE = 52 }; /* bits of the fraction */

/* A decimal number: its digits, with the point after the first, and its exponent. */
typedef struct decimal {
  char digits[24];
  int count, exponent;
} decimal;

/* The nearest decimal with this many digits to a value above 0. */
static decimal nearest_decimal(double value, int count) {
  char text[40];
  decimal d = {.count = count};
  snprintf(text, sizeof text, "%.*e", count - 1, value);
  char *const exponent = strchr(text, 'e');
  d.exponent = atoi(exponent + 1);
  int length = 0;
  for (const char *at = text; at < exponent; at++)
    if (*at >= '0' && *at <= '9') d.digits[length++] = *at; /* skips the locale's point */
  return d;
}

static void count_up(decimal *d) {
  int i = d->count - 1;
  for (; i >= 0 && d->digits[i] == '9'; i--) d->digits[i] = '0';
  if (i >= 0) {
    d->digits[i]++;
  } else { /* 9.9 becomes 10 */
    d->digits[0] = '1';
    d->exponent++;
  }
}

/* Multiply by a power of two between -1022 and 1023. */
static double scaled(double value, int power) {
  const uint64_t bits = (uint64_t)(power + 1023) << 52;
  double factor;
  memcpy(&factor, &bits, sizeof factor);
  return value * factor;
}

static bool is_power_of_two(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits & ((UINT64_C(1) << 52) - 1)) == 0;
}

/* True if no other value of the number's dtype is as near to the decimal. The value is above 0. */
static bool reads_back(const decimal *d, double value, const dlf__number *kind) {
  char text[40];
  int exponent;
  snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->exponent - d->count + 1);
  const double read = strtod(text, NULL);
  if (kind->fraction == DOUBLE) return read == value;
  if (kind->fraction == SINGLE) return strtof(text, NULL) == (float)value;
  /* With fewer bits, values halfway to the neighbours are doubles, and strtod does not confuse them with a decimal of
   * few digits. Halfway reads as the even neighbour. */
  for (exponent = kind->lowest; scaled(value, -exponent) >= 2; exponent++) continue;
  const double count = scaled(value, kind->fraction - exponent),
               distance = scaled(read, kind->fraction - exponent) - count;
  const bool lowest_of_its_size = scaled(count, -kind->fraction) == 1 && exponent > kind->lowest;
  const double below = lowest_of_its_size ? 0.25 : 0.5;
  if (distance == 0.5 || distance == -below) return (int64_t)count % 2 == 0;
  return distance < 0.5 && distance > -below;
}

/* The fewest digits that read back as the same number, as NumPy prints it: the nearest such decimal. */
static decimal shortest_decimal(double value, const dlf__number *kind) {
  enum { ENOUGH = 17 };
  for (int count = 1;; count++) {
    decimal d = nearest_decimal(value, count);
    if (count == ENOUGH || reads_back(&d, value, kind)) return d;
    if (!is_power_of_two(value)) continue;
    /* The values above are twice as far away as those below, so the next decimal may still read back. */
    count_up(&d);
    if (reads_back(&d, value, kind)) return d;
  }
}

static void put_real(dlf__text *text, double value, const dlf__number *kind) {
  if (value != value || value - value != 0) {
    dlf__put(text, value != value ? "nan" : value < 0 ? "-inf" : "inf");
    return;
  }
  if (signbit(value)) dlf__put(text, "-");
  if (value < 0) value = -value;
  if (value == 0) {
    dlf__put(text, "0.");
    return;
  }
  decimal d = shortest_decimal(value, kind);
  while (d.count > 1 && d.digits[d.count - 1] == '0') d.count--;
  /* As in NumPy: in full between 1e-4 and 1e16, and float16 below 1000, where its digits end. */
  if (d.exponent < -4 || d.exponent >= (kind->fraction == HALF ? 3 : 16)) {
    dlf__put(text, d.count > 1 ? "%c.%.*se%+03d" : "%c%.*se%+03d", d.digits[0], d.count - 1, d.digits + 1, d.exponent);
    return;
  }
  if (d.exponent < 0) dlf__put(text, "0.");
  for (int i = -1; i > d.exponent; i--) dlf__put(text, "0");
  for (int i = 0; i < d.count; i++) dlf__put(text, i == d.exponent ? "%c." : "%c", d.digits[i]);
  for (int i = d.count; i <= d.exponent; i++) dlf__put(text, i == d.exponent ? "0." : "0");
}

static void put_number(dlf__text *text, dlf__number number) {
  switch (number.kind) {
  case DLF__SIGNED: dlf__put(text, "%" PRId64, number.signed_value); break;
  case DLF__UNSIGNED: dlf__put(text, "%" PRIu64, number.unsigned_value); break;
  case DLF__TRUTH: dlf__put(text, number.unsigned_value ? "True" : "False"); break;
  case DLF__REAL: put_real(text, number.real, &number); break;
  case DLF__COMPLEX: {
    char imaginary[40];
    dlf__text part = dlf__text_in(imaginary, sizeof imaginary);
    put_real(&part, number.imaginary, &number);
    put_real(text, number.real, &number);
    dlf__put(text, "%s%sj", imaginary[0] == '-' ? "" : "+", imaginary);
  }
  }
}

typedef struct printer {
  const DLTensor *tensor;
  uint64_t flags;
  dlf__text *text;            /* NULL while measuring */
  int64_t step[DLF_MAX_NDIM]; /* in elements */
  int64_t width;
  bool summary;
} printer;

static void print_element(printer *p, int64_t element) {
  char buffer[ELEMENT_CAPACITY];
  dlf__text text = dlf__text_in(buffer, sizeof buffer);
  const int32_t lanes = p->tensor->dtype.lanes;
  if (lanes > 1) dlf__put(&text, "(");
  for (int32_t lane = 0; lane < lanes && text.length < text.capacity; lane++) {
    if (lane) dlf__put(&text, ", ");
    put_number(&text, dlf__read(p->tensor, p->flags, element, lane));
  }
  if (lanes > 1) dlf__put(&text, ")");
  dlf__text_finish(&text);
  const int64_t length = (int64_t)strlen(buffer);
  if (!p->text)
    p->width = length > p->width ? length : p->width;
  else
    dlf__put(p->text, "%*s%s", (int)(p->width - length), "", buffer);
}

static void print_axis(printer *p, int32_t axis, int64_t element) {
  const int32_t ndim = p->tensor->ndim;
  if (axis == ndim) {
    print_element(p, element);
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
    print_axis(p, axis + 1, element + i * p->step[axis]);
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
  if (dlf__unknown_flags(flags)) dlf__put(text, " flags 0x%" PRIx64, dlf__unknown_flags(flags));
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

int64_t dlf_describe_json(const dlf_tensor *self, char *buffer, int64_t capacity) {
  static const char *const flag_names[] = {"read_only", "is_copied", "subbyte_padded"};
  dlf__text text = dlf__text_in(buffer, capacity);
  char name[DLF_NAME_CAPACITY];
  const char *separator = "";
  if (!self) return text.length;
  const DLTensor *t = &self->dl;
  dlf_dtype_format(t->dtype, name, sizeof name);
  dlf__put(&text, "{\"dtype\": \"%s\", \"shape\": ", name);
  dlf__put_list(&text, t->shape, t->ndim);
  dlf__put(&text, ", \"strides\": ");
  dlf__put_list(&text, t->strides, t->ndim);
  dlf_device_format(t->device, name, sizeof name);
  dlf__put(&text, ", \"device\": \"%s\", \"flags\": [", name);
  for (int bit = 0; bit < 3; bit++) {
    if (!(self->flags >> bit & 1)) continue;
    dlf__put(&text, "%s\"%s\"", separator, flag_names[bit]);
    separator = ", ";
  }
  if (dlf__unknown_flags(self->flags))
    dlf__put(&text, "%s\"0x%" PRIx64 "\"", separator, dlf__unknown_flags(self->flags));
  dlf__put(&text, "], \"version\": \"%" PRIu32 ".%" PRIu32 "\", \"address\": \"0x%" PRIxPTR "\"", self->version.major,
           self->version.minor, (uintptr_t)dlf_data(t));
  dlf__put(&text, ", \"owner_known\": %s}", self->has_owner ? "true" : "false");
  return text.length;
}

/* Count the elements that print_axis would visit; stop once they are too many. */
static int64_t count_shown(const DLTensor *tensor, bool summary) {
  int64_t shown = 1;
  for (int32_t i = 0; i < tensor->ndim && shown <= SHOWN_AT_MOST; i++)
    shown *= summary && tensor->shape[i] > 2 * EDGE ? 2 * EDGE : tensor->shape[i];
  return shown;
}

static void print_elements(dlf__text *text, const DLTensor *tensor, uint64_t flags) {
  printer p = {.tensor = tensor, .flags = flags};
  int64_t count = 0;
  (void)dlf__count("format", tensor, &count, NULL);
  if (count > 0 && (!dlf__is_readable(tensor->dtype) || !dlf_is_reachable(tensor))) return;
  dlf__steps(tensor, p.step);
  p.summary = count > SUMMARY_ABOVE;
  if (count > 0 && count_shown(tensor, p.summary) > SHOWN_AT_MOST) return; /* if empty, the product might not fit */
  dlf__put(text, "\n");
  if (count == 0) {
    dlf__put(text, "[]");
    return;
  }
  print_axis(&p, 0, 0);
  p.text = text;
  print_axis(&p, 0, 0);
}

int64_t dlf_format(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf_error error;
  if (dlf__check("format", tensor, flags, &error)) {
    dlf__put(&text, "%s", error.message);
  } else {
    describe(&text, tensor, flags);
    if (!dlf__unknown_flags(flags)) print_elements(&text, tensor, flags);
  }
  dlf__text_finish(&text);
  return text.length;
}
