/* SPDX-License-Identifier: Apache-2.0 */
#include "sidecar.h"
#include "bind/base/text.h"
#include <string.h>

/* Where the file is being read. */
typedef struct sidecar_place {
  const char *file, *at, *text; /* text: where the file, or the clause of a comment, begins */
  int line, column;             /* line: of what is read; column: of the text's first byte */
} sidecar_place;

static int sidecar_column(const sidecar_place *p, const char *at) {
  const char *start = at;
  while (start > p->text && start[-1] != '\n') {
    start--;
  }
  return (int)(at - start) + (start == p->text ? p->column : 1);
}

/* Print an error at a place of the text. */
static bool BIND_PRINTF(3, 4)
    sidecar_fail_at(const sidecar_place *p, const char *at, const char *format, ...) {
  int line = p->line;
  for (const char *c = at; c < p->at; c++) {
    line -= *c == '\n';
  }
  va_list list;
  va_start(list, format);
  const char *why = bind_string_list(format, list);
  bind_error("%s:%d:%d: %s", p->file, line, sidecar_column(p, at), why);
  va_end(list);
  return false;
}

/* Skip blanks and comments, which begin with `#`. */
static void sidecar_skip(sidecar_place *p) {
  for (;; p->at++) {
    if (*p->at == '#') {
      p->at += strcspn(p->at, "\n");
    }
    if (*p->at == '\n') {
      p->line++;
    }
    if (!*p->at || !strchr(" \t\r\n", *p->at)) {
      return;
    }
  }
}

/* Of names and patterns. */
static const char sidecar_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_*?";

static bool sidecar_takes_name(sidecar_place *p, sidecar_block *out) {
  const size_t size = strspn(p->at, sidecar_letters);
  out->line = p->line;
  out->start = p->at;
  out->name = bind_sized(p->at, size);
  out->pattern = strpbrk(out->name, "*?") != NULL;
  p->at += size;
  sidecar_skip(p);
  if (!size) {
    return sidecar_fail_at(p, p->at, "expected the name of a function, which may hold `*` and `?`");
  }
  if (*p->at != '{') {
    return sidecar_fail_at(p, p->at, "%s: expected `{`", out->name);
  }
  p->at++;
  return true;
}

/* Read up to the `}` that ends the block: braces nest, and none counts in a string. */
static bool sidecar_takes_contract(sidecar_place *p, sidecar_block *out) {
  bind_text text = {0};
  int depth = 1;
  out->at = p->at;
  bool quoted = false;
  for (; *p->at; p->at++) {
    if (*p->at == '#' && !quoted) {
      p->at += strcspn(p->at, "\n");
    }
    if (!*p->at) {
      break;
    }
    quoted ^= *p->at == '"';
    p->line += *p->at == '\n';
    if (!quoted) {
      depth += (*p->at == '{') - (*p->at == '}');
    }
    if (depth == 0) {
      break;
    }
    bind_raw(&text, *p->at == '\n' ? " " : p->at, 1);
  }
  if (text.length) {
    out->clauses = clauses_parse(bind_keep(&text));
  }
  out->size = (size_t)(p->at - out->at);
  if (!*p->at) {
    return sidecar_fail_at(p, out->start, "%s: expected `}`, got the end of the file", out->name);
  }
  p->at++;
  return true;
}

/* ---- handle TYPE freed NAME made NAME, NAME; handle TYPE init NAME, NAME clear NAME; handle TYPE
 * unowned made NAME; ---- */

static const char sidecar_names[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

/* Read a word and what follows it; "" if there is none. */
static const char *sidecar_word(sidecar_place *p, const char *letters) {
  const size_t size = strspn(p->at, letters);
  const char *word = bind_sized(p->at, size);
  p->at += size;
  sidecar_skip(p);
  return word;
}

/* Tell whether a word is here. A function may be called so: then a brace follows. */
static bool sidecar_sees(sidecar_place p, const char *word) {
  return strcmp(sidecar_word(&p, sidecar_letters), word) == 0 && *p.at != '{';
}

/* `(_, error, 0)` behind the function that frees. */
static bool sidecar_takes_arguments(sidecar_place *p, sidecar_handle *out) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
  do {
    p->at++;
    sidecar_skip(p);
    const char *argument = sidecar_word(p, letters);
    if (!*argument) {
      return sidecar_fail_at(
          p, p->at, "handle %s: expected `_`, `error`, `NULL` or a constant", out->type);
    }
    BIND_ADD(out->arguments, out->argument_count, out->argument_capacity, argument);
  } while (*p->at == ',');
  if (*p->at != ')') {
    return sidecar_fail_at(p, p->at, "handle %s: expected `,` or `)`", out->type);
  }
  p->at++;
  sidecar_skip(p);
  return true;
}

