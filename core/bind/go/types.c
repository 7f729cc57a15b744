/* SPDX-License-Identifier: Apache-2.0 */
/* Names, docs and types of the Go package. */
#include "bind/base/escape.h"
#include "bind/base/names.h"
#include "bind/emit/query.h"
#include "parts.h"
#include <string.h>

/* Keywords, and names that the emitted functions use. Their own locals, in_NAME and got_NAME, have
 * a '_' inside, which no parameter has. */
static const char go_reserved[] =
    GO_KEYWORDS " any bool error false nil true string int32 uint32 int64 uint64 float32 "
                "float64 int8 int16 uint8 uint16 uintptr new byte len dlferry generated "
                "strconv unsafe err failure options flat result";

const char *go_local(const char *name) {
  char *word = bind_string("%s", bind_pascal(name));
  *word = bind_to_lower(*word);
  return bind_escape(bind_said_or(word, "arg"), go_reserved);
}

static const char *go_scalar(const bind_type *type) {
  return bind_scalar_long(bind_scalar_name(type->scalar));
}

const char *go_type(const bind_type *type) {
  switch (type->kind) {
  case BIND_TENSOR:
    return "dlferry.Arg";
  case BIND_LIST:
    return "[]dlferry.Arg";
  case BIND_ARRAY:
    if (type->handle) {
      return bind_string("[]*%s", bind_pascal(type->handle->short_name));
    }
    return bind_string("[]%s", go_scalar(type));
  case BIND_GIVEN:
    return "*dlferry.Tensor";
  case BIND_HANDLE:
    return bind_string("*%s", bind_pascal(type->handle->short_name));
  case BIND_STRUCT:
    return bind_pascal(type->structure->short_name);
  case BIND_BOOL:
    return "bool";
  case BIND_CHAR:
    return "byte";
  case BIND_STRING:
    return "string";
  case BIND_ENUM:
    return bind_pascal(type->enumeration->short_name);
  case BIND_STREAM:
    return "dlferry.Stream";
  default:
    return go_scalar(type);
  }
}

bool go_is_generic(const bind_function *f, const bind_param *p) {
  if (f->method_of || bind_is_text_list(p)) {
    return false;
  }
  const bind_type *type = &p->type;
  return type->kind == BIND_LIST || (type->kind == BIND_ARRAY && type->scalar == BIND_I64);
}

const bind_param *go_first_option(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_option(p)) {
      return p;
    }
  }
  return NULL;
}

const char *go_argument(const bind_param *p) {
  if (bind_is_option(p)) {
    return bind_string("options.%s", bind_pascal(p->name));
  }
  return go_local(p->name);
}

static const char *go_default(const bind_param *p) {
  const bind_default *d = &p->def;
  const char *all = "";
  switch (d->kind) {
  case BIND_NO_DEFAULT:
    /* the default stream */
    if (bind_is_optional_value(p)) {
      return "nil";
    }
    return "0";
  case BIND_DEFAULT_CHARACTER:
    return bind_string("'%s'", d->text);
  case BIND_DEFAULT_COMPLEX:
    if (strcmp(d->imaginary, "0.0") == 0) {
      return d->text;
    }
    return bind_string("complex(%s, %s)", d->text, d->imaginary);
  case BIND_DEFAULT_BOOL:
    return bind_truth(d->truth);
  case BIND_DEFAULT_ENUMERATOR:
    for (; d; d = d->next) {
      all = bind_join(all, "|", bind_pascal(d->enumerator->short_name));
    }
    return all;
  case BIND_DEFAULT_STRING:
    return bind_string("\"%s\"", d->text);
  default:
    return d->text;
  }
}

/* Tell whether the zero value of a field means the default. */
static bool go_is_zero(const bind_default *d) {
  static const char nonzero[] = "123456789-"; /* -0.0 is not the zero value */
  switch (d->kind) {
  case BIND_NO_DEFAULT:
    return true;
  case BIND_DEFAULT_BOOL:
    return !d->truth;
  case BIND_DEFAULT_ENUMERATOR:
    return d->enumerator->value == 0 && !d->next;
  case BIND_DEFAULT_STRING:
    return !*d->text;
  case BIND_DEFAULT_COMPLEX:
    return !strpbrk(d->text, nonzero) && !strpbrk(d->imaginary, nonzero);
  case BIND_DEFAULT_NUMBER:
    return !strpbrk(d->text, nonzero);
  default:
    return false;
  }
}

