/* SPDX-License-Identifier: Apache-2.0 */
/* The Go package: NAME.go over a C header of static functions that cgo calls, with all C that it
 * needs. */
#include "go.h"
#include "bind/base/embedded.h"
#include "bind/base/names.h"
#include "bind/cases/cases.h"
#include "bind/emit/package.h"
#include "bind/emit/query.h"
#include "parts.h"
#include <string.h>

#define GO_HUB "github.com/dlferry/dlferry/bindings/go"

static bool go_includes_dlpack(const bind_ir *ir) {
  bool found = strstr(ir->twin_h.data, "dlpack/dlpack.h");
  for (int i = 0; i < ir->header_count; i++) {
    found |= strstr(ir->headers[i].data, "dlpack/dlpack.h") != NULL;
  }
  BIND_EACH (const bind_file, source, ir->sources, ir->source_count) {
    found |= strstr(source->data, "dlpack/dlpack.h") != NULL;
  }
  return found;
}

/* ---- names that clash: the compiler would report them in the generated file only ---- */

/* Go reserves some names, and the name of a file may have a meaning, as in my_test.go or
 * my_windows.go. */
static bool go_has_name(const bind_ir *ir) {
  const size_t length = strlen(ir->name);
  const bool test = length >= 5 && strcmp(ir->name + length - 5, "_test") == 0;
  if (!test && !bind_word_in(ir->name, GO_KEYWORDS " main")) {
    return true;
  }
  bind_error("--name %s: no Go package that others import can have this name", ir->name);
  return false;
}

/* Enumerators are constants of the package: one whose name is taken keeps the prefix. */
static void go_settle_enumerators(const bind_ir *ir, bind_names *set) {
  BIND_EACH (const bind_enum, e, ir->enums, ir->enum_count) {
    BIND_EACH (bind_enumerator, v, e->values, e->count) {
      const char *other = bind_find_name(set, bind_pascal(v->short_name));
      if (other) {
        bind_error("%s:%d: %s is called %s in Go, since %s is called %s",
                   ir->headers[e->header].name,
                   e->line,
                   v->name,
                   bind_pascal(v->name),
                   other,
                   bind_pascal(v->short_name));
        v->short_name = v->name;
      }
      bind_add_name(set, bind_pascal(v->short_name), v->name);
    }
  }
}

static void go_add_names(const bind_ir *ir, const bind_function *f, bind_names *own,
                         bind_names *locals) {
  const char *type = "";
  if (f->method_of) {
    type = bind_string("%s.", bind_pascal(f->method_of->short_name));
  }
  for (int make = 0; make <= (f->new_name != NULL); make++) {
    bind_add_name(
        own, bind_string("%s%s", type, go_function_name(&(go_call){ir, f, make})), f->name);
  }
  if (go_first_option(f)) {
    bind_add_name(own, go_options_name(f), bind_string("the options of %s", f->name));
  }
  BIND_EACH_PARAM (p, f) {
    bind_add_name(locals, go_argument(p), bind_string("%s: %s", f->name, p->name));
  }
}

bool go_settle_names(bind_ir *ir) {
  bind_names set = {.language = "Go"};
  if (!go_has_name(ir)) {
    return false;
  }
  BIND_EACH (const bind_enum, e, ir->enums, ir->enum_count) {
    bind_add_name(&set, bind_pascal(e->short_name), e->name);
  }
  BIND_EACH (const bind_handle, h, ir->handles, ir->handle_count) {
    bind_add_name(&set, bind_pascal(h->short_name), h->name);
  }
  go_settle_enumerators(ir, &set);
  if (set.clash) {
    bind_error("%s", set.clash);
  }
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    bind_names own = {.language = "Go"};
    bind_names locals = {.language = "Go"};
    if (f->unbound || f->family) {
      continue;
    }
    go_add_names(ir, f, &own, &locals);
    bind_settle(ir, f, &set, &own, &locals);
  }
  return !set.clash;
}

/* ---- NAME.go ---- */

