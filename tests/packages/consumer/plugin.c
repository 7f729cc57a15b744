/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin: hands out tensors of its own and may be closed while they are alive. */
#include <dlferry.h>

#define PLUGIN_API __attribute__((visibility("default")))

static float elements[6] = {0, 1, 2, 3, 4, 5};
static int64_t shape[] = {2, 3};
static const DLDevice cpu = {kDLCPU, 0};
static const DLDataType float32 = {kDLFloat, 32, 1};

static void release(void *owner) {
  ++*(int *)owner;
} /* code of this library, run after dlclose */

PLUGIN_API DLManagedTensorVersioned *plugin_wrap(int *released) {
  dlf_tensor *t;
  DLManagedTensorVersioned *out = NULL;
  if (dlf_wrap(
          &(DLTensor){elements, cpu, 2, float32, shape, NULL, 0}, 0, released, release, &t, NULL)) {
    return NULL;
  }
  dlf_to_dlpack(t, &out, NULL);
  dlf_release(t);
  return out;
}

PLUGIN_API DLManagedTensorVersioned *plugin_create(void) {
  dlf_tensor *t;
  DLManagedTensorVersioned *out = NULL;
  if (dlf_create(float32, 2, shape, cpu, &t, NULL)) {
    return NULL;
  }
  dlf_to_dlpack(t, &out, NULL);
  dlf_release(t);
  return out;
}

PLUGIN_API DLManagedTensor *plugin_create_legacy(void) {
  dlf_tensor *t;
  DLManagedTensor *out = NULL;
  if (dlf_create(float32, 2, shape, cpu, &t, NULL)) {
    return NULL;
  }
  dlf_to_dlpack_legacy(t, &out, NULL);
  dlf_release(t);
  return out;
}

PLUGIN_API int64_t plugin_live(void) {
  return dlf_live();
}
