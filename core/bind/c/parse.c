/* SPDX-License-Identifier: Apache-2.0 */
/* Read the C99 declarations of a header, by recursive descent over its tokens. Function bodies and
 * initialisers are skipped by matching brackets. */
#include "bind/base/text.h"
#include "parser.h"
#include <string.h>

#define PARSE_MAX_DEPTH 64

/* ---- declarators ---- */

static void parse_declarator(parser *p, c_type *type, const lex_token **name, c_type **out);

static void parse_limit(parser *p, int depth) {
  if (depth > PARSE_MAX_DEPTH) {
    parse_fail(p, "declaration nested too deeply");
  }
}

static c_type *parse_pointer_to(c_type *to) {
  c_type *type = parse_type(C_POINTER, BIND_NONE, "");
  type->to = to;
  return type;
}

/* A parameter that is an array is a pointer to its first element. C puts the const of an array's
 * typedef on its elements: `const vec3 x` is `const double *x`. */
static c_type *parse_adjust(const c_type *array) {
  c_type *element = array->to;
  if (array->is_const && !element->is_const) {
    element = bind_alloc(1, sizeof *element);
    *element = *array->to;
    element->is_const = true;
  }
  c_type *type = parse_pointer_to(element);
  type->is_array = true;
  type->length = array->length;
  return type;
}

/* Join the plain comments beside a parameter's tokens, up to the comma behind it. */
static const char *parse_notes(const parser *p, size_t first) {
  const char *notes = "";
  const size_t end = p->at + parse_sees(p, ",");
  for (size_t i = first; i < end; i++) {
    notes = bind_join(notes, "\n", bind_or(p->tokens[i].note, ""));
  }
  return notes;
}

static c_type *parse_parameters(parser *p, c_type *result) {
  c_type *type = parse_type(C_FUNCTION, BIND_NONE, "");
  c_function *f = type->function = bind_alloc(1, sizeof *f);
  f->result = result;
  parse_expect(p, "(");
  if (parse_takes(p, ")")) {
    return type;
  }
  p->parameters++;
  int capacity = 0;
  do {
    if (parse_takes(p, "...")) {
      f->variadic = true;
      break;
    }
    specifiers s;
    const lex_token *name = NULL;
    c_type *of = NULL;
    const size_t first = p->at;
    const char *doc = p->tokens[first].before;
    parse_specifiers(p, &s);
    parse_declarator(p, s.type, &name, &of);
    parse_attributes(p);
    /* C11 6.7.6.3: adjusted to a pointer */
    if (of->kind == C_FUNCTION) {
      of = parse_pointer_to(of);
    }
    if (of->is_array) {
      of = parse_adjust(of);
    }
    if (of->kind == C_VOID && !name && f->count == 0 && parse_sees(p, ")")) {
      break;
    }
    const lex_token *here = parse_here(p);
    const char *after = here[-1].after;
    if (lex_is(here, ",")) {
      after = bind_or(here->after, after);
    }
    const char *text = name ? lex_copy(name) : "";
    const c_param param = {text, of, bind_or(doc, after), parse_notes(p, first)};
    BIND_ADD(f->params, f->count, capacity, param);
  } while (parse_takes(p, ","));
  const char *last = "";
  if (f->count) {
    last = f->params[f->count - 1].name;
  }
  if (parse_here(p)->kind == LEX_NAME && *last) {
    parse_fail(
        p, "expected ) after `%s` (a macro? try --preprocess or --ignore-macro %s)", last, last);
  }
  parse_expect(p, ")");
  p->parameters--;
  return type;
}

/* "[n]" and "(parameters)" after the name: "[2][3]" is an array of two arrays of three. */
static c_type *parse_suffixes(parser *p, c_type *type) {
  parse_limit(p, ++p->depth);
  while (parse_attributes(p)) {
  }
  if (parse_sees(p, "[")) {
    const bool two = lex_is(&p->tokens[p->at + 1], "2") && lex_is(&p->tokens[p->at + 2], "]");
    const char *length = parse_length(p);
    parse_skip_group(p);
    c_type *array = parse_type(C_OTHER, BIND_NONE, "");
    array->is_array = true;
    array->length = length;
    array->to = parse_suffixes(p, type);
    array->is_pair = two && array->to->kind == C_REAL;
    type = array;
  } else if (parse_sees(p, "(")) {
    c_type *function = parse_parameters(p, NULL);
    function->function->result = parse_suffixes(p, type);
    type = function;
  }
  p->depth--;
  return type;
}

/* C has more such words, `_Bool` or `inline`, but these are enough: parse_nests takes another word
 * for a name only where no type can stand alone, and parse_unexpected only chooses its message. */
static bool parse_starts_declaration(const parser *p, const lex_token *t) {
  static const char words[] = "int void char double float long unsigned short signed struct union "
                              "enum const static extern";
  return lex_is_any(t, words) || parse_find(p, PARSE_TYPEDEF, t->text, t->size);
}

/* Tell a nested declarator after '(' from a parameter list. An unknown word may be a type of an
 * included header, and the word before it a macro: it is the declared name if only a name can stand
 * there, or before parameters. */
