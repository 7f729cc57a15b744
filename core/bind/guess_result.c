/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of what a result means, and of whether a method is an attribute. */
#include "guess_result.h"
#include "guess_words.h"
#include <string.h>

/* The handle that a function makes, if guesses are right: "fftw_plan"; NULL for none. */
static const char *guess_made(const bind_ir *ir, const bind_function *f) {
  if (f->creates) {
    return f->creates->name;
  }
  if (f->result.alias && guess_is_handle(ir, f->result.alias)) {
    return f->result.alias;
  }
  return NULL;
}

/* Tell whether the handle that a function makes keeps what it is given, since one like fftw_execute
 * takes it alone. */
bool guess_keeps(const guess_plan *g) {
  const char *handle = guess_made(g->ir, g->f);
  return handle && bind_find_place(&g->facts->executed, handle) >= 0;
}

/* Planners of a library that has fftw_make_planner_thread_safe, and functions whose comment says
 * so, need a lock. */
static bool guess_locks(const guess_plan *g) {
  const char *doc = bind_string("%s %s", g->f->summary, g->f->description);
  if (strstr(doc, "not thread-safe") || strstr(doc, "not thread safe") ||
      strstr(doc, "not reentrant")) {
    return true;
  }
  return guess_keeps(g) && g->facts->thread_safe;
}

/* Tell whether an enumerator means that the caller goes on: that is no failure. */
static bool guess_goes_on(const char *snake) {
  return bind_has_word(snake, "suspended again pending progress incomplete more retry eof") ||
         strstr(snake, "stream_end");
}

/* Tell whether an enum is a code: its 0 is success, and another value a failure. */
static bool guess_is_code(const bind_enum *e) {
  bool fine = false;
  bool fails = false;
  for (int i = 0; e && i < e->count; i++) {
    const char *name = bind_snake(e->values[i].name);
    if (guess_goes_on(name)) {
      return false;
    }
    fine |= e->values[i].value == 0 &&
            (bind_word_in(guess_last(name), "ok success noerr") || strstr(name, "no_error"));
    fails |= e->values[i].value != 0 &&
             (strstr(name, "err") || strstr(name, "fail") || strstr(name, "invalid"));
  }
  return fine && fails;
}

/* Tell whether a text has a name, followed by "success". */
static bool guess_is_success(const char *text, const char *name) {
  const char *at = strstr(text, name);
  return at && guess_says(bind_string("%.24s", at + strlen(name)), "success|succeeded|if ok");
}

/* The same of an enumerator or a macro of the header whose value is 0. */
static bool guess_names_success(const bind_ir *ir, const char *text) {
  if (!guess_says(text, "success|succeeded|if ok")) {
    return false;
  }
  BIND_EACH_ENUM (enumeration, ir) {
    BIND_EACH (const bind_enumerator, e, enumeration->values, enumeration->count) {
      if (e->value == 0 && guess_is_success(text, e->name)) {
        return true;
      }
    }
  }
  BIND_EACH (const bind_constant, c, ir->constants, ir->constant_count) {
    if (strcmp(c->text, "0") == 0 && guess_is_success(text, c->name)) {
      return true;
    }
  }
  return false;
}

/* Tell whether the comment says that 0 is success, and gives no other value a meaning that callers
 * want. */
static bool guess_comment_tells_code(const bind_ir *ir, const char *said) {
  static const char values[] =
      "number of|length|bytes written|1 if|1 when|true|otherwise 1|index|positive|count of|"
      "0 if not|0 otherwise|greater|non-zero if|nonzero if";
  static const char codes[] =
      "0 on success|0 if success|0 when success|0 for success|0 upon success|zero on success|"
      "zero if success|0 or an error|0 if ok|0 = success|0: success|zero for success|"
      "zero upon success|0 on ok|0 if no error|0 if successful|0 when successful|zero if "
      "successful";
  if (guess_says(said, values)) {
    return false;
  }
  return guess_says(said, codes) || guess_names_success(ir, said);
}

/* A function that names such a code, or the last failure. */
static const bind_function *guess_text(const guess_facts *facts, const bind_function *of) {
  for (int i = 0; i < facts->text_count; i++) {
    const bind_function *f = facts->texts[i];
    if (f->param_count == 0) {
      return f;
    }
    const bind_type *type = &f->params[0].type;
    if (type->kind == of->result.kind && type->enumeration == of->result.enumeration) {
      return f;
    }
  }
  return NULL;
}

void guess_put_status(guess_plan *g) {
  const bind_function *f = g->f;
  const bind_function *text = NULL;
  const char *type = bind_snake(f->result.c);
  const char *said = bind_string("%s %s", f->returns_doc, f->description);
  const bool code = f->result.kind == BIND_ENUM && guess_is_code(f->result.enumeration);
  const bool number =
      f->result.kind == BIND_INTEGER && f->result.scalar == BIND_I32 && !strstr(type, "bool");
  const char *name = bind_string("_%s_", bind_snake(f->short_name));
  if (f->returns != BIND_RETURN_VALUE ||
      bind_word_in(guess_last(f->name), "status state error errno code")) {
    return;
  }
  if (number && guess_integer(f, "matrix_layout")) {
    guess_say(g, "high: LAPACK's info", "return: status info");
    return;
  }
  if (!(code && !strstr(name, "_get_")) && !(number && guess_comment_tells_code(g->ir, said))) {
    return;
  }
  text = guess_text(g->facts, f);
  guess_say(g,
            code ? "high: its enum has success and failures" : "high: the comment says so",
            "return: status%s%s",
            bind_when(text, " text "),
            text ? text->name : "");
}

/* `keeps x` needs a tensor's clause for x. Guesses write such clauses for unbound functions only,
 * and never for an array. */
static void guess_put_keeps(guess_plan *g) {
  if (!g->f->unbound || !guess_keeps(g)) {
    return;
  }
  BIND_EACH_PARAM (p, g->f) {
    if (guess_elements(g->ir, p) && p->type.kind != BIND_ARRAY) {
      guess_say(g, "fair: another function uses it by the object", "keeps %s in result", p->name);
    }
  }
}

static void guess_put_property(guess_plan *g) {
  const bind_function *f = g->f;
  const bool value = f->returns == BIND_RETURN_VALUE && f->result.kind >= BIND_INTEGER &&
                     f->result.kind <= BIND_ENUM;
  if (f->method_of && !f->property && !f->said_method && f->param_count == 1 && value &&
      bind_begins(f->params[0].type.c, "const ") &&
      guess_says(bind_string("%.12s", f->summary), "get|gets|return|returns")) {
    guess_say(g, "high: C does not change the object, and the comment says so", "property");
  }
}

/* y *x_get_y(const x *it) */
static void guess_put_borrow(guess_plan *g) {
  if (g->f->unbound && g->f->lender && *g->f->lender) {
    guess_say(g, "fair: name and types agree", "return: borrows %s", g->f->lender);
  }
}

void guess_put_attributes(guess_plan *g) {
  guess_put_borrow(g);
  guess_put_keeps(g);
  if (!g->f->lock && guess_locks(g)) {
    guess_say(g, "high: the header says that it is not thread-safe", "lock %s", g->ir->name);
  }
  guess_put_property(g);
}
