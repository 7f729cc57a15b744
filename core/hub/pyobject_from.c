/* SPDX-License-Identifier: Apache-2.0 */
/* A Python object as a tensor. It follows bindings/python/src/dlferry/c/python/import.c, where the reasons are. */
#include "pyobject.h"

#include <string.h>

#define EXPORTED "an array that can be exported"

/* ---- what a producer's type says ---- */

/* Tell whether x is an instance of a class of a module that is imported. */
static bool is_instance(void *x, const char *module, const char *name) {
  void *modules = dlf__py.Import_GetModuleDict();
  void *found = modules ? dlf__py.Dict_GetItemString(modules, module) : NULL;
  void *class = found ? dlf__py_attribute(found, name) : NULL;
  const bool is = class && dlf__py.Object_IsInstance(x, class) == 1;
  dlf__py.Err_Clear();
  dlf__py_drop(class);
  return is;
}

/* Arrays that never change, which JAX and TensorFlow cannot say in DLPack. */
static bool is_tensorflow(void *x) { return is_instance(x, "tensorflow.python.framework.tensor", "Tensor"); }
static bool is_immutable(void *x) {
  return is_instance(x, "jaxlib._jax", "ArrayImpl") || is_instance(x, "jaxlib.xla_extension", "ArrayImpl") ||
         is_tensorflow(x);
}

/* TensorFlow aborts if asked to export its own objects. */
static dlf_status check_elements_of_tensorflow(void *x, dlf_error *error) {
  static const char *const own[] = {"string", "resource", "variant"};
  char text[32] = "";
  void *dtype = dlf__py_attribute(x, "dtype"), *name = dtype ? dlf__py_attribute(dtype, "name") : NULL;
  void *bytes = name ? dlf__py.Unicode_AsUTF8String(name) : NULL;
  const char *is = bytes ? dlf__py.Bytes_AsString(bytes) : NULL;
  dlf_status status = DLF_OK;
  for (size_t i = 0; is && i < sizeof own / sizeof *own; i++)
    if (strcmp(is, own[i]) == 0) memcpy(text, is, strlen(is) + 1);
  if (text[0]) status = dlf__fail(error, DLF_DTYPE, "from_python: expected numbers, got TensorFlow's %s", text);
  dlf__py.Err_Clear();
  dlf__py_drop(bytes);
  dlf__py_drop(name);
  dlf__py_drop(dtype);
  return status;
}

/* Elements of such tensors differ from what lies in memory; neither torch's table nor its method tells of both. */
static dlf_status check_torch(void *x, dlf_error *error) {
  const bool conj = dlf__py_is(x, "is_conj");
  if (!conj && !dlf__py_is(x, "is_neg")) return DLF_OK;
  return dlf__fail(error, DLF_LAYOUT,
                   "from_python: expected elements as they lie in memory, got a lazily %s tensor; pass .%s()",
                   conj ? "conjugated" : "negated", conj ? "resolve_conj" : "resolve_neg");
}

/* ---- managed tensors and capsules ---- */

static dlf_status take_managed(DLManagedTensorVersioned *managed, bool immutable, dlf_tensor **out, dlf_error *error) {
  if (immutable && managed->version.major == DLF_DLPACK_MAJOR && !(managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED))
    managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  const dlf_status status = dlf_from_dlpack(managed, out, error);
  if (status) dlf_dlpack_release(managed);
  return status;
}

static dlf_status take_legacy_managed(DLManagedTensor *legacy, bool immutable, dlf_tensor **out, dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  const dlf_status status = immutable
                                ? dlf_versioned_from_legacy(legacy, DLPACK_FLAG_BITMASK_READ_ONLY, &managed, error)
                                : dlf_from_dlpack_legacy(legacy, out, error);
  if (status) dlf_dlpack_release_legacy(legacy);
  return status || !immutable ? status : take_managed(managed, true, out, error);
}

static bool is_capsule(void *x) {
  return dlf__py.Capsule_IsValid(x, DLF_CAPSULE) || dlf__py.Capsule_IsValid(x, DLF_CAPSULE_LEGACY);
}

