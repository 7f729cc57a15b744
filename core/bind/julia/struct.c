/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields in Julia: a struct that is made from keywords, and the twins' layout
 * of it. */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "julia.h"
#include <string.h>

static const char julia_struct[] =
    "\n"
    "\"\"\"\n"
    "    $name(; like = defaults, $keywords)\n"
    "\n"
    "$doc\n"
    "\n"
    "Fields that are left out are those of `like`, or the defaults of the C library.\n"
    "\n"
    "$about\n"
    "\n"
    "C: `$c`\n"
    "\"\"\"\n"
    "struct $name\n"
    "    $fields\n"
    "end\n"
    "struct $layout\n"
    "    $laid_out\n"
    "end\n"
    "DLFerry.fields_layout(::Core.Type{$name}) = $layout\n"
    "DLFerry.lend_fields(x::$name) = $layout($lent)\n"
    "DLFerry.take_fields(x::$layout) = $name($taken)\n"
    "$constructor\n";

static const char *julia_layout_name(const bind_struct *s) {
  return bind_string("%sFields", julia_type_name(s->short_name));
}

static const char *julia_field_laid_out(const bind_type *type) {
  switch (type->kind) {
  case BIND_BOOL:
  case BIND_CHAR:
  case BIND_STRING:
    return "UInt8"; /* C may write any byte there */
  case BIND_STRUCT:
    return julia_layout_name(type->structure);
  default:
    return julia_scalar(type);
  }
}

/* "Base.NTuple{9, Float32}" of an array */
static const char *julia_items(const bind_type *type, const char *item) {
  return type->items ? bind_string("Base.NTuple{%d, %s}", type->items, item) : item;
}

static const char *julia_field_type(const bind_type *type) {
  if (type->kind == BIND_STRING) {
    return "Base.String";
  }
  return julia_items(type, julia_result_name(type));
}

static const char *julia_field_lent(const bind_type *type) {
  if (type->kind == BIND_STRING) {
    return "DLFerry.text_field(x.$name, Base.Val($items))";
  }
  if (type->structure) {
    return "DLFerry.lend_fields(x.$name)";
  }
  if (type->kind == BIND_CHAR) {
    return "DLFerry.scalar(UInt8, x.$name, \"$struct: $name\")";
  }
  if (type->kind == BIND_ENUM && !type->enumeration->flags) {
    return "$scalar(x.$name)";
  }
  return "x.$name";
}

static const char *julia_field_taken(const bind_type *type) {
  switch (type->kind) {
  case BIND_BOOL:
    return "x.$name != 0";
  case BIND_CHAR:
    return "Base.Char(x.$name)";
  case BIND_STRING:
    return "DLFerry.text_of_field(x.$name)";
  case BIND_STRUCT:
    return "DLFerry.take_fields(x.$name)";
  case BIND_ENUM:
    if (!type->enumeration->flags) {
      return "Base.reinterpret($type, x.$name)";
    }
    return "x.$name";
  default:
    return "x.$name";
  }
}

/* Numbers must fit, with the text that other arguments have. */
static const char *julia_field_checked(const bind_type *type) {
  if (type->items && type->kind != BIND_STRING) {
    return "DLFerry.scalars($scalar, $name, Base.Val($items), \"$struct: $name\")";
  }
  const bool flags = type->kind == BIND_ENUM && type->enumeration->flags;
  if (flags || type->kind == BIND_INTEGER || type->kind == BIND_REAL ||
      type->kind == BIND_COMPLEX) {
    return "DLFerry.scalar($scalar, $name, \"$struct: $name\")";
  }
  return "$name";
}

void julia_put_struct(bind_text *t, const bind_struct *s) {
  bind_text fields = {0};
  bind_text laid_out = {0};
  bind_text about = {0};
  bind_text constructor = {.unit = "    "};
  const char *keywords = "";
  const char *defaults = "";
  const char *lent = "";
  const char *taken = "";
  const char *checked = "";
  const char *name = julia_type_name(s->short_name);
  const char *layout = julia_layout_name(s);
  const char *like = "like";
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    if (strcmp(field->name, like) == 0) {
      like = "like_";
    }
  }
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bind_type *type = &field->type;
    const bind_field *names =
        bind_fields({"name", julia_name(field->name)},
                    {"scalar", julia_scalar(type)},
                    {"type", julia_field_type(type)},
                    {"laid_out", julia_items(type, julia_field_laid_out(type))},
                    {"items", bind_number(type->items)},
                    {"like", like},
                    {"struct", s->short_name});
    bind_template(&fields, "$name::$type\n", names);
    bind_template(&laid_out, "$name::$laid_out\n", names);
    if (*field->doc) {
      bind_line(&about,
                "- `%s`: %s",
                julia_name(field->name),
                bind_doc_escape(BIND_DOC_JULIA, field->doc));
    }
    keywords = bind_join(keywords, ", ", julia_name(field->name));
    defaults = bind_join(defaults, ", ", bind_filled_template("$name = $like.$name", names));
    lent = bind_join(lent, ", ", bind_filled_template(julia_field_lent(type), names));
    taken = bind_join(taken, ", ", bind_filled_template(julia_field_taken(type), names));
    checked = bind_join(checked, ", ", bind_filled_template(julia_field_checked(type), names));
  }
  bind_wrapped(
      &constructor,
      bind_string("%s(; %s = DLFerry.default_fields(%s, kernels.%s_defaults), %s) = %s(%s)",
                  name,
                  like,
                  name,
                  bind_sized(s->layout, strlen(s->layout) - 1),
                  defaults,
                  name,
                  checked));
  bind_fill(t,
            julia_struct,
            {"name", name},
            {"layout", layout},
            {"keywords", keywords},
            {"doc", julia_doc(s->summary, s->name, s->description)},
            {"about", bind_keep(&about)},
            {"c", s->name},
            {"fields", bind_keep(&fields)},
            {"laid_out", bind_keep(&laid_out)},
            {"lent", lent},
            {"taken", taken},
            {"constructor", bind_keep(&constructor)});
}
