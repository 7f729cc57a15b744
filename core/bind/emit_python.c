/* SPDX-License-Identifier: Apache-2.0 */
/* The Python package: NAME.i, a SWIG interface whose functions are METH_FASTCALL thunks over dlferry_python.h (SWIG's own
 * cost twice as much), NAME/__init__.py with the enums, stubs, and what scikit-build-core needs.
 *
 * A Python signature has its required parameters first, then those with a default, then the outputs that may be left
 * out; the C order is kept within each of these. */
#include "emit.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char keywords[] = "False None True and as assert async await break class continue def del elif else "
                               "except finally for from global if "
                               "import in is lambda nonlocal not or pass raise return try while with yield";

/* What a thunk calls its own. */
static const char thunk_words[] = "auto char const default do double enum extern float goto int long register short "
                                  "signed sizeof static struct switch typedef union unsigned void volatile inline "
                                  "restrict bool module given count words names interned signature v t call made error "
                                  "status answer result";

static const char *python_name(const char *name) { return bind_escape(name, keywords); }
static const char *c_name(const char *name) { return bind_escape(name, thunk_words); }

/* 0 required, 1 has a default, 2 an output that may be left out. */
static int rank_of(const bind_param *p) {
  if (p->made) return 2;
  return p->optional || p->def.kind != BIND_NO_DEFAULT;
}

/* A function's parameters as Python sees them. */
typedef struct python_params {
  const bind_param **list;
  int *tensor; /* index among the thunk's tensors, those made last; -1 for others */
  int count, required, tensors, made;
} python_params;

static python_params order(const bind_function *f) {
  python_params params = {bind_alloc((size_t)f->param_count + 1, sizeof *params.list),
                          bind_alloc((size_t)f->param_count + 1, sizeof *params.tensor),
                          0,
                          0,
                          0,
                          0};
  for (int rank = 0; rank < 3; rank++) {
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      if (rank_of(p) != rank) continue;
      params.tensor[params.count] = p->type.kind == BIND_TENSOR ? params.tensors++ : -1;
      params.list[params.count++] = p;
      params.required += rank == 0;
      params.made += rank == 2;
    }
  }
  return params;
}

static int place_of(const python_params *params, const bind_param *p) {
  int i = 0;
  while (params->list[i] != p) i++;
  return i;
}

static const char *python_default(const bind_param *p) {
  switch (p->def.kind) {
  case BIND_DEFAULT_NUMBER: return p->def.text;
  case BIND_DEFAULT_BOOL: return p->def.truth ? "True" : "False";
  case BIND_DEFAULT_STRING: return bind_string("'%s'", p->def.text);
  case BIND_DEFAULT_ENUMERATOR:
    return bind_string("%s.%s", bind_pascal(p->type.enumeration->short_name), python_name(p->def.enumerator->label));
  default: return p->made || p->optional ? "None" : NULL;
  }
}

/* ---- Docstrings ---- */

/* "%}" would end the block of SWIG's that holds the text. */
static void put_doc_line(bind_text *t, const char *line) {
  bind_put(t, "\"");
  for (const char *at = bind_doc_escape(BIND_DOC_STRING, line); *at; at++)
    if (at[0] == '%' && at[1] == '}')
      bind_put(t, "%%\\175"), at++;
    else
      bind_put(t, "%c", *at);
  bind_line(t, "\\n\"");
}

static void put_doc_lines(bind_text *t, const char *doc) {
  while (*doc) {
    const size_t size = strcspn(doc, "\n");
    put_doc_line(t, bind_string("%.*s", (int)size, doc));
    doc += size + (doc[size] == '\n');
  }
}

/* "image: T[h, w]; values of any range", whatever there is of it. */
static const char *about(const bind_param *p) {
  const char *parts[] = {p->contract, p->limits, p->doc,
                         p->made       ? "made when left out"
                         : p->optional ? "may be None"
                                       : ""};
  const char *text = "";
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (*parts[i]) text = *text ? bind_string("%s; %s", text, parts[i]) : parts[i];
  return text;
}

