/* SPDX-License-Identifier: Apache-2.0 */
/* Structs that carry a tensor into C: "struct gsl_vector { tensor data[size]; stride :=
 * stride(data) }". The clause of a pointer to one, "x: in f64[n] strided", is about the tensor; the
 * call fills in the fields. */
#ifndef DLFERRY_BIND_IR_CARRIER_H
#define DLFERRY_BIND_IR_CARRIER_H

#include "bind/clauses/sidecar.h"
#include "builder.h"

/* Return the clause `tensor FIELD[...]` of a struct's block, or NULL. */
const bind_clause *ir_carrier_clause(const sidecar_block *block);

/* Tell whether it is such a clause. */
bool ir_is_carrier_clause(const bind_clause *c);

/* Say why a clause `tensor ...` or `FIELD := ...` of the block is wrong, or return NULL. */
const char *ir_why_no_carrier(const c_struct *record, const sidecar_block *block,
                              const bind_clause *c);

/* Say that the call leaves a member alone, which may then be anything; NULL for others. */
const char *ir_why_no_part(const sidecar_block *block, const c_member *m);

/* What a field is called beside the tensor, which is called as the parameter. */
const char *ir_carrier_name(const sidecar_block *block, const char *param, const char *field);

/* Return the block of a struct that carries the tensor of a parameter; NULL for none. */
sidecar_block *ir_carrier_of(const ir_builder *b, const clause_list *contract, const c_param *p);

/* Say why the clause of such a parameter is wrong, or add to the contract what the call computes,
 * and return NULL. */
const char *ir_carry(const sidecar_block *block, const c_param *p, clause_list *contract);

#endif
