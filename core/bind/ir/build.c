/* SPDX-License-Identifier: Apache-2.0 */
/* Build the enums and functions of the IR from those of C. */
#include "axes.h"
#include "borrow.h"
#include "collect.h"
#include "memory.h"
#include "parameters.h"
#include "report.h"
#include "row.h"
#include "scratch.h"
#include "texts.h"
#include "words.h"
#include <string.h>

/* As contracts have; each name is compared with those before. */
enum { MOST_PARAMETERS = 4096 };

/* ---- functions ---- */

static void ir_build_return(bind_function *f, const c_function *from, bool ignored) {
  if (ignored) {
    f->result = (bind_type){.kind = BIND_VOID, .c = "void "};
  }
  const bool status_type = strcmp(from->result->spelling, "dlf_status") == 0;
  if (f->result.kind == BIND_VOID) {
    f->returns = BIND_RETURN_VOID;
  } else if (status_type ||
             (f->takes_error && f->result.kind == BIND_INTEGER && f->result.scalar == BIND_I32)) {
    f->returns = BIND_RETURN_STATUS;
  } else {
    f->returns = BIND_RETURN_VALUE;
  }
}

/* Let a function return the object that it makes ready: the first parameter of the type. */
static void ir_build_in_place(const bind_function *f, const c_type *t, bind_param *p) {
  const bind_handle *h = p->type.handle;
  if (!h || !h->in_place || p->returned || !ir_is_maker(h, f->name) || !ir_is_place(t, h->type)) {
    return;
  }
  for (const bind_param *before = f->params; before < p; before++) {
    if (before->in_place) {
      return;
    }
  }
  p->in_place = p->returned = true;
}

/* A clause with extents makes a pointer to elements a tensor; C's const says whether it writes
 * them, else the clause. */
static void ir_build_elements(ir_builder *b, const bind_function *f, const c_type *t,
                              const clause_list *contract, const char *interfaces, bind_param *p) {
  clause_use use = CLAUSE_NONE;
  if (t->kind == C_POINTER) {
    use = clauses_tensor(contract, p->name);
  }
  const c_type *to = t->to;
  p->interface = bind_word_in(p->name, interfaces);
  if (p->interface && (!use || to->kind != C_CHAR || !to->is_const)) {
    ir_fail_in(b, f, "%s: `array_interface` is a text: expected `const char *` in C", p->name);
  }
  p->managed = use && ir_is_struct(to, "DLManagedTensor");
  const c_type *element = use ? ir_row_element(t) : NULL;
  if (!use || !(p->managed || element || ir_may_be_element(to))) {
    return;
  }
  if (use == CLAUSE_UNSAID && !to->is_const) {
    ir_fail_in(
        b,
        f,
        "%s: expected `in`, `out` or `inout` before the dtype, since C's pointer is not const",
        p->name);
  }
  if (use > CLAUSE_IN && to->is_const) {
    ir_fail_in(b, f, "%s: C's pointer is const, so it is not written", p->name);
  }
  const bool written = use == CLAUSE_OUT || use == CLAUSE_INOUT;
  p->pointer = p->managed ? NULL : ir_spell_pointer(t);
  p->enums = to->kind == C_ENUM;
  p->type = (bind_type){.kind = BIND_TENSOR, .c = written ? "DLTensor *" : "const DLTensor *"};
  if (!p->managed) {
    p->row = ir_row_size(b, t);
    p->type.scalar =
        ir_element_scalar(element ? element : to); /* read and removed with the contract */
  }
  if (written) {
    p->direction = BIND_OUT;
  } else {
    p->direction = BIND_IN;
  }
  p->returned = false;
}

/* The declared length of an array: a number, also of a macro, or another parameter. */
static const char *ir_length(const ir_builder *b, const c_function *from, const c_type *t) {
  int64_t value;
  if (!t->length || *t->length < 'A') {
    return t->length;
  }
  BIND_EACH (const c_param, p, from->params, from->count) {
    if (strcmp(p->name, t->length) == 0) {
      return t->length;
    }
  }
  if (ir_constant(b, t->length, &value) && value > 0) {
    return bind_string("%lld", (long long)value);
  }
  return "";
}

/* Tell whether a parameter before this one, the last one so far, has its name. */
static bool ir_is_taken(const bind_function *f, const bind_param *last) {
  for (const bind_param *p = f->params; p < last; p++) {
    if (*p->name == *last->name && strcmp(p->name, last->name) == 0) {
      return true;
    }
  }
  return false;
}

