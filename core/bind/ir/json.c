/* SPDX-License-Identifier: Apache-2.0 */
/* The IR as JSON, for people and for other tools. */
#include "json.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include "bind/c/scalar.h"
#include "bind/c/spell.h"
#include "parameters.h"
#include <string.h>

/* Raise it with every change of the format. */
#define IR_FORMAT 8

static const char *const json_direction_names[] = {
    [BIND_IN] = "in", [BIND_OUT] = "out", [BIND_INOUT] = "inout"};
static const char *const json_gift_names[] = {[BIND_GIFT_COPIED] = "copied",
                                              [BIND_GIFT_LENT] = "lent until free",
                                              [BIND_GIFT_FREED] = "freed"};
static const char *const json_text_names[] = {[BIND_TEXT_BEHIND] = "behind",
                                              [BIND_TEXT_RESULT] = "result",
                                              [BIND_TEXT_FAULT] = "failure",
                                              [BIND_TEXT_FILLED] = "filled",
                                              [BIND_TEXT_READ] = "read",
                                              [BIND_TEXT_SIZED] = "sized",
                                              [BIND_TEXT_LIST] = "list",
                                              [BIND_TEXT_FILE] = "file",
                                              [BIND_TEXT_COLLECTED] = "collected"};
static const char *const json_text_parts[] = {[BIND_TEXT_ROOM] = "room",
                                              [BIND_TEXT_WRITTEN] = "written",
                                              [BIND_TEXT_LENGTH] = "length",
                                              [BIND_TEXT_WHY] = "failure"};
static const char *const json_return_names[] = {[BIND_RETURN_VOID] = "void",
                                                [BIND_RETURN_STATUS] = "status",
                                                [BIND_RETURN_VALUE] = "value",
                                                [BIND_RETURN_COUNT] = "count"};

/* The JSON is written entry by entry: one that begins puts the comma behind the one before. */
typedef struct json_text {
  bind_text text;
  bool first; /* of an object or a list */
} json_text;

static void json_begin(json_text *t, const char *key) {
  if (!t->first) {
    bind_put_string(&t->text, ",\n");
  }
  t->first = false;
  if (key) {
    bind_put(&t->text, "\"%s\": ", key);
  }
}

/* Begin an object or a list; `key` is NULL for an item of a list. */
static void json_open(json_text *t, const char *key, char bracket) {
  json_begin(t, key);
  bind_open(&t->text, "%c", bracket);
  t->first = true;
}

static void json_close(json_text *t, char bracket) {
  if (!t->first) {
    bind_put_string(&t->text, "\n");
  }
  t->first = false;
  t->text.depth--;
  bind_put(&t->text, "%c", bracket);
}

/* A JSON string; doc texts may hold newlines, never other control characters. */
static void json_put_string(json_text *t, const char *value) {
  bind_put(&t->text, "\"");
  for (const char *p = value; *p; p++) {
    const size_t plain = strcspn(p, "\n\"\\");
    bind_raw(&t->text, p, plain);
    p += plain;
    if (!*p) {
      break;
    }
    if (*p == '\n') {
      bind_put_string(&t->text, "\\n");
    } else {
      bind_put(&t->text, "\\%c", *p);
    }
  }
  bind_put(&t->text, "\"");
}

static void json_put_text(json_text *t, const char *key, const char *value) {
  json_begin(t, key);
  if (value) {
    json_put_string(t, value);
  } else {
    bind_put(&t->text, "null");
  }
}

/* Put a text that may be missing. */
static void json_put_known(json_text *t, const char *key, const char *value) {
  if (value) {
    json_put_text(t, key, value);
  }
}

/* Put what is JSON already. */
static void json_put_value(json_text *t, const char *key, const char *value) {
  json_begin(t, key);
  bind_put(&t->text, "%s", value);
}

static void json_put_number(json_text *t, const char *key, int64_t value) {
  json_begin(t, key);
  bind_put(&t->text, "%lld", (long long)value);
}

static void json_put_truth(json_text *t, const char *key, bool value) {
  json_put_value(t, key, bind_truth(value));
}

/* Put a property only of what has it. */
static void json_put_flag(json_text *t, const char *key, bool value) {
  if (value) {
    json_put_truth(t, key, true);
  }
}

/* Put how C spells a type, without the blank that a name would follow. */
static void json_put_spelling(json_text *t, const char *c) {
  size_t size = strlen(c);
  while (size && c[size - 1] == ' ') {
    size--;
  }
  json_put_text(t, "c", bind_sized(c, size));
}

typedef void json_put_item(json_text *t, const void *item);

