/* SPDX-License-Identifier: Apache-2.0 */
/* Names, docs and types of the Go package. */
#include "emit_go.h"
#include <string.h>

/* Keywords, and what the emitted functions use; their own locals end in a number after '_', which no parameter does. */
static const char go_reserved[] =
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var any bool error false nil true string int32 uint32 int64 uint64 float32 "
    "float64 int8 int16 uint8 uint16 uintptr len dlferry runtime strconv unsafe err failure options value object flat "
    "adopt";

const char *go_local(const char *name) {
  char *word = bind_string("%s", bind_pascal(name));
  if (*word >= 'A' && *word <= 'Z') *word = (char)(*word - 'A' + 'a');
  return *word ? bind_escape(word, go_reserved) : "arg";
}

static const char *const go_scalars[] = {"",       "int8",   "int16",  "int32",   "int64",  "uint8",
                                         "uint16", "uint32", "uint64", "float32", "float64"};

const char *go_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR: return "dlferry.Arg";
  case BIND_LIST: return "[]dlferry.Arg";
  case BIND_ARRAY: return bind_string("[]%s", go_scalars[type->scalar]);
  case BIND_GIVEN: return "*dlferry.Tensor";
  case BIND_HANDLE: return bind_string("*%s", bind_pascal(type->handle->short_name));
  case BIND_BOOL: return "bool";
  case BIND_STRING: return "string";
  case BIND_ENUM: return bind_pascal(type->enumeration->short_name);
  default: return go_scalars[type->scalar];
  }
}

const char *go_type_parameter(const go_call *call, const bind_param *p) {
  const bool array = p->type.kind == BIND_ARRAY && p->type.scalar == BIND_I64;
  if (call->f->method_of || !(array || p->type.kind == BIND_LIST)) return NULL;
  return bind_string("%s%s", bind_pascal(p->name), array ? "Int" : "Arg");
}

const char *go_constraint(const bind_param *p) { return p->type.kind == BIND_LIST ? "dlferry.Arg" : "dlferry.Index"; }

bool go_is_option(const bind_param *p) { return p->def.kind != BIND_NO_DEFAULT; }

const char *go_argument(const bind_param *p) {
  return go_is_option(p) ? bind_string("options.%s", bind_pascal(p->name)) : go_local(p->name);
}

const char *go_function_name(const go_call *call) {
  const bind_function *f = call->f;
  const char *name = bind_pascal(f->method_of ? f->method_name : f->short_name);
  if (f->new_name && !call->make) name = bind_string("%sInto", name);
  return f->method_of ? bind_escape(name, "Close") : name;
}

const char *go_options_name(const bind_function *f) { return bind_string("%sOptions", bind_pascal(f->short_name)); }

/* ---- docs: gofmt rewrites indented lines, lists and headings, so none of these may come from a C comment ---- */

static const char *go_one_line(const char *doc) {
  char *line = bind_string("%s", doc);
  for (char *c = line; *c; c++)
    if (*c == '\n') *c = ' ';
  return bind_doc_escape(BIND_DOC_LINE, line);
}

