/* SPDX-License-Identifier: Apache-2.0 */
#include "objects.h"

struct ob_part {
  double value;
};
struct ob_box {
  ob_part part;
};

static ob_box the_box;

ob_box *ob_box_create(void) {
  return &the_box;
}
void ob_box_free(ob_box *box) {
  box->part.value = 0;
}
ob_part *ob_box_part(ob_box *box) {
  return &box->part;
}

double ob_none(double x) {
  return x;
}
double ob_pointer(const struct ob_settings *settings, double x) {
  return settings->rate + x;
}
double ob_value(struct ob_settings settings, double x) {
  return settings.rate + x;
}
double ob_owned(ob_box *box, double x) {
  return box->part.value + x;
}
double ob_borrowed(ob_part *part, double x) {
  return part->value + x;
}
