/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of templates, one row for each kind of parameter. */
#ifndef DLFERRY_BIND_EMIT_SLOTS_H
#define DLFERRY_BIND_EMIT_SLOTS_H

#include "bind/base/template.h"
#include "bind/ir/ir.h"

/* ---- Slots: a table says what each kind of parameter adds to each part of a function's text ----
 *
 * An emitter has a list of parts, such as declarations and arguments, and for each kind of
 * parameter a row of templates: its share in each part. A row leaves out the parts in which it has
 * no share.
 *
 *   enum { X_DECLARED, X_PASSED, X_PARTS };
 *   static const bind_part x_parts[X_PARTS] = {{"declared", ", ", BIND_C_ORDER},
 *                                              {"passed", ", ", BIND_C_ORDER}};
 *   static const char *const x_rows[BIND_OTHER][X_PARTS] = {
 *       [BIND_STRING] = {[X_DECLARED] = "$name: str", [X_PASSED] = "$name.encode()"},
 *
 * The function is then a template: "def $function($declared): call($passed)\n". */

typedef enum bind_order {
  BIND_C_ORDER,     /**< parameters, then the value that the function returns */
  BIND_CALLER_ORDER /**< arguments, then the value, then other results */
} bind_order;

typedef struct bind_part {
  const char *name;
  const char *between; /**< between the shares */
  bind_order order;
} bind_part;

/** A parameter in one call; the value that the function returns is a parameter "result". */
typedef struct bind_slot {
  const bind_param *p;
  bool result;         /**< it comes back instead of being passed, */
  bool changes;        /**< or as well: a number that C reads and writes */
  bool is_value;       /**< the function returns it */
  const char **shares; /**< one for each part; NULL or "" for none */
} bind_slot;

typedef struct bind_slots {
  const bind_function *f;
  const bind_part *parts;
  int part_count;
  bind_slot *items; /**< in C's order */
  int count;
} bind_slots;

/** The tables of an emitter: templates for each part, NULL for no share. The first three have a row
 * for each kind up to BIND_OTHER. Given tensors use the row of made ones, kinds without a row that
 * of integers. The others are rows that replace shares of a kind's row; NULL replaces none. */
typedef struct bind_rows {
  const char *const *passed;
  const char *const *results;
  const char *const *changed;       /**< numbers that C reads and writes */
  const char *const *kept;          /**< a tensor that C keeps */
  const char *const *optional_text; /**< a text, a number or an object that may be absent */
  const char *const *optional_number;
  const char *const *optional_object;
  const char *const *optional_result; /**< a returned text or object that may be */
  const char *const *optional_made;
  const char *const *given_text; /**< a text in memory of the caller */
  const char *const *optional_given_text;
  const char *const *given_list;  /**< a list of texts there */
  const char *const *text_list;   /**< texts for C, of kind BIND_ARRAY, */
  const char *const *object_list; /**< and objects */
} bind_rows;

/** Return what a function returns as a parameter. */
bind_param bind_value_param(const bind_function *f);

/** List the slots of f_new (make) or f_checked, without shares. */
bind_slots bind_slots_of(const bind_function *f, bool make, const bind_part *parts, int part_count);

/** Fill the templates of a row and set the slot's shares; NULL is an empty row. */
void bind_share_row(const bind_slots *slots, bind_slot *slot, const char *const *row,
                    const bind_field *fields);

/** Do so with the rows for the slot. */
void bind_share_rows(const bind_slots *slots, bind_slot *slot, const bind_rows *rows,
                     const bind_field *fields);

/** Return one part with its shares joined. */
const char *bind_joined_part(const bind_slots *slots, int part);

/** Return every part as a field with its shares joined. */
const bind_field *bind_joined(const bind_slots *slots);

#endif
