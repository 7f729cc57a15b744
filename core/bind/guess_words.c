/* SPDX-License-Identifier: Apache-2.0 */
#include "guess_words.h"
#include "bind/base/names.h"
#include "bind/base/text.h"
#include <string.h>

const char *guess_last(const char *name) {
  const char *snake = bind_snake(name);
  const char *last = strrchr(snake, '_');
  if (last) {
    return last + 1;
  }
  return snake;
}

const char *guess_stem(const char *name) {
  char *stem = bind_string("%s", bind_snake(name));
  size_t size = strlen(stem);
  while (size > 1 && (bind_is_digit(stem[size - 1]) || stem[size - 1] == '_')) {
    size--;
  }
  stem[size] = 0;
  return stem;
}

/* ---- comments ---- */

static bool guess_is_letter(char c) {
  return bind_is_lower(bind_to_lower(c)) || c == '_';
}

static bool guess_begins_word(const char *text, const char *word, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (bind_to_lower(text[i]) != word[i]) {
      return false;
    }
  }
  return !guess_is_letter(text[size]) || !guess_is_letter(word[size - 1]);
}

bool guess_says(const char *text, const char *words) {
  for (const char *word = words; *word;) {
    const size_t size = strcspn(word, "|");
    for (const char *at = text; *at; at++) {
      if ((at == text || !guess_is_letter(at[-1]) || !guess_is_letter(*word)) &&
          guess_begins_word(at, word, size)) {
        return true;
      }
    }
    word += size + (word[size] == '|');
  }
  return false;
}

const char *guess_comment(const bind_param *p) {
  return bind_join(p->doc, " ", bind_or(p->note, ""));
}

/* Tell whether a number is a term or a factor at this place of a comment: n+1, 4n, n-by-n. An index
 * runs to n-1, as in "0..n-1", which is no other length. */
static bool guess_is_term(const char *text, const char *at, size_t size) {
  const char *next = at + size + strspn(at + size, " ");
  const char *last = at;
  while (last > text && last[-1] == ' ') {
    last--;
  }
  char before = ' ';
  if (last > text) {
    before = last[-1];
  }
  if (strchr("*+", before) || (last == at && bind_is_digit(before))) {
    return true;
  }
  if (*next == '-' && next == at + size) {
    return !strchr(".:o", before) && bind_in_name(next[1]);
  }
  if (strchr("+*/", *next)) {
    return *next != 0;
  }
  return guess_says(bind_string("%.3s", next), "by|x") && next > at + size;
}

/* "size nz" and "size: 4" are other lengths, "size in bytes" is prose. */
static bool guess_is_other_size(const char *said, const char *length) {
  static const char prose[] =
      "of is are in and or the a an must should may can will at for to as given by with that this "
      "which specified required needed available allocated matches equals bytes elements";
  said += strspn(said, " :=[(");
  if (bind_begins(said, "is ")) {
    said += 3;
  }
  const size_t size = bind_name_size(said);
  const char *word = bind_sized(said, size);
  return size && strcmp(word, length) != 0 && !bind_word_in(word, prose);
}

bool guess_denies_length(const char *comment, const char *length) {
  static const char *const sizes[] = {"size", "length", "dimension"};
  const size_t length_size = strlen(length);
  for (const char *word = comment; *word;) {
    const size_t size = bind_name_size(word);
    if (size >= length_size && strncmp(word + size - length_size, length, length_size) == 0 &&
        strspn(word, "0123456789") == size - length_size &&
        guess_is_term(comment, word + size - length_size, length_size)) {
      return true;
    }
    BIND_EACH_STRING (known, sizes) {
      if (size == strlen(*known) && guess_begins_word(word, *known, size) &&
          guess_is_other_size(word + size, length)) {
        return true;
      }
    }
    word += size + (word[size] != 0);
  }
  return false;
}

bool guess_is_shaped(const char *comment) {
  return guess_says(
      comment,
      "interleaved|channel|channels|matrix|matrices|frame|frames|pixel|pixels|row|rows|column|"
      "columns|stride|square|packed|times|multiple|2-d|2d|dimension|dimensions|per|optional|"
      "at least|twice|plus|coordinate|coordinates|point|points|vertex|vertices|pair|pairs|"
      "tuple|tuples|triple|triples|triplet|triplets");
}

