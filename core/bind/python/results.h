/* SPDX-License-Identifier: Apache-2.0 */
/* The results of calls in Python. */
#ifndef DLFERRY_BIND_PYTHON_RESULTS_H
#define DLFERRY_BIND_PYTHON_RESULTS_H

#include "bind/ir/ir.h"

/* Run a block for each result of a call: the value, which has no name, then outputs that are made
 * or returned. Given outputs are results too if f_new would make them, so that the results of a
 * call have one form, and if there are no others, as in NumPy. Without make, where C reports how
 * much of an output it wrote, that number is the result instead. The value lives in the block. */
#define PYTHON_EACH_RESULT(p, f, make)                                                             \
  for (const bind_param *p##_value = (bind_param[]){python_value(f)},                              \
                        *p = python_next_result(f, make, p##_value, NULL);                         \
       p;                                                                                          \
       p = python_next_result(f, make, p##_value, p))
bind_param python_value(const bind_function *f);
const bind_param *python_next_result(const bind_function *f, bool make, const bind_param *value,
                                     const bind_param *before);

/* Tell whether callers that pass the outputs get how much C wrote of them, and others get arrays.
 */
bool python_counts(const bind_function *f);

/* Tell whether a result is an array. */
bool python_is_array(const bind_param *p);

/* Return the only result if it is an output, else NULL. */
const bind_param *python_only_output(const bind_function *f);

/* Return it if the caller gives it and C computes nothing else, else NULL. */
const bind_param *python_sole_output(const bind_function *f);

/* Return an array's clause from its only dtype on, "T[h, w] noalias"; NULL for none or several. */
const char *python_one_dtype(const bind_param *p);

/* Tell whether a result has the first tensor's type if types tell dtype and rank, as in NumPy;
 * whether any of several has. */
bool python_is_like_first(const bind_function *f, const bind_param *p);
bool python_results_vary(const bind_function *f);

/* Tell whether any function has several results, and whether there are arrays among them. */
bool python_has_results(const bind_ir *ir, bool arrays);

/* Append the class of several results. */
void python_put_results(bind_text *t, const bind_ir *ir, const bind_function *f, bool stub);

/* Return the class of several results, "RangeResult", or NULL for fewer; and the name of one of
 * them. */
const char *python_results_name(const bind_ir *ir, const bind_function *f);
const char *python_field_name(const bind_function *f, const bind_param *p);

#endif
