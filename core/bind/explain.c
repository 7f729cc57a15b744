/* SPDX-License-Identifier: Apache-2.0 */
/* --explain FUNCTION: print how the generator reads one function, and its signature in each
 * language. */
#include "explain.h"
#include "bind/c/spell.h"
#include "bind/clauses/sidecar.h"
#include "bind/emit/declare.h"
#include "bind/emit/query.h"
#include "emitters.h"
#include <stdio.h>
#include <string.h>

/* "integer i32", "enum photo_edge" */
static const char *explain_type(const bind_type *type) {
  const char *of = bind_scalar_name(type->scalar);
  if (type->enumeration) {
    of = type->enumeration->name;
  }
  if (type->handle) {
    of = type->handle->name;
  }
  if (type->structure) {
    of = type->structure->name;
  }
  const bool objects = type->kind == BIND_ARRAY && type->handle;
  const char *title = objects ? "list of objects" : bind_kind_title(type->kind);
  return bind_string("%s%s%s", title, bind_when(*of, " "), of);
}

/* How a value travels between caller and function. */
static const char *explain_direction(const bind_param *p) {
  if (p->type.kind == BIND_STREAM) {
    return "filled in by bindings, or an option";
  }
  if (p->returned) {
    if (bind_is_read(p)) {
      return "passed, changed and returned";
    }
    return "returned";
  }
  if (p->optional && p->type.kind != BIND_TENSOR) {
    return "may be absent";
  }
  if (p->direction == BIND_INOUT) {
    return "read and written";
  }
  if (p->direction == BIND_OUT) {
    if (p->made) {
      return "made, or written";
    }
    return "written";
  }
  if (p->optional) {
    return "read, may be absent";
  }
  return "read";
}

static const char *explain_default(const bind_default *d) {
  switch (d->kind) {
  case BIND_DEFAULT_NUMBER:
    return d->text;
  case BIND_DEFAULT_BOOL:
    return bind_truth(d->truth);
  case BIND_DEFAULT_ENUMERATOR:
    return bind_string("%s%s%s",
                       d->enumerator->name,
                       bind_when(d->next, "|"),
                       d->next ? explain_default(d->next) : "");
  case BIND_DEFAULT_CHARACTER:
    return bind_string("'%s'", d->text);
  case BIND_DEFAULT_COMPLEX:
    return bind_string("(%s, %s)", d->text, d->imaginary);
  case BIND_DEFAULT_STRING:
    return bind_string("\"%s\"", d->text);
  default:
    return "";
  }
}

/* How many texts a list has, and what becomes of C's. */
static const char *explain_list(const bind_text_use *text) {
  const char *number = "up to a NULL";
  if (text->counted) {
    number = bind_string("as many as %s says", text->counted);
  }
  const char *freed = bind_or(text->freed, "");
  if (*freed) {
    freed = bind_string(", then %s frees them", freed);
  }
  return bind_string("a list of them, %s: copied%s", number, freed);
}

/* Where a text comes from, and what becomes of C's. */
static const char *explain_text(const bind_text_use *text) {
  if (text->kind == BIND_TEXT_COLLECTED) {
    return "a list of what C passes to the callback";
  }
  if (text->many) {
    return explain_list(text);
  }
  switch (text->kind) {
  case BIND_TEXT_FILLED:
    if (text->grown) {
      return "C fills memory that grows until it fits";
    }
    return bind_string("C fills memory of %s bytes", text->room);
  case BIND_TEXT_READ:
    return "C only reads it";
  case BIND_TEXT_SIZED:
    return "C gets its length";
  case BIND_TEXT_LIST:
    return "C gets their number";
  case BIND_TEXT_FILE:
    return bind_string("the path of a file, which the call opens by \"%s\" and closes", text->mode);
  default:
    if (text->freed) {
      return bind_string("copied, then %s frees it", text->freed);
    }
    return "copied, since C keeps it";
  }
}

