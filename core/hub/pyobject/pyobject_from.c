/* SPDX-License-Identifier: Apache-2.0 */
/* A Python object as a tensor. It follows bindings/python/src/dlferry/c/python/import.c, where the
 * reasons are. */
#include "pyobject.h"

#define EXPORTED "an array that can be exported"

/* One call of dlf_from_python. */
typedef struct py_import {
  void *object;
  DLDevice device;
  dlf_copy_mode copy; /* what remains to be done of it */
  int64_t stream;
  bool read_only; /* a torch tensor that requires grad: a write would bypass autograd */
  dlf__py_stay stay;
  dlf_error *error;
} py_import;

static dlf_status raised(py_import *self, const char *wanted) {
  return dlf__py_raised(&self->stay, "from_python", wanted, self->object, self->error);
}

/* ---- what a producer's type says ---- */

/* A module that is imported, borrowed, or NULL. */
static void *imported(const char *name) {
  void *modules = dlf__py.Import_GetModuleDict();
  if (modules) {
    return dlf__py.Dict_GetItemString(modules, name);
  }
  return NULL;
}

/* A class of a module that is imported, or NULL without an exception. */
static void *class_of(const char *module, const char *name) {
  return dlf__py_attribute(imported(module), name);
}

static bool is_instance(void *x, const char *module, const char *name) {
  void *class = class_of(module, name);
  const bool is = class && dlf__py.Object_IsInstance(x, class) == 1;
  dlf__py.Err_Clear();
  dlf__py_drop(class);
  return is;
}

/* Arrays that never change, which JAX and TensorFlow cannot say in DLPack. */
static bool is_tensorflow(void *x) {
  return is_instance(x, "tensorflow.python.framework.tensor", "Tensor");
}
static bool is_immutable(void *x) {
  return is_instance(x, "jaxlib._jax", "ArrayImpl") ||
         is_instance(x, "jaxlib.xla_extension", "ArrayImpl") || is_tensorflow(x);
}

/* TensorFlow aborts if asked to export its own objects. */
static dlf_status check_elements_of_tensorflow(void *x, dlf_error *error) {
  static const char *const own[] = {"string", "resource", "variant"};
  char name[32];
  void *dtype = dlf__py_attribute(x, "dtype");
  void *said = dlf__py_attribute(dtype, "name");
  dlf__py_line(said, name, sizeof name);
  dlf__py_drop(said);
  dlf__py_drop(dtype);
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    if (strcmp(name, own[i]) == 0) {
      return dlf__fail(
          error, DLF_DTYPE, "from_python: expected numbers, got TensorFlow's %s", name);
    }
  }
  return DLF_OK;
}

/* DLPack has no place for a mask. */
static dlf_status check_mask(void *x, dlf_error *error) {
  void *mask = NULL;
  if (is_instance(x, "numpy.ma", "MaskedArray")) {
    mask = dlf__py_attribute(x, "mask");
  }
  const bool hides = mask && dlf__py_is(mask, "any");
  dlf__py_drop(mask);
  if (!hides) {
    return DLF_OK;
  }
  return dlf__fail(error,
                   DLF_LAYOUT,
                   "from_python: expected elements as they lie in memory, got a masked array; pass "
                   ".filled() or .data");
}

/* ---- managed tensors and capsules ---- */