/* Renamed before anything else can fail or run, so that nothing consumes it again. */
static dlf_status consume_capsule(void *capsule, bool immutable, dlf_tensor **out, dlf_error *error) {
  const bool versioned = dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE);
  void *managed = dlf__py.Capsule_GetPointer(capsule, versioned ? DLF_CAPSULE : DLF_CAPSULE_LEGACY);
  if (!managed || dlf__py.Capsule_SetName(capsule, versioned ? DLF_CAPSULE_USED : DLF_CAPSULE_LEGACY_USED))
    return dlf__py_raised("from_python", "a capsule", capsule, error);
  return versioned ? take_managed(managed, immutable, out, error) : take_legacy_managed(managed, immutable, out, error);
}

static dlf_status from_exchange_table(void *x, const DLPackExchangeAPI *api, dlf_tensor **out, dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  const bool torch = is_instance(x, "torch", "Tensor");
  const dlf_status status = torch ? check_torch(x, error) : DLF_OK;
  if (status) return status;
  const int failed = api->managed_tensor_from_py_object_no_sync(x, &managed);
  if (!failed && managed) return take_managed(managed, torch && dlf__py_is(x, "requires_grad"), out, error);
  if (dlf__py.Err_Occurred()) return dlf__py_raised("from_python", EXPORTED, x, error);
  return dlf__fail(error, DLF_FOREIGN, "from_python: expected a managed tensor or an exception, got neither");
}

/* ---- the method __dlpack__ ---- */

/* Fill *out with what __dlpack_device__ tells. */
static dlf_status ask_device(void *x, DLDevice *out, dlf_error *error) {
  void *method = dlf__py_attribute(x, "__dlpack_device__");
  if (!method) return dlf__fail(error, DLF_INVALID, "from_python: expected an array with __dlpack_device__, got none");
  void *pair = dlf__py.Object_CallFunctionObjArgs(method, NULL);
  dlf__py_drop(method);
  if (!pair) return dlf__py_raised("from_python", EXPORTED, x, error);
  long long numbers[2];
  dlf__py_read_pair(pair, numbers);
  dlf__py_drop(pair);
  if (numbers[0] <= 0 || numbers[0] > INT32_MAX || numbers[1] < 0 || numbers[1] > INT32_MAX)
    return dlf__fail(error, DLF_INVALID,
                     "from_python: expected a pair of device type and device id from "
                     "__dlpack_device__, got something else");
  *out = (DLDevice){(DLDeviceType)numbers[0], (int32_t)numbers[1]};
  return DLF_OK;
}

/* The keywords of __dlpack__, from the oldest, as bits. */
enum { STREAM = 1, MAX_VERSION = 2, DL_DEVICE = 4, COPY = 8 };
static const char *const export_keywords[] = {"stream", "max_version", "dl_device", "copy"};

/* A dict of those keywords that `given` has; NULL with an exception. */
static void *keywords_for(int given, long stream, DLDevice device, dlf_copy_mode copy) {
  void *keywords = dlf__py.Dict_New(), *builtins = dlf__py.Eval_GetBuiltins();
  bool complete = keywords != NULL;
  for (int i = 0; complete && i < 4; i++) {
    void *value = NULL;
    if (!(given & 1 << i)) continue;
    if (1 << i == STREAM) value = dlf__py.Long_FromLong(stream);
    if (1 << i == MAX_VERSION) value = dlf__py_pair(DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR);
    if (1 << i == DL_DEVICE) value = dlf__py_pair((long)device.device_type, (long)device.device_id);
    if (1 << i == COPY) value = dlf__py.Dict_GetItemString(builtins, copy == DLF_COPY_ALWAYS ? "True" : "False");
    if (value && 1 << i == COPY) dlf__py._IncRef(value);
    complete = value && !dlf__py.Dict_SetItemString(keywords, export_keywords[i], value);
    dlf__py_drop(value);
  }
  if (complete) return keywords;
  dlf__py_drop(keywords);
  return NULL;
}

