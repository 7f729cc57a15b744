/* SPDX-License-Identifier: Apache-2.0 */
/* A Rust crate: safe functions over an extern block, a build script for its C, and a manifest. */
#include "rust.h"
#include "bind/base/escape.h"
#include "bind/base/template.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include <stdlib.h>
#include <string.h>

/* Append the functions of a handle in its impl, or those without a handle. */
static void rust_put_functions(bind_text *t, const bind_ir *ir, const bind_handle *home) {
  bind_text methods = {.unit = t->unit, .depth = 1};
  for (const bind_function *f = NULL;
       (f = home ? bind_next_at(home, f) : bind_next_function(ir, f));) {
    if (bind_home(f) != home) {
      continue;
    }
    if (rust_count_options(f)) {
      rust_put_options(t, f);
    }
    rust_put_function(home ? &methods : t, f);
  }
  if (methods.length) {
    bind_line(t, "\nimpl %s {", rust_handle_name(home));
    bind_raw(t, methods.data + 1, methods.length - 1); /* without the first blank line */
    bind_line(t, "}");
  }
  bind_text_free(&methods);
}

static const char rust_lib[] =
    "$docs\n"
    "//!\n"
    "//! Pass tensors as [`dlferry::Tensor`]s, slices, vectors, arrays or views of ndarray; none "
    "is copied or\n"
    "//! converted. A call that breaks a contract returns an error before the function runs.\n"
    "// The docs come from C comments, and a header may not need all imports.\n"
    "#![allow(clippy::too_many_arguments, clippy::derivable_impls, unused_imports)]\n"
    "#![allow(clippy::doc_lazy_continuation)]\n"
    "#![allow(clippy::doc_overindented_list_items)]\n"
    "#![allow(rustdoc::broken_intra_doc_links)]\n"
    "#![allow(rustdoc::invalid_html_tags, rustdoc::bare_urls)]\n"
    "\n"
    "mod ffi;\n"
    "\n"
    "use dlferry::arg::{Arg, ArgMut, Object, Slot, Unshared};\n"
    "use dlferry::plumbing::{self, Given, List, Terminated, Text, Texts};\n"
    "use dlferry::{LocalTensor, Result, Tensor};\n"
    "$items\n";

/* `pub mod fft`: the names of one header, in rustfmt's order. */
static void rust_put_submodule(bind_text *t, const bind_ir *ir, int header) {
  bind_names set = {.language = "Rust"};
  bool deprecates = false;
  BIND_EACH_ENUM (e, ir) {
    if (e->header == header) {
      bind_add_name(&set, rust_enum_name(e), e->name);
    }
  }
  BIND_EACH_STRUCT(s, ir) {
    if (s->header == header) {
      bind_add_name(&set, rust_struct_name(s), s->name);
    }
  }
  BIND_EACH_HANDLE (h, ir) {
    if (h->header == header && h->used) {
      bind_add_name(&set, rust_handle_name(h), h->name);
    }
  }
  BIND_EACH_FUNCTION (f, ir) {
    if (f->header == header) {
      rust_add_names(ir, f, &set, &(bind_names){.language = "Rust"});
      deprecates |= f->deprecated != NULL;
    }
  }
  if (set.index.count) {
    qsort(set.index.names, (size_t)set.index.count, sizeof *set.index.names, bind_by_name);
  }
  bind_line(t, "\n/// The names of `%s`.", ir->headers[header].name);
  if (deprecates) {
    bind_line(t, "#[allow(deprecated)]");
  }
  bind_open(t, "pub mod %s {", bind_escape(ir->modules[header], rust_words));
  for (int i = 0; i < set.index.count; i++) {
    if (!strstr(set.index.names[i], "::")) {
      bind_line(t, "pub use super::%s;", set.index.names[i]);
    }
  }
  bind_close(t, "}");
}