/* Say why a parameter cannot be bound, and which clause would bind it; NULL if it can. */
static const char *ir_why_param_unbound(const ir_builder *b, const bind_param *p, const c_type *t) {
  const char *why = ir_why_unbound(b, &p->type, t);
  if (!why) {
    return NULL;
  }
  const char *text = ir_why_text(p->name, t);
  if (text) {
    return text;
  }
  if (t->kind == C_ENUM && (!t->enumeration || !*t->enumeration->name)) {
    return "an enum without a name: give it one in the header";
  }
  const bool elements = p->type.kind == BIND_OTHER && p->type.elements && t->kind == C_POINTER &&
                        ir_may_be_element(t->to);
  const bool bytes = elements && t->to->kind == C_INTEGER &&
                     (t->to->scalar == BIND_U8 || t->to->scalar == BIND_I8);
  if (!elements || bytes || *t->spelling) {
    return why;
  }
  const char *direction = bind_when(!t->to->is_const, "inout ");
  const char *shape = "n";
  if (t->to->kind == C_VOID) {
    shape = "...";
  } else if (*bind_or(p->length, "")) {
    shape = p->length;
  }
  return bind_string(
      "no clause tells what it points to: write %s`%s: %s%s[%s]` for a tensor",
      bind_when(t->to->kind == C_CHAR,
                bind_string("`%s: out text[%s]` for a text that C writes, or ", p->name, shape)),
      p->name,
      direction,
      p->type.elements,
      shape);
}

/* A clause that changed what C gets would let callers write the format. */
static void ir_check_printed(ir_builder *b, const bind_function *f, const bind_param *p,
                             const clause_list *contract) {
  if (p->printed && (p->text || clauses_find(contract, p->name, CLAUSE_COLON) ||
                     clauses_find(contract, p->name, CLAUSE_DERIVES))) {
    ir_fail_in(b, f, "%s: C prints it: expected no other clause for it", p->name);
  }
}

/* Leave the function out for each parameter that cannot be bound. */
static void ir_explain_params(ir_builder *b, bind_function *f, const c_function *from,
                              const clause_words *words) {
  for (int i = 0; i < f->param_count; i++) {
    const bind_param *p = &f->params[i];
    const bool known = p->gift || p->is_gift_extent || p->text || p->axes || p->report ||
                       p->collects || p->collected ||
                       clauses_find(&words->rest, p->name, CLAUSE_DERIVES);
    const char *why = NULL;
    ir_check_printed(b, f, p, &words->rest);
    if (!known) {
      why = ir_why_param_unbound(b, p, from->params[i].type);
    }
    if (!known && !why && !bind_word_in(p->name, words->texts) &&
        !clauses_find(&words->rest, p->name, CLAUSE_COLON) &&
        !clauses_find(&words->rest, p->name, CLAUSE_DEFAULT)) {
      why = ir_why_no_text(b, f, i, from->params[i].type);
    }
    if (why) {
      ir_leave_out(f, bind_string("%s: %s", p->name, why));
    }
  }
}

