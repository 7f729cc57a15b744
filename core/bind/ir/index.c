/* SPDX-License-Identifier: Apache-2.0 */
/* Find what the header declares by its name. All is there before the first function is built, and
 * then stays. */
#include "bind/c/evaluate.h"
#include "builder.h"
#include <string.h>

/* A name of the header that a contract may write for a number; macros may also be reals. */
typedef struct ir_number {
  bool is_integer;
  int64_t value;
} ir_number;

void ir_index_header(ir_builder *b) {
  const c_header *h = b->header;
  for (int i = 0; i < h->function_count; i++) {
    bind_add_place(&b->functions, h->functions[i].name, i);
  }
  for (int i = 0; i < h->included_count; i++) {
    bind_add_place(&b->included, h->included[i].name, i);
  }
  for (int i = h->struct_count; i-- > 0;) {
    bind_add_place(&b->structs, h->structs[i]->name, i);
  }
  for (int i = h->variable_count; i-- > 0;) {
    bind_add_place(&b->variables, h->variables[i].name, i);
  }
  uses_build(h, &b->uses);
}

/* Enumerators go before macros, the first macro of a name before another. */
void ir_index_constants(ir_builder *b) {
  const bind_ir *ir = b->ir;
  int count = b->list->constant_count + b->list->expression_count;
  BIND_EACH_ENUM (e, ir) {
    count += e->count;
  }
  b->numbers = bind_items(count, sizeof *b->numbers);
  count = 0;
  for (int i = ir->enum_count; i-- > 0;) {
    bind_add_place(&b->enums, ir->enums[i].name, i);
  }
  BIND_EACH_ENUM (e, ir) {
    BIND_EACH (const bind_enumerator, v, e->values, e->count) {
      b->numbers[count] = (ir_number){true, v->value};
      bind_add_place(&b->number_names, v->name, count++);
    }
  }
  BIND_EACH (const lex_constant, c, b->list->constants, b->list->constant_count) {
    b->numbers[count] = (ir_number){c->kind == LEX_INTEGER_CONSTANT, c->integer};
    bind_add_place(&b->number_names, c->name, count++);
  }
  b->number_count = count;
}

const char *ir_param_name(const c_function *from, int i) {
  const char *name = from->params[i].name;
  return *name ? name : bind_string("arg%d", i + 1);
}

int ir_param_place(const c_function *from, const char *name) {
  for (int i = 0; i < from->count; i++) {
    if (strcmp(ir_param_name(from, i), name) == 0) {
      return i;
    }
  }
  return -1;
}

const c_type *ir_param_type(const c_function *from, const char *name) {
  const int place = ir_param_place(from, name);
  return place >= 0 ? from->params[place].type : NULL;
}

const c_function *ir_find_function(const ir_builder *b, const char *name) {
  return bind_find_item(&b->functions, name, b->header->functions, sizeof(c_function));
}

const c_function *ir_find_included(const ir_builder *b, const char *name) {
  const c_function *own = ir_find_function(b, name);
  if (own) {
    return own;
  }
  return bind_find_item(&b->included, name, b->header->included, sizeof(c_function));
}

const c_variable *ir_find_variable(const ir_builder *b, const char *name) {
  return bind_find_item(&b->variables, name, b->header->variables, sizeof(c_variable));
}

const bind_enum *ir_find_enum(const ir_builder *b, const char *name) {
  return bind_find_item(&b->enums, name, b->ir->enums, sizeof(bind_enum));
}

const bind_enumerator *ir_find_enumerator(const bind_enum *e, const char *name) {
  if (!e) {
    return NULL;
  }
  BIND_EACH (const bind_enumerator, v, e->values, e->count) {
    if (strcmp(v->name, name) == 0) {
      return v;
    }
  }
  return NULL;
}

bool ir_is_constant(const ir_builder *b, const char *name) {
  return bind_find_place(&b->number_names, name) >= 0;
}

bool ir_constant(const ir_builder *b, const char *name, int64_t *value) {
  const ir_number *number = bind_find_item(&b->number_names, name, b->numbers, sizeof *b->numbers);
  if (!number || !number->is_integer) {
    return false;
  }
  *value = number->value;
  return true;
}

/* ---- macros with names ---- */

static bool index_value(void *context, const lex_token *name, int64_t *value) {
  const ir_builder *b = context;
  return ir_constant(b, lex_copy(name), value);
}

/* Tell whether a name is an integer; a macro that was none so far, since an enumerator stands in
 * it, gets its value. */
static bool index_has_integer(ir_builder *b, lex_list *list, const char *name, int64_t value) {
  ir_number *number = bind_find_item(&b->number_names, name, b->numbers, sizeof *b->numbers);
  if (!number) {
    return false;
  }
  if (number->is_integer) {
    return true;
  }
  *number = (ir_number){true, value};
  BIND_EACH (lex_constant, c, list->constants, list->constant_count) {
    if (strcmp(c->name, name) == 0) {
      c->kind = LEX_INTEGER_CONSTANT;
      c->integer = value;
    }
  }
  return true;
}

void ir_take_expressions(ir_builder *b, lex_list *list) {
  const lex_names names = {index_value, NULL, b};
  int capacity = list->constant_count;
  BIND_EACH (const lex_expression, from, list->expressions, list->expression_count) {
    size_t read = 0;
    int64_t value = 0;
    if (lex_evaluate(from->tokens, &read, &names, &value) || from->tokens[read].kind != LEX_END ||
        index_has_integer(b, list, from->name, value)) {
      continue;
    }
    BIND_ADD(list->constants,
             list->constant_count,
             capacity,
             (lex_constant){.name = from->name,
                            .kind = LEX_INTEGER_CONSTANT,
                            .integer = value,
                            .header = from->header,
                            .line = from->line});
    b->numbers[b->number_count] = (ir_number){true, value};
    bind_add_place(&b->number_names, from->name, b->number_count++);
  }
}
