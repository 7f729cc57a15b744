/* SPDX-License-Identifier: Apache-2.0 */
/* The hub's own type of Python object: DLPack's methods and exchange table, the buffer protocol,
 * and NumPy's __array__. */
#include "pyobject.h"

/* Numbers of CPython's typeslots.h, and flags of its object.h, methodobject.h and structmember.h.
 */
enum {
  BF_GETBUFFER = 1,
  BF_RELEASEBUFFER = 2,
  TP_DEALLOC = 52,
  TP_DOC = 56,
  TP_METHODS = 64,
  TP_REPR = 66,
  TP_MEMBERS = 72,
  TP_GETSET = 73
};
enum {
  METH_VARARGS = 1,
  METH_KEYWORDS = 2,
  DISALLOW_INSTANTIATION = 1 << 7,
  MEMBER_IS_SSIZE = 19,
  MEMBER_READONLY = 1
};

#define TYPE_NAME "dlferry.SharedTensor"

/* ---- life ---- */

/* Deleters may run Python code, which must not see an exception in flight. */
static void let_go_of_exports(void *capsule) {
  void *flight[3];
  dlf__py_set_aside(flight);
  if (dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE)) {
    dlf_dlpack_release(dlf__py.Capsule_GetPointer(capsule, DLF_CAPSULE));
  } else if (dlf__py.Capsule_IsValid(capsule, DLF_CAPSULE_LEGACY)) {
    dlf_dlpack_release_legacy(dlf__py.Capsule_GetPointer(capsule, DLF_CAPSULE_LEGACY));
  }
  dlf__py_put_back(flight);
}

static void deallocate(void *self) {
  void *flight[3];
  void *type = dlf__py.Object_Type(self);
  dlf__py_set_aside(flight);
  dlf__py.Object_ClearWeakRefs(self);
  dlf_release(dlf__py_handle(self));
  dlf__py_put_back(flight);
  dlf__py.Object_Free(self);
  dlf__py._DecRef(type); /* the object's own reference */
  dlf__py._DecRef(type);
}

/* ---- properties ---- */

static void *represent(void *self) {
  char text[256] = "<" TYPE_NAME " ";
  const size_t begin = strlen(text);
  const dlf_tensor *handle = dlf__py_handle(self);
  dlf_describe(
      dlf_dltensor(handle), dlf_flags(handle), text + begin, (int64_t)(sizeof text - begin - 1));
  return dlf__py.Unicode_FromString(strcat(text, ">"));
}

enum { SHAPE, STRIDES, DTYPE, DEVICE };

static void *get(void *self, void *property) {
  const DLTensor *t = dlf_dltensor(dlf__py_handle(self));
  char name[DLF_NAME_CAPACITY];
  switch ((uintptr_t)property) {
  case SHAPE:
    return dlf__py_integers(t->shape, t->ndim);
  case STRIDES:
    return dlf__py_integers(t->strides, t->ndim);
  case DTYPE:
    dlf_dtype_format(t->dtype, name, sizeof name);
    break;
  default:
    dlf_device_format(t->device, name, sizeof name);
  }
  return dlf__py.Unicode_FromString(name);
}

/* ---- DLPack's methods ---- */

static void *export_device(void *self, void *args, void *keywords) {
  static const char *const words[] = {NULL};
  DLDevice at;
  dlf_error error;
  if (!dlf__py.Arg_ParseTupleAndKeywords(args, keywords, ":__dlpack_device__", words)) {
    return NULL;
  }
  const dlf_status status = dlf_export_device(dlf__py_handle(self), &at, &error);
  if (status) {
    return dlf__py_raise(status, &error);
  }
  return dlf__py_pair((long)at.device_type, (long)at.device_id);
}

/* NULL and None count as not given. */
static void *unless_none(void *given) {
  if (given == dlf__py.none) {
    return NULL;
  }
  return given;
}

