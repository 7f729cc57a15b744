/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of contracts. A wrong one that is believed reads or writes beyond an array, so a clause
 * is written only where names and types agree, all of a function's pointers have one, and no number
 * that may be a length is left over. */
#include "guess.h"
#include "bind/ir/parameters.h"
#include "guess_length.h"
#include "guess_matrix.h"
#include "guess_objects.h"
#include "guess_result.h"
#include "guess_structs.h"
#include "guess_texts.h"
#include "guess_words.h"
#include <string.h>

/* ---- pointers ---- */

/* Put the clause of a tensor with the extents, and of its length. */
static void guess_put_row(guess_plan *g, const bind_param *p, const bind_param *length,
                          const char *confidence) {
  const bool any = strcmp(guess_elements(g->ir, p), "any") == 0;
  if (any && guess_is_explained(g, length)) {
    guess_lacks(g, p, "two pointers to void, and one length");
  } else if (any) {
    guess_explain(g, length);
    guess_say(
        g, confidence, "%s; %s := bytes(%s)", guess_tensor(g, p, "..."), length->name, p->name);
  } else {
    guess_take(g, length);
    guess_say(g, confidence, "%s", guess_tensor(g, p, length->name));
  }
}

/* `const uint8_t key[16]`: C says the extent. */
static bool guess_put_declared(guess_plan *g, const bind_param *p) {
  if (!p->length || strcmp(guess_elements(g->ir, p), "any") == 0) {
    return false;
  }
  if (!*p->length) {
    guess_lacks(g, p, "this header does not define its declared length");
    return true;
  }
  BIND_EACH_PARAM (q, g->f) {
    if (bind_is_integer(q) && strcmp(q->name, p->length) == 0) {
      guess_take(g, q);
    }
  }
  guess_say(g, "high: C declares its length", "%s", guess_tensor(g, p, p->length));
  return true;
}

/* ---- outputs of which C writes a part ---- */

static bool guess_is_bound(const char *rest) {
  return bind_begins(bind_snake(rest), "bound") || bind_begins(rest, "_bound");
}

static const char guess_unknown[] = "_"; /* only the caller knows it */

/* Find the most that a function writes: compressBound for compress2; NULL if there is no such
 * function. */
static const bind_function *guess_find_bound(const guess_facts *facts, const bind_function *f) {
  size_t size = strlen(f->name);
  while (size && bind_is_digit(f->name[size - 1])) {
    size--;
  }
  const bind_function *bound = bind_find_item(
      &facts->bounds, bind_sized(f->name, size), facts->ir->functions, sizeof *bound);
  if (!bound || !guess_integer(f, bind_snake(bound->params[0].name))) {
    return NULL;
  }
  return bound;
}

static const char *guess_bound(const guess_plan *g) {
  const bind_function *bound = guess_find_bound(g->facts, g->f);
  if (!bound) {
    return guess_unknown;
  }
  return bind_string("hook(%s(%s))", bound->name, bound->params[0].name);
}

/* The length behind a pointer that is named after an output: destLen of dest. */
static const bind_param *guess_written(const guess_plan *g, const bind_param *p) {
  const char *elements = guess_elements(g->ir, p);
  if (!elements || guess_is_const(p) || !guess_is_bytes(elements)) {
    return NULL;
  }
  BIND_EACH_PARAM (q, g->f) {
    if (q->returned && q->type.kind == BIND_INTEGER && guess_named_after(q->name, p->name)) {
      return q;
    }
  }
  return NULL;
}

/* Tell whether a function of the header says how much one with such an output needs: then C reads
 * the room there, as compress does. Without it the length may be written alone. */
static bool guess_reads_room(const guess_plan *g, const bind_param *p, const bind_param *count) {
  return bind_find_place(&g->facts->rooms, bind_concat(p->name, " ", count->name)) >= 0;
}

static bool guess_put_part(guess_plan *g, const bind_param *p) {
  const bind_param *count = guess_written(g, p);
  if (!count) {
    return false;
  }
  if (!guess_reads_room(g, p, count)) {
    guess_lacks(g, p, "no name tells whether C reads the room that it has");
    return true;
  }
  guess_say(g,
            "high: a function of the header gives the room",
            "%s: out u8[written <= %s]; written := *%s",
            p->name,
            guess_bound(g),
            count->name);
  return true;
}

