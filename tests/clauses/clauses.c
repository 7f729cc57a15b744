/* SPDX-License-Identifier: Apache-2.0 */
#include "clauses.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int32_t clauses_metal_weight(clauses_metal metal) {
  static const int32_t weights[CLAUSES_METALS] = {10, 20};
  return weights[metal];
}

int32_t clauses_metal_weights(const clauses_metal *metals, int32_t n) {
  int32_t sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += clauses_metal_weight(metals[i]);
  }
  return sum;
}

/* ---- tensors behind pointers ---- */

double clauses_sum(int8_t n, const double *x) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += x[i];
  }
  return sum;
}

double clauses_peek(int32_t n, double *x) {
  return clauses_sum((int8_t)n, x);
}

void clauses_negate(int32_t n, double *x) {
  for (int32_t i = 0; i < n; i++) {
    x[i] = -x[i];
  }
}

void clauses_copy(int32_t n, const double *x, double *out) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = x[i];
  }
}

int64_t clauses_size(const void *x, uint64_t size) {
  return x || !size ? (int64_t)size : -1;
}

int64_t clauses_bytes(const uint8_t *x, int32_t n) {
  int64_t sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += x[i];
  }
  return sum;
}

int64_t clauses_chars(const char *x, int32_t n) {
  int64_t sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += (signed char)x[i];
  }
  return sum;
}

void clauses_bump(const clauses_bits *x, clauses_bits *out, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    out[i].bits = (uint16_t)(x[i].bits + 1);
  }
}
int64_t clauses_letters(const char *text) {
  return (int64_t)strlen(text);
}

void clauses_twice(void *x, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    ((uint8_t *)x)[i] = (uint8_t)(2 * ((uint8_t *)x)[i]);
  }
}

double clauses_pair(int32_t kind, const void *x, const void *y, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += kind == 1 ? ((const float *)x)[i] + ((const float *)y)[i]
                     : ((const double *)x)[i] + ((const double *)y)[i];
  }
  return sum;
}

/* ---- arguments that the call computes ---- */

int32_t clauses_fixed(int32_t kind, clauses_order order, char letter, int32_t n, const double *x) {
  (void)x;
  return (order == CLAUSES_COLUMNS && letter == 'Q' ? 10 : -10) * kind + n;
}

double clauses_real(double half, double share, double complex one, int32_t n, const double *x) {
  (void)x;
  return 100 * half + 10 * share + creal(one) + cimag(one) + n;
}

double clauses_matrix(clauses_order order, int32_t m, int32_t n, const double *a, int32_t lda) {
  double sum = 0;
  for (int32_t i = 0; i < m; i++) {
    for (int32_t k = 0; k < n; k++) {
      sum += (10 * i + k + 1) * (order == CLAUSES_ROWS ? a[i * lda + k] : a[k * lda + i]);
    }
  }
  return sum;
}

double clauses_both(clauses_order order, int32_t m, int32_t n, const double *a, int32_t lda,
                    const double *b, int32_t ldb) {
  return clauses_matrix(order, m, n, a, lda) + clauses_matrix(order, m, n, b, ldb);
}

double clauses_turned(clauses_order order, int32_t turned, int32_t m, int32_t n, const double *a,
                      int32_t lda, const double *b, int32_t ldb) {
  const clauses_order other = order == CLAUSES_ROWS ? CLAUSES_COLUMNS : CLAUSES_ROWS;
  return clauses_matrix(turned ? other : order, m, n, a, lda) +
         1000 * clauses_matrix(order, m, n, b, ldb);
}

double clauses_by_rows(int32_t m, int32_t n, const double *a, int32_t lda) {
  return clauses_matrix(CLAUSES_ROWS, m, n, a, lda);
}

double clauses_by_columns(int32_t m, int32_t n, const double *a, int32_t lda) {
  return clauses_matrix(CLAUSES_COLUMNS, m, n, a, lda);
}

double clauses_steps(int32_t n, const double *x, int32_t step) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += (i + 1) * x[i * step];
  }
  return sum;
}

double clauses_blas(int32_t n, const double *x, int32_t step) {
  return clauses_steps(n, step < 0 ? x + (1 - n) * step : x, step);
}

double clauses_axis(int32_t m, int32_t n, const double *x, int32_t down, int32_t across) {
  double sum = 0;
  for (int32_t i = 0; i < m; i++) {
    for (int32_t k = 0; k < n; k++) {
      sum += (10 * i + k + 1) * x[i * down + k * across];
    }
  }
  return sum;
}

int32_t clauses_dtype(int32_t kind, const void *x, int32_t n) {
  (void)x;
  return kind + n;
}

const char *clauses_interface(const char *array) {
  const char *rest = strstr(array, "\"shape\"");
  return rest ? rest : array;
}

int32_t clauses_null(const void *more, int32_t n) {
  return n + (more == NULL);
}

double clauses_fortran(const int32_t *n, const double *x) {
  return clauses_steps(*n, x, 1);
}

/* ---- single values ---- */

double complex clauses_times(double complex a, double complex b) {
  return a * b;
}

void clauses_scale(int32_t n, const void *alpha, void *x) {
  for (int32_t i = 0; i < n; i++) {
    ((double complex *)x)[i] *= *(const double complex *)alpha;
  }
}

void clauses_total(int32_t n, const void *x, void *sum) {
  double complex total = 0;
  for (int32_t i = 0; i < n; i++) {
    total += ((const double complex *)x)[i];
  }
  *(double complex *)sum = total;
}

int32_t clauses_divide(int32_t a, int32_t b, int32_t *rest) {
  *rest = a % b;
  return a / b;
}

int32_t clauses_next(int64_t *whole, double *real, bool *truth, clauses_order *order) {
  if (*whole >= 100) {
    return 1;
  }
  *whole += 1;
  *real += 1;
  *truth = !*truth;
  *order = *order == CLAUSES_ROWS ? CLAUSES_COLUMNS : CLAUSES_ROWS;
  return 0;
}

double clauses_within(const double *tolerance) {
  return tolerance ? *tolerance : 0.5;
}
double clauses_weighted(const double *x, double *weights, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += weights ? x[i] * weights[i] : x[i];
  }
  return sum;
}
const char *clauses_greet(const char *name) {
  return name;
}
int32_t clauses_triangle(char uplo, char mark) {
  return (uplo == 'U' ? 1 : 2) + (mark == 'x' ? 0 : 10);
}
char clauses_letter(int32_t code) {
  return (char)code;
}

/* ---- variable arguments ---- */

int32_t clauses_count_texts(const char *first, ...) {
  int32_t count = 0;
  va_list more;
  va_start(more, first);
  for (const char *text = first; text; text = va_arg(more, const char *)) {
    count++;
  }
  va_end(more);
  return count;
}

int32_t clauses_ask(int32_t request, ...) {
  va_list more;
  va_start(more, request);
  const int32_t value = va_arg(more, int32_t);
  va_end(more);
  return request == 1 ? 2 * value : -1;
}