/* Take a name or a pattern of a list; "" after bind_error. */
static const char *sidecar_function(sidecar_place *p, const sidecar_handle *handle) {
  const char *name = sidecar_word(p, sidecar_letters);
  if (!*name) {
    sidecar_fail_at(p, p->at, "handle %s: expected a function", handle->type);
  }
  return name;
}

static bool sidecar_takes_makers(sidecar_place *p, sidecar_handle *out) {
  for (;; p->at++, sidecar_skip(p)) {
    const char *name = sidecar_function(p, out);
    if (!*name) {
      return false;
    }
    BIND_ADD(out->made, out->made_count, out->made_capacity, name);
    if (*p->at == ';') {
      return true;
    }
    if (*p->at != ',') {
      return sidecar_fail_at(p, p->at, "handle %s: expected `,` or `;`", out->type);
    }
  }
}

/* The functions behind `init`, up to the one behind `clear`. */
static bool sidecar_takes_inits(sidecar_place *p, sidecar_handle *out) {
  out->in_place = true;
  for (;; p->at++, sidecar_skip(p)) {
    const char *name = sidecar_function(p, out);
    if (!*name) {
      return false;
    }
    BIND_ADD(out->made, out->made_count, out->made_capacity, name);
    const char *at = p->at;
    if (*at == ',') {
      continue;
    }
    if (strcmp(sidecar_word(p, sidecar_letters), "clear") == 0) {
      return true;
    }
    return sidecar_fail_at(p, at, "handle %s: expected `,` or `clear` and a function", out->type);
  }
}

/* `freed NAME`, `freed NAME(...)`, `init NAME clear NAME` or `unowned`. */
static bool sidecar_takes_end(sidecar_place *p, sidecar_handle *out) {
  const char *at = p->at;
  const char *kind = sidecar_word(p, sidecar_names);
  const bool in_place = strcmp(kind, "init") == 0;
  if (strcmp(kind, "unowned") == 0) {
    return true;
  }
  if (!in_place && strcmp(kind, "freed") != 0) {
    return sidecar_fail_at(
        p, at, "handle %s: expected `freed` or `init`, and a function, or `unowned`", out->type);
  }
  if (in_place && !sidecar_takes_inits(p, out)) {
    return false;
  }
  out->freed = sidecar_word(p, sidecar_names);
  if (!*out->freed) {
    return sidecar_fail_at(p, p->at, "handle %s: expected a function", out->type);
  }
  return *p->at != '(' || sidecar_takes_arguments(p, out);
}

/* One function makes objects and another one ends them. */
static bool sidecar_checks_makers(const sidecar_place *p, const sidecar_handle *handle) {
  BIND_EACH (const char *, maker, handle->made, handle->made_count) {
    if (handle->freed && strcmp(*maker, handle->freed) == 0) {
      return sidecar_fail_at(p,
                             handle->start,
                             "handle %s: %s cannot both make and end an object: expected two "
                             "functions",
                             handle->type,
                             handle->freed);
    }
  }
  return true;
}

/* ` *PARAM` behind `void`, a name or a pattern; that names no class. */
static bool sidecar_takes_param(sidecar_place *p, sidecar_handle *out) {
  p->at++;
  sidecar_skip(p);
  out->param = sidecar_word(p, sidecar_letters);
  out->name = strpbrk(out->param, "*?") ? "" : out->param;
  return *out->param || sidecar_fail_at(p, p->at, "handle void *: expected a name");
}

/* `as NAME`: the class has another name than its type or its parameters. */
static bool sidecar_takes_class(sidecar_place *p, sidecar_handle *out) {
  if (sidecar_sees(*p, "as")) {
    (void)sidecar_word(p, sidecar_names);
    out->name = sidecar_word(p, sidecar_names);
  }
  if (!*out->name) {
    return sidecar_fail_at(p, p->at, "handle %s: expected a name", bind_or(out->param, out->type));
  }
  if (out->param) {
    out->type = bind_string("void *%s", out->name);
  }
  return true;
}

