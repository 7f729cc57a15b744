/* SPDX-License-Identifier: Apache-2.0 */
/* Two things of the header must not get one name in Go: the compiler would say so, but of the generated file. */
#include "emit_go.h"
#include <string.h>

typedef struct go_names {
  const char **names, **from; /* in Go, in C */
  int count;
  bool clash;
} go_names;

static void go_add_name(go_names *set, const char *name, const char *from) {
  for (int i = 0; i < set->count; i++) {
    if (strcmp(set->names[i], name) != 0) continue;
    bind_error("%s and %s would both be called %s in Go", set->from[i], from, name);
    set->clash = true;
  }
  set->names[set->count] = name;
  set->from[set->count++] = from;
}

static void go_add_function(go_names *set, const bind_ir *ir, const bind_function *f) {
  go_names locals = {.names = bind_alloc((size_t)f->param_count + 1, sizeof *locals.names),
                     .from = bind_alloc((size_t)f->param_count + 1, sizeof *locals.from)};
  bool options = false;
  for (int i = 0; i < f->param_count; i++) {
    options |= go_is_option(&f->params[i]);
    go_add_name(&locals, go_argument(&f->params[i]), bind_string("%s: %s", f->name, f->params[i].name));
  }
  set->clash |= locals.clash;
  const char *type = f->method_of ? bind_string("%s.", bind_pascal(f->method_of->short_name)) : "";
  for (int make = 0; make <= (f->new_name != NULL); make++)
    go_add_name(set, bind_string("%s%s", type, go_function_name(&(go_call){ir, f, make != 0})), f->name);
  if (!options) return;
  go_add_name(set, go_options_name(f), bind_string("the options of %s", f->name));
  go_add_name(set, bind_string("Default%s", go_options_name(f)), bind_string("the default options of %s", f->name));
}

bool go_names_clash(const bind_ir *ir) {
  size_t most = (size_t)ir->enum_count + (size_t)ir->handle_count + 4 * (size_t)ir->function_count + 1;
  for (int i = 0; i < ir->enum_count; i++) most += (size_t)ir->enums[i].count;
  go_names set = {.names = bind_alloc(most, sizeof *set.names), .from = bind_alloc(most, sizeof *set.from)};
  for (int i = 0; i < ir->enum_count; i++) {
    const bind_enum *e = &ir->enums[i];
    go_add_name(&set, bind_pascal(e->short_name), e->name);
    for (int k = 0; k < e->count; k++) go_add_name(&set, bind_pascal(e->values[k].short_name), e->values[k].name);
  }
  for (int i = 0; i < ir->handle_count; i++)
    go_add_name(&set, bind_pascal(ir->handles[i].short_name), ir->handles[i].name);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) go_add_function(&set, ir, f);
  return set.clash;
}
