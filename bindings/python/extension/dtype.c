/* SPDX-License-Identifier: Apache-2.0 */
/* The type dlferry.dtype. Its objects never change. Each usual dtype has one object, made at
 * import, so that asking a tensor's dtype allocates nothing. */
#include "hub.h"

#include <stdlib.h>

typedef struct dtype_object {
  hub_named named;
  DLDataType value;
} dtype_object;

static PyTypeObject *dtype_type;

/* ---- Making one ---- */

/* Names of the module: the array API's, then those that ml_dtypes, torch and JAX have. add_small
 * adds the reals of one width. */
static const char *const usual_names[] = {
    "bool",     "int8",      "int16",   "int32",   "int64",     "uint8",      "uint16",
    "uint32",   "uint64",    "float32", "float64", "complex64", "complex128", "float16",
    "bfloat16", "complex32", "int2",    "int4",    "uint2",     "uint4",
};
enum { USUAL_COUNT = sizeof usual_names / sizeof *usual_names, CODES = 32, WIDTHS = 24 };

/* By code and width: 1 to 7 bits, then 1 to 16 bytes. Filled at import, then only read. */
static dtype_object *objects[CODES][WIDTHS];

static dtype_object **place_of(DLDataType value) {
  int width;
  if (value.bits < 8) {
    width = value.bits;
  } else if (value.bits % 8) {
    width = WIDTHS;
  } else {
    width = 7 + value.bits / 8;
  }
  if (value.code < CODES && width < WIDTHS && value.lanes == 1) {
    return &objects[value.code][width];
  }
  return NULL;
}

bool hub_dtype_is_named(DLDataType value) {
  dtype_object **place = place_of(value);
  return place && *place;
}

static PyObject *make(DLDataType value) {
  char name[DLF_NAME_CAPACITY];
  dtype_object *self = PyObject_New(dtype_object, dtype_type);
  if (!self) {
    return NULL;
  }
  dlf_dtype_format(value, name, sizeof name);
  self->value = value;
  self->named.name = PyUnicode_InternFromString(name);
  if (!self->named.name) {
    Py_CLEAR(self);
  }
  return (PyObject *)self;
}

PyObject *hub_dtype_new(DLDataType value) {
  dtype_object **place = place_of(value);
  if (place && *place) {
    return Py_NewRef((PyObject *)*place);
  }
  return make(value);
}

static DLDataType value_of(PyObject *x) {
  return ((dtype_object *)x)->value;
}

/* ---- Reading one ---- */

/* NumPy's meaning of a typestring such as "i8" or "<f4", whose numbers are bytes; false for
 * anything else. */
static bool numpy_dtype(const char *text, DLDataType *out) {
  static const char letters[] = "iufcb";
  static const uint8_t codes[] = {kDLInt, kDLUInt, kDLFloat, kDLComplex, kDLBool};
  if (*text && strchr("<>=|", *text)) {
    text++;
  }
  const char *letter = NULL;
  if (*text) {
    letter = strchr(letters, *text);
  }
  if (!letter || text[1] < '1' || text[1] > '9') {
    return false;
  }
  char *end;
  const long bytes = strtol(text + 1, &end, 10);
  if (*end || bytes > 31 || (*letter == 'b' && bytes != 1)) {
    return false;
  }
  *out = (DLDataType){codes[letter - letters], (uint8_t)(bytes * 8), 1};
  return true;
}

/* Contracts' short names are only for contracts: "i8" is eight bits there and eight bytes in NumPy.
 */
