/* SPDX-License-Identifier: Apache-2.0 */
/* A library over plain pointers with a function for each clause that a file of contracts may have.
 * Its contracts are in clauses.contracts, the calls in clauses.json. */
#ifndef CLAUSES_H
#define CLAUSES_H

#include <complex.h>
#include <dlpack/dlpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define CLAUSES_BACKWARD (-1)
#define CLAUSES_FINE 101
#define CLAUSES_HALF 0.5

typedef enum clauses_order { CLAUSES_ROWS = 1, CLAUSES_COLUMNS = 2 } clauses_order;
typedef enum clauses_parts { CLAUSES_A = 1, CLAUSES_B = 2, CLAUSES_C = 4 } clauses_parts;

typedef enum clauses_metal { CLAUSES_TIN, CLAUSES_LEAD, CLAUSES_METALS } clauses_metal;
/** Weigh a metal: 10, 20. */
int32_t clauses_metal_weight(clauses_metal metal);
/** Add up what n metals weigh. */
int32_t clauses_metal_weights(const clauses_metal *metals, int32_t n);

/* ---- tensors behind pointers ---- */

/** Sum numbers. */
double clauses_sum(int8_t n, const double *x);
/** Sum numbers behind a pointer that is not const. */
double clauses_peek(int32_t n, double *x);
/** Change the sign. */
void clauses_negate(int32_t n, double *x);
/** Copy numbers. */
void clauses_copy(int32_t n, const double *x, double *out);
/** Count bytes. */
int64_t clauses_size(const void *x, uint64_t size);
/** Add up bytes. */
int64_t clauses_bytes(const uint8_t *x, int32_t n);
int64_t clauses_chars(const char *x, int32_t n);
/** Count the characters of a text. */
int64_t clauses_letters(const char *text);
/** Add 1 to the bits of each. */
typedef struct clauses_bits {
  uint16_t bits;
} clauses_bits;
void clauses_bump(const clauses_bits *x, clauses_bits *out, int32_t n);
/** Double each byte, in memory that is given as void *. */
void clauses_twice(void *x, int32_t n);
/** Add up two arrays of one type. */
double clauses_pair(int32_t kind, const void *x, const void *y, int32_t n);

/* ---- arguments that the call computes ---- */

/** Return 10 * kind + n. */
int32_t clauses_fixed(int32_t kind, clauses_order order, char letter, int32_t n, const double *x);
/** Return the arguments, computed in double. */
double clauses_real(double half, double share, double complex one, int32_t n, const double *x);
/** Weigh elements by their row and column, from 1. */
double clauses_matrix(clauses_order order, int32_t m, int32_t n, const double *a, int32_t lda);
double clauses_by_rows(int32_t m, int32_t n, const double *a, int32_t lda);
double clauses_by_columns(int32_t m, int32_t n, const double *a, int32_t lda);
/** The same for the sum of two matrices of one order, and for one that may be turned against the
 * other. */
double clauses_both(clauses_order order, int32_t m, int32_t n, const double *a, int32_t lda,
                    const double *b, int32_t ldb);
double clauses_turned(clauses_order order, int32_t turned, int32_t m, int32_t n, const double *a,
                      int32_t lda, const double *b, int32_t ldb);
/** Weigh elements by their place, from 1. */
double clauses_steps(int32_t n, const double *x, int32_t step);
double clauses_blas(int32_t n, const double *x, int32_t step);
double clauses_axis(int32_t m, int32_t n, const double *x, int32_t down, int32_t across);
/** Tell which dtype there is. */
int32_t clauses_dtype(int32_t kind, const void *x, int32_t n);
/** Return the text of an array interface from the extents on. */
const char *clauses_interface(const char *array);
/** Return 1 if the pointer is NULL. */
int32_t clauses_null(const void *more, int32_t n);
/** By pointers alone. */
double clauses_fortran(const int32_t *n, const double *x);

/* ---- single values ---- */

/** Return a times b. */
double complex clauses_times(double complex a, double complex b);
/** Multiply. */
void clauses_scale(int32_t n, const void *alpha, void *x);
/** Sum complex numbers. */
void clauses_total(int32_t n, const void *x, void *sum);
/** Divide with remainder. */
int32_t clauses_divide(int32_t a, int32_t b, int32_t *rest);
/** Add one to each; 1 from 100 on. */
int32_t clauses_next(int64_t *whole, double *real, bool *truth, clauses_order *order);
/** Return the tolerance, 0.5 if there is none. */
double clauses_within(const double *tolerance);
/** Add numbers, each times its weight if there are weights. */
double clauses_weighted(const double *x, double *weights, int32_t n);
/** Return the name again. */
const char *clauses_greet(const char *name);
/** Return a text of wchar_t from a place on; NULL behind its end. */
const wchar_t *clauses_wide(const wchar_t *word, int32_t from);
/** Fail for "!". */
int32_t clauses_wide_check(const wchar_t *word);
/** Double a text of wchar_t. */
wchar_t *clauses_wide_twice(const wchar_t *word);
/** Return 1 for the upper triangle, 2 for the lower, plus 10 for other marks than 'x'. */
int32_t clauses_triangle(char uplo, char mark);
/** Return a character of ASCII for 0 to 127. */
char clauses_letter(int32_t code);