/* What an argument of C says of a text. */
static const char *explain_text_part(const bind_c_param *c) {
  switch (c->text_part) {
  case BIND_TEXT_ROOM:
    return bind_string("the size of the memory for %s", c->text->name);
  case BIND_TEXT_WRITTEN:
    if (c->text->many) {
      return bind_string("the number of %s", c->text->name);
    }
    return bind_string("how much of %s C wrote", c->text->name);
  case BIND_TEXT_LENGTH:
    return bind_string("the length of %s", c->text->name);
  case BIND_TEXT_WHY:
    return bind_string("why C failed; %s", explain_text(c->text));
  case BIND_TEXT_ITSELF:
    break;
  }
  return NULL;
}

static void explain_put_param(bind_text *t, const bind_param *p, int width) {
  bind_put(t, "%-*s  %s, %s", width, p->name, explain_direction(p), explain_type(&p->type));
  if (*p->contract) {
    bind_put(t, ": %s", p->contract);
  }
  if (p->text) {
    bind_put(t, "; %s", explain_text(p->text));
  }
  if (p->interface) {
    bind_put(t, "; C gets its array interface");
  }
  if (*p->limits) {
    bind_put(t, "; %s", p->limits);
  }
  if (p->ended) {
    bind_put(t, "; C frees it");
  }
  if (p->kept || p->kept_object) {
    bind_put(t, "; C keeps it in %s", bind_or(p->kept_in, "the result"));
  }
  if (p->made_from) {
    bind_put(t, "; made from %s", p->made_from);
  }
  if (p->def.kind != BIND_NO_DEFAULT) {
    bind_put(t, "; default %s", explain_default(&p->def));
  }
  bind_put(t, "\n");
}

/* Print each clause of the contract on a line. */
static void explain_put_contract(bind_text *t, const char *contract) {
  const clause_list list = clauses_parse(contract);
  BIND_EACH_CLAUSE (c, &list) {
    bind_line(t, "%s", clause_text(c));
  }
}

/* The type of what belongs to a text. */
static const char *explain_c_text(const bind_c_param *c) {
  const bool whole = c->text_part == BIND_TEXT_ITSELF;
  const bool place =
      whole && (c->text->kind == BIND_TEXT_BEHIND || c->text->kind == BIND_TEXT_FAULT);
  if (place || c->text_part == BIND_TEXT_WHY) {
    return bind_string("%s*", c->text->pointer);
  }
  if (whole) {
    return c->text->pointer;
  }
  return bind_string("%s%s", c->type.c, bind_when(c->text_part == BIND_TEXT_WRITTEN, "*"));
}

/* Return the type as the header spells it, rebuilt from the IR, up to the name. */
static const char *explain_c_type(const bind_c_param *in_c) {
  const bind_param *p = in_c->param;
  if (in_c->place) {
    return bind_string("%s*", in_c->place);
  }
  if (p && p->gift) {
    return bind_string("%s%s", p->gift->pointer, bind_when(!p->gift->filled, "*"));
  }
  if (in_c->text) {
    return explain_c_text(in_c);
  }
  const bool behind_pointer =
      p && p->returned && !p->in_place && !p->pointer && p->type.kind != BIND_GIVEN;
  return bind_string("%s%s", in_c->type.c, bind_when(in_c->counts || behind_pointer, "*"));
}

static void explain_put_declaration(bind_text *t, const bind_function *f) {
  const char *parameters = "";
  const char *returned = bind_or(f->result.own, f->result.c);
  BIND_EACH_C_PARAM (from, f) {
    const bind_param *p = from->param;
    const bind_spread_field *field;
    const bind_spread *spread = bind_spread_of(f, from, &field);
    if (spread && spread->is_result) {
      returned = spread->c;
    } else if (spread && field == spread->fields) {
      parameters = bind_join(parameters, ", ", bind_string("%s%s", spread->c, spread->name));
    }
    if (spread) {
      continue;
    }
    const bool result =
        p && ((p->gift && p->gift->is_result) || (p->text && p->text->kind == BIND_TEXT_RESULT));
    if (!result) {
      const char *declared = bind_string("%s%s", explain_c_type(from), from->name);
      parameters = bind_join(parameters, ", ", declared);
    }
  }
  if (f->takes_error) {
    parameters = bind_join(parameters, ", ", "dlf_error *error");
  }
  bind_line(t, "%s%s(%s)", returned, f->name, bind_said_or(parameters, "void"));
}