int32_t clauses_tell(int32_t request, ...) {
  va_list more;
  va_start(more, request);
  double *value = va_arg(more, double *);
  va_end(more);
  *value = request / 4.0;
  return request != 2;
}

int32_t clauses_say(const char *format, ...) {
  va_list more;
  va_start(more, format);
  const int32_t size = vsnprintf(NULL, 0, format, more);
  va_end(more);
  return size;
}

/* ---- defaults ---- */

double clauses_numbers(int32_t whole, double real, bool truth) {
  return (truth ? 1 : -1) * (whole + real);
}
double complex clauses_complex(double complex z) {
  return z;
}

int32_t clauses_flags(clauses_order order, clauses_parts parts, int32_t sign) {
  return sign * (10 * (int32_t)order + (int32_t)parts);
}

int32_t clauses_texts(const char *text, char letter) {
  return (int32_t)strlen(text) + (letter == 'y' ? 100 : 0);
}

/* ---- constraints ---- */

int32_t clauses_limits(int32_t a, int32_t b, int32_t c, int32_t d, int32_t e, double f) {
  return a + b + c + d + e + (int32_t)(2 * f);
}

double clauses_extents(int32_t m, int32_t n, const double *x, const double *y) {
  return clauses_matrix(CLAUSES_ROWS, m, n, x, n) + y[0];
}

/* ---- codes ---- */

int32_t clauses_status(int32_t code) {
  return code;
}
int32_t clauses_one(int32_t code) {
  return code;
}
int32_t clauses_constant(int32_t code) {
  return code;
}
int32_t clauses_named(int32_t code) {
  return code;
}
int32_t clauses_last(int32_t code) {
  return code;
}
int32_t clauses_quoted(int32_t code) {
  return code;
}

int32_t clauses_info(int32_t code, int32_t second) {
  (void)second;
  return code;
}

const char *clauses_why(int32_t code) {
  return code == 1 ? "bad" : "worse";
}
const char *clauses_failure(void) {
  return "the last one";
}

int32_t clauses_shared_code(int32_t code) {
  return code;
}
int32_t clauses_shared_value(int32_t code) {
  return code;
}

/* ---- extents that only the call tells ---- */

int64_t clauses_keep(const float *x, int32_t n, float *out) {
  int64_t kept = 0;
  clauses_fill(x, n, out, n, &kept);
  return kept;
}

void clauses_fill(const float *x, int32_t n, float *out, int32_t room, int64_t *count) {
  *count = 0;
  for (int32_t i = 0; i < n && *count < room; i++) {
    if (x[i] > 0) {
      out[(*count)++] = x[i];
    }
  }
}

int64_t clauses_lie(int64_t what, float *out) {
  for (int32_t i = 0; i < 4; i++) {
    out[i] = (float)i;
  }
  return what;
}

void clauses_longer(const double *x, int32_t m, const double *y, int32_t n, double *out) {
  for (int32_t i = 0; i < m || i < n; i++) {
    out[i] = (i < m ? x[i] : 0) + (i < n ? y[i] : 0);
  }
}

double clauses_shorter(const double *x, const double *y, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

int64_t clauses_double_length(int32_t n) {
  return n < 50 ? 2 * (int64_t)n : -1;
}

void clauses_spread_twice(int32_t n, double *out) {
  clauses_spread(2 * n, out);
}

void clauses_spread(int32_t n, double *out) {
  for (int32_t i = 0; i < 2 * n; i++) {
    out[i] = i;
  }
}

int32_t clauses_place(int32_t n, int32_t at) {
  (void)n;
  return 2 * at;
}

void clauses_down(int32_t first, uint8_t *out, int64_t *written) {
  int64_t i = 0;
  for (; i < first && i < *written; i++) {
    out[i] = (uint8_t)(first - i);
  }
  *written = first == 99 ? *written + 1 : i;
}

int32_t clauses_length(int64_t size, int32_t factor, int64_t *length) {
  *length = size * factor;
  return factor == 13;
}

int32_t clauses_stretch(const uint8_t *x, int32_t n, int32_t factor, uint8_t *out) {
  for (int32_t i = 0; i < n * factor; i++) {
    out[i] = x[i / factor];
  }
  return 0;
}

void clauses_pack(int32_t n, uint8_t *out, int32_t *written) {
  for (int32_t i = 0; i < n; i++) {
    out[i] = (uint8_t)i;
  }
  *written = n == 40 ? 1000 : n;
}

/* ---- handles ---- */

static int64_t live; /* one thread calls */

static void *take(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  live += memory != NULL;
  return memory;
}

static void give_back(void *memory) {
  live -= memory != NULL;
  free(memory);
}

int64_t clauses_live(void) {
  return live;
}

struct clauses_adder {
  double sum;
};

clauses_adder *clauses_adder_new(double start) {
  clauses_adder *adder = start == 13 ? NULL : take(sizeof *adder);
  if (adder) {
    adder->sum = start;
  }
  return adder;
}

double clauses_adder_add(clauses_adder *adder, double x) {
  return adder->sum += x;
}

double clauses_adder_weigh(const clauses_adder *adder, int32_t m, const double *x) {
  const int32_t n = (int32_t)adder->sum;
  return adder->sum + clauses_matrix(CLAUSES_ROWS, m, n, x, n);
}

int32_t clauses_adder_columns(const clauses_adder *adder, int32_t *columns) {
  *columns = (int32_t)adder->sum;
  return *columns > 9;
}

bool clauses_adder_equal(const clauses_adder *adder, const clauses_adder *other) {
  return adder->sum == other->sum;
}
double clauses_adder_atomic(clauses_adder *adder) {
  return adder->sum;
}
double clauses_adder_slowly(const clauses_adder *adder) {
  return adder->sum;
}
double clauses_adder_quickly(const clauses_adder *adder) {
  return adder->sum;
}
double clauses_adder_alone(clauses_adder *adder) {
  return adder->sum;
}
void clauses_adder_free(clauses_adder *adder) {
  give_back(adder);
}

struct clauses_count_s {
  int32_t value;
};

clauses_count clauses_begin(int32_t start) {
  clauses_count made = start < 0 ? NULL : take(sizeof *made);
  if (made) {
    made->value = start;
  }
  return made;
}

int32_t clauses_count_value(clauses_count count) {
  return count->value;
}
void clauses_end(clauses_count count) {
  give_back(count);
}

typedef struct parcel {
  int64_t n;
  float x[];
} parcel;

int32_t clauses_parcel_make(const float *x, int32_t n, ParcelHandle *out) {
  parcel *made = n == 13 ? NULL : take(sizeof *made + (size_t)n * sizeof *x);
  if (!made) {
    return 1;
  }
  made->n = n;
  for (int32_t i = 0; i < n; i++) {
    made->x[i] = x[i];
  }
  *out = made;
  return 0;
}

int32_t clauses_parcel_count(ParcelHandle self, int64_t *count) {
  *count = ((parcel *)self)->n;
  return 0;
}

int32_t clauses_parcel_values(ParcelHandle self, int64_t *n, const float **out) {
  *n = ((parcel *)self)->n;
  *out = ((parcel *)self)->x;
  return *n > 4;
}

int32_t clauses_parcel_lent(ParcelHandle self, int64_t *n, const float **out) {
  return clauses_parcel_values(self, n, out);
}

float *clauses_parcel_numbers(ParcelHandle self) {
  parcel *from = self;
  return from->n > 4 ? NULL : from->x;
}

int32_t clauses_parcel_room(ParcelHandle self) {
  return (int32_t)((parcel *)self)->n;
}

int32_t clauses_parcel_halves(ParcelHandle self, int32_t height, int64_t *width, float **out) {
  const parcel *from = self;
  *width = from->n / height;
  if (from->n == 1) {
    return 0; /* and no memory */
  }
  *out = take((size_t)from->n * sizeof **out);
  for (int64_t i = 0; i < from->n; i++) {
    (*out)[i] = from->x[i] / 2;
  }
  return 0;
}

int32_t clauses_parcel_matrix(ParcelHandle self, const int64_t **shape, int32_t *rank,
                              const float **out) {
  static int64_t extents[2];
  extents[0] = 2;
  extents[1] = ((parcel *)self)->n / 2;
  *shape = extents;
  *rank = ((parcel *)self)->n == 1 ? -1 : 2;
  *out = ((parcel *)self)->x;
  return 0;
}

void clauses_parcel_return(ParcelHandle self, float *memory) {
  live += ((parcel *)self)->n < 0; /* it must be alive */
  give_back(memory);
}

void clauses_unpack(ParcelHandle self) {
  give_back(self);
}

int32_t clauses_ticket_create(int32_t number, clauses_ticket_t *ticket) {
  int32_t *made = number < 0 ? NULL : take(sizeof *made);
  if (made) {
    *made = number;
  }
  *ticket = (clauses_ticket_t)made;
  return 1;
}

int32_t clauses_ticket_number(clauses_ticket_t ticket) {
  return *(int32_t *)ticket;
}

int32_t clauses_ticket_destroy(clauses_ticket_t ticket) {
  give_back((int32_t *)ticket);
  return 1;
}

double clauses_last_of(double *work, int32_t count) {
  return count ? work[count - 1] : -1;
}

double clauses_halves(const double *x, size_t n, double *work, void *more) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    work[2 * i] = work[2 * i + 1] = x[i] / 4;
    sum += work[2 * i] + work[2 * i + 1];
  }
  *(char *)more = 1;
  return sum;
}

