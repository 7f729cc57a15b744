/* SPDX-License-Identifier: Apache-2.0 */
/* Objects behind a plain `void *`, which a parameter's name tells: each kind gets a type of its
 * own, as if the header had a typedef, before anything looks at types. */
#include "builder.h"
#include <string.h>

static bool plain_is(const c_type *t) {
  return t->kind == C_POINTER && !t->is_array && !*t->spelling &&
         strcmp(t->to->spelling, "void") == 0;
}

static bool plain_is_told(const c_type *t) {
  return t->kind == C_POINTER && bind_begins(t->spelling, "void *");
}

/* Return the type with the kind's own in the place of `void *`, also behind a pointer; NULL for
 * other types. */
static c_type *plain_tell(const c_type *t, const char *name) {
  const bool behind = t->kind == C_POINTER && plain_is(t->to);
  if (!behind && !plain_is(t)) {
    return NULL;
  }
  c_type *out = bind_alloc(1, sizeof *out);
  *out = *t;
  if (behind) {
    out->to = plain_tell(t->to, name);
  } else {
    out->spelling = name;
  }
  return out;
}

static bool plain_frees(const sidecar_handle *from, const c_function *f) {
  return from->freed && strcmp(from->freed, f->name) == 0;
}

/* Tell whether a clause is about a function, or about all. */
static bool plain_is_user(const sidecar_handle *from, const c_function *f) {
  return !from->user_count || plain_frees(from, f) ||
         sidecar_matches_any(from->made, from->made_count, f->name) ||
         sidecar_matches_any(from->users, from->user_count, f->name);
}

/* Give a parameter, or what a function returns, the type of a clause. */
static bool plain_take(ir_builder *b, const sidecar_handle *from, const c_function *f, c_type **t) {
  const c_type *old = *t;
  const c_type *other = old->kind == C_POINTER && plain_is_told(old->to) ? old->to : old;
  if (plain_is_told(other)) {
    ir_fail_handle(b,
                   from,
                   from->param,
                   bind_string("`handle %s` has the same parameter of %s: write `for` and the "
                               "functions of each",
                               other->spelling,
                               f->name));
    return true;
  }
  c_type *told = plain_tell(old, from->type);
  if (told) {
    *t = told;
  }
  return told != NULL;
}

/* Take what a function makes, frees or has by the parameter's name; a freeing function may call its
 * only one otherwise. Returns how many have the name. */
static int plain_take_all(ir_builder *b, const sidecar_handle *from, c_function *f) {
  int named = 0;
  if (plain_is(f->result) && sidecar_matches_any(from->made, from->made_count, f->name)) {
    (void)plain_take(b, from, f, &f->result);
  }
  BIND_EACH (c_param, p, f->params, f->count) {
    const bool has_name = sidecar_matches(from->param, p->name) && plain_is_user(from, f);
    if (has_name) {
      named += plain_take(b, from, f, &p->type);
    } else if (f->count == 1 && plain_frees(from, f)) {
      (void)plain_take(b, from, f, &p->type);
    }
  }
  return named;
}

void ir_tell_plain_handles(ir_builder *b, c_header *header) {
  BIND_EACH (const sidecar_handle, from, b->contracts->handles, b->contracts->handle_count) {
    int named = 0;
    for (int i = 0; from->param && i < header->function_count; i++) {
      named += plain_take_all(b, from, &header->functions[i]);
    }
    if (from->param && named == 0) {
      ir_fail_handle(
          b, from, from->param, bind_string("no function has a parameter `void *%s`", from->param));
    }
  }
}
