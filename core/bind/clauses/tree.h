/* SPDX-License-Identifier: Apache-2.0 */
/* A contract as a tree: its clauses, and of each the names, numbers, texts and marks in order.
 *
 * The text is cut here once; `every`, the clauses that only the generator reads, families and
 * messages walk the tree, and clauses_text writes it back. The text must last as long as the tree.
 */
#ifndef DLFERRY_BIND_CLAUSES_TREE_H
#define DLFERRY_BIND_CLAUSES_TREE_H

#include "bind/base/text.h"

/* A name, a number, a text in quotes, a character such as 'U', or a mark such as `:=`. */
typedef struct clause_part {
  const char *at;
  size_t size;
} clause_part;

typedef struct bind_clause {
  const char *at; /* without blanks around it and without its `;` */
  size_t size;
  clause_part *parts;
  int count;
} bind_clause;

typedef struct clause_list {
  bind_clause *clauses;
  int count, capacity;
} clause_list;

/* Run a block for each clause. */
#define BIND_EACH_CLAUSE(c, list) BIND_EACH (const bind_clause, c, (list)->clauses, (list)->count)

/* What follows the name that a clause is about. */
typedef enum clause_mark {
  CLAUSE_NO_MARK,
  CLAUSE_COLON,   /* "x: f32[n]" */
  CLAUSE_DERIVES, /* "n := ld(a)" */
  CLAUSE_DEFAULT  /* "sigma = 1.5" */
} clause_mark;

clause_list clauses_parse(const char *contract);
void clauses_put(clause_list *to, const bind_clause *c);
void clauses_add(clause_list *to, const clause_list *more);

/* Write clauses as a contract: "; " between them. */
const char *clauses_text(const clause_list *list);
const char *clause_text(const bind_clause *c);

/* Return clauses in which a word, and `real(WORD)`, are replaced by texts. */
clause_list clauses_replace(const clause_list *list, const char *word, const char *by,
                            const char *real);

/* Tell whether a part is this text; false behind the last part. */
bool clause_is(const bind_clause *c, int part, const char *text);

/* Tell whether a part is a name or a number, and return it, "" if it is neither. */
bool clause_has_name(const bind_clause *c, int part);
const char *clause_name(const bind_clause *c, int part);

/* Return the text without quotes that a part is; NULL for others. */
const char *clause_quoted(const bind_clause *c, int part);

/* Tell whether a part is a number. */
bool clause_has_number(const bind_clause *c, int part);

/* Tell whether a clause is unconfirmed, and so without effect: it begins with `?`. */
bool clause_is_guess(const bind_clause *c);

/* Find a part behind another one; -1 for none. */
int clause_find_part(const bind_clause *c, int from, const char *text);

/* Return the mark that a part is. */
clause_mark clause_mark_at(const bind_clause *c, int part);

/* Find the clause of a name with a mark behind it, or return NULL. */
const bind_clause *clauses_find(const clause_list *list, const char *name, clause_mark mark);

/* Tell whether the same clause stands before one of them. */
bool clauses_repeat(const clause_list *list, const bind_clause *c);

/* Tell whether a part of any clause is this name. */
bool clauses_mention(const clause_list *list, const char *name);

#endif
