/* SPDX-License-Identifier: Apache-2.0 */
/* Dtypes and type variables of a contract. A word that looks like a dtype is never a variable:
 * otherwise `double` would mean every dtype, and a kernel of doubles would get bytes. */
#include "hub/dtype.h"
#include "reader.h"

#include <string.h>

/* Names of numbers in C, NumPy, torch, CUDA, Rust, Go and Julia that are not dtypes here, with the
 * dtype to write; a longer name comes before its prefix. */
static const struct {
  const char *word, *dtype;
} other_names[] = {
    {"unsigned long long", "u64"},
    {"unsigned long", "u64"},
    {"unsigned short", "u16"},
    {"unsigned char", "u8"},
    {"unsigned int", "u32"},
    {"unsigned", "u32"},
    {"signed long long", "i64"},
    {"signed long", "i64"},
    {"signed short", "i16"},
    {"signed char", "i8"},
    {"signed int", "i32"},
    {"signed", "i32"},
    {"long long", "i64"},
    {"long double", "f128"},
    {"long", "i64"},
    {"double", "f64"},
    {"float", "f32"},
    {"half", "f16"},
    {"int", "i32"},
    {"short", "i16"},
    {"char", "i8 or u8"},
    {"void", "any"},
    {"_Bool", "bool"},
    {"bool_", "bool"},
    {"boolean", "bool"},
    {"int8_t", "i8"},
    {"int16_t", "i16"},
    {"int32_t", "i32"},
    {"int64_t", "i64"},
    {"uint8_t", "u8"},
    {"uint16_t", "u16"},
    {"uint32_t", "u32"},
    {"uint64_t", "u64"},
    {"size_t", "u64"},
    {"ssize_t", "i64"},
    {"ptrdiff_t", "i64"},
    {"intptr_t", "i64"},
    {"uintptr_t", "u64"},
    {"intmax_t", "i64"},
    {"uintmax_t", "u64"},
    {"uchar", "u8"},
    {"ushort", "u16"},
    {"uint", "u32 or u64"},
    {"ulong", "u64"},
    {"ulonglong", "u64"},
    {"longlong", "i64"},
    {"float_t", "f32"},
    {"double_t", "f64"},
    {"float16_t", "f16"},
    {"float32_t", "f32"},
    {"float64_t", "f64"},
    {"bfloat16_t", "bf16"},
    {"_Float16", "f16"},
    {"_Float32", "f32"},
    {"_Float64", "f64"},
    {"_Complex", "c64 or c128"},
    {"complex", "c64 or c128"},
    {"byte", "u8 or i8"},
    {"ubyte", "u8"},
    {"single", "f32"},
    {"longdouble", "f128"},
    {"int_", "i64"},
    {"intc", "i32"},
    {"intp", "i64"},
    {"uintc", "u32"},
    {"uintp", "u64"},
    {"csingle", "c64"},
    {"cfloat", "c64"},
    {"cdouble", "c128"},
    {"ComplexF32", "c64"},
    {"ComplexF64", "c128"},
    {"isize", "i64"},
    {"usize", "u64"},
    {"rune", "i32"},
    {"fp16", "f16"},
    {"fp32", "f32"},
    {"fp64", "f64"},
    {"bfloat", "bf16"},
    {"bf", "bf16"},
    {"fp8", "f8_e4m3fn or f8_e5m2"},
    {"fp4", "f4_e2m1fn"},
};

/* Words to compare a misspelt word with, beside other_names and the dtypes of one width. */
static const char *const dtype_words[] = {
    "i8",      "i16",     "i32",      "i64",       "u8",        "u16",        "u32",    "u64",
    "f16",     "f32",     "f64",      "bf16",      "c32",       "c64",        "c128",   "int8",
    "int16",   "int32",   "int64",    "uint8",     "uint16",    "uint32",     "uint64", "float16",
    "float32", "float64", "bfloat16", "complex32", "complex64", "complex128", "f32_x2", "f32_x4"};

enum { LONGEST = 24 }; /* no name of a number is longer */

