/* SPDX-License-Identifier: Apache-2.0 */
#include "handles.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int64_t live;

static void *take(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (memory) {
    live++;
  }
  return memory;
}

static void give_back(void *memory) {
  if (memory) {
    live--;
  }
  free(memory);
}

int64_t h_live(void) {
  return live;
}

/* ---- a sum ---- */

struct h_sum_s {
  double total;
};

h_sum h_begin(double start) {
  h_sum sum = start < 0 ? NULL : take(sizeof *sum);
  if (sum) {
    sum->total = start;
  }
  return sum;
}

void h_add(h_sum sum, double value) {
  sum->total += value;
}
double h_total(const struct h_sum_s *sum) {
  return sum->total;
}
void h_destroy_sum(h_sum sum) {
  give_back(sum);
}

/* ---- a counter ---- */

int CounterCreate(int start, CounterHandle *out) {
  if (start < 0) {
    return 1;
  }
  int *counter = take(sizeof *counter);
  if (counter) {
    *counter = start;
  }
  *out = counter;
  return 0;
}

int CounterNext(CounterHandle counter, int *value) {
  *value = (*(int *)counter)++;
  return 0;
}

int CounterFree(CounterHandle counter) {
  give_back(counter);
  return 0;
}

/* ---- a plan, with a planner that threads must not share ---- */

struct h_plan_s {
  int n;
  const double *in;
  double *out;
};

static int planning; /* not atomic: TSan sees a call outside of the lock */
static _Atomic int inside, collisions;

static void plan(int change) {
  if (inside++) {
    collisions++;
  }
  planning += change;
  inside--;
}

int h_collisions(void) {
  return collisions;
}

h_plan h_plan_make(int n, const double *in, double *out) {
  plan(1);
  h_plan made = n == 13 ? NULL : take(sizeof *made);
  if (made) {
    *made = (struct h_plan_s){n, in, out};
  }
  if (!made) {
    plan(-1);
  }
  return made;
}

void h_plan_run(h_plan self) {
  for (int i = 0; i < self->n; i++) {
    self->out[i] = 2 * self->in[i];
  }
}

int h_plan_read(h_plan self, int n, const double *in) {
  if (n != self->n || (n && in[0] < 0)) {
    return 1;
  }
  self->in = in;
  return 0;
}

void h_plan_drop(h_plan self) {
  plan(-1);
  give_back(self);
}

/* ---- a bag ---- */

typedef struct bag {
  uint64_t size;
  float *negated; /* what it lent last */
  float values[];
} bag;

int BagCreate(const float *values, uint64_t n, BagHandle *out) {
  bag *made = take(sizeof *made + (size_t)n * sizeof *values);
  if (!made) {
    return 1;
  }
  made->size = n;
  made->negated = NULL;
  if (n) {
    memcpy(made->values, values, (size_t)n * sizeof *values);
  }
  *out = made;
  return 0;
}

int BagCount(BagHandle self, CounterHandle counter, uint64_t *count) {
  *count = ((bag *)self)->size + (uint64_t)*(int *)counter;
  return 0;
}

int BagValues(BagHandle self, uint64_t *len, const float **out) {
  *len = ((bag *)self)->size;
  *out = ((bag *)self)->values;
  return 0;
}

int BagShow(BagHandle self, uint64_t *len, const float **out) {
  return BagValues(self, len, out);
}

float *BagLook(BagHandle self) {
  return ((bag *)self)->values;
}

int BagSize(BagHandle self) {
  return (int)((bag *)self)->size;
}

float *BagNegated(BagHandle self) {
  bag *from = self;
  if (from->negated) {
    give_back(from->negated);
  }
  from->negated = take((size_t)from->size * sizeof *from->negated);
  for (uint64_t i = 0; i < from->size; i++) {
    from->negated[i] = -from->values[i];
  }
  return from->negated;
}

int BagPairs(BagHandle self, uint64_t *len, const h_pair **out) {
  *len = ((bag *)self)->size / 2;
  *out = (const h_pair *)((bag *)self)->values;
  return 0;
}

int BagHalves(BagHandle self, int height, uint64_t *width, float **out) {
  const bag *from = self;
  *width = height ? from->size / (uint64_t)height : 0;
  if (height == 13) {
    return 1;
  }
  *out = take((size_t)from->size * sizeof **out);
  for (uint64_t i = 0; i < from->size; i++) {
    (*out)[i] = from->values[i] / 2;
  }
  return 0;
}

void BagGiveBack(BagHandle self, float *memory) {
  (void)((bag *)self)->size; /* it must be alive */
  give_back(memory);
}

int BagMatrix(BagHandle self, const uint64_t **shape, uint64_t *rank, const float **out,
              uint64_t *length, const char **bytes) {
  static uint64_t extents[2] = {2, 0};
  extents[1] = ((bag *)self)->size / 2;
  *shape = extents;
  *rank = 2;
  *out = ((bag *)self)->values;
  *length = 4;
  *bytes = "bag!";
  return 0;
}

