/* SPDX-License-Identifier: Apache-2.0 */
/* The type dlferry.Tensor. */
#include "hub.h"

#include <stddef.h>
#include <structmember.h>

/* Tensor(x, /, *, device=None, copy=None) is from_dlpack; a subclass is made the same way. */
static PyObject *tensor_new(PyTypeObject *type, PyObject *arguments, PyObject *words) {
  PyObject *given = hub_import(arguments, words);
  if (!given || type == hub_type) {
    return given;
  }
  dlfpy_content content = hub_peek(given);
  (void)dlf_retain(content.handle);
  PyObject *self = hub_adopt(type, content);
  Py_DECREF(given);
  return self;
}

static int traverse(PyObject *x, visitproc visit, void *arg) {
  Py_VISIT(Py_TYPE(x));
  Py_VISIT(((hub_tensor *)x)->producer);
  PyObject *owner = hub_owner(x); /* asked once: Py_VISIT evaluates its argument twice */
  Py_VISIT(owner);
  return 0;
}

static int clear(PyObject *x) {
  hub_release(x);
  return 0;
}

static void dealloc(PyObject *x) {
  PyObject_GC_UnTrack(x);
  if (((hub_tensor *)x)->weak) {
    PyObject_ClearWeakRefs(x);
  }
  hub_release(x);
  dlfpy_release(((hub_tensor *)x)->lent);
  hub_free(x);
}

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(hub_tensor, weak), READONLY, NULL},
    {NULL, 0, 0, 0, NULL}};

static PyType_Slot slots[] = {{Py_tp_doc, (void *)(uintptr_t)DOC_Tensor},
                              {Py_tp_new, tensor_new},
                              {Py_tp_dealloc, dealloc},
                              {Py_tp_traverse, traverse},
                              {Py_tp_clear, clear},
                              {Py_tp_members, members},
                              {Py_tp_methods, hub_methods},
                              {Py_tp_getset, hub_properties},
                              {Py_tp_repr, hub_repr},
                              {Py_tp_richcompare, hub_compare},
                              {Py_tp_hash, hub_hash},
                              {Py_nb_int, hub_int},
                              {Py_nb_float, hub_float},
                              {Py_nb_bool, hub_bool},
                              {Py_nb_index, hub_index},
                              {Py_nb_add, hub_add},
                              {Py_nb_subtract, hub_subtract},
                              {Py_nb_multiply, hub_multiply},
                              {Py_nb_true_divide, hub_divide},
                              {Py_nb_floor_divide, hub_floor_divide},
                              {Py_nb_remainder, hub_remainder},
                              {Py_nb_divmod, hub_divmod},
                              {Py_nb_matrix_multiply, hub_matrix_multiply},
                              {Py_nb_and, hub_and},
                              {Py_nb_or, hub_or},
                              {Py_nb_xor, hub_xor},
                              {Py_nb_lshift, hub_shift_left},
                              {Py_nb_rshift, hub_shift_right},
                              {Py_nb_power, hub_power},
                              {Py_nb_negative, hub_negative},
                              {Py_nb_positive, hub_positive},
                              {Py_nb_invert, hub_invert},
                              {Py_nb_absolute, hub_absolute},
                              {Py_sq_contains, hub_contains},
                              {Py_mp_subscript, hub_subscript},
                              {Py_mp_ass_subscript, hub_assign},
                              {Py_mp_length, hub_length},
                              {Py_sq_length, hub_length},
                              {Py_sq_item, hub_item},
                              {Py_tp_iter, hub_iterate},
                              {Py_bf_getbuffer, hub_getbuffer},
                              {Py_bf_releasebuffer, hub_releasebuffer},
                              {0, NULL}};

static PyType_Spec spec = {.name = "dlferry.Tensor",
                           .basicsize = sizeof(hub_tensor),
                           .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                           .slots = slots};

bool hub_add_type(PyObject *module) {
#ifdef Py_GIL_DISABLED
  if (!hub_guard(hub_methods, hub_properties, slots)) {
    return false;
  }
#endif
  hub_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
  PyObject *table = NULL;
  if (hub_type) {
    table = hub_exchange_capsule();
  }
  const bool added = table &&
                     !PyObject_SetAttrString((PyObject *)hub_type, DLF_EXCHANGE_ATTRIBUTE, table) &&
                     !PyModule_AddType(module, hub_type);
  Py_XDECREF(table);
#ifndef Py_LIMITED_API
  if (added) {
    hub_type->tp_flags |= Py_TPFLAGS_IMMUTABLETYPE; /* its producer is known by its version */
  }
#endif
  dlfpy_own_type = hub_type;
  dlfpy_own_content = hub_peek;
  return added;
}
