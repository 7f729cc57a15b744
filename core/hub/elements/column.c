/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/dtype.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PRECISION 8 /* digits behind the point at most, NumPy's */

enum { HALF = 10, SINGLE = 23, DOUBLE = 52 }; /* bits of the fraction */

/* A decimal number: its digits, with the point after the first, and its exponent. */
typedef struct decimal {
  char digits[24];
  int count, exponent;
} decimal;

/* The nearest decimal with this many digits to a value above 0. */
static decimal nearest_decimal(double value, int count) {
  char text[40];
  decimal d = {.count = count};
  snprintf(text, sizeof text, "%.*e", count - 1, value);
  char *const exponent = strchr(text, 'e');
  d.exponent = atoi(exponent + 1);
  int length = 0;
  for (const char *at = text; at < exponent; at++) {
    if (*at >= '0' && *at <= '9') {
      d.digits[length++] = *at; /* skips the locale's point */
    }
  }
  return d;
}

static void count_up(decimal *d) {
  int i = d->count - 1;
  for (; i >= 0 && d->digits[i] == '9'; i--) {
    d->digits[i] = '0';
  }
  if (i >= 0) {
    d->digits[i]++;
  } else { /* 9.9 becomes 10 */
    d->digits[0] = '1';
    d->exponent++;
  }
}

/* Multiply by a power of two between -1022 and 1023. */
static double scaled(double value, int power) {
  return value * dlf__power_of_two(power);
}

static bool is_power_of_two(double value) {
  return (dlf__bits_of(value) & ((UINT64_C(1) << 52) - 1)) == 0;
}

/* True if no other value of the number's dtype is as near to the decimal. The value is above 0. */
static bool reads_back(const decimal *d, double value, const dlf__number *kind) {
  char text[40];
  int exponent;
  snprintf(text, sizeof text, "%.*se%d", d->count, d->digits, d->exponent - d->count + 1);
  const double read = strtod(text, NULL);
  if (kind->fraction == DOUBLE) {
    return read == value;
  }
  if (kind->fraction == SINGLE) {
    return strtof(text, NULL) == (float)value;
  }
  /* With fewer bits, values halfway to the neighbours are doubles, and strtod does not confuse them
   * with a decimal of few digits. Halfway reads as the even neighbour. */
  for (exponent = kind->lowest; scaled(value, -exponent) >= 2; exponent++) {
    continue;
  }
  const double count = scaled(value, kind->fraction - exponent);
  const double distance = scaled(read, kind->fraction - exponent) - count;
  const bool lowest_of_its_size = scaled(count, -kind->fraction) == 1 && exponent > kind->lowest;
  double below = 0.5;
  if (lowest_of_its_size) {
    below = 0.25;
  }
  if (distance == 0.5 || distance == -below) {
    return (int64_t)count % 2 == 0;
  }
  return distance < 0.5 && distance > -below;
}

/* The decimal of this many digits that reads back, if there is one. */
static bool try_decimal(double value, int count, const dlf__number *kind, decimal *out) {
  *out = nearest_decimal(value, count);
  if (reads_back(out, value, kind)) {
    return true;
  }
  if (!is_power_of_two(value)) {
    return false;
  }
  /* The values above are twice as far away as those below, so the next decimal may still read back.
   */
  decimal next = *out;
  count_up(&next);
  if (!reads_back(&next, value, kind)) {
    return false;
  }
  *out = next;
  return true;
}

/* The fewest digits that read back as the same number, but at most this many: then the nearest such
 * decimal. If some digits read back, more do, too: they are nearer. */
static decimal shortest_decimal(double value, int most, const dlf__number *kind) {
  enum { ENOUGH = 17 };
  int least = 1;
  decimal best, d;
  if (most > ENOUGH) {
    most = ENOUGH;
  }
  if (!try_decimal(value, most, kind, &best)) {
    return best; /* the nearest one */
  }
  while (least < most) {
    const int middle = (least + most) / 2;
    if (try_decimal(value, middle, kind, &d)) {
      best = d;
      most = middle;
    } else {
      least = middle + 1;
    }
  }
  return best;
}

/* A real in the column's notation: the parts around the point, without trailing zeros. */
typedef struct parts {
  char whole[40], fraction[40];
  int exponent; /* of a scientific one */
} parts;