bool dlf__reads_dtype(const char *text, size_t size, DLDataType *out) {
  char word[DLF_NAME_CAPACITY];
  if (size >= sizeof word) {
    return false;
  }
  memcpy(word, text, size);
  word[size] = 0;
  return dlf_dtype_parse(word, out, NULL) == DLF_OK;
}

/* ---- the intended dtype of an unknown word ---- */

static char lower(char c) {
  if (c >= 'A' && c <= 'Z') {
    return (char)(c - 'A' + 'a');
  }
  return c;
}

static bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/* Letters to insert, drop, replace or swap with the next, ignoring case; more than LONGEST for long
 * words. A digit is never a typing error for a letter: In1 is not int. */
static int distance(const char *a, size_t a_size, const char *b) {
  int row[3][LONGEST + 1];
  const size_t b_size = strlen(b);
  if (a_size > LONGEST || b_size > LONGEST) {
    return LONGEST + 1;
  }
  for (size_t k = 0; k <= b_size; k++) {
    row[0][k] = (int)k;
  }
  for (size_t i = 1; i <= a_size; i++) {
    int *now = row[i % 3];
    int *above = row[(i + 2) % 3];
    int *before = row[(i + 1) % 3];
    now[0] = (int)i;
    for (size_t k = 1; k <= b_size; k++) {
      const char x = lower(a[i - 1]);
      const char y = lower(b[k - 1]);
      int change = 0; /* a digit is seldom meant as a letter */
      if (x != y) {
        change = is_digit(x) == is_digit(y) ? 1 : 2;
      }
      int least = above[k - 1] + change;
      if (above[k] + 1 < least) {
        least = above[k] + 1;
      }
      if (now[k - 1] + 1 < least) {
        least = now[k - 1] + 1;
      }
      if (i > 1 && k > 1 && x == lower(b[k - 2]) && lower(a[i - 2]) == y &&
          before[k - 2] + 1 < least) {
        least = before[k - 2] + 1;
      }
      now[k] = least;
    }
  }
  return row[a_size % 3][b_size];
}

/* The words of a name here, with any blanks between them. */
static bool begins_with_words(const char *at, const char *words) {
  for (; *words; words++, at++) {
    if (*words == ' ') {
      if (!strchr(" \t\r\n", *at) || !*at) {
        return false;
      }
      at += strspn(at, " \t\r\n") - 1;
    } else if (*at != *words) {
      return false;
    }
  }
  return !dlf__in_word(*at);
}

/* Number of changes that still make a misspelling; two only for long words. */
static int allowance(const char *text, size_t size, size_t meant) {
  const bool digits = memchr(text, '2', size) || memchr(text, '4', size) ||
                      memchr(text, '6', size) || memchr(text, '8', size);
  size_t shorter = size;
  if (meant < size) {
    shorter = meant;
  }
  if (shorter >= 7 || (shorter >= 5 && digits)) {
    return 2;
  }
  if (size >= 3) {
    return 1;
  }
  return 0;
}

typedef struct dtype_search {
  const char *text; /* the word, of size bytes */
  size_t size;
  int least;         /* its distance to the nearest word so far */
  const char *found; /* the dtype of that word */
} dtype_search;

static void compare_word(dtype_search *s, const char *word, const char *dtype) {
  if (strchr(word, ' ')) {
    return;
  }
  const int far = distance(s->text, s->size, word);
  if (far >= s->least || far > allowance(s->text, s->size, strlen(word))) {
    return;
  }
  if ((s->size <= 4 || far > 1) && lower(*word) != lower(*s->text)) {
    return; /* T16 is no misspelt f16, Out16 no int16 */
  }
  s->least = far;
  s->found = dtype;
}

