/* SPDX-License-Identifier: Apache-2.0 */
/* From C declarations to what a binding is: kinds, directions, contracts, names, and why something cannot be bound. */
#include "ir.h"
#include "../hub/contract.h"
#include "emit.h"
#include "parse.h"
#include <string.h>

typedef struct ir_builder {
  bind_ir *ir;
  const bind_options *options;
  const c_header *header;
  bool failed;
} ir_builder;

BIND_PRINTF(3, 4)
static void ir_fail(ir_builder *b, int line, const char *format, ...) {
  va_list list;
  va_start(list, format);
  bind_error("%s:%d: %s", b->options->header, line, bind_string_list(format, list));
  va_end(list);
  b->failed = true;
}

/* ---- names ---- */

static bool ir_is_name(const char *name) {
  if (!*name || (*name >= '0' && *name <= '9')) return false;
  for (const char *p = name; *p; p++)
    if (!((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || (*p >= '0' && *p <= '9') || *p == '_')) return false;
  return true;
}

/* Strip a prefix in any case; NULL when what is left is no name. */
static const char *ir_strip(const char *name, const char *prefix) {
  size_t i = 0;
  for (; prefix[i]; i++) {
    char a = name[i], c = prefix[i];
    if (a >= 'A' && a <= 'Z') a = (char)(a - 'A' + 'a');
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (a != c) return name;
  }
  return ir_is_name(name + i) ? name + i : NULL;
}

static const char *ir_short_name(ir_builder *b, const char *name, int line) {
  const char *stripped = ir_strip(name, b->ir->prefix);
  if (!stripped) ir_fail(b, line, "%s: nothing usable is left without the prefix %s", name, b->ir->prefix);
  return stripped ? stripped : name;
}

/* ---- enums ---- */

static bool ir_are_flags(const bind_enum *e) {
  int powers = 0;
  for (int i = 0; i < e->count; i++) {
    int64_t v = e->values[i].value;
    if (v < 0 || (v & (v - 1)) != 0) return false;
    powers += v != 0;
  }
  return powers >= 3;
}

static void ir_build_enum(ir_builder *b, const c_enum *from, bind_enum *e) {
  doc_comment doc;
  doc_read(from->doc, &doc);
  e->name = from->name;
  e->c = from->spelling;
  e->short_name = ir_short_name(b, from->name, from->line);
  e->summary = doc.summary;
  e->description = doc.description;
  e->line = from->line;
  e->count = from->count;
  e->values = bind_alloc((size_t)from->count + 1, sizeof *e->values);
  bool negative = false, large = false, labels = true;
  const char *own = bind_string("%s_", bind_snake(e->short_name));
  for (int i = 0; i < from->count; i++) {
    const c_value *v = &from->values[i];
    bind_enumerator *to = &e->values[i];
    to->name = v->name;
    to->short_name = ir_short_name(b, v->name, from->line);
    to->value = v->value;
    to->doc = doc_paragraph(v->doc);
    to->label = ir_strip(to->short_name, own);
    if (!to->label) labels = false;
    negative |= v->value < 0;
    large |= v->value > INT32_MAX;
    if (v->value < INT32_MIN || v->value > UINT32_MAX || (negative && large))
      ir_fail(b, from->line, "enum %s: values do not fit in 32 bits", from->name);
  }
  for (int i = 0; i < e->count && !labels; i++) e->values[i].label = e->values[i].short_name;
  e->scalar = large ? BIND_U32 : BIND_I32;
  e->flags = ir_are_flags(e);
}

/* ---- types ---- */

static const char *const ir_scalar_names[] = {"",         "int8_t",   "int16_t",  "int32_t", "int64_t", "uint8_t",
                                              "uint16_t", "uint32_t", "uint64_t", "float",   "double"};

static bool ir_is_struct(const c_type *t, const char *name) {
  if (t->kind != C_STRUCT) return false;
  const char *spelling = strncmp(t->spelling, "struct ", 7) == 0 ? t->spelling + 7 : t->spelling;
  return strcmp(spelling, name) == 0;
}

static void ir_build_pointer(const c_type *t, bind_type *out) {
  const c_type *to = t->to, *base = to;
  const char *stars = "*";
  for (; base->kind == C_POINTER; base = base->to) stars = bind_string("*%s%s", base->is_const ? "const " : "", stars);
  out->kind = BIND_OTHER;
  out->c = base->kind == C_FUNCTION ? ""
                                    : bind_string("%s%s %s", base->is_const ? "const " : "",
                                                  *base->spelling ? base->spelling : "void", stars);
  if (ir_is_struct(to, "DLTensor"))
    out->kind = BIND_TENSOR;
  else if (to->kind == C_CHAR && to->is_const)
    out->kind = BIND_STRING;
  else if (to->kind == C_POINTER && ir_is_struct(to->to, "DLTensor"))
    out->kind = BIND_LIST;
  else if (to->kind == C_POINTER && ir_is_struct(to->to, "DLManagedTensorVersioned"))
    out->kind = BIND_GIVEN;
  else if ((to->kind == C_INTEGER || to->kind == C_REAL) && to->is_const)
    out->kind = BIND_ARRAY;
  else if (to->kind == C_STRUCT)
    out->kind = BIND_HANDLE;
}

static bind_type ir_build_type(const ir_builder *b, const c_type *t) {
  bind_type out = {BIND_OTHER, BIND_NONE, bind_string("%s ", t->spelling), NULL};
  switch (t->kind) {
  case C_VOID: out.kind = BIND_VOID; break;
  case C_BOOL: out.kind = BIND_BOOL; break;
  case C_INTEGER:
    out.kind = BIND_INTEGER;
    out.scalar = t->scalar;
    break;
  case C_REAL:
    out.kind = BIND_REAL;
    out.scalar = t->scalar;
    break;
  case C_ENUM:
    for (int i = 0; i < b->ir->enum_count; i++)
      if (t->enumeration && strcmp(b->ir->enums[i].name, t->enumeration->name) == 0) out.enumeration = &b->ir->enums[i];
    if (out.enumeration) {
      out.kind = BIND_ENUM;
      out.scalar = out.enumeration->scalar;
      out.c = bind_string("%s ", out.enumeration->c);
    }
    break;
  case C_POINTER: ir_build_pointer(t, &out); break;
  case C_STRUCT:
    if (ir_is_struct(t, "dlf_stream")) out.kind = BIND_STREAM;
    break;
  default: break;
  }
  return out;
}

static const char *ir_why_unbound(const bind_type *type) {
  switch (type->kind) {
  case BIND_LIST: return "lists of tensors are not bound yet";
  case BIND_ARRAY: return "arrays are not bound yet";
  case BIND_GIVEN: return "tensors that the function allocates are not bound yet";
  case BIND_HANDLE: return "handles and pointers to structs are not bound yet";
  case BIND_STREAM: return "streams are not bound yet";
  case BIND_VOID:
  case BIND_OTHER:
    return *type->c ? bind_string("the type `%.*s` is not bound",
                                  (int)strlen(type->c) - (type->c[strlen(type->c) - 1] == ' '), type->c)
                    : "pointers to functions are not bound";
  default: return NULL;
  }
}

/* ---- contracts ---- */

static dlf_parameter_kind ir_parameter_kind(const bind_param *p) {
  switch (p->type.kind) {
  case BIND_TENSOR: return p->direction == BIND_IN ? DLF_PARAMETER_INPUT : DLF_PARAMETER_OUTPUT;
  case BIND_INTEGER: return p->type.scalar == BIND_U64 ? DLF_PARAMETER_UNSIGNED : DLF_PARAMETER_INTEGER;
  case BIND_REAL: return DLF_PARAMETER_REAL;
  default: return DLF_PARAMETER_OTHER;
  }
}

/* A literal that all five languages read: a real must not look like an integer. */
static const char *ir_number(const char *text, bool real) {
  if (!real || strpbrk(text, ".eE")) return text;
  return bind_string("%s.0", text);
}

static void ir_build_default(ir_builder *b, const bind_function *f, bind_param *p, const dlf__default *d) {
  const bind_enum *e = p->type.enumeration;
  bind_default *def = &p->def;
  def->text = bind_string("%s", d->text);
  if (d->kind == DLF__DEFAULT_NUMBER && (p->type.kind == BIND_INTEGER || p->type.kind == BIND_REAL)) {
    def->kind = BIND_DEFAULT_NUMBER;
    def->text = ir_number(def->text, p->type.kind == BIND_REAL);
    static const int64_t lowest[] = {0, INT8_MIN, INT16_MIN, INT32_MIN, INT64_MIN, 0, 0, 0, 0, 0, 0};
    static const int64_t highest[] = {0,          INT8_MAX,   INT16_MAX, INT32_MAX, INT64_MAX, UINT8_MAX,
                                      UINT16_MAX, UINT32_MAX, INT64_MAX, 0,         0};
    int64_t value = 0;
    bool minus = *d->text == '-';
    for (const char *c = d->text + minus; p->type.kind == BIND_INTEGER && *c; c++) value = value * 10 + (*c - '0');
    if (minus) value = -value;
    if (p->type.kind == BIND_INTEGER && (value < lowest[p->type.scalar] || value > highest[p->type.scalar]))
      ir_fail(b, f->line, "%s: default of %s does not fit in %s", f->short_name, p->name,
              ir_scalar_names[p->type.scalar]);
  } else if (d->kind == DLF__DEFAULT_WORD && p->type.kind == BIND_BOOL && bind_word_in(d->text, "true false")) {
    def->kind = BIND_DEFAULT_BOOL;
    def->truth = strcmp(d->text, "true") == 0;
  } else if (d->kind == DLF__DEFAULT_STRING && p->type.kind == BIND_STRING) {
    def->kind = BIND_DEFAULT_STRING;
    for (const char *c = d->text; *c; c++)
      if (*c < 0x20 || *c > 0x7E || strchr("\\$", *c))
        ir_fail(b, f->line, "%s: default of %s: only plain ASCII without \\ and $ is supported", f->short_name,
                p->name);
  } else if (d->kind == DLF__DEFAULT_WORD && e) {
    for (int i = 0; i < e->count; i++)
      if (strcmp(e->values[i].name, d->text) == 0) def->enumerator = &e->values[i];
    def->kind = BIND_DEFAULT_ENUMERATOR;
    if (!def->enumerator)
      ir_fail(b, f->line, "%s: default of %s: %s has no enumerator %s", f->short_name, p->name, e->name, d->text);
  } else {
    ir_fail(b, f->line, "%s: default of %s: `%s` does not suit its type", f->short_name, p->name, d->text);
  }
}

static bool ir_mentions(const char *text, const char *name) {
  size_t size = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += size) {
    char before = at == text ? ' ' : at[-1], after = at[size];
    if (!ir_is_name((char[]){before == ' ' ? '-' : before, 0}) && !(before >= '0' && before <= '9') &&
        !ir_is_name((char[]){after ? after : '-', 0}) && !(after >= '0' && after <= '9'))
      return true;
  }
  return false;
}

