/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <math.h>
#include <string.h>

/* Data from which on a call releases the GIL. Taking handles of its own and the GIL back costs some 100 ns, which a
 * kernel over as many bytes makes up for. */
enum { LIMIT = 64 * 1024 };

/* ---- Arguments to values ---- */

static int index_of(const dlfpy_signature *s, PyObject *name) {
  for (int i = 0; i < s->count; i++)
    if (s->interned[i] == name) return i;
  for (int i = 0; i < s->count; i++) /* a keyword that was made at run time */
    if (PyUnicode_Compare(s->interned[i], name) == 0) return i;
  return -1;
}

static bool intern_names(const dlfpy_signature *s) {
  for (int i = 0; i < s->count; i++)
    if (!s->interned[i] && !(s->interned[i] = PyUnicode_InternFromString(s->names[i]))) return false;
  return true;
}

bool dlfpy_bind(const dlfpy_signature *s, PyObject *const *given, Py_ssize_t count, PyObject *names,
                PyObject **values) {
  const Py_ssize_t positional = PyVectorcall_NARGS((size_t)count);
  if (positional > s->count) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)", s->function, s->count, positional);
    return false;
  }
  for (int i = 0; i < s->count; i++) values[i] = i < positional ? given[i] : NULL;
  if (names) {
    if (!intern_names(s)) return false;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(names); k++) {
      PyObject *name = PyTuple_GET_ITEM(names, k);
      const int i = index_of(s, name);
      if (i < 0 || values[i]) {
        PyErr_Format(PyExc_TypeError, "%s() got %s argument '%U'", s->function,
                     i < 0 ? "an unexpected keyword" : "multiple values for", name);
        return false;
      }
      values[i] = given[positional + k];
    }
  }
  for (int i = 0; i < s->required; i++) {
    if (values[i]) continue;
    PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s' (pos %d)", s->function, s->names[i], i + 1);
    return false;
  }
  return true;
}

bool dlfpy_all_given(const dlfpy_signature *s, PyObject *const *values, int outputs) {
  for (int i = s->count - outputs; i < s->count; i++) {
    if (dlfpy_is_given(values[i])) continue;
    PyErr_Format(PyExc_TypeError, "%s() takes its last %d arguments all or not at all", s->function, outputs);
    return false;
  }
  return true;
}

static bool wrong_type(const char *name, const char *wanted, PyObject *x) {
  PyErr_Format(PyExc_TypeError, "%s: expected %s, got %.80s", name, wanted, Py_TYPE(x)->tp_name);
  return false;
}

bool dlfpy_integer(const char *name, PyObject *x, int64_t low, int64_t high, int64_t *out) {
  int overflow = 0;
  PyObject *number = PyIndex_Check(x) && !PyBool_Check(x) ? PyNumber_Index(x) : NULL;
  if (!number) return PyErr_Occurred() ? false : wrong_type(name, "an integer", x);
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  Py_DECREF(number);
  if (!overflow && value >= low && value <= high) {
    *out = value;
    return true;
  }
  dlfpy_fail(DLF_OVERFLOW, "%s: expected an integer from %lld to %lld, got one outside", name, (long long)low,
             (long long)high);
  return false;
}

bool dlfpy_unsigned(const char *name, PyObject *x, uint64_t high, uint64_t *out) {
  PyObject *number = PyIndex_Check(x) && !PyBool_Check(x) ? PyNumber_Index(x) : NULL;
  if (!number) return PyErr_Occurred() ? false : wrong_type(name, "an integer", x);
  const unsigned long long value = PyLong_AsUnsignedLongLong(number);
  Py_DECREF(number);
  if (!PyErr_Occurred() && value <= high) {
    *out = value;
    return true;
  }
  PyErr_Clear();
  dlfpy_fail(DLF_OVERFLOW, "%s: expected an integer from 0 to %llu, got one outside", name, (unsigned long long)high);
  return false;
}

static bool is_bool(PyObject *x) {
  const char *type = Py_TYPE(x)->tp_name;
  return PyBool_Check(x) || strcmp(type, "numpy.bool") == 0 || strcmp(type, "numpy.bool_") == 0;
}

bool dlfpy_real(const char *name, PyObject *x, double *out) {
  if (PyFloat_CheckExact(x)) {
    *out = PyFloat_AS_DOUBLE(x);
    return true;
  }
  if (is_bool(x) || !PyNumber_Check(x)) return wrong_type(name, "a number", x);
  *out = PyFloat_AsDouble(x);
  return *out != -1.0 || !PyErr_Occurred();
}

bool dlfpy_bool(const char *name, PyObject *x, bool *out) {
  if (!is_bool(x)) return wrong_type(name, "a bool", x);
  const int truth = PyObject_IsTrue(x);
  *out = truth == 1;
  return truth >= 0;
}

bool dlfpy_string(const char *name, PyObject *x, const char **out) {
  Py_ssize_t length;
  if (!PyUnicode_Check(x)) return wrong_type(name, "a str", x);
  *out = PyUnicode_AsUTF8AndSize(x, &length);
  if (!*out) return false;
  if ((size_t)length == strlen(*out)) return true;
  dlfpy_fail(DLF_INVALID, "%s: expected a text without NUL, got one", name);
  return false;
}

