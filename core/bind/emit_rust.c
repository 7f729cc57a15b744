/* SPDX-License-Identifier: Apache-2.0 */
/* A Rust crate: safe functions over an extern block, a build script for its C, and a manifest.
 *
 * What is read comes in as &impl Arg, what is written as &mut impl ArgMut, and describes itself in a slot that is a
 * temporary of the very expression that calls C. So &x and &mut x cannot meet in one call; where the contract lets an
 * output share memory with its model, an _inplace form takes the one tensor for both. */
#include "emit_rust.h"
#include <string.h>

/* ---- functions ---- */

/* How a function is called. */
typedef enum rust_form {
  RUST_NEW,    /* calls f_new: outputs come back */
  RUST_INTO,   /* calls f_checked */
  RUST_INPLACE /* calls f_checked with one tensor for both the model and its output */
} rust_form;

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

/* What callers do not pass in this form. */
static bool rust_is_left_out(const bind_function *f, const bind_param *p, rust_form form) {
  return (form == RUST_NEW && p->made) || (form == RUST_INPLACE && p == rust_inplace_output(f));
}

static bool rust_is_written(const bind_function *f, const bind_param *p, rust_form form) {
  return p->direction != BIND_IN || (form == RUST_INPLACE && p == rust_model(f, rust_inplace_output(f)));
}

static const char *rust_form_name(const bind_function *f, rust_form form) {
  const char *name = bind_snake(f->short_name);
  if (form == RUST_INPLACE) return bind_string("%s_inplace", name);
  return form == RUST_INTO && f->new_name ? bind_string("%s_into", name) : bind_escape(name, rust_words);
}

static const char *rust_parameter(const bind_function *f, const bind_param *p, rust_form form) {
  const bool written = rust_is_written(f, p, form);
  const char *name = rust_name(p->name);
  if (p->type.kind != BIND_TENSOR) return bind_string("%s: %s", name, rust_type(&p->type, ""));
  if (p->optional)
    return bind_string("%s%s: Option<&%s>", written ? "mut " : "", name, written ? "mut dyn ArgMut" : "dyn Arg");
  return bind_string("%s: &%s", name, written ? "mut (impl ArgMut + ?Sized)" : "(impl Arg + ?Sized)");
}

/* "(Tensor, f64)" from the made outputs, then the value */
static const char *rust_result(const bind_function *f, rust_form form) {
  const char *list = "";
  int count = 0;
  for (int i = 0; form == RUST_NEW && i < f->param_count; i++)
    if (f->params[i].made) list = bind_string("%s%sTensor", list, count++ ? ", " : "");
  if (f->returns == BIND_RETURN_VALUE)
    list = bind_string("%s%s%s", list, count++ ? ", " : "", rust_type(&f->result, ""));
  return count == 1 ? list : bind_string("(%s)", list);
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
    if (rust_is_left_out(f, p, form) || (rust_is_option(p) && seen)) continue;
    seen = seen || rust_is_option(p);
    rust_add(&list, rust_is_option(p) ? options : rust_parameter(f, p, form));
  }
  rust_put_list(t, head, &list, tail, rust_room(t, head, tail));
  t->depth++;
}

static const char *rust_argument(const bind_function *f, const bind_param *p, rust_form form) {
  const bind_param *twice = form == RUST_INPLACE ? rust_inplace_output(f) : NULL;
  const char *name = rust_name(p->name);
  if (rust_is_option(p)) name = bind_string("options.%s", name);
  if (twice && (p == twice || p == rust_model(f, twice))) return "given";
  if (form == RUST_NEW && p->made) return name;
  if (p->type.kind == BIND_TENSOR)
    return bind_string("%s.%s(&mut Slot::new()).raw()", name, rust_is_written(f, p, form) ? "lend_mut" : "lend");
  if (p->type.kind == BIND_STRING) return bind_string("%s.as_ptr()", name);
  return p->type.kind == BIND_ENUM ? bind_string("%s.0", name) : name;
}

/* before ffi::f(...) after, if that fits on a line. */
static bool rust_put_on_line(bind_text *t, const char *before, const char *name, const rust_list *list,
                             const char *after) {
  const char *head = bind_string("%s%s(", before, name), *tail = bind_string(")%s", after);
  const bool fits = list->width <= RUST_CALL && list->width <= rust_room(t, head, tail);
  if (fits) rust_put_list(t, head, list, tail, RUST_CALL);
  return fits;
}

