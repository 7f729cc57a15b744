/* SPDX-License-Identifier: Apache-2.0 */
#include "lend.h"

/* The functions that follow add an argument that has begun. */

static bool numpy_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  DLDataType dtype;
  uint64_t flags;
  if (!dlfpy_numpy_describe(arg->object, name, &arg->tensor, arg->strides, &dtype, &flags)) {
    return false;
  }
  dlfpy_lent(call, arg, dtype, flags);
  return true;
}

static bool table_lend(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  if (!dlfpy_described(arg->object, arg->producer, name, &arg->tensor)) {
    return false;
  }
  dlfpy_lent(call, arg, arg->tensor.dtype, 0);
  return true;
}

static bool own(dlfpy_call *call, dlfpy_arg *arg, const char *name, bool write, dlf_copy_mode copy,
                bool *legacy) {
  const dlfpy_producer *producer = arg->producer;
  if (write && producer->immutable) {
    dlfpy_fail(DLF_READ_ONLY,
               "%s: is read-only; %s's arrays never change, pass a copy by numpy.array(x)",
               name,
               producer->immutable);
    return false;
  }
  /* A producer's Python code may change the arguments before it. */
  if (!dlfpy_hold(call, arg)) {
    return false;
  }
  arg->handle = dlfpy_import_known(arg->object, name, (DLDevice){0, 0}, copy, legacy);
  if (!arg->handle) {
    return false;
  }
  call->held = true;
  call->end = arg + 1;
  arg->tensor = *dlf_dltensor(arg->handle);
  if (write && producer->torch && !dlfpy_torch_may_write(call, arg, name)) {
    return false;
  }
  dlfpy_lent(
      call, arg, arg->tensor.dtype, dlfpy_flags((dlfpy_content){arg->handle, *legacy, NULL}));
  return true;
}

bool dlfpy_tensor_to_keep(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                          bool write) {
  bool legacy = false;
  dlfpy_begin(arg, x, dlfpy_producer_of(x));
  if (!own(call, arg, name, write, DLF_COPY_NEVER, &legacy)) {
    return false;
  }
  if (!legacy || !write) {
    return true;
  }
  dlfpy_fail(DLF_READ_ONLY,
             "%s: expected a tensor known to be writable, got one by DLPack before 1.0",
             name);
  return false;
}

bool dlfpy_tensor_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  dlfpy_begin(arg, x, producer);
  if (producer->kind == DLFPY_NUMPY && !producer->masked && !dlfpy_numpy_must_export(x)) {
    return numpy_lend(call, arg, name);
  }
  const bool describes =
      producer->kind == DLFPY_TABLE && producer->api->dltensor_from_py_object_no_sync;
  if (describes && producer->torch) {
    return dlfpy_torch_lend_any(call, arg, name, write);
  }
  /* The plain structure has no flags, such as read-only. */
  if (describes && !write) {
    return table_lend(call, arg, name);
  }
  if (producer->dlferry) { /* the earlier tensors need no own handles, unlike in own() */
    if (!dlfpy_own_managed(call, arg, name)) {
      return false;
    }
    dlfpy_count_bytes(call, dlfpy_bytes(arg->c.tensor));
    return true;
  }
  bool legacy;
  return own(call, arg, name, write, DLF_COPY_IF_NEEDED, &legacy);
}

bool dlfpy_tensor_or_none(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                          bool write) {
  if (x && x != Py_None) {
    return dlfpy_tensor(call, arg, name, x, write);
  }
  dlfpy_begin(arg, NULL, NULL);
  arg->c = (dlf_arg){NULL, 0};
  return true;
}