static void put_docstring(bind_text *t, const bind_function *f, const python_params *params) {
  const char *signature = "";
  for (int i = 0; i < params->count; i++) {
    const char *value = python_default(params->list[i]);
    signature = bind_string("%s%s%s%s%s", signature, i ? ", " : "", python_name(params->list[i]->name),
                            value ? "=" : "", value ? value : "");
  }
  bind_line(t, "static const char doc_%s[] =", f->short_name);
  t->depth++;
  put_doc_line(t, bind_string("%s(%s)", python_name(f->short_name), signature));
  put_doc_line(t, "--");
  put_doc_line(t, "");
  put_doc_line(t, f->summary);
  if (*f->description) put_doc_line(t, "");
  put_doc_lines(t, f->description);
  if (params->count) put_doc_line(t, "");
  for (int i = 0; i < params->count; i++) {
    const bind_param *p = params->list[i];
    const char *text = about(p);
    put_doc_line(t, bind_string("%s%s%s", python_name(p->name), *text ? ": " : "", text));
  }
  if (params->made) {
    put_doc_line(t, "");
    put_doc_line(t, "What is made is an array of the first argument's framework.");
  }
  if (*f->returns_doc) put_doc_line(t, bind_string("Returns %s", f->returns_doc));
  put_doc_line(t, "");
  if (*f->contract) put_doc_line(t, bind_string("Contract: %s", f->contract));
  if (*f->contract) put_doc_line(t, "");
  bind_line(t, "\"C: %s\";", f->name);
  t->depth--;
}

/* ---- Thunks ---- */

static bool is_unsigned(const bind_type *type) { return type->scalar >= BIND_U8 && type->scalar <= BIND_U64; }

/* The type in which a scalar is read. */
static const char *wide_type(const bind_type *type) {
  if (type->kind == BIND_REAL) return "double ";
  if (type->kind == BIND_BOOL) return "bool ";
  if (type->kind == BIND_STRING) return "const char *";
  return is_unsigned(type) ? "uint64_t " : "int64_t ";
}

static void put_scalar(bind_text *t, const bind_param *p) {
  const char *value = "0";
  if (p->def.kind == BIND_DEFAULT_NUMBER) value = p->def.text;
  if (p->def.kind == BIND_DEFAULT_BOOL) value = p->def.truth ? "true" : "false";
  if (p->def.kind == BIND_DEFAULT_STRING) value = bind_string("\"%s\"", p->def.text);
  if (p->def.kind == BIND_DEFAULT_ENUMERATOR) value = p->def.enumerator->name;
  bind_line(t, "%s%s = %s;", wide_type(&p->type), c_name(p->name), value);
}

