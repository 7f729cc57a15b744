/* SPDX-License-Identifier: Apache-2.0 */
/* A Rust crate: safe functions over an extern block, a build script for its C, and a manifest. */
#include "emit_rust.h"
#include "cases.h"
#include <string.h>

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

static const char rust_lib[] =
    "$docs\n"
    "//!\n"
    "//! Tensors are [`dlferry::Tensor`]s, slices, vectors, arrays and views of ndarray, used where they\n"
    "//! are: nothing is copied or converted. What breaks a contract is an error before the function runs.\n"
    "// The docs are C's, and some headers need less than what is imported.\n"
    "#![allow(clippy::too_many_arguments, clippy::derivable_impls, unused_imports)]\n"
    "#![allow(clippy::doc_lazy_continuation)]\n"
    "#![allow(clippy::doc_overindented_list_items)]\n"
    "#![allow(rustdoc::broken_intra_doc_links)]\n"
    "#![allow(rustdoc::invalid_html_tags, rustdoc::bare_urls)]\n"
    "\n"
    "mod ffi;\n"
    "\n"
    "use dlferry::arg::{self, Arg, ArgMut, Given, Handle, List, Slot, Text};\n"
    "use dlferry::{Result, Tensor};\n"
    "use std::ffi::CStr;\n";

static void rust_put_lib(bind_text *t, const bind_ir *ir) {
  const char *summary = *ir->summary ? ir->summary : bind_string("The functions of %s.", ir->header.name);
  bind_first_line(t, ir, "//", "", "rust");
  bind_fill(t, rust_lib, {"docs", rust_doc("//! ", summary)});
  for (int i = 0; i < ir->enum_count; i++)
    if (bind_enum_is_used(ir, &ir->enums[i])) rust_put_enum(t, &ir->enums[i]);
  for (int i = 0; i < ir->handle_count; i++) {
    if (!bind_handle_is_used(ir, &ir->handles[i])) continue;
    rust_put_handle(t, &ir->handles[i]);
    rust_put_methods(t, ir, &ir->handles[i]);
  }
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    if (rust_home(f)) continue;
    if (rust_count_options(f)) rust_put_options(t, f);
    rust_put_function(t, f);
  }
}

static const char rust_ffi[] = "//! The checked functions, as $checked declares them.\n"
                               "#![allow(non_snake_case, non_camel_case_types, dead_code, unused_imports)]\n"
                               "\n"
                               "use dlferry::ffi::*;\n"
                               "use std::ffi::c_char;\n"
                               "\n"
                               "$handles\n"
                               "unsafe extern \"C\" {\n";

static void rust_put_ffi(bind_text *t, const bind_ir *ir) {
  bind_text handles = {0}, frees = {0};
  for (const bind_handle *h = ir->handles; h < ir->handles + ir->handle_count; h++) {
    if (!bind_handle_is_used(ir, h)) continue;
    bind_fill(&handles,
              "#[repr(C)]\n"
              "pub struct $name {\n"
              "    _unused: [u8; 0],\n"
              "}\n"
              "\n",
              {"name", h->name});
    bind_line(&frees, "pub fn %s(owned: *mut %s);", h->free_checked_name, h->name);
  }
  bind_first_line(t, ir, "//", "", "rust");
  bind_fill(t, rust_ffi, {"checked", ir->checked_h.name}, {"handles", bind_keep(&handles)});
  t->depth++;
  bind_fill(t, "$frees\n", {"frees", bind_keep(&frees)});
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    rust_put_extern(t, f, false);
    if (f->new_name) rust_put_extern(t, f, true);
  }
  bind_close(t, "}");
}

static const char rust_build[] =
    "//! Builds the functions and their checks.\n"
    "\n"
    "fn main() {\n"
    "    println!(\"cargo::rerun-if-changed=csrc\");\n"
    "    let include = std::env::var(\"DEP_DLFERRY_INCLUDE\").expect(\"dlferry-sys names its headers\");\n"
    "    $sources\n"
    "    cc::Build::new()\n"
    "        .std(\"c11\")\n"
    "        .warnings(false)\n"
    "        .include(include)\n"
    "        .files(sources)\n"
    "        .compile(\"${name}_dlferry\");\n"
    "    $links\n"
    "    $library\n"
    "}\n";