/* ---- variable arguments ---- */

/** Count texts up to NULL. */
int32_t clauses_count_texts(const char *first, ...) __attribute__((sentinel));
/** Double a number, for the request 1. */
int32_t clauses_ask(int32_t request, ...);
/** Write half a number, for the request 2. */
int32_t clauses_tell(int32_t request, ...);
/** Print as printf does, and tell how many bytes that are. */
int32_t clauses_say(const char *format, ...);

/* ---- defaults ---- */

/** Return what the call was told. */
double clauses_numbers(int32_t whole, double real, bool truth);
double complex clauses_complex(double complex z);
int32_t clauses_flags(clauses_order order, clauses_parts parts, int32_t sign);
int32_t clauses_texts(const char *text, char letter);

/* ---- constraints ---- */

/** Return the sum. */
int32_t clauses_limits(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, double f);
/** Sum a matrix of extents that fit. */
double clauses_extents(int32_t m, int32_t n, const double *x, const double *y);

/* ---- codes ---- */

/** Return the code. */
int32_t clauses_status(int32_t code);
int32_t clauses_one(int32_t code);
int32_t clauses_constant(int32_t code);
int32_t clauses_named(int32_t code);
int32_t clauses_last(int32_t code);
int32_t clauses_quoted(int32_t code);
int32_t clauses_info(int32_t code, int32_t second);
/** Name a code. */
const char *clauses_why(int32_t code);
/** Name the last failure. */
const char *clauses_failure(void);

/** Return the code, by a clause that several share. */
int32_t clauses_shared_code(int32_t code);
int32_t clauses_shared_value(int32_t code);

/* ---- extents that only the call tells ---- */

/** Keep positive numbers; tell how many. */
int64_t clauses_keep(const float *x, int32_t n, float *out);
/** Keep positive numbers, at most room of them. */
void clauses_fill(const float *x, int32_t n, float *out, int32_t room, int64_t *count);
/** Report a number. */
int64_t clauses_lie(int64_t what, float *out);
/** Add up; out is as long as the longer one. */
void clauses_longer(const double *x, int32_t m, const double *y, int32_t n, double *out);
/** Dot product of what both have. */
double clauses_shorter(const double *x, const double *y, int32_t n);
/** Tell a length: twice n, -1 from 50 on. */
int64_t clauses_double_length(int32_t n);
/** Write numbers from 0. */
void clauses_spread(int32_t n, double *out);
/** Return twice a place below clauses_double_length. */
int32_t clauses_place(int32_t n, int32_t at);
/** Write numbers from 0. */
void clauses_spread_twice(int32_t n, double *out);
/** Tell how many columns a row of a table of n rows has; there must be such a row. */
int32_t clauses_width(int32_t n, int32_t row);
/** Number a cell of a table of twice n rows. */
int32_t clauses_cell(int32_t n, int32_t row, int32_t column);
/** Number so many cells of a row. */
int32_t clauses_cells(int32_t n, int32_t row, int32_t *out);
/** Write the numbers from first down to 1, at most *written. */
void clauses_down(int32_t first, uint8_t *out, int64_t *written);
/** Tell the length of clauses_stretch. */
int32_t clauses_length(int64_t size, int32_t factor, int64_t *length);
/** Repeat bytes. */
int32_t clauses_stretch(const uint8_t *x, int32_t n, int32_t factor, uint8_t *out);
/** Write at most as many bytes as clauses_double_length tells. */
void clauses_pack(int32_t n, uint8_t *out, int32_t *written);

/* ---- handles of every style ---- */

/** Adds up: a struct. */
typedef struct clauses_adder clauses_adder;
clauses_adder *clauses_adder_new(double start);
/** Add. */
double clauses_adder_add(clauses_adder *adder, double x);
/** Weigh each row. */
double clauses_adder_weigh(const clauses_adder *adder, int32_t m, const double *x);
/** Tell how many columns the adder wants: its sum. */
int32_t clauses_adder_columns(const clauses_adder *adder, int32_t *columns);
/** Compare two. */
bool clauses_adder_equal(const clauses_adder *adder, const clauses_adder *other);
/** Add without a lock. */
double clauses_adder_atomic(clauses_adder *adder);
/** Take its time. */
double clauses_adder_slowly(const clauses_adder *adder);
double clauses_adder_quickly(const clauses_adder *adder);
double clauses_adder_alone(clauses_adder *adder);
void clauses_adder_free(clauses_adder *adder);

