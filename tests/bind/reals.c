/* SPDX-License-Identifier: Apache-2.0 */
/* Real numbers in contracts: the matcher, the fast check, the twins' arguments and the generator's
 * search agree on every pair of NaN, infinities, zeros, and numbers around 2^53. */
#include "reals/reals_dlferry.c" /* for its static functions */

#include "../c/test.h"
#include "contract/contract.h"

#include <math.h>

/* ---- the kernels ---- */

static double noted[4];

void reals_choose(double a, double b, int64_t n, double least, double most, double inner,
                  double sum) {
  (void)a, (void)b, (void)n;
  noted[0] = least, noted[1] = most, noted[2] = inner, noted[3] = sum;
}

#define NOTHING(name)                                                                              \
  void reals_##name(const DLTensor *x, double a, double b, int64_t n) {                            \
    (void)x, (void)a, (void)b, (void)n;                                                            \
  }
NOTHING(gt)
NOTHING(ge)
NOTHING(lt)
NOTHING(le)
NOTHING(eq)
NOTHING(ne)
NOTHING(whole)
NOTHING(range)
NOTHING(least)
NOTHING(most)
NOTHING(mixed)

/* ---- the rule, by another way: NaN first ---- */

static double least(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : fmin(a, b);
}
static double most(double a, double b) {
  return isnan(a) || isnan(b) ? (double)NAN : fmax(a, b);
}
static bool known(double a, double b) {
  return !isnan(a) && !isnan(b);
}

static bool gt(double a, double b, int64_t n) {
  return (void)n, known(a, b) && a > b;
}
static bool ge(double a, double b, int64_t n) {
  return (void)n, known(a, b) && a >= b;
}
static bool lt(double a, double b, int64_t n) {
  return (void)n, known(a, b) && a < b;
}
static bool le(double a, double b, int64_t n) {
  return (void)n, known(a, b) && a <= b;
}
static bool eq(double a, double b, int64_t n) {
  return (void)n, known(a, b) && !(a < b) && !(a > b);
}
static bool ne(double a, double b, int64_t n) {
  return known(a, b) && !eq(a, b, n);
}
static bool whole(double a, double b, int64_t n) {
  return (void)b, le(a, (double)n, 0);
}
static bool range(double a, double b, int64_t n) {
  return (void)b, (void)n, ge(a, -1, 0) && le(a, 0x1p53, 0);
}
static bool bounded(double a, double b, int64_t n) {
  return le(least(a, b), 1, n);
}
static bool other(double a, double b, int64_t n) {
  return ne(most(a, b), 1, n);
}
static bool mixed(double a, double b, int64_t n) {
  return eq(least(a, (double)n), most(b, (double)n), n);
}

typedef dlf_status (*twin)(dlf_arg x, double a, double b, int64_t n, dlf_error *error);
typedef bool (*fits)(dlf_arg x, double a, double b, int64_t n);

/* Without a fast check the matcher alone decides. */
static const struct {
  const char *name;
  bool (*rule)(double a, double b, int64_t n);
  twin checked;
  fits fast;
  dlferry_once *once;
} rules[] = {{"gt", gt, reals_gt_checked, dlferry_fits_gt, &dlferry_once_gt},
             {"ge", ge, reals_ge_checked, dlferry_fits_ge, &dlferry_once_ge},
             {"lt", lt, reals_lt_checked, dlferry_fits_lt, &dlferry_once_lt},
             {"le", le, reals_le_checked, dlferry_fits_le, &dlferry_once_le},
             {"eq", eq, reals_eq_checked, dlferry_fits_eq, &dlferry_once_eq},
             {"ne", ne, reals_ne_checked, dlferry_fits_ne, &dlferry_once_ne},
             {"whole", whole, reals_whole_checked, dlferry_fits_whole, &dlferry_once_whole},
             {"range", range, reals_range_checked, dlferry_fits_range, &dlferry_once_range},
             {"least", bounded, reals_least_checked, NULL, &dlferry_once_least},
             {"most", other, reals_most_checked, NULL, &dlferry_once_most},
             {"mixed", mixed, reals_mixed_checked, NULL, &dlferry_once_mixed}};
enum { RULES = sizeof rules / sizeof *rules };

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
static const int64_t wholes[] = {
    0,         1,        -1, (INT64_C(1) << 53) - 1, INT64_C(1) << 53, (INT64_C(1) << 53) + 1,
    INT64_MAX, INT64_MIN};
