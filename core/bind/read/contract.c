/* SPDX-License-Identifier: Apache-2.0 */
/* Copy a function's contract into the IR: directions, outputs that can be made, counts, hooks. */
#include "contract/contract.h"
#include "bind/base/names.h"
#include "builder.h"
#include "parameters.h"
#include "scalar.h"
#include <stdlib.h>
#include <string.h>

/* ---- defaults and limits ---- */

/* Return a literal that all five languages read: a real must not look like an integer. */
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
    int64_t value = 0;
    bool minus = *d->text == '-';
    for (const char *c = d->text + minus; p->type.kind == BIND_INTEGER && *c; c++) value = value * 10 + (*c - '0');
    if (minus) value = -value;
    if (p->type.kind == BIND_INTEGER &&
        (value < bind_scalar_lowest(p->type.scalar) || value > bind_scalar_highest(p->type.scalar)))
      ir_fail(b, f->line, "%s: default of %s does not fit in %s", f->short_name, p->name,
              bind_scalar_c(p->type.scalar));
    float narrow;
    if (p->type.scalar == BIND_F32 && dlf_to_float(strtod(d->text, NULL), "", &narrow, NULL))
      ir_fail(b, f->line, "%s: default of %s does not fit in float", f->short_name, p->name);
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

static bool ir_in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Tell whether a text has the name as a whole word. */
static bool ir_mentions(const char *text, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += size)
    if ((at == text || !ir_in_word(at[-1])) && !ir_in_word(at[size])) return true;
  return false;
}

/* ---- clauses ---- */

static void ir_read_clauses(ir_builder *b, bind_function *f, const dlf_contract *c) {
  bool made = false, determined = true;
  for (int32_t i = 0; i < c->clause_count; i++) {
    const dlf__clause *clause = &c->clauses[i];
    bind_param *p = &f->params[clause->parameter];
    p->optional = clause->opt;
    if (clause->inout) p->direction = BIND_INOUT;
    p->contract = bind_string("%s", clause->text);
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || clause->opt) continue;
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

/* ---- pointers to elements, and arguments that the call computes ---- */

/* C reads elements of its own type; behind `void *` the clause alone says which, and `char` has bytes. */
static void ir_compare_element(ir_builder *b, const bind_function *f, const bind_param *p, const dlf__clause *clause) {
  char dtype[DLF_NAME_CAPACITY] = "several dtypes";
  if (clause->dtype_count == 1) dlf_dtype_format_short(clause->dtypes[0], dtype, sizeof dtype);
  const bool constant = strncmp(p->pointer, "const ", 6) == 0;
  const char *c = p->pointer + (constant ? 6 : 0);
  c = bind_string("%.*s", (int)strcspn(c, " "), c);
  const char *own = p->type.scalar                  ? bind_scalar_name(p->type.scalar)
                    : bind_word_in(c, "bool _Bool") ? "bool"
                    : strcmp(c, "char") == 0        ? "u8 i8"
                                                    : dtype;
  if (!bind_word_in(dtype, own))
    ir_fail(b, f->line, "%s: %s: the contract says %s, C says %s", f->short_name, p->name, dtype,
            p->type.scalar ? bind_scalar_c(p->type.scalar) : c);
}

/* Check the clause of what C gives: one dtype, which is C's own, without gaps, on the processor. */
static void ir_read_gifts(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    const dlf__clause *clause = p->gift ? dlf__contract_clause(c, i) : NULL;
    if (!clause) continue;
    const bool gapless = clause->layout == DLF__LAYOUT_ROW_MAJOR || clause->layout == DLF__LAYOUT_FORTRAN;
    bool known = clause->like < 0 && clause->dtype_count == 1 && gapless && !clause->same_layout &&
                 clause->place == DLF__PLACE_CPU && (clause->run < 0 || p->gift->extents);
    for (int32_t k = 0; k < clause->axis_count; k++)
      known &= clause->axes[k].kind == DLF__AXIS_SYMBOL || clause->axes[k].kind == DLF__AXIS_EXPRESSION ||
               clause->axes[k].kind == DLF__AXIS_RUN;
    if (!known)
      ir_fail(b, f->line, "%s: %s: `gives`: expected one dtype, extents that C gives or arguments have, and no gaps",
              f->short_name, p->name);
    p->pointer = p->gift->pointer;
    ir_compare_element(b, f, p, clause);
    p->pointer = NULL;
    p->type.scalar = BIND_NONE;
  }
}

