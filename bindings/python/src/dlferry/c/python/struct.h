/* SPDX-License-Identifier: Apache-2.0 */
/* Objects with the fields of a C struct, for packages made by dlferry-bind. */
#ifndef DLFERRY_PYTHON_STRUCT_H
#define DLFERRY_PYTHON_STRUCT_H

#include "object.h"

/** An object with fields in the layout of the generated C. */
typedef struct dlfpy_struct {
  PyObject_HEAD void *fields; /**< `own`, or within `whole` */
  PyObject *whole;            /**< the object that has the memory of the fields, or NULL */
  uint64_t own[];             /**< such that any field is aligned */
} dlfpy_struct;

/** The place of the fields. */
static inline void *dlfpy_fields(PyObject *x) {
  return ((dlfpy_struct *)x)->fields;
}

/** Copy the fields of an argument, since it may change during a call; refuse another type. */
static inline bool dlfpy_copy_struct(const char *name, PyObject *x, PyTypeObject *type,
                                     void *fields, size_t size) {
  if (Py_TYPE(x) != type) {
    return dlfpy_wrong_object(name, x, type);
  }
  memcpy(fields, dlfpy_fields(x), size);
  return true;
}

/** Make an object with these fields; NULL with an exception. */
PyObject *dlfpy_new_struct(PyTypeObject *type, const void *fields, size_t size);

/** Make an object of fields that another object has, and keeps. */
PyObject *dlfpy_part(PyTypeObject *type, PyObject *whole, void *fields);

/** Set a field that is a text in memory of so many bytes; -1 with an exception. */
int dlfpy_set_text(const char *name, PyObject *value, char *field, size_t room);

/** Make an object from keywords. `defaults` fills in the fields first. */
PyObject *dlfpy_struct_of(PyTypeObject *type, PyObject *args, PyObject *words,
                          void (*defaults)(void *fields));

/** Return so many items of a sequence as a new tuple, or NULL with an error; value is NULL to
 * delete the field, which is refused. */
PyObject *dlfpy_items(const char *name, PyObject *value, int count);

/** Refuse to delete a field; value is NULL for that. */
bool dlfpy_is_set(const char *name, PyObject *value);

/** Finish a type whose name, doc, tp_new and tp_getset are set, and add it to its module. */
bool dlfpy_struct_type(PyObject *module, const char *name, PyTypeObject *type, size_t size);

#endif
