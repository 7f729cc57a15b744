/* SPDX-License-Identifier: Apache-2.0 */
/* A contract's verdict on a call, as a text for tests. */
#ifndef DLFERRY_TESTS_CONTRACT_SAY_H
#define DLFERRY_TESTS_CONTRACT_SAY_H

#include "test.h"

typedef struct contract_call {
  const dlf_parameter *parameters;
  int32_t count;
  const dlf_value *values;
} contract_call;

typedef dlf_status (*contract_matcher)(const dlf_contract *, const dlf_value *, int64_t,
                                       dlf_error *);

static char said[600];

/* "" when the call holds, else "STATUS: text". */
static inline const char *contract_verdict(contract_call call, contract_matcher match,
                                           const char *text) {
  dlf_error error = {0};
  dlf_contract *c;
  if (dlf_contract_compile(
          text, "f", call.parameters, call.count, sizeof(dlf_parameter), &c, &error)) {
    return strcpy(said, error.message);
  }
  const dlf_status status = match(c, call.values, sizeof(dlf_value), &error);
  EXPECT_INT(match(c, call.values, sizeof(dlf_value), NULL), status);
  EXPECT_INT(error.status, status);
  dlf_contract_free(c);
  snprintf(said,
           sizeof said,
           "%s%s%s",
           status ? dlf_status_name((int32_t)status) : "",
           status ? ": " : "",
           error.message);
  return said;
}

/* "float32[3, 4] strides [1, 3] cpu" of an output that the caller leaves out, or "STATUS: text". */
static inline const char *contract_inferred(contract_call call, const char *text, int32_t which) {
  static double memory[1];
  dlf_error error = {0};
  dlf_prototype p = DLF_PROTOTYPE_INIT;
  dlf_contract *c;
  if (dlf_contract_compile(
          text, "f", call.parameters, call.count, sizeof(dlf_parameter), &c, &error)) {
    return strcpy(said, error.message);
  }
  if (dlf_contract_infer(c, call.values, sizeof(dlf_value), which, &p, &error)) {
    snprintf(said, sizeof said, "%s: %s", dlf_status_name(error.status), error.message);
  } else {
    DLTensor t = {memory, p.device, (int32_t)p.ndim, p.dtype, p.shape, p.strides, 0};
    EXPECT(dlf_describe(&t, 0, said, sizeof said) < (int64_t)sizeof said);
  }
  dlf_contract_free(c);
  return said;
}

#endif
