/* SPDX-License-Identifier: Apache-2.0 */
/* A tensor as a Python object: of a framework, or of a type made here, whose methods are __dlpack__ and
 * __dlpack_device__. */
#include "pyobject.h"

#include <string.h>

/* Numbers of CPython's typeslots.h, and flags of its object.h. */
enum { TP_DEALLOC = 52, TP_DOC = 56, TP_METHODS = 64, TP_REPR = 66 };
enum { METH_VARARGS = 1, METH_KEYWORDS = 2, DISALLOW_INSTANTIATION = 1 << 7 };

#define TYPE_NAME "dlferry.SharedTensor"

/* ---- methods of the type ---- */

/* The size of a PyObject, which differs between builds of CPython; the handle lies behind it. */
static size_t object_size(void) {
  static _Atomic size_t known;
  if (!known) {
    void *object = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), "object");
    void *size = object ? dlf__py_attribute(object, "__basicsize__") : NULL;
    if (size) known = (size_t)dlf__py.Long_AsLong(size);
    dlf__py_drop(size);
  }
  return known;
}

static dlf_tensor *handle_in(void *self) {
  dlf_tensor *handle;
  memcpy(&handle, (char *)self + object_size(), sizeof handle);
  return handle;
}

static void *raise_python(dlf_status status, const dlf_error *error) {
  void *class = dlf__py.Dict_GetItemString(dlf__py.Eval_GetBuiltins(), dlf__exception_of(status));
  if (class) dlf__py.Err_SetString(class, error->message);
  return NULL;
}

/* Deleters may run Python code, which must not see an exception in flight. */
static void let_go_of_exports(void *capsule) {
  void *flight[3];
  dlf__py_set_aside(flight);
  if (dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE))
    dlf_dlpack_release(dlf__py.Capsule_GetPointer(capsule, DLF_CAPSULE));
  else if (dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE_LEGACY))
    dlf_dlpack_release_legacy(dlf__py.Capsule_GetPointer(capsule, DLF_CAPSULE_LEGACY));
  dlf__py_put_back(flight);
}

static void deallocate(void *self) {
  void *flight[3], *type = dlf__py.Object_Type(self);
  dlf__py_set_aside(flight);
  dlf_release(handle_in(self));
  dlf__py_put_back(flight);
  dlf__py.Object_Free(self);
  dlf__py._DecRef(type); /* the object's own reference */
  dlf__py._DecRef(type);
}

static void *represent(void *self) {
  char text[256] = "<" TYPE_NAME " ";
  const size_t begin = strlen(text);
  const dlf_tensor *handle = handle_in(self);
  dlf_describe(dlf_dltensor(handle), dlf_flags(handle), text + begin, (int64_t)(sizeof text - begin - 1));
  return dlf__py.Unicode_FromString(strcat(text, ">"));
}

static void *export_device(void *self, void *args, void *keywords) {
  char *list[] = {NULL};
  DLDevice at;
  dlf_error error;
  if (!dlf__py.Arg_ParseTupleAndKeywords(args, keywords, ":__dlpack_device__", list)) return NULL;
  const dlf_status status = dlf_export_device(handle_in(self), &at, &error);
  return status ? raise_python(status, &error) : dlf__py_pair((long)at.device_type, (long)at.device_id);
}

/* Read the arguments of __dlpack__; false with an exception. NULL and None count as not given. */
static bool read_options(void *const given[4], dlf_export_options *options) {
  void *const stream = given[0] == dlf__py.none ? NULL : given[0],
              *version = given[1] == dlf__py.none ? NULL : given[1];
  void *const device = given[2] == dlf__py.none ? NULL : given[2], *copy = given[3] == dlf__py.none ? NULL : given[3];
  long long first[2] = {0, 0}, place[2] = {0, 0};
  if (stream) options->stream = dlf__py.Long_AsLongLong(stream);
  if (version) dlf__py_read_pair(version, first);
  if (device && !dlf__py.Err_Occurred()) dlf__py_read_pair(device, place);
  if (copy && !dlf__py.Err_Occurred())
    options->copy = dlf__py.Object_IsTrue(copy) == 1 ? DLF_COPY_ALWAYS : DLF_COPY_NEVER;
  if (dlf__py.Err_Occurred()) return false;
  dlf_error error;
  if (first[0] < 0 || first[0] > INT32_MAX || (device && place[0] <= 0) || place[0] > INT32_MAX || place[1] < 0 ||
      place[1] > INT32_MAX) {
    raise_python(dlf__fail(&error, DLF_INVALID,
                           "to_dlpack: expected pairs of numbers for max_version and dl_device, "
                           "got others"),
                 &error);
    return false;
  }
  options->max_version = (DLPackVersion){(uint32_t)first[0], 0};
  options->device = (DLDevice){(DLDeviceType)place[0], (int32_t)place[1]};
  return true;
}