/* Find the dtype that a word misspells; NULL for none. */
static const char *dtype_near(const char *text, size_t size) {
  dtype_search s = {text, size, LONGEST, NULL};
  for (size_t i = 0; i < sizeof dtype_words / sizeof *dtype_words; i++) {
    compare_word(&s, dtype_words[i], dtype_words[i]);
  }
  for (uint8_t code = 0; code < dlf__dtype_count; code++) {
    const dlf__dtype_row *row = &dlf__dtypes[code];
    if (!row->bits) {
      continue;
    }
    compare_word(&s, row->brief, row->brief);
    compare_word(&s, row->usual, row->brief);
  }
  for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
    compare_word(&s, other_names[i].word, other_names[i].dtype);
  }
  return s.found;
}

/* Find the dtype that a word means elsewhere, or, with *sure false, the one that it misspells; else
 * NULL. */
static const char *dtype_meant(const char *text, size_t size, char short_name[DLF_NAME_CAPACITY],
                               bool *sure) {
  DLDataType dtype;
  *sure = true;
  for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++) {
    if (begins_with_words(text, other_names[i].word)) {
      return other_names[i].dtype;
    }
  }
  *sure = false;
  const char *found = dtype_near(text, size);
  if (!found || dlf_dtype_parse(found, &dtype, NULL)) {
    return found;
  }
  dlf_dtype_format_short(dtype, short_name, DLF_NAME_CAPACITY);
  return short_name;
}

/* Fail with the dtype to write, if the word here looks like one. */
static bool refuses_lookalike(contract_reader *r, const char *text, size_t size) {
  char short_name[DLF_NAME_CAPACITY], expected[160];
  bool sure;
  const char *meant = NULL;
  if (size) {
    meant = dtype_meant(text, size, short_name, &sure);
  }
  if (!meant || r->status) {
    return false;
  }
  dlf__text out = dlf__text_in(expected, sizeof expected);
  dlf__put(&out, sure ? "expected the dtype %s" : "expected a dtype, did you mean %s", meant);
  r->at = text;
  dlf__wants(r, expected);
  return true;
}

bool dlf__wants_dtype(contract_reader *r, const char *expected) {
  const size_t size = dlf__word_here(r);
  DLDataType dtype; /* unused */
  if (!dlf__reads_dtype(r->at, size, &dtype) && refuses_lookalike(r, r->at, size)) {
    return false;
  }
  return dlf__wants(r, expected);
}

int32_t dlf__type_named(contract_reader *r, const char *text, size_t size) {
  dlf_contract *self = r->self;
  for (int32_t i = 0; i < self->type_count; i++) {
    if (dlf__word_is(text, size, self->types[i])) {
      return i;
    }
  }
  DLF__EACH (const dlf__symbol, named, self->symbols, self->symbol_count) {
    if (dlf__word_is(text, size, named->name)) {
      return dlf__wants(r, "expected another name than a symbol's"), -1;
    }
  }
  if (refuses_lookalike(r, text, size)) {
    return -1;
  }
  if (dlf__is_reserved(text, size) || dlf__parameter_named(self, text, size) >= 0) {
    return dlf__wants(r, "expected a dtype or a type variable"), -1;
  }
  if (self->type_count == DLF__MAX_TYPES) {
    return dlf__wants(r, "expected at most 32 type variables"), -1;
  }
  char *name = dlf__keep_text(r, text, size);
  if (!name) {
    return -1;
  }
  self->types[self->type_count] = name;
  return self->type_count++;
}

/* f32|f64 */
bool dlf__read_dtypes(contract_reader *r, DLDataType **out, int32_t *count) {
  DLDataType found[32];
  int32_t n = 0;
  do {
    const size_t size = dlf__word_here(r);
    if (n == 32) {
      return dlf__wants(r, "expected at most 32 dtypes");
    }
    if (!size || !dlf__reads_dtype(r->at, size, &found[n])) {
      return dlf__wants_dtype(r, "expected a dtype");
    }
    r->at += size;
    n++;
  } while (dlf__takes_mark(r, "|"));
  *out = dlf__keep(r, (size_t)n, sizeof **out);
  if (*out) {
    memcpy(*out, found, (size_t)n * sizeof *found);
  }
  *count = n;
  return *out != NULL;
}
