/* SPDX-License-Identifier: Apache-2.0 */
/* Elements are printed in three passes over the same walk: the first finds the range, the second
 * measures the widest element in the notation that the range decides, the third prints. Layout and
 * notation are those of NumPy's array2string with a comma as the separator. */
#include "hub/rounding.h"

#define SUMMARY_ABOVE 1000   /* elements; NumPy's threshold */
#define EDGE 3               /* elements shown at each end of a summarised axis */
#define SHOWN_AT_MOST 100000 /* elements printed; many short axes could reach 2^62 */
#define ELEMENT_CAPACITY 80
#define LINE_WIDTH 75 /* NumPy's */

typedef struct printer {
  const DLTensor *tensor;
  uint64_t flags;
  dlf__text *text; /* NULL while measuring */
  void (*measure)(dlf__column *column, const dlf__number *number, double value);
  int64_t step[DLF_MAX_NDIM]; /* in elements */
  dlf__column real, imaginary;
  int64_t column; /* of the line, for its end */
  bool summary;
} printer;

static void measure_element(printer *p, int64_t element) {
  for (int32_t lane = 0; lane < p->tensor->dtype.lanes; lane++) {
    const dlf__number number = dlf__read(p->tensor, p->flags, element, lane);
    p->measure(&p->real, &number, number.real);
    if (number.kind == DLF_NUMBER_COMPLEX) {
      p->measure(&p->imaginary, &number, number.imaginary);
    }
  }
}

static void put_number(const printer *p, dlf__text *text, int64_t element, int32_t lane) {
  const dlf__number number = dlf__read(p->tensor, p->flags, element, lane);
  dlf__column_put(&p->real, text, &number, number.real);
  if (number.kind != DLF_NUMBER_COMPLEX) {
    return;
  }
  char buffer[ELEMENT_CAPACITY];
  dlf__text part = dlf__text_in(buffer, sizeof buffer);
  dlf__column_put(&p->imaginary, &part, &number, number.imaginary);
  const int length = (int)strlen(buffer);
  const int end = (int)strcspn(buffer + strspn(buffer, " "), " ") + (int)strspn(buffer, " ");
  dlf__put(text, "%.*sj%*s", end, buffer, length - end, "");
}

/* Begin another word of a line, or another line if it would be too long. */
static void separate(printer *p, int32_t axis, int64_t i, int64_t width) {
  const int64_t indent = axis + 1;
  const int64_t room = LINE_WIDTH - axis - 1;
  if (i == 0) {
    p->column = indent;
  } else if (p->column + 2 + width > room) {
    dlf__put(p->text, ",\n%*s", (int)indent, "");
    p->column = indent;
  } else {
    dlf__put(p->text, ", ");
    p->column += 2;
  }
  p->column += width;
}

static int64_t width_of_element(const printer *p) {
  const int64_t lane =
      dlf__column_width(&p->real) + (p->imaginary.used ? dlf__column_width(&p->imaginary) + 1 : 0);
  if (p->tensor->dtype.lanes == 1) {
    return lane;
  }
  return p->tensor->dtype.lanes * (lane + 2);
}

static void print_element(printer *p, int64_t element) {
  char buffer[ELEMENT_CAPACITY];
  dlf__text text = dlf__text_in(buffer, sizeof buffer);
  const int32_t lanes = p->tensor->dtype.lanes;
  if (lanes > 1) {
    dlf__put(&text, "(");
  }
  for (int32_t lane = 0; lane < lanes && text.length < text.capacity; lane++) {
    if (lane) {
      dlf__put(&text, ", ");
    }
    put_number(p, &text, element, lane);
  }
  if (lanes > 1) {
    dlf__put(&text, ")");
  }
  dlf__text_finish(&text);
  dlf__put(p->text, "%s", buffer);
}

static void print_axis(printer *p, int32_t axis, int64_t element) {
  const int32_t ndim = p->tensor->ndim;
  if (axis == ndim) {
    if (p->text) {
      print_element(p, element);
    } else {
      measure_element(p, element);
    }
    return;
  }
  const int64_t extent = p->tensor->shape[axis];
  const bool cut = p->summary && extent > 2 * EDGE;
  const bool innermost = axis + 1 == ndim;
  if (p->text) {
    dlf__put(p->text, "[");
  }
  for (int64_t i = 0; i < extent; i++) {
    const bool gap = cut && i == EDGE;
    if (p->text && innermost) {
      separate(p, axis, i, gap ? 3 : width_of_element(p));
    }
    if (p->text && i && !innermost) {
      dlf__put(p->text, ",");
      for (int32_t line = axis + 1; line < ndim; line++) {
        dlf__put(p->text, "\n");
      }
      dlf__put(p->text, "%*s", axis + 1, "");
    }
    if (gap) {
      if (p->text) {
        dlf__put(p->text, "...");
      }
      i = extent - EDGE - 1;
      continue;
    }
    print_axis(p, axis + 1, element + i * p->step[axis]);
  }
  if (p->text) {
    dlf__put(p->text, "]");
  }
}

