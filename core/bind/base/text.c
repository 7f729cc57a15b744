/* SPDX-License-Identifier: Apache-2.0 */
/* Lasting memory, messages, and text that grows. */
#include "text.h"
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory: blocks in a list, freed together; small pieces share one ---- */

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_SHARED 0 /* so that the sanitizer sees the end of each piece */
#else
#define ARENA_SHARED ((size_t)1 << 20) /* calloc maps so much: zeros without a write */
#endif

typedef struct arena_block {
  struct arena_block *next;
  max_align_t bytes[];
} arena_block;

static arena_block *arena_blocks;
static char *arena_free; /* the rest of the block that is shared */
static size_t arena_left;

static void *text_must(void *memory) {
  if (memory) {
    return memory;
  }
  bind_error("out of memory");
  exit(2);
}

void *bind_alloc(size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 2 - sizeof(arena_block)) / size) {
    text_must(NULL);
  }
  const size_t wanted =
      (count * size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  const bool shares = wanted <= ARENA_SHARED / 8;
  if (!shares || arena_left == 0 || wanted > arena_left) { /* before the first block, NULL + 0 */
    arena_block *block =
        text_must(calloc(1, sizeof *block + (shares ? ARENA_SHARED : count * size)));
    block->next = arena_blocks;
    arena_blocks = block;
    if (!shares) {
      return block->bytes;
    }
    arena_free = (char *)block->bytes;
    arena_left = ARENA_SHARED;
  }
  char *piece = arena_free;
  arena_free += wanted;
  arena_left -= wanted;
  return piece;
}

void *bind_grow_full(void *items, int count, int *capacity, size_t size) {
  if (*capacity > INT_MAX / 2) {
    text_must(NULL);
  }
  if (*capacity) {
    *capacity = 2 * *capacity;
  } else {
    *capacity = 16;
  }
  void *more = bind_alloc((size_t)*capacity, size);
  if (count) {
    memcpy(more, items, (size_t)count * size);
  }
  return more;
}

/* Things with memory of their own, released before the blocks. */
typedef struct arena_owned {
  struct arena_owned *next;
  void *resource;
  void (*release)(void *resource);
} arena_owned;

static arena_owned *arena_resources;

void bind_own(void *resource, void (*release)(void *resource)) {
  arena_owned *owned = bind_alloc(1, sizeof *owned);
  *owned = (arena_owned){arena_resources, resource, release};
  arena_resources = owned;
}

/* The text that was formatted last: its memory serves the next one. */
static bind_text text_formatted;

void bind_free_all(void) {
  for (arena_owned *owned = arena_resources; owned; owned = owned->next) {
    owned->release(owned->resource);
  }
  arena_resources = NULL;
  while (arena_blocks) {
    arena_block *next = arena_blocks->next;
    free(arena_blocks);
    arena_blocks = next;
  }
  arena_left = 0;
  bind_text_free(&text_formatted);
}

/* ---- messages ---- */

static void text_put_number(bind_text *out, int number) {
  char digits[3 * sizeof number + 1];
  char *first = digits + sizeof digits;
  unsigned rest = (unsigned)number;
  if (number < 0) {
    rest = 0u - (unsigned)number;
  }
  do {
    *--first = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest);
  if (number < 0) {
    *--first = '-';
  }
  bind_raw(out, first, (size_t)(digits + sizeof digits - first));
}

/* Return the size of a text of which at most `most` bytes count; negative: all. */
static size_t text_size(const char *text, int most) {
  if (most < 0) {
    return strlen(text);
  }
  const char *end = memchr(text, 0, (size_t)most);
  if (end) {
    return (size_t)(end - text);
  }
  return (size_t)most;
}

/* Append a text whose format has only %s, %.*s, %d, %c and %%; false at the first other one. */
static bool text_put_plain(bind_text *out, const char *format, va_list list) {
  for (const char *mark; (mark = strchr(format, '%')); format = mark + 1) {
    bind_raw(out, format, (size_t)(mark - format));
    mark++;
    int most = -1;
    if (bind_begins(mark, ".*s")) {
      most = va_arg(list, int);
      mark += 2;
    }
    if (*mark == 's') {
      const char *text = va_arg(list, const char *);
      bind_raw(out, text, text_size(text, most));
    } else if (*mark == 'd') {
      text_put_number(out, va_arg(list, int));
    } else if (*mark == 'c') {
      const char character = (char)va_arg(list, int);
      bind_raw(out, &character, 1);
    } else if (*mark == '%') {
      bind_raw(out, mark, 1);
    } else {
      return false;
    }
  }
  bind_put_string(out, format);
  return true;
}

static void text_put_any(bind_text *out, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  const int size = vsnprintf(NULL, 0, format, list);
  if (size < 0) {
    text_must(NULL);
  }
  char *bytes = text_must(malloc((size_t)size + 1));
  vsnprintf(bytes, (size_t)size + 1, format, again);
  va_end(again);
  bind_raw(out, bytes, (size_t)size);
  free(bytes);
}

/* A large header asks for tens of thousands of texts, and nearly all formats are plain: printf
 * takes five times as long. */
static const bind_text *text_format(const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  text_formatted.length = 0;
  if (!text_put_plain(&text_formatted, format, list)) {
    text_formatted.length = 0;
    text_put_any(&text_formatted, format, again);
  }
  va_end(again);
  return &text_formatted;
}

static bool text_hushed;
static bind_text *text_messages;

bool bind_hush(bool hushed) {
  const bool before = text_hushed;
  text_hushed = hushed;
  return before;
}

void bind_collect(bind_text *messages) {
  text_messages = messages;
}