static void ir_read_clauses(ir_builder *b, bind_function *f, const dlf_contract *c) {
  bool made = false, determined = true;
  for (int32_t i = 0; i < c->clause_count; i++) {
    const dlf__clause *clause = &c->clauses[i];
    bind_param *p = &f->params[clause->parameter];
    p->optional = clause->opt;
    if (clause->inout) p->direction = BIND_INOUT;
    p->contract = bind_string("%s", clause->text);
    if (p->direction != BIND_OUT || clause->opt) continue;
    made = true;
    determined &= clause->inferable;
  }
  made &= determined;
  if (made) f->new_name = bind_string("%s_new", f->name);
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    p->made = made && p->type.kind == BIND_TENSOR && p->direction == BIND_OUT && !p->optional;
    for (int32_t k = 0; k < c->constraint_count; k++)
      if (p->type.kind != BIND_TENSOR && ir_mentions(c->constraints[k].text, p->name))
        p->limits = *p->limits ? bind_string("%s; %s", p->limits, c->constraints[k].text)
                               : bind_string("%s", c->constraints[k].text);
  }
  for (int32_t i = 0; i < c->default_count; i++)
    ir_build_default(b, f, &f->params[c->defaults[i].parameter], &c->defaults[i]);
}

static void ir_build_contract(ir_builder *b, bind_function *f, const char *text) {
  dlf_parameter *parameters = bind_alloc((size_t)f->param_count + 1, sizeof *parameters);
  dlf_contract *c = NULL;
  dlf_error error = {0};
  for (int i = 0; i < f->param_count; i++)
    parameters[i] = (dlf_parameter){f->params[i].name, ir_parameter_kind(&f->params[i])};
  if (dlf_contract_compile(text, f->short_name, parameters, f->param_count, &c, &error)) {
    ir_fail(b, f->line, "%s", error.message);
    return;
  }
  ir_read_clauses(b, f, c);
  f->contract = bind_string("%s", c->text);
  if (c->returns_status) {
    if (f->result.kind != BIND_INTEGER && f->returns != BIND_RETURN_STATUS)
      ir_fail(b, f->line, "%s: `return: status` needs an integer return type", f->short_name);
    f->returns = BIND_RETURN_STATUS;
    f->ok = c->ok;
    f->status_text = c->status_text ? bind_string("%s", c->status_text) : NULL;
  }
  dlf_contract_free(c);
}