/** Counts: a typedef of a pointer. */
typedef struct clauses_count_s *clauses_count;
clauses_count clauses_begin(int32_t start);
int32_t clauses_count_value(clauses_count count);
void clauses_end(clauses_count count);

/** Parcels: a typedef of void *. */
typedef void *ParcelHandle;
int32_t clauses_parcel_make(const float *x, int32_t n, ParcelHandle *out);
/** Count. */
int32_t clauses_parcel_count(ParcelHandle parcel, int64_t *count);
/** Give the numbers: copied, lent, halved. */
int32_t clauses_parcel_values(ParcelHandle parcel, int64_t *n, const float **out);
int32_t clauses_parcel_lent(ParcelHandle parcel, int64_t *n, const float **out);
/** Lend the numbers until the parcel changes; more than four are out of reach. */
float *clauses_parcel_numbers(ParcelHandle parcel);
int32_t clauses_parcel_room(ParcelHandle parcel);
int32_t clauses_parcel_halves(ParcelHandle parcel, int32_t height, int64_t *width, float **out);
int32_t clauses_parcel_matrix(ParcelHandle parcel, const int64_t **shape, int32_t *rank,
                              const float **out);
void clauses_parcel_return(ParcelHandle parcel, float *memory);
void clauses_unpack(ParcelHandle parcel);

/** Tickets: integers. */
typedef uintptr_t clauses_ticket_t;
int32_t clauses_ticket_create(int32_t number, clauses_ticket_t *ticket);
int32_t clauses_ticket_number(clauses_ticket_t ticket);
int32_t clauses_ticket_destroy(clauses_ticket_t ticket);

/** Add the halves of numbers, by way of memory of two elements for each. */
double clauses_halves(const double *x, size_t n, double *work, void *more);
/** Return the last number of memory. */
double clauses_last_of(double *work, int32_t count);

/** Return the value: a low one is a failure. */
int32_t clauses_level(int32_t value);
clauses_order clauses_sorting(int32_t value);
const char *clauses_level_text(int32_t value);

/** Clocks and bells: each is a void *. */
void *clauses_clock_start(int32_t hour);
int32_t clauses_clock_hour(const void *timer);
void clauses_clock_stop(void **timer);
int32_t clauses_bell_cast(int32_t tone, void **bell);
/** Ring as often as the hour says: the tones. */
int32_t clauses_bell_ring(void *bell, void *time);
void clauses_bell_melt(void *metal);

/** Jars: a struct whose members are known. */
typedef struct clauses_jar {
  int32_t value;
} clauses_jar;
clauses_jar *clauses_jar_new(int32_t value);
int32_t clauses_jar_value(const clauses_jar *jar);
/** A property, of a function whose name does not tell; a pair whose names do; and one that stays a
 * method. */
int32_t clauses_jar_weight(clauses_jar *jar);
int32_t clauses_jar_get_mark(const clauses_jar *jar);
int32_t clauses_jar_set_mark(clauses_jar *jar, int32_t mark);
int32_t clauses_jar_get_twice(const clauses_jar *jar);
/** Add 1 to the mark, and return the jar that it got; NULL if the mark is negative. */
clauses_jar *clauses_jar_shake(clauses_jar *jar);
void clauses_jar_drop(clauses_jar **jar);

/** Links: an object may be absent, as an argument and as a result. */
typedef struct clauses_link clauses_link;
clauses_link *clauses_link_new(int32_t value, const clauses_link *more);
clauses_link *clauses_link_open(const clauses_link *link, int32_t less);
int32_t clauses_link_value(const clauses_link *link);
int32_t clauses_link_join(clauses_link *link, clauses_link *next);
int32_t clauses_longest(const clauses_link *a, const clauses_link *b, int32_t none);
void clauses_link_free(clauses_link *link);

/** Chains keep links. */
typedef struct clauses_chain clauses_chain;
clauses_chain *clauses_chain_new(const clauses_link *first);
int32_t clauses_chain_add(clauses_chain *chain, const clauses_link *link);
/** Let the chain free a link, the first time. */
int32_t clauses_chain_own(clauses_chain *chain, clauses_link *link);
/** Add the last of several links, and make a chain of the first and the last one. */
int32_t clauses_chain_extend(clauses_chain *chain, int32_t n, const clauses_link *const *links);
clauses_chain *clauses_chain_new_of(const clauses_link **links, size_t n);
int32_t clauses_chain_length(const clauses_chain *chain);
void clauses_chain_free(clauses_chain *chain);