static dlf_status take_managed(DLManagedTensorVersioned *managed, bool immutable, dlf_tensor **out,
                               dlf_error *error) {
  if (immutable && managed->version.major == DLF_DLPACK_MAJOR &&
      !(managed->flags & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    managed->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return dlf__take_dlpack(managed, out, error);
}

static dlf_status take_legacy_managed(DLManagedTensor *legacy, bool immutable, dlf_tensor **out,
                                      dlf_error *error) {
  DLManagedTensorVersioned *managed = NULL;
  dlf_status status;
  if (immutable) {
    status = dlf_versioned_from_legacy(legacy, DLPACK_FLAG_BITMASK_READ_ONLY, &managed, error);
  } else {
    status = dlf_from_dlpack_legacy(legacy, out, error);
  }
  if (status) {
    dlf_dlpack_release_legacy(legacy);
  }
  if (status || !immutable) {
    return status;
  }
  return take_managed(managed, true, out, error);
}

static bool is_capsule(void *x) {
  return dlf__py.Capsule_IsValid(x, DLF_CAPSULE) || dlf__py.Capsule_IsValid(x, DLF_CAPSULE_LEGACY);
}

/* Renamed before anything else can fail or run, so that nothing consumes it again. */
static dlf_status consume_capsule(py_import *self, void *capsule, bool immutable,
                                  dlf_tensor **out) {
  const bool versioned = dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE);
  void *managed = dlf__py.Capsule_GetPointer(capsule, versioned ? DLF_CAPSULE : DLF_CAPSULE_LEGACY);
  if (!managed ||
      dlf__py.Capsule_SetName(capsule, versioned ? DLF_CAPSULE_USED : DLF_CAPSULE_LEGACY_USED)) {
    return raised(self, "a capsule");
  }
  if (versioned) {
    return take_managed(managed, immutable, out, self->error);
  }
  return take_legacy_managed(managed, immutable, out, self->error);
}

static dlf_status from_exchange_table(py_import *self, const DLPackExchangeAPI *api,
                                      dlf_tensor **out) {
  DLManagedTensorVersioned *managed = NULL;
  const int failed = api->managed_tensor_from_py_object_no_sync(self->object, &managed);
  if (!failed && managed) {
    return take_managed(managed, self->read_only, out, self->error);
  }
  if (dlf__py.Err_Occurred()) {
    return raised(self, EXPORTED);
  }
  return dlf__fail(self->error,
                   DLF_FOREIGN,
                   "from_python: expected a managed tensor or an exception, got neither");
}

/* ---- the method __dlpack__ ---- */

/* Fill *out with what __dlpack_device__ tells. */
static dlf_status ask_device(py_import *self, DLDevice *out) {
  void *x = self->object;
  dlf_error *error = self->error;
  void *method = dlf__py_attribute(x, "__dlpack_device__");
  if (!method) {
    return dlf__fail(
        error, DLF_INVALID, "from_python: expected an array with __dlpack_device__, got none");
  }
  void *pair = dlf__py.Object_CallFunctionObjArgs(method, NULL);
  dlf__py_drop(method);
  if (!pair) {
    return raised(self, EXPORTED);
  }
  long long numbers[2];
  dlf__py_read_pair(pair, numbers);
  dlf__py_drop(pair);
  if (numbers[0] <= 0 || numbers[0] > INT32_MAX || numbers[1] < 0 || numbers[1] > INT32_MAX) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "from_python: expected a pair of device type and device id from "
                     "__dlpack_device__, got something else");
  }
  *out = (DLDevice){(DLDeviceType)numbers[0], (int32_t)numbers[1]};
  return DLF_OK;
}

/* The keywords of __dlpack__, from the oldest, as bits. */
enum { STREAM = 1, MAX_VERSION = 2, DL_DEVICE = 4, COPY = 8 };
static const char *const export_keywords[] = {"stream", "max_version", "dl_device", "copy"};

static void *keyword_value(const py_import *self, int keyword, int64_t stream) {
  switch (keyword) {
  case STREAM:
    return dlf__py.Long_FromLongLong(stream);
  case MAX_VERSION:
    return dlf__py_pair(DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR);
  case DL_DEVICE:
    return dlf__py_pair((long)self->device.device_type, (long)self->device.device_id);
  default: {
    const char *name = self->copy == DLF_COPY_ALWAYS ? "True" : "False";
    void *truth = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), name);
    if (truth) {
      dlf__py._IncRef(truth);
    }
    return truth;
  }
  }
}

/* A dict of those keywords that `given` has; NULL with an exception. */
static void *keywords_for(const py_import *self, int given, int64_t stream) {
  void *keywords = dlf__py.Dict_New();
  bool complete = keywords != NULL;
  for (int i = 0; complete && i < 4; i++) {
    if (!(given & 1 << i)) {
      continue;
    }
    void *value = keyword_value(self, 1 << i, stream);
    complete = value && !dlf__py.Dict_SetItemString(keywords, export_keywords[i], value);
    dlf__py_drop(value);
  }
  if (complete) {
    return keywords;
  }
  dlf__py_drop(keywords);
  return NULL;
}

