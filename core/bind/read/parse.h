/* SPDX-License-Identifier: Apache-2.0 */
/* Between lex.c, parse.c, doc.c and ir.c: tokens of a header, and the C declarations in it. */
#ifndef DLFERRY_BIND_READ_PARSE_H
#define DLFERRY_BIND_READ_PARSE_H

#include "ir.h"

/* ---- tokens ---- */

typedef enum lex_kind {
  LEX_END,
  LEX_NAME,
  LEX_NUMBER,
  LEX_STRING,
  LEX_CHARACTER,
  LEX_MARK,
  LEX_IGNORED /* a macro of --ignore-macro; lex_header takes it out */
} lex_kind;

typedef struct lex_token {
  lex_kind kind;
  const char *text; /* not ended by NUL */
  size_t size;
  int line;
  bool elsewhere;     /* in an included file, in preprocessed input */
  const char *file;   /* that file, or NULL */
  const char *before; /* doc comment just before, marks and all, or NULL */
  const char *after;  /* trailing doc comment ("/ **<") just after, or NULL */
} lex_token;

typedef struct lex_list {
  lex_token *tokens; /* the last one is LEX_END */
  size_t count;
  const char *file_doc; /* first doc comment that has @file, or NULL */
  int lost;             /* contracts in comments that document nothing; each was said */
} lex_list;

/* Split a header into tokens: comments, conditionals and object-like macros are dealt with here. file names it in
 * errors; ignore is a NULL-ended list of macros that count as empty, together with what follows in parentheses, but
 * for two cases in which the macro stands for that: the type in "API(int) f(void);", and the parameters in
 * "int f ARGS((int x));". False after bind_error. */
bool lex_header(const char *file, const char *text, size_t size, const char *const *ignore, lex_list *out);

/* A contract that no function has is a check that never runs. */
bool lex_has_contract(const char *comment, size_t size);
void lex_say_lost(const char *file, int line);

bool lex_is(const lex_token *token, const char *text);
char *lex_copy(const lex_token *token);

/* What names mean in a constant expression: the value of an enumerator; the size of a typedef's type, or 0. */
typedef struct lex_names {
  bool (*value)(void *context, const lex_token *name, int64_t *value);
  int (*size)(void *context, const lex_token *name, bool *is_unsigned);
  void *context;
} lex_names;

/* Evaluate a constant expression from tokens[*at] on; stops at what cannot belong to it. NULL, or what is wrong:
 * lex_too_large when only int64_t is too small for it. Without names it is an #if, in which every integer has 64 bits
 * and every name is 0. */
const char *lex_evaluate(const lex_token *tokens, size_t *at, const lex_names *names, int64_t *value);
extern const char lex_too_large[];

/* ---- declarations ---- */

typedef enum c_kind {
  C_VOID,
  C_BOOL,
  C_CHAR,
  C_INTEGER,
  C_REAL,
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
  const char *spelling; /* as written, without qualifiers: "size_t", "struct foo"; "" for pointers and functions */
  struct c_type *to;    /* of a pointer or an array */
  bool is_array;        /* kind is C_OTHER; C_POINTER for a parameter, which was written as an array */
  c_enum *enumeration;
  c_struct *record;            /* of a struct or union; an anonymous one is complete */
  struct c_function *function; /* of a function type: result and parameters */
} c_type;

typedef struct c_value {
  const char *name;
  int64_t value;
  const char *doc; /* comment, marks and all, or NULL; so are all docs here */
} c_value;

struct c_enum {
  const char *name; /* typedef or tag; "" for an anonymous one */
  const char *spelling;
  c_value *values;
  int count, capacity;
  const char *doc;
  int line;
  bool elsewhere;
  bool sized; /* packed or with a type of its own: not of an int's size */
  bool wide;  /* a value does not even fit in int64_t */
};

struct c_struct {
  const char *name;     /* typedef or tag */
  const char *spelling; /* "codec" or "struct codec" */
  const char *doc;
  int line;
  bool complete; /* its members are known, so it is not opaque */
};

typedef struct c_param {
  const char *name; /* "" when it has none */
  c_type *type;
  const char *doc; /* trailing comment or NULL */
} c_param;

typedef struct c_function {
  const char *name;
  c_type *result;
  c_param *params;
  int count;
  bool variadic;
  const char *doc;
  int line;
} c_function;

typedef struct c_header {
  c_function *functions; /* those of the header itself, first declaration of each */
  int function_count, function_capacity;
  c_enum **enums; /* named ones of the header itself */
  int enum_count, enum_capacity;
  c_struct **structs; /* that the header itself declares, unions too: "struct x;" or "typedef struct x y;" */
  int struct_count, struct_capacity;
  const char *file_doc;
  int lost; /* contracts of what is no function; each was said */
} c_header;

/* Read all declarations. False after bind_error. */
bool parse_header(const char *file, const lex_list *list, c_header *out);

/* ---- doc comments ---- */

typedef struct doc_param {
  const char *name, *text;
  bool joined; /* "x,y text": it shares the text of the one after it */
} doc_param;

typedef struct doc_comment {
  const char *summary, *description, *returns;
  const char *contract; /* the texts of all @contract, "; " between them */
  doc_param *params;
  int param_count;
} doc_comment;

/* Take a comment apart; NULL gives empty texts. */
void doc_read(const char *comment, doc_comment *out);

/* The whole comment as one paragraph. */
const char *doc_paragraph(const char *comment);

/* ---- the whole way ---- */

typedef struct bind_options {
  const char *header, *name, *prefix, *command;
  const char *const *ignore;
  bool strict;
} bind_options;

/* Read the header into ir, whose header, sources and version are set. False after bind_error. */
bool bind_read(bind_ir *ir, const bind_options *options);

#endif