/* `for NAME, NAME`: the functions in which the type or the parameter is this class. */
static bool sidecar_takes_users(sidecar_place *p, sidecar_handle *out) {
  for (bool more = sidecar_sees(*p, "for"); more; more = *p->at == ',') {
    p->at += *p->at == ',' ? 1 : strlen("for");
    sidecar_skip(p);
    const char *user = sidecar_function(p, out);
    if (!*user) {
      return false;
    }
    BIND_ADD(out->users, out->user_count, out->user_capacity, user);
  }
  return true;
}

static bool sidecar_takes_handle(sidecar_place *p, sidecar_handle *out) {
  *out = (sidecar_handle){.line = p->line, .start = p->at};
  (void)sidecar_word(p, sidecar_names);
  out->type = sidecar_word(p, sidecar_names);
  out->name = out->type;
  if (!*out->type) {
    return sidecar_fail_at(p, p->at, "`handle`: expected the name of a type");
  }
  if (strcmp(out->type, "void") == 0 && *p->at == '*' && !sidecar_takes_param(p, out)) {
    return false;
  }
  if (!sidecar_takes_class(p, out) || !sidecar_takes_users(p, out) || !sidecar_takes_end(p, out)) {
    return false;
  }
  const char *at = p->at;
  if (out->in_place && *at != ';') {
    return sidecar_fail_at(p, at, "handle %s: expected `;`", out->type);
  }
  if (*p->at != ';' && strcmp(sidecar_word(p, sidecar_names), "made") != 0) {
    return sidecar_fail_at(p, at, "handle %s: expected `made` or `;`", out->type);
  }
  if (*at != ';' && !sidecar_takes_makers(p, out)) {
    return false;
  }
  p->at++;
  return sidecar_checks_makers(p, out);
}

/* ---- family NAME { T in f32: FUNC | f64: FUNC } ---- */

static bool sidecar_takes_mark(sidecar_place *p, char mark, const char *name) {
  if (*p->at != mark) {
    return sidecar_fail_at(p, p->at, "family %s: expected `%c`", name, mark);
  }
  p->at++;
  sidecar_skip(p);
  return true;
}

static bool sidecar_takes_member(sidecar_place *p, const sidecar *s, sidecar_family *out) {
  sidecar_member member = {.dtype = sidecar_word(p, sidecar_letters)};
  const char *dtype = NULL;
  if (!*member.dtype) {
    return sidecar_fail_at(p, p->at, "family %s: expected a dtype", out->name);
  }
  if (!sidecar_takes_mark(p, ':', out->name)) {
    return false;
  }
  member.start = p->at;
  member.function = sidecar_word(p, sidecar_letters);
  if (!*member.function) {
    return sidecar_fail_at(p, p->at, "family %s: expected a function", out->name);
  }
  BIND_EACH (const sidecar_member, m, out->members, out->count) {
    if (strcmp(m->dtype, member.dtype) == 0 || strcmp(m->function, member.function) == 0) {
      return sidecar_fail_at(
          p, p->at, "family %s: expected each dtype and each function once", out->name);
    }
  }
  if (sidecar_family_of(s, member.function, &dtype)) {
    return sidecar_fail_at(
        p, p->at, "family %s: %s is in another family", out->name, member.function);
  }
  BIND_ADD(out->members, out->count, out->capacity, member);
  return true;
}

