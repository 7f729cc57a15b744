/* SPDX-License-Identifier: Apache-2.0 */
/* Without the GIL all methods of a Tensor run in its critical section. A method has no argument
 * that could tell its original, so each gets a function of its own. */
#include "hub.h"

#ifdef Py_GIL_DISABLED

/* Octal digits. */
#define EIGHT(X, tens)                                                                             \
  X(0##tens##0)                                                                                    \
  X(0##tens##1) X(0##tens##2) X(0##tens##3) X(0##tens##4) X(0##tens##5) X(0##tens##6) X(0##tens##7)
#define ALL(X)                                                                                     \
  EIGHT(X, 0) EIGHT(X, 1) EIGHT(X, 2) EIGHT(X, 3) EIGHT(X, 4) EIGHT(X, 5) EIGHT(X, 6) EIGHT(X, 7)
enum { AT_MOST = 64 };

/* ---- Methods ---- */

typedef void (*any_function)(void);
static any_function originals[AT_MOST];

/* A function of a kind of methods, which calls the i-th original with what it was given. */
#define METHOD(kind, i, parameters, ...)                                                           \
  static PyObject *kind##_##i parameters {                                                         \
    PyObject *result;                                                                              \
    Py_BEGIN_CRITICAL_SECTION(x);                                                                  \
    result = ((PyObject * (*)parameters) originals[i])(__VA_ARGS__);                               \
    Py_END_CRITICAL_SECTION();                                                                     \
    return result;                                                                                 \
  }
#define PLAIN(i) METHOD(plain, i, (PyObject * x, PyObject * y), x, y)
#define FAST(i)                                                                                    \
  METHOD(fast, i, (PyObject * x, PyObject *const *given, Py_ssize_t count), x, given, count)
#define WORDS(i)                                                                                   \
  METHOD(words,                                                                                    \
         i,                                                                                        \
         (PyObject * x, PyObject *const *given, Py_ssize_t count, PyObject *names),                \
         x,                                                                                        \
         given,                                                                                    \
         count,                                                                                    \
         names)
ALL(PLAIN)
ALL(FAST)
ALL(WORDS)

#define PLAIN_NAME(i) plain_##i,
#define FAST_NAME(i) (PyCFunction)(any_function) fast_##i,
#define WORDS_NAME(i) (PyCFunction)(any_function) words_##i,
static const PyCFunction plain[AT_MOST] = {ALL(PLAIN_NAME)};
static const PyCFunction fast[AT_MOST] = {ALL(FAST_NAME)};
static const PyCFunction words[AT_MOST] = {ALL(WORDS_NAME)};

static bool guard_methods(PyMethodDef *methods) {
  for (int i = 0; methods[i].ml_name; i++) {
    PyMethodDef *method = &methods[i];
    if (method->ml_flags & (METH_CLASS | METH_STATIC)) {
      continue;
    }
    if (i == AT_MOST) {
      return false;
    }
    originals[i] = (any_function)method->ml_meth;
    switch (method->ml_flags) {
    case METH_NOARGS:
    case METH_O:
      method->ml_meth = plain[i];
      break;
    case METH_FASTCALL:
      method->ml_meth = fast[i];
      break;
    case METH_FASTCALL | METH_KEYWORDS:
      method->ml_meth = words[i];
      break;
    default:
      return false;
    }
  }
  return true;
}

/* ---- Properties: their closure tells the original ---- */

static PyGetSetDef getters[AT_MOST];

static PyObject *guarded_get(PyObject *x, void *closure) {
  const PyGetSetDef *original = closure;
  PyObject *result;
  Py_BEGIN_CRITICAL_SECTION(x);
  result = original->get(x, original->closure);
  Py_END_CRITICAL_SECTION();
  return result;
}

static bool guard_properties(PyGetSetDef *properties) {
  for (int i = 0; properties[i].name; i++) {
    if (i == AT_MOST || properties[i].set) {
      return false;
    }
    getters[i] = properties[i];
    properties[i].get = guarded_get;
    properties[i].closure = &getters[i];
  }
  return true;
}

/* ---- Slots ---- */

#define SLOT(slot, type, parameters, ...)                                                          \
  static type(*original_##slot) parameters;                                                        \
  static type guarded_##slot parameters {                                                          \
    type result;                                                                                   \
    Py_BEGIN_CRITICAL_SECTION(x);                                                                  \
    result = original_##slot(__VA_ARGS__);                                                         \
    Py_END_CRITICAL_SECTION();                                                                     \
    return result;                                                                                 \
  }
#define EACH_SLOT(S)                                                                               \
  S(tp_repr, PyObject *, (PyObject * x), x)                                                        \
  S(tp_iter, PyObject *, (PyObject * x), x)                                                        \
  S(nb_int, PyObject *, (PyObject * x), x)                                                         \
  S(nb_float, PyObject *, (PyObject * x), x)                                                       \
  S(nb_index, PyObject *, (PyObject * x), x)                                                       \
  S(nb_bool, int, (PyObject * x), x)                                                               \
  S(sq_contains, int, (PyObject * x, PyObject * item), x, item)                                    \
  S(sq_length, Py_ssize_t, (PyObject * x), x)                                                      \
  S(sq_item, PyObject *, (PyObject * x, Py_ssize_t i), x, i)                                       \
  S(mp_length, Py_ssize_t, (PyObject * x), x)                                                      \
  S(mp_subscript, PyObject *, (PyObject * x, PyObject * key), x, key)                              \
  S(mp_ass_subscript, int, (PyObject * x, PyObject * key, PyObject * value), x, key, value)        \
  S(bf_getbuffer, int, (PyObject * x, Py_buffer * view, int flags), x, view, flags)
EACH_SLOT(SLOT)

#define GUARD(name, type, parameters, ...)                                                         \
  case Py_##name:                                                                                  \
    original_##name = (type(*) parameters)slot->pfunc;                                             \
    slot->pfunc = (void *)guarded_##name;                                                          \
    break;

static bool guard_slots(PyType_Slot *slots) {
  for (PyType_Slot *slot = slots; slot->slot; slot++) {
    switch (slot->slot) {
      EACH_SLOT(GUARD)
    case Py_tp_doc:
    case Py_tp_new:
    case Py_nb_add: /* arithmetic.c reads no tensor */
    case Py_nb_subtract:
    case Py_nb_multiply:
    case Py_nb_true_divide:
    case Py_nb_floor_divide:
    case Py_nb_remainder:
    case Py_nb_divmod:
    case Py_tp_richcompare:
    case Py_tp_hash:
    case Py_nb_matrix_multiply:
    case Py_nb_and:
    case Py_nb_or:
    case Py_nb_xor:
    case Py_nb_lshift:
    case Py_nb_rshift:
    case Py_nb_power:
    case Py_nb_negative:
    case Py_nb_positive:
    case Py_nb_invert:
    case Py_nb_absolute:
    case Py_tp_dealloc: /* no other thread has the object */
    case Py_tp_traverse:
    case Py_tp_clear: /* all other threads are stopped */
    case Py_tp_members:
    case Py_tp_methods:
    case Py_tp_getset:
    case Py_bf_releasebuffer:
      break; /* it reads the view alone */
    default:
      return false;
    }
  }
  return true;
}

bool hub_guard(PyMethodDef *methods, PyGetSetDef *properties, PyType_Slot *slots) {
  if (guard_methods(methods) && guard_properties(properties) && guard_slots(slots)) {
    return true;
  }
  PyErr_SetString(PyExc_SystemError,
                  "dlferry: expected methods and slots that section.c knows, got another one");
  return false;
}

#endif
