/* SPDX-License-Identifier: Apache-2.0 */
/** @file
 *  @brief An object with two methods, one that changes it and one that only reads. */
#ifndef CELL_H
#define CELL_H

#include <dlferry.h>

/** A number. */
typedef struct cell_box cell_box;

/** Make one. */
cell_box *cell_box_create(int64_t value);

/** Add to it. */
void cell_box_add(cell_box *box, int64_t value);

/** Tell it. */
int64_t cell_box_value(const cell_box *box);

/** Free it. */
void cell_box_free(cell_box *box);

#endif
