/* SPDX-License-Identifier: Apache-2.0 */
/* The IR as JSON, for people and for other tools. */
#include "json.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include "bind/c/scalar.h"
#include "parameters.h"
#include <string.h>

/* Raise it with every change of the format. */
#define IR_FORMAT 7

static const char *const json_direction_names[] = {
    [BIND_IN] = "in", [BIND_OUT] = "out", [BIND_INOUT] = "inout"};
static const char *const json_gift_names[] = {[BIND_GIFT_COPIED] = "copied",
                                              [BIND_GIFT_LENT] = "lent until free",
                                              [BIND_GIFT_FREED] = "freed"};
static const char *const json_return_names[] = {[BIND_RETURN_VOID] = "void",
                                                [BIND_RETURN_STATUS] = "status",
                                                [BIND_RETURN_VALUE] = "value",
                                                [BIND_RETURN_COUNT] = "count"};

/* A JSON string; doc texts may hold newlines, never other control characters. */
static void json_put_text(bind_text *t, const char *key, const char *value, const char *end) {
  bind_put(t, "\"%s\": ", key);
  if (!value) {
    bind_put(t, "null%s\n", end);
    return;
  }
  bind_put(t, "\"");
  for (const char *p = value; *p; p++) {
    const size_t plain = strcspn(p, "\n\"\\");
    bind_raw(t, p, plain);
    p += plain;
    if (!*p) {
      break;
    }
    if (*p == '\n') {
      bind_raw(t, "\\n", 2);
    } else {
      bind_put(t, "\\%c", *p);
    }
  }
  bind_put(t, "\"%s\n", end);
}

static void json_put_type(bind_text *t, const bind_type *type) {
  size_t size = 0;
  while (type->c[size]) {
    size++;
  }
  while (size && type->c[size - 1] == ' ') {
    size--;
  }
  json_put_text(t, "kind", bind_kind_name(type->kind), ",");
  if (type->scalar) {
    json_put_text(t, "scalar", bind_scalar_name(type->scalar), ",");
  }
  if (type->enumeration) {
    json_put_text(t, "enum", type->enumeration->name, ",");
  }
  if (type->handle) {
    json_put_text(t, "handle", type->handle->name, ",");
  }
  json_put_text(t, "c", bind_string("%.*s", (int)size, type->c), ",");
}

static void json_put_default(bind_text *t, const bind_default *d) {
  if (d->kind == BIND_DEFAULT_NUMBER) {
    bind_line(t, "\"default\": %s,", d->text);
  }
  if (d->kind == BIND_DEFAULT_BOOL) {
    bind_line(t, "\"default\": %s,", bind_truth(d->truth));
  }
  if (d->kind == BIND_DEFAULT_STRING || d->kind == BIND_DEFAULT_CHARACTER) {
    json_put_text(t, "default", d->text, ",");
  }
  if (d->kind == BIND_DEFAULT_COMPLEX) {
    bind_line(t, "\"default\": [%s, %s],", d->text, d->imaginary);
  }
  if (d->kind != BIND_DEFAULT_ENUMERATOR) {
    return;
  }
  const char *names = d->enumerator->name;
  while ((d = d->next)) {
    names = bind_string("%s|%s", names, d->enumerator->name);
  }
  json_put_text(t, "default", names, ",");
}

static void json_put_param(bind_text *t, const bind_param *p, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", p->name, ",");
  json_put_type(t, &p->type);
  json_put_text(t, "direction", json_direction_names[p->direction], ",");
  if (p->pointer) {
    json_put_text(t, "pointer", p->pointer, ",");
  }
  if (p->interface) {
    bind_line(t, "\"array_interface\": true,");
  }
  if (p->type.kind == BIND_TENSOR) {
    bind_line(t, "\"optional\": %s,", bind_truth(p->optional));
    bind_line(t, "\"made\": %s,", bind_truth(p->made));
  } else if (p->optional) {
    bind_line(t, "\"optional\": true,");
  }
  if (p->kept) {
    bind_line(t, "\"kept\": true,");
  }
  if (p->gift) {
    json_put_text(t, "gives", json_gift_names[p->gift->kind], ",");
  }
  if (p->returned) {
    bind_line(t, "\"returned\": true,");
  }
  if (p->counts) {
    bind_line(t, "\"counts\": true,");
  }
  if (p->type.kind == BIND_TENSOR || *p->contract) {
    json_put_text(t, "contract", p->contract, ",");
  }
  if (*p->limits) {
    json_put_text(t, "limits", p->limits, ",");
  }
  json_put_default(t, &p->def);
  json_put_text(t, "doc", p->doc, "");
  bind_close(t, "}%s", end);
}

