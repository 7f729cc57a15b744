/* SPDX-License-Identifier: Apache-2.0 */
/* Read the part of a C declaration before its declarators: keywords, typedef names, enums. */
#include "bind/base/text.h"
#include "evaluate.h"
#include "parser.h"
#include <limits.h>
#include <string.h>

_Noreturn void parse_fail(parser *p, const char *format, ...) {
  const lex_token *here = parse_here(p);
  const char *near = "";
  if (p->quiet) {
    longjmp(*p->failed, 1);
  }
  for (const lex_token *t = here; t < here + 8 && t->kind != LEX_END; t++) {
    near = bind_join(near, " ", lex_copy(t));
  }
  va_list list;
  va_start(list, format);
  const char *problem = bind_string_list(format, list);
  va_end(list);
  near = bind_said_or(near, "end of the header");
  bind_error("%s:%d: %s: %s", here->file, here->line, problem, near);
  longjmp(*p->failed, 1);
}

void parse_limit(parser *p, int depth) {
  if (depth > PARSE_DEEPEST) {
    parse_fail(p, "declaration nested too deeply");
  }
}

/* ---- tokens ---- */

/* Nearly all tokens are none of C's words, and their first byte tells. */
enum {
  PARSE_STORAGES = 1,
  PARSE_QUALIFIERS = 2,
  PARSE_ATTRIBUTES = 4,
  PARSE_KEYWORDS = 8,
  PARSE_CALLS = 16,
};

/* The groups of words that begin with a byte. */
static const unsigned char parse_groups[UCHAR_MAX + 1] = {
    ['['] = PARSE_ATTRIBUTES,
    ['_'] = PARSE_STORAGES | PARSE_QUALIFIERS | PARSE_ATTRIBUTES | PARSE_KEYWORDS | PARSE_CALLS,
    ['a'] = PARSE_STORAGES | PARSE_ATTRIBUTES,
    ['c'] = PARSE_STORAGES | PARSE_QUALIFIERS | PARSE_KEYWORDS,
    ['d'] = PARSE_KEYWORDS,
    ['e'] = PARSE_STORAGES,
    ['f'] = PARSE_KEYWORDS,
    ['i'] = PARSE_STORAGES | PARSE_KEYWORDS,
    ['l'] = PARSE_KEYWORDS,
    ['r'] = PARSE_STORAGES | PARSE_QUALIFIERS,
    ['s'] = PARSE_STORAGES | PARSE_KEYWORDS,
    ['t'] = PARSE_STORAGES | PARSE_CALLS,
    ['u'] = PARSE_KEYWORDS,
    ['v'] = PARSE_QUALIFIERS,
};

static inline bool parse_may_see(const parser *p, int group) {
  return parse_groups[(unsigned char)*parse_here(p)->text] & group;
}

bool parse_takes(parser *p, const char *text) {
  if (!parse_sees(p, text)) {
    return false;
  }
  p->at++;
  return true;
}

void parse_expect(parser *p, const char *text) {
  if (!parse_takes(p, text)) {
    parse_fail(p, "expected %s", text);
  }
}

int parse_nesting(const lex_token *t) {
  const bool opens = lex_is(t, "(") || lex_is(t, "[") || lex_is(t, "{");
  const bool closes = lex_is(t, ")") || lex_is(t, "]") || lex_is(t, "}");
  return opens - closes;
}

/* Step over a bracket, up to the end of the closing one. */
void parse_skip_group(parser *p) {
  int64_t depth = 0;
  do {
    if (parse_here(p)->kind == LEX_END) {
      parse_fail(p, "a bracket is never closed");
    }
    depth += parse_nesting(&p->tokens[p->at++]);
  } while (depth > 0);
}

void parse_skip_value(parser *p, const char *end, const char *problem) {
  while (!parse_sees(p, ",") && !parse_sees(p, end)) {
    if (parse_here(p)->kind == LEX_END) {
      parse_fail(p, "%s", problem);
    }
    if (parse_nesting(parse_here(p)) > 0) {
      parse_skip_group(p);
    } else {
      p->at++;
    }
  }
}

/* "__attribute__((mode(DI)))" and similar attributes change the size of a type. */
static bool parse_changes_size(const lex_token *from, const lex_token *to) {
  static const char words[] = "mode __mode__ vector_size __vector_size__ packed __packed__";
  while (from < to && !lex_is_any(from, words)) {
    from++;
  }
  return from < to;
}

