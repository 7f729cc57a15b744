/* SPDX-License-Identifier: Apache-2.0 */
/* The Go package: NAME.go over a C header of static functions that cgo calls, beside all the C that it needs.
 *
 * cgo's types belong to one package and C must not be given Go memory that points to other Go memory, so a tensor
 * travels by value as dlferry.Flat, and the C side makes a DLTensor of it on its own stack. */
#include "emit.h"
#include <stdio.h>
#include <string.h>

#define HUB "github.com/dlferry/dlferry/bindings/go"

extern const char *const bind_go_header[]; /* dlferry.h line by line, NULL at the end; in emit_go_header.c */

/* Keywords, and what the emitted functions use; their own locals end in a number after '_', which no parameter does. */
static const char reserved[] =
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var any bool error false nil true string int32 uint32 int64 uint64 float32 "
    "float64 int8 int16 uint8 uint16 dlferry errors runtime strconv unsafe err failure status options value flat";

/* A parameter's name: maxCount from max_count. */
static const char *local(const char *name) {
  char *word = bind_string("%s", bind_pascal(name));
  if (*word >= 'A' && *word <= 'Z') *word = (char)(*word - 'A' + 'a');
  return *word ? bind_escape(word, reserved) : "arg";
}

static const char *go_type(const bind_type *type) {
  static const char *const scalars[] = {"",       "int8",   "int16",  "int32",   "int64",  "uint8",
                                        "uint16", "uint32", "uint64", "float32", "float64"};
  switch (type->kind) {
  case BIND_TENSOR: return "dlferry.Arg";
  case BIND_BOOL: return "bool";
  case BIND_STRING: return "string";
  case BIND_ENUM: return bind_pascal(type->enumeration->short_name);
  default: return scalars[type->scalar];
  }
}

/* The C type of the same value where Go and C meet. */
static const char *shim_type(const bind_type *type) {
  static const char *const scalars[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                        "uint16_t", "uint32_t", "uint64_t", "float",   "double"};
  if (type->kind == BIND_BOOL) return "bool";
  if (type->kind == BIND_STRING) return "const char *";
  return scalars[type->scalar];
}

static bool is_option(const bind_param *p) { return p->def.kind != BIND_NO_DEFAULT; }

static bool has_options(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (is_option(&f->params[i])) return true;
  return false;
}

/* ---- docs: gofmt rewrites indented lines, lists and headings, so none of these may come from a C comment ---- */

static const char *one_line(const char *doc) {
  char *line = bind_string("%s", doc);
  for (char *c = line; *c; c++)
    if (*c == '\n') *c = ' ';
  return bind_doc_escape(BIND_DOC_LINE, line);
}

static void put_doc(bind_text *t, const char *lead, const char *doc) {
  bool alone = true; /* begins a paragraph */
  while (*doc) {
    size_t size = strcspn(doc, "\n"), skip = strspn(doc, " #*+-\t");
    if (skip > size) skip = size;
    const char *line = bind_string("%.*s", (int)(size - skip), doc + skip);
    doc += size + (doc[size] == '\n');
    /* A paragraph of one line without a full stop would be taken for a heading. */
    bool heading = alone && *line && (*doc == 0 || *doc == '\n') && !strchr(".:;!?)", line[strlen(line) - 1]);
    if (*line)
      bind_put_doc(t, BIND_DOC_LINE, lead, heading ? bind_string("%s.", line) : line);
    else
      bind_line(t, "//");
    alone = !*line;
  }
}

/* "Blur: blur an image." from "Blur an image." */
static void put_summary(bind_text *t, const char *name, const char *summary) {
  char *text = bind_string("%s", one_line(summary));
  if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') text[0] = (char)(text[0] - 'A' + 'a');
  if (*text)
    bind_line(t, "// %s: %s", name, text);
  else
    bind_line(t, "// %s", name);
}

static void put_paragraph(bind_text *t, const char *doc) {
  if (!*doc) return;
  bind_line(t, "//");
  put_doc(t, "// ", doc);
}

