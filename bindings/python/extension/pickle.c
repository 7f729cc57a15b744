/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors in pickles. From protocol 5 on the elements travel beside the pickle, without a copy, if
 * the program asks for out-of-band buffers. */
#include "hub.h"

/* ---- Out ---- */

/* The elements as bytes in one axis, which is what buffers of any dtype can be. Keeps the handle.
 */
static PyObject *bytes_of(dlf_tensor *handle, uint64_t read_only) {
  const DLTensor *t = dlf_dltensor(handle);
  int64_t size = hub_byte_size(handle);
  if (size < 0) {
    return NULL;
  }
  const DLTensor bytes = {dlf_data(t), t->device, 1, {kDLUInt, 8, 1}, &size, NULL, 0};
  return hub_tensor_new(dlfpy_redescribe(handle, &bytes, read_only), false);
}

static PyObject *pickle_buffer(PyObject *bytes) {
#ifdef Py_LIMITED_API
  return dlfpy_call_from("pickle", "PickleBuffer", "(O)", bytes);
#else
  return PyPickleBuffer_FromObject(bytes);
#endif
}

/* Bytes that cannot be written tell that the tensor is read-only. A PickleBuffer may travel out of
 * band; before protocol 5 the pickle has a copy. */
static PyObject *elements_for_pickle(dlf_tensor *handle, uint64_t read_only, bool out_of_band) {
  PyObject *bytes = bytes_of(handle, read_only);
  if (!bytes) {
    return NULL;
  }
  PyObject *out;
  if (out_of_band) {
    out = pickle_buffer(bytes);
  } else if (read_only) {
    out = PyBytes_FromObject(bytes);
  } else {
    out = PyByteArray_FromObject(bytes);
  }
  Py_DECREF(bytes);
  return out;
}

/* What a subclass's object has beside the elements; None for a Tensor. */
static PyObject *state_of(PyObject *self) {
  if (Py_IS_TYPE(self, hub_type)) {
    Py_RETURN_NONE;
  }
#if PY_VERSION_HEX >= 0x030B0000
  return PyObject_CallMethod(self, "__getstate__", NULL);
#else
  PyObject *state = PyObject_GetAttrString(self, "__dict__");
  if (state || !PyErr_ExceptionMatches(PyExc_AttributeError)) {
    return state;
  }
  PyErr_Clear();
  Py_RETURN_NONE;
#endif
}

/* Elements with gaps or in another order are copied first. */
static dlf_tensor *in_order(dlf_tensor *handle, char *order) {
  const DLTensor *t = dlf_dltensor(handle);
  *order = 'C';
  if (dlf_is_contiguous(t, DLF_ROW_MAJOR)) {
    return dlf_retain(handle);
  }
  if (!dlf_is_contiguous(t, DLF_COLUMN_MAJOR)) {
    return dlfpy_copy(handle);
  }
  *order = 'F';
  return dlf_retain(handle);
}

/* Another process may have another hub: it gets what DLPack 1.3 names. */
static bool may_travel(dlfpy_content own) {
  const DLTensor *t = dlf_dltensor(own.handle);
  char name[DLF_NAME_CAPACITY];
  if (!hub_check_flags(own, "pickle")) {
    return false;
  }
  if (!dlf_is_reachable(t)) {
    hub_out_of_reach("pickle", t);
    return false;
  }
  dlf_dtype_format(t->dtype, name, sizeof name);
  if (strncmp(name, "dtype(", 6) == 0) {
    dlfpy_fail(DLF_DTYPE, "pickle: expected a dtype that DLPack 1.3 names, got %s", name);
    return false;
  }
  return true;
}

PyObject *hub_reduce(PyObject *self, PyObject *protocol) {
  static PyObject *rebuild;
  const long number = PyLong_AsLong(protocol);
  const dlfpy_content own = hub_content(self, "reduce");
  char name[DLF_NAME_CAPACITY], order;
  if (!own.handle || (number == -1 && PyErr_Occurred())) {
    return NULL;
  }
  if (!dlfpy_get(&rebuild) && !dlfpy_keep(&rebuild, dlfpy_imported("dlferry._hub", "_rebuild"))) {
    return dlfpy_fail(DLF_FOREIGN, "pickle: expected the package dlferry to be imported");
  }
  if (!may_travel(own)) {
    return NULL;
  }
  dlf_tensor *handle = in_order(own.handle, &order);
  if (!handle) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(handle);
  dlf_dtype_format(t->dtype, name, sizeof name);
  const uint64_t read_only =
      dlfpy_flags(own) & DLPACK_FLAG_BITMASK_READ_ONLY; /* a copy made here has lost it */
  const bool out_of_band = number >= 5;
  PyObject *bytes = elements_for_pickle(handle, read_only, out_of_band);
  PyObject *state = NULL;
  if (bytes) {
    state = state_of(self);
  }
  const int padded = (dlf_flags(handle) & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) != 0;
  PyObject *out = NULL;
  if (state) {
    out = Py_BuildValue("(O(OOsNCi)O)",
                        rebuild,
                        Py_TYPE(self),
                        bytes,
                        name,
                        hub_integers(t->shape, t->ndim),
                        order,
                        padded,
                        state);
  }
  Py_XDECREF(state);
  Py_XDECREF(bytes);
  dlfpy_release(handle);
  return out;
}

