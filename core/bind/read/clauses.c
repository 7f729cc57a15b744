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

/* Take "x := array_interface(x)"; *why if it is another parameter's, or a second one. */
static bool clauses_takes_interface(const char *contract, const char *p, const char *end,
                                    clause_words *out, const char **why) {
  static const char source[] = "array_interface";
  const size_t size = bind_name_size(p);
  const char *at = clauses_skip(p + size);
  if (!size || strncmp(at, ":=", 2) != 0) {
    return false;
  }
  at = clauses_skip(at + 2);
  if (!clauses_is(at, source)) {
    return false;
  }
  const char *name = bind_string("%.*s", (int)size, p);
  *why = bind_string("`%s`: expected `%s := %s(%s)` once, and the clause of a tensor for %s",
                     source, name, source, name, name);
  at = clauses_skip(at + sizeof source - 1);
  if (*at++ != '(') {
    return true;
  }
  at = clauses_skip(at);
  if (!clauses_is(at, name)) {
    return true;
  }
  at = clauses_skip(at + size);
  if (*at++ != ')' || clauses_skip(at) != end || bind_word_in(name, out->interfaces)) {
    return true;
  }
  if (clauses_tensor(contract, name) == CLAUSE_NONE) {
    return true;
  }
  out->interfaces = bind_join(out->interfaces, " ", name);
  *why = NULL;
  return true;
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

static bool clauses_take_all(const char *contract, clause_words *out, bind_text *rest,
                             const char **why) {
  gift_clause gift;
  keep_clause keep;
  int gives = 0;
  *out = (clause_words){.interfaces = "", .rest = ""};
  for (const char *p = clauses_skip(contract), *end; *p; p = clauses_skip(end + (*end == ';'))) {
    end = clauses_end(p);
    out->wrong = p;
    const char *word = clauses_skip(p + bind_name_size(p)), *name = word;
    word = clauses_skip(word + bind_name_size(word));
    if (*p == '?') { /* an unconfirmed guess */
      continue;
    } else if (clauses_is(p, "handle") && bind_name_size(name) && clauses_is(word, "freed")) {
      continue; /* read before, since types depend on it */
    } else if (clauses_is(p, "return") && *name == ':' &&
               clauses_is(clauses_skip(name + 1), "value") &&
               clauses_skip(clauses_skip(name + 1) + strlen("value")) == end) {
      *why = "expected one clause for the return value"; /* it is no status, also if `every` says
                                                            one */
      if (clauses_returns(contract) > 1) {
        return false;
      }
    } else if (clauses_is(p, "hide") && name == end) {
      *why = "expected `hide` once";
      if (out->hide) {
        return false;
      }
      out->hide = true;
    } else if (clauses_is(p, "rename") && bind_name_size(name) && word == end) {
      *why = "expected one `rename`";
      if (out->rename) {
        return false;
      }
      out->rename = bind_string("%.*s", (int)bind_name_size(name), name);
      *why = "`rename`: expected a name";
      if (strchr("0123456789", *name)) {
        return false;
      }
    } else if (clauses_is(p, "method") && name == end) {
      *why = "expected one of `method` and `property`, once";
      if (out->method || out->property) {
        return false;
      }
      out->method = true;
    } else if (clauses_is(p, "property") &&
               (name == end || (bind_name_size(name) && word == end))) {
      *why = "expected one of `method` and `property`, once";
      if (out->method || out->property) {
        return false;
      }
      out->property = bind_string("%.*s", (int)bind_name_size(name), name);
      *why = "`property`: expected a name";
      if (*out->property && strchr("0123456789", *out->property)) {
        return false;
      }
    } else if ((gives = gift_read_keep(p, end, &keep, &out->lock, why)) != 0) {
      if (gives < 0) {
        return false;
      }
      if (!keep.param) {
        continue;
      }
      out->keeps = bind_grow(out->keeps, out->keep_count, &out->keep_capacity, sizeof *out->keeps);
      out->keeps[out->keep_count++] = keep;
    } else if ((gives = gift_read(p, end, &gift, why)) != 0) {
      if (gives < 0) {
        return false;
      }
      out->gifts = bind_grow(out->gifts, out->gift_count, &out->gift_capacity, sizeof *out->gifts);
      out->gifts[out->gift_count++] = gift;
      bind_put(rest, "%s%s", rest->length ? "; " : "", gift.clause);
    } else if (clauses_takes_interface(contract, p, end, out, why)) {
      if (*why) {
        return false;
      }
    } else if (end > p) {
      bind_put(rest, "%s%.*s", rest->length ? "; " : "", (int)(end - p), p);
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
  const char *end = NULL, *p = clauses_find(contract, name, ":", &end);
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
  const char *end = NULL, *p = clauses_find(contract, name, ":", &end);
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
  const char *end = NULL, *p = clauses_find(contract, name, ":", &end);
  return p && clauses_is(p, "inout") && clauses_skip(p + bind_name_size(p)) == end;
}
