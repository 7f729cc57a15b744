/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <stdlib.h>
#include <string.h>

static void copy(const DLTensor *a, DLTensor *b) {
  memcpy(b->data, (char *)a->data + a->byte_offset, (size_t)a->shape[0] * (a->dtype.bits / 8));
}

int odd_split(const DLTensor *match, DLTensor *left, DLTensor *right, dlf_error *error) {
  (void)error;
  copy(match, left);
  copy(match, right);
  return 0;
}

double odd_sum(const DLTensor *x, const DLTensor *mask, float scale, const char *label, enum odd_kind kind) {
  double s = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) s += ((float *)x->data)[i] * (mask ? ((float *)mask->data)[i] : 1);
  return s * scale + (double)strlen(label) + (int)kind;
}

int odd_bits(odd_mode modes) { return (int)modes; }

enum odd_kind odd_kind_of(int64_t value) { return value > 5 ? ODD_LARGE : ODD_SMALL; }

bool odd_is_even(uint64_t value) { return value % 2 == 0; }

int odd_marks(int n, DLTensor *out, dlf_error *error) {
  (void)error;
  if (n) memset(out->data, 2, (size_t)n);
  return 0;
}

bool odd_is_marked(const DLTensor *marks) {
  bool marked;
  memcpy(&marked, (char *)marks->data + marks->byte_offset, sizeof marked);
  return marked;
}

int odd_look(const DLTensor *marks, bool *marked, dlf_error *error) {
  (void)error;
  memcpy(marked, (char *)marks->data + marks->byte_offset, sizeof *marked);
  return 0;
}

int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c, uint16_t d, uint32_t e,
             dlf_error *error) {
  (void)extra;
  (void)error;
  copy(x, out);
  return a + b + c + d + (int)e == 15 ? 0 : 1;
}

void odd_nothing(void) {}

int odd_text_of(const char *text) { return *text != 'a'; }

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
  memcpy(book->letters, (char *)letters->data + letters->byte_offset, (size_t)book->count);
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

uint64_t odd_address(dlf_stream stream) { return (uintptr_t)stream.handle; }

int unprefixed(int n) { return n; }

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
  const unsigned char first = *((unsigned char *)code->data + code->byte_offset);
  odd_key *key = first ? malloc(sizeof *key) : NULL;
  if (key) key->code = first;
  return key;
}

int odd_key_turn(const odd_key *key, const DLTensor *times) {
  return key->code == *((unsigned char *)times->data + times->byte_offset) ? 1 : 0;
}

void odd_key_free(odd_key *key) { free(key); }