int32_t clauses_level(int32_t value) {
  return value;
}

clauses_order clauses_sorting(int32_t value) {
  return (clauses_order)value;
}

const char *clauses_level_text(int32_t value) {
  return value == -2 ? "too low" : "low";
}

static void *take_number(int32_t number) {
  int32_t *made = number < 0 ? NULL : take(sizeof *made);
  if (made) {
    *made = number;
  }
  return made;
}

void *clauses_clock_start(int32_t hour) {
  return take_number(hour);
}

int32_t clauses_clock_hour(const void *timer) {
  return *(const int32_t *)timer;
}

void clauses_clock_stop(void **timer) {
  give_back(*timer);
  *timer = NULL;
}

int32_t clauses_bell_cast(int32_t tone, void **bell) {
  *bell = take_number(tone);
  return *bell == NULL;
}

int32_t clauses_bell_ring(void *bell, void *time) {
  return *(int32_t *)bell * *(int32_t *)time;
}

void clauses_bell_melt(void *metal) {
  give_back(metal);
}

clauses_jar *clauses_jar_new(int32_t value) {
  clauses_jar *jar = value < 0 ? NULL : take(sizeof *jar);
  if (jar) {
    jar->value = value;
  }
  return jar;
}

int32_t clauses_jar_value(const clauses_jar *jar) {
  return jar->value;
}

int32_t clauses_jar_weight(clauses_jar *jar) {
  return 10 * jar->value;
}
int32_t clauses_jar_get_mark(const clauses_jar *jar) {
  return jar->value;
}

int32_t clauses_jar_set_mark(clauses_jar *jar, int32_t mark) {
  if (mark == 13) {
    return 1;
  }
  jar->value = mark;
  return 0;
}

int32_t clauses_jar_get_twice(const clauses_jar *jar) {
  return 2 * jar->value;
}

clauses_jar *clauses_jar_shake(clauses_jar *jar) {
  jar->value++;
  return jar->value < 0 ? NULL : jar;
}

void clauses_jar_drop(clauses_jar **jar) {
  give_back(*jar);
  *jar = NULL;
}

struct clauses_link {
  int32_t value;
};

clauses_link *clauses_link_new(int32_t value, const clauses_link *more) {
  clauses_link *link = take(sizeof *link);
  if (link) {
    link->value = value + (more ? more->value : 0);
  }
  return link;
}

/* A shorter link; none where nothing would be left. */
clauses_link *clauses_link_open(const clauses_link *link, int32_t less) {
  return link->value > less ? clauses_link_new(link->value - less, NULL) : NULL;
}

int32_t clauses_link_value(const clauses_link *link) {
  return link->value;
}

/* Takes all of the next one. */
int32_t clauses_link_join(clauses_link *link, clauses_link *next) {
  if (next) {
    link->value += next->value;
    next->value = 0;
  }
  return link->value;
}

int32_t clauses_longest(const clauses_link *a, const clauses_link *b, int32_t none) {
  const int32_t values[] = {a ? a->value : none, b ? b->value : none};
  return values[0] > values[1] ? values[0] : values[1];
}

void clauses_link_free(clauses_link *link) {
  give_back(link);
}

struct clauses_chain {
  const clauses_link *links[2];
  clauses_link *own; /* freed with the chain */
};

clauses_chain *clauses_chain_new(const clauses_link *first) {
  clauses_chain *chain = take(sizeof *chain);
  if (chain) {
    *chain = (clauses_chain){{first, NULL}, NULL};
  }
  return chain;
}

/* 1 for a link without length. */
int32_t clauses_chain_add(clauses_chain *chain, const clauses_link *link) {
  if (link->value == 0) {
    return 1;
  }
  chain->links[1] = link;
  return 0;
}

int32_t clauses_chain_extend(clauses_chain *chain, int32_t n, const clauses_link *const *links) {
  return clauses_chain_add(chain, links[n - 1]);
}

clauses_chain *clauses_chain_new_of(const clauses_link **links, size_t n) {
  clauses_chain *chain = clauses_chain_new(links[0]);
  if (chain) {
    (void)clauses_chain_add(chain, links[n - 1]);
  }
  return chain;
}

int32_t clauses_chain_own(clauses_chain *chain, clauses_link *link) {
  if (chain->own || clauses_chain_add(chain, link)) {
    return 1;
  }
  chain->own = link;
  return 0;
}

