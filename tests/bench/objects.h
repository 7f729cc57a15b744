/* SPDX-License-Identifier: Apache-2.0 */
/* What a struct and an object cost as arguments: each function beside ob_none. */
#ifndef OBJECTS_BENCH_H
#define OBJECTS_BENCH_H

#include <stdint.h>

/** Sixty-four bytes. */
struct ob_settings {
  double rate;
  double weight;
  double low;
  double high;
  int64_t steps;
  int64_t seed;
  int32_t threads;
  int32_t order;
  float scale;
  float bias;
};

typedef struct ob_box ob_box;
typedef struct ob_part ob_part;

/** A box with one part.
 *  @contract handle ob_box freed ob_box_free made ob_box_create;  handle ob_part unowned */
ob_box *ob_box_create(void);
void ob_box_free(ob_box *box);
/** The part of a box, which the box owns.
 *  @contract return: borrows box */
ob_part *ob_box_part(ob_box *box);

double ob_none(double x);
/** @contract settings: in */
double ob_pointer(const struct ob_settings *settings, double x);
double ob_value(struct ob_settings settings, double x);
double ob_owned(ob_box *box, double x);
double ob_borrowed(ob_part *part, double x);

#endif