/* ---- functions ---- */

static void ir_build_return(bind_function *f, const c_function *from) {
  const bool status_type = strcmp(from->result->spelling, "dlf_status") == 0;
  f->returns = f->result.kind == BIND_VOID ? BIND_RETURN_VOID
               : status_type || (f->takes_error && f->result.kind == BIND_INTEGER && f->result.scalar == BIND_I32)
                   ? BIND_RETURN_STATUS
                   : BIND_RETURN_VALUE;
}

static void ir_build_params(ir_builder *b, bind_function *f, const c_function *from, const doc_comment *doc) {
  f->params = bind_alloc((size_t)from->count + 1, sizeof *f->params);
  for (int i = 0; i < from->count; i++) {
    const c_type *t = from->params[i].type;
    if (i + 1 == from->count && t->kind == C_POINTER && ir_is_struct(t->to, "dlf_error")) {
      f->takes_error = true;
      break;
    }
    bind_param *p = &f->params[f->param_count++];
    p->name = *from->params[i].name ? from->params[i].name : bind_string("arg%d", i + 1);
    p->type = ir_build_type(b, t);
    p->direction = p->type.kind == BIND_TENSOR && !t->to->is_const ? BIND_OUT : BIND_IN;
    p->contract = p->limits = "";
    p->doc = doc_paragraph(from->params[i].doc);
    for (int k = 0; k < doc->param_count; k++)
      if (strcmp(doc->params[k].name, p->name) == 0) p->doc = doc->params[k].text;
    const char *why = ir_why_unbound(&p->type);
    if (why && !f->unbound) f->unbound = bind_string("%s: %s", p->name, why);
    for (int k = 0; k + 1 < f->param_count; k++)
      if (strcmp(f->params[k].name, p->name) == 0)
        ir_fail(b, from->line, "%s: two parameters named %s", f->name, p->name);
    if (strcmp(p->name, "error") == 0 || strcmp(p->name, from->name) == 0 || strncmp(p->name, "dlf", 3) == 0 ||
        (strcmp(p->name, "result") == 0 && from->result->kind != C_VOID))
      f->unbound = bind_string("%s: a parameter of this name would hide another in the generated code", p->name);
  }
}

