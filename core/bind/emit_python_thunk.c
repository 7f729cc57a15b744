/* SPDX-License-Identifier: Apache-2.0 */
/* One METH_FASTCALL thunk a function: sort the arguments, describe each to C, call the twin, wrap its results.
 *
 *   if (!(v = dlfpy_bind(&signature, given, count, words, room))) return NULL;
 *   if (v[1] && !dlfpy_real("blur: sigma", v[1], &sigma)) goto end;
 *   if (!dlfpy_tensor(&call, &t[0], "blur: image", v[0], false)) goto end;
 *   if (!dlfpy_enter(&call, &t[2])) goto end;
 *   status = photo_blur_checked(t[0].c, sigma, t[1].c, &error);
 *   dlfpy_leave(&call);
 *   answer = status ? dlfpy_raise(status, &error) : Py_NewRef(v[2]); */
#include "emit_fill.h"
#include "emit_python.h"
#include <string.h>

/* What a thunk calls its own. */
static const char python_thunk_words[] = "module given count words room names interned signature v t l a h g call made "
                                         "error status answer result stream roles";

static const char *python_c_name(const char *name) { return bind_escape(name, python_thunk_words); }

static bool python_is_unsigned(const bind_type *type) { return type->scalar >= BIND_U8 && type->scalar <= BIND_U64; }

static const char *python_scalar_word(bind_scalar scalar) {
  static const char *const words[] = {"", "I8", "I16", "I32", "I64", "U8", "U16", "U32", "U64", "F32", "F64"};
  return words[scalar];
}

static bool python_is_scalar(const bind_param *p) {
  return p->type.kind != BIND_TENSOR && p->type.kind != BIND_LIST && p->type.kind != BIND_ARRAY &&
         p->type.kind != BIND_HANDLE && p->type.kind != BIND_GIVEN && p->type.kind != BIND_STREAM;
}

/* ---- Locals ---- */

/* A scalar is read in the widest type of its kind. */
static void python_put_scalar(bind_text *t, const bind_param *p) {
  const bind_type *type = &p->type;
  const char *wide = python_is_unsigned(type) ? "uint64_t " : "int64_t ", *value = "0";
  if (type->kind == BIND_REAL) wide = "double ";
  if (type->kind == BIND_BOOL) wide = "bool ", value = "false";
  if (type->kind == BIND_STRING) wide = "const char *";
  if (p->def.kind == BIND_DEFAULT_NUMBER) value = p->def.text;
  if (p->def.kind == BIND_DEFAULT_BOOL) value = p->def.truth ? "true" : "false";
  if (p->def.kind == BIND_DEFAULT_STRING)
    value = bind_string("\"%s\"", bind_doc_escape(BIND_DOC_C_STRING, p->def.text));
  if (p->def.kind == BIND_DEFAULT_ENUMERATOR) value = p->def.enumerator->name;
  bind_line(t, "%s%s = %s;", wide, python_c_name(p->name), value);
}

static int python_count_given(const bind_function *f) {
  int count = 0;
  for (int i = 0; i < f->param_count; i++) count += f->params[i].type.kind == BIND_GIVEN;
  return count;
}

/* What a stream has to do with each tensor. */
static void python_put_roles(bind_text *t, const bind_function *f, const python_params *params) {
  bind_put(t, "static const dlfpy_role roles[] = {");
  for (int i = 0; i < params->count; i++)
    if (params->list[i]->type.kind == BIND_TENSOR)
      bind_put(t, "{\"%s: %s\", %s}, ", f->short_name, params->list[i]->name,
               params->list[i]->direction == BIND_IN ? "false" : "true");
  bind_line(t, "{NULL, false}};");
  bind_line(t, "dlf_stream stream;");
}

