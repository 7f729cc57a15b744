/* SPDX-License-Identifier: Apache-2.0 */
/* The Rust emitter's names and types: enums as integers with constants, options with defaults, handles. */
#include "emit_rust.h"
#include <inttypes.h>
#include <string.h>

/* Keywords, and the names that emitted functions use. */
const char rust_words[] =
    "abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if "
    "impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true try "
    "type typeof union unsafe unsized use virtual where while yield error given options result slot arg ffi dlferry "
    "std";

/* The types that emitted functions name. */
static const char rust_types[] =
    "Arg ArgMut Given Handle List Slot Text Result Tensor Option Some None Ok Err Into From Default Self CStr String";

const char *rust_name(const char *name) { return bind_escape(bind_snake(name), rust_words); }

const char *rust_enum_name(const bind_enum *e) { return bind_escape(bind_pascal(e->short_name), rust_types); }

const char *rust_handle_name(const bind_handle *h) { return bind_escape(bind_pascal(h->short_name), rust_types); }

bool rust_is_changed(const bind_type *type) { return strncmp(type->c, "const ", 6) != 0; }

const char *rust_c_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR: return "dlf_arg";
  case BIND_GIVEN: return "*mut *mut DLManagedTensorVersioned";
  case BIND_BOOL: return "bool";
  case BIND_STRING: return "*const c_char";
  case BIND_STREAM: return "dlf_stream";
  case BIND_HANDLE: return bind_string("*%s %s", rust_is_changed(type) ? "mut" : "const", type->handle->name);
  default: return bind_scalar_name(type->scalar);
  }
}

bool rust_is_option(const bind_param *p) { return p->def.kind != BIND_NO_DEFAULT; }

int rust_count_options(const bind_function *f) {
  int count = 0;
  for (int i = 0; i < f->param_count; i++) count += rust_is_option(&f->params[i]);
  return count;
}

static bool rust_has_text_option(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (rust_is_option(&f->params[i]) && f->params[i].type.kind == BIND_STRING) return true;
  return false;
}

const char *rust_options_name(const bind_function *f) { return bind_string("%sOptions", bind_pascal(f->short_name)); }

const char *rust_options_type(const bind_function *f, const char *lifetime) {
  const char *name = rust_options_name(f);
  return rust_has_text_option(f) ? bind_string("%s<%s>", name, lifetime) : name;
}

const char *rust_type(const bind_type *type, const char *lifetime) {
  switch (type->kind) {
  case BIND_STRING: return bind_string("&%sCStr", lifetime);
  case BIND_ENUM: return rust_enum_name(type->enumeration);
  case BIND_ARRAY: return bind_string("&[%s]", bind_scalar_name(type->scalar));
  case BIND_LIST: return "&[impl Arg]";
  case BIND_HANDLE: return bind_string("&%s%s", rust_is_changed(type) ? "mut " : "", rust_handle_name(type->handle));
  default: return rust_c_type(type);
  }
}

const char *rust_result_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR:
  case BIND_GIVEN: return "Tensor";
  case BIND_STRING: return "String";
  case BIND_HANDLE: return rust_handle_name(type->handle);
  default: return rust_type(type, "");
  }
}

static const char *rust_default(const bind_default *d, const bind_type *type) {
  switch (d->kind) {
  case BIND_DEFAULT_BOOL: return d->truth ? "true" : "false";
  case BIND_DEFAULT_ENUMERATOR:
    return bind_string("%s::%s", rust_enum_name(type->enumeration), bind_upper(d->enumerator->label));
  case BIND_DEFAULT_STRING: return bind_string("c\"%s\"", d->text);
  default: return d->text;
  }
}

const char *rust_about(const bind_param *p) {
  const char *parts[] = {p->doc, *p->contract ? bind_string("`%s`", p->contract) : "",
                         *p->limits ? bind_string("`%s`", p->limits) : "",
                         rust_is_option(p) ? bind_string("default `%s`", rust_default(&p->def, &p->type)) : ""};
  const char *text = "";
  for (int i = 0; i < 4; i++)
    if (*parts[i]) text = bind_string("%s%s%s", text, *text ? "; " : "", parts[i]);
  return text;
}

const bind_handle *rust_home(const bind_function *f) { return f->method_of ? f->method_of : f->creates; }

const char *rust_path(const bind_function *f) {
  const char *name = bind_snake(rust_home(f) ? f->method_name : f->short_name);
  const char *escaped = bind_escape(name, rust_words);
  return rust_home(f) ? bind_string("%s::%s", rust_handle_name(rust_home(f)), escaped) : escaped;
}

