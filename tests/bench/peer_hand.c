/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of three tensors wrapped by hand: one METH_FASTCALL function over NumPy's C API and
 * torch's exchange table. Generated calls are compared with it, so it has the same checks, made for
 * both by photo_difference_checked, and the same rule for the GIL: held for little data, else
 * released over descriptions that no other code can change. It assumes at most two dtypes and three
 * tensors, and returns no memory from other threads. */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>
#include <photo_dlferry.h>
#include <Python.h>
#include <stdlib.h>
#include <string.h>

static PyTypeObject *torch_tensor;
static const DLPackExchangeAPI *torch_table;
static PyObject *name_requires_grad, *name_is_neg;
static PyObject *names[3];

static uint64_t gil_limit = 64 * 1024;

typedef struct tensor {
  DLTensor t;
  int64_t strides[2], shape[2];
  DLManagedTensorVersioned *managed;
} tensor;

static const DLDataType f32 = {kDLFloat, 32, 1}, f64 = {kDLFloat, 64, 1};

static bool from_numpy(PyArrayObject *x, tensor *to, uint64_t *flags) {
  const int number = PyArray_TYPE(x), shift = number == NPY_FLOAT ? 2 : 3, size = 1 << shift;
  if ((number != NPY_FLOAT && number != NPY_DOUBLE) ||
      !PyArray_ISNBO(PyArray_DESCR(x)->byteorder)) {
    PyErr_SetString(PyExc_TypeError, "expected float32 or float64");
    return false;
  }
  if (PyArray_NDIM(x) != 2 || ((PyArray_STRIDE(x, 0) | PyArray_STRIDE(x, 1)) & (size - 1))) {
    PyErr_SetString(PyExc_ValueError, "expected two dimensions of whole elements");
    return false;
  }
  for (int i = 0; i < 2; i++) {
    to->strides[i] = PyArray_STRIDE(x, i) >> shift;
  }
  to->t = (DLTensor){PyArray_DATA(x),
                     {kDLCPU, 0},
                     2,
                     size == 4 ? f32 : f64,
                     (int64_t *)PyArray_DIMS(x),
                     to->strides,
                     0};
  *flags = PyArray_ISWRITEABLE(x) ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
  return true;
}

/* 1, 0, or -1 */
static int truth(PyObject *answer) {
  const int truth = answer ? PyObject_IsTrue(answer) : -1;
  Py_XDECREF(answer);
  return truth;
}

/* torch's methods tell the rest: slower than its C++ interface, which needs its headers. */
static bool from_torch(PyObject *x, DLTensor *t, bool write) {
  if (torch_table->dltensor_from_py_object_no_sync(x, t)) {
    return false;
  }
  if (t->ndim != 2) {
    PyErr_SetString(PyExc_ValueError, "expected two dimensions");
    return false;
  }
  if (truth(PyObject_CallMethodNoArgs(x, name_is_neg)) ||
      (write && truth(PyObject_GetAttr(x, name_requires_grad)))) {
    if (!PyErr_Occurred()) {
      PyErr_SetString(PyExc_BufferError, "expected a plain tensor");
    }
    return false;
  }
  return true;
}

/* Threads that run meanwhile may change the shape of an array and the storage of a tensor. */
static bool keep(PyObject *const *v, tensor *t, dlf_arg *arg) {
  for (int i = 0; i < 3; i++) {
    if (PyArray_Check(v[i])) {
      memcpy(t[i].shape, t[i].t.shape, sizeof t[i].shape);
      t[i].t.shape = t[i].shape;
    } else {
      if (torch_table->managed_tensor_from_py_object_no_sync(v[i], &t[i].managed)) {
        return false;
      }
      arg[i].tensor = &t[i].managed->dl_tensor;
    }
  }
  return true;
}

static void let_go(tensor *t) {
  for (int i = 0; i < 3; i++) {
    if (t[i].managed) {
      t[i].managed->deleter(t[i].managed);
    }
  }
}