int32_t clauses_chain_length(const clauses_chain *chain) {
  return chain->links[0]->value + (chain->links[1] ? chain->links[1]->value : 0);
}

/* Looks at what it keeps: that is there until then. */
void clauses_chain_free(clauses_chain *chain) {
  if (clauses_chain_length(chain) < INT32_MAX) {
    if (chain->own) {
      clauses_link_free(chain->own);
    }
    give_back(chain);
  }
}

clauses_board *clauses_board_new(int32_t height, int32_t width) {
  clauses_board *board = take(sizeof *board);
  if (board) {
    *board = (clauses_board){
        height, {width, 0}, height == 5, calloc((size_t)(height * width) + 1, 8), {height, width}};
  }
  return board;
}

int32_t clauses_board_set(clauses_board *board, int32_t row, const double *x) {
  for (int64_t i = 0; i < board->size.width; i++) {
    board->cells[row * board->size.width + i] = x[i];
  }
  return board->height - row - 1;
}

void clauses_board_rows(const clauses_board *board, double *out) {
  for (int64_t i = 0; i < board->height * board->size.width; i++) {
    out[i] = board->cells[i];
  }
}

double clauses_board_at(const clauses_board *board, const clauses_spot *spot) {
  return board->cells[spot->row * board->size.width + spot->column];
}

double clauses_board_top(const clauses_board *board, int32_t column) {
  return board->cells[column];
}

int32_t clauses_board_tell(const clauses_board *board, clauses_about *about) {
  about->cells = board->height * board->size.width;
  return board->height == 7;
}

double clauses_board_cell(const clauses_board *board, int32_t number) {
  return board->cells[number];
}

int64_t clauses_board_columns(const clauses_board *board) {
  return board->size.width;
}

static void forget(DLManagedTensor *view) {
  free(view->dl_tensor.shape);
}

/* Fails for 7 rows, and gives other elements for 8. */
int32_t clauses_board_view(const clauses_board *board, DLManagedTensor *view) {
  int64_t *shape = malloc(2 * sizeof *shape);
  if (!shape || board->height == 7) {
    free(shape);
    return 1;
  }
  shape[0] = board->height;
  shape[1] = board->size.width;
  const DLDataType dtype = {kDLFloat, board->height == 8 ? 32 : 64, 1};
  view->dl_tensor = (DLTensor){board->cells, {kDLCPU, 0}, 2, dtype, shape, NULL, 0};
  view->deleter = forget;
  return 0;
}

void clauses_board_free(clauses_board *board) {
  free(board->cells);
  give_back(board);
}

struct clauses_brush {
  int64_t bristles;
  const clauses_board *board;
};

clauses_brush *clauses_brush_new(const clauses_board *board) {
  clauses_brush *brush = take(sizeof *brush);
  if (brush) {
    *brush = (clauses_brush){board->size.width, board};
  }
  return brush;
}

/* Looks at no columns of the board. */
int32_t clauses_brush_paint(clauses_board *board, clauses_brush *brush, int32_t row) {
  for (int64_t i = 0; i < brush->bristles; i++) {
    board->cells[row * brush->bristles + i] = 1;
  }
  return (int32_t)brush->bristles;
}

const clauses_board *clauses_brush_board(const clauses_brush *brush) {
  return brush->bristles ? brush->board : NULL;
}

double clauses_brush_top(const clauses_brush *brush, int32_t column) {
  return brush->board->cells[column];
}

void clauses_brush_free(clauses_brush *brush) {
  give_back(brush);
}

struct clauses_tape {
  int64_t tracks;
};

clauses_tape *clauses_tape_new(int32_t tracks) {
  clauses_tape *tape = take(sizeof *tape);
  if (tape) {
    *tape = (clauses_tape){tracks};
  }
  return tape;
}

clauses_tape *clauses_tape_open(clauses_reel *reel) {
  reel->tracks += 2;
  return clauses_tape_new((int32_t)reel->tracks);
}

clauses_tape *clauses_tape_copy(const clauses_tape *tape) {
  return clauses_tape_new((int32_t)tape->tracks);
}

int32_t clauses_tape_cut(clauses_tape *tape, int32_t tracks) {
  if (tracks > tape->tracks) {
    return 1;
  }
  tape->tracks = tracks;
  return 0;
}

double clauses_tape_add(const clauses_tape *tape, const double *x) {
  double sum = 0;
  for (int64_t i = 0; i < tape->tracks; i++) {
    sum += x[i];
  }
  return sum;
}

void clauses_tape_play(const clauses_tape *tape, double *out) {
  for (int64_t i = 0; i < tape->tracks; i++) {
    out[i] = (double)i;
  }
}

void clauses_tape_free(clauses_tape *tape) {
  give_back(tape);
}

/* The memory is all zeros before. */
int32_t clauses_dial_init(clauses_dial *dial, int32_t step) {
  if (step == 13 || dial->value || dial->more) {
    return 1;
  }
  dial->more = take(1);
  dial->step = step;
  return dial->more == NULL;
}

int32_t clauses_dial_turn(clauses_dial *dial) {
  return dial->value += dial->step;
}

int32_t clauses_dial_ahead(clauses_dial dial, int32_t turns) {
  return dial.value + turns * dial.step;
}

const clauses_dial *clauses_dial_coarse(const clauses_dial *dial) {
  return dial->step > 2 ? dial : NULL;
}

int32_t clauses_dial_notches(const clauses_dial *dial) {
  return 100 / dial->step;
}

void clauses_dial_end(clauses_dial *dial) {
  give_back(dial->more);
  dial->more = NULL;
}

int32_t clauses_column(int32_t columns, const int32_t *starts, const int32_t *rows, int32_t height,
                       int32_t column) {
  int32_t sum = 0;
  for (int32_t i = starts[column]; i < starts[column + 1]; i++) {
    sum += rows[i] < height ? rows[i] : -100;
  }
  return starts[columns] < 0 ? -1 : sum;
}

double clauses_middle(const double *sorted, int32_t n) {
  return sorted[0] <= sorted[n - 1] ? sorted[n / 2] : -1;
}
int32_t clauses_zeros(const long double *x, int32_t n) {
  int32_t zeros = 0;
  for (int32_t i = 0; i < n; i++) {
    zeros += x[i] == 0;
  }
  return zeros;
}

char clauses_lowest(const char *x, int32_t n, char *highest) {
  char lowest = *highest = 0;
  for (int32_t i = 0; i < n; i++) {
    lowest = x[i] < lowest ? x[i] : lowest;
    *highest = x[i] > *highest ? x[i] : *highest;
  }
  return lowest;
}
long double clauses_half(int32_t n) {
  return n / 2.0L;
}

struct clauses_plant {
  int32_t size;
  clauses_pot *pot;
};

int32_t clauses_pot_init(clauses_pot *pot) {
  pot->more = take(1);
  return pot->more == NULL;
}

int32_t clauses_pot_plants(clauses_pot *pot) {
  return pot->plants;
}

