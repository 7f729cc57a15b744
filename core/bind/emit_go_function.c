/* SPDX-License-Identifier: Apache-2.0 */
/* One function or method of the Go package: prepare the arguments, call the shim, take the results. */
#include "emit_go.h"

static bool go_is_passed(const go_call *call, const bind_param *p) { return bind_is_passed(p, call->make); }

static bool go_is_result(const go_call *call, const bind_param *p) { return p->returned || (call->make && p->made); }

/* ---- signature ---- */

static void go_put_type_parameters(bind_text *t, const go_call *call) {
  const char *between = "[";
  for (int i = 0; i < call->f->param_count; i++) {
    const bind_param *p = &call->f->params[i];
    if (!go_type_parameter(call, p)) continue;
    bind_put(t, "%s%s %s", between, go_type_parameter(call, p), go_constraint(p));
    between = ", ";
  }
  bind_put(t, "%s", *between == ',' ? "]" : "");
}

static void go_put_parameters(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  const char *between = "";
  bool options = false;
  for (int i = f->method_of ? 1 : 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *generic = go_type_parameter(call, p);
    if (!go_is_passed(call, p) || (go_is_option(p) && options)) continue;
    bind_put(t, "%s", between);
    between = ", ";
    if (go_is_option(p))
      bind_put(t, "options %s", go_options_name(f));
    else
      bind_put(t, "%s %s", go_local(p->name), generic ? bind_string("[]%s", generic) : go_type(&p->type));
    options |= go_is_option(p);
  }
}

static const char *go_result_type(const bind_param *p) { return p->made ? "*dlferry.Tensor" : go_type(&p->type); }

static void go_put_signature(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  bind_put(t, "func ");
  if (f->method_of) bind_put(t, "(%s *%s) ", go_local(f->params[0].name), bind_pascal(f->method_of->short_name));
  bind_put(t, "%s", go_function_name(call));
  go_put_type_parameters(t, call);
  bind_put(t, "(");
  go_put_parameters(t, call);
  const bool several = bind_count_results(f, call->make) > 0;
  bind_put(t, ") %s", several ? "(" : "");
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "%s, ", go_type(&f->result));
  for (int i = 0; i < f->param_count; i++)
    if (go_is_result(call, &f->params[i])) bind_put(t, "%s, ", go_result_type(&f->params[i]));
  bind_open(t, "error%s {", several ? ")" : "");
}

/* ---- results ---- */

static const char *go_zero(bind_kind kind) {
  switch (kind) {
  case BIND_TENSOR:
  case BIND_GIVEN:
  case BIND_HANDLE: return "nil";
  case BIND_BOOL: return "false";
  case BIND_STRING: return "\"\"";
  default: return "0";
  }
}

static void go_put_return_error(bind_text *t, const go_call *call, const char *error) {
  const bind_function *f = call->f;
  bind_put(t, "return ");
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "%s, ", go_zero(f->result.kind));
  for (int i = 0; i < f->param_count; i++)
    if (go_is_result(call, &f->params[i])) bind_put(t, "%s, ", go_zero(f->params[i].type.kind));
  bind_line(t, "%s", error);
}

/* ", &codec.handle": C may have made a new handle of those that it was given, which must outlive it. */
static const char *go_parents(const go_call *call) {
  const char *text = "";
  for (int i = 0; i < call->f->param_count; i++) {
    const bind_param *p = &call->f->params[i];
    if (p->type.kind == BIND_HANDLE && !p->returned) text = bind_string("%s, &%s.handle", text, go_local(p->name));
  }
  return text;
}

/* A result's value, from the place that C filled. */
static const char *go_taken(const go_call *call, const bind_type *type, const char *place) {
  switch (type->kind) {
  case BIND_TENSOR:
  case BIND_GIVEN: return bind_string("adopt(&%s)", place);
  case BIND_HANDLE: return bind_string("open%s(%s%s)", bind_pascal(type->handle->short_name), place, go_parents(call));
  case BIND_STRING: return bind_string("C.GoString(%s)", place);
  default: return bind_string("%s(%s)", go_type(type), place);
  }
}

static const char *go_place_type(const go_call *call, const bind_type *type) {
  if (type->kind == BIND_TENSOR || type->kind == BIND_GIVEN) return bind_string("C.%s_go_given", call->ir->name);
  if (type->kind == BIND_STRING) return "*C.char";
  return bind_string("C.%s", go_shim_type(type));
}