static const char *limits_of(bind_scalar scalar) {
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
static const char *reading(const bind_function *f, const bind_param *p, int i) {
  const char *name = bind_string("\"%s: %s\"", f->short_name, p->name);
  const char *guard = p->def.kind == BIND_NO_DEFAULT ? "" : bind_string("v[%d] && ", i);
  if (p->type.kind == BIND_TENSOR)
    return bind_string("!dlfpy_tensor%s(&call, %s, v[%d], %s)", p->optional ? "_or_none" : "", name, i,
                       p->direction == BIND_IN ? "false" : "true");
  const char *kind = p->type.kind == BIND_REAL     ? "real"
                     : p->type.kind == BIND_BOOL   ? "bool"
                     : p->type.kind == BIND_STRING ? "string"
                     : is_unsigned(&p->type)       ? "unsigned"
                                                   : "integer";
  return bind_string("%s!dlfpy_%s(%s, v[%d], %s&%s)", guard, kind, name, i, limits_of(p->type.scalar), c_name(p->name));
}

static const char *spelling(bind_scalar scalar) {
  static const char *const names[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                      "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  return names[scalar];
}

static void put_call(bind_text *t, const bind_function *f, const python_params *params, bool make) {
  bind_put(t, "status = %s(", make ? f->new_name : f->checked_name);
  for (int i = 0, n = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (make && p->made)
      bind_put(t, "&made[%d], ", n++);
    else if (p->type.kind == BIND_TENSOR)
      bind_put(t, "t[%d].c, ", params->tensor[place_of(params, p)]);
    else if (p->type.kind == BIND_ENUM || p->type.kind == BIND_INTEGER || p->type.scalar == BIND_F32)
      bind_put(t, "(%s)%s, ", p->type.kind == BIND_ENUM ? p->type.enumeration->c : spelling(p->type.scalar),
               c_name(p->name));
    else
      bind_put(t, "%s, ", c_name(p->name));
  }
  bind_line(t, "%s&error);", f->returns == BIND_RETURN_VALUE ? "&result, " : "");
  bind_line(t, "dlfpy_leave(&call);");
}

/* A Python object of the C function's own value. */
static const char *value_object(const bind_function *f) {
  switch (f->result.kind) {
  case BIND_REAL: return "PyFloat_FromDouble((double)result)";
  case BIND_BOOL: return "PyBool_FromLong(result)";
  default:
    return is_unsigned(&f->result) ? "PyLong_FromUnsignedLongLong((unsigned long long)result)"
                                   : "PyLong_FromLongLong((long long)result)";
  }
}

/* What the call returns when outputs were given: these, like NumPy. */
static const char *given_object(const bind_function *f, const python_params *params) {
  const char *list = "";
  int count = 0;
  for (int i = 0; i < params->count; i++) {
    const bind_param *p = params->list[i];
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || p->optional) continue;
    list = bind_string("%s%sv[%d]", list, count++ ? ", " : "", i);
  }
  if (f->returns == BIND_RETURN_VALUE) return value_object(f);
  if (count == 0) return "Py_NewRef(Py_None)";
  return count == 1 ? bind_string("Py_NewRef(%s)", list) : bind_string("PyTuple_Pack(%d, %s)", count, list);
}

/* The condition that all outputs that may be left out are. */
static const char *none_given(const python_params *params) {
  const char *text = "";
  for (int i = params->count - params->made; i < params->count; i++)
    text = bind_string("%s%s!dlfpy_is_given(v[%d])", text, *text ? " && " : "", i);
  return text;
}

static void put_body(bind_text *t, const bind_function *f, const python_params *params) {
  const int first_made = params->count - params->made;
  for (int i = 0; i < first_made; i++) bind_line(t, "if (%s) goto end;", reading(f, params->list[i], i));
  if (params->made) {
    const bind_param *like = bind_first_tensor(f);
    const char *first = like ? bind_string("v[%d]", place_of(params, like)) : "NULL";
    bind_open(t, "if (%s) {", none_given(params));
    bind_line(t, "if (!dlfpy_enter(&call)) goto end;");
    put_call(t, f, params, true);
    if (params->made == 1 && f->returns != BIND_RETURN_VALUE)
      bind_line(t, "answer = status ? dlfpy_raise(status, &error) : dlfpy_give(%s, made[0]);", first);
    else
      bind_line(t, "answer = status ? dlfpy_raise(status, &error) : dlfpy_give_all(%s, %s, made, %d);", first,
                f->returns == BIND_RETURN_VALUE ? value_object(f) : "NULL", params->made);
    bind_line(t, "goto end;");
    bind_close(t, "}");
    if (params->made > 1) bind_line(t, "if (!dlfpy_all_given(&signature, v, %d)) goto end;", params->made);
    for (int i = first_made; i < params->count; i++) bind_line(t, "if (%s) goto end;", reading(f, params->list[i], i));
  }
  bind_line(t, "if (!dlfpy_enter(&call)) goto end;");
  put_call(t, f, params, false);
  bind_line(t, "answer = status ? dlfpy_raise(status, &error) : %s;", given_object(f, params));
}

static void put_thunk(bind_text *t, const bind_function *f) {
  const python_params params = order(f);
  const int slots = params.count ? params.count : 1;
  put_docstring(t, f, &params);
  bind_line(t, "%s", "");
  bind_open(t, "static PyObject *py_%s(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *words) {",
            f->short_name);
  bind_put(t, "static const char *const names[] = {");
  for (int i = 0; i < params.count; i++) bind_put(t, "\"%s\", ", python_name(params.list[i]->name));
  bind_line(t, "NULL};");
  bind_line(t, "static PyObject *interned[%d];", slots);
  bind_line(t, "static const dlfpy_signature signature = {\"%s\", %d, %d, names, interned};",
            python_name(f->short_name), params.required, params.count);
  bind_line(t, "PyObject *v[%d], *answer = NULL;", slots);
  bind_line(t, "dlfpy_arg t[%d];", params.tensors ? params.tensors : 1);
  bind_line(t, "dlfpy_call call = {\"%s\", t, 0, NULL};", f->short_name);
  if (params.made) bind_line(t, "DLManagedTensorVersioned *made[%d];", params.made);
  for (int i = 0; i < params.count; i++)
    if (params.tensor[i] < 0) put_scalar(t, params.list[i]);
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "%sresult = 0;", f->result.c);
  bind_line(t, "dlf_error error;");
  bind_line(t, "dlf_status status;");
  bind_line(t, "(void)module;");
  bind_line(t, "if (!dlfpy_bind(&signature, given, count, words, v)) return NULL;");
  bind_line(t, "dlfpy_drain();");
  put_body(t, f, &params);
  t->depth--;
  bind_line(t, "end:");
  t->depth++;
  bind_line(t, "dlfpy_end(&call);");
  bind_line(t, "return answer;");
  bind_close(t, "}");
  bind_line(t, "%s", "");
}

