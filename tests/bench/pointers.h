/* SPDX-License-Identifier: Apache-2.0 */
/* One function twice: over tensors, and over pointers as a library has it. */
#ifndef POINTERS_BENCH_H
#define POINTERS_BENCH_H

#include <dlpack/dlpack.h>

typedef struct pb_box pb_box;
pb_box *pb_box_create(void);
void pb_box_free(pb_box *box);

/** Add x to y.
 *  @contract x: f32[m, n];  y: inout f32[m, n] noalias */
void pb_tensors(const DLTensor *x, DLTensor *y);

/** Add x to y.
 *  @contract m := m;  n := n;  ldx := ld(x);  x: f32[m, n];  y: inout f32[m, n] noalias */
void pb_pointers(int m, int n, const float *x, int ldx, float *y);

#endif
