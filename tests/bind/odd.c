/* SPDX-License-Identifier: Apache-2.0 */
#include "odd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *at(const DLTensor *t) {
  return (char *)t->data + t->byte_offset;
}

static double number(const DLTensor *t, int64_t i) {
  return t->dtype.bits == 32 ? (double)((const float *)at(t))[i] : ((const double *)at(t))[i];
}

/* ---- enums ---- */

odd_mode odd_next(odd_mode mode) {
  return mode == ODD_MODE_UP ? ODD_MODE_DOWN : (odd_mode)((int)mode + 1);
}

int odd_bits(odd_way ways) {
  return (int)ways;
}

/* ---- outputs, and words that languages keep ---- */

int odd_split(const DLTensor *match, odd_mode mode, DLTensor *whole, DLTensor *err) {
  for (int64_t i = 0; i < match->shape[0]; i++) {
    const double x = number(match, i);
    const double part = mode == ODD_MODE_DOWN ? floor(x)
                        : mode == ODD_MODE_UP ? ceil(x)
                                              : nearbyint(x);
    ((int64_t *)at(whole))[i] = (int64_t)part;
    if (match->dtype.bits == 32) {
      ((float *)at(err))[i] = (float)(x - part);
    } else {
      ((double *)at(err))[i] = x - part;
    }
  }
  return 0;
}

int odd_select(DLTensor *type, int64_t func, bool range) {
  for (int64_t i = 0; i < type->shape[0]; i++) {
    ((int64_t *)at(type))[i] += range ? func : -func;
  }
  return 0;
}

int odd_function(DLTensor *end, int64_t begin, dlf_error *error) {
  if (end->dtype.code != kDLInt || end->dtype.bits != 64) {
    return (int)dlf_error_set(error, DLF_UNSUPPORTED, "function: expected int64");
  }
  for (int64_t i = 0; i < end->shape[0]; i++) {
    ((int64_t *)at(end))[i] = begin + i;
  }
  return 0;
}

int odd_call(DLTensor *t, double status) {
  for (int64_t i = 0; i < t->shape[0]; i++) {
    ((double *)at(t))[i] *= status;
  }
  return 0;
}

int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c,
             uint16_t d, uint32_t e, dlf_error *error) {
  (void)extra;
  (void)error;
  memmove(at(out), at(x), (size_t)x->shape[0] * sizeof(double));
  return a + b + c + d + (int)e == 15 ? 0 : 1;
}

int64_t odd_sum(const DLTensor *x, const DLTensor *weights, enum odd_skip skip, DLTensor *total) {
  int64_t n = 1, counted = 0;
  double sum = 0;
  for (int i = 0; i < x->ndim; i++) {
    n *= x->shape[i];
  }
  for (int64_t i = 0; i < n; i++) {
    const double value = number(x, i);
    if (((skip & ODD_SKIP_FIRST) && i == 0) || ((skip & ODD_SKIP_LAST) && i == n - 1)) {
      continue;
    }
    if ((skip & ODD_SKIP_NEGATIVE) && value < 0) {
      continue;
    }
    sum += weights ? value * number(weights, i) : value;
    counted++;
  }
  *(double *)at(total) = sum;
  return counted;
}

int odd_weigh(const DLTensor *x, const DLTensor *weight, DLTensor *out) {
  for (int64_t i = 0; i < x->shape[0]; i++) {
    ((double *)at(out))[i] = number(x, i) * (weight ? number(weight, i) : 1);
  }
  return 0;
}

int odd_fill(DLTensor *out, double value) {
  for (int64_t i = 0; i < out->shape[0]; i++) {
    ((double *)at(out))[i] = value;
  }
  return 0;
}

int odd_ramp(int64_t n, DLTensor *out, double step) {
  for (int64_t i = 0; i < n; i++) {
    ((double *)at(out))[i] = step * (double)i;
  }
  return 0;
}

