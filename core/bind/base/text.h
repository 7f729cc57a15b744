/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows, lasting memory and messages. Running out of memory ends the command, so nothing here returns NULL. */
#ifndef DLFERRY_BIND_BASE_TEXT_H
#define DLFERRY_BIND_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BIND_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define BIND_PRINTF(string, first)
#endif

/** A text that grows; {0} is empty, with indentation by two spaces. */
typedef struct bind_text {
  char *data; /**< NUL at the end; NULL while empty */
  size_t length, capacity;
  int depth;        /**< current depth of indentation */
  const char *unit; /**< of indentation; NULL means two spaces. Rust, Python, Julia: "    "; Go: "\t" */
} bind_text;

/** Append, printf-like. Every line that begins here gets the indentation; lines left empty get none. */
void bind_put(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Append and end the line. */
void bind_line(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** bind_line, then indent what follows: bind_open(t, "{") ... bind_close(t, "}"). */
void bind_open(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Go back one depth, then bind_line. */
void bind_close(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** bind_line, broken behind commas where it would pass column 120; what follows is indented by two more. */
void bind_wrapped(bind_text *text, const char *line);

/** Append bytes as they are, without indentation. */
void bind_raw(bind_text *text, const char *bytes, size_t size);

void bind_text_free(bind_text *text);

/** A lasting copy of a printf-like text, freed when the command ends. */
char *bind_string(const char *format, ...) BIND_PRINTF(1, 2);
char *bind_string_list(const char *format, va_list list);

/** The text as a lasting string; the text itself is freed. */
char *bind_keep(bind_text *text);

/** "list, item" for the separator ", "; the other one where one is empty. */
const char *bind_join(const char *list, const char *separator, const char *item);

/** Lasting zeroed memory, freed when the command ends. */
void *bind_alloc(size_t count, size_t size);

/** Room for one item more than count: the array itself, or a lasting copy of twice its capacity, which is updated. */
void *bind_grow(void *items, int count, int *capacity, size_t size);

void bind_free_all(void);

/** Print "dlferry-bind: ..." on stderr. */
void bind_error(const char *format, ...) BIND_PRINTF(1, 2);

#endif