int32_t clauses_pot_shade(const clauses_pot *pot, int32_t hours) {
  return pot->plants * hours;
}

/* With plants in it the pot counts as lost. */
void clauses_pot_end(clauses_pot *pot) {
  if (!pot->plants) {
    give_back(pot->more);
  }
}

clauses_plant *clauses_plant_sow(int32_t size, clauses_pot *pot) {
  clauses_plant *plant = take(sizeof *plant);
  if (plant) {
    *plant = (clauses_plant){size, pot};
    pot->plants++;
  }
  return plant;
}

int32_t clauses_plant_size(const clauses_plant *plant) {
  return plant->size;
}

/* With another pot the plant stays, and counts as lost. */
int32_t clauses_plant_pull(clauses_plant **plant, clauses_pot *pot) {
  if ((*plant)->pot != pot) {
    return 1;
  }
  pot->plants--;
  give_back(*plant);
  *plant = NULL;
  return 0;
}

int32_t clauses_tub_init(clauses_pot *tub) {
  tub->plants = -40;
  return 0;
}

int32_t clauses_tub_litres(clauses_pot *tub) {
  return -tub->plants;
}

/* A pot counts as lost. */
void clauses_tub_end(clauses_pot *tub) {
  tub->plants = 0;
}

struct clauses_coin {
  int32_t value;
};

clauses_coin *clauses_coin_new(int32_t value) {
  clauses_coin *coin = value < 0 ? NULL : take(sizeof *coin);
  if (coin) {
    coin->value = value;
  }
  return coin;
}

int32_t clauses_coin_value(const clauses_coin *coin) {
  return coin->value;
}

struct clauses_stamp {
  int32_t value;
};

struct clauses_seal {
  int32_t value;
};

clauses_stamp *clauses_stamp_new(int32_t value) {
  clauses_stamp *stamp = take(sizeof *stamp);
  if (stamp) {
    stamp->value = value;
  }
  return stamp;
}

clauses_seal *clauses_seal_new(int32_t value) {
  return (clauses_seal *)clauses_stamp_new(-value);
}

int32_t clauses_stamp_value(const clauses_stamp *stamp) {
  return stamp->value;
}

int32_t clauses_seal_value(const clauses_seal *seal) {
  return seal->value;
}

void clauses_let_go(void *object) {
  give_back(object);
}

/* With other arguments the coin stays, and counts as lost. */
int32_t clauses_coin_drop(int32_t order, clauses_coin *coin, const char **error, void *context) {
  if (order != CLAUSES_COLUMNS || !error || *error || context) {
    return 1;
  }
  *error = "this text is nobody's";
  give_back(coin);
  return 0;
}

clauses_recipe clauses_recipe_usual(void) {
  return (clauses_recipe){
      .sugar = 1, .eggs = 2, .order = CLAUSES_COLUMNS, .mark = 'u', .secret = take};
}

double clauses_recipe_weigh(const clauses_recipe *recipe, int32_t cakes) {
  const bool known = recipe->secret == take && recipe->spoons == (recipe->sweet ? 5 : 0);
  return known ? cakes * (recipe->sugar + 50 * recipe->eggs) : -1;
}

clauses_recipe clauses_recipe_double(clauses_recipe recipe) {
  recipe.mark = recipe.eggs == 13 ? (char)0xC3 : recipe.mark;
  recipe.sugar *= 2;
  recipe.eggs *= 2;
  return recipe;
}

int32_t clauses_recipe_find(int32_t number, clauses_recipe *recipe) {
  if (number < 0) {
    return 1;
  }
  recipe->order = number == 9 ? (clauses_order)9 : CLAUSES_ROWS;
  recipe->eggs = number;
  return 0;
}

int32_t clauses_note_count(const clauses_note *note, int32_t times) {
  const size_t author = note->author ? strlen(note->author) : 100;
  return times * (int32_t)(author + strlen(note->subject));
}

int32_t clauses_width(int32_t n, int32_t row) {
  if (row < 0 || row >= 2 * n) {
    abort();
  }
  return row + 1;
}

int32_t clauses_cell(int32_t n, int32_t row, int32_t column) {
  return 100 * n + 10 * row + column;
}

int32_t clauses_cells(int32_t n, int32_t row, int32_t *out) {
  for (int32_t i = 0; i < clauses_width(n, row); i++) {
    out[i] = clauses_cell(n, row, i);
  }
  return 0;
}

int32_t clauses_note_age(clauses_note *note, int32_t year) {
  note->subject = NULL; /* of the call's copy */
  return year - note->year;
}

void clauses_note_swap(clauses_note *note) {
  char *subject = note->subject;
  note->subject = (char *)(uintptr_t)note->author;
  note->author = subject;
}

int32_t clauses_note_look(int32_t number, const clauses_note **out) {
  static char subject[] = "tea";
  static const clauses_note note = {"ann", subject, 1999};
  *out = number < 0 ? NULL : &note;
  return 0;
}

const clauses_dot *clauses_dots(int32_t *count) {
  static const clauses_dot dots[] = {{1, 2}, {3, 4}, {5, 6}};
  *count = 3;
  return dots;
}

int32_t clauses_dots_sum(int32_t n, const clauses_dot *dots) {
  int32_t sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += dots[i].x + 2 * dots[i].y;
  }
  return sum;
}

static clauses_reason last_reason;

const clauses_reason *clauses_last_reason(void) {
  return last_reason.why ? &last_reason : NULL;
}

int32_t clauses_reasoned(int32_t code) {
  static char why[] = "it is seven";
  last_reason = (clauses_reason){code, code == 7 ? why : NULL};
  return code;
}

int32_t clauses_note_find(int32_t number, clauses_note *note) {
  static char subject[] = "cakes";
  static char long_subject[] = "breakfast";
  note->author = number < 0 ? NULL : "süd";
  note->subject = number == 8 ? long_subject : subject;
  if (number == 9) {
    note->subject = NULL;
  }
  note->year = number;
  return 0;
}

double clauses_menu_weigh(const clauses_menu *menu, int32_t days) {
  const double dish = clauses_recipe_weigh(&menu->dish, menu->guests);
  return days * dish + (double)strlen(menu->title);
}

int32_t clauses_menu_find(int32_t number, clauses_menu *menu) {
  memcpy(menu->title, "breakfast", number == 8 ? 8 : 5);
  menu->guests += number;
  return clauses_recipe_find(number, &menu->dish);
}

int32_t clauses_run_filter(clauses_filter *filter, int32_t which) {
  filter->written = filter->count < filter->room ? filter->count : filter->room;
  for (long i = 0; i < filter->written; i++) {
    filter->to[i] = filter->from[i] * filter->factor;
  }
  filter->factor += 1;
  return which == 13 || filter->secret ? 1 : 0;
}

int32_t clauses_letters_of(const int32_t *count, const char *const *words) {
  size_t letters = 0;
  for (int32_t i = 0; i < *count; i++) {
    letters += strlen(words[i]);
  }
  return (int32_t)letters;
}