int odd_eights(const DLTensor *like_this, DLTensor *out, dlf_error *error) {
  (void)error;
  if (like_this->shape[0]) {
    memset(at(out), 0x50, (size_t)like_this->shape[0]);
  }
  return 0;
}

/* ---- scalars and texts ---- */

double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g,
                  uint64_t h, float i) {
  return (double)a + b + c + d + e + f + (double)g + (double)h + (double)i;
}

double odd_defaults(int8_t a, uint16_t b, uint64_t c, float d, double e, bool f, odd_way way,
                    int64_t lambda) {
  return a + b + (double)c + (double)d + e + f + (double)way + (double)lambda;
}

double odd_score(const DLTensor *x, const DLTensor *mask, float scale, const char *label,
                 odd_mode mode) {
  double sum = 0;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    sum += number(x, i) * (mask ? number(mask, i) : 1);
  }
  return sum * (double)scale + (double)strlen(label) + (int)mode;
}

bool odd_is_even(uint64_t value) {
  return value % 2 == 0;
}

int odd_marks(int n, DLTensor *out, dlf_error *error) {
  (void)error;
  if (n) {
    memset(at(out), 2, (size_t)n);
  }
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

bool odd_same(const char *a, const char *b, bool strict) {
  return strict ? strcmp(a, b) == 0 : strlen(a) == strlen(b);
}

uint64_t odd_length(const char *text) {
  return strlen(text);
}

const char *odd_greet(const char *who, const char *word) {
  static _Thread_local char text[240];
  snprintf(text, sizeof text, "%s, %s", word, who);
  return text;
}

int odd_text_of(const char *text) {
  return text[0] != 'a';
}

/* ---- statuses, and nothing ---- */

void odd_nothing(void) {
}

int odd_code(int32_t code) {
  return code;
}

int odd_fail(int32_t answer) {
  return answer;
}

uint64_t odd_address(dlf_stream stream) {
  return (uintptr_t)stream.handle;
}

int unprefixed(int n) {
  return n;
}

int32_t odd_twice(int32_t n) {
  return 2 * n;
}

/* ---- handles ---- */

struct odd_box {
  int64_t content;
};

struct odd_lid {
  odd_box *box;
};

odd_box *odd_box_new(int64_t content) {
  odd_box *box = content < 0 ? NULL : malloc(sizeof *box);
  if (box) {
    box->content = content;
  }
  return box;
}

void odd_box_close(odd_box *box) {
  box->content = -1; /* a lid that looks later sees it */
  free(box);
}

int odd_box_fill(odd_box *box, const DLTensor *const *parts, const int64_t *times, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    for (int64_t k = 0; k < parts[i]->shape[0]; k++) {
      box->content += times[i] * ((const int64_t *)at(parts[i]))[k];
    }
  }
  return 0;
}

int64_t odd_box_between(const odd_box *box, dlf_stream from, dlf_stream to) {
  return (int64_t)((intptr_t)to.handle - (intptr_t)from.handle) + box->content;
}

odd_lid *odd_lid_make(odd_box *box) {
  odd_lid *lid = malloc(sizeof *lid);
  if (lid) {
    lid->box = box;
  }
  return lid;
}

int64_t odd_lid_content(const odd_lid *lid) {
  return lid->box->content;
}

void odd_lid_free(odd_lid *lid) {
  free(lid);
}

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
  if (!book) {
    return NULL;
  }
  book->count = letters->shape[0];
  book->books = 1;
  if (book->count) {
    memcpy(book->letters, at(letters), (size_t)book->count);
  }
  books++;
  return book;
}

int odd_page_open(odd_book *book, int32_t n, odd_page **page, dlf_error *error) {
  if (n >= book->count) {
    return (int)dlf_error_set(error, DLF_BOUNDS, "page_open: expected a page, got none");
  }
  *page = malloc(sizeof **page);
  if (!*page) {
    return DLF_NO_MEMORY;
  }
  **page = (odd_page){book, n};
  books++;
  return 0;
}

