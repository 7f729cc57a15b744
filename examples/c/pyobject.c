/* SPDX-License-Identifier: Apache-2.0 */
/* Exchange tensors with Python objects, in a program that runs CPython. */
#include "example.h"

#include <dlferry/pyobject.h>

/* The first half of any NumPy, torch or other array, as an array of NumPy. */
static dlf_status halve(void *array, void *numpy, void **out, dlf_error *error) {
  dlf_tensor *tensor, *half = NULL;
  dlf_status status = dlf_from_python(array, NULL, &tensor, error);
  if (!status) {
    status = dlf_slice(tensor, 0, 0, dlf_dltensor(tensor)->shape[0] / 2, 1, &half, error);
  }
  if (!status) {
    status = dlf_to_python(half, numpy, false, out, error); /* numpy.from_dlpack, without a copy */
  }
  dlf_release(half);
  dlf_release(tensor);
  return status;
}

int main(void) {
  dlf_error error;
  if (dlf_python_enable(NULL, &error)) { /* or the path of a libpython that only one library sees */
    printf("no Python: %s\n", error.message);
    return 0;
  }
  int object;
  void *half;
  EXPECT(halve(&object, NULL, &half, &error) ==
         DLF_UNSUPPORTED); /* Python has not been initialized */
  return 0;
}
