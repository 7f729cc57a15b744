/* SPDX-License-Identifier: Apache-2.0 */
/* Convert between a dtype and its name, compare dtypes, ask for the size of an element, and convert
 * a value's bits. */
#include "example.h"

int main(void) {
  dlf_error error;
  DLDataType dtype;
  char name[DLF_NAME_CAPACITY];

  TRY(dlf_dtype_parse("bfloat16", &dtype, &error));
  EXPECT(dtype.code == kDLBfloat && dtype.bits == 16 && dtype.lanes == 1);

  dlf_dtype_format((DLDataType){kDLUInt, 8, 4}, name, sizeof name);
  EXPECT(strcmp(name, "uint8x4") == 0);
  dlf_dtype_format_short((DLDataType){kDLUInt, 8, 4}, name, sizeof name);
  EXPECT(strcmp(name, "u8_x4") == 0);

  EXPECT(dlf_dtype_size((DLDataType){kDLUInt, 8, 4}) == 4 && dlf_dtype_size(dtype) == 2);
  EXPECT(!dlf_dtype_equal(dtype, (DLDataType){kDLFloat, 16, 1}));

  double value;
  uint64_t bits;
  TRY(dlf_float_encode(dtype, 3.14159, &bits, &error));
  TRY(dlf_float_decode(dtype, bits, &value, &error));
  EXPECT(bits == 0x4049 && value == 3.140625);

  EXPECT(dlf_dtype_parse("decimal32", &dtype, &error) == DLF_DTYPE);
  printf("%s\n", error.message);
  return 0;
}
