/* SPDX-License-Identifier: Apache-2.0 */
/* A contract, clause by clause: constraints and words; clause.c, derive.c and value.c read the
 * others. */
#include "hub/internal.h"
#include "reader.h"

#include <stdio.h>
#include <string.h>

static bool read_comparison(contract_reader *r, dlf__comparison *out) {
  for (int32_t i = 0; i < DLF__COMPARISON_COUNT; i++) {
    if (dlf__takes_mark(r, dlf__comparison_marks[i])) {
      *out = (dlf__comparison)i;
      return true;
    }
  }
  return dlf__wants(r, "expected `:`, `=`, `in`, `%` or a comparison");
}

static char *constraint_text(contract_reader *r, const char *left, const char *mark,
                             const char *right) {
  const size_t size = strlen(left) + strlen(mark) + strlen(right) + 3;
  char *text = dlf__keep(r, size, 1);
  if (text) {
    snprintf(text, size, "%s %s %s", left, mark, right);
  }
  return text;
}

static bool read_range(contract_reader *r, dlf__constraint *c) {
  dlf__node low, high;
  const char *start = dlf__skip_blanks(r);
  if (!dlf__read_number(r, &low)) {
    return false;
  }
  c->right_text = dlf__source_text(r, start);
  if (!dlf__takes_mark(r, "..")) {
    return dlf__wants(r, "expected `..`");
  }
  const char *second = dlf__skip_blanks(r);
  if (!dlf__read_number(r, &high)) {
    return false;
  }
  c->high_text = dlf__source_text(r, second);
  if (!(low.real <= high.real)) {
    r->at = start;
    return dlf__wants(r, "expected a range that begins below its end");
  }
  c->kind = DLF__RANGE;
  c->right = dlf__add_node(r, low);
  c->high = dlf__add_node(r, high);
  const char *both = dlf__source_text(r, start);
  if (both) {
    c->text = constraint_text(r, c->left_text, "in", both);
  } else {
    c->text = NULL;
  }
  return !r->status;
}

static bool read_type_constraint(contract_reader *r, dlf__constraint *c, const char *name,
                                 size_t size) {
  c->kind = DLF__TYPE_IN;
  c->type = dlf__type_named(r, name, size);
  if (c->type < 0) {
    return false;
  }
  if (dlf__takes_word(r, "any")) {
    c->text = constraint_text(r, r->self->types[c->type], "in", "any");
    return !r->status;
  }
  if (!dlf__read_dtypes(r, &c->dtypes, &c->dtype_count)) {
    return false;
  }
  char list[32 * DLF_NAME_CAPACITY];
  dlf__text text = dlf__text_in(list, sizeof list);
  for (int32_t i = 0; i < c->dtype_count; i++) {
    char word[DLF_NAME_CAPACITY];
    dlf_dtype_format_short(c->dtypes[i], word, sizeof word);
    dlf__put(&text, i ? "|%s" : "%s", word);
  }
  c->text = constraint_text(r, r->self->types[c->type], "in", list);
  return !r->status;
}

/* Accept C's `h % 2 == 0`. */
static bool ends_multiple(contract_reader *r, const char *multiple) {
  char expected[160];
  dlf__skip_blanks(r);
  if (!*r->at || !strchr("=!<>", *r->at)) {
    return true;
  }
  dlf__text text = dlf__text_in(expected, sizeof expected);
  dlf__put(&text, "expected `;`, since `%.80s` alone asks for a multiple", multiple);
  return dlf__wants(r, expected);
}

