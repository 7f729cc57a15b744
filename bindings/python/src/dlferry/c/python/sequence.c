/* SPDX-License-Identifier: Apache-2.0 */
#include "lend.h"
#include "object.h"

/* Our own tuple keeps the items even if Python code changes the sequence meanwhile. An iterator's
 * exception passes unchanged. */
static PyObject *items_of(const char *name, const char *wanted, PyObject *x) {
  const bool refused = PyUnicode_Check(x) || PyDict_Check(x); /* not their characters or keys */
  if (PyTuple_CheckExact(x) || PyList_CheckExact(x)) {
    return PySequence_Tuple(x);
  }
  PyObject *iterator = NULL;
  if (!refused) {
    iterator = PyObject_GetIter(x);
  }
  if (!iterator) {
    if (refused || PyErr_ExceptionMatches(PyExc_TypeError)) {
      PyErr_Clear();
      dlfpy_wrong_type(name, wanted, x);
    }
    return NULL;
  }
  PyObject *items = PySequence_Tuple(iterator);
  Py_DECREF(iterator);
  return items;
}

enum { NAME_SIZE = 200 };

static const char *name_of(char *text, const char *name, Py_ssize_t i) {
  PyOS_snprintf(text, NAME_SIZE, "%.160s[%lld]", name, (long long)i);
  return text;
}

bool dlfpy_list(dlfpy_call *call, const char *name, PyObject *x, dlfpy_tensors *out) {
  char text[NAME_SIZE];
  *out =
      (dlfpy_tensors){.name = name, .next = call->lists, .elements = {.function = call->function}};
  out->owner = items_of(name, "a sequence of tensors", x);
  if (!out->owner) {
    return false;
  }
  call->lists = out;
  call->held = true;
  out->count = PyTuple_GET_SIZE(out->owner);
  out->items = PyMem_Calloc((size_t)out->count + 1, sizeof *out->items);
  out->elements.args = PyMem_Calloc((size_t)out->count + 1, sizeof *out->elements.args);
  if (!out->items || !out->elements.args) {
    return PyErr_NoMemory() != NULL;
  }
  out->elements.end = out->elements.args;
  for (Py_ssize_t i = 0; i < out->count; i++) {
    dlfpy_arg *arg = &out->elements.args[i];
    if (!dlfpy_tensor(
            &out->elements, arg, name_of(text, name, i), PyTuple_GET_ITEM(out->owner, i), false)) {
      return false;
    }
  }
  dlfpy_pass(out);
  dlfpy_count_bytes(call, out->elements.bytes);
  return true;
}

PyObject *dlfpy_first_of(const dlfpy_tensors *list) {
  if (list->count) {
    return PyTuple_GET_ITEM(list->owner, 0);
  }
  return NULL;
}

/* ---- Numbers ---- */

typedef struct number_kind {
  const char *letters; /* of the struct module; the buffer gives their size */
  uint8_t size;
  bool is_real;
  int64_t low, high; /* low 0 and high -1 for uint64_t */
} number_kind;

static const number_kind kinds[] = {[DLFPY_I8] = {"b", 1, false, INT8_MIN, INT8_MAX},
                                    [DLFPY_I16] = {"h", 2, false, INT16_MIN, INT16_MAX},
                                    [DLFPY_I32] = {"il", 4, false, INT32_MIN, INT32_MAX},
                                    [DLFPY_I64] = {"lqn", 8, false, INT64_MIN, INT64_MAX},
                                    [DLFPY_U8] = {"Bc", 1, false, 0, UINT8_MAX},
                                    [DLFPY_U16] = {"H", 2, false, 0, UINT16_MAX},
                                    [DLFPY_U32] = {"IL", 4, false, 0, UINT32_MAX},
                                    [DLFPY_U64] = {"LQN", 8, false, 0, -1},
                                    [DLFPY_F32] = {"f", 4, true, 0, 0},
                                    [DLFPY_F64] = {"d", 8, true, 0, 0}};

