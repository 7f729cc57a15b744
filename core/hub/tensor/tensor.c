/* SPDX-License-Identifier: Apache-2.0 */
#include "handle.h"
#include "hub/plain.h"

#define ALIGNMENT 256

void dlf__let_go_of_owner(dlf_tensor *self) {
  dlf__releases *inside = dlf__begin_release(self);
  if (!inside) {
    return;
  }
  if (self->release) {
    self->release(self->owner);
  }
  dlf__tensor_free(self);
  dlf__end_release(inside);
}

static dlf_tensor *owning(dlf_tensor *self, uint64_t flags, void *owner,
                          void (*release)(void *owner)) {
  self->flags = flags;
  self->version = (DLPackVersion){DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR};
  self->has_owner = true;
  self->owner = owner;
  self->release = release;
  self->let_go = dlf__let_go_of_owner;
  return self;
}

static dlf_status no_memory_for(const char *name, int64_t size, dlf_error *error) {
  return dlf__fail(
      error, DLF_NO_MEMORY, "%s: expected memory for %" PRId64 " bytes, got none", name, size);
}

/* ---- created here: the handle, an export on request, and the elements in one block ---- */

void dlf__delete_made(DLManagedTensorVersioned *managed) {
  dlf_release(managed->manager_ctx);
}

static void let_go_of_block(dlf_tensor *self) {
  dlf__tensor_free(self);
}

/* The bytes of a handle and its export before the elements. */
static size_t room_before(int32_t ndim, bool exports) {
  const size_t extents = 2 * (size_t)ndim * sizeof(int64_t);
  return sizeof(dlf_tensor) + extents + (exports ? sizeof(dlf__export) + extents : 0);
}

static DLManagedTensorVersioned *export_in_block(dlf_tensor *self) {
  const size_t ndim = (size_t)self->dl.ndim;
  dlf__export *e = (dlf__export *)(void *)(self->extents + 2 * ndim);
  e->managed.version = self->version;
  e->managed.manager_ctx = self;
  e->managed.deleter = dlf__delete_made;
  e->managed.flags = self->flags;
  e->managed.dl_tensor = self->dl;
  for (size_t i = 0; i < 2 * ndim; i++) {
    e->extents[i] = self->extents[i];
  }
  if (ndim) {
    e->managed.dl_tensor.shape = e->extents;
    e->managed.dl_tensor.strides = e->extents + ndim;
  }
  return &e->managed;
}

/* Bytes from the first touched byte to the element at index 0, and the total size. */
static dlf_status measure(const char *name, const DLTensor *prototype, uint64_t flags,
                          int64_t *before, int64_t *size, dlf_error *error) {
  int64_t low, high;
  DLTensor tensor = *prototype;
  tensor.data = (void *)(uintptr_t)(UINTPTR_MAX / 2); /* a valid address for the quick check */
  tensor.byte_offset = 0;
  *before = 0;
  if (dlf__plain_size(&tensor, size)) {
    return DLF_OK;
  }
  const dlf_status status = dlf__check_description(name, &tensor, flags, &low, &high, error);
  if (status) {
    return status;
  }
  *before = -low;
  *size = high - low;
  return DLF_OK;
}

/* An axis of one element, or an empty tensor, has meaningless strides: use row-major ones. */
static bool has_idle_strides(const DLTensor *tensor) {
  bool short_axis = false;
  for (int32_t i = 0; i < tensor->ndim; i++) {
    short_axis |= tensor->shape[i] < 2;
  }
  return short_axis && dlf_is_contiguous(tensor, DLF_ROW_MAJOR);
}

/* For large blocks calloc gives untouched zero pages; for small ones malloc and memset are faster.
 */
enum { SMALL_BLOCK = 4096 };

static unsigned char *allocate_block(size_t size, dlf__content content) {
  unsigned char *block;
  if (content == DLF__UNWRITTEN || size <= SMALL_BLOCK) {
    block = malloc(size);
  } else {
    block = calloc(1, size);
  }
  if (block) {
    dlf__prefer_huge_pages(block, size);
  }
  return block;
}

