/* SPDX-License-Identifier: Apache-2.0 */
#include "clauses.h"
#include "bind/base/names.h"
#include <string.h>

/* One clause of a contract, and where what is read of it goes. */
typedef struct clause_place {
  const clause_list *contract;
  const bind_clause *clause;
  clause_words *out;
  const char **why;
} clause_place;

static clause_found clauses_refuse(const clause_place *place, const char *why) {
  *place->why = why;
  return CLAUSE_REFUSED;
}

/* Tell whether a clause is one word. */
static bool clauses_is_word(const bind_clause *c, const char *word) {
  return c->count == 1 && clause_is(c, 0, word);
}

/* Tell whether a clause is a word and a name. */
static bool clauses_names(const bind_clause *c, const char *word) {
  return c->count == 2 && clause_is(c, 0, word) && clause_has_name(c, 1);
}

/* "x: opt opt f64" */
static clause_found clauses_read_doubled(const clause_place *place) {
  const bind_clause *c = place->clause;
  if (clause_mark_at(c, 1) != CLAUSE_COLON) {
    return CLAUSE_OTHER;
  }
  for (int i = 2; bind_word_in(clause_name(c, i), "in out inout opt fields"); i++) {
    const char *word = clause_name(c, i);
    if (*word && clause_is(c, i + 1, word)) {
      return clauses_refuse(place, bind_string("expected `%s` once", word));
    }
  }
  return CLAUSE_OTHER;
}

/* "data: fields", once. */
static clause_found clauses_read_fields(const clause_place *place) {
  const bind_clause *c = place->clause;
  if (clause_mark_at(c, 1) != CLAUSE_COLON || !clause_is(c, 2, "fields")) {
    return CLAUSE_OTHER;
  }
  BIND_EACH_CLAUSE (before, place->contract) {
    if (before == c) {
      break;
    }
    if (clause_is(before, 0, clause_name(c, 0)) && clause_is(before, 2, "fields")) {
      return clauses_refuse(place, "expected `fields` once");
    }
  }
  const bool named = clause_has_name(c, 3) && clause_is(c, 4, "*");
  const int end = 3 + 2 * named;
  const bool listed = clause_is(c, end, "*") && clause_has_name(c, end + 1);
  if (c->count != end + 2 * listed) {
    return clauses_refuse(place,
                          "expected `fields`, `fields NAME_*` for names of its own, or `fields *n` "
                          "for a list of structs");
  }
  return CLAUSE_OTHER;
}

/* A guess is unconfirmed and has no effect; "handle X freed f" was read before, since types depend
 * on it. */
static clause_found clauses_pass(const clause_place *place) {
  if (clause_is_guess(place->clause) || clauses_is_handle(place->clause)) {
    return CLAUSE_READ;
  }
  return CLAUSE_OTHER;
}

bool clauses_is_handle(const bind_clause *c) {
  const bool plain = clause_is(c, 1, "void") && clause_is(c, 2, "*");
  return clause_is(c, 0, "handle") && clause_has_name(c, 1) &&
         (plain || clause_is(c, 2, "freed") || clause_is(c, 2, "init") ||
          clause_is(c, 2, "unowned"));
}

/* Tell whether a clause is about the return value. */
static bool clauses_is_return(const bind_clause *c) {
  return clause_is(c, 0, "return") && clause_is(c, 1, ":");
}

/* Count the clauses for the return value. */
static int clauses_returns(const clause_list *contract) {
  int count = 0;
  BIND_EACH_CLAUSE (c, contract) {
    count += clauses_is_return(c);
  }
  return count;
}

/* "return: i8": callers get a number of that dtype. */
static const char *clauses_number(const bind_clause *c) {
  static const char *const dtypes[] = {"i8", "u8", "f64"};
  BIND_EACH_STRING (dtype, dtypes) {
    if (clause_is(c, 2, *dtype)) {
      return *dtype;
    }
  }
  return NULL;
}

/* "return: value": it is no status, also if `every` says one. "return: ignored": callers get
 * nothing, as of a function that returns its own argument. */
static clause_found clauses_read_value(const clause_place *place) {
  const bind_clause *c = place->clause;
  const bool ignored = clause_is(c, 2, "ignored");
  const char *number = clauses_number(c);
  const bool known = ignored || number || clause_is(c, 2, "value");
  if (!clauses_is_return(c) || !known || c->count != 3) {
    return CLAUSE_OTHER;
  }
  if (clauses_returns(place->contract) > 1) {
    return clauses_refuse(place, "expected one clause for the return value");
  }
  place->out->ignored = ignored;
  place->out->number = number;
  return CLAUSE_READ;
}