/* Read the arguments of __dlpack__; false with an exception. */
static bool read_options(void *const given[4], dlf_export_options *options) {
  void *const stream = unless_none(given[0]);
  void *const version = unless_none(given[1]);
  void *const device = unless_none(given[2]);
  void *const copy = unless_none(given[3]);
  long long first[2] = {0, 0};
  long long place[2] = {0, 0};
  if (stream) {
    options->stream = dlf__py.Long_AsLongLong(stream);
  }
  if (version) {
    dlf__py_read_pair(version, first);
  }
  if (device && !dlf__py.Err_Occurred()) {
    dlf__py_read_pair(device, place);
  }
  if (copy && !dlf__py.Err_Occurred()) {
    if (dlf__py.Object_IsTrue(copy) == 1) {
      options->copy = DLF_COPY_ALWAYS;
    } else {
      options->copy = DLF_COPY_NEVER;
    }
  }
  if (dlf__py.Err_Occurred()) {
    return false;
  }
  dlf_error error;
  if (first[0] < 0 || first[0] > INT32_MAX || (device && place[0] <= 0) || place[0] > INT32_MAX ||
      place[1] < 0 || place[1] > INT32_MAX) {
    (void)dlf__py_raise(
        dlf__fail(&error,
                  DLF_INVALID,
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
  static const char *const words[] = {"stream", "max_version", "dl_device", "copy", NULL};
  void *given[4] = {NULL, NULL, NULL, NULL};
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  DLManagedTensorVersioned *managed = NULL;
  DLManagedTensor *legacy = NULL;
  dlf_error error;
  if (!dlf__py.Arg_ParseTupleAndKeywords(
          args, keywords, "|$OOOO:__dlpack__", words, &given[0], &given[1], &given[2], &given[3]) ||
      !read_options(given, &options)) {
    return NULL;
  }
  /* Other threads run during a copy. */
  void *thread = NULL;
  if (options.copy == DLF_COPY_ALWAYS) {
    thread = dlf__py.Eval_SaveThread();
  }
  const dlf_status status = dlf_export(dlf__py_handle(self), &options, &managed, &legacy, &error);
  if (thread) {
    dlf__py.Eval_RestoreThread(thread);
  }
  if (status) {
    return dlf__py_raise(status, &error);
  }
  void *capsule;
  if (managed) {
    capsule = dlf__py.Capsule_New(managed, DLF_CAPSULE, let_go_of_exports);
  } else {
    capsule = dlf__py.Capsule_New(legacy, DLF_CAPSULE_LEGACY, let_go_of_exports);
  }
  if (!capsule) {
    dlf_dlpack_release(managed);
    dlf_dlpack_release_legacy(legacy);
  }
  return capsule;
}

/* ---- DLPack's exchange table; its functions hold the GIL and set Python's exception ---- */

static int answer(dlf_status status, const dlf_error *error) {
  if (!status) {
    return 0;
  }
  (void)dlf__py_raise(status, error);
  return -1;
}

/* Each interpreter, and each copy of the hub in the process, has its own type. */
static dlf_status own_handle(void *object, dlf_tensor **out, dlf_error *error) {
  char kind[80];
  void *type = dlf__py.Object_Type(object);
  const bool is_own = dlf__py.Type_GetSlot(type, TP_DEALLOC) == (void *)(uintptr_t)deallocate;
  dlf__py.Err_Clear();
  dlf__py_drop(type);
  if (!is_own) {
    return dlf__fail(error,
                     DLF_DTYPE,
                     "to_dlpack: expected a " TYPE_NAME ", got %s",
                     dlf__py_kind(object, kind, sizeof kind));
  }
  *out = dlf__py_handle(object);
  return DLF_OK;
}

static int export_object(void *object, DLManagedTensorVersioned **out) {
  dlf_tensor *handle;
  dlf_error error;
  dlf_status status = own_handle(object, &handle, &error);
  if (!status) {
    status = dlf_to_dlpack(handle, out, &error);
  }
  return answer(status, &error);
}

static int import_object(DLManagedTensorVersioned *owned, void **out) {
  dlf_tensor *handle;
  dlf_error error;
  const dlf_status status = dlf__take_dlpack(owned, &handle, &error);
  if (status) {
    return answer(status, &error);
  }
  *out = dlf__py_share(handle);
  dlf_release(handle);
  if (*out) {
    return 0;
  }
  return -1;
}

static int describe_shared(void *object, DLTensor *out) {
  dlf_tensor *handle;
  dlf_error error;
  dlf_status status = own_handle(object, &handle, &error);
  if (!status && dlf_exchange_api()->dltensor_from_py_object_no_sync(handle, out)) {
    status = dlf__fail(
        &error,
        DLF_UNSUPPORTED,
        "to_dlpack: expected a tensor that a structure without flags describes, got another one");
  }
  return answer(status, &error);
}

/* A new reference to a capsule; NULL with an exception. */
static void *table_in_capsule(void) {
  static DLPackExchangeAPI table = {
      .header = {.version = {DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR}},
      .managed_tensor_allocator = dlf__exchange_allocate,
      .managed_tensor_from_py_object_no_sync = export_object,
      .managed_tensor_to_py_object_no_sync = import_object,
      .dltensor_from_py_object_no_sync = describe_shared,
      .current_work_stream = dlf__exchange_stream,
  };
  return dlf__py.Capsule_New(&table, DLF_EXCHANGE_CAPSULE, NULL);
}

/* ---- the type ---- */

static void *made_type(void) {
  static dlf__py_method methods[] = {
      {"__dlpack__",
       export_to_capsule,
       METH_VARARGS | METH_KEYWORDS,
       "__dlpack__($self, /, *, stream=None, max_version=None, dl_device=None, "
       "copy=None)\n--\n\nExport by DLPack."},
      {"__dlpack_device__",
       export_device,
       METH_VARARGS | METH_KEYWORDS,
       "__dlpack_device__($self, /)\n--\n\nReturn the device type and id."},
      {"__array__",
       dlf__py_array,
       METH_VARARGS | METH_KEYWORDS,
       "__array__($self, /, dtype=None, copy=None)\n--\n\nReturn the elements as an array of "
       "NumPy."},
      {NULL, NULL, 0, NULL},
  };
  static dlf__py_getter getters[] = {
      {"shape", get, NULL, "The extents.", (void *)SHAPE},
      {"strides",
       get,
       NULL,
       "The distances between neighbours along each axis, in elements.",
       (void *)STRIDES},
      {"dtype", get, NULL, "The dtype's name, such as float32.", (void *)DTYPE},
      {"device", get, NULL, "The device's name, such as cpu or cuda:0.", (void *)DEVICE},
      {NULL, NULL, NULL, NULL, NULL},
  };
  static char doc[] =
      "A tensor of this process, for the from_dlpack of any array library and for numpy.asarray.";
  const size_t weak = dlf__py_weak_offset();
  dlf__py_member members[] = {
      {"__weaklistoffset__", MEMBER_IS_SSIZE, (ptrdiff_t)weak, MEMBER_READONLY, NULL},
      {NULL, 0, 0, 0, NULL},
  };
  dlf__py_slot slots[] = {
      {TP_DEALLOC, (void *)(uintptr_t)deallocate},
      {TP_REPR, (void *)(uintptr_t)represent},
      {TP_METHODS, methods},
      {TP_MEMBERS, members},
      {TP_GETSET, getters},
      {TP_DOC, doc},
      {BF_GETBUFFER, (void *)(uintptr_t)dlf__py_get_buffer},
      {BF_RELEASEBUFFER, (void *)(uintptr_t)dlf__py_release_buffer},
      {0, NULL},
  };
  dlf__py_spec spec = {TYPE_NAME, (int)(weak + sizeof(void *)), 0, DISALLOW_INSTANTIATION, slots};
  void *type = dlf__py.Type_FromSpec(&spec);
  void *table = NULL;
  if (type) {
    table = table_in_capsule();
  }
  if (!table || dlf__py.Object_SetAttrString(type, DLF_EXCHANGE_ATTRIBUTE, table)) {
    dlf__py_drop(type);
    type = NULL;
  }
  dlf__py_drop(table);
  return type;
}

/* Give a new reference, or NULL with an exception. Each interpreter keeps the types of all copies
 * of the hub, each under its own key, and drops them at its end. */
static void *own_type(void) {
  char key[64];
  dlf__text text = dlf__text_in(key, sizeof key);
  dlf__put(&text, TYPE_NAME " %" PRIxPTR, (uintptr_t)deallocate);
  dlf__text_finish(&text);
  void *kept = dlf__py.InterpreterState_GetDict(dlf__py.InterpreterState_Get());
  void *type = NULL;
  if (kept) {
    type = dlf__py.Dict_GetItemString(kept, key);
  }
  if (type) {
    dlf__py._IncRef(type);
    return type;
  }
  type = made_type();
  if (type && kept) {
    (void)dlf__py.Dict_SetItemString(kept, key, type);
  }
  return type;
}

void *dlf__py_share(dlf_tensor *handle) {
  void *type = own_type();
  void *object = NULL;
  if (type) {
    object = dlf__py_holder(type, handle);
  }
  dlf__py_drop(type); /* the object has its own reference */
  return object;
}
