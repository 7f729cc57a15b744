/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the name of a dtype and of a device: a valid one prints, and reads back the same. */
#include "fuzz.h"

static void must_read_back(const char *name) {
  char usual[DLF_NAME_CAPACITY], brief[DLF_NAME_CAPACITY];
  DLDataType dtype, again;
  DLDevice device, device_again;
  if (dlf_dtype_parse(name, &dtype, NULL) == DLF_OK) {
    MUST(dlf_dtype_format(dtype, usual, sizeof usual) < DLF_NAME_CAPACITY);
    MUST(dlf_dtype_format_short(dtype, brief, sizeof brief) < DLF_NAME_CAPACITY);
    MUST(dlf_dtype_parse(usual, &again, NULL) == DLF_OK &&
         memcmp(&again, &dtype, sizeof dtype) == 0);
    MUST(dlf_dtype_parse(brief, &again, NULL) == DLF_OK &&
         memcmp(&again, &dtype, sizeof dtype) == 0);
  }
  if (dlf_device_parse(name, &device, NULL) == DLF_OK) {
    MUST(dlf_device_format(device, usual, sizeof usual) < DLF_NAME_CAPACITY);
    MUST(dlf_device_parse(usual, &device_again, NULL) == DLF_OK);
    MUST(device.device_type == device_again.device_type &&
         device.device_id == device_again.device_id);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  char *name =
      malloc(size + 1); /* exactly as long as it is, so that a read behind the end is seen */
  if (!name) {
    return 0;
  }
  if (size) {
    memcpy(name, bytes, size);
  }
  name[size] = '\0';
  must_read_back(name);
  free(name);
  return 0;
}