static bool read_name(PyObject *x, const char *name, DLDataType *out) {
  char usual[DLF_NAME_CAPACITY] = "";
  char theirs[DLF_NAME_CAPACITY] = "";
  const char *word;
  DLDataType numpy;
  if (!dlfpy_string(name, x, &word)) {
    return false;
  }
  const bool known = !dlf_dtype_parse(word + (*word && strchr("<>=|", *word)), out, NULL);
  if (known) {
    dlf_dtype_format(*out, usual, sizeof usual);
  }
  if (known && (strcmp(usual, word) == 0 || strncmp(word, "dtype(", 6) == 0)) {
    return true;
  }
  if (numpy_dtype(word, &numpy)) {
    dlf_dtype_format(numpy, theirs, sizeof theirs);
  }
  const bool two = *usual && *theirs && strcmp(usual, theirs) != 0;
  if (!*usual && !*theirs) {
    dlfpy_fail(DLF_DTYPE, "%s: expected a dtype such as float32, got '%.64s'", name, word);
  } else {
    dlfpy_fail(DLF_DTYPE,
               "%s: expected a dtype by its whole name, got '%.64s'; %s%s%s?",
               name,
               word,
               usual,
               two ? " or " : "",
               two || !*usual ? theirs : "");
  }
  return false;
}

/* DLPack's own form: code, bits and lanes. */
static bool read_numbers(PyObject *x, const char *name, DLDataType *out) {
  int code, bits;
  int lanes = 1;
  if (PyArg_ParseTuple(x, "ii|i", &code, &bits, &lanes) && code >= 0 && code <= UINT8_MAX &&
      bits >= 1 && bits <= UINT8_MAX && lanes >= 1 && lanes <= UINT16_MAX) {
    *out = (DLDataType){(uint8_t)code, (uint8_t)bits, (uint16_t)lanes};
    return true;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_DTYPE, "%s: expected a dtype as (code, bits, lanes), got other numbers", name);
  return false;
}

bool hub_read_dtype(PyObject *x, const char *name, DLDataType *out) {
  if (Py_IS_TYPE(x, dtype_type)) {
    *out = value_of(x);
    return true;
  }
  if (PyUnicode_Check(x)) {
    return read_name(x, name, out);
  }
  if (PyTuple_Check(x)) {
    return read_numbers(x, name, out);
  }
  PyObject *plain = dlfpy_frameworks("dtype_name", x, name);
  const bool read = plain && (PyTuple_Check(plain) ? read_numbers(plain, name, out)
                                                   : read_name(plain, name, out));
  Py_XDECREF(plain);
  return read;
}

static PyObject *dtype_new(PyTypeObject *Py_UNUSED(type), PyObject *arguments, PyObject *words) {
  PyObject *x = hub_named_given(arguments, words, "O:dtype");
  DLDataType value;
  if (x && hub_read_dtype(x, "dtype", &value)) {
    return hub_dtype_new(value);
  }
  return NULL;
}

/* ---- Comparison ---- */

static int same(PyObject *a, PyObject *b) {
  DLDataType given;
  if (PyTuple_Check(b)) {
    return 2;
  }
  if (hub_read_dtype(b, "dtype", &given)) {
    return dlf_dtype_equal(value_of(a), given);
  }
  return -1;
}

static PyObject *compare(PyObject *a, PyObject *b, int op) {
  return hub_named_compare(a, b, op, same);
}

/* ---- Text and fields ---- */

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("dlferry.dtype('%U')", hub_name(self));
}

enum { NAME, CODE, BITS, LANES, ITEMSIZE };

static PyObject *get(PyObject *self, void *property) {
  const DLDataType value = value_of(self);
  switch ((uintptr_t)property) {
  case NAME:
    return hub_named_str(self);
  case CODE:
    return PyLong_FromLong(value.code);
  case BITS:
    return PyLong_FromLong(value.bits);
  case LANES:
    return PyLong_FromLong(value.lanes);
  default:
    return PyLong_FromLongLong(dlf_dtype_size(value));
  }
}

static PyObject *get_numpy(PyObject *self, void *Py_UNUSED(unused)) {
  return dlfpy_frameworks("numpy_dtype", hub_name(self), NULL);
}

static PyGetSetDef properties[] = {
    {"name", get, NULL, DOC_dtype_name, (void *)NAME},
    {"code", get, NULL, DOC_dtype_code, (void *)CODE},
    {"bits", get, NULL, DOC_dtype_bits, (void *)BITS},
    {"lanes", get, NULL, DOC_dtype_lanes, (void *)LANES},
    {"itemsize", get, NULL, DOC_dtype_itemsize, (void *)ITEMSIZE},
    {"__numpy_dtype__", get_numpy, NULL, DOC_dtype___numpy_dtype__, NULL},
    {"dtype", get_numpy, NULL, DOC_dtype_dtype, NULL},
    {NULL, NULL, NULL, NULL, NULL}};