static void python_put_locals(bind_text *t, const bind_function *f, const python_params *params) {
  bind_line(t, "dlfpy_arg t[%d];", params->tensors ? params->tensors : 1);
  if (params->lists) bind_line(t, "dlfpy_tensors l[%d];", params->lists);
  if (params->arrays) bind_line(t, "dlfpy_numbers a[%d];", params->arrays);
  if (params->objects) bind_line(t, "dlfpy_user h[%d] = {{NULL, NULL}};", params->objects);
  bind_line(t, "dlfpy_call call = {.function = \"%s\", .args = t, .end = t};", f->short_name);
  if (params->made) bind_line(t, "DLManagedTensorVersioned *made[%d] = {NULL};", params->made);
  if (python_count_given(f)) bind_line(t, "DLManagedTensorVersioned *g[%d] = {NULL};", python_count_given(f));
  for (int i = 0; i < params->count; i++)
    if (python_is_scalar(params->list[i])) python_put_scalar(t, params->list[i]);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->returned && p->type.kind != BIND_GIVEN) bind_line(t, "%s%s = 0;", p->type.c, python_c_name(p->name));
  }
  if (bind_has_kind(f, BIND_STREAM)) python_put_roles(t, f, params);
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "%sresult = 0;", f->result.c);
  bind_line(t, "dlf_error error;");
  bind_line(t, "dlf_status status;");
}

/* ---- Arguments ---- */

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
static const char *python_reading(const bind_function *f, const python_params *params, int i) {
  const bind_param *p = params->list[i];
  const char *name = bind_string("\"%s: %s\"", f->short_name, p->name);
  const char *value = i < params->self ? "module" : bind_string("v[%d]", i - params->self);
  const int slot = params->slot[i];
  switch (p->type.kind) {
  case BIND_TENSOR:
    return bind_string("!dlfpy_tensor%s(&call, &t[%d], %s, %s, %s)", p->optional ? "_or_none" : "", slot, name, value,
                       p->direction == BIND_IN ? "false" : "true");
  case BIND_LIST: return bind_string("!dlfpy_list(&call, %s, %s, &l[%d])", name, value, slot);
  case BIND_ARRAY:
    return bind_string("!dlfpy_array(&call, %s, %s, DLFPY_%s, &a[%d])", name, value, python_scalar_word(p->type.scalar),
                       slot);
  case BIND_HANDLE:
    return bind_string("!dlfpy_use(%s, %s, &type_%s, &h[%d])", name, value, p->type.handle->short_name, slot);
  default: break;
  }
  const char *guard = p->def.kind == BIND_NO_DEFAULT ? "" : bind_string("%s && ", value);
  const char *kind = p->type.kind == BIND_REAL      ? "real"
                     : p->type.kind == BIND_BOOL    ? "bool"
                     : p->type.kind == BIND_STRING  ? "string"
                     : python_is_unsigned(&p->type) ? "unsigned"
                                                    : "integer";
  const char *call = bind_string("!dlfpy_%s(%s, %s, %s&%s)", kind, name, value, python_limits_of(p->type.scalar),
                                 python_c_name(p->name));
  if (p->type.kind != BIND_ENUM) return bind_string("%s%s", guard, call);
  return bind_string("%s(!dlfpy_enumerator(%s, \"%s\", %s) || %s)", guard, name, python_enum_name(p->type.enumeration),
                     value, call);
}

/* What C gets for one parameter, with the comma. */
static const char *python_passing(const python_params *params, const bind_param *p, const char *output) {
  const char *name = python_c_name(p->name);
  if (output) return output;
  if (p->returned) return bind_string("&%s, ", name);
  if (p->type.kind == BIND_STREAM) return "stream, ";
  const int slot = params->slot[python_place_of(params, p)];
  switch (p->type.kind) {
  case BIND_TENSOR: return bind_string("t[%d].c, ", slot);
  case BIND_LIST: return bind_string("l[%d].items, (int64_t)l[%d].count, ", slot, slot);
  case BIND_ARRAY: return bind_string("a[%d].data, (int64_t)a[%d].count, ", slot, slot);
  case BIND_HANDLE: return bind_string("h[%d].pointer, ", slot);
  case BIND_ENUM: return bind_string("(%s)%s, ", p->type.enumeration->c, name);
  default:
    if (p->type.kind == BIND_INTEGER || p->type.scalar == BIND_F32)
      return bind_string("(%s)%s, ", bind_scalar_c(p->type.scalar), name);
    return bind_string("%s, ", name);
  }
}