static bool parse_nests(parser *p, const c_type *type) {
  const size_t start = p->at++;
  const bool odd = p->odd;
  bool is_const = false;
  while (parse_qualifier(p, &is_const)) {
  } /* "int (__stdcall *f)(int)" */
  const lex_token *t = parse_here(p);
  p->at = start;
  p->odd = odd;
  if (lex_is_any(t, "* ( ^")) {
    return true;
  }
  if (t->kind != LEX_NAME || parse_starts_declaration(p, t)) {
    return false;
  }
  if (lex_is(t + 1, ")") && lex_is(t + 2, "(")) {
    return true;
  }
  const bool known = type->kind != C_OTHER || !*type->spelling;
  return known && (lex_is(t + 1, "(") || (lex_is(t + 1, ")") && !p->parameters));
}

static void parse_declarator(parser *p, c_type *type, const lex_token **name, c_type **out) {
  parse_limit(p, ++p->depth);
  int stars = 0;
  for (bool is_const = false;; is_const = false) {
    if (parse_takes(p, "*") || parse_takes(p, "^")) { /* a block is read like a pointer */
      parse_limit(p, ++stars);
      type = parse_pointer_to(type);
      while (parse_qualifier(p, &is_const)) {
      }
      type->is_const = is_const;
    } else if (!parse_qualifier(p, &is_const)) {
      break;
    }
  }
  if (parse_sees(p, "(") && parse_nests(p, type)) {
    size_t inner = p->at + 1;
    parse_skip_group(p);
    type = parse_suffixes(p, type);
    size_t after = p->at;
    p->at = inner;
    parse_declarator(p, type, name, out);
    parse_expect(p, ")");
    p->at = after;
  } else {
    if (parse_here(p)->kind == LEX_NAME) {
      *name = &p->tokens[p->at++];
    }
    *out = parse_suffixes(p, type);
  }
  p->depth--;
}

/* ---- declarations ---- */

static void parse_keep_typedef(parser *p, const lex_token *name, c_type *type, const char *doc) {
  c_type *copy = bind_alloc(1, sizeof *copy);
  *copy = *type;
  char *text = lex_copy(name);
  /* The types of DLPack keep their own name behind an alias, by which type.c knows them. */
  parse_name *base = parse_find(p, PARSE_TYPEDEF, type->spelling, strlen(type->spelling));
  bool ours = type->kind == C_STRUCT && base && base->type->kind == C_STRUCT &&
              bind_begins(type->spelling, "DL");
  if (!ours) {
    copy->spelling = text;
  }
  c_enum *e = type->enumeration;
  if (e && (!*e->name || strcmp(e->spelling, e->name) != 0)) { /* its first typedef names an enum */
    e->name = e->spelling = text;
    if (e->count) {
      parse_keep_enum(p, e);
    }
  }
  c_type *base_type = type;
  for (int i = 0; base_type->kind == C_POINTER && i < PARSE_MAX_DEPTH; i++) {
    base_type = base_type->to;
  }
  if (base_type->kind == C_STRUCT && base_type->record) {
    c_struct *record = base_type->record;
    if (base_type == type && (!*record->name || strchr(record->spelling, ' '))) {
      record->name = record->spelling = text;
    }
    if (strcmp(type->spelling, "struct") == 0 || strcmp(type->spelling, "union") == 0) {
      type->spelling = text;
    }
    parse_keep_struct(p, record, name, doc);
  }
  parse_add(p, PARSE_TYPEDEF, text)->type = copy;
}

static void parse_keep_included(parser *p, const char *name, const c_type *type) {
  c_header *h = p->out;
  c_function f = *type->function;
  f.name = name;
  BIND_ADD(h->included, h->included_count, h->included_capacity, f);
}

/* Returns false if the function has a doc already, so that this one is lost. */
static bool parse_keep_function(parser *p, const lex_token *name, c_type *type, const char *doc) {
  c_header *h = p->out;
  char *text = lex_copy(name);
  if (name->elsewhere) {
    parse_keep_included(p, text, type);
    return true;
  }
  parse_name *known = parse_find(p, PARSE_FUNCTION, text, strlen(text));
  if (known) {
    c_function *first = &h->functions[known->value];
    if (!first->doc) {
      first->doc = doc;
    }
    return first->doc == doc;
  }
  parse_add(p, PARSE_FUNCTION, text)->value = h->function_count;
  c_function f = *type->function;
  f.name = text;
  f.doc = doc;
  f.header = name->header;
  f.line = name->line;
  BIND_ADD(h->functions, h->function_count, h->function_capacity, f);
  return true;
}

static void parse_keep_variable(parser *p, const lex_token *name, c_type *type) {
  c_header *h = p->out;
  BIND_ADD(
      h->variables, h->variable_count, h->variable_capacity, (c_variable){lex_copy(name), type});
}

/* Return a name that may be a macro of an included header, or NULL. */
static const char *parse_unknown(const c_type *type) {
  while (type->kind == C_POINTER) {
    type = type->to;
  }
  if (type->kind == C_OTHER && *type->spelling) {
    return type->spelling;
  }
  return NULL;
}

