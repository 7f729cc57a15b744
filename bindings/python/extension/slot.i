/* SPDX-License-Identifier: Apache-2.0 */
/* The fields that a Tensor keeps, in the places of SWIG's own bookkeeping, which is not used here: tensor_dealloc
 * always releases the hub's handle. */
%wrapper %{
PyTypeObject *hub_type;

dlf_tensor **hub_slot(PyObject *tensor) { return (dlf_tensor **)&((SwigPyObject *)tensor)->ptr; }

dlfpy_content hub_peek(PyObject *tensor) {
  const SwigPyObject *self = (SwigPyObject *)tensor;
  return (dlfpy_content){self->ptr, self->own, self->next};
}

void hub_keep(PyObject *tensor, PyObject *producer) {
  PyObject *old = ((SwigPyObject *)tensor)->next;
  ((SwigPyObject *)tensor)->next = Py_XNewRef(producer);
  Py_XDECREF(old);
}

PyObject *hub_tensor_new(dlf_tensor *owned, bool legacy) {
  SwigPyObject *self = PyObject_New(SwigPyObject, hub_type);
  if (!self) {
    dlf_release(owned);
    return NULL;
  }
  self->ptr = owned;
  self->ty = SWIGTYPE_p_dlf_tensor;
  self->own = legacy;
  self->next = self->swigdict = self->weakreflist = NULL;
  return (PyObject *)self;
}
%}
