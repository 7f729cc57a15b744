/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the library owns, as tensors. */
#include "parts.h"
#include <string.h>

static bool give_is_owned(const bind_param *p) {
  return p->gift && p->gift->kind != BIND_GIFT_COPIED;
}

/* Tell whether a call lends another tensor of the same handle. */
static bool give_lends(const bind_function *f, const bind_param *p) {
  BIND_EACH_PARAM (other, f) {
    if (other->gift && other->gift->until_change && strcmp(other->gift->handle, p->name) == 0) {
      return true;
    }
  }
  return false;
}

bool give_needed(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->gift) {
      return true;
    }
  }
  return false;
}

bool give_owns(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (give_is_owned(p)) {
      return true;
    }
  }
  return false;
}

/* ---- before the call ---- */

const char *give_functions(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (!p->gift || p->gift->kind != BIND_GIFT_FREED) {
      continue;
    }
    const bind_gift *gift = p->gift;
    const char *handle = "";
    if (gift->handle) {
      handle = bind_string(
          "(%s)%shandle", gift->handle_c, bind_when(gift->handle_is_integer, "(uintptr_t)"));
    }
    const char *arguments = bind_join("data", ", ", handle);
    if (gift->handle_first) {
      arguments = bind_join(handle, ", ", "data");
    }
    bind_fill(&t,
              "static void dlferry_free_${function}_$name(void *handle, void *data) {\n"
              "  (void)handle;\n"
              "  (void)$freed($arguments);\n"
              "}\n"
              "\n",
              {"function", f->own},
              {"name", p->name},
              {"freed", gift->freed},
              {"arguments", arguments});
  }
  return bind_keep(&t);
}

const char *give_places(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_C_PARAM (p, f) {
    const bind_gift *gift = NULL;
    if (p->param) {
      gift = p->param->gift;
    }
    if (p->place) {
      bind_line(&t, "%sdlf_place_%s = 0;", p->place, p->name);
    }
    if (gift && gift->holder) {
      bind_line(&t, "%sdlf_given_%s = {0};", gift->holder->c, p->name);
    } else if (gift && gift->filled) {
      bind_line(&t, "DLManagedTensor dlf_given_%s = {0};", p->name);
    } else if (gift && !gift->is_result) {
      bind_line(&t, "%sdlf_given_%s = NULL;", gift->pointer, p->name);
    }
  }
  return bind_keep(&t);
}

const char *give_received(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->gift && p->gift->is_result) {
      return bind_string("%sdlf_given_%s = ", p->gift->pointer, p->name);
    }
  }
  return "";
}

/* ---- after it ---- */

/* One number of C that is an extent; a wide unsigned one becomes the largest, which no memory has.
 */
static const char *give_place(const bind_c_param *p) {
  if (p->type.scalar == BIND_U64) {
    return bind_string("dlferry_wide(dlf_place_%s)", p->name);
  }
  return bind_string("(int64_t)dlf_place_%s", p->name);
}

/* The places under their own names, for expressions. */
static bool give_uses(const dlf_contract *c, const dlf__clause *clause, int32_t symbol) {
  for (int32_t i = 0; i < clause->axis_count; i++) {
    const bool counted = clause->axes[i].hook < 0;
    if (counted && dlf__contract_names(c, clause->axes[i].node) >> symbol & 1) {
      return true;
    }
  }
  return false;
}

/* Fields beside the one that C filled in, which are extents. */
static void give_put_fields(bind_text *t, const bind_param *p, const dlf_contract *c,
                            const dlf__clause *clause) {
  for (int32_t k = 0; k < c->symbol_count && p->gift->holder; k++) {
    const dlf__symbol *s = &c->symbols[k];
    if (s->parameter < 0 && s->hook < 0 && s->counts < 0 && give_uses(c, clause, k)) {
      bind_line(t,
                "const int64_t %s = dlferry_wide((uint64_t)dlf_given_%s.%s);",
                s->name,
                p->name,
                s->name);
    }
  }
}