static void ir_build_function(ir_builder *b, const c_function *from, bind_function *f) {
  doc_comment doc;
  doc_read(from->doc, &doc);
  f->name = from->name;
  f->line = from->line;
  f->short_name = ir_short_name(b, from->name, from->line);
  f->checked_name = bind_string("%s_checked", f->name);
  f->summary = doc.summary;
  f->description = doc.description;
  f->returns_doc = doc.returns;
  f->contract = "";
  f->result = ir_build_type(b, from->result);
  ir_build_params(b, f, from, &doc);
  ir_build_return(f, from);
  if (from->variadic) f->unbound = "a variable number of arguments is not bound";
  if (f->returns == BIND_RETURN_VALUE && !f->unbound) {
    const char *why = f->result.kind == BIND_TENSOR || f->result.kind == BIND_STRING
                          ? "pointers are not bound as results"
                          : ir_why_unbound(&f->result);
    if (why) f->unbound = bind_string("its result: %s", why);
  }
  if (!f->unbound) ir_build_contract(b, f, doc.contract);
}

/* Names that would meet in a binding. */
static void ir_check_clashes(ir_builder *b) {
  const bind_ir *ir = b->ir;
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));) {
    for (const bind_function *g = f; (g = bind_next_function(ir, g));)
      if (strcmp(bind_snake(f->short_name), bind_snake(g->short_name)) == 0)
        ir_fail(b, g->line, "%s and %s are both called %s without the prefix", f->name, g->name, f->short_name);
    for (int i = 0; i < ir->enum_count; i++)
      if (strcmp(bind_pascal(f->short_name), bind_pascal(ir->enums[i].short_name)) == 0)
        ir_fail(b, f->line, "%s and enum %s are both called %s without the prefix", f->name, ir->enums[i].name,
                bind_pascal(f->short_name));
    for (int i = 0; i < b->header->function_count; i++) {
      const char *name = b->header->functions[i].name;
      if (strcmp(name, f->checked_name) == 0 || (f->new_name && strcmp(name, f->new_name) == 0))
        ir_fail(b, f->line, "%s: the generated function would be called %s, which the header declares", f->name, name);
    }
  }
  for (int i = 0; i < ir->enum_count; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(bind_pascal(ir->enums[i].short_name), bind_pascal(ir->enums[k].short_name)) == 0)
        ir_fail(b, ir->enums[i].line, "enums %s and %s are both called %s without the prefix", ir->enums[k].name,
                ir->enums[i].name, ir->enums[i].short_name);
}