static void emit_interface(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  bind_first_line(&t, ir, "/*", " */", "python");
  bind_line(&t, "%%module(package=\"%s\") %s", ir->name, ir->name);
  bind_line(&t, "%%{");
  bind_line(&t, "#include \"%s\"", ir->checked_h.name);
  bind_line(&t, "#include <dlferry_python.h>");
  bind_line(&t, "%%}");
  bind_line(&t, "%s", "");
  bind_line(&t, "%%wrapper %%{");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) put_thunk(&t, f);
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

/* ---- Python files ---- */

static void put_enum(bind_text *t, const bind_enum *e) {
  bind_open(t, "class %s(%s):", bind_pascal(e->short_name), e->flags ? "IntFlag" : "IntEnum");
  bind_line(t, "\"\"\"%s\"\"\"", bind_doc_escape(BIND_DOC_PYTHON, *e->summary ? e->summary : e->name));
  bind_line(t, "%s", "");
  for (int i = 0; i < e->count; i++) {
    const bind_enumerator *v = &e->values[i];
    if (*v->doc) bind_put_doc_line(t, BIND_DOC_LINE, "# ", "%s", v->doc);
    bind_line(t, "%s = %lld", python_name(v->label), (long long)v->value);
  }
  t->depth--;
}

/* Formatters want two blank lines before a class, one in stubs. */
static void put_enums(bind_text *t, const bind_ir *ir, int blank) {
  for (int i = 0; i < ir->enum_count; i++) {
    if (!bind_enum_is_used(ir, &ir->enums[i])) continue;
    for (int k = 0; k < blank; k++) bind_line(t, "%s", "");
    put_enum(t, &ir->enums[i]);
  }
}

static int by_text(const void *a, const void *b) { return strcmp(*(const char *const *)a, *(const char *const *)b); }

/* The functions' names in the order in which linters want imports; NULL at the end. */
static const char **sorted_names(const bind_ir *ir) {
  const char **names = bind_alloc((size_t)ir->function_count + 1, sizeof *names);
  size_t count = 0;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) names[count++] = python_name(f->short_name);
  qsort(names, count, sizeof *names, by_text);
  return names;
}

static bool uses(const bind_ir *ir, bool flags) {
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i]) && ir->enums[i].flags == flags) return true;
  return false;
}

static void put_enum_import(bind_text *t, const bind_ir *ir) {
  if (!uses(ir, false) && !uses(ir, true)) return;
  bind_line(t, "from enum import %s%s%s", uses(ir, false) ? "IntEnum" : "",
            uses(ir, false) && uses(ir, true) ? ", " : "", uses(ir, true) ? "IntFlag" : "");
}

static void emit_init(const bind_ir *ir, bind_out *out) {
  bind_text t = {.unit = "    "};
  const char **names = sorted_names(ir);
  bind_first_line(&t, ir, "#", "", "python");
  bind_line(&t, "\"\"\"%s\"\"\"", bind_doc_escape(BIND_DOC_PYTHON, *ir->summary ? ir->summary : ir->name));
  bind_line(&t, "%s", "");
  put_enum_import(&t, ir);
  if (uses(ir, false) || uses(ir, true)) bind_line(&t, "%s", "");
  bind_open(&t, "from ._%s import (", ir->name);
  for (int i = 0; names[i]; i++) bind_line(&t, "%s,", names[i]);
  bind_close(&t, ")");
  put_enums(&t, ir, 2);
  bind_line(&t, "%s", "");
  bind_line(&t, "%s", "");
  bind_open(&t, "__all__ = [");
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) bind_line(&t, "\"%s\",", bind_pascal(ir->enums[i].short_name));
  for (int i = 0; names[i]; i++) bind_line(&t, "\"%s\",", names[i]);
  bind_close(&t, "]");
  bind_line(&t, "%s", "");
  bind_line(&t, "# Where help and inspect look up what the signatures name.");
  bind_open(&t, "for _name in __all__:");
  bind_line(&t, "globals()[_name].__module__ = __name__");
  bind_write(out, bind_string("python/%s/__init__.py", ir->name), &t);
  bind_text_free(&t);
}

static const char *hint(const bind_type *type) {
  switch (type->kind) {
  case BIND_REAL: return "float";
  case BIND_BOOL: return "bool";
  case BIND_STRING: return "str";
  case BIND_ENUM: return bind_pascal(type->enumeration->short_name);
  default: return "int";
  }
}