static void ir_build_params(ir_builder *b, bind_function *f, const c_function *from,
                            const doc_comment *doc, const clause_words *words) {
  const clause_list *contract = &words->rest;
  size_t room = (size_t)from->count + (size_t)words->gift_count +
                (size_t)words->given_text_count /* one of them may be what C returns */
                + (size_t)words->collect.count;
  BIND_EACH_CLAUSE (c, contract) {
    room += clause_mark_at(c, 1) == CLAUSE_DERIVES;
  }
  f->params = bind_alloc(room, sizeof *f->params);
  if (from->count > MOST_PARAMETERS) {
    ir_leave_out(f, bind_string("more than %d parameters are not bound", (int)MOST_PARAMETERS));
  }
  for (int i = 0; i < from->count && i < MOST_PARAMETERS; i++) {
    const c_type *t = from->params[i].type;
    if (i + 1 == from->count && t->kind == C_POINTER && ir_is_struct(t->to, "dlf_error")) {
      f->takes_error = true;
      break;
    }
    bind_param *p = &f->params[f->param_count++];
    p->name = ir_param_name(from, i);
    p->type = ir_build_param_type(b, t, &p->returned);
    ir_build_in_place(f, t, p);
    if (ir_is_borrowed(words, p->name) && !p->returned && t->kind == C_POINTER) {
      const bind_type to = ir_build_type(b, t->to);
      p->returned = to.kind == BIND_HANDLE && to.handle; /* a place for a pointer to const */
      p->type = p->returned ? to : p->type;
    }
    ir_build_objects(b, f, t, contract, p);
    if (p->returned || (p->type.kind == BIND_TENSOR && !t->to->is_const)) {
      p->direction = BIND_OUT;
    } else {
      p->direction = BIND_IN;
    }
    const bool number = p->returned && p->type.kind >= BIND_INTEGER && p->type.kind <= BIND_ENUM;
    if (number && p->type.kind != BIND_COMPLEX && clauses_changes(contract, p->name)) {
      p->direction = BIND_INOUT;
    }
    p->contract = p->limits = p->letters = "";
    p->array = t->is_array;
    p->printed = from->params[i].printed;
    p->length = ir_length(b, from, t);
    if (t->kind == C_POINTER && !t->is_array) {
      p->spelled = t->spelling;
    } else {
      p->spelled = "";
    }
    if (!ir_is_gift(words, p->name)) {
      ir_build_elements(b, f, t, contract, words->interfaces, p);
      if (!ir_build_struct_pointee(b, f, t, words, p)) {
        ir_build_pointee(b, f, t, contract, p);
      }
    }
    p->doc = doc_paragraph(from->params[i].doc);
    p->note = doc_paragraph(from->params[i].note);
    BIND_EACH (const doc_param, said, doc->params, doc->param_count) {
      if (strcmp(said->name, p->name) == 0) {
        p->doc = said->text;
        p->note = bind_join(p->note, " ", said->way);
      }
    }
    if (ir_is_taken(f, p)) {
      ir_fail(b, from->line, "%s: two parameters named %s", f->name, p->name);
    }
  }
  ir_build_freed(b, f, words);
  ir_build_gifts(b, f, from, words);
  ir_build_texts(b, f, from, words);
  ir_build_axes(b, f, from, words);
  ir_build_collect(b, f, from, words);
  ir_build_report(b, f, from, words);
  ir_build_scratch(b, f, from, words);
  ir_explain_params(b, f, from, words);
}

/* Tell whether what C returns is memory or a text, which callers get as a parameter. */
static bool ir_returns_given(const bind_function *f) {
  if (!f->param_count) {
    return false;
  }
  const bind_param *last = &f->params[f->param_count - 1];
  return (last->gift && last->gift->is_result) ||
         (last->text && last->text->kind == BIND_TEXT_RESULT);
}

/* Tell whether C returns how much of a text it wrote. */
static bool ir_returns_length(const bind_function *f) {
  BIND_EACH_PARAM (p, f) {
    if (p->text && p->text->reports_result) {
      return true;
    }
  }
  return false;
}

/* An int beside a new handle is mostly a code, which callers must not miss: only a contract tells.
 */
static void ir_build_code(bind_function *f, bool said) {
  const bool number = f->result.kind == BIND_ENUM ||
                      (f->result.kind == BIND_INTEGER && f->result.scalar == BIND_I32);
  if (said || f->returns != BIND_RETURN_VALUE || !f->creates || !number) {
    return;
  }
  ir_leave_out(f,
               bind_string("its result may be a code: expected a contract such as `return: "
                           "status`, or an empty one, "
                           "`%s { }`, for a value",
                           f->name));
}

/* Tell whether a clause is about a parameter of this function, not about results, locks or speed,
 * which suit any. */
static bool ir_names_parameter(const c_function *from, const clause_list *contract) {
  BIND_EACH_CLAUSE (c, contract) {
    BIND_EACH (const c_param, p, from->params, from->count) {
      if (clause_is(c, 0, p->name)) {
        return true;
      }
    }
  }
  return false;
}

/* Tests enter C only in functions that an author looked at: `nc_* { return: status }` does not say
 * what arguments are. */
static bool ir_is_reviewed(const c_function *from, const char *said, const sidecar_block *block) {
  if (*said) {
    return true;
  }
  if (!block || clauses_only_guess(&block->clauses)) {
    return false;
  }
  return !block->pattern || ir_names_parameter(from, &block->clauses);
}

/* Memory for a text whose size callers choose has room for a NUL. */
static void ir_limit_rooms(const c_function *from, clause_words *words) {
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    const bool chosen = text->kind == BIND_TEXT_FILLED && !text->grown;
    if (!chosen || strcmp(text->size, text->param) == 0 ||
        clauses_find(&words->rest, text->size, CLAUSE_DERIVES)) {
      continue;
    }
    BIND_EACH (const c_param, p, from->params, from->count) {
      if (strcmp(p->name, text->size) == 0) {
        const clause_list limit = clauses_parse(bind_string("%s >= 1", text->size));
        clauses_add(&words->rest, &limit);
      }
    }
  }
}

/* Join the contract of the comment with that of the file beside the header, and take the words for
 * callers out. */
