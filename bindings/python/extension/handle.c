/* SPDX-License-Identifier: Apache-2.0 */
/* The handle that a Tensor keeps. */
#include "hub.h"

PyTypeObject *hub_type;

dlf_tensor *hub_handle(PyObject *x, const char *name) {
  if (!PyObject_TypeCheck(x, hub_type)) {
    PyErr_Format(PyExc_TypeError, "expected a dlferry.Tensor, got %.80s", dlfpy_type_name_of(x));
    return NULL;
  }
  dlf_tensor *handle = ((hub_tensor *)x)->handle;
  if (!handle) {
    dlfpy_fail(DLF_INVALID, "%s: expected an open tensor, got a closed one", name);
  }
  return handle;
}

dlfpy_content hub_content(PyObject *x, const char *name) {
  if (hub_handle(x, name)) {
    return hub_peek(x);
  }
  return dlfpy_alone(NULL);
}

bool hub_check_flags(dlfpy_content content, const char *name) {
  const unsigned long long unknown = hub_unknown_flags(content);
  if (!unknown) {
    return true;
  }
  dlfpy_fail(
      DLF_UNSUPPORTED, "%s: expected flags that DLPack 1.3 names, got 0x%llx", name, unknown);
  return false;
}

dlf_tensor *hub_retain(PyObject *x, const char *name) {
  dlf_tensor *handle;
  DLFPY_BEGIN_SECTION(x)
  handle = dlf_retain(hub_handle(x, name));
  DLFPY_END_SECTION()
  return handle;
}

int64_t hub_byte_size(const dlf_tensor *handle) {
  int64_t size;
  dlf_error error;
  const dlf_status status = dlf_byte_size(dlf_dltensor(handle), dlf_flags(handle), &size, &error);
  if (!status) {
    return size;
  }
  dlfpy_raise(status, &error);
  return -1;
}

dlfpy_content hub_peek(PyObject *x) {
  const hub_tensor *self = (hub_tensor *)x;
  return (dlfpy_content){self->handle, self->legacy, self->producer};
}

/* The memory of released tensors serves the next ones, in half the time of an allocation. Not where
 * threads share it without the GIL, nor where a debugging allocator or sanitizer shall see each
 * release. */
#if defined Py_GIL_DISABLED || defined Py_DEBUG || defined __SANITIZE_ADDRESS__
static hub_tensor *allocate(void) {
  return PyObject_GC_New(hub_tensor, hub_type);
}
static bool keep_spare(PyObject *Py_UNUSED(x)) {
  return false;
}
#else
enum { SPARES = 64 };
static PyObject *spares[SPARES];
static int spare_count;

static hub_tensor *allocate(void) {
  if (!spare_count) {
    return PyObject_GC_New(hub_tensor, hub_type);
  }
  return (hub_tensor *)PyObject_Init(spares[--spare_count], hub_type);
}

static bool keep_spare(PyObject *x) {
  if (Py_TYPE(x) != hub_type || spare_count == SPARES) {
    return false;
  }
  spares[spare_count++] = x;
  return true;
}
#endif

void hub_free(PyObject *x) {
  PyTypeObject *type = Py_TYPE(x);
  if (!keep_spare(x)) {
    PyObject_GC_Del(x);
  }
  Py_DECREF(type);
}

/* The collector need not know a tensor that refers to no object that it knows: that is most of
 * them. A subclass's
 * __dict__ may refer to anything. */
PyObject *hub_tensor_new(dlf_tensor *owned, bool legacy) {
  if (!owned) {
    return NULL;
  }
  hub_tensor *self = allocate();
  if (!self) {
    dlfpy_release(owned);
    return NULL;
  }
  self->handle = owned;
  self->producer = self->weak = NULL;
  self->lent = NULL;
  atomic_init(&self->buffers, 0);
  self->legacy = legacy;
  return (PyObject *)self;
}

PyObject *hub_view_new(dlfpy_content parent, dlf_tensor *owned) {
  PyObject *view = hub_tensor_new(owned, parent.legacy);
  if (view) {
    hub_track(view);
  }
  return view;
}

void hub_track(PyObject *x) {
  PyObject *owner = dlf_queue_owner(dlfpy_queue, ((hub_tensor *)x)->handle, 0);
  if (owner && hub_may_refer(owner)) {
    PyObject_GC_Track(x);
  }
}

/* Without the GIL other threads may drop references meanwhile, but the only holder's number can
 * only grow by this object's methods: what is reported once is reported until the end of the
 * collection. */
PyObject *hub_owner(PyObject *x) {
  hub_tensor *self = (hub_tensor *)x;
  const int64_t lent = self->lent && self->lent == self->handle;
  return dlf_queue_owner(dlfpy_queue, self->handle, 1 + lent + atomic_load(&self->buffers));
}

void hub_keep(PyObject *x, PyObject *producer) {
  ((hub_tensor *)x)->producer = Py_XNewRef(producer);
  if (producer && !PyObject_GC_IsTracked(x)) {
    PyObject_GC_Track(x);
  }
}

/* The released objects may be Python objects whose __del__ calls this again. */
void hub_release(PyObject *x) {
  hub_tensor *self = (hub_tensor *)x;
  dlf_tensor *owned;
  PyObject *producer;
  DLFPY_BEGIN_SECTION(x)
  owned = self->handle;
  producer = self->producer;
  self->handle = NULL;
  self->producer = NULL;
  DLFPY_END_SECTION()
  dlfpy_release(owned);
  Py_XDECREF(producer);
}

void hub_lend(PyObject *x) {
  hub_tensor *self = (hub_tensor *)x;
  if (!self->lent) {
    self->lent = dlf_retain(self->handle);
  }
}

static PyObject *subclass_new(PyTypeObject *type, dlf_tensor *owned, bool legacy) {
  PyObject *self = PyType_GenericAlloc(type, 0); /* with room for a subclass's own attributes */
  if (!self) {
    dlfpy_release(owned);
    return NULL;
  }
  ((hub_tensor *)self)->handle = owned;
  ((hub_tensor *)self)->legacy = legacy;
  return self;
}

PyObject *hub_adopt(PyTypeObject *type, dlfpy_content content) {
  PyObject *self;
  if (type == hub_type) {
    self = hub_tensor_new(content.handle, content.legacy);
  } else {
    self = subclass_new(type, content.handle, content.legacy);
  }
  if (self) {
    hub_keep(self, content.producer);
  }
  return self;
}
