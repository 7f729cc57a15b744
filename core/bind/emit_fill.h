/* SPDX-License-Identifier: Apache-2.0 */
/* What lets an emitter's source look like what it emits: templates with names in them, and tables of such templates,
 * one row for each kind of parameter. */
#ifndef DLFERRY_BIND_EMIT_FILL_H
#define DLFERRY_BIND_EMIT_FILL_H

#include "emit.h"

/* ---- Templates ---- */

/** What a template's $name stands for. */
typedef struct bind_field {
  const char *name, *value;
} bind_field;

/** Append a template, in which "$name" or "${name}" stands for a field's value and "$$" for '$'. A name alone on its line
 *  stands for lines: each is indented as the template's line is, and an empty value leaves none. A name without a field
 *  ends the command: that is a mistake of the emitter's.
 *
 *    bind_fill(t, "func $name($parameters) error {\n"
 *                 "\t$statements\n"
 *                 "}\n", {"name", name}, {"parameters", parameters}, {"statements", statements}); */
#define bind_fill(text, template, ...) bind_template(text, template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
void bind_template(bind_text *text, const char *template, const bind_field *fields);

/** The same as a lasting string. */
#define bind_filled(template, ...) bind_filled_template(template, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const char *bind_filled_template(const char *template, const bind_field *fields);

/** Fields and more of them, as lasting memory; the first of a name counts. */
#define bind_with(fields, ...) bind_all_fields(fields, (const bind_field[]){__VA_ARGS__, {NULL, NULL}})
const bind_field *bind_all_fields(const bind_field *fields, const bind_field *more);

/** Fields as an argument. */
#define bind_fields(...)                                                                                               \
  (const bind_field[]) {                                                                                               \
    __VA_ARGS__, { NULL, NULL }                                                                                        \
  }

/** The value of one. */
const char *bind_field_of(const bind_field *fields, const char *name);

/** The text as a lasting string, freed itself. */
const char *bind_keep(bind_text *text);

/* ---- Slots: a table says what each kind of parameter adds to each part of a function's text ----
 *
 * An emitter has a list of parts, such as what is declared and what is passed, and a row of templates for each kind of
 * parameter: its share in each of them. A kind that has no share in a part leaves it out.
 *
 *   static const bind_part x_parts[] = {{"declared", ", "}, {"passed", ", "}, {NULL}};
 *   static const bind_field x_rows[BIND_OTHER][3] = {
 *       [BIND_STRING] = {{"declared", "$name: str"}, {"passed", "$name.encode()"}},
 *
 * The function is then a template: "def $function($declared): call($passed)\n". */

typedef enum bind_order {
  BIND_C_ORDER,     /**< parameters, then the value that the function returns */
  BIND_CALLER_ORDER /**< what is passed, then the value, then other results */
} bind_order;

typedef struct bind_part {
  const char *name;    /**< NULL ends a list */
  const char *between; /**< between the shares */
  bind_order order;
} bind_part;

/** A parameter in one call, or the value that the function returns, as a parameter "result". */
typedef struct bind_slot {
  const bind_param *p;
  int index;           /**< among all slots */
  bool result;         /**< comes back instead of being passed */
  bool is_value;       /**< what the function returns */
  const char **shares; /**< one for each part; NULL or "" where it has none */
} bind_slot;

typedef struct bind_slots {
  const bind_part *parts;
  bind_slot *items; /**< in C's order */
  int count;
} bind_slots;

/** Those of f_new (make) or f_checked, without shares. */
bind_slots bind_slots_of(const bind_function *f, bool make, const bind_part *parts);

/** Set a share; an unknown part ends the command. */
void bind_share(const bind_slots *slots, bind_slot *slot, const char *part, const char *text);

/** Set those of the slot's row, its templates filled in. Tables of what is passed and of results have rows of so many
 *  shares, one row for each kind up to BIND_OTHER. Given tensors are as those that are made, and kinds without a row as
 *  integers. */
void bind_share_row(const bind_slots *slots, bind_slot *slot, const bind_field *passed, const bind_field *results,
                    int row_size, const bind_field *fields);

/** Every part as a field, its shares joined. */
const bind_field *bind_joined(const bind_slots *slots);

/* ---- Questions that several languages ask ---- */

/** True when a parameter is of this kind. */
bool bind_has_kind(const bind_function *f, bind_kind kind);

/** True when any bound function takes or returns this handle. */
bool bind_handle_is_used(const bind_ir *ir, const bind_handle *h);

/** The only output that may share memory with an input, because the contract makes it alike without noalias, and that
 *  input; NULL when there is no such output, or more than one. */
const bind_param *bind_inplace_output(const bind_function *f);
const bind_param *bind_inplace_model(const bind_function *f);

/** Names that a language must tell apart; {.language = "Go"} is empty. */
typedef struct bind_names {
  const char *language;
  bool clash;
  const char **names, **from;
  int *slots; /**< 2 * capacity of them, by hash: an index into names and 1 more, or 0 */
  int count, capacity;
} bind_names;

/** Where a name is from, or NULL when it is not taken. */
const char *bind_find_name(const bind_names *set, const char *name);

/** Add a name that is not taken. */
void bind_take_name(bind_names *set, const char *name, const char *from);

/** Add a name; print it, and set clash, when it is taken. `from` says in C what is named so. */
void bind_add_name(bind_names *set, const char *name, const char *from);

#endif
