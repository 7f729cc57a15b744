/* SPDX-License-Identifier: Apache-2.0 */
/* How a type supports DLPack. A type is known by identity, never by its name, which any class may have. Nothing here
 * runs Python code: a metaclass could change the ancestry during the walk, or an earlier argument's borrowed data. */
#include "producer.h"

#include "numpy.h"
#include "type.h"

PyTypeObject *dlfpy_own_type;
dlfpy_content (*dlfpy_own_content)(PyObject *x);

const dlfpy_producer dlfpy_plain_array = {.kind = DLFPY_NUMPY};
static const dlfpy_producer own = {.kind = DLFPY_OWN}, capsule = {.kind = DLFPY_CAPSULE},
                            buffer = {.kind = DLFPY_BUFFER};

/* ---- Types of other packages ---- */

/* Tell whether a type is, or derives from, one of another package. */
static bool is_a(PyTypeObject *type, const char *module, const char *name) {
  PyObject *class = dlfpy_imported(module, name);
  return class && PyType_Check(class) && PyType_IsSubtype(type, (PyTypeObject *)class);
}

static bool is_masked(PyTypeObject *type) {
  return is_a(type, "numpy.ma", "MaskedArray") || is_a(type, "numpy.ma.core", "MaskedArray");
}

static bool is_dlferry(PyTypeObject *type) { return (PyObject *)type == dlfpy_imported("dlferry._hub", "Tensor"); }

static bool is_jax(PyTypeObject *type) {
  return is_a(type, "jaxlib._jax", "ArrayImpl") || is_a(type, "jaxlib.xla_extension", "ArrayImpl");
}

static bool is_tensorflow(PyTypeObject *type) {
  return is_a(type, "tensorflow.python.framework.tensor", "Tensor") ||
         is_a(type, "tensorflow.python.framework.ops", "Tensor");
}

/* torch.Tensor is a Python class over a C class, whose structure we read. */
PyTypeObject *dlfpy_torch_type(void) {
  static PyTypeObject *tensor_type;
  if (tensor_type) return tensor_type;
  PyTypeObject *type = (PyTypeObject *)dlfpy_imported("torch", "Tensor");
  if (!type || !PyType_Check(type) || !type->tp_base || (type->tp_base->tp_flags & Py_TPFLAGS_HEAPTYPE)) return NULL;
  return tensor_type = (PyTypeObject *)Py_NewRef(type);
}

/* ---- Attributes of a type ---- */

static PyObject *dict_of(PyTypeObject *type) {
#if PY_VERSION_HEX >= 0x030C0000
  return PyType_GetDict(type);
#else
  return Py_XNewRef(type->tp_dict);
#endif
}

/* The position in a type's ancestry of the first class with an attribute, which is borrowed; PY_SSIZE_T_MAX for none.
 * */
static Py_ssize_t place_of(PyTypeObject *type, const char *name, PyObject **value) {
  PyObject *mro = Py_XNewRef(type->tp_mro);
  Py_ssize_t place = PY_SSIZE_T_MAX;
  *value = NULL;
  for (Py_ssize_t i = 0; mro && !*value && i < PyTuple_GET_SIZE(mro); i++) {
    PyObject *dict = dict_of((PyTypeObject *)PyTuple_GET_ITEM(mro, i));
    *value = dict ? PyDict_GetItemString(dict, name) : NULL;
    if (*value) place = i;
    Py_XDECREF(dict);
  }
  Py_XDECREF(mro);
  return place;
}

static Py_ssize_t place_of_class(PyTypeObject *type, PyTypeObject *class) {
  PyObject *mro = type->tp_mro;
  for (Py_ssize_t i = 0; mro && i < PyTuple_GET_SIZE(mro); i++)
    if (PyTuple_GET_ITEM(mro, i) == (PyObject *)class) return i;
  return PY_SSIZE_T_MAX;
}

/* The first table of a chain with our major version: with another one only the header has a known layout. */
static const DLPackExchangeAPI *readable(const DLPackExchangeAPIHeader *header) {
  enum { CHAIN_AT_MOST = 16 }; /* bounds a circular chain */
  for (int i = 0; header && header->version.major != DLF_DLPACK_MAJOR; i++)
    header = i < CHAIN_AT_MOST ? header->prev_api : NULL;
  const DLPackExchangeAPI *api = (const DLPackExchangeAPI *)header;
  return api && api->managed_tensor_from_py_object_no_sync ? api : NULL;
}

/* A table may be a capsule (torch) or a plain address (older producers), under either name of the attribute. */
static const DLPackExchangeAPI *table_of(PyTypeObject *type, Py_ssize_t *place) {
  static const char *const names[] = {DLF_EXCHANGE_ATTRIBUTE, DLF_EXCHANGE_ATTRIBUTE_OLD};
  const DLPackExchangeAPI *api = NULL;
  for (int i = 0; i < 2 && !api; i++) {
    PyObject *attribute;
    *place = place_of(type, names[i], &attribute);
    if (attribute && PyCapsule_IsValid(attribute, DLF_EXCHANGE_CAPSULE))
      api = readable(PyCapsule_GetPointer(attribute, DLF_EXCHANGE_CAPSULE));
    else if (attribute && PyLong_CheckExact(attribute))
      api = readable(PyLong_AsVoidPtr(attribute));
    PyErr_Clear(); /* a number that is not an address */
  }
  return api;
}

