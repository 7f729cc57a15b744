/* SPDX-License-Identifier: Apache-2.0 */
/* Safe functions over the checked twins.
 *
 * What is read comes in as &impl Arg, what is written as &mut impl ArgMut, and describes itself in a slot that is a
 * temporary of the very expression that calls C. So &x and &mut x cannot meet in one call; where the contract lets an
 * output share memory with its model, an _inplace form takes the one tensor for both. Results land in places that let
 * go of what they hold if anything fails after the call. */
#include "emit_rust.h"
#include <string.h>

/* How a function is called. */
typedef enum rust_form {
  RUST_NEW,    /* calls f_new: outputs come back */
  RUST_INTO,   /* calls f_checked */
  RUST_INPLACE /* calls f_checked with one tensor for both the model and its output */
} rust_form;

/* ---- who is what in a form ---- */

/* The input whose memory an output may be, because the contract makes it alike without noalias; or NULL. */
static const bind_param *rust_model(const bind_function *f, const bind_param *out) {
  if (out->type.kind != BIND_TENSOR || out->direction != BIND_OUT || out->optional || !*out->contract ||
      strstr(out->contract, " noalias"))
    return NULL;
  for (const bind_param *p = f->params; p < f->params + f->param_count; p++) {
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_IN || p->optional) continue;
    const char *like = bind_string("like %s", p->name);
    const size_t size = strlen(like);
    const bool alike = !strncmp(out->contract, like, size) && (out->contract[size] == ' ' || !out->contract[size]);
    if (alike || !strcmp(out->contract, p->contract)) return strstr(p->contract, " noalias") ? NULL : p;
  }
  return NULL;
}

/* The only output that has a model, or NULL. */
static const bind_param *rust_inplace_output(const bind_function *f) {
  const bind_param *found = NULL;
  for (int i = 0; i < f->param_count; i++) {
    if (!rust_model(f, &f->params[i])) continue;
    if (found) return NULL;
    found = &f->params[i];
  }
  return found;
}

static const bind_param *rust_inplace_model(const bind_function *f) { return rust_model(f, rust_inplace_output(f)); }

static bool rust_is_result(const bind_param *p, rust_form form) { return p->returned || (form == RUST_NEW && p->made); }

static bool rust_is_passed(const bind_function *f, const bind_param *p, rust_form form) {
  return !rust_is_result(p, form) && p->type.kind != BIND_STREAM &&
         !(form == RUST_INPLACE && p == rust_inplace_output(f));
}

static bool rust_is_written(const bind_function *f, const bind_param *p, rust_form form) {
  return p->direction != BIND_IN || (form == RUST_INPLACE && p == rust_inplace_model(f));
}

static bool rust_is_self(const bind_function *f, const bind_param *p) { return f->method_of && p == f->params; }

static const char *rust_form_name(const bind_function *f, rust_form form) {
  const char *name = bind_snake(rust_home(f) ? f->method_name : f->short_name);
  if (form == RUST_INPLACE) return bind_string("%s_inplace", name);
  return form == RUST_INTO && f->new_name ? bind_string("%s_into", name) : bind_escape(name, rust_words);
}

/* ---- signature: pub fn blur(image: &(impl Arg + ?Sized), options: impl Into<BlurOptions>) -> Result<Tensor> { ---- */

static const char *rust_parameter(const bind_function *f, const bind_param *p, rust_form form) {
  const bool written = rust_is_written(f, p, form);
  const char *name = rust_name(p->name);
  if (rust_is_self(f, p)) return rust_is_changed(&p->type) ? "&mut self" : "&self";
  if (p->type.kind != BIND_TENSOR) return bind_string("%s: %s", name, rust_type(&p->type, ""));
  if (p->optional)
    return bind_string("%s%s: Option<&%s>", written ? "mut " : "", name, written ? "mut dyn ArgMut" : "dyn Arg");
  return bind_string("%s: &%s", name, written ? "mut (impl ArgMut + ?Sized)" : "(impl Arg + ?Sized)");
}

