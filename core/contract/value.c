/* SPDX-License-Identifier: Apache-2.0 */
/* The clauses of single values: numbers behind pointers, texts, characters, defaults, and the
 * return value. */
#include "hub/internal.h"
#include "reader.h"

#include <string.h>

size_t dlf__character_here(const contract_reader *r) {
  const char *p = r->at;
  if (p[0] == '\'' && p[1] >= ' ' && p[1] <= '~' && p[1] != '\'' && p[1] != '\\' && p[2] == '\'') {
    return 3;
  }
  return 0;
}

/* ---- numbers behind pointers, texts ---- */

/* The generator knows C's types, and whether they suit these words. */
bool dlf__read_one(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  DLDataType dtype;
  const char *start = r->at;
  if (self->outs[parameter] || self->inouts[parameter] || self->opts[parameter] ||
      self->ones[parameter] || dlf__contract_derived(self, parameter)) {
    return dlf__wants(r, "expected one clause for each number");
  }
  for (bool more = true; more;) {
    more = false;
    if (dlf__takes_word(r, "out")) {
      self->outs[parameter] = more = true;
    }
    if (dlf__takes_word(r, "inout")) {
      self->inouts[parameter] = more = true;
    }
    if (dlf__takes_word(r, "opt")) {
      self->opts[parameter] = more = true;
    }
    if (dlf__takes_word(r, "in")) {
      more = true;
    }
  }
  const size_t size = dlf__word_here(r);
  if (size && dlf__reads_dtype(r->at, size, &dtype) && dtype.lanes == 1) {
    self->ones[parameter] = dlf__keep_text(r, r->at, size);
    r->at += size;
    dlf__skip_blanks(r);
    if (*r->at && *r->at != ';') {
      return dlf__wants(r, "expected `;`, since this parameter is one number");
    }
  }
  const bool said = self->outs[parameter] || self->opts[parameter] || self->ones[parameter];
  if (self->inouts[parameter] ? !said : said) {
    return !r->status;
  }
  r->at = start;
  return dlf__wants(r, "expected `out`, `inout`, `opt` or the dtype of a number");
}

/* ---- characters ---- */

bool dlf__read_letters(contract_reader *r, int32_t parameter, const char *start) {
  char letters[DLF_NAME_CAPACITY] = {0};
  size_t count = 0;
  const bool known = parameter >= 0 && r->self->kinds[parameter] == DLF_PARAMETER_OTHER;
  if (!known || r->self->letters[parameter]) {
    r->at = start;
    return dlf__wants(
        r, known ? "expected one clause for each character" : "expected the name of a `char`");
  }
  do {
    dlf__skip_blanks(r);
    if (!dlf__character_here(r)) {
      return dlf__wants(r, "expected a character, such as 'U'");
    }
    if (strchr(letters, r->at[1])) {
      return dlf__wants(r, "expected each character once");
    }
    if (count + 1 == sizeof letters) {
      return dlf__wants(r, "expected fewer characters");
    }
    letters[count++] = r->at[1];
    r->at += 3;
  } while (dlf__takes_mark(r, "|"));
  r->self->letters[parameter] = dlf__keep_text(r, letters, count);
  return !r->status;
}

/* ---- defaults ---- */

/* A|B: constants of C. */
static bool read_words(contract_reader *r, dlf__default *d) {
  dlf__skip_blanks(r);
  const char *start = r->at;
  do {
    const size_t size = dlf__word_here(r);
    if (!size) {
      return dlf__wants(r, "expected a constant of C");
    }
    r->at += size;
  } while (dlf__takes_mark(r, "|"));
  d->kind = DLF__DEFAULT_WORD;
  d->text = dlf__source_text(r, start);
  return !r->status;
}

/* (1.0, 2.0) */
static bool read_complex(contract_reader *r, dlf__default *d) {
  dlf__node real, imaginary;
  const char *start = r->at;
  (void)dlf__takes_mark(r, "(");
  if (!dlf__read_number(r, &real)) {
    return false;
  }
  if (!dlf__takes_mark(r, ",")) {
    return dlf__wants(r, "expected `,` and the imaginary part");
  }
  if (!dlf__read_number(r, &imaginary)) {
    return false;
  }
  if (!dlf__takes_mark(r, ")")) {
    return dlf__wants(r, "expected `)`");
  }
  d->kind = DLF__DEFAULT_COMPLEX;
  d->real = real.real;
  d->imaginary = imaginary.real;
  d->text = dlf__source_text(r, start);
  return !r->status;
}

static bool read_string(contract_reader *r, char **out) {
  const char *start = r->at;
  const size_t length = strcspn(start + 1, "\"");
  if (start[1 + length] != '"') {
    return dlf__wants(r, "expected a `\"` that ends the string");
  }
  *out = dlf__keep_text(r, start + 1, length);
  r->at = start + length + 2;
  return !r->status;
}