/* Whether an object's attributes are those of its type alone. */
static bool has_plain_attributes(const PyTypeObject *type) {
  bool dict = type->tp_dictoffset != 0;
#ifdef Py_TPFLAGS_MANAGED_DICT
  dict = dict || (type->tp_flags & Py_TPFLAGS_MANAGED_DICT);
#endif
  return type->tp_getattro == PyObject_GenericGetAttr && !dict;
}

static dlfpy_producer decide(PyTypeObject *type) {
  PyObject *export, *device;
  Py_ssize_t table;
  dlfpy_producer it = {.kind = DLFPY_OBJECT};
  const Py_ssize_t exported = place_of(type, "__dlpack__", &export),
                   placed = place_of(type, "__dlpack_device__", &device);
  /* A subclass with its own export interprets its data differently from its base. */
  const Py_ssize_t changed = exported < placed ? exported : placed;
  PyTypeObject *ndarray = dlfpy_numpy_type();
  it.api = table_of(type, &table);
  it.tensorflow = is_tensorflow(type);
  it.immutable = is_jax(type) ? "JAX" : it.tensorflow ? "TensorFlow" : NULL;
  if (ndarray && PyType_IsSubtype(type, ndarray) && changed >= place_of_class(type, ndarray)) {
    it.kind = DLFPY_NUMPY;
    it.masked = is_masked(type);
  } else if (it.api && changed >= table) {
    PyTypeObject *torch = dlfpy_torch_type();
    it.kind = DLFPY_TABLE;
    it.torch = torch && PyType_IsSubtype(type, torch);
    it.dlferry = is_dlferry(type);
  } else if (export && export != Py_None) {
    it.kind = DLFPY_PROTOCOL;
    it.regular = device && device != Py_None;
  } else if (type->tp_as_buffer && type->tp_as_buffer->bf_getbuffer && (export || has_plain_attributes(type)))
    it.kind = DLFPY_BUFFER;
  return it;
}

/* ---- Known producers: never freed, so that calls may keep them while Python code changes types ---- */

typedef struct decision {
  dlfpy_producer producer;
  struct decision *next;
} decision;

/* The shared entry with equal properties. There are few, since by the specification tables live as long as the process.
 * */
static const dlfpy_producer *share(dlfpy_producer it) {
  static decision *all;
  for (decision *d = all; d; d = d->next) {
    const dlfpy_producer p = d->producer;
    if (p.kind == it.kind && p.torch == it.torch && p.masked == it.masked && p.dlferry == it.dlferry &&
        p.tensorflow == it.tensorflow && p.regular == it.regular && p.immutable == it.immutable && p.api == it.api)
      return &d->producer;
  }
  decision *made = PyMem_RawMalloc(sizeof *made);
  if (!made) return NULL;
  *made = (decision){it, all};
  all = made;
  return &made->producer;
}

/* Types by address. Entries are never removed; a program that makes endless classes fills the table, after which new
 * types are examined at each use. */
enum { SLOTS = 256, CAPACITY = 128 };
static struct entry {
  dlfpy_type of;
  const dlfpy_producer *producer;
  dlfpy_place place;
} cache[SLOTS];

static inline struct entry *entry_of(const PyTypeObject *type) {
  uintptr_t i = ((uintptr_t)type >> 4) % SLOTS;
  while (cache[i].of.type && cache[i].of.type != type) i = (i + 1) % SLOTS;
  return &cache[i];
}

/* A type has no version until it is asked for one. */
static unsigned new_version(PyTypeObject *type) {
#if PY_VERSION_HEX >= 0x030C0000
  (void)PyUnstable_Type_AssignVersionTag(type);
#else
  static PyObject *name;
  if (!name) name = PyUnicode_InternFromString("__dlpack__");
  if (name) (void)_PyType_Lookup(type, name);
#endif
  return dlfpy_version(type);
}

static const dlfpy_producer *classify(PyTypeObject *type) {
  static int count;
  const unsigned version = new_version(type);
  const dlfpy_producer *producer = share(decide(type));
  if (!producer) return &buffer; /* no memory: refused unless it is a buffer */
  struct entry *entry = entry_of(type);
  if (!version || (!entry->of.type && count == CAPACITY)) return producer;
  count += !entry->of.type;
  if (!entry->of.type) entry->of.type = (PyTypeObject *)Py_NewRef(type);
  entry->of.version = version;
  entry->producer = producer;
  entry->place = DLFPY_UNKNOWN;
  return producer;
}

/* The entry of a type in its present version, or NULL. */
static inline struct entry *known(const PyTypeObject *type) {
  struct entry *entry = entry_of(type);
  const unsigned version = dlfpy_version(type);
  return version && entry->of.type && entry->of.version == version ? entry : NULL;
}

dlfpy_place dlfpy_place_of(PyObject *x) {
  const struct entry *entry = known(Py_TYPE(x));
  return entry ? entry->place : DLFPY_UNKNOWN;
}

void dlfpy_remember_place(PyObject *x, dlfpy_place place) {
  struct entry *entry = known(Py_TYPE(x));
  if (entry && entry->place != DLFPY_ANYWHERE) entry->place = place;
}

const dlfpy_producer *dlfpy_producer_of_type(PyTypeObject *type) {
  if (type == dlfpy_ndarray) return &dlfpy_plain_array;
  if (type == dlfpy_own_type) return &own;
  if (type == &PyCapsule_Type) return &capsule;
  const struct entry *entry = known(type);
  return entry ? entry->producer : classify(type);
}

const dlfpy_producer *dlfpy_producer_of(PyObject *x) { return dlfpy_producer_of_type(Py_TYPE(x)); }
