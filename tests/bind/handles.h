/* SPDX-License-Identifier: Apache-2.0 */
/* A library whose handles are of every style, and which owns and keeps memory. Its contracts are in
 * handles.contracts. */
#ifndef HANDLES_H
#define HANDLES_H

#include <stdbool.h>
#include <stdint.h>

/** Adds numbers up. */
typedef struct h_sum_s *h_sum;

/** Counts. */
typedef void *CounterHandle;
typedef void *BagHandle;

typedef uintptr_t h_ticket_t;

/** A complete struct. */
typedef struct h_jar {
  int value;
} h_jar;

h_sum h_begin(double start);
void h_add(h_sum sum, double value);
double h_total(const struct h_sum_s *sum);
void h_destroy_sum(h_sum sum);

/** Negative counts are refused. */
int CounterCreate(int start, CounterHandle *out);
int CounterNext(CounterHandle counter, int *value);
int CounterFree(CounterHandle counter);

int BagCreate(const float *values, uint64_t n, BagHandle *out);
/** Count in two objects of different types. */
int BagCount(BagHandle bag, CounterHandle counter, uint64_t *count);
int BagFree(BagHandle bag);

/** The values of a bag, which stay the bag's. */
int BagValues(BagHandle bag, uint64_t *len, const float **out);
int BagShow(BagHandle bag, uint64_t *len, const float **out);

/** The values where they are, until the bag changes. */
float *BagLook(BagHandle bag);
int BagSize(BagHandle bag);
/** The values with the other sign; what the last call gave is freed. */
float *BagNegated(BagHandle bag);

/** Halves of a bag, in memory that the bag frees. */
int BagHalves(BagHandle bag, int height, uint64_t *width, float **out);
void BagGiveBack(BagHandle bag, float *memory);

/** The values as a matrix whose extents C gives, and a text of bytes. */
int BagMatrix(BagHandle bag, const uint64_t **shape, uint64_t *rank, const float **out,
              uint64_t *length, const char **bytes);

/** The values of a bag in pairs, which are complex numbers. */
typedef float h_pair[2];
int BagPairs(BagHandle bag, uint64_t *len, const h_pair **out);

/** Numbers from 0, in memory that callers free. */
double *h_range(int n);
/** Points of a circle, likewise. */
double _Complex *h_circle(int n);
void h_release(double *memory);

/** What C gives may be wrong: a negative extent, one too large, NULL. */
int h_wrong(int how, int64_t *n, uint64_t *m, const int32_t **out);

int h_ticket_create(int number, h_ticket_t *ticket);
int h_ticket_number(h_ticket_t ticket, int *number);
int h_ticket_destroy(h_ticket_t ticket);

h_jar *h_jar_new(int value);
int h_jar_value(const h_jar *jar);
void h_jar_set(h_jar *jar, int value);
/** How full it is; C trusts what h_jar_pour takes out. */
int h_jar_fill(h_jar *jar, int64_t level);
int h_jar_pour(const h_jar *jar, int part);
void h_jar_drop(h_jar **jar);

/** Shelves keep jars, and read them until they are dropped. */
typedef struct h_shelf h_shelf;
h_shelf *h_shelf_new(const h_jar *first);
/** 1, and nothing is kept, for a jar of a negative value. */
int h_shelf_put(h_shelf *shelf, const h_jar *jar);
/** Put a jar that the shelf frees, unless it has one of its own. */
int h_shelf_own(h_shelf *shelf, h_jar *jar);
int h_shelf_own_both(h_shelf *shelf, h_jar *jar, h_jar *other);
int h_shelf_sum(const h_shelf *shelf);
/** Put a shelf into another one, or nothing. */
int h_shelf_stack(h_shelf *shelf, h_shelf *upper);
void h_shelf_drop(h_shelf *shelf);
/** The number of jars and shelves that are not dropped, and the sum of what dropped shelves read.
 */
int h_furniture(void);
int h_read_at_the_end(void);

/** A plan doubles the numbers of arrays that it keeps. Making and freeing one changes state of the
 * process. */
typedef struct h_plan_s *h_plan;
h_plan h_plan_make(int n, const double *in, double *out);
void h_plan_run(h_plan plan);
/** Read from another array from now on; 1, and nothing is kept, if its first number is negative. */
int h_plan_read(h_plan plan, int n, const double *in);
void h_plan_drop(h_plan plan);

/** How many calls found another thread inside the state of the process. */
int h_collisions(void);

/** How many objects and pieces of memory are alive. */
int64_t h_live(void);

#endif