/* A name that was made at run time is not the interned one. */
static int index_of(PyObject *name) {
  for (int i = 0; i < 3; i++) {
    if (names[i] == name) {
      return i;
    }
  }
  for (int i = 0; i < 3; i++) {
    if (PyUnicode_Compare(names[i], name) == 0) {
      return i;
    }
  }
  return 3;
}

static PyObject *difference(PyObject *module, PyObject *const *given, Py_ssize_t count,
                            PyObject *words) {
  PyObject *v[3] = {NULL, NULL, NULL};
  tensor t[3];
  dlf_arg arg[3];
  dlf_error error;
  dlf_status status;
  PyThreadState *thread = NULL;
  (void)module;
  if (count > 3) {
    goto wrong;
  }
  for (Py_ssize_t i = 0; i < count; i++) {
    v[i] = given[i];
  }
  for (Py_ssize_t k = 0; words && k < PyTuple_GET_SIZE(words); k++) {
    const int i = index_of(PyTuple_GET_ITEM(words, k));
    if (i == 3 || v[i]) {
      goto wrong;
    }
    v[i] = given[count + k];
  }
  for (int i = 0; i < 3; i++) {
    uint64_t flags = 0;
    if (!v[i]) {
      goto wrong;
    }
    if (PyArray_Check(v[i])) {
      if (!from_numpy((PyArrayObject *)v[i], &t[i], &flags)) {
        return NULL;
      }
    } else if (Py_IS_TYPE(v[i], torch_tensor)) {
      if (!from_torch(v[i], &t[i].t, i == 2)) {
        return NULL;
      }
    } else {
      goto wrong;
    }
    arg[i] = (dlf_arg){&t[i].t, flags};
  }
  /* All three are of one shape, or else it does not matter. */
  if ((uint64_t)(t[0].t.shape[0] * t[0].t.shape[1] * (3 * t[0].t.dtype.bits / 8)) >= gil_limit) {
    for (int i = 0; i < 3; i++) {
      t[i].managed = NULL;
    }
    if (!keep(v, t, arg)) {
      let_go(t);
      return NULL;
    }
    thread = PyEval_SaveThread();
  }
  status = photo_difference_checked(arg[0], arg[1], arg[2], &error);
  if (thread) {
    PyEval_RestoreThread(thread);
    let_go(t);
  }
  if (status) {
    PyErr_SetString(PyExc_ValueError, error.message);
    return NULL;
  }
  return Py_NewRef(v[2]);
wrong:
  PyErr_SetString(PyExc_TypeError, "difference(a, b, out)");
  return NULL;
}

static bool find_torch(void) {
  PyObject *torch = PyImport_ImportModule("torch");
  PyObject *type = torch ? PyObject_GetAttrString(torch, "Tensor") : NULL;
  PyObject *table = type ? PyObject_GetAttrString(type, "__dlpack_c_exchange_api__") : NULL;
  torch_tensor = (PyTypeObject *)type;
  torch_table = table ? PyCapsule_GetPointer(table, "dlpack_exchange_api") : NULL;
  Py_XDECREF(torch);
  return torch_table != NULL;
}

static PyMethodDef methods[] = {
    {"difference", (PyCFunction)(void (*)(void))difference, METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, .m_name = "peer_hand", .m_size = -1, .m_methods = methods};

PyMODINIT_FUNC PyInit_peer_hand(void) {
  const char *limit = getenv("DLFERRY_GIL_LIMIT");
  import_array();
  if (limit && *limit) {
    gil_limit = strtoull(limit, NULL, 10);
  }
  if (!find_torch()) {
    PyErr_Clear();
  }
  names[0] = PyUnicode_InternFromString("a");
  names[1] = PyUnicode_InternFromString("b");
  names[2] = PyUnicode_InternFromString("out");
  name_is_neg = PyUnicode_InternFromString("is_neg");
  name_requires_grad = PyUnicode_InternFromString("requires_grad");
  return PyModule_Create(&definition);
}