/* Put a list of objects, given what puts the entries of one. */
#define JSON_PUT_LIST(t, key, items, count, put)                                                   \
  json_put_list(t, key, items, count, sizeof *(items), put)
static void json_put_list(json_text *t, const char *key, const void *items, int count, size_t size,
                          json_put_item *put) {
  json_open(t, key, '[');
  for (int i = 0; i < count; i++) {
    json_open(t, NULL, '{');
    put(t, (const char *)items + (size_t)i * size);
    json_close(t, '}');
  }
  json_close(t, ']');
}

static void json_put_type(json_text *t, const bind_type *type) {
  json_put_text(t, "kind", bind_kind_name(type->kind));
  if (type->scalar) {
    json_put_text(t, "scalar", bind_scalar_name(type->scalar));
  }
  if (type->enumeration) {
    json_put_text(t, "enum", type->enumeration->name);
  }
  if (type->handle) {
    json_put_text(t, "handle", type->handle->name);
  }
  if (type->structure) {
    json_put_text(t, "struct", type->structure->name);
  }
  json_put_spelling(t, type->c);
}

static void json_put_default(json_text *t, const bind_default *d) {
  if (d->kind == BIND_DEFAULT_NUMBER) {
    json_put_value(t, "default", d->text);
  }
  if (d->kind == BIND_DEFAULT_BOOL) {
    json_put_truth(t, "default", d->truth);
  }
  if (d->kind == BIND_DEFAULT_STRING || d->kind == BIND_DEFAULT_CHARACTER) {
    json_put_text(t, "default", d->text);
  }
  if (d->kind == BIND_DEFAULT_COMPLEX) {
    json_put_value(t, "default", bind_string("[%s, %s]", d->text, d->imaginary));
  }
  if (d->kind != BIND_DEFAULT_ENUMERATOR) {
    return;
  }
  const char *names = d->enumerator->name;
  while ((d = d->next)) {
    names = bind_string("%s|%s", names, d->enumerator->name);
  }
  json_put_text(t, "default", names);
}

static void json_put_param(json_text *t, const void *item) {
  const bind_param *p = item;
  json_put_text(t, "name", p->name);
  json_put_type(t, &p->type);
  json_put_text(t, "direction", json_direction_names[p->direction]);
  json_put_known(t, "pointer", p->pointer);
  json_put_flag(t, "array_interface", p->interface);
  if (p->type.kind == BIND_TENSOR) {
    json_put_truth(t, "optional", p->optional);
    json_put_truth(t, "made", p->made);
  } else {
    json_put_flag(t, "optional", p->optional);
  }
  json_put_flag(t, "kept", p->kept);
  json_put_flag(t, "kept_object", p->kept_object);
  json_put_flag(t, "taken", p->taken);
  if (p->made_from) {
    json_put_text(t, "made_from", p->made_from);
  }
  json_put_flag(t, "ended", p->ended);
  if (p->gift && p->gift->until_change) {
    json_put_text(t, "gives", "lent until change");
  } else if (p->gift) {
    json_put_text(t, "gives", json_gift_names[p->gift->kind]);
  }
  if (p->gift && p->gift->holder) {
    json_put_text(t, "holder", p->gift->holder->name);
  }
  if (p->text) {
    json_put_text(t, "text", json_text_names[p->text->kind]);
    json_put_flag(t, "many", p->text->many);
    json_put_known(t, "holder", p->text->holder ? p->text->holder->name : NULL);
  }
  json_put_flag(t, "returned", p->returned);
  json_put_flag(t, "counts", p->counts);
  if (p->type.kind == BIND_TENSOR || *p->contract) {
    json_put_text(t, "contract", p->contract);
  }
  if (*p->limits) {
    json_put_text(t, "limits", p->limits);
  }
  json_put_default(t, &p->def);
  json_put_text(t, "doc", p->doc);
}

/* An argument of the C function: a parameter, or the number of a list or an array. */
static void json_put_c_param(json_text *t, const void *item) {
  const bind_c_param *p = item;
  json_put_type(t, &p->type);
  if (p->count_of) {
    json_put_text(t, "count_of", p->count_of->name);
  }
  json_put_known(t, "derived", p->derived);
  json_put_flag(t, "extent", p->place);
  if (p->text) {
    json_put_known(t, "text", json_text_parts[p->text_part]);
  }
  json_put_flag(t, "behind", p->by_pointer);
  json_put_known(t, "counts", p->counts);
  json_put_known(t, "field_of", p->field_of);
  json_put_text(t, "name", p->name);
}

