/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a Tensor, most with METH_FASTCALL. */
#include "hub.h"

/* Methods by what they take. */
#define NONE(name) {#name, hub_##name, METH_NOARGS, DOC_Tensor_##name}
#define ONE(name) {#name, hub_##name, METH_O, DOC_Tensor_##name}
#define LIST(name) {#name, HUB_FAST(hub_##name), DOC_Tensor_##name}

static dlfpy_content exported(PyObject *self) {
  return hub_content(self, "to_dlpack");
}

static PyObject *method_dlpack(PyObject *self, PyObject *const *given, Py_ssize_t count,
                               PyObject *names) {
  return dlfpy_dlpack(self, exported, given, count, names);
}

static PyObject *method_dlpack_device(PyObject *self, PyObject *Py_UNUSED(unused)) {
  dlf_tensor *handle = hub_handle(self, "dlpack_device");
  if (handle) {
    return dlfpy_dlpack_device(handle);
  }
  return NULL;
}

/* JAX's only method for unknown objects. */
static PyObject *method_jax_array(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return dlfpy_call_from("jax.numpy", "from_dlpack", "(O)", self);
}

static PyObject *method_describe(PyObject *self, PyObject *Py_UNUSED(unused)) {
  const dlfpy_content content = hub_content(self, "describe");
  if (content.handle) {
    return hub_text((dlf_arg){dlf_dltensor(content.handle), dlfpy_flags(content)}, dlf_describe);
  }
  return NULL;
}

static PyObject *method_sizeof(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return PyLong_FromLongLong(dlfpy_object_size(Py_TYPE(self)) +
                             dlf_held_bytes(hub_peek(self).handle));
}

/* Without __bytes__ a tensor that is an index would give as many zeros. */
static PyObject *method_tobytes(PyObject *self, PyObject *Py_UNUSED(unused)) {
  const dlfpy_content own = hub_content(self, "tobytes");
  dlf_tensor *const handle = own.handle;
  if (!handle || !hub_check_flags(own, "tobytes")) {
    return NULL;
  }
  const bool whole = dlf_is_contiguous(dlf_dltensor(handle), DLF_ROW_MAJOR) &&
                     dlf_is_reachable(dlf_dltensor(handle));
  dlf_tensor *rows;
  if (whole) {
    rows = dlf_retain(handle);
  } else {
    rows = dlfpy_copy(handle);
  }
  if (!rows) {
    return NULL;
  }
  const int64_t size = hub_byte_size(rows);
  PyObject *bytes = NULL;
  if (size >= 0) {
    bytes = PyBytes_FromStringAndSize(dlf_data(dlf_dltensor(rows)), (Py_ssize_t)size);
  }
  dlfpy_release(rows);
  return bytes;
}

static PyObject *method_release(PyObject *self, PyObject *Py_UNUSED(unused)) {
  hub_release(self);
  Py_RETURN_NONE;
}

static PyObject *method_enter(PyObject *self, PyObject *Py_UNUSED(unused)) {
  if (hub_handle(self, "enter")) {
    return Py_NewRef(self);
  }
  return NULL;
}

static PyObject *method_exit(PyObject *self, PyObject *const *Py_UNUSED(exception),
                             Py_ssize_t Py_UNUSED(count)) {
  hub_release(self);
  Py_RETURN_NONE;
}

PyMethodDef hub_methods[] = {
    {"__dlpack__", HUB_FAST(method_dlpack), DOC_Tensor___dlpack__},
    {"__dlpack_device__", method_dlpack_device, METH_NOARGS, DOC_Tensor___dlpack_device__},
    {"__array__", HUB_FAST(hub_array), DOC_Tensor___array__},
    {"__copy__", hub_copy_method, METH_NOARGS, DOC_Tensor___copy__},
    {"__deepcopy__", hub_deepcopy, METH_O, DOC_Tensor___deepcopy__},
    LIST(astype),
    LIST(cast_into),
    LIST(contiguous),
    {"describe", method_describe, METH_NOARGS, DOC_Tensor_describe},
    {"__jax_array__", method_jax_array, METH_NOARGS, DOC_Tensor___jax_array__},
    {"__sizeof__", method_sizeof, METH_NOARGS, DOC_Tensor___sizeof__},
    {"__complex__", hub_complex, METH_NOARGS, DOC_Tensor___complex__},
    {"all_close", HUB_FAST(hub_method_all_close), DOC_Tensor_all_close},
    ONE(equal),
    ONE(identical),
    {"item", (PyCFunction)(void (*)(void))hub_method_item, METH_FASTCALL, DOC_Tensor_item},
    {"__bytes__", method_tobytes, METH_NOARGS, DOC_Tensor_tobytes},
    {"tobytes", method_tobytes, METH_NOARGS, DOC_Tensor_tobytes},
    NONE(tolist),
    HUB_VIEWS(NONE, ONE, LIST),
    {"permute_dims", HUB_FAST(hub_permute), DOC_Tensor_permute_dims},
    LIST(copy),
    ONE(copy_into),
    ONE(fill),
    LIST(numpy),
    {"release", method_release, METH_NOARGS, DOC_Tensor_release},
    {"__reduce_ex__", hub_reduce, METH_O, DOC_Tensor___reduce_ex__},
    {"__enter__", method_enter, METH_NOARGS, DOC_Tensor___enter__},
    {"__exit__", (PyCFunction)(void (*)(void))method_exit, METH_FASTCALL, DOC_Tensor___exit__},
    {NULL, NULL, 0, NULL}};