static void python_put_call(bind_text *t, const bind_function *f, const python_params *params, bool make) {
  const int tensors = params->tensors - (make ? params->made : 0);
  if (bind_has_kind(f, BIND_STREAM))
    bind_line(t, "if (!dlfpy_stream(&call, &t[%d], roles, &stream)) goto end;", tensors);
  bind_line(t, "if (!dlfpy_enter(&call, &t[%d])) goto end;", tensors);
  bind_put(t, "status = %s(", make ? f->new_name : f->checked_name);
  for (int i = 0, n = 0, g = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *output = make && p->made              ? bind_string("&made[%d], ", n++)
                         : p->type.kind == BIND_GIVEN ? bind_string("&g[%d], ", g++)
                                                      : NULL;
    bind_put(t, "%s", python_passing(params, p, output));
  }
  bind_line(t, "%s&error);", f->returns == BIND_RETURN_VALUE ? "&result, " : "");
  bind_line(t, "dlfpy_leave(&call);");
}

/* ---- Results ---- */

static const char *python_value_object(const bind_ir *ir, const bind_type *type, const char *name) {
  switch (type->kind) {
  case BIND_REAL: return bind_string("PyFloat_FromDouble((double)%s)", name);
  case BIND_BOOL: return bind_string("PyBool_FromLong(%s)", name);
  case BIND_STRING: return bind_string("dlfpy_text(%s)", name);
  case BIND_HANDLE:
    return bind_string("dlfpy_handle(&type_%s, free_%s, %s)", type->handle->short_name, type->handle->short_name, name);
  case BIND_ENUM:
    return bind_string("dlfpy_enum(\"%s\", \"%s\", &enum_%s, (long long)%s)", ir->name,
                       python_enum_name(type->enumeration), type->enumeration->short_name, name);
  default:
    return python_is_unsigned(type) ? bind_string("PyLong_FromUnsignedLongLong((unsigned long long)%s)", name)
                                    : bind_string("PyLong_FromLongLong((long long)%s)", name);
  }
}

/* The argument whose framework results come in. */
static const char *python_like(const bind_function *f, const python_params *params) {
  const bind_param *like = bind_first_tensor(f);
  if (!like) return "NULL";
  const int place = python_place_of(params, like);
  return like->type.kind == BIND_LIST ? bind_string("dlfpy_first_of(&l[%d])", params->slot[place])
                                      : bind_string("v[%d]", place - params->self);
}

/* Outputs that f_new cannot make are what a call without other results returns, like NumPy's. */
static const char *python_given_output(const python_params *params, int *count) {
  const char *list = "";
  for (int i = 0; i < params->count; i++) {
    const bind_param *p = params->list[i];
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || p->optional || p->made) continue;
    list = bind_string("%sPy_NewRef(v[%d]), ", list, i - params->self);
    (*count)++;
  }
  return list;
}