static const char *default_value(const bind_default *d) {
  switch (d->kind) {
  case BIND_DEFAULT_BOOL: return d->truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR: return bind_pascal(d->enumerator->short_name);
  case BIND_DEFAULT_STRING: return bind_string("\"%s\"", d->text);
  default: return d->text;
  }
}

/* ": values of any range; f32[h, w]; default 1.0": whatever there is. */
static const char *about(const bind_param *p) {
  const char *parts[] = {p->doc, p->contract, p->limits, "", p->optional ? "may be nil" : ""};
  char *text = "";
  if (is_option(p)) parts[3] = bind_string("default %s", default_value(&p->def));
  for (int i = 0; i < 5; i++)
    if (*parts[i]) text = bind_string("%s%s%s", text, *text ? "; " : ": ", parts[i]);
  return one_line(text);
}

/* make: without the outputs that the call makes. */
static void put_function_doc(bind_text *t, const bind_function *f, const char *name, bool make) {
  put_summary(t, name, f->summary);
  put_paragraph(t, f->description);
  if (f->param_count || *f->returns_doc) bind_line(t, "//");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *who = is_option(p) ? bind_string("options.%s", bind_pascal(p->name)) : local(p->name);
    bind_line(t, "//   - %s%s%s", who, make && p->made ? ", the result" : "", about(p));
  }
  if (f->returns == BIND_RETURN_VALUE && *f->returns_doc) bind_line(t, "//   - returns %s", one_line(f->returns_doc));
  if (*f->contract) bind_line(t, "//\n// Contract: %s", one_line(f->contract));
  bind_line(t, "//");
  bind_line(t, "// C: %s", f->name);
}

/* ---- NAME_go.h ---- */

static void put_shim(bind_text *t, const bind_ir *ir, const bind_function *f, bool make) {
  int tensors = 0;
  bind_put(t, "static inline dlf_status %s_go_%s%s(", ir->name, f->short_name, make ? "_new" : "");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (make && p->made)
      bind_put(t, "DLManagedTensorVersioned **%s, ", p->name);
    else if (p->type.kind == BIND_TENSOR)
      bind_put(t, "%s_go_flat %s, ", ir->name, p->name), tensors++;
    else
      bind_put(t, "%s %s, ", shim_type(&p->type), p->name);
  }
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "%s *result, ", shim_type(&f->result));
  bind_open(t, "dlf_error *error) {");
  if (tensors) bind_line(t, "DLTensor dlf_tensors[%d];", tensors);
  if (f->returns == BIND_RETURN_VALUE) bind_line(t, "%sdlf_result = 0;", f->result.c);
  bind_put(t, "%s%s(", f->returns == BIND_RETURN_VALUE ? "dlf_status dlf_got = " : "return ",
           make ? f->new_name : f->checked_name);
  for (int i = 0, n = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (p->type.kind == BIND_TENSOR && !(make && p->made))
      bind_put(t, "%s_go_arg(&%s, &dlf_tensors[%d]), ", ir->name, p->name, n++);
    else if (p->type.kind == BIND_ENUM)
      bind_put(t, "(%s)%s, ", p->type.enumeration->c, p->name);
    else
      bind_put(t, "%s, ", p->name);
  }
  if (f->returns == BIND_RETURN_VALUE) {
    bind_line(t, "&dlf_result, error);");
    bind_line(t, "*result = (%s)dlf_result;", shim_type(&f->result));
    bind_line(t, "return dlf_got;");
  } else {
    bind_line(t, "error);");
  }
  bind_close(t, "}");
}

