/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of tensors, lists and arrays, read by recursive descent. Names are resolved within
 * one clause; prove.c does what needs all clauses. */
#include "hub/internal.h"
#include "reader.h"

#include <stdio.h>
#include <string.h>

static bool read_axis(contract_reader *r, dlf__clause *c, dlf__axis *out) {
  dlf__axis axis = {DLF__AXIS_EXPRESSION, -1, -1, -1, 0, NULL};
  const char *start = dlf__skip_blanks(r);
  const size_t size = dlf__word_here(r);
  if (dlf__takes_mark(r, "...")) {
    if (c->run >= 0) {
      return dlf__wants(r, "expected `...` once");
    }
    axis.kind = DLF__AXIS_RUN;
    c->run = c->axis_count;
  } else if (dlf__word_is(start, size, "_")) {
    r->at += size;
    axis.kind = DLF__AXIS_ANY;
  } else if (dlf__word_is(start, size, "hook")) {
    if (c->list) {
      return dlf__wants(r, "hook() is for an extent of one tensor");
    }
    axis.kind = DLF__AXIS_HOOK;
    if (!dlf__read_hook(r, &axis.hook)) {
      return false;
    }
  } else {
    axis.node = dlf__read_sum(r);
    if (r->status) {
      return false;
    }
    const dlf__node *node = &r->self->nodes[axis.node];
    if (node->op == DLF__SYMBOL) {
      axis.kind = DLF__AXIS_SYMBOL;
      axis.symbol = node->symbol;
    }
    if (dlf__takes_mark(r, "<=")) {
      if (!dlf__is_output(c) || c->opt) {
        return dlf__wants(r, "`<=` is for an output that the call may make");
      }
      if (axis.symbol < 0) {
        return dlf__wants(r, "expected a name before `<=`");
      }
      if (!dlf__read_limit(r, axis.symbol)) {
        return false;
      }
    }
  }
  axis.text = dlf__source_text(r, start);
  *out = axis;
  return !r->status;
}

static bool refuse_more_axes(contract_reader *r) {
  char text[48];
  snprintf(text, sizeof text, "expected at most %d axes", DLF_MAX_NDIM);
  return dlf__wants(r, text);
}

static bool read_types_and_shape(contract_reader *r, dlf__clause *c) {
  const size_t size = dlf__word_here(r);
  DLDataType dtype;
  if (dlf__takes_word(r, "any")) {
    c->dtype_count = 0;
  } else if (size && dlf__reads_dtype(r->at, size, &dtype)) {
    if (!dlf__read_dtypes(r, &c->dtypes, &c->dtype_count)) {
      return false;
    }
  } else {
    if (!size) {
      return dlf__wants(r, "expected a dtype or a type variable");
    }
    c->type = dlf__type_named(r, r->at, size);
    if (c->type < 0) {
      return false;
    }
    r->at += size;
  }
  if (!dlf__takes_mark(r, "[")) {
    return dlf__wants(r, "expected `[`");
  }
  if (dlf__takes_mark(r, "]")) {
    return true;
  }
  dlf__axis found[DLF_MAX_NDIM];
  do {
    if (c->axis_count == DLF_MAX_NDIM) {
      return refuse_more_axes(r);
    }
    if (!read_axis(r, c, &found[c->axis_count])) {
      return false;
    }
    c->axis_count++;
  } while (dlf__takes_mark(r, ","));
  c->axes = dlf__keep(r, (size_t)c->axis_count, sizeof *c->axes);
  if (c->axes) {
    memcpy(c->axes, found, (size_t)c->axis_count * sizeof *found);
  }
  return dlf__takes_mark(r, "]") || dlf__wants(r, "expected `,` or `]`");
}