static void go_put_places(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "var value %s", go_place_type(call, &f->result));
  for (int i = 0; i < f->param_count; i++)
    if (go_is_result(call, &f->params[i])) bind_line(t, "var out_%d %s", i, go_place_type(call, &f->params[i].type));
}

/* ---- arguments ---- */

/* What may fail comes first, so that nothing is held when it does. */
static void go_put_prepared(bind_text *t, const go_call *call, const bind_param *p, int i) {
  const char *verb = p->type.kind == BIND_STRING ? "Terminate"
                     : p->type.kind == BIND_LIST ? "FlattenList"
                     : p->optional               ? "FlattenOptional"
                                                 : "Flatten";
  if (p->type.kind != BIND_TENSOR && p->type.kind != BIND_STRING && p->type.kind != BIND_LIST) return;
  bind_line(t, "in_%d, err := dlferry.%s(\"%s: %s\", %s)", i, verb, call->f->short_name, p->name, go_argument(p));
  bind_open(t, "if err != nil {");
  for (int k = 0; k < i; k++)
    if (call->f->params[k].type.kind == BIND_LIST) bind_line(t, "in_%d.Close()", k);
  go_put_return_error(t, call, "err");
  bind_close(t, "}");
}

static const char *go_passed(const go_call *call, const bind_param *p, int i) {
  const char *name = go_argument(p), *package = call->ir->name;
  if (go_is_result(call, p)) return bind_string("&out_%d", i);
  switch (p->type.kind) {
  case BIND_TENSOR: return bind_string("flat(in_%d)", i);
  case BIND_LIST: return bind_string("(*C.%s_go_flat)(in_%d.First()), C.int64_t(in_%d.Len())", package, i, i);
  case BIND_ARRAY:
    return bind_string("(*C.%s)(unsafe.Pointer(unsafe.SliceData(%s))), C.int64_t(len(%s))", go_shim_type(&p->type),
                       name, name);
  case BIND_STRING: return bind_string("(*C.char)(unsafe.Pointer(in_%d))", i);
  case BIND_HANDLE: return bind_string("object_%d", i);
  default: return bind_string("C.%s(%s)", go_shim_type(&p->type), name);
  }
}

static void go_put_call(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  const char *between = "";
  bind_put(t, "failure := C.%s(", go_shim(call));
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].type.kind == BIND_STREAM) continue;
    bind_put(t, "%s%s", between, go_passed(call, &f->params[i], i));
    between = ", ";
  }
  bind_line(t, "%s)", f->returns == BIND_RETURN_VALUE ? bind_string("%s&value", between) : "");
}

/* ---- the function ---- */

void go_put_function(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  go_put_function_doc(t, call);
  go_put_signature(t, call);
  for (int i = 0; i < f->param_count; i++)
    if (go_is_passed(call, &f->params[i])) go_put_prepared(t, call, &f->params[i], i);
  go_put_places(t, call);
  for (int i = 0; i < f->param_count; i++)
    if (go_is_passed(call, &f->params[i]) && f->params[i].type.kind == BIND_HANDLE)
      bind_line(t, "object_%d := %s.use()\ndefer %s.done(object_%d)", i, go_local(f->params[i].name),
                go_local(f->params[i].name), i);
  go_put_call(t, call);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!go_is_passed(call, p)) continue;
    if (p->type.kind == BIND_LIST) bind_line(t, "in_%d.Close()", i);
    if (p->type.kind == BIND_TENSOR || p->type.kind == BIND_LIST)
      bind_line(t, "runtime.KeepAlive(%s)", go_local(p->name));
  }
  if (!bind_count_results(f, call->make)) {
    bind_line(t, "return dlferry.Failed(uintptr(failure))");
    bind_close(t, "}\n");
    return;
  }
  bind_open(t, "if failure != 0 {");
  go_put_return_error(t, call, "dlferry.Failed(uintptr(failure))");
  bind_close(t, "}");
  bind_put(t, "return ");
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "%s, ", go_taken(call, &f->result, "value"));
  for (int i = 0; i < f->param_count; i++)
    if (go_is_result(call, &f->params[i]))
      bind_put(t, "%s, ", go_taken(call, &f->params[i].type, bind_string("out_%d", i)));
  bind_line(t, "nil");
  bind_close(t, "}\n");
}

void bind_explain_go(const bind_ir *ir, const bind_function *f, bind_text *t) {
  const int depth = t->depth;
  for (int make = f->new_name ? 1 : 0; make >= 0; make--) {
    go_put_signature(t, &(go_call){ir, f, make});
    t->depth = depth;
  }
}