static void explain_put_c(bind_text *t, const bind_function *f) {
  if (f->collect) {
    bind_line(t, "%s", c_spell_function(f->declared));
  } else if (!f->member_count) {
    explain_put_declaration(t, f);
  }
  bind_line(t, "%s", bind_declare_checked(f));
  if (f->new_name) {
    bind_line(t, "%s", bind_declare_new(f));
  }
}

static void explain_put_returns(bind_text *t, const bind_function *f) {
  if (f->returns == BIND_RETURN_STATUS || f->from) {
    const char *with = bind_when(f->status_message, ": ");
    const char *text = bind_or(f->status_message, "");
    if (f->status_text) {
      with = " with the text of ";
      text = f->status_text;
    }
    bind_line(t,
              f->from ? "returns a value from %lld on; below, callers get an error%s%s"
                      : "returns a status, %lld for success; callers get an error%s%s",
              (long long)f->ok,
              with,
              text);
  }
  if (f->ends_with) {
    bind_line(t,
              "C frees the %s by a call that needs %s: callers get an object that keeps %s",
              f->creates->short_name,
              f->ends_with->name,
              f->ends_with->name);
  }
  if (f->owner) {
    bind_line(t,
              "C frees the %s with %s: callers get an object that keeps %s and shares its lock",
              f->creates->short_name,
              f->owner,
              f->owner);
  } else if (f->borrows) {
    bind_line(t, "C never frees the %s", f->creates->short_name);
  }
  if (f->property) {
    bind_line(t, "%s the property %s", f->sets ? "sets" : "reads", f->property);
  }
  if (f->returns == BIND_RETURN_COUNT) {
    bind_line(t, "returns how many elements C wrote");
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_line(t,
              "returns %s%s%s",
              explain_type(&f->result),
              bind_when(*f->returns_doc, ": "),
              f->returns_doc);
  }
}

void explain_put_signature(bind_text *t, const bind_emitter *e, const bind_ir *ir,
                           const bind_function *f) {
  bind_text lines = {.unit = "    "};
  e->explain(ir, f, &lines);
  for (char *line = lines.data; line && *line;) {
    char *end = strchr(line, '\n');
    const size_t size = (size_t)(end - line);
    const bool opens = size >= 2 && bind_begins(end - 2, " {");
    bind_line(t, "%.*s", (int)(opens ? size - 2 : size), line);
    line = end + 1;
  }
  bind_text_free(&lines);
}

static void explain_put_language(bind_text *t, const bind_emitter *e, const bind_ir *ir,
                                 const bind_function *f) {
  bind_open(t, "%s", e->name);
  explain_put_signature(t, e, ir, f);
  t->depth--;
}

/* What might bind a function: all that is known of its parameters. */
static void explain_put_guess(bind_text *t, const accept_inputs *inputs, const bind_ir *ir,
                              const bind_function *f) {
  const accept_kept kept = accept_find(inputs, ir);
  const int i = (int)(f - ir->functions);
  const char *lack = bind_or(kept.why[i], kept.guesses[i].lack);
  if (kept.guesses[i].count && kept.functions[i]) {
    bind_line(t, "\nto bind it, correct this guess and write it into a file for --contracts:\n");
    guess_put_handles(t, ir, f);
    guess_put_block(t, f, &kept.guesses[i], "");
  } else {
    const char *why = "";
    if (lack && strcmp(lack, f->unbound) != 0) {
      why = bind_string(": %s", lack);
    }
    bind_line(
        t,
        "\nno guess binds it%s; to leave it out, write into a file for --contracts:\n\n%s { hide }",
        why,
        f->name);
  }
}