static void go_put_doc(bind_text *t, const char *lead, const char *doc) {
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

void go_put_summary(bind_text *t, const char *name, const char *summary) {
  char *text = bind_string("%s", go_one_line(summary));
  const bool word = (*text && text[1] >= 'a' && text[1] <= 'z') || strncmp(text, "A ", 2) == 0; /* not RGB */
  if (text[0] >= 'A' && text[0] <= 'Z' && word) text[0] = (char)(text[0] - 'A' + 'a');
  if (*text)
    bind_line(t, "// %s: %s", name, text);
  else
    bind_line(t, "// %s", name);
}

static void go_put_paragraph(bind_text *t, const char *doc) {
  if (!*doc) return;
  bind_line(t, "//");
  go_put_doc(t, "// ", doc);
}

static const char *go_default(const bind_default *d) {
  switch (d->kind) {
  case BIND_DEFAULT_BOOL: return d->truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR: return bind_pascal(d->enumerator->short_name);
  case BIND_DEFAULT_STRING: return bind_string("\"%s\"", d->text);
  default: return d->text;
  }
}

/* ": values of any range; f32[h, w]; default 1.0": whatever there is. */
static const char *go_about(const bind_param *p) {
  const char *parts[] = {p->doc, p->contract, p->limits, "", p->optional ? "may be nil" : ""};
  char *text = "";
  if (go_is_option(p)) parts[3] = bind_string("default %s", go_default(&p->def));
  for (int i = 0; i < 5; i++)
    if (*parts[i]) text = bind_string("%s%s%s", text, *text ? "; " : ": ", parts[i]);
  return go_one_line(text);
}

/* What is passed in its order, then what comes back in its own. */
void go_put_function_doc(bind_text *t, const go_call *call) {
  const bind_function *f = call->f;
  const bool value = f->returns == BIND_RETURN_VALUE && *f->returns_doc;
  bool stream = false, blank = false;
  go_put_summary(t, go_function_name(call), f->summary);
  go_put_paragraph(t, f->description);
  for (int back = 0; back < 2; back++) {
    if (back && value) {
      if (!blank) bind_line(t, "//");
      blank = true;
      bind_line(t, "//   - returns %s", go_one_line(f->returns_doc));
    }
    for (int i = 0; i < f->param_count; i++) {
      const bind_param *p = &f->params[i];
      const bool result = p->returned || (call->make && p->made);
      stream |= p->type.kind == BIND_STREAM;
      if (p->type.kind == BIND_STREAM || result != (back == 1) || (i == 0 && f->method_of)) continue;
      if (!blank) bind_line(t, "//");
      blank = true;
      bind_line(t, "//   - %s%s%s", back ? "returns " : "", go_argument(p), go_about(p));
    }
  }
  if (stream) bind_line(t, "//\n// It works on the device's default stream.");
  if (*f->contract) bind_line(t, "//\n// Contract: %s", go_one_line(f->contract));
  bind_line(t, "//");
  bind_line(t, "// C: %s", f->name);
}

/* ---- types ---- */

void go_put_enum(bind_text *t, const bind_enum *e) {
  const char *name = bind_pascal(e->short_name), *type = e->scalar == BIND_U32 ? "uint32" : "int32";
  go_put_summary(t, name, e->summary);
  go_put_paragraph(t, e->description);
  bind_line(t, "type %s %s\n", name, type);
  bind_line(t, "// The values of %s.", name);
  bind_open(t, "const (");
  for (int i = 0; i < e->count; i++) {
    if (i) bind_raw(t, "\n", 1);
    go_put_summary(t, bind_pascal(e->values[i].short_name), e->values[i].doc);
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

void go_put_handle(bind_text *t, const bind_ir *ir, const bind_handle *h) {
  const char *name = bind_pascal(h->short_name), *self = go_local(h->short_name);
  go_put_summary(t, name, h->summary);
  go_put_paragraph(t, h->description);
  bind_line(t, "//");
  bind_line(t, "// Close it when it is no longer needed; one that is forgotten is closed some time after the garbage");
  bind_line(t, "// collector finds it. A nil or closed one is an error to every function, never a crash.");
  bind_line(t, "type %s struct{ handle dlferry.Handle }\n", name);
  bind_line(
      t, "// Close lets go of it, as soon as no other goroutine's call uses it. Closing again, or closing nil, does");
  bind_line(t, "// nothing.\n//\n// C: %s", h->free_name);
  bind_open(t, "func (%s *%s) Close() error {", self, name);
  bind_open(t, "if %s != nil {", self);
  bind_line(t, "%s.handle.Close()", self);
  bind_close(t, "}");
  bind_line(t, "return nil");
  bind_close(t, "}\n");
  bind_open(t, "func open%s(object C.uintptr_t, parents ...*dlferry.Handle) *%s {", name, name);
  bind_line(t, "%s := &%s{}", self, name);
  bind_line(t, "%s.handle.Open(uintptr(object), func(object uintptr) { C.%s(C.uintptr_t(object)) }, parents...)", self,
            go_free_shim(ir, h));
  bind_line(t, "return %s", self);
  bind_close(t, "}\n");
  bind_open(t, "func (%s *%s) use() C.uintptr_t {", self, name);
  bind_open(t, "if %s == nil {", self);
  bind_line(t, "return 0");
  bind_close(t, "}");
  bind_line(t, "return C.uintptr_t(%s.handle.Use())", self);
  bind_close(t, "}\n");
  bind_open(t, "func (%s *%s) done(object C.uintptr_t) {", self, name);
  bind_open(t, "if object != 0 {");
  bind_line(t, "%s.handle.Done(uintptr(object))", self);
  bind_close(t, "}");
  bind_close(t, "}\n");
}

void go_put_options(bind_text *t, const bind_function *f) {
  const char *name = go_options_name(f);
  bool first = true;
  bind_line(t, "// %s holds the parameters of %s that have a default.", name, bind_pascal(f->short_name));
  bind_open(t, "type %s struct {", name);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!go_is_option(p)) continue;
    if (!first) bind_raw(t, "\n", 1);
    first = false;
    bind_line(t, "// %s%s", bind_pascal(p->name), go_about(p));
    bind_line(t, "%s %s", bind_pascal(p->name), go_type(&p->type));
  }
  bind_close(t, "}\n");
  bind_line(t, "// Default%s returns the defaults of the C header.", name);
  bind_open(t, "func Default%s() %s {", name, name);
  bind_put(t, "return %s{", name);
  first = true;
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!go_is_option(p)) continue;
    bind_put(t, "%s%s: %s", first ? "" : ", ", bind_pascal(p->name), go_default(&p->def));
    first = false;
  }
  bind_line(t, "}");
  bind_close(t, "}\n");
}