static void describe(dlf__text *text, const DLTensor *tensor, uint64_t flags) {
  static const char *const flag_names[] = {" read-only", " copied", " padded"};
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
  for (int bit = 0; bit < 3; bit++) {
    if (flags >> bit & 1) {
      dlf__put(text, "%s", flag_names[bit]);
    }
  }
  if (dlf__unknown_flags(flags)) {
    dlf__put(text, " flags 0x%" PRIx64, dlf__unknown_flags(flags));
  }
}

int64_t dlf_describe_json(const dlf_tensor *self, char *buffer, int64_t capacity) {
  static const char *const flag_names[] = {"read_only", "is_copied", "subbyte_padded"};
  dlf__text text = dlf__text_in(buffer, capacity);
  char name[DLF_NAME_CAPACITY];
  const char *separator = "";
  if (!self) {
    return text.length;
  }
  const DLTensor *t = &self->dl;
  dlf_dtype_format(t->dtype, name, sizeof name);
  dlf__put(&text, "{\"dtype\": \"%s\", \"shape\": ", name);
  dlf__put_list(&text, t->shape, t->ndim);
  dlf__put(&text, ", \"strides\": ");
  dlf__put_list(&text, t->strides, t->ndim);
  dlf_device_format(t->device, name, sizeof name);
  dlf__put(&text, ", \"device\": \"%s\", \"flags\": [", name);
  for (int bit = 0; bit < 3; bit++) {
    if (!(self->flags >> bit & 1)) {
      continue;
    }
    dlf__put(&text, "%s\"%s\"", separator, flag_names[bit]);
    separator = ", ";
  }
  if (dlf__unknown_flags(self->flags)) {
    dlf__put(&text, "%s\"0x%" PRIx64 "\"", separator, dlf__unknown_flags(self->flags));
  }
  dlf__put(&text,
           "], \"version\": \"%" PRIu32 ".%" PRIu32 "\", \"address\": \"0x%" PRIxPTR "\"",
           self->version.major,
           self->version.minor,
           (uintptr_t)dlf_data(t));
  dlf__put(&text, ", \"owner_known\": %s}", self->has_owner ? "true" : "false");
  return text.length;
}

/* Count the elements that print_axis would visit; stop once they are too many. */
static int64_t count_shown(const DLTensor *tensor, bool summary) {
  int64_t shown = 1;
  for (int32_t i = 0; i < tensor->ndim && shown <= SHOWN_AT_MOST; i++) {
    if (summary && tensor->shape[i] > 2 * EDGE) {
      shown *= 2 * EDGE;
    } else {
      shown *= tensor->shape[i];
    }
  }
  return shown;
}

static void print_elements(dlf__text *text, const DLTensor *tensor, uint64_t flags) {
  printer p = {.tensor = tensor, .flags = flags, .measure = dlf__column_see};
  int64_t count = 0;
  (void)dlf__count("format", tensor, &count, NULL);
  if (count > 0 && (!dlf__is_readable(tensor->dtype) || !dlf_is_reachable(tensor))) {
    return;
  }
  dlf__steps(tensor, p.step);
  p.summary = count > SUMMARY_ABOVE;
  if (count > 0 && count_shown(tensor, p.summary) > SHOWN_AT_MOST) {
    return; /* if empty, the product might not fit */
  }
  dlf__put(text, "\n");
  if (count == 0) {
    dlf__put(text, "[]");
    return;
  }
  p.real.in_axes = tensor->ndim > 0;
  p.imaginary.plus = true;
  print_axis(&p, 0, 0);
  p.measure = dlf__column_fit;
  dlf__column_decide(&p.real);
  dlf__column_decide(&p.imaginary);
  print_axis(&p, 0, 0);
  p.text = text;
  print_axis(&p, 0, 0);
}

/* Describe a tensor in a line, and on request print its elements behind it. */
static int64_t format_tensor(const char *name, bool with_elements, const DLTensor *tensor,
                             uint64_t flags, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  dlf_error error;
  if (dlf__check(name, tensor, flags, &error)) {
    dlf__put(&text, "%s", error.message);
  } else {
    describe(&text, tensor, flags);
    if (with_elements && !dlf__unknown_flags(flags)) {
      const dlf__rounding before = dlf__rounding_begin();
      print_elements(&text, tensor, flags);
      dlf__rounding_end(before);
    }
  }
  dlf__text_finish(&text);
  return text.length;
}

int64_t dlf_describe(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity) {
  return format_tensor("describe", false, tensor, flags, buffer, capacity);
}

int64_t dlf_format(const DLTensor *tensor, uint64_t flags, char *buffer, int64_t capacity) {
  return format_tensor("format", true, tensor, flags, buffer, capacity);
}
