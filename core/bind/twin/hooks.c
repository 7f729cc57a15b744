/* SPDX-License-Identifier: Apache-2.0 */
/* C that calls the functions which compute extents, before a contract is matched. */
#include "bind/base/escape.h"
#include "parts.h"
#include <string.h>

const char *hooks_tensor(const bind_param *p) {
  return bind_filled("${cast}dlferry_for_kernel($name.tensor, &dlf_room_$name)",
                     {"cast", bind_when(p->direction != BIND_IN, "(DLTensor *)(uintptr_t)")},
                     {"name", p->name});
}

/* LAPACK's info: above 0 the computation failed, which the message describes; -i is about argument
 * i, whose refusal has a text of its own. */
const char *hooks_status_text(const bind_function *f) {
  const char *message = bind_doc_escape(BIND_DOC_C_STRING, bind_or(f->status_message, ""));
  if (f->status_message) {
    return bind_string(f->info ? "dlf_code > 0 ? \"%s\" : NULL" : "\"%s\"", message);
  }
  if (f->status_text) {
    const char *code = f->from ? "dlf_value_of_call" : "dlf_code";
    const char *call = bind_string("%s(%s)", f->status_text, bind_when(!f->status_text_bare, code));
    const char *field = f->status_text_field;
    return field ? bind_string("%s ? %s->%s : NULL", call, call, field) : call;
  }
  return "NULL";
}

const char *hooks_failed(const bind_function *f) {
  return bind_string(f->from ? "(long long)dlf_value_of_call < %lld" : "dlf_code != %lld",
                     (long long)f->ok);
}

bool hooks_read_elements(const bind_function *f, bool reals) {
  BIND_EACH (const bind_hook, hook, f->hooks, f->hook_count) {
    if (hook->of_elements && hook->of_reals == reals) {
      return true;
    }
  }
  return false;
}

static const char *hooks_passed(const bind_param *p) {
  if (p->pointer) {
    return derive_pointer(p);
  }
  if (p->type.kind == BIND_TENSOR) {
    return hooks_tensor(p);
  }
  if (p->returned) {
    return bind_string("*%s", p->name);
  }
  if (bind_is_object_list(p)) {
    return bind_string("%s[i]", p->name);
  }
  return p->name;
}

/* The arguments of a hook's call; those that are computed get statements before it. */
static const char *hooks_arguments(const bind_function *f, const dlf_contract *c, int which,
                                   bind_text *before) {
  const bind_hook *hook = &f->hooks[which];
  const int count = hook->arg_count + (hook->place >= 0);
  bind_text call = {0};
  for (int i = 0, k = 0; i < count; i++) {
    const char *argument = "&dlf_extent";
    if (hook->part) {
      argument = "&dlf_told";
    }
    if (i != hook->place) {
      const bind_hook_arg *arg = &hook->args[k];
      const char *variable = bind_string("dlf_arg_%d", k);
      if (arg->param) {
        bind_add(before, derive_offset(f, arg->param));
        argument = bind_string(
            "%s%s", bind_when(bind_is_copied(&arg->type), "*"), hooks_passed(arg->param));
      } else if (arg->found >= 0) {
        argument = bind_string("dlf_object_%d", arg->found);
        bind_line(
            before,
            "if (!%s) return dlf_error_set(error, DLF_FOREIGN, \"%s: %s: kernel returned NULL, "
            "expected an object\");",
            argument,
            f->short_name,
            f->hooks[arg->found].short_name);
      } else if (strcmp(arg->derived, "NULL") == 0) {
        argument = "NULL";
      } else if (strcmp(arg->derived, "_") == 0) {
        bind_line(before, "%s%s = 0;", arg->type.c, variable);
        argument = bind_string("&%s", variable);
      } else {
        argument = bind_string("%s%s", bind_cast_to(arg->type.c), variable);
        derive_put_value(before,
                         c,
                         &c->hooks[which].sources[k],
                         &arg->type,
                         variable,
                         bind_string("%s: %s: %s", f->short_name, hook->short_name, arg->name));
      }
      k++;
    }
    bind_put(&call, "%s%s", bind_when(i, ", "), argument);
  }
  return bind_keep(&call);
}

/* All items of a list give the same number; without one it is 0. */
static const char *hooks_of_list(const bind_function *f, const bind_hook *hook, const char *value) {
  return bind_filled(
      "$type dlf_extent = 0;\n"
      "for (int64_t i = 0; $list && i < ${list}_count; i++) {\n"
      "  const $type dlf_item = $value;\n"
      "  if (i && dlf_item != dlf_extent)\n"
      "    return dlferry_fail(error, DLF_INVALID, \"$function: $list[%lld] (from 0): $hook is "
      "%lld, "
      "expected %lld as of the first one\", (long long)i, (long long)dlf_item, (long "
      "long)dlf_extent);\n"
      "  dlf_extent = dlf_item;\n"
      "}\n",
      {"type", bind_sized(hook->result.c, strlen(hook->result.c) - 1)},
      {"list", hook->list->name},
      {"value", bind_string("%s%s", bind_when(hook->object, "NULL != "), value)},
      {"function", f->short_name},
      {"hook", hook->name});
}

