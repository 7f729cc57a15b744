/* SPDX-License-Identifier: Apache-2.0 */
/* Contracts for Python code: a compiled one with its parameters, and a call's arguments as the hub
 * reads them. */
#include "hub.h"

static const char capsule_name[] = "dlferry.contract";

/* ---- A compiled contract, in a capsule ---- */

void hub_contract_free(hub_contract *self) {
  if (!self) {
    return;
  }
  dlf_contract_free(self->compiled);
  Py_XDECREF(self->names);
  Py_XDECREF(self->labels);
  PyMem_Free(self->parameters);
  PyMem_Free(self);
}

static bool read_kind(const char *label, PyObject *x, int32_t *out) {
  static const char *const words[] = {
      [DLF_PARAMETER_INPUT] = "input",
      [DLF_PARAMETER_OUTPUT] = "output",
      [DLF_PARAMETER_INTEGER] = "integer",
      [DLF_PARAMETER_UNSIGNED] = "unsigned",
      [DLF_PARAMETER_REAL] = "real",
      [DLF_PARAMETER_OTHER] = "other",
      [DLF_PARAMETER_LIST] = "list",
      [DLF_PARAMETER_ARRAY] = "array",
      [DLF_PARAMETER_GIVEN] = "given",
  };
  const char *word;
  if (!dlfpy_string(label, x, &word)) {
    return false;
  }
  for (*out = 0; *out <= DLF_PARAMETER_GIVEN; (*out)++) {
    if (strcmp(word, words[*out]) == 0) {
      return true;
    }
  }
  dlfpy_fail(DLF_INVALID,
             "%s: expected input, output, integer, unsigned, real, other, list, array or given, "
             "got '%.40s'",
             label,
             word);
  return false;
}

static bool read_parameters(hub_contract *self, const char *function, PyObject *kinds) {
  for (int32_t i = 0; i < self->count; i++) {
    const char *name, *label;
    if (!dlfpy_string("Contract: parameters", PyTuple_GET_ITEM(self->names, i), &name)) {
      return false;
    }
    PyObject *text = PyUnicode_FromFormat("%s: %s", function, name);
    if (!text) {
      return false;
    }
    PyTuple_SET_ITEM(self->labels, i, text);
    self->parameters[i].name = name;
    label = PyUnicode_AsUTF8(text);
    if (!label || !read_kind(label, PyTuple_GET_ITEM(kinds, i), &self->parameters[i].kind)) {
      return false;
    }
  }
  return true;
}

hub_contract *hub_contract_begin(const char *function, PyObject *names, PyObject *kinds) {
  if (!PyTuple_Check(names) || !PyTuple_Check(kinds) ||
      PyTuple_GET_SIZE(names) != PyTuple_GET_SIZE(kinds) || PyTuple_GET_SIZE(names) > INT32_MAX) {
    return dlfpy_fail(DLF_INVALID, "%s: expected as many names as kinds, in tuples", function),
           NULL;
  }
  hub_contract *self = PyMem_Calloc(1, sizeof *self);
  if (!self) {
    return PyErr_NoMemory(), NULL;
  }
  self->count = (int32_t)PyTuple_GET_SIZE(names);
  self->names = Py_NewRef(names);
  self->labels = PyTuple_New(self->count);
  self->parameters = PyMem_Calloc((size_t)self->count + 1, sizeof *self->parameters);
  if (self->labels && !self->parameters) {
    PyErr_NoMemory();
  }
  if (self->labels && self->parameters && read_parameters(self, function, kinds)) {
    return self;
  }
  hub_contract_free(self);
  return NULL;
}

static void free_capsule(PyObject *capsule) {
  hub_contract_free(PyCapsule_GetPointer(capsule, capsule_name));
}

PyObject *hub_contract_new(hub_contract *self, dlf_contract *owned) {
  self->compiled = owned;
  PyObject *capsule = PyCapsule_New(self, capsule_name, free_capsule);
  if (!capsule) {
    hub_contract_free(self);
  }
  return capsule;
}

const hub_contract *hub_contract_of(PyObject *capsule) {
  return PyCapsule_GetPointer(capsule, capsule_name);
}

PyObject *hub_contract_text(const hub_contract *self, int32_t which) {
  const int64_t length = dlf_contract_format(self->compiled, which, NULL, 0);
  char *text = PyMem_Malloc((size_t)length + 1);
  if (!text) {
    return PyErr_NoMemory();
  }
  (void)dlf_contract_format(self->compiled, which, text, length + 1);
  PyObject *out = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
  PyMem_Free(text);
  return out;
}

/* ---- The arguments of one call ---- */

static bool is_tensor(int32_t kind) {
  return kind == DLF_PARAMETER_INPUT || kind == DLF_PARAMETER_OUTPUT || kind == DLF_PARAMETER_GIVEN;
}

