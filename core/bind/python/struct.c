/* SPDX-License-Identifier: Apache-2.0 */
/* Structs with public fields in Python: a class whose objects hold the twins' layout. */
#include "bind/base/escape.h"
#include "bind/emit/declare.h"
#include "python.h"
#include <string.h>

/* A field is read and set as arguments and results of its kind are. */
static const char python_struct_field[] =
    "static PyObject *get_${owner}_$field(PyObject *self, void *unused) {\n"
    "  const $c_type$local = (($owner_layout*)dlfpy_fields(self))->$field;\n"
    "  (void)unused;\n"
    "  return $object;\n"
    "}\n"
    "\n"
    "static int set_${owner}_$field(PyObject *self, PyObject *value, void *unused) {\n"
    "  $declared\n"
    "  (void)unused;\n"
    "  if (!dlfpy_is_set(\"$owner: $field\", value) || $reads) return -1;\n"
    "  (($owner_layout*)dlfpy_fields(self))->$field = $passed;\n"
    "  return 0;\n"
    "}\n"
    "\n";

/* A text in memory of the struct. */
static const char python_struct_text[] =
    "static PyObject *get_${owner}_$field(PyObject *self, void *unused) {\n"
    "  (void)unused;\n"
    "  return dlfpy_text((($owner_layout*)dlfpy_fields(self))->$field);\n"
    "}\n"
    "\n"
    "static int set_${owner}_$field(PyObject *self, PyObject *value, void *unused) {\n"
    "  (void)unused;\n"
    "  return dlfpy_set_text(\"$owner: $field\", value, "
    "(($owner_layout*)dlfpy_fields(self))->$field, $items);\n"
    "}\n"
    "\n";

/* A struct within it is a window on its fields, so that `x.inner.y = 1` changes x. */
static const char python_struct_part[] =
    "static PyObject *get_${owner}_$field(PyObject *self, void *unused) {\n"
    "  (void)unused;\n"
    "  return dlfpy_part(&type_$struct, self, &(($owner_layout*)dlfpy_fields(self))->$field);\n"
    "}\n"
    "\n"
    "static int set_${owner}_$field(PyObject *self, PyObject *value, void *unused) {\n"
    "  $layout$local;\n"
    "  (void)unused;\n"
    "  if (!dlfpy_is_set(\"$owner: $field\", value) || $reads) return -1;\n"
    "  (($owner_layout*)dlfpy_fields(self))->$field = $local;\n"
    "  return 0;\n"
    "}\n"
    "\n";

/* An array is a tuple, so that no change of a copy is lost; any sequence sets it. */
static const char python_struct_items[] =
    "static PyObject *get_${owner}_$field(PyObject *self, void *unused) {\n"
    "  PyObject *all = PyTuple_New($items);\n"
    "  (void)unused;\n"
    "  for (int i = 0; all && i < $items; i++) {\n"
    "    const $c_type$local = (($owner_layout*)dlfpy_fields(self))->$field[i];\n"
    "    PyObject *item = $object;\n"
    "    if (!item || PyTuple_SetItem(all, i, item)) Py_CLEAR(all);\n"
    "  }\n"
    "  return all;\n"
    "}\n"
    "\n"
    "static int set_${owner}_$field(PyObject *self, PyObject *value, void *unused) {\n"
    "  $c_type items[$items];\n"
    "  PyObject *all = dlfpy_items(\"$owner: $field\", value, $items);\n"
    "  (void)unused;\n"
    "  for (int i = 0; all && i < $items; i++) {\n"
    "    PyObject *item = PyTuple_GetItem(all, i);\n"
    "    $declared\n"
    "    if ($reads) Py_CLEAR(all);\n"
    "    else items[i] = $passed;\n"
    "  }\n"
    "  if (!all) return -1;\n"
    "  memcpy((($owner_layout*)dlfpy_fields(self))->$field, items, sizeof items);\n"
    "  Py_DECREF(all);\n"
    "  return 0;\n"
    "}\n"
    "\n";

static const char python_struct_row[] =
    "{\"$python_name\", get_${owner}_$field, set_${owner}_$field, \"$doc\", NULL},\n";

static const char python_struct_type[] =
    "static PyGetSetDef getset_$struct[] = {\n"
    "  $rows\n"
    "  {NULL, NULL, NULL, NULL, NULL}\n"
    "};\n"
    "\n"
    "static void defaults_$struct(void *fields) { ${layout_name}_defaults(fields); }\n"
    "\n"
    "static PyObject *new_$struct(PyTypeObject *type, PyObject *args, PyObject *words) {\n"
    "  return dlfpy_struct_of(type, args, words, defaults_$struct);\n"
    "}\n"
    "\n"
    "static PyTypeObject type_$struct = {\n"
    "  PyVarObject_HEAD_INIT(NULL, 0)\n"
    "  .tp_name = \"$package.$class\",\n"
    "  .tp_doc = \"$doc\",\n"
    "  .tp_getset = getset_$struct,\n"
    "  .tp_new = new_$struct,\n"
    "};\n"
    "\n";

