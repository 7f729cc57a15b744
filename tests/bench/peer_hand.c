/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of three tensors wrapped by hand: one METH_FASTCALL function over NumPy's C API and torch's exchange table,
 * with the checks of the generated package and, like it on little data, the GIL held. What a generated call is measured
 * against. */
#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_1_7_API_VERSION
#include <numpy/arrayobject.h>
#include <photo_dlferry.h>
#include <Python.h>

static PyTypeObject *torch_tensor;
static const DLPackExchangeAPI *torch_table;
static PyObject *name_requires_grad, *name_is_neg;
static PyObject *names[3];

static bool from_numpy(PyArrayObject *x, DLTensor *t, int64_t *strides, uint64_t *flags) {
  const int number = PyArray_TYPE(x), size = (int)PyArray_ITEMSIZE(x);
  if ((number != NPY_FLOAT && number != NPY_DOUBLE) || !PyArray_ISNBO(PyArray_DESCR(x)->byteorder)) {
    PyErr_SetString(PyExc_TypeError, "expected float32 or float64");
    return false;
  }
  for (int i = 0; i < PyArray_NDIM(x); i++) {
    if (PyArray_STRIDE(x, i) % size) {
      PyErr_SetString(PyExc_ValueError, "expected whole elements");
      return false;
    }
    strides[i] = PyArray_STRIDE(x, i) / size;
  }
  *t = (DLTensor){PyArray_DATA(x),
                  {kDLCPU, 0},
                  PyArray_NDIM(x),
                  {kDLFloat, (uint8_t)(8 * size), 1},
                  (int64_t *)PyArray_DIMS(x),
                  strides,
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

static bool from_torch(PyObject *x, DLTensor *t, bool write) {
  if (torch_table->dltensor_from_py_object_no_sync(x, t)) return false;
  if (truth(PyObject_CallMethodNoArgs(x, name_is_neg)) || (write && truth(PyObject_GetAttr(x, name_requires_grad)))) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_BufferError, "expected a plain tensor");
    return false;
  }
  return true;
}

static PyObject *difference(PyObject *module, PyObject *const *given, Py_ssize_t count, PyObject *words) {
  PyObject *v[3] = {NULL, NULL, NULL};
  DLTensor t[3];
  int64_t strides[3][NPY_MAXDIMS];
  dlf_arg arg[3];
  dlf_error error;
  (void)module;
  if (count > 3) goto wrong;
  for (Py_ssize_t i = 0; i < count; i++) v[i] = given[i];
  for (Py_ssize_t k = 0; words && k < PyTuple_GET_SIZE(words); k++) {
    int i = 0;
    while (i < 3 && names[i] != PyTuple_GET_ITEM(words, k)) i++;
    if (i == 3 || v[i]) goto wrong;
    v[i] = given[count + k];
  }
  for (int i = 0; i < 3; i++) {
    uint64_t flags = 0;
    if (!v[i]) goto wrong;
    if (PyArray_Check(v[i])) {
      if (!from_numpy((PyArrayObject *)v[i], &t[i], strides[i], &flags)) return NULL;
    } else if (Py_IS_TYPE(v[i], torch_tensor)) {
      if (!from_torch(v[i], &t[i], i == 2)) return NULL;
    } else {
      goto wrong;
    }
    arg[i] = (dlf_arg){&t[i], flags};
  }
  if (photo_difference_checked(arg[0], arg[1], arg[2], &error)) {
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
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "peer_hand", .m_size = -1,
                                        .m_methods = methods};

PyMODINIT_FUNC PyInit_peer_hand(void) {
  import_array();
  if (!find_torch()) PyErr_Clear();
  names[0] = PyUnicode_InternFromString("a");
  names[1] = PyUnicode_InternFromString("b");
  names[2] = PyUnicode_InternFromString("out");
  name_is_neg = PyUnicode_InternFromString("is_neg");
  name_requires_grad = PyUnicode_InternFromString("requires_grad");
  return PyModule_Create(&definition);
}
