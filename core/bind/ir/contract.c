/* SPDX-License-Identifier: Apache-2.0 */
/* Copy a function's contract into the IR: directions, outputs that can be made, counts, hooks. */
#include "contract/contract.h"
#include "bind/base/names.h"
#include "bind/c/scalar.h"
#include "builder.h"
#include "default.h"
#include "parameters.h"
#include "row.h"
#include <string.h>

/* ---- clauses ---- */

/* "uplo in 'U'|'L'" */
static void ir_read_letters(ir_builder *b, const bind_function *f, bind_param *p,
                            const char *letters) {
  if (p->type.kind != BIND_CHAR) {
    ir_fail_in(b, f, "%s: a set of characters is for a `char`", p->name);
  }
  p->letters = letters;
  for (; *letters; letters++) {
    if (*p->limits) {
      p->limits = bind_string("%s|'%c'", p->limits, *letters);
    } else {
      p->limits = bind_string("%s in '%c'", p->name, *letters);
    }
  }
}

static void ir_read_clauses(ir_builder *b, bind_function *f, const dlf_contract *c) {
  bool made = false;
  bool determined = true;
  DLF__EACH_CLAUSE (clause, c) {
    bind_param *p = &f->params[clause->parameter];
    p->optional = clause->opt;
    if (p->kept && (clause->opt || clause->like >= 0)) {
      ir_fail_in(
          b, f, "%s: C keeps it, so it is always there and has its own dtype and extents", p->name);
    }
    if (clause->inout) {
      p->direction = BIND_INOUT;
    }
    p->contract = clause->text;
    if (p->type.kind != BIND_TENSOR || p->direction != BIND_OUT || clause->opt) {
      continue;
    }
    made = true;
    determined &= clause->inferable && !p->kept; /* the caller needs it later */
  }
  made &= determined;
  if (made) {
    f->new_name = bind_string("%s_new", f->name);
  }
  BIND_EACH (bind_param, p, f->params, f->param_count) {
    p->made = made && p->type.kind == BIND_TENSOR && p->direction == BIND_OUT && !p->optional;
    DLF__EACH_CONSTRAINT (constraint, c) {
      if (bind_is_limited(p, c, constraint)) {
        p->limits = bind_join(p->limits, "; ", constraint->text);
      }
    }
  }
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    if (c->letters[i]) {
      ir_read_letters(b, f, p, c->letters[i]);
    }
    if (c->opts[i] && !p->optional) {
      ir_fail_in(b,
                 f,
                 "%s: `opt` is for a tensor, an object, a text or a number behind a pointer",
                 p->name);
    }
  }
  DLF__EACH_DEFAULT (usual, c) {
    ir_build_default(b, f, &f->params[usual->parameter], usual);
  }
}

/* ---- pointers to elements, and arguments that the call computes ---- */

/* NumPy's array interface has types for whole numbers of bytes; the call refuses others that `any`
 * lets through. */
static void ir_check_interface(ir_builder *b, const bind_function *f, const bind_param *p,
                               const dlf__clause *clause) {
  for (int32_t i = 0; i < clause->dtype_count; i++) {
    const DLDataType t = clause->dtypes[i];
    char name[DLF_NAME_CAPACITY];
    const bool plain = t.code == kDLInt || t.code == kDLUInt || t.code == kDLFloat ||
                       t.code == kDLComplex || (t.code == kDLBool && t.bits == 8);
    dlf_dtype_format_short(t, name, sizeof name);
    if (!plain || t.bits % 8 || t.lanes != 1) {
      ir_fail_in(b, f, "%s: NumPy's array interface has no type for %s", p->name, name);
    }
  }
}

/* The dtypes that elements of a C type may have; `any` for a type that has none of its own. */
static const char *contract_element_dtypes(bind_scalar scalar, const char *c, const char *any) {
  switch (scalar) {
  case BIND_F32:
    return "f32 c64"; /* two of them, where C has no complex type */
  case BIND_F64:
    return "f64 c128";
  case BIND_NONE:
    break;
  default:
    return bind_scalar_name(scalar);
  }
  if (bind_word_in(c, "bool _Bool")) {
    return "bool";
  }
  if (strcmp(c, "char") == 0) {
    return "u8 i8";
  }
  return any;
}

/* C reads elements of its own type; behind `void *` the clause alone says which, and `char` has
 * bytes. */