/* The keywords that an older producer has refused, by the text of its TypeError in flight: the
 * array API tells consumers to call again without them. Without a stream the data would be ready
 * too late: that one stays. */
static int refused_keywords(int given) {
  static const char *const all[] = {"takes no keyword arguments",
                                    "takes no arguments",
                                    "takes at most ",
                                    "takes exactly ",
                                    "incompatible function arguments"};
  char text[256] = "";
  char quoted[32];
  void *flight[3];
  void *type_error = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), "TypeError");
  dlf__py.Err_Fetch(&flight[0], &flight[1], &flight[2]);
  dlf__py.Err_NormalizeException(&flight[0], &flight[1], &flight[2]);
  if (type_error && dlf__py.Object_IsInstance(flight[1], type_error) == 1) {
    dlf__py_line(flight[1], text, sizeof text);
  }
  dlf__py.Err_Clear();
  dlf__py.Err_Restore(flight[0], flight[1], flight[2]);
  for (int i = 1; i < 4 && strstr(text, "keyword argument"); i++) {
    memcpy(quoted, "'", 2);
    strcat(strcat(quoted, export_keywords[i]), "'");
    if ((given & 1 << i) && strstr(text, quoted)) {
      return 1 << i;
    }
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (strstr(text, all[i])) {
      return given & ~STREAM;
    }
  }
  return 0;
}