static const char *ir_take_contract(ir_builder *b, const c_function **declared, bind_function *f,
                                    const char *said, clause_words *words) {
  const c_function *from = *declared;
  const char *why = NULL;
  ir_find_block(b, from->name);
  f->reviewed = ir_is_reviewed(from, said, b->block);
  clause_list contract = clauses_parse(said);
  if (b->block) {
    clauses_add(&contract, &b->block->clauses);
  }
  const sidecar_block *every = NULL;
  ir_add_every(b, from, &contract, &every);
  if (!b->block) {
    b->block = every;
  }
  const bool fine = clauses_take(&contract, words, &why);
  if (!fine) {
    b->clause = words->wrong;
    b->part = words->part;
    ir_fail(b, from->line, "%s: contract: %s", from->name, why);
  }
  b->clause = NULL;
  b->part = NULL;
  from = ir_fix_variable(b, from, &words->rest);
  from = *declared = ir_spread_structs(b, f, from, words);
  ir_take_texts(b, from, words);
  ir_add_collected(b, from, words);
  ir_limit_rooms(from, words);
  return clauses_text(&words->rest);
}

/* Functions that free what a call gives are for the call alone. */
static void ir_note_freeing(ir_builder *b, const clause_words *words) {
  BIND_EACH (const gift_clause, gift, words->gifts, words->gift_count) {
    if (gift->freed) {
      bind_add_place(&b->freed, gift->freed, 0);
    }
  }
  BIND_EACH (const text_clause, text, words->given_texts, words->given_text_count) {
    if (text->freed) {
      bind_add_place(&b->freed, text->freed, 0);
    }
  }
}

/* Callers do not get functions that free what tensors own. */
static void ir_remove_freed(ir_builder *b) {
  bind_ir *ir = b->ir;
  int kept = 0;
  for (int i = 0; i < ir->function_count; i++) {
    if (bind_find_place(&b->freed, ir->functions[i].name) < 0) {
      ir->functions[kept++] = ir->functions[i];
    }
  }
  ir->freeing_count += ir->function_count - kept;
  ir->function_count = kept;
}

/* Return a name in camelCase as words with '_' between, since no language but Go has functions in
 * camelCase. */
static const char *ir_idiom(const char *name) {
  const char *p = name;
  while (*p && !(bind_is_lower(*p) && bind_is_upper(p[1]))) {
    p++;
  }
  const bool camel = *p || (bind_is_upper(*name) && bind_is_lower(name[1]));
  if (camel) {
    return bind_snake(name);
  }
  return name;
}

static void ir_take_words(bind_function *f, const clause_words *words) {
  f->lock = words->lock;
  f->said_property = words->property;
  f->said_method = words->method;
  f->unchanged = words->unchanged;
}

/* Leave a function out whose result callers cannot get. */
static void ir_check_result(const ir_builder *b, bind_function *f, const c_type *t) {
  const bind_kind kind = f->result.kind;
  const bool pointer =
      kind == BIND_TENSOR || kind == BIND_LIST || kind == BIND_ARRAY || kind == BIND_GIVEN;
  if (f->returns != BIND_RETURN_VALUE) {
    return;
  }
  const char *why = "tensors, arrays and streams are not bound as results";
  if (!pointer && kind != BIND_STREAM) {
    why = ir_why_unbound(b, &f->result, t);
  }
  if (why) {
    ir_leave_out(f, bind_string("its result: %s%s", why, ir_text_of_result(t)));
  }
}

