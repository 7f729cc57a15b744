/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's stream is that of the first tensor's producer. The data of a producer with another
 * stream may not be ready there yet. DLPack's method, which needs no device runtime here, is to
 * call that producer's __dlpack__ again with the kernel's stream, and the producer makes that
 * stream wait for its own. There is no reverse method: nothing makes a producer's stream wait for
 * the kernel's, so an output must not be on another stream. */
#include "call.h"

typedef struct chosen {
  dlfpy_call *call; /* all arguments, up to end */
  dlfpy_arg *end;
  const dlfpy_producer *producer; /* NULL at first */
  DLDevice device;
  bool named; /* by the producer's table; else its data is ready on the default stream, as asked */
  void *handle;
  bool managed; /* whether managed memory has its turn */
} chosen;

static bool current_of(const dlfpy_producer *producer, DLDevice at, const char *name, bool *named,
                       void **handle) {
  const DLPackExchangeAPI *api = NULL;
  if (producer->kind == DLFPY_TABLE) {
    api = producer->api;
  }
  *handle = NULL;
  *named = api && api->current_work_stream;
  if (!*named || !api->current_work_stream(at.device_type, at.device_id, handle)) {
    return true;
  }
  if (!PyErr_Occurred()) {
    dlfpy_fail(DLF_FOREIGN, "%s: expected the current stream, got none", name);
  }
  return false;
}

enum { TEXT_SIZE = 48 };

static const char *text_of(const void *handle, char *text) {
  if (!handle) {
    return "the default stream";
  }
  PyOS_snprintf(text, TEXT_SIZE, "stream 0x%llx", (unsigned long long)(uintptr_t)handle);
  return text;
}

static bool refuse(const chosen *to, const char *name, bool named, const void *handle) {
  char device[DLF_NAME_CAPACITY], ours[TEXT_SIZE], theirs[TEXT_SIZE];
  dlf_device_format(to->device, device, sizeof device);
  dlfpy_fail(
      DLF_DEVICE,
      "%s: expected a producer that works on %s of %s, as the first tensor's does, got one %s%s",
      name,
      text_of(to->handle, ours),
      device,
      named ? "on " : "that names no stream",
      named ? text_of(handle, theirs) : "");
  return false;
}

/* The form that __dlpack__ takes. */
static PyObject *number_of(const chosen *to, const char *name) {
  if (!to->handle) {
    return dlfpy_default_stream(to->device);
  }
  if (to->device.device_type == kDLROCM && (uintptr_t)to->handle <= 2) {
    return dlfpy_fail(
        DLF_DEVICE,
        "%s: expected a stream that DLPack has a number for, got a special one of ROCm",
        name);
  }
  return PyLong_FromVoidPtr(to->handle);
}

static bool join(const chosen *to, dlfpy_call *call, dlfpy_arg *arg, dlfpy_arg *end,
                 const char *name) {
  if (!dlfpy_hold(to->call, to->end)) {
    return false; /* Python code will run */
  }
  PyObject *stream = number_of(to, name);
  dlf_tensor *handle = NULL;
  if (stream) {
    handle = dlfpy_import_on(arg->object, name, stream);
  }
  Py_XDECREF(stream);
  if (!handle) {
    return false;
  }
  dlf_release(arg->handle);
  arg->handle = handle;
  arg->tensor = *dlf_dltensor(handle);
  arg->c = (dlf_arg){&arg->tensor, arg->c.flags | dlf_flags(handle)};
  call->held = true;
  call->end = end;
  return true;
}

/* Managed memory is read and written on the stream of any CUDA device. */
static bool is_on_its_streams(DLDevice at, DLDevice device) {
  if (at.device_type == kDLCUDAManaged) {
    return device.device_type == kDLCUDA;
  }
  return at.device_type == device.device_type && at.device_id == device.device_id;
}

static bool has_turn(const chosen *to, DLDevice at) {
  if (at.device_type == kDLCUDAManaged) {
    return to->managed;
  }
  return !to->managed && !dlf_is_cpu_accessible(at);
}

static bool order(chosen *to, dlfpy_call *call, dlfpy_arg *arg, dlfpy_arg *end, dlfpy_role role) {
  if (!arg->c.tensor || !has_turn(to, arg->c.tensor->device)) {
    return true;
  }
  const DLDevice at = arg->c.tensor->device;
  bool named;
  void *handle;
  if (to->producer && !is_on_its_streams(at, to->device)) {
    return true;
  }
  if (!current_of(arg->producer, at, role.name, &named, &handle)) {
    return false;
  }
  if (!to->producer) {
    *to = (chosen){to->call, to->end, arg->producer, at, named, handle, to->managed};
    return true;
  }
  /* Data of a producer without a stream is ready on the default stream. */
  if (handle == to->handle) {
    return true;
  }
  if (role.written) {
    return refuse(to, role.name, named, handle);
  }
  return join(to, call, arg, end, role.name);
}

static bool order_all(chosen *to, dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles) {
  for (dlfpy_arg *arg = call->args; arg < end; arg++) {
    if (!order(to, call, arg, end, roles[arg - call->args])) {
      return false;
    }
  }
  for (dlfpy_tensors *list = call->lists; list; list = list->next) {
    dlfpy_arg *const last = list->elements.args + list->count;
    for (dlfpy_arg *arg = list->elements.args; arg < last; arg++) {
      if (!order(to, &list->elements, arg, last, (dlfpy_role){list->name, false})) {
        return false;
      }
    }
    dlfpy_pass(list);
  }
  return true;
}

bool dlfpy_stream(dlfpy_call *call, dlfpy_arg *end, const dlfpy_role *roles, dlf_stream *out) {
  chosen to = {.call = call, .end = end};
  out->handle = NULL;
  if (!order_all(&to, call, end, roles)) {
    return false;
  }
  /* Managed memory alone is ready on the default stream, as it was asked for. */
  to.managed = true;
  if (to.producer && !order_all(&to, call, end, roles)) {
    return false;
  }
  out->handle = to.handle;
  return true;
}
