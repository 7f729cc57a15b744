/* SPDX-License-Identifier: Apache-2.0 */
/* Words, names, numbers and expressions of the contract language. */
#include "hub/internal.h"
#include "reader.h"

#include <string.h>

/* ---- characters and words ---- */

bool dlf__in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

const char *dlf__skip_blanks(contract_reader *r) {
  return r->at += strspn(r->at, " \t\r\n");
}

bool dlf__wants(contract_reader *r, const char *expected) {
  if (r->status) {
    return false;
  }
  dlf__skip_blanks(r);
  const int column = (int)(r->at - r->text) + 1;
  size_t size = 0;
  while (size < 24 && r->at[size] && r->at[size] != ';' && r->at[size] != '\n') {
    size++;
  }
  while (size > 0 && ((unsigned char)r->at[size] & 0xC0) == 0x80) {
    size--;
  }
  if (*r->at == ';') {
    size = 1;
  }
  r->status = DLF_INVALID;
  if (!*r->at) {
    dlf__fail(r->error, DLF_INVALID, "%s: contract: %s, got the end", r->self->function, expected);
  } else {
    dlf__fail(r->error,
              DLF_INVALID,
              "%s: contract: %s, got `%.*s` at character %d",
              r->self->function,
              expected,
              (int)size,
              r->at,
              column);
  }
  return false;
}

void *dlf__keep(contract_reader *r, size_t count, size_t size) {
  void *memory = NULL;
  if (!r->status) {
    memory = dlf__contract_alloc(r->self, count, size);
  }
  if (!memory && !r->status) {
    r->status =
        dlf__fail(r->error, DLF_NO_MEMORY, "%s: contract: out of memory", r->self->function);
  }
  return memory;
}

char *dlf__keep_text(contract_reader *r, const char *text, size_t size) {
  char *copy = dlf__keep(r, size + 1, 1);
  if (copy && size) {
    memcpy(copy, text, size);
  }
  return copy;
}

bool dlf__takes_mark(contract_reader *r, const char *mark) {
  dlf__skip_blanks(r);
  if (r->status || strncmp(r->at, mark, strlen(mark)) != 0) {
    return false;
  }
  r->at += strlen(mark);
  return true;
}

/* Length of the word here, without moving; 0 for none. */
size_t dlf__word_here(contract_reader *r) {
  size_t size = 0;
  dlf__skip_blanks(r);
  if (r->status || dlf__is_digit(*r->at)) {
    return 0;
  }
  while (dlf__in_word(r->at[size])) {
    size++;
  }
  return size;
}

bool dlf__takes_word(contract_reader *r, const char *word) {
  const size_t size = dlf__word_here(r);
  if (size != strlen(word) || strncmp(r->at, word, size) != 0) {
    return false;
  }
  r->at += size;
  return true;
}

bool dlf__word_is(const char *text, size_t size, const char *word) {
  return strlen(word) == size && memcmp(text, word, size) == 0;
}

bool dlf__is_reserved(const char *text, size_t size) {
  static const char *const words[] = {"any",
                                      "like",
                                      "inout",
                                      "opt",
                                      "in",
                                      "hook",
                                      "samelayout",
                                      "noalias",
                                      "align",
                                      "samedevice",
                                      "anydevice",
                                      "_"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (dlf__word_is(text, size, words[i])) {
      return true;
    }
  }
  for (int32_t i = 0; i < DLF__LAYOUT_COUNT; i++) {
    if (dlf__layouts[i].word && dlf__word_is(text, size, dlf__layouts[i].word)) {
      return true;
    }
  }
  return false;
}

int32_t dlf__parameter_named(const dlf_contract *self, const char *text, size_t size) {
  for (int32_t i = 0; size && i < self->parameter_count; i++) {
    if (dlf__word_is(text, size, self->names[i])) {
      return i;
    }
  }
  return -1;
}

bool dlf__is_tensor(const dlf_contract *self, int32_t parameter) {
  return dlf__contract_clause(self, parameter) != NULL;
}

bool dlf__is_number(const dlf_contract *self, int32_t parameter) {
  return self->kinds[parameter] >= DLF_PARAMETER_INTEGER &&
         self->kinds[parameter] <= DLF_PARAMETER_REAL;
}

bool dlf__refuse_value(contract_reader *r, int32_t parameter) {
  if (dlf__is_number(r->self, parameter)) {
    return dlf__wants(r, "expected a range of numbers, such as 1..4");
  }
  if (dlf__is_tensor(r->self, parameter) || r->self->kinds[parameter] == DLF_PARAMETER_ARRAY) {
    return dlf__wants(r,
                      "expected a number or an extent: no condition reads elements, so let the "
                      "function check them "
                      "and return a status");
  }
  return dlf__wants(
      r,
      "expected a number or an extent: no condition compares texts, enums or bools; write `c in "
      "'U'|'L'` for a char, else let the function check and return a status");
}

/* ---- names ---- */

