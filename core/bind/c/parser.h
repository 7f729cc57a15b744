/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by specifiers.c (names, enums, specifiers), declarator.c, members.c (bodies of structs)
 * and parse.c (declarations). */
#ifndef DLFERRY_BIND_C_PARSER_H
#define DLFERRY_BIND_C_PARSER_H

#include "bind/base/names.h"
#include "parse.h"
#include <setjmp.h>

typedef enum parse_kind {
  PARSE_TYPEDEF,
  PARSE_TAG,
  PARSE_CONSTANT,
  PARSE_FUNCTION,
  PARSE_KINDS
} parse_kind;

typedef struct parse_name {
  c_type *type;     /* of a typedef */
  c_enum *tag;      /* of an enum tag */
  c_struct *record; /* of a struct or union tag */
  int64_t value;    /* of an enumerator; index of a function */
} parse_name;

typedef struct parser parser;

/* Read the body of a struct or a union: its members as far as they are understood, and all enums,
 * whose constants C sees outside too. */
typedef void parse_body(parser *p, c_struct *record);

enum { PARSE_DEEPEST = 64 };

struct parser {
  const lex_token *tokens;
  size_t at;
  c_header *out;
  parse_name *names;
  int name_count, name_capacity;
  bind_index places[PARSE_KINDS]; /* of names */
  int depth, open_blocks;
  int parameters;           /* the depth of parameter lists */
  bool odd;                 /* an attribute changes the size of the type at hand */
  const char *deprecated;   /* what such an attribute of the declaration at hand says, or NULL */
  parse_body *read_members; /* declarations are within declarations */
  jmp_buf *failed;
  int quiet; /* failures are not printed, since what is read may be skipped */
};

typedef struct specifiers {
  c_type *type;
  bool is_typedef, is_static, is_inline;
} specifiers;

/* Print file, line, the problem and the tokens here, unless p->quiet, and leave through p->failed.
 */
_Noreturn void parse_fail(parser *p, const char *format, ...) BIND_PRINTF(2, 3);

static inline const lex_token *parse_here(const parser *p) {
  return &p->tokens[p->at];
}
static inline bool parse_sees(const parser *p, const char *text) {
  return lex_is(parse_here(p), text);
}
bool parse_takes(parser *p, const char *text);
void parse_expect(parser *p, const char *text);
/* Step over a bracket, up to the end of the closing one. */
void parse_skip_group(parser *p);
/* Step over a value, up to a comma or its end; fail with `problem` at the end of the header. */
void parse_skip_value(parser *p, const char *end, const char *problem);
/* Return what stands in the brackets of an array at hand, "16" or a name, and stay there; NULL if
 * it is no constant. */
const char *parse_length(const parser *p);
/* Step over attributes; true when there were any. */
bool parse_attributes(parser *p);
/* Return a type that bindings cannot use. */
c_type *parse_opaque(const c_type *type);
/* Step over const, restrict and the like; true when there was one. */
bool parse_qualifier(parser *p, bool *is_const);

parse_name *parse_find(const parser *p, parse_kind kind, const char *text, size_t size);
/* Find or add. */
parse_name *parse_add(parser *p, parse_kind kind, const char *name);
c_type *parse_type(c_kind kind, bind_scalar scalar, const char *spelling);
void parse_builtins(parser *p);
void parse_keep_enum(parser *p, c_enum *e);
/* Add to the header's structs, once. */
void parse_keep_struct(parser *p, c_struct *record, const lex_token *at, const char *doc);
/* Read the words before the declarators: "extern const unsigned long". */
void parse_specifiers(parser *p, specifiers *s);
/* Read an enum behind its keyword. */
c_type *parse_enum(parser *p, const char *doc);
/* Fail if brackets nest too deeply. */
void parse_limit(parser *p, int depth);
/* 1 for a bracket that opens, -1 for one that closes, 0 for other tokens. */
int parse_nesting(const lex_token *t);

/* ---- declarator.c ---- */

/* Read a declarator: "*name[3]". *name stays as it is without one. */
void parse_declarator(parser *p, c_type *type, const lex_token **name, c_type **out);
/* Tell whether a word begins a declaration. */
bool parse_starts_declaration(const parser *p, const lex_token *t);

/* ---- members.c ---- */

parse_body parse_members;

#endif
