/* SPDX-License-Identifier: Apache-2.0 */
/** @file Kernels whose author never saw dlferry's sources. */
#ifndef KERNELS_H
#define KERNELS_H

#include <dlpack/dlpack.h>

/** Multiply each element.
 *
 *  @param x       what is multiplied, in any unit
 *  @param factor  by this
 *  @param out     receives the products
 *  @contract x: f32[n]; out: f32[n]; factor = 2.0 */
void kernels_scale(const DLTensor *x, double factor, DLTensor *out);

/** Add all elements.
 *  @contract x: f32[n]
 *  @return the sum */
double kernels_sum(const DLTensor *x);

#endif