double *h_range(int n) {
  double *numbers = n == 13 ? NULL : take((size_t)n * sizeof *numbers);
  for (int i = 0; i < n && numbers; i++) {
    numbers[i] = i;
  }
  return numbers;
}

double _Complex *h_circle(int n) {
  static const double points[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  double _Complex *numbers = take((size_t)n * sizeof *numbers);
  if (numbers) {
    memcpy(numbers, points, (size_t)n * sizeof *numbers);
  }
  return numbers;
}

void h_release(double *memory) {
  give_back(memory);
}

int h_wrong(int how, int64_t *n, uint64_t *m, const int32_t **out) {
  static const int32_t six[6] = {1, 2, 3, 4, 5, 6};
  *n = how == 1 ? -1 : how == 2 ? INT64_MAX / 2 : how == 3 ? 0 : 3;
  *m = how == 2 ? 5 : how == 4 ? UINT64_MAX : 1;
  *out = how == 3 || how == 5 ? NULL : six;
  return 0;
}

int BagFree(BagHandle self) {
  if (((bag *)self)->negated) {
    give_back(((bag *)self)->negated);
  }
  give_back(self);
  return 0;
}

/* ---- a ticket ---- */

int h_ticket_create(int number, h_ticket_t *ticket) {
  int *made = number < 0 ? NULL : take(sizeof *made);
  if (made) {
    *made = number;
  }
  *ticket = (h_ticket_t)made;
  return number != 13;
}

int h_ticket_number(h_ticket_t ticket, int *number) {
  *number = *(int *)ticket;
  return 1;
}

int h_ticket_destroy(h_ticket_t ticket) {
  give_back((int *)ticket);
  return 1;
}

/* ---- a jar ---- */

static _Atomic int furniture;

h_jar *h_jar_new(int value) {
  h_jar *jar = take(sizeof *jar);
  if (jar) {
    jar->value = value;
    furniture++;
  }
  return jar;
}

int h_jar_value(const h_jar *jar) {
  return jar->value;
}
void h_jar_set(h_jar *jar, int value) {
  jar->value = value;
}

int h_jar_fill(h_jar *jar, int64_t level) {
  (void)jar;
  return level > 100;
}

int h_jar_pour(const h_jar *jar, int part) {
  (void)jar;
  return part;
}

void h_jar_drop(h_jar **jar) {
  furniture--;
  give_back(*jar);
  *jar = NULL;
}

/* ---- a shelf ---- */

enum { MOST_JARS = 8 };

struct h_shelf {
  const h_jar *jars[MOST_JARS];
  int count;
  struct h_shelf *upper;
  h_jar *own, *second; /* freed with the shelf */
};

static _Atomic int read_at_the_end;

h_shelf *h_shelf_new(const h_jar *first) {
  h_shelf *shelf = take(sizeof *shelf);
  if (shelf) {
    *shelf = (h_shelf){.jars = {first}, .count = first != NULL};
    furniture++;
  }
  return shelf;
}

int h_shelf_put(h_shelf *shelf, const h_jar *jar) {
  if (jar->value < 0 || shelf->count == MOST_JARS) {
    return 1;
  }
  shelf->jars[shelf->count++] = jar;
  return 0;
}

int h_shelf_own(h_shelf *shelf, h_jar *jar) {
  if (shelf->own || jar->value < 0) {
    return 1;
  }
  shelf->own = jar;
  return h_shelf_put(shelf, jar);
}

int h_shelf_own_both(h_shelf *shelf, h_jar *jar, h_jar *other) {
  shelf->second = other;
  return h_shelf_own(shelf, jar);
}

static int sum_of_one(const h_shelf *shelf) {
  int sum = 0;
  for (int i = 0; i < shelf->count; i++) {
    sum += shelf->jars[i]->value;
  }
  return sum;
}

int h_shelf_sum(const h_shelf *shelf) {
  int sum = 0;
  for (; shelf; shelf = shelf->upper) {
    sum += sum_of_one(shelf);
  }
  return sum;
}

int h_shelf_stack(h_shelf *shelf, h_shelf *upper) {
  shelf->upper = upper;
  return 0;
}

void h_shelf_drop(h_shelf *shelf) {
  read_at_the_end += sum_of_one(shelf) + (shelf->upper ? sum_of_one(shelf->upper) : 0);
  furniture--;
  if (shelf->own) {
    h_jar_drop(&shelf->own);
  }
  if (shelf->second) {
    h_jar_drop(&shelf->second);
  }
  give_back(shelf);
}

int h_furniture(void) {
  return furniture;
}

int h_read_at_the_end(void) {
  return read_at_the_end;
}