/* A word that stands alone, once. */
static clause_found clauses_read_flag(const clause_place *place, const char *word, bool *flag) {
  if (!clauses_is_word(place->clause, word)) {
    return CLAUSE_OTHER;
  }
  if (*flag) {
    return clauses_refuse(place, bind_string("expected `%s` once", word));
  }
  *flag = true;
  return CLAUSE_READ;
}

static clause_found clauses_read_hide(const clause_place *place) {
  return clauses_read_flag(place, "hide", &place->out->hide);
}

static clause_found clauses_read_unchanged(const clause_place *place) {
  return clauses_read_flag(place, "unchanged", &place->out->unchanged);
}

static clause_found clauses_read_rename(const clause_place *place) {
  if (!clauses_names(place->clause, "rename")) {
    return CLAUSE_OTHER;
  }
  if (place->out->rename) {
    return clauses_refuse(place, "expected one `rename`");
  }
  if (clause_has_number(place->clause, 1)) {
    return clauses_refuse(place, "`rename`: expected a name");
  }
  place->out->rename = clause_name(place->clause, 1);
  return CLAUSE_READ;
}

/* "method", "property" or "property NAME" */
static clause_found clauses_read_property(const clause_place *place) {
  clause_words *out = place->out;
  const bind_clause *c = place->clause;
  const bool method = clauses_is_word(c, "method");
  if (!method && !clauses_is_word(c, "property") && !clauses_names(c, "property")) {
    return CLAUSE_OTHER;
  }
  if (out->method || out->property) {
    return clauses_refuse(place, "expected one of `method` and `property`, once");
  }
  if (method) {
    out->method = true;
    return CLAUSE_READ;
  }
  out->property = clause_name(c, 1);
  if (clause_has_number(c, 1)) {
    return clauses_refuse(place, "`property`: expected a name");
  }
  return CLAUSE_READ;
}

bool clauses_is_lock(const bind_clause *c) {
  return clauses_names(c, "lock");
}

static clause_found clauses_read_lock(const clause_place *place) {
  if (!clauses_is_lock(place->clause)) {
    return CLAUSE_OTHER;
  }
  if (place->out->lock) {
    return clauses_refuse(place, "expected one `lock`");
  }
  place->out->lock = clause_name(place->clause, 1);
  return CLAUSE_READ;
}

static clause_found clauses_read_keep(const clause_place *place) {
  clause_words *out = place->out;
  keep_clause keep;
  const clause_found found = gift_read_keep(place->clause, &keep, place->why);
  if (found == CLAUSE_READ && clauses_repeat(place->contract, place->clause)) {
    return clauses_refuse(place, "expected it once");
  }
  if (found == CLAUSE_READ) {
    BIND_ADD(out->keeps, out->keep_count, out->keep_capacity, keep);
  }
  return found;
}

static clause_found clauses_read_origin(const clause_place *place) {
  clause_words *out = place->out;
  origin_clause origin;
  const clause_found found = origin_read(place->clause, &origin, place->why);
  if (found == CLAUSE_READ && clauses_repeat(place->contract, place->clause)) {
    return clauses_refuse(place, "expected it once");
  }
  if (found == CLAUSE_READ) {
    BIND_ADD(out->origins, out->origin_count, out->origin_capacity, origin);
  }
  return found;
}

static clause_found clauses_read_borrow(const clause_place *place) {
  borrow_clause borrow;
  const clause_found found = borrow_read(place->clause, &borrow, place->why);
  if (found != CLAUSE_READ) {
    return found;
  }
  if (place->out->borrow.param) {
    return clauses_refuse(place, "expected one `borrows`");
  }
  place->out->borrow = borrow;
  return CLAUSE_READ;
}

static clause_found clauses_read_gift(const clause_place *place) {
  clause_words *out = place->out;
  gift_clause gift;
  const clause_found found = gift_read(place->clause, &gift, place->why);
  if (found == CLAUSE_READ) {
    BIND_ADD(out->gifts, out->gift_count, out->gift_capacity, gift);
    const clause_list tensor = clauses_parse(gift.clause);
    clauses_add(&out->rest, &tensor);
  }
  return found;
}

/* "message: out text freed f"; what it says of a status stays. */
static clause_found clauses_read_text(const clause_place *place) {
  clause_words *out = place->out;
  text_clause text;
  const char *rest;
  const clause_found found = texts_read(place->contract, place->clause, &text, &rest, place->why);
  if (found == CLAUSE_READ && text.param) {
    BIND_ADD(out->given_texts, out->given_text_count, out->given_text_capacity, text);
  }
  if (found == CLAUSE_READ && rest) {
    const clause_list status = clauses_parse(rest);
    clauses_add(&out->rest, &status);
  }
  return found;
}