static bool read_number_default(contract_reader *r, dlf__default *d) {
  dlf__node node;
  const char *start = r->at;
  const dlf_parameter_kind kind = r->self->kinds[d->parameter];
  if (!dlf__read_number(r, &node)) {
    return false;
  }
  d->kind = DLF__DEFAULT_NUMBER;
  if (node.op == DLF__INTEGER) {
    d->integer = node.integer;
  } else {
    d->integer = 0;
  }
  d->real = node.real;
  d->text = dlf__source_text(r, start);
  if (node.op != DLF__FRACTION || kind == DLF_PARAMETER_REAL || kind == DLF_PARAMETER_OTHER) {
    return !r->status;
  }
  r->at = start;
  return dlf__wants(r, "expected an integer");
}

bool dlf__read_default(contract_reader *r, int32_t parameter) {
  dlf_contract *self = r->self;
  dlf__default d = {.parameter = parameter};
  const bool number = dlf__is_number(self, parameter);
  dlf__skip_blanks(r);
  const char *start = r->at;
  if (dlf__is_tensor(self, parameter)) {
    return dlf__wants(r, "a tensor has no default");
  }
  if (self->kinds[parameter] == DLF_PARAMETER_ARRAY) {
    return dlf__wants(r, "an array has no default");
  }
  DLF__EACH_DEFAULT (usual, self) {
    if (usual->parameter == parameter) {
      return dlf__wants(r, "expected one default");
    }
  }
  if (*start == '"') {
    d.kind = DLF__DEFAULT_STRING;
    if (!read_string(r, &d.text)) {
      return false;
    }
  } else if (dlf__character_here(r)) {
    d.kind = DLF__DEFAULT_CHARACTER;
    d.text = dlf__keep_text(r, start, 3);
    r->at += 3;
  } else if (*start == '(') {
    if (!read_complex(r, &d)) {
      return false;
    }
  } else if (dlf__word_here(r)) {
    if (!read_words(r, &d)) {
      return false;
    }
  } else if (!read_number_default(r, &d)) {
    return false;
  }
  if (number && d.kind > DLF__DEFAULT_WORD) {
    r->at = start;
    return dlf__wants(r, "expected a number");
  }
  if (!r->status) {
    self->defaults[self->default_count++] = d;
  }
  return !r->status;
}

/* ---- the return value ---- */

static bool read_ok(contract_reader *r) {
  dlf__node node;
  const size_t size = dlf__word_here(r);
  if (size) {
    r->self->ok_word = dlf__keep_text(r, r->at, size);
    r->at += size;
    return !r->status;
  }
  if (!dlf__read_number(r, &node)) {
    return false;
  }
  if (node.op != DLF__INTEGER) {
    return dlf__wants(r, "expected an integer before this");
  }
  r->self->ok = node.integer;
  return true;
}

static bool read_status_text(contract_reader *r) {
  dlf__skip_blanks(r);
  if (*r->at == '"') {
    return read_string(r, &r->self->status_message);
  }
  const size_t size = dlf__word_here(r);
  if (!size) {
    return dlf__wants(r, "expected the name of a function, or a text in quotes");
  }
  r->self->status_text = dlf__keep_text(r, r->at, size);
  r->at += size;
  return !r->status;
}

/* "value from 0 text f": a lower number is a code. */
static bool read_least(contract_reader *r) {
  dlf__node node;
  r->self->returns_from = true;
  if (!dlf__takes_word(r, "from")) {
    return dlf__wants(r, "expected `from` and an integer");
  }
  if (!dlf__read_number(r, &node)) {
    return false;
  }
  if (node.op != DLF__INTEGER) {
    return dlf__wants(r, "expected an integer before this");
  }
  r->self->ok = node.integer;
  return !dlf__takes_word(r, "text") || read_status_text(r);
}

bool dlf__read_return(contract_reader *r) {
  dlf_contract *self = r->self;
  if (self->returns_status || self->returns_from || self->returns_opt) {
    return dlf__wants(r, "expected one clause for the return value");
  }
  self->returns_opt = dlf__takes_word(r, "opt");
  if (self->returns_opt) {
    return true;
  }
  if (dlf__takes_word(r, "value")) {
    return read_least(r);
  }
  if (!dlf__takes_word(r, "status")) {
    return dlf__wants(r, "expected `status` or `opt`");
  }
  self->returns_status = true;
  if (dlf__takes_word(r, "ok") && !read_ok(r)) {
    return false;
  }
  self->info = dlf__takes_word(r, "info");
  return !dlf__takes_word(r, "text") || read_status_text(r);
}