void bind_error(const char *format, ...) {
  va_list list;
  if (text_hushed) {
    return;
  }
  va_start(list, format);
  const bind_text *made = text_format(format, list);
  va_end(list);
  if (text_messages) {
    bind_raw(text_messages, made->data, made->length);
    bind_raw(text_messages, "\n", 1);
    return;
  }
  fprintf(stderr,
          "dlferry-bind: %s\n",
          made->data); /* once: stderr has no buffer, and a header may have thousands */
}

/* ---- text ---- */

void bind_wrapped(bind_text *t, const char *line) {
  const int depth = t->depth;
  for (bool quoted = false;; t->depth = depth + 2, quoted = false) {
    const int width = 120 - t->depth * (int)strlen(bind_or(t->unit, "  "));
    int end = 0;
    for (int i = 0; line[i] && i < width; i++) {
      if (line[i] == '"' && (!i || line[i - 1] != '\\')) {
        quoted = !quoted;
      }
      if (!quoted && line[i] == ',' && line[i + 1] == ' ') {
        end = i + 1;
      }
    }
    if (!end || memchr(line, 0, (size_t)width + 1)) {
      break;
    }
    bind_line(t, "%.*s", end, line);
    line += end + 1;
  }
  bind_line(t, "%s", line);
  t->depth = depth;
}

void bind_raw(bind_text *text, const char *bytes, size_t size) {
  if (size > SIZE_MAX / 4 - text->length) {
    text_must(NULL);
  }
  if (text->length + size + 1 > text->capacity) {
    text->capacity = 2 * (text->length + size + 64);
    text->data = text_must(realloc(text->data, text->capacity));
  }
  if (size) {
    memcpy(text->data + text->length, bytes, size);
  }
  text->length += size;
  text->data[text->length] = 0;
}

void bind_put_string(bind_text *text, const char *string) {
  bind_raw(text, string, strlen(string));
}

void bind_put_embedded(bind_text *text, const char *const *lines) {
  for (; *lines; lines++) {
    bind_put_string(text, *lines);
  }
}

bool bind_read_file(bind_text *text, const char *path) {
  char buffer[1 << 16]; /* headers and packages of large libraries have megabytes */
  size_t got;
  errno = 0;
  FILE *file = fopen(path, "rb");
  if (!file) {
    return false;
  }
  while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) {
    bind_raw(text, buffer, got);
  }
  const bool whole = !ferror(file);
  const int why = errno;
  fclose(file);
  errno = why;
  return whole;
}

bool bind_begins(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

void bind_append(bind_text *list, const char *separator, const char *item) {
  if (list->length) {
    bind_put_string(list, separator);
  }
  bind_put_string(list, item);
}

/* Indent at the first character of a line, so that empty lines stay empty. */
void bind_put_bytes(bind_text *text, const char *bytes, size_t size) {
  const char *unit = "  ";
  if (text->unit) {
    unit = text->unit;
  }
  for (const char *end = bytes + size; bytes < end;) {
    const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
    const size_t span = (size_t)((newline ? newline + 1 : end) - bytes);
    if (newline != bytes && (text->length == 0 || text->data[text->length - 1] == '\n')) {
      for (int i = 0; i < text->depth; i++) {
        bind_put_string(text, unit);
      }
    }
    bind_raw(text, bytes, span);
    bytes += span;
  }
}

void bind_add(bind_text *text, const char *more) {
  bind_put_bytes(text, more, strlen(more));
}

static void text_put_list(bind_text *text, const char *format, va_list list, const char *end) {
  const bind_text *made = text_format(format, list);
  bind_put_bytes(text, made->data, made->length);
  bind_add(text, end);
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
  if (text->depth) {
    text->depth--;
  }
  va_start(list, format);
  text_put_list(text, format, list, "\n");
  va_end(list);
}

void bind_text_free(bind_text *text) {
  free(text->data);
  *text = (bind_text){0};
}

bool bind_print(bind_text *text, FILE *file) {
  const bool written =
      fwrite(text->data, 1, text->length, file) == text->length && fflush(file) == 0;
  bind_text_free(text);
  return written;
}

char *bind_string_list(const char *format, va_list list) {
  const bind_text *made = text_format(format, list);
  return memcpy(bind_alloc(made->length + 1, 1), made->data, made->length + 1);
}

char *bind_string(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *lasting = bind_string_list(format, list);
  va_end(list);
  return lasting;
}

char *bind_sized(const char *text, size_t size) {
  const size_t length = text_size(text, (int)size);
  char *lasting = bind_alloc(length + 1, 1);
  return memcpy(lasting, text, length);
}

const char *bind_number(int64_t number) {
  return bind_string("%lld", (long long)number);
}

const char *bind_one_line(const char *text) {
  char *line = bind_string("%s", text);
  for (char *c = line; (c = strchr(c, '\n'));) {
    *c = ' ';
  }
  return line;
}

const char *bind_concat(const char *first, const char *second, const char *third) {
  const size_t sizes[] = {strlen(first), strlen(second), strlen(third)};
  char *lasting = bind_alloc(sizes[0] + sizes[1] + sizes[2] + 1, 1);
  memcpy(lasting, first, sizes[0]);
  memcpy(lasting + sizes[0], second, sizes[1]);
  memcpy(lasting + sizes[0] + sizes[1], third, sizes[2]);
  return lasting;
}

char *bind_keep(bind_text *text) {
  size_t size = 0;
  if (text->data) {
    size = strlen(text->data);
  }
  char *lasting = bind_alloc(size + 1, 1);
  if (size) {
    memcpy(lasting, text->data, size);
  }
  bind_text_free(text);
  return lasting;
}

const char *bind_join(const char *list, const char *separator, const char *item) {
  if (!*list) {
    return item;
  }
  if (!*item) {
    return list;
  }
  return bind_concat(list, separator, item);
}
