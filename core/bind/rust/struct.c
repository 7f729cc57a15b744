/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields in Rust: a struct with Default, and the twins' layout of it. */
#include "bind/base/names.h"
#include "bind/base/template.h"
#include "rust.h"
#include <string.h>

/* "[f32; 9]" of an array */
static const char *rust_items(const bind_type *type, const char *item) {
  return type->items ? bind_string("[%s; %d]", item, type->items) : item;
}

/* A bool is a byte in the layout, since a Rust bool other than 0 and 1 is undefined behaviour. */
static const char *rust_field_layout_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_BOOL:
    return rust_items(type, "u8");
  case BIND_STRING:
    return rust_items(type, "std::ffi::c_char");
  default:
    return rust_items(type, rust_c_type(type));
  }
}

static const char *rust_field_type(const bind_type *type) {
  if (type->structure) {
    return rust_struct_name(type->structure);
  }
  if (type->kind == BIND_STRING) {
    return "String";
  }
  return rust_items(type, rust_argument_type(type, ""));
}

/* Tell whether a value is no plain bits. */
static bool rust_has_texts(const bind_struct *s) {
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bind_type *type = &field->type;
    if (type->kind == BIND_STRING || (type->structure && rust_has_texts(type->structure))) {
      return true;
    }
  }
  return false;
}

static const char *rust_field_lent(const bind_type *type) {
  switch (type->kind) {
  case BIND_BOOL:
    return "u8::from(self.$name)";
  case BIND_ENUM:
    return "self.$name.0";
  case BIND_CHAR:
    return "self.$name as std::ffi::c_char";
  case BIND_STRING:
    return "plumbing::text_field(&self.$name)";
  case BIND_STRUCT:
    return "self.$name.lend()";
  default:
    return "self.$name";
  }
}

static const char *rust_field_taken(const bind_type *type) {
  switch (type->kind) {
  case BIND_BOOL:
    return "fields.$name != 0";
  case BIND_ENUM:
    return "$type(fields.$name)";
  case BIND_CHAR:
    return "fields.$name as u8";
  case BIND_STRING:
    return "plumbing::text_of_field(&fields.$name)";
  case BIND_STRUCT:
    return "$type::take(fields.$name)";
  default:
    return "fields.$name";
  }
}

static const char rust_struct[] =
    "\n"
    "$docs\n"
    "///\n"
    "/// The others of `$name { ..Default::default() }` have the defaults of the C library.\n"
    "$alias\n"
    "#[derive(Clone, ${copy}Debug, PartialEq)]\n"
    "pub struct $name {\n"
    "    $fields\n"
    "}\n"
    "\n"
    "impl Default for $name {\n"
    "    fn default() -> Self {\n"
    "        let mut fields = ffi::$layout::default();\n"
    "        // SAFETY: C fills in the fields.\n"
    "        unsafe { ffi::${layout}_defaults(&mut fields) };\n"
    "        $name::take(fields)\n"
    "    }\n"
    "}\n"
    "\n"
    "impl $name {\n"
    "    #[allow(dead_code)] // C may only give such a struct\n"
    "    fn lend(&self) -> ffi::$layout {\n"
    "        ffi::$layout {\n"
    "            $lent\n"
    "        }\n"
    "    }\n"
    "\n"
    "    fn take(fields: ffi::$layout) -> Self {\n"
    "        $name {\n"
    "            $taken\n"
    "        }\n"
    "    }\n"
    "}\n";

void rust_put_struct(bind_text *t, const bind_struct *s) {
  bind_text fields = {0};
  bind_text lent = {0};
  bind_text taken = {0};
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bind_field *names =
        bind_fields({"name", rust_name(field->name)}, {"type", rust_field_type(&field->type)});
    bind_line(&fields,
              "%s%s",
              rust_doc("/// ", field->doc),
              bind_filled_template("pub $name: $type,", names));
    bind_template(&lent, bind_string("$name: %s,\n", rust_field_lent(&field->type)), names);
    bind_template(&taken, bind_string("$name: %s,\n", rust_field_taken(&field->type)), names);
  }
  const char *name = rust_struct_name(s);
  bind_fill(
      t,
      rust_struct,
      {"docs", rust_docs(s->summary, bind_string("A `%s`.", s->name), s->description)},
      {"alias", bind_when(strcmp(s->name, name), bind_string("#[doc(alias = \"%s\")]", s->name))},
      {"copy", bind_when(!rust_has_texts(s), "Copy, ")},
      {"name", name},
      {"layout", rust_layout_name(s)},
      {"fields", bind_keep(&fields)},
      {"lent", bind_keep(&lent)},
      {"taken", bind_keep(&taken)});
}

static const char rust_layout[] = "#[repr(C)]\n"
                                  "#[derive(Clone, Copy$derived)]\n"
                                  "pub struct $layout {\n"
                                  "    $fields\n"
                                  "}\n"
                                  "$zeros\n";

/* Only arrays of up to 32 items have a Default. */
static const char rust_layout_zeros[] = "impl Default for $layout {\n"
                                        "    fn default() -> Self {\n"
                                        "        // SAFETY: numbers, which may be 0.\n"
                                        "        unsafe { std::mem::zeroed() }\n"
                                        "    }\n"
                                        "}\n";

void rust_put_layout(bind_text *types, bind_text *functions, const bind_struct *s) {
  bind_text fields = {0};
  const char *layout = rust_layout_name(s);
  bool arrays = false;
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const bind_type *type = &field->type;
    bind_line(&fields, "pub %s: %s,", rust_name(field->name), rust_field_layout_type(type));
    arrays |= type->items > 0;
  }
  bind_fill(types,
            rust_layout,
            {"derived", bind_when(!arrays, ", Default")},
            {"layout", layout},
            {"fields", bind_keep(&fields)},
            {"zeros", bind_when(arrays, bind_filled(rust_layout_zeros, {"layout", layout}))});
  bind_line(functions, "pub fn %s_defaults(fields: *mut %s);", layout, layout);
}
