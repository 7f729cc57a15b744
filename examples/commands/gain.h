/* SPDX-License-Identifier: Apache-2.0 */
/** @file The library that the examples bind: one function with a contract. */
#ifndef GAIN_H
#define GAIN_H

#include <dlpack/dlpack.h>

/** Amplify a signal.
 *  @contract signal: f32[n];  out: f32[n];  factor = 2.0;  factor > 0 */
void gain_apply(const DLTensor *signal, double factor, DLTensor *out);

#endif