/* "(f64, Tensor)": the value, then what is made or returned. */
static const char *rust_result(const bind_function *f, rust_form form) {
  rust_list list = rust_list_for(f->param_count + 1);
  if (f->returns == BIND_RETURN_VALUE) rust_add(&list, rust_result_type(&f->result));
  for (int i = 0; i < f->param_count; i++)
    if (rust_is_result(&f->params[i], form)) rust_add(&list, rust_result_type(&f->params[i].type));
  return bind_string(list.count == 1 ? "%s" : "(%s)", rust_join(&list));
}

static void rust_put_signature(bind_text *t, const bind_function *f, rust_form form) {
  const bool one = rust_count_options(f) == 1;
  const char *type = rust_options_type(f, one ? "'a" : "'_");
  const char *head = bind_string("pub fn %s%s(", rust_form_name(f, form), one && strstr(type, "'a") ? "<'a>" : "");
  const char *tail = bind_string(") -> Result<%s> {", rust_result(f, form));
  const char *options = bind_string(one ? "options: impl Into<%s>" : "options: %s", type);
  rust_list list = rust_list_for(f->param_count);
  bool seen = false;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!rust_is_passed(f, p, form) || (rust_is_option(p) && seen)) continue;
    seen = seen || rust_is_option(p);
    rust_add(&list, rust_is_option(p) ? options : rust_parameter(f, p, form));
  }
  rust_put_list(t, head, &list, tail, rust_room(t, head, tail));
  t->depth++;
}

/* ---- body: places for results, one call of C, what the places hold ---- */

/* let mut out = Given::new(); */
static void rust_put_place(bind_text *t, const char *name, const bind_type *type) {
  const char *place = "Given::new()";
  if (type->kind == BIND_STRING) place = "Text::new()";
  if (type->kind == BIND_HANDLE)
    place = bind_string("%s(Handle::new(ffi::%s))", rust_handle_name(type->handle), type->handle->free_checked_name);
  if (type->kind == BIND_BOOL) place = "false";
  if (type->scalar) place = bind_string("0%s", bind_scalar_name(type->scalar));
  bind_line(t, "let mut %s = %s;", name, place);
}

/* How C reaches a place. */
static const char *rust_reach(const char *name, const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR:
  case BIND_GIVEN:
  case BIND_STRING: return bind_string("%s.place()", name);
  case BIND_HANDLE: return bind_string("%s.0.place()", name);
  default: return bind_string("&mut %s", name);
  }
}

/* What a place holds after the call. */
static const char *rust_collect(const char *name, const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR:
  case BIND_GIVEN: return bind_string("%s.tensor()?", name);
  case BIND_STRING: return bind_string("%s.string()", name);
  case BIND_ENUM: return bind_string("%s(%s)", rust_enum_name(type->enumeration), name);
  default: return name;
  }
}

static const char *rust_argument(const bind_function *f, const bind_param *p, rust_form form) {
  const char *name = rust_name(p->name);
  if (rust_is_result(p, form)) return rust_reach(name, &p->type);
  if (rust_is_option(p)) name = bind_string("options.%s", name);
  if (form == RUST_INPLACE && (p == rust_inplace_output(f) || p == rust_inplace_model(f))) return "given";
  switch (p->type.kind) {
  case BIND_TENSOR:
    return bind_string("%s.%s(&mut Slot::new()).raw()", name, rust_is_written(f, p, form) ? "lend_mut" : "lend");
  case BIND_LIST: return bind_string("%s.lend()", name);
  case BIND_ARRAY:
  case BIND_STRING: return bind_string("%s.as_ptr()", name);
  case BIND_ENUM: return bind_string("%s.0", name);
  case BIND_HANDLE: return bind_string("%s.0.raw()", rust_is_self(f, p) ? "self" : name);
  case BIND_STREAM: return "arg::default_stream()";
  default: return name;
  }
}

/* The count that follows a list or an array; NULL for others. */
static const char *rust_count(const bind_param *p) {
  if (p->type.kind == BIND_LIST) return bind_string("%s.count()", rust_name(p->name));
  return p->type.kind == BIND_ARRAY ? bind_string("%s.len() as i64", rust_name(p->name)) : NULL;
}