static void give_put_places(bind_text *t, const bind_function *f, const dlf_contract *c,
                            const dlf__clause *clause) {
  BIND_EACH_C_PARAM (p, f) {
    bool used = false;
    for (int32_t i = 0; i < clause->axis_count && p->place; i++) {
      for (int32_t k = 0; k < c->symbol_count; k++) {
        used |= dlf__contract_names(c, clause->axes[i].node) >> k & 1 &&
                strcmp(c->symbols[k].name, p->name) == 0;
      }
    }
    if (used) {
      bind_line(t, "const int64_t %s = %s;", p->name, give_place(p));
    }
  }
}

/* An extent; a hook has run before the call. */
static const char *give_extent(const bind_function *f, const dlf_contract *c, const dlf__axis *a) {
  if (a->hook >= 0) {
    return bind_string("dlf_values[%d].integer", f->c_param_count + a->hook);
  }
  return expression_integer(c, a->node, EXPRESSION_BEFORE);
}

static void give_put_extents(bind_text *t, const bind_function *f, const dlf_contract *c,
                             const dlf__clause *clause, const bind_param *p) {
  const char *axes = "";
  give_put_fields(t, p, c, clause);
  give_put_places(t, f, c, clause);
  bind_line(t, "int64_t dlf_shape[%d];", clause->axis_count ? clause->axis_count : 1);
  for (int32_t i = 0; i < clause->axis_count; i++) {
    axes = bind_string("%s%s\"%s\"", axes, bind_when(i, ", "), clause->axes[i].text);
    bind_line(t, "dlf_shape[%d] = %s;", i, give_extent(f, c, &clause->axes[i]));
  }
  bind_line(t, "static const char *const dlf_axes[] = {%s};", bind_said_or(axes, "NULL"));
}

/* The memory's owner, and what frees it, as arguments; a copy needs none. */
static const char *give_owner(const bind_function *f, const bind_param *p) {
  const bind_gift *gift = p->gift;
  if (gift->kind == BIND_GIFT_COPIED) {
    return "";
  }
  const char *object = "NULL";
  if (gift->handle || gift->kind == BIND_GIFT_LENT) {
    object = bind_string("(void *)%s%s",
                         bind_when(!gift->handle_is_integer, "(uintptr_t)"),
                         bind_or(gift->handle, ""));
  }
  if (gift->kind == BIND_GIFT_LENT) {
    return bind_string("%s, ", object);
  }
  const char *lock = "NULL";
  if (gift->lock) {
    lock = bind_string("\"%s\"", gift->lock);
  }
  return bind_string("%s, dlferry_free_%s_%s, %s, ", object, f->own, p->name, lock);
}

const char *give_locked(const char *lock, const char *call) {
  if (!lock) {
    return call;
  }
  return bind_filled("dlf_lock_enter(\"$lock\");\n"
                     "$call\n"
                     "dlf_lock_leave(\"$lock\");",
                     {"lock", lock},
                     {"call", call});
}

/* Clear the struct of the call that carried it. */
static const char *give_emptied(const bind_param *p) {
  if (!p->gift || !p->gift->holder) {
    return "";
  }
  const char *call = bind_string("(void)%s(&dlf_given_%s);", p->gift->freed, p->name);
  return bind_string("%s\n", give_locked(p->gift->lock, call));
}

/* A tensor whose extents, dtype and device C fills in. */
static void give_put_filled(bind_text *t, const bind_function *f, const bind_param *p) {
  bind_fill(t,
            "dlf_verdict = dlferry_lend_filled(\"$where\", &dlf_given_$name, dlf_verdict, "
            "$more$change, $name, error);\n",
            {"where", argument_where(f, p)},
            {"name", p->name},
            {"more", give_owner(f, p)},
            {"change", bind_truth(p->gift->until_change)});
}

