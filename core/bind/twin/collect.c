/* SPDX-License-Identifier: Apache-2.0 */
/* The callback of a call's own: it copies what C passes to it, and stops C where there is no memory
 * for that. */
#include "bind/c/spell.h"
#include "bind/ir/parameters.h"
#include "parts.h"

/* How many numbers a row of the tensor has; 0 for one axis. */
static int64_t collect_row(const bind_function *f, const dlf__clause *clause) {
  if (clause->axis_count < 2) {
    return 0;
  }
  return f->compiled->nodes[clause->axes[1].node].integer;
}

/* The statement that keeps an argument; numbers are copied from where they lie, if they have the
 * contract's width. */
static const char *collect_kept(const bind_function *f, const bind_param *p) {
  const bind_collected *item = &f->collect->items[p->collected - 1];
  const char *which = bind_number(p->collected - 1);
  if (p->text && item->size) {
    return bind_string(
        "dlferry_add_sized(&all[%s], %s, (uint64_t)%s);\n", which, item->value, item->size);
  }
  if (p->text) {
    const char *empty = bind_when(item->optional, bind_string(" ? %s : \"\"", item->value));
    return bind_string("dlferry_add_text(&all[%s], %s%s);\n", which, item->value, empty);
  }
  const dlf__clause *clause = bind_clause_of(f, p);
  const int64_t row = collect_row(f, clause);
  const int64_t size = clause->dtypes[0].bits / 8 * (row ? row : 1);
  return bind_filled(
      "_Static_assert(sizeof ${star}$value == $size, \"$where: expected $size "
      "bytes: declare a type "
      "of a fixed width in the header\");\n"
      "dlferry_add_bytes(&all[$which], $address$value, sizeof ${star}$value, false);\n",
      {"value", item->value},
      {"star", bind_when(item->behind, "*")},
      {"address", bind_when(!item->behind, "&")},
      {"size", bind_number(size)},
      {"which", which},
      {"where", argument_where(f, p)});
}

/* The same, where C may pass no struct at all. */
static const char *collect_statement(const bind_function *f, const bind_param *p) {
  const bind_collected *item = &f->collect->items[p->collected - 1];
  const char *kept = collect_kept(f, p);
  if (!item->from) {
    return kept;
  }
  return bind_filled("if ($from) {\n"
                     "  $kept\n"
                     "} else {\n"
                     "  dlferry_add_bytes(&all[$which], NULL, 0, false);\n"
                     "}\n",
                     {"from", item->from},
                     {"kept", kept},
                     {"which", bind_number(p->collected - 1)});
}

/* "(all[0].lost || all[1].lost)" */
static const char *collect_lost(const bind_function *f, const char *all) {
  const char *lost = "";
  for (int i = 0; i < f->collect->count; i++) {
    lost = bind_join(lost, " || ", bind_string("%s[%d].lost", all, i));
  }
  return lost;
}

const char *collect_function(const bind_function *f) {
  if (!f->collect) {
    return "";
  }
  const c_function *called = f->collect->called;
  const char *parameters = "";
  bind_text kept = {0};
  for (int i = 0; i < called->count; i++) {
    const char *name = bind_string("a%d", i);
    parameters = bind_join(parameters, ", ", c_spell(called->params[i].type, name));
    bind_line(&kept, "(void)%s;", name);
  }
  bind_line(&kept, "dlferry_texts *all = (dlferry_texts *)a%d;", f->collect->data);
  BIND_EACH_PARAM (p, f) {
    if (p->collected) {
      bind_add(&kept, collect_statement(f, p));
    }
  }
  if (called->result->kind != C_VOID) {
    const char *stop = called->result->kind == C_POINTER ? "all : NULL" : "-1 : 0";
    bind_line(&kept, "return %s ? %s;", collect_lost(f, "all"), stop);
  }
  const char *name = bind_string("dlferry_collect_%s(%s)", f->own, parameters);
  return bind_filled("static $declared {\n"
                     "  $kept\n"
                     "}\n"
                     "\n",
                     {"declared", c_spell(called->result, name)},
                     {"kept", bind_keep(&kept)});
}

const char *collect_places(const bind_function *f) {
  if (!f->collect) {
    return "";
  }
  return bind_string("dlferry_texts dlf_collected[%d];\n"
                     "memset(dlf_collected, 0, sizeof dlf_collected);\n",
                     f->collect->count);
}

const char *collect_argument(const bind_function *f, const bind_c_param *c) {
  if (c->collects == BIND_COLLECTS_DATA) {
    return "dlf_collected";
  }
  return bind_string("dlferry_collect_%s", f->own);
}

const char *collect_forgotten(const bind_function *f) {
  bind_text t = {0};
  for (int i = 0; f->collect && i < f->collect->count; i++) {
    bind_line(&t, "free(dlf_collected[%d].bytes);", i);
  }
  return bind_keep(&t);
}

const char *collect_stopped(const bind_function *f, const char *forgotten) {
  if (!f->collect) {
    return "";
  }
  return bind_filled(
      "if ($lost) {\n"
      "  $forgotten\n"
      "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: $callback: expected "
      "memory for what C passes to it, got none\");\n"
      "}\n",
      {"lost", collect_lost(f, "dlf_collected")},
      {"forgotten", bind_string("%s%s%s", forgotten, texts_fault_freed(f), reported_freed(f))},
      {"function", f->short_name},
      {"callback", f->collect->callback});
}

const char *collect_taken(const bind_function *f, const bind_param *p) {
  const char *kind = "texts";
  const char *more = "";
  if (!p->text) {
    const dlf__clause *clause = bind_clause_of(f, p);
    const DLDataType d = clause->dtypes[0];
    kind = "numbers";
    more = bind_string("(DLDataType){%d, %d, %d}, %s, ",
                       d.code,
                       d.bits,
                       d.lanes,
                       bind_number(collect_row(f, clause)));
  }
  return bind_filled("dlf_verdict = dlferry_close_$kind(dlf_verdict, &dlf_collected[$which], "
                     "\"$where\", $more$name, error);\n",
                     {"kind", kind},
                     {"which", bind_number(p->collected - 1)},
                     {"where", argument_where(f, p)},
                     {"more", more},
                     {"name", p->name});
}
