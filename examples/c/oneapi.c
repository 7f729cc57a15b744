/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange oneAPI's tensors, if dpctl's C library is installed. */
#include "example.h"

#include <dlferry/oneapi.h>

int main(void) {
  dlf_error error;
  const dlf_status status = dlf_oneapi_enable(NULL, &error); /* or its path */
  if (status) {
    printf("no oneAPI: %s: %s\n", dlf_status_name((int32_t)status), error.message);
    return 0;
  }
  /* From now on the hub asks SYCL about every pointer: it does not know this one. */
  float number = 5;
  DLTensor scalar = {&number, {kDLOneAPI, 0}, 0, {kDLFloat, 32, 1}, NULL, NULL, 0};
  DLManagedTensorVersioned managed = {{DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR}, NULL, NULL, 0, scalar};
  dlf_tensor *tensor;
  EXPECT(dlf_from_dlpack(&managed, &tensor, &error) == DLF_DEVICE);
  EXPECT(!dlf_is_reachable(&scalar));
  return 0;
}
