/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that the library gives to callers, and tensors that it keeps after a call. */
#include "memory.h"
#include "parameters.h"
#include "row.h"
#include <string.h>

/* A pointer to elements of C's own; NULL otherwise. */
static const c_type *ir_gift_pointer(const c_type *t) {
  if (!t || t->kind != C_POINTER || t->is_array) {
    return NULL;
  }
  return ir_row_element(t) ? t : NULL;
}

/* Find the first handle that callers always pass, or the one that is named. */
static const bind_param *ir_gift_handle(const bind_function *f, const char *name) {
  BIND_EACH_PARAM (p, f) {
    if (bind_is_object(p) && !p->optional && (!name || strcmp(p->name, name) == 0)) {
      return p;
    }
  }
  return NULL;
}

static bool ir_is_byte(const c_type *t) {
  return t->kind == C_CHAR ||
         (t->kind == C_INTEGER && (t->scalar == BIND_U8 || t->scalar == BIND_I8));
}

/* Tell whether a parameter takes elements of C's type: a pointer to these, to void or to bytes. */
static bool ir_takes_memory(const c_type *t, const c_type *element) {
  if (t->kind != C_POINTER) {
    return false;
  }
  const c_type *to = t->to;
  const bool same =
      to->kind == element->kind && to->scalar == element->scalar && to->is_pair == element->is_pair;
  const bool parts = element->kind == C_COMPLEX && to->kind == C_REAL; /* C99: two reals each */
  return to->kind == C_VOID || element->kind == C_VOID || ir_is_byte(to) || same || parts;
}

/* The function that frees a gift takes it alone, or with the handle in any order. */
static void ir_read_freeing(ir_builder *b, const bind_function *f, bind_gift *gift,
                            const bind_param *handle, const c_type *element) {
  const c_function *freeing = ir_find_included(b, gift->freed);
  gift->handle_first = true;
  if (!freeing && strcmp(gift->freed, "free") == 0) {
    return; /* of C itself */
  }
  if (!freeing) {
    ir_fail_undeclared(b, f, bind_string("`freed %s`", gift->freed), gift->freed);
    return;
  }
  bool suits = freeing->count == (handle ? 2 : 1) && !freeing->variadic;
  if (suits && handle) {
    gift->handle_first = ir_build_type(b, freeing->params[0].type).handle == handle->type.handle;
  }
  const int memory = handle && gift->handle_first ? 1 : 0;
  if (suits && handle) {
    const c_type *other = freeing->params[1 - memory].type;
    suits = ir_build_type(b, other).handle == handle->type.handle;
  }
  if (!suits || !ir_takes_memory(freeing->params[memory].type, element)) {
    ir_fail_in(b,
               f,
               "`freed %s`: expected a function that takes the memory%s",
               gift->freed,
               bind_when(handle, " and the handle"));
  }
}

/* The lock of a function that frees a gift: its own comment or block says it. */
const char *ir_lock_of(ir_builder *b, const char *function) {
  const c_function *f = NULL;
  if (function) {
    f = ir_find_function(b, function);
  }
  if (!f) {
    return NULL;
  }
  doc_comment doc;
  clause_words words;
  const char *why = NULL;
  const sidecar_block *every = NULL;
  doc_read(f->doc, &doc);
  clause_list contract = clauses_parse(doc.contract);
  const sidecar_block *own = sidecar_own(b->contracts, function);
  if (own) {
    clauses_add(&contract, &own->clauses);
  }
  ir_add_every(b, f, &contract, &every);
  (void)clauses_take(&contract, &words, &why);
  return words.lock;
}

const char *ir_inner_lock(ir_builder *b, const bind_function *f, const char *function,
                          const char *own_lock, const char *who) {
  const char *lock = ir_lock_of(b, function);
  if (!lock || !own_lock) {
    return lock;
  }
  if (strcmp(lock, own_lock) != 0) {
    ir_fail_in(b,
               f,
               "%s takes the lock %s inside the lock %s: expected one lock for both",
               who,
               lock,
               own_lock);
  }
  return NULL;
}