/* Take a pointer's clause for what it is: a tensor. */
static void ir_read_pointers(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    const dlf__clause *clause = p->pointer ? dlf__contract_clause(c, i) : NULL;
    if (!clause) continue;
    if (clause->opt || clause->like >= 0 || (!clause->dtype_count && clause->type < 0))
      ir_fail(b, f->line, "%s: %s: expected the dtype and the extents of a tensor for `%s`", f->short_name, p->name,
              p->pointer);
    ir_compare_element(b, f, p, clause);
    p->type.scalar = BIND_NONE;
  }
  for (int32_t i = 0; i < c->derived_count; i++)
    if (c->derived[i].blas && f->params[c->derived[i].tensor].pointer)
      f->params[c->derived[i].tensor].lowest = true;
    else if (c->derived[i].blas)
      ir_fail(b, f->line, "%s: `blas` is for a pointer to elements, and %s is a DLTensor *", f->short_name,
              f->params[c->derived[i].tensor].name);
}

/* An integer, a character, a value of the parameter's enum, or for an integer any constant of the header. */
static void ir_check_constant(ir_builder *b, const bind_function *f, const bind_param *p, const char *value) {
  const bind_enum *e = p->type.enumeration;
  bool found = !e && !ir_in_word(*value);
  for (const char *c = value; !e && (*c == '-' || (*c >= '0' && *c <= '9')); c++) found = true;
  for (int i = 0; e && i < e->count; i++) found |= strcmp(e->values[i].name, value) == 0;
  for (int i = 0; !e && i < b->list->constant_count; i++) found |= strcmp(b->list->constants[i], value) == 0;
  for (int i = 0; !e && i < b->ir->enum_count; i++)
    for (int k = 0; k < b->ir->enums[i].count; k++) found |= strcmp(b->ir->enums[i].values[k].name, value) == 0;
  if (found) return;
  if (e)
    ir_fail(b, f->line, "%s: %s: %s has no enumerator %s", f->short_name, p->name, e->name, value);
  else
    ir_fail(b, f->line, "%s: %s: nothing binds %s, and the header has no such constant", f->short_name, p->name, value);
}

/* Return the text of what computes a parameter. */
static const char *ir_derived_text(ir_builder *b, const bind_function *f, const bind_param *p, const dlf_contract *c) {
  const dlf__derived *d = dlf__contract_derived(c, (int32_t)(p - f->params));
  if (d->source == DLF__SOURCE_CONSTANT) ir_check_constant(b, f, p, d->word);
  for (int32_t i = 0; i < d->choice_count; i++) ir_check_constant(b, f, p, d->choices[i].value);
  if (p->type.enumeration && d->source != DLF__SOURCE_CONSTANT && !d->choice_count)
    ir_fail(b, f->line, "%s: %s: expected a value of %s", f->short_name, p->name, p->type.enumeration->name);
  return bind_string("%s", d->text);
}

/* ---- counts: a caller passes a list or an array as one thing ---- */

/* Find the parameter that counts p: the one that the clause names, else the integer just after it. */
static int ir_find_count(const bind_function *f, int which, const char *named) {
  for (int i = 0; i < f->param_count; i++)
    if (named && strcmp(f->params[i].name, named) == 0) return bind_is_integer(f, i) ? i : -1;
  return bind_is_integer(f, which + 1) ? which + 1 : -1;
}

/* Return the contract's name for the number of a list or an array, or NULL. */
static const char *ir_count_name(const dlf_contract *c, int parameter) {
  for (int32_t i = 0; i < c->array_count; i++)
    if (c->arrays[i].parameter == parameter) return c->symbols[c->arrays[i].symbol].name;
  for (int32_t i = 0; i < c->clause_count; i++)
    if (c->clauses[i].parameter == parameter && c->clauses[i].count >= 0) return c->symbols[c->clauses[i].count].name;
  return NULL;
}

