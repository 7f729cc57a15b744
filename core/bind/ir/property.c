/* SPDX-License-Identifier: Apache-2.0 */
/* Properties: a method that takes its object alone and returns one plain value reads one, a method
 * that takes one such value and returns nothing sets it. Names decide, or the clauses `property`
 * and `method`. */
#include "bind/base/names.h"
#include "builder.h"
#include <string.h>

/* Every class has these. */
static const char property_taken[] = "close held";

static bool property_is_plain(const bind_type *t) {
  return t->kind >= BIND_INTEGER && t->kind <= BIND_STRING;
}

/* Return the type of the only result of a method that takes its object alone; NULL for other
 * functions. */
static const bind_type *property_got(const bind_function *f) {
  const bind_type *type = NULL;
  if (f->returns == BIND_RETURN_VALUE) {
    type = &f->result;
  }
  int results = type != NULL;
  if (f->unbound || f->family || !f->method_of) {
    return NULL;
  }
  for (const bind_param *p = f->params + 1; p < f->params + f->param_count; p++) {
    if (bind_is_read(p)) {
      return NULL;
    }
    type = &p->type;
    results++;
  }
  if (results == 1 && property_is_plain(type)) {
    return type;
  }
  return NULL;
}

/* Return the type of the value that a method takes beside its object if it returns nothing; NULL
 * for other functions. */
static const bind_type *property_given(const bind_function *f) {
  const bind_param *value = NULL;
  if (f->param_count == 2) {
    value = &f->params[1];
  }
  const bool silent = f->returns == BIND_RETURN_VOID || f->returns == BIND_RETURN_STATUS;
  if (f->unbound || f->family || !f->method_of || !value || !silent || value->returned ||
      value->optional || value->def.kind != BIND_NO_DEFAULT) {
    return NULL;
  }
  if (property_is_plain(&value->type)) {
    return &value->type;
  }
  return NULL;
}

/* Return what follows "get_" or "set_" in a method's name, or NULL. */
static const char *property_after(const bind_function *f, const char *verb) {
  const char *name = f->method_name;
  if (!bind_begins(name, verb)) {
    return NULL;
  }
  if (bind_is_lower(name[4])) {
    return name + 4;
  }
  return NULL;
}

/* A name in a class. */
typedef struct property_row {
  int setter; /* the first function that would set a property of that name, from 1; 0 for none */
  int count;  /* how many functions have the name */
} property_row;

typedef struct property_table {
  bind_index names; /* "level of 3" is the third handle's: places in rows */
  property_row *rows;
  int capacity;
  int *next; /* of each function: the next one that would set the same, from 1 */
} property_table;

/* Return a name's row, which is there until the next call. */
static property_row *property_find(const bind_ir *ir, property_table *table,
                                   const bind_handle *home, const char *name) {
  const char *key = bind_string("%s of %d", name, (int)(home - ir->handles));
  table->rows = bind_grow(table->rows, table->names.count, &table->capacity, sizeof *table->rows);
  bind_add_place(&table->names, key, table->names.count);
  return &table->rows[bind_find_place(&table->names, key)];
}

/* Return the name of the property that a method would set, or NULL. */
static const char *property_set_by(const bind_function *f) {
  if (f->said_method || !property_given(f)) {
    return NULL;
  }
  if (f->said_property && *f->said_property) {
    return f->said_property;
  }
  return property_after(f, "set_");
}

static property_table property_read(const bind_ir *ir) {
  property_table table = {.next = bind_items(ir->function_count, sizeof *table.next)};
  for (int i = ir->function_count; i-- > 0;) {
    const bind_function *f = &ir->functions[i];
    const bind_handle *home = bind_home(f);
    const char *sets = property_set_by(f);
    if (home && !f->unbound) {
      property_find(ir, &table, home, f->method_name)->count++;
    }
    if (!sets) {
      continue;
    }
    property_row *row = property_find(ir, &table, home, sets);
    table.next[i] = row->setter;
    row->setter = i + 1;
  }
  return table;
}