/* A struct whose fields are parameters. */
static void json_put_spread(json_text *t, const void *item) {
  const bind_spread *spread = item;
  json_put_text(t, "name", spread->name);
  json_put_spelling(t, spread->c);
  json_put_text(t, "struct", spread->structure->name);
}

static void json_put_hook(json_text *t, const void *item) {
  const bind_hook *hook = item;
  if (hook->field) {
    json_put_text(t, "field", hook->field);
  } else {
    json_put_text(t, "name", hook->name);
  }
  const char *args = "";
  BIND_EACH (const bind_hook_arg, arg, hook->args, hook->arg_count) {
    args = bind_join(args, ", ", bind_string("\"%s\"", arg->derived));
  }
  json_put_value(t, "args", bind_string("[%s]", args));
  if (hook->place >= 0) {
    json_put_number(t, "place", hook->place);
  }
  json_put_truth(t, "early", hook->early);
}

static void json_put_handle(json_text *t, const void *item) {
  const bind_handle *h = item;
  json_put_text(t, "name", h->name);
  json_put_text(t, "short_name", h->short_name);
  json_put_spelling(t, h->c);
  json_put_number(t, "header", h->header);
  json_put_number(t, "line", h->line);
  json_put_text(t, "summary", h->summary);
  json_put_text(t, "description", h->description);
  json_put_known(t, "free", h->free_name);
  json_put_known(t, "checked", h->free_checked_name);
}

/* The type is that of the twins' layout. */
static void json_put_member(json_text *t, const void *item) {
  const bind_param *field = item;
  json_put_text(t, "name", field->name);
  json_put_type(t, &field->type);
  if (field->type.items) {
    json_put_number(t, "items", field->type.items);
  }
  json_put_default(t, &field->def);
  json_put_text(t, "doc", field->doc);
}

static void json_put_structs(json_text *t, const bind_ir *ir) {
  json_open(t, "structs", '[');
  BIND_EACH_STRUCT(s, ir) {
    json_open(t, NULL, '{');
    json_put_text(t, "name", s->name);
    json_put_text(t, "short_name", s->short_name);
    json_put_spelling(t, s->c);
    json_put_text(t, "layout", bind_sized(s->layout, strlen(s->layout) - 1));
    json_put_number(t, "header", s->header);
    json_put_number(t, "line", s->line);
    json_put_text(t, "summary", s->summary);
    json_put_text(t, "description", s->description);
    json_put_known(t, "defaults", s->defaults);
    json_put_flag(t, "hides", s->hides);
    JSON_PUT_LIST(t, "fields", s->fields, s->field_count, json_put_member);
    json_close(t, '}');
  }
  json_close(t, ']');
}

/* C's parameters, where they are not the callers'. */
static void json_put_c_params(json_text *t, const bind_function *f) {
  bool same = f->c_param_count == f->param_count;
  BIND_EACH_C_PARAM (c, f) {
    same &= c->param != NULL && !c->field_of;
  }
  if (same) {
    return;
  }
  JSON_PUT_LIST(t, "c_params", f->c_params, f->c_param_count, json_put_c_param);
}

static void json_put_returns(json_text *t, const bind_function *f) {
  json_open(t, "returns", '{');
  json_put_text(t, "as", json_return_names[f->returns]);
  json_put_type(t, &f->result);
  json_put_flag(t, "optional", f->result_optional);
  if (f->from) {
    json_put_known(t, "message", f->status_message);
    json_put_number(t, "from", f->ok);
    json_put_known(t, "text", f->status_text);
  }
  if (f->returns == BIND_RETURN_STATUS) {
    json_put_flag(t, "info", f->info);
    json_put_known(t, "message", f->status_message);
    json_put_number(t, "ok", f->ok);
    json_put_text(t, "text", f->status_text);
  }
  json_put_text(t, "doc", f->returns_doc);
  json_close(t, '}');
}

static void json_put_texts(json_text *t, const char *key, const char **texts, int count) {
  json_open(t, key, '[');
  for (int i = 0; i < count; i++) {
    json_put_text(t, NULL, texts[i]);
  }
  json_close(t, ']');
}

