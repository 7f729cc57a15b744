/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes.h"
#include <stdlib.h>

int s_next(uint32_t *state, uint32_t *number) {
  *number = *state = (uint32_t)((uint64_t)*state * 48271 % 0x7FFFFFFF);
  return 0;
}

int s_step(int8_t by, int64_t *whole, float *part, bool *truth, s_phase *phase) {
  if (*phase == S_RUN) {
    return 1;
  }
  *whole += by;
  *part += (float)by;
  *truth = !*truth;
  *phase = (s_phase)(*phase + 1);
  return 0;
}

double s_trace(const double *a, int64_t ld, uint8_t n) {
  double sum = 0;
  for (uint8_t i = 0; i < n; i++) {
    sum += a[i * ld + i];
  }
  return sum;
}

void s_add(const float *x, size_t m, const float *y, size_t n, float *out) {
  for (size_t i = 0; i < m || i < n; i++) {
    out[i] = (i < m ? x[i] : 0) + (i < n ? y[i] : 0);
  }
}

/* ---- outputs that are cut ---- */

long s_keep(const float *x, long n, float *out) {
  long kept = 0;
  for (long i = 0; i < n; i++) {
    if (x[i] > 0) {
      out[kept++] = x[i];
    }
  }
  return kept;
}

int s_find(const int32_t *x, int16_t n, int32_t least, int32_t *places, int32_t *values,
           uint8_t room) {
  int found = 0;
  for (int16_t i = 0; i < n && found < room; i++) {
    if (x[i] < least) {
      continue;
    }
    places[found] = i;
    values[found++] = x[i];
  }
  return found;
}

size_t s_bound(size_t size) {
  return size > SIZE_MAX / 2 ? SIZE_MAX : 2 * size;
}

int s_pack(const void *from, size_t size, char *to, uint32_t *written) {
  const unsigned char *x = from;
  unsigned char *out = (unsigned char *)to;
  uint32_t room = *written, at = 0;
  for (size_t i = 0, k = 0; i < size; i = k) {
    while (k < size && k - i < 255 && x[k] == x[i]) {
      k++;
    }
    if (room < at + 2) {
      return 1;
    }
    out[at++] = (unsigned char)(k - i);
    out[at++] = x[i];
  }
  *written = at;
  return 0;
}

int64_t s_unpacked(const unsigned char *packed, int32_t size) {
  int64_t all = 0;
  for (int32_t i = 0; i < size; i += 2) {
    all += packed[i];
  }
  return size % 2 ? -1 : all;
}

int s_unpack(const unsigned char *packed, int32_t size, int8_t *to, uint64_t *rows) {
  uint64_t at = 0;
  for (int32_t i = 0; i < size; i += 2) {
    for (unsigned char k = 0; k < packed[i]; k++) {
      to[at++] = (int8_t)packed[i + 1];
    }
  }
  if (at % 2) {
    return 2;
  }
  *rows = at / 2;
  return 0;
}

void s_down(int first, int32_t *out, size_t *written) {
  size_t count = 0;
  for (int32_t i = first; i > 0 && count < *written; i--) {
    out[count++] = i;
  }
  *written = count + (first >= 99);
}

int64_t s_lie(int64_t what, float *out) {
  for (int i = 0; i < 4; i++) {
    out[i] = (float)i;
  }
  return what;
}

void s_lie_wide(uint64_t what, float *out, uint64_t *count) {
  *count = (uint64_t)s_lie((int64_t)what, out);
}

/* ---- objects ---- */

struct s_table {
  int columns;
};

s_table *s_table_new(int columns) {
  s_table *table = malloc(sizeof *table);
  if (table) {
    table->columns = columns;
  }
  return table;
}

void s_table_free(s_table *table) {
  free(table);
}

int s_table_columns(const s_table *table, uint64_t *columns) {
  *columns = table->columns == 9 ? UINT64_MAX : (uint64_t)table->columns;
  return table->columns > 9 ? 3 : 0;
}

const char *s_why(int status) {
  return status == 3 ? "too many columns" : "an odd number";
}

int s_table_weigh(const s_table *table, const double *rows, int n, double *out) {
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int k = 0; k < table->columns; k++) {
      out[i] += (k + 1) * rows[i * table->columns + k];
    }
  }
  return 0;
}

int s_table_repeat(const s_table *table, int times, double *out) {
  for (int i = 0; i < 2 * times * table->columns; i++) {
    out[i] = i % table->columns + 1;
  }
  return 0;
}

int s_table_length(const s_table *table, int8_t times) {
  return times * table->columns;
}

double s_table_weight(const s_table *table, int64_t at) {
  return at < table->columns ? (double)at + 1 : -1;
}

bool s_table_is_narrow(const s_table *table) {
  return table->columns <= 4;
}

double s_table_weigh_row(const s_table *table, const double *row, size_t n) {
  double sum = 0;
  for (int k = 0; k < table->columns; k++) {
    sum += (k + 1) * ((size_t)k < n ? row[k] : -1000);
  }
  return sum;
}
