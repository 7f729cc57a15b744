/* SPDX-License-Identifier: Apache-2.0 */
/* The type dlferry.Device. Its objects never change. */
#include "docs.h"
#include "hub.h"

#include <string.h>

typedef struct device_object {
  PyObject_HEAD DLDevice value;
  PyObject *name;
} device_object;

static PyTypeObject *device_type;
static PyObject *cpu; /* made at import, so that asking most tensors' device allocates nothing */

/* ---- Making one ---- */

/* DLPack gives the id of the processor's memory no meaning: the hub ignores it there, and so it is
 * 0. */
static DLDevice usual(DLDevice value) {
  const DLDevice first = {value.device_type, 0};
  if (dlf_device_equal(value, first)) {
    return first;
  }
  return value;
}

static PyObject *make(DLDevice value) {
  char name[DLF_NAME_CAPACITY];
  device_object *self = PyObject_New(device_object, device_type);
  if (!self) {
    return NULL;
  }
  self->value = usual(value);
  dlf_device_format(self->value, name, sizeof name);
  self->name = PyUnicode_FromString(name);
  if (!self->name) {
    Py_CLEAR(self);
  }
  return (PyObject *)self;
}

PyObject *hub_device_new(DLDevice value) {
  if (value.device_type == kDLCPU) {
    return Py_NewRef(cpu);
  }
  return make(value);
}

static bool is_device(PyObject *x) {
  return Py_IS_TYPE(x, device_type);
}

static DLDevice value_of(PyObject *x) {
  return ((device_object *)x)->value;
}

bool hub_read_device(PyObject *x, const char *name, DLDevice *out) {
  if (!is_device(x)) {
    return dlfpy_device(x, name, out);
  }
  *out = value_of(x);
  return true;
}

static PyObject *device_new(PyTypeObject *type, PyObject *arguments, PyObject *words) {
  static char *names[] = {"", NULL};
  PyObject *x;
  DLDevice value;
  (void)type;
  if (!PyArg_ParseTupleAndKeywords(arguments, words, "O:Device", names, &x)) {
    return NULL;
  }
  if (hub_read_device(x, "Device", &value)) {
    return hub_device_new(value);
  }
  return NULL;
}

static void dealloc(PyObject *x) {
  PyTypeObject *type = Py_TYPE(x);
  Py_XDECREF(((device_object *)x)->name);
  PyObject_Free(x);
  Py_DECREF(type);
}

/* ---- Comparison ---- */

/* 1, 0 or -1 with an exception; 2 for an object that is no device. */
static int same(const device_object *self, PyObject *x) {
  DLDevice given;
  if (PyUnicode_Check(x)) {
    return PyObject_RichCompareBool(self->name, x, Py_EQ);
  }
  if (x == Py_None) {
    return 2;
  }
  if (hub_read_device(x, "Device", &given)) {
    return dlf_device_equal(self->value, usual(given));
  }
  if (!PyErr_ExceptionMatches(PyExc_Exception)) {
    return -1;
  }
  PyErr_Clear();
  return 2;
}

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  if (op != Py_EQ && op != Py_NE) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  const int answer = same((const device_object *)a, b);
  if (answer == 2) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  if (answer < 0) {
    return NULL;
  }
  return PyBool_FromLong((op == Py_EQ) == (answer == 1));
}

/* A device equals its name, so their hashes are equal. */
static Py_hash_t hash(PyObject *self) {
  return PyObject_Hash(((device_object *)self)->name);
}

/* ---- Text and fields ---- */

static PyObject *str(PyObject *self) {
  return Py_NewRef(((device_object *)self)->name);
}

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("dlferry.Device('%U')", ((device_object *)self)->name);
}

static PyObject *get_type(PyObject *self, void *unused) {
  char name[DLF_NAME_CAPACITY];
  (void)unused;
  dlf_device_format(value_of(self), name, sizeof name);
  return PyUnicode_FromStringAndSize(name, (Py_ssize_t)strcspn(name, ":"));
}

static PyObject *get_code(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong((long)value_of(self).device_type);
}

static PyObject *get_id(PyObject *self, void *unused) {
  (void)unused;
  return PyLong_FromLong((long)value_of(self).device_id);
}

static PyObject *get_cpu_accessible(PyObject *self, void *unused) {
  (void)unused;
  return PyBool_FromLong(dlf_is_cpu_accessible(value_of(self)));
}

static PyGetSetDef properties[] = {
    {"type", get_type, NULL, DOC_Device_type, NULL},
    {"id", get_id, NULL, DOC_Device_id, NULL},
    {"code", get_code, NULL, DOC_Device_code, NULL},
    {"is_cpu_accessible", get_cpu_accessible, NULL, DOC_Device_is_cpu_accessible, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- DLPack's pair: tuple(d), and the form that consumers and producers ask for ---- */

static Py_ssize_t length(PyObject *self) {
  (void)self;
  return 2;
}

static PyObject *item(PyObject *self, Py_ssize_t i) {
  if (i == 0 || i == 1) {
    if (i) {
      return get_id(self, NULL);
    }
    return get_code(self, NULL);
  }
  PyErr_SetString(PyExc_IndexError, "Device: expected index 0 or 1");
  return NULL;
}

static PyObject *pair(PyObject *self, PyObject *unused) {
  (void)unused;
  return Py_BuildValue("(ii)", (int)value_of(self).device_type, (int)value_of(self).device_id);
}

/* ---- Methods ---- */

static PyObject *to_torch(PyObject *self, PyObject *unused) {
  (void)unused;
  return dlfpy_frameworks("torch_device", ((device_object *)self)->name, NULL);
}

static PyObject *reduce(PyObject *self, PyObject *unused) {
  (void)unused;
  return Py_BuildValue("(O(O))", Py_TYPE(self), ((device_object *)self)->name);
}

static PyObject *format(PyObject *self, PyObject *spec) {
  return PyObject_Format(((device_object *)self)->name, spec);
}

static PyMethodDef methods[] = {
    {"torch", to_torch, METH_NOARGS, DOC_Device_torch},
    {"__dlpack_device__", pair, METH_NOARGS, DOC_Device___dlpack_device__},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__format__", format, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

/* ---- The type ---- */

static PyType_Slot slots[] = {{Py_tp_doc, (void *)(uintptr_t)DOC_Device},
                              {Py_tp_new, device_new},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hash},
                              {Py_tp_str, str},
                              {Py_tp_repr, repr},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {Py_sq_length, length},
                              {Py_sq_item, item},
                              {0, NULL}};

static PyType_Spec spec = {.name = "dlferry.Device",
                           .basicsize = sizeof(device_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

bool hub_add_devices(PyObject *module) {
  device_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
  if (device_type) {
    cpu = make((DLDevice){kDLCPU, 0});
  } else {
    cpu = NULL;
  }
  return cpu && !PyModule_AddObjectRef(module, "Device", (PyObject *)device_type);
}