static void emit_shims(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  const char *guard = bind_upper(ir->name);
  bind_first_line(&t, ir, "/*", "*/", "go");
  bind_line(&t, "/* What %s.go calls: tensors arrive by value, and become DLTensors on this side's stack. */",
            ir->name);
  bind_line(&t, "#ifndef %s_GO_H", guard);
  bind_line(&t, "#define %s_GO_H\n", guard);
  bind_line(&t, "#include \"%s\"\n", ir->checked_h.name);
  bind_line(&t, "/* dlferry.Flat, field by field. */");
  bind_open(&t, "typedef struct %s_go_flat {", ir->name);
  bind_line(&t, "uint8_t *data;");
  bind_line(&t, "int64_t *shape, *strides;");
  bind_line(&t, "uint64_t byte_offset, flags;");
  bind_line(&t, "uint32_t dtype;");
  bind_line(&t, "int32_t ndim, device_type, device_id;");
  bind_close(&t, "} %s_go_flat;\n", ir->name);
  bind_open(&t, "static inline dlf_arg %s_go_arg(const %s_go_flat *flat, DLTensor *tensor) {", ir->name, ir->name);
  bind_line(&t, "if (flat->ndim < 0) return (dlf_arg){NULL, 0}; /* absent */");
  bind_line(&t, "*tensor = (DLTensor){flat->data, {(DLDeviceType)flat->device_type, flat->device_id}, flat->ndim,");
  bind_line(&t,
            "                     {(uint8_t)flat->dtype, (uint8_t)(flat->dtype >> 8), (uint16_t)(flat->dtype >> 16)},");
  bind_line(&t, "                     flat->shape, flat->strides, flat->byte_offset};");
  bind_line(&t, "return (dlf_arg){tensor, flat->flags};");
  bind_close(&t, "}\n");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    put_shim(&t, ir, f, false);
    if (f->new_name) put_shim(&t, ir, f, true);
    bind_raw(&t, "\n", 1);
  }
  bind_line(&t, "#endif");
  bind_write(out, bind_string("go/%s_go.h", ir->name), &t);
  bind_text_free(&t);
}

/* ---- NAME.go: types ---- */

static void put_enum(bind_text *t, const bind_enum *e) {
  const char *name = bind_pascal(e->short_name), *type = e->scalar == BIND_U32 ? "uint32" : "int32";
  put_summary(t, name, e->summary);
  put_paragraph(t, e->description);
  bind_line(t, "type %s %s\n", name, type);
  bind_line(t, "// The values of %s.", name);
  bind_open(t, "const (");
  for (int i = 0; i < e->count; i++) {
    if (i) bind_raw(t, "\n", 1);
    put_summary(t, bind_pascal(e->values[i].short_name), e->values[i].doc);
    bind_line(t, "%s %s = %lld", bind_pascal(e->values[i].short_name), name, (long long)e->values[i].value);
  }
  bind_close(t, ")\n");
  bind_line(t, "// String names the value as the constant is named.");
  bind_open(t, "func (v %s) String() string {", name);
  bind_line(t, "switch v {");
  for (int i = 0; i < e->count; i++) {
    bool seen = false; /* Go refuses a case twice */
    for (int j = 0; j < i; j++) seen |= e->values[j].value == e->values[i].value;
    if (seen) continue;
    bind_open(t, "case %s:", bind_pascal(e->values[i].short_name));
    bind_line(t, "return \"%s\"", bind_pascal(e->values[i].short_name));
    t->depth--;
  }
  bind_line(t, "}");
  bind_line(t, "return \"%s(\" + strconv.FormatInt(int64(v), 10) + \")\"", name);
  bind_close(t, "}\n");
}

static void put_options(bind_text *t, const bind_function *f, const char *name) {
  bool first = true;
  bind_line(t, "// %sOptions holds the parameters of %s that have a default.", name, name);
  bind_open(t, "type %sOptions struct {", name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!is_option(p)) continue;
    if (!first) bind_raw(t, "\n", 1);
    first = false;
    bind_line(t, "// %s%s", bind_pascal(p->name), about(p));
    bind_line(t, "%s %s", bind_pascal(p->name), go_type(&p->type));
  }
  bind_close(t, "}\n");
  bind_line(t, "// Default%sOptions returns the defaults of the C header.", name);
  bind_open(t, "func Default%sOptions() %sOptions {", name, name);
  bind_put(t, "return %sOptions{", name);
  first = true;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!is_option(p)) continue;
    bind_put(t, "%s%s: %s", first ? "" : ", ", bind_pascal(p->name), default_value(&p->def));
    first = false;
  }
  bind_line(t, "}");
  bind_close(t, "}\n");
}