static void split_positional(const decimal *d, parts *out) {
  int whole = 0;
  int fraction = 0;
  for (int i = 0; i <= d->exponent && whole < 39; i++) {
    out->whole[whole++] = i < d->count ? d->digits[i] : '0';
  }
  if (d->exponent < 0) {
    out->whole[whole++] = '0';
  }
  for (int i = -1; i > d->exponent; i--) {
    out->fraction[fraction++] = '0';
  }
  for (int i = d->exponent < 0 ? 0 : d->exponent + 1; i < d->count; i++) {
    out->fraction[fraction++] = d->digits[i];
  }
  out->whole[whole] = out->fraction[fraction] = '\0';
}

static void split_scientific(const decimal *d, parts *out) {
  const size_t fraction = (size_t)(d->count - 1);
  out->whole[0] = d->digits[0];
  memcpy(out->fraction, d->digits + 1, fraction);
  out->fraction[fraction] = '\0';
  out->exponent = d->exponent;
}

/* The same for most numbers that people write, without a text: a whole number and a power of ten
 * that are both exact have a correctly rounded quotient, so their decimal reads back if that is the
 * value. False for all others. */
static bool split_quickly(double value, const dlf__number *kind, parts *out) {
  double exact = 16777216.0;
  if (kind->fraction == DOUBLE) {
    exact = 9007199254740992.0;
  }
  double power = 1;
  if (kind->fraction < SINGLE || (is_power_of_two(value) && value < 1)) {
    return false;
  }
  for (int digits = 0; digits <= PRECISION && value * power < exact; digits++, power *= 10) {
    const uint64_t number = (uint64_t)(value * power + 0.5);
    double quotient;
    if (kind->fraction == DOUBLE) {
      quotient = (double)number / power;
    } else {
      quotient = (double)((float)number / (float)power);
    }
    if (quotient != value) {
      continue;
    }
    char text[24];
    snprintf(text, sizeof text, "%0*" PRIu64, digits + 1, number);
    const int whole = (int)strlen(text) - digits;
    memcpy(out->whole, text, (size_t)whole);
    out->whole[whole] = '\0';
    memcpy(out->fraction, text + whole, (size_t)digits + 1);
    return true;
  }
  return false;
}

static parts parts_of(const dlf__column *c, double value, const dlf__number *kind) {
  parts out = {"0", "", 0};
  value = __builtin_fabs(value);
  if (value == 0) {
    return out;
  }
  if (!c->scientific && split_quickly(value, kind, &out)) {
    return out;
  }
  decimal d;
  if (c->scientific) {
    d = shortest_decimal(value, PRECISION + 1, kind);
  } else { /* no range with a smaller number than 1e-4 is positional: at least five digits remain */
    d = nearest_decimal(value, 17); /* fewer could round up to the next power of ten */
    d = shortest_decimal(value, PRECISION + 1 + d.exponent, kind);
  }
  while (d.count > 1 && d.digits[d.count - 1] == '0') {
    d.count--;
  }
  if (c->scientific) {
    split_scientific(&d, &out);
  } else {
    split_positional(&d, &out);
  }
  return out;
}

/* As NumPy fills a scientific column: with the value's own digits, not with zeros. */
static void set_digits(parts *p, double value, int count, const dlf__number *kind) {
  value = __builtin_fabs(value);
  decimal d = nearest_decimal(value, count);
  if (is_power_of_two(value)) { /* the fewest digits may be these, but not the nearest ones */
    const decimal shortest = shortest_decimal(value, count, kind);
    if (shortest.count == count) {
      d = shortest;
    }
  }
  split_scientific(&d, p);
}

static int digits_of(int exponent) {
  if (exponent <= -100 || exponent >= 100) {
    return 3;
  }
  return 2;
}

static bool shows_real(const dlf__number *number) {
  return number->kind == DLF_NUMBER_REAL || number->kind == DLF_NUMBER_COMPLEX;
}

/* In a column as wide as "False". */
static void put_bool(dlf__text *text, bool value, bool in_axes) {
  const int width = in_axes ? 5 : 0;
  const char *word = value ? "True" : "False";
  dlf__put(text, "%*s", width, word);
}

