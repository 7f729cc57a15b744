/* SPDX-License-Identifier: Apache-2.0 */
/* How two types differ for those who call a function. */
#include "parts.h"
#include <string.h>

static int types_numbers(const c_type *old, const c_type *now) {
  if (old->scalar != now->scalar) {
    return DIFF_SOURCE | DIFF_ABI;
  }
  return DIFF_NONE;
}

static const char *types_tag(const c_type *t) {
  if (t->enumeration) {
    return t->enumeration->name;
  }
  if (t->record && *t->record->name) {
    return t->record->name;
  }
  return t->spelling;
}

static int types_functions(const c_function *old, const c_function *now) {
  if (old->count != now->count || old->variadic != now->variadic ||
      diff_types(old->result, now->result, true)) {
    return DIFF_SOURCE | DIFF_ABI;
  }
  for (int i = 0; i < old->count; i++) {
    if (diff_types(old->params[i].type, now->params[i].type, true)) {
      return DIFF_SOURCE | DIFF_ABI;
    }
  }
  return DIFF_NONE;
}

/* `double x[3]`: C reads or writes so many elements. */
static int types_lengths(const c_type *old, const c_type *now) {
  if (!old->length || !now->length || strcmp(old->length, now->length) == 0) {
    return DIFF_NONE;
  }
  return DIFF_ABI;
}

/* C converts a pointer to one to const, but not back. */
static int types_consts(const c_type *old, const c_type *now, bool is_result) {
  if (old->is_const == now->is_const || now->is_const != is_result) {
    return DIFF_NONE;
  }
  return DIFF_SOURCE;
}

static int types_pointers(const c_type *old, const c_type *now, bool is_result) {
  int effects = types_lengths(old, now) | types_consts(old->to, now->to, is_result);
  /* behind two pointers C converts neither way */
  if (old->to->kind == C_POINTER && now->to->kind == C_POINTER &&
      old->to->to->is_const != now->to->to->is_const) {
    effects |= DIFF_SOURCE;
  }
  const int behind = diff_types(old->to, now->to, is_result);
  if (old->to->kind == C_FUNCTION) {
    return effects | behind; /* C calls it with other arguments */
  }
  if (behind) {
    effects |= DIFF_SOURCE;
  }
  return effects;
}

int diff_types(const c_type *old, const c_type *now, bool is_result) {
  const bool numbers = old->kind == C_ENUM || now->kind == C_ENUM;
  if (old->kind != now->kind && numbers && (old->kind == C_INTEGER || now->kind == C_INTEGER)) {
    return DIFF_SOURCE; /* an int for an enum is as wide mostly */
  }
  if (old->kind != now->kind) {
    return DIFF_SOURCE | DIFF_ABI;
  }
  switch (old->kind) {
  case C_INTEGER:
  case C_REAL:
  case C_COMPLEX:
    return types_numbers(old, now);
  case C_ENUM:
    return strcmp(types_tag(old), types_tag(now)) ? DIFF_SOURCE : DIFF_NONE;
  case C_STRUCT:
    return strcmp(types_tag(old), types_tag(now)) ? DIFF_SOURCE | DIFF_ABI : DIFF_NONE;
  case C_POINTER:
    return types_pointers(old, now, is_result);
  case C_FUNCTION:
    return types_functions(old->function, now->function);
  case C_OTHER:
    if (old->is_array && now->is_array) {
      return diff_types(old->to, now->to, is_result) | types_lengths(old, now);
    }
    return strcmp(old->spelling, now->spelling) ? DIFF_SOURCE | DIFF_ABI : DIFF_NONE;
  default:
    return DIFF_NONE;
  }
}

const char *diff_was(const char *now, const c_type *now_type, const char *old,
                     const c_type *old_type) {
  if (strcmp(now, old) != 0) {
    return bind_string("`%s`, was `%s`", now, old);
  }
  if (now_type->scalar == old_type->scalar) {
    return bind_string("`%s`, and that is another type than it was", now);
  }
  return bind_string("`%s`, %s, was %s",
                     now,
                     bind_scalar_name(now_type->scalar),
                     bind_scalar_name(old_type->scalar));
}
