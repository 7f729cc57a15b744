/* SPDX-License-Identifier: Apache-2.0 */
#include "clauses.h"
#include "bind/base/names.h"
#include <string.h>

static const char clauses_blanks[] = " \t\r\n\f\v";

const char *clauses_end(const char *p) {
  for (bool quoted = false; *p && (quoted || *p != ';'); p++) {
    if (!quoted && p[0] == '\'' && p[1] && p[2] == '\'') {
      p += 2; /* a character */
    }
    if (*p == '"') {
      quoted = !quoted;
    }
  }
  return p;
}

const char *clauses_skip(const char *p) {
  return p + strspn(p, clauses_blanks);
}

const char *clauses_next(const char **contract) {
  for (const char *p = clauses_skip(*contract); *p; p = clauses_skip(*contract)) {
    const char *end = clauses_end(p);
    size_t size = (size_t)(end - p);
    *contract = end + (*end == ';');
    while (size && strchr(clauses_blanks, p[size - 1])) {
      size--;
    }
    if (size) {
      return bind_string("%.*s", (int)size, p);
    }
  }
  return NULL;
}

const char *clauses_first_word(const char *clause, const char **rest) {
  const size_t size = bind_name_size(clause);
  *rest = clauses_skip(clause + size);
  return bind_string("%.*s", (int)size, clause);
}

static bool clauses_is(const char *p, const char *word) {
  return bind_name_size(p) == strlen(word) && strncmp(p, word, strlen(word)) == 0;
}

/* One clause of a contract, and where what is read of it goes. */
typedef struct clause_place {
  const char *contract;
  const char *first; /* its first word */
  const char *second, *third;
  const char *end;
  clause_words *out;
  bind_text *rest; /* the clauses that the contract's own parser reads */
  const char **why;
} clause_place;

static const char *clauses_word(const char *at) {
  return bind_string("%.*s", (int)bind_name_size(at), at);
}

static clause_found clauses_refuse(const clause_place *c, const char *why) {
  *c->why = why;
  return CLAUSE_REFUSED;
}

static clause_found clauses_read_guess(const clause_place *c) {
  if (*c->first == '?') {
    return CLAUSE_READ; /* unconfirmed: it has no effect */
  }
  return CLAUSE_OTHER;
}

/* "handle X freed f" was read before, since types depend on it. */
static clause_found clauses_read_handle(const clause_place *c) {
  if (clauses_is(c->first, "handle") && bind_name_size(c->second) &&
      clauses_is(c->third, "freed")) {
    return CLAUSE_READ;
  }
  return CLAUSE_OTHER;
}

/* Count the clauses for the return value. */
static int clauses_returns(const char *contract) {
  int count = 0;
  for (const char *p = clauses_skip(contract), *end; *p; p = clauses_skip(end + (*end == ';'))) {
    end = clauses_end(p);
    count += clauses_is(p, "return") && *clauses_skip(p + bind_name_size(p)) == ':';
  }
  return count;
}

/* "return: value": it is no status, also if `every` says one. */
static clause_found clauses_read_value(const clause_place *c) {
  if (!clauses_is(c->first, "return") || *c->second != ':') {
    return CLAUSE_OTHER;
  }
  const char *value = clauses_skip(c->second + 1);
  if (!clauses_is(value, "value") || clauses_skip(value + strlen("value")) != c->end) {
    return CLAUSE_OTHER;
  }
  if (clauses_returns(c->contract) > 1) {
    return clauses_refuse(c, "expected one clause for the return value");
  }
  return CLAUSE_READ;
}

static clause_found clauses_read_hide(const clause_place *c) {
  if (!clauses_is(c->first, "hide") || c->second != c->end) {
    return CLAUSE_OTHER;
  }
  if (c->out->hide) {
    return clauses_refuse(c, "expected `hide` once");
  }
  c->out->hide = true;
  return CLAUSE_READ;
}

static clause_found clauses_read_rename(const clause_place *c) {
  if (!clauses_is(c->first, "rename") || !bind_name_size(c->second) || c->third != c->end) {
    return CLAUSE_OTHER;
  }
  if (c->out->rename) {
    return clauses_refuse(c, "expected one `rename`");
  }
  if (strchr("0123456789", *c->second)) {
    return clauses_refuse(c, "`rename`: expected a name");
  }
  c->out->rename = clauses_word(c->second);
  return CLAUSE_READ;
}

static const char clauses_either[] = "expected one of `method` and `property`, once";

