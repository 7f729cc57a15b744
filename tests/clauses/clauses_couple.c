/* SPDX-License-Identifier: Apache-2.0 */
#include "clauses.h"
#include <stdlib.h>

int32_t clauses_couple_init(clauses_couple *couple, int32_t version) {
  if (version != CLAUSES_FINE) {
    return 1;
  }
  couple->left = 1;
  couple->right = 2;
  return 0;
}

const clauses_couple *clauses_couple_of(int32_t number) {
  static clauses_couple kept;
  kept = (clauses_couple){number, number + 1};
  return number < 0 ? NULL : &kept;
}

double clauses_couple_sum(const clauses_couple *couple, double factor) {
  return factor * (couple->left + couple->right);
}

clauses_couple *clauses_couple_make(int32_t number) {
  clauses_couple *couple = number < 0 ? NULL : malloc(sizeof *couple);
  if (couple) {
    *couple = (clauses_couple){number, 2 * number};
  }
  return couple;
}

void clauses_couple_free(clauses_couple *couple) {
  free(couple);
}

int32_t clauses_couple_find(int32_t number, clauses_couple **out) {
  *out = clauses_couple_make(number);
  return number == 0; /* with one that the caller must free */
}
