/* SPDX-License-Identifier: Apache-2.0 */
#include "cell.h"

#include <stdlib.h>

struct cell_box {
  int64_t value;
};

cell_box *cell_box_create(int64_t value) {
  cell_box *box = malloc(sizeof *box);
  if (box) {
    box->value = value;
  }
  return box;
}

void cell_box_add(cell_box *box, int64_t value) {
  box->value += value;
}
int64_t cell_box_value(const cell_box *box) {
  return box->value;
}
void cell_box_free(cell_box *box) {
  free(box);
}