static int32_t add_symbol(contract_reader *r, const char *name, size_t size, dlf__symbol symbol) {
  dlf_contract *self = r->self;
  if (self->symbol_count == DLF__MAX_SYMBOLS) {
    return dlf__wants(r, "expected at most 64 names"), -1;
  }
  symbol.name = dlf__keep_text(r, name, size);
  if (!symbol.name) {
    return -1;
  }
  self->symbols[self->symbol_count] = symbol;
  return self->symbol_count++;
}

int32_t dlf__symbol_named(contract_reader *r, const char *text, size_t size) {
  const dlf_contract *self = r->self;
  for (int32_t i = 0; i < self->symbol_count; i++) {
    if (dlf__word_is(text, size, self->symbols[i].name)) {
      return i;
    }
  }
  const int32_t parameter = dlf__parameter_named(self, text, size);
  if (dlf__is_reserved(text, size)) {
    return dlf__wants(r, "expected a name that is not reserved"), -1;
  }
  for (int32_t i = 0; i < self->type_count; i++) {
    if (dlf__word_is(text, size, self->types[i])) {
      return dlf__wants(r, "expected another name than a type variable's"), -1;
    }
  }
  if (parameter >= 0 && !dlf__is_number(self, parameter) && r->in_constraint) {
    return dlf__refuse_value(r, parameter), -1;
  }
  if (parameter >= 0 && !dlf__is_number(self, parameter)) {
    return dlf__wants(r, "expected a name that is not a parameter's other than a number's"), -1;
  }
  const bool real = parameter >= 0 && self->kinds[parameter] == DLF_PARAMETER_REAL;
  const dlf__symbol symbol = {.parameter = parameter, .counts = -1, .real = real, .hook = -1};
  return add_symbol(r, text, size, symbol);
}

/* A hook in a constraint is a name whose value is known once the hook has run: "index_d(index)". */
static int32_t read_hook_symbol(contract_reader *r) {
  const dlf_contract *self = r->self;
  int32_t hook;
  if (!r->in_constraint && !r->in_hook) {
    return dlf__wants(r, "hook() stands alone in an extent, or in a constraint"), -1;
  }
  if (!r->read_hook(r, &hook)) {
    return -1;
  }
  for (int32_t i = 0; i < self->symbol_count; i++) {
    if (self->symbols[i].hook == hook) {
      return i;
    }
  }
  /* Named like what stands between the brackets of "hook(index_d(index))". */
  const char *name = self->hooks[hook].text + strlen("hook(");
  const dlf__symbol symbol = {.parameter = -1, .counts = -1, .hook = hook};
  return add_symbol(r, name, strlen(name) - 1, symbol);
}

/* ---- numbers and expressions ---- */

int32_t dlf__add_node(contract_reader *r, dlf__node node) {
  if (r->status) {
    return -1;
  }
  if (r->self->node_count == DLF__MAX_NODES) {
    return dlf__wants(r, "expected shorter expressions"), -1;
  }
  r->self->nodes[r->self->node_count] = node;
  return r->self->node_count++;
}

int32_t dlf__add_symbol_node(contract_reader *r, int32_t symbol) {
  const dlf__node node = {.op = DLF__SYMBOL, .left = -1, .right = -1, .symbol = symbol};
  return dlf__add_node(r, node);
}

static int32_t add_operation(contract_reader *r, dlf__operator op, int32_t left, int32_t right) {
  const dlf__node node = {.op = op, .left = left, .right = right, .symbol = -1};
  return dlf__add_node(r, node);
}

/* Read the digits here, if any, behind those so far; false if they do not fit. */
static bool read_digits(const char **at, int64_t *digits) {
  bool fits = true;
  for (; dlf__is_digit(**at); ++*at) {
    fits &= !dlf__mul(*digits, 10, digits) && !dlf__add(*digits, **at - '0', digits);
  }
  return fits;
}

/* A decimal number, read without the locale. At most 15 digits with a power of ten up to 22 give
 * the exact double: both factors are exact, and one operation rounds once. */
bool dlf__read_number(contract_reader *r, dlf__node *out) {
  const char *start = dlf__skip_blanks(r);
  const char *p = r->at;
  const bool minus = *p == '-';
  int64_t digits = 0;
  int64_t power = 0;
  int64_t exponent = 0;
  bool fraction = false;
  p += minus;
  if (!dlf__is_digit(*p)) {
    return dlf__wants(r, "expected a number");
  }
  bool fits = read_digits(&p, &digits);
  if (*p == '.' && dlf__is_digit(p[1])) {
    fraction = true;
    const char *first = ++p;
    fits &= read_digits(&p, &digits);
    power = first - p;
  }
  if ((*p == 'e' || *p == 'E') &&
      (dlf__is_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && dlf__is_digit(p[2])))) {
    fraction = true;
    const bool down = p[1] == '-';
    for (p += 1 + !dlf__is_digit(p[1]); dlf__is_digit(*p); p++) {
      if (exponent < 1000) {
        exponent = exponent * 10 + (*p - '0');
      }
    }
    if (down) {
      power += -exponent;
    } else {
      power += exponent;
    }
  }
  if (dlf__in_word(*p)) {
    return dlf__wants(r, "expected a number");
  }
  *out = (dlf__node){
      .op = fraction ? DLF__FRACTION : DLF__INTEGER, .left = -1, .right = -1, .symbol = -1};
  if (!fits || (fraction && (digits > INT64_C(999999999999999) || power < -22 || power > 22))) {
    r->at = start;
    return dlf__wants(r, "expected a number of at most 15 digits");
  }
  double scale = 1;
  for (int64_t i = 0; i < (power < 0 ? -power : power); i++) {
    scale *= 10;
  }
  if (minus) {
    out->integer = -digits;
  } else {
    out->integer = digits;
  }
  if (power < 0) {
    out->real = (double)digits / scale;
  } else {
    out->real = (double)digits * scale;
  }
  if (minus) {
    out->real = -out->real;
  }
  r->at = p;
  return true;
}

