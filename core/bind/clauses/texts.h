/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses about texts that a `const char *` alone does not tell: "message: out text freed f",
 * "return: text freed f", "return: status text *error", "buf: out text[m <= n]", "path: in text",
 * "data: text[n]", "names: text *n", "names: out text *n". */
#ifndef DLFERRY_BIND_CLAUSES_TEXTS_H
#define DLFERRY_BIND_CLAUSES_TEXTS_H

#include "gift.h"

/* How C gives a text, or takes one. */
typedef enum bind_text_kind {
  BIND_TEXT_BEHIND,   /**< C writes a pointer to it: "message: out text" */
  BIND_TEXT_RESULT,   /**< C returns it: "return: text freed f" */
  BIND_TEXT_FAULT,    /**< C writes a pointer to it if it fails: "return: status text *error" */
  BIND_TEXT_FILLED,   /**< C fills memory with it: "buf: out text[n]" */
  BIND_TEXT_READ,     /**< C gets it behind a pointer that is not const: "path: in text" */
  BIND_TEXT_SIZED,    /**< C gets it with its length: "data: text[n]" */
  BIND_TEXT_LIST,     /**< C gets several with their number: "names: text *n" */
  BIND_TEXT_FILE,     /**< it is a path, and C gets the open file: `f: file "r"` */
  BIND_TEXT_COLLECTED /**< C passes several to a callback: "callback: collects name" */
} bind_text_kind;

typedef struct text_clause {
  const char *param; /* or "return" */
  bind_text_kind kind;
  bool optional;
  bool many;           /* C gives a list: "names: out text *n", "names: out text *NULL" */
  bool grown;          /* C reports how much memory it needs, so that the call may be made again */
  const char *freed;   /* f of `freed f`, or NULL */
  const char *size;    /* n of "[n]", "[m <= n]" and "*n": a parameter, a number or a constant, of a
                          given list also a field; NULL if the list ends with NULL */
  const char *written; /* m of "[m <= n]", or NULL */
  const char *place;   /* w of "m := *w"; NULL for "m := result" */
  const char *mode;    /* "r" of `file "r"` */
} text_clause;

/* Read such a clause. What stays of it for the contract is in *rest, or NULL. */
clause_found texts_read(const clause_list *contract, const bind_clause *c, text_clause *out,
                        const char **rest, const char **why);

#endif
