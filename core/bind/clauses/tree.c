/* SPDX-License-Identifier: Apache-2.0 */
#include "tree.h"
#include "bind/base/names.h"
#include <string.h>

static const char *tree_skip(const char *p) {
  return p + strspn(p, " \t\r\n\f\v");
}

/* The size of the part that begins here; a `;` within quotes ends no clause. */
static size_t tree_part_size(const char *p) {
  const size_t name = bind_name_size(p);
  if (name) {
    return name;
  }
  if (*p == '"') {
    const size_t inside = strcspn(p + 1, "\"");
    return 1 + inside + (p[1 + inside] == '"');
  }
  if (*p == '\'' && p[1] && p[2] == '\'') {
    return 3;
  }
  if (strncmp(p, "...", 3) == 0) {
    return 3;
  }
  if (p[1] == '=' && strchr(":=<>!", *p)) {
    return 2;
  }
  return 1;
}

static size_t tree_count_parts(const char *contract) {
  size_t count = 0;
  for (const char *p = tree_skip(contract); *p; p = tree_skip(p + tree_part_size(p))) {
    count++;
  }
  return count;
}

clause_list clauses_parse(const char *contract) {
  clause_list list = {0};
  if (!*tree_skip(contract)) {
    return list;
  }
  clause_part *parts = bind_alloc(tree_count_parts(contract), sizeof *parts);
  bind_clause *open = NULL;
  size_t size;
  for (const char *p = tree_skip(contract); *p; p = tree_skip(p + size)) {
    size = tree_part_size(p);
    if (*p == ';') {
      open = NULL;
      continue;
    }
    if (!open) {
      clauses_put(&list, &(bind_clause){.at = p, .parts = parts});
      open = &list.clauses[list.count - 1];
    }
    *parts++ = (clause_part){p, size};
    open->count++;
    open->size = (size_t)(p + size - open->at);
  }
  return list;
}

void clauses_put(clause_list *to, const bind_clause *c) {
  BIND_ADD(to->clauses, to->count, to->capacity, *c);
}

void clauses_add(clause_list *to, const clause_list *more) {
  BIND_EACH_CLAUSE (c, more) {
    clauses_put(to, c);
  }
}

const char *clauses_text(const clause_list *list) {
  bind_text text = {0};
  if (!list->count) {
    return "";
  }
  for (int i = 0; i < list->count; i++) {
    if (i) {
      bind_put_string(&text, "; ");
    }
    bind_raw(&text, list->clauses[i].at, list->clauses[i].size);
  }
  return bind_keep(&text);
}

const char *clause_text(const bind_clause *c) {
  return bind_sized(c->at, c->size);
}

/* Tell whether "real(WORD)" begins at a part. */
static bool tree_is_real(const bind_clause *c, int part, const char *word) {
  return clause_is(c, part, "real") && clause_is(c, part + 1, "(") &&
         clause_is(c, part + 2, word) && clause_is(c, part + 3, ")");
}

clause_list clauses_replace(const clause_list *list, const char *word, const char *by,
                            const char *real) {
  bind_text text = {0};
  BIND_EACH_CLAUSE (c, list) {
    const char *rest = c->at; /* which is not yet written */
    for (int i = 0; i < c->count; i++) {
      const char *start = c->parts[i].at;
      const bool is_real = tree_is_real(c, i, word);
      if (!is_real && !clause_is(c, i, word)) {
        continue;
      }
      if (is_real) {
        i += 3;
      }
      bind_raw(&text, rest, (size_t)(start - rest));
      bind_put(&text, "%s", is_real ? real : by);
      rest = c->parts[i].at + c->parts[i].size;
    }
    bind_raw(&text, rest, (size_t)(c->at + c->size - rest));
    bind_put_string(&text, ";");
  }
  if (!text.length) {
    return (clause_list){0};
  }
  return clauses_parse(bind_keep(&text));
}

bool clause_is(const bind_clause *c, int part, const char *text) {
  return part < c->count && c->parts[part].size == strlen(text) &&
         memcmp(c->parts[part].at, text, c->parts[part].size) == 0;
}

bool clause_has_name(const bind_clause *c, int part) {
  return part < c->count && bind_in_name(*c->parts[part].at);
}

const char *clause_name(const bind_clause *c, int part) {
  if (!clause_has_name(c, part)) {
    return "";
  }
  return bind_sized(c->parts[part].at, c->parts[part].size);
}

const char *clause_quoted(const bind_clause *c, int part) {
  if (part >= c->count || *c->parts[part].at != '"') {
    return NULL;
  }
  return bind_sized(c->parts[part].at + 1, c->parts[part].size - 2);
}

bool clause_has_number(const bind_clause *c, int part) {
  return part < c->count && bind_is_digit(*c->parts[part].at);
}

bool clause_is_guess(const bind_clause *c) {
  return *c->at == '?';
}

int clause_find_part(const bind_clause *c, int from, const char *text) {
  for (int i = from; i < c->count; i++) {
    if (clause_is(c, i, text)) {
      return i;
    }
  }
  return -1;
}

clause_mark clause_mark_at(const bind_clause *c, int part) {
  if (clause_is(c, part, ":")) {
    return CLAUSE_COLON;
  }
  if (clause_is(c, part, ":=")) {
    return CLAUSE_DERIVES;
  }
  if (clause_is(c, part, "=")) {
    return CLAUSE_DEFAULT;
  }
  return CLAUSE_NO_MARK;
}

const bind_clause *clauses_find(const clause_list *list, const char *name, clause_mark mark) {
  BIND_EACH_CLAUSE (c, list) {
    if (clause_is(c, 0, name) && clause_mark_at(c, 1) == mark) {
      return c;
    }
  }
  return NULL;
}

bool clauses_repeat(const clause_list *list, const bind_clause *c) {
  const char *text = clause_text(c);
  BIND_EACH_CLAUSE (before, list) {
    if (before == c) {
      return false;
    }
    if (strcmp(clause_text(before), text) == 0) {
      return true;
    }
  }
  return false;
}

bool clauses_mention(const clause_list *list, const char *name) {
  BIND_EACH_CLAUSE (c, list) {
    if (clause_find_part(c, 0, name) >= 0) {
      return true;
    }
  }
  return false;
}