/* Numbers, and the lengths of arrays, whose values a contract never reads. */
static bool read_scalar(int32_t kind, const char *label, PyObject *x, dlf_value *out) {
  switch (kind) {
  case DLF_PARAMETER_INTEGER:
    return dlfpy_integer(label, x, INT64_MIN, INT64_MAX, &out->integer);
  case DLF_PARAMETER_UNSIGNED:
    return dlfpy_unsigned(label, x, UINT64_MAX, (uint64_t *)&out->integer);
  case DLF_PARAMETER_REAL:
    return dlfpy_real(label, x, &out->real);
  case DLF_PARAMETER_ARRAY:
    if (PyUnicode_Check(x) || PyDict_Check(x) || !PySequence_Check(x)) {
      return dlfpy_wrong_type(label, "a sequence of numbers", x);
    }
    out->integer = PyObject_Length(x);
    out->items = "";
    return out->integer >= 0;
  default:
    return true;
  }
}

static bool read_list(hub_arguments *self, const char *label, PyObject *x, dlfpy_tensors *list,
                      dlf_value *out) {
  if (!dlfpy_list(&self->call, label, x, list)) {
    return false;
  }
  out->items = list->items;
  out->integer = list->count;
  return true;
}

/* Python code may run until the last number is read, and would change borrowed tensors: these come
 * last. */
static bool read_all(hub_arguments *self, const hub_contract *contract, PyObject *given) {
  dlfpy_arg *arg = self->call.args;
  dlfpy_tensors *list = self->lists;
  for (int pass = 0; pass < 3; pass++) {
    for (int32_t i = 0; i < contract->count; i++) {
      const int32_t kind = contract->parameters[i].kind;
      const char *label = PyUnicode_AsUTF8(PyTuple_GET_ITEM(contract->labels, i));
      PyObject *x = PyTuple_GET_ITEM(given, i);
      if (pass != (is_tensor(kind) ? 2 : kind == DLF_PARAMETER_LIST)) {
        continue;
      }
      if (pass == 0 && !read_scalar(kind, label, x, &self->values[i])) {
        return false;
      }
      if (pass == 1 && !read_list(self, label, x, list++, &self->values[i])) {
        return false;
      }
      if (pass == 2 &&
          !dlfpy_tensor_or_none(&self->call, arg++, label, x, kind == DLF_PARAMETER_OUTPUT)) {
        return false;
      }
    }
  }
  /* Only now, since reading one tensor may have made handles for those before it. */
  arg = self->call.args;
  for (int32_t i = 0; i < contract->count; i++) {
    if (is_tensor(contract->parameters[i].kind)) {
      self->values[i].tensor = (arg++)->c;
    }
  }
  return true;
}

static bool read_hooks(dlf_value *values, PyObject *hooks) {
  if (!PyTuple_Check(hooks) || PyTuple_GET_SIZE(hooks) > DLF_MAX_HOOKS) {
    dlfpy_fail(DLF_INVALID, "hooks: expected a tuple of at most %d results", DLF_MAX_HOOKS);
    return false;
  }
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(hooks); i++) {
    if (!dlfpy_integer(
            "hook", PyTuple_GET_ITEM(hooks, i), INT64_MIN, INT64_MAX, &values[i].integer)) {
      return false;
    }
  }
  return true;
}

bool hub_read_arguments(const hub_contract *contract, PyObject *given, PyObject *hooks,
                        hub_arguments *self) {
  const size_t count = (size_t)contract->count;
  if (!PyTuple_Check(given) || PyTuple_GET_SIZE(given) != contract->count) {
    dlfpy_fail(DLF_INVALID, "Contract: expected a tuple of %d arguments", (int)contract->count);
    return false;
  }
  self->values = PyMem_Calloc(count + DLF_MAX_HOOKS, sizeof *self->values);
  self->call = (dlfpy_call){.function = "Contract", .looks = true};
  self->call.args = self->call.end = PyMem_Calloc(count + 1, sizeof *self->call.args);
  self->lists = PyMem_Calloc(count + 1, sizeof *self->lists);
  if (!self->values || !self->call.args || !self->lists) {
    return PyErr_NoMemory() != NULL;
  }
  dlfpy_drain();
  return read_all(self, contract, given) && read_hooks(self->values + count, hooks);
}

void hub_end_arguments(hub_arguments *self) {
  dlfpy_end(&self->call);
  PyMem_Free(self->values);
  PyMem_Free(self->call.args);
  PyMem_Free(self->lists);
}

/* ---- Results ---- */

PyObject *hub_prototype(const dlf_prototype *p) {
  return Py_BuildValue("(NNNNL)",
                       hub_dtype_new(p->dtype),
                       hub_integers(p->shape, p->ndim),
                       hub_integers(p->strides, p->ndim),
                       hub_device_new(p->device),
                       (long long)p->align);
}