/* The keywords that an older producer has refused, by the text of its TypeError in flight: the array API tells
 * consumers to call again without them. Without a stream the data would be ready too late: that one stays. */
static int refused_keywords(int given) {
  static const char *const all[] = {"takes no keyword arguments", "takes no arguments", "takes at most ",
                                    "takes exactly ", "incompatible function arguments"};
  char text[256] = "", quoted[32];
  void *flight[3], *type_error = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), "TypeError");
  dlf__py.Err_Fetch(&flight[0], &flight[1], &flight[2]);
  dlf__py.Err_NormalizeException(&flight[0], &flight[1], &flight[2]);
  if (type_error && dlf__py.Object_IsInstance(flight[1], type_error) == 1) dlf__py_line(flight[1], text, sizeof text);
  dlf__py.Err_Restore(flight[0], flight[1], flight[2]);
  for (int i = 1; i < 4 && strstr(text, "keyword argument"); i++) {
    memcpy(quoted, "'", 2);
    strcat(strcat(quoted, export_keywords[i]), "'");
    if ((given & 1 << i) && strstr(text, quoted)) return 1 << i;
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strstr(text, all[i])) return given & ~STREAM;
  return 0;
}

/* Call __dlpack__; NULL with an exception. */
static void *ask_for_capsule(void *method, int given, long stream, DLDevice device, dlf_copy_mode copy) {
  for (void *nothing = dlf__py.Tuple_New(0); nothing;) {
    void *keywords = keywords_for(given, stream, device, copy);
    void *capsule = keywords ? dlf__py.Object_Call(method, nothing, keywords) : NULL;
    const int refused = capsule ? 0 : refused_keywords(given);
    dlf__py_drop(keywords);
    if (!refused) {
      dlf__py_drop(nothing);
      return capsule;
    }
    dlf__py.Err_Clear();
    given &= ~refused;
  }
  return NULL;
}

/* dpctl's arrays have a queue, which DLPack has no place for. */
static dlf_status wait_for_queue(void *x, DLDevice device, dlf_error *error) {
  if (device.device_type != kDLOneAPI) return DLF_OK;
  void *queue = dlf__py_attribute(x, "sycl_queue"), *wait = queue ? dlf__py_attribute(queue, "wait") : NULL;
  void *done = wait ? dlf__py.Object_CallFunctionObjArgs(wait, NULL) : NULL;
  const dlf_status status =
      wait && !done ? dlf__py_raised("from_python", "an array with a SYCL queue that finishes its work", x, error)
                    : DLF_OK;
  dlf__py_drop(done);
  dlf__py_drop(wait);
  dlf__py_drop(queue);
  return status;
}

static dlf_status from_method(void *x, void *method, DLDevice device, dlf_copy_mode copy, dlf_tensor **out,
                              dlf_error *error) {
  char kind[80];
  DLDevice at = {(DLDeviceType)0, 0};
  dlf_status status = ask_device(x, &at, error);
  if (!status && is_tensorflow(x)) status = check_elements_of_tensorflow(x, error);
  if (!status && is_instance(x, "torch", "Tensor")) status = check_torch(x, error);
  if (status) return status;
  const DLDeviceType there = device.device_type ? device.device_type : at.device_type; /* where the stream is */
  const bool cuda = there == kDLCUDA || there == kDLCUDAManaged, rocm = there == kDLROCM;
  const int given = MAX_VERSION | (cuda || rocm ? STREAM : 0) | (copy == DLF_COPY_IF_NEEDED ? 0 : COPY) |
                    (device.device_type ? DL_DEVICE : 0);
  void *capsule = ask_for_capsule(method, given, cuda, device, copy);
  if (!capsule) return dlf__py_raised("from_python", EXPORTED, x, error);
  if (is_capsule(capsule))
    status = consume_capsule(capsule, is_immutable(x), out, error);
  else
    status = dlf__fail(error, DLF_FOREIGN, "from_python: expected a capsule from __dlpack__, got %s",
                       dlf__py_kind(capsule, kind, sizeof kind));
  dlf__py_drop(capsule);
  if (!status) status = wait_for_queue(x, dlf_dltensor(*out)->device, error);
  if (!status && copy == DLF_COPY_NEVER && (dlf_flags(*out) & DLPACK_FLAG_BITMASK_IS_COPIED))
    status =
        dlf__fail(error, DLF_LAYOUT, "from_python: expected data that is shared, got a copy"); /* an old producer */
  return status;
}

