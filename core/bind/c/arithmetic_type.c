/* SPDX-License-Identifier: Apache-2.0 */
/* Which type the keywords of a declaration name: C11 6.7.2. */
#include "arithmetic_type.h"
#include "bind/base/text.h"
#include <string.h>

c_type *parse_type(c_kind kind, bind_scalar scalar, const char *spelling) {
  c_type *type = bind_alloc(1, sizeof *type);
  type->kind = kind;
  type->scalar = scalar;
  type->spelling = spelling;
  return type;
}

c_type *parse_arithmetic(const parse_keywords *k, const char *spelling) {
  const bool wide = k->complexes || k->doubles;
  if (k->others || (wide && k->longs)) { /* long double has no dtype */
    return parse_type(C_OTHER, BIND_NONE, spelling);
  }
  if (k->complexes && k->floats) {
    return parse_type(C_COMPLEX, BIND_C64, spelling);
  }
  if (k->complexes && k->doubles) {
    return parse_type(C_COMPLEX, BIND_C128, spelling);
  }
  if (k->complexes) {
    return parse_type(C_OTHER, BIND_NONE, spelling);
  }
  if (k->floats) {
    return parse_type(C_REAL, BIND_F32, spelling);
  }
  if (k->doubles) {
    return parse_type(C_REAL, BIND_F64, spelling);
  }
  if (k->chars && k->unsigneds) {
    return parse_type(C_INTEGER, BIND_U8, spelling);
  }
  if (k->chars && k->signs) {
    return parse_type(C_INTEGER, BIND_I8, spelling);
  }
  if (k->chars) {
    return parse_type(C_CHAR, BIND_I8, spelling);
  }
  static const bind_scalar integers[3][2] = {
      {BIND_I32, BIND_U32}, {BIND_I16, BIND_U16}, {BIND_I64, BIND_U64}};
  int width = 0;
  if (k->shorts) {
    width = 1;
  } else if (k->longs) {
    width = 2;
  }
  return parse_type(C_INTEGER, integers[width][k->unsigneds != 0], spelling);
}

int *parse_count_of(parse_keywords *k, const lex_token *t) {
  const struct {
    const char *word;
    int *count;
  } words[] = {{"long", &k->longs},
               {"short", &k->shorts},
               {"signed", &k->signs},
               {"__signed__", &k->signs},
               {"unsigned", &k->unsigneds},
               {"int", &k->ints},
               {"char", &k->chars},
               {"float", &k->floats},
               {"double", &k->doubles},
               {"_Complex", &k->complexes},
               {"__complex__", &k->complexes},
               {"__int128", &k->others},
               {"_Float128", &k->others},
               {"__float128", &k->others}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (lex_is(t, words[i].word)) {
      return words[i].count;
    }
  }
  /* A macro of <complex.h>, no keyword: before any keyword it may be another type's name. */
  if (k->count && lex_is(t, "complex")) {
    return &k->complexes;
  }
  /* "_Complex _Float32": without _Complex before it, _Float32 may be a typedef's name. */
  if (k->complexes && t->size > 6 && memcmp(t->text, "_Float", 6) == 0) {
    return &k->others;
  }
  return NULL;
}
