/* SPDX-License-Identifier: Apache-2.0 */
/* A call of two inputs, two outputs and scalars, for tests that put contracts to it. */
#ifndef DLFERRY_TESTS_CONTRACT_CALL_H
#define DLFERRY_TESTS_CONTRACT_CALL_H

#include "contract_say.h"

static const dlf_parameter parameters[] = {
    {"x", DLF_PARAMETER_INPUT},
    {"y", DLF_PARAMETER_INPUT},
    {"out", DLF_PARAMETER_OUTPUT},
    {"z", DLF_PARAMETER_OUTPUT},
    {"n", DLF_PARAMETER_INTEGER},
    {"m", DLF_PARAMETER_INTEGER},
    {"s", DLF_PARAMETER_REAL},
    {"flag", DLF_PARAMETER_OTHER},
};
enum { X, Y, OUT, Z, N, M, S, FLAG, COUNT, HOOKS = 2 };

static _Alignas(256) unsigned char memory[4][4096];
static DLTensor tensors[4];
static int64_t extents[4][2][DLF_MAX_NDIM];
static dlf_value values[COUNT + HOOKS];

static inline DLTensor *give(int which, const char *dtype, int32_t ndim, const int64_t *shape) {
  DLTensor *t = &tensors[which];
  *t = (DLTensor){memory[which], cpu, ndim, f32, extents[which][0], extents[which][1], 0};
  EXPECT_INT(dlf_dtype_parse(dtype, &t->dtype, NULL), DLF_OK);
  memcpy(t->shape, shape, (size_t)ndim * sizeof *shape);
  EXPECT_INT(dlf_compact_strides(ndim, shape, DLF_ROW_MAJOR, t->strides, NULL), DLF_OK);
  values[which].tensor = (dlf_arg){t, 0};
  return t;
}

/* All tensors f32[3, 4], the scalars 1. */
static inline void give_usual(void) {
  for (int i = X; i <= Z; i++) {
    give(i, "f32", 2, LIST(3, 4));
  }
  for (int i = N; i < COUNT + HOOKS; i++) {
    values[i] = (dlf_value){.integer = 1, .real = 1};
  }
}

static inline const char *verdict(const char *text) {
  return contract_verdict((contract_call){parameters, COUNT, values}, dlf_contract_match, text);
}

static inline const char *inferred(const char *text, int32_t which) {
  return contract_inferred((contract_call){parameters, COUNT, values}, text, which);
}

#endif