static void ir_compare_element(ir_builder *b, const bind_function *f, const bind_param *p,
                               const dlf__clause *clause) {
  if (p->interface) {
    ir_check_interface(b, f, p, clause);
    return;
  }
  char dtype[DLF_NAME_CAPACITY] = "several dtypes";
  if (clause->dtype_count == 1) {
    dlf_dtype_format_short(clause->dtypes[0], dtype, sizeof dtype);
  }
  const char *c = p->pointer;
  if (bind_begins(c, "const ")) {
    c += 6;
  }
  c = bind_sized(c, strcspn(c, " "));
  if (bind_word_in(dtype, contract_element_dtypes(p->type.scalar, c, dtype))) {
    return;
  }
  if (p->type.scalar) {
    c = bind_scalar_c(p->type.scalar);
  }
  ir_fail_in(b, f, "%s: the contract says %s, C says %s", p->name, dtype, c);
}

/* Check the clause of what C gives: one dtype, which is C's own, without gaps, on the processor. */
static void ir_read_gifts(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    const dlf__clause *clause = dlf__contract_clause(c, i);
    if (!p->gift || !clause || p->gift->filled) { /* C fills in dtype, extents and device */
      continue;
    }
    const bool gapless =
        clause->layout == DLF__LAYOUT_ROW_MAJOR || clause->layout == DLF__LAYOUT_FORTRAN;
    bool known = clause->like < 0 && clause->dtype_count == 1 && gapless && !clause->same_layout &&
                 clause->place == DLF__PLACE_CPU && (clause->run < 0 || p->gift->extents);
    DLF__EACH_AXIS (axis, clause) {
      known &= axis->kind != DLF__AXIS_ANY;
    }
    if (!known) {
      ir_fail_in(b,
                 f,
                 "%s: `gives`: expected one dtype, extents that C gives or arguments have, and no "
                 "gaps",
                 p->name);
    }
    p->pointer = p->gift->pointer;
    ir_compare_element(b, f, p, clause);
    ir_check_row(b, f, p, c, clause);
    ir_check_held(b, f, p, c, clause);
    p->pointer = NULL;
    p->type.scalar = BIND_NONE;
  }
}

/* Take a pointer's clause for what it is: a tensor. */
static void ir_read_pointers(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    bind_param *p = &f->params[i];
    const dlf__clause *clause = dlf__contract_clause(c, i);
    if (!p->pointer || !clause) {
      continue;
    }
    const bool any = !clause->dtype_count && clause->type < 0;
    const bool opaque = strstr(p->pointer, "void *") != NULL;
    if (clause->implicit || clause->like >= 0 || (any && !opaque && !p->interface)) {
      ir_fail_in(
          b, f, "%s: expected the dtype and the extents of a tensor for `%s`", p->name, p->pointer);
    }
    ir_compare_element(b, f, p, clause);
    ir_check_row(b, f, p, c, clause);
    p->type.scalar = BIND_NONE;
  }
  DLF__EACH_DERIVED (d, c) {
    if (!d->blas) {
      continue;
    }
    bind_param *tensor = &f->params[d->tensor];
    tensor->lowest = tensor->pointer;
    if (!tensor->lowest) {
      ir_fail_in(b, f, "`blas` is for a pointer to elements, and %s is a DLTensor *", tensor->name);
    }
  }
}

/* A number, or arithmetic on numbers alone, is the same in each call. */
static bool ir_derived_fits(const bind_param *p, const dlf__derived *d, const dlf_contract *c) {
  static const dlf__numbers none;
  int64_t value;
  if (dlf__contract_names(c, d->node)) {
    return true;
  }
  return !dlf__contract_evaluate(c, &none, d->node, &value) &&
         value >= bind_scalar_lowest(p->type.scalar) &&
         value <= bind_scalar_highest(p->type.scalar);
}