static void rust_put_in_block(bind_text *t, const char *open, const char *name, const rust_list *list,
                              const char *close) {
  bind_open(t, "%s", open);
  const char *head = bind_string("%s(", name);
  rust_put_list(t, head, list, ")", list->width <= rust_room(t, head, ")") ? RUST_CALL : 0);
  bind_close(t, "%s", close);
}

static void rust_put_call(bind_text *t, const bind_function *f, rust_form form, const char *made) {
  const char *name = bind_string("ffi::%s", form == RUST_NEW ? f->new_name : f->checked_name);
  rust_list list = rust_list_for(f->param_count + 2);
  for (int i = 0; i < f->param_count; i++) rust_add(&list, rust_argument(f, &f->params[i], form));
  if (f->returns == BIND_RETURN_VALUE) rust_add(&list, "&mut result");
  rust_add(&list, "error");
  if (form != RUST_NEW) {
    const char *end = f->returns == BIND_RETURN_VALUE ? "?;" : "";
    if (!rust_put_on_line(t, "arg::call(|error| unsafe { ", name, &list, bind_string(" })%s", end)))
      rust_put_in_block(t, "arg::call(|error| unsafe {", name, &list, bind_string("})%s", end));
    return;
  }
  const char *target = bind_string("let [%s] = unsafe {", made);
  const char *give = bind_string("arg::give(|[%s], error| ", made);
  if (rust_put_on_line(t, bind_string("%s %s", target, give), name, &list, ")? };")) return;
  bind_open(t, "%s", target);
  if (!rust_put_on_line(t, give, name, &list, ")?")) rust_put_in_block(t, bind_string("%s{", give), name, &list, "})?");
  bind_close(t, "};");
}

static void rust_put_body(bind_text *t, const bind_function *f, rust_form form) {
  const bool value = f->returns == BIND_RETURN_VALUE;
  const char *given =
      f->result.kind == BIND_ENUM ? bind_string("%s(result)", rust_enum_name(f->result.enumeration)) : "result";
  rust_list made = rust_list_for(f->param_count + 1);
  for (int i = 0; form == RUST_NEW && i < f->param_count; i++)
    if (f->params[i].made) rust_add(&made, rust_name(f->params[i].name));
  if (rust_count_options(f) == 1) bind_line(t, "let options: %s = options.into();", rust_options_type(f, "'_"));
  if (value && f->result.kind == BIND_BOOL)
    bind_line(t, "let mut result = false;");
  else if (value)
    bind_line(t, "let mut result = 0%s;", rust_scalar(f->result.scalar));
  if (form == RUST_INPLACE) {
    bind_line(t, "let mut slot = Slot::new();");
    bind_line(t, "let given = %s.lend_mut(&mut slot).raw();", rust_name(rust_model(f, rust_inplace_output(f))->name));
  }
  bind_line(t, form == RUST_NEW
                   ? "// SAFETY: all is lent for the call; C checks it, and gives new tensors if it succeeds."
                   : "// SAFETY: all is lent for the call, and C checks it.");
  rust_put_call(t, f, form, rust_join(&made));
  if (value) rust_add(&made, given);
  if (made.count) bind_line(t, made.count == 1 ? "Ok(%s)" : "Ok((%s))", rust_join(&made));
  bind_close(t, "}");
}

/* ---- docs ---- */

static void rust_put_about(bind_text *t, const bind_param *p, rust_form form) {
  const char *about = rust_about(p);
  bind_put_doc_line(t, BIND_DOC_LINE, "/// ", "- `%s%s`%s%s%s", rust_is_option(p) ? "options." : "", rust_name(p->name),
                    form == RUST_NEW && p->made ? " (made)" : "", *about ? ": " : "", about);
}

