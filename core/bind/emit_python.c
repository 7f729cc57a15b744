/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package's interface, NAME.i: a SWIG module whose functions are METH_FASTCALL thunks over dlferry_python.h,
 * and whose classes are handles. SWIG's own wrappers would cost twice as much a call.
 *
 *   static const char doc_blur[] = "blur(image, sigma=1.0, out=None)\n--\n\n...";
 *   static PyObject *py_blur(...) { ... }
 *   static PyMethodDef functions[] = {{"blur", py_blur, METH_FASTCALL | METH_KEYWORDS, doc_blur}, ...};
 *   static PyTypeObject type_codec = {.tp_name = "zf.Codec", .tp_vectorcall = new_codec, .tp_methods = ...}; */
#include "emit_python.h"
#include "cases.h"
#include <string.h>

/* ---- Handles: the type first, since thunks name it; its parts once they are written ---- */

static void python_put_types(bind_text *t, const bind_ir *ir) {
  for (int i = 0; i < ir->handle_count; i++) {
    const bind_handle *h = &ir->handles[i];
    bind_line(t, "static PyTypeObject type_%s;", h->short_name);
    bind_line(t, "static void free_%s(void *owned) { %s(owned); }", h->short_name, h->free_checked_name);
    bind_line(t, "%s", "");
  }
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) bind_line(t, "static PyObject *enum_%s;", ir->enums[i].short_name);
  bind_line(t, "%s", "");
}

static void python_put_entry(bind_text *t, const bind_function *f, const char *flags) {
  bind_line(t, "{\"%s\", (PyCFunction)(void (*)(void))py_%s, METH_FASTCALL | METH_KEYWORDS%s, doc_%s},",
            python_function_name(f), f->short_name, flags, f->short_name);
}

static void python_put_class(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const bind_function *constructor = python_constructor(ir, h);
  const char *name = h->short_name;
  python_put_class_doc(t, ir, h);
  bind_line(t, "%s", "");
  bind_open(t, "static PyMethodDef methods_%s[] = {", name);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->method_of == h) python_put_entry(t, f, "");
    if (f->creates == h && f != constructor) python_put_entry(t, f, " | METH_STATIC");
  }
  bind_line(t,
            "{\"close\", dlfpy_handle_close, METH_NOARGS, \"close($self)\\n--\\n\\nFree it; twice does no harm.\"},");
  bind_line(t, "{\"__enter__\", dlfpy_handle_enter, METH_NOARGS, \"__enter__($self)\\n--\\n\\nReturn itself.\"},");
  bind_line(t, "{\"__exit__\", (PyCFunction)(void (*)(void))dlfpy_handle_exit, METH_FASTCALL,");
  bind_line(t, " \"__exit__($self, *exception)\\n--\\n\\nClose.\"},");
  bind_line(t, "{NULL, NULL, 0, NULL}");
  bind_close(t, "};");
  bind_line(t, "%s", "");
  if (constructor) {
    bind_open(t, "static PyObject *new_%s(PyObject *type, PyObject *const *given, size_t count, PyObject *words) {",
              name);
    bind_line(t, "return py_%s(type, given, PyVectorcall_NARGS(count), words);", constructor->short_name);
    bind_close(t, "}");
    bind_line(t, "%s", "");
  }
  bind_open(t, "static PyTypeObject type_%s = {", name);
  bind_line(t, "PyVarObject_HEAD_INIT(NULL, 0)");
  bind_line(t, ".tp_name = \"%s.%s\",", ir->name, python_class_name(h));
  bind_line(t, ".tp_doc = doc_class_%s,", name);
  bind_line(t, ".tp_methods = methods_%s,", name);
  if (constructor) bind_line(t, ".tp_vectorcall = new_%s,", name);
  bind_close(t, "};");
  bind_line(t, "%s", "");
}

/* ---- The file ---- */

/* SWIG's own function, under another name, is what the one that Python calls goes on with. */
static void python_put_init(bind_text *t, const bind_ir *ir) {
  bind_line(t, "static PyObject *swig_init_%s(void);", ir->name);
  bind_line(t, "PyMODINIT_FUNC PyInit__%s(void) { return dlfpy_init(\"%s\", swig_init_%s); }", ir->name, ir->name,
            ir->name);
  bind_line(t, "#undef SWIG_init");
  bind_line(t, "#define SWIG_init swig_init_%s\n#undef SWIGEXPORT\n#define SWIGEXPORT static", ir->name);
  bind_line(t, "%s", "");
}

static void python_put_wrapper(bind_text *t, const bind_ir *ir) {
  python_put_init(t, ir);
  python_put_types(t, ir);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    python_put_docstring(t, ir, f);
    bind_line(t, "%s", "");
    python_put_thunk(t, ir, f);
  }
  for (int i = 0; i < ir->handle_count; i++) python_put_class(t, ir, &ir->handles[i]);
  bind_open(t, "static PyMethodDef dlferry_functions[] = {");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    if (python_is_free(f)) python_put_entry(t, f, "");
  bind_line(t, "{NULL, NULL, 0, NULL}");
  bind_close(t, "};");
}

static void python_emit_interface(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  bind_first_line(&t, ir, "/*", " */", "python");
  bind_line(&t, "%%module(package=\"%s\") %s", ir->name, ir->name);
  bind_line(&t, "%%{");
  bind_line(&t, "#include \"%s\"", ir->checked_h.name);
  bind_line(&t, "#include <dlferry_python.h>");
  bind_line(&t, "%%}");
  bind_line(&t, "%s", "");
  bind_line(&t, "%%wrapper %%{");
  python_put_wrapper(&t, ir);
  bind_line(&t, "%%}");
  bind_line(&t, "%s", "");
  bind_line(&t, "%%init %%{");
  bind_line(&t, "  if (!dlfpy_start() || !dlfpy_add_functions(m, \"%s\", dlferry_functions)) return -1;", ir->name);
  for (int i = 0; i < ir->handle_count; i++)
    bind_line(&t, "  if (!dlfpy_handle_type(m, \"%s\", &type_%s)) return -1;", python_class_name(&ir->handles[i]),
              ir->handles[i].short_name);
  bind_line(&t, "%%}");
  bind_write(out, bind_string("python/%s.i", ir->name), &t);
  bind_text_free(&t);
}

int bind_emit_python(const bind_ir *ir, bind_out *out) {
  python_emit_interface(ir, out);
  python_emit_package(ir, out);
  python_emit_stubs(ir, out);
  if (bind_has_cases(ir)) python_emit_tests(ir, out);
  bind_copy_sources(out, "python/c", ir);
  return 0;
}