static void rust_put_places(bind_text *t, const bind_function *f, rust_form form) {
  if (rust_count_options(f) == 1) bind_line(t, "let options: %s = options.into();", rust_options_type(f, "'_"));
  for (int i = 0; i < f->param_count; i++) {
    const char *name = rust_name(f->params[i].name);
    if (f->params[i].type.kind == BIND_LIST) bind_line(t, "let mut %s = List::new(%s);", name, name);
  }
  if (f->returns == BIND_RETURN_VALUE) rust_put_place(t, "result", &f->result);
  for (int i = 0; i < f->param_count; i++)
    if (rust_is_result(&f->params[i], form)) rust_put_place(t, rust_name(f->params[i].name), &f->params[i].type);
  if (form != RUST_INPLACE) return;
  bind_line(t, "let mut slot = Slot::new();");
  bind_line(t, "let given = %s.lend_mut(&mut slot).raw();", rust_name(rust_inplace_model(f)->name));
}

/* C may have made a new handle of those that it was given, which must outlive it. */
static void rust_put_parents(bind_text *t, const bind_function *f, const char *child) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_HANDLE && !p->returned)
      bind_line(t, "%s.0.keep(&%s.0);", child, rust_is_self(f, p) ? "self" : rust_name(p->name));
  }
}

static void rust_put_body(bind_text *t, const bind_function *f, rust_form form) {
  rust_list results = rust_list_for(f->param_count + 1), arguments = rust_list_for(2 * f->param_count + 2);
  if (f->returns == BIND_RETURN_VALUE) rust_add(&results, rust_collect("result", &f->result));
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (rust_is_result(p, form)) rust_add(&results, rust_collect(rust_name(p->name), &p->type));
    rust_add(&arguments, rust_argument(f, p, form));
    if (rust_count(p)) rust_add(&arguments, rust_count(p));
  }
  if (f->returns == BIND_RETURN_VALUE) rust_add(&arguments, rust_reach("result", &f->result));
  rust_add(&arguments, "error");

  rust_put_places(t, f, form);
  bind_line(t, "// SAFETY: all is lent for the call, and C checks it.");
  rust_put_wrapped(t, "arg::call(|error| unsafe {",
                   bind_string("ffi::%s", form == RUST_NEW ? f->new_name : f->checked_name), &arguments,
                   results.count ? "})?;" : "})");
  if (f->returns == BIND_RETURN_VALUE && f->result.kind == BIND_HANDLE) rust_put_parents(t, f, "result");
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].returned && f->params[i].type.kind == BIND_HANDLE)
      rust_put_parents(t, f, rust_name(f->params[i].name));
  const size_t size = results.count == 1 ? strlen(results.items[0]) : 0;
  if (size && results.items[0][size - 1] == '?')
    bind_line(t, "%.*s", (int)size - 1, results.items[0]);
  else if (size)
    bind_line(t, "Ok(%s)", results.items[0]);
  else if (results.count)
    rust_put_list(t, "Ok((", &results, "))", RUST_CALL - 2);
  bind_close(t, "}");
}

/* ---- docs ---- */

static void rust_put_about(bind_text *t, const bind_function *f, const bind_param *p, rust_form form) {
  const char *about = rust_about(p);
  if (rust_is_self(f, p) || p->type.kind == BIND_STREAM) return;
  bind_put_doc_line(t, BIND_DOC_LINE, "/// ", "- `%s%s`%s%s%s", rust_is_option(p) ? "options." : "", rust_name(p->name),
                    rust_is_result(p, form) ? p->returned ? " (returned)" : " (made)" : "", *about ? ": " : "", about);
}

static bool rust_has_stream(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_STREAM) return true;
  return false;
}