static const char rust_library[] =
    "// No source came with the header: the library itself is linked, from ${upper}_LIBRARY_DIR if that is set.\n"
    "println!(\"cargo::rerun-if-env-changed=${upper}_LIBRARY_DIR\");\n"
    "if let Ok(folder) = std::env::var(\"${upper}_LIBRARY_DIR\") {\n"
    "    println!(\"cargo::rustc-link-search=native={folder}\");\n"
    "}\n"
    "println!(\"cargo::rustc-link-lib=$name\");\n";

static void rust_put_build(bind_text *t, const bind_ir *ir) {
  bind_text sources = {.unit = "    "}, links = {0};
  rust_list list = rust_list_for(ir->source_count + 1);
  rust_add(&list, bind_string("\"csrc/%s\"", ir->checked_c.name));
  for (int i = 0; i < ir->source_count; i++) {
    const char *dot = strrchr(ir->sources[i].name, '.');
    if (dot && !strcmp(dot, ".c")) rust_add(&list, bind_string("\"csrc/%s\"", ir->sources[i].name));
  }
  rust_put_list(&sources, "let sources = [", &list, "];", RUST_CALL);
  for (int i = 0; i < ir->link_count; i++) bind_line(&links, "println!(\"cargo::rustc-link-lib=%s\");", ir->links[i]);
  bind_first_line(t, ir, "//", "", "rust");
  bind_fill(t, rust_build, {"name", ir->name}, {"sources", bind_keep(&sources)}, {"links", bind_keep(&links)},
            {"library", ir->source_count || ir->link_count
                            ? ""
                            : bind_filled(rust_library, {"name", ir->name}, {"upper", bind_upper(ir->name)})});
}

static const char rust_manifest[] = "[package]\n"
                                    "name = \"$name\"\n"
                                    "version = \"$version\"\n"
                                    "edition = \"2021\"\n"
                                    "rust-version = \"1.82\"\n"
                                    "description = \"$description\"\n"
                                    "$license\n"
                                    "links = \"${name}_dlferry\"\n"
                                    "\n"
                                    "[lib]\n"
                                    "# Comments of C are no Rust.\n"
                                    "doctest = false\n"
                                    "\n"
                                    "[features]\n"
                                    "# Arrays of ndarray as arguments; elements of the crates half and num-complex.\n"
                                    "ndarray = [\"dlferry/ndarray\"]\n"
                                    "half = [\"dlferry/half\"]\n"
                                    "complex = [\"dlferry/complex\"]\n"
                                    "\n"
                                    "[dependencies]\n"
                                    "# An older one lacks what this was generated for.\n"
                                    "dlferry = \"$version\"\n"
                                    "dlferry-sys = \"$version\"\n"
                                    "\n"
                                    "[build-dependencies]\n"
                                    "cc = \"1.1\"\n";

static void rust_put_manifest(bind_text *t, const bind_ir *ir) {
  const char *summary = *ir->summary ? ir->summary : bind_string("The functions of %s", ir->header.name);
  bind_first_line(t, ir, "#", "", "rust");
  bind_fill(t, rust_manifest, {"name", ir->name}, {"version", ir->version},
            {"description", bind_doc_escape(BIND_DOC_STRING, summary)},
            {"license", *ir->license ? bind_string("license = \"%s\"", ir->license) : ""});
}

/* Two names of C that are apart there may be one in Rust: N and n, or blur_into beside blur. */
static bool rust_names_clash(const bind_ir *ir) {
  bind_names set = {.language = "Rust"};
  for (const bind_enum *e = ir->enums; e < ir->enums + ir->enum_count; e++)
    if (bind_enum_is_used(ir, e)) bind_add_name(&set, rust_enum_name(e), e->name);
  for (const bind_handle *h = ir->handles; h < ir->handles + ir->handle_count; h++)
    bind_add_name(&set, rust_handle_name(h), h->name);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) rust_add_names(&set, f);
  return set.clash;
}

int bind_emit_rust(const bind_ir *ir, bind_out *out) {
  if (rust_names_clash(ir)) return 1;
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
