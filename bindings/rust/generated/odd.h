/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief All that the Rust emitter must get right and photo.h does not have: <b>html</b>, [links], "quotes", keywords.
 */
#ifndef ODD_H
#define ODD_H

#include <dlferry.h>

/** Modes, or-ed. */
typedef enum odd_mode { ODD_MODE_A = 1, ODD_MODE_B = 2, ODD_MODE_C = 4 } odd_mode;

/** Kinds. */
enum odd_kind { ODD_SMALL = -1, ODD_LARGE = 7, ODD_ALSO_LARGE = 7 };

/** Split a row in two.
 *      indented code
 *  @param match   a keyword
 *  @contract match: f32[n];  left: f32[n];  right: f32[n] */
int odd_split(const DLTensor *match, DLTensor *left, DLTensor *right, dlf_error *error);

/** Sum, with an optional mask.
 *  @contract x: f32[n]; mask: opt f32[n];  scale = 2.0;  label = "sum";  kind = ODD_LARGE */
double odd_sum(const DLTensor *x, const DLTensor *mask, float scale, const char *label, enum odd_kind kind);

/** Return what is set. */
int odd_bits(odd_mode modes);

/** Which kind is this? */
enum odd_kind odd_kind_of(int64_t value);

/** Is it even? */
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

/** Measure and make.
 *  @contract x: f64[n]; out: f64[n] */
int odd_type(const DLTensor *x, DLTensor *out, DLTensor *extra, int8_t a, int16_t b, uint8_t c, uint16_t d, uint32_t e,
             dlf_error *error);

/** Nothing at all. */
void odd_nothing(void);

/** @contract text = "a" ; return: status */
int odd_text_of(const char *text);

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

/** What nothing here makes or takes, but somebody may borrow. */
typedef struct odd_shelf odd_shelf;
void odd_shelf_free(odd_shelf *shelf);

/** What nothing here makes. */
typedef struct odd_desk odd_desk;
int odd_desk_height(const odd_desk *desk);
void odd_desk_free(odd_desk *desk);

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

/** Tell a stream's address. */
uint64_t odd_address(dlf_stream stream);

/** A name without the prefix stays as it is. */
int unprefixed(int n);

/** How many books and pages there are. */
int odd_books(void);

#endif