/* Call __dlpack__; NULL with an exception. */
static void *ask_for_capsule(const py_import *self, void *method, int given, int64_t stream) {
  for (void *nothing = dlf__py.Tuple_New(0); nothing;) {
    void *keywords = keywords_for(self, given, stream);
    void *capsule = NULL;
    if (keywords) {
      capsule = dlf__py.Object_Call(method, nothing, keywords);
    }
    int refused = 0;
    if (!capsule) {
      refused = refused_keywords(given);
    }
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

/* dpctl's arrays have a queue, which DLPack has no place for, so wait for its work here. Without
 * sycl_queue there is nothing to wait for. */
static dlf_status wait_for_queue(py_import *self, DLDevice device) {
  if (device.device_type != kDLOneAPI) {
    return DLF_OK;
  }
  void *queue = dlf__py_attribute(self->object, "sycl_queue");
  void *done = dlf__py_ask(queue, "wait");
  dlf_status status = DLF_OK;
  if (!done && dlf__py.Err_Occurred()) {
    status = raised(self, "an array with a SYCL queue that finishes its work");
  }
  dlf__py_drop(done);
  dlf__py_drop(queue);
  return status;
}

static dlf_status check_producer(void *x, dlf_error *error) {
  dlf_status status = DLF_OK;
  if (is_tensorflow(x)) {
    status = check_elements_of_tensorflow(x, error);
  }
  if (status) {
    return status;
  }
  return check_mask(x, error);
}

/* The default stream is named, since producers differ about None. */
static void *capsule_of(const py_import *self, void *method, DLDevice at) {
  DLDeviceType there = at.device_type; /* where it will be */
  if (self->device.device_type) {
    there = self->device.device_type;
  }
  const bool cuda = there == kDLCUDA || there == kDLCUDAManaged;
  const bool rocm = there == kDLROCM;
  const bool named = self->stream != DLF_STREAM_DEFAULT;
  const int given = MAX_VERSION | (named || cuda || rocm ? STREAM : 0) |
                    (self->copy == DLF_COPY_IF_NEEDED ? 0 : COPY) |
                    (self->device.device_type ? DL_DEVICE : 0);
  return ask_for_capsule(self, method, given, named ? self->stream : cuda);
}

static dlf_status from_method(py_import *self, void *method, dlf_tensor **out) {
  char kind[80];
  DLDevice at = {(DLDeviceType)0, 0};
  dlf_status status = ask_device(self, &at);
  if (!status) {
    status = check_producer(self->object, self->error);
  }
  if (status) {
    return status;
  }
  void *capsule = capsule_of(self, method, at);
  if (!capsule) {
    return raised(self, EXPORTED);
  }
  if (is_capsule(capsule)) {
    status = consume_capsule(self, capsule, self->read_only || is_immutable(self->object), out);
  } else {
    status = dlf__fail(self->error,
                       DLF_FOREIGN,
                       "from_python: expected a capsule from __dlpack__, got %s",
                       dlf__py_kind(capsule, kind, sizeof kind));
  }
  dlf__py_drop(capsule);
  if (!status) {
    status = wait_for_queue(self, dlf_dltensor(*out)->device);
  }
  if (!status && self->copy == DLF_COPY_NEVER &&
      (dlf_flags(*out) & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    status = dlf__fail(self->error,
                       DLF_LAYOUT,
                       "from_python: expected data that is shared, got a copy"); /* it is old */
  }
  return status;
}

/* ---- any object ---- */

static dlf_status refuse_object(void *x, dlf_error *error) {
  char kind[80];
  const bool legacy = dlf__py.Capsule_IsValid(x, DLF_CAPSULE_LEGACY_USED);
  if (legacy || dlf__py.Capsule_IsValid(x, DLF_CAPSULE_USED)) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "from_python: expected a capsule that has not been consumed, got \"%s\"",
                     legacy ? DLF_CAPSULE_LEGACY_USED : DLF_CAPSULE_USED);
  }
  return dlf__fail(error,
                   DLF_INVALID,
                   "from_python: expected an array with __dlpack__ or a DLPack capsule, got %s",
                   dlf__py_kind(x, kind, sizeof kind));
}

static dlf_status from_array(py_import *self, dlf_tensor **out) {
  void *x = self->object;
  void *type = dlf__py.Object_Type(x);
  const DLPackExchangeAPI *api = dlf__py_table(type);
  void *type_type = dlf__py.Object_Type(type);
  const bool is_class =
      dlf__py.Object_IsInstance(x, type_type) == 1; /* its objects' method, not its own */
  dlf__py.Err_Clear();                              /* of a property __class__ that raises */
  dlf_status status = DLF_OK;
  if (api) {
    status = from_exchange_table(self, api, out);
  }
  dlf__py_drop(type_type);
  dlf__py_drop(type);
  if (status || (api && dlf_is_cpu_accessible(dlf_dltensor(*out)->device))) {
    return status;
  }
  /* The table does not wait for the device's stream, and only the producer can move or copy from
   * there. */
  void *method = NULL;
  if (!is_class) {
    method = dlf__py_attribute(x, "__dlpack__");
  }
  if (!method || method == dlf__py.none) {
    dlf__py_drop(method);
    if (api) {
      return DLF_OK;
    }
    return refuse_object(x, self->error);
  }
  dlf_release(*out);
  *out = NULL;
  status = from_method(self, method, out);
  dlf__py_drop(method);
  if (!status && self->copy == DLF_COPY_ALWAYS &&
      (dlf_flags(*out) & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    self->copy = DLF_COPY_IF_NEEDED;
  }
  return status;
}

/* ---- torch's tensors ---- */

/* Tell whether x is one that torch exports itself: a subclass may have a __dlpack__ of its own. */
static bool is_torch(void *x) {
  void *class = class_of("torch", "Tensor");
  void *type = dlf__py.Object_Type(x);
  void *theirs = dlf__py_attribute(class, "__dlpack__");
  void *own = dlf__py_attribute(type, "__dlpack__");
  const bool is = class && theirs == own && dlf__py.Object_IsInstance(x, class) == 1;
  dlf__py.Err_Clear();
  dlf__py_drop(own);
  dlf__py_drop(theirs);
  dlf__py_drop(type);
  dlf__py_drop(class);
  return is;
}

/* What neither torch's table nor its method tells: elements that differ from what lies in memory,
 * and gradients. */
static dlf_status check_torch(py_import *self) {
  void *x = self->object;
  static const char lazy[] =
      "from_python: expected elements as they lie in memory, got a lazily %s tensor; pass .%s()";
  if (dlf__py_is(x, "is_conj")) {
    return dlf__fail(self->error, DLF_LAYOUT, lazy, "conjugated", "resolve_conj");
  }
  if (dlf__py_is(x, "is_neg")) {
    return dlf__fail(self->error, DLF_LAYOUT, lazy, "negated", "resolve_neg");
  }
  self->read_only = dlf__py_is(x, "requires_grad");
  if (!self->read_only || !dlf__py_is(imported("torch"), "is_grad_enabled")) {
    return DLF_OK;
  }
  return dlf__fail(self->error,
                   DLF_READ_ONLY,
                   "from_python: expected a tensor without a gradient, got one that requires grad; "
                   "pass .detach(), "
                   "call it in torch.no_grad(), or in a torch.autograd.Function");
}

/* A number from a method of a storage; 0 without a storage or after an exception. */
static uint64_t storage_number(void *storage, const char *name) {
  void *number = dlf__py_ask(storage, name);
  uint64_t value = 0;
  if (number) {
    value = (uint64_t)dlf__py.Long_AsLongLong(number);
  }
  dlf__py.Err_Clear();
  dlf__py_drop(number);
  return value;
}

/* resize_() of a storage leaves its views as they were. */
static bool lies_in_storage(void *x, const dlf_tensor *t) {
  int64_t low, high;
  void *storage = dlf__py_ask(x, "untyped_storage");
  const uint64_t begin = storage_number(storage, "data_ptr");
  const uint64_t bytes = storage_number(storage, "nbytes");
  dlf__py_drop(storage);
  if (dlf_byte_range(dlf_dltensor(t), dlf_flags(t), &low, &high, NULL)) {
    return false;
  }
  if (low == high) {
    return true;
  }
  const uint64_t at = dlf__address(dlf_dltensor(t)) + (uint64_t)low;
  return begin && at >= begin && at - begin <= bytes &&
         (uint64_t)(high - low) <= bytes - (at - begin);
}

/* What torch exports keeps the C++ tensor, whose storage `.data =` and Module.to() replace, which
 * frees the memory. So a detached tensor is exported, which nothing else has. */
static dlf_status from_torch(py_import *self, dlf_tensor **out) {
  void *x = self->object;
  dlf_status status = check_torch(self);
  if (status) {
    return status;
  }
  void *detached = dlf__py_ask(x, "detach");
  if (!detached) {
    return raised(self, EXPORTED);
  }
  self->object = detached;
  status = from_array(self, out);
  self->object = x;
  const bool moved = self->device.device_type || self->copy == DLF_COPY_ALWAYS ||
                     (!status && (dlf_flags(*out) & DLPACK_FLAG_BITMASK_IS_COPIED));
  if (!status && !moved && !lies_in_storage(detached, *out)) {
    dlf_release(*out);
    *out = NULL;
    status = dlf__fail(
        self->error,
        DLF_FOREIGN,
        "from_python: expected elements in the tensor's storage, got a storage too small for them");
  }
  dlf__py_drop(detached);
  return status;
}

static dlf_status from_python_object(py_import *self, dlf_tensor **out) {
  if (is_capsule(self->object)) {
    return consume_capsule(self, self->object, false, out);
  }
  if (is_torch(self->object)) {
    return from_torch(self, out);
  }
  return from_array(self, out);
}

dlf_status dlf_from_python(void *object, const dlf_import_options *options, dlf_tensor **out,
                           dlf_error *error) {
  static const dlf_import_options usual = DLF_IMPORT_OPTIONS_INIT;
  if (!options) {
    options = &usual;
  }
  dlf_tensor *found = NULL;
  if (!out) {
    return dlf__no_place("from_python", error);
  }
  *out = NULL;
  if (!object) {
    return dlf__missing("from_python", "an object", error);
  }
  dlf_status status =
      DLF__CHECK_STRUCT("from_python", dlf_import_options, options->size, sizeof *options, error);
  if (status) {
    return status;
  }
  if (options->copy < DLF_COPY_IF_NEEDED || options->copy > DLF_COPY_NEVER) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "from_python: expected a copy mode from 0 to 2, got %" PRId32,
                     options->copy);
  }
  py_import self = {.object = object,
                    .device = options->device,
                    .copy = (dlf_copy_mode)options->copy,
                    .stream = options->stream,
                    .error = error};
  status = dlf__py_begin("from_python", options->keep_exception != 0, &self.stay, error);
  if (status) {
    return status;
  }
  status = from_python_object(&self, &found);
  dlf__py_end(&self.stay);
  /* Without the GIL, if the caller did not have it: a copy may be large. */
  if (!status && (self.device.device_type || self.copy == DLF_COPY_ALWAYS)) {
    status = dlf_to_device(found, self.device, self.copy, out, error);
  } else if (!status) {
    *out = found;
    return DLF_OK;
  }
  dlf_release(found);
  return status;
}
