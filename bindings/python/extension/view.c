/* SPDX-License-Identifier: Apache-2.0 */
/* The methods of a Tensor that return a view. They read NumPy's arguments and call the hub's
 * function of that name. */
#include "hub.h"

static PyObject *give(dlfpy_content parent, dlf_status status, dlf_tensor *view,
                      const dlf_error *error) {
  if (status) {
    return dlfpy_raise(status, error);
  }
  return hub_view_new(parent, view);
}

/* Count axes from the end if negative. */
static bool place_axes(const char *name, const int64_t *list, int64_t count, int64_t ndim,
                       int64_t *axes) {
  for (int32_t i = 0; i < count; i++) {
    if (ndim == 0) {
      dlfpy_fail(DLF_BOUNDS,
                 "%s: expected no axis of a tensor without one, got %lld",
                 name,
                 (long long)list[i]);
      return false;
    }
    if (list[i] < -ndim || list[i] >= ndim) {
      dlfpy_fail(DLF_BOUNDS,
                 "%s: expected an axis from %lld to %lld, got %lld",
                 name,
                 -(long long)ndim,
                 (long long)ndim - 1,
                 (long long)list[i]);
      return false;
    }
    axes[i] = list[i];
    if (list[i] < 0) {
      axes[i] += ndim;
    }
  }
  return true;
}

static uint64_t mask_of(const char *name, const int64_t *axes, int64_t count) {
  uint64_t mask = 0;
  for (int32_t i = 0; i < count; i++) {
    if (mask >> axes[i] & 1) {
      dlfpy_fail(DLF_INVALID,
                 "%s: expected each axis once, got axis %d (from 0) again",
                 name,
                 (int)axes[i]);
      return 0;
    }
    mask |= UINT64_C(1) << axes[i];
  }
  return mask;
}

/* Read an axis or several, of the tensor or of it with these, as a set; an empty one stays empty,
 * without an exception. Reading may run Python code that releases the tensor, so its content is
 * taken then. */
static bool read_axes(const char *name, PyObject *x, bool are_new, PyObject *self,
                      dlfpy_content *own, uint64_t *mask) {
  int64_t list[DLF_MAX_NDIM];
  int64_t axes[DLF_MAX_NDIM];
  int64_t count;
  if (!hub_read_list(name, &x, 1, list, &count)) {
    return false;
  }
  *own = hub_content(self, name);
  if (!own->handle) {
    return false;
  }
  int64_t ndim = dlf_dltensor(own->handle)->ndim;
  if (are_new) {
    ndim += count;
  }
  if (ndim > DLF_MAX_NDIM) {
    ndim = DLF_MAX_NDIM;
  }
  if (!place_axes(name, list, count, ndim, axes)) {
    return false;
  }
  *mask = mask_of(name, axes, count);
  return *mask || count == 0;
}

/* Without an axis the set stays as it is. */
static bool read_axes_or_none(const char *name, PyObject *x, PyObject *self, dlfpy_content *own,
                              uint64_t *mask) {
  if (dlfpy_is_given(x)) {
    return read_axes(name, x, false, self, own, mask);
  }
  *own = hub_content(self, name);
  return own->handle != NULL;
}

/* ---- Order of axes ---- */

static PyObject *permuted(dlfpy_content own, const int64_t *axes, int64_t count) {
  dlf_tensor *view = NULL;
  dlf_error error;
  const dlf_status status = dlf_permute(own.handle, axes, count, &view, &error);
  return give(own, status, view, &error);
}

/* All axes from `first` on in reverse order. */
static PyObject *reversed(dlfpy_content own, int32_t first) {
  int64_t axes[DLF_MAX_NDIM];
  const int32_t ndim = dlf_dltensor(own.handle)->ndim;
  for (int32_t i = 0; i < ndim; i++) {
    axes[i] = i;
    if (i >= first) {
      axes[i] = ndim - 1 - (i - first);
    }
  }
  return permuted(own, axes, ndim);
}

PyObject *hub_T(dlfpy_content own) {
  return reversed(own, 0);
}

