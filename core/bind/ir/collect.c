/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks of the call's own. Texts become a list, numbers a tensor; C's int that goes on is 0. */
#include "collect.h"
#include "bind/c/scalar.h"
#include "memory.h"
#include "parameters.h"
#include "row.h"

static bool collect_is_data(const c_type *t) {
  return t->kind == C_POINTER && t->to->kind == C_VOID && !t->to->is_const && !*t->spelling;
}

/* Return the place of the only `void *`, -1 for none or several. */
static int collect_find_data(const c_function *f) {
  int found = -1;
  for (int i = 0; i < f->count; i++) {
    if (collect_is_data(f->params[i].type)) {
      if (found >= 0) {
        return -1;
      }
      found = i;
    }
  }
  return found;
}

/* What a callback is called with, or NULL for another parameter. */
static const c_function *collect_callback(const c_function *from, const char *name) {
  const c_type *t = ir_param_type(from, name);
  const bool pointer = t && t->kind == C_POINTER && t->to->kind == C_FUNCTION;
  return pointer ? t->to->function : NULL;
}

static bool collect_is_text(const c_type *t) {
  return t->kind == C_POINTER && t->to->kind == C_CHAR;
}

/* The clause of a tensor of what C passes: "u32[_]", or "u8[_, 20]" for a pointer to one struct of
 * such an array; NULL for others. */
static const char *collect_tensor(const ir_builder *b, const c_type *t) {
  const bool number = t->kind == C_INTEGER || t->kind == C_REAL || t->kind == C_CHAR;
  if (number && t->scalar) {
    return bind_string("%s[_]", bind_scalar_name(t->scalar));
  }
  if (t->kind == C_ENUM) {
    return "i32[_]";
  }
  const int row = ir_row_size(b, t);
  if (!row) {
    return NULL;
  }
  return bind_string("%s[_, %d]", bind_scalar_name(ir_element_scalar(ir_row_element(t))), row);
}

/* The type of what a clause names, a parameter or a field behind it; NULL for nothing that C
 * passes.
 */
static const c_type *collect_type_of(const c_function *callback, const char *param,
                                     const char *field) {
  const c_type *t = ir_param_type(callback, param);
  if (!t || !field) {
    return t;
  }
  if (t->kind != C_POINTER || !t->to->record) {
    return NULL;
  }
  const c_member *m = ir_find_member(t->to->record, field);
  const bool whole = m && !m->is_bits && !m->is_flexible && !m->type->is_array;
  return whole ? m->type : NULL;
}

static const c_type *collect_type(const c_function *callback, const collect_item *item) {
  return collect_type_of(callback, item->param, item->field);
}

/* "a2", "a2->level" */
static const char *collect_value(const c_function *callback, const char *param, const char *field) {
  const char *value = bind_string("a%d", ir_param_place(callback, param));
  if (!field) {
    return value;
  }
  return bind_string("%s->%s", value, field);
}

/* The length of a text, "a1" or "a2->content_len"; NULL unless it is an integer beside the text. */
static const char *collect_size(const c_function *callback, const collect_item *item) {
  const char *param = item->param;
  const char *field = item->size;
  if (!item->size) {
    return NULL;
  }
  if (!item->field) {
    param = item->size;
    field = NULL;
  }
  const c_type *t = collect_type_of(callback, param, field);
  if (!t || t->kind != C_INTEGER) {
    return NULL;
  }
  return collect_value(callback, param, field);
}

void ir_add_collected(const ir_builder *b, const c_function *from, clause_words *words) {
  const collect_clause *of = &words->collect;
  const c_function *callback = of->param ? collect_callback(from, of->param) : NULL;
  for (int i = 0; callback && i < of->count; i++) {
    const c_type *t = collect_type(callback, &of->items[i]);
    const char *tensor = t ? collect_tensor(b, t) : NULL;
    if (tensor) {
      const char *name = of->items[i].name;
      const clause_list clause = clauses_parse(bind_string("%s: %s", name, tensor));
      clauses_add(&words->rest, &clause);
    }
  }
}

/* Tell whether the call may be made again, which would collect twice. */
static bool collect_repeats(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->grown) {
      return true;
    }
  }
  return false;
}