dlf_status dlf__allocate(const char *name, const DLTensor *prototype, uint64_t flags,
                         dlf__content content, int64_t align, DLManagedTensorVersioned **exported,
                         dlf_tensor **out, dlf_error *error) {
  DLTensor tensor = *prototype;
  int64_t before, size;
  char text[DLF_NAME_CAPACITY];
  *out = NULL;
  if ((int32_t)prototype->device.device_type != kDLCPU || prototype->device.device_id != 0) {
    dlf_device_format(prototype->device, text, sizeof text);
    return dlf__fail(error, DLF_UNSUPPORTED, "%s: expected device cpu, got %s", name, text);
  }
  const dlf_status status = measure(name, prototype, flags, &before, &size, error);
  if (status) {
    return status;
  }
  if (align < ALIGNMENT) {
    align = ALIGNMENT;
  }
  const size_t room = room_before(prototype->ndim, exported);
  if (size >= PTRDIFF_MAX - align - (int64_t)room) {
    return no_memory_for(name, size, error);
  }
  const size_t all = room + (size > 0 ? (size_t)(align + size) : 0);
  unsigned char *block = allocate_block(all, content);
  if (!block) {
    if (size > 0) {
      return no_memory_for(name, size, error);
    }
    return dlf__no_handle(name, error);
  }
  tensor.data = NULL;
  tensor.byte_offset = 0;
  if (has_idle_strides(&tensor)) {
    tensor.strides = NULL;
  }
  if (size > 0) {
    unsigned char *data = block + room + before;
    data += -(uintptr_t)data & (uintptr_t)(align - 1);
    if (content == DLF__ZEROS && all <= SMALL_BLOCK) {
      memset(data - before, 0, (size_t)size);
    }
    tensor.data = data;
  }
  *out = owning(dlf__tensor_at((dlf_tensor *)(void *)block, &tensor), flags, NULL, NULL);
  (*out)->let_go = let_go_of_block;
  if (exported) {
    *exported = export_in_block(*out);
  }
  return DLF_OK;
}

/* Memory of a caller-supplied allocator, and how to free it. */
typedef struct allocation {
  dlf_allocator allocator;
  void *memory;
  int64_t size;
} allocation;

static void free_allocation(allocation *a) {
  if (a->memory) {
    a->allocator.release(a->allocator.context, a->memory, a->size);
  }
  free(a);
}

static void release_allocation(void *owner) {
  allocation *a = owner;
  const dlf_allocator allocator = a->allocator;
  free_allocation(a);
  if (allocator.release_context) {
    allocator.release_context(allocator.context);
  }
}

static dlf_status check_allocator(const dlf_allocator *allocator, dlf_error *error) {
  if (!allocator) {
    return dlf__missing("create_with", "an allocator", error);
  }
  const dlf_status status =
      DLF__CHECK_STRUCT("create_with", dlf_allocator, allocator->size, sizeof *allocator, error);
  if (status) {
    return status;
  }
  if (!allocator->allocate || !allocator->release) {
    return dlf__missing("create_with", "an allocator with both functions", error);
  }
  return DLF_OK;
}

/* NULL with the reason in *status. */
static allocation *allocate_with(const dlf_allocator *allocator, int64_t size, bool host,
                                 dlf_status *status, dlf_error *error) {
  /* An allocator would hand the size to malloc, which takes less where pointers have 32 bits. */
  if (host && (uint64_t)size > PTRDIFF_MAX) {
    *status = no_memory_for("create_with", size, error);
    return NULL;
  }
  allocation *a = malloc(sizeof *a);
  if (!a) {
    *status = no_memory_for("create_with", size, error);
    return NULL;
  }
  *a = (allocation){*allocator, NULL, size};
  if (size > 0) {
    a->memory = allocator->allocate(allocator->context, size, ALIGNMENT);
  }
  if (size > 0 && !a->memory) {
    free(a);
    *status = no_memory_for("create_with", size, error);
    return NULL;
  }
  /* On other devices data may be a handle, which has no alignment. */
  if (host && (uintptr_t)a->memory % ALIGNMENT != 0) {
    free_allocation(a);
    *status = dlf__fail(error,
                        DLF_FOREIGN,
                        "create_with: expected memory aligned to %d bytes, got less",
                        ALIGNMENT);
    return NULL;
  }
  return a;
}

dlf_status dlf_create_with(const dlf_allocator *allocator, DLDataType dtype, int64_t ndim,
                           const int64_t *shape, DLDevice device, dlf_tensor **out,
                           dlf_error *error) {
  DLTensor tensor;
  int64_t before, size; /* no bytes lie before the first element */
  if (!out) {
    return dlf__no_place("create_with", error);
  }
  *out = NULL;
  dlf_status status = check_allocator(allocator, error);
  if (!status) {
    status = dlf__check_codes_released("create_with", dtype, device, error);
  }
  if (!status) {
    status = dlf__describe_plain("create_with", dtype, ndim, shape, device, &tensor, error);
  }
  if (!status) {
    status = dlf__check_description("create_with", &tensor, 0, &before, &size, error);
  }
  if (status) {
    return status;
  }
  allocation *a = allocate_with(allocator, size, dlf__is_host(device), &status, error);
  if (!a) {
    return status;
  }
  tensor.data = a->memory;
  dlf_tensor *self = dlf__tensor_new(&tensor);
  if (!self) {
    free_allocation(a);
    return dlf__no_handle("create_with", error);
  }
  *out = owning(self, 0, a, release_allocation);
  return DLF_OK;
}