/* `f: file "r"` */
static clause_found clauses_read_file(const clause_place *place) {
  clause_words *out = place->out;
  text_clause file;
  const clause_found found = file_read(place->clause, &file, place->why);
  if (found == CLAUSE_READ) {
    BIND_ADD(out->given_texts, out->given_text_count, out->given_text_capacity, file);
  }
  return found;
}

/* "countp := shape(op)" */
static clause_found clauses_read_axes(const clause_place *place) {
  clause_words *out = place->out;
  axes_clause axes;
  const clause_found found = axes_read(place->clause, &axes, place->why);
  if (found == CLAUSE_READ) {
    BIND_ADD(out->axes, out->axes_count, out->axes_capacity, axes);
  }
  return found;
}

/* "errcode_ret: status" */
static clause_found clauses_read_report(const clause_place *place) {
  report_clause report;
  const clause_found found = report_read(place->clause, &report, place->why);
  if (found != CLAUSE_READ) {
    return found;
  }
  if (place->out->report.param) {
    return clauses_refuse(place, "expected one parameter that is a `status`");
  }
  place->out->report = report;
  return CLAUSE_READ;
}

/* Return the part behind the one that an opening parenthesis belongs to; the number of parts if it
 * is never closed. */
static int clauses_behind(const bind_clause *c, int open) {
  int depth = 0;
  for (int i = open; i < c->count; i++) {
    depth += clause_is(c, i, "(") - clause_is(c, i, ")");
    if (depth == 0) {
      return i + 1;
    }
  }
  return c->count + 1;
}

/* "work := scratch(2 * n)": the contract computes how many elements. */
static clause_found clauses_read_scratch(const clause_place *place) {
  clause_words *out = place->out;
  const bind_clause *c = place->clause;
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":=") || !clause_is(c, 2, "scratch") ||
      !clause_is(c, 3, "(")) {
    return CLAUSE_OTHER;
  }
  const char *name = clause_name(c, 0);
  if (clauses_behind(c, 3) != c->count || c->count < 6 || bind_word_in(name, out->scratch)) {
    return clauses_refuse(place, "`scratch`: expected `NAME := scratch(NUMBER)` once");
  }
  const char *first = c->parts[4].at;
  const char *number = bind_sized(first, (size_t)(c->parts[c->count - 1].at - first));
  const clause_list derived = clauses_parse(bind_string("%s := %s", name, number));
  clauses_add(&out->rest, &derived);
  out->scratch = bind_join(out->scratch, " ", name);
  return CLAUSE_READ;
}

/* "x := array_interface(x)", once, beside the clause of a tensor. */
static clause_found clauses_read_interface(const clause_place *place) {
  static const char source[] = "array_interface";
  clause_words *out = place->out;
  const bind_clause *c = place->clause;
  if (!clause_has_name(c, 0) || !clause_is(c, 1, ":=") || !clause_is(c, 2, source)) {
    return CLAUSE_OTHER;
  }
  const char *name = clause_name(c, 0);
  const bool whole = clause_is(c, 3, "(") && clause_is(c, 4, name) && clause_is(c, 5, ")");
  if (!whole || c->count != 6 || bind_word_in(name, out->interfaces) ||
      clauses_tensor(place->contract, name) == CLAUSE_NONE) {
    return clauses_refuse(
        place,
        bind_string("`%s`: expected `%s := %s(%s)` once, and the clause of a tensor for %s",
                    source,
                    name,
                    source,
                    name,
                    name));
  }
  out->interfaces = bind_join(out->interfaces, " ", name);
  return CLAUSE_READ;
}

/* "x: out freed f": that C's pointer is freed is no matter of the contract's. */
static clause_found clauses_read_freed(const clause_place *place) {
  const bind_clause *c = place->clause;
  if (c->count != 5 || !clause_is(c, 1, ":") || !clause_is(c, 2, "out") ||
      !clause_is(c, 3, "freed")) {
    return CLAUSE_OTHER;
  }
  const clause_list out = clauses_parse(bind_string("%s: out", clause_name(c, 0)));
  clauses_put(&place->out->freed, c);
  clauses_add(&place->out->rest, &out);
  return CLAUSE_READ;
}

static clause_found clauses_read_collect(const clause_place *place) {
  return collect_read(place->clause, &place->out->collect, place->why);
}