/* Return the text of what computes a parameter. */
static const char *ir_derived_text(ir_builder *b, const bind_function *f, const bind_param *p,
                                   const dlf_contract *c) {
  const dlf__derived *d = dlf__contract_derived(c, (int32_t)(p - f->params));
  if (d->source == DLF__SOURCE_CONSTANT) {
    ir_check_constant(b, f, p, d->word);
  }
  BIND_EACH (const dlf__choice, choice, d->choices, d->choice_count) {
    ir_check_constant(b, f, p, choice->value);
  }
  if ((p->text && p->text->mode) || p->collects) {
    ir_fail_in(b, f, "%s: `%s`: another clause says what C gets", p->name, d->text);
  }
  const bool absent = d->source == DLF__SOURCE_CONSTANT && strcmp(d->word, "NULL") == 0;
  if (p->returned && !absent) {
    ir_fail_in(b,
               f,
               "%s: `%s`: C writes there: expected `%s := NULL`, or `%s: inout` for a number that "
               "callers pass",
               p->name,
               d->text,
               p->name,
               p->name);
    return d->text;
  }
  const bool expression = d->source == DLF__SOURCE_EXPRESSION;
  const bool number = p->type.kind == BIND_INTEGER;
  if (expression && number && !ir_derived_fits(p, d, c)) {
    ir_fail_in(
        b, f, "%s: `%s` does not fit in %s", p->name, d->text, bind_scalar_c(p->type.scalar));
  }
  const bool real = p->type.kind == BIND_REAL || p->type.kind == BIND_COMPLEX;
  if (expression ? !number && !real && !p->type.enumeration
                 : real && d->source != DLF__SOURCE_CONSTANT) {
    ir_fail_in(b, f, "%s: `%s` does not suit its type", p->name, d->text);
  }
  if (p->type.enumeration && d->source != DLF__SOURCE_CONSTANT && !d->choice_count) {
    ir_fail_in(b, f, "%s: expected a value of %s", p->name, p->type.enumeration->name);
  }
  return d->text;
}

/* ---- counts: a caller passes a list or an array as one thing ---- */

/* Find the parameter that counts p: the one that the clause names, else the integer just after it.
 */
static int ir_find_count(const bind_function *f, const bind_param *p, const char *named) {
  const bind_param *count = bind_integer_beside(f, p, 1);
  BIND_EACH_PARAM (q, f) {
    if (named && strcmp(q->name, named) == 0) {
      count = bind_integer_beside(f, q, 0);
    }
  }
  if (!count) {
    return -1;
  }
  return (int)(count - f->params);
}

/* Return the contract's name for the number of a list or an array, or NULL. */
static const char *ir_count_name(const dlf_contract *c, int parameter) {
  const dlf__array *array = dlf__contract_array(c, parameter);
  if (array) {
    return c->symbols[array->symbol].name;
  }
  const dlf__clause *clause = dlf__contract_clause(c, parameter);
  if (clause && clause->count >= 0) {
    return c->symbols[clause->count].name;
  }
  return NULL;
}

/* Tell whether a side of a condition is a number alone, and the other side does without it. */
static bool ir_is_alone(const dlf_contract *c, int32_t side, int32_t other, uint64_t number) {
  return c->nodes[side].op == DLF__SYMBOL && dlf__contract_names(c, side) == number &&
         !(dlf__contract_names(c, other) & number);
}

/* Tell whether C learns the number of a list in another way: by what the call computes of it, or
 * since a condition says what it is. */
static bool ir_is_number_told(const dlf_contract *c, int parameter) {
  const dlf__array *array = dlf__contract_array(c, parameter);
  const uint64_t number = array ? UINT64_C(1) << array->symbol : 0;
  DLF__EACH_DERIVED (d, c) {
    if (d->node >= 0 && dlf__contract_names(c, d->node) & number) {
      return true;
    }
  }
  DLF__EACH_CONSTRAINT (is, c) {
    if (is->kind == DLF__COMPARE && is->comparison == DLF__EQ &&
        (ir_is_alone(c, is->left, is->right, number) ||
         ir_is_alone(c, is->right, is->left, number))) {
      return true;
    }
  }
  return false;
}

/* The clauses that bind an array: one for a tensor, with the extent that C declares, and one for a
 * list, if an integer may be its length. */
static const char *ir_array_clauses(const bind_function *f, int i) {
  const bind_param *p = &f->params[i];
  const char *dtype = bind_scalar_name(p->type.scalar);
  const char *tensor = bind_string(
      "`%s: %s[%s]` for a tensor", p->name, dtype, bind_said_or(bind_or(p->length, ""), "n"));
  if (*bind_or(p->length, "") || ir_find_count(f, p, "n") < 0) {
    return tensor;
  }
  return bind_string("%s, or `%s: %s *n` for a list of numbers", tensor, p->name, dtype);
}

static const char *ir_why_open_array(const bind_function *f, int i) {
  return bind_string(
      "%s: no clause tells what it points to: write %s", f->params[i].name, ir_array_clauses(f, i));
}

