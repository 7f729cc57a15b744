/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of contracts: the evaluator, which the matcher and the generator's search run, and the
 * C of the fast check and of the twins agree on every pair of NaN, infinities, zeros, numbers
 * around 2^53 and the ends of 64 bits. */
#include "arithmetic/arithmetic_dlferry.c" /* for its static functions */

#include "../c/test.h"
#include "contract/contract.h"

#include <math.h>

/* ---- the kernels ---- */

enum { REALS = 6 };

static double noted[REALS];
static int64_t noted_integer;

void arithmetic_reals(double a, double b, int64_t n, double least, double most, double inner,
                      double sum, double product, double part) {
  (void)a, (void)b, (void)n;
  noted[0] = least, noted[1] = most, noted[2] = inner;
  noted[3] = sum, noted[4] = product, noted[5] = part;
}

#define NOTE(name)                                                                                 \
  void arithmetic_##name(int64_t n, int64_t m, int64_t out) {                                      \
    (void)n, (void)m;                                                                              \
    noted_integer = out;                                                                           \
  }
NOTE(sum)
NOTE(difference)
NOTE(product)
NOTE(least)
NOTE(most)
NOTE(down)
NOTE(up)
NOTE(mixed)

#define NOTHING(name)                                                                              \
  void arithmetic_##name(const DLTensor *x, double a, double b, int64_t n, int64_t m) {            \
    (void)x, (void)a, (void)b, (void)n, (void)m;                                                   \
  }
NOTHING(real_gt)
NOTHING(real_ge)
NOTHING(real_lt)
NOTHING(real_le)
NOTHING(real_eq)
NOTHING(real_ne)
NOTHING(real_whole)
NOTHING(real_range)
NOTHING(real_least)
NOTHING(real_most)
NOTHING(real_mixed)
NOTHING(gt)
NOTHING(ge)
NOTHING(lt)
NOTHING(le)
NOTHING(eq)
NOTHING(ne)
NOTHING(range)
NOTHING(multiple)
NOTHING(divides)
NOTHING(middle)

void arithmetic_report(int64_t n, int64_t m, DLTensor *out, int64_t *written) {
  (void)n, (void)out;
  *written = m;
}

/* ---- the rules, by another way: NaN first, integers in 128 bits ---- */

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
#else
typedef int64_t wide; /* on 32-bit machines */
#endif

static bool fits(wide value) {
  return value >= INT64_MIN && value <= INT64_MAX;
}

static double least(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : fmin(a, b);
}
static double most(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}
static bool known(double a, double b) {
  return !isnan(a) && !isnan(b);
}
static bool at_most(double a, double b) {
  return known(a, b) && a <= b;
}
static bool same(double a, double b) {
  return known(a, b) && !(a < b) && !(a > b);
}

/* Towards minus infinity, or plus infinity. */
static wide quotient(wide a, wide b, bool up) {
  const wide rest = ((a % b) + b) % b; /* 0 to b - 1 */
  return (a - rest) / b + (up && rest);
}

typedef struct arguments {
  double a, b;
  int64_t n, m;
} arguments;

#define RULE(name, condition)                                                                      \
  static bool rule_##name(arguments x) {                                                           \
    const double a = x.a, b = x.b;                                                                 \
    const wide n = x.n, m = x.m;                                                                   \
    (void)a, (void)b, (void)n, (void)m;                                                            \
    return condition;                                                                              \
  }
RULE(real_gt, known(a, b) && a > b)
RULE(real_ge, at_most(b, a))
RULE(real_lt, known(a, b) && a < b)
RULE(real_le, at_most(a, b))
RULE(real_eq, same(a, b))
RULE(real_ne, known(a, b) && !same(a, b))
RULE(real_whole, at_most(a, (double)x.n))
RULE(real_range, at_most(-1, a) && at_most(a, 0x1p53))
RULE(real_least, at_most(least(a, b), 1))
RULE(real_most, known(most(a, b), 1) && !same(most(a, b), 1))
RULE(real_mixed, same(least(a, (double)x.n), most(b, (double)x.n)))
RULE(gt, fits(n + m) && n + m > 0)
RULE(ge, fits(n - m) && n - m >= 1)
RULE(lt, fits(n *m) && n * m < 100)
RULE(le, n < 0 || m < 0)
RULE(eq, n >= m)
RULE(ne, n != m)
RULE(range, n >= -3 && n <= INT64_C(9007199254740993))
RULE(multiple, m > 0 && n % m == 0)
RULE(divides, m > 0 && n % m == 0)
RULE(middle, fits(n + m) && quotient(n + m, 2, false) >= m)

