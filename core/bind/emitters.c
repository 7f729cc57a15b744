/* SPDX-License-Identifier: Apache-2.0 */
/* The table of languages. */
#include "emitters.h"
#include "bind/go/go.h"
#include "bind/julia/julia.h"
#include "bind/python/python.h"
#include "bind/rust/rust.h"
#include <string.h>

const bind_emitter bind_emitters[] = {
    {.name = "python", .emit = bind_emit_python, .explain = bind_explain_python},
    {.name = "rust", .settle = rust_settle_names, .emit = bind_emit_rust, .explain = bind_explain_rust},
    {.name = "go", .settle = go_settle_names, .emit = bind_emit_go, .explain = bind_explain_go},
    {.name = "julia", .emit = bind_emit_julia, .explain = bind_explain_julia},
    {.name = NULL},
};

const bind_emitter *bind_find_emitter(const char *name) {
  for (const bind_emitter *e = bind_emitters; e->name; e++)
    if (strcmp(e->name, name) == 0) return e;
  return NULL;
}

const char *bind_emitter_names(void) {
  const char *names = "";
  for (const bind_emitter *e = bind_emitters; e->name; e++)
    names = bind_string("%s%s%s", names, *names ? "," : "", e->name);
  return names;
}
