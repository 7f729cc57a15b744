/* SPDX-License-Identifier: Apache-2.0 */
/* Names: in another case, apart from keywords, and told apart from each other. */
#ifndef DLFERRY_BIND_BASE_NAMES_H
#define DLFERRY_BIND_BASE_NAMES_H

#include "text.h"

/** "draw_histogram" from "draw_histogram", "DrawHistogram" or "DRAW_HISTOGRAM". */
const char *bind_snake(const char *name);

/** "DrawHistogram" from any of these. */
const char *bind_pascal(const char *name);

/** "DRAW_HISTOGRAM" from any of these. */
const char *bind_upper(const char *name);

/** The name, with '_' after it when it is one of the words, a space-separated list such as "fn impl type". */
const char *bind_escape(const char *name, const char *words);

/** True when the word is in a space-separated list. */
bool bind_word_in(const char *word, const char *words);

/** Names that a language must tell apart; {.language = "Go"} is empty. */
typedef struct bind_names {
  const char *language;
  bool clash;
  const char **names, **from;
  int *slots; /**< 2 * capacity of them, by hash: an index into names and 1 more, or 0 */
  int count, capacity;
} bind_names;

/** Where a name is from, or NULL when it is not taken. */
const char *bind_find_name(const bind_names *set, const char *name);

/** Add a name that is not taken. */
void bind_take_name(bind_names *set, const char *name, const char *from);

/** Add a name; print it, and set clash, when it is taken. `from` says in C what is named so. */
void bind_add_name(bind_names *set, const char *name, const char *from);

#endif