static void put_whole(dlf__text *text, const dlf__number *number, int width, bool in_axes) {
  switch (number->kind) {
  case DLF_NUMBER_SIGNED:
    dlf__put(text, "%*" PRId64, width, number->signed_value);
    break;
  case DLF_NUMBER_UNSIGNED:
    dlf__put(text, "%*" PRIu64, width, number->unsigned_value);
    break;
  default:
    put_bool(text, number->unsigned_value, in_axes);
  }
}

void dlf__column_see(dlf__column *c, const dlf__number *number, double value) {
  c->used = true;
  c->kind = *number; /* any will do: a column has numbers of one dtype */
  if (!shows_real(number)) {
    return;
  }
  if (!__builtin_isfinite(value)) {
    c->non_finite = true;
    c->negative_infinity |= value < 0;
    return;
  }
  const double size = __builtin_fabs(value);
  c->finite = true;
  if (size == 0) {
    return;
  }
  if (c->most == 0 || size < c->least) {
    c->least = size;
  }
  if (size > c->most) {
    c->most = size;
  }
}

/* NumPy's rule; it compares in the precision of the dtype. */
void dlf__column_decide(dlf__column *c) {
  const dlf__number *kind = &c->kind;
  double limit = 1e6;
  if (kind->fraction == HALF) {
    limit = 1e3;
  } else if (kind->fraction == DOUBLE) {
    limit = 1e8;
  }
  if (c->most == 0) {
    return;
  }
  c->scientific = c->most >= limit || c->least < dlf__round(1e-4, kind) ||
                  dlf__round(c->most / c->least, kind) > 1000;
}

static int larger(int a, int b) {
  if (a > b) {
    return a;
  }
  return b;
}

void dlf__column_fit(dlf__column *c, const dlf__number *number, double value) {
  if (!shows_real(number)) {
    char buffer[40];
    dlf__text text = dlf__text_in(buffer, sizeof buffer);
    put_whole(&text, number, 0, c->in_axes);
    c->left = larger(c->left, (int)text.length);
  } else if (__builtin_isfinite(value)) {
    const parts p = parts_of(c, value, number);
    c->left = larger(c->left, (int)strlen(p.whole) + (c->plus || __builtin_signbit(value)));
    c->right = larger(c->right, (int)strlen(p.fraction));
    c->exponent = larger(c->exponent, digits_of(p.exponent));
  }
}

/* Characters from the point on, with the exponent. */
static int behind(const dlf__column *c) {
  return 1 + c->right + (c->scientific ? c->exponent + 2 : 0);
}

int64_t dlf__column_width(const dlf__column *c) {
  if (!c->finite && !c->non_finite) {
    return c->left;
  }
  const int width = c->left + (c->finite ? behind(c) : 0);
  int words = 0;
  if (c->non_finite) {
    words = 3 + (c->plus || c->negative_infinity);
  }
  return larger(width, words);
}

void dlf__column_put(const dlf__column *c, dlf__text *text, const dlf__number *number,
                     double value) {
  const char *sign = "";
  const bool is_nan = value != value; /* its sign does not count */
  if (__builtin_signbit(value) && !is_nan) {
    sign = "-";
  } else if (c->plus) {
    sign = "+";
  }
  const int width = (int)dlf__column_width(c);
  if (!shows_real(number)) {
    put_whole(text, number, c->left, c->in_axes);
  } else if (!__builtin_isfinite(value)) {
    char word[8];
    dlf__text part = dlf__text_in(word, sizeof word);
    dlf__put(&part, "%s%s", sign, is_nan ? "nan" : "inf");
    dlf__put(text, "%*s", width, word);
  } else {
    parts p = {"0", "", 0};
    if (!c->scientific) {
      p = parts_of(c, value, number);
    } else if (value != 0) {
      set_digits(&p, value, c->right + 1, number);
    }
    const int left = width - behind(c) - (int)strlen(p.whole) - (int)strlen(sign);
    const int zeros = c->right - (int)strlen(p.fraction);
    dlf__put(text, "%*s%s%s.%s", left, "", sign, p.whole, p.fraction);
    if (!c->scientific) {
      dlf__put(text, "%*s", zeros, "");
      return;
    }
    for (int i = 0; i < zeros; i++) {
      dlf__put(text, "0");
    }
    dlf__put(text,
             "e%c%0*d",
             p.exponent < 0 ? '-' : '+',
             c->exponent,
             p.exponent < 0 ? -p.exponent : p.exponent);
  }
}