static void rust_put_docs(bind_text *t, const bind_function *f, rust_form form, bool first) {
  bind_raw(t, "\n", 1);
  if (first) {
    bind_put_doc(t, BIND_DOC_LINE, "/// ", *f->summary ? f->summary : bind_string("Call `%s`.", f->name));
    if (*f->description) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\n%s", f->description));
    if (f->param_count) bind_line(t, "///");
    for (int i = 0; i < f->param_count; i++) rust_put_about(t, &f->params[i], form);
    if (*f->returns_doc) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\nReturns %s", f->returns_doc));
  } else {
    const char *into = form == RUST_INPLACE
                           ? bind_string("`%s` itself", rust_name(rust_model(f, rust_inplace_output(f))->name))
                           : "tensors of the caller";
    bind_line(t, "/// The same as [`%s`], into %s.", rust_form_name(f, f->new_name ? RUST_NEW : RUST_INTO), into);
  }
  if (*f->contract) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\nContract: `%s`", f->contract));
  bind_line(t, "///\n/// # Errors");
  bind_line(t, "/// What breaks the contract, named with both values%s.",
            f->returns == BIND_RETURN_STATUS ? "; or the function's own failure" : "");
  bind_line(t, "#[doc(alias = \"%s\")]", f->name);
}

static void rust_put_function(bind_text *t, const bind_function *f, rust_form form, bool first) {
  rust_put_docs(t, f, form, first);
  rust_put_signature(t, f, form);
  rust_put_body(t, f, form);
}

/* ---- files ---- */

static void rust_put_lib(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "//", "", "rust");
  bind_put_doc(t, BIND_DOC_LINE, "//! ",
               *ir->summary ? ir->summary : bind_string("The functions of %s.", ir->header.name));
  bind_line(t,
            "//!\n//! Tensors are [`dlferry::Tensor`]s, slices, vectors, arrays and views of ndarray, used where they");
  bind_line(t, "//! are: nothing is copied or converted. What breaks a contract is an error before the function runs.");
  bind_line(t, "// The docs are C's, and some headers need less than what is imported.");
  bind_line(t, "#![allow(clippy::too_many_arguments, unused_imports)]");
  bind_line(t, "#![allow(clippy::doc_lazy_continuation)]");
  bind_line(t, "#![allow(clippy::doc_overindented_list_items)]");
  bind_line(t, "#![allow(rustdoc::broken_intra_doc_links)]");
  bind_line(t, "#![allow(rustdoc::invalid_html_tags, rustdoc::bare_urls)]\n");
  bind_line(t, "mod ffi;\n");
  bind_line(t, "use dlferry::arg::{self, Arg, ArgMut, Slot};");
  bind_line(t, "use dlferry::{Result, Tensor};");
  bind_line(t, "use std::ffi::{c_char, CStr};");
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) rust_put_enum(t, &ir->enums[i]);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (rust_count_options(f)) rust_put_options(t, f);
    if (f->new_name) rust_put_function(t, f, RUST_NEW, true);
    rust_put_function(t, f, RUST_INTO, !f->new_name);
    if (rust_inplace_output(f)) rust_put_function(t, f, RUST_INPLACE, false);
  }
}

static void rust_put_extern(bind_text *t, const bind_function *f, bool make) {
  const char *head = bind_string("pub fn %s(", make ? f->new_name : f->checked_name), *tail = ") -> dlf_status;";
  rust_list list = rust_list_for(f->param_count + 2);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool tensor = p->type.kind == BIND_TENSOR;
    rust_add(&list, bind_string("%s: %s", bind_escape(p->name, rust_words),
                                make && p->made ? "*mut *mut DLManagedTensorVersioned"
                                : tensor        ? "dlf_arg"
                                                : rust_c_type(&p->type)));
  }
  if (f->returns == BIND_RETURN_VALUE) rust_add(&list, bind_string("result: *mut %s", rust_c_type(&f->result)));
  rust_add(&list, "error: *mut dlf_error");
  /* rustfmt forgets the semicolon at first, and moves the result down when that alone does not fit. */
  const bool moves = list.width == rust_room(t, head, tail);
  rust_put_list(t, head, &list, moves ? ")\n    -> dlf_status;" : tail, rust_room(t, head, tail));
}