/* The struct in memory of the call into which C writes the pointer; NULL for others. */
static const bind_struct *ir_gift_holder(const ir_builder *b, const c_type *t) {
  const bool place = t->kind == C_POINTER && !t->is_array && !t->to->is_const;
  const bind_struct *s = place ? ir_find_struct(b, t->to) : NULL;
  return s && s->gives && s->cleared ? s : NULL;
}

/* Give objects of a type holders, which are found by C's pointer: integers of two types may be
 * equal. */
static bind_handle *ir_hold(ir_builder *b, const bind_function *f, const bind_handle *handle) {
  bind_handle *held = &b->ir->handles[handle - b->ir->handles];
  held->holds = true;
  for (int i = 0; held->is_integer && i < b->ir->handle_count; i++) {
    const bind_handle *other = &b->ir->handles[i];
    if (other->is_integer && other->holds && strcmp(other->c, held->c) != 0) {
      ir_fail_in(
          b,
          f,
          "%s and %s are integers, which may be equal: objects of one of them alone may keep "
          "or lend something",
          other->name,
          held->name);
    }
  }
  return held;
}

/* The call makes the struct empty, copies what is behind its field, and clears it. */
static void ir_hold_gift(ir_builder *b, const bind_function *f, const gift_clause *from,
                         const bind_struct *holder, const char *own_lock, bind_gift *gift) {
  if (from->kind != BIND_GIFT_COPIED || from->extents) {
    ir_fail_in(b, f, "%s: `gives`: what %s carries is copied", from->param, holder->name);
  }
  gift->holder = holder;
  gift->freed = holder->cleared;
  gift->lock = ir_inner_lock(
      b, f, holder->cleared, own_lock, bind_string("%s: %s", from->param, holder->cleared));
  bind_add_place(&b->freed, holder->cleared, 0);
}

static void ir_build_gift(ir_builder *b, bind_function *f, const gift_clause *from,
                          const c_type *to, bind_param *p) {
  const bind_param *handle = ir_gift_handle(f, from->handle);
  bind_gift *gift = bind_alloc(1, sizeof *gift);
  *gift = (bind_gift){.kind = from->kind,
                      .until_change = from->until_change,
                      .filled = ir_is_struct(to->to, "DLManagedTensor"),
                      .pointer = ir_spell_pointer(to),
                      .is_result = strcmp(from->param, "return") == 0};
  gift->freed = from->freed;
  gift->lock = ir_lock_of(b, from->freed);
  gift->extents = from->extents;
  gift->rank = from->rank;
  p->type = (bind_type){.kind = BIND_GIVEN, .c = "DLManagedTensorVersioned **"};
  if (!gift->filled) {
    p->row = ir_row_size(b, to);
    p->type.scalar = ir_element_scalar(ir_row_element(to)); /* read with the contract */
    p->enums = to->to->kind == C_ENUM;
  }
  p->direction = BIND_OUT;
  p->returned = true;
  p->gift = gift;
  if (gift->filled && from->kind != BIND_GIFT_LENT) {
    ir_fail_in(b, f, "%s: expected `lent until free` or `lent until change`", from->param);
  }
  if (from->kind == BIND_GIFT_LENT && !handle) {
    ir_fail_in(b,
               f,
               "%s: `lent until %s`: expected a handle among the parameters",
               from->param,
               from->until_change ? "change" : "free");
  }
  if (from->handle && !handle) {
    ir_fail_in(b,
               f,
               "%s: `freed %s(%s)`: expected a handle among the parameters",
               from->param,
               from->freed,
               from->handle);
  }
  if (from->kind == BIND_GIFT_FREED) {
    ir_read_freeing(b, f, gift, from->handle ? handle : NULL, to->to);
  }
  if (!handle || (from->kind == BIND_GIFT_FREED && !from->handle) ||
      from->kind == BIND_GIFT_COPIED) {
    return;
  }
  gift->handle = handle->name;
  if (!handle->type.handle->free_name) {
    ir_fail_in(b,
               f,
               "%s: expected a handle that a function frees, got %s, which is `unowned`",
               from->param,
               handle->name);
  }
  bind_handle *held = ir_hold(b, f, handle->type.handle);
  held->lends |= from->until_change;
  held->frees |= from->kind == BIND_GIFT_FREED;
  gift->handle_c = handle->type.handle->c;
  gift->handle_is_integer = handle->type.handle->is_integer;
}

