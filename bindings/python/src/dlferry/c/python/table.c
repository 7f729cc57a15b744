/* SPDX-License-Identifier: Apache-2.0 */
#include "oneapi.h"
#include "release.h"

/* Raise for a function of x's table that failed, perhaps without an exception; returns false. */
static bool refuse_failure(PyObject *x, const char *name, const char *wanted) {
  if (PyErr_Occurred()) {
    return dlfpy_foreign(name, DLFPY_EXPORTED, x);
  }
  dlfpy_fail(DLF_FOREIGN,
             "%s: expected %s or an exception from %.80s, got neither",
             name,
             wanted,
             dlfpy_type_name_of(x));
  return false;
}

DLManagedTensorVersioned *dlfpy_managed(PyObject *x, const dlfpy_producer *producer,
                                        const char *name) {
  DLManagedTensorVersioned *managed = NULL;
  if (!producer->api->managed_tensor_from_py_object_no_sync(x, &managed) && managed) {
    if (managed->version.major == DLF_DLPACK_MAJOR) {
      dlfpy_meet(&managed->dl_tensor);
    }
    return managed;
  }
  refuse_failure(x, name, "a managed tensor");
  return NULL;
}

PyObject *dlfpy_from_managed(const dlfpy_producer *producer, const char *type,
                             DLManagedTensorVersioned *owned) {
  void *object = NULL;
  if (!producer->api->managed_tensor_to_py_object_no_sync(owned, &object) && object) {
    return object;
  }
  /* The specification does not say who owns the tensor after a failure: a leak is better than a
   * second release. torch takes it only on success. */
  if (producer->torch) {
    dlfpy_release_managed(owned);
  }
  if (!PyErr_Occurred()) {
    dlfpy_fail(DLF_FOREIGN, "%.80s: expected a new array, got none", type);
  }
  return NULL;
}

bool dlfpy_described(PyObject *x, const dlfpy_producer *producer, const char *name, DLTensor *out) {
  if (!producer->api->dltensor_from_py_object_no_sync(x, out)) {
    dlfpy_meet(out);
    return true;
  }
  return refuse_failure(x, name, "a tensor");
}