/* One tensor, in a block of its own. */
static void give_put(bind_text *t, const bind_function *f, const dlf_contract *c,
                     const bind_param *p) {
  static const char *const kinds[] = {
      [BIND_GIFT_COPIED] = "copy", [BIND_GIFT_LENT] = "lend", [BIND_GIFT_FREED] = "own"};
  const bind_gift *gift = p->gift;
  const char *kind = kinds[gift->kind];
  const dlf__clause *clause = bind_clause_of(f, p);
  const DLDataType d = clause->dtypes[0];
  const char *ndim = bind_number(clause->axis_count);
  const char *axes = "dlf_axes";
  const char *sure = "dlf_sure";
  if (gift->until_change) {
    kind = "lend_until_change";
  }
  bind_open(t, "{");
  if (clause->run >= 0) {
    ndim = bind_string("(int32_t)dlf_place_%s", gift->rank);
    axes = "NULL";
    sure = "true";
    bind_fill(
        t,
        "int64_t dlf_shape[DLF_MAX_NDIM];\n"
        "if (!dlf_verdict)\n"
        "  dlf_verdict = dlferry_extents(\"$where\", \"$extents\", dlf_place_$extents, sizeof "
        "*dlf_place_$extents, (uint64_t)dlf_place_$rank, dlf_shape, error);\n",
        {"where", argument_where(f, p)},
        {"extents", gift->extents},
        {"rank", gift->rank});
  } else {
    bind_line(t, "bool dlf_sure = true;");
    give_put_extents(t, f, c, clause, p);
  }
  bind_fill(
      t,
      "const dlferry_gift dlf_gift = {\"$where\", $axes, (void *)(uintptr_t)dlf_given_$name$field, "
      "{$dtype}, $ndim, dlf_shape, $sure, $columns, $constant};\n"
      "dlf_verdict = dlferry_$kind(&dlf_gift, dlf_verdict, $more$name, error);\n",
      {"where", argument_where(f, p)},
      {"name", p->name},
      {"field", gift->holder ? bind_string(".%s", gift->holder->gives) : ""},
      {"dtype", bind_string("%d, %d, %d", d.code, d.bits, d.lanes)},
      {"axes", axes},
      {"sure", sure},
      {"ndim", ndim},
      {"columns", bind_truth(clause->layout == DLF__LAYOUT_FORTRAN)},
      {"constant", bind_truth(bind_begins(gift->pointer, "const "))},
      {"kind", kind},
      {"more", give_owner(f, p)});
  bind_close(t, "}");
  bind_add(t, give_emptied(p));
}

const char *give_forgotten(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    bind_add(&t, give_emptied(p));
  }
  return bind_keep(&t);
}

const char *give_statements(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (p->gift && p->gift->filled) {
      give_put_filled(&t, f, p);
    } else if (p->gift) {
      give_put(&t, f, f->compiled, p);
    }
  }
  return bind_keep(&t);
}

const char *give_values(const bind_function *f) {
  bind_text t = {0};
  for (int i = 0; i < f->c_param_count; i++) {
    if (f->c_params[i].place && f->c_params[i].type.kind == BIND_INTEGER) {
      bind_line(&t, "dlf_values[%d].integer = (int64_t)dlf_place_%s;", i, f->c_params[i].name);
    }
  }
  return bind_keep(&t);
}

const char *give_unlent(const bind_function *f, const bind_param *p, const char *object) {
  if (!bind_changes_lender(f, p)) {
    return "";
  }
  const bind_handle *handle = p->type.handle;
  if (handle->in_lender) {
    return bind_filled("if (dlferry_unlent_whole(\"$where\", error))\n"
                       "  return DLF_INVALID;\n",
                       {"where", argument_where(f, p)});
  }
  const char *change = "changes";
  if (give_lends(f, p)) {
    change = "lends anew, or write `unchanged` in its contract if they stay valid";
  }
  return bind_filled(
      "if (dlferry_unlent(\"$where\", (void *)$cast$object, \"$handle\", \"$change\", error))\n"
      "  return DLF_INVALID;\n",
      {"where", argument_where(f, p)},
      {"cast", bind_when(!handle->is_integer, "(uintptr_t)")},
      {"object", object},
      {"handle", handle->short_name},
      {"change", change});
}

const char *give_cleared(const bind_function *f) {
  bind_text t = {0};
  if (f->threadsafe) {
    return "";
  }
  BIND_EACH_PARAM (p, f) {
    if (bind_is_object(p) && p->type.handle->frees && !bind_is_const(&p->type)) {
      bind_line(&t,
                "dlferry_clear((void *)%s%s);",
                bind_when(!p->type.handle->is_integer, "(uintptr_t)"),
                p->name);
    }
  }
  return bind_keep(&t);
}