int32_t clauses_two(const char *const *words) {
  const int32_t count = 2;
  return clauses_letters_of(&count, words);
}

int32_t clauses_words_letters(const clauses_words *list) {
  return clauses_letters_of(&list->count, (const char *const *)list->words);
}

double clauses_sum_filter(clauses_filter filter) {
  double sum = 0;
  for (long i = 0; i < filter.count; i++) {
    sum += filter.from[i];
  }
  return filter.to ? -1 : sum * filter.factor;
}

clauses_crate clauses_crate_pack(int32_t number) {
  clauses_crate crate = {NULL, (size_t)number, NULL, number + 1};
  if (number) {
    crate.bytes = malloc((size_t)number);
    memset(crate.bytes, number, (size_t)number);
    crate.label = malloc(6);
    memcpy(crate.label, "bytes", 6);
  }
  return crate;
}

int32_t clauses_crate_fill(int32_t number, clauses_crate *crate) {
  *crate = clauses_crate_pack(number);
  if (number == 13) {
    free(crate->bytes);
  }
  return number == 13;
}

int32_t clauses_lines_size(const clauses_saying *lines, size_t count, int32_t more) {
  int32_t size = more;
  for (size_t i = 0; i < count; i++) {
    size += lines[i].pause ? -1 : lines[i].times * (int32_t)strlen(lines[i].words);
  }
  return size;
}

int32_t clauses_tray_turn(const clauses_tray *from, clauses_tray *to) {
  if (from->owner || from->rows != to->columns || from->columns != to->rows) {
    return 1;
  }
  for (size_t row = 0; row < from->rows; row++) {
    for (size_t column = 0; column < from->columns; column++) {
      to->cells[column * (size_t)to->pitch + row] = from->cells[row * (size_t)from->pitch + column];
    }
  }
  return 0;
}

void clauses_buf_dispose(clauses_buf *buf) {
  free(buf->ptr);
  *buf = (clauses_buf){NULL, 0};
}

int32_t clauses_write(clauses_buf *out, int32_t n) {
  const size_t size = (size_t)(n < 0 ? -n : n);
  if (n != 0) {
    out->ptr = calloc(size + 1, 1);
    out->size = size;
  }
  if (n != 0 && out->ptr) {
    memset(out->ptr, 'x', size);
  }
  return n < 0;
}

int32_t clauses_write_bytes(clauses_buf *out, int32_t n) {
  const int32_t count = n < 0 ? -n : n;
  out->size = (size_t)count;
  out->ptr = malloc(out->size + 1);
  for (int32_t i = 0; i < count; i++) {
    out->ptr[i] = (char)i;
  }
  return n < 0;
}

char **clauses_strings(int32_t n) {
  char **strings = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *strings);
  for (int32_t i = 0; strings && i < n; i++) {
    strings[i] = calloc((size_t)i + 1, 1);
    memset(strings[i], 'x', (size_t)i);
  }
  return strings;
}

char **clauses_some_strings(int32_t n) {
  return clauses_strings(n);
}

void clauses_strings_free(char **strings) {
  for (int32_t i = 0; strings[i]; i++) {
    free(strings[i]);
  }
  free(strings);
}

void clauses_names_dispose(clauses_names *names) {
  for (size_t i = 0; i < names->count; i++) {
    free(names->strings[i]);
  }
  free(names->strings);
  *names = (clauses_names){NULL, 0};
}

int32_t clauses_names_make(clauses_names *out, int32_t n) {
  out->count = (size_t)(n < 0 ? -n : n);
  out->strings = clauses_strings((int32_t)out->count);
  if (n == 4) {
    free(out->strings[2]);
    out->strings[2] = NULL;
  }
  return n < 0;
}

int32_t clauses_kept_names(int32_t n, const char *const **names, int32_t *count) {
  static const char *const kept[] = {"one", "\xff", "three"};
  *names = n > 3 ? NULL : kept;
  *count = n;
  return 0;
}

void clauses_keys_dispose(clauses_keys *keys) {
  free(keys->ids);
  *keys = (clauses_keys){NULL, 0};
}

int32_t clauses_tell_words(int32_t n, clauses_each each, void *data) {
  int32_t stopped = 0;
  for (int32_t i = 0; !stopped && i < (n < 0 ? -n : n); i++) {
    const clauses_key key = {{1, 2, (unsigned char)i}};
    char word[100] = "";
    memset(word, 'x', (size_t)i % 100);
    stopped = each(n == 4 && i == 2 ? NULL : word, i, &key, data);
  }
  return stopped || n < 0;
}

void *clauses_tell_entries(int32_t n, void *(*each)(const clauses_entry *entry, void *data),
                           void *data) {
  void *stopped = NULL;
  for (int32_t i = 0; !stopped && i < n; i++) {
    const clauses_entry entry = {i ? "named" : NULL, i, "letters", (size_t)i + 1, CLAUSES_LEAD};
    stopped = each(i == 4 ? NULL : &entry, data);
  }
  return stopped;
}

void clauses_tell_halves(void (*each)(void *data, double half), void *data, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    each(data, i / 2.0);
  }
}

int32_t clauses_keys_make(int32_t n, clauses_keys *out) {
  out->count = (size_t)n;
  out->ids = malloc(out->count * sizeof *out->ids + 1);
  for (int32_t i = 0; i < n; i++) {
    out->ids[i] = (clauses_key){{1, 2, 3}};
  }
  return n == 3;
}

int32_t clauses_keys_sum(const clauses_key *keys, size_t n) {
  int32_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += keys[i].id[0] + keys[i].id[1] + keys[i].id[2];
  }
  return sum;
}

int32_t clauses_write_any(int32_t n, clauses_buf *out) {
  return clauses_write(out, n);
}

int32_t clauses_axes(int32_t window, int32_t *ndims) {
  *ndims = window;
  return window < 0;
}

double clauses_window(int32_t window, const uint64_t *start, const size_t *count,
                      const ptrdiff_t *step, const double *x) {
  double sum = 0;
  size_t total = 1;
  for (int32_t i = 0; i < window; i++) {
    sum += 10 * (double)start[i];
    total *= count[i];
  }
  for (size_t k = 0; k < total; k++) {
    size_t rest = k;
    ptrdiff_t at = 0;
    for (int32_t i = window - 1; i >= 0; i--) {
      at += (ptrdiff_t)(rest % count[i]) * step[i];
      rest /= count[i];
    }
    sum += x[at];
  }
  return sum;
}

int32_t clauses_volume(int32_t ndims, const int8_t *shape, const float *x) {
  int32_t volume = x ? 1 : 0;
  for (int32_t i = 0; i < ndims; i++) {
    volume *= shape[i];
  }
  return volume;
}

int32_t clauses_spell(char *word, const unsigned char *ending) {
  return (int32_t)(strlen(word) + (ending ? strlen((const char *)ending) : 100));
}

char *clauses_complaint(void) {
  static char text[] = "too many";
  return text;
}

int32_t clauses_complain(int32_t number) {
  return number;
}

