/* SPDX-License-Identifier: Apache-2.0 */
/* Text that grows, lasting memory and messages. Running out of memory ends the command, so nothing
 * here returns NULL. */
#ifndef DLFERRY_BIND_BASE_TEXT_H
#define DLFERRY_BIND_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if defined(__MINGW32__) && !defined(__clang__) /* there, printf means msvcrt's formats */
#define BIND_PRINTF(string, first) __attribute__((format(gnu_printf, string, first)))
#elif defined(__GNUC__)
#define BIND_PRINTF(string, first) __attribute__((format(printf, string, first)))
#else
#define BIND_PRINTF(string, first)
#endif

/** A text that grows; {0} is empty, with indentation by two spaces. */
typedef struct bind_text {
  char *data; /**< NUL at the end; NULL while empty */
  size_t length, capacity;
  int depth;        /**< current depth of indentation */
  const char *unit; /**< of indentation; NULL means two spaces */
} bind_text;

/** Append a printf-like text. Every line that begins here is indented, unless it stays empty. */
void bind_put(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Append a text and end the line. */
void bind_line(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Append a line and indent the next ones: bind_open(t, "{") ... bind_close(t, "}"). */
void bind_open(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Go back one depth, then append a line. */
void bind_close(bind_text *text, const char *format, ...) BIND_PRINTF(2, 3);

/** Append a text in the same way. */
void bind_add(bind_text *text, const char *more);

/** Append a line, broken after commas before column 120; the continuation is indented by two more.
 */
void bind_wrapped(bind_text *text, const char *line);

/** Append bytes, indented like a printf-like text. */
void bind_put_bytes(bind_text *text, const char *bytes, size_t size);

/** Append bytes without indentation. */
void bind_raw(bind_text *text, const char *bytes, size_t size);
/** The same of a string. */
void bind_put_string(bind_text *text, const char *string);
/** The same of the lines of an embedded file, which NULL ends. */
void bind_put_embedded(bind_text *text, const char *const *lines);

/** Append a file without indentation; false, with errno or 0 in it, if it cannot be read to its
 * end. */
bool bind_read_file(bind_text *text, const char *path);

/** Append an item of a list, after a separator if there is one before. Joining strings would copy
 * the list each time. */
void bind_append(bind_text *list, const char *separator, const char *item);

void bind_text_free(bind_text *text);

/** Write the text to a file at once and free it; false if that fails. */
bool bind_print(bind_text *text, FILE *file);

/** Tell whether a character is a letter or a digit of ASCII; <ctype.h> follows the locale. */
static inline bool bind_is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
static inline bool bind_is_lower(char c) {
  return c >= 'a' && c <= 'z';
}
static inline bool bind_is_digit(char c) {
  return c >= '0' && c <= '9';
}

/** Return a letter as a small or a capital one; another character stays as it is. */
static inline char bind_to_lower(char c) {
  if (bind_is_upper(c)) {
    return (char)(c - 'A' + 'a');
  }
  return c;
}
static inline char bind_to_upper(char c) {
  if (bind_is_lower(c)) {
    return (char)(c - 'a' + 'A');
  }
  return c;
}

/** Tell whether a text begins with another one. */
bool bind_begins(const char *text, const char *start);

/** Return the text if it is wanted, else no text. It exists either way. */
static inline const char *bind_when(bool wanted, const char *text) {
  if (wanted) {
    return text;
  }
  return "";
}

/** Return "true" or "false", as C, Rust, Go and Julia write them. */
static inline const char *bind_truth(bool value) {
  if (value) {
    return "true";
  }
  return "false";
}

/** Return the text, or the other one where it is NULL. */
static inline const char *bind_or(const char *text, const char *fallback) {
  if (text) {
    return text;
  }
  return fallback;
}

/** Return the text, or the other one where it is empty. */
static inline const char *bind_said_or(const char *text, const char *fallback) {
  if (*text) {
    return text;
  }
  return fallback;
}

/** Return a printf-like text as a lasting string, freed at the end of the command. */
char *bind_string(const char *format, ...) BIND_PRINTF(1, 2);
char *bind_string_list(const char *format, va_list list);

/** Return so many bytes of a text, or fewer if it ends before, as a lasting string. */
char *bind_sized(const char *text, size_t size);

/** Return a number as a lasting string. */
const char *bind_number(int64_t number);

/** Return a text with a blank for each newline. */
const char *bind_one_line(const char *text);

/** Return three texts as one lasting string. A large header asks for many, and printf is slow. */
const char *bind_concat(const char *first, const char *second, const char *third);

/** Return the text as a lasting string and free the text. */
char *bind_keep(bind_text *text);

/** Return "list, item" for the separator ", "; if one is empty, the other. */
const char *bind_join(const char *list, const char *separator, const char *item);

/** Return zeroed memory, freed at the end of the command. */
void *bind_alloc(size_t count, size_t size);

/** Return such memory for so many items and one more, which may end a list. */
static inline void *bind_items(int count, size_t size) {
  return bind_alloc((size_t)count + 1, size);
}

/** Release a resource with memory of its own at the end of the command. */
void bind_own(void *resource, void (*release)(void *resource));

/** Return a copy of an array of count items with twice its capacity, which is updated. */
void *bind_grow_full(void *items, int count, int *capacity, size_t size);

/** Return an array with room for count + 1 items: the same one, or a copy with more room. Inlined
 * for each token. */
static inline void *bind_grow(void *items, int count, int *capacity, size_t size) {
  if (count < *capacity) {
    return items;
  }
  return bind_grow_full(items, count, capacity, size);
}

/** Add an item to an array in lasting memory, given its count and its capacity. */
#define BIND_ADD(items, count, capacity, ...)                                                      \
  ((items) = bind_grow((items), (count), &(capacity), sizeof *(items)),                            \
   (items)[(count)++] = (__VA_ARGS__))

/** Visit each item of an array. An empty one may be NULL, and NULL + 0 is undefined before C2y. */
#define BIND_EACH(type, item, items, count)                                                        \
  for (type *item = (items); item != NULL && item < (items) + (count); item++)

/** Visit a pointer to each string of an array that is declared here. */
#define BIND_EACH_STRING(item, strings)                                                            \
  BIND_EACH (const char *const, item, strings, sizeof(strings) / sizeof *(strings))

void bind_free_all(void);

/** Leave out what bind_error would print, until it is said again. Returns what was said before. */
bool bind_hush(bool hushed);

/** Put what bind_error would print into a text instead, a message a line; NULL prints it again. */
void bind_collect(bind_text *messages);

/** Print "dlferry-bind: ..." on stderr. */
void bind_error(const char *format, ...) BIND_PRINTF(1, 2);

#endif
