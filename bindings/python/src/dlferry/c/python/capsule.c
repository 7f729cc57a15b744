/* SPDX-License-Identifier: Apache-2.0 */
#include "capsule.h"

#include "copy.h"
#include "error.h"
#include "release.h"

#include <string.h>

#define VERSIONED "dltensor_versioned"
#define LEGACY "dltensor"

/* ---- Export ---- */

static void destroy_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, VERSIONED)) dlfpy_release_managed(PyCapsule_GetPointer(capsule, VERSIONED));
}

static void destroy_legacy(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, LEGACY)) dlfpy_release_legacy(PyCapsule_GetPointer(capsule, LEGACY));
}

/* Takes managed. */
static PyObject *in_capsule(DLManagedTensorVersioned *managed) {
  PyObject *capsule = PyCapsule_New(managed, VERSIONED, destroy_versioned);
  if (!capsule) dlf_dlpack_release(managed);
  return capsule;
}

dlf_status dlfpy_export(dlfpy_content content, DLManagedTensorVersioned **out, dlf_error *error) {
  const dlf_status status = dlf_to_dlpack(content.handle, out, error);
  if (!status && content.legacy) (*out)->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  return status;
}

PyObject *dlfpy_capsule(dlfpy_content content) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  const dlf_status status = dlfpy_export(content, &managed, &error);
  return status ? dlfpy_raise(status, &error) : in_capsule(managed);
}

PyObject *dlfpy_capsule_legacy(dlf_tensor *self) {
  DLManagedTensor *managed;
  dlf_error error;
  const dlf_status status = dlf_to_dlpack_legacy(self, &managed, &error);
  if (status) return dlfpy_raise(status, &error);
  PyObject *capsule = PyCapsule_New(managed, LEGACY, destroy_legacy);
  if (!capsule) dlf_dlpack_release_legacy(managed);
  return capsule;
}

PyObject *dlfpy_capsule_of_copy(dlf_tensor *self) {
  DLManagedTensorVersioned *copy = dlfpy_copy_managed(self);
  return copy ? in_capsule(copy) : NULL;
}

/* ---- Import ---- */

/* 1 for a versioned structure, 0 for a legacy one, -1 with an exception. */
static int versioned_of(PyObject *capsule, const char *name) {
  const char *is = PyCapsule_GetName(capsule);
  if (is && strcmp(is, VERSIONED) == 0) return 1;
  if (is && strcmp(is, LEGACY) == 0) return 0;
  if (is && strncmp(is, "used_", 5) == 0)
    dlfpy_fail(DLF_INVALID, "%s: expected a capsule that has not been consumed, got \"%s\"", name, is);
  else if (!PyErr_Occurred())
    dlfpy_fail(DLF_INVALID, "%s: expected a capsule \"" VERSIONED "\" or \"" LEGACY "\", got %s%s%s", name,
               is ? "\"" : "one without a name", is ? is : "", is ? "\"" : "");
  return -1;
}

bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out) {
  const int versioned = versioned_of(capsule, name);
  void *managed = versioned < 0 ? NULL : PyCapsule_GetPointer(capsule, versioned ? VERSIONED : LEGACY);
  if (!managed) return false;
  if (!versioned) {
    *out = (dlf_arg){&((DLManagedTensor *)managed)->dl_tensor, DLF_FLAGS_UNKNOWN};
    return true;
  }
  const DLManagedTensorVersioned *m = managed;
  *out = (dlf_arg){&m->dl_tensor, m->flags};
  if (m->version.major == DLF_DLPACK_MAJOR) return true;
  dlfpy_fail(DLF_VERSION, "%s: expected DLPack major version %d, got %lu", name, DLF_DLPACK_MAJOR,
             (unsigned long)m->version.major);
  return false;
}

/* Renamed before anything else can fail or run, so that nothing consumes it again. */
void *dlfpy_capsule_take(PyObject *capsule, const char *name, bool *out_versioned) {
  const int versioned = versioned_of(capsule, name);
  if (versioned < 0) return NULL;
  void *managed = PyCapsule_GetPointer(capsule, versioned ? VERSIONED : LEGACY);
  if (!managed || PyCapsule_SetName(capsule, versioned ? "used_" VERSIONED : "used_" LEGACY)) return NULL;
  *out_versioned = versioned;
  return managed;
}