static bool read_constraint(contract_reader *r) {
  dlf__constraint c = {.left = -1, .right = -1, .high = -1, .type = -1};
  const char *start = dlf__skip_blanks(r);
  const size_t size = dlf__word_here(r);
  if (r->self->constraint_count == DLF__MAX_CONSTRAINTS) {
    return dlf__wants(r, "expected at most 64 constraints");
  }
  r->at += size;
  const bool in = size && dlf__takes_word(r, "in");
  dlf__skip_blanks(r);
  if (in && *r->at == '\'') {
    return dlf__read_letters(r, dlf__parameter_named(r->self, start, size), start);
  }
  const int32_t parameter = dlf__parameter_named(r->self, start, size);
  const bool of_type = in && !dlf__is_digit(*r->at) && *r->at != '-';
  if (of_type && parameter >= 0) {
    return dlf__refuse_value(r, parameter);
  }
  if (of_type) {
    if (!read_type_constraint(r, &c, start, size)) {
      return false;
    }
  } else {
    r->at = start;
    r->in_constraint = true;
    c.left = dlf__read_sum(r);
    c.left_text = dlf__source_text(r, start);
    if (!c.left_text) {
      return false;
    }
    if (dlf__takes_word(r, "in")) {
      if (r->self->nodes[c.left].op != DLF__SYMBOL) {
        return dlf__wants(r, "expected a name before `in`");
      }
      if (!read_range(r, &c)) {
        return false;
      }
    } else {
      const char *mark = "%";
      if (dlf__takes_mark(r, "%")) {
        c.kind = DLF__MULTIPLE;
        c.integral = "division";
      } else {
        if (!read_comparison(r, &c.comparison)) {
          return false;
        }
        c.kind = DLF__COMPARE;
        mark = dlf__comparison_marks[c.comparison];
      }
      dlf__skip_blanks(r);
      start = r->at;
      c.right = dlf__read_sum(r);
      c.right_text = dlf__source_text(r, start);
      if (!c.right_text) {
        return false;
      }
      c.text = constraint_text(r, c.left_text, mark, c.right_text);
      if (c.kind == DLF__MULTIPLE && c.text && !ends_multiple(r, c.text)) {
        return false;
      }
    }
  }
  r->in_constraint = false;
  if (r->status) {
    return false;
  }
  r->self->constraints[r->self->constraint_count++] = c;
  return true;
}

/* Read a word that is a clause by itself; false, with nothing read, for another clause. */
static bool read_word(contract_reader *r, size_t size) {
  dlf_contract *self = r->self;
  const struct {
    const char *word;
    bool *said, *opposite;
  } words[] = {{"threadsafe", &self->threadsafe, NULL},
               {"slow", &self->slow, &self->fast},
               {"fast", &self->fast, &self->slow}};
  const size_t rest = size + strspn(r->at + size, " \t\r\n\f\v");
  if (r->at[rest] && r->at[rest] != ';') {
    return false;
  }
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (!dlf__word_is(r->at, size, words[i].word)) {
      continue;
    }
    if (*words[i].said) {
      return !dlf__wants(r, "expected each word once");
    }
    if (words[i].opposite && *words[i].opposite) {
      return !dlf__wants(r, "expected `slow` or `fast`, not both");
    }
    *words[i].said = true;
    r->at += size;
    return true;
  }
  return false;
}

static bool read_clause(contract_reader *r) {
  const size_t size = dlf__word_here(r);
  const int32_t parameter = dlf__parameter_named(r->self, r->at, size);
  const bool is_return = dlf__word_is(r->at, size, "return");
  const char *start = r->at;
  if (read_word(r, size)) {
    return !r->status;
  }
  r->at += size;
  if (size && dlf__takes_mark(r, ":=")) {
    if (parameter >= 0) {
      return dlf__read_derived(r, parameter);
    }
    dlf__skip_blanks(r);
    if (*r->at == '*' || dlf__word_is(r->at, dlf__word_here(r), "result")) {
      return dlf__read_count(r, start, size);
    }
    r->at = start;
    return dlf__wants(r, "expected the name of a parameter");
  }
  if (size && dlf__takes_mark(r, ":")) {
    if (is_return) {
      return dlf__read_return(r);
    }
    if (dlf__is_tensor(r->self, parameter)) {
      return dlf__read_tensor(r, parameter);
    }
    if (parameter >= 0 && r->self->kinds[parameter] == DLF_PARAMETER_ARRAY) {
      return dlf__read_array(r, parameter);
    }
    if (parameter >= 0) {
      return dlf__read_one(r, parameter);
    }
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
    return dlf__read_default(r, parameter);
  }
  r->at = start;
  return read_constraint(r);
}

/* Refuse what stands behind a clause, and say how to write C's and other languages' conditions. */
static void refuse_rest(contract_reader *r) {
  static const char *const words[] = {"and", "or", "if", "unless", "when"};
  bool several =
      strncmp(r->at, "&&", 2) == 0 || strncmp(r->at, "||", 2) == 0 || strchr("<>=!", *r->at);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    several |= dlf__word_is(r->at, dlf__word_here(r), words[i]);
  }
  (void)dlf__wants(r,
                   several ? "expected `;`: a condition is one comparison, and all conditions "
                             "of a contract must hold"
                           : "expected `;`");
}

void dlf__contract_parse(contract_reader *r) {
  for (;;) {
    dlf__skip_blanks(r);
    if (!*r->at) {
      (void)dlf__resolve_derived(r);
      return;
    }
    if (dlf__takes_mark(r, ";")) {
      continue;
    }
    if (!read_clause(r)) {
      return;
    }
    dlf__skip_blanks(r);
    if (*r->at && *r->at != ';') {
      refuse_rest(r);
      return;
    }
  }
}