static void *export_to_capsule(void *self, void *args, void *keywords) {
  static char words[4][16] = {"stream", "max_version", "dl_device", "copy"};
  char *list[] = {words[0], words[1], words[2], words[3], NULL};
  void *given[4] = {NULL, NULL, NULL, NULL};
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  DLManagedTensorVersioned *managed = NULL;
  DLManagedTensor *legacy = NULL;
  dlf_error error;
  if (!dlf__py.Arg_ParseTupleAndKeywords(args, keywords, "|$OOOO:__dlpack__", list, &given[0], &given[1], &given[2],
                                         &given[3]) ||
      !read_options(given, &options))
    return NULL;
  const dlf_status status = dlf_export(handle_in(self), &options, &managed, &legacy, &error);
  if (status) return raise_python(status, &error);
  void *capsule = managed ? dlf__py.Capsule_New(managed, DLF_CAPSULE, let_go_of_exports)
                          : dlf__py.Capsule_New(legacy, DLF_CAPSULE_LEGACY, let_go_of_exports);
  if (!capsule) dlf_dlpack_release(managed);
  if (!capsule) dlf_dlpack_release_legacy(legacy);
  return capsule;
}

/* ---- the type ---- */

static void *slot_value(void *(*function)(void *self)) { return (void *)(uintptr_t)function; }

/* Give a new reference, or NULL with an exception. Each interpreter keeps its own, and drops it at its end. */
static void *shared_type(void) {
  static const char key[] = TYPE_NAME;
  static dlf__py_method methods[] = {
      {"__dlpack__", export_to_capsule, METH_VARARGS | METH_KEYWORDS,
       "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\nExport by DLPack."},
      {"__dlpack_device__", export_device, METH_VARARGS | METH_KEYWORDS,
       "__dlpack_device__($self, /)\n--\n\nReturn the device type and id."},
      {NULL, NULL, 0, NULL},
  };
  static char doc[] = "A tensor of this process, for the from_dlpack of any array library.";
  void *kept = dlf__py.InterpreterState_GetDict(dlf__py.InterpreterState_Get());
  void *type = kept ? dlf__py.Dict_GetItemString(kept, key) : NULL;
  if (type) {
    dlf__py._IncRef(type);
    return type;
  }
  dlf__py_slot slots[] = {{TP_DEALLOC, (void *)(uintptr_t)deallocate},
                          {TP_REPR, slot_value(represent)},
                          {TP_METHODS, methods},
                          {TP_DOC, doc},
                          {0, NULL}};
  dlf__py_spec spec = {key, (int)(object_size() + sizeof(dlf_tensor *)), 0, DISALLOW_INSTANTIATION, slots};
  type = dlf__py.Type_FromSpec(&spec);
  if (type && kept) (void)dlf__py.Dict_SetItemString(kept, key, type);
  return type;
}

static void *share(dlf_tensor *self) {
  void *type = shared_type(), *object = type ? dlf__py.Type_GenericAlloc(type, 0) : NULL;
  if (object) memcpy((char *)object + object_size(), &(dlf_tensor *){dlf_retain(self)}, sizeof self);
  dlf__py_drop(type); /* the object has its own reference */
  return object;
}

/* ---- objects of a framework ---- */

static dlf_status export_by_table(dlf__py_stay *stay, const DLPackExchangeAPI *api, dlf_tensor *self, void *like,
                                  void **out, dlf_error *error) {
  const dlf_status status = dlf_exchange_export(api, self, out, error);
  if (status && dlf__py.Err_Occurred())
    return dlf__py_raised(stay, "to_python", "a consumer of the tensor", like, error);
  return status;
}

/* `like`, or a class or module that belongs to it, with from_dlpack; or NULL. */
static void *consumer_of(void *like) {
  void *found = dlf__py_attribute(like, "from_dlpack"), *space = NULL;
  if (found) return found;
  void *method = dlf__py_attribute(like, "__array_namespace__");
  if (method) space = dlf__py.Object_CallFunctionObjArgs(method, NULL);
  dlf__py.Err_Clear();
  if (space) found = dlf__py_attribute(space, "from_dlpack");
  dlf__py_drop(space);
  dlf__py_drop(method);
  return found;
}

static dlf_status export_by_function(dlf__py_stay *stay, dlf_tensor *self, void *like, void **out, dlf_error *error) {
  char kind[80];
  void *function = like ? consumer_of(like) : NULL;
  if (like && !function)
    return dlf__fail(error, DLF_INVALID,
                     "to_python: expected a type with an exchange table, or an object with from_dlpack, got %s",
                     dlf__py_kind(like, kind, sizeof kind));
  void *object = share(self);
  *out = object && function ? dlf__py.Object_CallFunctionObjArgs(function, object, NULL) : object;
  if (function) dlf__py_drop(object);
  dlf__py_drop(function);
  return *out ? DLF_OK
              : dlf__py_raised(stay, "to_python", "a consumer of the tensor", like ? like : dlf__py.none, error);
}

dlf_status dlf_to_python(dlf_tensor *self, void *like, bool keep_exception, void **out, dlf_error *error) {
  dlf__py_stay stay;
  if (!out) return dlf__no_place("to_python", error);
  *out = NULL;
  if (!self) return dlf__no_tensor("to_python", error);
  dlf_status status = dlf__py_begin("to_python", keep_exception, &stay, error);
  if (status) return status;
  void *type = like ? dlf__py.Object_Type(like) : NULL;
  const DLPackExchangeAPI *api = like ? dlf__py_table(like) : NULL;
  if (like && !api) api = dlf__py_table(type);
  dlf__py_drop(type);
  status =
      api ? export_by_table(&stay, api, self, like, out, error) : export_by_function(&stay, self, like, out, error);
  dlf__py_end(&stay);
  return status;
}
