/* SPDX-License-Identifier: Apache-2.0 */
#include "properties.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct q_lamp {
  int32_t level, next;
  q_mode mode;
  bool lit;
  char name[32];
};

static _Atomic int64_t live;

q_lamp *q_lamp_new(const char *name) {
  q_lamp *lamp = calloc(1, sizeof *lamp);
  if (!lamp) {
    return NULL;
  }
  live++;
  q_lamp_set_name(lamp, name);
  return lamp;
}

void q_lamp_free(q_lamp *lamp) {
  live -= lamp != NULL;
  free(lamp);
}

int64_t q_live(void) {
  return live;
}

int32_t q_lamp_get_level(const q_lamp *lamp) {
  return lamp->level;
}
void q_lamp_set_level(q_lamp *lamp, int32_t level) {
  lamp->level = level;
}
double q_lamp_get_weight(const q_lamp *lamp) {
  return lamp->level > 50 ? 2.5 : 1.5;
}

q_mode q_lamp_get_mode(q_lamp *lamp) {
  return lamp->mode;
}
void q_lamp_set_mode(q_lamp *lamp, q_mode mode) {
  lamp->mode = mode;
}

bool q_lamp_lit(const q_lamp *lamp) {
  return lamp->lit;
}
int q_lamp_set_lit(q_lamp *lamp, bool lit) {
  if (strcmp(lamp->name, "broken") == 0) {
    return 1;
  }
  lamp->lit = lit;
  return 0;
}

const char *q_lamp_get_name(const q_lamp *lamp) {
  return lamp->name;
}
void q_lamp_set_name(q_lamp *lamp, const char *name) {
  snprintf(lamp->name, sizeof lamp->name, "%s", name);
}
const char *q_lamp_get_owner(const q_lamp *lamp) {
  return lamp->lit ? "Ada" : NULL;
}

int q_lamp_colour(q_lamp *lamp, double *hue) {
  *hue = lamp->level / 100.0;
  return lamp->level == 13;
}

int64_t q_lamp_id(const q_lamp *lamp) {
  return 40 + lamp->next;
}
int32_t q_lamp_get_brightness(const q_lamp *lamp) {
  return lamp->level;
}
int32_t q_lamp_get_next(q_lamp *lamp) {
  return ++lamp->next;
}
int32_t q_lamp_get_age(const q_lamp *lamp) {
  return lamp->next;
}
int32_t q_lamp_get_sum(const q_lamp *lamp, int32_t more) {
  return lamp->level + more;
}

void q_lamp_set_all(q_lamp *lamp, int32_t level, q_mode mode) {
  lamp->level = level;
  lamp->mode = mode;
}

int32_t q_lamp_set_seed(q_lamp *lamp, int32_t seed) {
  const int32_t before = lamp->next;
  lamp->next = seed;
  return before;
}
