/* SPDX-License-Identifier: Apache-2.0 */
/* Make a call from a value for each name of the contract. */
#include "call.h"
#include "bind/twin/argument.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool cases_makes(const bind_function *f) {
  return f->new_name && (!f->member_count || f->infers);
}

const bind_param *cases_param(const cases_finder *s, int32_t parameter) {
  const bind_c_param *p = &s->f->c_params[parameter];
  if (p->param) {
    return p->param;
  }
  return p->count_of;
}

int cases_index(const cases_finder *s, const bind_param *p) {
  return (int)(p - s->f->params);
}

/* ---- memory ---- */

bind_case *cases_new_call(const cases_finder *s) {
  const size_t count = (size_t)s->f->param_count;
  bind_case *call = bind_alloc(1, sizeof *call);
  call->function = s->f;
  call->text = call->name = call->full_name = "";
  call->values = bind_alloc(count + 1, sizeof *call->values);
  for (size_t i = 0; i < count; i++) {
    const bind_kind kind = s->f->params[i].type.kind;
    if (kind == BIND_TENSOR || kind == BIND_LIST) {
      call->values[i].tensor =
          bind_alloc(kind == BIND_LIST ? CASES_ITEMS : 1, sizeof *call->values[i].tensor);
    }
  }
  return call;
}

/* ---- tensors ---- */

void cases_compact(bind_case_tensor *t, bool column_major) {
  int64_t stride = 1;
  for (int step = 0; step < t->ndim; step++) {
    int axis = step;
    if (!column_major) {
      axis = t->ndim - 1 - step;
    }
    t->strides[axis] = stride;
    if (t->shape[axis] > 0) {
      stride *= t->shape[axis];
    }
  }
}

void cases_measure(bind_case_tensor *t) {
  const DLTensor view = {NULL, {kDLCPU, 0}, t->ndim, t->dtype, t->shape, t->strides, 0};
  t->reach = 1;
  for (int i = 0; i < t->ndim; i++) {
    if (t->shape[i] && t->reach) {
      t->reach = t->reach + (t->shape[i] - 1) * t->strides[i];
    } else {
      t->reach = 0;
    }
  }
  t->row_major = dlf_is_contiguous(&view, DLF_ROW_MAJOR);
}

/* Tell whether every language has the dtype. */
static bool cases_plain(DLDataType t) {
  if (t.lanes != 1) {
    return false;
  }
  if (t.code == kDLInt || t.code == kDLUInt) {
    return t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64;
  }
  if (t.code == kDLFloat) {
    return t.bits == 32 || t.bits == 64;
  }
  return t.code == kDLBool && t.bits == 8;
}

static bool cases_type_allows(const dlf_contract *c, int32_t type, DLDataType dtype) {
  DLF__EACH_CONSTRAINT (k, c) {
    bool among = k->kind != DLF__TYPE_IN || k->type != type || !k->dtype_count;
    for (int32_t m = 0; m < k->dtype_count && !among; m++) {
      among = memcmp(&k->dtypes[m], &dtype, sizeof dtype) == 0;
    }
    if (!among) {
      return false;
    }
  }
  return true;
}

/* Pick the first allowed dtype, preferably one that every language has. */
static DLDataType cases_pick_dtype(const dlf_contract *c, int32_t type, const DLDataType *dtypes,
                                   int32_t count) {
  DLDataType found = {kDLFloat, 32, 1};
  bool any = false;
  for (int32_t i = 0; i < count; i++) {
    if (type >= 0 && !cases_type_allows(c, type, dtypes[i])) {
      continue;
    }
    if (cases_plain(dtypes[i])) {
      return dtypes[i];
    }
    if (!any) {
      found = dtypes[i];
    }
    any = true;
  }
  return found;
}

static DLDataType cases_dtype(const dlf_contract *c, const dlf__clause *clause) {
  if (clause->like >= 0) {
    return cases_dtype(c, &c->clauses[clause->like]);
  }
  for (int32_t i = 0; i < c->constraint_count && clause->type >= 0; i++) {
    if (c->constraints[i].kind == DLF__TYPE_IN && c->constraints[i].type == clause->type &&
        c->constraints[i].dtype_count) {
      return cases_pick_dtype(
          c, clause->type, c->constraints[i].dtypes, c->constraints[i].dtype_count);
    }
  }
  return cases_pick_dtype(c, -1, clause->dtypes, clause->dtype_count);
}

bool cases_extent(const cases_finder *s, const cases_plan *plan, const dlf__axis *axis,
                  int64_t *out) {
  if (axis->kind != DLF__AXIS_SYMBOL && axis->kind != DLF__AXIS_EXPRESSION) {
    return true;
  }
  if (dlf__contract_evaluate(s->contract, &plan->numbers, axis->node, out)) {
    return false;
  }
  const bool fixed = s->contract->nodes[axis->node].op == DLF__INTEGER;
  return *out >= (plan->distinct && !fixed ? 2 : plan->positive) && *out <= CASES_BYTES;
}