int odd_page_read(const odd_page *page) {
  return page->book->letters[page->n];
}

void odd_page_close(odd_page *page) {
  books -= page->book->books;
  free(page);
}

void odd_book_free(odd_book *book) {
  book->books = 0;
  books--;
  free(book);
}

int odd_books(void) {
  return books;
}

void odd_shelf_free(odd_shelf *shelf) {
  (void)shelf;
}

int odd_desk_height(const odd_desk *desk) {
  return desk != NULL;
}

void odd_desk_free(odd_desk *desk) {
  (void)desk;
}

struct odd_roll {
  double length;
};

int odd_roll_open(const DLTensor *x, double *length, odd_roll **roll) {
  *roll = malloc(sizeof **roll);
  if (!*roll) {
    return 1;
  }
  (*roll)->length = *length = (double)x->shape[0];
  return 0;
}

double odd_roll_length(const odd_roll *roll, const DLTensor *marks) {
  return roll->length + (double)marks->shape[0];
}

void odd_roll_close(odd_roll *roll) {
  free(roll);
}

struct odd_key {
  unsigned char code;
};

odd_key *odd_key_new(const DLTensor *code) {
  const unsigned char first = *(unsigned char *)at(code);
  odd_key *key = first ? malloc(sizeof *key) : NULL;
  if (key) {
    key->code = first;
  }
  return key;
}

int odd_key_turn(const odd_key *key, const DLTensor *times) {
  return key->code == *(unsigned char *)at(times) ? 1 : 0;
}

void odd_key_free(odd_key *key) {
  free(key);
}

struct odd_bell {
  int64_t function;
};

odd_bell *odd_bell_new(int64_t function) {
  odd_bell *bell = malloc(sizeof *bell);
  if (bell) {
    bell->function = function;
  }
  return bell;
}

void odd_bell_free(odd_bell *bell) {
  if (bell->function >= 4096) {
    ((void (*)(void))(intptr_t)bell->function)();
  }
  free(bell);
}

/* ---- names of parameters ---- */

const char *odd_why(int status) {
  return status == 7 ? "seven" : "not seven";
}

int32_t odd_errors(int32_t error, int32_t result, int32_t status, int32_t message) {
  return ((error * 10 + result) * 10 + status) * 10 + message;
}

int32_t odd_owns(int32_t dlf_code, int32_t dlf_verdict, int32_t dlf_values, int32_t own) {
  return odd_errors(dlf_code, dlf_verdict, dlf_values, own);
}

int odd_tensors(const DLTensor *error, DLTensor *self, int type, dlf_error *own) {
  (void)own;
  for (int64_t i = 0; i < error->shape[0]; i++) {
    ((double *)at(self))[i] = type * number(error, i);
  }
  return DLF_OK;
}

int64_t odd_lists(const double *error, int32_t error_count, const DLTensor *const *list, int count,
                  int32_t list_count) {
  double sum = list_count;
  for (int32_t i = 0; i < error_count; i++) {
    sum += error[i];
  }
  for (int i = 0; i < count; i++) {
    sum += 100 * number(list[i], 0);
  }
  return (int64_t)sum;
}

int odd_status(int code, int seven, odd_mode mode) {
  return code + seven + (int)mode;
}

int64_t odd_reach(int64_t n) {
  return 2 * n;
}

int odd_hooked(int64_t reach, DLTensor *out, dlf_error *error) {
  (void)error;
  for (int64_t i = 0; i < out->shape[0]; i++) {
    ((double *)at(out))[i] = (double)(i * reach);
  }
  return DLF_OK;
}

int64_t odd_box_read(const odd_box *box, int error, int handle) {
  return box->content * error + handle;
}

void odd_outs(int32_t error, int32_t *result, int32_t *value) {
  *result = error + 1;
  *value = error + 2;
}