const char *go_value(const bind_param *p) {
  if (go_is_zero(&p->def)) {
    return go_argument(p);
  }
  return bind_string("generated.Or(%s, %s)", go_argument(p), go_default(p));
}

/* Return the type of a field: "*float64" for a default that is not zero, else "float64". */
static const char *go_field_type(const bind_param *p) {
  const bool pointer = bind_is_optional_value(p) || !go_is_zero(&p->def);
  return bind_string("%s%s", bind_when(pointer, "*"), go_type(&p->type));
}

bool go_next_call(go_call *call) {
  if (!call->f || !call->make) {
    call->f = bind_next_function(call->ir, call->f);
  }
  call->make = call->f && call->f->new_name && !call->make;
  return call->f;
}

bool go_can_fail(const bind_function *f) {
  return !f->sure || bind_has_kind(f, BIND_HANDLE);
}

/* Close is ours; go vet wants a fixed signature of methods with the other names. */
static const char go_method_words[] = "Close Format GobDecode GobEncode MarshalJSON MarshalXML "
                                      "ReadByte ReadFrom ReadRune Scan Seek UnmarshalJSON "
                                      "UnmarshalXML UnreadByte UnreadRune WriteByte WriteTo";

const char *go_function_name(const go_call *call) {
  const bind_function *f = call->f;
  const char *name = bind_pascal(f->method_of ? f->method_name : f->short_name);
  if (f->new_name && !call->make) {
    name = bind_string("%sInto", name);
  }
  if (f->method_of) {
    return bind_escape(name, go_method_words);
  }
  return name;
}

const char *go_shim(const go_call *call) {
  return bind_string(
      "dlfgo_%s_%s%s", call->ir->name, call->f->short_name, bind_when(call->make, "_new"));
}

const char *go_free_shim(const bind_ir *ir, const bind_handle *h) {
  return bind_string(
      "dlfgo_%s__free_%s", ir->name, h->short_name); /* no short name begins with '_' */
}

/* ---- docs: gofmt rewrites indented lines, lists and headings, so C comments must not give them
 * ---- */

/* gofmt replaces such pairs by one sign. */
static const char *go_quotes(const char *doc) {
  bind_text t = {0};
  while (*doc) {
    size_t size = 1;
    if (*doc == '`') {
      size = strspn(doc, "`");
    } else if (*doc == '\'') {
      size = strspn(doc, "'");
    }
    if (size > 1) {
      bind_put(&t, "\"");
    } else {
      bind_raw(&t, doc, size);
    }
    doc += size;
  }
  return bind_keep(&t);
}

const char *go_one_line(const char *doc) {
  return bind_doc_escape(BIND_DOC_LINE, bind_one_line(go_quotes(doc)));
}

static const char *go_summary(const char *name, const char *summary) {
  char *text = bind_string("%s", go_one_line(summary));
  const bool word =
      (*text && text[1] >= 'a' && text[1] <= 'z') || bind_begins(text, "A "); /* not RGB */
  if (word) {
    *text = bind_to_lower(*text);
  }
  return bind_string(*text ? "// %s: %s" : "// %s", name, text);
}

const char *go_doc(const char *name, const char *summary, const char *description) {
  bind_text t = {0};
  bool alone = true; /* begins a paragraph */
  bind_line(&t, "%s", go_summary(name, summary));
  while (*description) {
    size_t size = strcspn(description, "\n");
    size_t skip = strspn(description, " #*+-\t");
    if (bind_begins(description + skip, "```")) {
      skip = size; /* the fence of a code block */
    }
    const bool before = alone; /* one blank line for any number of them */
    if (skip > size) {
      skip = size;
    }
    const char *line = bind_sized(description + skip, size - skip);
    description += size + (description[size] == '\n');
    /* Go takes a paragraph of one line without a full stop for a heading. */
    const bool last = *description == 0 || *description == '\n';
    const bool heading = alone && *line && last && !strchr(".:;!?)", line[strlen(line) - 1]);
    alone = !*line;
    if (alone) {
      continue;
    }
    if (before) {
      bind_line(&t, "//");
    }
    bind_put_doc(&t, BIND_DOC_LINE, "// ", go_quotes(heading ? bind_string("%s.", line) : line));
  }
  return bind_keep(&t);
}

const char *go_about(const bind_param *p) {
  const char *clause = bind_when(*p->contract, bind_string("%s: %s", p->words, p->contract));
  const char *parts[] = {p->doc, clause, p->limits_words, "", bind_when(p->optional, "may be nil")};
  char *text = "";
  if (bind_is_option(p) && !bind_is_optional_value(p)) {
    parts[3] = bind_string("default %s", go_default(p));
  }
  for (int i = 0; i < 5; i++) {
    if (*parts[i]) {
      text = bind_string("%s%s%s", text, *text ? "; " : ": ", parts[i]);
    }
  }
  return go_one_line(text);
}