PyObject *hub_mT(dlfpy_content own) {
  const int32_t ndim = dlf_dltensor(own.handle)->ndim;
  if (ndim < 2) {
    return dlfpy_fail(DLF_SHAPE, "mT: expected at least 2 axes, got %d", ndim);
  }
  return reversed(own, ndim - 2);
}

/* A method's list, as several arguments, one, or a keyword; all other parameters are keywords. */
static bool read_arguments(const dlfpy_signature *signature, PyObject *const *given,
                           Py_ssize_t count, PyObject *names, PyObject **v, int64_t *list,
                           int64_t *length) {
  if (!dlfpy_sort(signature, given + count, 0, names, v)) {
    return false;
  }
  if ((count == 0) == (v[0] == NULL)) {
    PyErr_Format(PyExc_TypeError,
                 "%s() expected %s one time, got it %s",
                 signature->function,
                 signature->names[0],
                 count ? "twice" : "never");
    return false;
  }
  return hub_read_list(signature->function, v[0] ? v : given, v[0] ? 1 : count, list, length);
}

PyObject *hub_permute(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("permute", 0, "axes");
  int64_t list[DLF_MAX_NDIM];
  int64_t axes[DLF_MAX_NDIM];
  int64_t length;
  if (!read_arguments(&signature, given, count, names, values, list, &length)) {
    return NULL;
  }
  const dlfpy_content own = hub_content(self, "permute");
  if (!own.handle || !place_axes("permute", list, length, dlf_dltensor(own.handle)->ndim, axes)) {
    return NULL;
  }
  return permuted(own, axes, length);
}

/* ---- Shape ---- */

PyObject *hub_reshape(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("reshape", 0, "shape", "copy");
  int64_t shape[DLF_MAX_NDIM];
  int64_t ndim;
  dlf_tensor *view = NULL;
  dlf_error error;
  dlf_copy_mode copy;
  if (!read_arguments(&signature, given, count, names, values, shape, &ndim) ||
      !dlfpy_copy_mode(values[1], &copy)) {
    return NULL;
  }
  const dlfpy_content own = hub_content(self, "reshape");
  if (!own.handle) {
    return NULL;
  }
  dlf_tensor *from;
  if (copy == DLF_COPY_ALWAYS) {
    from = dlfpy_copy(own.handle);
  } else {
    from = dlf_retain(own.handle);
  }
  if (!from) {
    return NULL;
  }
  const dlf_status status = dlf_reshape(from, shape, ndim, &view, &error);
  dlf_release(from);
  if (copy == DLF_COPY_ALWAYS && !status) {
    return hub_tensor_new(view, false);
  }
  return give(own, status, view, &error);
}

PyObject *hub_broadcast_to(PyObject *self, PyObject *const *given, Py_ssize_t count,
                           PyObject *names) {
  DLFPY_SIGNATURE("broadcast_to", 0, "shape");
  int64_t shape[DLF_MAX_NDIM];
  int64_t ndim;
  dlf_tensor *view = NULL;
  dlf_error error;
  if (!read_arguments(&signature, given, count, names, values, shape, &ndim)) {
    return NULL;
  }
  const dlfpy_content own = hub_content(self, "broadcast_to");
  if (!own.handle) {
    return NULL;
  }
  const dlf_status status = dlf_broadcast(own.handle, shape, ndim, &view, &error);
  if (status) {
    return dlfpy_raise_as("broadcast_to", "broadcast", status, &error);
  }
  return hub_view_new(own, view);
}

/* ---- Axes of extent 1, and reversed axes: each parameter is one axis, several, or None ---- */

typedef dlf_status one_axis(dlf_tensor *self, int64_t axis, dlf_tensor **out, dlf_error *error);

/* Apply a function of the hub to each axis of a set. A set is taken from its last axis, or, for new
 * axes, first. */