static int result_count(const bind_function *f) {
  const int made = bind_count_made(f);
  return made + (f->returns == BIND_RETURN_VALUE);
}

static void put_stub(bind_text *t, const bind_function *f) {
  const python_params params = order(f);
  const bind_param *like = bind_first_tensor(f);
  bind_put(t, "def %s(", python_name(f->short_name));
  for (int i = 0; i < params.count; i++) {
    const bind_param *p = params.list[i];
    const char *value = python_default(p);
    const char *type = p->type.kind != BIND_TENSOR ? hint(&p->type) : p == like || p->made ? "_Array" : "object";
    bind_put(t, "%s%s: %s%s%s%s", i ? ", " : "", python_name(p->name), type,
             p->type.kind == BIND_TENSOR && value ? " | None" : "", value ? " = " : "", value ? value : "");
  }
  const char *one = params.made ? "_Array" : "None";
  if (f->returns == BIND_RETURN_VALUE && !params.made) one = hint(&f->result);
  if (result_count(f) > 1) one = "tuple[Any, ...]";
  bind_line(t, ") -> %s: ...", one);
}

static void emit_stubs(const bind_ir *ir, bind_out *out) {
  bind_text t = {.unit = "    "}, marker = {0};
  bool several = false;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) several = several || result_count(f) > 1;
  bind_first_line(&t, ir, "#", "", "python");
  put_enum_import(&t, ir);
  bind_line(&t, "from typing import %sTypeVar", several ? "Any, " : "");
  bind_line(&t, "%s", "");
  bind_line(&t, "# An array of any framework: results are of the first argument's.");
  bind_line(&t, "_Array = TypeVar(\"_Array\")");
  put_enums(&t, ir, 1);
  bind_line(&t, "%s", "");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) put_stub(&t, f);
  bind_write(out, bind_string("python/%s/__init__.pyi", ir->name), &t);
  bind_write(out, bind_string("python/%s/py.typed", ir->name), &marker);
  bind_text_free(&t);
}

static void emit_project(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  bind_first_line(&t, ir, "#", "", "python");
  bind_line(&t, "[build-system]");
  bind_line(&t, "requires = [\"scikit-build-core>=1.1\", \"swig>=4.4\", \"dlferry>=%s\"]", ir->version);
  bind_line(&t, "build-backend = \"scikit_build_core.build\"");
  bind_line(&t, "%s", "");
  bind_line(&t, "[project]");
  bind_line(&t, "name = \"%s\"", ir->name);
  bind_line(&t, "version = \"0.1.0\"");
  bind_line(&t, "description = \"%s\"", bind_doc_escape(BIND_DOC_STRING, *ir->summary ? ir->summary : ir->name));
  bind_line(&t, "requires-python = \">=3.10\"");
  bind_line(&t, "dependencies = [\"dlferry>=%s\"]", ir->version);
  bind_line(&t, "%s", "");
  bind_line(&t, "[tool.scikit-build]");
  bind_line(&t, "minimum-version = \"1.1\"");
  bind_line(&t, "wheel.packages = [\"%s\"]", ir->name);
  bind_write(out, "python/pyproject.toml", &t);
  bind_text_free(&t);

  bind_text c = {0};
  bind_first_line(&c, ir, "#", "", "python");
  bind_line(&c, "cmake_minimum_required(VERSION 3.25)");
  bind_line(&c, "project(%s LANGUAGES C)", ir->name);
  bind_line(&c, "find_package(Python REQUIRED COMPONENTS Interpreter Development.Module)");
  bind_line(&c, "execute_process(COMMAND ${Python_EXECUTABLE} -c \"import dlferry; print(dlferry.get_cmake_dir())\"");
  bind_line(&c, "  OUTPUT_VARIABLE dlferry_cmake OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)");
  bind_line(&c, "include(${dlferry_cmake}/DlferryPython.cmake)");
  bind_put(&c, "dlferry_python_module(%s MADE_BY %s INTERFACE %s.i SOURCES c/%s", ir->name, ir->version, ir->name,
           ir->checked_c.name);
  for (int i = 0; i < ir->source_count; i++) bind_put(&c, " c/%s", ir->sources[i].name);
  bind_line(&c, ")");
  bind_write(out, "python/CMakeLists.txt", &c);
  bind_text_free(&c);
}

int bind_emit_python(const bind_ir *ir, bind_out *out) {
  emit_interface(ir, out);
  emit_init(ir, out);
  emit_stubs(ir, out);
  emit_project(ir, out);
  bind_copy_sources(out, "python/c", ir);
  return 0;
}
