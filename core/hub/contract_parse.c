/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of the contract language, read by recursive descent. Names are resolved here as far as one clause shows;
 * what needs all of them is in contract.c. */
#include "contract_reader.h"
#include "internal.h"

#include <stdio.h>
#include <string.h>

/* ---- tensor clauses ---- */

/* hook(f): what f returns; a name that was there before keeps its number. */
static bool read_hook(contract_reader *r, const dlf__clause *c, dlf__axis *axis) {
  dlf_contract *self = r->self;
  if (!c->written || c->inout) return dlf__wants(r, "hook() is only for an output's extent");
  (void)dlf__takes_word(r, "hook");
  if (!dlf__takes_mark(r, "(")) return dlf__wants(r, "expected `(`");
  const size_t size = dlf__word_here(r);
  if (!size) return dlf__wants(r, "expected the name of a function");
  axis->kind = DLF__AXIS_HOOK;
  axis->hook = 0;
  while (axis->hook < self->hook_count && !dlf__word_is(r->at, size, self->hooks[axis->hook])) axis->hook++;
  if (axis->hook == DLF__MAX_HOOKS) return dlf__wants(r, "expected at most 16 hooks");
  if (axis->hook == self->hook_count) self->hooks[self->hook_count++] = dlf__keep_text(r, r->at, size);
  r->at += size;
  return dlf__takes_mark(r, ")") || dlf__wants(r, "expected `)`");
}

static bool read_axis(contract_reader *r, dlf__clause *c) {
  dlf__axis axis = {DLF__AXIS_EXPRESSION, -1, -1, -1, 0, NULL};
  dlf__skip_blanks(r);
  const char *start = r->at;
  const size_t size = dlf__word_here(r);
  if (dlf__takes_mark(r, "...")) {
    if (c->run >= 0) return dlf__wants(r, "expected `...` once");
    axis.kind = DLF__AXIS_RUN;
    c->run = c->axis_count;
  } else if (dlf__word_is(start, size, "_")) {
    r->at += size;
    axis.kind = DLF__AXIS_ANY;
  } else if (dlf__word_is(start, size, "hook")) {
    if (!read_hook(r, c, &axis)) return false;
  } else {
    axis.node = dlf__read_sum(r);
    if (r->status) return false;
    const dlf__node *node = &r->self->nodes[axis.node];
    if (node->op == DLF__SYMBOL) {
      axis.kind = DLF__AXIS_SYMBOL;
      axis.symbol = node->symbol;
    }
  }
  axis.text = dlf__source_text(r, start);
  c->axes[c->axis_count++] = axis;
  return !r->status;
}

static bool read_types_and_shape(contract_reader *r, dlf__clause *c) {
  const size_t size = dlf__word_here(r);
  DLDataType dtype;
  if (dlf__takes_word(r, "any")) {
    c->dtype_count = 0;
  } else if (size && dlf__reads_dtype(r->at, size, &dtype)) {
    if (!dlf__read_dtypes(r, &c->dtypes, &c->dtype_count)) return false;
  } else {
    if (!size) return dlf__wants(r, "expected a dtype or a type variable");
    c->type = dlf__type_named(r, r->at, size);
    if (c->type < 0) return false;
    r->at += size;
  }
  if (!dlf__takes_mark(r, "[")) return dlf__wants(r, "expected `[`");
  c->axes = dlf__keep(r, DLF_MAX_NDIM + 1, sizeof *c->axes);
  if (!c->axes) return false;
  if (dlf__takes_mark(r, "]")) return true;
  do {
    if (c->axis_count == DLF_MAX_NDIM) return dlf__wants(r, "expected at most 64 axes");
    if (!read_axis(r, c)) return false;
  } while (dlf__takes_mark(r, ","));
  return dlf__takes_mark(r, "]") || dlf__wants(r, "expected `,` or `]`");
}

static bool read_devices(contract_reader *r, dlf__clause *c) {
  int32_t found[16], n = 0;
  do {
    char word[DLF_NAME_CAPACITY];
    DLDevice device;
    const size_t size = dlf__word_here(r);
    if (n == 16) return dlf__wants(r, "expected at most 16 devices");
    if (!size || size >= sizeof word) return dlf__wants(r, "expected a device");
    memcpy(word, r->at, size);
    word[size] = 0;
    if (dlf_device_parse(word, &device, NULL)) return dlf__wants(r, "expected a property, a device or `;`");
    r->at += size;
    found[n++] = (int32_t)device.device_type;
  } while (dlf__takes_mark(r, "|"));
  c->devices = dlf__keep(r, (size_t)n, sizeof *c->devices);
  if (!c->devices) return false;
  memcpy(c->devices, found, (size_t)n * sizeof *found);
  c->device_count = n;
  c->place = DLF__PLACE_LIST;
  return true;
}

