/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package's extension module, NAME_python.c: its functions are METH_FASTCALL thunks over
 * dlferry_python.h, its classes are handles. */
#include "python.h"
#include "bind/base/template.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "results.h"
#include <string.h>

static bool python_makes(const bind_ir *ir, const bind_handle *h) {
  BIND_EACH_FUNCTION (f, ir) {
    if (f->creates == h && !f->borrows) {
      return true;
    }
  }
  return false;
}

/* Thunks use the type of a handle, which is defined after its methods. */
static const char *python_types(const bind_ir *ir) {
  bind_text t = {0};
  BIND_EACH_HANDLE (h, ir) {
    bind_line(&t, "static PyTypeObject type_%s;", h->short_name);
    if (python_makes(ir, h)) {
      bind_line(&t,
                "static void free_%s(void *owned) { %s(%sowned); }",
                h->short_name,
                h->free_checked_name,
                bind_cast_handle(h));
    }
    bind_put(&t, "\n");
  }
  BIND_EACH_STRUCT(s, ir) {
    bind_line(&t, "static PyTypeObject type_%s;", s->short_name);
  }
  BIND_EACH_ENUM (e, ir) {
    if (e->used) {
      bind_line(&t, "static PyObject *enum_%s;", e->short_name);
    }
  }
  BIND_EACH_FUNCTION (f, ir) {
    if (python_results_name(ir, f)) {
      bind_line(&t, "static PyObject *results_%s;", f->short_name);
    }
  }
  return bind_keep(&t);
}

static const char *python_entry(const bind_function *f, const char *flags) {
  return bind_filled(
      "{\"$shown\", $function, $how$flags, doc_$short},\n",
      {"shown", python_function_name(f)},
      {"function",
       bind_string(python_is_bare(f) ? "py_%s" : "(PyCFunction)(void (*)(void))py_%s",
                   f->short_name)},
      {"how", python_is_bare(f) ? "METH_NOARGS" : "METH_FASTCALL | METH_KEYWORDS"},
      {"short", f->short_name},
      {"flags", flags});
}

/* The closures hold functions, so nothing is cast but their own addresses. */
static const char python_properties[] =
    "static const dlfpy_property property_$short = {py_$short, $set};\n";
static const char python_property_row[] =
    "{\"$name\", dlfpy_property_get, $setter, doc_$short, (void *)(uintptr_t)&property_$short},\n";
static const char python_getset[] = "$properties\n"
                                    "static PyGetSetDef getset_$handle[] = {\n"
                                    "  $rows\n"
                                    "  {NULL, NULL, NULL, NULL, NULL}\n"
                                    "};\n"
                                    "\n";

/* The table of a class's properties, or "". */
static const char *python_getset_of(const bind_handle *h) {
  bind_text properties = {0};
  bind_text rows = {0};
  BIND_EACH_AT (f, h) {
    if (f->method_of != h || !bind_is_getter(f)) {
      continue;
    }
    const bind_function *setter = f->setter;
    const bind_field *fields =
        bind_fields({"short", f->short_name},
                    {"name", python_function_name(f)},
                    {"set", setter ? bind_string("py_%s", setter->short_name) : "NULL"},
                    {"setter", setter ? "dlfpy_property_set" : "NULL"});
    bind_template(&properties, python_properties, fields);
    bind_template(&rows, python_property_row, fields);
  }
  if (!rows.length) {
    return "";
  }
  return bind_filled(python_getset,
                     {"handle", h->short_name},
                     {"properties", bind_keep(&properties)},
                     {"rows", bind_keep(&rows)});
}

static const char python_class[] =
    "$getset\n"
    "static PyMethodDef methods_$handle[] = {\n"
    "  $methods\n"
    "  {\"close\", dlfpy_object_close, METH_NOARGS, \"close($$self)\\n--\\n\\n$end it. Closing it "
    "again does nothing.\"},\n"
    "  {\"__enter__\", dlfpy_object_enter, METH_NOARGS, \"__enter__($$self)\\n--\\n\\nReturn "
    "itself.\"},\n"
    "  {\"__exit__\", (PyCFunction)(void (*)(void))dlfpy_object_exit, METH_FASTCALL,\n"
    "   \"__exit__($$self, *exception)\\n--\\n\\nClose.\"},\n"
    "  {NULL, NULL, 0, NULL}\n"
    "};\n"
    "\n"
    "$new\n"
    "static PyTypeObject type_$handle = {\n"
    "  PyVarObject_HEAD_INIT(NULL, 0)\n"
    "  .tp_name = \"$package.$class\",\n"
    "  .tp_doc = doc_class_$handle,\n"
    "  .tp_methods = methods_$handle,\n"
    "  $properties\n"
    "  $vectorcall\n"
    "};\n"
    "\n";

