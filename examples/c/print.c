/* SPDX-License-Identifier: Apache-2.0 */
/* Print a tensor: its description in one line, as JSON, and with its elements. */
#include "example.h"

#include <stdlib.h>

int main(void) {
  dlf_error error;
  const int64_t shape[] = {2, 3};
  dlf_tensor *tensor;
  char line[256], json[512];
  TRY(dlf_create((DLDataType){kDLFloat, 32, 1}, 2, shape, (DLDevice){kDLCPU, 0}, &tensor, &error));
  const DLTensor *t = dlf_dltensor(tensor);
  for (int i = 0; i < 6; i++) {
    ((float *)dlf_data(t))[i] = (float)i / 2;
  }

  dlf_describe(t, DLPACK_FLAG_BITMASK_READ_ONLY, line, sizeof line);
  EXPECT(strcmp(line, "float32[2, 3] cpu read-only") == 0);

  dlf_describe_json(tensor, json, sizeof json);
  EXPECT(strstr(json, "\"dtype\": \"float32\", \"shape\": [2, 3]"));

  /* A text of any length: measure it, then write it. */
  const int64_t length = dlf_format(t, 0, NULL, 0);
  char *text = malloc((size_t)length + 1);
  EXPECT(text);
  dlf_format(t, 0, text, length + 1);
  puts(text);
  EXPECT(strstr(text, "[[0. , 0.5, 1. ],\n [1.5, 2. , 2.5]]"));
  free(text);
  dlf_release(tensor);
  return 0;
}