static bool read_align(contract_reader *r, dlf__clause *c) {
  dlf__node node;
  dlf__skip_blanks(r);
  const char *start = r->at;
  if (!dlf__read_number(r, &node)) return false;
  if (node.op == DLF__INTEGER && node.integer > 0 && node.integer <= 1 << 20 &&
      (node.integer & (node.integer - 1)) == 0) {
    c->align = node.integer;
    return true;
  }
  r->at = start;
  return dlf__wants(r, "expected an alignment, a power of two up to 1048576");
}

/* Order of properties is free; each kind of property may stand once, but `samelayout` beside another layout. */
static bool read_properties(contract_reader *r, dlf__clause *c) {
  static const struct {
    const char *word;
    dlf__layout layout;
  } layouts[] = {{"strided", DLF__LAYOUT_STRIDED},
                 {"rows", DLF__LAYOUT_ROWS},
                 {"fortran", DLF__LAYOUT_FORTRAN},
                 {"dense", DLF__LAYOUT_DENSE}};
  bool layout = false, device = false;
  c->same_layout = c->noalias = false;
  while (dlf__word_here(r)) {
    bool taken = false;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts && !taken; i++) {
      if (!dlf__takes_word(r, layouts[i].word)) continue;
      if (layout) return dlf__wants(r, "expected one layout");
      layout = taken = true;
      c->layout = layouts[i].layout;
    }
    if (taken) continue;
    if (dlf__takes_word(r, "samelayout")) {
      c->same_layout = true;
    } else if (dlf__takes_word(r, "noalias")) {
      c->noalias = true;
    } else if (dlf__takes_word(r, "align")) {
      if (!read_align(r, c)) return false;
    } else {
      if (device) return dlf__wants(r, "expected one device property");
      device = true;
      if (dlf__takes_word(r, "samedevice"))
        c->place = DLF__PLACE_SAME;
      else if (dlf__takes_word(r, "anydevice"))
        c->place = DLF__PLACE_ANY;
      else if (!read_devices(r, c))
        return false;
    }
  }
  if (c->same_layout && !layout) c->layout = DLF__LAYOUT_STRIDED;
  return !r->status;
}

/* After the `*`: the name of how many there are. */
static int32_t read_number_name(contract_reader *r, int32_t parameter) {
  const size_t size = dlf__word_here(r);
  if (!size) return dlf__wants(r, "expected a name for how many there are"), -1;
  const int32_t symbol = dlf__symbol_named(r, r->at, size);
  if (symbol < 0) return -1;
  dlf__symbol *s = &r->self->symbols[symbol];
  if (s->real) return dlf__wants(r, "expected the name of an integer"), -1;
  if (s->counts < 0) s->counts = parameter;
  r->at += size;
  return symbol;
}

static bool read_array(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__array *a = &self->arrays[self->array_count];
  const size_t size = dlf__word_here(r);
  for (int32_t i = 0; i < self->array_count; i++)
    if (self->arrays[i].parameter == parameter) return dlf__wants(r, "expected one clause for each array");
  if (!size || !dlf__reads_dtype(r->at, size, &a->dtype) || a->dtype.lanes != 1 || a->dtype.bits % 8 != 0 ||
      !(a->dtype.code <= kDLFloat || a->dtype.code == kDLBool))
    return dlf__wants(r, "expected the dtype of a C number");
  r->at += size;
  if (!dlf__takes_mark(r, "*")) return dlf__wants(r, "expected `*` and a name for how many there are");
  a->parameter = parameter;
  a->symbol = read_number_name(r, parameter);
  self->array_count += !r->status;
  return !r->status;
}

static bool read_tensor(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__clause *c = NULL;
  for (int32_t i = 0; i < self->clause_count; i++)
    if (self->clauses[i].parameter == parameter) c = &self->clauses[i];
  if (!c || !c->implicit) return dlf__wants(r, "expected one clause for each tensor");
  c->implicit = false;
  for (bool more = true; more;) {
    more = false;
    if (dlf__takes_word(r, "inout")) c->inout = more = true;
    if (dlf__takes_word(r, "opt")) c->opt = more = true;
  }
  if (c->opt && c->list) return dlf__wants(r, "a list is never absent, though it may be empty");
  if (c->opt && c->given) return dlf__wants(r, "opt is for a tensor that the caller gives");
  if (c->inout && !c->written) return dlf__wants(r, "inout is for a DLTensor * that is not const");
  if (dlf__takes_word(r, "like")) {
    const size_t size = dlf__word_here(r);
    const int32_t model = size ? dlf__parameter_named(self, r->at, size) : -1;
    if (model < 0 || !dlf__is_tensor(self, model)) return dlf__wants(r, "expected the name of a tensor");
    if (model == parameter) return dlf__wants(r, "expected the name of another tensor");
    r->at += size;
    for (int32_t i = 0; i < self->clause_count; i++) {
      const dlf__clause *from = &self->clauses[i];
      if (from->parameter != model) continue;
      if (from->implicit) return dlf__wants(r, "`like` needs a clause before it for that tensor");
      if (from->list) return dlf__wants(r, "`like` needs one tensor, not a list");
      if (from->given) return dlf__wants(r, "`like` needs a tensor that is there before the call");
      if (from->opt) return dlf__wants(r, "`like` needs a tensor that is always there");
      c->like = model; /* a parameter here, a clause once contract.c has ordered them */
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
    }
  } else if (!read_types_and_shape(r, c)) {
    return false;
  }
  if (dlf__takes_mark(r, "*")) {
    if (!c->list) return dlf__wants(r, "`*` is for a list, a const DLTensor *const *");
    c->count = read_number_name(r, parameter);
    if (c->count < 0) return false;
  }
  return read_properties(r, c);
}