static void ir_read_arrays(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count && !f->unbound; i++) {
    const bind_param *p = &f->params[i];
    bool said = p->type.kind != BIND_ARRAY;
    for (int32_t k = 0; k < c->array_count; k++) {
      char dtype[DLF_NAME_CAPACITY];
      if (c->arrays[k].parameter != i) continue;
      said = true;
      dlf_dtype_format_short(c->arrays[k].dtype, dtype, sizeof dtype);
      if (strcmp(dtype, bind_scalar_name(p->type.scalar)) != 0)
        ir_fail(b, f->line, "%s: %s: the contract says %s, C says %s", f->short_name, p->name, dtype,
                bind_scalar_c(p->type.scalar));
      f->params[i].contract = bind_string("%s", c->arrays[k].text);
    }
    if (!said)
      f->unbound =
          bind_string("%s: no clause tells what it points to: write `%s: %s[n]` for a tensor, or `%s: %s *n` "
                      "for a list of numbers",
                      p->name, p->name, bind_scalar_name(p->type.scalar), p->name, bind_scalar_name(p->type.scalar));
  }
}

/* ---- one number or several ---- */

static bool ir_takes_array(const bind_function *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].type.kind == BIND_ARRAY) return true;
  return false;
}

/* `double *x, int n` may be an array, and `int n, const double *x, double *y` two arrays of one length. A place for one
 * number would be too small for them. */
static void ir_read_outs(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool number = p->returned && p->type.kind != BIND_GIVEN && p->type.kind != BIND_HANDLE;
    if (c->outs[i] && !number)
      ir_fail(b, f->line, "%s: %s: `out` is for a pointer to a number that is not const", f->short_name, p->name);
    const bool beside = bind_is_integer(f, i - 1) || bind_is_integer(f, i + 1);
    const bool foreign = b->options->contracts && !f->named; /* a header that does not know us */
    if (c->outs[i] || !number || p->extent || f->unbound || !(beside || foreign || ir_takes_array(f))) continue;
    f->unbound =
        bind_string("%s: a pointer to a number%s may be an array: write `%s: out` in its contract if it is one "
                    "number, else %s",
                    p->name,
                    beside    ? " beside an integer"
                    : foreign ? ""
                              : " beside an array",
                    p->name, b->options->contracts ? "the dtype and extents of a tensor" : "pass a DLTensor *");
  }
}

/* The type of the variable to which C gets a pointer: "uint64_t " for uint64_t *, "const int *" for const int **. */
static const char *ir_place(const bind_param *p) {
  const char *c = p->type.c;
  return p->returned ? c : bind_string("%.*s", (int)strlen(c) - 1, c);
}

/* Split the parameters: params has those of callers, c_params those of C. */
static void ir_fold_counts(ir_builder *b, bind_function *f, const dlf_contract *c) {
  int *counts = bind_alloc((size_t)f->param_count + 1,
                           sizeof *counts); /* the one that it counts, from 1; 0: none; -1: derived; -2: a place */
  int *places = bind_alloc((size_t)f->param_count + 1, sizeof *places);
  int kept = 0;
  for (int i = 0; i < f->param_count; i++)
    counts[i] = dlf__contract_derived(c, i) ? -1 : f->params[i].extent && !f->unbound ? -2 : 0;
  for (int i = f->param_count - 1; i >= 0 && !f->unbound; i--) {
    const bind_param *p = &f->params[i];
    if (p->type.kind != BIND_LIST && p->type.kind != BIND_ARRAY) continue;
    const int count = ir_find_count(f, i, ir_count_name(c, i));
    if (count < 0 || counts[count] < 0)
      f->unbound = bind_string("%s: no integer after it gives its length", p->name);
    else
      counts[count] = i + 1;
  }
  f->c_param_count = f->param_count;
  f->c_params = bind_alloc((size_t)f->param_count + 1, sizeof *f->c_params);
  for (int i = 0; i < f->param_count; i++) {
    f->c_params[i].type = f->params[i].type;
    if (f->params[i].pointer) f->c_params[i].type.c = f->params[i].pointer;
    f->c_params[i].name = f->params[i].name;
    if (counts[i] == -2) f->c_params[i].place = ir_place(&f->params[i]);
    f->c_params[i].derived = counts[i] == -1 ? ir_derived_text(b, f, &f->params[i], c) : NULL;
    places[i] = kept;
    if (counts[i] && !f->unbound) continue;
    f->params[kept++] = f->params[i];
  }
  for (int i = 0; i < f->c_param_count; i++) {
    const bool folded = counts[i] && !f->unbound;
    f->c_params[i].param = folded ? NULL : &f->params[places[i]];
    f->c_params[i].count_of = folded && counts[i] > 0 ? &f->params[places[counts[i] - 1]] : NULL;
  }
  f->param_count = kept;
}

/* ---- hooks ---- */