/* min(a, b) or max(a, b), after the word. */
static int32_t read_choice_of(contract_reader *r, dlf__operator op) {
  if (!dlf__takes_mark(r, "(")) {
    return dlf__wants(r, "expected `(`"), -1;
  }
  const int32_t left = dlf__read_sum(r);
  if (!dlf__takes_mark(r, ",")) {
    return dlf__wants(r, "expected `,` and another value"), -1;
  }
  const int32_t right = dlf__read_sum(r);
  if (!dlf__takes_mark(r, ")")) {
    return dlf__wants(r, "expected `)`"), -1;
  }
  return add_operation(r, op, left, right);
}

/* Tell whether a word, any for NULL, is called like a function here. */
static bool is_called(contract_reader *r, size_t size, const char *word) {
  const char *p = r->at + size;
  return (!word || dlf__word_is(r->at, size, word)) && p[strspn(p, " \t\r\n")] == '(';
}

static int32_t read_factor(contract_reader *r) {
  dlf__node node;
  dlf__skip_blanks(r);
  if (dlf__takes_mark(r, "(")) {
    const int32_t inner = dlf__read_sum(r);
    if (!dlf__takes_mark(r, ")")) {
      dlf__wants(r, "expected `)`");
    }
    return inner;
  }
  if (dlf__is_digit(*r->at) || (*r->at == '-' && dlf__is_digit(r->at[1]))) {
    if (dlf__read_number(r, &node)) {
      return dlf__add_node(r, node);
    }
    return -1;
  }
  const size_t size = dlf__word_here(r);
  if (!size) {
    return dlf__wants(r, "expected a number or a name"), -1;
  }
  if (is_called(r, size, "min") || is_called(r, size, "max")) {
    dlf__operator op = DLF__MAXIMUM;
    if (r->at[1] == 'i') {
      op = DLF__MINIMUM;
    }
    r->at += size;
    return read_choice_of(r, op);
  }
  if (is_called(r, size, NULL) && !dlf__is_reserved(r->at, size)) {
    return dlf__wants(
               r,
               "expected a number, a name, min() or max(), since only `hook(f)` calls a function"),
           -1;
  }
  int32_t symbol;
  if (is_called(r, size, "hook")) {
    symbol = read_hook_symbol(r);
  } else {
    symbol = dlf__symbol_named(r, r->at, size);
    r->at += size;
  }
  return dlf__add_symbol_node(r, symbol);
}

static int32_t read_product(contract_reader *r) {
  int32_t left = read_factor(r);
  while (!r->status) {
    dlf__operator op;
    if (dlf__takes_mark(r, "/^")) {
      op = DLF__DIVIDE_UP;
    } else if (dlf__takes_mark(r, "/")) {
      op = DLF__DIVIDE;
    } else if (dlf__takes_mark(r, "*")) {
      op = DLF__MULTIPLY;
    } else {
      break;
    }
    left = add_operation(r, op, left, read_factor(r));
  }
  return left;
}

/* Depth counts brackets and, since evaluation recurses to the left, operators in a row. */
int32_t dlf__read_sum(contract_reader *r) {
  const int32_t first = r->self->node_count;
  if (++r->depth > DLF__MAX_DEPTH) {
    return dlf__wants(r, "expected fewer brackets"), -1;
  }
  int32_t left = read_product(r);
  while (!r->status) {
    dlf__operator op;
    if (dlf__takes_mark(r, "+")) {
      op = DLF__ADD;
    } else if (dlf__takes_mark(r, "-")) {
      op = DLF__SUBTRACT;
    } else {
      break;
    }
    left = add_operation(r, op, left, read_product(r));
  }
  r->depth--;
  if (r->self->node_count - first > 4 * DLF__MAX_DEPTH) {
    return dlf__wants(r, "expected a shorter expression"), -1;
  }
  if (r->status) {
    return -1;
  }
  return left;
}

/* The source of an expression without blanks. */
char *dlf__source_text(contract_reader *r, const char *start) {
  char *text = dlf__keep_text(r, start, (size_t)(r->at - start));
  size_t length = 0;
  if (!text) {
    return NULL;
  }
  for (const char *p = text; *p; p++) {
    if (!strchr(" \t\r\n", *p)) {
      text[length++] = *p;
    }
  }
  text[length] = 0;
  return text;
}
