/* SPDX-License-Identifier: Apache-2.0 */
#include "call.h"

/* Own the producer's tensor until the call ends: without the GIL another thread could free a
 * borrowed one. No hub handle is made, since the twin checks this structure. dlfpy_let_go releases
 * it, also after a failure here. */
static bool own_from_producer(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  DLManagedTensorVersioned *managed = dlfpy_managed(arg->object, arg->producer, name);
  if (!managed) {
    return false;
  }
  arg->managed = managed;
  call->held = true;
  call->end = arg + 1;
  if (!dlfpy_has_our_version(managed, name)) {
    return false;
  }
  arg->c.tensor = &managed->dl_tensor;
  arg->c.flags |= managed->flags;
  return true;
}

bool dlfpy_own_managed(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  arg->c.flags = 0;
  return own_from_producer(call, arg, name);
}

/* Borrowed data lives in the framework's object, which other threads may change once the GIL is
 * released. */
static bool hold(dlfpy_call *call, dlfpy_arg *arg) {
  if (arg->handle || arg->managed || arg->storage || !arg->c.tensor) {
    return true;
  }
  if (arg->producer->kind == DLFPY_NUMPY) {
    if (arg->tensor.ndim && arg->tensor.shape != arg->shape) {
      memcpy(arg->shape, arg->tensor.shape, (size_t)arg->tensor.ndim * sizeof *arg->shape);
    }
    arg->tensor.shape = arg->shape;
    return true;
  }
  if (arg->hold) {
    return arg->hold(call, arg, call->function);
  }
  return own_from_producer(call, arg, call->function);
}

static bool hold_lists(dlfpy_call *call) {
  for (dlfpy_tensors *list = call->lists; list; list = list->next) {
    if (!dlfpy_hold(&list->elements, list->elements.args + list->count)) {
      return false;
    }
    dlfpy_pass(list);
  }
  return true;
}

bool dlfpy_hold(dlfpy_call *call, dlfpy_arg *end) {
  bool held = true;
  for (dlfpy_arg *arg = call->args; held && arg < end; arg++) {
    held = hold(call, arg);
  }
  call->end = end;
  return held && hold_lists(call);
}

bool dlfpy_enter_released(dlfpy_call *call, dlfpy_arg *end) {
  if (!dlfpy_hold(call, end)) {
    return false;
  }
  call->thread = PyEval_SaveThread();
  return true;
}

/* The nodes themselves belong to the caller, on its stack or in a block of its own. */
static void let_go_of_sequences(dlfpy_call *call) {
  for (dlfpy_tensors *list = call->lists; list; list = list->next) {
    if (list->elements.args) {
      dlfpy_end(&list->elements);
    }
    PyMem_Free(list->items);
    PyMem_Free(list->elements.args);
    Py_DECREF(list->owner);
  }
  for (dlfpy_numbers *array = call->arrays; array; array = array->next) {
    PyMem_Free(array->memory);
    Py_XDECREF(array->items);
    if (array->buffer.obj) {
      PyBuffer_Release(&array->buffer);
    }
  }
}

/* Told by the twins, on the thread that runs one. */
static _Thread_local bool failed_late;

void dlfpy_begun(void) {
  failed_late = true;
}

void dlfpy_writes(dlfpy_call *call, dlfpy_arg *arg, void (*tell)(const dlfpy_arg *written)) {
  failed_late = false;
  call->tell = tell;
  arg->written = call->written;
  call->written = arg;
}

void dlfpy_tell_written(dlfpy_call *call, dlf_status status) {
  if (!status || failed_late) {
    call->tell(call->written);
  }
  call->written = NULL;
}

static void drop(dlfpy_arg *arg) {
  dlf_release(arg->handle);
  dlf_dlpack_release(arg->managed);
  Py_XDECREF(arg->storage);
}

void dlfpy_drop(dlfpy_arg *arg) {
  const dlfpy_flight flight = dlfpy_set_aside();
  drop(arg);
  dlfpy_put_back(flight);
}

void dlfpy_let_go(dlfpy_call *call) {
  const dlfpy_flight flight = dlfpy_set_aside(); /* a deleter may run Python code */
  for (dlfpy_arg *arg = call->args; arg < call->end; arg++) {
    drop(arg);
  }
  let_go_of_sequences(call);
  dlfpy_put_back(flight);
}