/* ---- the whole ---- */

/* "Apache-2.0" of an SPDX line near the top: what is made from the header is under its licence. */
static const char *ir_license(const char *text) {
  static const char mark[] = "SPDX-License-Identifier:";
  const char *found = strstr(text, mark);
  if (!found || found - text > 2000) return "";
  found += sizeof mark - 1;
  found += strspn(found, " ");
  size_t size = strspn(found, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.+-() ");
  while (size && found[size - 1] == ' ') size--;
  return bind_string("%.*s", (int)size, found);
}

bool bind_read(bind_ir *ir, const bind_options *options) {
  lex_list list;
  c_header header;
  doc_comment doc;
  ir_builder b = {ir, options, &header, false};
  int unbound = 0;
  ir->name = options->name;
  ir->prefix = options->prefix;
  ir->command = options->command;
  ir->license = ir_license(ir->header.data);
  if (!lex_header(options->header, ir->header.data, ir->header.size, options->ignore, &list)) return false;
  if (!parse_header(options->header, &list, &header)) return false;
  doc_read(header.file_doc, &doc);
  ir->summary = doc.summary;
  ir->enums = bind_alloc((size_t)header.enum_count + 1, sizeof *ir->enums);
  for (int i = 0; i < header.enum_count; i++) ir_build_enum(&b, header.enums[i], &ir->enums[ir->enum_count++]);
  ir->functions = bind_alloc((size_t)header.function_count + 1, sizeof *ir->functions);
  for (int i = 0; i < header.function_count; i++)
    ir_build_function(&b, &header.functions[i], &ir->functions[ir->function_count++]);
  for (int i = 0; i < ir->function_count; i++) {
    const bind_function *f = &ir->functions[i];
    if (!f->unbound) continue;
    bind_error("%s:%d: skipped %s: %s", options->header, f->line, f->name, f->unbound);
    unbound++;
  }
  ir_check_clashes(&b);
  if (unbound && options->strict) {
    bind_error("%d functions are not bound, and --strict is given", unbound);
    return false;
  }
  return !b.failed;
}
