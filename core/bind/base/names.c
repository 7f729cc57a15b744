/* SPDX-License-Identifier: Apache-2.0 */
/* Names: change their case, keep them apart from keywords, find those that clash. */
#include "names.h"
#include <string.h>

/* ASCII only: <ctype.h> follows the locale. */
static bool name_is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static bool name_is_lower(char c) { return c >= 'a' && c <= 'z'; }
static bool name_is_digit(char c) { return c >= '0' && c <= '9'; }
static char name_to_lower(char c) { return name_is_upper(c) ? (char)(c - 'A' + 'a') : c; }
static char name_to_upper(char c) { return name_is_lower(c) ? (char)(c - 'a' + 'A') : c; }

/* A word begins after '_', and where a capital follows a small letter or digit or precedes a small letter. */
static bool name_begins_word(const char *name, size_t i) {
  if (i == 0 || name[i - 1] == '_') return name[i] != '_';
  if (!name_is_upper(name[i])) return false;
  return name_is_lower(name[i - 1]) || name_is_digit(name[i - 1]) ||
         (name_is_upper(name[i - 1]) && name_is_lower(name[i + 1]));
}

static const char *name_recase(const char *name, bool separate, char (*first)(char), char (*rest)(char)) {
  size_t size = strlen(name), length = 0;
  char *out = bind_alloc(2 * size + 1, 1);
  for (size_t i = 0; i < size; i++) {
    if (name[i] == '_' && !(i == 0 && separate)) continue;
    bool begins = name_begins_word(name, i);
    if (begins && separate && length) out[length++] = '_';
    out[length++] = begins ? first(name[i]) : rest(name[i]);
  }
  return out;
}

const char *bind_snake(const char *name) { return name_recase(name, true, name_to_lower, name_to_lower); }
const char *bind_pascal(const char *name) { return name_recase(name, false, name_to_upper, name_to_lower); }
const char *bind_upper(const char *name) { return name_recase(name, true, name_to_upper, name_to_upper); }

bool bind_word_in(const char *word, const char *words) {
  size_t size = strlen(word);
  for (const char *at = words; size && (at = strstr(at, word)); at += size)
    if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0)) return true;
  return false;
}

const char *bind_escape(const char *name, const char *words) {
  return bind_word_in(name, words) ? bind_string("%s_", name) : name;
}

/* Return the slot of a name, or the empty slot where it belongs. */
static int *name_slot(const bind_names *set, const char *name) {
  const size_t count = 2 * (size_t)set->capacity;
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001B3u;
  for (size_t i = (size_t)(hash % count);; i = (i + 1) % count)
    if (!set->slots[i] || strcmp(set->names[set->slots[i] - 1], name) == 0) return &set->slots[i];
}

const char *bind_find_name(const bind_names *set, const char *name) {
  const int slot = set->capacity ? *name_slot(set, name) : 0;
  return slot ? set->from[slot - 1] : NULL;
}

void bind_take_name(bind_names *set, const char *name, const char *from) {
  if (set->count == set->capacity) {
    const bind_names old = *set;
    set->capacity = 2 * old.capacity + 16;
    set->names = bind_alloc((size_t)set->capacity, sizeof *set->names);
    set->from = bind_alloc((size_t)set->capacity, sizeof *set->from);
    set->slots = bind_alloc((size_t)set->capacity, 2 * sizeof *set->slots);
    set->count = 0;
    for (int i = 0; i < old.count; i++) bind_take_name(set, old.names[i], old.from[i]);
  }
  set->names[set->count] = name;
  set->from[set->count] = from;
  *name_slot(set, name) = ++set->count;
}

void bind_add_name(bind_names *set, const char *name, const char *from) {
  const char *other = bind_find_name(set, name);
  if (!other) {
    bind_take_name(set, name, from);
    return;
  }
  bind_error("%s and %s would both be called %s in %s", other, from, name, set->language);
  set->clash = true;
}