/* An argument of the C function: a parameter, or the number of a list or an array. */
static void json_put_c_param(bind_text *t, const bind_c_param *p, const char *end) {
  bind_open(t, "{");
  json_put_type(t, &p->type);
  if (p->count_of) {
    json_put_text(t, "count_of", p->count_of->name, ",");
  }
  if (p->derived) {
    json_put_text(t, "derived", p->derived, ",");
  }
  if (p->place) {
    bind_line(t, "\"extent\": true,");
  }
  if (p->by_pointer) {
    bind_line(t, "\"behind\": true,");
  }
  if (p->counts) {
    json_put_text(t, "counts", p->counts, ",");
  }
  json_put_text(t, "name", p->name, "");
  bind_close(t, "}%s", end);
}

static void json_put_hook(bind_text *t, const bind_hook *hook, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", hook->name, ",");
  bind_put(t, "\"args\": [");
  for (int i = 0; i < hook->arg_count; i++) {
    bind_put(t, "%s\"%s\"", bind_when(i, ", "), hook->args[i].derived);
  }
  bind_line(t, "],");
  if (hook->place >= 0) {
    bind_line(t, "\"place\": %d,", hook->place);
  }
  bind_line(t, "\"early\": %s", bind_truth(hook->early));
  bind_close(t, "}%s", end);
}

static void json_put_handle(bind_text *t, const bind_handle *h, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", h->name, ",");
  json_put_text(t, "short_name", h->short_name, ",");
  json_put_text(
      t, "c", bind_string("%.*s", (int)strlen(h->c) - (h->c[strlen(h->c) - 1] == ' '), h->c), ",");
  bind_line(t, "\"header\": %d,", h->header);
  bind_line(t, "\"line\": %d,", h->line);
  json_put_text(t, "summary", h->summary, ",");
  json_put_text(t, "description", h->description, ",");
  json_put_text(t, "free", h->free_name, ",");
  json_put_text(t, "checked", h->free_checked_name, "");
  bind_close(t, "}%s", end);
}

/* C's parameters, where they are not the callers'. */
static void json_put_c_params(bind_text *t, const bind_function *f) {
  bool same = f->c_param_count == f->param_count;
  BIND_EACH_C_PARAM (c, f) {
    same &= c->param != NULL;
  }
  if (same) {
    return;
  }
  bind_open(t, "\"c_params\": [");
  for (int i = 0; i < f->c_param_count; i++) {
    json_put_c_param(t, &f->c_params[i], bind_when(i + 1 < f->c_param_count, ","));
  }
  bind_close(t, "],");
}

static void json_put_returns(bind_text *t, const bind_function *f) {
  bind_open(t, "\"returns\": {");
  json_put_text(t, "as", json_return_names[f->returns], ",");
  json_put_type(t, &f->result);
  if (f->result_optional) {
    bind_line(t, "\"optional\": true,");
  }
  if (f->returns == BIND_RETURN_STATUS) {
    if (f->info) {
      bind_line(t, "\"info\": true,");
    }
    if (f->status_message) {
      json_put_text(t, "message", f->status_message, ",");
    }
    bind_line(t, "\"ok\": %lld,", (long long)f->ok);
    json_put_text(t, "text", f->status_text, ",");
  }
  json_put_text(t, "doc", f->returns_doc, "");
  bind_close(t, "}");
}

static void json_put_function(bind_text *t, const bind_function *f, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", f->name, ",");
  json_put_text(t, "short_name", f->short_name, ",");
  bind_line(t, "\"header\": %d,", f->header);
  bind_line(t, "\"line\": %d,", f->line);
  json_put_text(t, "unbound", f->unbound, ",");
  json_put_text(t, "checked", f->unbound || f->family ? NULL : f->checked_name, ",");
  json_put_text(t, "new", f->family ? NULL : f->new_name, ",");
  json_put_text(t, "summary", f->summary, ",");
  json_put_text(t, "description", f->description, ",");
  if (f->deprecated) {
    json_put_text(t, "deprecated", f->deprecated, ",");
  }
  json_put_text(t, "contract", f->contract, ",");
  bind_open(t, "\"params\": [");
  for (int i = 0; i < f->param_count; i++) {
    json_put_param(t, &f->params[i], bind_when(i + 1 < f->param_count, ","));
  }
  bind_close(t, "],");
  json_put_c_params(t, f);
  if (f->member_count) {
    bind_open(t, "\"family\": [");
    for (int i = 0; i < f->member_count; i++) {
      bind_line(t,
                "{\"dtype\": \"%s\", \"name\": \"%s\"}%s",
                f->members[i].dtype,
                f->members[i].function->name,
                bind_when(i + 1 < f->member_count, ","));
    }
    bind_close(t, "],");
  }
  if (f->family) {
    json_put_text(t, "member_of", f->family->name, ",");
  }
  if (f->hook_count) {
    bind_open(t, "\"hooks\": [");
    for (int i = 0; i < f->hook_count; i++) {
      json_put_hook(t, &f->hooks[i], bind_when(i + 1 < f->hook_count, ","));
    }
    bind_close(t, "],");
  }
  if (f->method_of) {
    json_put_text(t, "method_of", f->method_of->name, ",");
  }
  if (f->creates) {
    json_put_text(t, "creates", f->creates->name, ",");
  }
  if (f->method_of || f->creates) {
    json_put_text(t, "method", f->method_name, ",");
  }
  if (f->property) {
    json_put_text(t, "property", f->property, ",");
  }
  if (f->sets) {
    bind_line(t, "\"sets\": true,");
  }
  if (f->sure) {
    bind_line(t, "\"sure\": true,");
  }
  if (f->threadsafe) {
    bind_line(t, "\"threadsafe\": true,");
  }
  if (f->speed) {
    json_put_text(t, "speed", f->speed == BIND_SLOW ? "slow" : "fast", ",");
  }
  bind_line(t, "\"takes_error\": %s,", bind_truth(f->takes_error));
  json_put_returns(t, f);
  bind_close(t, "}%s", end);
}

