/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package's interface, NAME.i: a SWIG module whose functions are METH_FASTCALL thunks over dlferry_python.h.
 * SWIG's own wrappers would cost twice as much a call. */
#include "emit_python.h"
#include <string.h>

/* What a thunk calls its own. */
static const char python_thunk_words[] =
    "module given count words room names interned signature v t call made error status answer result";

static const char *python_c_name(const char *name) { return bind_escape(name, python_thunk_words); }

static int python_place_of(const python_params *params, const bind_param *p) {
  int i = 0;
  while (params->list[i] != p) i++;
  return i;
}

/* ---- Docstrings ---- */

/* "%}" would end the block of SWIG's that holds the text. */
static void python_put_doc_line(bind_text *t, const char *line) {
  bind_put(t, "\"");
  for (const char *at = bind_doc_escape(BIND_DOC_STRING, line); *at; at++)
    if (at[0] == '%' && at[1] == '}')
      bind_put(t, "%%\\175"), at++;
    else
      bind_put(t, "%c", *at);
  bind_line(t, "\\n\"");
}

static void python_put_doc_lines(bind_text *t, const char *doc) {
  while (*doc) {
    const size_t size = strcspn(doc, "\n");
    python_put_doc_line(t, bind_string("%.*s", (int)size, doc));
    doc += size + (doc[size] == '\n');
  }
}

/* "image: T[h, w]; values of any range", whatever there is of it. */
static const char *python_about(const bind_param *p) {
  const char *parts[] = {p->contract, p->limits, p->doc,
                         p->made       ? "made when left out"
                         : p->optional ? "may be None"
                                       : ""};
  const char *text = "";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (*parts[i]) text = *text ? bind_string("%s; %s", text, parts[i]) : parts[i];
  return text;
}

static void python_put_docstring(bind_text *t, const bind_function *f, const python_params *params) {
  const char *signature = "";
  for (int i = 0; i < params->count; i++) {
    const char *value = python_default(params->list[i]);
    signature = bind_string("%s%s%s%s%s", signature, i ? ", " : "", python_name(params->list[i]->name),
                            value ? "=" : "", value ? value : "");
  }
  bind_line(t, "static const char doc_%s[] =", f->short_name);
  t->depth++;
  python_put_doc_line(t, bind_string("%s(%s)", python_name(f->short_name), signature));
  python_put_doc_line(t, "--");
  python_put_doc_line(t, "");
  python_put_doc_line(t, f->summary);
  if (*f->description) python_put_doc_line(t, "");
  python_put_doc_lines(t, f->description);
  if (params->count) python_put_doc_line(t, "");
  for (int i = 0; i < params->count; i++) {
    const bind_param *p = params->list[i];
    const char *text = python_about(p);
    python_put_doc_line(t, bind_string("%s%s%s", python_name(p->name), *text ? ": " : "", text));
  }
  if (params->made) {
    python_put_doc_line(t, "");
    python_put_doc_line(t, "What is made is an array of the first argument's framework.");
  }
  if (*f->returns_doc) python_put_doc_line(t, bind_string("Returns %s", f->returns_doc));
  python_put_doc_line(t, "");
  if (*f->contract) python_put_doc_line(t, bind_string("Contract: %s", f->contract));
  if (*f->contract) python_put_doc_line(t, "");
  bind_line(t, "\"C: %s\";", f->name);
  t->depth--;
}

/* ---- Thunks ---- */

static bool python_is_unsigned(const bind_type *type) { return type->scalar >= BIND_U8 && type->scalar <= BIND_U64; }

/* The type in which a scalar is read. */
static const char *python_wide_type(const bind_type *type) {
  if (type->kind == BIND_REAL) return "double ";
  if (type->kind == BIND_BOOL) return "bool ";
  if (type->kind == BIND_STRING) return "const char *";
  return python_is_unsigned(type) ? "uint64_t " : "int64_t ";
}

static void python_put_scalar(bind_text *t, const bind_param *p) {
  const char *value = "0";
  if (p->def.kind == BIND_DEFAULT_NUMBER) value = p->def.text;
  if (p->def.kind == BIND_DEFAULT_BOOL) value = p->def.truth ? "true" : "false";
  if (p->def.kind == BIND_DEFAULT_STRING) value = bind_string("\"%s\"", p->def.text);
  if (p->def.kind == BIND_DEFAULT_ENUMERATOR) value = p->def.enumerator->name;
  bind_line(t, "%s%s = %s;", python_wide_type(&p->type), python_c_name(p->name), value);
}

