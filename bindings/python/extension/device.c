/* SPDX-License-Identifier: Apache-2.0 */
/* The type dlferry.Device. Its objects never change. */
#include "hub.h"

typedef struct device_object {
  hub_named named;
  DLDevice value;
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
  self->named.name = PyUnicode_FromString(name);
  if (!self->named.name) {
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

static DLDevice value_of(PyObject *x) {
  return ((device_object *)x)->value;
}

bool hub_read_device(PyObject *x, const char *name, DLDevice *out) {
  if (!Py_IS_TYPE(x, device_type)) {
    return dlfpy_device(x, name, out);
  }
  *out = value_of(x);
  return true;
}

static PyObject *device_new(PyTypeObject *Py_UNUSED(type), PyObject *arguments, PyObject *words) {
  PyObject *x = hub_named_given(arguments, words, "O:Device");
  DLDevice value;
  if (x && hub_read_device(x, "Device", &value)) {
    return hub_device_new(value);
  }
  return NULL;
}

/* ---- Comparison ---- */

static int same(PyObject *a, PyObject *b) {
  DLDevice given;
  if (hub_read_device(b, "Device", &given)) {
    return dlf_device_equal(value_of(a), usual(given));
  }
  return -1;
}

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  return hub_named_compare(a, b, op, same);
}

/* ---- Text and fields ---- */

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("dlferry.Device('%U')", hub_name(self));
}

enum { TYPE, ID, CODE, IS_CPU_ACCESSIBLE };

static PyObject *get(PyObject *self, void *property) {
  const DLDevice value = value_of(self);
  char name[DLF_NAME_CAPACITY];
  switch ((uintptr_t)property) {
  case ID:
    return PyLong_FromLong(value.device_id);
  case CODE:
    return PyLong_FromLong(value.device_type);
  case IS_CPU_ACCESSIBLE:
    return PyBool_FromLong(dlf_is_cpu_accessible(value));
  default:
    dlf_device_format(value, name, sizeof name);
    return PyUnicode_FromStringAndSize(name, (Py_ssize_t)strcspn(name, ":"));
  }
}

static PyGetSetDef properties[] = {
    {"type", get, NULL, DOC_Device_type, (void *)TYPE},
    {"id", get, NULL, DOC_Device_id, (void *)ID},
    {"code", get, NULL, DOC_Device_code, (void *)CODE},
    {"is_cpu_accessible", get, NULL, DOC_Device_is_cpu_accessible, (void *)IS_CPU_ACCESSIBLE},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- DLPack's pair: tuple(d), and the form that consumers and producers ask for ---- */

static Py_ssize_t length(PyObject *Py_UNUSED(self)) {
  return 2;
}

static PyObject *item(PyObject *self, Py_ssize_t i) {
  if (i == 0) {
    return get(self, (void *)CODE);
  }
  if (i == 1) {
    return get(self, (void *)ID);
  }
  PyErr_SetString(PyExc_IndexError, "Device: expected index 0 or 1");
  return NULL;
}

static PyObject *pair(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return Py_BuildValue("(ii)", (int)value_of(self).device_type, value_of(self).device_id);
}

/* ---- Methods ---- */

static PyObject *to_torch(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return dlfpy_frameworks("torch_device", hub_name(self), NULL);
}

static PyMethodDef methods[] = {
    {"torch", to_torch, METH_NOARGS, DOC_Device_torch},
    {"__dlpack_device__", pair, METH_NOARGS, DOC_Device___dlpack_device__},
    {"__reduce__", hub_named_reduce, METH_NOARGS, NULL},
    {"__format__", hub_named_format, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

/* ---- The type ---- */

static PyType_Slot slots[] = {{Py_tp_doc, (void *)(uintptr_t)DOC_Device},
                              {Py_tp_new, device_new},
                              {Py_tp_dealloc, hub_named_dealloc},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hub_named_hash},
                              {Py_tp_str, hub_named_str},
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
  }
  return cpu && !PyModule_AddType(module, device_type);
}