bool ir_is_gift(const clause_words *words, const char *name) {
  BIND_EACH (const gift_clause, g, words->gifts, words->gift_count) {
    if (strcmp(g->param, name) == 0) {
      return true;
    }
  }
  return false;
}

/* Take what C gives for what it is: tensors, and the places of their extents. */
void ir_build_gifts(ir_builder *b, bind_function *f, const c_function *from,
                    const clause_words *words) {
  BIND_EACH (const gift_clause, g, words->gifts, words->gift_count) {
    const bool is_result = strcmp(g->param, "return") == 0;
    const c_type *pointer = NULL;
    if (is_result) {
      pointer = ir_gift_pointer(from->result);
    }
    bind_param *p = NULL;
    const bind_struct *holder = NULL;
    for (int i = 0; i < f->param_count; i++) {
      const c_type *t = from->params[i].type;
      bind_param *at = &f->params[i];
      const bool number = at->returned && at->type.kind == BIND_INTEGER;
      const bool extents = g->extents && strcmp(g->extents, at->name) == 0;
      at->is_gift_extent |= number && bind_mentions(g->shape, at->name);
      at->is_gift_extent |= extents && t->kind == C_POINTER && t->to->kind == C_POINTER &&
                            t->to->to->kind == C_INTEGER;
      if (is_result || strcmp(at->name, g->param) != 0) {
        continue;
      }
      p = at;
      holder = ir_gift_holder(b, t);
      if (holder) {
        pointer = ir_member_type(t->to->record, holder->gives);
      } else if (t->kind == C_POINTER && !t->is_array && !t->to->is_const) {
        pointer = ir_is_struct(t->to, "DLManagedTensor") ? t : ir_gift_pointer(t->to);
      }
    }
    if (is_result && pointer) {
      p = &f->params[f->param_count++];
      *p = (bind_param){.name = "result", .doc = "", .contract = "", .limits = ""};
    }
    if (!p || !pointer) {
      ir_fail_in(b,
                 f,
                 "%s: `gives` is for a pointer to a pointer to elements, or a returned pointer",
                 g->param);
    } else {
      ir_build_gift(b, f, g, pointer, p);
      if (holder) {
        bind_gift *gift = bind_alloc(1, sizeof *gift);
        *gift = *p->gift;
        ir_hold_gift(b, f, g, holder, words->lock, gift);
        p->gift = gift;
      }
    }
  }
}

/* An object is freed after the one that keeps it. */
static void ir_keep_object(ir_builder *b, const bind_function *f, bind_param *p,
                           const bind_param *in, const char *word) {
  p->kept_object = true;
  b->ir->handles[p->type.handle - b->ir->handles].holds = true;
  if (p == in) {
    ir_fail_in(b, f, "`%s %s in %s`: expected two objects", word, p->name, p->name);
  }
}