static const char go_package[] =
    "$doc\n"
    "//\n"
    "// Pass tensors as *dlferry.Tensor or as dlferry.Of(slice, shape...); neither is copied. A "
    "call that breaks a\n"
    "// contract returns an error before the C function runs. The C code must not call back into "
    "Go.\n"
    "package $package\n"
    "\n"
    "// #cgo CFLAGS: -std=gnu11 -O2 -fvisibility=hidden -DDLF_HIDDEN -I$${SRCDIR}\n"
    "// #cgo LDFLAGS:$links -lm\n"
    "$shims\n"
    "// #include \"${package}_go.h\"\n"
    "import \"C\"\n"
    "\n"
    "import (\n"
    "\t$imports\n"
    "\t$hub\n"
    "\t\"" GO_HUB "/generated\"\n"
    "\t$dlpack\n"
    ")\n"
    "$body\n";

static const char go_vendored[] =
    "\n_ \"%s/dlpack\" // go mod vendor copies a header only with a Go package";

static const char go_flat[] = "\n"
                              "func flat(f generated.Flat) C.dlfgo_flat {\n"
                              "\treturn C.dlfgo_flat{\n"
                              "\t\tdata:    (*C.uint8_t)(f.Data),\n"
                              "\t\tshape:   (*C.int64_t)(unsafe.Pointer(f.Shape)),\n"
                              "\t\tstrides: (*C.int64_t)(unsafe.Pointer(f.Strides)),\n"
                              "\t\tabout:   C.uint64_t(f.About),\n"
                              "\t}\n"
                              "}\n";

/* Tell whether a parameter of any function is of this kind. */
static bool go_has(const bind_ir *ir, bind_kind kind) {
  BIND_EACH_FUNCTION (f, ir) {
    if (bind_has_kind(f, kind)) {
      return true;
    }
  }
  return false;
}

static bool go_has_maybe(const bind_ir *ir) {
  BIND_EACH_FUNCTION (f, ir) {
    BIND_EACH_PARAM (p, f) {
      if (bind_is_maybe(p)) {
        return true;
      }
    }
  }
  return false;
}

/* Tell whether code has a word, besides comments: Go refuses an import that nothing uses. */
static bool go_mentions(const char *code, const char *word) {
  for (const char *line = code; line; line = strchr(line, '\n')) {
    line += strspn(line, "\n\t");
    const char *const text = bind_string("%.*s", (int)strcspn(line, "\n"), line);
    if (strncmp(text, "//", 2) != 0 && strstr(text, word)) {
      return true;
    }
  }
  return false;
}

/* Go's manifest has no place for it. */
static const char *go_home(const bind_ir *ir) {
  if (*ir->package.homepage) {
    return bind_string("See %s.", ir->package.homepage);
  }
  return "";
}

/* The fields of all forms of all functions, in the order of go_next_call: what is written in Go and
 * in C has the same. */
static const bind_field **go_fields_of_all(const bind_ir *ir) {
  const bind_field **all = bind_alloc(2 * (size_t)ir->function_count + 1, sizeof *all);
  int count = 0;
  for (go_call call = {.ir = ir}; go_next_call(&call);) {
    all[count++] = go_fields(&call);
  }
  return all;
}

static void go_emit_package(const bind_ir *ir, bind_out *out, const bind_field **fields) {
  const bool tensors = go_has(ir, BIND_TENSOR);
  const bool pointers = go_has(ir, BIND_ARRAY) || go_has(ir, BIND_STRING) || go_has_maybe(ir);
  const char *imports = bind_string("%s%s",
                                    bind_when(ir->enum_count, "\"strconv\"\n"),
                                    bind_when(tensors || pointers, "\"unsafe\"\n"));
  const char *summary;
  if (*ir->summary) {
    summary = ir->summary;
  } else {
    summary = bind_string("%s for Go.", ir->name);
  }
  bind_text body = {0};
  bind_text shims = {0};
  bind_text links = {0};
  bind_put(&body, "%s", tensors ? go_flat : "");
  BIND_EACH (const bind_enum, e, ir->enums, ir->enum_count) {
    go_put_enum(&body, e);
  }
  BIND_EACH (const bind_constant, c, ir->constants, ir->constant_count) {
    bind_fill(&body,
              "\n// $name is the constant $c.\nconst $name = $value\n",
              {"name", bind_pascal(c->short_name)},
              {"c", c->name},
              {"value", c->text});
  }
  BIND_EACH (const bind_handle, h, ir->handles, ir->handle_count) {
    go_put_handle(&body, h);
  }
  for (go_call call = {.ir = ir}; go_next_call(&call);) {
    go_put_function(&body, &call, *fields++);
    bind_fill(
        &shims, "// #cgo noescape $shim\n// #cgo nocallback $shim\n", {"shim", go_shim(&call)});
  }
  for (int i = 0; i < ir->link_count; i++) {
    bind_put(&links, " -l%s", ir->links[i]);
  }
  const char *const code = bind_keep(&body);
  go_write(ir,
           out,
           bind_string(strchr(ir->name, '_') ? "go/%s_go.go" : "go/%s.go", ir->name),
           go_package,
           {"package", ir->name},
           {"doc", go_doc(bind_string("Package %s", ir->name), summary, go_home(ir))},
           {"links", bind_keep(&links)},
           {"shims", bind_keep(&shims)},
           {"imports", bind_when(*imports, bind_string("%s\n", imports))},
           {"hub", bind_when(go_mentions(code, "dlferry."), "dlferry \"" GO_HUB "\"")},
           {"dlpack", go_includes_dlpack(ir) ? bind_string(go_vendored, ir->go_module) : ""},
           {"body", code});
}