/** Boards have public fields. */
typedef struct clauses_board {
  int32_t height;
  struct {
    int64_t width;
    int32_t gap;
  } size;
  bool locked;
  double *cells;
  int32_t ends[2]; /* how many rows and columns */
} clauses_board;
clauses_board *clauses_board_new(int32_t height, int32_t width);
/** Write a row, and count the rows below it. */
int32_t clauses_board_set(clauses_board *board, int32_t row, const double *x);
/** Write all rows. */
void clauses_board_rows(const clauses_board *board, double *out);
/** Lend the cells: C fills in the struct. */
int32_t clauses_board_view(const clauses_board *board, DLManagedTensor *view);
void clauses_board_free(clauses_board *board);

/** A place in a board. */
typedef struct clauses_spot {
  int32_t row, column;
} clauses_spot;
/** Read a cell. */
double clauses_board_at(const clauses_board *board, const clauses_spot *spot);
/** Read the first cell of a column. */
double clauses_board_top(const clauses_board *board, int32_t column);
/** Tell about a board; fails for one of 7 rows. */
typedef struct clauses_about {
  double filled;
  int64_t cells;
} clauses_about;
int32_t clauses_board_tell(const clauses_board *board, clauses_about *about);
/** Read the cell of a number. */
double clauses_board_cell(const clauses_board *board, int32_t number);
/** Tell how many columns a board has. */
int64_t clauses_board_columns(const clauses_board *board);

/** Brushes have as many bristles as their board has columns. */
typedef struct clauses_brush clauses_brush;
clauses_brush *clauses_brush_new(const clauses_board *board);
/** Paint a row, and count the bristles. */
int32_t clauses_brush_paint(clauses_board *board, clauses_brush *brush, int32_t row);
/** Return the brush's board, or NULL if it has no columns. */
const clauses_board *clauses_brush_board(const clauses_brush *brush);
/** Read the first cell of a column of the brush's board. */
double clauses_brush_top(const clauses_brush *brush, int32_t column);
void clauses_brush_free(clauses_brush *brush);

/** Tapes: what makes one is told how many tracks it has, and nothing tells that later. */
typedef struct clauses_tape clauses_tape;
/** What a tape is made of. */
typedef struct clauses_reel {
  uint64_t tracks;
} clauses_reel;
clauses_tape *clauses_tape_new(int32_t tracks);
/** Make a tape of two tracks more. */
clauses_tape *clauses_tape_open(clauses_reel *reel);
clauses_tape *clauses_tape_copy(const clauses_tape *tape);
/** Leave so many tracks of at least as many. */
int32_t clauses_tape_cut(clauses_tape *tape, int32_t tracks);
/** Read one number for each track. */
double clauses_tape_add(const clauses_tape *tape, const double *x);
/** Write one for each. */
void clauses_tape_play(const clauses_tape *tape, double *out);
void clauses_tape_free(clauses_tape *tape);

/** Dials: in memory of the caller, so that the twin allocates them. */
typedef struct clauses_dial {
  int32_t value, step;
  void *more;
} clauses_dial;
int32_t clauses_dial_init(clauses_dial *dial, int32_t step);
int32_t clauses_dial_turn(clauses_dial *dial);
void clauses_dial_end(clauses_dial *dial);
/** What turning a copy of the dial would give. */
int32_t clauses_dial_ahead(clauses_dial dial, int32_t turns);
/** The dial, if its step is above 2. */
const clauses_dial *clauses_dial_coarse(const clauses_dial *dial);
int32_t clauses_dial_notches(const clauses_dial *dial);

/** Sum the rows of a column of a matrix whose starts and rows C trusts. */
int32_t clauses_column(int32_t columns, const int32_t *starts, const int32_t *rows, int32_t height,
                       int32_t column);

/** Return the number in the middle of numbers that C takes for sorted. */
double clauses_middle(const double *sorted, int32_t n);
/** Count the zeros. */
int32_t clauses_zeros(const long double *x, int32_t n);

/** Return the lowest of small numbers, and the highest. */
char clauses_lowest(const char *x, int32_t n, char *highest);
long double clauses_half(int32_t n);

/** Plants: the function that ends one needs its pot, which lies in memory of the caller. */
typedef struct clauses_pot {
  int32_t plants;
  void *more;
} clauses_pot;
typedef struct clauses_plant clauses_plant;
int32_t clauses_pot_init(clauses_pot *pot);
int32_t clauses_pot_plants(clauses_pot *pot);
/** Count the hours of all plants; of a pot that callers spell out. */
int32_t clauses_pot_shade(const clauses_pot *pot, int32_t hours);
void clauses_pot_end(clauses_pot *pot);
clauses_plant *clauses_plant_sow(int32_t size, clauses_pot *pot);
int32_t clauses_plant_size(const clauses_plant *plant);
int32_t clauses_plant_pull(clauses_plant **plant, clauses_pot *pot);