/* ---- enums, handles and options ---- */

void rust_put_alias(bind_text *t, const char *c, const char *name) {
  if (strcmp(c, name) != 0) bind_line(t, "#[doc(alias = \"%s\")]", c); /* rustdoc refuses the item's own name */
}

void rust_put_enum(bind_text *t, const bind_enum *e) {
  const char *name = rust_enum_name(e);
  bind_raw(t, "\n", 1);
  bind_put_doc(t, BIND_DOC_LINE, "/// ", *e->summary ? e->summary : bind_string("The enum `%s`.", e->name));
  if (*e->description) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\n%s", e->description));
  bind_line(t, "///\n/// An integer, since C may hand over a value that this version cannot name.");
  rust_put_alias(t, e->name, name);
  bind_line(t, "#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]");
  bind_line(t, "#[repr(transparent)]");
  bind_line(t, "pub struct %s(pub %s);\n", name, bind_scalar_name(e->scalar));
  bind_open(t, "impl %s {", name);
  for (int i = 0; i < e->count; i++) {
    const bind_enumerator *v = &e->values[i];
    bind_put_doc(t, BIND_DOC_LINE, "/// ", *v->doc ? v->doc : bind_string("`%s`", v->name));
    rust_put_alias(t, v->name, bind_upper(v->label));
    bind_line(t, "pub const %s: %s = %s(%" PRId64 ");", bind_upper(v->label), name, name, v->value);
  }
  bind_close(t, "}");
  if (!e->flags) return;
  bind_open(t, "\nimpl std::ops::BitOr for %s {", name);
  bind_line(t, "type Output = %s;\n", name);
  bind_open(t, "fn bitor(self, other: %s) -> %s {", name, name);
  bind_line(t, "%s(self.0 | other.0)", name);
  bind_close(t, "}");
  bind_close(t, "}");
}

void rust_put_handle(bind_text *t, const bind_handle *h) {
  const char *name = rust_handle_name(h);
  bind_raw(t, "\n", 1);
  bind_put_doc(t, BIND_DOC_LINE, "/// ", *h->summary ? h->summary : bind_string("A `%s`.", h->name));
  if (*h->description) bind_put_doc(t, BIND_DOC_LINE, "/// ", bind_string("\n%s", h->description));
  bind_line(
      t, "///\n/// Freed when this and what was made of it are dropped. Stays on its thread: the header does not say");
  bind_line(t, "/// that C allows others.");
  rust_put_alias(t, h->name, name);
  rust_put_alias(t, h->free_name, name);
  bind_line(t, "#[derive(Debug)]");
  bind_line(t, "pub struct %s(Handle<ffi::%s>);", name, h->name);
}

void rust_put_options(bind_text *t, const bind_function *f) {
  const bool text = rust_has_text_option(f);
  const char *name = rust_options_name(f);
  const bind_param *last = NULL;
  bind_line(t, "\n/// What [`%s`] takes beside its tensors, with the defaults of the C header.", rust_path(f));
  bind_line(t, "#[derive(Clone, Copy, Debug, PartialEq)]");
  bind_open(t, "pub struct %s%s {", name, text ? "<'a>" : "");
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (!rust_is_option(p)) continue;
    last = p;
    const char *about = rust_about(p);
    bind_put_doc(t, BIND_DOC_LINE, "/// ", about);
    bind_line(t, "pub %s: %s,", rust_name(p->name), rust_type(&p->type, "'a "));
  }
  bind_close(t, "}\n");
  bind_open(t, "impl Default for %s%s {", name, text ? "<'_>" : "");
  bind_open(t, "fn default() -> Self {");
  rust_list list = rust_list_for(f->param_count);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (rust_is_option(p)) rust_add(&list, bind_string("%s: %s", rust_name(p->name), rust_default(&p->def, &p->type)));
  }
  rust_put_list(t, bind_string("%s { ", name), &list, " }", RUST_STRUCT);
  bind_close(t, "}");
  bind_close(t, "}");
  if (!last || rust_count_options(f) != 1) return;
  const char *field = rust_name(last->name);
  bind_open(t, "\nimpl%s From<%s> for %s%s {", text ? "<'a>" : "", rust_type(&last->type, "'a "), name,
            text ? "<'a>" : "");
  bind_open(t, "fn from(%s: %s) -> Self {", field, rust_type(&last->type, "'a "));
  bind_line(t, "%s { %s }", name, field);
  bind_close(t, "}");
  bind_close(t, "}");
}
