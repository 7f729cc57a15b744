/* SPDX-License-Identifier: Apache-2.0 */
/* What the functions of a header make and free, by type, found in one pass: a header may have
 * thousands of functions over one type. */
#ifndef DLFERRY_BIND_IR_USES_H
#define DLFERRY_BIND_IR_USES_H

#include "bind/base/names.h"
#include "bind/c/parse.h"

/* What functions do with a struct behind a pointer, or with a typedef of a pointer. */
typedef struct uses_row {
  const char *type;
  bool is_value;
  const c_function
      *freed;   /* the one that seems to free it, by its name and parameter; NULL for none */
  int rank;     /* how sure its name is */
  bool several; /* another name is as sure, so that none is */
  const c_function *frees;   /* the last such function */
  const c_function *suspect; /* of a struct: the first whose name and first parameter look like it;
                                NULL for none */
  const c_function **makers; /* those that return a new one, or write one behind a pointer */
  int maker_count, maker_capacity;
  const c_function **others; /* those that return one, but whose names do not say that it is new */
  int other_count, other_capacity;
  const c_function *lender; /* the first getter that seems to lend one; NULL for none */
  bool starts, updates;     /* functions like hash_reset and hash_update take it first */
  const c_function *init;   /* the first called x_init that takes it first; NULL for none */
  const char *guess; /* "handle X freed X_drop made X_start", or "handle X unowned", once it was
                        asked for */
  const char *shown; /* the same for a message, which is short */
} uses_row;

typedef struct uses_table {
  bind_index values, structs; /* typedefs of pointers, and structs: places in rows */
  uses_row *rows;
  int row_count, row_capacity;
  bind_index functions; /* places in the header */
  const c_header *header;
  bind_index type_names; /* of all types of functions, also behind pointers: places in types */
  const c_type **types;
  int type_count, type_capacity;
} uses_table;

/* How C spells a type, without the word `struct`. */
const char *uses_tag(const c_type *t);

/* Return the place of the verb of a function that is called like codec_free, for a codec: 0 for
 * free, more for those that may do more; -1 for other names. */
int uses_freeing_verb(const char *name, const char *of);

void uses_build(const c_header *header, uses_table *out);

/* Return the row of a typedef of a pointer (is_value) or of a struct; NULL if no function has it.
 */
uses_row *uses_find(const uses_table *uses, const char *type, bool is_value);

/* Return a type of this name that a function has, also behind a pointer; NULL for none. */
const c_type *uses_find_type(const uses_table *uses, const char *name);

/* Tell whether what the functions make must be started by another one: hash_create, hash_reset,
 * hash_update. Used before, C reads memory that nothing has set. */
bool uses_needs_start(const uses_row *row);

/* Return the parameter with the object that lends a result, by a getter's name and types: `y
 * *x_get_y(const x *it)`; NULL for other functions, and where the comment speaks of freeing. */
const c_param *uses_find_lender(const c_function *f);

/* Make row->guess and row->shown if something frees or lends the type, else leave them NULL. */
void uses_guess(uses_row *row);

#endif