void clauses_grid_usual(clauses_grid *grid) {
  *grid = (clauses_grid){{1, 2, 3, 4, 5, 6}, {7, 255}, 2};
}

double clauses_grid_sum(const clauses_grid *grid, int32_t times) {
  double sum = 100 * grid->key[0];
  for (int32_t i = 0; i < grid->used; i++) {
    sum += times * grid->cells[i];
  }
  return sum;
}

void clauses_grid_turn(clauses_grid *grid) {
  for (int i = 0; i < CLAUSES_CELLS / 2; i++) {
    const double cell = grid->cells[i];
    grid->cells[i] = grid->cells[CLAUSES_CELLS - 1 - i];
    grid->cells[CLAUSES_CELLS - 1 - i] = cell;
  }
  grid->key[1]++;
}

void clauses_turn(struct clauses_point *point) {
  *point = (struct clauses_point){-point->y, point->x};
}

struct clauses_cover {
  int32_t size;
};

struct clauses_book {
  int32_t pages, left; /* left: how many follow on the shelf */
  clauses_cover cover;
};

struct clauses_shelf {
  int32_t count;
  clauses_cover cover;
  clauses_shelf *upper;
  clauses_book books[4];
};

clauses_shelf *clauses_shelf_new(int32_t count) {
  clauses_shelf *shelf = count < 0 || count > 4 ? NULL : take(2 * sizeof *shelf);
  for (int32_t k = 0; k < 2 && shelf; k++) {
    shelf[k] = (clauses_shelf){count, {5}, &shelf[1], {{0}}};
    for (int32_t i = 0; i < count; i++) {
      shelf[k].books[i] = (clauses_book){10 + i, count - 1 - i, {3}};
    }
  }
  return shelf;
}

clauses_shelf *clauses_shelf_open(int32_t count) {
  return count ? clauses_shelf_new(count) : NULL;
}

clauses_book *clauses_shelf_get_book(clauses_shelf *shelf, int32_t index) {
  return index < 0 || index >= shelf->count ? NULL : &shelf->books[index];
}

int32_t clauses_shelf_find(clauses_shelf *shelf, int32_t pages, clauses_book **out) {
  *out = clauses_shelf_get_book(shelf, pages - 10);
  return *out ? 0 : 1;
}

int32_t clauses_shelf_cover(const clauses_shelf *shelf, const clauses_cover **out) {
  *out = shelf->count ? &shelf->cover : NULL;
  return 0;
}

clauses_shelf *clauses_shelf_upper(clauses_shelf *shelf) {
  return shelf->count ? shelf->upper : NULL;
}

clauses_mark clauses_shelf_mark(clauses_shelf *shelf, int32_t page) {
  for (int32_t i = 0; i < shelf->count; i++) {
    if (page <= shelf->books[i].pages) {
      return (clauses_mark){&shelf->books[i], page};
    }
  }
  return (clauses_mark){NULL, page};
}

int32_t clauses_marks_apart(clauses_mark from, clauses_mark to) {
  return (from.book->pages - from.page) - (to.book->pages - to.page);
}

int32_t clauses_marks_sum(const clauses_mark *marks, int32_t n) {
  int32_t pages = 0;
  for (int32_t i = 0; i < n; i++) {
    pages += marks[i].page < marks[i].book->pages ? marks[i].page : marks[i].book->pages;
  }
  return pages;
}

int32_t clauses_shelf_size(const clauses_shelf *shelf) {
  return shelf->count;
}

int32_t clauses_shelf_merge(clauses_shelf *shelf, clauses_book *to, const clauses_book *other) {
  to->pages += other->pages;
  return shelf->count + to->pages;
}

/* A book that is used after its shelf has wrong pages. */
void clauses_shelf_free(clauses_shelf *shelf) {
  for (int32_t i = 0; i < 4; i++) {
    shelf->books[i].pages = -1000;
  }
  give_back(shelf);
}

int32_t clauses_book_pages(const clauses_book *book) {
  return book->pages;
}

clauses_book *clauses_book_next(clauses_book *book) {
  return book->left ? book + 1 : NULL;
}

const clauses_cover *clauses_book_get_cover(const clauses_book *book) {
  return book->pages ? &book->cover : NULL;
}

int32_t clauses_cover_size(const clauses_cover *cover) {
  return cover->size;
}

struct clauses_press {
  int32_t copies;
};

clauses_press *clauses_press_at(int32_t index) {
  static clauses_press presses[] = {{7}, {8}};
  return index < 0 || index > 1 ? NULL : &presses[index];
}

int32_t clauses_press_copy(clauses_press *to, const clauses_press *other) {
  to->copies = other->copies;
  return to->copies;
}

int32_t clauses_press_copies(const clauses_press *press) {
  return press->copies;
}

struct clauses_plan_s {
  int32_t n;
  double *x;
};

clauses_plan clauses_plan_make(int32_t n, double *x) {
  clauses_plan plan = n == 13 ? NULL : take(sizeof *plan);
  if (plan) {
    *plan = (struct clauses_plan_s){n, x};
  }
  return plan;
}

int32_t clauses_plan_take(clauses_plan plan, int32_t n, double *x) {
  if (n == 13) {
    return 1;
  }
  *plan = (struct clauses_plan_s){n, x};
  return 0;
}

double clauses_plan_run(clauses_plan plan) {
  return clauses_peek(plan->n, plan->x);
}
void clauses_plan_drop(clauses_plan plan) {
  give_back(plan);
}

double *clauses_range(int32_t n) {
  double *numbers = n == 13 ? NULL : take((size_t)n * sizeof *numbers);
  for (int32_t i = 0; i < n && numbers; i++) {
    numbers[i] = i;
  }
  return numbers;
}

void clauses_release(void *memory) {
  give_back(memory);
}

float complex *clauses_circle(int32_t n) {
  static const float complex turn[] = {1, I, -1, -I};
  float complex *numbers = n == 13 ? NULL : take((size_t)n * sizeof *numbers);
  for (int32_t i = 0; i < n && numbers; i++) {
    numbers[i] = turn[i % 4];
  }
  return numbers;
}

int32_t clauses_wrong(int32_t how, int64_t *n, const int32_t **out) {
  static const int32_t three[] = {1, 2, 3};
  *n = how == 1 ? -1 : 3;
  *out = how == 2 ? NULL : three;
  return 0;
}

/* ---- texts ---- */

/* A text that lives until the next call. */
static const char *letters(int32_t n) {
  static char text[1000];
  memset(text, 'a', (size_t)n);
  text[n] = 0;
  return text;
}

static char *owned(int32_t n) {
  char *text = take((size_t)n + 1);
  if (text) {
    strcpy(text, letters(n));
  }
  return text;
}

int32_t clauses_explain(int32_t level, const char **message) {
  if (level) {
    *message = letters(level < 0 ? 3 : level);
  }
  return level < 0;
}

int32_t clauses_hint(int32_t level, char **hint) {
  if (level) {
    *hint = owned(level < 0 ? 3 : level);
  }
  return level < 0;
}

