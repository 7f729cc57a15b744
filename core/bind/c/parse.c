/* SPDX-License-Identifier: Apache-2.0 */
/* Read the C99 declarations of a header, by recursive descent over its tokens. Function bodies and
 * initialisers are skipped by matching brackets. */
#include "bind/base/text.h"
#include "parser.h"
#include <string.h>

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
  for (int i = 0; base_type->kind == C_POINTER && i < PARSE_DEEPEST; i++) {
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
    first->deprecated = bind_or(first->deprecated, p->deprecated);
    return first->doc == doc;
  }
  parse_add(p, PARSE_FUNCTION, text)->value = h->function_count;
  c_function f = *type->function;
  f.name = text;
  f.doc = doc;
  f.deprecated = p->deprecated;
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
  p->deprecated = NULL;
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
    } else if ((type->kind == C_POINTER || type->kind == C_INTEGER) && !s.is_static) {
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

/* An enum of an included file belongs to the header if that uses it. */
static void parse_keep_used(c_header *h, const c_type *type) {
  while (type && type->to) {
    type = type->to;
  }
  if (!type || type->kind != C_ENUM || !type->enumeration) {
    return;
  }
  c_enum *e = type->enumeration;
  if (strcmp(e->name, "dlf_status") == 0) {
    return; /* callers get the error itself */
  }
  if (e->elsewhere && !e->kept && *e->name) {
    e->kept = true;
    BIND_ADD(h->enums, h->enum_count, h->enum_capacity, e);
  }
}

static void parse_keep_used_enums(c_header *h) {
  BIND_EACH (const c_function, f, h->functions, h->function_count) {
    parse_keep_used(h, f->result);
    BIND_EACH (const c_param, param, f->params, f->count) {
      parse_keep_used(h, param->type);
    }
  }
  for (int i = 0; i < h->struct_count; i++) {
    BIND_EACH (const c_member, member, h->structs[i]->members, h->structs[i]->member_count) {
      parse_keep_used(h, member->type);
    }
  }
}

bool parse_header(const lex_list *list, c_header *out) {
  parser *p = bind_alloc(1, sizeof *p);
  p->tokens = list->tokens;
  p->out = out;
  p->read_members = parse_members;
  *out = (c_header){0};
  out->file_doc = list->file_doc;
  parse_builtins(p);
  jmp_buf failed;
  p->failed = &failed;
  if (setjmp(failed)) {
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
  parse_keep_used_enums(out);
  return true;
}