static void explain_put(bind_text *t, const accept_inputs *inputs, const bind_ir *ir,
                        const bind_function *f) {
  int width = 0;
  bind_line(t, "%s, %s:%d", f->name, ir->headers[f->header].name, f->line);
  if (*f->summary) {
    bind_line(t, "%s", f->summary);
  }
  for (int i = 0; i < f->reason_count; i++) {
    bind_line(t, "not bound: %s", f->reasons[i]);
  }
  bind_put(t, "\n");
  for (int i = 0; i < f->member_count; i++) {
    bind_line(t,
              "%s for %s of %s%s",
              f->members[i].function->name,
              f->members[i].dtype,
              f->dispatch->name,
              i + 1 < f->member_count ? "" : "\n");
  }
  if (!f->unbound) {
    bind_open(t, "C");
    explain_put_c(t, f);
    t->depth--;
  }
  if (*f->contract) {
    bind_open(t, "contract");
    explain_put_contract(t, f->contract);
    t->depth--;
  }
  bind_open(t, "parameters");
  BIND_EACH_PARAM (p, f) {
    if ((int)strlen(p->name) > width) {
      width = (int)strlen(p->name);
    }
  }
  BIND_EACH_C_PARAM (c, f) {
    if ((c->derived || c->place || explain_text_part(c)) && (int)strlen(c->name) > width) {
      width = (int)strlen(c->name);
    }
  }
  BIND_EACH_PARAM (p, f) {
    explain_put_param(t, p, width);
  }
  BIND_EACH_C_PARAM (c, f) {
    if (c->count_of) {
      bind_line(t, "%-*s  the number of %s", width, c->name, c->count_of->name);
    }
  }
  BIND_EACH_C_PARAM (c, f) {
    if (explain_text_part(c)) {
      bind_line(t, "%-*s  %s", width, c->name, explain_text_part(c));
    }
    if (c->place) {
      bind_line(t, "%-*s  an extent that C gives", width, c->name);
    }
    if (c->derived) {
      bind_line(t, "%-*s  %s", width, c->name, c->derived);
    }
    if (c->counts) {
      bind_line(t, "%-*s  how many %s C reports", width, c->name, c->counts);
    }
  }
  explain_put_returns(t, f);
  t->depth--;
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    bind_line(
        t, hook->field ? "%s is read before the call" : "%s runs before the call", hook->text);
  }
  BIND_EACH (const bind_fact, fact, f->facts, f->fact_count) {
    bind_line(t, "%s keeps the number %s", bind_or(fact->in, "the result"), fact->name);
  }
  if (f->unbound) {
    explain_put_guess(t, inputs, ir, f);
    return;
  }
  for (const bind_emitter *e = bind_emitters; e->name; e++) {
    explain_put_language(t, e, ir, f);
  }
}

/* The text is a file of contracts as it stands. */
static void explain_put_unbound(bind_text *t, const accept_inputs *inputs, const bind_ir *ir,
                                const char *pattern) {
  const accept_kept kept = accept_find(inputs, ir);
  bind_line(t,
            "# Guesses of what the functions left out need: correct them before they go into a "
            "file for --contracts.");
  accept_put_shared(t, &kept, ir, "");
  BIND_EACH_DECLARED (f, ir) {
    if (!f->unbound || !sidecar_matches(pattern, f->name)) {
      continue;
    }
    bind_line(t, "\n# %s:%d: %s", ir->headers[f->header].name, f->line, f->unbound);
    if (kept.functions[f - ir->functions]) {
      guess_put_block(t, f, &kept.guesses[f - ir->functions], "");
    }
  }
}

/* Prefer a function's name in C to one without the prefix. */
static const bind_function *explain_find(const bind_ir *ir, const char *name) {
  const bind_function *found = NULL;
  BIND_EACH_DECLARED (f, ir) {
    if (!strcmp(f->name, name)) {
      return f;
    }
    if (!found && !strcmp(f->short_name, name)) {
      found = f;
    }
  }
  return found;
}

int explain_function(const accept_inputs *inputs, const bind_ir *ir, const char *name, FILE *file) {
  const bool pattern = strchr(name, '*') != NULL;
  const bind_function *found = explain_find(ir, name);
  if (!found && !pattern) {
    bind_error("--explain: %s has no function %s (those of the files that it includes are not "
               "read: name such a file too)",
               ir->title,
               name);
    return 1;
  }
  if (found && found->family) {
    found = found->family;
  }
  bind_text t = {0};
  if (pattern) {
    explain_put_unbound(&t, inputs, ir, name);
  } else {
    explain_put(&t, inputs, ir, found);
  }
  return !bind_print(&t, file);
}