static bool parse_shouts(const char *name) {
  for (; *name; name++) {
    if (bind_is_lower(*name)) {
      return false;
    }
  }
  return true;
}

/* Report an unknown word that may be a macro: in the place of the type or the name, after a
 * declarator, or in "int (MACRO *name)(int)", where it looks like a parameter. */
static void parse_unexpected(parser *p, const c_type *base, const c_type *type,
                             const lex_token *name) {
  const lex_token *here = parse_here(p);
  const char *word = NULL;
  const char *unknown = NULL;
  if (base->kind == C_OTHER) {
    unknown = parse_unknown(base);
  }
  if (!name) {
    const c_function *f = type->function;
    if (unknown) {
      word = unknown;
    } else if (f && f->count == 1) {
      word = parse_unknown(f->params[0].type);
    }
  } else if (name + 1 == here && (here->kind == LEX_NAME || lex_is(here, "*"))) {
    word = lex_copy(name);
    if (unknown && (parse_starts_declaration(p, name) || lex_is(here, "*") ||
                    (parse_shouts(unknown) && !parse_shouts(word)))) {
      word = unknown;
    }
  } else if (here->kind == LEX_NAME && unknown && lex_is(here + 1, "(")) {
    word = unknown;
  } else if (here->kind == LEX_NAME && !parse_starts_declaration(p, here)) {
    parse_fail(p, "expected ; (a macro? try --preprocess or --ignore-macro %s)", lex_copy(here));
  } else if (unknown && parse_starts_declaration(p, name)) {
    word = unknown;
  }
  if (word) {
    parse_fail(p,
               "cannot read what follows `%s` (a macro? try --preprocess or --ignore-macro %s)",
               word,
               word);
  }
  parse_fail(p, "cannot read this declaration");
}

/* Read one declaration; true if a function got its doc. */
static bool parse_declares(parser *p, const char *doc) {
  specifiers s;
  bool kept = false;
  parse_specifiers(p, &s);
  if (parse_sees(p, ";")) {
    const lex_token *end = &p->tokens[p->at++];
    if (s.type->record) {
      parse_keep_struct(p, s.type->record, end, bind_or(doc, end->after));
    }
    return false;
  }
  do {
    const lex_token *name = NULL;
    c_type *type = NULL;
    parse_declarator(p, s.type, &name, &type);
    parse_attributes(p);
    if (!name) {
      parse_unexpected(p, s.type, type, NULL);
    }
    if (p->odd && s.is_typedef) {
      type = parse_opaque(type);
    }
    bool function = type->kind == C_FUNCTION && !s.is_typedef;
    if (parse_takes(p, "=")) {
      parse_skip_value(p, ";", "expected ;");
    }
    if (function && parse_sees(p, "{")) { /* libraries do not export inline functions */
      parse_skip_group(p);
      return false;
    }
    if (!parse_sees(p, ",") && !parse_sees(p, ";")) {
      parse_unexpected(p, s.type, type, name);
    }
    if (s.is_typedef) {
      parse_keep_typedef(p, name, type, doc ? doc : parse_here(p)->after);
    } else if (function && !s.is_static && !s.is_inline) {
      kept |= parse_keep_function(p, name, type, doc ? doc : parse_here(p)->after);
    } else if (type->kind == C_POINTER && !s.is_static) {
      parse_keep_variable(p, name, type);
    }
  } while (parse_takes(p, ","));
  parse_expect(p, ";");
  return kept;
}

/* doc: the comment before the declaration's first token, if that is not here. */
static void parse_declaration(parser *p, const char *doc) {
  const lex_token *first = parse_here(p);
  if (!doc) {
    doc = first->before;
  }
  if (parse_declares(p, doc) || !doc || !lex_has_contract(doc, strlen(doc))) {
    return;
  }
  lex_say_lost(first->file, first->line);
  p->out->lost++;
}

bool parse_header(const lex_list *list, c_header *out) {
  parser *p = bind_alloc(1, sizeof *p);
  p->tokens = list->tokens;
  p->out = out;
  *out = (c_header){0};
  out->file_doc = list->file_doc;
  parse_builtins(p);
  if (setjmp(p->failed)) {
    return false;
  }
  while (parse_here(p)->kind != LEX_END) {
    const lex_token *here = parse_here(p);
    if (parse_takes(p, ";")) {
      continue;
    }
    if (lex_is(here, "}") && p->open_blocks) {
      p->at++;
      p->open_blocks--;
    } else if (lex_is(here, "extern") && here[1].kind == LEX_STRING) {
      p->at += 2;
      if (parse_takes(p, "{")) {
        p->open_blocks++;
      } else {
        parse_declaration(p, here->before);
      }
    } else if (lex_is_any(here, "_Static_assert static_assert")) {
      p->at++;
      if (parse_sees(p, "(")) {
        parse_skip_group(p);
      }
    } else if (lex_is_any(here, "_Pragma __pragma asm __asm__ __asm")) {
      parse_attributes(p);
    } else {
      parse_declaration(p, NULL);
    }
  }
  if (p->open_blocks) {
    parse_fail(p, "extern \"C\" is never closed");
  }
  return true;
}
