/* SPDX-License-Identifier: Apache-2.0 */
/* Objects with the fields of a C struct. */
#include "struct.h"
#include <string.h>

#ifndef Py_LIMITED_API /* generated packages have static types, whose structure the limited API    \
                          hides */

/* An object with memory for fields of its own. */
static PyObject *allocate(PyTypeObject *type) {
  PyObject *x = type->tp_alloc(type, 0);
  if (x) {
    ((dlfpy_struct *)x)->fields = ((dlfpy_struct *)x)->own;
  }
  return x;
}

static void deallocate(PyObject *x) {
  Py_XDECREF(((dlfpy_struct *)x)->whole);
  Py_TYPE(x)->tp_free(x);
}

PyObject *dlfpy_new_struct(PyTypeObject *type, const void *fields, size_t size) {
  PyObject *x = allocate(type);
  if (x) {
    memcpy(dlfpy_fields(x), fields, size);
  }
  return x;
}

PyObject *dlfpy_part(PyTypeObject *type, PyObject *whole, void *fields) {
  PyObject *x = allocate(type);
  if (x) {
    ((dlfpy_struct *)x)->fields = fields;
    ((dlfpy_struct *)x)->whole = Py_NewRef(whole);
  }
  return x;
}

int dlfpy_set_text(const char *name, PyObject *value, char *field, size_t room) {
  const char *text = NULL;
  if (!dlfpy_is_set(name, value) || !dlfpy_string(name, value, &text)) {
    return -1;
  }
  const size_t length = strlen(text);
  if (length >= room) {
    PyErr_Format(PyExc_ValueError,
                 "%s: expected a text of at most %zu bytes, got %zu",
                 name,
                 room - 1,
                 length);
    return -1;
  }
  memset(field, 0, room);
  memcpy(field, text, length);
  return 0;
}

bool dlfpy_is_set(const char *name, PyObject *value) {
  if (!value) {
    PyErr_Format(PyExc_AttributeError, "%s cannot be deleted", name);
  }
  return value != NULL;
}

static const char *short_name(const PyTypeObject *type) {
  const char *dot = strrchr(type->tp_name, '.');
  return dot ? dot + 1 : type->tp_name;
}

static bool has_field(const PyTypeObject *type, PyObject *name) {
  for (const PyGetSetDef *field = type->tp_getset; field->name; field++) {
    if (PyUnicode_CompareWithASCIIString(name, field->name) == 0) {
      return true;
    }
  }
  return false;
}

/* Set the fields that keywords name. */
static bool set_fields(PyObject *x, PyObject *words) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  while (words && PyDict_Next(words, &at, &name, &value)) {
    if (!has_field(Py_TYPE(x), name)) {
      PyErr_Format(PyExc_TypeError,
                   "%s() got an unexpected keyword argument '%U'",
                   short_name(Py_TYPE(x)),
                   name);
      return false;
    }
    if (PyObject_SetAttr(x, name, value) < 0) {
      return false;
    }
  }
  return true;
}

PyObject *dlfpy_struct_of(PyTypeObject *type, PyObject *args, PyObject *words,
                          void (*defaults)(void *fields)) {
  if (PyTuple_GET_SIZE(args) > 0) {
    return PyErr_Format(PyExc_TypeError, "%s() takes its fields as keywords", short_name(type));
  }
  PyObject *x = allocate(type);
  if (!x) {
    return NULL;
  }
  defaults(dlfpy_fields(x));
  if (!set_fields(x, words)) {
    Py_CLEAR(x);
  }
  return x;
}

/* A dict of all fields. */
static PyObject *fields_of(PyObject *x) {
  PyObject *all = PyDict_New();
  for (const PyGetSetDef *field = Py_TYPE(x)->tp_getset; all && field->name; field++) {
    PyObject *value = field->get(x, field->closure);
    if (!value || PyDict_SetItemString(all, field->name, value) < 0) {
      Py_CLEAR(all);
    }
    Py_XDECREF(value);
  }
  return all;
}

/* "Format(gain=1.0, rate=44100)" */
static PyObject *repr(PyObject *x) {
  PyObject *text = PyUnicode_FromFormat("%s(", short_name(Py_TYPE(x)));
  for (const PyGetSetDef *field = Py_TYPE(x)->tp_getset; text && field->name; field++) {
    PyObject *value = field->get(x, field->closure);
    PyObject *part = NULL;
    if (value) {
      const char *between = field == Py_TYPE(x)->tp_getset ? "" : ", ";
      part = PyUnicode_FromFormat("%s%s=%R", between, field->name, value);
      Py_DECREF(value);
    }
    PyUnicode_AppendAndDel(&text, part);
  }
  PyUnicode_AppendAndDel(&text, text ? PyUnicode_FromString(")") : NULL);
  return text;
}

static PyObject *compare(PyObject *x, PyObject *other, int how) {
  if (Py_TYPE(x) != Py_TYPE(other) || (how != Py_EQ && how != Py_NE)) {
    Py_RETURN_NOTIMPLEMENTED;
  }
  PyObject *ours = fields_of(x);
  PyObject *theirs = ours ? fields_of(other) : NULL;
  PyObject *answer = theirs ? PyObject_RichCompare(ours, theirs, how) : NULL;
  Py_XDECREF(ours);
  Py_XDECREF(theirs);
  return answer;
}

/* For copy and pickle. */
static PyObject *reduce(PyObject *x, PyObject *Py_UNUSED(unused)) {
  PyObject *copyreg = PyImport_ImportModule("copyreg");
  PyObject *make = copyreg ? PyObject_GetAttrString(copyreg, "__newobj_ex__") : NULL;
  PyObject *fields = make ? fields_of(x) : NULL;
  Py_XDECREF(copyreg);
  if (!fields) {
    Py_XDECREF(make);
    return NULL;
  }
  return Py_BuildValue("N(O()N)", make, (PyObject *)Py_TYPE(x), fields);
}

static PyMethodDef methods[] = {{"__reduce__", reduce, METH_NOARGS, NULL}, {NULL, NULL, 0, NULL}};

bool dlfpy_struct_type(PyObject *module, const char *name, PyTypeObject *type, size_t size) {
  type->tp_basicsize = (Py_ssize_t)(sizeof(dlfpy_struct) + size);
  type->tp_dealloc = deallocate;
  type->tp_flags = Py_TPFLAGS_DEFAULT;
  type->tp_methods = methods;
  type->tp_repr = repr;
  type->tp_richcompare = compare;
  type->tp_hash = PyObject_HashNotImplemented;
  return PyType_Ready(type) == 0 && PyModule_AddObjectRef(module, name, (PyObject *)type) == 0;
}

PyObject *dlfpy_items(const char *name, PyObject *value, int count) {
  if (!dlfpy_is_set(name, value)) {
    return NULL;
  }
  if (!PySequence_Check(value)) {
    (void)dlfpy_wrong_type(name, "a sequence of numbers", value);
    return NULL;
  }
  PyObject *all = PySequence_Tuple(value);
  if (all && PyTuple_Size(all) != count) {
    PyErr_Format(
        PyExc_ValueError, "%s: expected %d numbers, got %zd", name, count, PyTuple_Size(all));
    Py_CLEAR(all);
  }
  return all;
}

#endif
