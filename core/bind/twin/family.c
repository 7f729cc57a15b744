/* SPDX-License-Identifier: Apache-2.0 */
/* The twins of a family: they choose a member by the dtype of a tensor, and fit other values to its
 * types. Each member has twins of its own, with the family's name in their messages; without a
 * member the contract refuses the dtype. */
#include "parts.h"
#include <dlferry.h>

static bool family_same(const bind_type *a, const bind_type *z) {
  return a->kind == z->kind && a->scalar == z->scalar;
}

/* ---- arguments ---- */

static void family_put_float(bind_text *t, const char *value, const char *where,
                             const char *place) {
  bind_line(t, "dlf_verdict = dlf_to_float(%s, \"%s\", &%s, error);", value, where, place);
  bind_line(t, "if (dlf_verdict) return dlf_verdict;");
}

/* Convert an argument to dlf_NAME; a value that does not fit is refused. */
static void family_put_narrowed(bind_text *t, const bind_function *f, const bind_param *p,
                                const bind_type *to) {
  const char *where = argument_where(f, p);
  const char *name = bind_string("dlf_%s", p->name);
  const bool complex = p->type.kind == BIND_COMPLEX;
  const char *re = bind_string(complex ? "(double)%s.re" : "(double)%s", p->name);
  const char *im = "0.0";
  if (complex) {
    im = bind_string("(double)%s.im", p->name);
  }
  if (to->kind == BIND_INTEGER) {
    const char *number = bind_string("(int64_t)%s", p->name);
    const char *outside = bind_join(platform_below(to, number), " || ", platform_above(to, number));
    if (*outside) {
      bind_line(t, "if (%s)", outside);
      bind_line(t,
                "  return dlferry_too_large(\"%s\", %s, %s, %s, error);",
                where,
                number,
                platform_lowest(to),
                platform_highest(to));
    }
    bind_line(t, "const %s%s = %s%s;", to->c, name, bind_cast_to(to->c), p->name);
    return;
  }
  if (to->kind == BIND_REAL && complex) {
    bind_line(t,
              "if (%s != 0) return dlferry_not_real(\"%s\", %s, %s, \"%s\", error);",
              im,
              where,
              re,
              im,
              bind_scalar_name(to->scalar));
  }
  if (to->kind == BIND_REAL && to->scalar == BIND_F64) {
    bind_line(t, "const double %s = %s;", name, re);
    return;
  }
  const bool wide = to->scalar == BIND_C128;
  bind_line(t, "%s%s;", to->c, name);
  if (wide) {
    bind_line(t, "%s = (dlf_c128){%s, %s};", name, re, im);
    return;
  }
  if (to->kind == BIND_REAL) {
    family_put_float(t, re, where, name);
    return;
  }
  family_put_float(t, re, where, bind_string("%s.re", name));
  family_put_float(t, im, where, bind_string("%s.im", name));
}

/* ---- results ---- */

static void family_put_widened(bind_text *t, const char *place, const bind_type *to) {
  if (to->kind == BIND_COMPLEX) {
    bind_line(t,
              "if (!dlf_verdict && %s) *%s = (%s){dlf_%s.re, dlf_%s.im};",
              place,
              place,
              bind_scalar_c(to->scalar),
              place,
              place);
  } else {
    bind_line(t, "if (!dlf_verdict && %s) *%s = dlf_%s;", place, place, place);
  }
}

static const char *family_place(bind_text *t, const char *place, const bind_type *type) {
  bind_line(t, "%sdlf_%s%s;", type->c, place, type->kind == BIND_COMPLEX ? " = {0, 0}" : " = 0");
  return bind_string("%s ? &dlf_%s : NULL", place, place);
}

/* ---- the call of a member ---- */

static const char *family_argument(bind_text *before, bind_text *after, const bind_function *f,
                                   const bind_param *p, const bind_param *its) {
  if (p->type.kind == BIND_LIST || p->type.kind == BIND_ARRAY) {
    return bind_string("%s, %s_count", p->name, p->name);
  }
  if (p->type.kind == BIND_TENSOR || family_same(&p->type, &its->type)) {
    return p->name;
  }
  if (!p->returned) {
    family_put_narrowed(before, f, p, &its->type);
    return bind_string("dlf_%s", p->name);
  }
  family_put_widened(after, p->name, &p->type);
  return family_place(before, p->name, &its->type);
}

static const char *family_call(const bind_function *f, const bind_member *m, bool make) {
  bind_text before = {0};
  bind_text after = {0};
  bind_text list = {0};
  const bind_function *member = m->function;
  const char *result = NULL;
  if (f->returns == BIND_RETURN_VALUE) {
    result = bind_result_name(f);
  }
  for (int i = 0; i < f->param_count; i++) {
    bind_put(&list, "%s, ", family_argument(&before, &after, f, &f->params[i], &member->params[i]));
  }
  if (result && family_same(&f->result, &member->result)) {
    bind_put(&list, "%s, ", result);
  } else if (result) {
    bind_put(&list, "%s, ", family_place(&before, result, &member->result));
    family_put_widened(&after, result, &f->result);
  }
  return bind_filled("$before\n"
                     "dlf_verdict = $member(${list}error);\n"
                     "$after\n"
                     "return dlf_verdict;\n",
                     {"before", bind_keep(&before)},
                     {"list", bind_keep(&list)},
                     {"after", bind_keep(&after)},
                     {"member", make ? member->new_name : member->checked_name});
}

static void family_put(bind_text *c, const bind_function *f, bool make) {
  bind_text cases = {0};
  bind_text emptied = {0};
  for (int i = 0; i < f->member_count; i++) {
    DLDataType d = {0, 0, 0};
    (void)dlf_dtype_parse(f->members[i].dtype, &d, NULL);
    bind_fill(&cases,
              "if ($name.tensor && dlferry_is($name.tensor, $code, $bits, 1)) {\n"
              "  $call\n"
              "}\n",
              {"name", f->dispatch->name},
              {"code", bind_number(d.code)},
              {"bits", bind_number(d.bits)},
              {"call", family_call(f, &f->members[i], make)});
  }
  for (int i = 0; i < f->param_count && make; i++) {
    if (f->params[i].made) {
      bind_line(&emptied, "if (%s) *%s = NULL;", f->params[i].name, f->params[i].name);
    }
  }
  bind_fill(c,
            "$declaration {\n"
            "  dlf_status dlf_verdict = DLF_OK;\n"
            "  $cases\n"
            "  $emptied\n"
            "  $values\n"
            "  dlf_verdict = dlferry_match$inputs(&dlferry_once_$own, dlf_values, error);\n"
            "  if (dlf_verdict) return dlf_verdict;\n"
            "  return dlf_error_set(error, DLF_DTYPE, \"$where: expected a dtype of a member, got "
            "another\");\n"
            "}\n"
            "\n",
            {"declaration", (make ? bind_declare_new : bind_declare_checked)(f)},
            {"cases", bind_keep(&cases)},
            {"emptied", bind_keep(&emptied)},
            {"values", twin_value_list(f, make)},
            {"inputs", bind_when(make, "_inputs")},
            {"own", f->own},
            {"where", argument_where(f, f->dispatch)});
}

void twin_put_family(bind_text *c, const bind_function *f) {
  twin_put_once(c, f);
  for (int i = 0; i < f->member_count; i++) {
    bind_put_twins(c, f->members[i].function);
  }
  const bind_function *renamed = rename_needed(f);
  bind_text text = {0};
  family_put(&text, renamed, false);
  if (f->new_name) {
    family_put(&text, renamed, true);
  }
  rename_put_back(c, bind_keep(&text));
}