static const char *rust_lib_of(const bind_ir *ir) {
  bind_text items = {.unit = "    "};
  BIND_EACH_ENUM (e, ir) {
    rust_put_enum(&items, e);
  }
  BIND_EACH_STRUCT(s, ir) {
    rust_put_struct(&items, s);
  }
  BIND_EACH (const bind_constant, c, ir->constants, ir->constant_count) {
    bind_fill(&items,
              "\n"
              "/// The constant `$c`.\n"
              "pub const $name: $scalar = $value;\n",
              {"c", c->name},
              {"name", bind_upper(c->short_name)},
              {"scalar", bind_scalar_name(c->scalar)},
              {"value", c->text});
  }
  BIND_EACH_HANDLE (h, ir) {
    if (!h->used) {
      continue;
    }
    rust_put_handle(&items, h);
    rust_put_functions(&items, ir, h);
  }
  rust_put_functions(&items, ir, NULL);
  for (int i = 0; ir->modules && i < ir->header_count; i++) {
    rust_put_submodule(&items, ir, i);
  }
  const char *summary = bind_said_or(ir->summary, bind_string("The functions of %s.", ir->title));
  return bind_filled(rust_lib, {"docs", rust_doc("//! ", summary)}, {"items", bind_keep(&items)});
}

static const char rust_ffi[] =
    "//! The checked functions that $checked declares.\n"
    "#![allow(non_snake_case, non_camel_case_types, dead_code, unused_imports)]\n"
    "\n"
    "use dlferry::ffi::*;\n"
    "use std::ffi::c_char;\n"
    "\n"
    "$handles\n"
    "unsafe extern \"C\" {\n"
    "$functions\n"
    "}\n";

static const char *rust_ffi_of(const bind_ir *ir) {
  bind_text handles = {0};
  bind_text functions = {.unit = "    ", .depth = 1};
  BIND_EACH_STRUCT(s, ir) {
    rust_put_layout(&handles, &functions, s);
  }
  BIND_EACH_HANDLE (h, ir) {
    if (!h->used) {
      continue;
    }
    bind_fill(&handles,
              "#[repr(C)]\n"
              "pub struct $name {\n"
              "    _unused: [u8; 0],\n"
              "}\n"
              "\n",
              {"name", h->name});
    if (h->free_name) {
      bind_line(&functions, "pub fn %s(owned: *mut %s);", h->free_checked_name, h->name);
    }
  }
  if (bind_free_text(ir)) {
    bind_line(&functions, "pub fn %s(owned: *const c_char);", bind_free_text(ir));
  }
  BIND_EACH_FUNCTION (f, ir) {
    rust_put_externs(&functions, f);
  }
  return bind_filled(rust_ffi,
                     {"checked", ir->twin_h.name},
                     {"handles", bind_keep(&handles)},
                     {"functions", bind_keep(&functions)});
}

static const char rust_build[] =
    "//! Builds the functions and their checks.\n"
    "\n"
    "fn main() {\n"
    "    println!(\"cargo::rerun-if-changed=csrc\");\n"
    "    let include = std::env::var(\"DEP_DLFERRY_INCLUDE\").expect(\"dlferry-sys names its "
    "headers\");\n"
    "    let sources = [\n"
    "        \"csrc/$checked\",\n"
    "        $sources\n"
    "    ];\n"
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
    "// The package has no C sources, so it links the library, from ${upper}_LIBRARY_DIR if that "
    "is set.\n"
    "println!(\"cargo::rerun-if-env-changed=${upper}_LIBRARY_DIR\");\n"
    "if let Ok(folder) = std::env::var(\"${upper}_LIBRARY_DIR\") {\n"
    "    println!(\"cargo::rustc-link-search=native={folder}\");\n"
    "}\n"
    "println!(\"cargo::rustc-link-lib=$name\");\n";

static const char *rust_build_of(const bind_ir *ir) {
  bind_text sources = {0};
  bind_text links = {0};
  BIND_EACH (const bind_file, source, ir->sources, ir->source_count) {
    const char *dot = strrchr(source->name, '.');
    if (dot && !strcmp(dot, ".c")) {
      bind_line(&sources, "\"csrc/%s\",", source->name);
    }
  }
  for (int i = 0; i < ir->link_count; i++) {
    bind_line(&links, "println!(\"cargo::rustc-link-lib=%s\");", ir->links[i]);
  }
  return bind_filled(
      rust_build,
      {"name", ir->name},
      {"checked", ir->twin_c.name},
      {"sources", bind_keep(&sources)},
      {"links", bind_keep(&links)},
      {"library",
       ir->source_count || ir->link_count
           ? ""
           : bind_filled(rust_library, {"name", ir->name}, {"upper", bind_upper(ir->name)})});
}

