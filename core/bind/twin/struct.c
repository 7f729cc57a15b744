/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields: a layout of the twins' own, and copies between it and C's struct by
 * the names of the fields. */
#include "bind/base/template.h"
#include "parts.h"
#include <string.h>

/* ---- the layouts, in the header ---- */

static const char struct_layout[] = "/** The fields of $name. Callers pass these; C's own struct, "
                                    "which may have another layout, is "
                                    "filled from them. */\n"
                                    "typedef struct $layout{\n"
                                    "  $fields\n"
                                    "} $layout_name;\n"
                                    "/** Fill in the defaults. */\n"
                                    "DLF_API void ${layout_name}_defaults($layout*fields);\n"
                                    "\n";

/* A type without the blank that a name would follow: "long", "const float *". */
static const char *struct_type_name(const char *c) {
  const size_t size = strlen(c);
  return bind_sized(c, size - (c[size - 1] == ' '));
}

/* "[9]" of an array */
static const char *struct_items(const bind_param *field) {
  return bind_when(field->type.items, bind_string("[%d]", field->type.items));
}

void struct_put_layouts(bind_text *h, const bind_ir *ir) {
  BIND_EACH_STRUCT(s, ir) {
    bind_text fields = {0};
    BIND_EACH (const bind_param, field, s->fields, s->field_count) {
      bind_line(&fields, "%s%s%s;", field->type.c, field->name, struct_items(field));
    }
    bind_fill(h,
              struct_layout,
              {"name", s->name},
              {"layout", s->layout},
              {"layout_name", struct_type_name(s->layout)},
              {"fields", bind_keep(&fields)});
  }
}

/* ---- the copies ---- */

/* The value of one field in C's type, or in the layout's; `place` is the field, or one of its
 * items.
 */
static const char *struct_converted(const bind_param *field, const char *place, bool to_c) {
  const char *value = bind_string("from->%s", place);
  if (field->type.kind == BIND_COMPLEX) {
    const char *verb = to_c ? "value" : "of";
    return bind_string("dlferry_%s_%s(%s)", bind_scalar_name(field->type.scalar), verb, value);
  }
  if (strcmp(field->type.own, field->type.c) == 0) {
    return value;
  }
  return bind_string("%s%s", bind_cast_to(to_c ? field->type.own : field->type.c), value);
}

static void struct_put_copy(bind_text *copies, const bind_param *field, bool to_c) {
  const char *name = field->name;
  const char *place = name;
  if (field->type.structure) {
    const char *verb = to_c ? "to" : "from";
    bind_line(copies,
              "dlferry_%s_%s(&to->%s, &from->%s);",
              verb,
              field->type.structure->name,
              name,
              name);
    return;
  }
  if (field->pointer && to_c) {
    bind_line(copies,
              "to->%s = dlferry_field_text(from->%s, %s);",
              name,
              name,
              bind_truth(field->optional));
    return;
  }
  if (field->pointer) {
    bind_line(copies, "dlferry_fill_field(to->%s, sizeof to->%s, from->%s);", name, name, name);
    return;
  }
  if (field->type.kind == BIND_STRING) {
    bind_line(copies, "memcpy(to->%s, from->%s, sizeof to->%s);", name, name, name);
    return;
  }
  if (field->type.items) {
    place = bind_string("%s[i]", name);
    bind_line(copies, "for (int i = 0; i < %d; i++)", field->type.items);
  }
  bind_line(copies, "to->%s = %s;", place, struct_converted(field, place, to_c));
}

static const char *struct_copies(const bind_struct *s, bool to_c) {
  bind_text copies = {0};
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    struct_put_copy(&copies, field, to_c);
  }
  return bind_keep(&copies);
}

static const char *struct_items_assertion(const bind_struct *s, const bind_param *field) {
  return bind_string("DLFERRY_ITEMS(%s, %s, %s, %s, %d);",
                     struct_type_name(s->c),
                     field->name,
                     struct_type_name(field->type.own),
                     struct_type_name(field->type.c),
                     field->type.items);
}

static const char *struct_assertion(const bind_struct *s, const char *field, const char *own,
                                    const char *fixed) {
  return bind_string("DLFERRY_FIELD(%s, %s, %s, %s);",
                     struct_type_name(s->c),
                     field,
                     struct_type_name(own),
                     struct_type_name(fixed));
}

static const char *struct_assertions(const bind_struct *s) {
  bind_text all = {0};
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const char *fixed = field->type.structure ? field->type.own : field->type.c;
    if (field->pointer) {
      bind_line(&all, "%s", struct_assertion(s, field->name, field->pointer, field->pointer));
    } else if (field->type.items) {
      bind_line(&all, "%s", struct_items_assertion(s, field));
    } else {
      bind_line(&all, "%s", struct_assertion(s, field->name, field->type.own, fixed));
    }
  }
  return bind_keep(&all);
}

