/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors and objects that C keeps after the call: the handle holds them. */
#include "parts.h"
#include <string.h>

bool keep_needed(const bind_function *f) {
  if (f->fact_count) {
    return true;
  }
  BIND_EACH_PARAM (p, f) {
    if (p->kept || p->kept_object) {
      return true;
    }
  }
  return false;
}

bool keep_in_result(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if ((p->kept || p->kept_object) && !p->kept_in) {
      return true;
    }
  }
  return false;
}

const char *keep_address(const bind_handle *h, const char *value) {
  return bind_string("(void *)%s%s", bind_when(!h->is_integer, "(uintptr_t)"), value);
}

const char *keep_untaken(const bind_function *f, const bind_param *p, const char *object) {
  const bind_handle *h = p->type.handle;
  if (!h || !h->taken || p->returned) {
    return "";
  }
  return bind_filled("if (dlferry_is_taken($object))\n"
                     "  return dlf_error_set(error, DLF_INVALID, \"$function: $name: expected an "
                     "open $handle, got "
                     "one that another object has taken\");\n",
                     {"object", keep_address(h, object)},
                     {"function", f->short_name},
                     {"name", p->name},
                     {"handle", h->short_name});
}

const char *keep_unmade(const bind_function *f, const bind_param *p) {
  const bind_param *from = NULL;
  BIND_EACH_PARAM (q, f) {
    if (p->made_from && strcmp(q->name, p->made_from) == 0) {
      from = q;
    }
  }
  if (!from) {
    return "";
  }
  return bind_filled("if (!dlferry_was_made_from($object, $origin))\n"
                     "  return dlf_error_set(error, DLF_INVALID, \"$function: $name: expected one "
                     "that was made from $from, got another one\");\n",
                     {"object", keep_address(p->type.handle, p->name)},
                     {"origin", keep_address(from->type.handle, from->name)},
                     {"function", f->short_name},
                     {"name", p->name},
                     {"from", from->name});
}

/* The variable with the handle that the call makes. */
static const char *keep_made(const bind_function *f) {
  if (f->returns == BIND_RETURN_VALUE && f->result.handle == f->creates) {
    return "dlf_value_of_call";
  }
  const char *name = NULL;
  BIND_EACH_PARAM (p, f) {
    if (!name && p->returned && p->type.handle == f->creates) {
      name = bind_string("*%s", p->name);
    }
  }
  return name;
}

const char *keep_handle(const bind_function *f, const char *in) {
  if (!in) {
    return keep_address(f->creates, keep_made(f));
  }
  const bind_handle *h = NULL;
  BIND_EACH_PARAM (p, f) {
    if (strcmp(p->name, in) == 0) {
      h = p->type.handle;
    }
  }
  return keep_address(h, in);
}

bool keep_is_struct(const bind_param *p) {
  return p->kept && !p->pointer;
}

/* The handle on what C keeps: C may keep a DLTensor itself, which then has to suit kernels as long
 * as it lives. */
static const char *keep_name(const bind_param *p) {
  return bind_string(keep_is_struct(p) ? "dlf_held_%s" : "dlf_kept_%s", p->name);
}

const char *keep_tensor(const bind_param *p) {
  return bind_string("%sdlf_dltensor(dlf_held_%s)",
                     bind_when(p->direction != BIND_IN, "(DLTensor *)(uintptr_t)"),
                     p->name);
}

/* What is done to an object, or to each of a list. */
static const char *keep_each(const bind_param *p, const char *done) {
  if (!bind_is_object_list(p)) {
    return bind_string("%s%s", bind_when(p->optional, bind_string("if (%s) ", p->name)), done);
  }
  return bind_string("for (int64_t dlf_i = 0; dlf_i < %s_count; dlf_i++) %s", p->name, done);
}

/* The address of an object, or of one of a list. */
static const char *keep_object(const bind_param *p) {
  const char *item = bind_is_object_list(p) ? bind_string("%s[dlf_i]", p->name) : p->name;
  return keep_address(p->type.handle, item);
}

/* Undo what C's handle keeps of those before `end`. */
static const char *keep_forgotten(const bind_function *f, const bind_param *end) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < end; p++) {
    if (p->kept && p->kept_in) {
      bind_line(&t, "dlferry_forget(%s, %s);", keep_handle(f, p->kept_in), keep_name(p));
    }
    if (p->kept_object && p->kept_in) {
      const char *undone = bind_string("dlferry_%s_handle(%s, %s);\n",
                                       p->taken ? "leave" : "forget",
                                       keep_handle(f, p->kept_in),
                                       keep_object(p));
      bind_add(&t, keep_each(p, undone));
    }
  }
  return bind_keep(&t);
}

/* Release those before `end`, which C has kept by other references or not at all. */
static const char *keep_released(const bind_function *f, const bind_param *end) {
  bind_text t = {0};
  for (const bind_param *p = f->params; p < end; p++) {
    if (keep_is_struct(p)) {
      bind_line(&t, "dlf_release(dlf_held_%s);", p->name);
    }
  }
  return bind_keep(&t);
}