static const char hooks_call[] = "$object{\n"
                                 "  $before\n"
                                 "  $place\n"
                                 "  $called\n"
                                 "  $failed\n"
                                 "  $fits\n"
                                 "  dlf_values[$index].integer = (int64_t)dlf_extent;\n"
                                 "}\n";

static const char *hooks_statement(const bind_function *f, const dlf_contract *c, int which) {
  const bind_hook *hook = &f->hooks[which];
  const bool behind = hook->place >= 0;
  const bool wide = hook->result.scalar == BIND_U64;
  bind_text before = {0};
  const char *value;
  if (hook->of_elements) {
    const char *of = hook->of_reals ? "real" : "element";
    value = bind_string("dlferry_%s_%s(%s.tensor)", of, hook->name, hook->args[0].param->name);
  } else if (hook->unshown) {
    value = facts_recalled(f, hook);
  } else if (hook->field) {
    value = bind_string("%s->%s", hook->args[0].param->name, hook->field);
  } else {
    value = bind_string("%s(%s)", hook->name, hooks_arguments(f, c, which, &before));
  }
  const char *object = "";
  if (hook->passed) {
    object = bind_string("%sdlf_object_%d;\n", hook->returned, which);
    value = bind_string("(dlf_object_%d = %s)", which, value);
  }
  const char *values = bind_keep(&before);
  if (strstr(values, "dlf_sure")) {
    values = bind_string("bool dlf_sure = true;\n%s", values);
  }
  const char *place = "";
  const char *received =
      bind_string("const %sdlf_extent = %s", hook->result.c, bind_when(hook->object, "NULL != "));
  if (behind || hook->unshown) {
    place = bind_string("%sdlf_extent = 0;", hook->result.c);
    if (hook->part) {
      place = bind_string("%s dlf_told = {0};", hook->told);
    }
    received = "";
  }
  const char *failed = bind_when(hook->unshown, "if (dlf_recalled) return dlf_recalled;\n");
  if (behind && hook->status) {
    received = bind_string("const %sdlf_code = ", hook->returned);
    failed =
        bind_filled("if (dlf_code != $ok)\n"
                    "  return dlferry_failed(\"$function: $hook\", (long long)dlf_code, $text, "
                    "DLF_FOREIGN, NULL, error);\n",
                    {"ok", bind_number(f->ok)},
                    {"function", f->short_name},
                    {"hook", hook->short_name},
                    {"text", hooks_status_text(f)});
  }
  if (hook->part) {
    failed =
        bind_string("%sconst %sdlf_extent = dlf_told.%s;\n", failed, hook->result.c, hook->part);
  }
  const char *fits = "";
  if (wide) {
    fits = bind_filled("if (dlferry_is_too_long(dlf_extent))\n"
                       "  return dlferry_too_long(\"$function: $hook\", dlf_extent, error);\n",
                       {"function", f->short_name},
                       {"hook", hook->name});
  }
  const char *called = bind_string("%s%s;", received, value);
  if (hook->list) {
    called = hooks_of_list(f, hook, value);
  }
  const bind_field *fields = bind_fields({"called", called},
                                         {"index", bind_number(f->c_param_count + which)},
                                         {"before", values},
                                         {"place", place});
  return bind_filled_template(
      hooks_call, bind_with(fields, {"failed", failed}, {"fits", fits}, {"object", object}));
}

/* A hook may rely on the conditions before it, so these are checked with the hooks that have run.
 */
static const char hooks_known[] =
    "dlf_values[$index].items = dlf_values;\n"
    "dlf_verdict = dlferry_match_inputs(&dlferry_once_$function, dlf_values, error);\n"
    "if (dlf_verdict) return dlf_verdict;\n";

/* Hooks that run once the inputs hold: those of conditions alone in the order of the clauses, then
 * those of extents. */
static const char *hooks_late(const bind_function *f) {
  bind_text t = {0};
  int last = -1;
  for (int extents = 0; extents < 2; extents++) {
    for (int i = 0; i < f->hook_count; i++) {
      if (f->hooks[i].early || f->compiled->hooks[i].extent != extents) {
        continue;
      }
      if (last >= 0) {
        bind_fill(
            &t, hooks_known, {"index", bind_number(f->c_param_count + last)}, {"function", f->own});
      }
      bind_add(&t, hooks_statement(f, f->compiled, i));
      last = i;
    }
  }
  return bind_keep(&t);
}

const char *hooks_statements(const bind_function *f) {
  bind_text early = {0};
  if (!f->hook_count) {
    return "";
  }
  const dlf_contract *c = f->compiled;
  for (int i = 0; i < f->hook_count; i++) {
    if (f->hooks[i].early) {
      bind_add(&early, hooks_statement(f, c, i));
    }
  }
  const char *first = bind_keep(&early);
  const char *then = hooks_late(f);
  if (!*then) {
    return first;
  }
  return bind_filled(
      "$early\n"
      "dlf_verdict = dlferry_match_inputs(&dlferry_once_$function, dlf_values, error);\n"
      "if (dlf_verdict) return dlf_verdict;\n"
      "$late\n",
      {"function", f->own},
      {"early", first},
      {"late", then});
}
