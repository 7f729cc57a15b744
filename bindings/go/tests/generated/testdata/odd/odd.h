/* SPDX-License-Identifier: Apache-2.0 */
/* What a header may hold beside the ordinary: every kind of parameter and result, words that Go keeps for itself,
 * outputs of several kinds, and no dlferry.h. */
#ifndef ODD_H
#define ODD_H

#include <dlferry.h>
#include <dlpack/dlpack.h>
#include <stdbool.h>

/** How to round.
 *  # Not a heading
 *
 *      not code
 *  - not a list */
typedef enum odd_mode {
  ODD_MODE_DOWN = -1, /**< towards minus infinity; a "quote", a \ and */
  ODD_MODE_NEAREST = 0,
  ODD_MODE_UP = 1,
  ODD_MODE_DEFAULT = 0 /**< another name for the one above */
} odd_mode;

/** What to leave out. */
enum odd_skip { ODD_SKIP_FIRST = 1, ODD_SKIP_LAST = 2, ODD_SKIP_TOP = 0x80000000 };

/** Add a number to a tensor in place.
 *  @contract type: inout i64[n];  func = 1;  range = true;  return: status ok 0 */
int odd_select(DLTensor *type, int64_t func, bool range);

/** Split a vector into its whole and its broken part.
 *  @contract err: T[n];  whole: i64[n];  status: like err noalias;  T in f32|f64;  mode = ODD_MODE_NEAREST
 *  @contract return: status ok 0 */
int odd_split(const DLTensor *err, odd_mode mode, DLTensor *whole, DLTensor *status);

/** Sum what is not left out, and count it.
 *  @contract x: f64[n];  weights: opt f64[n];  total: f64[] */
int64_t odd_sum(const DLTensor *x, const DLTensor *weights, enum odd_skip skip, DLTensor *total);

/** Next mode. */
odd_mode odd_next(odd_mode mode);

/** Whether two texts are the same.
 *  @contract b = "none" */
bool odd_same(const char *a, const char *b);

/** Greet, in at most 239 bytes; who asks next on this thread overwrites the text.
 *  @contract word = "hello" */
const char *odd_greet(const char *who, const char *word);

/** Add numbers of every width. */
double odd_widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f, int64_t g, uint64_t h, float i);

/** Do nothing. */
void odd_nothing(void);

/** Fail.
 *  @contract return: status ok 0 */
int odd_code(int32_t code);

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

#endif