static bool read_devices(contract_reader *r, dlf__clause *c) {
  int32_t found[16];
  int32_t n = 0;
  do {
    char word[DLF_NAME_CAPACITY];
    DLDevice device;
    const size_t size = dlf__word_here(r);
    if (n == 16) {
      return dlf__wants(r, "expected at most 16 devices");
    }
    if (!size || size >= sizeof word) {
      return dlf__wants(r, "expected a device");
    }
    memcpy(word, r->at, size);
    word[size] = 0;
    if (dlf_device_parse(word, &device, NULL)) {
      return dlf__wants(r,
                        "expected a property (strided, rows, fortran, dense, samelayout, "
                        "noalias, align, samedevice, "
                        "anydevice), a device or `;`");
    }
    r->at += size;
    found[n++] = (int32_t)device.device_type;
  } while (dlf__takes_mark(r, "|"));
  c->devices = dlf__keep(r, (size_t)n, sizeof *c->devices);
  if (!c->devices) {
    return false;
  }
  memcpy(c->devices, found, (size_t)n * sizeof *found);
  c->device_count = n;
  c->place = DLF__PLACE_LIST;
  return true;
}

/* Fail at a place that was passed already. */
static bool wants_at(contract_reader *r, const char *start, const char *wanted) {
  r->at = start;
  return dlf__wants(r, wanted);
}

static bool read_align(contract_reader *r, dlf__clause *c) {
  dlf__node node;
  const char *start = dlf__skip_blanks(r);
  if (!dlf__read_number(r, &node)) {
    return false;
  }
  if (node.op == DLF__INTEGER && node.integer > 0 && node.integer <= 1 << 20 &&
      (node.integer & (node.integer - 1)) == 0) {
    c->align = node.integer;
    return true;
  }
  return wants_at(r, start, "expected an alignment, a power of two up to 1048576");
}

static bool takes_layout(contract_reader *r, dlf__layout *out) {
  for (int32_t i = 0; i < DLF__LAYOUT_COUNT; i++) {
    if (!dlf__layouts[i].word || !dlf__takes_word(r, dlf__layouts[i].word)) {
      continue;
    }
    *out = (dlf__layout)i;
    return true;
  }
  return false;
}

static bool read_place(contract_reader *r, dlf__clause *c) {
  if (dlf__takes_word(r, "samedevice")) {
    c->place = DLF__PLACE_SAME;
  } else if (dlf__takes_word(r, "anydevice")) {
    c->place = DLF__PLACE_ANY;
  } else {
    return read_devices(r, c);
  }
  return true;
}

/* Properties may come in any order, each kind once, except `samelayout` beside another layout. */
static bool read_properties(contract_reader *r, dlf__clause *c) {
  bool layout = false;
  bool device = false;
  c->same_layout = c->noalias = false;
  while (dlf__word_here(r)) {
    dlf__layout found;
    const char *start = r->at;
    if (takes_layout(r, &found)) {
      if (layout) {
        return wants_at(r, start, "expected one layout");
      }
      layout = true;
      c->layout = found;
    } else if (dlf__takes_word(r, "samelayout")) {
      if (c->same_layout) {
        return wants_at(r, start, "expected `samelayout` once");
      }
      c->same_layout = true;
    } else if (dlf__takes_word(r, "noalias")) {
      if (c->noalias) {
        return wants_at(r, start, "expected `noalias` once");
      }
      c->noalias = true;
    } else if (dlf__takes_word(r, "align")) {
      if (c->align) {
        return wants_at(r, start, "expected one alignment");
      }
      if (!read_align(r, c)) {
        return false;
      }
    } else {
      if (device) {
        return dlf__wants(r, "expected one device property");
      }
      device = true;
      if (!read_place(r, c)) {
        return false;
      }
    }
  }
  if (c->same_layout && !layout) {
    c->layout = DLF__LAYOUT_STRIDED;
  }
  return !r->status;
}

/* After the `*`: the name of the count. */
static int32_t read_number_name(contract_reader *r, int32_t parameter) {
  const size_t size = dlf__word_here(r);
  if (!size) {
    return dlf__wants(r, "expected a name for how many there are"), -1;
  }
  const int32_t symbol = dlf__symbol_named(r, r->at, size);
  if (symbol < 0) {
    return -1;
  }
  dlf__symbol *s = &r->self->symbols[symbol];
  if (s->real) {
    return dlf__wants(r, "expected the name of an integer"), -1;
  }
  if (s->counts < 0) {
    s->counts = parameter;
  }
  r->at += size;
  return symbol;
}

