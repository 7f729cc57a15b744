/* SPDX-License-Identifier: Apache-2.0 */
#include "base.h"

static PyObject *names_of(int which, Py_ssize_t count) {
  PyObject *tuple = PyTuple_New(count);
  Py_ssize_t at = 0;
  for (int i = 0; tuple && i < DLFPY_KEYWORDS; i++) {
    if (!(which & 1 << i)) {
      continue;
    }
    PyObject *word = PyUnicode_InternFromString(dlfpy_keywords[i]);
    if (word) {
      PyTuple_SET_ITEM(tuple, at++, word);
    } else {
      Py_CLEAR(tuple);
    }
  }
  return tuple;
}

/* Call __dlpack__ with the keywords that are not NULL; tuples made once hold their names. */
static PyObject *call_with(PyObject *method, PyObject *const *values, int which) {
  static PyObject *names[1 << DLFPY_KEYWORDS];
  PyObject *given[DLFPY_KEYWORDS];
  Py_ssize_t count = 0;
  for (int i = 0; i < DLFPY_KEYWORDS; i++) {
    if (which & 1 << i) {
      given[count++] = values[i];
    }
  }
  PyObject *kept = dlfpy_get(&names[which]);
  if (!kept) {
    kept = dlfpy_keep(&names[which], names_of(which, count));
  }
  if (!kept) {
    return NULL;
  }
  return PyObject_Vectorcall(method, given, 0, count ? kept : NULL);
}

static PyObject *newest_version(void) {
  static PyObject *newest;
  PyObject *known = dlfpy_get(&newest);
  if (known) {
    return known;
  }
  return dlfpy_keep(&newest, Py_BuildValue("(ii)", DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR));
}

/* Stream None is not passed. A producer older than some keyword cannot copy or move; the caller
 * does so afterwards. */
static PyObject *ask(PyObject *method, PyObject *stream, DLDevice device, dlf_copy_mode copy,
                     int *accepted) {
  PyObject *values[DLFPY_KEYWORDS] = {
      stream, newest_version(), NULL, copy == DLF_COPY_ALWAYS ? Py_True : Py_False};
  int given = DLFPY_MAX_VERSION;
  if (!values[1]) {
    return NULL;
  }
  if (stream != Py_None) {
    given |= DLFPY_STREAM;
  }
  if (copy != DLF_COPY_IF_NEEDED) {
    given |= DLFPY_COPY;
  }
  if (device.device_type) {
    given |= DLFPY_DL_DEVICE;
    values[2] = Py_BuildValue("(ii)", (int)device.device_type, device.device_id);
    if (!values[2]) {
      return NULL;
    }
  }
  PyObject *result = call_with(method, values, given);
  for (int refused; !result && (refused = dlfpy_refused(method, given)) != 0;) {
    given &= ~refused;
    result = call_with(method, values, given);
  }
  Py_XDECREF(values[2]);
  *accepted = given;
  return result;
}

/* TensorFlow aborts if asked to export its own objects. */
static bool has_plain_elements(PyObject *x, const char *name) {
  static const char *const own[] = {"string", "resource", "variant"};
  PyObject *dtype = PyObject_GetAttrString(x, "dtype");
  PyObject *text = dlfpy_attribute_of(dtype, "name");
  const char *is = dlfpy_utf8(text);
  bool plain = true;
  PyErr_Clear();
  for (size_t i = 0; is && i < sizeof own / sizeof *own; i++) {
    plain = plain && strcmp(is, own[i]) != 0;
  }
  if (!plain) {
    dlfpy_fail(DLF_DTYPE, "%s: expected numbers, got TensorFlow's %s", name, is);
  }
  Py_XDECREF(dtype);
  Py_XDECREF(text);
  return plain;
}

static bool device_of(PyObject *x, const char *name, DLDevice *out) {
  static PyObject *interned;
  PyObject *word = dlfpy_interned(&interned, "__dlpack_device__");
  if (!word) {
    return false;
  }
  PyObject *method = PyObject_GetAttr(x, word);
  if (method == Py_None || (!method && PyErr_ExceptionMatches(PyExc_AttributeError))) {
    Py_XDECREF(method);
    return dlfpy_no_protocol(name, "an array with __dlpack_device__", x);
  }
  PyObject *pair = NULL;
  if (method) {
    pair = PyObject_CallNoArgs(method);
  }
  bool known;
  if (pair) {
    known = dlfpy_device_pair(pair, name, out);
  } else {
    known = dlfpy_foreign(name, DLFPY_EXPORTED, x);
  }
  Py_XDECREF(method);
  Py_XDECREF(pair);
  return known;
}

bool dlfpy_method(PyObject *x, const char *name, PyObject **out) {
  static PyObject *word;
  *out = NULL;
  if (PyType_Check(x)) {
    return true; /* its objects' method, not its own */
  }
  return dlfpy_attribute(x, &word, "__dlpack__", out) || dlfpy_foreign(name, DLFPY_EXPORTED, x);
}

PyObject *dlfpy_ask(PyObject *x, PyObject *method, const char *name, DLDevice device,
                    dlf_copy_mode copy, PyObject *stream, bool *told_to_copy) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  DLDevice at;
  if (!device_of(x, name, &at)) {
    return NULL;
  }
  if (producer->tensorflow && !has_plain_elements(x, name)) {
    return NULL;
  }
  /* Array API: stream must fit the device that is asked for. */
  if (stream) {
    stream = Py_NewRef(stream);
  } else {
    stream = dlfpy_default_stream(device.device_type ? device : at);
  }
  int accepted = 0;
  PyObject *capsule = NULL;
  if (stream) {
    capsule = ask(method, stream, device, copy, &accepted);
  }
  Py_XDECREF(stream);
  *told_to_copy = copy == DLF_COPY_ALWAYS && (accepted & DLFPY_COPY);
  if (capsule && producer->regular && at.device_type != kDLCPU) {
    dlfpy_remember_place(x, DLFPY_ANYWHERE);
  }
  if (capsule && producer->regular && accepted == DLFPY_MAX_VERSION) {
    dlfpy_remember_place(x, DLFPY_ON_CPU);
  }
  if (!capsule) {
    dlfpy_foreign(name, DLFPY_EXPORTED, x);
  } else if (!PyCapsule_CheckExact(capsule)) {
    dlfpy_fail(DLF_FOREIGN,
               "%s: expected a capsule from __dlpack__ of %.80s, got %.80s",
               name,
               dlfpy_type_name_of(x),
               dlfpy_type_name_of(capsule));
    Py_CLEAR(capsule);
  }
  return capsule;
}

PyObject *dlfpy_ask_at_once(PyObject *x) {
  static PyObject *word, *names;
  PyObject *const values[] = {x, newest_version()};
  PyObject *known = dlfpy_get(&names);
  PyObject *method = dlfpy_interned(&word, "__dlpack__");
  if (!known) {
    known = dlfpy_keep(&names, names_of(DLFPY_MAX_VERSION, 1));
  }
  if (method && known && values[1]) {
    return PyObject_VectorcallMethod(method, values, 1, known);
  }
  return NULL;
}
