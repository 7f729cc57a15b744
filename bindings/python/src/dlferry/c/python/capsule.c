/* SPDX-License-Identifier: Apache-2.0 */
#include "oneapi.h"
#include "release.h"

/* ---- Export ---- */

/* One for each structure: of a consumed capsule, which has another name, nothing more is asked. */
static void destroy_versioned(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, DLF_CAPSULE)) {
    dlfpy_release_managed(PyCapsule_GetPointer(capsule, DLF_CAPSULE));
  }
}

static void destroy_legacy(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, DLF_CAPSULE_LEGACY)) {
    dlfpy_release_legacy(PyCapsule_GetPointer(capsule, DLF_CAPSULE_LEGACY));
  }
}

PyObject *dlfpy_capsule_of(DLManagedTensorVersioned *owned) {
  PyObject *capsule = PyCapsule_New(owned, DLF_CAPSULE, destroy_versioned);
  if (!capsule) {
    dlfpy_release_managed(owned);
  }
  return capsule;
}

PyObject *dlfpy_capsule_of_legacy(DLManagedTensor *owned) {
  PyObject *capsule = PyCapsule_New(owned, DLF_CAPSULE_LEGACY, destroy_legacy);
  if (!capsule) {
    dlfpy_release_legacy(owned);
  }
  return capsule;
}

dlf_status dlfpy_export(dlfpy_content content, DLManagedTensorVersioned **out, dlf_error *error) {
  const dlf_status status = dlf_to_dlpack(content.handle, out, error);
  if (!status && content.legacy) {
    (*out)->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  return status;
}

PyObject *dlfpy_capsule(dlfpy_content content) {
  DLManagedTensorVersioned *managed;
  dlf_error error;
  const dlf_status status = dlfpy_export(content, &managed, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return dlfpy_capsule_of(managed);
}

PyObject *dlfpy_capsule_legacy(dlf_tensor *self) {
  DLManagedTensor *managed;
  dlf_error error;
  const dlf_status status = dlf_to_dlpack_legacy(self, &managed, &error);
  if (status) {
    return dlfpy_raise(status, &error);
  }
  return dlfpy_capsule_of_legacy(managed);
}

/* ---- Import ---- */

/* The managed tensor in a capsule that has not been consumed; NULL with an exception. */
static void *content_of(PyObject *capsule, const char *name, bool *versioned) {
  const char *is = PyCapsule_GetName(capsule);
  *versioned = is && strcmp(is, DLF_CAPSULE) == 0;
  if (*versioned || (is && strcmp(is, DLF_CAPSULE_LEGACY) == 0)) {
    return PyCapsule_GetPointer(capsule, is);
  }
  if (is && strncmp(is, "used_", 5) == 0) {
    dlfpy_fail(
        DLF_INVALID, "%s: expected a capsule that has not been consumed, got \"%s\"", name, is);
  } else if (!PyErr_Occurred()) {
    dlfpy_fail(DLF_INVALID,
               "%s: expected a capsule \"" DLF_CAPSULE "\" or \"" DLF_CAPSULE_LEGACY
               "\", got %s%s%s",
               name,
               is ? "\"" : "one without a name",
               is ? is : "",
               is ? "\"" : "");
  }
  return NULL;
}

bool dlfpy_has_our_version(const DLManagedTensorVersioned *managed, const char *name) {
  if (managed->version.major == DLF_DLPACK_MAJOR) {
    return true;
  }
  dlfpy_fail(DLF_VERSION,
             "%s: expected DLPack major version %d, got %lu",
             name,
             DLF_DLPACK_MAJOR,
             (unsigned long)managed->version.major);
  return false;
}

bool dlfpy_capsule_peek(PyObject *capsule, const char *name, dlf_arg *out) {
  bool versioned;
  void *managed = content_of(capsule, name, &versioned);
  if (!managed) {
    return false;
  }
  if (!versioned) {
    *out = (dlf_arg){&((DLManagedTensor *)managed)->dl_tensor, DLF_FLAGS_UNKNOWN};
    return true;
  }
  const DLManagedTensorVersioned *m = managed;
  *out = (dlf_arg){&m->dl_tensor, m->flags};
  return dlfpy_has_our_version(m, name);
}

/* Renamed before anything else can fail or run, so that nothing consumes it again. */
void *dlfpy_capsule_take(PyObject *capsule, const char *name, bool *versioned) {
  void *managed = content_of(capsule, name, versioned);
  if (!managed ||
      PyCapsule_SetName(capsule, *versioned ? DLF_CAPSULE_USED : DLF_CAPSULE_LEGACY_USED)) {
    return NULL;
  }
  const DLManagedTensorVersioned *m = managed;
  if (!*versioned) {
    dlfpy_meet(&((const DLManagedTensor *)managed)->dl_tensor);
  } else if (m->version.major == DLF_DLPACK_MAJOR) { /* one that we can read */
    dlfpy_meet(&m->dl_tensor);
  }
  return managed;
}
