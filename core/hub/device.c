/* SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

#include <stdlib.h>

static const struct {
  int32_t type;
  const char *name;
} devices[] = {
    {kDLCPU, "cpu"},
    {kDLCUDA, "cuda"},
    {kDLCUDAHost, "cuda_host"},
    {kDLOpenCL, "opencl"},
    {kDLVulkan, "vulkan"},
    {kDLMetal, "metal"},
    {kDLVPI, "vpi"},
    {kDLROCM, "rocm"},
    {kDLROCMHost, "rocm_host"},
    {kDLExtDev, "ext_dev"},
    {kDLCUDAManaged, "cuda_managed"},
    {kDLOneAPI, "oneapi"},
    {kDLWebGPU, "webgpu"},
    {kDLHexagon, "hexagon"},
    {kDLMAIA, "maia"},
    {kDLTrn, "trn"},
    {DLF__TPU, "tpu"},
    {DLF__TPU_HOST, "tpu_host"},
    {DLF__ASCEND, "ascend"},
};
enum { DEVICE_COUNT = sizeof devices / sizeof *devices };

/* Move *text past a decimal number; false if there is none that fits in int32. */
static bool take_int32(const char **text, int32_t *out) {
  char *end;
  if (**text < '0' || **text > '9') {
    return false; /* strtoll would take space and a sign */
  }
  const long long value = strtoll(*text, &end, 10);
  *text = end;
  *out = (int32_t)value;
  return value <= INT32_MAX;
}

/* Move *text past the kind: a name, or "device(25)". */
static bool take_type(const char **text, int32_t *out) {
  const size_t length = strcspn(*text, ":");
  for (int i = 0; i < DEVICE_COUNT; i++) {
    if (strlen(devices[i].name) != length || strncmp(*text, devices[i].name, length) != 0) {
      continue;
    }
    *text += length;
    *out = devices[i].type;
    return true;
  }
  if (strncmp(*text, "device(", 7) != 0) {
    return false;
  }
  const char *p = *text + 7;
  if (!take_int32(&p, out) || *p != ')') {
    return false;
  }
  *text = p + 1;
  return true;
}

dlf_status dlf_device_parse(const char *name, DLDevice *out, dlf_error *error) {
  int32_t type;
  int32_t id = 0;
  const char *rest = name;
  if (!out) {
    return dlf__missing("device_parse", "a place for the device", error);
  }
  *out = (DLDevice){(DLDeviceType)0, 0};
  if (!name) {
    return dlf__missing("device_parse", "a name", error);
  }
  if (!take_type(&rest, &type) || (*rest == ':' && (rest++, !take_int32(&rest, &id))) ||
      *rest != '\0') {
    return dlf__fail(error,
                     DLF_DEVICE,
                     "device_parse: expected a device such as cpu or cuda:0, got '%.64s'",
                     name);
  }
  *out = (DLDevice){(DLDeviceType)type, id};
  return DLF_OK;
}

int64_t dlf_device_format(DLDevice device, char *buffer, int64_t capacity) {
  dlf__text text = dlf__text_in(buffer, capacity);
  const int32_t type = (int32_t)device.device_type;
  const char *name = NULL;
  for (int i = 0; i < DEVICE_COUNT; i++) {
    if (devices[i].type == type) {
      name = devices[i].name;
    }
  }
  if (name) {
    dlf__put(&text, "%s", name);
  } else {
    dlf__put(&text, "device(%" PRId32 ")", type);
  }
  if (type != kDLCPU || device.device_id != 0) {
    dlf__put(&text, ":%" PRId32, device.device_id);
  }
  return text.length;
}

dlf_status dlf__check_codes_released(const char *name, DLDataType dtype, DLDevice device,
                                     dlf_error *error) {
  const int32_t type = (int32_t)device.device_type;
  char word[DLF_NAME_CAPACITY];
  dlf_status status;
  if (dtype.code == DLF__BCOMPLEX) {
    status = DLF_DTYPE;
    dlf_dtype_format(dtype, word, sizeof word);
  } else if (type >= DLF__TPU && type <= DLF__ASCEND) {
    status = DLF_DEVICE;
    dlf_device_format(device, word, sizeof word);
  } else {
    return DLF_OK;
  }
  return dlf__fail(error,
                   status,
                   "%s: expected a %s of DLPack %d.%d, got %s, not yet released",
                   name,
                   status == DLF_DTYPE ? "dtype" : "device",
                   DLF_DLPACK_MAJOR,
                   DLF_DLPACK_MINOR,
                   word);
}

bool dlf_device_equal(DLDevice a, DLDevice b) {
  return a.device_type == b.device_type && (a.device_id == b.device_id || dlf__is_host(a));
}

bool dlf_is_cpu_accessible(DLDevice device) {
  return dlf__is_host(device) || dlf__backend_reaches(device, NULL);
}

bool dlf_is_reachable(const DLTensor *tensor) {
  if (!tensor || dlf__is_host(tensor->device)) {
    return tensor != NULL;
  }
  const bool is_pointer =
      dlf__address(tensor) == (uintptr_t)dlf__data(tensor); /* or lies beyond a pointer's bits */
  return is_pointer && dlf__backend_reaches(tensor->device, dlf__data(tensor));
}

dlf_status dlf__check_reachable(const char *name, const DLTensor *tensor, dlf_error *error) {
  char device[DLF_NAME_CAPACITY];
  if (dlf_is_reachable(tensor)) {
    return DLF_OK;
  }
  dlf_device_format(tensor->device, device, sizeof device);
  return dlf__fail(
      error,
      DLF_DEVICE,
      "%s: expected data that the processor can reach, got %s: move it to the CPU first",
      name,
      device);
}
