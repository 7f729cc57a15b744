/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SCALE_H
#define SCALE_H

#include <dlpack/dlpack.h>

/** Multiply each element.
 *  @contract x: inout f64[n] */
void scale_all(DLTensor *x, double factor);

#endif
