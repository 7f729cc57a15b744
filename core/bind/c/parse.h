/* SPDX-License-Identifier: Apache-2.0 */
/* The C declarations of a header. */
#ifndef DLFERRY_BIND_C_PARSE_H
#define DLFERRY_BIND_C_PARSE_H

#include "scalar.h"
#include "token.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum c_kind {
  C_VOID,
  C_BOOL,
  C_CHAR,
  C_INTEGER,
  C_REAL,
  C_COMPLEX,
  C_ENUM,
  C_STRUCT,
  C_POINTER,
  C_FUNCTION,
  C_OTHER
} c_kind;

typedef struct c_enum c_enum;
typedef struct c_struct c_struct;

typedef struct c_type {
  c_kind kind;
  bind_scalar scalar;
  bool is_const;
  bool is_array; /* kind is C_OTHER; C_POINTER for a parameter, which was written as an array */
  bool is_pair;  /* an array of two reals: `typedef double fftw_complex[2];` has the layout of a
                    complex number */
  const char *spelling; /* as written, without qualifiers: "size_t", "struct foo"; "" for pointers
                           and functions */
  struct c_type *to;    /* of a pointer or an array */
  const char *length;   /* of an array: "16", or the name of a macro or a parameter; else NULL */
  c_enum *enumeration;
  c_struct *record;            /* of a struct or union; an anonymous one is complete */
  struct c_function *function; /* of a function type: result and parameters */
} c_type;

typedef struct c_value {
  const char *name;
  int64_t value;
  const char *doc; /* comment with its marks, or NULL; all docs here are such */
} c_value;

struct c_enum {
  const char *name; /* typedef or tag; "" for an anonymous one */
  const char *spelling;
  c_value *values;
  int count, capacity;
  const char *doc;
  int header; /* index of the header that declares it */
  int line;
  const char *file; /* where that line is: the header, or the included file that declares it */
  bool elsewhere;
  bool kept;  /* it is in the header's list */
  bool sized; /* packed or with a type of its own: not of an int's size */
  bool wide;  /* a value does not even fit in int64_t */
};

/* A member of a struct. */
typedef struct c_member {
  const char *name; /* "" for an anonymous struct or union, or for the padding of bit-fields */
  c_type *type;
  const char *doc; /* comment with its marks, or NULL */
  bool is_bits;
  bool is_flexible; /* `char data[]` */
} c_member;

struct c_struct {
  const char *name;     /* typedef or tag */
  const char *spelling; /* "codec" or "struct codec" */
  const char *doc;
  int header;
  int line;
  bool kept;     /* it is in the header's list */
  bool complete; /* its members are known, so it is not opaque */
  bool is_union;
  void *built; /* what the IR makes of it, or NULL */
  bool unread; /* a member is not understood; the list ends before it */
  c_member *members;
  int member_count, member_capacity;
};

typedef struct c_param {
  const char *name; /* "" when it has none */
  c_type *type;
  const char *doc;  /* trailing comment or NULL */
  const char *note; /* plain comments beside it, with their marks; or "" */
  bool printed;     /* the text for a format, which is "%s" before it */
} c_param;

typedef struct c_function {
  const char *name;
  c_type *result;
  c_param *params;
  int count;
  bool variadic;
  const char *doc;
  const char *deprecated; /* what its attribute says, "" if nothing; NULL without it */
  int header;
  int line;
} c_function;

typedef struct c_variable {
  const char *name;
  c_type *type; /* a pointer */
} c_variable;

typedef struct c_header {
  c_function *functions; /* those of the header itself, first declaration of each */
  int function_count, function_capacity;
  c_function *included; /* those of included files, in preprocessed input */
  int included_count, included_capacity;
  c_enum **enums; /* named ones of the header itself, and those of included files that it uses */
  int enum_count, enum_capacity;
  c_enum **nameless; /* without a tag; one in a typedef has a name by now */
  int nameless_count, nameless_capacity;
  c_struct *
      *structs; /* those of the header itself, unions too: "struct x;" or "typedef struct x y;" */
  int struct_count, struct_capacity;
  c_variable *variables; /* "extern const x_type *x_linear;", which a contract may pass */
  int variable_count, variable_capacity;
  const char *file_doc;
  int lost;        /* contracts without a function; each was printed */
  bool deprecates; /* something in the header itself has such an attribute */
} c_header;

/* Read all declarations. False after bind_error. */
bool parse_header(const lex_list *list, c_header *out);

#endif
