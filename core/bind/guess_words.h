/* SPDX-License-Identifier: Apache-2.0 */
/* What names and comments say about parameters. A guess needs several of these to agree. */
#ifndef DLFERRY_BIND_GUESS_WORDS_H
#define DLFERRY_BIND_GUESS_WORDS_H

#include "bind/ir/ir.h"

/** Return the last word of a name in small letters: "size" of bufSize. */
const char *guess_last(const char *name);

/** Return the name in small letters without digits at its end: "data" of data1. */
const char *guess_stem(const char *name);

/** Tell whether a text has one of the words of a list with `|` between, as whole words, in small or
 * capital letters. */
bool guess_says(const char *text, const char *words);

/** Return the word by which a length is named after a pointer: "len" of sourceLen for source, "num"
 * of num_values for values; NULL if it is not. */
const char *guess_named_after(const char *length, const char *pointer);

/** Tell whether a name alone means a number of elements or bytes: n, len, count, nbytes. */
bool guess_is_length(const char *name);

/** Tell whether a name may mean how many there are of something: that and num_rows, buffer_size,
 * frames. */
bool guess_may_be_length(const char *name);

/** Tell whether a number's name may mean a place in an array, or how far along it one is. */
bool guess_may_be_place(const char *name);
bool guess_may_be_fraction(const char *name);

/** Tell whether a pointer is the caller's own, which C only passes on: user_data, ctx. */
bool guess_is_own(const char *name);

/** Tell whether a pointer of this name is a plain row of elements: data, buf, x, vec1. */
bool guess_is_row(const char *name);

/** Tell whether a pointer to a number of this name is a place for one: width, major, min_index. */
bool guess_is_place(const char *name);

/** Return what comments say about a parameter: @param, and plain comments beside it. */
const char *guess_comment(const bind_param *p);

/** Tell whether a comment gives an array another length than this one: "size n+1", "size nz". */
bool guess_denies_length(const char *comment, const char *length);

/** Tell whether a pointer is called like a part of a sparse matrix, of which only the whole tells
 * the lengths: Ap, Li, row_ptr. */
bool guess_is_sparse(const char *name);

/** Tell whether a comment says that elements are not one simple row: interleaved, a matrix,
 * optional. */
bool guess_is_shaped(const char *comment);

#endif