/* "deprecated", or "deprecated("use g")". */
static void parse_note_deprecated(parser *p, const lex_token *from, const lex_token *to) {
  while (from < to && !lex_is_any(from, "deprecated __deprecated__")) {
    from++;
  }
  if (from == to) {
    return;
  }
  p->out->deprecates |= !from->elsewhere;
  p->deprecated = "";
  from += lex_is(from + 1, "(");
  while (from[1].kind == LEX_STRING) {
    from++;
    p->deprecated = bind_concat(p->deprecated, "", bind_sized(from->text + 1, from->size - 2));
  }
}

bool parse_attributes(parser *p) {
  static const char words[] = "__attribute__ __attribute __declspec _Alignas __asm__ __asm asm "
                              "alignas _Pragma __pragma";
  const size_t start = p->at;
  while (parse_may_see(p, PARSE_ATTRIBUTES)) {
    if (lex_is_any(parse_here(p), words)) {
      p->at++;
      if (!parse_sees(p, "(")) {
        parse_fail(p, "expected (");
      }
      parse_skip_group(p);
    } else if (parse_sees(p, "[") && lex_is(&p->tokens[p->at + 1], "[")) {
      parse_skip_group(p);
    } else {
      break;
    }
  }
  if (p->at == start) {
    return false;
  }
  if (parse_changes_size(p->tokens + start, p->tokens + p->at)) {
    p->odd = true;
  }
  parse_note_deprecated(p, p->tokens + start, p->tokens + p->at);
  return true;
}

/* ---- names ---- */

parse_name *parse_find(const parser *p, parse_kind kind, const char *text, size_t size) {
  const int place = bind_find_sized(&p->places[kind], text, size);
  if (place < 0) {
    return NULL;
  }
  return &p->names[place];
}

parse_name *parse_add(parser *p, parse_kind kind, const char *name) {
  parse_name *known = parse_find(p, kind, name, strlen(name));
  if (known) {
    return known;
  }
  bind_add_place(&p->places[kind], name, p->name_count);
  BIND_ADD(p->names, p->name_count, p->name_capacity, (parse_name){0});
  return &p->names[p->name_count - 1];
}

c_type *parse_type(c_kind kind, bind_scalar scalar, const char *spelling) {
  c_type *type = bind_alloc(1, sizeof *type);
  type->kind = kind;
  type->scalar = scalar;
  type->spelling = spelling;
  return type;
}

c_type *parse_opaque(const c_type *type) {
  c_type *opaque = parse_type(C_OTHER, BIND_NONE, type->spelling);
  opaque->is_const = type->is_const;
  return opaque;
}

void parse_builtins(parser *p) {
  static const struct {
    const char *name;
    c_kind kind;
    bind_scalar scalar;
  } known[] = {{"size_t", C_INTEGER, BIND_U64},
               {"ssize_t", C_INTEGER, BIND_I64},
               {"ptrdiff_t", C_INTEGER, BIND_I64},
               {"intptr_t", C_INTEGER, BIND_I64},
               {"uintptr_t", C_INTEGER, BIND_U64},
               {"intmax_t", C_INTEGER, BIND_I64},
               {"uintmax_t", C_INTEGER, BIND_U64},
               {"bool", C_BOOL, BIND_NONE}};
  static const char *const structs[] = {"DLTensor",
                                        "DLManagedTensor",
                                        "DLManagedTensorVersioned",
                                        "DLDataType",
                                        "DLDevice",
                                        "dlf_error",
                                        "dlf_tensor",
                                        "dlf_stream"};
  for (bind_scalar i = BIND_I8; i <= BIND_U64; i++) {
    const char *name = bind_scalar_c(i);
    parse_add(p, PARSE_TYPEDEF, name)->type = parse_type(C_INTEGER, i, name);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    parse_add(p, PARSE_TYPEDEF, known[i].name)->type =
        parse_type(known[i].kind, known[i].scalar, known[i].name);
  }
  BIND_EACH_STRING (name, structs) {
    parse_add(p, PARSE_TYPEDEF, *name)->type = parse_type(C_STRUCT, BIND_NONE, *name);
  }
  parse_add(p, PARSE_TYPEDEF, "dlf_status")->type = parse_type(C_ENUM, BIND_I32, "dlf_status");
}