/* ---- the other clauses ---- */

static bool read_comparison(contract_reader *r, dlf__comparison *out) {
  static const struct {
    const char *mark;
    dlf__comparison comparison;
  } marks[] = {{">=", DLF__GE}, {">", DLF__GT}, {"<=", DLF__LE}, {"<", DLF__LT}, {"==", DLF__EQ}, {"!=", DLF__NE}};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
    if (dlf__takes_mark(r, marks[i].mark)) {
      *out = marks[i].comparison;
      return true;
    }
  return dlf__wants(r, "expected `:`, `=`, `in`, `%` or a comparison");
}

static char *constraint_text(contract_reader *r, const char *left, const char *mark, const char *right) {
  const size_t size = strlen(left) + strlen(mark) + strlen(right) + 1;
  char *text = dlf__keep(r, size, 1);
  if (text) snprintf(text, size, "%s%s%s", left, mark, right);
  return text;
}

static bool read_range(contract_reader *r, dlf__constraint *c, const char *left) {
  dlf__node low, high;
  dlf__skip_blanks(r);
  const char *start = r->at;
  if (!dlf__read_number(r, &low)) return false;
  if (!dlf__takes_mark(r, "..")) return dlf__wants(r, "expected `..`");
  if (!dlf__read_number(r, &high)) return false;
  if (!(low.real <= high.real)) {
    r->at = start;
    return dlf__wants(r, "expected a range that begins below its end");
  }
  c->kind = DLF__RANGE;
  c->right = dlf__add_node(r, low);
  c->high = dlf__add_node(r, high);
  const char *right = dlf__source_text(r, start);
  c->text = right ? constraint_text(r, left, " in ", right) : NULL;
  return !r->status;
}

static bool read_type_constraint(contract_reader *r, dlf__constraint *c, const char *name, size_t size) {
  c->kind = DLF__TYPE_IN;
  c->type = dlf__type_named(r, name, size);
  if (c->type < 0) return false;
  if (!dlf__read_dtypes(r, &c->dtypes, &c->dtype_count)) return false;
  char list[32 * DLF_NAME_CAPACITY];
  dlf__text text = dlf__text_in(list, sizeof list);
  for (int32_t i = 0; i < c->dtype_count; i++) {
    char word[DLF_NAME_CAPACITY];
    dlf_dtype_format_short(c->dtypes[i], word, sizeof word);
    dlf__put(&text, i ? "|%s" : "%s", word);
  }
  c->text = constraint_text(r, r->self->types[c->type], " in ", list);
  return !r->status;
}

static bool read_constraint(contract_reader *r) {
  static const char *const marks[] = {" > ", " >= ", " < ", " <= ", " == ", " != "};
  dlf__constraint c = {.left = -1, .right = -1, .high = -1, .type = -1};
  dlf__skip_blanks(r);
  const char *start = r->at;
  const size_t size = dlf__word_here(r);
  if (r->self->constraint_count == DLF__MAX_CONSTRAINTS) return dlf__wants(r, "expected at most 64 constraints");
  r->at += size;
  const bool in = size && dlf__takes_word(r, "in");
  dlf__skip_blanks(r);
  if (in && !dlf__is_digit(*r->at) && *r->at != '-') {
    if (!read_type_constraint(r, &c, start, size)) return false;
  } else {
    r->at = start;
    c.left = dlf__read_sum(r);
    const char *left = dlf__source_text(r, start);
    if (!left) return false;
    if (in) {
      if (r->self->nodes[c.left].op != DLF__SYMBOL) return dlf__wants(r, "expected a name before `in`");
      if (!dlf__takes_word(r, "in") || !read_range(r, &c, left)) return false;
    } else {
      const char *mark = " % ";
      if (dlf__takes_mark(r, "%")) {
        c.kind = DLF__MULTIPLE;
      } else {
        if (!read_comparison(r, &c.comparison)) return false;
        c.kind = DLF__COMPARE;
        mark = marks[c.comparison];
      }
      dlf__skip_blanks(r);
      start = r->at;
      c.right = dlf__read_sum(r);
      const char *right = r->status ? NULL : dlf__source_text(r, start);
      if (!right) return false;
      c.text = constraint_text(r, left, mark, right);
    }
  }
  if (r->status) return false;
  r->self->constraints[r->self->constraint_count++] = c;
  return true;
}

