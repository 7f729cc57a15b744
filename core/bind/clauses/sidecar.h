/* SPDX-License-Identifier: Apache-2.0 */
/* A file of contracts beside a header that stays as it is: `NAME { contract }`, where NAME may hold
 * `*`, `every PATTERN { contract }`, `handle TYPE freed NAME made NAME, NAME;`, and
 * `handle TYPE unowned made NAME, NAME;`, both perhaps of a `void *PARAM`, with `as NAME for NAME`
 * behind it, and `struct TYPE { FIELD = DEFAULT }`. */
#ifndef DLFERRY_BIND_CLAUSES_SIDECAR_H
#define DLFERRY_BIND_CLAUSES_SIDECAR_H

#include "bind/base/names.h"
#include "tree.h"

typedef struct sidecar_block {
  const char *name; /* of a function, or a pattern with `*` */
  clause_list clauses;
  const char *start, *at; /* the name and the contract in the file's text */
  size_t size;            /* of the contract there */
  int line;
  bool pattern, used;
  bool of_enum; /* among `structs`: `enum NAME { hide VALUE }` */
  bool every;   /* its clauses go beside those of a function's own block */
  bool *suits;  /* of `every`: which of its clauses a function suits, in their order; NULL until one
                   was asked */
} sidecar_block;

/* "handle TYPE freed NAME made NAME, NAME;", "handle TYPE init NAME, NAME clear NAME;" or "handle
 * TYPE unowned made NAME, NAME;" */
typedef struct sidecar_handle {
  const char *type;   /* of C; of a plain `void *` "void *NAME", which no type of C is called */
  const char *param;  /* the parameters that are a plain `void *` of this kind, a name or a pattern;
                         NULL for a type */
  const char *name;   /* of the class */
  const char **users; /* the functions whose parameters they are, names or patterns; none for all */
  int user_count, user_capacity;
  const char *freed;      /* NULL for `unowned` */
  const char **arguments; /* of freed: `_` is the object; none if it takes the object alone */
  int argument_count, argument_capacity;
  const char **made; /* names or patterns; those behind `init` make it ready */
  int made_count, made_capacity;
  bool in_place;            /* `init` and `clear` instead of `made` and `freed` */
  const char *file, *start; /* start: in the text */
  int line, column;
} sidecar_handle;

typedef struct sidecar_member {
  const char *dtype, *function;
  const char *start; /* the function in the file's text */
} sidecar_member;

/* `family NAME { T in f32: FUNC | f64: FUNC }`: one function for callers. */
typedef struct sidecar_family {
  const char *name, *variable;
  sidecar_member *members;
  int count, capacity;
  const char *start; /* in the file's text */
} sidecar_family;

typedef struct sidecar {
  sidecar_family *families;
  int family_count, family_capacity;
  bind_index family_names,
      member_names; /* places in families: of the families, and of the members' */
  const char *file, *text;
  sidecar_block *blocks;
  int count, capacity;
  bind_index own, patterns,
      every; /* blocks of one function, of a pattern, and of `every`: places in blocks */
  sidecar_handle *handles;
  int handle_count, handle_capacity;
  bind_index handle_names;
  sidecar_block *structs; /* `struct TYPE { ... }` and `enum TYPE { ... }`: name is the type's */
  int struct_count, struct_capacity;
  bind_index struct_names;
} sidecar;

/* Read a file's text. False after bind_error. */
bool sidecar_read(const char *file, const char *text, sidecar *out);

/* Read "handle TYPE freed NAME made NAME, NAME", which stands at a place of a file, and add it.
 * False after bind_error. */
bool sidecar_read_handle(sidecar *s, const char *file, const char *clause, int line, int column);

/* Find a function's block and mark it as used: its own, else the only pattern that matches; NULL
 * for none. False after bind_error, if several patterns match. */
bool sidecar_find(sidecar *s, const char *function, const sidecar_block **out);

/* Find the block that a function has for itself, without a pattern; NULL for none. */
const sidecar_block *sidecar_own(const sidecar *s, const char *function);

/* Find the block of a struct; NULL for none. */
sidecar_block *sidecar_find_struct(const sidecar *s, const char *type);

/* Tell whether a name is a pattern's: `*` stands for any characters. */
bool sidecar_matches(const char *pattern, const char *name);

/* Tell whether a name is one of several, or of their patterns. */
bool sidecar_matches_any(const char **patterns, int count, const char *name);

/* Find the family of a function and its dtype there, or NULL. */
const sidecar_family *sidecar_family_of(const sidecar *s, const char *function, const char **dtype);

/* Print each block that no function and no struct has; returns their number. */
int sidecar_report_unused(const sidecar *s);

#endif