static const char rust_manifest[] =
    "[package]\n"
    "name = \"$name\"\n"
    "version = \"$own\"\n"
    "edition = \"2021\"\n"
    "rust-version = \"1.82\"\n"
    "description = \"$description\"\n"
    "$license\n"
    "$authors\n"
    "$homepage\n"
    "links = \"${name}_dlferry\"\n"
    "\n"
    "[lib]\n"
    "# Code in C comments is not Rust.\n"
    "doctest = false\n"
    "\n"
    "[features]\n"
    "# Accept arrays of ndarray, and elements of the crates half and num-complex.\n"
    "ndarray = [\"dlferry/ndarray\"]\n"
    "half = [\"dlferry/half\"]\n"
    "num-complex = [\"dlferry/num-complex\"]\n"
    "\n"
    "[dependencies]\n"
    "# This package needs at least the version that it was generated for.\n"
    "dlferry = $dlferry\n"
    "dlferry-sys = \"$version\"\n"
    "\n"
    "[build-dependencies]\n"
    "cc = \"1.1\"\n";

static const char *rust_manifest_of(const bind_ir *ir) {
  const char *summary = bind_said_or(ir->summary, bind_string("The functions of %s", ir->title));
  const char *license = bind_said_or(ir->package.license, ir->license);
  return bind_filled(
      rust_manifest,
      {"name", ir->name},
      {"version", ir->version},
      {"description", bind_doc_escape(BIND_DOC_STRING, summary)},
      {"dlferry",
       bind_string(bind_any_kind(ir, BIND_COMPLEX)
                       ? "{ version = \"%s\", features = [\"num-complex\"] }"
                       : "\"%s\"",
                   ir->version)},
      {"own", bind_package_version(ir)},
      {"authors", bind_author_list(ir)},
      {"homepage",
       bind_when(*ir->package.homepage, bind_string("homepage = \"%s\"", ir->package.homepage))},
      {"license", bind_when(*license, bind_string("license = \"%s\"", license))});
}

/* Generated lines may be long. */
static const char *rust_formatter_of(const bind_ir *ir) {
  (void)ir;
  return "# Formatting a workspace leaves this generated crate as it is.\n"
         "disable_all_formatting = true\n";
}

/* Two names that differ in C may be equal in Rust: N and n, or blur_into beside blur. */
bool rust_settle_names(bind_ir *ir) {
  bind_names set = {.language = "Rust"};
  if (!rust_is_crate(ir->name)) {
    bind_error("--name %s: no Rust crate that others use can have this name", ir->name);
    return false;
  }
  BIND_EACH_ENUM (e, ir) {
    bind_add_name(&set, rust_enum_name(e), e->name);
  }
  BIND_EACH_STRUCT(s, ir) {
    bind_add_name(&set, rust_struct_name(s), s->name);
  }
  BIND_EACH_HANDLE (h, ir) {
    bind_add_name(&set, rust_handle_name(h), h->name);
  }
  return bind_leave_out_clashes(ir, &set, rust_add_names);
}

static const struct {
  const char *path;
  bind_file_kind kind;
  const char *(*text_of)(const bind_ir *ir);
} rust_files[] = {
    {"rust/src/lib.rs", BIND_SLASHES_FILE, rust_lib_of},
    {"rust/src/ffi.rs", BIND_SLASHES_FILE, rust_ffi_of},
    {"rust/build.rs", BIND_SLASHES_FILE, rust_build_of},
    {"rust/Cargo.toml", BIND_MANIFEST, rust_manifest_of},
    {"rust/rustfmt.toml", BIND_HASH_FILE, rust_formatter_of},
};

void bind_emit_rust(const bind_ir *ir, bind_out *out) {
  for (size_t i = 0; i < sizeof rust_files / sizeof *rust_files; i++) {
    bind_write_filled(ir,
                      out,
                      rust_files[i].kind,
                      rust_files[i].path,
                      "$text\n",
                      {"text", rust_files[i].text_of(ir)});
  }
}