int64_t cases_hooked(const cases_finder *s, int32_t hook) {
  for (int32_t i = 0; i < s->contract->symbol_count; i++) {
    if (s->contract->symbols[i].hook == hook) {
      return s->plan.numbers.integers[i];
    }
  }
  int64_t known = 6;
  (void)cases_recall(s, hook, &known);
  return known;
}

/* If a plan that breaks a constraint makes an extent impossible, take that of the accepted call. */
static bool cases_shape(const cases_finder *s, const cases_plan *plan, const dlf__clause *clause,
                        bind_case_tensor *t) {
  static const int64_t run[] = {5, 6};
  static const int64_t implicit[] = {2, 3};
  if (clause->like >= 0) {
    return cases_shape(s, plan, &s->contract->clauses[clause->like], t);
  }
  t->ndim = 0;
  if (clause->implicit) {
    t->ndim = 2;
    memcpy(t->shape, implicit, sizeof implicit);
  }
  if (clause->axis_count + plan->run > BIND_CASE_NDIM) {
    return false;
  }
  DLF__EACH_AXIS (axis, clause) {
    int64_t extent = 6;
    if (axis->kind == DLF__AXIS_HOOK) {
      extent = cases_hooked(s, axis->hook);
    }
    if (axis->kind == DLF__AXIS_RUN) {
      for (int k = 0; k < plan->run; k++) {
        t->shape[t->ndim++] = run[k];
      }
      continue;
    }
    if (!cases_extent(s, plan, axis, &extent) && !cases_extent(s, &s->plan, axis, &extent)) {
      return false;
    }
    t->shape[t->ndim++] = extent;
  }
  return true;
}

/* Returns false if the tensor is too large for a test. */
static bool cases_small(const bind_case_tensor *t) {
  int64_t bytes = (t->dtype.bits * t->dtype.lanes + 7) / 8;
  for (int i = 0; i < t->ndim; i++) {
    if (t->shape[i] && __builtin_mul_overflow(bytes, t->shape[i], &bytes)) {
      return false;
    }
  }
  return bytes <= CASES_BYTES;
}

/* `samelayout`: find the first tensor of this rank that binds before. */
static bool cases_is_fortran(const cases_finder *s, const bind_case *call,
                             const dlf__clause *clause, int ndim) {
  for (const dlf__clause *c = s->contract->clauses; c < clause && clause->same_layout; c++) {
    const bind_case_tensor *t = call->values[cases_index(s, cases_param(s, c->parameter))].tensor;
    if (!c->after_call && t->ndim == ndim) {
      return !t->row_major;
    }
  }
  return dlf__layouts[clause->layout].order == DLF_COLUMN_MAJOR;
}

/* Return the number of a list: the value of its clause's name or of the parameter that counts it,
 * else two. */
static int64_t cases_number_of(const cases_finder *s, const cases_plan *plan,
                               const dlf__clause *clause) {
  const bind_param *p = cases_param(s, clause->parameter);
  if (clause->count >= 0) {
    return plan->numbers.integers[clause->count];
  }
  for (int32_t i = 0; i < s->contract->symbol_count; i++) {
    const int32_t parameter = s->contract->symbols[i].parameter;
    if (parameter >= 0 && s->f->c_params[parameter].count_of == p) {
      return plan->numbers.integers[i];
    }
  }
  return 2;
}

static bool cases_fill_tensors(const cases_finder *s, const cases_plan *plan,
                               const dlf__clause *clause, bind_case *call) {
  if (clause->after_call) {
    return true;
  }
  bind_case_value *value = &call->values[cases_index(s, cases_param(s, clause->parameter))];
  int64_t count = 1;
  if (clause->list) {
    count = cases_number_of(s, plan, clause);
  }
  if (count < 0 || count > CASES_ITEMS) {
    return false;
  }
  value->count = 0;
  if (clause->list) {
    value->count = (int)count;
  }
  value->absent = false;
  for (int i = 0; i < (int)count; i++) {
    bind_case_tensor *t = &value->tensor[i];
    t->dtype = cases_dtype(s->contract, clause);
    if (!cases_shape(s, plan, clause, t) || !cases_small(t)) {
      return false;
    }
    cases_compact(t, cases_is_fortran(s, call, clause, t->ndim));
    t->align = clause->align;
    t->skew = 0;
    t->read_only = false;
    cases_measure(t);
  }
  return true;
}

/* ---- other arguments ---- */

/* Return a name's value, else the default, else a harmless value. */
static void cases_fill_number(const cases_finder *s, const cases_plan *plan, const bind_param *p,
                              bind_case_value *value) {
  const char *text = "1";
  if (p->def.kind == BIND_DEFAULT_NUMBER) {
    text = p->def.text;
  }
  value->integer = strtoll(text, NULL, 10);
  value->real = strtod(text, NULL);
  for (int32_t i = 0; i < s->contract->symbol_count; i++) {
    const int32_t parameter = s->contract->symbols[i].parameter;
    if (parameter < 0 || s->f->c_params[parameter].param != p) {
      continue;
    }
    value->integer = plan->numbers.integers[i];
    value->real = plan->numbers.reals[i];
  }
}