enum { NUMBERS = sizeof numbers / sizeof *numbers, WHOLES = sizeof wholes / sizeof *wholes };

/* NaN is like NaN; 0 is like -0, since fmin may give either. */
static bool alike(double a, double b) {
  return isnan(a) ? isnan(b) : a == b;
}

static int wrong;

static void expect(bool good, const char *what, double a, double b, int64_t n) {
  if (!good && wrong++ < 20) {
    printf("  %s: a %g, b %g, n %lld\n", what, a, b, (long long)n);
  }
}

static void try_arguments(double a, double b, int64_t n) {
  const double real = (double)n;
  EXPECT_INT(reals_choose_checked(a, b, n, NULL), DLF_OK);
  expect(alike(noted[0], least(a, b)), "min(a, b)", a, b, n);
  expect(alike(noted[1], most(a, b)), "max(a, b)", a, b, n);
  expect(alike(noted[2], least(most(a, real), b)), "min(max(a, n), b)", a, b, n);
  expect(alike(noted[3], most(a + b, a - b)), "max(a + b, a - b)", a, b, n);
  expect(alike(dlf__real_least(a, b), least(a, b)), "the generator's min", a, b, n);
  expect(alike(dlf__real_most(a, b), most(a, b)), "the generator's max", a, b, n);
}

static void try_rules(double a, double b, int64_t n) {
  double element = 0;
  const DLTensor x = {&element, cpu, 1, {kDLFloat, 64, 1}, LIST(1), NULL, 0};
  const dlf_arg arg = {&x, 0};
  const dlf_value values[] = {{.tensor = arg}, {.real = a}, {.real = b}, {.integer = n}};
  for (int i = 0; i < RULES; i++) {
    const bool holds = rules[i].rule(a, b, n);
    const dlf_contract *contract = NULL;
    EXPECT_INT(dlferry_compile(rules[i].once, &contract, NULL), DLF_OK);
    expect((dlf_contract_match(contract, values, sizeof *values, NULL) == DLF_OK) == holds,
           rules[i].name, a, b, n);
    expect((rules[i].checked(arg, a, b, n, NULL) == DLF_OK) == holds, rules[i].name, a, b, n);
    if (rules[i].fast) {
      expect(rules[i].fast(arg, a, b, n) == holds, rules[i].name, a, b, n);
    }
  }
  for (int i = 0; i < DLF__COMPARISON_COUNT; i++) {
    static bool (*const same[])(double a, double b, int64_t n) = {[DLF__GE] = ge, [DLF__GT] = gt,
                                                                  [DLF__LE] = le, [DLF__LT] = lt,
                                                                  [DLF__EQ] = eq, [DLF__NE] = ne};
    expect(dlf__compare_reals((dlf__comparison)i, a, b) == same[i](a, b, n),
           "the generator's comparison", a, b, n);
  }
}

static void test_reals__evaluators_agree(void) {
  for (int i = 0; i < NUMBERS; i++) {
    for (int k = 0; k < NUMBERS; k++) {
      for (int m = 0; m < WHOLES; m++) {
        try_arguments(numbers[i], numbers[k], wholes[m]);
        try_rules(numbers[i], numbers[k], wholes[m]);
      }
    }
  }
  EXPECT_INT(wrong, 0);
}

/* The twins' integers beside exact quotients. */
static void test_reals__quotients_round_down_or_up(void) {
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

static void test_reals__a_nan_is_named(void) {
  double element = 0;
  const DLTensor x = {&element, cpu, 1, {kDLFloat, 64, 1}, LIST(1), NULL, 0};
  EXPECT_FAILS(reals_least_checked((dlf_arg){&x, 0}, (double)NAN, 0, 0, &error), DLF_INVALID,
               "least: a is nan and b is 0, wanted min(a,b) <= 1");
  EXPECT_FAILS(reals_least_checked((dlf_arg){&x, 0}, 0, (double)NAN, 0, &error), DLF_INVALID,
               "least: a is 0 and b is nan, wanted min(a,b) <= 1");
}

int main(void) {
  RUN(test_reals__evaluators_agree);
  RUN(test_reals__quotients_round_down_or_up);
  RUN(test_reals__a_nan_is_named);
  return test_end();
}
