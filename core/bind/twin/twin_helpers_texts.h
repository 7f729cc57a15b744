/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: texts that C gives. See twin_helpers.h; this is its fourth part. */
/* @section texts */
/* ---- texts that C gives ---- */

DLFERRY_HELPER dlf_status dlferry_no_room(const char *where, dlf_error *error) {
  return dlferry_fail(error, DLF_NO_MEMORY, "%s: expected memory for a text, got none", where);
}

/* Copy a text after a successful call; without one fail with the message, unless that is NULL. */
DLFERRY_HELPER dlf_status dlferry_take_text(dlf_status verdict, const char *missing,
                                            const char *text, const char *where, const char **out,
                                            dlf_error *error) {
  if (verdict) {
    return verdict;
  }
  if (!text) {
    return missing ? dlf_error_set(error, DLF_FOREIGN, missing) : DLF_OK;
  }
  const size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (!copy) {
    return dlferry_no_room(where, error);
  }
  memcpy(copy, text, size);
  *out = copy;
  return DLF_OK;
}

/* ---- memory that C fills with a text ---- */

enum { DLFERRY_FIRST_ROOM = 256, DLFERRY_MOST_CALLS = 4 };

/* The memory has one more byte, so that a NUL fits behind what C writes. */
typedef struct dlferry_buffer {
  char *text;
  size_t room;
  int calls;
} dlferry_buffer;

/* Why there is no memory for so many bytes; what is below zero came as a large number. */
DLFERRY_HELPER dlf_status dlferry_no_buffer(const char *where, uint64_t room, dlf_error *error) {
  if (room <= INT64_MAX) {
    return dlferry_no_room(where, error);
  }
  return dlferry_fail(error,
                      DLF_OVERFLOW,
                      "%s: expected a size of 0 bytes or more, got %lld",
                      where,
                      (long long)(int64_t)room);
}

/* Zeroes, since C may write nothing. */
DLFERRY_HELPER bool dlferry_open_buffer(dlferry_buffer *buffer, uint64_t room) {
  if (room < SIZE_MAX && room <= INT64_MAX) {
    buffer->text = calloc((size_t)room + 1, 1);
    buffer->room = (size_t)room;
  }
  return buffer->text != NULL;
}

/* Tell whether C must be called again, with the room that it asks for, and make it. C reports what
 * it needs, with or without the NUL, or less than zero by as much. */
DLFERRY_HELPER bool dlferry_grow(dlferry_buffer *buffer, bool below, uint64_t reported, bool failed,
                                 uint64_t most) {
  const uint64_t needed = below ? 0 - reported : reported;
  const bool told_exactly = below || failed;
  const bool fits = told_exactly ? needed <= buffer->room : needed < buffer->room;
  if (fits || needed >= most || ++buffer->calls == DLFERRY_MOST_CALLS) {
    return false;
  }
  free(buffer->text);
  buffer->text = NULL;
  return dlferry_open_buffer(buffer, needed + 1);
}

DLFERRY_HELPER dlf_status dlferry_close_buffer(dlf_status verdict, dlferry_buffer *buffer,
                                               const char **out) {
  if (verdict) {
    free(buffer->text);
  } else {
    *out = buffer->text;
  }
  buffer->text = NULL;
  return verdict;
}

/* C reports no length, so the text ends with a NUL. */
DLFERRY_HELPER dlf_status dlferry_take_filled(dlf_status verdict, dlferry_buffer *buffer,
                                              const char *where, const char **out,
                                              dlf_error *error) {
  if (!verdict && !memchr(buffer->text, 0, buffer->room)) {
    verdict = dlferry_fail(error,
                           DLF_FOREIGN,
                           "%s: kernel wrote %llu bytes without a NUL, expected text",
                           where,
                           (unsigned long long)buffer->room);
  }
  return dlferry_close_buffer(verdict, buffer, out);
}

/* The text ends where C says, or at a NUL before. */
DLFERRY_HELPER dlf_status dlferry_take_written(dlf_status verdict, dlferry_buffer *buffer,
                                               uint64_t written, const char *where,
                                               const char **out, dlf_error *error) {
  if (!verdict && !buffer->text) {
    verdict = dlferry_no_room(where, error);
  }
  if (!verdict) {
    buffer->text[written] = 0;
  }
  return dlferry_close_buffer(verdict, buffer, out);
}

/* @section gathered */
/* ---- lists of texts ---- */

/* Texts one behind another, each with its NUL, or numbers. */
typedef struct dlferry_texts {
  char *bytes;
  size_t size, room;
  int64_t count;
  int64_t missing; /* which one is NULL, from 1; 0 for none */
  bool lost;       /* there was no memory for one */
} dlferry_texts;

/* A text gets a NUL. */
DLFERRY_HELPER void dlferry_add_bytes(dlferry_texts *all, const void *from, size_t size,
                                      bool is_text) {
  all->count++;
  if (!from && !all->missing) {
    all->missing = all->count;
  }
  if (!from) {
    return;
  }
  if (size + is_text > all->room - all->size) {
    const size_t room = 2 * (all->size + size + is_text);
    char *bytes = NULL;
    if (room / 2 >= size && room < SIZE_MAX / 2) {
      bytes = realloc(all->bytes, room);
    }
    if (bytes) {
      all->bytes = bytes;
      all->room = room;
    }
    all->lost |= !bytes;
  }
  if (all->lost) {
    return;
  }
  memcpy(all->bytes + all->size, from, size);
  all->size += size;
  if (is_text) {
    all->bytes[all->size++] = 0;
  }
}

DLFERRY_HELPER void dlferry_add_text(dlferry_texts *all, const char *text) {
  size_t size = 0;
  if (text) {
    size = strlen(text);
  }
  dlferry_add_bytes(all, text, size, true);
}