/* A buffer of just these numbers is borrowed: false, without an exception, for any other. */
static bool borrow(PyObject *x, const number_kind *kind, dlfpy_numbers *out) {
  if (!PyObject_CheckBuffer(x)) {
    return false;
  }
  if (PyObject_GetBuffer(x, &out->buffer, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) {
    PyErr_Clear();
    out->buffer.obj = NULL;
    return false;
  }
  const char *format = "B";
  if (out->buffer.format) {
    format = out->buffer.format;
  }
  if (*format == '@' || *format == '=' || *format == (PY_BIG_ENDIAN ? '>' : '<')) {
    format++;
  }
  const bool fits = *format && !format[1] && strchr(kind->letters, *format) &&
                    out->buffer.itemsize == kind->size && out->buffer.ndim == 1 &&
                    (uintptr_t)out->buffer.buf % kind->size == 0;
  if (!fits) {
    PyBuffer_Release(&out->buffer);
    return false;
  }
  out->data = out->buffer.buf;
  out->count = out->buffer.len / kind->size;
  return true;
}

static bool convert_real(const char *name, PyObject *x, const number_kind *kind, void *at) {
  if (kind->size == sizeof(double)) {
    return dlfpy_real(name, x, at);
  }
  double wide;
  if (!dlfpy_float(name, x, &wide)) {
    return false;
  }
  *(float *)at = (float)wide;
  return true;
}

static bool convert(const char *name, PyObject *x, const number_kind *kind, void *at) {
  union {
    int64_t i;
    uint64_t u;
  } wide;
  if (kind->is_real) {
    return convert_real(name, x, kind, at);
  }
  bool fits;
  if (kind->high < 0) {
    fits = dlfpy_unsigned(name, x, UINT64_MAX, &wide.u);
  } else {
    fits = dlfpy_integer(name, x, kind->low, kind->high, &wide.i);
  }
  if (!fits) {
    return false;
  }
  switch (kind->size) {
  case 1:
    *(uint8_t *)at = (uint8_t)wide.u;
    break;
  case 2:
    *(uint16_t *)at = (uint16_t)wide.u;
    break;
  case 4:
    *(uint32_t *)at = (uint32_t)wide.u;
    break;
  default:
    *(uint64_t *)at = wide.u;
  }
  return true;
}

bool dlfpy_array(dlfpy_call *call, const char *name, PyObject *x, dlfpy_number number,
                 dlfpy_numbers *out) {
  const number_kind *kind = &kinds[number];
  char text[NAME_SIZE];
  *out = (dlfpy_numbers){.next = call->arrays};
  call->arrays = out;
  call->held = true;
  if (borrow(x, kind, out)) {
    return true;
  }
  PyObject *items = items_of(name, "a sequence of numbers", x);
  if (!items) {
    return false;
  }
  out->count = PyTuple_GET_SIZE(items);
  out->data = out->memory = PyMem_Calloc((size_t)out->count + 1, kind->size);
  bool ok = out->memory || PyErr_NoMemory();
  for (Py_ssize_t i = 0; ok && i < out->count; i++) {
    ok = convert(name_of(text, name, i),
                 PyTuple_GET_ITEM(items, i),
                 kind,
                 (char *)out->memory + i * kind->size);
  }
  Py_DECREF(items);
  return ok;
}

/* Put the texts behind their addresses, in one piece of memory, or only count its bytes without
 * one; false, with an exception, for what is no text. */
static bool put_texts(const char *name, PyObject *items, char **memory, size_t *size) {
  const Py_ssize_t count = PyTuple_GET_SIZE(items);
  char text[NAME_SIZE];
  *size = ((size_t)count + 1) * sizeof(char *);
  for (Py_ssize_t i = 0; i < count; i++) {
    const char *from;
    if (!dlfpy_string(name_of(text, name, i), PyTuple_GET_ITEM(items, i), &from)) {
      return false;
    }
    const size_t bytes = strlen(from) + 1;
    if (memory) {
      memory[i] = memcpy((char *)memory + *size, from, bytes);
    }
    *size += bytes;
  }
  return true;
}

bool dlfpy_texts(dlfpy_call *call, const char *name, PyObject *x, dlfpy_numbers *out) {
  size_t size;
  *out = (dlfpy_numbers){.next = call->arrays};
  call->arrays = out;
  call->held = true;
  PyObject *items = items_of(name, "a sequence of texts", x);
  if (!items) {
    return false;
  }
  bool ok = put_texts(name, items, NULL, &size);
  if (ok) {
    out->data = out->memory = PyMem_Malloc(size);
    ok = out->memory || PyErr_NoMemory();
  }
  ok = ok && put_texts(name, items, out->memory, &size);
  out->count = PyTuple_GET_SIZE(items);
  Py_DECREF(items);
  return ok;
}

/* ---- Objects ---- */

/* One block has the uses of the call so far and those of the list, then, since they need less
 * alignment, the addresses for C. */
static dlf_use *make_room(const dlf_use *uses, int32_t count, dlfpy_numbers *list) {
  const size_t addresses = (size_t)list->count * sizeof(void *);
  const size_t room = (size_t)count + (size_t)list->count + 1;
  if (list->count > INT32_MAX - count) {
    return NULL;
  }
  dlf_use *all = PyMem_Calloc(1, room * sizeof(dlf_use) + addresses);
  list->memory = all;
  if (!all) {
    return NULL;
  }
  list->data = all + room;
  if (count) {
    memcpy(all, uses, (size_t)count * sizeof *all);
  }
  return all;
}

bool dlfpy_objects(dlfpy_call *call, const char *name, PyObject *x, PyTypeObject *type,
                   const dlf_use *like, dlf_use **uses, int32_t *count, dlfpy_numbers *out) {
  char text[NAME_SIZE];
  *out = (dlfpy_numbers){.next = call->arrays, .first = *count};
  call->arrays = out;
  call->held = true;
  out->items = items_of(name, "a sequence of objects", x);
  if (!out->items) {
    return false;
  }
  out->count = PyTuple_GET_SIZE(out->items);
  dlf_use *all = make_room(*uses, *count, out);
  if (!all) {
    return PyErr_NoMemory() != NULL;
  }
  for (Py_ssize_t i = 0; i < out->count; i++) {
    dlf_use *use = &all[*count + i];
    *use = *like;
    use->item = (int32_t)i + 1;
    if (!dlfpy_use(name_of(text, name, i), PyTuple_GET_ITEM(out->items, i), type, use)) {
      return false;
    }
  }
  *uses = all;
  *count += (int32_t)out->count;
  return true;
}

const void *dlfpy_pointers(const dlfpy_numbers *list, const dlf_use *uses) {
  void **addresses = (void **)(uintptr_t)list->data;
  for (Py_ssize_t i = 0; i < list->count; i++) {
    addresses[i] = uses[list->first + i].pointer;
  }
  return addresses;
}
