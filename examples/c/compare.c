/* SPDX-License-Identifier: Apache-2.0 */
/* Read numbers, and compare two tensors bit by bit, number by number, or within a tolerance. */
#include "example.h"

int main(void) {
  dlf_error error;
  bool same;
  int64_t shape[] = {3};
  const DLDevice cpu = {kDLCPU, 0};
  int64_t integers[] = {1, 2, 3};
  double doubles[] = {1, 2, 3}, near[] = {1, 2, 3 + 1e-9};
  const DLTensor a = {integers, cpu, 1, {kDLInt, 64, 1}, shape, NULL, 0};
  const DLTensor b = {doubles, cpu, 1, {kDLFloat, 64, 1}, shape, NULL, 0};
  const DLTensor c = {near, cpu, 1, {kDLFloat, 64, 1}, shape, NULL, 0};

  /* One number of any dtype, and a search for one. */
  dlf_number number;
  TRY(dlf_read((dlf_arg){&b, 0}, (int64_t[]){2}, 0, &number, &error)); /* index, lane */
  EXPECT(number.kind == DLF_NUMBER_REAL && number.real == 3);
  TRY(dlf_contains((dlf_arg){&a, 0}, &number, &same, &error));
  EXPECT(same);

  TRY(dlf_identical((dlf_arg){&a, 0}, (dlf_arg){&b, 0}, &same, &error)); /* the dtypes differ */
  EXPECT(!same);
  TRY(dlf_equal((dlf_arg){&a, 0}, (dlf_arg){&b, 0}, &same, &error)); /* the numbers do not */
  EXPECT(same);
  TRY(dlf_equal((dlf_arg){&b, 0}, (dlf_arg){&c, 0}, &same, &error));
  EXPECT(!same);
  TRY(dlf_all_close((dlf_arg){&b, 0},
                    (dlf_arg){&c, 0},
                    1e-6,
                    0,
                    false,
                    &same,
                    &error)); /* rtol, atol, equal_nan */
  EXPECT(same);
  return 0;
}
