/* SPDX-License-Identifier: Apache-2.0 */
/* The fast check: straight-line C that accepts only calls that the interpreter accepts; a refusal
 * decides nothing. */
#ifndef DLFERRY_BIND_TWIN_PREDICATE_H
#define DLFERRY_BIND_TWIN_PREDICATE_H

#include "bind/base/text.h"
#include "bind/ir/ir.h"
#include "contract/contract.h"
#include <dlferry/contract.h>

/* static bool dlferry_fits_NAME(...); false, with nothing written, for a contract that it cannot
 * express. */
bool bind_put_predicate(bind_text *text, const bind_function *f);

/* Open the function's body, or with make that of dlferry_make_NAME, which gets places for made
 * outputs. */
void bind_open_predicate(bind_text *text, const bind_function *f, bool make);
/* The arguments that the twin passes to it, with made outputs in their places; whether a parameter
 * is one. */
void bind_put_predicate_arguments(bind_text *text, const bind_function *f, bool make);
bool bind_predicate_looks_at(const bind_param *p);

/* The parameter of a clause. */
const char *bind_predicate_name(const dlf_contract *c, const dlf__clause *clause);
/* The clause whose tensor's strides `samelayout` means; with inputs, of inputs only, since outputs
 * do not exist yet. NULL for none, and without `samelayout`. */
const dlf__clause *bind_predicate_model(const dlf_contract *c, const dlf__clause *clause,
                                        bool inputs);

#endif