/* ---- types ---- */

static const char go_enum[] = "\n"
                              "$doc\n"
                              "type $name $type\n"
                              "\n"
                              "// The values of $name.\n"
                              "const (\n"
                              "\t$values\n"
                              ")\n"
                              "\n"
                              "// String returns the name of the constant.\n"
                              "func (v $name) String() string {\n"
                              "\tswitch v {\n"
                              "\t$cases\n"
                              "\t}\n"
                              "\t$bits\n"
                              "\treturn \"$name(\" + strconv.FormatInt(int64(v), 10) + \")\"\n"
                              "}\n";

/* Name or-ed flags: the lowest one, then the others. */
static const char go_bits[] = "if rest := v & (v - 1); rest != 0 {\n"
                              "\treturn (v ^ rest).String() + \"|\" + rest.String()\n"
                              "}\n";

void go_put_enum(bind_text *t, const bind_enum *e) {
  const char *name = bind_pascal(e->short_name);
  bind_text values = {0};
  bind_text cases = {0};
  for (int i = 0; i < e->count; i++) {
    const char *value = bind_pascal(e->values[i].short_name);
    if (bind_first_of(e, i) == i) { /* Go refuses a case twice */
      bind_fill(&cases, "case $value:\n\treturn \"$value\"\n", {"value", value});
    }
    bind_put(&values, i ? "\n%s\n" : "%s\n", go_summary(value, e->values[i].doc));
    bind_line(&values, "%s %s = %lld", value, name, (long long)e->values[i].value);
  }
  bind_fill(t,
            go_enum,
            {"doc", go_doc(name, e->summary, e->description)},
            {"name", name},
            {"type", e->scalar == BIND_U32 ? "uint32" : "int32"},
            {"values", bind_keep(&values)},
            {"cases", bind_keep(&cases)},
            {"bits", e->flags ? go_bits : ""});
}

static const char go_close[] =
    "// Close frees it as soon as no call of another goroutine uses it. Closing it again, or "
    "closing nil, does\n"
    "// nothing.\n"
    "//\n"
    "// C: $c\n";

static const char go_drop[] =
    "// Close ends its use, and lets the object go that lent it. Closing it again, or closing nil, "
    "does nothing.\n";

static const char go_handle[] =
    "\n"
    "$doc\n"
    "//\n"
    "// Call Close when you no longer need it; otherwise it is closed some time after the garbage "
    "collector finds\n"
    "// it. Every function returns an error for a nil or closed one.\n"
    "type $name generated.Object\n"
    "\n"
    "$close\n"
    "func ($self *$name) Close() error {\n"
    "\treturn (*generated.Object)($self).Close()\n"
    "}\n";

void go_put_handle(bind_text *t, const bind_handle *h) {
  const char *name = bind_pascal(h->short_name);
  bind_fill(t,
            go_handle,
            {"doc", go_doc(name, h->summary, h->description)},
            {"name", name},
            {"close", h->free_name ? bind_filled(go_close, {"c", h->free_name}) : go_drop},
            {"self", go_local(h->short_name)});
}

static const char go_options[] = "\n"
                                 "// $name holds the parameters of $function that have a default. "
                                 "Its zero value means all defaults.\n"
                                 "$pointers\n"
                                 "type $name struct {\n"
                                 "\t$fields\n"
                                 "}\n";

void go_put_options(bind_text *t, const bind_function *f) {
  bool pointers = false;
  bind_text fields = {0};
  BIND_EACH_PARAM (p, f) {
    const char *field = bind_pascal(p->name);
    if (!bind_is_option(p)) {
      continue;
    }
    bind_line(&fields,
              "%s// %s%s\n%s %s",
              bind_when(fields.length, "\n"),
              field,
              go_about(p),
              field,
              go_field_type(p));
    pointers |= !bind_is_optional_value(p) && !go_is_zero(&p->def);
  }
  bind_fill(t,
            go_options,
            {"name", bind_options_name(f)},
            {"function", bind_pascal(f->short_name)},
            {"fields", bind_keep(&fields)},
            {"pointers",
             bind_when(pointers,
                       "// A field that is a pointer means its default if it is nil; "
                       "dlferry.Ptr(value) makes one.")});
}