/* ---- C's own types ---- */

/* A run of keywords for one type: "unsigned long int". */
typedef struct parse_keywords {
  int longs, shorts, signs, unsigneds, ints, chars, floats, doubles, complexes, others, count;
} parse_keywords;

/* Return the place where a keyword of C's own types is counted; NULL for another word. */
static int *parse_count_of(parse_keywords *k, const lex_token *t) {
  const struct {
    const char *list;
    int *count;
  } words[] = {{"long", &k->longs},
               {"short", &k->shorts},
               {"signed __signed__", &k->signs},
               {"unsigned", &k->unsigneds},
               {"int", &k->ints},
               {"char", &k->chars},
               {"float", &k->floats},
               {"double", &k->doubles},
               {"_Complex __complex__", &k->complexes},
               {"__int128 _Float128 __float128", &k->others}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    if (lex_is_any(t, words[i].list)) {
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

/* Return the type that the keywords name together. */
static c_type *parse_arithmetic(const parse_keywords *k, const char *spelling) {
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

/* ---- enum ---- */

static bool parse_constant(void *context, const lex_token *name, int64_t *value) {
  parse_name *known = parse_find(context, PARSE_CONSTANT, name->text, name->size);
  if (known) {
    *value = known->value;
  }
  return known != NULL;
}

static int parse_size(void *context, const lex_token *name, bool *is_unsigned) {
  const parse_name *known = parse_find(context, PARSE_TYPEDEF, name->text, name->size);
  if (!known) {
    return 0;
  }
  const c_type *t = known->type;
  *is_unsigned |= t->kind == C_POINTER || (t->scalar >= BIND_U8 && t->scalar <= BIND_U64);
  if (t->kind == C_POINTER) {
    return 8;
  }
  if (t->kind == C_BOOL) {
    return 1;
  }
  return bind_scalar_size(t->scalar);
}

const char *parse_length(const parser *p) {
  const lex_token *first = &p->tokens[p->at + 1];
  while (lex_is_any(first, "static const restrict")) {
    first++;
  }
  size_t at = (size_t)(first - p->tokens);
  int64_t value;
  const lex_names names = {parse_constant, parse_size, (void *)p};
  if (!lex_evaluate(p->tokens, &at, &names, &value) && lex_is(&p->tokens[at], "]")) {
    if (value > 0) {
      return bind_number(value);
    }
    return NULL;
  }
  /* a macro, or a parameter */
  if (first->kind == LEX_NAME && lex_is(first + 1, "]")) {
    return lex_copy(first);
  }
  return NULL;
}

static void parse_enum_body(parser *p, c_enum *e) {
  int64_t next = 0;
  bool known = true;
  parse_expect(p, "{");
  while (!parse_takes(p, "}")) {
    const lex_token *name = parse_here(p);
    if (name->kind != LEX_NAME) {
      parse_fail(p, "expected the name of an enumerator");
    }
    p->at++;
    parse_attributes(p);
    if (parse_takes(p, "=")) {
      size_t start = p->at;
      const char *wrong =
          lex_evaluate(p->tokens, &p->at, &(lex_names){parse_constant, parse_size, p}, &next);
      known = !wrong;
      if (wrong == lex_too_large) {
        e->wide = true;
        wrong = NULL;
      }
      if (wrong) {
        p->at = start;
      }
      if (wrong && name->elsewhere) {
        parse_skip_value(p, "}", "expected , or } in an enum"); /* we cannot compute it */
      } else if (wrong) {
        parse_fail(p, "value of an enumerator: %s", wrong);
      }
    }
    bool more = parse_takes(p, ",");
    const lex_token *last = parse_here(p) - 1;
    const char *after = last->after;
    if (!after && more) {
      after = last[-1].after;
    }
    after = bind_or(after, name->after); /* before "= value" */
    const char *text = lex_copy(name);
    const char *doc = bind_or(name->before, after);
    BIND_ADD(e->values, e->count, e->capacity, (c_value){text, next, doc});
    if (known) {
      parse_add(p, PARSE_CONSTANT, text)->value = next;
    }
    if (next == INT64_MAX && more && !parse_sees(p, "}")) {
      parse_fail(p, "value of an enumerator does not fit");
    }
    next += next != INT64_MAX;
    if (!more && !parse_sees(p, "}")) {
      parse_fail(p, "expected , or } in an enum");
    }
  }
}

void parse_keep_enum(parser *p, c_enum *e) {
  c_header *h = p->out;
  if (e->kept || e->elsewhere) {
    return;
  }
  e->kept = true;
  BIND_ADD(h->enums, h->enum_count, h->enum_capacity, e);
}

c_type *parse_enum(parser *p, const char *doc) {
  const lex_token *tag = NULL;
  const bool odd = p->odd;
  p->odd = false;
  parse_attributes(p);
  if (parse_here(p)->kind == LEX_NAME) {
    tag = &p->tokens[p->at++];
  }
  c_enum *e = NULL;
  parse_name *known = NULL;
  if (tag) {
    known = parse_add(p, PARSE_TAG, lex_copy(tag));
    e = known->tag;
  }
  if (!e) {
    e = bind_alloc(1, sizeof *e);
    e->name = e->spelling = "";
  }
  if (known && !known->tag) {
    e->name = lex_copy(tag);
    e->spelling = bind_string("enum %s", e->name);
    known->tag = e;
  }
  if (parse_takes(p, ":")) { /* C23 */
    specifiers of;
    parse_specifiers(p, &of);
    e->sized =
        of.type->kind != C_INTEGER || (of.type->scalar != BIND_I32 && of.type->scalar != BIND_U32);
  }
  if (parse_sees(p, "{")) {
    if (e->count) {
      parse_fail(p, "enum is defined twice: %s", e->name);
    }
    e->header = parse_here(p)->header;
    e->line = parse_here(p)->line;
    e->file = parse_here(p)->file;
    e->elsewhere = parse_here(p)->elsewhere;
    e->doc = doc;
    parse_enum_body(p, e);
    parse_attributes(p);
    e->sized |= p->odd;
    if (*e->name) {
      parse_keep_enum(p, e);
    } else if (!e->elsewhere) {
      c_header *h = p->out;
      BIND_ADD(h->nameless, h->nameless_count, h->nameless_capacity, e);
    }
  } else if (!tag) {
    parse_fail(p, "expected a name or { after enum");
  }
  p->odd = odd;
  c_type *type = parse_type(C_ENUM, BIND_I32, e->spelling);
  type->enumeration = e;
  if (e->sized) {
    return parse_opaque(type);
  }
  return type;
}

/* ---- specifiers ---- */

void parse_keep_struct(parser *p, c_struct *record, const lex_token *at, const char *doc) {
  c_header *h = p->out;
  if (at->elsewhere) {
    return;
  }
  if (!record->doc) {
    record->doc = doc;
  }
  if (record->kept) {
    return;
  }
  record->kept = true;
  record->header = at->header;
  record->line = at->line;
  BIND_ADD(h->structs, h->struct_count, h->struct_capacity, record);
}

static c_type *parse_record(parser *p, const char *word) {
  const char *name = "";
  c_struct *record = NULL;
  const bool odd = p->odd;
  parse_attributes(p);
  if (parse_sees(p, "{")) {
    record = bind_alloc(1, sizeof *record);
    record->name = record->spelling = "";
  } else if (parse_here(p)->kind == LEX_NAME) {
    name = lex_copy(&p->tokens[p->at++]);
    parse_name *tag = parse_add(p, PARSE_TAG, name);
    if (!tag->record) {
      record = tag->record = bind_alloc(1, sizeof *record);
      record->name = name;
      record->spelling = bind_string("%s %s", word, name);
    }
    record = tag->record;
  }
  if (parse_sees(p, "{")) {
    record->is_union = strcmp(word, "union") == 0;
    p->read_members(p, record);
    record->complete = true;
  } else if (!*name) {
    parse_fail(p, "expected a name or { after %s", word);
  }
  parse_attributes(p);
  p->odd = odd;
  c_type *type =
      parse_type(C_STRUCT, BIND_NONE, bind_string("%s%s%s", word, bind_when(*name, " "), name));
  type->record = record;
  return type;
}

static bool parse_keyword(parser *p, parse_keywords *k) {
  if (!parse_may_see(p, PARSE_KEYWORDS)) {
    return false;
  }
  int *count = parse_count_of(k, parse_here(p));
  if (!count) {
    return false;
  }
  ++*count;
  k->count++;
  p->at++;
  return true;
}

bool parse_qualifier(parser *p, bool *is_const) {
  static const char words[] = "volatile __volatile__ restrict __restrict __restrict__ _Nonnull "
                              "_Nullable _Null_unspecified __cdecl __stdcall __fastcall "
                              "__vectorcall __unaligned";
  const lex_token *t = parse_here(p);
  if (!parse_may_see(p, PARSE_QUALIFIERS)) {
    return parse_attributes(p);
  }
  if (lex_is(t, "_Atomic") && !lex_is(t + 1, "(")) {
    p->odd = true;
  } else if (lex_is_any(t, "const __const __const__")) {
    *is_const = true;
  } else if (!lex_is_any(t, words)) {
    return parse_attributes(p);
  }
  p->at++;
  return true;
}

/* Only C23 takes these words from C's names: a parameter of C11 may be called so. A type or another
 * word follows them. */
static bool parse_is_name(const parser *p) {
  const lex_token *t = parse_here(p);
  return lex_is_any(t, "thread_local constexpr") && t[1].kind != LEX_NAME;
}

static bool parse_storage(parser *p, specifiers *s) {
  static const char others[] = "extern register _Noreturn __extension__ __noreturn__ "
                               "_Thread_local __thread thread_local constexpr auto";
  const lex_token *t = parse_here(p);
  if (!parse_may_see(p, PARSE_STORAGES) || parse_is_name(p)) {
    return false;
  }
  if (lex_is(t, "typedef")) {
    s->is_typedef = true;
  } else if (lex_is(t, "static")) {
    s->is_static = true;
  } else if (lex_is_any(t, "inline __inline __inline__ __forceinline")) {
    s->is_inline = true;
  } else if (!lex_is_any(t, others)) {
    return false;
  }
  p->at++;
  return true;
}

void parse_specifiers(parser *p, specifiers *s) {
  parse_keywords k = {0};
  const char *spelling = ""; /* not a bind_text, which parse_fail would leak */
  bool is_const = false;
  static const char calls[] = "typeof __typeof__ __typeof typeof_unqual _BitInt _Atomic";
  const char *doc = parse_here(p)->before;
  *s = (specifiers){0};
  p->odd = false;
  for (;;) {
    const lex_token *t = parse_here(p);
    if (parse_storage(p, s) || parse_qualifier(p, &is_const)) {
      continue;
    }
    if (!s->type && parse_keyword(p, &k)) {
      if (k.count <= 8) {
        spelling = bind_join(spelling, " ", lex_copy(t));
      }
      continue;
    }
    if (s->type &&
        parse_takes(p, "_Complex")) { /* "_Float32 _Complex", which may be a typedef's name */
      s->type = parse_opaque(s->type);
      continue;
    }
    if (s->type || k.count || t->kind != LEX_NAME) {
      break;
    }
    const bool call = parse_may_see(p, PARSE_CALLS) && lex_is_any(t, calls);
    p->at++;
    parse_name *known = parse_find(p, PARSE_TYPEDEF, t->text, t->size);
    if (lex_is(t, "enum")) {
      s->type = parse_enum(p, doc);
    } else if (lex_is(t, "struct") || lex_is(t, "union")) {
      s->type = parse_record(p, lex_copy(t));
    } else if (lex_is(t, "void")) {
      s->type = parse_type(C_VOID, BIND_NONE, "void");
    } else if (lex_is(t, "_Bool")) {
      s->type = parse_type(C_BOOL, BIND_NONE, "bool"); /* the name that C++ knows */
    } else if (known) {
      *(s->type = parse_type(C_OTHER, BIND_NONE, "")) = *known->type;
    } else {
      s->type = parse_type(C_OTHER, BIND_NONE, lex_copy(t)); /* a typedef of an included file */
    }
    if (call && parse_sees(p, "(")) {
      parse_skip_group(p);
    }
  }
  if (k.count) {
    s->type = parse_arithmetic(&k, spelling);
  }
  if (!s->type) {
    parse_fail(p, "expected a declaration");
  }
  if (p->odd) {
    s->type = parse_opaque(s->type);
  }
  s->type->is_const |= is_const;
}
