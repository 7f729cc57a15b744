/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields in Go: a struct, its defaults, and copies from and to the twins'
 * layout by the names of the fields, which cgo knows. */
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "parts.h"
#include <string.h>

const char *go_layout(const bind_struct *s) {
  return bind_sized(s->layout, strlen(s->layout) - 1);
}

const char *go_defaults_name(const bind_struct *s) {
  return bind_string("%sDefaults", bind_pascal(s->short_name));
}

/* cgo puts '_' before a field that is a keyword of Go. */
static const char *go_field_c_field(const bind_param *field) {
  return bind_string("%s%s", bind_when(bind_word_in(field->name, GO_KEYWORDS), "_"), field->name);
}

static const char *go_field_c_type(const bind_type *type) {
  if (type->kind == BIND_BOOL) {
    return "bool";
  }
  if (type->kind == BIND_CHAR) {
    return "char";
  }
  return bind_scalar_c(type->scalar);
}

/* "[9]float32" of an array */
static const char *go_items(const bind_type *type) {
  const char *item = go_type(type);
  if (!type->items || type->kind == BIND_STRING) {
    return item;
  }
  return bind_string("[%d]%s", type->items, item);
}

static const char go_field_lent[] = "out.$c_field = C.$c_type(s.$name)\n";
static const char go_field_lent_complex[] =
    "out.$c_field = C.$c_type{re: C.$c_part(real(s.$name)), im: C.$c_part(imag(s.$name))}\n";
static const char go_field_lent_items[] = "for i, item := range s.$name {\n"
                                          "\tout.$c_field[i] = C.$c_type(item)\n"
                                          "}\n";
static const char go_field_taken[] = "out.$name = $type(c.$c_field)\n";
static const char go_field_taken_complex[] =
    "out.$name = complex($go_part(c.$c_field.re), $go_part(c.$c_field.im))\n";
static const char go_field_taken_items[] = "for i, item := range c.$c_field {\n"
                                           "\tout.$name[i] = $type(item)\n"
                                           "}\n";

static const char go_field_lent_text[] = "generated.SetTextField(out.$c_field[:], s.$name)\n";
static const char go_field_taken_text[] = "out.$name = generated.TextOfField(c.$c_field[:])\n";
static const char go_field_lent_struct[] = "out.$c_field = s.$name.lend()\n";
static const char go_field_taken_struct[] = "out.$name = take$type(c.$c_field)\n";

/* How a field comes into C's layout, and from it. */
static const char *go_field_lending(const bind_type *type) {
  if (type->structure) {
    return go_field_lent_struct;
  }
  if (type->kind == BIND_STRING) {
    return go_field_lent_text;
  }
  if (type->items) {
    return go_field_lent_items;
  }
  return type->kind == BIND_COMPLEX ? go_field_lent_complex : go_field_lent;
}

static const char *go_field_taking(const bind_type *type) {
  if (type->structure) {
    return go_field_taken_struct;
  }
  if (type->kind == BIND_STRING) {
    return go_field_taken_text;
  }
  if (type->items) {
    return go_field_taken_items;
  }
  return type->kind == BIND_COMPLEX ? go_field_taken_complex : go_field_taken;
}

static const char go_struct[] = "\n"
                                "$doc\n"
                                "//\n"
                                "// $defaults returns one with the defaults of the C library.\n"
                                "//\n"
                                "// C: $c\n"
                                "type $name struct {\n"
                                "\t$fields\n"
                                "}\n"
                                "\n"
                                "// $defaults returns the defaults of the C library.\n"
                                "func $defaults() $name {\n"
                                "\treturn take$name(C.$shim())\n"
                                "}\n"
                                "\n"
                                "func (s *$name) lend() C.$layout {\n"
                                "\tvar out C.$layout\n"
                                "\t$lent\n"
                                "\treturn out\n"
                                "}\n"
                                "\n"
                                "func take$name(c C.$layout) $name {\n"
                                "\tvar out $name\n"
                                "\t$taken\n"
                                "\treturn out\n"
                                "}\n";

const char *go_defaults_shim(const bind_ir *ir, const bind_struct *s) {
  return bind_string(
      "dlfgo_%s__defaults_%s", ir->name, s->short_name); /* no short name begins with '_' */
}

/* gofmt aligns the types of a field and of those below it that have no comment. */
static int go_name_width(const bind_struct *s, int field) {
  size_t width = 0;
  while (field > 0 && !*s->fields[field].doc) {
    field--;
  }
  do {
    const size_t length = strlen(bind_pascal(s->fields[field++].name));
    if (length > width) {
      width = length;
    }
  } while (field < s->field_count && !*s->fields[field].doc);
  return (int)width;
}

void go_put_struct(bind_text *t, const bind_ir *ir, const bind_struct *s) {
  bind_text fields = {0};
  bind_text lent = {0};
  bind_text taken = {0};
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bool narrow = field->type.scalar == BIND_C64;
    const bind_field *names = bind_fields({"name", bind_pascal(field->name)},
                                          {"type", go_type(&field->type)},
                                          {"c_field", go_field_c_field(field)},
                                          {"c_type", go_field_c_type(&field->type)},
                                          {"c_part", narrow ? "float" : "double"},
                                          {"go_part", narrow ? "float32" : "float64"});
    if (*field->doc) {
      bind_line(&fields, "// %s%s", bind_pascal(field->name), go_about(field));
    }
    bind_line(&fields,
              "%-*s %s",
              go_name_width(s, (int)(field - s->fields)),
              bind_pascal(field->name),
              go_items(&field->type));
    bind_template(&lent, go_field_lending(&field->type), names);
    bind_template(&taken, go_field_taking(&field->type), names);
  }
  const char *name = bind_pascal(s->short_name);
  bind_fill(t,
            go_struct,
            {"doc", go_doc(name, s->summary, s->description)},
            {"defaults", go_defaults_name(s)},
            {"c", s->name},
            {"name", name},
            {"layout", go_layout(s)},
            {"shim", go_defaults_shim(ir, s)},
            {"fields", bind_keep(&fields)},
            {"lent", bind_keep(&lent)},
            {"taken", bind_keep(&taken)});
}

void go_put_defaults_shim(bind_text *t, const bind_ir *ir, const bind_struct *s) {
  bind_fill(t,
            "DLFERRY_GO $layout $shim(void) {\n"
            "  $layout fields;\n"
            "  ${layout}_defaults(&fields);\n"
            "  return fields;\n"
            "}\n"
            "\n",
            {"layout", go_layout(s)},
            {"shim", go_defaults_shim(ir, s)});
}
