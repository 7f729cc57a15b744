/* SPDX-License-Identifier: Apache-2.0 */
/* Which functions are methods of an object, and which make one. */
#include "borrow.h"
#include "builder.h"
#include "parameters.h"
#include "report.h"
#include "words.h"
#include <string.h>

/* Return the handle that a function always takes first, or NULL. */
static const bind_handle *ir_first_handle(const bind_function *f) {
  if (!f->param_count || !bind_is_object(&f->params[0]) || f->params[0].optional) {
    return NULL;
  }
  return f->params[0].type.handle;
}

/* "codec_" */
static const char *ir_method_start(const bind_handle *h) {
  return bind_string("%s_", bind_snake(h->short_name));
}

static bool ir_is_plural(const char *name) {
  return bind_ends_with(name, "s") && !bind_ends_with(name, "ss");
}

/* Return a place for an object that may be a list: its name is a plural, and a number stands beside
 * it. NULL for none. */
static const bind_param *ir_object_list(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    const bool place = p->returned && p->type.handle && ir_is_plural(p->name);
    if (place && (bind_integer_beside(f, p, 1) || bind_integer_beside(f, p, -1))) {
      return p;
    }
  }
  return NULL;
}

/* A function is a method if its first parameter is a handle and its name begins with the handle's.
 * If it returns a handle that is freed, its name must say that it is new, since a lent one would be
 * freed twice. */
void ir_build_method(ir_builder *b, bind_function *f, const clause_words *words) {
  static const char *const verbs[] = {"create", "new", "open", "init", "alloc", "make", "from"};
  const char *name = bind_snake(f->short_name);
  if (f->returns == BIND_RETURN_VALUE) {
    f->creates = f->result.handle;
  }
  BIND_EACH_PARAM (p, f) {
    const bool absent = clauses_find(&words->rest, p->name, CLAUSE_DERIVES); /* NULL */
    if (p->returned && p->type.handle && !absent) {
      if (f->creates) {
        ir_leave_out(f, "it returns more than one handle");
      }
      f->creates = p->type.handle;
    }
  }
  ir_build_borrow(b, f, words);
  const bind_handle *first = ir_first_handle(f);
  const bool makes_new = f->creates && !f->borrows;
  if (!makes_new && first && bind_begins(name, ir_method_start(first))) {
    f->method_of = first;
  }
  const bind_handle *of = bind_home(f);
  if (!of) {
    return;
  }
  const char *start = ir_method_start(of);
  const bool in_place =
      f->creates && first == f->creates && f->returns == BIND_RETURN_VALUE &&
      !bind_begins(f->params[0].type.c, "const "); /* x *x_init(x *it) returns it */
  if (bind_begins(name, start)) {
    f->method_name = name + strlen(start);
  } else {
    f->method_name = name;
  }
  if (!makes_new) {
    return;
  }
  bool makes = f->creates->free_name && ir_is_maker(f->creates, f->name);
  BIND_EACH_STRING (verb, verbs) {
    makes |= bind_begins(name, start) && bind_begins(f->method_name, *verb) &&
             f->creates->free_name && !(in_place && strcmp(*verb, "init") == 0);
  }
  const bind_param *list = ir_object_list(f);
  if (!makes && list) {
    ir_leave_out(f, bind_string("%s: %s", list->name, ir_why_no_list()));
  } else if (!makes || bind_begins(f->result.c, "const ")) {
    ir_leave_out(f, ir_why_not_made(f, start));
  }
}

/* A method's name begins with its object's, so another name may make it a function. */
void ir_check_rename(ir_builder *b, const bind_function *f, const char *own) {
  const bind_handle *first = ir_first_handle(f);
  if (!first || bind_home(f) || !bind_begins(bind_snake(own), ir_method_start(first))) {
    return;
  }
  b->clause = bind_string("rename %s", f->short_name);
  ir_note(b,
          f->line,
          "%s: `rename %s` makes it a function: `rename %s%s` keeps it a method of %s",
          f->name,
          f->short_name,
          ir_method_start(first),
          f->short_name,
          first->short_name);
  b->clause = NULL;
}
