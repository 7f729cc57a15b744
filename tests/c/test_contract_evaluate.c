/* SPDX-License-Identifier: Apache-2.0 */
/* Divisors are proved, and reals compared as reals. */
#include "contract_call.h"

static void test_contract_evaluate__a_divisor_is_proved_by_its_own_bound_only(void) {
  static const char *const unproved[] = {
      "m > 0; y: f32[3, 4/n]",
      "n < 5; y: f32[3, 4/n]",
      "n <= 5; y: f32[3, 4/n]",
      "n != 0; y: f32[3, 4/n]",
      "n >= 0; y: f32[3, 4/n]",
      "n in 0..9; y: f32[3, 4/n]",
      "n+1 > 1; y: f32[3, 4/n]",
      "n > 3; m > 1; y: f32[3, 4/(n/m)]",
      "n > 3; m > 1; y: f32[3, 4/(n-m)]",
      "n > 0; m >= 0; y: f32[3, 4/(n*m)]",
      "m > 0; n % (m-1); y: any[3, 4]",
      "n > m; m > 0; y: f32[3, 4/n]",
  };
  give_usual();
  for (size_t i = 0; i < sizeof unproved / sizeof *unproved; i++) {
    EXPECT(strstr(verdict(unproved[i]), "f: contract: division may be by 0: needs ") != NULL);
    if (!strstr(said, "division may be by 0")) {
      printf("       %s\n", unproved[i]);
    }
  }
  EXPECT_TEXT(verdict("n > 0; m > 0; y: f32[3, 4/(n*m)]"), "");
  EXPECT_TEXT(verdict("n >= 1; m >= 0; y: f32[3, 8/(n+m)]"), "");
  EXPECT_TEXT(verdict("n == 1; m > 0; y: f32[3, 4/(n/^m)]"), "");
  EXPECT_TEXT(verdict("n in 1..1; y: f32[3, 4/n]"), ""); /* a range of one */
}

static void test_contract_evaluate__what_proves_a_divisor_is_checked_before_it_divides(void) {
  give_usual();
  values[N].integer = 0;
  EXPECT_TEXT(verdict("m/n > 0; m > 0; n > 0"), "INVALID: f: n is 0, wanted n > 0");
  EXPECT_TEXT(verdict("m % n; n > 0"), "INVALID: f: n is 0, wanted n > 0");
  EXPECT_TEXT(verdict("y: f32[3, 4/n]; m > 0; n in 1..3"), "INVALID: f: n is 0, wanted n in 1..3");
}

static void test_contract_evaluate__a_real_on_either_side_makes_a_constraint_real(void) {
  give_usual();
  values[N].integer = 2;
  values[S].real = 2.5;
  EXPECT_TEXT(verdict("n >= s"), "INVALID: f: n is 2 and s is 2.5, wanted n >= s");
  EXPECT_TEXT(verdict("s <= n"), "INVALID: f: s is 2.5 and n is 2, wanted s <= n");
  EXPECT_TEXT(verdict("n < s; n > 1.5; n in 1..2.5; s in 2..3; n*1.5 == 3"), "");
  EXPECT_TEXT(verdict("s != 2.5"), "INVALID: f: s is 2.5, wanted s != 2.5");
  EXPECT_TEXT(verdict("n in 2.25..2.5"), "INVALID: f: n is 2, wanted n in 2.25..2.5");
  EXPECT_TEXT(verdict("s > 2.5e+0"), "INVALID: f: s is 2.5, wanted s > 2.5e+0");
  EXPECT_TEXT(verdict("s > 1e22; s > 1"), "INVALID: f: s is 2.5, wanted s > 1e22");
}

int main(void) {
  RUN(test_contract_evaluate__a_divisor_is_proved_by_its_own_bound_only);
  RUN(test_contract_evaluate__what_proves_a_divisor_is_checked_before_it_divides);
  RUN(test_contract_evaluate__a_real_on_either_side_makes_a_constraint_real);
  return test_end();
}