/* ---- Methods ---- */

static PyObject *to_numpy(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return get_numpy(self, NULL);
}

static PyObject *to_torch(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return dlfpy_frameworks("torch_dtype", hub_name(self), NULL);
}

static PyObject *dlpack_data_type(PyObject *self, PyObject *Py_UNUSED(unused)) {
  const DLDataType value = value_of(self);
  return Py_BuildValue("(iii)", value.code, value.bits, value.lanes);
}

static PyObject *decode(PyObject *self, PyObject *x) {
  dlf_error error;
  double value;
  const uint64_t bits =
      PyLong_AsUnsignedLongLong(x); /* TypeError for another type, OverflowError beyond 64 bits */
  if (bits == UINT64_MAX && PyErr_Occurred()) {
    return NULL;
  }
  const dlf_status status = dlf_float_decode(value_of(self), bits, &value, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return PyFloat_FromDouble(value);
}

static PyObject *encode(PyObject *self, PyObject *x) {
  dlf_error error;
  uint64_t bits;
  const double value = PyFloat_AsDouble(x);
  if (value == -1 && PyErr_Occurred()) {
    return NULL;
  }
  const dlf_status status = dlf_float_encode(value_of(self), value, &bits, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return PyLong_FromUnsignedLongLong(bits);
}

static PyMethodDef methods[] = {
    {"numpy", to_numpy, METH_NOARGS, DOC_dtype_numpy},
    {"torch", to_torch, METH_NOARGS, DOC_dtype_torch},
    {"decode", decode, METH_O, DOC_dtype_decode},
    {"encode", encode, METH_O, DOC_dtype_encode},
    {"__dlpack_data_type__", dlpack_data_type, METH_NOARGS, DOC_dtype___dlpack_data_type__},
    {"__reduce__", hub_named_reduce, METH_NOARGS, NULL},
    {"__format__", hub_named_format, METH_O, NULL},
    {NULL, NULL, 0, NULL}};

/* ---- The type ---- */

static PyType_Slot slots[] = {{Py_tp_doc, (void *)(uintptr_t)DOC_dtype},
                              {Py_tp_new, dtype_new},
                              {Py_tp_dealloc, hub_named_dealloc},
                              {Py_tp_richcompare, compare},
                              {Py_tp_hash, hub_named_hash},
                              {Py_tp_str, hub_named_str},
                              {Py_tp_repr, repr},
                              {Py_tp_getset, properties},
                              {Py_tp_methods, methods},
                              {0, NULL}};

static PyType_Spec spec = {.name = "dlferry.dtype",
                           .basicsize = sizeof(dtype_object),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
                           .slots = slots};

/* Add a dtype to the module, as one object for as long as the process lives. */
static bool add(PyObject *module, DLDataType value) {
  PyObject *x = make(value);
  *place_of(value) = (dtype_object *)x;
  return x && !PyObject_SetAttr(module, hub_name(x), x);
}

/* Add each dtype that is a code of its own, such as float8_e4m3fn: one width converts. */
static bool add_small(PyObject *module) {
  for (uint8_t code = kDLBool + 1; code < CODES; code++) {
    for (uint8_t bits = 1; bits <= 8; bits++) {
      const DLDataType value = {code, bits, 1};
      double zero;
      if (!dlf_float_decode(value, 0, &zero, NULL) && !add(module, value)) {
        return false;
      }
    }
  }
  return true;
}

bool hub_add_dtypes(PyObject *module) {
  dtype_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
  bool added = dtype_type && !PyModule_AddType(module, dtype_type);
  for (int i = 0; added && i < USUAL_COUNT; i++) {
    DLDataType value;
    dlf_dtype_parse(usual_names[i], &value, NULL);
    added = add(module, value);
  }
  return added && add_small(module);
}