static bool guess_is_written(const guess_plan *g, const bind_param *count) {
  BIND_EACH_PARAM (p, g->f) {
    if (guess_written(g, p) == count) {
      return true;
    }
  }
  return false;
}

/* C changes the length of an input: no clause says that. */
static bool guess_is_beyond(const bind_ir *ir, const bind_function *f) {
  for (int i = 1; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bind_param *in = p - 1;
    if (p->returned && p->type.kind == BIND_INTEGER && guess_elements(ir, in) &&
        guess_is_const(in) && guess_named_after(p->name, in->name)) {
      return true;
    }
  }
  return false;
}

/* ---- places for one number ---- */

/* Tell whether the comment says of a pointer that it is a place: "pointer to an int that will
 * receive the width". */
static bool guess_is_place_by_comment(const bind_param *p) {
  return guess_says(guess_comment(p), "pointer to a|pointer to an") &&
         guess_says(guess_comment(p), "will receive|is stored|is written");
}

/* Tell whether a pointer called `out` with a comment is the only place for numbers of a function
 * without lengths. */
static bool guess_is_only_result(const guess_plan *g, const bind_param *p) {
  if (strcmp(p->name, "out") != 0 || !*guess_comment(p)) {
    return false;
  }
  BIND_EACH_PARAM (q, g->f) {
    if (bind_is_integer(q) && guess_may_be_length(q->name)) {
      return false;
    }
    if (q != p && guess_elements(g->ir, q)) {
      return false;
    }
    if (guess_stars(q->type.c) > 1) {
      return false; /* a list */
    }
  }
  return true;
}

static bool guess_put_place(guess_plan *g, const bind_param *p) {
  const bool said = guess_is_place_by_comment(p) || guess_is_only_result(g, p);
  if (!p->returned || p->array || !(said || guess_is_place(p->name))) {
    return false;
  }
  if (guess_says(guess_comment(p),
                 "array|arrays|buffer|list|vector|elements|on input|on "
                 "entry|in/out|initial|should be set|holds")) {
    return false;
  }
  bool room = false; /* a length beside a buffer may be read first */
  BIND_EACH_PARAM (q, g->f) {
    room |= q != p && !q->returned && q->type.kind != BIND_HANDLE && guess_elements(g->ir, q) &&
            !guess_is_const(q);
  }
  if (room && guess_may_be_length(p->name)) {
    return false;
  }
  guess_say(g,
            said ? "high: name, type and comment agree" : "fair: name and type agree",
            "%s: out",
            p->name);
  return true;
}

/* ---- memory of the library ---- */

static const char guess_dims[] = "dim ndim rank out_dim out_ndim out_rank";
static const char guess_lengths[] =
    "len length n size count out_len out_length out_n out_size out_count";

/* `const float **out`, or `const uint64_t **out_shape` */
static bool guess_is_gift(const bind_param *p) {
  const char *name = bind_snake(p->name);
  if (p->type.kind != BIND_OTHER || guess_stars(p->type.c) != 2 ||
      !bind_begins(p->type.c, "const ")) {
    return false;
  }
  return bind_begins(name, "out") || bind_word_in(name, "shape dims");
}

/* A number that C writes for the length of what it gives. */
static bool guess_is_gift_length(const bind_param *p, const char *names) {
  return p->returned && p->type.kind == BIND_INTEGER && bind_word_in(bind_snake(p->name), names);
}

/* `const float **out_result` beside `uint64_t *out_len`, or beside a list of extents and their
 * number. */
static bool guess_put_gift(guess_plan *g, const bind_param *p) {
  const char *elements = NULL;
  if (guess_is_gift(p)) {
    elements = p->type.elements;
  }
  const char *extent = NULL;
  const bind_param *first = g->f->params;
  const bind_param *end = first + g->f->param_count;
  if (guess_is_gift(p) && strstr(bind_snake(g->f->name), "cuda")) {
    guess_lacks(g, p, "the memory may be a device's");
    return true;
  }
  if (!elements || strcmp(elements, "any") == 0) {
    return false;
  }
  if (p + 1 < end && guess_is_gift_length(p + 1, guess_dims)) {
    return true; /* the extents, which another one names */
  }
  if (p > first && guess_is_gift_length(p - 1, guess_lengths)) {
    extent = p[-1].name;
  }
  if (p + 1 < end && guess_is_gift_length(p + 1, guess_lengths)) {
    extent = p[1].name;
  }
  for (const bind_param *q = first + 1; q < end; q++) {
    if (guess_is_gift_length(q, guess_dims) && guess_is_gift(q - 1)) {
      extent = bind_string("%s[%s]", q[-1].name, q->name);
    }
  }
  if (!extent) {
    return false;
  }
  guess_say(g, "fair: names and types agree", "%s: gives %s[%s] copied", p->name, elements, extent);
  return true;
}

