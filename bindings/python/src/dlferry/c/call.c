/* SPDX-License-Identifier: Apache-2.0 */
#include "dlferry_python.h"

#include <string.h>

/* Taking handles of its own and the GIL back costs some 100 ns, which a kernel over as many bytes makes up for. */
uint64_t dlfpy_gil_limit = 64 * 1024;

/* ---- Arguments to values ---- */

/* The parameters after the last one named are the likeliest. */
static int index_of(const dlfpy_signature *s, PyObject *name, int likely) {
  if (likely < s->count && s->interned[likely] == name) return likely;
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

static bool refuse_count(const dlfpy_signature *s, Py_ssize_t given) {
  PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments (%zd given)", s->function, s->count, given);
  return false;
}

bool dlfpy_positional(const dlfpy_signature *s, Py_ssize_t least, Py_ssize_t most, Py_ssize_t given) {
  if (given >= least && given <= most) return true;
  const Py_ssize_t limit = given < least ? least : most;
  PyErr_Format(PyExc_TypeError, "%s() takes at %s %zd positional argument%s (%zd given)", s->function,
               given < least ? "least" : "most", limit, limit == 1 ? "" : "s", given);
  return false;
}

bool dlfpy_sort(const dlfpy_signature *s, PyObject *const *given, Py_ssize_t positional, PyObject *names,
                PyObject **values) {
  if (positional > s->count) return refuse_count(s, positional);
  for (Py_ssize_t i = 0; i < positional; i++) values[i] = given[i];
  for (Py_ssize_t i = positional; i < s->count; i++) values[i] = NULL;
  if (names) {
    const Py_ssize_t named = PyTuple_GET_SIZE(names);
    int likely = (int)positional;
    if (s->count && !s->interned[s->count - 1] && !intern_names(s)) return false;
    for (Py_ssize_t k = 0; k < named; k++) {
      PyObject *name = PyTuple_GET_ITEM(names, k);
      const int i = index_of(s, name, likely);
      if (i < 0 || values[i]) {
        PyErr_Format(PyExc_TypeError, "%s() got %s argument '%U'", s->function,
                     i < 0 ? "an unexpected keyword" : "multiple values for", name);
        return false;
      }
      values[i] = given[positional + k];
      likely = i + 1;
    }
  }
  for (int i = (int)positional; i < s->required; i++) {
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

/* ---- Tensors ---- */

uint64_t dlfpy_bytes(const DLTensor *t) {
  uint64_t bytes = ((uint64_t)t->dtype.bits * t->dtype.lanes + 7) / 8;
  bool over = false;
  if (t->ndim < 0 || t->ndim > DLF_MAX_NDIM || (t->ndim && !t->shape)) return 0;
  for (int32_t i = 0; i < t->ndim; i++) {
    if (t->shape[i] <= 0) return 0;
    over |= __builtin_mul_overflow(bytes, (uint64_t)t->shape[i], &bytes);
  }
  return over ? UINT64_MAX : bytes;
}

static bool own(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, const dlfpy_producer *producer,
                bool write) {
  bool legacy;
  if (write && producer->immutable) {
    dlfpy_fail(DLF_READ_ONLY, "%s: is read-only; %s's arrays never change, pass a copy by numpy.array(x)", name,
               producer->immutable);
    return false;
  }
  /* A producer's Python code may do anything to the arguments before it. */
  if (!dlfpy_hold(call, arg) || !dlfpy_hold_lists(call)) return false;
  dlfpy_begin(arg, x, producer);
  arg->handle = dlfpy_import_known(x, name, (DLDevice){0, 0}, -1, &legacy);
  if (!arg->handle) return false;
  call->held = true;
  call->end = arg + 1;
  arg->tensor = *dlf_dltensor(arg->handle);
  dlfpy_lent(call, arg, arg->tensor.dtype, dlfpy_flags((dlfpy_view){arg->handle, legacy, NULL}));
  return true;
}

/* Not a handle of the hub's: the twin checks this structure as it would have checked the borrowed one. */
static bool take_managed(dlfpy_call *call, dlfpy_arg *arg, const char *name) {
  DLManagedTensorVersioned *managed = dlfpy_managed(arg->object, arg->producer, name);
  if (!managed) return false;
  arg->managed = managed;
  call->held = true;
  call->end = arg + 1;
  if (managed->version.major != DLF_DLPACK_MAJOR) {
    dlfpy_fail(DLF_VERSION, "%s: expected DLPack major version %d, got %lu", name, DLF_DLPACK_MAJOR,
               (unsigned long)managed->version.major);
    return false;
  }
  arg->c.tensor = &managed->dl_tensor;
  arg->c.flags |= managed->flags;
  return true;
}

bool dlfpy_own_managed(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x,
                       const dlfpy_producer *producer) {
  dlfpy_begin(arg, x, producer);
  arg->c.flags = 0;
  return take_managed(call, arg, name);
}

bool dlfpy_tensor_any(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  const dlfpy_producer *producer = dlfpy_producer_of(x);
  if (producer->kind == DLFPY_NUMPY && !producer->masked && !dlfpy_numpy_must_export(x))
    return dlfpy_numpy_lend(call, arg, name, x, producer);
  /* The plain structure has no flags: only torch, whose data is always writable, may be written through it. */
  if (producer->kind == DLFPY_TABLE && producer->api->dltensor_from_py_object_no_sync && (producer->torch || !write))
    return dlfpy_table_lend(call, arg, name, x, producer, write);
  if (producer->dlferry) { /* the tensors before it need not be taken, as own() does */
    if (!dlfpy_own_managed(call, arg, name, x, producer)) return false;
    dlfpy_count_bytes(call, dlfpy_bytes(arg->c.tensor));
    return true;
  }
  return own(call, arg, name, x, producer, write);
}

bool dlfpy_tensor_or_none(dlfpy_call *call, dlfpy_arg *arg, const char *name, PyObject *x, bool write) {
  if (x && x != Py_None) return dlfpy_tensor(call, arg, name, x, write);
  dlfpy_begin(arg, NULL, NULL);
  arg->c = (dlf_arg){NULL, 0};
  return true;
}

/* What was borrowed lives in the framework's object, which other threads may change once the GIL is released. */
static bool hold(dlfpy_call *call, dlfpy_arg *arg) {
  if (arg->handle || arg->managed || !arg->c.tensor) return true;
  if (arg->producer->kind == DLFPY_NUMPY) {
    if (arg->tensor.ndim && arg->tensor.shape != arg->shape)
      memcpy(arg->shape, arg->tensor.shape, (size_t)arg->tensor.ndim * sizeof *arg->shape);
    arg->tensor.shape = arg->shape;
    return true;
  }
  return take_managed(call, arg, call->function);
}

bool dlfpy_hold(dlfpy_call *call, dlfpy_arg *end) {
  bool held = true;
  for (dlfpy_arg *arg = call->args; held && arg < end; arg++) held = hold(call, arg);
  call->end = end;
  return held;
}

bool dlfpy_enter_released(dlfpy_call *call, dlfpy_arg *end) {
  if (!dlfpy_hold(call, end) || !dlfpy_hold_lists(call)) return false;
  call->thread = PyEval_SaveThread();
  return true;
}

void dlfpy_let_go(dlfpy_call *call) {
  PyObject *type, *value, *traceback;
  PyErr_Fetch(&type, &value, &traceback); /* a deleter may run Python code */
  for (dlfpy_arg *arg = call->args; arg < call->end; arg++) {
    if (arg->handle) dlf_release(arg->handle);
    if (arg->managed) dlf_dlpack_release(arg->managed);
  }
  dlfpy_let_go_of_sequences(call);
  PyErr_Restore(type, value, traceback);
}
