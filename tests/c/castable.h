/* SPDX-License-Identifier: Apache-2.0 */
/* The real dtypes that dlf_cast converts. A corpus of fuzz_cast counts on their order. */
#ifndef DLFERRY_TESTS_CASTABLE_H
#define DLFERRY_TESTS_CASTABLE_H

#define CASTABLE_REALS                                                                             \
  {kDLBool, 8, 1}, {kDLInt, 8, 1}, {kDLInt, 16, 1}, {kDLInt, 32, 1}, {kDLInt, 64, 1},              \
      {kDLUInt, 8, 1}, {kDLUInt, 16, 1}, {kDLUInt, 32, 1}, {kDLUInt, 64, 1}, {kDLFloat, 16, 1},    \
      {kDLFloat, 32, 1}, {kDLFloat, 64, 1}, {kDLBfloat, 16, 1}, {kDLFloat8_e3m4, 8, 1},            \
      {kDLFloat8_e4m3, 8, 1}, {kDLFloat8_e4m3b11fnuz, 8, 1}, {kDLFloat8_e4m3fn, 8, 1},             \
      {kDLFloat8_e4m3fnuz, 8, 1}, {kDLFloat8_e5m2, 8, 1}, {kDLFloat8_e5m2fnuz, 8, 1},              \
      {kDLFloat8_e8m0fnu, 8, 1}, {kDLFloat6_e2m3fn, 6, 1}, {kDLFloat6_e3m2fn, 6, 1},               \
      {kDLFloat4_e2m1fn, 4, 1}

#endif