/* Of a list, those before the one that fails are forgotten too. */
static const char *keep_earlier(const bind_function *f, const bind_param *p) {
  if (!bind_is_object_list(p)) {
    return "";
  }
  return bind_string("while (dlf_i--) dlferry_forget_handle(%s, %s);\n",
                     keep_handle(f, p->kept_in),
                     keep_object(p));
}

/* Objects in a handle that is there. */
static void keep_put_object(bind_text *t, const bind_function *f, const bind_param *p) {
  bind_fill(
      t,
      "$each{\n"
      "  const dlf_status dlf_kept_status = dlferry_${keep}_handle(\"$function: $name\", $handle, "
      "$object, error);\n"
      "  if (dlf_kept_status) {\n"
      "    $earlier\n"
      "    $undone\n"
      "    $released\n"
      "    return dlf_kept_status;\n"
      "  }\n"
      "}\n",
      {"each", keep_each(p, "")},
      {"earlier", keep_earlier(f, p)},
      {"keep", p->taken ? "take" : "keep"},
      {"function", f->short_name},
      {"name", p->name},
      {"handle", keep_handle(f, p->kept_in)},
      {"object", keep_object(p)},
      {"undone", keep_forgotten(f, p)},
      {"released", keep_released(f, f->params + f->param_count)});
}

const char *keep_before(const bind_function *f) {
  bind_text t = {0};
  const bind_param *end = f->params + f->param_count;
  for (const bind_param *p = f->params; p < end; p++) {
    if (keep_is_struct(p)) {
      bind_fill(&t,
                "dlf_tensor *dlf_held_$name = dlferry_hold_for_kernel(dlf_kept_$name);\n"
                "if (!dlf_held_$name) {\n"
                "  $released\n"
                "  return dlf_error_set(error, DLF_NO_MEMORY, \"$function: $name: expected memory "
                "to keep a tensor, got none\");\n"
                "}\n",
                {"function", f->short_name},
                {"name", p->name},
                {"released", keep_released(f, p)});
    }
  }
  for (const bind_param *p = f->params; p < end; p++) {
    if (p->kept && p->kept_in) {
      bind_fill(&t,
                "if (dlferry_keep(\"$function: $name\", $handle, $tensor, error)) {\n"
                "  $undone\n"
                "  $released\n"
                "  return DLF_NO_MEMORY;\n"
                "}\n",
                {"function", f->short_name},
                {"name", p->name},
                {"handle", keep_handle(f, p->kept_in)},
                {"tensor", keep_name(p)},
                {"undone", keep_forgotten(f, p)},
                {"released", keep_released(f, end)});
    }
    if (p->kept_object && p->kept_in) {
      keep_put_object(&t, f, p);
    }
  }
  return bind_keep(&t);
}

const char *keep_undone(const bind_function *f) {
  const bind_param *end = f->params + f->param_count;
  return bind_string("%s%s", keep_forgotten(f, end), keep_released(f, end));
}

/* Its own end needs the object, so it is noted even after a failure; without memory the object ends
 * at once. */
static void keep_put_end(bind_text *t, const bind_function *f) {
  const bind_handle *h = f->creates;
  const char *made = keep_made(f);
  bind_fill(t,
            "if ($made && !dlferry_end_with($handle, $owner, dlferry_end_$short)) {\n"
            "  $made = NULL;\n"
            "  if (!dlf_verdict)\n"
            "    dlf_verdict = dlf_error_set(error, DLF_NO_MEMORY, \"$function: expected memory to "
            "keep the $owner_type, got none\");\n"
            "}\n",
            {"made", made},
            {"handle", keep_address(h, made)},
            {"owner", keep_address(h->owner, f->ends_with->name)},
            {"short", h->short_name},
            {"function", f->short_name},
            {"owner_type", h->owner->short_name});
}

/* Those with kept_in were kept before the call, in a handle that was there; for the others the call
 * made the handle. All are kept by now: C's own references, up to the end, go. */
const char *keep_after(const bind_function *f) {
  bind_text t = {0};
  const char *maybe = bind_when(f->result_optional, " && dlf_value_of_call");
  if (f->ends_with) {
    keep_put_end(&t, f);
  }
  BIND_EACH_PARAM (p, f) {
    if (p->kept_object && !p->kept_in && p != f->ends_with) {
      bind_fill(
          &t,
          "${each}if (!dlf_verdict$maybe$given) dlf_verdict = dlferry_keep_handle(\"$function: "
          "$name\", $handle, $object, error);\n",
          {"each", bind_when(bind_is_object_list(p), keep_each(p, ""))},
          {"maybe", maybe},
          {"given", bind_when(p->optional, bind_string(" && %s", p->name))},
          {"function", f->short_name},
          {"name", p->name},
          {"handle", keep_handle(f, p->kept_in)},
          {"object", keep_object(p)});
    }
    if (p->kept && !p->kept_in) {
      bind_fill(&t,
                "if (!dlf_verdict$maybe) dlf_verdict = dlferry_keep(\"$function: $name\", $handle, "
                "$tensor, error);\n",
                {"maybe", maybe},
                {"function", f->short_name},
                {"name", p->name},
                {"handle", keep_handle(f, p->kept_in)},
                {"tensor", keep_name(p)});
    }
  }
  bind_add(&t, keep_released(f, f->params + f->param_count));
  return bind_keep(&t);
}