bool dlf__read_array(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__array *a = &self->arrays[self->array_count];
  if (dlf__contract_array(self, parameter)) {
    return dlf__wants(r, "expected one clause for each array");
  }
  const size_t size = dlf__word_here(r);
  const bool objects = dlf__word_is(r->at, size, "in");
  const bool texts = dlf__word_is(r->at, size, "text"); /* its dtype has no bits */
  if (objects) {
    a->dtype.code = kDLOpaqueHandle;
  } else if (!texts &&
             (!size || !dlf__reads_dtype(r->at, size, &a->dtype) || a->dtype.lanes != 1 ||
              a->dtype.bits % 8 != 0 || !(a->dtype.code <= kDLFloat || a->dtype.code == kDLBool))) {
    return dlf__wants_dtype(r, "expected the dtype of a C number");
  }
  r->at += size;
  if (!dlf__takes_mark(r, "*")) {
    return dlf__wants(r, "expected `*` and a name for how many there are");
  }
  a->parameter = parameter;
  a->symbol = read_number_name(r, parameter);
  self->array_count += !r->status;
  return !r->status;
}

/* `like NAME`: dtype, extents, layout and device of an earlier tensor. */
static bool read_like(contract_reader *r, dlf__clause *c) {
  const size_t size = dlf__word_here(r);
  const int32_t model = dlf__parameter_named(r->self, r->at, size);
  const dlf__clause *from = dlf__contract_clause(r->self, model);
  if (!from) {
    return dlf__wants(r, "expected the name of a tensor");
  }
  if (from == c) {
    return dlf__wants(r, "expected the name of another tensor");
  }
  r->at += size;
  if (from->implicit) {
    return dlf__wants(r, "`like` needs a clause before it for that tensor");
  }
  if (from->list) {
    return dlf__wants(r, "`like` needs one tensor, not a list");
  }
  if (from->after_call) {
    return dlf__wants(r, "`like` needs a tensor that is there before the call");
  }
  if (from->opt) {
    return dlf__wants(r, "`like` needs a tensor that is always there");
  }
  c->like = model; /* a parameter here, a clause once prove.c has ordered them */
  c->type = from->type;
  c->dtypes = from->dtypes;
  c->dtype_count = from->dtype_count;
  c->axes = from->axes;
  c->axis_count = from->axis_count;
  c->run = from->run;
  c->layout = from->layout;
  c->place = from->place;
  c->devices = from->devices;
  c->device_count = from->device_count;
  return true;
}

bool dlf__read_tensor(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__clause *c = self->clauses;
  while (c->parameter != parameter) {
    c++; /* every tensor has one */
  }
  if (!c->implicit) {
    return dlf__wants(r, "expected one clause for each tensor");
  }
  const char *start = r->at;
  c->implicit = false;
  for (bool more = true; more;) {
    more = false;
    if (c->written && !c->inout && dlf__takes_word(r, "out")) {
      break;
    }
    if (!c->written && dlf__takes_word(r, "in")) {
      break;
    }
    if (dlf__takes_word(r, "inout")) {
      c->inout = more = true;
    }
    if (dlf__takes_word(r, "opt")) {
      c->opt = more = true;
    }
  }
  if (c->opt && c->list) {
    return dlf__wants(r, "a list is never absent, though it may be empty");
  }
  if (c->opt && c->after_call) {
    return dlf__wants(r, "opt is for a tensor that the caller gives");
  }
  if (c->inout && !c->written) {
    r->at = start;
    return dlf__wants(r, "inout is for a DLTensor * that is not const");
  }
  if (!(dlf__takes_word(r, "like") ? read_like(r, c) : read_types_and_shape(r, c))) {
    return false;
  }
  if (dlf__takes_mark(r, "*")) {
    if (!c->list) {
      return dlf__wants(r, "`*` is for a list, a const DLTensor *const *");
    }
    c->count = read_number_name(r, parameter);
    if (c->count < 0) {
      return false;
    }
  }
  return read_properties(r, c);
}
