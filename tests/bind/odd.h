/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief Declarations that a header may hold beside the ordinary: <b>html</b>, [links], "quotes",
 * keywords.
 *
 *  Every language makes a package of it, builds it and calls it: words that a language keeps for
 * itself, several outputs, every scalar, flags, texts, and handles of each kind. */
#ifndef ODD_H
#define ODD_H

#include <dlferry.h>
#include <dlpack/dlpack.h>
#include <stdbool.h>

/* ---- enums ---- */

/** How to round.
 *  # Not a heading
 *
 *      not code
 *  - not a list */
typedef enum odd_mode {
  ODD_MODE_DOWN = -1, /**< towards minus infinity; costs $5, a "quote", a \ and */
  ODD_MODE_NEAREST = 0,
  ODD_MODE_UP = 1,
  ODD_MODE_DEFAULT = 0 /**< another name for the one above */
} odd_mode;

/** What to leave out. */
enum odd_skip {
  ODD_SKIP_FIRST = 1,
  ODD_SKIP_LAST = 2,
  ODD_SKIP_NEGATIVE = 4,
  ODD_SKIP_TOP = 0x80000000
};

/** Ways, to be or-ed: "quoted", back\slash, %} and */
typedef enum odd_way { ODD_WAY_UP = 1, ODD_WAY_DOWN = 2, ODD_WAY_LEFT = 4 } odd_way;

/** Go to the next mode. */
odd_mode odd_next(odd_mode mode);

/** Return what is set. */
int odd_bits(odd_way ways);

/* ---- outputs, and words that languages keep ---- */

/** Split into whole and broken parts: "both" texts, a back\slash, %} and "Ünïcödé".
 *  ```
 *      kept as it is
 *  ```
 *      indented code
 *  @param match   values; a keyword
 *  @param whole   rounded
 *  @param err     the rest
 *  @contract match: T[n];  whole: i64[n];  err: like match noalias;  T in f32|f64;  mode =
 * ODD_MODE_NEAREST
 *  @contract return: status ok 0 */
int odd_split(const DLTensor *match, odd_mode mode, DLTensor *whole, DLTensor *err);

/** Add a number to a tensor in place.
 *  @contract type: inout i64[n];  func = 1;  range = true;  return: status ok 0 */
int odd_select(DLTensor *type, int64_t func, bool range);

/** Fill a tensor with a ramp.
 *  @contract end: inout any[n];  begin = 0 */
int odd_function(DLTensor *end, int64_t begin, dlf_error *error);

/** Scale in place, under names that a wrapper might use itself.
 *  @contract t: inout f64[n];  status = 2.0;  return: status */
int odd_call(DLTensor *t, double status);

/** Measure and make.
 *  @contract x: f64[n]; out: f64[n] */
int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c,
             uint16_t d, uint32_t e, dlf_error *error);

/** Sum what is not left out, and count it.
 *  @contract x: f64[...];  weights: opt f64[...];  total: f64[] */
int64_t odd_sum(const DLTensor *x, const DLTensor *weights, enum odd_skip skip, DLTensor *total);

/** Add, with a weight that may be absent.
 *  @contract x: f64[n];  weight: opt f64[n];  out: f64[n];  return: status */
int odd_weigh(const DLTensor *x, const DLTensor *weight, DLTensor *out);

/** Fill, at a size that only the caller knows.
 *  @contract out: f64[n];  return: status */
int odd_fill(DLTensor *out, double value);

/** Count up, without an input to tell a framework.
 *  @contract out: f64[n];  n >= 0;  step = 1.0;  return: status */
int odd_ramp(int64_t n, DLTensor *out, double step);

/** Make eights of float8, which Julia has no type for.
 *  @contract like_this: any[n];  out: f8_e4m3fn[n] */
int odd_eights(const DLTensor *like_this, DLTensor *out, dlf_error *error);

/* ---- scalars and texts ---- */

/** Add numbers of every width. */
double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g,
                  uint64_t h, float i);

/** Add up scalars with defaults; the required one comes last in C.
 *  @contract a = 1;  b = 2;  c = 3;  d = 0.5;  e = 0.25;  f = true;  way = ODD_WAY_DOWN */
double odd_defaults(int8_t a, uint16_t b, uint64_t c, float d, double e, bool f, odd_way way,
                    int64_t lambda);