static void rust_put_ffi(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "//", "", "rust");
  bind_line(t, "//! The checked functions, as %s declares them.", ir->checked_h.name);
  bind_line(t, "#![allow(non_snake_case, unused_imports)]\n");
  bind_line(t, "use dlferry::ffi::{dlf_arg, dlf_error, dlf_status, DLManagedTensorVersioned};");
  bind_line(t, "use std::ffi::c_char;\n");
  bind_open(t, "extern \"C\" {");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    rust_put_extern(t, f, false);
    if (f->new_name) rust_put_extern(t, f, true);
  }
  bind_close(t, "}");
}

static void rust_put_build(bind_text *t, const bind_ir *ir) {
  const char *name = bind_upper(ir->name);
  bind_first_line(t, ir, "//", "", "rust");
  bind_line(t, "//! Builds the functions and their checks.\n");
  bind_open(t, "fn main() {");
  bind_line(t, "println!(\"cargo::rerun-if-changed=csrc\");");
  bind_line(t, "let include = std::env::var(\"DEP_DLFERRY_INCLUDE\").expect(\"dlferry-sys names its headers\");");
  rust_list list = rust_list_for(ir->source_count + 1);
  rust_add(&list, bind_string("\"csrc/%s\"", ir->checked_c.name));
  for (int i = 0; i < ir->source_count; i++) {
    const char *dot = strrchr(ir->sources[i].name, '.');
    if (dot && !strcmp(dot, ".c")) rust_add(&list, bind_string("\"csrc/%s\"", ir->sources[i].name));
  }
  rust_put_list(t, "let sources = [", &list, "];", RUST_CALL);
  bind_open(t, "cc::Build::new()");
  bind_line(t, ".std(\"c11\")\n.warnings(false)\n.include(include)\n.files(sources)");
  bind_line(t, ".compile(\"%s_dlferry\");", ir->name);
  t->depth--;
  if (ir->source_count == 0) {
    bind_line(t, "// No source came with the header: the library itself is linked, from %s_LIBRARY_DIR if that is set.",
              name);
    bind_line(t, "println!(\"cargo::rerun-if-env-changed=%s_LIBRARY_DIR\");", name);
    bind_open(t, "if let Ok(folder) = std::env::var(\"%s_LIBRARY_DIR\") {", name);
    bind_line(t, "println!(\"cargo::rustc-link-search=native={folder}\");");
    bind_close(t, "}");
    bind_line(t, "println!(\"cargo::rustc-link-lib=%s\");", ir->name);
  }
  bind_close(t, "}");
}

static void rust_put_manifest(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "#", "", "rust");
  bind_line(t, "[package]\nname = \"%s\"\nversion = \"%s\"\nedition = \"2021\"\nrust-version = \"1.82\"", ir->name,
            ir->version);
  bind_line(t, "description = \"%s\"",
            bind_doc_escape(BIND_DOC_STRING,
                            *ir->summary ? ir->summary : bind_string("The functions of %s", ir->header.name)));
  bind_line(t, "links = \"%s_dlferry\"\n", ir->name);
  bind_line(t, "[lib]\n# Comments of C are no Rust.\ndoctest = false\n");
  bind_line(t, "[features]\n# Arrays of ndarray as arguments.\nndarray = [\"dlferry/ndarray\"]\n");
  bind_line(
      t, "[dependencies]\n# An older one lacks what this was generated for.\ndlferry = \"%s\"\ndlferry-sys = \"%s\"\n",
      ir->version, ir->version);
  bind_line(t, "[build-dependencies]\ncc = \"1\"");
}

int bind_emit_rust(const bind_ir *ir, bind_out *out) {
  bind_text lib = {.unit = "    "}, ffi = {.unit = "    "}, build = {.unit = "    "}, manifest = {0};
  rust_put_lib(&lib, ir);
  rust_put_ffi(&ffi, ir);
  rust_put_build(&build, ir);
  rust_put_manifest(&manifest, ir);
  bind_write(out, "rust/src/lib.rs", &lib);
  bind_write(out, "rust/src/ffi.rs", &ffi);
  bind_write(out, "rust/build.rs", &build);
  bind_write(out, "rust/Cargo.toml", &manifest);
  bind_copy_sources(out, "rust/csrc", ir);
  bind_text_free(&lib);
  bind_text_free(&ffi);
  bind_text_free(&build);
  bind_text_free(&manifest);
  return 0;
}
