/* SPDX-License-Identifier: Apache-2.0 */
/* Read declarators: pointers, arrays, functions and their parameters. */
#include "bind/base/text.h"
#include "parser.h"
#include <string.h>

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
    const c_param param = {
        .name = text, .type = of, .doc = bind_or(doc, after), .note = parse_notes(p, first)};
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
bool parse_starts_declaration(const parser *p, const lex_token *t) {
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

void parse_declarator(parser *p, c_type *type, const lex_token **name, c_type **out) {
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