static bool read_default(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__default d = {parameter, DLF__DEFAULT_WORD, NULL};
  dlf__skip_blanks(r);
  const char *start = r->at;
  const size_t size = dlf__word_here(r);
  if (dlf__is_tensor(self, parameter)) return dlf__wants(r, "a tensor has no default");
  if (self->kinds[parameter] == DLF_PARAMETER_ARRAY) return dlf__wants(r, "an array has no default");
  for (int32_t i = 0; i < self->default_count; i++)
    if (self->defaults[i].parameter == parameter) return dlf__wants(r, "expected one default");
  if (*start == '"') {
    const size_t length = strcspn(start + 1, "\"");
    if (start[1 + length] != '"') return dlf__wants(r, "expected a `\"` that ends the string");
    d.kind = DLF__DEFAULT_STRING;
    d.text = dlf__keep_text(r, start + 1, length);
    r->at = start + length + 2;
  } else if (size) {
    d.text = dlf__keep_text(r, start, size);
    r->at += size;
  } else {
    dlf__node node;
    if (!dlf__read_number(r, &node)) return false;
    if (node.op == DLF__FRACTION && self->kinds[parameter] != DLF_PARAMETER_REAL) {
      r->at = start;
      return dlf__wants(r, "expected an integer");
    }
    d.kind = DLF__DEFAULT_NUMBER;
    d.text = dlf__source_text(r, start);
  }
  if (!r->status && (d.kind == DLF__DEFAULT_NUMBER) != dlf__is_number(self, parameter) &&
      !(d.kind == DLF__DEFAULT_NUMBER && self->kinds[parameter] == DLF_PARAMETER_OTHER)) {
    r->at = start;
    return dlf__wants(r, "expected a number");
  }
  if (!r->status) self->defaults[self->default_count++] = d;
  return !r->status;
}

static bool read_return(contract_reader *r) {
  if (r->self->returns_status) return dlf__wants(r, "expected one clause for the return value");
  if (!dlf__takes_word(r, "status")) return dlf__wants(r, "expected `status`");
  r->self->returns_status = true;
  if (dlf__takes_word(r, "ok")) {
    dlf__node node;
    if (!dlf__read_number(r, &node)) return false;
    if (node.op != DLF__INTEGER) return dlf__wants(r, "expected an integer before this");
    r->self->ok = node.integer;
  }
  if (dlf__takes_word(r, "text")) {
    const size_t size = dlf__word_here(r);
    if (!size) return dlf__wants(r, "expected the name of a function");
    r->self->status_text = dlf__keep_text(r, r->at, size);
    r->at += size;
  }
  return !r->status;
}

static bool read_clause(contract_reader *r) {
  const char *start = r->at;
  const size_t size = dlf__word_here(r);
  const int32_t parameter = size ? dlf__parameter_named(r->self, r->at, size) : -1;
  const bool is_return = size && dlf__word_is(r->at, size, "return");
  start = r->at;
  r->at += size;
  if (size && dlf__takes_mark(r, ":")) {
    if (is_return) return read_return(r);
    if (parameter >= 0 && dlf__is_tensor(r->self, parameter)) return read_tensor(r, parameter);
    if (parameter >= 0 && r->self->kinds[parameter] == DLF_PARAMETER_ARRAY) return read_array(r, parameter);
    r->at = start;
    return dlf__wants(r, "expected the name of a tensor, a list or an array");
  }
  dlf__skip_blanks(r);
  if (size && *r->at == '=' && r->at[1] != '=') {
    if (parameter < 0) {
      r->at = start;
      return dlf__wants(r, "expected the name of a parameter");
    }
    r->at++;
    return read_default(r, parameter);
  }
  r->at = start;
  return read_constraint(r);
}

dlf_status dlf__contract_parse(dlf_contract *self, const char *text, dlf_error *error) {
  contract_reader r = {self, text, text, error, DLF_OK, 0};
  for (;;) {
    dlf__skip_blanks(&r);
    if (!*r.at) return r.status;
    if (dlf__takes_mark(&r, ";")) continue;
    if (!read_clause(&r)) return r.status;
    dlf__skip_blanks(&r);
    if (*r.at && *r.at != ';') {
      dlf__wants(&r, "expected `;`");
      return r.status;
    }
  }
}
