/* SPDX-License-Identifier: Apache-2.0 */
/* How a type supports DLPack. A type is known by identity, never by its name, which any class may
 * have. Nothing here runs Python code: a metaclass could change the ancestry during the walk, or an
 * earlier argument's borrowed data. */
#include "base.h"

PyTypeObject *dlfpy_own_type;
dlfpy_content (*dlfpy_own_content)(PyObject *x);

const dlfpy_producer dlfpy_plain_array = {.kind = DLFPY_NUMPY};
static const dlfpy_producer own = {.kind = DLFPY_OWN}, capsule = {.kind = DLFPY_CAPSULE},
                            buffer = {.kind = DLFPY_BUFFER};

/* ---- Types of other packages ---- */

/* Tell whether a type is, or derives from, one of another package. */
static bool is_a(PyTypeObject *type, const char *module, const char *name) {
  PyObject *class = dlfpy_imported(module, name);
  const bool is = class && PyType_Check(class) && PyType_IsSubtype(type, (PyTypeObject *)class);
  Py_XDECREF(class);
  return is;
}

static bool is_masked(PyTypeObject *type) {
  return is_a(type, "numpy.ma", "MaskedArray") || is_a(type, "numpy.ma.core", "MaskedArray");
}

static bool is_dlferry(PyTypeObject *type) {
  PyObject *tensor = dlfpy_imported("dlferry._hub", "Tensor");
  Py_XDECREF(tensor);
  return (PyObject *)type == tensor;
}

static bool is_jax(PyTypeObject *type) {
  return is_a(type, "jaxlib._jax", "ArrayImpl") || is_a(type, "jaxlib.xla_extension", "ArrayImpl");
}

static bool is_tensorflow(PyTypeObject *type) {
  return is_a(type, "tensorflow.python.framework.tensor", "Tensor") ||
         is_a(type, "tensorflow.python.framework.ops", "Tensor");
}

/* torch.Tensor is a Python class over a C class, whose structure we read. */
PyTypeObject *dlfpy_torch_type(void) {
  static PyObject *tensor_type;
  PyObject *known = dlfpy_get(&tensor_type);
  if (known) {
    return (PyTypeObject *)known;
  }
  PyObject *found = dlfpy_imported("torch", "Tensor");
  PyTypeObject *base = NULL;
  if (found && PyType_Check(found)) {
    base = DLFPY_SLOT((PyTypeObject *)(void *)found, tp_base);
  }
  if (base && !(PyType_GetFlags(base) & Py_TPFLAGS_HEAPTYPE)) {
    return (PyTypeObject *)(void *)dlfpy_keep(&tensor_type, found);
  }
  Py_XDECREF(found);
  return NULL;
}

/* ---- Attributes of a type ---- */

/* The position in a type's ancestry of the first class with an attribute, and the attribute;
 * PY_SSIZE_T_MAX and NULL for none. */
static Py_ssize_t place_of(PyTypeObject *type, const char *name, PyObject **value) {
  PyObject *mro = dlfpy_mro(type);
  Py_ssize_t place = PY_SSIZE_T_MAX;
  *value = NULL;
  for (Py_ssize_t i = 0; mro && !*value && i < PyTuple_GET_SIZE(mro); i++) {
    *value = dlfpy_own((PyTypeObject *)(void *)PyTuple_GET_ITEM(mro, i), name);
    if (*value) {
      place = i;
    }
  }
  Py_XDECREF(mro);
  return place;
}

static Py_ssize_t place_of_class(PyTypeObject *type, PyTypeObject *class) {
  PyObject *mro = dlfpy_mro(type);
  Py_ssize_t place = PY_SSIZE_T_MAX;
  for (Py_ssize_t i = 0; mro && place == PY_SSIZE_T_MAX && i < PyTuple_GET_SIZE(mro); i++) {
    if (PyTuple_GET_ITEM(mro, i) == (PyObject *)class) {
      place = i;
    }
  }
  Py_XDECREF(mro);
  return place;
}

/* The first table of a chain with our major version: with another one only the header has a known
 * layout. */
static const DLPackExchangeAPI *readable(const DLPackExchangeAPIHeader *header) {
  enum { CHAIN_AT_MOST = 16 }; /* bounds a circular chain */
  if ((uintptr_t)header < 4096 || (uintptr_t)header % _Alignof(DLPackExchangeAPI) != 0) {
    return NULL; /* any number */
  }
  for (int i = 0; header && header->version.major != DLF_DLPACK_MAJOR; i++) {
    if (i < CHAIN_AT_MOST) {
      header = header->prev_api;
    } else {
      header = NULL;
    }
  }
  const DLPackExchangeAPI *api = (const DLPackExchangeAPI *)header;
  if (api && api->managed_tensor_from_py_object_no_sync) {
    return api;
  }
  return NULL;
}

/* A table may be a capsule (torch) or a plain address (older producers), under either name of the
 * attribute. */
static const DLPackExchangeAPI *table_of(PyTypeObject *type, Py_ssize_t *place) {
  static const char *const names[] = {DLF_EXCHANGE_ATTRIBUTE, DLF_EXCHANGE_ATTRIBUTE_OLD};
  const DLPackExchangeAPI *api = NULL;
  for (int i = 0; i < 2 && !api; i++) {
    PyObject *attribute;
    *place = place_of(type, names[i], &attribute);
    if (attribute && PyCapsule_IsValid(attribute, DLF_EXCHANGE_CAPSULE)) {
      api = readable(PyCapsule_GetPointer(attribute, DLF_EXCHANGE_CAPSULE));
    } else if (attribute && PyLong_CheckExact(attribute)) {
      api = readable(PyLong_AsVoidPtr(attribute));
    }
    PyErr_Clear(); /* a number that is not an address */
    Py_XDECREF(attribute);
  }
  return api;
}

