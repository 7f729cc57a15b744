/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/plain.h"
#include "hub/tensor/handle.h"
#include "veto.h"

static void let_go_of_managed(dlf_tensor *self) {
  DLManagedTensorVersioned *owned = self->owner;
  dlf__releases *inside = dlf__begin_release(self);
  if (!inside) {
    return;
  }
  if (owned->deleter) {
    owned->deleter(owned);
  }
  dlf__tensor_free(self);
  dlf__end_release(inside);
}

static void release_legacy(void *owner) {
  dlf_dlpack_release_legacy(owner);
}

static void delete_export(DLManagedTensorVersioned *managed) {
  dlf_release(managed->manager_ctx);
  free(managed);
}

static DLF__INLINE bool is_ours(const DLManagedTensorVersioned *owned) {
  return owned->deleter == delete_export || owned->deleter == dlf__delete_made;
}

/* Return the exported handle if the import is unmodified, so that nothing is allocated or checked;
 * else NULL. A consumer may have changed all that it owned. */
DLF__APART static dlf_tensor *take_back(DLManagedTensorVersioned *owned) {
  dlf_tensor *self = owned->manager_ctx;
  const dlf__export *e = (const dlf__export *)owned;
  const DLTensor *dl = &owned->dl_tensor;
  const size_t ndim = (size_t)self->dl.ndim;
  if (dl->ndim != self->dl.ndim || dl->data != self->dl.data ||
      dl->byte_offset != self->dl.byte_offset ||
      memcmp(&dl->dtype, &self->dl.dtype, sizeof dl->dtype) != 0 || owned->flags != self->flags ||
      dl->device.device_type != self->dl.device.device_type ||
      dl->device.device_id != self->dl.device.device_id ||
      owned->version.minor != self->version.minor || owned->version.major != self->version.major ||
      ndim == 0 || dl->shape != e->extents || dl->strides != e->extents + ndim) {
    return NULL;
  }
  for (size_t i = 0; i < 2 * ndim; i++) {
    if (e->extents[i] != self->extents[i]) {
      return NULL;
    }
  }
  if (owned->deleter == delete_export) {
    free(owned);
  }
  return self; /* carries the export's reference */
}

/* Make a handle on our own modified export, which it does not need afterwards; the caller releases
 * the export. */
static dlf_status adopt_ours(DLManagedTensorVersioned *owned, dlf_tensor **out, dlf_error *error) {
  dlf_tensor *self = *out = dlf__tensor_on(owned->manager_ctx, &owned->dl_tensor);
  if (!self) {
    return dlf__no_handle("from_dlpack", error);
  }
  self->flags = owned->flags & ~DLF_FLAGS_UNKNOWN;
  self->version = owned->version;
  return DLF_OK;
}

/* Make a handle on a checked tensor. */
static DLF__INLINE dlf_status adopt(DLManagedTensorVersioned *owned, dlf_tensor **out,
                                    dlf_error *error) {
  dlf_tensor *self = *out = dlf__tensor_new(&owned->dl_tensor);
  if (!self) {
    return dlf__no_handle("from_dlpack", error);
  }
  self->flags = owned->flags & ~DLF_FLAGS_UNKNOWN;
  self->version = owned->version;
  self->owner = owned;
  self->has_owner = owned->deleter != NULL;
  self->let_go = let_go_of_managed;
  return DLF_OK;
}

/* The same for any checked tensor, of which a device's backend may refuse the import or know a
 * better id. The caller releases our own export. */
static dlf_status adopt_any(const char *name, DLManagedTensorVersioned *owned, dlf_tensor **out,
                            dlf_error *error) {
  int32_t id;
  dlf_status status = dlf__veto(name, DLF__IMPORT, &owned->dl_tensor, &id, error);
  if (!status) {
    if (is_ours(owned)) {
      status = adopt_ours(owned, out, error);
    } else {
      status = adopt(owned, out, error);
    }
  }
  if (!status) {
    dlf__name_device(*out, id);
  }
  return status;
}

/* A separate function, so that the common path saves no registers for it. */
DLF__APART static dlf_status import_closely(DLManagedTensorVersioned *owned, dlf_tensor **out,
                                            dlf_error *error) {
  if (!out) {
    return dlf__no_place("from_dlpack", error);
  }
  *out = NULL;
  dlf_status status = dlf__check_version("from_dlpack", owned, error);
  if (status) {
    return status;
  }
  /* Our own export; each copy of the hub has its own deleter. */
  if (is_ours(owned)) {
    *out = take_back(owned);
  }
  if (*out) {
    return DLF_OK;
  }
  status = dlf__check("from_dlpack", &owned->dl_tensor, owned->flags & ~DLF_FLAGS_UNKNOWN, error);
  if (!status) {
    status = adopt_any("from_dlpack", owned, out, error);
  }
  if (!status && is_ours(owned)) {
    owned->deleter(owned);
  }
  return status;
}