/* ---- NAME.go: functions ---- */

static void put_signature(bind_text *t, const bind_function *f, const char *name, bool make) {
  bool options = false, first = true;
  bind_put(t, "func %s(", name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if ((make && p->made) || (is_option(p) && options)) continue;
    bind_put(t, "%s", first ? "" : ", ");
    first = false;
    if (is_option(p)) {
      bind_put(t, "options %sOptions", bind_pascal(f->short_name));
      options = true;
    } else {
      bind_put(t, "%s %s", local(p->name), go_type(&p->type));
    }
  }
  int results = (make ? bind_count_made(f) : 0) + (f->returns == BIND_RETURN_VALUE);
  bind_put(t, ") %s", results ? "(" : "");
  for (int i = 0; make && i < f->param_count; i++)
    if (f->params[i].made) bind_put(t, "*dlferry.Tensor, ");
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "%s, ", go_type(&f->result));
  bind_open(t, "error%s {", results ? ")" : "");
}

/* "nil, 0, " in front of an error. */
static const char *nothing(const bind_function *f, bool make) {
  char *text = "";
  for (int i = make ? bind_count_made(f) : 0; i > 0; i--) text = bind_string("%snil, ", text);
  if (f->returns != BIND_RETURN_VALUE) return text;
  return bind_string("%s%s, ", text,
                     f->result.kind == BIND_BOOL     ? "false"
                     : f->result.kind == BIND_STRING ? "\"\""
                                                     : "0");
}

static void put_prepared(bind_text *t, const bind_function *f, const bind_param *p, int i, bool make) {
  const char *name = local(p->name);
  if (is_option(p)) name = bind_string("options.%s", bind_pascal(p->name));
  if (make && p->made) {
    bind_line(t, "var new_%d *C.DLManagedTensorVersioned", i);
    return;
  }
  if (p->type.kind != BIND_TENSOR && p->type.kind != BIND_STRING) return;
  const char *verb = p->type.kind == BIND_STRING ? "Terminate" : p->optional ? "FlattenOptional" : "Flatten";
  bind_put(t, "in_%d, ", i);
  if (p->type.kind == BIND_TENSOR) bind_put(t, "dtype_%d, ", i);
  bind_line(t, "err := dlferry.%s(\"%s: %s\", %s)", verb, f->short_name, p->name, name);
  bind_open(t, "if err != nil {");
  bind_line(t, "return %serr", nothing(f, make));
  bind_close(t, "}");
}

static void put_argument(bind_text *t, const bind_param *p, int i, bool make) {
  const char *name = is_option(p) ? bind_string("options.%s", bind_pascal(p->name)) : local(p->name);
  if (make && p->made)
    bind_put(t, "&new_%d, ", i);
  else if (p->type.kind == BIND_TENSOR)
    bind_put(t, "flat(in_%d, dtype_%d), ", i, i);
  else if (p->type.kind == BIND_STRING)
    bind_put(t, "(*C.char)(unsafe.Pointer(in_%d)), ", i);
  else
    bind_put(t, "C.%s(%s), ", shim_type(&p->type), name);
}

/* One output is imported as it is returned; of several all are, then a failure lets go of the others. */
static void put_results(bind_text *t, const bind_function *f, int made) {
  const char *value = "";
  if (f->returns == BIND_RETURN_VALUE)
    value = bind_string("%s(value), ", f->result.kind == BIND_STRING ? "C.GoString" : go_type(&f->result));
  char *tensors = "", *errors = "";
  for (int i = 0; made && i < f->param_count; i++) {
    if (!f->params[i].made) continue;
    if (made == 1 && !*value) {
      bind_line(t, "return dlferry.FromDLPack(unsafe.Pointer(new_%d))", i);
      return;
    }
    bind_line(t, "out_%d, err_%d := dlferry.FromDLPack(unsafe.Pointer(new_%d))", i, i, i);
    tensors = bind_string("%sout_%d, ", tensors, i);
    errors = bind_string("%s%serr_%d", errors, *errors ? ", " : "", i);
  }
  if (made) {
    bind_open(t, "if err := errors.Join(%s); err != nil {", errors);
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].made) bind_line(t, "out_%d.Close()", i);
    bind_line(t, "return %serr", nothing(f, true));
    bind_close(t, "}");
  }
  bind_line(t, "return %s%snil", tensors, value);
}