/* False if callers do not get the function. */
static bool ir_build_function(ir_builder *b, const c_function *from, bind_function *f) {
  doc_comment doc;
  clause_words words;
  doc_read(from->doc, &doc);
  b->from = from;
  b->contract = NULL;
  b->at = f->header = from->header;
  f->commented = *doc.contract != 0;
  f->said = ir_take_contract(b, &from, f, doc.contract, &words);
  words.rest = ir_member_clauses(b, from->name, &words.rest);
  const char *contract = clauses_text(&words.rest);
  if (words.hide) {
    b->from = NULL;
    b->ir->hidden++;
    return false;
  }
  f->name = from->name;
  f->declared = from;
  f->line = from->line;
  f->named = b->block && !b->block->pattern &&
             (words.rename || *contract || !clauses_mention(&b->block->clauses, "?"));
  f->short_name = f->own = words.rename ? words.rename : ir_idiom(ir_short_name(b, from->name));
  f->checked_name = bind_string("%s_checked", f->name);
  f->method_name = f->short_name;
  f->summary = doc.summary;
  f->description = doc.description;
  f->returns_doc = doc.returns;
  f->deprecated = bind_or(doc.deprecated, from->deprecated);
  f->contract = "";
  f->result = ir_build_type(b, from->result);
  ir_build_result_behind(b, f, from->result);
  const c_param *lender = uses_find_lender(from);
  if (lender) {
    f->lender = lender->name;
  }
  ir_build_params(b, f, from, &doc, &words);
  ir_build_number(b, f, from->result, words.number);
  ir_build_return(f, from, words.ignored);
  if (ir_returns_given(f)) {
    f->returns = BIND_RETURN_VOID;
    f->params[f->param_count - 1].doc = f->returns_doc;
  }
  if (ir_returns_length(f)) {
    f->returns = BIND_RETURN_COUNT;
  }
  ir_note_freeing(b, &words);
  if (from->variadic) {
    ir_leave_out(f,
                 "a variable number of arguments is not bound: write `... := NULL` if NULL may end "
                 "it at once, `...: i32 NAME` for a number, or `...: text NAME` if the text "
                 "before it is a format of printf's");
  }
  ir_check_result(b, f, from->result);
  ir_check_freed(b, f);
  ir_take_words(f, &words);
  if (!f->unbound) {
    ir_build_method(b, f, &words);
  }
  if (!f->unbound && words.rename) {
    ir_check_rename(b, f, ir_idiom(ir_short_name(b, from->name)));
  }
  if (f->creates && b->knows_us[from->header]) {
    f->reviewed = true; /* it is called so that it makes one */
  }
  if (!f->unbound) {
    ir_build_code(f, b->block || *contract);
  }
  if (!f->unbound) {
    ir_build_end(f);
    ir_build_keeps(b, f, &words);
  }
  if (f->unbound) {
    ir_add_open_pointers(b, f, &words.rest);
  } else {
    ir_build_contract(b, f, contract);
  }
  if (!f->unbound) {
    words_describe(f);
  }
  b->from = NULL;
  return true;
}

/* Callers never call the function that frees a handle, so only `lock` means anything there. */
static bool ir_check_free_clauses(ir_builder *b, const bind_handle *h, const clause_list *own,
                                  int line) {
  clause_words words;
  const char *why = NULL;
  if (!clauses_take(own, &words, &why)) {
    ir_fail(b, line, "%s: contract: %s", h->free_name, why);
    return false;
  }
  BIND_EACH (const bind_clause, c, own->clauses, own->count) {
    if (!clause_is_guess(c) && !clauses_is_lock(c) && !clauses_is_handle(c)) {
      b->clause = clause_text(c);
      ir_fail(b,
              line,
              "%s: it frees %s, so callers do not get it: expected no clause but `lock`",
              h->free_name,
              h->name);
      b->clause = NULL;
      return false;
    }
  }
  return true;
}

/* Read what the comment and the block of the function that frees a handle say. */
static void ir_read_free_function(ir_builder *b, bind_handle *h) {
  if (!h->free_name) {
    return;
  }
  const c_function *f = ir_find_function(b, h->free_name);
  h->lock = ir_lock_of(b, h->free_name);
  h->holds |= h->lock != NULL; /* its holder waits for the lock, so that the caller need not */
  if (f) {
    doc_comment doc;
    doc_read(f->doc, &doc);
    const clause_list said = clauses_parse(doc.contract);
    b->at = f->header;
    b->from = f;
    const bool fine = ir_check_free_clauses(b, h, &said, f->line);
    b->from = NULL;
    if (!fine) {
      return;
    }
  }
  ir_find_block(b, h->free_name);
  if (b->block && !b->block->pattern) {
    ir_check_free_clauses(b, h, &b->block->clauses, h->line);
  }
}

void ir_build_functions(ir_builder *b) {
  bind_ir *ir = b->ir;
  ir->functions =
      bind_items(b->header->function_count + b->contracts->family_count, sizeof *ir->functions);
  bind_index freeing = {0};
  BIND_EACH (bind_handle, h, ir->handles, ir->handle_count) {
    ir_read_free_function(b, h);
  }
  for (int i = 0; i < ir->handle_count; i++) {
    if (ir->handles[i].free_name) {
      bind_add_place(&freeing, ir->handles[i].free_name, i);
    }
  }
  for (int i = 0; i < b->header->function_count; i++) {
    if (bind_find_place(&freeing, b->header->functions[i].name) >= 0) {
      ir->freeing_count++;
    } else if (ir_build_function(b, &b->header->functions[i], &ir->functions[ir->function_count])) {
      ir->function_count++;
    }
  }
  ir_remove_freed(b);
  b->block = NULL;
  ir_build_families(b);
  ir_check_borrows(b);
  ir_check_lenders(b->ir);
  ir_build_properties(b);
  ir_find_sure(b);
}
