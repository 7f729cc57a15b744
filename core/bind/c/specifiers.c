/* SPDX-License-Identifier: Apache-2.0 */
/* Read the part of a C declaration before its declarators: keywords, typedef names, enums. Bodies
 * of structs are skipped by matching brackets. */
#include "arithmetic_type.h"
#include "bind/base/text.h"
#include "evaluate.h"
#include "parser.h"
#include <inttypes.h>
#include <limits.h>
#include <string.h>

_Noreturn void parse_fail(parser *p, const char *problem, const char *word) {
  const lex_token *t = &p->tokens[p->at];
  bind_text near = {0};
  for (size_t i = p->at; i < p->at + 8 && p->tokens[i].kind != LEX_END; i++) {
    bind_put(
        &near, "%s%.*s", bind_when(i != p->at, " "), (int)p->tokens[i].size, p->tokens[i].text);
  }
  bind_error(
      "%s:%d: %s%s: %s", t->file, t->line, problem, word, bind_or(near.data, "end of the header"));
  bind_text_free(&near);
  longjmp(p->failed, 1);
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
  return parse_groups[(unsigned char)*p->tokens[p->at].text] & group;
}

static bool parse_sees_any(const parser *p, const char *const *words) {
  for (; *words; words++) {
    if (parse_sees(p, *words)) {
      return true;
    }
  }
  return false;
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
    parse_fail(p, "expected ", text);
  }
}

/* 1 for a bracket that opens, -1 for one that closes, 0 for other tokens. */
static int parse_nesting(const lex_token *t) {
  const bool opens = lex_is(t, "(") || lex_is(t, "[") || lex_is(t, "{");
  const bool closes = lex_is(t, ")") || lex_is(t, "]") || lex_is(t, "}");
  return opens - closes;
}

/* Step over a bracket, up to the end of the closing one. */
void parse_skip_group(parser *p) {
  int64_t depth = 0;
  do {
    if (p->tokens[p->at].kind == LEX_END) {
      parse_fail(p, "a bracket is never closed", "");
    }
    depth += parse_nesting(&p->tokens[p->at++]);
  } while (depth > 0);
}

void parse_skip_value(parser *p, const char *end, const char *problem) {
  while (!parse_sees(p, ",") && !parse_sees(p, end)) {
    if (p->tokens[p->at].kind == LEX_END) {
      parse_fail(p, problem, "");
    }
    if (parse_nesting(&p->tokens[p->at]) > 0) {
      parse_skip_group(p);
    } else {
      p->at++;
    }
  }
}

/* "__attribute__((mode(DI)))" and similar attributes change the size of a type. */
static bool parse_changes_size(const lex_token *from, const lex_token *to) {
  for (; from < to; from++) {
    if (from->kind == LEX_NAME &&
        (lex_is(from, "mode") || lex_is(from, "__mode__") || lex_is(from, "vector_size") ||
         lex_is(from, "__vector_size__") || lex_is(from, "packed") || lex_is(from, "__packed__"))) {
      return true;
    }
  }
  return false;
}