static void ir_read_arrays(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const dlf__array *array = dlf__contract_array(c, i);
    if (array) {
      char dtype[DLF_NAME_CAPACITY];
      dlf_dtype_format_short(array->dtype, dtype, sizeof dtype);
      const bool numbers = array->dtype.bits != 0;
      if (numbers && strcmp(dtype, bind_scalar_name(p->type.scalar)) != 0) {
        ir_fail_in(b,
                   f,
                   "%s: the contract says %s, C says %s",
                   p->name,
                   dtype,
                   bind_scalar_c(p->type.scalar));
      }
      f->params[i].contract = array->text;
    } else if (p->type.kind == BIND_ARRAY) {
      ir_leave_out(f, ir_why_open_array(f, i));
    }
  }
}

/* ---- one number or several ---- */

static bool ir_takes_array(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->type.kind == BIND_ARRAY) {
      return true;
    }
  }
  return false;
}

/* Say why a pointer to a number may be an array, for which a place for one number would be too
 * small; NULL if the types tell that it is one. Only a header that uses DLTensor passes its arrays
 * as tensors, and even there `double *x, int n` may be an array, and `int n, const double *x,
 * double *y` two arrays of one length. */
static const char *ir_why_array(const ir_builder *b, const bind_function *f, const bind_param *p) {
  if (bind_integer_beside(f, p, -1) || bind_integer_beside(f, p, 1)) {
    return " beside an integer";
  }
  if (!b->knows_us[f->header]) {
    return "";
  }
  if (ir_takes_array(f)) {
    return " beside an array";
  }
  return NULL;
}

static const char *ir_why_open_number(const ir_builder *b, const bind_function *f,
                                      const bind_param *p) {
  const char *why = ir_why_array(b, f, p);
  if (!why) {
    return NULL;
  }
  return bind_string(
      "%s: a pointer to a number%s may be an array: write `%s: out` in its contract if it is one "
      "number, else %s",
      p->name,
      why,
      p->name,
      b->knows_us[f->header] ? "pass a DLTensor *" : "the dtype and extents of a tensor");
}

static bool ir_is_number_place(const bind_param *p) {
  return p->returned && !p->text && p->type.kind != BIND_GIVEN && p->type.kind != BIND_HANDLE;
}

void ir_add_open_pointers(const ir_builder *b, bind_function *f, const clause_list *contract) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const char *why = NULL;
    if (p->gift || p->is_gift_extent || p->text || p->axes || p->report || p->collects ||
        clauses_find(contract, p->name, CLAUSE_COLON) ||
        clauses_find(contract, p->name, CLAUSE_DERIVES)) {
      continue;
    }
    if (p->type.kind == BIND_ARRAY) {
      why = ir_why_open_array(f, i);
    } else if (ir_is_number_place(p)) {
      why = ir_why_open_number(b, f, p);
    }
    if (why) {
      ir_leave_out(f, why);
    }
  }
}

static void ir_read_outs(ir_builder *b, bind_function *f, const dlf_contract *c) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool number = ir_is_number_place(p);
    if (c->outs[i] && !number) {
      ir_fail_in(b, f, "%s: `out` is for a pointer to a number that is not const", p->name);
    }
    if (c->inouts[i] && !number) {
      ir_fail_in(b, f, "%s: `inout` is for a pointer to a number that is not const", p->name);
    }
    const bool said =
        c->outs[i] || c->inouts[i] || dlf__contract_counted(c, i) || dlf__contract_derived(c, i);
    if (!number || said || p->is_gift_extent) {
      continue;
    }
    const char *why = ir_why_open_number(b, f, p);
    if (why) {
      ir_leave_out(f, why);
    }
  }
}

/* The type of the variable to which C gets a pointer: "uint64_t " for uint64_t *, "const int *" for
 * const int **. */
static const char *ir_place(const bind_param *p) {
  const char *c = p->type.c;
  if (p->returned) {
    return c;
  }
  return bind_sized(c, strlen(c) - 1);
}

/* Return the extent that C reports through a parameter, or NULL. */
static const char *ir_counted_name(ir_builder *b, const bind_function *f, const bind_param *p,
                                   const dlf_contract *c) {
  const dlf__limit *limit = dlf__contract_counted(c, (int32_t)(p - f->params));
  if (!limit) {
    return NULL;
  }
  const char *name = c->symbols[limit->symbol].name;
  if (!p->returned || p->type.kind != BIND_INTEGER) {
    ir_fail_in(
        b, f, "%s := *%s: expected a pointer to an integer that is not const", name, p->name);
  }
  return name;
}