/* ---- Tensors ---- */

static bool lend_from_table(dlfpy_arg *arg, const char *name, bool write) {
  const dlfpy_producer *producer = arg->producer;
  bool needs_grad = false;
  if (producer->api->dltensor_from_py_object_no_sync(arg->object, &arg->tensor)) {
    if (!PyErr_Occurred())
      dlfpy_fail(DLF_FOREIGN, "%s: expected a tensor or an exception from %.80s, got neither", name,
                 Py_TYPE(arg->object)->tp_name);
    return false;
  }
  if (producer->torch && !dlfpy_torch_check(arg->object, name, &arg->tensor, write ? &needs_grad : NULL)) return false;
  if (needs_grad) {
    dlfpy_fail(DLF_READ_ONLY, "%s: expected a tensor that may be written, got one that requires grad; pass .detach()",
               name);
    return false;
  }
  arg->c = (dlf_arg){&arg->tensor, 0};
  return true;
}

static bool own(dlfpy_arg *arg, const char *name, bool write) {
  bool versioned;
  arg->handle = dlfpy_import_known(arg->object, name, (DLDevice){0, 0}, -1, &versioned);
  if (!arg->handle) return false;
  arg->c = (dlf_arg){dlf_dltensor(arg->handle), dlf_flags(arg->handle)};
  /* Only the versioned structure can say read-only: a legacy producer that may mean it proves nothing. */
  if (write && !versioned) arg->c.flags |= DLF_FLAGS_UNKNOWN;
  return true;
}

bool dlfpy_tensor(dlfpy_call *call, const char *name, PyObject *x, bool write) {
  dlfpy_arg *arg = &call->args[call->count++];
  const dlfpy_producer *producer = arg->producer = dlfpy_producer_of(x);
  arg->object = x;
  arg->handle = NULL;
  if (producer->kind == DLFPY_NUMPY) {
    uint64_t flags;
    arg->c.tensor = &arg->tensor;
    if (dlfpy_numpy_describe(x, name, &arg->tensor, arg->extents + DLF_MAX_NDIM, &flags)) {
      arg->c.flags = flags;
      return true;
    }
    return false;
  }
  /* The plain structure has no flags: only torch, whose data is always writable, may be written through it. */
  if (producer->kind == DLFPY_TABLE && producer->api->dltensor_from_py_object_no_sync && (producer->torch || !write))
    return lend_from_table(arg, name, write);
  return own(arg, name, write);
}

bool dlfpy_tensor_or_none(dlfpy_call *call, const char *name, PyObject *x, bool write) {
  if (x && x != Py_None) return dlfpy_tensor(call, name, x, write);
  dlfpy_arg *arg = &call->args[call->count++];
  arg->object = NULL;
  arg->handle = NULL;
  arg->c = (dlf_arg){NULL, 0};
  return true;
}

/* Bytes of the elements, or more than LIMIT; the structure has not been checked yet. */
static uint64_t bytes_of(const DLTensor *t) {
  uint64_t bytes = ((uint64_t)t->dtype.bits * t->dtype.lanes + 7) / 8;
  if (!t->shape || t->ndim > DLF_MAX_NDIM) return 0;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] <= 0) return 0;
    if (__builtin_mul_overflow(bytes, (uint64_t)t->shape[i], &bytes)) return LIMIT + 1;
  }
  return bytes;
}

/* What was borrowed lives in the framework's object, which other threads may change once the GIL is released. */
static bool hold(dlfpy_arg *arg, const char *name) {
  if (arg->handle || !arg->c.tensor) return true;
  if (arg->producer->kind == DLFPY_NUMPY) {
    if (arg->tensor.ndim) memcpy(arg->extents, arg->tensor.shape, (size_t)arg->tensor.ndim * sizeof *arg->extents);
    arg->tensor.shape = arg->extents;
    return true;
  }
  arg->handle = dlfpy_from_table(arg->object, arg->producer, name);
  if (!arg->handle) return false;
  arg->c.tensor = dlf_dltensor(arg->handle);
  return true;
}

bool dlfpy_enter(dlfpy_call *call) {
  uint64_t bytes = 0;
  call->thread = NULL;
  for (int i = 0; i < call->count && bytes <= LIMIT; i++)
    if (call->args[i].c.tensor) bytes += bytes_of(call->args[i].c.tensor);
  if (bytes <= LIMIT) return true;
  for (int i = 0; i < call->count; i++)
    if (!hold(&call->args[i], call->function)) return false;
  call->thread = PyEval_SaveThread();
  return true;
}

void dlfpy_leave(dlfpy_call *call) {
  if (call->thread) PyEval_RestoreThread(call->thread);
  call->thread = NULL;
}

void dlfpy_end(dlfpy_call *call) {
  for (int i = 0; i < call->count; i++)
    if (call->args[i].handle) dlf_release(call->args[i].handle);
}