/** Score, with an optional mask.
 *  @contract x: f32[n]; mask: opt f32[n];  scale = 2.0;  label = "sum";  mode = ODD_MODE_UP */
double odd_score(const DLTensor *x, const DLTensor *mask, float scale, const char *label,
                 odd_mode mode);

/** Tell whether a number is even. */
bool odd_is_even(uint64_t value);

/** Mark all: true, but by bytes that are neither 0 nor 1.
 *  @contract n >= 0;  out: bool[n] */
int odd_marks(int n, DLTensor *out, dlf_error *error);

/** Tell whether the first is marked, by its byte as it is.
 *  @contract marks: bool[n];  n > 0 */
bool odd_is_marked(const DLTensor *marks);

/** Tell the same through a place.
 *  @contract marks: bool[n];  n > 0 */
int odd_look(const DLTensor *marks, bool *marked, dlf_error *error);

/** Whether two texts are the same, or of one length if not strict.
 *  @contract strict = true;  b = "none" */
bool odd_same(const char *a, const char *b, bool strict);

/** Measure a text.
 *  @contract text = "abc" */
uint64_t odd_length(const char *text);

/** Greet, in at most 239 bytes; the next call on this thread overwrites the text.
 *  @contract word = "hello" */
const char *odd_greet(const char *who, const char *word);

/** @contract text = "a" ; return: status */
int odd_text_of(const char *text);

/* ---- statuses, and nothing ---- */

/** Do nothing. */
void odd_nothing(void);

/** Fail.
 *  @contract return: status ok 0 */
int odd_code(int32_t code);

/** Fail with any number but 7, without a word.
 *  @contract return: status ok 7 */
int odd_fail(int32_t answer);

/** Tell a stream's address. */
uint64_t odd_address(dlf_stream stream);

/** A name without the prefix stays as it is. */
int unprefixed(int n);

/* ---- handles: one made of another, one beside a result, one that nothing makes, one that calls
 * back ---- */

/** A box with a number in it. */
typedef struct odd_box odd_box;

/** A lid, which knows its box. */
typedef struct odd_lid odd_lid;

/** Make a box; none of a negative number. */
odd_box *odd_box_new(int64_t content);

/** Close a box. */
void odd_box_close(odd_box *box);

/** Add the sums of vectors to what is in it.
 *  @contract parts: i64[_] *n;  times: i64 *n;  return: status ok 0 */
int odd_box_fill(odd_box *box, const DLTensor *const *parts, const int64_t *times, int32_t n);

/** Tell how far a stream lies behind another one, a box's content added. */
int64_t odd_box_between(const odd_box *box, dlf_stream from, dlf_stream to);

/** Make a lid of a box. */
odd_lid *odd_lid_make(odd_box *box);

/** Tell what is in the lid's box. */
int64_t odd_lid_content(const odd_lid *lid);

void odd_lid_free(odd_lid *lid);

/** A book, which its pages look into. */
typedef struct odd_book odd_book;

/** One page of it. */
typedef struct odd_page odd_page;

/** Make a book of a row of letters.
 *  @contract letters: u8[n] */
odd_book *odd_book_new(const DLTensor *letters);

/** Open a page.
 *  @contract n >= 0 */
int odd_page_open(odd_book *book, int32_t n, odd_page **page, dlf_error *error);

/** Read it. */
int odd_page_read(const odd_page *page);

/** Close it, which looks into the book again. */
void odd_page_close(odd_page *page);

void odd_book_free(odd_book *book);

/** Count the books and pages that are open. */
int odd_books(void);

/** A shelf, which no function here makes or takes. */
typedef struct odd_shelf odd_shelf;
void odd_shelf_free(odd_shelf *shelf);

/** A desk, which no function here makes. */
typedef struct odd_desk odd_desk;
int odd_desk_height(const odd_desk *desk);
void odd_desk_free(odd_desk *desk);

/** Double a number.
 *  It stays for old programs.
 *  @deprecated Use `n + n` instead: it is "shorter".
 *  @param n the number
 *  @return twice the number */
int32_t odd_twice(int32_t n);

/** A roll of paper. */
typedef struct odd_roll odd_roll;

/** A key. */
typedef struct odd_key odd_key;

/** Unroll, and tell how far: a handle beside another result.
 *  @contract x: f64[n];  return: status ok 0 */
