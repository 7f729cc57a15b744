/* SPDX-License-Identifier: Apache-2.0 */
/* Convert a tensor of float32 to bfloat16, and into packed float4 that exists. */
#include "example.h"

int main(void) {
  dlf_error error;
  float values[] = {1, 1.00390625f, -2.5f, 1000};
  int64_t shape[] = {4};
  const DLTensor plain = {values, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, shape, NULL, 0};
  dlf_tensor *numbers, *brief, *packed;
  TRY(dlf_wrap(&plain, 0, NULL, NULL, &numbers, &error));

  /* To nearest, and the middle between two goes to the even one. */
  TRY(dlf_cast(numbers, (DLDataType){kDLBfloat, 16, 1}, false, &brief, &error));
  const uint16_t *const bits = dlf_data(dlf_dltensor(brief));
  EXPECT(bits[0] == 0x3F80 && bits[1] == 0x3F80 && bits[2] == 0xC020);

  /* Two numbers in a byte, the first one in its low bits. */
  const DLDataType float4 = {kDLFloat4_e2m1fn, 4, 1};
  TRY(dlf_create(float4, 1, shape, (DLDevice){kDLCPU, 0}, &packed, &error));
  TRY(dlf_cast_into(brief, packed, true, &error));
  const uint8_t *const pairs = dlf_data(dlf_dltensor(packed));
  EXPECT(pairs[0] == 0x22 && pairs[1] == 0x7C); /* 1, 1; -2, 6 */

  /* Integers of 4 bits are not converted. */
  dlf_tensor *none;
  EXPECT(dlf_cast(numbers, (DLDataType){kDLInt, 4, 1}, false, &none, &error) == DLF_DTYPE);
  dlf_release(numbers);
  dlf_release(brief);
  dlf_release(packed);
  return 0;
}
