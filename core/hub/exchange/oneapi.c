/* SPDX-License-Identifier: Apache-2.0 */
/* dpctl's protocol for USM: a backend over its C library, which hides sycl::device and
 * sycl::context behind pointers. Nothing here runs before dlf_oneapi_enable. */
#include "hub/internal.h"

#include <dlferry/oneapi.h>

/* The values of DPCTLSyclUSMType, and DPCTL_ALL of DPCTLSyclDeviceType. */
enum { USM_UNKNOWN = 0, USM_SHARED = 2, USM_HOST = 3, EVERY_DEVICE = 63 };

enum { ROOT_CAPACITY = 256 };

/* Functions of the library, without their prefix DPCTL. The caller deletes every pointer that they
 * give. */
#define SYCL_FUNCTIONS(F)                                                                          \
  F(void *, DeviceMgr_GetDevices, (int kinds))                                                     \
  F(size_t, DeviceVector_Size, (void *vector))                                                     \
  F(void *, DeviceVector_GetAt, (void *vector, size_t index))                                      \
  F(void, DeviceVector_Delete, (void *vector))                                                     \
  F(void *, Device_GetParentDevice, (const void *device))                                          \
  F(void *, Device_GetPlatform, (const void *device))                                              \
  F(bool, Device_AreEq, (const void *a, const void *b))                                            \
  F(void, Device_Delete, (void *device))                                                           \
  F(void *, Platform_GetDefaultContext, (const void *platform))                                    \
  F(void, Platform_Delete, (void *platform))                                                       \
  F(void, Context_Delete, (void *context))                                                         \
  F(int, USM_GetPointerType, (const void *address, const void *context))                           \
  F(void *, USM_GetPointerDevice, (const void *address, const void *context))

typedef struct sycl_functions {
  SYCL_FUNCTIONS(DLF__FUNCTION_POINTER)
} sycl_functions;

#define SYCL_NAME(result, name, parameters) {"DPCTL" #name, offsetof(sycl_functions, name)},
static const dlf__library_function sycl_names[] = {SYCL_FUNCTIONS(SYCL_NAME)};

/* A root device and the default context of its platform; NULL if the platform has none. */
typedef struct sycl_root {
  void *device, *context;
} sycl_root;

/* The backend's context, filled in before it is registered. The root devices do not change. */
typedef struct sycl_runtime {
  sycl_functions f;
  size_t count;
  sycl_root roots[ROOT_CAPACITY];
} sycl_runtime;

static sycl_runtime usm_runtime;
static atomic_flag enabling = ATOMIC_FLAG_INIT; /* held while the library is loaded */

/* ---- what the backend answers ---- */

static const sycl_root *root_at(const sycl_runtime *sycl, int32_t id) {
  if (id >= 0 && (size_t)id < sycl->count) {
    return &sycl->roots[id];
  }
  return NULL;
}

/* The kind of an address in a root's default context. */
static int kind_in(const sycl_runtime *sycl, const sycl_root *root, const void *address) {
  if (!root || !root->context) {
    return USM_UNKNOWN;
  }
  return sycl->f.USM_GetPointerType(address, root->context);
}

static bool reaches_usm(void *context, DLDevice device, const void *address) {
  const sycl_runtime *sycl = context;
  if (!address) {
    return false;
  }
  const int kind = kind_in(sycl, root_at(sycl, device.device_id), address);
  return kind == USM_SHARED || kind == USM_HOST;
}

/* Find the position of the allocation's root device; its own device may be a part of one. */
static dlf_status find_position(const sycl_runtime *sycl, const sycl_root *root,
                                const void *address, int32_t *id, dlf_error *error) {
  void *device = sycl->f.USM_GetPointerDevice(address, root->context);
  void *parent;
  size_t i = 0;
  while (device && (parent = sycl->f.Device_GetParentDevice(device))) {
    sycl->f.Device_Delete(device);
    device = parent;
  }
  while (device && i < sycl->count && !sycl->f.Device_AreEq(device, sycl->roots[i].device)) {
    i++;
  }
  if (device) {
    sycl->f.Device_Delete(device);
  }
  if (!device || i == sycl->count) {
    return dlf_error_set(
        error, DLF_DEVICE, "expected data of a SYCL root device, got data of a device without one");
  }
  if (i > INT32_MAX) {
    return dlf__fail(
        error, DLF_DEVICE, "expected a position that a device id has room for, got %zu", i);
  }
  *id = (int32_t)i;
  return DLF_OK;
}

static dlf_status check_root(const sycl_runtime *sycl, int32_t id, dlf_error *error) {
  if (root_at(sycl, id)) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_DEVICE,
                   "expected the position of one of %zu SYCL devices, got oneapi:%" PRId32,
                   sycl->count,
                   id);
}

