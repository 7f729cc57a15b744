/* SPDX-License-Identifier: Apache-2.0 */
/* Names: change their case, keep them apart from keywords, find those that clash. */
#include "names.h"
#include <string.h>

/* A word begins after '_', and where a capital follows a small letter or digit or precedes a small
 * letter. */
static bool name_begins_word(const char *name, size_t i) {
  if (i == 0 || name[i - 1] == '_') {
    return name[i] != '_';
  }
  if (!bind_is_upper(name[i])) {
    return false;
  }
  return bind_is_lower(name[i - 1]) || bind_is_digit(name[i - 1]) ||
         (bind_is_upper(name[i - 1]) && bind_is_lower(name[i + 1]));
}

static const char *name_recase(const char *name, bool separate, char (*first)(char),
                               char (*rest)(char)) {
  size_t size = strlen(name);
  size_t length = 0;
  char *out = bind_alloc(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++) {
    if (name[i] == '_' && !(i == 0 && separate)) {
      continue;
    }
    bool begins = name_begins_word(name, i);
    if (begins && separate && length) {
      out[length++] = '_';
    }
    out[length++] = begins ? first(name[i]) : rest(name[i]);
  }
  return out;
}

const char *bind_snake(const char *name) {
  return name_recase(name, true, bind_to_lower, bind_to_lower);
}
const char *bind_pascal(const char *name) {
  return name_recase(name, false, bind_to_upper, bind_to_lower);
}
const char *bind_upper(const char *name) {
  return name_recase(name, true, bind_to_upper, bind_to_upper);
}

bool bind_in_name(char c) {
  return bind_is_lower(c) || bind_is_upper(c) || bind_is_digit(c) || c == '_';
}

size_t bind_name_size(const char *text) {
  size_t size = 0;
  while (bind_in_name(text[size])) {
    size++;
  }
  return size;
}

bool bind_mentions(const char *text, const char *name) {
  const size_t size = strlen(name);
  for (const char *at = text; size && (at = strstr(at, name)); at += size) {
    if ((at == text || !bind_in_name(at[-1])) && !bind_in_name(at[size])) {
      return true;
    }
  }
  return false;
}

bool bind_ends_with(const char *word, const char *words) {
  const size_t length = strlen(word);
  for (size_t size; *words; words += size + (words[size] == ' ')) {
    size = strcspn(words, " ");
    if (size <= length && strncmp(word + length - size, words, size) == 0) {
      return true;
    }
  }
  return false;
}

bool bind_word_in(const char *word, const char *words) {
  if (!*words) {
    return false;
  }
  size_t size = strlen(word);
  for (const char *at = words; size && (at = strstr(at, word)); at += size) {
    if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0)) {
      return true;
    }
  }
  return false;
}

int bind_by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Tell whether a word of a name, between '_', suits a list. */
static bool name_has(const char *name, bool (*suits)(const char *, const char *),
                     const char *words) {
  for (const char *word = name, *next; *word; word = next) {
    const size_t size = strcspn(word, "_");
    next = word + size + (word[size] == '_');
    if (suits(bind_sized(word, size), words)) {
      return true;
    }
  }
  return false;
}

bool bind_has_word(const char *name, const char *words) {
  return name_has(name, bind_word_in, words);
}
bool bind_has_ending(const char *name, const char *words) {
  return name_has(name, bind_ends_with, words);
}

const char *bind_escape(const char *name, const char *words) {
  if (bind_word_in(name, words)) {
    return bind_string("%s_", name);
  }
  return name;
}

/* Return the slot of a name, or the empty slot where it belongs. */
static int *name_slot(const bind_index *index, const char *name, size_t size) {
  const size_t count = 2 * (size_t)index->capacity;
  uint64_t hash = 0xCBF29CE484222325u;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ (unsigned char)name[i]) * 0x100000001B3u;
  }
  for (size_t i = (size_t)(hash % count);; i = (i + 1) % count) {
    int *slot = &index->slots[i];
    const char *taken = "";
    if (*slot) {
      taken = index->names[*slot - 1];
    }
    if (!*slot || (strncmp(taken, name, size) == 0 && !taken[size])) {
      return slot;
    }
  }
}

int bind_find_place(const bind_index *index, const char *name) {
  return bind_find_sized(index, name, strlen(name));
}

void *bind_find_item(const bind_index *index, const char *name, void *items, size_t size) {
  const int place = bind_find_place(index, name);
  if (place < 0) {
    return NULL;
  }
  return (char *)items + (size_t)place * size;
}

int bind_find_sized(const bind_index *index, const char *name, size_t size) {
  int slot = 0;
  if (index->capacity) {
    slot = *name_slot(index, name, size);
  }
  if (slot) {
    return index->places[slot - 1];
  }
  return -1;
}

static void name_widen(bind_index *index) {
  const bind_index old = *index;
  index->capacity = 2 * old.capacity + 16;
  index->names = bind_alloc((size_t)index->capacity, sizeof *index->names);
  index->places = bind_alloc((size_t)index->capacity, sizeof *index->places);
  index->slots = bind_alloc((size_t)index->capacity, 2 * sizeof *index->slots);
  index->count = 0;
  for (int i = 0; i < old.count; i++) {
    bind_add_place(index, old.names[i], old.places[i]);
  }
}

void bind_add_place(bind_index *index, const char *name, int place) {
  if (index->count == index->capacity) {
    name_widen(index);
  }
  int *slot = name_slot(index, name, strlen(name));
  if (*slot) {
    return;
  }
  index->names[index->count] = name;
  index->places[index->count] = place;
  *slot = ++index->count;
}

const char *bind_find_name(const bind_names *set, const char *name) {
  const int place = bind_find_place(&set->index, name);
  if (place < 0) {
    return NULL;
  }
  return set->from[place];
}

void bind_take_name(bind_names *set, const char *name, const char *from) {
  const int place = set->index.count;
  set->from = bind_grow(set->from, place, &set->capacity, sizeof *set->from);
  set->from[place] = from;
  bind_add_place(&set->index, name, place);
}

static void name_note_clash(bind_names *set, const char *owner, const char *from,
                            const char *name) {
  set->clash =
      bind_string("%s and %s would both be called %s in %s", owner, from, name, set->language);
}

void bind_add_name(bind_names *set, const char *name, const char *from) {
  const char *owner = bind_find_name(set, name);
  if (!owner) {
    bind_take_name(set, name, from);
  } else if (!set->clash) {
    name_note_clash(set, owner, from, name);
  }
}

void bind_add_names(bind_names *set, bind_names *more) {
  for (int i = 0; i < more->index.count && !more->clash; i++) {
    const char *name = more->index.names[i];
    const char *owner = bind_find_name(set, name);
    if (owner) {
      name_note_clash(more, owner, more->from[i], name);
    }
  }
  for (int i = 0; i < more->index.count && !more->clash; i++) {
    bind_take_name(set, more->index.names[i], more->from[i]);
  }
}