static void json_put_enum(bind_text *t, const bind_enum *e, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", e->name, ",");
  json_put_text(t, "short_name", e->short_name, ",");
  json_put_text(t, "c", e->c, ",");
  bind_line(t, "\"header\": %d,", e->header);
  bind_line(t, "\"line\": %d,", e->line);
  json_put_text(t, "scalar", bind_scalar_name(e->scalar), ",");
  bind_line(t, "\"flags\": %s,", bind_truth(e->flags));
  json_put_text(t, "summary", e->summary, ",");
  json_put_text(t, "description", e->description, ",");
  bind_open(t, "\"values\": [");
  for (int i = 0; i < e->count; i++) {
    const bind_enumerator *v = &e->values[i];
    bind_open(t, "{");
    json_put_text(t, "name", v->name, ",");
    json_put_text(t, "short_name", v->short_name, ",");
    json_put_text(t, "label", v->label, ",");
    bind_line(t, "\"value\": %lld,", (long long)v->value);
    json_put_text(t, "doc", v->doc, "");
    bind_close(t, "}%s", bind_when(i + 1 < e->count, ","));
  }
  bind_close(t, "]");
  bind_close(t, "}%s", end);
}

static void json_put_headers(bind_text *t, const bind_ir *ir) {
  bind_open(t, "\"headers\": [");
  for (int i = 0; i < ir->header_count; i++) {
    bind_open(t, "{");
    json_put_text(t, "name", ir->headers[i].name, bind_when(ir->modules, ","));
    if (ir->modules) {
      json_put_text(t, "module", ir->modules[i], "");
    }
    bind_close(t, "}%s", bind_when(i + 1 < ir->header_count, ","));
  }
  bind_close(t, "],");
}

static void json_put_constant(bind_text *t, const bind_constant *c, const char *end) {
  bind_open(t, "{");
  json_put_text(t, "name", c->name, ",");
  json_put_text(t, "short_name", c->short_name, ",");
  json_put_text(t, "scalar", bind_scalar_name(c->scalar), ",");
  bind_line(t, "\"value\": %s", c->text);
  bind_close(t, "}%s", end);
}

int bind_emit_ir(const bind_ir *ir, FILE *file) {
  bind_text t = {0};
  bind_open(&t, "{");
  bind_line(&t, "\"format\": %d,", IR_FORMAT);
  json_put_text(&t, "version", ir->version, ",");
  json_put_text(&t, "name", ir->name, ",");
  json_put_text(&t, "prefix", ir->prefix, ",");
  json_put_headers(&t, ir);
  json_put_text(&t, "summary", ir->summary, ",");
  bind_open(&t, "\"enums\": [");
  for (int i = 0; i < ir->enum_count; i++) {
    json_put_enum(&t, &ir->enums[i], bind_when(i + 1 < ir->enum_count, ","));
  }
  bind_close(&t, "],");
  bind_open(&t, "\"constants\": [");
  for (int i = 0; i < ir->constant_count; i++) {
    json_put_constant(&t, &ir->constants[i], bind_when(i + 1 < ir->constant_count, ","));
  }
  bind_close(&t, "],");
  bind_open(&t, "\"handles\": [");
  for (int i = 0; i < ir->handle_count; i++) {
    json_put_handle(&t, &ir->handles[i], bind_when(i + 1 < ir->handle_count, ","));
  }
  bind_close(&t, "],");
  bind_open(&t, "\"functions\": [");
  for (int i = 0; i < ir->function_count; i++) {
    json_put_function(&t, &ir->functions[i], bind_when(i + 1 < ir->function_count, ","));
  }
  bind_close(&t, "]");
  bind_close(&t, "}");
  bool written = fwrite(t.data, 1, t.length, file) == t.length && fflush(file) == 0;
  bind_text_free(&t);
  if (written) {
    return 0;
  }
  return 1;
}
