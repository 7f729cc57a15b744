/* SPDX-License-Identifier: Apache-2.0 */
/* Rows with a step, and matrices, by the names of BLAS, LAPACK and GSL. */
#ifndef DLFERRY_BIND_GUESS_MATRIX_H
#define DLFERRY_BIND_GUESS_MATRIX_H

#include "guess_plan.h"

/* Put the clause of a row with a step that is named after it; false for another parameter. */
bool guess_put_strided(guess_plan *g, const bind_param *p);

/* Put the clause of a matrix; false for another parameter. */
bool guess_put_matrix(guess_plan *g, const bind_param *p);

/* LAPACK's vectors beside a square matrix. */
bool guess_put_vector(guess_plan *g, const bind_param *p);

/* LAPACK takes one order for all matrices. */
void guess_put_layout(guess_plan *g, const bind_param *p);

/* Put the order of matrices that an enum tells. */
void guess_put_enum(guess_plan *g, const bind_param *p);

#endif
