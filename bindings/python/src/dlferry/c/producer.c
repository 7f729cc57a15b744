/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <string.h>

PyTypeObject *dlfpy_own_type;
dlf_tensor *(*dlfpy_own_handle)(PyObject *x);
dlfpy_producer dlfpy_ndarray;

/* Types with a fast way in, found by address. Entries are never removed, so that pointers to them stay; a program that
 * makes classes without end fills the table, after which new ones take the slower __dlpack__. */
enum { SLOTS = 256, CAPACITY = 128 };
static dlfpy_producer cache[SLOTS];
static int cached;

static const dlfpy_producer own = {.kind = DLFPY_HANDLE};
static const dlfpy_producer protocol = {.kind = DLFPY_PROTOCOL};
static const dlfpy_producer capsule = {.kind = DLFPY_CAPSULE};
static const dlfpy_producer buffer = {.kind = DLFPY_BUFFER};
static const dlfpy_producer unknown = {.kind = DLFPY_UNKNOWN};

static inline dlfpy_producer *slot_of(const PyTypeObject *type) {
  uintptr_t i = ((uintptr_t)type >> 4) % SLOTS;
  while (cache[i].type && cache[i].type != type) i = (i + 1) % SLOTS;
  return &cache[i];
}

/* The class of a type's ancestry with this module and name, or NULL. */
static PyTypeObject *ancestor(PyTypeObject *type, const char *module, const char *name) {
  PyObject *mro = type->tp_mro;
  for (Py_ssize_t i = 0; mro && i < PyTuple_GET_SIZE(mro); i++) {
    PyTypeObject *class = (PyTypeObject *)PyTuple_GET_ITEM(mro, i);
    const char *dot = strrchr(class->tp_name, '.');
    if (strcmp(dot ? dot + 1 : class->tp_name, name) != 0) continue;
    PyObject *from = PyObject_GetAttrString((PyObject *)class, "__module__");
    const char *text = from && PyUnicode_Check(from) ? PyUnicode_AsUTF8(from) : NULL;
    const bool found = text && strcmp(text, module) == 0;
    Py_XDECREF(from);
    PyErr_Clear();
    if (found) return class;
  }
  return NULL;
}

/* A table may be a capsule (torch) or a plain address (older producers), under either name of the attribute. */
static const DLPackExchangeAPI *table_of(PyTypeObject *type) {
  static const char *const names[] = {"__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"};
  for (int i = 0; i < 2; i++) {
    const DLPackExchangeAPIHeader *header = NULL;
    PyObject *attribute = PyObject_GetAttrString((PyObject *)type, names[i]);
    if (attribute && PyCapsule_CheckExact(attribute))
      header = PyCapsule_GetPointer(attribute, "dlpack_exchange_api");
    else if (attribute && PyLong_CheckExact(attribute))
      header = PyLong_AsVoidPtr(attribute);
    Py_XDECREF(attribute);
    PyErr_Clear();
    /* Nothing behind the header has a known place under another major version. */
    while (header && header->version.major != DLF_DLPACK_MAJOR) header = header->prev_api;
    if (header) return (const DLPackExchangeAPI *)header;
  }
  return NULL;
}

/* A subclass with its own __dlpack__ means something else by its data than its base does. */
static bool exports_like(PyTypeObject *type, PyTypeObject *base) {
  if (type == base) return true;
  PyObject *own_method = PyObject_GetAttrString((PyObject *)type, "__dlpack__");
  PyObject *base_method = PyObject_GetAttrString((PyObject *)base, "__dlpack__");
  const bool same = own_method && own_method == base_method;
  Py_XDECREF(own_method);
  Py_XDECREF(base_method);
  PyErr_Clear();
  return same;
}

static const dlfpy_producer *remember(dlfpy_producer found) {
  /* Of torch's types, which have one table, those without a place share an entry: __dlpack__ would export lazily negated
   * elements as they are not. */
  static dlfpy_producer torch;
  if (cached == CAPACITY) {
    if (found.torch && !torch.api) torch = (dlfpy_producer){.kind = DLFPY_TABLE, .torch = true, .api = found.api};
    return found.torch && found.api == torch.api ? &torch : &protocol;
  }
  dlfpy_producer *slot = slot_of(found.type);
  Py_INCREF(found.type);
  *slot = found;
  cached++;
  return slot;
}

static const dlfpy_producer *classify(PyObject *x) {
  PyTypeObject *type = Py_TYPE(x);
  if (PyCapsule_CheckExact(x)) return &capsule;
  PyTypeObject *ndarray = ancestor(type, "numpy", "ndarray");
  if (ndarray && exports_like(type, ndarray) && dlfpy_numpy_is_known(x)) {
    const bool masked = ancestor(type, "numpy.ma", "MaskedArray") || ancestor(type, "numpy.ma.core", "MaskedArray");
    const dlfpy_producer *found = remember((dlfpy_producer){.type = type, .kind = DLFPY_NUMPY, .masked = masked});
    if (type == ndarray && found->kind == DLFPY_NUMPY) dlfpy_ndarray = *found;
    return found;
  }
  const DLPackExchangeAPI *api = table_of(type);
  if (api && api->managed_tensor_from_py_object_no_sync)
    return remember((dlfpy_producer){.type = type,
                                     .kind = DLFPY_TABLE,
                                     .torch = ancestor(type, "torch", "Tensor") != NULL,
                                     .dlferry = ancestor(type, "dlferry", "Tensor") != NULL,
                                     .api = api});
  PyObject *method = PyObject_GetAttrString((PyObject *)type, "__dlpack__");
  PyErr_Clear();
  Py_XDECREF(method);
  if (method) return &protocol;
  return PyObject_CheckBuffer(x) ? &buffer : &unknown;
}

const dlfpy_producer *dlfpy_producer_of(PyObject *x) {
  PyTypeObject *type = Py_TYPE(x);
  const dlfpy_producer *slot = slot_of(type);
  if (slot->type) return slot;
  if (dlfpy_own_type && PyType_IsSubtype(type, dlfpy_own_type)) return &own;
  return classify(x);
}

bool dlfpy_is_from(PyObject *x, const char *package) {
  PyObject *mro = Py_TYPE(x)->tp_mro;
  bool found = false;
  for (Py_ssize_t i = 0; mro && !found && i < PyTuple_GET_SIZE(mro); i++) {
    PyObject *from = PyObject_GetAttrString(PyTuple_GET_ITEM(mro, i), "__module__");
    const char *text = from && PyUnicode_Check(from) ? PyUnicode_AsUTF8(from) : NULL;
    found = text && strncmp(text, package, strlen(package)) == 0;
    Py_XDECREF(from);
    PyErr_Clear();
  }
  return found;
}

const char *dlfpy_immutable(PyObject *x) {
  return dlfpy_is_from(x, "jax") ? "JAX" : dlfpy_is_from(x, "tensorflow") ? "TensorFlow" : NULL;
}
