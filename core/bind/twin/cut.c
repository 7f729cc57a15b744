/* SPDX-License-Identifier: Apache-2.0 */
/* C for outputs of which the kernel reports how much it wrote. */
#include "parts.h"

bool cut_needed(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->counts) {
      return true;
    }
  }
  return false;
}

static const char *cut_name(const dlf_contract *c, const dlf__limit *limit) {
  return c->symbols[limit->symbol].name;
}

/* The argument of C that points to a number, or NULL if C returns it. */
static const bind_c_param *cut_place(const bind_function *f, const dlf__limit *limit) {
  if (limit->place < 0) {
    return NULL;
  }
  return &f->c_params[limit->place];
}

const char *cut_places(const bind_function *f) {
  bind_text t = {0};
  const dlf_contract *c = f->compiled;
  DLF__EACH_LIMIT (limit, c) {
    const bind_c_param *place = cut_place(f, limit);
    const char *name = cut_name(c, limit);
    const char *room = expression_symbol(c, limit->symbol, EXPRESSION_BEFORE);
    if (!place) {
      continue;
    }
    const char *above = platform_above(&place->type, room);
    if (*above) {
      bind_fill(&t,
                "if ($above)\n"
                "  return dlferry_too_large(\"$function: $place\", $room, 0, $most, error);\n",
                {"above", above},
                {"room", room},
                {"most", platform_highest(&place->type)},
                {"function", f->short_name},
                {"place", place->name});
    }
    const char *type = place->type.c;
    bind_line(&t, "%sdlf_place_%s = %s%s;", type, name, bind_cast_to(type), room);
  }
  return bind_keep(&t);
}

static void cut_put_constraint(bind_text *t, const bind_function *f, const dlf_contract *c,
                               const dlf__constraint *k) {
  const char *symbol = dlf__contract_first_name(c, k->needs & c->limited);
  const bind_field *fields = bind_fields({"test", expression_test(c, k, EXPRESSION_AFTER)},
                                         {"function", f->short_name},
                                         {"name", symbol},
                                         {"text", k->text});
  bind_template(t,
                "if (!dlf_verdict) {\n"
                "  bool dlf_sure = true;\n"
                "  const bool dlf_holds = $test;\n"
                "  if (!dlf_holds || !dlf_sure)\n"
                "    dlf_verdict = dlferry_miscounted(\"$function: kernel reported\", "
                "(uint64_t)*$name, false, \"$name\", \"$text\", error);\n"
                "}\n",
                fields);
}

const char *cut_counted(const bind_function *f) {
  bind_text t = {0};
  const dlf_contract *c = f->compiled;
  DLF__EACH_LIMIT (limit, c) {
    const bind_c_param *place = cut_place(f, limit);
    const bind_type *type = &f->result;
    const char *name = cut_name(c, limit);
    const char *value = "dlf_count_of_call";
    if (place) {
      type = &place->type;
      value = bind_string("dlf_place_%s", name);
    }
    const char *below = bind_string("%s < 0", value);
    if (type->scalar >= BIND_U8) {
      below = "false";
    }
    bind_fill(&t,
              "if (!dlf_verdict)\n"
              "  dlf_verdict = dlferry_count(\"$function: kernel reported\", (uint64_t)$value, "
              "$below, \"$name\",\n"
              "                              $room, error);\n"
              "*$name = dlf_verdict ? 0 : (int64_t)$value;\n",
              {"value", value},
              {"function", f->short_name},
              {"below", below},
              {"name", name},
              {"room", expression_symbol(c, limit->symbol, EXPRESSION_BEFORE)});
  }
  BIND_EACH (const dlf__constraint, constraint, c->afterwards, c->afterward_count) {
    cut_put_constraint(&t, f, c, constraint);
  }
  return bind_keep(&t);
}

const char *cut_variables(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    if (p->counts) {
      bind_line(&t, "int64_t dlf_count_%s = 0;", p->name);
    }
  }
  return bind_keep(&t);
}

const char *cut_made(const bind_function *f) {
  bind_text t = {0};
  const dlf_contract *c = f->compiled;
  DLF__EACH_CLAUSE (clause, c) {
    for (int32_t k = 0; k < clause->axis_count && dlf__is_output(clause); k++) {
      const dlf__axis *axis = &clause->axes[k];
      if (axis->kind != DLF__AXIS_SYMBOL || !(c->limited >> axis->symbol & 1)) {
        continue;
      }
      bind_line(&t,
                "if (!dlf_verdict) dlf_verdict = dlferry_cut(%s, %d, dlf_count_%s, error);",
                c->names[clause->parameter],
                clause->run >= 0 && k > clause->run ? (int)(k - clause->axis_count) : (int)k,
                c->symbols[axis->symbol].name);
    }
  }
  return bind_keep(&t);
}
