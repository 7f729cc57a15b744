/* SPDX-License-Identifier: Apache-2.0 */
/* Clauses in words, for readers of docs who do not know the language of contracts. */
#ifndef DLFERRY_BIND_IR_WORDS_H
#define DLFERRY_BIND_IR_WORDS_H

#include "ir.h"

/** Set the words of all parameters of a function:
 *  "T[h, w] strided" is "array of float32 or float64 with shape (h, w), any strides". */
void words_describe(bind_function *f);

#endif