static bool sidecar_add_family(sidecar_place *p, sidecar *out) {
  sidecar_family family = {.start = p->at};
  (void)sidecar_word(p, sidecar_letters);
  family.name = sidecar_word(p, sidecar_letters);
  if (bind_find_place(&out->family_names, family.name) >= 0) {
    return sidecar_fail_at(p, p->at, "family %s: expected each family once", family.name);
  }
  if (!sidecar_takes_mark(p, '{', family.name)) {
    return false;
  }
  family.variable = sidecar_word(p, sidecar_letters);
  if (!*family.variable || strcmp(sidecar_word(p, sidecar_letters), "in") != 0) {
    return sidecar_fail_at(p, p->at, "family %s: expected `T in` and a dtype", family.name);
  }
  do {
    if (family.count && !sidecar_takes_mark(p, '|', family.name)) {
      return false;
    }
    if (!sidecar_takes_member(p, out, &family)) {
      return false;
    }
  } while (*p->at == '|');
  if (!sidecar_takes_mark(p, '}', family.name)) {
    return false;
  }
  bind_add_place(&out->family_names, family.name, out->family_count);
  BIND_EACH (const sidecar_member, m, family.members, family.count) {
    bind_add_place(&out->member_names, m->function, out->family_count);
  }
  BIND_ADD(out->families, out->family_count, out->family_capacity, family);
  return true;
}

const sidecar_family *sidecar_family_of(const sidecar *s, const char *function,
                                        const char **dtype) {
  const sidecar_family *family =
      bind_find_item(&s->member_names, function, s->families, sizeof *s->families);
  if (!family) {
    return NULL;
  }
  BIND_EACH (const sidecar_member, m, family->members, family->count) {
    if (strcmp(m->function, function) == 0) {
      *dtype = m->dtype;
    }
  }
  return family;
}

static bool sidecar_add_handle(sidecar_place *p, sidecar *out) {
  sidecar_handle handle;
  if (!sidecar_takes_handle(p, &handle)) {
    return false;
  }
  const sidecar_handle *other =
      bind_find_item(&out->handle_names, handle.name, out->handles, sizeof *other);
  if (other) {
    return sidecar_fail_at(
        p, handle.start, "handle %s stands in line %d already", handle.name, other->line);
  }
  bind_add_place(&out->handle_names, handle.name, out->handle_count);
  handle.file = p->file;
  handle.column = sidecar_column(p, handle.start);
  BIND_ADD(out->handles, out->handle_count, out->handle_capacity, handle);
  return true;
}

/* ---- struct TYPE { FIELD = DEFAULT; hide FIELD; defaults f() }, enum TYPE { hide VALUE } ---- */

static const char *sidecar_type_word(const sidecar_block *block) {
  return block->of_enum ? "enum" : "struct";
}

static bool sidecar_add_struct(sidecar_place *p, sidecar *out) {
  sidecar_block block = {.of_enum = sidecar_sees(*p, "enum")};
  (void)sidecar_word(p, sidecar_letters);
  if (!sidecar_takes_name(p, &block) || !sidecar_takes_contract(p, &block)) {
    return false;
  }
  const sidecar_block *other = sidecar_find_struct(out, block.name);
  if (other) {
    return sidecar_fail_at(p,
                           block.start,
                           "%s %s stands in line %d already",
                           sidecar_type_word(&block),
                           block.name,
                           other->line);
  }
  bind_add_place(&out->struct_names, block.name, out->struct_count);
  BIND_ADD(out->structs, out->struct_count, out->struct_capacity, block);
  return true;
}

sidecar_block *sidecar_find_struct(const sidecar *s, const char *type) {
  return bind_find_item(&s->struct_names, type, s->structs, sizeof *s->structs);
}

bool sidecar_read_handle(sidecar *s, const char *file, const char *clause, int line, int column) {
  const char *text = bind_string("%s;", clause);
  sidecar_place p = {file, text, text, line, column};
  sidecar_skip(&p);
  return sidecar_add_handle(&p, s);
}

/* Pass over "?handle ...;" and "?family ... { }". */
static void sidecar_pass_guess(sidecar_place *p) {
  while (*p->at && *p->at != ';' && *p->at != '}') {
    if (*p->at == '#') {
      p->at += strcspn(p->at, "\n");
    }
    if (!*p->at) {
      break;
    }
    p->line += *p->at++ == '\n';
  }
  if (*p->at) {
    p->at++;
  }
}

static bind_index *sidecar_index(sidecar *s, const sidecar_block *block) {
  if (block->every) {
    return &s->every;
  }
  if (block->pattern) {
    return &s->patterns;
  }
  return &s->own;
}