static bool guess_is_extent(const bind_param *p) {
  return guess_is_gift_length(p, guess_dims) || guess_is_gift_length(p, guess_lengths);
}

static bool guess_gives(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (guess_is_gift(p)) {
      return true;
    }
  }
  return false;
}

static bool guess_put_interface(guess_plan *g, const bind_param *p) {
  if (p->type.kind != BIND_STRING ||
      !(strstr(guess_comment(p), "array_interface") || strstr(p->name, "interface"))) {
    return false;
  }
  const char *function = bind_snake(g->f->name);
  if (strstr(function, "cuda") || strstr(function, "columnar")) {
    return false; /* of a device; of several arrays */
  }
  guess_say(g,
            "fair: names and types agree",
            "%s: any[...] strided; %s := array_interface(%s)",
            p->name,
            p->name,
            p->name);
  return true;
}

/* ---- what handles keep ---- */

static bool guess_executes(const bind_function *f, const char *snake) {
  if (f->param_count != 1 || f->result.kind != BIND_VOID) {
    return false;
  }
  return strstr(snake, "execute") || strstr(snake, "run") || strstr(snake, "compute");
}

/* compressBound tells the room that compress needs: remember it under `compress`. */
static void guess_note_room_function(guess_facts *facts, const bind_function *f) {
  if (f->param_count != 1 || !bind_is_integer(f->params) || f->result.kind != BIND_INTEGER) {
    return;
  }
  for (const char *rest = f->name; *rest; rest++) {
    if (strchr("bB_", *rest) && guess_is_bound(rest)) {
      const char *stem = bind_sized(f->name, (size_t)(rest - f->name));
      bind_add_place(&facts->bounds, stem, (int)(f - facts->ir->functions));
    }
  }
}

/* The bounds of all functions must be known. */
static void guess_add_rooms(guess_facts *facts, const bind_function *f) {
  if (!guess_find_bound(facts, f)) {
    return;
  }
  for (int i = 0; i + 1 < f->param_count; i++) {
    if (f->params[i + 1].returned) {
      const char *names = bind_concat(f->params[i].name, " ", f->params[i + 1].name);
      bind_add_place(&facts->rooms, names, i);
    }
  }
}

static void guess_add_text(guess_facts *facts, const bind_function *f) {
  const char *name = bind_snake(f->name);
  if (f->result.kind != BIND_STRING || f->param_count > 1 ||
      !(strstr(name, "strerr") || strstr(name, "error") || strstr(name, "err_str"))) {
    return;
  }
  BIND_ADD(facts->texts, facts->text_count, facts->text_capacity, f);
}

guess_facts guess_find_facts(const bind_ir *ir) {
  guess_facts facts = {.ir = ir};
  BIND_EACH_DECLARED (f, ir) {
    guess_note_room_function(&facts, f);
    guess_note_freeing(&facts, f);
    guess_add_text(&facts, f);
  }
  BIND_EACH_DECLARED (f, ir) {
    guess_add_rooms(&facts, f);
    if (strstr(bind_snake(f->name), "thread_safe")) {
      facts.thread_safe = true;
    }
    if (!guess_executes(f, bind_snake(f->short_name))) {
      continue;
    }
    const bind_type *type = &f->params[0].type;
    if (type->handle) {
      bind_add_place(&facts.executed, type->handle->name, 0);
    }
    if (type->alias) {
      bind_add_place(&facts.executed, type->alias, 0);
    }
  }
  return facts;
}

/* ---- functions ---- */

/* Tell whether C may keep a pointer after the call, free what it points to, or take what its other
 * arguments say for its type. */