static clause_found clauses_read_method(const clause_place *c) {
  if (!clauses_is(c->first, "method") || c->second != c->end) {
    return CLAUSE_OTHER;
  }
  if (c->out->method || c->out->property) {
    return clauses_refuse(c, clauses_either);
  }
  c->out->method = true;
  return CLAUSE_READ;
}

/* "property" or "property NAME" */
static clause_found clauses_read_property(const clause_place *c) {
  const bool named = bind_name_size(c->second) && c->third == c->end;
  if (!clauses_is(c->first, "property") || (c->second != c->end && !named)) {
    return CLAUSE_OTHER;
  }
  if (c->out->method || c->out->property) {
    return clauses_refuse(c, clauses_either);
  }
  c->out->property = clauses_word(c->second);
  if (*c->out->property && strchr("0123456789", *c->out->property)) {
    return clauses_refuse(c, "`property`: expected a name");
  }
  return CLAUSE_READ;
}

static clause_found clauses_read_lock(const clause_place *c) {
  if (!clauses_is(c->first, "lock") || !bind_name_size(c->second) || c->third != c->end) {
    return CLAUSE_OTHER;
  }
  if (c->out->lock) {
    return clauses_refuse(c, "expected one `lock`");
  }
  c->out->lock = clauses_word(c->second);
  return CLAUSE_READ;
}

static clause_found clauses_read_keep(const clause_place *c) {
  clause_words *out = c->out;
  keep_clause keep;
  const clause_found found = gift_read_keep(c->first, c->end, &keep, c->why);
  if (found == CLAUSE_READ) {
    out->keeps = bind_grow(out->keeps, out->keep_count, &out->keep_capacity, sizeof *out->keeps);
    out->keeps[out->keep_count++] = keep;
  }
  return found;
}

static void clauses_pass_on(const clause_place *c, int size, const char *clause) {
  if (c->rest->length) {
    bind_put(c->rest, "; ");
  }
  bind_put(c->rest, "%.*s", size, clause);
}

static clause_found clauses_read_gift(const clause_place *c) {
  clause_words *out = c->out;
  gift_clause gift;
  const clause_found found = gift_read(c->first, c->end, &gift, c->why);
  if (found == CLAUSE_READ) {
    out->gifts = bind_grow(out->gifts, out->gift_count, &out->gift_capacity, sizeof *out->gifts);
    out->gifts[out->gift_count++] = gift;
    clauses_pass_on(c, (int)strlen(gift.clause), gift.clause);
  }
  return found;
}

/* "x := array_interface(x)", once, beside the clause of a tensor. */
static clause_found clauses_read_interface(const clause_place *c) {
  static const char source[] = "array_interface";
  if (!bind_name_size(c->first) || strncmp(c->second, ":=", 2) != 0) {
    return CLAUSE_OTHER;
  }
  const char *at = clauses_skip(c->second + 2);
  if (!clauses_is(at, source)) {
    return CLAUSE_OTHER;
  }
  const char *name = clauses_word(c->first);
  *c->why = bind_string("`%s`: expected `%s := %s(%s)` once, and the clause of a tensor for %s",
                        source,
                        name,
                        source,
                        name,
                        name);
  at = clauses_skip(at + sizeof source - 1);
  if (*at++ != '(') {
    return CLAUSE_REFUSED;
  }
  at = clauses_skip(at);
  if (!clauses_is(at, name)) {
    return CLAUSE_REFUSED;
  }
  at = clauses_skip(at + strlen(name));
  if (*at++ != ')' || clauses_skip(at) != c->end || bind_word_in(name, c->out->interfaces)) {
    return CLAUSE_REFUSED;
  }
  if (clauses_tensor(c->contract, name) == CLAUSE_NONE) {
    return CLAUSE_REFUSED;
  }
  c->out->interfaces = bind_join(c->out->interfaces, " ", name);
  return CLAUSE_READ;
}

/* All other clauses belong to the contract's own parser. */
static clause_found clauses_read_rest(const clause_place *c) {
  if (c->end > c->first) {
    clauses_pass_on(c, (int)(c->end - c->first), c->first);
  }
  return CLAUSE_READ;
}