static void put_function(bind_text *t, const bind_ir *ir, const bind_function *f, const char *name, bool make) {
  int made = make ? bind_count_made(f) : 0;
  put_function_doc(t, f, name, make);
  put_signature(t, f, name, make);
  for (int i = 0; i < f->param_count; i++) put_prepared(t, f, &f->params[i], i, make);
  if (f->returns == BIND_RETURN_VALUE)
    bind_line(t, "var value %s%s", f->result.kind == BIND_STRING ? "*C.char" : "C.",
              f->result.kind == BIND_STRING ? "" : shim_type(&f->result));
  bind_line(t, "var failure C.dlf_error");
  bind_put(t, "status := C.%s_go_%s%s(", ir->name, f->short_name, make ? "_new" : "");
  for (int i = 0; i < f->param_count; i++) put_argument(t, &f->params[i], i, make);
  if (f->returns == BIND_RETURN_VALUE) bind_put(t, "&value, ");
  bind_line(t, "&failure)");
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_TENSOR && !(make && f->params[i].made))
      bind_line(t, "runtime.KeepAlive(%s)", local(f->params[i].name));
  if (made || f->returns == BIND_RETURN_VALUE) {
    bind_open(t, "if status != 0 {");
    bind_line(t, "return %sdlferry.Failed(int32(status), unsafe.Pointer(&failure))", nothing(f, make));
    bind_close(t, "}");
    put_results(t, f, made);
  } else {
    bind_line(t, "return dlferry.Failed(int32(status), unsafe.Pointer(&failure))");
  }
  bind_close(t, "}\n");
}

/* A function that can make all its outputs is called F, with outputs given FInto. */
static void put_functions(bind_text *t, const bind_ir *ir, const bind_function *f) {
  const char *name = bind_pascal(f->short_name);
  if (has_options(f)) put_options(t, f, name);
  if (f->new_name) put_function(t, ir, f, name, true);
  put_function(t, ir, f, f->new_name ? bind_string("%sInto", name) : name, false);
}

static bool includes_dlpack(const bind_ir *ir) {
  bool found = strstr(ir->header.data, "dlpack/dlpack.h") || strstr(ir->checked_h.data, "dlpack/dlpack.h");
  for (int i = 0; i < ir->source_count; i++) found |= strstr(ir->sources[i].data, "dlpack/dlpack.h") != NULL;
  return found;
}