/* ---- In: a pickle may come from anywhere, so the hub checks its contents ---- */

static bool read_window(dlf_tensor *bytes, PyObject *const *given, dlf_window *window,
                        int64_t *shape, int64_t *strides) {
  dlf_error error;
  const DLTensor *raw = dlf_dltensor(bytes);
  const int padded = PyObject_IsTrue(given[4]);
  const char *order = "";
  if (PyUnicode_Check(given[3])) {
    order = PyUnicode_AsUTF8(given[3]);
  }
  if (!order || padded < 0) {
    return false;
  }
  if (!hub_read_dtype(given[1], "unpickle: dtype", &window->dtype)) {
    return false;
  }
  if (!hub_read_integers(given[2], "unpickle: shape", shape, &window->ndim)) {
    return false;
  }
  if (strcmp(order, "C") != 0 && strcmp(order, "F") != 0) {
    dlfpy_fail(DLF_INVALID, "unpickle: expected order 'C' or 'F', got '%.20s'", order);
    return false;
  }
  dlf_status status = dlf_byte_size(raw, 0, &window->bytes, &error);
  if (!status) {
    status = dlf_compact_strides(
        window->ndim, shape, *order == 'C' ? DLF_ROW_MAJOR : DLF_COLUMN_MAJOR, strides, &error);
  }
  if (status) {
    dlfpy_raise(status, &error);
    return false;
  }
  window->memory = dlf_data(raw);
  window->whole = true;
  window->stride_count = window->ndim;
  window->shape = shape;
  window->strides = strides;
  if (padded) {
    window->flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  }
  return true;
}

/* Takes bytes. */
static dlf_tensor *as_elements(dlf_tensor *bytes, uint64_t read_only, PyObject *const *given) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  dlf_window window = DLF_WINDOW_INIT;
  DLTensor t;
  dlf_tensor *out = NULL;
  dlf_error error;
  if (read_window(bytes, given, &window, shape, strides)) {
    const dlf_status status = dlf_check_window("unpickle", &window, &t, &error);
    if (status) {
      dlfpy_raise(status, &error);
    } else {
      out = dlfpy_redescribe(bytes, &t, window.flags | read_only);
    }
  }
  dlf_release(bytes);
  return out;
}

/* A network library may hand over a buffer at any address, which kernels would refuse: then its
 * bytes are copied, to an address that suits every dtype. Takes bytes. */
static dlf_tensor *aligned(dlf_tensor *bytes, PyObject *dtype_name) {
  DLDataType dtype;
  dlf_tensor *copy = NULL;
  if (hub_read_dtype(dtype_name, "unpickle: dtype", &dtype)) {
    const int64_t element = ((int64_t)dtype.bits + 7) / 8;
    if (dlf_alignment(dlf_dltensor(bytes)) >= (element & -element)) {
      return bytes;
    }
    copy = dlfpy_copy(bytes);
  }
  dlf_release(bytes);
  return copy;
}

static dlf_tensor *rebuilt(PyObject *const *given) {
  dlf_tensor *bytes = dlfpy_buffer_wrap(given[0], "unpickle");
  if (!bytes) {
    return NULL;
  }
  const uint64_t read_only = dlf_flags(bytes) & DLPACK_FLAG_BITMASK_READ_ONLY; /* a copy loses it */
  bytes = aligned(bytes, given[1]);
  if (bytes) {
    return as_elements(bytes, read_only, given);
  }
  return NULL;
}

/* _rebuild(type, buffer, dtype, shape, order, padded) */
static PyObject *rebuild(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count) {
  if (count != 6 || !PyType_Check(given[0]) ||
      !PyType_IsSubtype((PyTypeObject *)given[0], hub_type)) {
    PyErr_SetString(PyExc_TypeError,
                    "_rebuild: expected a type of dlferry.Tensor and five more arguments");
    return NULL;
  }
  dlf_tensor *handle = rebuilt(given + 1);
  if (handle) {
    return hub_adopt((PyTypeObject *)given[0], dlfpy_alone(handle));
  }
  return NULL;
}

PyMethodDef hub_pickle_functions[] = {{"_rebuild",
                                       (PyCFunction)(void (*)(void))rebuild,
                                       METH_FASTCALL,
                                       "Make a Tensor from its pickle."},
                                      {NULL, NULL, 0, NULL}};
