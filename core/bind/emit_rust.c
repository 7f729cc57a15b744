/* SPDX-License-Identifier: Apache-2.0 */
/* A Rust crate: safe functions over an extern block, a build script for its C, and a manifest. */
#include "emit_rust.h"
#include "cases.h"
#include <stdlib.h>
#include <string.h>

/* A struct that no bound function mentions is of no use: only its free function is bound then. */
static bool rust_is_used(const bind_ir *ir, const bind_handle *h) {
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (f->result.handle == h) return true;
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].type.handle == h) return true;
  }
  return false;
}

static void rust_put_methods(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  bind_text methods = {.unit = t->unit, .depth = 1};
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (rust_home(f) != h) continue;
    if (rust_count_options(f)) rust_put_options(t, f);
    rust_put_function(&methods, f);
  }
  if (methods.length) {
    bind_open(t, "\nimpl %s {", rust_handle_name(h));
    bind_raw(t, methods.data, methods.length);
    bind_close(t, "}");
  }
  bind_text_free(&methods);
}

static void rust_put_lib(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "//", "", "rust");
  bind_put_doc(t, BIND_DOC_LINE, "//! ",
               *ir->summary ? ir->summary : bind_string("The functions of %s.", ir->header.name));
  bind_line(t,
            "//!\n//! Tensors are [`dlferry::Tensor`]s, slices, vectors, arrays and views of ndarray, used where they");
  bind_line(t, "//! are: nothing is copied or converted. What breaks a contract is an error before the function runs.");
  bind_line(t, "// The docs are C's, and some headers need less than what is imported.");
  bind_line(t, "#![allow(clippy::too_many_arguments, clippy::derivable_impls, unused_imports)]");
  bind_line(t, "#![allow(clippy::doc_lazy_continuation)]");
  bind_line(t, "#![allow(clippy::doc_overindented_list_items)]");
  bind_line(t, "#![allow(rustdoc::broken_intra_doc_links)]");
  bind_line(t, "#![allow(rustdoc::invalid_html_tags, rustdoc::bare_urls)]\n");
  bind_line(t, "mod ffi;\n");
  bind_line(t, "use dlferry::arg::{self, Arg, ArgMut, Given, Handle, List, Slot, Text};");
  bind_line(t, "use dlferry::{Result, Tensor};");
  bind_line(t, "use std::ffi::CStr;");
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) rust_put_enum(t, &ir->enums[i]);
  for (int i = 0; i < ir->handle_count; i++) {
    if (!rust_is_used(ir, &ir->handles[i])) continue;
    rust_put_handle(t, &ir->handles[i]);
    rust_put_methods(t, ir, &ir->handles[i]);
  }
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (rust_home(f)) continue;
    if (rust_count_options(f)) rust_put_options(t, f);
    rust_put_function(t, f);
  }
}

static void rust_put_ffi(bind_text *t, const bind_ir *ir) {
  bind_first_line(t, ir, "//", "", "rust");
  bind_line(t, "//! The checked functions, as %s declares them.", ir->checked_h.name);
  bind_line(t, "#![allow(non_snake_case, non_camel_case_types, dead_code, unused_imports)]\n");
  bind_line(t, "use dlferry::ffi::*;");
  bind_line(t, "use std::ffi::c_char;\n");
  for (int i = 0; i < ir->handle_count; i++) {
    if (!rust_is_used(ir, &ir->handles[i])) continue;
    bind_line(t, "#[repr(C)]");
    bind_open(t, "pub struct %s {", ir->handles[i].name);
    bind_line(t, "_unused: [u8; 0],");
    bind_close(t, "}\n");
  }
  bind_open(t, "extern \"C\" {");
  for (int i = 0; i < ir->handle_count; i++)
    if (rust_is_used(ir, &ir->handles[i]))
      bind_line(t, "pub fn %s(owned: *mut %s);", ir->handles[i].free_checked_name, ir->handles[i].name);
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
  for (int i = 0; i < ir->link_count; i++) bind_line(t, "println!(\"cargo::rustc-link-lib=%s\");", ir->links[i]);
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
  if (*ir->license) bind_line(t, "license = \"%s\"", ir->license);
  bind_line(t, "links = \"%s_dlferry\"\n", ir->name);
  bind_line(t, "[lib]\n# Comments of C are no Rust.\ndoctest = false\n");
  bind_line(t, "[features]\n# Arrays of ndarray as arguments; elements of the crates half and num-complex.");
  bind_line(t, "ndarray = [\"dlferry/ndarray\"]\nhalf = [\"dlferry/half\"]\ncomplex = [\"dlferry/complex\"]\n");
  bind_line(
      t, "[dependencies]\n# An older one lacks what this was generated for.\ndlferry = \"%s\"\ndlferry-sys = \"%s\"\n",
      ir->version, ir->version);
  bind_line(t, "[build-dependencies]\ncc = \"1\"");
}

static int rust_compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* Two names of C that are apart there may be one in Rust: N and n, or blur_into beside blur. */
static int rust_check_names(const bind_ir *ir) {
  int capacity = ir->enum_count + ir->handle_count, clashes = 0;
  for (int i = 0; i < ir->function_count; i++) capacity += 4 + ir->functions[i].param_count;
  rust_list names = rust_list_for(capacity);
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) rust_add(&names, rust_enum_name(&ir->enums[i]));
  for (int i = 0; i < ir->handle_count; i++) rust_add(&names, rust_handle_name(&ir->handles[i]));
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) rust_add_names(&names, f);
  qsort(names.items, (size_t)names.count, sizeof *names.items, rust_compare);
  for (int i = 1; i < names.count; i++) {
    if (strcmp(names.items[i - 1], names.items[i]) != 0) continue;
    bind_error("%s: in Rust two things would be named %s", ir->header.name, names.items[i]);
    clashes++;
  }
  return clashes != 0;
}

int bind_emit_rust(const bind_ir *ir, bind_out *out) {
  if (rust_check_names(ir)) return 1;
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
  if (bind_has_cases(ir)) rust_emit_tests(ir, out);
  bind_text_free(&lib);
  bind_text_free(&ffi);
  bind_text_free(&build);
  bind_text_free(&manifest);
  return 0;
}