bool sidecar_read(const char *file, const char *text, sidecar *out) {
  sidecar_place p = {file, text, text, 1, 1};
  *out = (sidecar){.file = file, .text = text};
  for (sidecar_skip(&p); *p.at; sidecar_skip(&p)) {
    sidecar_block block = {0};
    if (*p.at == '?') {
      sidecar_pass_guess(&p);
      continue;
    }
    if (sidecar_sees(p, "handle")) {
      if (!sidecar_add_handle(&p, out)) {
        return false;
      }
      continue;
    }
    if (sidecar_sees(p, "family")) {
      if (!sidecar_add_family(&p, out)) {
        return false;
      }
      continue;
    }
    if (sidecar_sees(p, "struct") || sidecar_sees(p, "enum")) {
      if (!sidecar_add_struct(&p, out)) {
        return false;
      }
      continue;
    }
    block.every = sidecar_sees(p, "every");
    if (block.every) {
      (void)sidecar_word(&p, sidecar_letters);
    }
    if (!sidecar_takes_name(&p, &block) || !sidecar_takes_contract(&p, &block)) {
      return false;
    }
    bind_index *index = sidecar_index(out, &block);
    const sidecar_block *other = bind_find_item(index, block.name, out->blocks, sizeof *other);
    if (other) {
      return sidecar_fail_at(
          &p, block.start, "%s has a contract in line %d already", block.name, other->line);
    }
    bind_add_place(index, block.name, out->count);
    BIND_ADD(out->blocks, out->count, out->capacity, block);
  }
  return true;
}

bool sidecar_matches(const char *pattern, const char *name) {
  const char *star = NULL;
  const char *retry = NULL;
  while (*name) {
    if (*pattern == '*') {
      star = pattern++;
      retry = name;
    } else if (*pattern == *name || *pattern == '?') {
      pattern++;
      name++;
    } else if (star) {
      pattern = star + 1;
      name = ++retry;
    } else {
      return false;
    }
  }
  while (*pattern == '*') {
    pattern++;
  }
  return !*pattern;
}

bool sidecar_matches_any(const char **patterns, int count, const char *name) {
  for (int i = 0; i < count; i++) {
    if (sidecar_matches(patterns[i], name)) {
      return true;
    }
  }
  return false;
}

static sidecar_place sidecar_place_of(const sidecar *s, const sidecar_block *block) {
  return (sidecar_place){s->file, block->start, s->text, block->line, 1};
}

const sidecar_block *sidecar_own(const sidecar *s, const char *function) {
  return bind_find_item(&s->own, function, s->blocks, sizeof *s->blocks);
}

bool sidecar_find(sidecar *s, const char *function, const sidecar_block **out) {
  const sidecar_block *found = NULL;
  sidecar_block *own = bind_find_item(&s->own, function, s->blocks, sizeof *s->blocks);
  if (own) {
    own->used = true;
  }
  *out = own;
  for (int i = 0; i < s->patterns.count; i++) {
    sidecar_block *block = &s->blocks[s->patterns.places[i]];
    if (!sidecar_matches(block->name, function)) {
      continue;
    }
    block->used = true;
    if (found && !*out) {
      const sidecar_place p = sidecar_place_of(s, block);
      return sidecar_fail_at(
          &p,
          p.at,
          "%s matches %s of this line and %s of line %d: write a block of its own",
          function,
          block->name,
          found->name,
          found->line);
    }
    found = block;
  }
  if (!*out) {
    *out = found;
  }
  return true;
}

int sidecar_report_unused(const sidecar *s) {
  int unused = 0;
  BIND_EACH (const sidecar_block, block, s->blocks, s->count) {
    if (block->used) {
      continue;
    }
    const sidecar_place p = sidecar_place_of(s, block);
    sidecar_fail_at(&p, p.at, "%s: the header has no such function", block->name);
    unused++;
  }
  BIND_EACH (const sidecar_block, block, s->structs, s->struct_count) {
    if (block->used) {
      continue;
    }
    const sidecar_place p = sidecar_place_of(s, block);
    const char *why = "the header has no struct of this name whose members are known";
    if (block->of_enum) {
      why = "the header has no enum of this name";
    } else if (bind_find_place(&s->handle_names, block->name) >= 0) {
      why = bind_string("`handle %s` makes it an object: expected one of the two", block->name);
    }
    sidecar_fail_at(&p, p.at, "%s %s: %s", sidecar_type_word(block), block->name, why);
    unused++;
  }
  return unused;
}
