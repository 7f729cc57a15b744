/* SPDX-License-Identifier: Apache-2.0 */
#define STB_IMAGE_IMPLEMENTATION
#include "si.h"
#include <stb/stb_image.h>

static int refuse(const char *function, dlf_error *error) {
  char text[200];
  snprintf(text, sizeof text, "%s: stb_image says %s", function, stbi_failure_reason());
  return dlf_error_set(error, DLF_FOREIGN, text);
}

int si_decode(const DLTensor *file, int32_t channels, DLManagedTensorVersioned **pixels,
              dlf_error *error) {
  int width, height, found;
  unsigned char *memory =
      stbi_load_from_memory(dlf_data(file), (int)file->shape[0], &width, &height, &found, channels);
  if (!memory) {
    return refuse("decode", error);
  }
  int64_t shape[3] = {height, width, channels ? channels : found};
  dlf_tensor *tensor;
  const DLTensor image = {memory, {kDLCPU, 0}, 3, {kDLUInt, 8, 1}, shape, NULL, 0};
  int status = dlf_wrap(&image, 0, memory, stbi_image_free, &tensor, error);
  if (status) {
    stbi_image_free(memory);
  }
  if (!status) {
    status = dlf_to_dlpack(tensor, pixels, error);
  }
  dlf_release(tensor);
  return status;
}

int si_size(const DLTensor *file, int32_t *width, int32_t *height, int32_t *channels,
            dlf_error *error) {
  if (stbi_info_from_memory(dlf_data(file), (int)file->shape[0], width, height, channels)) {
    return DLF_OK;
  }
  return refuse("size", error);
}