/** Tubs are pots too in C, but not for these functions. */
int32_t clauses_tub_init(clauses_pot *tub);
int32_t clauses_tub_litres(clauses_pot *tub);
void clauses_tub_end(clauses_pot *tub);

/** Coins: the function that frees them takes more than the coin. */
typedef struct clauses_coin clauses_coin;
clauses_coin *clauses_coin_new(int32_t value);
int32_t clauses_coin_value(const clauses_coin *coin);
int32_t clauses_coin_drop(int32_t order, clauses_coin *coin, const char **error, void *context);

/** Stamps and seals: one function frees both. */
typedef struct clauses_stamp clauses_stamp;
typedef struct clauses_seal clauses_seal;
clauses_stamp *clauses_stamp_new(int32_t value);
clauses_seal *clauses_seal_new(int32_t value);
int32_t clauses_stamp_value(const clauses_stamp *stamp);
int32_t clauses_seal_value(const clauses_seal *seal);
void clauses_let_go(void *object);

/** Shelves lend books, and covers that no function changes; they free both. */
typedef struct clauses_shelf clauses_shelf;
typedef struct clauses_book clauses_book;
typedef struct clauses_cover clauses_cover;
clauses_shelf *clauses_shelf_new(int32_t count);
/** Make one if there is something to put on it. */
clauses_shelf *clauses_shelf_open(int32_t count);
/** Lend a book; none beyond the last. */
clauses_book *clauses_shelf_get_book(clauses_shelf *shelf, int32_t index);
/** Lend the book with so many pages. */
int32_t clauses_shelf_find(clauses_shelf *shelf, int32_t pages, clauses_book **out);
int32_t clauses_shelf_cover(const clauses_shelf *shelf, const clauses_cover **out);
/** Lend the shelf that is part of it, whose type has a free function. */
clauses_shelf *clauses_shelf_upper(clauses_shelf *shelf);
/** Count the books. */
int32_t clauses_shelf_size(const clauses_shelf *shelf);
/** Move pages from a book of the shelf: the shelf and both books have one lock. */
int32_t clauses_shelf_merge(clauses_shelf *shelf, clauses_book *to, const clauses_book *other);
/** A page of a book. */
typedef struct clauses_mark {
  clauses_book *book;
  int32_t page;
} clauses_mark;
/** Find the first book with such a page, from 1; none has a page beyond the longest. */
clauses_mark clauses_shelf_mark(clauses_shelf *shelf, int32_t page);
/** Count the pages that are left from one mark to the end of its book, less those of another. */
int32_t clauses_marks_apart(clauses_mark from, clauses_mark to);
/** Add up the pages before the marks. */
int32_t clauses_marks_sum(const clauses_mark *marks, int32_t n);
void clauses_shelf_free(clauses_shelf *shelf);
int32_t clauses_book_pages(const clauses_book *book);
/** Lend the next one, if there is one. */
clauses_book *clauses_book_next(clauses_book *book);
const clauses_cover *clauses_book_get_cover(const clauses_book *book);
int32_t clauses_cover_size(const clauses_cover *cover);

/** Two presses, which are there for good. */
typedef struct clauses_press clauses_press;
clauses_press *clauses_press_at(int32_t index);
int32_t clauses_press_copy(clauses_press *to, const clauses_press *other);
int32_t clauses_press_copies(const clauses_press *press);

/** Plans keep arrays. */
typedef struct clauses_plan_s *clauses_plan;
clauses_plan clauses_plan_make(int32_t n, double *x);
/** Keep another one. */
int32_t clauses_plan_take(clauses_plan plan, int32_t n, double *x);
/** Sum the kept numbers. */
double clauses_plan_run(clauses_plan plan);
void clauses_plan_drop(clauses_plan plan);

/** Numbers from 0, in memory that callers free; NULL for 13. */
double *clauses_range(int32_t n);
void clauses_release(void *memory);
/** Give 1, i, -1 and so on, in memory that callers free. */
float complex *clauses_circle(int32_t n);
/** Give wrong extents: 0 good ones, 1 a negative one, 2 NULL. */
int32_t clauses_wrong(int32_t how, int64_t *n, const int32_t **out);

/* ---- texts ---- */

/** Say what a level is: nothing for 0, and fail below. */
int32_t clauses_explain(int32_t level, const char **message);
/** The same in memory that callers free, also beside a failure. */
int32_t clauses_hint(int32_t level, char **hint);
/** Fail unless the source ends with ";", and say why. */
int32_t clauses_compile(const char *source, char **why);
int32_t clauses_inspect(const char *source, const char **error);
/** Give a text of n letters in memory that callers free, NULL for 13; and one that stays the
 * library's. */
