/* SPDX-License-Identifier: Apache-2.0 */
/* Questions about the IR that the twins, the tests and the languages ask. */
#ifndef DLFERRY_BIND_EMIT_QUERY_H
#define DLFERRY_BIND_EMIT_QUERY_H

#include "bind/ir/ir.h"

/** Return the bound function after f, the first for NULL; NULL at the end. */
const bind_function *bind_next_function(const bind_ir *ir, const bind_function *f);

/** Run a block for each of them. */
#define BIND_EACH_FUNCTION(f, ir)                                                                  \
  for (const bind_function *f = NULL; (f = bind_next_function(ir, f));)

/** Return the bound method or maker of h after f, the first for NULL; NULL at the end. */
const bind_function *bind_next_at(const bind_handle *h, const bind_function *f);

/** Run a block for each of them. */
#define BIND_EACH_AT(f, h) for (const bind_function *f = NULL; (f = bind_next_at(h, f));)

/** Return the index of a parameter among C's. */
int bind_c_index(const bind_function *f, const bind_param *p);

/** Return the struct to which an argument of C belongs, or NULL; *field is what it is there. */
const bind_spread *bind_spread_of(const bind_function *f, const bind_c_param *c,
                                  const bind_spread_field **field);

/** Return the contract's clause for a tensor; NULL for none. */
const struct dlf__clause *bind_clause_of(const bind_function *f, const bind_param *p);

/** Return the index of the first name for the value of e->values[i]. */
int bind_first_of(const bind_enum *e, int i);

/** Return the first parameter that f_new makes. */
const bind_param *bind_first_made(const bind_function *f);

/** Tell whether callers pass a parameter to f_new (make) or to f_checked. */
bool bind_is_passed(const bind_param *p, bool make);

/** Tell whether a result is a text in memory of the caller. */
bool bind_is_given_text(const bind_param *p);

/** Return the twins' function that frees such texts, or NULL if no bound function has one. */
const char *bind_free_text(const bind_ir *ir);

/** Tell whether callers may leave out a text, a number or an object; absent tensors have rules of
 * their own. */
bool bind_is_optional_value(const bind_param *p);

/** Tell whether a parameter is an option in Rust and Go: it has a default, like each stream, or is
 * a text or a number that may be absent. */
bool bind_is_option(const bind_param *p);

/** Return the name of a function's options: "BlurOptions". */
const char *bind_options_name(const bind_function *f);

/** Tell whether f_new (make) or f_checked returns a parameter. */
bool bind_is_result(const bind_param *p, bool make);

/** Count the results of a call: the value, then outputs that are made or returned. */
int bind_count_results(const bind_function *f, bool make);

/** Return the place, from 0, of the created handle among the results of a function. */
int bind_place_of_handle(const bind_function *f, bool make);

/** Return "; M, N, lda follow from the other arguments" of C's arguments that callers do not pass,
 * "; calls with the lock planner run one at a time", both, or "". */
const char *bind_derived_words(const bind_function *f);

/** Return the names of the functions in C: its own, or those of a family's members with `between`
 * them. */
const char *bind_c_names(const bind_function *f, const char *between);

/** Return the first sentence about a function: the header's, or one that names C's functions in
 * these quotes. */
const char *bind_summary(const bind_function *f, const char *quote);

/** Return what users of a deprecated function read, "Deprecated: use g." or "Deprecated.", or ""
 * for others. */
const char *bind_deprecation(const bind_function *f);

/** Name the dlf_use_mode of an object argument. */
const char *bind_use_mode(const bind_function *f, const bind_param *p);

/** Return the cast from a void * to a handle that C takes as an integer; "" for a pointer. */
const char *bind_cast_handle(const bind_handle *h);

/** Tell whether a function reads a property of its object. */
bool bind_is_getter(const bind_function *f);

/** Return the type of a property. */
const bind_type *bind_property_type(const bind_function *getter);

/** Tell whether a type is a pointer to const. */
bool bind_is_const(const bind_type *type);

/** Return the first tensor or list of tensors that callers pass to f_new, or NULL. Results come in
 * its framework. */
const bind_param *bind_first_tensor(const bind_function *f);

/** Tell whether a parameter or a result of any bound function, or a field of theirs, is of this
 * kind; a derived argument counts. */
bool bind_any_kind(const bind_ir *ir, bind_kind kind);

/** Tell whether a parameter of a function, or of any bound one, is of this kind. */
bool bind_has_kind(const bind_function *f, bind_kind kind);
bool bind_takes_kind(const bind_ir *ir, bind_kind kind);

/** Tell whether any bound function takes a text or a number that callers may leave out. */
bool bind_takes_optional_value(const bind_ir *ir);

/** Return the only output that may share memory with an input, because the contract makes it alike
 * without noalias, and that input; NULL if there is no such output, or more than one. */
const bind_param *bind_inplace_output(const bind_function *f);
const bind_param *bind_inplace_model(const bind_function *f);

/* ---- clash.c ---- */

/** Adds the names of a function in a language, and the local ones, of its parameters. */
typedef void (*bind_add_own)(const bind_ir *ir, const bind_function *f, bind_names *own,
                             bind_names *locals);

/** Take the names of each function into those of the package, unless one clashes, or the local ones
 * do: then leave it out with a line that says what to rename. False, after bind_error, if names of
 * the package clash themselves. */
bool bind_leave_out_clashes(bind_ir *ir, bind_names *all, bind_add_own add);

#endif
