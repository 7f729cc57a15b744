/* SPDX-License-Identifier: Apache-2.0 */
/* Read the elements of any tensor as values of one C type, without copying. */
#include "example.h"

/* Add up a tensor that may come from any library: dlf_look checks everything that the loop assumes.
 */
static dlf_status sum(dlf_arg tensor, double *out, dlf_error *error) {
  dlf_elements elements;
  const dlf_status status =
      dlf_look(tensor, (DLDataType){kDLFloat, 32, 1}, DLF_LOOK_DENSE, &elements, error);
  *out = 0;
  for (int64_t i = 0; !status && i < elements.count; i++) {
    *out += (double)((const float *)elements.data)[i];
  }
  return status;
}

int main(void) {
  dlf_error error;
  double total;
  float numbers[] = {1, 2, 3, 4};
  int64_t shape[] = {2, 2};
  DLTensor tensor = {numbers, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};
  TRY(sum((dlf_arg){&tensor, 0}, &total, &error));
  EXPECT(total == 10);

  /* Another dtype is refused, and so is memory that the processor cannot reach. */
  tensor.dtype = (DLDataType){kDLInt, 32, 1};
  EXPECT(sum((dlf_arg){&tensor, 0}, &total, &error) == DLF_DTYPE);
  tensor.dtype = (DLDataType){kDLFloat, 32, 1};
  tensor.device = (DLDevice){kDLCUDA, 0};
  EXPECT(sum((dlf_arg){&tensor, 0}, &total, &error) == DLF_DEVICE);

  /* A tensor that is to be written must not be read-only. */
  tensor.device = (DLDevice){kDLCPU, 0};
  dlf_elements elements;
  const dlf_arg constant = {&tensor, DLPACK_FLAG_BITMASK_READ_ONLY};
  EXPECT(dlf_look(constant, tensor.dtype, DLF_LOOK_WRITE, &elements, &error) == DLF_READ_ONLY);
  return 0;
}