/* A word alone, or with a name: those of this language are read by now. */
static clause_found clauses_read_word(const clause_place *place) {
  const bind_clause *c = place->clause;
  const char *word = clause_name(c, 0);
  const bool stands = c->count == 1 && bind_word_in(word, "slow fast threadsafe");
  const bool named = clause_has_name(c, 1) && !clause_is(c, 1, "in");
  const bool known = named && bind_word_in(word, "hide lock rename method property unchanged");
  if (!clause_has_name(c, 0) || clause_has_number(c, 0) || stands) {
    return CLAUSE_OTHER;
  }
  if (c->count > 1 && !known && !(named && c->count == 2)) {
    return CLAUSE_OTHER;
  }
  return clauses_refuse(
      place,
      bind_string(
          "expected a clause with `:`, `:=`, `=`, `in` or a comparison, or one of the words "
          "slow, fast, threadsafe, unchanged, lock NAME, hide, rename NAME, method, property, "
          "property NAME, got `%s`",
          clause_text(c)));
}

static clause_found clauses_read_return(const clause_place *place) {
  const bind_clause *c = place->clause;
  if (!clauses_is_return(c) ||
      bind_word_in(clause_name(c, 2), "status opt value gives borrows fields")) {
    return CLAUSE_OTHER;
  }
  const char *got = "the end";
  if (c->count > 2) {
    place->out->part = bind_sized(c->parts[2].at, c->parts[2].size);
    got = bind_string("`%s`", place->out->part);
  }
  return clauses_refuse(
      place,
      bind_string(
          "expected `status`, `opt`, `value`, `ignored`, `gives`, `borrows` or `text`, got %s",
          got));
}

/* All other clauses belong to the contract's own parser. */
static clause_found clauses_read_rest(const clause_place *place) {
  clauses_put(&place->out->rest, place->clause);
  return CLAUSE_READ;
}

static bool clauses_take_one(const clause_place *place) {
  static clause_found (*const readers[])(const clause_place *) = {
      clauses_pass,      clauses_read_doubled, clauses_read_fields,   clauses_read_value,
      clauses_read_hide, clauses_read_rename,  clauses_read_property, clauses_read_unchanged,
      clauses_read_lock, clauses_read_keep,    clauses_read_origin,   clauses_read_gift,
      clauses_read_text, clauses_read_file,    clauses_read_borrow,   clauses_read_scratch,
      clauses_read_axes, clauses_read_report,  clauses_read_freed,    clauses_read_interface,
      clauses_read_word, clauses_read_collect, clauses_read_return,   clauses_read_rest};
  clause_found found = CLAUSE_OTHER;
  for (size_t i = 0; found == CLAUSE_OTHER; i++) {
    found = readers[i](place);
  }
  return found == CLAUSE_READ;
}

bool clauses_take(const clause_list *contract, clause_words *out, const char **why) {
  *out = (clause_words){.interfaces = "", .scratch = ""};
  BIND_EACH_CLAUSE (c, contract) {
    const clause_place place = {contract, c, out, why};
    if (!clauses_take_one(&place)) {
      out->wrong = clause_text(c);
      out->rest = (clause_list){0};
      out->scratch = ""; /* its numbers are in the rest */
      return false;
    }
  }
  return true;
}

clause_use clauses_tensor(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  if (!c || clause_find_part(c, 2, "[") < 0) {
    return CLAUSE_NONE;
  }
  int part = 2;
  while (clause_is(c, part, "opt")) {
    part++;
  }
  if (clause_is(c, part, "inout")) {
    return CLAUSE_INOUT;
  }
  if (clause_is(c, part, "in")) {
    return CLAUSE_IN;
  }
  if (clause_is(c, part, "out")) {
    return CLAUSE_OUT;
  }
  return CLAUSE_UNSAID;
}

clause_pointee clauses_pointee(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  clause_pointee pointee = {0};
  if (!c || clause_find_part(c, 2, "[") >= 0 || clause_find_part(c, 2, "*") >= 0) {
    return pointee;
  }
  int part = 2;
  for (; clause_has_name(c, part); part++) {
    const char *word = clause_name(c, part);
    pointee.in |= bind_word_in(word, "in inout");
    pointee.out |= bind_word_in(word, "out inout");
    pointee.opt |= strcmp(word, "opt") == 0;
    if (clause_has_number(c, part)) {
      pointee.dtype = NULL;
    } else if (!bind_word_in(word, "in out inout opt")) {
      pointee.dtype = word;
    }
  }
  pointee.said = part == c->count;
  return pointee;
}

bool clauses_only_guess(const clause_list *contract) {
  BIND_EACH_CLAUSE (c, contract) {
    if (!clause_is_guess(c)) {
      return false;
    }
  }
  return contract->count > 0;
}

bool clauses_changes(const clause_list *contract, const char *name) {
  const bind_clause *c = clauses_find(contract, name, CLAUSE_COLON);
  return c && c->count == 3 && clause_is(c, 2, "inout");
}