/* Tell whether the defaults of a struct are values that its fields may have: 0 where neither the
 * contract nor the library says another one. */
static bool cases_has_defaults(const bind_struct *structure) {
  BIND_EACH (const bind_param, field, structure->fields, structure->field_count) {
    const bind_enum *e = field->type.enumeration;
    const bool said = field->def.kind != BIND_NO_DEFAULT || structure->defaults;
    if (e && e->count && !said && !argument_is_in(e, 0)) {
      return false;
    }
    if (field->type.structure && !structure->defaults &&
        !cases_has_defaults(field->type.structure)) {
      return false;
    }
  }
  return true;
}

static bool cases_fill_argument(const cases_finder *s, const cases_plan *plan, const bind_param *p,
                                bind_case_value *value) {
  const bind_enum *e = p->type.enumeration;
  switch (p->type.kind) {
  case BIND_INTEGER:
  case BIND_REAL:
    cases_fill_number(s, plan, p, value);
    return true;
  case BIND_COMPLEX:
    value->text = bind_or(p->def.text, "1.0");
    value->imaginary = bind_or(p->def.imaginary, "0.0");
    return true;
  case BIND_CHAR:
    value->text = bind_or(p->def.text, bind_said_or(bind_string("%.1s", p->letters), "x"));
    return true;
  case BIND_BOOL:
    value->truth = p->def.kind == BIND_DEFAULT_BOOL && p->def.truth;
    return true;
  case BIND_STRING:
    value->text = bind_or(p->def.text, "");
    return true;
  case BIND_ENUM:
    if (!e->count) {
      return false;
    }
    value->enumerator = p->def.enumerator;
    if (!value->enumerator || p->def.next) { /* of several, one */
      value->enumerator = e->values;
    }
    value->integer = value->enumerator->value;
    return true;
  case BIND_HANDLE:
    value->maker = p->type.handle->maker;
    return value->maker != NULL;
  case BIND_ARRAY:
    value->text = "0";
    if (p->type.scalar == BIND_F32 || p->type.scalar == BIND_F64) {
      value->text = "0.0";
    }
    if (bind_is_text_list(p)) {
      value->text = "\"x\"";
    }
    BIND_EACH (const dlf__array, array, s->contract->arrays, s->contract->array_count) {
      if (cases_param(s, array->parameter) == p) {
        const int64_t count = plan->numbers.integers[array->symbol];
        if (count < 0 || count > CASES_ITEMS) {
          value->count = -1;
        } else {
          value->count = (int)count;
        }
      }
    }
    return value->count >= 0;
  case BIND_STRUCT:
    value->text = "\"defaults\"";
    return cases_has_defaults(p->type.structure);
  default:
    return true;
  }
}

bool cases_fill(cases_finder *s, const cases_plan *plan, bind_case *call) {
  call->owner = call->guest = NULL;
  DLF__EACH_CLAUSE (clause, s->contract) {
    if (!cases_fill_tensors(s, plan, clause, call)) {
      return false;
    }
  }
  for (int i = 0; i < s->f->param_count; i++) {
    call->values[i].closed = call->values[i].absent = false;
    if (bind_is_read(&s->f->params[i]) &&
        !cases_fill_argument(s, plan, &s->f->params[i], &call->values[i])) {
      return false;
    }
  }
  return true;
}

/* ---- keeping ---- */

static const char *cases_real_text(double value) {
  char word[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(word, sizeof word, "%.*g", digits, value);
    if (strtod(word, NULL) == value) {
      break;
    }
  }
  return bind_string("%s%s", word, bind_when(!strpbrk(word, ".e"), ".0"));
}

static void cases_put_texts(const bind_param *p, bind_case_value *value) {
  for (int i = 0; value->tensor && i < (p->type.kind == BIND_LIST ? value->count : 1); i++) {
    char name[DLF_NAME_CAPACITY];
    dlf_dtype_format_short(value->tensor[i].dtype, name, sizeof name);
    value->tensor[i].dtype_name = bind_string("%s", name);
  }
  if (p->type.kind == BIND_INTEGER) {
    value->text = bind_number(value->integer);
  }
  if (p->type.kind == BIND_REAL) {
    value->text = cases_real_text(value->real);
  }
}

bind_case *cases_copy(const cases_finder *s, const bind_case *from) {
  bind_case *to = cases_new_call(s);
  bind_case_value *values = to->values;
  *to = *from;
  to->values = values;
  for (int i = 0; i < s->f->param_count; i++) {
    bind_case_tensor *tensor = values[i].tensor;
    const bool list = s->f->params[i].type.kind == BIND_LIST;
    if (tensor) {
      memcpy(tensor, from->values[i].tensor, (list ? CASES_ITEMS : 1) * sizeof *tensor);
    }
    values[i] = from->values[i];
    values[i].tensor = tensor;
    if (bind_is_read(&s->f->params[i])) {
      cases_put_texts(&s->f->params[i], &values[i]);
    }
  }
  return to;
}