/* Whether the contract holds; NULL for fits where the generator writes no fast check. */
static const struct {
  const char *name;
  bool on_reals;
  bool (*rule)(arguments x);
  dlf_status (*checked)(dlf_arg x, double a, double b, int64_t n, int64_t m, dlf_error *error);
  bool (*fits)(dlf_arg x, double a, double b, int64_t n, int64_t m);
  dlferry_once *once;
} constraints[] = {
#define ON_REALS(name, check)                                                                      \
  {#name, true, rule_##name, arithmetic_##name##_checked, check, &dlferry_once_##name}
#define ON_INTEGERS(name)                                                                          \
  {#name,                                                                                          \
   false,                                                                                          \
   rule_##name,                                                                                    \
   arithmetic_##name##_checked,                                                                    \
   dlferry_fits_##name,                                                                            \
   &dlferry_once_##name}
    ON_REALS(real_gt, dlferry_fits_real_gt),
    ON_REALS(real_ge, dlferry_fits_real_ge),
    ON_REALS(real_lt, dlferry_fits_real_lt),
    ON_REALS(real_le, dlferry_fits_real_le),
    ON_REALS(real_eq, dlferry_fits_real_eq),
    ON_REALS(real_ne, dlferry_fits_real_ne),
    ON_REALS(real_whole, dlferry_fits_real_whole),
    ON_REALS(real_range, dlferry_fits_real_range),
    ON_REALS(real_least, NULL),
    ON_REALS(real_most, NULL),
    ON_REALS(real_mixed, NULL),
    ON_INTEGERS(gt),
    ON_INTEGERS(ge),
    ON_INTEGERS(lt),
    ON_INTEGERS(le),
    ON_INTEGERS(eq),
    ON_INTEGERS(ne),
    ON_INTEGERS(range),
    ON_INTEGERS(multiple),
    ON_INTEGERS(divides),
    ON_INTEGERS(middle)};
enum { CONSTRAINTS = sizeof constraints / sizeof *constraints };

#define VALUE(name, value, can)                                                                    \
  static bool value_##name(wide n, wide m, wide *out) {                                            \
    if (!(can)) {                                                                                  \
      return false;                                                                                \
    }                                                                                              \
    *out = value;                                                                                  \
    return fits(*out);                                                                             \
  }
VALUE(sum, n + m, true)
VALUE(difference, n - m, true)
VALUE(product, n *m, true)
VALUE(least, n < m ? n : m, true)
VALUE(most, n > m ? n : m, true)
VALUE(down, quotient(n, m, false), m > 0)
VALUE(up, quotient(n, m, true), m > 0)
VALUE(mixed, 3 * (n - m) - n, fits(n - m) && fits(3 * (n - m)))

/* What the call computes; false if it refuses. */
static const struct {
  const char *name;
  bool (*value)(wide n, wide m, wide *out);
  dlf_status (*checked)(int64_t n, int64_t m, dlf_error *error);
  dlferry_once *once;
} computed[] = {
#define COMPUTED(name) {#name, value_##name, arithmetic_##name##_checked, &dlferry_once_##name}
    COMPUTED(sum),
    COMPUTED(difference),
    COMPUTED(product),
    COMPUTED(least),
    COMPUTED(most),
    COMPUTED(down),
    COMPUTED(up),
    COMPUTED(mixed)};
enum { COMPUTED_COUNT = sizeof computed / sizeof *computed };

/* ---- the numbers ---- */

static const double numbers[] = {(double)NAN,
                                 -(double)NAN,
                                 (double)INFINITY,
                                 -(double)INFINITY,
                                 0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.5,
                                 0x1p53,
                                 0x1p53 - 1,
                                 0x1p53 + 2,
                                 -0x1p53,
                                 0x1p-1074,
                                 0x1.fffffffffffffp1023,
                                 9007199254740990.0,
                                 4503599627370496.5};
static const int64_t wholes[] = {0,
                                 1,
                                 -1,
                                 2,
                                 3,
                                 -3,
                                 7,
                                 16,
                                 -18,
                                 INT64_C(3037000500), /* its square is just above 2^63 */
                                 INT64_C(-3037000499),
                                 INT64_C(1) << 31,
                                 (INT64_C(1) << 53) - 1,
                                 INT64_C(1) << 53,
                                 (INT64_C(1) << 53) + 1,
                                 INT64_C(1) << 61,
                                 INT64_C(1) << 62,
                                 -(INT64_C(1) << 62),
                                 INT64_MAX,
                                 INT64_MAX - 1,
                                 INT64_MIN,
                                 INT64_MIN + 1};
enum { NUMBERS = sizeof numbers / sizeof *numbers, WHOLES = sizeof wholes / sizeof *wholes };

static int wrong;

static void expect(bool good, const char *what, arguments x) {
  if (!good && wrong++ < 20) {
    printf("  %s: a %g, b %g, n %lld, m %lld\n", what, x.a, x.b, (long long)x.n, (long long)x.m);
  }
}

/* NaN is like NaN; 0 is like -0, since fmin may give either. */
static bool alike(double a, double b) {
  return isnan(a) ? isnan(b) : a == b;
}

/* ---- the evaluator ---- */

static const dlf_contract *compiled(dlferry_once *once) {
  const dlf_contract *contract = NULL;
  EXPECT_INT(dlferry_compile(once, &contract, NULL), DLF_OK);
  return contract;
}

static dlf__numbers numbers_of(const dlf_contract *contract, arguments x) {
  dlf__numbers all = {{0}, {0}};
  for (int i = 0; i < contract->symbol_count; i++) {
    const char letter = *contract->symbols[i].name;
    all.integers[i] = letter == 'n' ? x.n : x.m;
    all.reals[i] = letter == 'a' ? x.a : x.b;
  }
  return all;
}

static bool evaluator_holds(const dlf_contract *contract, arguments x) {
  const dlf__numbers all = numbers_of(contract, x);
  bool overflow, holds = true;
  for (int i = 0; i < contract->constraint_count; i++) {
    holds &= dlf__contract_holds(contract, &all, &contract->constraints[i], &overflow);
  }
  return holds;
}

/* ---- tests ---- */

static void try_constraints(arguments x, bool on_reals) {
  double element = 0;
  const DLTensor tensor = {&element, cpu, 1, {kDLFloat, 64, 1}, LIST(1), NULL, 0};
  const dlf_arg arg = {&tensor, 0};
  const dlf_value values[] = {
      {.tensor = arg}, {.real = x.a}, {.real = x.b}, {.integer = x.n}, {.integer = x.m}};
  for (int i = 0; i < CONSTRAINTS; i++) {
    const char *name = constraints[i].name;
    if (constraints[i].on_reals != on_reals) {
      continue;
    }
    const bool holds = constraints[i].rule(x);
    const dlf_contract *contract = compiled(constraints[i].once);
    expect(evaluator_holds(contract, x) == holds, name, x);
    expect(
        (dlf_contract_match(contract, values, sizeof *values, NULL) == DLF_OK) == holds, name, x);
    expect((constraints[i].checked(arg, x.a, x.b, x.n, x.m, NULL) == DLF_OK) == holds, name, x);
    if (constraints[i].fits) {
      expect(constraints[i].fits(arg, x.a, x.b, x.n, x.m) == holds, name, x);
    }
  }
}

static void try_reals(arguments x) {
  const double a = x.a, b = x.b, real = (double)x.n;
  const double expected[REALS] = {
      least(a, b), most(a, b), least(most(a, real), b), most(a + b, a - b), a * b, a / 3};
  const dlf_contract *contract = compiled(&dlferry_once_reals);
  const dlf__numbers all = numbers_of(contract, x);
  EXPECT_INT(arithmetic_reals_checked(a, b, x.n, NULL), DLF_OK);
  for (int i = 0; i < REALS; i++) {
    const dlf__derived *derived = &contract->derived[i];
    const char *name = contract->names[derived->parameter];
    EXPECT_INT(derived->parameter, 3 + i);
    expect(alike(noted[i], expected[i]), name, x);
    expect(alike(dlf__contract_evaluate_real(contract, &all, derived->node), expected[i]), name, x);
  }
}

static void try_integers(arguments x) {
  for (int i = 0; i < COMPUTED_COUNT; i++) {
    const dlf_contract *contract = compiled(computed[i].once);
    const dlf__numbers all = numbers_of(contract, x);
    int64_t evaluated = 0;
    wide expected = 0;
    const bool can = computed[i].value(x.n, x.m, &expected);
    expect(can != dlf__contract_evaluate(contract, &all, contract->derived->node, &evaluated),
           computed[i].name,
           x);
    expect(can == (computed[i].checked(x.n, x.m, NULL) == DLF_OK), computed[i].name, x);
    if (can) {
      expect(evaluated == (int64_t)expected, computed[i].name, x);
      expect(noted_integer == (int64_t)expected, computed[i].name, x);
    }
  }
}

static void try_reports(arguments x) {
  double elements[16] = {0};
  int64_t written = 0;
  const DLTensor out = {elements, cpu, 1, {kDLFloat, 64, 1}, LIST(16), NULL, 0};
  const wide n = x.n, m = x.m;
  const bool holds = m >= 0 && m <= 16 && m % 2 == 0 && fits(n - 1) && m <= n - 1;
  const dlf_contract *contract = compiled(&dlferry_once_report);
  dlf__numbers all = {{0}, {0}};
  for (int i = 0; i < contract->symbol_count; i++) {
    all.integers[i] = *contract->symbols[i].name == 'k' ? x.m : x.n;
  }
  bool overflow, evaluated = m >= 0 && m <= 16;
  for (int i = 0; i < contract->afterward_count; i++) {
    evaluated &= dlf__contract_holds(contract, &all, &contract->afterwards[i], &overflow);
  }
  expect(evaluated == holds, "report", x);
  const dlf_status status = arithmetic_report_checked(x.n, x.m, (dlf_arg){&out, 0}, &written, NULL);
  expect((status == DLF_OK) == holds, "report", x);
}

static void test_arithmetic__on_reals(void) {
  for (int i = 0; i < NUMBERS; i++) {
    for (int k = 0; k < NUMBERS; k++) {
      for (int n = 0; n < WHOLES; n++) {
        const arguments x = {numbers[i], numbers[k], wholes[n], 1};
        try_reals(x);
        try_constraints(x, true);
      }
    }
  }
  EXPECT_INT(wrong, 0);
}

static void test_arithmetic__on_integers(void) {
  if (sizeof(wide) == sizeof(int64_t)) {
    puts("not run: the compiler has no integers of 128 bits");
    return;
  }
  for (int n = 0; n < WHOLES; n++) {
    for (int m = 0; m < WHOLES; m++) {
      const arguments x = {0, 0, wholes[n], wholes[m]};
      try_integers(x);
      try_constraints(x, false);
      try_reports(x);
    }
  }
  EXPECT_INT(wrong, 0);
}

/* Every small quotient, and divisors that no contract proves. */
static void test_arithmetic__quotients_round_down_or_up(void) {
  for (int64_t a = -9; a <= 9; a++) {
    for (int64_t b = 1; b <= 4; b++) {
      bool sure = true;
      EXPECT_INT(dlferry_div(a, b, false, &sure), (int64_t)floor((double)a / (double)b));
      EXPECT_INT(dlferry_div(a, b, true, &sure), (int64_t)ceil((double)a / (double)b));
      EXPECT(sure);
      (void)dlferry_div(a, 1 - b, false, &sure);
      EXPECT(!sure);
    }
  }
}

static void test_arithmetic__a_nan_is_named(void) {
  double element = 0;
  const DLTensor tensor = {&element, cpu, 1, {kDLFloat, 64, 1}, LIST(1), NULL, 0};
  const dlf_arg x = {&tensor, 0};
  EXPECT_FAILS(arithmetic_real_least_checked(x, (double)NAN, 0, 0, 0, &error),
               DLF_INVALID,
               "real_least: a is nan and b is 0, wanted min(a,b) <= 1");
  EXPECT_FAILS(arithmetic_real_least_checked(x, 0, (double)NAN, 0, 0, &error),
               DLF_INVALID,
               "real_least: a is 0 and b is nan, wanted min(a,b) <= 1");
}

int main(void) {
  RUN(test_arithmetic__on_reals);
  RUN(test_arithmetic__on_integers);
  RUN(test_arithmetic__quotients_round_down_or_up);
  RUN(test_arithmetic__a_nan_is_named);
  return test_end();
}