static const bind_field *python_struct_fields(const bind_ir *ir, const bind_struct *s,
                                              const bind_param *field) {
  const bind_field *fields =
      bind_fields({"owner", s->short_name},
                  {"owner_layout", s->layout},
                  {"field", field->name},
                  {"python_name", python_name(field->name)},
                  {"doc", bind_doc_escape(BIND_DOC_C_STRING, field->doc)},
                  {"c_type", field->type.c},
                  {"local", "field"},
                  {"name", "field"},
                  {"value", field->type.items ? "item" : "value"},
                  {"items", bind_number(field->type.items)},
                  {"default", field->type.kind == BIND_BOOL ? "false" : "0"},
                  {"say", bind_string("\"%s: %s\"", s->short_name, field->name)},
                  {"package", ir->name});
  if (field->type.kind == BIND_ENUM) {
    fields = bind_with(fields, {"cast", bind_cast_to(field->type.c)});
  }
  return python_type_fields(fields, &field->type);
}

/* With a signature on the first line, which inspect reads. */
static const char *python_struct_doc(const bind_struct *s) {
  const char *words = "";
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    words = bind_join(words, ", ", bind_string("%s=...", python_name(field->name)));
  }
  return bind_string("%s(*, %s)\n--\n\n%s\n\nFields that are left out have the defaults of the C "
                     "library.\n\nC: %s",
                     python_struct_name(s),
                     words,
                     bind_join(bind_said_or(s->summary, s->name), "\n\n", s->description),
                     s->name);
}

static const char *python_struct_access(const bind_type *type) {
  if (type->structure) {
    return python_struct_part;
  }
  if (type->kind == BIND_STRING) {
    return python_struct_text;
  }
  return type->items ? python_struct_items : python_struct_field;
}

void python_put_struct(bind_text *t, const bind_ir *ir, const bind_struct *s) {
  bind_text rows = {0};
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const python_row *row = &python_rows[field->type.kind];
    const bind_field *fields = python_struct_fields(ir, s, field);
    bind_template(t,
                  python_struct_access(&field->type),
                  bind_with(fields,
                            {"declared", bind_filled_template(row->local, fields)},
                            {"reads", bind_filled_template(row->reads, fields)},
                            {"passed", bind_filled_template(row->passed, fields)},
                            {"object", bind_filled_template(row->object, fields)}));
    bind_template(&rows, python_struct_row, fields);
  }
  bind_fill(t,
            python_struct_type,
            {"struct", s->short_name},
            {"rows", bind_keep(&rows)},
            {"layout_name", bind_sized(s->layout, strlen(s->layout) - 1)},
            {"package", ir->name},
            {"class", python_struct_name(s)},
            {"doc", bind_doc_escape(BIND_DOC_C_STRING, python_struct_doc(s))});
}

static const char python_struct_stub[] = "\n"
                                         "@$final\n"
                                         "class $name:\n"
                                         "    \"\"\"$doc\"\"\"\n"
                                         "\n"
                                         "    $fields\n"
                                         "    def __new__(cls, *, $words) -> $self: ...\n";

void python_put_struct_stub(bind_text *t, const bind_ir *ir, const bind_struct *s) {
  bind_text fields = {0};
  const char *words = "";
  BIND_EACH (const bind_param, field, s->fields, s->field_count) {
    const char *name = python_name(field->name);
    const char *hint = python_plain_hint(ir, &field->type);
    const char *taken = hint;
    if (field->type.items && field->type.kind != BIND_STRING) {
      taken = bind_string("tuple[%s, ...] | list[%s]", hint, hint);
      hint = bind_string("tuple[%s, ...]", hint);
    }
    bind_line(&fields, "%s: %s", name, hint);
    words = bind_join(words, ", ", bind_string("%s: %s = ...", name, taken));
  }
  bind_fill(t,
            python_struct_stub,
            {"final", python_plain(ir, "final")},
            {"self", python_plain(ir, "Self")},
            {"name", python_struct_name(s)},
            {"doc", bind_doc_escape(BIND_DOC_PYTHON, bind_said_or(s->summary, s->name))},
            {"fields", bind_keep(&fields)},
            {"words", words});
}
