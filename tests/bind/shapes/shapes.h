/* SPDX-License-Identifier: Apache-2.0 */
/* A library over plain pointers whose results have lengths that only the call tells. Its contracts
 * are in shapes.contracts. */
#ifndef SHAPES_H
#define SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum s_phase { S_REST, S_WALK, S_RUN } s_phase;

/* ---- numbers that C reads and writes; min and max ---- */

/** Next number of a generator of 31 bits. */
int s_next(uint32_t *state, uint32_t *number);

/** Step all kinds of numbers: add by to each, flip truth, go to the next phase; 1 from the last
 * one. */
int s_step(int8_t by, int64_t *whole, float *part, bool *truth, s_phase *phase);

/** Sum the diagonal of a matrix; n is the smaller extent. */
double s_trace(const double *a, int64_t ld, uint8_t n);

/** Add two vectors of different lengths: out has the longer one. */
void s_add(const float *x, size_t m, const float *y, size_t n, float *out);

/* ---- outputs that are cut to what C reports ---- */

/** Keep the positive numbers; tell how many there are. */
long s_keep(const float *x, long n, float *out);

/** Find the numbers of at least so much, at most room of them, with their places; tell how many
 * there are. */
int s_find(const int32_t *x, int16_t n, int32_t least, int32_t *places, int32_t *values,
           uint8_t room);

/** The most bytes that s_pack writes for so many. */
size_t s_bound(size_t size);

/** Pack bytes: a number of equal ones, then the one. Reads the room in *written. */
int s_pack(const void *from, size_t size, char *to, uint32_t *written);

/** The bytes that s_unpack writes; -1 for an odd size. */
int64_t s_unpacked(const unsigned char *packed, int32_t size);

/** Unpack, in rows of two. */
int s_unpack(const unsigned char *packed, int32_t size, int8_t *to, uint64_t *rows);

/** Write the numbers from first down to 1, at most *written; from 99 on it reports one more. */
void s_down(int first, int32_t *out, size_t *written);

/** Report any number. */
int64_t s_lie(int64_t what, float *out);

/** Report any number through a pointer. */
void s_lie_wide(uint64_t what, float *out, uint64_t *count);

/* ---- extents that only an object knows ---- */

/** Weights. */
typedef struct s_table s_table;

s_table *s_table_new(int columns);
void s_table_free(s_table *table);

/** Tell the number of columns; 3 for more than 9. */
int s_table_columns(const s_table *table, uint64_t *columns);

/** Name a status. */
const char *s_why(int status);

/** Weigh each row. */
int s_table_weigh(const s_table *table, const double *rows, int n, double *out);

/** Repeat the weights. */
int s_table_repeat(const s_table *table, int times, double *out);

/** The length of s_table_repeat. */
int s_table_length(const s_table *table, int8_t times);

/** Give one weight. */
double s_table_weight(const s_table *table, int64_t at);

/** Tell whether there are at most four columns. */
bool s_table_is_narrow(const s_table *table);

/** Weigh one row of a narrow table; numbers beyond its columns are left out. */
double s_table_weigh_row(const s_table *table, const double *row, size_t n);

#endif