static const char python_new[] =
    "static PyObject *new_$handle(PyObject *type, PyObject *const *given, size_t count, PyObject "
    "*words) {\n"
    "  return py_$create(type, given, PyVectorcall_NARGS(count), words);\n"
    "}\n"
    "\n";

static void python_put_class(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(h);
  const bind_field handle = {"handle", h->short_name};
  const char *getset = python_getset_of(h);
  bind_text methods = {0};
  python_put_class_doc(t, ir, h);
  BIND_EACH_AT (f, h) {
    if (f->method_of == h && !f->property) {
      bind_add(&methods, python_entry(f, ""));
    }
    if (bind_is_static(f) && f != constructor) {
      bind_add(&methods, python_entry(f, " | METH_STATIC"));
    }
  }
  bind_put(t, "\n");
  bind_fill(
      t,
      python_class,
      handle,
      {"package", ir->name},
      {"class", python_class_name(h)},
      {"methods", bind_keep(&methods)},
      {"end", h->free_name ? "Free" : "Give back"},
      {"getset", getset},
      {"properties", bind_when(*getset, bind_filled(".tp_getset = getset_$handle,", handle))},
      {"new",
       constructor ? bind_filled(python_new, handle, {"create", constructor->short_name}) : ""},
      {"vectorcall", constructor ? bind_filled(".tp_vectorcall = new_$handle,", handle) : ""});
}

/* ---- The file ---- */

/* Python.h comes first, since it sets what the system's headers declare. */
static const char python_extension[] =
    "#include <dlferry_python.h>\n"
    "\n"
    "#include \"$header\"\n"
    "\n"
    "$types\n"
    "\n"
    "$thunks\n"
    "static PyMethodDef dlferry_functions[] = {\n"
    "  $functions\n"
    "  {NULL, NULL, 0, NULL}\n"
    "};\n"
    "\n"
    "static int dlferry_start(PyObject *module) {\n"
    "  if (!dlfpy_start() || !dlfpy_add_functions(module, \"$package\", dlferry_functions)) return "
    "-1;\n"
    "  $classes\n"
    "  return 0;\n"
    "}\n"
    "\n"
    "PyMODINIT_FUNC PyInit__$package(void) {\n"
    "  static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)(uintptr_t)dlferry_start}, {0, "
    "NULL}};\n"
    "  static PyModuleDef module = {PyModuleDef_HEAD_INIT, .m_name = \"_$package\", .m_slots = "
    "slots};\n"
    "  return dlfpy_init(\"$package\", &module);\n"
    "}\n";

static void python_emit_extension(const bind_ir *ir, bind_out *out) {
  bind_text thunks = {0};
  bind_text functions = {0};
  bind_text classes = {0};
  BIND_EACH_FUNCTION (f, ir) {
    python_put_docstring(&thunks, ir, f);
    bind_put(&thunks, "\n");
    python_put_thunk(&thunks, ir, f);
    if (python_is_free(f)) {
      bind_add(&functions, python_entry(f, ""));
    }
  }
  BIND_EACH_STRUCT(s, ir) {
    python_put_struct(&thunks, ir, s);
    bind_line(&classes,
              "if (!dlfpy_struct_type(module, \"%s\", &type_%s, sizeof(%.*s))) return -1;",
              python_struct_name(s),
              s->short_name,
              (int)strlen(s->layout) - 1,
              s->layout);
  }
  BIND_EACH_HANDLE (h, ir) {
    python_put_class(&thunks, ir, h);
    bind_line(&classes,
              "if (!dlfpy_object_type(module, \"%s\", &type_%s)) return -1;",
              python_class_name(h),
              h->short_name);
  }
  bind_write_filled(ir,
                    out,
                    BIND_C_FILE,
                    bind_string("python/%s_python.c", ir->name),
                    python_extension,
                    {"package", ir->name},
                    {"header", ir->twin_h.name},
                    {"types", python_types(ir)},
                    {"thunks", bind_keep(&thunks)},
                    {"functions", bind_keep(&functions)},
                    {"classes", bind_keep(&classes)});
}

void bind_emit_python(const bind_ir *ir, bind_out *out) {
  python_emit_extension(ir, out);
  python_emit_package(ir, out);
  python_emit_stubs(ir, out);
}