char *clauses_compose(int32_t n);
char *clauses_motto(int32_t n);
void clauses_forget(void *text);
/** Print n letters like snprintf; -1 for 13. */
int32_t clauses_print(int32_t n, char *buf, uint64_t size);
/** Write n letters without a NUL; ask for memory by a number below zero. */
int32_t clauses_piece(int32_t n, char *buf, int32_t length);
/** Write n letters and tell how many bytes these are, with the NUL; 1 if that is too many. */
int32_t clauses_label(int32_t n, char *buf, int64_t *size);
/** Write n letters without a NUL, and tell how many there are. */
int32_t clauses_line(int32_t n, char *buf, int32_t size, int32_t *got);
/** Write n letters and, if there is room, a NUL. */
void clauses_title(int32_t n, char *buf, int32_t size);
void clauses_tag(int32_t n, char tag[4]);
/** Count the letters that are 'a'. */
int32_t clauses_measure(const char *text, int16_t length);
/** Count the letters of all words, each with its weight. */
double clauses_weigh(const char **words, const double *weights, int32_t n);
/** Count the letters of two texts. */
int32_t clauses_two(const char *const *words);
/** Count the letters of so many texts. */
int32_t clauses_letters_of(const int32_t *count, const char *const *words);

/* ---- lists of objects ---- */

/** Add the sums of all adders. */
double clauses_sum_of(const clauses_adder *const *adders, int32_t n);
/** Add each x to the adder of its place, and return what all have with the first one. */
double clauses_pour(clauses_adder *into, clauses_adder **adders, const double *x, int32_t n);
/** Make an adder of the sum of others. */
clauses_adder *clauses_adder_make_from(uint32_t n, const clauses_adder *const parts[]);
/** Add the values of two lists: pointers behind a typedef. C gets NULL for an empty one. */
int32_t clauses_tally(uint32_t n, const clauses_count *counts, clauses_count *more, uint8_t m);
/** Return the mean of counts that are all the same. */
double clauses_mean_of(int32_t n, clauses_count *counts, clauses_count like);
/** Copy from one press to the next, through the row. */
int32_t clauses_press_row(clauses_press *const *presses, int32_t n);

/* ---- structs ---- */