bool parse_attributes(parser *p) {
  static const char *const words[] = {"__attribute__",
                                      "__attribute",
                                      "__declspec",
                                      "_Alignas",
                                      "__asm__",
                                      "__asm",
                                      "asm",
                                      "alignas",
                                      "_Pragma",
                                      "__pragma",
                                      NULL};
  const size_t start = p->at;
  while (parse_may_see(p, PARSE_ATTRIBUTES)) {
    if (parse_sees_any(p, words)) {
      p->at++;
      if (!parse_sees(p, "(")) {
        parse_fail(p, "expected (", "");
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
  p->names = bind_grow(p->names, p->name_count, &p->name_capacity, sizeof *p->names);
  bind_add_place(&p->places[kind], name, p->name_count);
  return &p->names[p->name_count++];
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
  while (lex_is(first, "static") || lex_is(first, "const") || lex_is(first, "restrict")) {
    first++;
  }
  size_t at = (size_t)(first - p->tokens);
  int64_t value;
  const lex_names names = {parse_constant, parse_size, (void *)p};
  if (!lex_evaluate(p->tokens, &at, &names, &value) && lex_is(&p->tokens[at], "]")) {
    if (value > 0) {
      return bind_string("%" PRId64, value);
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
    const lex_token *name = &p->tokens[p->at];
    if (name->kind != LEX_NAME) {
      parse_fail(p, "expected the name of an enumerator", "");
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
        parse_fail(p, "value of an enumerator: ", wrong);
      }
    }
    e->values = bind_grow(e->values, e->count, &e->capacity, sizeof *e->values);
    bool more = parse_takes(p, ",");
    const lex_token *last = &p->tokens[p->at - 1];
    const char *after = NULL;
    if (last->after) {
      after = last->after;
    } else if (more) {
      after = p->tokens[p->at - 2].after;
    }
    if (!after) {
      after = name->after; /* before "= value" */
    }
    const char *text = lex_copy(name);
    e->values[e->count++] = (c_value){text, next, bind_or(name->before, after)};
    if (known) {
      parse_add(p, PARSE_CONSTANT, text)->value = next;
    }
    if (next == INT64_MAX && more && !parse_sees(p, "}")) {
      parse_fail(p, "value of an enumerator does not fit", "");
    }
    next += next != INT64_MAX;
    if (!more && !parse_sees(p, "}")) {
      parse_fail(p, "expected , or } in an enum", "");
    }
  }
}

void parse_keep_enum(parser *p, c_enum *e) {
  c_header *h = p->out;
  if (e->kept || e->elsewhere) {
    return;
  }
  e->kept = true;
  h->enums = bind_grow(h->enums, h->enum_count, &h->enum_capacity, sizeof *h->enums);
  h->enums[h->enum_count++] = e;
}

static c_type *parse_enum(parser *p, const char *doc) {
  const lex_token *tag = NULL;
  const bool odd = p->odd;
  p->odd = false;
  parse_attributes(p);
  if (p->tokens[p->at].kind == LEX_NAME) {
    tag = &p->tokens[p->at++];
  }
  c_enum *e = NULL;
  parse_name *known = NULL;
  if (tag) {
    known = parse_find(p, PARSE_TAG, tag->text, tag->size);
  }
  if (known) {
    e = known->tag;
  }
  if (!e) {
    e = bind_alloc(1, sizeof *e);
    e->name = "";
    e->spelling = "";
    if (tag) {
      e->name = lex_copy(tag);
      e->spelling = bind_string("enum %s", e->name);
      parse_add(p, PARSE_TAG, e->name)->tag = e;
    }
  }
  if (parse_takes(p, ":")) { /* C23 */
    specifiers of;
    parse_specifiers(p, &of);
    e->sized =
        of.type->kind != C_INTEGER || (of.type->scalar != BIND_I32 && of.type->scalar != BIND_U32);
  }
  if (parse_sees(p, "{")) {
    if (e->count) {
      parse_fail(p, "enum is defined twice: ", e->name);
    }
    e->header = p->tokens[p->at].header;
    e->line = p->tokens[p->at].line;
    e->elsewhere = p->tokens[p->at].elsewhere;
    e->doc = doc;
    parse_enum_body(p, e);
    parse_attributes(p);
    e->sized |= p->odd;
    if (*e->name) {
      parse_keep_enum(p, e);
    } else if (!e->elsewhere) {
      c_header *h = p->out;
      h->nameless =
          bind_grow(h->nameless, h->nameless_count, &h->nameless_capacity, sizeof *h->nameless);
      h->nameless[h->nameless_count++] = e;
    }
  } else if (!tag) {
    parse_fail(p, "expected a name or { after enum", "");
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
  h->structs = bind_grow(h->structs, h->struct_count, &h->struct_capacity, sizeof *h->structs);
  record->header = at->header;
  record->line = at->line;
  h->structs[h->struct_count++] = record;
}

/* Skip the members except enums: C sees their constants outside, too. */
static void parse_members(parser *p) {
  int64_t depth = 0;
  do {
    const lex_token *t = &p->tokens[p->at];
    if (t->kind == LEX_END) {
      parse_fail(p, "a bracket is never closed", "");
    }
    p->at++;
    if (lex_is(t, "enum") &&
        (lex_is(t + 1, "{") || (t[1].kind == LEX_NAME && lex_is(t + 2, "{")))) {
      parse_enum(p, t->before);
      continue;
    }
    depth += parse_nesting(t);
  } while (depth > 0);
}

static c_type *parse_record(parser *p, const char *word) {
  const char *name = "";
  c_struct *record = NULL;
  const bool odd = p->odd;
  parse_attributes(p);
  if (parse_sees(p, "{")) {
    record = bind_alloc(1, sizeof *record);
    record->name = record->spelling = "";
  } else if (p->tokens[p->at].kind == LEX_NAME) {
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
    parse_members(p);
    if (record) {
      record->complete = true;
    }
  } else if (!*name) {
    parse_fail(p, "expected a name or { after ", word);
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
  int *count = parse_count_of(k, &p->tokens[p->at]);
  if (!count) {
    return false;
  }
  ++*count;
  k->count++;
  p->at++;
  return true;
}

bool parse_qualifier(parser *p, bool *is_const) {
  static const char *const words[] = {"volatile",
                                      "__volatile__",
                                      "restrict",
                                      "__restrict",
                                      "__restrict__",
                                      "_Nonnull",
                                      "_Nullable",
                                      "_Null_unspecified",
                                      "__cdecl",
                                      "__stdcall",
                                      "__fastcall",
                                      "__vectorcall",
                                      "__unaligned",
                                      NULL};
  if (!parse_may_see(p, PARSE_QUALIFIERS)) {
    return parse_attributes(p);
  }
  if (parse_sees(p, "_Atomic") && !lex_is(&p->tokens[p->at + 1], "(")) {
    p->odd = true;
  } else if (parse_sees(p, "const") || parse_sees(p, "__const") || parse_sees(p, "__const__")) {
    *is_const = true;
  } else if (!parse_sees_any(p, words)) {
    return parse_attributes(p);
  }
  p->at++;
  return true;
}

/* Only C23 takes these words from C's names: a parameter of C11 may be called so. A type or another
 * word follows them. */
static bool parse_is_name(const parser *p) {
  static const char *const late[] = {"thread_local", "constexpr", NULL};
  return parse_sees_any(p, late) && p->tokens[p->at + 1].kind != LEX_NAME;
}

static bool parse_storage(parser *p, specifiers *s) {
  static const char *const others[] = {"extern",
                                       "register",
                                       "_Noreturn",
                                       "__extension__",
                                       "__noreturn__",
                                       "_Thread_local",
                                       "__thread",
                                       "thread_local",
                                       "constexpr",
                                       "auto",
                                       NULL};
  static const char *const inlines[] = {"inline", "__inline", "__inline__", "__forceinline", NULL};
  if (!parse_may_see(p, PARSE_STORAGES) || parse_is_name(p)) {
    return false;
  }
  if (parse_sees(p, "typedef")) {
    s->is_typedef = true;
  } else if (parse_sees(p, "static")) {
    s->is_static = true;
  } else if (parse_sees_any(p, inlines)) {
    s->is_inline = true;
  } else if (!parse_sees_any(p, others)) {
    return false;
  }
  p->at++;
  return true;
}

void parse_specifiers(parser *p, specifiers *s) {
  parse_keywords k = {0};
  const char *spelling = ""; /* not a bind_text, which parse_fail would leak */
  bool is_const = false;
  static const char *const calls[] = {
      "typeof", "__typeof__", "__typeof", "typeof_unqual", "_BitInt", "_Atomic", NULL};
  const char *doc = p->tokens[p->at].before;
  *s = (specifiers){0};
  p->odd = false;
  for (;;) {
    const lex_token *t = &p->tokens[p->at];
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
    const bool call = parse_may_see(p, PARSE_CALLS) && parse_sees_any(p, calls);
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
    parse_fail(p, "expected a declaration", "");
  }
  if (p->odd) {
    s->type = parse_opaque(s->type);
  }
  s->type->is_const |= is_const;
}
