/* SPDX-License-Identifier: Apache-2.0 */
/* The functions and methods that must be fast, with METH_FASTCALL, which SWIG does not emit. */
#include "hub.h"

/* Read the bytes of a contiguous buffer as elements of another dtype and shape; takes bytes. */
static dlf_tensor *reinterpret(dlf_tensor *bytes, PyObject *dtype_name, PyObject *shape_list,
                               PyObject *stride_list) {
  int64_t shape[DLF_MAX_NDIM], strides[DLF_MAX_NDIM];
  const DLTensor *old = dlf_dltensor(bytes);
  dlf_window window = {.size = sizeof window,
                       .memory = dlf_data(old),
                       .dtype = old->dtype,
                       .ndim = 1,
                       .shape = shape,
                       .strides = NULL};
  DLTensor now;
  dlf_tensor *out = NULL;
  dlf_error error;
  if (!dlf_is_contiguous(old, DLF_ROW_MAJOR)) {
    dlfpy_fail(DLF_LAYOUT,
               "wrap: expected a contiguous buffer when dtype or shape is given, got gaps");
    goto end;
  }
  if (dtype_name && !hub_read_dtype(dtype_name, "wrap: dtype", &window.dtype)) {
    goto end;
  }
  dlf_status status = dlf_byte_size(old, 0, &window.bytes, &error);
  if (status) {
    goto fail;
  }
  if (shape_list) {
    if (!hub_read_integers(shape_list, "wrap: shape", shape, &window.ndim)) {
      goto end;
    }
  } else {
    const int64_t bits = (int64_t)window.dtype.bits * window.dtype.lanes;
    if (window.bytes > INT64_MAX / 8) {
      shape[0] = window.bytes / ((bits + 7) / 8);
    } else {
      shape[0] = window.bytes * 8 / bits;
    }
  }
  if (stride_list) {
    if (!hub_read_integers(stride_list, "wrap: strides", strides, &window.stride_count)) {
      goto end;
    }
    window.strides = strides;
  }
  status = dlf_check_window("wrap", &window, &now, &error);
  if (status) {
    goto fail;
  }
  now.device = old->device;
  PyObject *owner = dlf_queue_owner(dlfpy_queue, bytes, 0);
  out = dlfpy_wrap(Py_NewRef(owner), &now, dlf_flags(bytes), "wrap");
  goto end;
fail:
  dlfpy_raise(status, &error);
end:
  dlf_release(bytes);
  return out;
}

static PyObject *wrap(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count,
                      PyObject *names) {
  DLFPY_SIGNATURE("wrap", 1, "buffer", "dtype", "shape", "strides");
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  for (int i = 1; i < 4; i++) {
    if (values[i] == Py_None) {
      values[i] = NULL;
    }
  }
  dlfpy_drain();
  dlf_tensor *handle;
  if (dlfpy_producer_of(values[0])->kind == DLFPY_NUMPY) {
    handle = dlfpy_numpy_wrap(values[0], "wrap");
  } else {
    handle = dlfpy_buffer_wrap(values[0], "wrap");
  }
  if (handle && (values[1] || values[2] || values[3])) {
    handle = reinterpret(handle, values[1], values[2], values[3]);
  }
  PyObject *tensor = hub_tensor_new(handle, false);
  if (tensor) {
    hub_track(tensor);
  }
  return tensor;
}

/* Tell whether x is a shape where either that or a dtype is expected: no dtype but a tuple is a
 * sequence. */
static bool is_shape(PyObject *x) {
  return !PyUnicode_Check(x) && (PyIndex_Check(x) || PySequence_Check(x));
}

static PyObject *create(PyObject *Py_UNUSED(module), PyObject *const *given, Py_ssize_t count,
                        PyObject *names) {
  DLFPY_SIGNATURE("create", 2, "dtype", "shape", "device");
  DLDataType dtype;
  DLDevice device = {kDLCPU, 0};
  int64_t shape[DLF_MAX_NDIM];
  int64_t ndim;
  dlf_tensor *out;
  dlf_error error;
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  PyObject *named = values[0];
  PyObject *extents = values[1];
  if (count >= 2 && is_shape(values[0]) && !is_shape(values[1])) { /* NumPy's order */
    named = values[1];
    extents = values[0];
  }
  if (!hub_read_dtype(named, "create: dtype", &dtype)) {
    return NULL;
  }
  if (!hub_read_integers(extents, "create: shape", shape, &ndim)) {
    return NULL;
  }
  if (values[2] && !hub_read_device(values[2], "create: device", &device)) {
    return NULL;
  }
  dlfpy_drain();
  const dlf_status status = dlf_create(dtype, ndim, shape, device, &out, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return hub_tensor_new(out, false);
}

static PyObject *to_dlpack(PyObject *Py_UNUSED(module), PyObject *x) {
  PyObject *capsule = NULL;
  DLFPY_BEGIN_SECTION(x)
  const dlfpy_content content = hub_content(x, "to_dlpack");
  if (content.handle) {
    capsule = dlfpy_capsule(content);
  }
  DLFPY_END_SECTION()
  return capsule;
}

static PyObject *to_dlpack_legacy(PyObject *Py_UNUSED(module), PyObject *x) {
  dlf_tensor *handle = hub_retain(x, "to_dlpack_legacy");
  PyObject *capsule = NULL;
  if (handle) {
    capsule = dlfpy_capsule_legacy(handle);
  }
  dlfpy_release(handle);
  return capsule;
}

static PyMethodDef functions[] = {
    {"from_dlpack", HUB_FAST(hub_from_dlpack), DOC_from_dlpack},
    {"to", (PyCFunction)(void (*)(void))hub_to, METH_FASTCALL, DOC_to},
    {"create", HUB_FAST(create), DOC_create},
    {"wrap", HUB_FAST(wrap), DOC_wrap},
    {"to_dlpack", to_dlpack, METH_O, DOC_to_dlpack},
    {"to_dlpack_legacy", to_dlpack_legacy, METH_O, DOC_to_dlpack_legacy},
    {NULL, NULL, 0, NULL}};

bool hub_finish(PyObject *module) {
  static PyObject *first, *errors;
  /* A process has one dlferry: after sys.modules is cleared and the package is imported again,
   * tensors and exceptions of the two would not match. */
  if (first) {
    return PyDict_Update(PyModule_GetDict(module), first) == 0 &&
           PyDict_SetItemString(PyImport_GetModuleDict(), "dlferry.errors", errors) == 0;
  }
  if (!dlfpy_start() || !hub_add_type(module) || !hub_add_dtypes(module) ||
      !hub_add_devices(module) || PyModule_AddFunctions(module, functions) ||
      PyModule_AddFunctions(module, hub_pickle_functions)) {
    return false;
  }
  errors = PyImport_ImportModule("dlferry.errors");
  return errors && (first = PyDict_Copy(PyModule_GetDict(module)));
}