/** What goes into a cake. */
typedef struct clauses_recipe {
  double sugar; /**< in grams */
  int32_t eggs, spoons;
  bool sweet;
  clauses_order order;
  char mark;
  const void *secret; /**< for C alone */
} clauses_recipe;
clauses_recipe clauses_recipe_usual(void);
/** Weigh so many cakes. */
double clauses_recipe_weigh(const clauses_recipe *recipe, int32_t cakes);
/** Double what goes in; with 13 eggs, the mark is no character. */
clauses_recipe clauses_recipe_double(clauses_recipe recipe);
/** Find the recipe of a number: -1 fails, 9 has an unknown order. */
int32_t clauses_recipe_find(int32_t number, clauses_recipe *recipe);
/** A text, and a struct within a struct. */
typedef struct clauses_menu {
  char title[8]; /**< for the door */
  clauses_recipe dish;
  int32_t guests;
} clauses_menu;
/** Weigh the dishes of all guests, and add the title's length. */
double clauses_menu_weigh(const clauses_menu *menu, int32_t days);
/** Find the menu of a number: -1 fails, 8 has a title without end, 9 a dish of an unknown order. */
int32_t clauses_menu_find(int32_t number, clauses_menu *menu);
/** Two numbers, made of a version. */
typedef struct clauses_couple {
  int32_t left, right;
} clauses_couple;
int32_t clauses_couple_init(clauses_couple *couple, int32_t version);
/** Look at the couple of a number, which the library keeps; a negative one has none. */
const clauses_couple *clauses_couple_of(int32_t number);
/** Add up and multiply. */
double clauses_couple_sum(const clauses_couple *couple, double factor);
#define CLAUSES_NAME 32
/** A note with texts that C points to. */
typedef struct clauses_note {
  const char *author; /**< may be absent */
  char *subject;
  int32_t year;
} clauses_note;
/** Count the letters, and 100 for an absent author. */
int32_t clauses_note_count(const clauses_note *note, int32_t times);
/** Tell the age of a note, which is read although it is not const. */
int32_t clauses_note_age(clauses_note *note, int32_t year);
/** Swap pointers to the author and the subject. */
void clauses_note_swap(clauses_note *note);
/** Look at the note of a number, which the library keeps; a negative one has none. */
int32_t clauses_note_look(int32_t number, const clauses_note **out);
/** A dot, two numbers of one type. */
typedef struct clauses_dot {
  int32_t x, y;
} clauses_dot;
/** Give the dots that the library keeps. */
const clauses_dot *clauses_dots(int32_t *count);
/** Add up x, and twice y. */
int32_t clauses_dots_sum(int32_t n, const clauses_dot *dots);
/** Why the last call failed, in a struct. */
typedef struct clauses_reason {
  int32_t code;
  char *why;
} clauses_reason;
const clauses_reason *clauses_last_reason(void);
/** Return a code: 7 has a reason, others but 0 have none. */
int32_t clauses_reasoned(int32_t code);
/** Make a couple that clauses_couple_free frees; a negative number makes none. */
clauses_couple *clauses_couple_make(int32_t number);
void clauses_couple_free(clauses_couple *couple);
/** The same; that of 0 comes with a failure. */
int32_t clauses_couple_find(int32_t number, clauses_couple **out);
/** Find the note of a number: 8 has a long subject, 9 none. */
int32_t clauses_note_find(int32_t number, clauses_note *note);
/** What a filter reads and writes. */
typedef struct clauses_filter {
  const double *from;
  double *to;
  long count, room;
  long written;
  double factor;
  const void *secret; /**< for C alone */
} clauses_filter;
/** Multiply, and write as many numbers as there is room for; 13 fails. */
int32_t clauses_run_filter(clauses_filter *filter, int32_t which);
/** Add up and multiply. */
double clauses_sum_filter(clauses_filter filter);
/** What a call packs: `free` frees the bytes and the label. */
typedef struct clauses_crate {
  unsigned char *bytes;
  size_t size;
  char *label;
  int32_t kind;
} clauses_crate;
/** Pack so many bytes; none has no label. */
clauses_crate clauses_crate_pack(int32_t number);
/** The same; 13 fails, and packs a label. */
int32_t clauses_crate_fill(int32_t number, clauses_crate *crate);
/** Words, and how often they are said. */
typedef struct clauses_saying {
  const char *words;
  int32_t times;
  int32_t *pause; /**< for C alone */
} clauses_saying;
/** Count the bytes of all lines. */
int32_t clauses_lines_size(const clauses_saying *lines, size_t count, int32_t more);
/** A matrix in memory of the caller. */
typedef struct clauses_tray {
  size_t rows, columns;
  long pitch; /**< from a row to the next one, in cells */
  double *cells;
  void *owner; /**< of the memory; NULL for the caller */
} clauses_tray;
/** Turn a matrix over, its rows to columns. */
int32_t clauses_tray_turn(const clauses_tray *from, clauses_tray *to);
/** Texts with their number. */
typedef struct clauses_words {
  char **words;
  int32_t count;
} clauses_words;
/** Count the letters of all. */
int32_t clauses_words_letters(const clauses_words *list);
#define CLAUSES_CELLS 6
/** Numbers in arrays. */
typedef struct clauses_grid {
  double cells[CLAUSES_CELLS]; /**< row by row */
  unsigned char key[2];
  int32_t used; /**< the first of the cells */
} clauses_grid;
void clauses_grid_usual(clauses_grid *grid);
/** Add the cells that are used, and 100 times the key. */
double clauses_grid_sum(const clauses_grid *grid, int32_t times);
/** Reverse the cells and count up the key. */
void clauses_grid_turn(clauses_grid *grid);
/** A point without a typedef. */
struct clauses_point {
  float x, y;
};
/** Turn a point to the left. */
void clauses_turn(struct clauses_point *point);

/** A text in memory of the library. */
typedef struct clauses_buf {
  char *ptr;
  size_t size;
} clauses_buf;
/** @contract lock planner */
void clauses_buf_dispose(clauses_buf *buf);
/** Write so many letters: 0 leaves it empty, and a negative number writes and fails. */
int32_t clauses_write(clauses_buf *out, int32_t n);
int32_t clauses_write_any(int32_t n, clauses_buf *out);
/** Write so many bytes, from 0 on; a negative number writes and fails. */
int32_t clauses_write_bytes(clauses_buf *out, int32_t n);
/** Texts in memory of the library. */
typedef struct clauses_names {
  char **strings;
  size_t count;
} clauses_names;
void clauses_names_dispose(clauses_names *names);
/** Make so many of none, one, two, ... letters; a negative number makes some and fails, and of 4
 * one is NULL. */
