/* SPDX-License-Identifier: Apache-2.0 */
/* Public fields of objects and structs, which contracts read: "hook(model->nv)". */
#include "builder.h"
#include "text_field.h"
#include <stdlib.h>
#include <string.h>

/* The struct to which a parameter points; NULL if the header does not show its members. */
static const c_struct *field_record(const c_function *f, const char *param) {
  const c_type *t = ir_param_type(f, param);
  if (!t || t->kind != C_POINTER) {
    return NULL;
  }
  const c_struct *record = t->to->record;
  return record && record->complete ? record : NULL;
}

const c_member *ir_find_member(const c_struct *record, const char *name) {
  BIND_EACH (const c_member, m, record->members, record->member_count) {
    if (strcmp(m->name, name) == 0) {
      return m;
    }
  }
  return NULL;
}

bool ir_has_integer(const c_struct *record, const char *name) {
  const c_member *m = ir_find_member(record, name);
  return m && m->type->kind == C_INTEGER && !m->is_bits;
}

const c_type *ir_member_type(const c_struct *record, const char *name) {
  const c_member *own = ir_find_member(record, name);
  if (own) {
    return own->type;
  }
  BIND_EACH (const c_member, m, record->members, record->member_count) {
    const c_type *inner = NULL;
    if (!*m->name && m->type->record) {
      inner = ir_member_type(m->type->record, name);
    }
    if (inner) {
      return inner;
    }
  }
  return NULL;
}

/* The name of a field, and which of its elements "ne[2]" means; behind a name alone -1. */
static const char *field_step(const char **path, long *element) {
  const char *name = bind_sized(*path, strcspn(*path, ".["));
  *path += strlen(name);
  *element = -1;
  if (**path == '[') {
    *element = strtol(*path + 1, NULL, 10);
    *path += strcspn(*path, "]") + 1;
  }
  *path += **path == '.';
  return name;
}

bool ir_field_of_record(const ir_builder *b, const c_struct *record, const char *path,
                        bind_type *out, const char **why) {
  const char *whole = path;
  const c_type *t = NULL;
  while (record && *path) {
    long element;
    const char *name = field_step(&path, &element);
    t = ir_member_type(record, name);
    if (!t) {
      *why = bind_string("the struct has no field %s", whole);
      return false;
    }
    if (element >= 0) {
      if (!t->is_array || !t->length || element >= ir_count_items(b, t->length)) {
        *why = bind_string("the field %s has no element %ld", name, element);
        return false;
      }
      t = t->to;
    }
    record = t->kind == C_STRUCT ? t->record : NULL;
    *why = bind_string("the field %s is no struct", name);
  }
  if (*path || !t) {
    return false;
  }
  *out = ir_build_type(b, t);
  return true;
}

/* Callers pass the twins' struct, without hidden fields. */
static bool field_of_struct(const bind_struct *s, const char *path, bind_type *out,
                            const char **why) {
  *why = "expected a field that callers pass";
  while (s && *path) {
    long element;
    const char *name = field_step(&path, &element);
    const bind_struct *inner = NULL;
    bool found = false;
    BIND_EACH (const bind_param, field, s->fields, s->field_count) {
      if (strcmp(field->name, name) == 0 && element < (long)field->type.items &&
          (element >= 0) == (field->type.items > 0)) {
        *out = field->type;
        out->items = 0;
        inner = field->type.structure;
        found = true;
      }
    }
    if (!found) {
      return false;
    }
    s = inner;
  }
  return !*path;
}

bool ir_find_field(const ir_builder *b, const c_function *f, const bind_param *p, const char *path,
                   bind_type *out, const char **why) {
  if (p->type.structure) {
    return field_of_struct(p->type.structure, path, out, why);
  }
  *why = bind_string("the header does not show the members of %s", p->name);
  return ir_field_of_record(b, field_record(f, p->name), path, out, why);
}