/* C frees it with the one that takes it. */
static void ir_take_object(ir_builder *b, const bind_function *f, bind_param *p,
                           const keep_clause *k) {
  const char *expected = NULL;
  if (!bind_is_object(p) || p->optional) {
    expected = "the name of an object that callers always pass";
  } else if (strcmp(k->in, "result") == 0) {
    expected = "an object that is there, since the call that makes one may fail later";
  } else if (bind_begins(p->type.c, "const ") || p->type.handle->in_place) {
    expected = "a pointer that is not const, to an object in memory of C";
  }
  if (expected) {
    ir_fail_in(b, f, "`takes %s in %s`: expected %s", k->param, k->in, expected);
    return;
  }
  p->taken = true;
  b->ir->handles[p->type.handle - b->ir->handles].taken = true;
}

/* An object that others take in a call would be in use when it is taken itself. */
static void ir_check_taker(ir_builder *b, const bind_function *f, const clause_words *words,
                           const keep_clause *k) {
  BIND_EACH (const keep_clause, other, words->keeps, words->keep_count) {
    if (k->taken && other->taken && strcmp(k->in, other->param) == 0) {
      ir_fail_in(b,
                 f,
                 "`takes %s in %s`: expected an object that the call does not take itself",
                 k->param,
                 k->in);
    }
  }
}

/* Mark what C keeps, before the contract is read. */
void ir_build_keeps(ir_builder *b, bind_function *f, const clause_words *words) {
  f->facts = bind_items(words->keep_count, sizeof *f->facts);
  BIND_EACH (const keep_clause, k, words->keeps, words->keep_count) {
    if (!k->in) {
      ir_end_object(b, f, bind_find_param(f, k->param), k->param);
      continue;
    }
    const bool in_result = strcmp(k->in, "result") == 0;
    const char *word = k->taken ? "takes" : "keeps";
    ir_check_taker(b, f, words, k);
    const bind_param *in = bind_find_param(f, k->in);
    const bind_handle *handle = NULL;
    if (in_result) {
      handle = f->creates;
    } else if (in && bind_is_object(in) && !in->optional) {
      handle = in->type.handle;
    }
    bind_param *p = bind_find_param(f, k->param);
    const bool object = p && (bind_is_object(p) || bind_is_object_list(p));
    bind_fact fact;
    const bool is_fact = ir_find_fact(b, f, k, &fact);
    if (k->field && !is_fact) {
      ir_fail_in(b,
                 f,
                 "`keeps %s->%s`: expected an integer in a struct that callers always pass",
                 k->param,
                 k->field);
    } else if (!is_fact && (!p || (p->type.kind != BIND_TENSOR && !object))) {
      ir_fail_in(b,
                 f,
                 "`%s %s`: expected the name of %san object",
                 word,
                 k->param,
                 bind_when(!k->taken, "an integer, a tensor or "));
    } else if (!handle) {
      ir_fail_in(b,
                 f,
                 "`%s %s in %s`: expected %s",
                 word,
                 k->param,
                 k->in,
                 in_result ? "a function that makes a handle"
                           : "the name of a handle that callers pass");
    }
    if (handle && !handle->free_name) {
      ir_fail_in(b,
                 f,
                 "`%s %s in %s`: expected a handle that a function frees, got one that is "
                 "`unowned`",
                 word,
                 k->param,
                 k->in);
    }
    if (object && !p->type.handle->free_name) {
      ir_fail_in(b,
                 f,
                 "`%s %s in %s`: expected an object that a function frees, got one that is "
                 "`unowned`",
                 word,
                 k->param,
                 k->in);
    }
    if (!p || !handle) {
      continue;
    }
    bind_handle *held = ir_hold(b, f, handle);
    if (is_fact) {
      fact.handle = handle;
      fact.in = in_result ? NULL : k->in;
      ir_keep_fact(b, f, fact);
      continue;
    }
    if (!in_result) {
      p->kept_in = k->in;
    }
    if (k->taken) {
      ir_take_object(b, f, p, k);
    }
    if (object) {
      ir_keep_object(b, f, p, in, word);
    } else {
      p->kept = held->keeps = true;
    }
  }
  ir_build_origins(b, f, words);
  ir_ask_what_is_kept(f, words);
}