dlf_status dlf_create(DLDataType dtype, int64_t ndim, const int64_t *shape, DLDevice device,
                      dlf_tensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("create", error);
  }
  *out = NULL;
  DLTensor prototype;
  dlf_status status = dlf__check_codes_released("create", dtype, device, error);
  if (!status) {
    status = dlf__describe_plain("create", dtype, ndim, shape, device, &prototype, error);
  }
  if (status) {
    return status;
  }
  return dlf__allocate("create", &prototype, 0, DLF__ZEROS, ALIGNMENT, NULL, out, error);
}

static dlf_status check_wrapped(const DLTensor *tensor, uint64_t flags, dlf_error *error) {
  const dlf_status status = dlf__check_new_flags("wrap", flags, error);
  if (status) {
    return status;
  }
  return dlf__check("wrap", tensor, flags, error);
}

dlf_status dlf_wrap(const DLTensor *tensor, uint64_t flags, void *owned,
                    void (*release)(void *owner), dlf_tensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("wrap", error);
  }
  *out = NULL;
  const dlf_status status = check_wrapped(tensor, flags, error);
  if (status) {
    return status;
  }
  dlf_tensor *self = dlf__tensor_new(tensor);
  if (!self) {
    return dlf__no_handle("wrap", error);
  }
  *out = owning(self, flags, owned, release);
  self->has_owner = release != NULL;
  return DLF_OK;
}

/* Copy 1 to 8 words by one move each: compilers make a slow string instruction of a loop. Wider
 * loads would get no store forwarding from a caller that has just written the owner by words. */
static void copy_words(int64_t *to, const int64_t *from, int64_t count) {
  switch (count) {
  case 8:
    to[7] = from[7]; /* fall through */
  case 7:
    to[6] = from[6]; /* fall through */
  case 6:
    to[5] = from[5]; /* fall through */
  case 5:
    to[4] = from[4]; /* fall through */
  case 4:
    to[3] = from[3]; /* fall through */
  case 3:
    to[2] = from[2]; /* fall through */
  case 2:
    to[1] = from[1]; /* fall through */
  case 1:
    to[0] = from[0];
  }
}

dlf_status dlf_wrap_small(const DLTensor *tensor, uint64_t flags, const void *owned, int64_t size,
                          void (*release)(void *owner), dlf_tensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("wrap", error);
  }
  *out = NULL;
  if (!owned || !release || size < 8 || size > 64 || size % 8 != 0) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "wrap: expected an owner of 1 to 8 words and its release, got %s",
                     !owned || !release ? "NULL" : "another size");
  }
  const dlf_status status = check_wrapped(tensor, flags, error);
  if (status) {
    return status;
  }
  const size_t room = sizeof(dlf_tensor) + 2 * (size_t)tensor->ndim * sizeof(int64_t);
  unsigned char *block = malloc(room + (size_t)size);
  if (!block) {
    return dlf__no_handle("wrap", error);
  }
  copy_words((int64_t *)(void *)(block + room), owned, size / 8);
  *out = owning(dlf__tensor_at((dlf_tensor *)(void *)block, tensor), flags, block + room, release);
  return DLF_OK;
}

/* The elements' bytes; 0 if another owner has them. */
static int64_t elements_of(const dlf_tensor *self) {
  int64_t low = 0;
  int64_t high = 0;
  const bool allocated = self->let_go == let_go_of_block || (self->let_go == dlf__let_go_of_owner &&
                                                             self->release == release_allocation);
  if (allocated || (self->flags & DLPACK_FLAG_BITMASK_IS_COPIED)) {
    (void)dlf_byte_range(&self->dl, self->flags, &low, &high, NULL);
  }
  return high - low;
}

/* The handle that a view keeps is freed with the view that is its only holder. It is no view
 * itself. */
int64_t dlf_held_bytes(const dlf_tensor *self) {
  int64_t all = 0;
  for (const dlf_tensor *at = self; at;) {
    const bool is_view = at->let_go == dlf__let_go_of_root;
    const int64_t handle =
        (int64_t)sizeof *at + 2 * (int64_t)at->dl.ndim * (int64_t)sizeof *at->extents;
    if (dlf__add(all, handle, &all) || dlf__add(all, is_view ? 0 : elements_of(at), &all)) {
      return INT64_MAX;
    }
    const dlf_tensor *root = at->owner;
    if (!is_view || atomic_load_explicit(&root->references, memory_order_relaxed) != 1) {
      break;
    }
    at = root;
  }
  return all;
}