static const char *python_limits_of(bind_scalar scalar) {
  static const char *const limits[] = {"",
                                       "INT8_MIN, INT8_MAX, ",
                                       "INT16_MIN, INT16_MAX, ",
                                       "INT32_MIN, INT32_MAX, ",
                                       "INT64_MIN, INT64_MAX, ",
                                       "UINT8_MAX, ",
                                       "UINT16_MAX, ",
                                       "UINT32_MAX, ",
                                       "UINT64_MAX, ",
                                       "",
                                       ""};
  return limits[scalar];
}

/* The condition under which reading one argument fails. */
static const char *python_reading(const bind_function *f, const bind_param *p, int i) {
  const char *name = bind_string("\"%s: %s\"", f->short_name, p->name);
  const char *guard = p->def.kind == BIND_NO_DEFAULT ? "" : bind_string("v[%d] && ", i);
  if (p->type.kind == BIND_TENSOR)
    return bind_string("!dlfpy_tensor%s(&call, %s, v[%d], %s)", p->optional ? "_or_none" : "", name, i,
                       p->direction == BIND_IN ? "false" : "true");
  const char *kind = p->type.kind == BIND_REAL      ? "real"
                     : p->type.kind == BIND_BOOL    ? "bool"
                     : p->type.kind == BIND_STRING  ? "string"
                     : python_is_unsigned(&p->type) ? "unsigned"
                                                    : "integer";
  return bind_string("%s!dlfpy_%s(%s, v[%d], %s&%s)", guard, kind, name, i, python_limits_of(p->type.scalar),
                     python_c_name(p->name));
}

static const char *python_spelling(bind_scalar scalar) {
  static const char *const names[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                      "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  return names[scalar];
}

static void python_put_call(bind_text *t, const bind_function *f, const python_params *params, bool make) {
  bind_put(t, "status = %s(", make ? f->new_name : f->checked_name);
  for (int i = 0, n = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (make && p->made)
      bind_put(t, "&made[%d], ", n++);
    else if (p->type.kind == BIND_TENSOR)
      bind_put(t, "t[%d].c, ", params->tensor[python_place_of(params, p)]);
    else if (p->type.kind == BIND_ENUM || p->type.kind == BIND_INTEGER || p->type.scalar == BIND_F32)
      bind_put(t, "(%s)%s, ", p->type.kind == BIND_ENUM ? p->type.enumeration->c : python_spelling(p->type.scalar),
               python_c_name(p->name));
    else
      bind_put(t, "%s, ", python_c_name(p->name));
  }
  bind_line(t, "%s&error);", f->returns == BIND_RETURN_VALUE ? "&result, " : "");
  bind_line(t, "dlfpy_leave(&call);");
}

/* A Python object of the C function's own value. */
static const char *python_value_object(const bind_function *f) {
  switch (f->result.kind) {
  case BIND_REAL: return "PyFloat_FromDouble((double)result)";
  case BIND_BOOL: return "PyBool_FromLong(result)";
  default:
    return python_is_unsigned(&f->result) ? "PyLong_FromUnsignedLongLong((unsigned long long)result)"
                                          : "PyLong_FromLongLong((long long)result)";
  }
}

/* What the call returns when outputs were given: these, like NumPy. */
static const char *python_given_object(const bind_function *f, const python_params *params) {
  const char *list = "";
  int count = 0;
  for (int i = 0; i < params->count; i++) {
    const bind_param *p = params->list[i];
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || p->optional) continue;
    list = bind_string("%s%sv[%d]", list, count++ ? ", " : "", i);
  }
  if (f->returns == BIND_RETURN_VALUE) return python_value_object(f);
  if (count == 0) return "Py_NewRef(Py_None)";
  return count == 1 ? bind_string("Py_NewRef(%s)", list) : bind_string("PyTuple_Pack(%d, %s)", count, list);
}

/* The condition that all outputs that may be left out are. */
static const char *python_none_given(const python_params *params) {
  const char *text = "";
  for (int i = params->count - params->made; i < params->count; i++)
    text = bind_string("%s%s!dlfpy_is_given(v[%d])", text, *text ? " && " : "", i);
  return text;
}