int32_t clauses_names_make(clauses_names *out, int32_t n);
/** The same in a list that ends with NULL; NULL for a negative number. */
char **clauses_strings(int32_t n);
char **clauses_some_strings(int32_t n);
void clauses_strings_free(char **strings);
/** Texts that the library keeps, so many of them; more than 3 are none. */
int32_t clauses_kept_names(int32_t n, const char *const **names, int32_t *count);
/** A key of three bytes, and several. */
typedef struct clauses_key {
  unsigned char id[3];
} clauses_key;
typedef struct clauses_keys {
  clauses_key *ids;
  size_t count;
} clauses_keys;
void clauses_keys_dispose(clauses_keys *keys);
/** Is told so many words of none, one, two, ... letters, their places and keys, while it returns 0.
 */
typedef int32_t (*clauses_each)(const char *word, int32_t place, const clauses_key *key,
                                void *data);
/** A negative number tells some and fails; of 4 one is NULL. */
int32_t clauses_tell_words(int32_t n, clauses_each each, void *data);
/** An entry, whose name may be NULL. */
typedef struct clauses_entry {
  const char *name;
  int32_t size;
  const char *letters; /* no NUL behind them */
  size_t letter_count;
  clauses_metal metal;
} clauses_entry;
/** Tells so many entries, while it gets NULL; the first has no name, and of 5 one is NULL. */
void *clauses_tell_entries(int32_t n, void *(*each)(const clauses_entry *entry, void *data),
                           void *data);
/** The halves of the numbers below n. */
void clauses_tell_halves(void (*each)(void *data, double half), void *data, int32_t n);
/** Make so many keys of 1, 2 and 3; 3 fails. */
int32_t clauses_keys_make(int32_t n, clauses_keys *out);
/** Add up all bytes. */
int32_t clauses_keys_sum(const clauses_key *keys, size_t n);

/* ---- the axes of a tensor ---- */

/** Tell how many axes a window has; 1 for a window that is unknown. */
int32_t clauses_axes(int32_t window, int32_t *ndims);
/** Add up the elements of a window, and ten times what it starts at. */
double clauses_window(int32_t window, const uint64_t *start, const size_t *count,
                      const ptrdiff_t *step, const double *x);
/** Multiply the extents. */
int32_t clauses_volume(int32_t ndims, const int8_t *shape, const float *x);

/* ---- texts behind pointers that are not const ---- */

/** Count the letters of a word and an ending. */
int32_t clauses_spell(char *word, const unsigned char *ending);
char *clauses_complaint(void);
/** Fail with the last complaint, unless the number is 0. */
int32_t clauses_complain(int32_t number);

/* ---- parameters that report a failure ---- */

typedef struct clauses_verdict clauses_verdict;
clauses_verdict *clauses_verdict_make(void);
int32_t clauses_verdict_code(const clauses_verdict *verdict);
const char *clauses_verdict_text(const clauses_verdict *verdict);
void clauses_verdict_free(clauses_verdict *verdict);
/** Half of a number, which fails with code -1 for an odd one. */
int32_t clauses_halve(int32_t number, int32_t *code);
/** A third of a number, unless it has none. */
int32_t clauses_third(int32_t number, clauses_verdict *verdict);
/** A safe of so many locks, which is closed with a verdict. */
typedef struct clauses_safe clauses_safe;
clauses_safe *clauses_safe_new(int32_t locks, clauses_verdict *verdict);
int32_t clauses_safe_locks(const clauses_safe *safe);
void clauses_safe_close(clauses_safe *safe, clauses_verdict *verdict);

/* ---- objects that a call frees ---- */

/** A draft of a number, which becomes a link. */
typedef struct clauses_draft clauses_draft;
clauses_draft *clauses_draft_new(int32_t value);
void clauses_draft_free(clauses_draft *draft);
int32_t clauses_draft_value(const clauses_draft *draft);
/** Make a draft of a number that is noted in a file; one below 0 reads there, which is an error. */
clauses_draft *clauses_draft_from_note(int32_t value, FILE *note);
/** Count the bytes of a file. */
int64_t clauses_count_bytes(FILE *of);
/** Free the draft, and make a link of it unless its value is below 0. */
clauses_link *clauses_link_from_draft(clauses_draft *draft, int32_t times, int32_t *code);

/* ---- families ---- */

/** Add alpha times x to y. */
void clauses_saxpy(int32_t n, float alpha, const float *x, float *y);
void clauses_daxpy(int32_t n, double alpha, const double *x, double *y);
void clauses_caxpy(int32_t n, const void *alpha, const void *x, void *y);
/** Write absolute values. */
void clauses_sabs(int32_t n, const float *x, float *out);
void clauses_cabs(int32_t n, const void *x, float *out);

/* ---- for no caller ---- */

void clauses_secret(int32_t a);
/** Its guess does nothing, so it is left out. */
void clauses_guessed(const double *x, int32_t n);

/** How much is alive. */
int64_t clauses_live(void);

#endif