static const char go_c[] = "/* The C that $package.go calls. Tensors arrive by value and become "
                           "DLTensors on C's stack. */\n"
                           "#ifndef ${guard}_GO_H\n"
                           "#define ${guard}_GO_H\n"
                           "\n"
                           "#include \"$checked\"\n"
                           "#include \"dlferry_go.h\"\n"
                           "\n"
                           "$shims\n"
                           "#endif\n";

static void go_emit_c(const bind_ir *ir, bind_out *out, const bind_field **fields) {
  bind_text shims = {0};
  BIND_EACH (const bind_handle, h, ir->handles, ir->handle_count) {
    bind_fill(&shims,
              "DLFERRY_GO void $shim(void *owned) { $free(${cast}owned); }\n\n",
              {"shim", go_free_shim(ir, h)},
              {"free", h->free_checked_name},
              {"cast", bind_cast_handle(h)});
  }
  for (go_call call = {.ir = ir}; go_next_call(&call);) {
    go_put_shim(&shims, &call, *fields++);
  }
  go_write(ir,
           out,
           bind_string("go/%s_go.h", ir->name),
           go_c,
           {"package", ir->name},
           {"guard", bind_upper(ir->name)},
           {"checked", ir->twin_h.name},
           {"shims", bind_keep(&shims)});
}

static const char go_module[] = "module $module\n"
                                "\n"
                                "go 1.24\n"
                                "\n"
                                "require " GO_HUB " v$version\n";

/* Without cgo, for example without a C compiler, Go reports only that all files are excluded; the
 * hub says what to do. */
static const char go_nocgo[] = "//go:build !cgo\n"
                               "\n"
                               "package $package\n"
                               "\n"
                               "import _ \"" GO_HUB "\" // its build error says what is missing\n";

static const char go_dlpack[] = "// Package $package holds a C header.\n"
                                "package $package\n";

static void go_emit_lines(const char *path, const char *const *lines, bind_out *out) {
  bind_text t = {0};
  for (; *lines; lines++) {
    bind_raw(&t, *lines, strlen(*lines));
  }
  bind_write(out, path, &t);
  bind_text_free(&t);
}

/* Kernels include <dlferry.h>, which the package carries, since cgo cannot look into the hub's
 * module. If they include <dlpack/dlpack.h>, its folder becomes a Go package, since `go mod vendor`
 * drops other folders. */
int bind_emit_go(const bind_ir *ir, bind_out *out) {
  const bind_field **fields = go_fields_of_all(ir);
  go_emit_package(ir, out, fields);
  go_emit_c(ir, out, fields);
  go_write(ir, out, bind_string("go/%s_nocgo.go", ir->name), go_nocgo, {"package", ir->name});
  if (!ir->go_inside) {
    go_write(ir, out, "go/go.mod", go_module, {"module", ir->go_module}, {"version", ir->version});
  }
  go_emit_lines("go/dlferry.h", bind_embedded_dlferry_h, out);
  go_emit_lines("go/dlferry_go.h", bind_embedded_dlferry_go_h, out);
  if (go_includes_dlpack(ir)) {
    go_write(ir, out, "go/dlpack/dlpack.h", "#include \"../$header\"\n", {"header", "dlferry.h"});
    go_write(ir, out, "go/dlpack/dlpack.go", go_dlpack, {"package", "dlpack"});
  }
  bind_copy_sources(out, "go", ir);
  bind_copy_licenses(out, "go", ir);
  if (bind_has_cases(ir)) {
    go_emit_tests(ir, out);
  }
  return 0;
}