static void put_head(bind_text *t, const bind_ir *ir) {
  bool tensors = false, several = false;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    int made = f->new_name ? bind_count_made(f) : 0;
    several |= made > 1 || (made && f->returns == BIND_RETURN_VALUE);
    for (int i = 0; i < f->param_count; i++) tensors |= f->params[i].type.kind == BIND_TENSOR;
  }
  bind_first_line(t, ir, "//", "", "go");
  bind_line(t, "// Code generated by dlferry-bind. DO NOT EDIT.\n");
  put_summary(t, bind_string("Package %s", ir->name), *ir->summary ? ir->summary : bind_string("%s for Go.", ir->name));
  bind_line(t, "//");
  bind_line(
      t,
      "// Tensors are passed as a *dlferry.Tensor, or as dlferry.Of(slice, shape...), without a copy. What a contract");
  bind_line(t, "// asks is checked before the C function runs. The C code must not call back into Go.");
  bind_line(t, "package %s\n", ir->name);
  bind_line(t, "// #cgo CFLAGS: -std=gnu11 -O2 -fvisibility=hidden -DDLF_HIDDEN -I${SRCDIR}");
  bind_line(t, "// #cgo LDFLAGS: -lm");
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)
    for (int make = 0; make <= (f->new_name != NULL); make++) {
      bind_line(t, "// #cgo noescape %s_go_%s%s", ir->name, f->short_name, make ? "_new" : "");
      bind_line(t, "// #cgo nocallback %s_go_%s%s", ir->name, f->short_name, make ? "_new" : "");
    }
  bind_line(t, "// #include \"%s_go.h\"", ir->name);
  bind_line(t, "import \"C\"\n");
  bind_open(t, "import (");
  if (several) bind_line(t, "\"errors\"");
  if (tensors) bind_line(t, "\"runtime\"");
  if (ir->enum_count) bind_line(t, "\"strconv\"");
  bind_line(t, "\"unsafe\"\n");
  bind_line(t, "dlferry \"" HUB "\"");
  if (includes_dlpack(ir))
    bind_line(t, "\n_ \"%s/dlpack\" // a header that vendoring would leave behind", ir->go_module);
  bind_close(t, ")\n");
  if (!tensors) return;
  bind_line(t, "// This does not compile with a dlferry whose Flat has another size.");
  bind_line(t, "var _ = [1]struct{}{}[unsafe.Sizeof(dlferry.Flat{})-unsafe.Sizeof(C.%s_go_flat{})]\n", ir->name);
  bind_open(t, "func flat(f *dlferry.Flat, dtype dlferry.DType) C.%s_go_flat {", ir->name);
  bind_line(t, "c := *(*C.%s_go_flat)(unsafe.Pointer(f))", ir->name);
  bind_line(t, "c.dtype = C.uint32_t(dtype)");
  bind_line(t, "return c");
  bind_close(t, "}\n");
}

/* ---- what lies beside ---- */

static void emit_module(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  bind_first_line(&t, ir, "//", "", "go");
  bind_line(&t, "module %s\n\ngo 1.24\n\nrequire " HUB " v%s", ir->go_module, ir->version);
  bind_write(out, "go/go.mod", &t);
  bind_text_free(&t);
}

/* Kernels include <dlferry.h>, and the hub's Go module has it, but cgo cannot look into another module. Where they
 * include <dlpack/dlpack.h> its folder is made a Go package, since `go mod vendor` leaves others behind. */
static void emit_headers(const bind_ir *ir, bind_out *out) {
  bind_text t = {0};
  for (int i = 0; bind_go_header[i]; i++) bind_raw(&t, bind_go_header[i], strlen(bind_go_header[i]));
  bind_write(out, "go/dlferry.h", &t);
  bind_text_free(&t);
  if (!includes_dlpack(ir)) return;
  bind_first_line(&t, ir, "/*", "*/", "go");
  bind_line(&t, "#include \"../dlferry.h\"");
  bind_write(out, "go/dlpack/dlpack.h", &t);
  bind_text_free(&t);
  bind_first_line(&t, ir, "//", "", "go");
  bind_line(&t, "// Code generated by dlferry-bind. DO NOT EDIT.\n");
  bind_line(&t, "// Package dlpack holds a C header.\npackage dlpack");
  bind_write(out, "go/dlpack/dlpack.go", &t);
  bind_text_free(&t);
}

int bind_emit_go(const bind_ir *ir, bind_out *out) {
  bind_text t = {.unit = "\t"};
  put_head(&t, ir);
  for (int i = 0; i < ir->enum_count; i++) put_enum(&t, &ir->enums[i]);
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) put_functions(&t, ir, f);
  if (t.length > 1 && t.data[t.length - 2] == '\n') t.data[--t.length] = 0; /* gofmt wants no blank line at the end */
  bind_write(out, bind_string("go/%s.go", ir->name), &t);
  bind_text_free(&t);
  emit_shims(ir, out);
  if (!ir->go_inside) emit_module(ir, out);
  emit_headers(ir, out);
  bind_copy_sources(out, "go", ir);
  return 0;
}
