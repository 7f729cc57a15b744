/* SPDX-License-Identifier: Apache-2.0 */
/* Check the tensors of a call against a contract, and make the output that the caller leaves out.
 * The functions that dlferry-bind writes do this for you. */
#include "example.h"

#include <dlferry/contract.h>

int main(void) {
  dlf_error error;
  dlf_contract *contract;
  char form[128];
  static const dlf_parameter parameters[] = {
      {"image", DLF_PARAMETER_INPUT}, {"sigma", DLF_PARAMETER_REAL}, {"out", DLF_PARAMETER_OUTPUT}};
  TRY(dlf_contract_compile("image: T[h, w]; out: T[h, w] noalias; T in f32|f64; sigma > 0",
                           "blur",
                           parameters,
                           3,
                           sizeof *parameters,
                           &contract,
                           &error));
  dlf_contract_format(contract, 0, form, sizeof form); /* the clause of the first parameter */
  EXPECT(strcmp(form, "T[h, w]") == 0);

  float pixels[6] = {0}, blurred[6];
  int64_t shape[] = {2, 3};
  const DLTensor image = {pixels, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
  DLTensor out = image;
  out.data = blurred;
  dlf_value call[3] = {{.tensor = {&image, 0}}, {.real = 1.5}, {.tensor = {&out, 0}}};
  TRY(dlf_contract_match(contract, call, sizeof *call, &error));

  /* A call that breaks the contract is told which rule. */
  call[1].real = -1;
  EXPECT(dlf_contract_match(contract, call, sizeof *call, &error) == DLF_INVALID);
  EXPECT(strcmp(error.message, "blur: sigma is -1, wanted sigma > 0") == 0);
  call[1].real = 1.5;

  /* The caller leaves `out` out: check the inputs, then ask for its description, or make it at
   * once. */
  dlf_prototype prototype = DLF_PROTOTYPE_INIT;
  dlf_tensor *made;
  DLManagedTensorVersioned *exported;
  call[2].tensor.tensor = NULL;
  TRY(dlf_contract_match_inputs(contract, call, sizeof *call, &error));
  TRY(dlf_contract_infer(contract, call, sizeof *call, 2, &prototype, &error));
  EXPECT(prototype.ndim == 2 && prototype.shape[1] == 3 && prototype.dtype.bits == 32);
  TRY(dlf_make(&prototype, &exported, &error)); /* for another library, */
  dlf_dlpack_release(exported);
  TRY(dlf_contract_create(
      contract, call, sizeof *call, 2, &made, &error)); /* or for this program */
  dlf_release(made);

  /* A language whose numbers are doubles narrows them for a parameter of type float. */
  float narrow, tenth = 0.1f; /* a variable: x87 compares constants with more digits */
  TRY(dlf_to_float(0.1, "blur: sigma", &narrow, &error));
  EXPECT(narrow == tenth);
  EXPECT(dlf_to_float(1e300, "blur: sigma", &narrow, &error) == DLF_OVERFLOW);

  dlf_contract_free(contract);
  EXPECT(dlf_live() == 0);
  return 0;
}