static void python_put_body(bind_text *t, const bind_function *f, const python_params *params) {
  const int first_made = params->count - params->made;
  for (int i = 0; i < first_made; i++) bind_line(t, "if (%s) goto end;", python_reading(f, params->list[i], i));
  if (params->made) {
    const bind_param *like = bind_first_tensor(f);
    const char *first = like ? bind_string("v[%d]", python_place_of(params, like)) : "NULL";
    bind_open(t, "if (%s) {", python_none_given(params));
    bind_line(t, "if (!dlfpy_enter(&call)) goto end;");
    python_put_call(t, f, params, true);
    if (params->made == 1 && f->returns != BIND_RETURN_VALUE)
      bind_line(t, "answer = status ? dlfpy_raise(status, &error) : dlfpy_give(%s, made[0]);", first);
    else
      bind_line(t, "answer = status ? dlfpy_raise(status, &error) : dlfpy_give_all(%s, %s, made, %d);", first,
                f->returns == BIND_RETURN_VALUE ? python_value_object(f) : "NULL", params->made);
    bind_line(t, "goto end;");
    bind_close(t, "}");
    if (params->made > 1) bind_line(t, "if (!dlfpy_all_given(&signature, v, %d)) goto end;", params->made);
    for (int i = first_made; i < params->count; i++)
      bind_line(t, "if (%s) goto end;", python_reading(f, params->list[i], i));
  }
  bind_line(t, "if (!dlfpy_enter(&call)) goto end;");
  python_put_call(t, f, params, false);
  bind_line(t, "answer = status ? dlfpy_raise(status, &error) : %s;", python_given_object(f, params));
}

static void python_put_thunk(bind_text *t, const bind_function *f) {
  const python_params params = python_order(f);
  const int slots = params.count ? params.count : 1;
  python_put_docstring(t, f, &params);
  bind_line(t, "%s", "");
  bind_open(t, "static PyObject *py_%s(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *words) {",
            f->short_name);
  bind_put(t, "static const char *const names[] = {");
  for (int i = 0; i < params.count; i++) bind_put(t, "\"%s\", ", python_name(params.list[i]->name));
  bind_line(t, "NULL};");
  bind_line(t, "static PyObject *interned[%d];", slots);
  bind_line(t, "static const dlfpy_signature signature = {\"%s\", %d, %d, names, interned};",
            python_name(f->short_name), params.required, params.count);
  bind_line(t, "PyObject *room[%d], *const *v, *answer = NULL;", slots);
  bind_line(t, "dlfpy_arg t[%d];", params.tensors ? params.tensors : 1);
  bind_line(t, "dlfpy_call call = {.function = \"%s\", .args = t};", f->short_name);
  if (params.made) bind_line(t, "DLManagedTensorVersioned *made[%d];", params.made);
  for (int i = 0; i < params.count; i++)
    if (params.tensor[i] < 0) python_put_scalar(t, params.list[i]);
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "%sresult = 0;", f->result.c);
  bind_line(t, "dlf_error error;");
  bind_line(t, "dlf_status status;");
  bind_line(t, "(void)module;");
  bind_line(t, "if (!(v = dlfpy_bind(&signature, given, count, words, room))) return NULL;");
  bind_line(t, "dlfpy_drain();");
  python_put_body(t, f, &params);
  t->depth--;
  bind_line(t, "end:");
  t->depth++;
  bind_line(t, "dlfpy_end(&call);");
  bind_line(t, "return answer;");
  bind_close(t, "}");
  bind_line(t, "%s", "");
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
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) python_put_thunk(&t, f);
  bind_open(&t, "static PyMethodDef dlferry_functions[] = {");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    bind_line(&t, "{\"%s\", (PyCFunction)(void (*)(void))py_%s, METH_FASTCALL | METH_KEYWORDS, doc_%s},",
              python_name(f->short_name), f->short_name, f->short_name);
  bind_line(&t, "{NULL, NULL, 0, NULL}");
  bind_close(&t, "};");
  bind_line(&t, "%%}");
  bind_line(&t, "%s", "");
  bind_line(&t, "%%init %%{");
  bind_line(&t, "  if (!dlfpy_start() || PyModule_AddFunctions(m, dlferry_functions)) return -1;");
  bind_line(&t, "%%}");
  bind_write(out, bind_string("python/%s.i", ir->name), &t);
  bind_text_free(&t);
}

int bind_emit_python(const bind_ir *ir, bind_out *out) {
  python_emit_interface(ir, out);
  python_emit_package(ir, out);
  bind_copy_sources(out, "python/c", ir);
  return 0;
}