static PyObject *each_axis(dlfpy_content own, one_axis *function, uint64_t mask, bool from_first) {
  dlf_error error;
  dlf_tensor *at = dlf_retain(own.handle);
  for (int32_t i = 0; i < DLF_MAX_NDIM; i++) {
    int32_t axis = i;
    if (!from_first) {
      axis = DLF_MAX_NDIM - 1 - i;
    }
    dlf_tensor *next;
    if (!(mask >> axis & 1)) {
      continue;
    }
    const dlf_status status = function(at, axis, &next, &error);
    dlf_release(at);
    if (status) {
      return dlfpy_raise(status, &error);
    }
    at = next;
  }
  return hub_view_new(own, at);
}

PyObject *hub_squeeze(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("squeeze", 0, "axis");
  dlfpy_content own;
  uint64_t mask = 0;
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  PyObject *axis = values[0];
  if (!read_axes_or_none("squeeze", axis, self, &own, &mask)) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(own.handle);
  for (int32_t i = 0; i < t->ndim && !dlfpy_is_given(axis); i++) {
    if (t->shape[i] == 1) {
      mask |= UINT64_C(1) << i;
    }
  }
  return each_axis(own, dlf_squeeze, mask, false);
}

PyObject *hub_unsqueeze(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("unsqueeze", 1, "axis");
  dlfpy_content own;
  uint64_t mask;
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if (!read_axes("unsqueeze", values[0], true, self, &own, &mask)) {
    return NULL;
  }
  return each_axis(own, dlf_unsqueeze, mask, true);
}

/* All axes at once: with packed elements only the result need start on a byte. */
PyObject *hub_flip(PyObject *self, PyObject *const *given, Py_ssize_t count, PyObject *names) {
  DLFPY_SIGNATURE("flip", 0, "axis");
  dlf_index_item items[DLF_MAX_NDIM];
  dlfpy_content own;
  dlf_tensor *view;
  dlf_error error;
  uint64_t mask = ~UINT64_C(0);
  if (!dlfpy_sort(&signature, given, count, names, values)) {
    return NULL;
  }
  if (!read_axes_or_none("flip", values[0], self, &own, &mask)) {
    return NULL;
  }
  const DLTensor *t = dlf_dltensor(own.handle);
  for (int32_t i = 0; i < t->ndim; i++) {
    const bool flips = (mask >> i & 1) && t->shape[i] > 0;
    items[i] = (dlf_index_item){DLF_INDEX_RANGE, 0, 0, t->shape[i], 1};
    if (flips) {
      items[i].start = t->shape[i] - 1;
      items[i].step = -1;
    }
  }
  const dlf_status status = dlf_index(own.handle, items, t->ndim, &view, &error);
  if (status) {
    return dlfpy_raise_as("flip", "index", status, &error);
  }
  return hub_view_new(own, view);
}

/* ---- The same bytes as another dtype ---- */

PyObject *hub_bitcast(PyObject *self, PyObject *dtype_given) {
  DLDataType dtype;
  dlf_tensor *view = NULL;
  dlf_error error;
  if (!hub_read_dtype(dtype_given, "bitcast: dtype", &dtype)) {
    return NULL;
  }
  const dlfpy_content own = hub_content(self, "bitcast");
  if (!own.handle) {
    return NULL;
  }
  const dlf_status status = dlf_bitcast(own.handle, dtype, &view, &error);
  return give(own, status, view, &error);
}

static PyObject *view_by(PyObject *self, const char *name,
                         dlf_status (*function)(dlf_tensor *self, dlf_tensor **out,
                                                dlf_error *error)) {
  const dlfpy_content own = hub_content(self, name);
  dlf_tensor *view = NULL;
  dlf_error error;
  if (!own.handle) {
    return NULL;
  }
  const dlf_status status = function(own.handle, &view, &error);
  return give(own, status, view, &error);
}

PyObject *hub_pack_lanes(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return view_by(self, "pack_lanes", dlf_pack_lanes);
}

PyObject *hub_unpack_lanes(PyObject *self, PyObject *Py_UNUSED(unused)) {
  return view_by(self, "unpack_lanes", dlf_unpack_lanes);
}