static const char *struct_value(const bind_param *field) {
  const bind_default *d = &field->def;
  const char *all = "";
  switch (d->kind) {
  case BIND_DEFAULT_BOOL:
    return bind_truth(d->truth);
  case BIND_DEFAULT_CHARACTER:
    return bind_string("'%s'", d->text);
  case BIND_DEFAULT_COMPLEX:
    return bind_string("%s{%s, %s}", bind_cast_to(field->type.c), d->text, d->imaginary);
  case BIND_DEFAULT_ENUMERATOR:
    for (; d; d = d->next) {
      all = bind_join(all, " | ", d->enumerator->name);
    }
    return all;
  default:
    return d->text;
  }
}

/* The library's defaults of a struct, or else of the structs within it. */
static void struct_put_library_defaults(bind_text *t, const bind_struct *s, const char *place) {
  if (s->defaults && s->defaults_behind) {
    bind_line(t, "(void)%s(&%s%s);", s->defaults, place, s->defaults_arguments);
  } else if (s->defaults) {
    bind_line(t, "%s = %s();", place, s->defaults);
  }
  for (int i = 0; i < s->field_count && !s->defaults; i++) {
    const bind_param *field = &s->fields[i];
    if (field->type.structure) {
      struct_put_library_defaults(
          t, field->type.structure, bind_string("%s.%s", place, field->name));
    }
  }
}

/* C's struct before its fields are filled in: fields that callers do not get, and those that are
 * new in C, have the library's defaults. */
static const char *struct_begin(const bind_struct *s, const char *name) {
  bind_text t = {0};
  if (s->defaults && !s->defaults_behind) {
    return bind_string("%s%s = %s();\n", s->c, name, s->defaults);
  }
  bind_line(&t, "%s%s = {0};", s->c, name);
  struct_put_library_defaults(&t, s, name);
  return bind_keep(&t);
}

/* The defaults of the file of contracts; a struct's own within it, unless the library has one for
 * the whole. */
static void struct_put_values(bind_text *t, const bind_struct *s, const char *place) {
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    if (field->def.kind != BIND_NO_DEFAULT) {
      bind_line(t, "%s%s = %s;", place, field->name, struct_value(field));
    }
    if (field->type.structure && !s->defaults) {
      struct_put_values(t, field->type.structure, bind_string("%s%s.", place, field->name));
    }
  }
}

static const char struct_functions[] =
    "/* ---- struct $name ---- */\n"
    "\n"
    "$assertions\n"
    "\n"
    "DLFERRY_HELPER void dlferry_to_$name($c*to, const $layout*from) {\n"
    "  $to_c\n"
    "}\n"
    "\n"
    "DLFERRY_HELPER void dlferry_from_$name($layout*$callers, const $c*from) {\n"
    "  $apart\n"
    "  $from_c\n"
    "  $joined\n"
    "}\n"
    "\n"
    "void ${layout_name}_defaults($layout*fields) {\n"
    "  $begin\n"
    "  if (!fields) return;\n"
    "  dlferry_from_$name(fields, &dlf_struct);\n"
    "  $values\n"
    "}\n"
    "\n";

static int struct_count_texts(const bind_struct *s) {
  int count = 0;
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    if (field->type.structure) {
      count += struct_count_texts(field->type.structure);
    }
    count += field->pointer != NULL;
  }
  return count;
}

void struct_put_functions(bind_text *c, const bind_ir *ir) {
  BIND_EACH_STRUCT(s, ir) {
    /* C may swap pointers to the caller's texts, so all are read before one is written. */
    const bool apart = struct_count_texts(s) > 1;
    bind_text values = {0};
    struct_put_values(&values, s, "fields->");
    bind_fill(
        c,
        struct_functions,
        {"name", s->name},
        {"c", s->c},
        {"layout", s->layout},
        {"layout_name", struct_type_name(s->layout)},
        {"assertions", struct_assertions(s)},
        {"to_c", struct_copies(s, true)},
        {"from_c", struct_copies(s, false)},
        {"callers", apart ? "callers" : "to"},
        {"apart",
         bind_when(apart,
                   bind_string("%sapart = {0};\n%s*const to = &apart;", s->layout, s->layout))},
        {"joined", bind_when(apart, "*callers = apart;")},
        {"begin", struct_begin(s, "dlf_struct")},
        {"values", bind_keep(&values)});
  }
}

/* ---- in a twin ---- */