/* Whether an object's attributes are those of its type alone. */
static bool has_plain_attributes(PyTypeObject *type) {
  return DLFPY_SLOT(type, tp_getattro) == (void *)(uintptr_t)PyObject_GenericGetAttr &&
         !dlfpy_has_dict(type);
}

static dlfpy_producer decide(PyTypeObject *type) {
  PyObject *export, *device;
  Py_ssize_t table;
  dlfpy_producer it = {.kind = DLFPY_OBJECT};
  const Py_ssize_t exported = place_of(type, "__dlpack__", &export);
  const Py_ssize_t placed = place_of(type, "__dlpack_device__", &device);
  /* A subclass with its own export interprets its data differently from its base. */
  const Py_ssize_t changed = exported < placed ? exported : placed;
  PyTypeObject *ndarray = dlfpy_numpy_type();
  PyTypeObject *torch = dlfpy_torch_type();
  it.api = table_of(type, &table);
  it.torch = torch && PyType_IsSubtype(type, torch);
  it.tensorflow = is_tensorflow(type);
  if (is_jax(type)) {
    it.immutable = "JAX";
  } else if (it.tensorflow) {
    it.immutable = "TensorFlow";
  }
  if (ndarray && PyType_IsSubtype(type, ndarray) && changed >= place_of_class(type, ndarray)) {
    it.kind = DLFPY_NUMPY;
    it.masked = is_masked(type);
  } else if (it.api && changed >= table) {
    it.kind = DLFPY_TABLE;
    it.dlferry = is_dlferry(type);
  } else if (export && export != Py_None) {
    it.kind = DLFPY_PROTOCOL;
    it.regular = device && device != Py_None;
  } else if (DLFPY_SLOT(type, bf_getbuffer) && (export || has_plain_attributes(type))) {
    it.kind = DLFPY_BUFFER;
  }
  Py_XDECREF(export);
  Py_XDECREF(device);
  return it;
}

/* ---- Known producers: never freed, so that calls may keep them while Python code changes types
 * ---- */

typedef struct decision {
  dlfpy_producer producer;
  struct decision *next;
} decision;

/* The shared entry with equal properties. There are few, since by the specification tables live as
 * long as the process.
 * */
static const dlfpy_producer *share(dlfpy_producer it) {
  static decision *all;
  decision *first = dlfpy_get(&all);
  for (decision *d = first; d; d = d->next) {
    const dlfpy_producer p = d->producer;
    if (p.kind == it.kind && p.torch == it.torch && p.masked == it.masked &&
        p.dlferry == it.dlferry && p.tensorflow == it.tensorflow && p.regular == it.regular &&
        p.immutable == it.immutable && p.api == it.api) {
      return &d->producer;
    }
  }
  decision *made = PyMem_RawMalloc(sizeof *made);
  if (!made) {
    return NULL;
  }
  *made = (decision){it, first};
  dlfpy_set(&all, made); /* of two threads that add at once, one entry is only not shared */
  return &made->producer;
}

/* A program that makes endless classes fills the cache, after which new types are examined at each
 * use. */
static dlfpy_cache types;

/* A type has no version until it is asked for one. */
static unsigned new_version(PyTypeObject *type) {
#ifdef Py_LIMITED_API
#elif PY_VERSION_HEX >= 0x030C0000
  (void)PyUnstable_Type_AssignVersionTag(type);
#else
  static PyObject *name;
  if (dlfpy_interned(&name, "__dlpack__")) {
    (void)_PyType_Lookup(type, name);
  }
#endif
  return dlfpy_version(type);
}

static const dlfpy_producer *classify(PyTypeObject *type) {
  const unsigned version =
      new_version(type); /* before the examination, during which the type may change */
  const dlfpy_producer *producer = share(decide(type));
  bool first;
  if (!producer) {
    return &buffer; /* no memory: refused unless it is a buffer */
  }
  if (dlfpy_cache_keep(&types, type, version, producer, &first) && first) {
    Py_INCREF((PyObject *)type);
  }
  return producer;
}

dlfpy_place dlfpy_place_of(PyObject *x) {
  return (dlfpy_place)dlfpy_cache_note(&types, Py_TYPE(x), dlfpy_version(Py_TYPE(x)));
}

void dlfpy_remember_place(PyObject *x, dlfpy_place place) {
  dlfpy_cache_raise_note(&types, Py_TYPE(x), dlfpy_version(Py_TYPE(x)), (unsigned)place);
}

const dlfpy_producer *dlfpy_producer_of_type(PyTypeObject *type) {
  if (type == dlfpy_get(&dlfpy_ndarray)) {
    return &dlfpy_plain_array;
  }
  if (type == dlfpy_own_type) {
    return &own;
  }
  if (type == &PyCapsule_Type) {
    return &capsule;
  }
  const dlfpy_producer *known = dlfpy_cache_find(&types, type, dlfpy_version(type));
  if (known) {
    return known;
  }
  return classify(type);
}

const dlfpy_producer *dlfpy_producer_of(PyObject *x) {
  return dlfpy_producer_of_type(Py_TYPE(x));
}