static bool guess_may_keep(const guess_plan *g) {
  static const char always[] =
      "open create new free release destroy delete close command ctl ioctl control deserialize";
  static const char with_object[] =
      "set attach init from register bind push append cat add assign use load insert ref prefix "
      "secret";
  const bind_function *f = g->f;
  const char *name = bind_snake(f->short_name);
  if (guess_keeps(g)) {
    return false; /* the clause says so */
  }
  if (bind_has_ending(name, always) || (guess_has_object(g) && bind_has_word(name, with_object))) {
    return true;
  }
  BIND_EACH_PARAM (p, f) {
    if (p->type.kind == BIND_BOOL || strstr(p->type.c, "bool")) {
      if (bind_word_in(guess_last(p->name), "copy own owns take free owned")) {
        return true;
      }
    }
  }
  const char *said = bind_string("%s %s", f->summary, f->description);
  BIND_EACH_PARAM (p, f) {
    said = bind_join(said, " ", guess_comment(p));
  }
  return guess_says(
      said,
      "remain valid|remains valid|not copied|ownership|until the|must not be freed|keeps a pointer|"
      "lifetime|taken over|referenced|by reference|outlive|outlives|does not copy|kept alive|stay "
      "valid|stays valid");
}

/* Find the clauses of a pointer; false if nothing tells them. */
static bool guess_put_pointer(guess_plan *g, const bind_param *p) {
  const char *confidence = "";
  if (p->returned && guess_put_place(g, p)) {
    return true;
  }
  if (!p->length && guess_may_keep(g)) {
    guess_lacks(g, p, "C may keep the pointer or free it");
    return true;
  }
  if (guess_put_part(g, p) || guess_put_declared(g, p) || guess_put_matrix(g, p) ||
      guess_put_strided(g, p) || guess_put_vector(g, p)) {
    return true;
  }
  const bind_param *length = guess_length(g, p, &confidence);
  if (length) {
    guess_put_row(g, p, length, confidence);
  }
  return length != NULL;
}

/* A text whose length is passed beside it need not end with a NUL. */
static bool guess_put_text(guess_plan *g, const bind_param *p) {
  const char *word = "";
  const bind_param *length = NULL;
  if (p->type.kind == BIND_STRING) {
    length = guess_own_length(g, p, &word);
  }
  if (!length || guess_is_shaped(bind_join(guess_comment(p), " ", guess_comment(length))) ||
      guess_may_keep(g)) {
    return false;
  }
  guess_take(g, length);
  guess_say(g, "high: the length is named after it", "%s: u8[%s]", p->name, length->name);
  return true;
}

static void guess_put_parameters(guess_plan *g) {
  const bind_function *f = g->f;
  BIND_EACH_PARAM (p, f) {
    if (guess_put_interface(g, p) || guess_put_given_text(g, p) || guess_put_gift(g, p) ||
        guess_put_absent(g, p) || guess_put_struct(g, p)) {
      continue;
    }
    if (p->type.enumeration && !p->returned) {
      guess_put_enum(g, p);
    }
    if (guess_integer(f, "matrix_layout") == p) {
      guess_put_layout(g, p);
    }
    if (!f->unbound || guess_put_text(g, p)) {
      continue;
    }
    if (p->returned && p->type.kind == BIND_ENUM && !guess_put_place(g, p)) {
      guess_lacks(g, p, "it may be one value, or an array");
    }
    if (!guess_elements(g->ir, p)) {
      continue;
    }
    if (guess_is_written(g, p) || (guess_gives(f) && guess_is_extent(p))) {
      continue;
    }
    if (!guess_put_pointer(g, p)) {
      guess_lacks(g, p, "nothing tells how many elements it has");
    }
  }
}

/* Tell whether comments allow an array without elements. C often reads the first one before it
 * looks at their number, so that without such words none is guessed. */
static bool guess_allows_empty(const guess_plan *g, const bind_param *length) {
  static const char words[] =
      "may be 0|can be 0|may be zero|can be zero|or zero|0 is allowed|zero is "
      "allowed|0 or more|zero or more|>= 0|non-negative|nonnegative|may be empty|"
      "can be empty|zero length|zero-length";
  const char *said = guess_comment(length);
  BIND_EACH_PARAM (p, g->f) {
    if (guess_elements(g->ir, p)) {
      said = bind_join(said, " ", guess_comment(p));
    }
  }
  return guess_says(said, words);
}