static bool ends_well(const char *source) {
  const size_t size = strlen(source);
  return size && source[size - 1] == ';';
}

int32_t clauses_compile(const char *source, char **why) {
  *why = *source ? owned(5) : NULL; /* also a warning */
  return !ends_well(source);
}

int32_t clauses_inspect(const char *source, const char **error) {
  *error = "it has no end";
  return !ends_well(source);
}

char *clauses_compose(int32_t n) {
  return n == 13 ? NULL : owned(n);
}

char *clauses_motto(int32_t n) {
  return n == 13 ? NULL : (char *)(uintptr_t)letters(n);
}

void clauses_forget(void *text) {
  give_back(text);
}

const wchar_t *clauses_wide(const wchar_t *word, int32_t from) {
  return (size_t)from < wcslen(word) ? word + from : NULL;
}

int32_t clauses_wide_check(const wchar_t *word) {
  return word && word[0] == '!';
}

wchar_t *clauses_wide_twice(const wchar_t *word) {
  const size_t size = wcslen(word);
  wchar_t *both = take((2 * size + 1) * sizeof *both);
  if (both) {
    memcpy(both, word, size * sizeof *both);
    memcpy(both + size, word, size * sizeof *both);
  }
  return both;
}

int32_t clauses_print(int32_t n, char *buf, uint64_t size) {
  if (n == 13) {
    return -1;
  }
  return snprintf(buf, (size_t)size, "%s", letters(n));
}

int32_t clauses_piece(int32_t n, char *buf, int32_t length) {
  if (length < n) {
    return -n;
  }
  memcpy(buf, letters(n), (size_t)n);
  return n == 13 ? length + 1 : n;
}

int32_t clauses_label(int32_t n, char *buf, int64_t *size) {
  const bool fits = n < *size;
  if (fits) {
    strcpy(buf, letters(n));
  }
  *size = n + 1;
  return !fits || n == 13;
}

int32_t clauses_line(int32_t n, char *buf, int32_t size, int32_t *got) {
  *got = n;
  memcpy(buf, letters(n), (size_t)(n < size ? n : size));
  return 0;
}

void clauses_title(int32_t n, char *buf, int32_t size) {
  memcpy(buf, letters(n), (size_t)(n + 1 < size ? n + 1 : size));
}

void clauses_tag(int32_t n, char tag[4]) {
  clauses_title(n, tag, 4);
}

int32_t clauses_measure(const char *text, int16_t length) {
  int32_t count = 0;
  for (int16_t i = 0; i < length; i++) {
    count += text[i] == 'a';
  }
  return count;
}

double clauses_weigh(const char **words, const double *weights, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += weights[i] * (double)strlen(words[i]);
  }
  return sum;
}

/* ---- parameters that report a failure ---- */

struct clauses_verdict {
  int32_t code;
};

clauses_verdict *clauses_verdict_make(void) {
  return take(sizeof(clauses_verdict));
}

int32_t clauses_verdict_code(const clauses_verdict *verdict) {
  return verdict->code;
}

const char *clauses_verdict_text(const clauses_verdict *verdict) {
  return verdict->code == 3 ? "the number has no third" : "no safe is without a lock";
}

void clauses_verdict_free(clauses_verdict *verdict) {
  give_back(verdict);
}

int32_t clauses_halve(int32_t number, int32_t *code) {
  *code = number % 2 ? -1 : 0;
  return number / 2;
}

int32_t clauses_third(int32_t number, clauses_verdict *verdict) {
  verdict->code = number % 3 ? 3 : 0;
  return number / 3;
}

struct clauses_safe {
  int32_t locks;
};

clauses_safe *clauses_safe_new(int32_t locks, clauses_verdict *verdict) {
  verdict->code = locks < 1 ? 4 : 0;
  clauses_safe *safe = verdict->code ? NULL : take(sizeof *safe);
  if (safe) {
    safe->locks = locks;
  }
  return safe;
}

int32_t clauses_safe_locks(const clauses_safe *safe) {
  return safe->locks;
}

void clauses_safe_close(clauses_safe *safe, clauses_verdict *verdict) {
  verdict->code = safe->locks;
  give_back(safe);
}

/* ---- objects that a call frees ---- */

struct clauses_draft {
  int32_t value;
};

clauses_draft *clauses_draft_new(int32_t value) {
  clauses_draft *draft = take(sizeof *draft);
  if (draft) {
    draft->value = value;
  }
  return draft;
}

void clauses_draft_free(clauses_draft *draft) {
  give_back(draft);
}

int32_t clauses_draft_value(const clauses_draft *draft) {
  return draft->value;
}

clauses_draft *clauses_draft_from_note(int32_t value, FILE *note) {
  fprintf(note, "%d\n", (int)value);
  if (value < 0) {
    (void)fgetc(note);
  }
  return clauses_draft_new(value);
}

int64_t clauses_count_bytes(FILE *of) {
  int64_t count = 0;
  while (fgetc(of) != EOF) {
    count++;
  }
  return count;
}

clauses_link *clauses_link_from_draft(clauses_draft *draft, int32_t times, int32_t *code) {
  const int32_t value = draft->value;
  *code = value < 0 ? 5 : 0;
  give_back(draft);
  return *code ? NULL : clauses_link_new(value * times, NULL);
}

/* ---- lists of objects ---- */

double clauses_sum_of(const clauses_adder *const *adders, int32_t n) {
  double sum = 0;
  for (int32_t i = 0; i < n; i++) {
    sum += adders[i]->sum;
  }
  return sum;
}

double clauses_pour(clauses_adder *into, clauses_adder **adders, const double *x, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    into->sum += adders[i]->sum += x[i];
  }
  return into->sum;
}

clauses_adder *clauses_adder_make_from(uint32_t n, const clauses_adder *const parts[]) {
  return clauses_adder_new(clauses_sum_of(parts, (int32_t)n));
}

int32_t clauses_tally(uint32_t n, const clauses_count *counts, clauses_count *more, uint8_t m) {
  int32_t sum = (!counts == !n && !more == !m) ? 0 : -1000;
  for (uint32_t i = 0; i < n; i++) {
    sum += counts[i]->value;
  }
  for (int32_t i = 0; i < m; i++) {
    sum += more[i]->value;
  }
  return sum;
}

double clauses_mean_of(int32_t n, clauses_count *counts, clauses_count like) {
  return (double)clauses_tally((uint32_t)n, counts, NULL, 0) / n == like->value ? like->value : -1;
}

int32_t clauses_press_row(clauses_press *const *presses, int32_t n) {
  for (int32_t i = 1; i < n; i++) {
    clauses_press_copy(presses[i], presses[i - 1]);
  }
  return presses[n - 1]->copies;
}

/* ---- for no caller ---- */

void clauses_secret(int32_t a) {
  (void)a;
}
void clauses_guessed(const double *x, int32_t n) {
  (void)x, (void)n;
}