dlf_status dlf_from_dlpack(DLManagedTensorVersioned *owned, dlf_tensor **out, dlf_error *error) {
  if (DLF__LIKELY(owned && out && owned->version.major == DLF_DLPACK_MAJOR && !is_ours(owned) &&
                  dlf__is_plainly_sound(&owned->dl_tensor) &&
                  !dlf__may_have_backend(owned->dl_tensor.device))) {
    return adopt(owned, out, error);
  }
  return import_closely(owned, out, error);
}

typedef struct exported_legacy {
  DLManagedTensor managed;
  int64_t extents[];
} exported_legacy;

static void delete_export_legacy(DLManagedTensor *managed) {
  dlf_release(managed->manager_ctx);
  free(managed);
}

static bool is_our_legacy(const DLManagedTensor *owned) {
  return owned->deleter == delete_export_legacy;
}

/* Make a handle on a legacy tensor. The caller releases it if it is our own export. */
static dlf_status adopt_legacy(const char *name, DLManagedTensor *owned, uint64_t flags,
                               dlf_tensor **out, dlf_error *error) {
  if (!owned) {
    return dlf__missing(name, "a managed tensor", error);
  }
  int32_t id;
  dlf_status status = dlf__check(name, &owned->dl_tensor, flags, error);
  if (!status) {
    status = dlf__veto(name, DLF__IMPORT, &owned->dl_tensor, &id, error);
  }
  if (status) {
    return status;
  }
  dlf_tensor *self = *out = is_our_legacy(owned)
                                ? dlf__tensor_on(owned->manager_ctx, &owned->dl_tensor)
                                : dlf__tensor_new(&owned->dl_tensor);
  if (!self) {
    return dlf__no_handle(name, error);
  }
  dlf__name_device(self, id);
  self->flags = flags;
  self->version = (DLPackVersion){0, 8};
  if (is_our_legacy(owned)) {
    return DLF_OK;
  }
  self->owner = owned;
  self->has_owner = owned->deleter != NULL;
  self->release = release_legacy;
  self->let_go = dlf__let_go_of_owner;
  return DLF_OK;
}

dlf_status dlf_from_dlpack_legacy(DLManagedTensor *owned, dlf_tensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("from_dlpack_legacy", error);
  }
  *out = NULL;
  const dlf_status status = adopt_legacy("from_dlpack", owned, 0, out, error);
  if (!status && is_our_legacy(owned)) {
    owned->deleter(owned);
  }
  return status;
}

/* Copy shape and strides, since a consumer may write into what it owns. DLPack 1.3: data is NULL
 * without elements, shape is NULL without dimensions. */
static void describe_export(const dlf_tensor *self, DLTensor *tensor, int64_t *extents) {
  const size_t ndim = (size_t)self->dl.ndim;
  *tensor = self->dl;
  if (ndim) {
    memcpy(extents, self->extents, 2 * ndim * sizeof *extents);
    tensor->shape = extents;
    tensor->strides = extents + ndim;
  }
  dlf__clear_if_empty(tensor);
}

/* The export carries a reference: the caller's own, or a new one. The caller has asked the device's
 * backend, if there is one. */
static DLF__INLINE dlf_status export_checked(dlf_tensor *self, bool takes,
                                             DLManagedTensorVersioned **out, dlf_error *error) {
  dlf__export *e = malloc(sizeof *e + 2 * (size_t)self->dl.ndim * sizeof *e->extents);
  if (!e) {
    return dlf__fail(
        error, DLF_NO_MEMORY, "to_dlpack: expected memory for a managed tensor, got none");
  }
  e->managed.version = dlf__version_to_tell(self);
  if (takes) {
    e->managed.manager_ctx = self;
  } else {
    e->managed.manager_ctx = dlf_retain(self);
  }
  e->managed.deleter = delete_export;
  /* IS_COPIED means that the consumer is the only owner. The caller may keep self and export it
   * again. */
  e->managed.flags = self->flags & ~(uint64_t)DLPACK_FLAG_BITMASK_IS_COPIED;
  describe_export(self, &e->managed.dl_tensor, e->extents);
  *out = &e->managed;
  return DLF_OK;
}

DLF__APART static dlf_status export_asking(dlf_tensor *self, bool takes,
                                           DLManagedTensorVersioned **out, dlf_error *error) {
  int32_t id;
  dlf_status status = dlf__veto("to_dlpack", DLF__EXPORT, &self->dl, &id, error);
  if (!status) {
    status = export_checked(self, takes, out, error);
  }
  if (!status) {
    (*out)->dl_tensor.device.device_id = id;
  }
  return status;
}

static DLF__INLINE dlf_status export_any(dlf_tensor *self, bool takes,
                                         DLManagedTensorVersioned **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("to_dlpack", error);
  }
  *out = NULL;
  if (!self) {
    return dlf__no_tensor("to_dlpack", error);
  }
  if (dlf__may_have_backend(self->dl.device)) {
    return export_asking(self, takes, out, error);
  }
  return export_checked(self, takes, out, error);
}