static void python_put_answer(bind_text *t, const bind_ir *ir, const bind_function *f, const python_params *params,
                              bool make) {
  const char *list = "", *like = python_like(f, params);
  const bind_param *p;
  const bind_type *type;
  int count = 0, made = 0, given = 0;
  for (int at = 0; python_next_result(f, &at, &p, &type); count++) {
    const char *one;
    if (p && p->made && make)
      one = bind_string("dlfpy_give(%s, made[%d])", like, made++);
    else if (p && p->made)
      one = bind_string("Py_NewRef(v[%d])", python_place_of(params, p) - params->self);
    else if (p && p->type.kind == BIND_GIVEN)
      one = bind_string("dlfpy_give(%s, g[%d])", like, given++);
    else
      one = python_value_object(ir, type, p ? python_c_name(p->name) : "result");
    list = bind_string("%s%s, ", list, one);
  }
  if (count == 0) list = python_given_output(params, &count);
  if (count == 0) list = "Py_NewRef(Py_None), ";
  if (count <= 1) {
    bind_line(t, "answer = status ? dlfpy_raise(status, &error) : %.*s;", (int)strlen(list) - 2, list);
    return;
  }
  bind_open(t, "if (!status) {");
  bind_line(t, "PyObject *results[] = {%.*s};", (int)strlen(list) - 2, list);
  bind_line(t, "answer = dlfpy_tuple(results, %d);", count);
  t->depth--;
  bind_open(t, "} else {");
  bind_line(t, "answer = dlfpy_raise(status, &error);");
  bind_close(t, "}");
}

/* ---- The thunk ---- */

/* The condition that all outputs that may be left out are. */
static const char *python_none_given(const python_params *params) {
  const char *text = "";
  for (int i = params->count - params->made; i < params->count; i++)
    text = bind_string("%s%s!dlfpy_is_given(v[%d])", text, *text ? " && " : "", i - params->self);
  return text;
}

/* Reading a number or a list may run Python code, which may do anything to a tensor that is borrowed by then. */
static int python_turn_of(const bind_param *p) {
  return p->type.kind == BIND_TENSOR ? 2 : p->type.kind == BIND_LIST ? 1 : 0;
}

static void python_put_body(bind_text *t, const bind_ir *ir, const bind_function *f, const python_params *params) {
  const int first_made = params->count - params->made;
  for (int turn = 0; turn < 3; turn++)
    for (int i = 0; i < first_made; i++)
      if (python_turn_of(params->list[i]) == turn) bind_line(t, "if (%s) goto end;", python_reading(f, params, i));
  if (params->made) {
    bind_open(t, "if (%s) {", python_none_given(params));
    python_put_call(t, f, params, true);
    python_put_answer(t, ir, f, params, true);
    bind_line(t, "goto end;");
    bind_close(t, "}");
    if (params->made > 1) bind_line(t, "if (!dlfpy_all_given(&signature, v, %d)) goto end;", params->made);
    for (int i = first_made; i < params->count; i++) bind_line(t, "if (%s) goto end;", python_reading(f, params, i));
  }
  python_put_call(t, f, params, false);
  python_put_answer(t, ir, f, params, false);
}

void python_put_thunk(bind_text *t, const bind_ir *ir, const bind_function *f) {
  const python_params params = python_order(f);
  const int self = params.self, words = params.count - self, slots = words ? words : 1;
  bind_open(t, "static PyObject *py_%s(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *words) {",
            f->short_name);
  bind_put(t, "static const char *const names[] = {");
  for (int i = self; i < params.count; i++) bind_put(t, "\"%s\", ", python_name(params.list[i]->name));
  bind_line(t, "NULL};");
  bind_line(t, "static PyObject *interned[%d];", slots);
  const bool constructs = f->creates && python_constructor(ir, f->creates) == f;
  bind_line(t, "static const dlfpy_signature signature = {\"%s\", %d, %d, names, interned};",
            constructs ? python_class_name(f->creates) : python_function_name(f), params.required - self, words);
  bind_line(t, "PyObject *room[%d], *const *v, *answer = NULL;", slots);
  python_put_locals(t, f, &params);
  bind_line(t, "(void)module;");
  bind_line(t, "if (!(v = dlfpy_bind(&signature, given, count, words, room))) return NULL;");
  bind_line(t, "dlfpy_drain();");
  python_put_body(t, ir, f, &params);
  t->depth--;
  bind_line(t, "end:");
  t->depth++;
  bind_line(t, "dlfpy_end(&call);");
  for (int i = 0; i < params.objects; i++) bind_line(t, "dlfpy_done(&h[%d]);", i);
  bind_line(t, "return answer;");
  bind_close(t, "}");
  bind_line(t, "%s", "");
}
