/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange table over Python objects, which other extension modules find in
 * Tensor.__dlpack_c_exchange_api__. Every slot needs the GIL and sets an exception on failure. */
#include "hub.h"

static int from_object(void *object, DLManagedTensorVersioned **out) {
  dlf_error error;
  int done = -1;
  *out = NULL;
  DLFPY_BEGIN_SECTION(object)
  const dlfpy_content content = hub_content(object, "to_dlpack");
  if (content.handle) {
    const dlf_status status = dlfpy_export(content, out, &error);
    if (status) {
      dlfpy_raise(status, &error);
    } else {
      done = 0;
    }
  }
  DLFPY_END_SECTION()
  return done;
}

/* Takes the tensor, even on failure: the specification is silent, and the caller cannot know. */
static int to_object(DLManagedTensorVersioned *tensor, void **out_object) {
  *out_object = hub_tensor_new(dlfpy_take(tensor, "from_dlpack"), false);
  if (*out_object) {
    return 0;
  }
  return -1;
}

static int lend(void *object, DLTensor *out) {
  dlf_tensor *handle = hub_handle(object, "to_dlpack");
  if (handle) {
    return dlf_exchange_api()->dltensor_from_py_object_no_sync(handle, out);
  }
  return -1;
}

/* Imports ask for data that is ready on the default stream. */
static bool is_ready_by_default(DLDeviceType type) {
  return type == kDLCUDA || type == kDLROCM;
}

static int current_stream(DLDeviceType type, int32_t id, void **out_stream) {
  if (dlf_exchange_api()->current_work_stream(type, id, out_stream) == 0) {
    return 0;
  }
  if (out_stream && is_ready_by_default(type)) {
    *out_stream = NULL;
    return 0;
  }
  dlfpy_fail(DLF_UNSUPPORTED,
             "current_work_stream: expected a device of the processor, got type %d",
             (int)type);
  return -1;
}

PyObject *hub_exchange_capsule(void) {
  static DLPackExchangeAPI
      table; /* not const: consumers get a plain pointer by the specification */
  table = *dlf_exchange_api();
  table.managed_tensor_from_py_object_no_sync = from_object;
  table.managed_tensor_to_py_object_no_sync = to_object;
  table.dltensor_from_py_object_no_sync = lend;
  table.current_work_stream = current_stream;
  return PyCapsule_New(&table, "dlpack_exchange_api", NULL);
}