int odd_words_c(int class, int new, int delete, int this, int template, int namespace, int operator,
                int try) {
  return 1 * class + 2 * new + 3 * delete + 4 * this + 5 * template + 6 * namespace + 7 * operator +
         8 * try;
}

int odd_words_python(int None, int True, int def, int lambda, int pass, int from, int is, int with,
                     int yield, int len, int str, int print, int list, int object, int args,
                     int kwargs, int self, int cls) {
  return 1 * None + 2 * True + 3 * def + 4 * lambda + 5 * pass + 6 * from + 7 * is + 8 * with +
         9 * yield + 10 * len + 11 * str + 12 * print + 13 * list + 14 * object + 15 * args +
         16 * kwargs + 17 * self + 18 * cls;
}

int odd_words_rust(int fn, int impl, int match, int mod, int mut, int pub, int ref, int Self,
                   int super, int trait, int type, int use, int where, int crate, int dyn, int loop,
                   int move, int let, int as, int async, int await, int Ok, int Err, int Some,
                   int String, int Vec, int Result, int Option, int box, int yield) {
  return 1 * fn + 2 * impl + 3 * match + 4 * mod + 5 * mut + 6 * pub + 7 * ref + 8 * Self +
         9 * super + 10 * trait + 11 * type + 12 * use + 13 * where + 14 * crate + 15 * dyn +
         16 * loop + 17 * move + 18 * let + 19 * as + 20 * async + 21 * await + 22 * Ok + 23 * Err +
         24 * Some + 25 * String + 26 * Vec + 27 * Result + 28 * Option + 29 * box + 30 * yield;
}

int odd_words_go(int func, int go, int chan, int defer, int fallthrough, int interface, int map,
                 int package, int range, int select, int var, int nil, int len, int make,
                 int string, int append, int err, int error, int iota, int any, int byte, int cap,
                 int copy, int C, int unsafe, int runtime, int dlferry, int flat, int import) {
  return 1 * func + 2 * go + 3 * chan + 4 * defer + 5 * fallthrough + 6 * interface + 7 * map +
         8 * package + 9 * range + 10 * select + 11 * var + 12 * nil + 13 * len + 14 * make +
         15 * string + 16 * append + 17 * err + 18 * error + 19 * iota + 20 * any + 21 * byte +
         22 * cap + 23 * copy + 24 * C + 25 * unsafe + 26 * runtime + 27 * dlferry + 28 * flat +
         29 * import;
}

int odd_words_julia(int function, int end, int begin, int module, int macro, int local, int global,
                    int quote, int let, int where, int baremodule, int export, int using,
                    int nothing, int missing, int Int64, int Base, int Core, int ccall, int length,
                    int error, int string, int ctx, int status, int handle, int DLFerry) {
  return 1 * function + 2 * end + 3 * begin + 4 * module + 5 * macro + 6 * local + 7 * global +
         8 * quote + 9 * let + 10 * where + 11 * baremodule + 12 * export + 13 * using +
         14 * nothing + 15 * missing + 16 * Int64 + 17 * Base + 18 * Core + 19 * ccall +
         20 * length + 21 * error + 22 * string + 23 * ctx + 24 * status + 25 * handle +
         26 * DLFerry;
}

int odd_locals(const DLTensor *x, int n, int i, int k, int c, int f, int p, int t, int s, int out,
               int value, int values, int arg, int argument, int arguments, int tensor, int tensors,
               int obj, int code, int ptr, int data, int shape, int py, int options, int ok,
               int twin, int got, int given, int made, int lock, int stream, int release,
               int result_, int _error, int __hidden, DLTensor *y, dlf_error *e) {
  (void)e;
  for (int m = 0; m < n; m++) {
    ((double *)at(y))[m] = number(x, m) + i + k + c + f + p + t + s + out + value + values + arg +
                           argument + arguments + tensor + tensors + obj + code + ptr + data +
                           shape + py + options + ok + twin + got + given + made + lock + stream +
                           release + result_ + _error + __hidden;
  }
  return DLF_OK;
}
