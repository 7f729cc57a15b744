/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *at(const DLTensor *t) { return (char *)t->data + t->byte_offset; }

static double number(const DLTensor *t, int64_t i) {
  return t->dtype.bits == 32 ? (double)((const float *)at(t))[i] : ((const double *)at(t))[i];
}

/* ---- enums ---- */

odd_mode odd_next(odd_mode mode) { return mode == ODD_MODE_UP ? ODD_MODE_DOWN : (odd_mode)((int)mode + 1); }

int odd_bits(odd_way ways) { return (int)ways; }

/* ---- outputs, and words that languages keep ---- */

int odd_split(const DLTensor *match, odd_mode mode, DLTensor *whole, DLTensor *err) {
  for (int64_t i = 0; i < match->shape[0]; i++) {
    const double x = number(match, i);
    const double part = mode == ODD_MODE_DOWN ? floor(x) : mode == ODD_MODE_UP ? ceil(x) : nearbyint(x);
    ((int64_t *)at(whole))[i] = (int64_t)part;
    if (match->dtype.bits == 32)
      ((float *)at(err))[i] = (float)(x - part);
    else
      ((double *)at(err))[i] = x - part;
  }
  return 0;
}

int odd_select(DLTensor *type, int64_t func, bool range) {
  for (int64_t i = 0; i < type->shape[0]; i++) ((int64_t *)at(type))[i] += range ? func : -func;
  return 0;
}

int odd_function(DLTensor *end, int64_t begin, dlf_error *error) {
  if (end->dtype.code != kDLInt || end->dtype.bits != 64)
    return (int)dlf_error_set(error, DLF_UNSUPPORTED, "function: expected int64");
  for (int64_t i = 0; i < end->shape[0]; i++) ((int64_t *)at(end))[i] = begin + i;
  return 0;
}

int odd_call(DLTensor *t, double status) {
  for (int64_t i = 0; i < t->shape[0]; i++) ((double *)at(t))[i] *= status;
  return 0;
}

int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c, uint16_t d, uint32_t e,
             dlf_error *error) {
  (void)extra;
  (void)error;
  memmove(at(out), at(x), (size_t)x->shape[0] * sizeof(double));
  return a + b + c + d + (int)e == 15 ? 0 : 1;
}

int64_t odd_sum(const DLTensor *x, const DLTensor *weights, enum odd_skip skip, DLTensor *total) {
  int64_t n = 1, counted = 0;
  double sum = 0;
  for (int i = 0; i < x->ndim; i++) n *= x->shape[i];
  for (int64_t i = 0; i < n; i++) {
    const double value = number(x, i);
    if (((skip & ODD_SKIP_FIRST) && i == 0) || ((skip & ODD_SKIP_LAST) && i == n - 1)) continue;
    if ((skip & ODD_SKIP_NEGATIVE) && value < 0) continue;
    sum += weights ? value * number(weights, i) : value;
    counted++;
  }
  *(double *)at(total) = sum;
  return counted;
}

int odd_weigh(const DLTensor *x, const DLTensor *weight, DLTensor *out) {
  for (int64_t i = 0; i < x->shape[0]; i++) ((double *)at(out))[i] = number(x, i) * (weight ? number(weight, i) : 1);
  return 0;
}

int odd_fill(DLTensor *out, double value) {
  for (int64_t i = 0; i < out->shape[0]; i++) ((double *)at(out))[i] = value;
  return 0;
}

int odd_ramp(int64_t n, DLTensor *out, double step) {
  for (int64_t i = 0; i < n; i++) ((double *)at(out))[i] = step * (double)i;
  return 0;
}

int odd_eights(const DLTensor *like_this, DLTensor *out, dlf_error *error) {
  (void)error;
  if (like_this->shape[0]) memset(at(out), 0x50, (size_t)like_this->shape[0]);
  return 0;
}

/* ---- scalars and texts ---- */

double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, float i) {
  return (double)a + b + c + d + e + f + (double)g + (double)h + (double)i;
}

double odd_defaults(int8_t a, uint16_t b, uint64_t c, float d, double e, bool f, odd_way way, int64_t lambda) {
  return a + b + (double)c + (double)d + e + f + (double)way + (double)lambda;
}

double odd_score(const DLTensor *x, const DLTensor *mask, float scale, const char *label, odd_mode mode) {
  double sum = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) sum += number(x, i) * (mask ? number(mask, i) : 1);
  return sum * (double)scale + (double)strlen(label) + (int)mode;
}

bool odd_is_even(uint64_t value) { return value % 2 == 0; }

int odd_marks(int n, DLTensor *out, dlf_error *error) {
  (void)error;
  if (n) memset(at(out), 2, (size_t)n);
  return 0;
}

bool odd_is_marked(const DLTensor *marks) {
  bool marked;
  memcpy(&marked, at(marks), sizeof marked);
  return marked;
}

int odd_look(const DLTensor *marks, bool *marked, dlf_error *error) {
  (void)error;
  memcpy(marked, at(marks), sizeof *marked);
  return 0;
}