static void json_put_function(json_text *t, const void *item) {
  const bind_function *f = item;
  json_put_text(t, "name", f->name);
  json_put_text(t, "short_name", f->short_name);
  json_put_number(t, "header", f->header);
  json_put_number(t, "line", f->line);
  json_put_text(t, "declaration", f->declared ? c_spell_function(f->declared) : NULL);
  json_put_text(t, "unbound", f->unbound);
  json_put_texts(t, "reasons", f->reasons, f->reason_count);
  json_put_text(t, "checked", f->unbound || f->family ? NULL : f->checked_name);
  json_put_text(t, "new", f->family ? NULL : f->new_name);
  json_put_text(t, "summary", f->summary);
  json_put_text(t, "description", f->description);
  json_put_known(t, "deprecated", f->deprecated);
  json_put_text(t, "contract", f->contract);
  JSON_PUT_LIST(t, "params", f->params, f->param_count, json_put_param);
  json_put_c_params(t, f);
  if (f->member_count) {
    json_open(t, "family", '[');
    BIND_EACH (const bind_member, m, f->members, f->member_count) {
      const char *name = m->function->name;
      json_put_value(t, NULL, bind_string("{\"dtype\": \"%s\", \"name\": \"%s\"}", m->dtype, name));
    }
    json_close(t, ']');
  }
  if (f->spread_count) {
    JSON_PUT_LIST(t, "spread", f->spreads, f->spread_count, json_put_spread);
  }
  if (f->family) {
    json_put_text(t, "member_of", f->family->name);
  }
  if (f->hook_count) {
    JSON_PUT_LIST(t, "hooks", f->hooks, f->hook_count, json_put_hook);
  }
  if (f->method_of) {
    json_put_text(t, "method_of", f->method_of->name);
  }
  if (f->creates) {
    json_put_text(t, "creates", f->creates->name);
  }
  json_put_flag(t, "borrows", f->borrows);
  json_put_known(t, "owner", f->owner);
  if (f->method_of || f->creates) {
    json_put_text(t, "method", f->method_name);
  }
  json_put_known(t, "property", f->property);
  json_put_flag(t, "sets", f->sets);
  json_put_flag(t, "sure", f->sure);
  json_put_flag(t, "threadsafe", f->threadsafe);
  json_put_flag(t, "unchanged", f->unchanged);
  if (f->speed) {
    json_put_text(t, "speed", f->speed == BIND_SLOW ? "slow" : "fast");
  }
  json_put_truth(t, "takes_error", f->takes_error);
  json_put_returns(t, f);
}

static void json_put_enumerator(json_text *t, const void *item) {
  const bind_enumerator *v = item;
  json_put_text(t, "name", v->name);
  json_put_text(t, "short_name", v->short_name);
  json_put_text(t, "label", v->label);
  json_put_number(t, "value", v->value);
  json_put_text(t, "doc", v->doc);
}

static void json_put_enum(json_text *t, const void *item) {
  const bind_enum *e = item;
  json_put_text(t, "name", e->name);
  json_put_text(t, "short_name", e->short_name);
  json_put_text(t, "c", e->c);
  json_put_number(t, "header", e->header);
  json_put_number(t, "line", e->line);
  json_put_text(t, "scalar", bind_scalar_name(e->scalar));
  json_put_truth(t, "flags", e->flags);
  json_put_text(t, "summary", e->summary);
  json_put_text(t, "description", e->description);
  JSON_PUT_LIST(t, "values", e->values, e->count, json_put_enumerator);
}

static void json_put_headers(json_text *t, const bind_ir *ir) {
  json_open(t, "headers", '[');
  for (int i = 0; i < ir->header_count; i++) {
    json_open(t, NULL, '{');
    json_put_text(t, "name", ir->headers[i].name);
    if (ir->modules) {
      json_put_text(t, "module", ir->modules[i]);
    }
    json_close(t, '}');
  }
  json_close(t, ']');
}

static void json_put_constant(json_text *t, const void *item) {
  const bind_constant *c = item;
  json_put_text(t, "name", c->name);
  json_put_text(t, "short_name", c->short_name);
  json_put_text(t, "scalar", bind_scalar_name(c->scalar));
  json_put_value(t, "value", c->text);
}

int bind_emit_ir(const bind_ir *ir, FILE *file) {
  json_text text = {.first = true};
  json_text *t = &text;
  json_open(t, NULL, '{');
  json_put_number(t, "format", IR_FORMAT);
  json_put_text(t, "version", ir->version);
  json_put_text(t, "name", ir->name);
  json_put_text(t, "prefix", ir->prefix);
  json_put_headers(t, ir);
  json_put_text(t, "summary", ir->summary);
  JSON_PUT_LIST(t, "enums", ir->enums, ir->enum_count, json_put_enum);
  JSON_PUT_LIST(t, "constants", ir->constants, ir->constant_count, json_put_constant);
  json_put_structs(t, ir);
  JSON_PUT_LIST(t, "handles", ir->handles, ir->handle_count, json_put_handle);
  JSON_PUT_LIST(t, "functions", ir->functions, ir->function_count, json_put_function);
  json_close(t, '}');
  bind_put_string(&text.text, "\n");
  return !bind_print(&text.text, file);
}
