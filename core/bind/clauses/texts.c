/* SPDX-License-Identifier: Apache-2.0 */
#include "texts.h"
#include "bind/base/names.h"
#include <string.h>

static clause_found text_clause_refuse(const char **why, const char *text) {
  *why = text;
  return CLAUSE_REFUSED;
}

/* Tell whether the word is a type variable of this contract: "text in f32|f64". */
static bool text_clause_is_variable(const clause_list *contract) {
  BIND_EACH_CLAUSE (c, contract) {
    if (clause_is(c, 0, "text") && clause_is(c, 1, "in")) {
      return true;
    }
  }
  return false;
}

/* Return the part that is the word `text` behind the mark and the directions; -1 for none. */
static int text_clause_word(const bind_clause *c) {
  int part = 2;
  while (bind_word_in(clause_name(c, part), "in out opt")) {
    part++;
  }
  if (!clause_is(c, part, "text")) {
    return -1;
  }
  return part;
}

static bool text_clause_is_return(const bind_clause *c) {
  return clause_is(c, 0, "return") && clause_is(c, 1, ":");
}

/* Read "*n" or "*NULL" of a list; return the part behind it. */
static int text_clause_read_many(const bind_clause *c, int part, text_clause *out) {
  out->many = clause_is(c, part, "*") && clause_has_name(c, part + 1);
  if (!out->many) {
    return part;
  }
  if (!clause_is(c, part + 1, "NULL")) {
    out->size = clause_name(c, part + 1);
  }
  return part + 2;
}

/* "freed f" at the end of a clause, behind "*n" of a list. */
static bool text_clause_read_freed(const bind_clause *c, int part, text_clause *out) {
  if (out->kind != BIND_TEXT_FAULT) {
    part = text_clause_read_many(c, part, out);
  }
  if (part == c->count) {
    return true;
  }
  out->freed = clause_name(c, part + 1);
  return clause_is(c, part, "freed") && *out->freed && part + 2 == c->count;
}

/* "return: status text *error freed f": what stays is "return: status". */
static clause_found text_clause_read_fault(const bind_clause *c, text_clause *out,
                                           const char **rest, const char **why) {
  const int text = clause_find_part(c, 2, "text");
  if (!clause_is(c, 2, "status") || text < 0 || !clause_is(c, text + 1, "*")) {
    return CLAUSE_OTHER;
  }
  *out = (text_clause){.param = clause_name(c, text + 2), .kind = BIND_TEXT_FAULT};
  if (!*out->param || !text_clause_read_freed(c, text + 3, out)) {
    return text_clause_refuse(
        why, "`text *`: expected `text *NAME` or `text *NAME freed NAME` at the end");
  }
  *rest = bind_sized(c->at, (size_t)(c->parts[text].at - c->at));
  return CLAUSE_READ;
}

/* "return: opt text freed f" */
static clause_found text_clause_read_result(const bind_clause *c, int text, text_clause *out,
                                            const char **why) {
  *out = (text_clause){.param = "return", .kind = BIND_TEXT_RESULT};
  out->optional = text > 2;
  if (clause_find_part(c, 2, "out") >= 0 || !text_clause_read_freed(c, text + 1, out)) {
    return text_clause_refuse(why,
                              "`return: text`: expected `return: [opt] text [*NAME] [freed NAME]`");
  }
  return CLAUSE_READ;
}

/* Find "m := result" or "m := *w", which says how much of a buffer C writes. */
static bool text_clause_read_written(const clause_list *contract, text_clause *out) {
  const bind_clause *c = clauses_find(contract, out->written, CLAUSE_DERIVES);
  if (!c) {
    return false;
  }
  if (clause_is(c, 2, "*")) {
    out->place = clause_name(c, 3);
    return *out->place && c->count == 4;
  }
  return clause_is(c, 2, "result") && c->count == 3;
}