static dlf_status check_usm_import(void *context, const DLTensor *tensor, int32_t *id,
                                   dlf_error *error) {
  const sycl_runtime *sycl = context;
  const sycl_root *root = root_at(sycl, *id);
  if (!root || dlf__is_empty(tensor)) {
    return check_root(sycl, *id, error); /* no element, no allocation */
  }
  if (kind_in(sycl, root, tensor->data) != USM_UNKNOWN) {
    return find_position(sycl, root, tensor->data, id, error);
  }
  return dlf__fail(error,
                   DLF_DEVICE,
                   "expected data bound to the default context of the platform of oneapi:%" PRId32
                   ", got %s",
                   *id,
                   root->context ? "a pointer that it does not know" : "a platform without one");
}

/* DLPack has no place for a context, so only data of a default one can be exported. The id of the
 * handle is a hint. */
static dlf_status check_usm_export(void *context, const DLTensor *tensor, int32_t *id,
                                   dlf_error *error) {
  const sycl_runtime *sycl = context;
  if (dlf__is_empty(tensor)) {
    return check_root(sycl, *id, error);
  }
  const sycl_root *root = root_at(sycl, *id);
  if (kind_in(sycl, root, tensor->data) != USM_UNKNOWN) {
    return find_position(sycl, root, tensor->data, id, error);
  }
  for (size_t i = 0; i < sycl->count; i++) {
    if (kind_in(sycl, &sycl->roots[i], tensor->data) != USM_UNKNOWN) {
      return find_position(sycl, &sycl->roots[i], tensor->data, id, error);
    }
  }
  return dlf_error_set(error,
                       DLF_DEVICE,
                       "expected data bound to the default context of a SYCL platform, got a "
                       "pointer that none knows");
}

/* ---- how it is made ---- */

static dlf_status load_functions(void *library, sycl_functions *f, dlf_error *error) {
  const char *missing =
      dlf__find_functions(library, sycl_names, sizeof sycl_names / sizeof *sycl_names, f);
  if (!missing) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_UNSUPPORTED,
                   "oneapi_enable: expected a library with %s, got one without",
                   missing);
}

static void forget_roots(sycl_runtime *sycl) {
  for (size_t i = 0; i < sycl->count; i++) {
    if (sycl->roots[i].context) {
      sycl->f.Context_Delete(sycl->roots[i].context);
    }
    if (sycl->roots[i].device) {
      sycl->f.Device_Delete(sycl->roots[i].device);
    }
  }
  sycl->count = 0;
}

static dlf_status list_roots(sycl_runtime *sycl, dlf_error *error) {
  const sycl_functions *f = &sycl->f;
  void *list = f->DeviceMgr_GetDevices(EVERY_DEVICE);
  size_t count = 0;
  if (list) {
    count = f->DeviceVector_Size(list);
  }
  for (size_t i = 0; i < count && i < ROOT_CAPACITY; i++) {
    void *device = f->DeviceVector_GetAt(list, i);
    void *platform = NULL;
    if (device) {
      platform = f->Device_GetPlatform(device);
    }
    sycl->roots[i] = (sycl_root){device, platform ? f->Platform_GetDefaultContext(platform) : NULL};
    sycl->count = i + 1;
    if (platform) {
      f->Platform_Delete(platform);
    }
  }
  if (list) {
    f->DeviceVector_Delete(list);
  }
  if (count <= ROOT_CAPACITY) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_UNSUPPORTED,
                   "oneapi_enable: expected at most %d SYCL devices, got %zu",
                   ROOT_CAPACITY,
                   count);
}

static dlf_status register_usm(void *library, dlf_error *error) {
  dlf_backend backend = DLF_BACKEND_INIT;
  backend.is_cpu_accessible = reaches_usm;
  backend.check_import = check_usm_import;
  backend.check_export = check_usm_export;
  backend.context = &usm_runtime;
  dlf_status status = load_functions(library, &usm_runtime.f, error);
  if (status) {
    return status;
  }
  status = list_roots(&usm_runtime, error);
  if (!status) {
    status = dlf_backend_register(kDLOneAPI, &backend, error);
  }
  if (status) {
    forget_roots(&usm_runtime);
  }
  return status;
}

static bool is_enabled(void) {
  const dlf_backend *backend = dlf__backend_of(kDLOneAPI);
  return backend && backend->context == &usm_runtime;
}

static dlf_status load_dpctl(const char *library, dlf_error *error) {
  void *loaded;
  dlf_status status = dlf__open_library("oneapi_enable",
                                        "dpctl's C library",
                                        library ? library : DLF__LIBRARY_FILE("DPCTLSyclInterface"),
                                        &loaded,
                                        error);
  if (status) {
    return status;
  }
  status = register_usm(loaded, error);
  if (status) {
    dlf__close_library(loaded); /* otherwise it stays */
  }
  return status;
}

dlf_status dlf_oneapi_enable(const char *library, dlf_error *error) {
  if (is_enabled()) {
    return DLF_OK;
  }
  while (atomic_flag_test_and_set_explicit(&enabling, memory_order_acquire)) {
    dlf__yield();
  }
  dlf_status status = DLF_OK;
  if (!is_enabled()) {
    status = load_dpctl(library, error);
  }
  atomic_flag_clear_explicit(&enabling, memory_order_release);
  return status;
}