/* ---- any object ---- */

static dlf_status refuse_object(void *x, dlf_error *error) {
  char kind[80];
  const bool legacy = dlf__py.Capsule_IsValid(x, DLF_CAPSULE_LEGACY_USED);
  if (legacy || dlf__py.Capsule_IsValid(x, DLF_CAPSULE_USED))
    return dlf__fail(error, DLF_INVALID, "from_python: expected a capsule that has not been consumed, got \"%s\"",
                     legacy ? DLF_CAPSULE_LEGACY_USED : DLF_CAPSULE_USED);
  return dlf__fail(error, DLF_INVALID, "from_python: expected an array with __dlpack__ or a DLPack capsule, got %s",
                   dlf__py_kind(x, kind, sizeof kind));
}

/* Returns also whether `copy` remains to be done. */
static dlf_status from_python_object(void *x, DLDevice device, dlf_copy_mode *copy, dlf_tensor **out,
                                     dlf_error *error) {
  if (is_capsule(x)) return consume_capsule(x, false, out, error);
  void *type = dlf__py.Object_Type(x);
  const DLPackExchangeAPI *api = dlf__py_table(type);
  void *type_type = dlf__py.Object_Type(type);
  const bool is_class = dlf__py.Object_IsInstance(x, type_type) == 1; /* its objects' method, not its own */
  dlf_status status = api ? from_exchange_table(x, api, out, error) : DLF_OK;
  dlf__py_drop(type_type);
  dlf__py_drop(type);
  if (status || (api && dlf_is_cpu_accessible(dlf_dltensor(*out)->device))) return status;
  /* The table does not wait for the device's stream, and only the producer can move or copy from there. */
  void *method = is_class ? NULL : dlf__py_attribute(x, "__dlpack__");
  if (!method || method == dlf__py.none) {
    dlf__py_drop(method);
    return api ? DLF_OK : refuse_object(x, error);
  }
  dlf_release(*out);
  *out = NULL;
  status = from_method(x, method, device, *copy, out, error);
  dlf__py_drop(method);
  if (!status && *copy == DLF_COPY_ALWAYS && (dlf_flags(*out) & DLPACK_FLAG_BITMASK_IS_COPIED))
    *copy = DLF_COPY_IF_NEEDED;
  return status;
}

dlf_status dlf_from_python(void *object, DLDevice device, dlf_copy_mode copy, dlf_tensor **out, dlf_error *error) {
  dlf__py_stay stay;
  dlf_tensor *found = NULL;
  if (!out) return dlf__no_place("from_python", error);
  *out = NULL;
  if (!object) return dlf__fail(error, DLF_INVALID, "from_python: expected an object, got NULL");
  if ((int32_t)copy < DLF_COPY_IF_NEEDED || (int32_t)copy > DLF_COPY_NEVER)
    return dlf__fail(error, DLF_INVALID, "from_python: expected a copy mode from 0 to 2, got %" PRId32, (int32_t)copy);
  dlf_status status = dlf__py_begin("from_python", &stay, error);
  if (status) return status;
  status = from_python_object(object, device, &copy, &found, error);
  dlf__py_end(&stay);
  /* Without the GIL, if the caller did not have it: a copy may be large. */
  if (!status && (device.device_type || copy == DLF_COPY_ALWAYS))
    status = dlf_to_device(found, device, copy, out, error);
  else if (!status) {
    *out = found;
    return DLF_OK;
  }
  dlf_release(found);
  return status;
}