static bool clauses_take_one(const clause_place *c) {
  static clause_found (*const readers[])(const clause_place *) = {clauses_read_guess,
                                                                  clauses_read_handle,
                                                                  clauses_read_value,
                                                                  clauses_read_hide,
                                                                  clauses_read_rename,
                                                                  clauses_read_method,
                                                                  clauses_read_property,
                                                                  clauses_read_lock,
                                                                  clauses_read_keep,
                                                                  clauses_read_gift,
                                                                  clauses_read_interface,
                                                                  clauses_read_rest};
  clause_found found = CLAUSE_OTHER;
  for (size_t i = 0; found == CLAUSE_OTHER; i++) {
    found = readers[i](c);
  }
  return found == CLAUSE_READ;
}

static bool clauses_take_all(const char *contract, clause_words *out, bind_text *rest,
                             const char **why) {
  *out = (clause_words){.interfaces = "", .rest = ""};
  for (const char *p = clauses_skip(contract), *end; *p; p = clauses_skip(end + (*end == ';'))) {
    end = clauses_end(p);
    out->wrong = p;
    const char *second = clauses_skip(p + bind_name_size(p));
    const char *third = clauses_skip(second + bind_name_size(second));
    const clause_place clause = {contract, p, second, third, end, out, rest, why};
    if (!clauses_take_one(&clause)) {
      return false;
    }
  }
  return true;
}

bool clauses_take(const char *contract, clause_words *out, const char **why) {
  bind_text rest = {0};
  const bool fine = clauses_take_all(contract, out, &rest, why);
  if (fine && rest.length) {
    out->rest = bind_keep(&rest);
  } else {
    bind_text_free(&rest);
  }
  if (!fine) {
    out->wrong = bind_string("%.*s", (int)(clauses_end(out->wrong) - out->wrong), out->wrong);
  }
  return fine;
}

/* Return the text after the mark of a parameter's clause, or NULL. */
static const char *clauses_find(const char *contract, const char *name, const char *mark,
                                const char **end) {
  for (const char *p = clauses_skip(contract); *p; p = clauses_skip(*end + (**end == ';'))) {
    *end = clauses_end(p);
    const char *after = clauses_skip(p + bind_name_size(p));
    if (clauses_is(p, name) && strncmp(after, mark, strlen(mark)) == 0 &&
        after[strlen(mark)] != '=') {
      return clauses_skip(after + strlen(mark));
    }
  }
  return NULL;
}

clause_use clauses_tensor(const char *contract, const char *name) {
  const char *end = NULL;
  const char *p = clauses_find(contract, name, ":", &end);
  if (!p || !memchr(p, '[', (size_t)(end - p))) {
    return CLAUSE_NONE;
  }
  for (;; p = clauses_skip(p + bind_name_size(p))) {
    if (clauses_is(p, "inout")) {
      return CLAUSE_INOUT;
    }
    if (clauses_is(p, "in")) {
      return CLAUSE_IN;
    }
    if (clauses_is(p, "out")) {
      return CLAUSE_OUT;
    }
    if (!clauses_is(p, "opt")) {
      return CLAUSE_UNSAID;
    }
  }
}

clause_one clauses_one(const char *contract, const char *name) {
  const char *end = NULL;
  const char *p = clauses_find(contract, name, ":", &end);
  clause_one one = {0};
  if (!p || memchr(p, '[', (size_t)(end - p)) || memchr(p, '*', (size_t)(end - p))) {
    return one;
  }
  for (; bind_name_size(p); p = clauses_skip(p + bind_name_size(p))) {
    const bool both = clauses_is(p, "inout");
    one.in |= both || clauses_is(p, "in");
    one.out |= both || clauses_is(p, "out");
    one.opt |= clauses_is(p, "opt");
    if (!both && !clauses_is(p, "in") && !clauses_is(p, "out") && !clauses_is(p, "opt")) {
      if (strchr("0123456789", *p)) {
        one.dtype = NULL;
      } else {
        one.dtype = bind_string("%.*s", (int)bind_name_size(p), p);
      }
    }
  }
  one.said = p == end;
  return one;
}

bool clauses_only_guess(const char *contract) {
  bool guesses = false;
  for (const char *clause; (clause = clauses_next(&contract));) {
    if (*clause != '?') {
      return false;
    }
    guesses = true;
  }
  return guesses;
}

bool clauses_derives(const char *contract, const char *name) {
  const char *end = NULL;
  return clauses_find(contract, name, ":=", &end) != NULL;
}

bool clauses_changes(const char *contract, const char *name) {
  const char *end = NULL;
  const char *p = clauses_find(contract, name, ":", &end);
  return p && clauses_is(p, "inout") && clauses_skip(p + bind_name_size(p)) == end;
}
