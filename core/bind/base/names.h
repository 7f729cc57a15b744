/* SPDX-License-Identifier: Apache-2.0 */
/* Names: change their case, keep them apart from keywords, find those that clash. */
#ifndef DLFERRY_BIND_BASE_NAMES_H
#define DLFERRY_BIND_BASE_NAMES_H

#include "text.h"

/** Return "draw_histogram" for "draw_histogram", "DrawHistogram" or "DRAW_HISTOGRAM". */
const char *bind_snake(const char *name);

/** Return "DrawHistogram" for any of these. */
const char *bind_pascal(const char *name);

/** Return "DRAW_HISTOGRAM" for any of these. */
const char *bind_upper(const char *name);

/** Append '_' to the name if it is one of the words, a space-separated list such as "fn impl type".
 */
const char *bind_escape(const char *name, const char *words);

/** Tell whether a character may stand in a name of C. */
bool bind_in_name(char c);
/** Count the characters of the name that begins here; 0 for none. */
size_t bind_name_size(const char *text);
/** Tell whether a text has the name as a whole word. */
bool bind_mentions(const char *text, const char *name);

/** Tell whether the word is in a space-separated list. */
bool bind_word_in(const char *word, const char *words);
/** Tell whether a word ends with one of such a list: "gzopen" with "open". */
bool bind_ends_with(const char *word, const char *words);

/** Order an array of names, for qsort. */
int bind_by_name(const void *a, const void *b);

/** Tell whether one of the words of a name in small letters is in such a list: "user_data" has
 * "data"; or ends with one of it. */
bool bind_has_word(const char *name, const char *words);
bool bind_has_ending(const char *name, const char *words);

/** The places of names in an array, found by hash; {0} is empty. */
typedef struct bind_index {
  const char **names;
  int *places;
  int *slots; /**< 2 * capacity of them, by hash: an index into names and 1 more, or 0 */
  int count, capacity;
} bind_index;

/** Return the place of a name, or -1; the second one's has no NUL at its end. */
int bind_find_place(const bind_index *index, const char *name);
int bind_find_sized(const bind_index *index, const char *name, size_t size);

/** Return the item of an array whose place has the name, or NULL; `size` is that of one item. */
void *bind_find_item(const bind_index *index, const char *name, void *items, size_t size);

/** Add a name with its place; one that is there keeps its own. */
void bind_add_place(bind_index *index, const char *name, int place);

/** Names that must differ in a language; {.language = "Go"} is empty. */
typedef struct bind_names {
  const char *language;
  const char *clash; /**< the first one: "f and F would both be called F in Go"; or NULL */
  bind_index index;
  const char **from;
  int capacity;
} bind_names;

/** Return where a name is from, or NULL if it is not taken. */
const char *bind_find_name(const bind_names *set, const char *name);

/** Add a name that is not taken. */
void bind_take_name(bind_names *set, const char *name, const char *from);

/** Add a name; note the clash if it is taken. `from` is its name in C. */
void bind_add_name(bind_names *set, const char *name, const char *from);

/** Add all names of another set, or none if one clashes, which `more` then notes. */
void bind_add_names(bind_names *set, bind_names *more);

#endif