dlf_status dlf_to_dlpack(dlf_tensor *self, DLManagedTensorVersioned **out, dlf_error *error) {
  return export_any(self, false, out, error);
}

dlf_status dlf_into_dlpack(dlf_tensor *owned, DLManagedTensorVersioned **out, dlf_error *error) {
  return export_any(owned, true, out, error);
}

dlf_status dlf_to_dlpack_legacy(dlf_tensor *self, DLManagedTensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("to_dlpack_legacy", error);
  }
  *out = NULL;
  if (!self) {
    return dlf__no_tensor("to_dlpack", error);
  }
  if (self->flags & DLPACK_FLAG_BITMASK_READ_ONLY) {
    return dlf__fail(
        error,
        DLF_READ_ONLY,
        "to_dlpack: expected writable data for a consumer of DLPack before 1.0, got read-only");
  }
  if (self->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED) {
    return dlf__fail(
        error,
        DLF_UNSUPPORTED,
        "to_dlpack: expected packed elements for a consumer of DLPack before 1.0, got padded");
  }
  /* An unknown flag may change where elements lie, as the latest one did. IS_COPIED is only a
   * permission. */
  if (self->flags & ~(uint64_t)DLPACK_FLAG_BITMASK_IS_COPIED) {
    return dlf__fail(error,
                     DLF_UNSUPPORTED,
                     "to_dlpack: expected flags that a consumer of DLPack before 1.0 can do "
                     "without, got 0x%" PRIx64,
                     self->flags);
  }
  int32_t id;
  const dlf_status status = dlf__veto("to_dlpack", DLF__EXPORT, &self->dl, &id, error);
  if (status) {
    return status;
  }
  exported_legacy *e = malloc(sizeof *e + 2 * (size_t)self->dl.ndim * sizeof *e->extents);
  if (!e) {
    return dlf__fail(
        error, DLF_NO_MEMORY, "to_dlpack: expected memory for a managed tensor, got none");
  }
  e->managed.manager_ctx = dlf_retain(self);
  e->managed.deleter = delete_export_legacy;
  describe_export(self, &e->managed.dl_tensor, e->extents);
  e->managed.dl_tensor.device.device_id = id;
  *out = &e->managed;
  return DLF_OK;
}

/* ---- from one structure to the other, through a handle ---- */

/* End a conversion. After a failure the caller still owns what the handle was made of, so nothing
 * is released. */
static void end_conversion(dlf_tensor *self, bool is_of_ours, dlf_status status) {
  if (status && !is_of_ours) {
    dlf__tensor_free(self);
  } else {
    dlf_release(self);
  }
}

dlf_status dlf_versioned_from_legacy(DLManagedTensor *owned, uint64_t flags,
                                     DLManagedTensorVersioned **out, dlf_error *error) {
  static const char name[] = "versioned_from_legacy";
  dlf_tensor *self;
  if (!out) {
    return dlf__no_place(name, error);
  }
  *out = NULL;
  dlf_status status = dlf__check_new_flags(name, flags, error);
  if (!status) {
    status = adopt_legacy(name, owned, flags, &self, error);
  }
  if (status) {
    return status;
  }
  const bool is_of_ours = is_our_legacy(owned);
  status = dlf_to_dlpack(self, out, error);
  if (!status) {
    (*out)->flags = flags; /* IS_COPIED too: no handle is left that could be used */
  }
  if (!status && is_of_ours) {
    owned->deleter(owned);
  }
  end_conversion(self, is_of_ours, status);
  return status;
}

dlf_status dlf_legacy_from_versioned(DLManagedTensorVersioned *owned, DLManagedTensor **out,
                                     dlf_error *error) {
  static const char name[] = "legacy_from_versioned";
  dlf_tensor *self;
  if (!out) {
    return dlf__no_place(name, error);
  }
  *out = NULL;
  dlf_status status = dlf__check_version(name, owned, error);
  if (!status) {
    status = dlf__check(name, &owned->dl_tensor, owned->flags, error);
  }
  if (status) {
    return status;
  }
  const bool is_of_ours = is_ours(owned);
  status = adopt_any(name, owned, &self, error);
  if (status) {
    return status;
  }
  status = dlf_to_dlpack_legacy(self, out, error);
  if (!status && is_of_ours) {
    owned->deleter(owned);
  }
  end_conversion(self, is_of_ours, status);
  return status;
}

void dlf_dlpack_release(DLManagedTensorVersioned *owned) {
  if (owned && owned->deleter) {
    owned->deleter(owned);
  }
}

void dlf_dlpack_release_legacy(DLManagedTensor *owned) {
  if (owned && owned->deleter) {
    owned->deleter(owned);
  }
}