/* Find what sets a property of this name and type. */
static bind_function *property_setter(const bind_ir *ir, property_table *table,
                                      const bind_function *getter, const char *name) {
  const bind_type *type = property_got(getter);
  const int first = property_find(ir, table, getter->method_of, name)->setter;
  for (int i = first; i; i = table->next[i - 1]) {
    bind_function *f = &ir->functions[i - 1];
    const bind_type *given = property_given(f);
    if (!given || f == getter) {
      continue;
    }
    if (given->kind == type->kind && given->enumeration == type->enumeration) {
      return f;
    }
  }
  return NULL;
}

/* Tell whether another function of the class has the name. */
static bool property_clashes(const bind_ir *ir, property_table *table, const bind_function *getter,
                             const char *name) {
  const int own = strcmp(getter->method_name, name) == 0;
  return property_find(ir, table, getter->method_of, name)->count > own ||
         bind_word_in(name, property_taken);
}

/* Give a method another name. */
static void property_rename(const bind_ir *ir, property_table *table, bind_function *f,
                            const char *name) {
  property_find(ir, table, f->method_of, f->method_name)->count--;
  property_find(ir, table, f->method_of, name)->count++;
  f->method_name = name;
}

/* Return the name of the property that a function reads, or NULL. Without a clause its name says
 * "get", and C promises not to change the object, or another function sets the same: reading may
 * happen at any time, such as in a debugger. */
static const char *property_name(const bind_ir *ir, property_table *table, const bind_function *f) {
  if (!property_got(f) || f->said_method) {
    return NULL;
  }
  const char *after = property_after(f, "get_");
  const char *own = after;
  if (!after) {
    own = f->method_name;
  }
  if (f->said_property) {
    if (*f->said_property) {
      return f->said_property;
    }
    return own;
  }
  if (f->speed == BIND_SLOW || f->lock || property_clashes(ir, table, f, own)) {
    return NULL;
  }
  if (property_setter(ir, table, f, own)) {
    return own;
  }
  if (after && bind_begins(f->params[0].type.c, "const ")) {
    return own;
  }
  return NULL;
}

static void property_check(ir_builder *b, const bind_function *f) {
  if (!f->said_property || f->property || f->unbound) {
    return;
  }
  b->at = f->header;
  b->from = ir_find_function(b, f->name);
  ir_find_block(b, f->name);
  if (property_given(f)) {
    ir_fail_in(b, f, "`property`: expected a function that reads the property beside it");
  } else {
    ir_fail_in(b,
               f,
               "`property`: expected a method that takes its object alone and returns a number or "
               "a text, or takes "
               "one beside it and returns nothing");
  }
  b->from = NULL;
  b->block = NULL;
}

void ir_build_properties(ir_builder *b) {
  const bind_ir *ir = b->ir;
  property_table table = property_read(ir);
  BIND_EACH (bind_function, f, ir->functions, ir->function_count) {
    const char *name = NULL;
    if (!f->sets) {
      name = property_name(ir, &table, f);
    }
    bind_function *setter = NULL;
    if (name) {
      setter = property_setter(ir, &table, f, name);
    }
    if (!name) {
      continue;
    }
    b->at = f->header;
    if (property_clashes(ir, &table, f, name)) {
      ir_fail_in(b,
                 f,
                 "`property`: %s of the class is called %s already: write `property NAME`",
                 bind_word_in(name, property_taken) ? "a method" : "another function",
                 name);
    }
    property_rename(ir, &table, f, name);
    f->property = name;
    f->setter = setter;
    if (!setter) {
      continue;
    }
    property_rename(ir, &table, setter, bind_string("set_%s", name));
    setter->property = name;
    setter->sets = true;
  }
  BIND_EACH_DECLARED (f, ir) {
    property_check(b, f);
  }
}
