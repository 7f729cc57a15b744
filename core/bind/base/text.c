/* SPDX-License-Identifier: Apache-2.0 */
/* Lasting memory, messages, and text that grows. */
#include "text.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory: blocks in a list, freed together ---- */

typedef struct arena_block {
  struct arena_block *next;
  max_align_t bytes[];
} arena_block;

static arena_block *arena_blocks;

static void *text_must(void *memory) {
  if (memory) return memory;
  bind_error("out of memory");
  exit(2);
}

void *bind_alloc(size_t count, size_t size) {
  if (size && count > (SIZE_MAX - sizeof(arena_block)) / size) text_must(NULL);
  arena_block *block = text_must(calloc(1, sizeof *block + count * size));
  block->next = arena_blocks;
  arena_blocks = block;
  return block->bytes;
}

void *bind_grow(void *items, int count, int *capacity, size_t size) {
  if (count < *capacity) return items;
  if (*capacity > INT_MAX / 2) text_must(NULL);
  *capacity = *capacity ? 2 * *capacity : 16;
  void *more = bind_alloc((size_t)*capacity, size);
  if (count) memcpy(more, items, (size_t)count * size);
  return more;
}

void bind_free_all(void) {
  while (arena_blocks) {
    arena_block *next = arena_blocks->next;
    free(arena_blocks);
    arena_blocks = next;
  }
}

void bind_error(const char *format, ...) {
  va_list list;
  va_start(list, format);
  fputs("dlferry-bind: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
}

/* ---- text ---- */

void bind_wrapped(bind_text *t, const char *line) {
  const int depth = t->depth;
  for (bool quoted = false;; t->depth = depth + 2, quoted = false) {
    const int width = 120 - t->depth * (int)strlen(t->unit ? t->unit : "  ");
    int end = 0;
    for (int i = 0; line[i] && i < width; i++) {
      if (line[i] == '"' && (!i || line[i - 1] != '\\')) quoted = !quoted;
      if (!quoted && line[i] == ',' && line[i + 1] == ' ') end = i + 1;
    }
    if (!end || strlen(line) <= (size_t)width) break;
    bind_line(t, "%.*s", end, line);
    line += end + 1;
  }
  bind_line(t, "%s", line);
  t->depth = depth;
}

void bind_raw(bind_text *text, const char *bytes, size_t size) {
  if (size > SIZE_MAX / 4 - text->length) text_must(NULL);
  if (text->length + size + 1 > text->capacity) {
    text->capacity = 2 * (text->length + size + 64);
    text->data = text_must(realloc(text->data, text->capacity));
  }
  if (size) memcpy(text->data + text->length, bytes, size);
  text->length += size;
  text->data[text->length] = 0;
}

/* Indent at the first character of a line, so that empty lines stay empty. */
static void text_put_bytes(bind_text *text, const char *bytes) {
  const char *unit = text->unit ? text->unit : "  ";
  while (*bytes) {
    size_t span = strcspn(bytes, "\n");
    if (span && (text->length == 0 || text->data[text->length - 1] == '\n'))
      for (int i = 0; i < text->depth; i++) bind_raw(text, unit, strlen(unit));
    if (bytes[span]) span++;
    bind_raw(text, bytes, span);
    bytes += span;
  }
}

static char *text_format(const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int size = vsnprintf(NULL, 0, format, list);
  char *bytes = text_must(size < 0 ? NULL : malloc((size_t)size + 1));
  vsnprintf(bytes, (size_t)size + 1, format, again);
  va_end(again);
  return bytes;
}

static void text_put_list(bind_text *text, const char *format, va_list list, const char *end) {
  char *bytes = text_format(format, list);
  text_put_bytes(text, bytes);
  text_put_bytes(text, end);
  free(bytes);
}

void bind_put(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "");
  va_end(list);
}

void bind_line(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
}

void bind_open(bind_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
  text->depth++;
}

void bind_close(bind_text *text, const char *format, ...) {
  va_list list;
  if (text->depth) text->depth--;
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
}

void bind_text_free(bind_text *text) {
  free(text->data);
  *text = (bind_text){0};
}

char *bind_string_list(const char *format, va_list list) {
  char *bytes = text_format(format, list);
  size_t size = strlen(bytes) + 1;
  char *lasting = memcpy(bind_alloc(size, 1), bytes, size);
  free(bytes);
  return lasting;
}

char *bind_string(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *lasting = bind_string_list(format, list);
  va_end(list);
  return lasting;
}

char *bind_keep(bind_text *text) {
  char *lasting = bind_string("%s", text->data ? text->data : "");
  bind_text_free(text);
  return lasting;
}

const char *bind_join(const char *list, const char *separator, const char *item) {
  return !*list ? item : *item ? bind_string("%s%s%s", list, separator, item) : list;
}