/* ---- names ---- */

/* Return a name in small letters without '_'; shorter: also without a word such as buf at its end,
 * "src" for src_buf. */
static const char *guess_bare(const char *name, bool shorter) {
  static const char *const ends[] = {"buffer", "buf", "data", "ptr", "s"};
  const char *snake = bind_snake(name);
  char *bare = bind_alloc(strlen(snake) + 1, 1);
  size_t size = 0;
  for (; *snake; snake++) {
    if (*snake != '_') {
      bare[size++] = *snake;
    }
  }
  for (size_t i = 0; shorter && i < sizeof ends / sizeof *ends; i++) {
    const size_t end = strlen(ends[i]);
    if (size <= end || strcmp(bare + size - end, ends[i]) != 0) {
      continue;
    }
    bare[size - end] = 0;
    break;
  }
  return bare;
}

static const char *guess_affix(const char *length, const char *pointer) {
  static const char after[] = "len length size count num n bytes nbytes elements";
  static const char before[] = "n num len lenof count sizeof numof";
  const size_t all = strlen(length);
  const size_t size = strlen(pointer);
  if (!size || all <= size) {
    return NULL;
  }
  if (strncmp(length, pointer, size) == 0 && bind_word_in(length + size, after)) {
    return length + size;
  }
  const char *word = bind_sized(length, all - size);
  if (size > 1 && strcmp(length + all - size, pointer) == 0 && bind_word_in(word, before)) {
    return word;
  }
  return NULL;
}

const char *guess_named_after(const char *length, const char *pointer) {
  const char *bare = guess_bare(length, false);
  const char *word = guess_affix(bare, guess_bare(pointer, false));
  if (!word && strcmp(bare, "lenc") == 0 && strcmp(pointer, "c") == 0) {
    word = "len";
  }
  if (word) {
    return word;
  }
  return guess_affix(bare, guess_bare(pointer, true));
}

bool guess_is_length(const char *name) {
  return bind_word_in(bind_snake(name),
                      "n len length count num size nelem nelems nelements n_elements num_elements "
                      "nmemb nitems n_items items nbytes n_bytes num_bytes bytes");
}

bool guess_may_be_length(const char *name) {
  const char *snake = bind_snake(name);
  const char *last = guess_last(name);
  if (guess_is_length(guess_stem(name)) || bind_begins(snake, "n_") || bind_begins(snake, "num_")) {
    return true;
  }
  return bind_word_in(
      last,
      "n len length count num size bytes nbytes nbyte frames samples items elements elems "
      "capacity max maximum limit rows cols columns nlen namelen");
}

bool guess_is_own(const char *name) {
  return bind_has_word(bind_snake(name),
                       "user userdata ctx context opaque cookie closure priv private arg args "
                       "client callback");
}

bool guess_is_row(const char *name) {
  return !guess_is_own(name) &&
         bind_word_in(guess_last(guess_stem(name)),
                      "data buf buffer bytes src source dst dest in out input output x y xs ys "
                      "values vals vec vector v "
                      "array arr items indices ids result results res list msg message digest");
}

bool guess_is_sparse(const char *name) {
  if (bind_is_upper(name[0]) && name[1] && !name[2] && strchr("pijxz", name[1])) {
    return true;
  }
  return bind_word_in(guess_last(guess_stem(name)),
                      "ptr indptr rowptr colptr rowp colp rowind colind offsets starts");
}

bool guess_is_place(const char *name) {
  const char *snake = bind_snake(name);
  const char *last = guess_last(guess_stem(name));
  if (bind_begins(snake, "is_") || bind_begins(snake, "has_")) {
    return true;
  }
  if (strcmp(last, "out") == 0) {
    return bind_begins(snake, "min_") || bind_begins(snake, "max_");
  }
  return bind_word_in(
      last,
      "major minor micro patch version width height rate min max depth index idx errorcode valid "
      "found exists count len length size num");
}
