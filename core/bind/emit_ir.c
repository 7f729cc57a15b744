/* SPDX-License-Identifier: Apache-2.0 */
/* The IR as JSON, for people and for tools that read a header through us. */
#include "emit.h"
#include <stdio.h>

/* Raised with any change that a reader could notice. */
#define IR_FORMAT 1

static const char *const kind_names[] = {"void", "tensor", "integer", "real",   "bool",   "enum", "string",
                                         "list", "array",  "given",   "handle", "stream", "other"};
static const char *const scalar_names[] = {"", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"};
static const char *const direction_names[] = {"in", "out", "inout"};
static const char *const return_names[] = {"void", "status", "value"};

/* A JSON string; doc texts may hold newlines, never other control characters. */
static void put_json(bind_text *t, const char *key, const char *value, const char *end) {
  bind_put(t, "\"%s\": ", key);
  if (!value) {
    bind_put(t, "null%s\n", end);
    return;
  }
  bind_put(t, "\"");
  for (const char *p = value; *p; p++) {
    if (*p == '\n')
      bind_raw(t, "\\n", 2);
    else if (*p == '"' || *p == '\\')
      bind_put(t, "\\%c", *p);
    else
      bind_raw(t, p, 1);
  }
  bind_put(t, "\"%s\n", end);
}

static const char *truth(bool value) { return value ? "true" : "false"; }

static void put_type(bind_text *t, const bind_type *type) {
  size_t size = 0;
  while (type->c[size]) size++;
  while (size && type->c[size - 1] == ' ') size--;
  put_json(t, "kind", kind_names[type->kind], ",");
  if (type->scalar) put_json(t, "scalar", scalar_names[type->scalar], ",");
  if (type->enumeration) put_json(t, "enum", type->enumeration->name, ",");
  put_json(t, "c", bind_string("%.*s", (int)size, type->c), ",");
}

static void put_default(bind_text *t, const bind_default *d) {
  if (d->kind == BIND_DEFAULT_NUMBER) bind_line(t, "\"default\": %s,", d->text);
  if (d->kind == BIND_DEFAULT_BOOL) bind_line(t, "\"default\": %s,", truth(d->truth));
  if (d->kind == BIND_DEFAULT_ENUMERATOR) put_json(t, "default", d->enumerator->name, ",");
  if (d->kind == BIND_DEFAULT_STRING) put_json(t, "default", d->text, ",");
}

static void put_param(bind_text *t, const bind_param *p, const char *end) {
  bind_open(t, "{");
  put_json(t, "name", p->name, ",");
  put_type(t, &p->type);
  if (p->type.kind == BIND_TENSOR) {
    put_json(t, "direction", direction_names[p->direction], ",");
    bind_line(t, "\"optional\": %s,", truth(p->optional));
    bind_line(t, "\"made\": %s,", truth(p->made));
    put_json(t, "contract", p->contract, ",");
  }
  if (*p->limits) put_json(t, "limits", p->limits, ",");
  put_default(t, &p->def);
  put_json(t, "doc", p->doc, "");
  bind_close(t, "}%s", end);
}

static void put_function(bind_text *t, const bind_function *f, const char *end) {
  bind_open(t, "{");
  put_json(t, "name", f->name, ",");
  put_json(t, "short_name", f->short_name, ",");
  bind_line(t, "\"line\": %d,", f->line);
  put_json(t, "unbound", f->unbound, ",");
  put_json(t, "checked", f->unbound ? NULL : f->checked_name, ",");
  put_json(t, "new", f->new_name, ",");
  put_json(t, "summary", f->summary, ",");
  put_json(t, "description", f->description, ",");
  put_json(t, "contract", f->contract, ",");
  bind_open(t, "\"params\": [");
  for (int i = 0; i < f->param_count; i++) put_param(t, &f->params[i], i + 1 < f->param_count ? "," : "");
  bind_close(t, "],");
  bind_line(t, "\"takes_error\": %s,", truth(f->takes_error));
  bind_open(t, "\"returns\": {");
  put_json(t, "as", return_names[f->returns], ",");
  put_type(t, &f->result);
  if (f->returns == BIND_RETURN_STATUS) {
    bind_line(t, "\"ok\": %lld,", (long long)f->ok);
    put_json(t, "text", f->status_text, ",");
  }
  put_json(t, "doc", f->returns_doc, "");
  bind_close(t, "}");
  bind_close(t, "}%s", end);
}

static void put_enum(bind_text *t, const bind_enum *e, const char *end) {
  bind_open(t, "{");
  put_json(t, "name", e->name, ",");
  put_json(t, "short_name", e->short_name, ",");
  put_json(t, "c", e->c, ",");
  bind_line(t, "\"line\": %d,", e->line);
  put_json(t, "scalar", scalar_names[e->scalar], ",");
  bind_line(t, "\"flags\": %s,", truth(e->flags));
  put_json(t, "summary", e->summary, ",");
  put_json(t, "description", e->description, ",");
  bind_open(t, "\"values\": [");
  for (int i = 0; i < e->count; i++) {
    const bind_enumerator *v = &e->values[i];
    bind_open(t, "{");
    put_json(t, "name", v->name, ",");
    put_json(t, "short_name", v->short_name, ",");
    put_json(t, "label", v->label, ",");
    bind_line(t, "\"value\": %lld,", (long long)v->value);
    put_json(t, "doc", v->doc, "");
    bind_close(t, "}%s", i + 1 < e->count ? "," : "");
  }
  bind_close(t, "]");
  bind_close(t, "}%s", end);
}

int bind_emit_ir(const bind_ir *ir) {
  bind_text t = {0};
  bind_open(&t, "{");
  bind_line(&t, "\"format\": %d,", IR_FORMAT);
  put_json(&t, "version", ir->version, ",");
  put_json(&t, "name", ir->name, ",");
  put_json(&t, "prefix", ir->prefix, ",");
  put_json(&t, "header", ir->header.name, ",");
  put_json(&t, "summary", ir->summary, ",");
  bind_open(&t, "\"enums\": [");
  for (int i = 0; i < ir->enum_count; i++) put_enum(&t, &ir->enums[i], i + 1 < ir->enum_count ? "," : "");
  bind_close(&t, "],");
  bind_open(&t, "\"functions\": [");
  for (int i = 0; i < ir->function_count; i++)
    put_function(&t, &ir->functions[i], i + 1 < ir->function_count ? "," : "");
  bind_close(&t, "]");
  bind_close(&t, "}");
  bool written = fwrite(t.data, 1, t.length, stdout) == t.length && fflush(stdout) == 0;
  bind_text_free(&t);
  return written ? 0 : 1;
}
