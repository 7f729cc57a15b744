/* SPDX-License-Identifier: Apache-2.0 */
/* The buffer protocol: an export keeps the handle, not the Tensor, which may be released meanwhile.
 */
#include "hub.h"

typedef struct exported {
  dlf_tensor *handle;
  Py_ssize_t extents[];
} exported;

static int refuse(const char *message) {
  dlfpy_fail(DLF_LAYOUT, "buffer: %s", message);
  return -1;
}

/* The request's conditions on the elements. */
static uint32_t asked(int flags) {
  uint32_t how = DLF_LOOK_UNALIGNED | (flags & PyBUF_WRITABLE ? DLF_LOOK_WRITE : 0u);
  if ((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS ||
      (flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    how |= DLF_LOOK_ROW_MAJOR;
  } else if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) {
    how |= DLF_LOOK_COLUMN_MAJOR;
  } else if ((flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS) {
    how |= DLF_LOOK_ROW_MAJOR | DLF_LOOK_COLUMN_MAJOR;
  }
  return how;
}

int hub_getbuffer(PyObject *self, Py_buffer *view, int flags) {
  const dlfpy_content own = hub_content(self, "elements");
  dlf_elements elements;
  dlf_error error;
  view->obj = NULL;
  if (!own.handle) {
    return -1;
  }
  const DLTensor *t = dlf_dltensor(own.handle);
  const char *format = dlfpy_buffer_format(t->dtype);
  const dlf_status status = dlf_look(
      (dlf_arg){t, dlfpy_flags(own)}, (DLDataType){0, 0, 0}, asked(flags), &elements, &error);
  if (status) {
    dlfpy_raise(status, &error);
    return -1;
  }
  if (!format) {
    return refuse("expected a dtype that the struct module has");
  }
  /* torch.asarray and similar would read the bytes as a tensor of one axis. */
  if (!(flags & PyBUF_ND) && t->ndim > 1) {
    return refuse("expected a consumer that asks for the shape of several axes; pass "
                  "memoryview(x) for bytes");
  }
  exported *e = PyMem_Malloc(sizeof *e + 2 * (size_t)t->ndim * sizeof *e->extents);
  if (!e) {
    PyErr_NoMemory();
    return -1;
  }
  e->handle = dlf_retain(own.handle);
  atomic_fetch_add(&((hub_tensor *)self)->buffers, 1);
  const Py_ssize_t size = t->dtype.bits / 8;
  for (int32_t i = 0; i < t->ndim; i++) {
    e->extents[i] = t->shape[i];
    e->extents[t->ndim + i] = dlfpy_stride(t, i);
  }
  *view = (Py_buffer){.buf = dlf_data(t),
                      .obj = Py_NewRef(self),
                      .len = elements.count * size,
                      .itemsize = size,
                      .readonly = (dlfpy_flags(own) & DLPACK_FLAG_BITMASK_READ_ONLY) != 0,
                      .ndim = t->ndim,
                      .internal = e};
  if (flags & PyBUF_FORMAT) {
    view->format = (char *)(uintptr_t)format;
  }
  if (flags & PyBUF_ND) {
    view->shape = e->extents;
  }
  if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) {
    view->strides = e->extents + t->ndim;
  }
  return 0;
}

void hub_releasebuffer(PyObject *self, Py_buffer *view) {
  exported *e = view->internal;
  atomic_fetch_sub(&((hub_tensor *)self)->buffers, 1);
  dlfpy_release(e->handle);
  PyMem_Free(e);
}