/* ---- the parameters of callers, and those of C ---- */

/* Why callers do not pass a parameter of C. */
typedef enum ir_fold {
  IR_FOLD_NONE,    /* they do */
  IR_FOLD_DERIVED, /* the contract computes it, or C reports an extent there */
  IR_FOLD_PLACE,   /* C writes an extent of a gift there */
  IR_FOLD_TEXT,    /* the size of a text, or where C writes its length or why it failed */
  IR_FOLD_COUNT    /* a list or an array has its number */
} ir_fold;

typedef struct ir_split {
  ir_fold fold;
  int counted; /* of a count: the list or the array */
  int index;   /* among the parameters of callers */
} ir_split;

static void ir_mark_folded(const bind_function *f, const dlf_contract *c, ir_split *splits) {
  for (int i = 0; i < f->param_count; i++) {
    if (dlf__contract_derived(c, i) || dlf__contract_counted(c, i) || f->params[i].axes ||
        f->params[i].report || f->params[i].collects) {
      splits[i].fold = IR_FOLD_DERIVED;
    } else if (f->params[i].is_gift_extent && !f->unbound) {
      splits[i].fold = IR_FOLD_PLACE;
    } else if (f->params[i].text_part != BIND_TEXT_ITSELF) {
      splits[i].fold = IR_FOLD_TEXT;
    }
  }
}

/* From the last one on, so that the first of several lists or arrays with one count gives it: the
 * contract checks that the others have the same number. */
static void ir_find_counts(bind_function *f, const dlf_contract *c, ir_split *splits) {
  for (int i = f->param_count - 1; i >= 0 && !f->unbound; i--) {
    const bind_param *p = &f->params[i];
    if (p->type.kind != BIND_LIST && p->type.kind != BIND_ARRAY) {
      continue;
    }
    const int count = ir_find_count(f, p, ir_count_name(c, i));
    if (count < 0 || splits[count].fold == IR_FOLD_DERIVED || splits[count].fold == IR_FOLD_PLACE) {
      if (ir_is_number_told(c, i)) {
        continue;
      }
      ir_leave_out(f, bind_string("%s: no integer after it gives its length", p->name));
    } else {
      splits[count] = (ir_split){.fold = IR_FOLD_COUNT, .counted = i};
    }
  }
}

static void ir_fill_c_param(ir_builder *b, const bind_function *f, const dlf_contract *c, int i) {
  const bind_param *p = &f->params[i];
  bind_c_param *to = &f->c_params[i];
  to->type = p->type;
  to->type.c = bind_or(p->pointer, bind_or(p->type.own, p->type.c));
  if (p->managed) {
    to->type.c = "DLManagedTensor *";
  }
  to->by_pointer = p->pointer && p->type.kind != BIND_TENSOR;
  if (dlf__contract_derived(c, i)) {
    to->derived = ir_derived_text(b, f, p, c);
  }
  if (to->derived && p->returned) { /* `:= NULL` for a place */
    to->type = (bind_type){.kind = BIND_OTHER, .c = "void *"};
  }
  if (p->scratch) {
    to->scratch = p->scratch;
    to->derived = bind_string("scratch(%s)", to->derived);
  }
  if (p->axes) {
    to->axes = p->axes;
    to->derived = p->axes->text;
  }
  if (p->report) {
    to->report = p->report;
    to->derived = p->report->said;
  }
  if (p->collects) {
    to->collects = p->collects;
    to->derived = f->collect->said;
  }
  to->counts = ir_counted_name(b, f, p, c);
  to->text = p->text;
  to->text_part = p->text_part;
  to->field_of = ir_spread_name(f, p->name);
  const bool in_field =
      p->text && (p->text->kind == BIND_TEXT_BEHIND || p->text->kind == BIND_TEXT_LIST);
  if (to->field_of && p->text && !in_field) {
    ir_fail_in(b, f, "%s: a text in memory of the call is no field", p->name);
  }
}

/* Drop the folded parameters from those of callers, and let those of C lead to the others. An
 * unbound function keeps all. */