int odd_roll_open(const DLTensor *x, double *length, odd_roll **roll);

/** Tell how far that was, marks counted.
 *  @contract marks: i4[n] */
double odd_roll_length(const odd_roll *roll, const DLTensor *marks);

/** Roll up. */
void odd_roll_close(odd_roll *roll);

/** Cut a key; there is none of zeros.
 *  @contract code: u8[n];  n > 0 */
odd_key *odd_key_new(const DLTensor *code);

/** Turn it.
 *  @contract times: u8[]; return: status ok 0 */
int odd_key_turn(const odd_key *key, const DLTensor *times);

/** Throw it away. */
void odd_key_free(odd_key *key);

/** A bell, which calls back when it is freed. */
typedef struct odd_bell odd_bell;

/** Make a bell.
 *  @param function  address of a void (*)(void); none below 4096 */
odd_bell *odd_bell_new(int64_t function);

/** Call back. */
void odd_bell_free(odd_bell *bell);

/* ---- names of parameters that a language or the generated code needs ---- */

#ifndef __cplusplus /* which has keywords of its own */
/** Say why. */
const char *odd_why(int status);

/** The four in a row, as digits.
 *  @contract error in 1..9 */
int32_t odd_errors(int32_t error, int32_t result, int32_t status, int32_t message);

/** @contract dlf_code > 0;  dlf_verdict > dlf_code */
int32_t odd_owns(int32_t dlf_code, int32_t dlf_verdict, int32_t dlf_values, int32_t odd_owns);

/** @contract error: f64[n];  self: f64[n] noalias;  type = 2 */
int odd_tensors(const DLTensor *error, DLTensor *self, int type, dlf_error *own);

/** @contract error: f64 *error_count;  list: f32[a] *count */
int64_t odd_lists(const double *error, int32_t error_count, const DLTensor *const *list, int count,
                  int32_t list_count);

/** @contract return: status text odd_why */
int odd_status(int code, int odd_why, odd_mode odd_mode);

/** The length of odd_hooked. */
int64_t odd_reach(int64_t n);

/** @contract out: f64[hook(odd_reach(odd_reach))];  odd_reach < 5;  odd_reach > 0 */
int odd_hooked(int64_t odd_reach, DLTensor *out, dlf_error *error);

/** Read the content. @contract error in 0..5 */
int64_t odd_box_read(const odd_box *box, int error, int handle);
/** Both numbers, one more. @contract result: out;  value: out */
void odd_outs(int32_t error, int32_t *result, int32_t *value);

/** The sum of each number times its place, from 1: keywords and names that programs have. */
int odd_words_c(int class, int new, int delete, int this, int template, int namespace, int operator,
                int try);
int odd_words_python(int None, int True, int def, int lambda, int pass, int from, int is, int with,
                     int yield, int len, int str, int print, int list, int object, int args,
                     int kwargs, int self, int cls);
int odd_words_rust(int fn, int impl, int match, int mod, int mut, int pub, int ref, int Self,
                   int super, int trait, int type, int use, int where, int crate, int dyn, int loop,
                   int move, int let, int as, int async, int await, int Ok, int Err, int Some,
                   int String, int Vec, int Result, int Option, int box, int yield);
int odd_words_go(int func, int go, int chan, int defer, int fallthrough, int interface, int map,
                 int package, int range, int select, int var, int nil, int len, int make,
                 int string, int append, int err, int error, int iota, int any, int byte, int cap,
                 int copy, int C, int unsafe, int runtime, int dlferry, int flat, int import);
int odd_words_julia(int function, int end, int begin, int module, int macro, int local, int global,
                    int quote, int let, int where, int baremodule, int export, int using,
                    int nothing, int missing, int Int64, int Base, int Core, int ccall, int length,
                    int error, int string, int ctx, int status, int handle, int DLFerry);
/** @contract x: f64[n];  y: f64[n] noalias;  n := n */
int odd_locals(const DLTensor *x, int n, int i, int k, int c, int f, int p, int t, int s, int out,
               int value, int values, int arg, int argument, int arguments, int tensor, int tensors,
               int obj, int code, int ptr, int data, int shape, int py, int options, int ok,
               int twin, int got, int given, int made, int lock, int stream, int release,
               int result_, int _error, int __hidden, DLTensor *y, dlf_error *e);
#endif

#endif