/* A text of so many bytes, or up to a NUL before; a length below zero came as a large one. */
DLFERRY_HELPER void dlferry_add_sized(dlferry_texts *all, const char *text, uint64_t size) {
  const bool given = text && size <= INT64_MAX && size < SIZE_MAX;
  const char *end = NULL;
  if (given) {
    end = (const char *)memchr(text, 0, (size_t)size);
  }
  if (end) {
    size = (uint64_t)(end - text);
  }
  if (!given) {
    text = NULL;
  }
  if (size == 0) {
    text = "";
  }
  dlferry_add_bytes(all, text, (size_t)size, true);
}

/* One of what C gave is NULL. */
DLFERRY_HELPER dlf_status dlferry_no_item(dlf_status verdict, const dlferry_texts *all,
                                          const char *where, const char *wanted, dlf_error *error) {
  if (verdict || !all->missing) {
    return verdict;
  }
  return dlferry_fail(error,
                      DLF_FOREIGN,
                      "%s[%lld] (from 0): kernel gave NULL, expected %s",
                      where,
                      (long long)all->missing - 1,
                      wanted);
}

/* Numbers as a tensor, with `row` of them in each of its rows; 0 for one axis. */
DLFERRY_HELPER dlf_status dlferry_close_numbers(dlf_status verdict, dlferry_texts *all,
                                                const char *where, DLDataType dtype, int64_t row,
                                                DLManagedTensorVersioned **out, dlf_error *error) {
  dlf_prototype p = {.size = sizeof p, .dtype = dtype, .device = {kDLCPU, 0}, .ndim = row ? 2 : 1};
  p.shape[0] = all->count;
  p.shape[1] = row;
  p.strides[0] = row ? row : 1;
  p.strides[1] = 1;
  verdict = dlferry_no_item(verdict, all, where, "numbers", error);
  if (!verdict) {
    verdict = dlf_make(&p, out, error);
  }
  if (!verdict && all->size) {
    memcpy((*out)->dl_tensor.data, all->bytes, all->size);
  }
  free(all->bytes);
  *all = (dlferry_texts){0};
  return verdict;
}

/* Hand them over in one piece of memory, which begins with their addresses and a NULL. */
DLFERRY_HELPER dlf_status dlferry_close_texts(dlf_status verdict, dlferry_texts *all,
                                              const char *where, const char *const **out,
                                              dlf_error *error) {
  const size_t places = ((size_t)all->count + 1) * sizeof(char *);
  char *copy = NULL;
  verdict = dlferry_no_item(verdict, all, where, "text", error);
  const bool fits =
      (uint64_t)all->count < SIZE_MAX / sizeof(char *) && all->size < SIZE_MAX - places;
  if (!verdict && !all->lost && fits) {
    copy = malloc(places + all->size);
  }
  if (!verdict && !copy) {
    verdict = dlferry_no_room(where, error);
  }
  if (copy) {
    const char **list = (const char **)(void *)copy;
    const char *text = copy + places;
    if (all->size) {
      memcpy(copy + places, all->bytes, all->size);
    }
    for (int64_t i = 0; i < all->count; i++) {
      list[i] = text;
      text += strlen(text) + 1;
    }
    list[all->count] = NULL;
    *out = list;
  }
  free(all->bytes);
  *all = (dlferry_texts){0};
  return verdict;
}

/* Copy a list after a successful call: as many texts as C says, or up to a NULL. Without one fail
 * with the message, unless that is NULL. */
DLFERRY_HELPER dlf_status dlferry_take_texts(dlf_status verdict, const char *missing,
                                             const char *const *texts, bool counted, int64_t count,
                                             const char *where, const char *const **out,
                                             dlf_error *error) {
  dlferry_texts all = {0};
  if (!verdict && count < 0) {
    verdict = dlferry_fail(error,
                           DLF_FOREIGN,
                           "%s: kernel reported %lld texts, expected 0 or more",
                           where,
                           (long long)count);
  }
  if (!verdict && !texts && missing && !(counted && count == 0)) {
    verdict = dlf_error_set(error, DLF_FOREIGN, missing);
  }
  const bool fine = !verdict && texts;
  for (int64_t i = 0; fine && !all.lost && !all.missing; i++) {
    if (counted ? i == count : !texts[i]) {
      break;
    }
    dlferry_add_text(&all, texts[i]);
  }
  return dlferry_close_texts(verdict, &all, where, out, error);
}

/* @section structs */
/* A text of C's does not fit in the memory of its field. */
DLFERRY_HELPER dlf_status dlferry_long_field(const char *where, int room, dlf_status status,
                                             dlf_error *error) {
  if (status == DLF_INVALID) {
    return dlferry_no_end(where, room, status, error);
  }
  return dlferry_fail(
      error, status, "%s: expected a text of at most %d bytes, got a longer one", where, room - 1);
}

/* The text of a field for C, or NULL for an empty one where C takes that for none. */
DLFERRY_HELPER char *dlferry_field_text(const char *text, bool or_null) {
  if (or_null && !*text) {
    return NULL;
  }
  return (char *)(uintptr_t)text;
}

/* Copy a text of C's into the memory of a field; NULL is an empty one. One that is too long has no
 * NUL there. C may have left the field as it was. */
DLFERRY_HELPER void dlferry_fill_field(char *to, size_t room, const char *from) {
  const char *end = NULL;
  size_t size = 0;
  if (from) {
    end = (const char *)memchr(from, 0, room);
    size = end ? (size_t)(end - from) : room;
    memmove(to, from, size);
  }
  memset(to + size, 0, room - size);
}
