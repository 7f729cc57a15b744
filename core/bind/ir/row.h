/* SPDX-License-Identifier: Apache-2.0 */
/* Structs of one array of numbers, `struct { unsigned char id[20]; }`, or of numbers of one type,
 * `struct { int x, y; }`: many of them are a tensor with a last extent of 20 or 2. */
#ifndef DLFERRY_BIND_IR_ROW_H
#define DLFERRY_BIND_IR_ROW_H

#include "builder.h"
#include "contract/contract.h"

/* Return the type of the elements behind a pointer, those of such a struct's array too; NULL if
 * they cannot be a tensor's. */
const c_type *ir_row_element(const c_type *pointer);

/* Return how many of these are in such a struct behind a pointer; 0 for a pointer to elements. */
int ir_row_size(const ir_builder *b, const c_type *pointer);

/* Refuse a tensor of such structs whose last extent is not the array's. */
void ir_check_row(ir_builder *b, const bind_function *f, const bind_param *p, const dlf_contract *c,
                  const dlf__clause *clause);

/* Refuse an extent of what a struct carries that is none of its fields. */
void ir_check_held(ir_builder *b, const bind_function *f, const bind_param *p,
                   const dlf_contract *c, const dlf__clause *clause);

#endif