static void ir_link_params(bind_function *f, ir_split *splits) {
  int kept = 0;
  for (int i = 0; i < f->c_param_count; i++) {
    if (f->unbound) {
      splits[i].fold = IR_FOLD_NONE;
    }
    splits[i].index = kept;
    if (splits[i].fold == IR_FOLD_NONE) {
      f->params[kept++] = f->params[i];
    }
  }
  f->param_count = kept;
  for (int i = 0; i < f->c_param_count; i++) {
    bind_c_param *p = &f->c_params[i];
    p->param = NULL;
    if (splits[i].fold == IR_FOLD_NONE) {
      p->param = &f->params[splits[i].index];
    }
    if (splits[i].fold == IR_FOLD_COUNT) {
      p->count_of = &f->params[splits[splits[i].counted].index];
    }
  }
}

/* Split the parameters: params has those of callers, c_params those of C. */
static void ir_split_params(ir_builder *b, bind_function *f, const dlf_contract *c) {
  ir_split *splits = bind_items(f->param_count, sizeof *splits);
  ir_mark_folded(f, c, splits);
  ir_find_counts(f, c, splits);
  for (int i = 0; i < f->param_count; i++) {
    ir_fill_c_param(b, f, c, i);
    if (splits[i].fold == IR_FOLD_PLACE) {
      f->c_params[i].place = ir_place(&f->params[i]);
    }
  }
  ir_link_params(f, splits);
}

/* ---- numbers that C reports ---- */

static bool ir_counts(const bind_type *type) {
  return type->kind == BIND_INTEGER;
}

/* How many elements C wrote: a result of callers that passed the output. */
static void ir_read_limits(ir_builder *b, bind_function *f, const dlf_contract *c) {
  DLF__EACH_LIMIT (limit, c) {
    const char *name = c->symbols[limit->symbol].name;
    const char *of = "";
    DLF__EACH_CLAUSE (clause, c) {
      DLF__EACH_AXIS (axis, clause) {
        if (axis->kind == DLF__AXIS_SYMBOL && axis->symbol == limit->symbol && !*of) {
          of = c->names[clause->parameter];
        }
      }
    }
    if (strcmp(name, "error") == 0 || bind_begins(name, "dlf") || strcmp(name, f->name) == 0) {
      ir_fail_in(b, f, "%s: expected a name that the generated code does not use", name);
    }
    if (limit->place < 0 && !ir_counts(&f->result)) {
      ir_fail_in(b, f, "%s := result: expected a function that returns an integer", name);
    }
    if (limit->place < 0) {
      f->returns = BIND_RETURN_COUNT;
    }
    f->params[f->param_count++] = (bind_param){
        .name = name,
        .type = {.kind = BIND_INTEGER, .scalar = BIND_I64, .c = "int64_t "},
        .direction = BIND_OUT,
        .returned = true,
        .counts = true,
        .contract = "",
        .limits = "",
        .doc = bind_string(
            "how much of %s was written%s", of, bind_when(!limit->open, ", if it was passed"))};
  }
}

/* ---- the whole ---- */

void ir_build_contract(ir_builder *b, bind_function *f, const char *text) {
  dlf_error error = {0};
  f->c_param_count = f->param_count;
  f->c_params = bind_items(f->param_count, sizeof *f->c_params);
  for (int i = 0; i < f->param_count; i++) {
    f->c_params[i] = (bind_c_param){.param = &f->params[i], .name = f->params[i].name};
  }
  b->contract = text;
  if (!bind_try_contract(f, text, &error)) {
    ir_fail(b, f->line, "%s", error.message);
    return;
  }
  const dlf_contract *c = f->compiled;
  if (!ir_check_widths(b, f, c)) {
    f->compiled = NULL;
    return;
  }
  ir_read_pointers(b, f, c);
  ir_read_gifts(b, f, c);
  ir_read_clauses(b, f, c);
  ir_read_arrays(b, f, c);
  ir_read_outs(b, f, c);
  ir_split_params(b, f, c);
  ir_read_limits(b, f, c);
  ir_build_hooks(b, f, c);
  f->threadsafe = c->threadsafe;
  /* a lock may take time */
  if (c->slow || (f->lock && !c->fast)) {
    f->speed = BIND_SLOW;
  } else if (c->fast) {
    f->speed = BIND_FAST;
  } else {
    f->speed = BIND_NO_SPEED;
  }
  ir_build_status(b, f, c);
  if (b->failed || f->unbound) {
    f->compiled = NULL; /* nothing is emitted */
  }
}
