/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as a contract over a fixed function; what compiles prints, compiles again to the same, and checks any call. */
#include "fuzz.h"

uint8_t fuzz_memory[FUZZ_MEMORY];

static const dlf_parameter parameters[] = {{"a", DLF_PARAMETER_INPUT},    {"b", DLF_PARAMETER_INPUT},
                                           {"n", DLF_PARAMETER_INTEGER},  {"x", DLF_PARAMETER_REAL},
                                           {"k", DLF_PARAMETER_UNSIGNED}, {"out", DLF_PARAMETER_OUTPUT},
                                           {"mode", DLF_PARAMETER_OTHER}};
enum { PARAMETERS = sizeof parameters / sizeof *parameters };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  dlf_contract *contract = NULL, *again = NULL;
  dlf_error error = {0};
  char printed[4096], twice[4096];
  /* The text, then a zero byte, then the call. */
  const uint8_t *end = size ? memchr(bytes, 0, size) : NULL;
  const size_t length = end ? (size_t)(end - bytes) : size;
  char *text = malloc(length + 1);
  if (!text) return 0;
  if (length) memcpy(text, bytes, length);
  text[length] = '\0';
  const dlf_status status = dlf_contract_compile(text, "f", parameters, PARAMETERS, &contract, &error);
  free(text); /* only borrowed */
  MUST((status == DLF_OK) == (contract != NULL) && (status == DLF_OK || error.message[0]));
  if (status != DLF_OK) return 0;
  if (dlf_contract_format(contract, -1, printed, sizeof printed) < (int64_t)sizeof printed) {
    MUST(dlf_contract_compile(printed, "f", parameters, PARAMETERS, &again, &error) == DLF_OK);
    dlf_contract_format(again, -1, twice, sizeof twice);
    MUST(strcmp(printed, twice) == 0);
  }
  fuzz_input in = {end ? end + 1 : bytes, end ? size - length - 1 : 0};
  fuzz_tensor t[3];
  dlf_value values[PARAMETERS] = {{{NULL, 0}, 0, 0}};
  for (int i = 0, next = 0; i < PARAMETERS; i++) {
    if (parameters[i].kind <= DLF_PARAMETER_OUTPUT) {
      fuzz_fill(&in, &t[next]);
      values[i].tensor = (dlf_arg){fuzz_byte(&in) > 230 ? NULL : &t[next].dl, t[next].flags};
      next++;
    }
    values[i].integer = fuzz_integer(&in);
    values[i].real = (double)values[i].integer / 4;
  }
  dlf_prototype prototype;
  const dlf_status verdict = dlf_contract_match(contract, values, &error);
  if (again) MUST(dlf_contract_match(again, values, NULL) == verdict);
  dlf_contract_infer(contract, values, 5, &prototype, NULL);
  dlf_contract_free(again);
  dlf_contract_free(contract);
  return 0;
}