static const c_function *ir_find_function(const ir_builder *b, const char *name) {
  for (int i = 0; i < b->header->function_count; i++)
    if (strcmp(b->header->functions[i].name, name) == 0) return &b->header->functions[i];
  return NULL;
}

/* Find the parameter for a hook's parameter: it has the same name and type, and is known before the call. */
static const bind_param *ir_hook_argument(const ir_builder *b, const bind_function *f, const c_param *from) {
  const bind_type type = ir_build_type(b, from->type);
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    if (strcmp(p->name, from->name) == 0 && strcmp(p->type.c, type.c) == 0 && p->type.kind == type.kind &&
        p->direction != BIND_OUT && !p->returned && p->type.kind != BIND_LIST && p->type.kind != BIND_ARRAY)
      return p;
  }
  return NULL;
}

static void ir_build_hooks(ir_builder *b, bind_function *f, const dlf_contract *c) {
  f->hooks = bind_alloc((size_t)c->hook_count + 1, sizeof *f->hooks);
  for (int32_t i = 0; i < c->hook_count; i++) {
    bind_hook *hook = &f->hooks[f->hook_count++];
    const c_function *from = ir_find_function(b, c->hooks[i]);
    hook->name = bind_string("%s", c->hooks[i]);
    hook->short_name = hook->name;
    if (!from || ir_build_type(b, from->result).kind != BIND_INTEGER) {
      ir_fail(b, f->line, "%s: hook(%s): expected a function of this header that returns an integer", f->short_name,
              hook->name);
      continue;
    }
    hook->short_name = ir_short_name(b, from->name, from->line);
    hook->params = bind_alloc((size_t)from->count + 1, sizeof *hook->params);
    for (int k = 0; k < from->count; k++) {
      hook->params[hook->param_count] = ir_hook_argument(b, f, &from->params[k]);
      if (!hook->params[hook->param_count++])
        ir_fail(b, f->line, "%s: hook(%s): its parameter %s is no input of %s of the same type", f->short_name,
                hook->name, from->params[k].name, f->short_name);
    }
  }
}

/* ---- texts of codes ---- */

/* The C compiler checks a function that this header does not declare. */
static void ir_build_status_text(ir_builder *b, bind_function *f, const char *name) {
  const c_function *from = ir_find_function(b, name);
  f->status_text = bind_string("%s", name);
  if (!from) return;
  const bind_kind kind = from->count ? ir_build_type(b, from->params[0].type).kind : BIND_VOID;
  f->status_text_bare = from->count == 0;
  if (from->count > 1 || from->variadic || ir_build_type(b, from->result).kind != BIND_STRING ||
      !(kind == BIND_VOID || kind == BIND_INTEGER || kind == BIND_ENUM))
    ir_fail(b, f->line, "%s: `text %s`: expected `const char *%s(int)` or `const char *%s(void)`, got another function",
            f->short_name, name, name, name);
}

/* ---- the whole ---- */

void ir_build_contract(ir_builder *b, bind_function *f, const char *text) {
  dlf_contract *c = NULL;
  dlf_error error = {0};
  dlf_parameter *parameters = bind_alloc((size_t)f->param_count + 1, sizeof *parameters);
  for (int i = 0; i < f->param_count; i++)
    parameters[i] = (dlf_parameter){f->params[i].name, (int32_t)bind_parameter_kind(&f->params[i])};
  if (dlf_contract_compile(text, f->short_name, parameters, f->param_count, sizeof(dlf_parameter), &c, &error)) {
    ir_fail(b, f->line, "%s", error.message);
    return;
  }
  ir_read_pointers(b, f, c);
  ir_read_gifts(b, f, c);
  ir_read_clauses(b, f, c);
  ir_read_arrays(b, f, c);
  ir_read_outs(b, f, c);
  ir_fold_counts(b, f, c);
  ir_build_hooks(b, f, c);
  f->contract = bind_string("%s", c->text);
  f->threadsafe = c->threadsafe;
  f->speed = c->slow ? BIND_SLOW : c->fast ? BIND_FAST : BIND_NO_SPEED;
  if (c->returns_status) {
    if (f->result.kind != BIND_INTEGER && f->returns != BIND_RETURN_STATUS)
      ir_fail(b, f->line, "%s: `return: status` needs an integer return type", f->short_name);
    f->returns = BIND_RETURN_STATUS;
    f->ok = c->ok;
    if (c->status_text) ir_build_status_text(b, f, c->status_text);
  }
  dlf_contract_free(c);
}