bool odd_same(const char *a, const char *b, bool strict) { return strict ? strcmp(a, b) == 0 : strlen(a) == strlen(b); }

uint64_t odd_length(const char *text) { return strlen(text); }

const char *odd_greet(const char *who, const char *word) {
  static _Thread_local char text[240];
  snprintf(text, sizeof text, "%s, %s", word, who);
  return text;
}

int odd_text_of(const char *text) { return text[0] != 'a'; }

/* ---- statuses, and nothing ---- */

void odd_nothing(void) {}

int odd_code(int32_t code) { return code; }

int odd_fail(int32_t answer) { return answer; }

uint64_t odd_address(dlf_stream stream) { return (uintptr_t)stream.handle; }

int unprefixed(int n) { return n; }

int32_t odd_twice(int32_t n) { return 2 * n; }

/* ---- handles ---- */

struct odd_box {
  int64_t content;
};

struct odd_lid {
  odd_box *box;
};

odd_box *odd_box_new(int64_t content) {
  odd_box *box = content < 0 ? NULL : malloc(sizeof *box);
  if (box) box->content = content;
  return box;
}

void odd_box_close(odd_box *box) {
  box->content = -1; /* a lid that looks later sees it */
  free(box);
}

int odd_box_fill(odd_box *box, const DLTensor *const *parts, const int64_t *times, int32_t n) {
  for (int32_t i = 0; i < n; i++)
    for (int64_t k = 0; k < parts[i]->shape[0]; k++) box->content += times[i] * ((const int64_t *)at(parts[i]))[k];
  return 0;
}

int64_t odd_box_between(const odd_box *box, dlf_stream from, dlf_stream to) {
  return (int64_t)((intptr_t)to.handle - (intptr_t)from.handle) + box->content;
}

odd_lid *odd_lid_make(odd_box *box) {
  odd_lid *lid = malloc(sizeof *lid);
  if (lid) lid->box = box;
  return lid;
}

int64_t odd_lid_content(const odd_lid *lid) { return lid->box->content; }

void odd_lid_free(odd_lid *lid) { free(lid); }

struct odd_book {
  int64_t count;
  int books; /* 1; 0 when it is freed, so that a page can tell */
  uint8_t letters[];
};

struct odd_page {
  odd_book *book;
  int32_t n;
};

static int books;

odd_book *odd_book_new(const DLTensor *letters) {
  odd_book *book = malloc(sizeof *book + (size_t)letters->shape[0]);
  if (!book) return NULL;
  book->count = letters->shape[0];
  book->books = 1;
  if (book->count) memcpy(book->letters, at(letters), (size_t)book->count);
  books++;
  return book;
}

int odd_page_open(odd_book *book, int32_t n, odd_page **page, dlf_error *error) {
  if (n >= book->count) return (int)dlf_error_set(error, DLF_BOUNDS, "page_open: expected a page, got none");
  *page = malloc(sizeof **page);
  if (!*page) return DLF_NO_MEMORY;
  **page = (odd_page){book, n};
  books++;
  return 0;
}

int odd_page_read(const odd_page *page) { return page->book->letters[page->n]; }

void odd_page_close(odd_page *page) {
  books -= page->book->books;
  free(page);
}

void odd_book_free(odd_book *book) {
  book->books = 0;
  books--;
  free(book);
}

int odd_books(void) { return books; }

void odd_shelf_free(odd_shelf *shelf) { (void)shelf; }

int odd_desk_height(const odd_desk *desk) { return desk != NULL; }

void odd_desk_free(odd_desk *desk) { (void)desk; }

struct odd_roll {
  double length;
};

int odd_roll_open(const DLTensor *x, double *length, odd_roll **roll) {
  *roll = malloc(sizeof **roll);
  if (!*roll) return 1;
  (*roll)->length = *length = (double)x->shape[0];
  return 0;
}

double odd_roll_length(const odd_roll *roll, const DLTensor *marks) { return roll->length + (double)marks->shape[0]; }

void odd_roll_close(odd_roll *roll) { free(roll); }

struct odd_key {
  unsigned char code;
};

odd_key *odd_key_new(const DLTensor *code) {
  const unsigned char first = *(unsigned char *)at(code);
  odd_key *key = first ? malloc(sizeof *key) : NULL;
  if (key) key->code = first;
  return key;
}

int odd_key_turn(const odd_key *key, const DLTensor *times) { return key->code == *(unsigned char *)at(times) ? 1 : 0; }

void odd_key_free(odd_key *key) { free(key); }

struct odd_bell {
  int64_t function;
};

odd_bell *odd_bell_new(int64_t function) {
  odd_bell *bell = malloc(sizeof *bell);
  if (bell) bell->function = function;
  return bell;
}

void odd_bell_free(odd_bell *bell) {
  if (bell->function >= 4096) ((void (*)(void))(intptr_t)bell->function)();
  free(bell);
}