static void rust_put_docs(bind_text *t, const bind_function *f, rust_form form, bool first) {
  if (t->length > 1 && strcmp(t->data + t->length - 2, "{\n") != 0) bind_raw(t, "\n", 1);
  if (first) {
    bind_put_doc(t, BIND_DOC_LINE, "/// ", *f->summary ? f->summary : bind_string("Call `%s`.", f->name));
    if (*f->description) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\n%s", f->description));
    if (f->param_count > (f->method_of != NULL)) bind_line(t, "///");
    for (int i = 0; i < f->param_count; i++) rust_put_about(t, f, &f->params[i], form);
    if (*f->returns_doc) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\nReturns %s", f->returns_doc));
  } else {
    const char *into = form == RUST_INPLACE ? bind_string("`%s` itself", rust_name(rust_inplace_model(f)->name))
                                            : "tensors of the caller";
    bind_line(t, "/// The same as [`%s`], into %s.", rust_path(f), into);
  }
  if (rust_has_stream(f)) bind_line(t, "///\n/// Works on the device's default stream.");
  if (*f->contract) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\nContract: `%s`", f->contract));
  bind_line(t, "///\n/// # Errors");
  bind_line(t, "/// What breaks the contract, named with both values%s.",
            f->returns == BIND_RETURN_STATUS || f->takes_error ? "; or the function's own failure" : "");
  rust_put_alias(t, f->name, rust_form_name(f, form));
}

static void rust_put_form(bind_text *t, const bind_function *f, rust_form form, bool first) {
  rust_put_docs(t, f, form, first);
  rust_put_signature(t, f, form);
  rust_put_body(t, f, form);
}

void rust_put_function(bind_text *t, const bind_function *f) {
  if (f->new_name) rust_put_form(t, f, RUST_NEW, true);
  rust_put_form(t, f, RUST_INTO, !f->new_name);
  if (rust_inplace_output(f)) rust_put_form(t, f, RUST_INPLACE, false);
}

void rust_add_names(rust_list *names, const bind_function *f) {
  const char *home = rust_home(f) ? bind_string("%s::", rust_handle_name(rust_home(f))) : "";
  if (f->new_name) rust_add(names, bind_string("%s%s", home, rust_form_name(f, RUST_NEW)));
  rust_add(names, bind_string("%s%s", home, rust_form_name(f, RUST_INTO)));
  if (rust_inplace_output(f)) rust_add(names, bind_string("%s%s", home, rust_form_name(f, RUST_INPLACE)));
  if (rust_count_options(f)) rust_add(names, rust_options_name(f));
  for (int i = 0; i < f->param_count; i++)
    rust_add(names, bind_string("%s(%s)", rust_path(f), rust_name(f->params[i].name)));
}

void bind_explain_rust(const bind_ir *ir, const bind_function *f, bind_text *t) {
  const int depth = t->depth;
  (void)ir;
  for (rust_form form = f->new_name ? RUST_NEW : RUST_INTO; form <= RUST_INPLACE; form++) {
    if (form == RUST_INPLACE && !rust_inplace_output(f)) continue;
    if (rust_home(f)) bind_open(t, "impl %s {", rust_handle_name(rust_home(f)));
    rust_put_signature(t, f, form);
    t->depth = depth;
  }
}

/* ---- the extern block: pub fn photo_blur_new(image: dlf_arg, ..., error: *mut dlf_error) -> dlf_status; ---- */

void rust_put_extern(bind_text *t, const bind_function *f, bool make) {
  const char *head = bind_string("pub fn %s(", make ? f->new_name : f->checked_name), *tail = ") -> dlf_status;";
  rust_list list = rust_list_for(2 * f->param_count + 2);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *name = bind_escape(p->name, rust_words), *type = rust_c_type(&p->type);
    const bool counted = p->type.kind == BIND_LIST || p->type.kind == BIND_ARRAY;
    if (make && p->made) type = "*mut *mut DLManagedTensorVersioned";
    if (p->returned && p->type.kind != BIND_GIVEN) type = bind_string("*mut %s", type);
    if (counted) type = p->type.kind == BIND_LIST ? "*const dlf_arg" : bind_string("*const %s", type);
    rust_add(&list, bind_string("%s: %s", name, type));
    if (counted) rust_add(&list, bind_string("%s_count: i64", p->name));
  }
  if (f->returns == BIND_RETURN_VALUE) rust_add(&list, bind_string("result: *mut %s", rust_c_type(&f->result)));
  rust_add(&list, "error: *mut dlf_error");
  /* rustfmt forgets the semicolon at first, and moves the result down when that alone does not fit. */
  const bool moves = list.width == rust_room(t, head, tail);
  rust_put_list(t, head, &list, moves ? ")\n    -> dlf_status;" : tail, rust_room(t, head, tail));
}