/* Say why the callback is none that the call could pass, or return NULL. */
static const char *collect_why_not(const bind_function *f, const c_function *from,
                                   const c_function *callback) {
  if (!callback) {
    return "it is for a pointer to a function";
  }
  if (callback->variadic || collect_find_data(callback) < 0 || collect_find_data(from) < 0) {
    return "expected one `void *` that C hands on to the callback";
  }
  const c_type *result = callback->result;
  const bool signed_integer = result->kind == C_INTEGER && result->scalar <= BIND_I64;
  if (result->kind != C_VOID && !signed_integer && !collect_is_data(result)) {
    return "expected a callback that returns nothing, or an int or a `void *` that goes on with 0";
  }
  if (collect_repeats(f)) {
    return "expected no `grown`, which calls C again";
  }
  return NULL;
}

static void collect_return_text(const ir_builder *b, bind_param *p) {
  bind_text_use *use = bind_alloc(1, sizeof *use);
  use->kind = BIND_TEXT_COLLECTED;
  use->name = p->name;
  use->many = true;
  use->release = bind_string("%s_dlferry_free_text", b->ir->name);
  p->text = use;
  p->type = (bind_type){.kind = BIND_STRING, .c = "const char *const *"};
}

/* Give callers what C passes there. */
static void collect_return(ir_builder *b, bind_function *f, const c_function *callback,
                           const collect_item *item, bind_collector *collect) {
  const char *name = item->name;
  const c_type *t = collect_type(callback, item);
  const bool text = t && collect_is_text(t);
  const bool sized = !item->size || (text && collect_size(callback, item));
  if (!t || !sized || (!text && (item->optional || !collect_tensor(b, t)))) {
    ir_fail_in(
        b,
        f,
        "%s: `collects %s`: expected a text, a number or a row of numbers that C passes to it",
        collect->callback,
        name);
    return;
  }
  if (bind_find_param(f, name)) {
    ir_fail_in(b,
               f,
               "%s: `collects %s`: another parameter has the name: write `%s as NAME`",
               collect->callback,
               name,
               name);
    return;
  }
  bind_param *p = &f->params[f->param_count++];
  *p = (bind_param){.name = name,
                    .doc = "",
                    .contract = "",
                    .limits = "",
                    .letters = "",
                    .direction = BIND_OUT,
                    .returned = true};
  if (text) {
    collect_return_text(b, p);
  } else {
    p->type = (bind_type){.kind = BIND_GIVEN, .c = "DLManagedTensorVersioned **"};
  }
  collect->items[collect->count++] =
      (bind_collected){.value = collect_value(callback, item->param, item->field),
                       .size = collect_size(callback, item),
                       .from = item->field ? collect_value(callback, item->param, NULL) : NULL,
                       .behind = !text && t->kind == C_POINTER,
                       .optional = item->optional};
  p->collected = collect->count;
}

void ir_build_collect(ir_builder *b, bind_function *f, const c_function *from,
                      const clause_words *words) {
  const collect_clause *of = &words->collect;
  if (!of->param) {
    return;
  }
  const c_function *callback = collect_callback(from, of->param);
  const char *why = collect_why_not(f, from, callback);
  if (why) {
    ir_fail_in(b, f, "%s: `collects`: %s", of->param, why);
    return;
  }
  bind_collector *collect = bind_alloc(1, sizeof *collect);
  collect->callback = of->param;
  collect->called = callback;
  collect->data = collect_find_data(callback);
  collect->items = bind_items(of->count, sizeof *collect->items);
  collect->said = "collects ";
  BIND_EACH (const collect_item, item, of->items, of->count) {
    const char *between = bind_when(item > of->items, ", ");
    collect->said = bind_string("%s%s%s", collect->said, between, item->name);
  }
  f->collect = collect;
  bind_find_param(f, of->param)->collects = BIND_COLLECTS_CALLBACK;
  f->params[collect_find_data(from)].collects = BIND_COLLECTS_DATA;
  for (int i = 0; i < of->count; i++) {
    collect_return(b, f, callback, &of->items[i], collect);
  }
}