/* "[n]", "[m <= n] grown" or "[m] grown". */
static clause_found text_clause_read_filled(const clause_list *contract, const bind_clause *c,
                                            int part, text_clause *out, const char **why) {
  const bool reports = clause_is(c, part + 2, "<=");
  const int close = part + (reports ? 4 : 2);
  out->kind = BIND_TEXT_FILLED;
  out->grown = clause_is(c, close + 1, "grown");
  out->size = clause_name(c, close - 1);
  if (reports || out->grown) {
    out->written = clause_name(c, part + 1);
  }
  if (!clause_is(c, close, "]") || !*out->size || close + 1 + out->grown != c->count) {
    return text_clause_refuse(
        why,
        "`text[...]`: expected `out text[n]`, `out text[m <= n]`, `out text[m <= n] "
        "grown` or `out text[m] grown`");
  }
  if (out->grown && !reports) {
    out->size = NULL;
  }
  if (out->optional) {
    return text_clause_refuse(why, "`text[...]`: expected no `opt`, since the call has the memory");
  }
  if (out->written && !text_clause_read_written(contract, out)) {
    return text_clause_refuse(
        why,
        bind_string("`text[%s]`: expected `%s := result` or `%s := *NAME`, which "
                    "says how C reports the length",
                    out->written,
                    out->written,
                    out->written));
  }
  return CLAUSE_READ;
}

/* "text[n]" of an input, and "text *n". */
static clause_found text_clause_read_given(const bind_clause *c, int text, text_clause *out,
                                           const char **why) {
  const bool sized = clause_is(c, text + 1, "[") && clause_is(c, text + 3, "]");
  const bool list = clause_is(c, text + 1, "*");
  out->kind = sized ? BIND_TEXT_SIZED : BIND_TEXT_LIST;
  out->size = clause_name(c, text + 2);
  if (!(sized || list) || !*out->size || text > 2 || c->count != text + 3 + sized) {
    return text_clause_refuse(
        why,
        "`text`: expected `out text` for one that C gives, `in text` for one that it reads, "
        "`text[n]` for one with its length, or `text *n` for a list");
  }
  return CLAUSE_READ;
}

static clause_found text_clause_read_param(const clause_list *contract, const bind_clause *c,
                                           int text, text_clause *out, const char **why) {
  *out = (text_clause){.param = clause_name(c, 0), .kind = BIND_TEXT_BEHIND};
  bool written = false;
  bool read = false;
  for (int i = 2; i < text; i++) {
    written |= clause_is(c, i, "out");
    read |= clause_is(c, i, "in");
    out->optional |= clause_is(c, i, "opt");
  }
  if (read && !written && c->count == text + 1) {
    out->kind = BIND_TEXT_READ;
    return CLAUSE_READ;
  }
  if (!written || read) {
    return text_clause_read_given(c, text, out, why);
  }
  if (clause_is(c, text + 1, "[")) {
    return text_clause_read_filled(contract, c, text + 1, out, why);
  }
  if (!text_clause_read_freed(c, text + 1, out)) {
    return text_clause_refuse(
        why,
        "`out text`: expected `out text` or `out text freed NAME`, or for a list `out text *n` or "
        "`out text *NULL`");
  }
  return CLAUSE_READ;
}

/* Tell whether a clause says how much C writes of a text, which the clause of that text has read.
 */
static bool text_clause_counts(const clause_list *contract, const bind_clause *c) {
  if (clause_mark_at(c, 1) != CLAUSE_DERIVES ||
      !(clause_is(c, 2, "result") || clause_is(c, 2, "*"))) {
    return false;
  }
  BIND_EACH_CLAUSE (of, contract) {
    const int text = text_clause_word(of);
    if (text >= 0 && clause_mark_at(of, 1) == CLAUSE_COLON && clause_is(of, text + 1, "[") &&
        clause_is(of, text + 2, clause_name(c, 0))) {
      return true;
    }
  }
  return false;
}

clause_found texts_read(const clause_list *contract, const bind_clause *c, text_clause *out,
                        const char **rest, const char **why) {
  *rest = NULL;
  if (clause_is_guess(c) || !clause_has_name(c, 0) || text_clause_is_variable(contract)) {
    return CLAUSE_OTHER;
  }
  if (text_clause_counts(contract, c)) {
    *out = (text_clause){0};
    return CLAUSE_READ;
  }
  if (clause_mark_at(c, 1) != CLAUSE_COLON) {
    return CLAUSE_OTHER;
  }
  const int text = text_clause_word(c);
  if (text_clause_is_return(c) && text < 0) {
    return text_clause_read_fault(c, out, rest, why);
  }
  if (text < 0) {
    return CLAUSE_OTHER;
  }
  if (text_clause_is_return(c)) {
    return text_clause_read_result(c, text, out, why);
  }
  const clause_found found = text_clause_read_param(contract, c, text, out, why);
  if (found == CLAUSE_READ && out->kind == BIND_TEXT_LIST) {
    *rest = clause_text(c); /* the contract counts them */
  }
  return found;
}
