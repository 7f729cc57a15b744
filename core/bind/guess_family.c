/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of families: functions that differ in a letter and in the dtype. */
#include "guess.h"
#include "guess_plan.h"
#include <string.h>

/* Tell whether a function takes or returns numbers of a dtype, by value or behind a pointer. */
static bool guess_has_dtype(const bind_ir *ir, const bind_function *f, const char *dtype) {
  bool has = strcmp(bind_scalar_name(f->result.scalar), dtype) == 0;
  BIND_EACH_PARAM (p, f) {
    const char *elements = guess_elements(ir, p);
    has |= strcmp(bind_scalar_name(p->type.scalar), dtype) == 0;
    has |= elements && strcmp(elements, dtype) == 0;
  }
  return has;
}

/* "gemm" for cblas_sgemm without its prefix; NULL if no function for doubles goes with it. */
static const char *guess_family(const bind_function *f) {
  if (f->short_name[0] == 's' && f->short_name[1] && f->short_name[1] != '_') {
    return f->short_name + 1;
  }
  return NULL;
}

/* Members of a family take as many parameters, so both tell one. */
static const char *guess_key(char letter, const bind_function *f) {
  return bind_string("%c%s %d", letter, f->short_name + 1, f->param_count);
}

static const bind_function *guess_member(const bind_ir *ir, const bind_index *functions,
                                         const bind_function *first, char letter) {
  return bind_find_item(functions, guess_key(letter, first), ir->functions, sizeof *first);
}

void guess_put_families(bind_text *t, const bind_ir *ir, const char *mark) {
  static const char *const members[] = {"df64", "cc64", "zc128"};
  bind_index functions = {0};
  for (int i = 0; i < ir->function_count; i++) {
    if (*ir->functions[i].short_name) {
      bind_add_place(&functions, guess_key(*ir->functions[i].short_name, &ir->functions[i]), i);
    }
  }
  BIND_EACH_DECLARED (f, ir) {
    const char *name = guess_family(f);
    const bind_function *doubles = NULL;
    if (name && !f->family) {
      doubles = guess_member(ir, &functions, f, 'd');
    }
    if (!doubles || !guess_has_dtype(ir, f, "f32") || !guess_has_dtype(ir, doubles, "f64")) {
      continue;
    }
    bind_put(t, "%sfamily %s { T in f32: %s", mark, name, f->name);
    BIND_EACH_STRING (key, members) {
      const bind_function *member = guess_member(ir, &functions, f, **key);
      if (member) {
        bind_put(t, " | %s: %s", *key + 1, member->name);
      }
    }
    bind_put(t, " }\n");
  }
}