const char *struct_places(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    const bind_struct *s = p->type.structure;
    if (!s) {
      continue;
    }
    const char *place = bind_string("dlf_struct_%s", p->name);
    bind_add(&t, struct_begin(s, place));
    if (p->behind) {
      bind_line(&t, "%sdlf_behind_%s = NULL;", p->behind, p->name);
    }
    if (bind_is_read(p)) {
      bind_line(&t, "dlferry_to_%s(&%s, %s);", s->name, place, p->name);
    }
  }
  return bind_keep(&t);
}

const char *struct_argument(const bind_param *p) {
  if (p->behind) {
    return bind_string("&dlf_behind_%s", p->name);
  }
  return bind_string("%sdlf_struct_%s", bind_when(p->pointer, "&"), p->name);
}

const char *struct_handed_over(const bind_function *f) {
  return bind_filled("if ($result) dlferry_from_$name($result, &dlf_value_of_call);\n",
                     {"result", bind_result_name(f)},
                     {"name", f->result.structure->name});
}

const char *struct_copied(const bind_function *f, const bind_param *p) {
  if (!p->behind) {
    return "";
  }
  return bind_filled(
      "if (dlf_behind_$name)\n"
      "  dlf_struct_$name = *dlf_behind_$name;\n"
      "else\n"
      "  dlf_verdict = dlf_error_set(error, DLF_FOREIGN, \"$where: kernel gave NULL, "
      "expected a $struct\");\n",
      {"name", p->name},
      {"where", argument_where(f, p)},
      {"struct", p->type.structure->short_name});
}

const char *struct_freed(const bind_param *p) {
  if (!p->freed) {
    return "";
  }
  return bind_string("if (dlf_behind_%s) (void)%s(dlf_behind_%s);\n", p->name, p->freed, p->name);
}

const char *structs_freed(const bind_function *f) {
  bind_text t = {0};
  BIND_EACH_PARAM (p, f) {
    bind_add(&t, struct_freed(p));
  }
  return bind_keep(&t);
}

const char *struct_checks(const bind_struct *s, const char *where, const char *value,
                          bool is_result) {
  bind_text checks = {0};
  const char *fails = "return";
  const char *status = "DLF_INVALID";
  if (is_result) {
    fails = "dlf_verdict =";
    status = "DLF_FOREIGN";
  }
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bind_enum *e = field->type.enumeration;
    const char *member = bind_string("%s.%s", where, field->name);
    const char *place = bind_string("%s%s", value, field->name);
    const char *given = bind_when(field->pointer && is_result, bind_string("%s && ", place));
    const bind_field *fields = bind_fields({"where", member},
                                           {"value", place},
                                           {"room", bind_number(field->type.items)},
                                           {"fails", fails},
                                           {"status", status});
    if (e && e->count) {
      bind_template(&checks,
                    "$test\n"
                    "  $fails dlferry_not_in(\"$where\", (long long)$value, \"$labels\", $status, "
                    "error);\n",
                    bind_with(fields,
                              {"test", argument_enum_test(e, bind_field_of(fields, "value"))},
                              {"labels", argument_labels(e)}));
    }
    if (field->type.kind == BIND_CHAR) {
      bind_template(&checks,
                    "if ((unsigned char)$value > 127)\n"
                    "  $fails dlferry_no_letter(\"$where\", $value, \"a character of ASCII\", "
                    "$status, error);\n",
                    fields);
    }
    if (field->type.kind == BIND_STRING) {
      bind_template(
          &checks,
          "if ($given!memchr($value, 0, $room))\n"
          "  $fails $refuse(\"$where\", $room, $status, error);\n",
          bind_with(fields,
                    {"given", given},
                    {"refuse", field->pointer ? "dlferry_long_field" : "dlferry_no_end"}));
    }
    if (field->type.structure) {
      bind_add(&checks,
               struct_checks(field->type.structure, member, bind_string("%s.", place), is_result));
    }
  }
  return bind_keep(&checks);
}

/* ---- structs whose fields callers pass ---- */

const char *struct_spread_place(const bind_spread *spread) {
  return struct_begin(spread->structure, bind_string("dlf_struct_%s", spread->name));
}

const char *struct_spread_argument(const bind_spread *spread) {
  if (spread->list) {
    return bind_string("dlf_scratch_%s", spread->name);
  }
  return bind_string("%sdlf_struct_%s", bind_when(spread->behind, "&"), spread->name);
}

const char *struct_spread_assertions(const bind_function *f) {
  bind_text all = {0};
  BIND_EACH (const bind_spread, spread, f->spreads, f->spread_count) {
    BIND_EACH (const bind_spread_field, field, spread->fields, spread->count) {
      bind_line(&all, "%s", struct_assertion(spread->structure, field->member, field->c, field->c));
    }
  }
  return bind_keep(&all);
}