/* A number that may be a length, but of which nothing says so, is one that a clause would have to
 * know. */
static void guess_look_for_lengths(guess_plan *g) {
  const bind_function *f = g->f;
  bool points = false;
  BIND_EACH_PARAM (p, f) {
    points |= guess_elements(g->ir, p) || p->type.kind == BIND_STRING || p->type.kind == BIND_OTHER;
  }
  BIND_EACH_PARAM (p, f) {
    if (points && bind_is_integer(p) && !guess_is_explained(g, p) && guess_may_be_length(p->name)) {
      guess_lacks(g, p, "it may be the length of something");
    }
  }
  for (int i = 0; i < f->param_count; i++) {
    const char *name = f->params[i].name;
    if (!g->extent[i]) {
      continue;
    }
    if (guess_allows_empty(g, &f->params[i])) {
      guess_say(g, "", "%s := %s", name, name);
    } else {
      guess_say(g, "", "%s := %s; %s > 0", name, name, name);
    }
  }
}

/* A number that callers choose may be a place in an array, which no clause limits: `const double
 * *x, int n, int i`, or the fraction of a quantile. Beside an object it is one of its places. */
static void guess_look_for_places(guess_plan *g) {
  const bind_function *f = g->f;
  bool points = false;
  BIND_EACH_PARAM (p, f) {
    points |= guess_elements(g->ir, p) != NULL;
  }
  for (int i = 0; i < f->param_count && points && !guess_has_object(g); i++) {
    const bind_param *p = &f->params[i];
    const bool integer = bind_is_integer(p) && !g->used[i] && guess_may_be_place(p->name);
    const bool real = p->type.kind == BIND_REAL && !p->pointer && guess_may_be_fraction(p->name);
    if (integer || real) {
      guess_lacks(g, p, "it may be a place in an array, which no clause limits");
    }
  }
}

/* Tell whether a function frees a handle, so that callers do not get it. */
static bool guess_frees(const bind_ir *ir, const bind_function *f) {
  return bind_find_place(&ir->guessed_freeing, f->name) >= 0;
}

guess_block guess_function(const guess_facts *facts, const bind_function *f) {
  guess_plan g = {.facts = facts, .ir = facts->ir, .f = f};
  g.used = bind_items(f->param_count, sizeof *g.used);
  g.extent = bind_items(f->param_count, sizeof *g.extent);
  if (guess_frees(g.ir, f)) {
    return g.block;
  }
  if (f->unbound && guess_is_beyond(g.ir, f)) {
    guess_say(&g, "high: C changes the length of an input", "hide");
  } else {
    guess_put_parameters(&g);
    guess_look_for_lengths(&g);
    guess_look_for_places(&g);
    guess_put_kept(&g);
    guess_put_attributes(&g);
    guess_put_returned_text(&g);
    guess_put_status(&g);
  }
  if (g.block.lack) {
    g.block.count = 0;
  }
  return g.block;
}

void guess_put_block(bind_text *t, const bind_function *f, const guess_block *guess,
                     const char *mark) {
  if (!guess->count) {
    return;
  }
  bind_open(t, "%s {", f->name);
  BIND_EACH (const guess_line, line, guess->lines, guess->count) {
    const char *text = "";
    BIND_EACH_CLAUSE (c, &line->clauses) {
      text = bind_join(text, "  ", bind_concat(mark, clause_text(c), ";"));
    }
    bind_line(t, "%s", bind_join(text, " # ", line->confidence));
  }
  bind_close(t, "}");
}

void guess_put_handles(bind_text *t, const bind_ir *ir, const bind_function *f) {
  for (int i = 0; i < ir->guess_count; i++) {
    const clause_list handle = clauses_parse(ir->guesses[i]);
    const char *type = clause_name(handle.clauses, 1);
    const size_t size = strlen(type);
    bool used = false;
    BIND_EACH_PARAM (p, f) {
      const char *name;
      if (p->type.alias) {
        name = p->type.alias;
      } else {
        name = p->type.c + (bind_begins(p->type.c, "const ") ? 6 : 0);
      }
      used |= strncmp(name, type, size) == 0 && strchr(" *", name[size]);
    }
    if (used) {
      bind_line(t, "%s;", ir->guesses[i]);
    }
  }
}
