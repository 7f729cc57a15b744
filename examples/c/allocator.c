/* SPDX-License-Identifier: Apache-2.0 */
/* Let the hub create tensors in memory of your own allocator. */
#include "example.h"

#include <stdlib.h>

#if defined(_WIN32)
#include <malloc.h>
#define aligned_alloc(alignment, size) _aligned_malloc(size, alignment)
#define free_aligned _aligned_free
#else
#define free_aligned free
#endif

/* One heap for each tensor; a heap that several share would count them. */
typedef struct heap {
  const char *name;
  int *closed;
} heap;

static void *allocate(void *context, int64_t size, int64_t alignment) {
  const heap *self = context;
  printf("%s: %" PRId64 " bytes\n", self->name, size);
  return aligned_alloc((size_t)alignment, (size_t)((size + alignment - 1) / alignment * alignment));
}

static void release(void *context, void *memory, int64_t size) {
  (void)context, (void)size;
  free_aligned(memory);
}

static void close_heap(void *context) {
  heap *self = context;
  ++*self->closed;
  free(self);
}

int main(void) {
  dlf_error error;
  int closed = 0;
  const int64_t shape[] = {2, 3};
  dlf_tensor *tensor;
  heap *own = malloc(sizeof *own);
  EXPECT(own);
  *own = (heap){"heap", &closed};
  dlf_allocator allocator = DLF_ALLOCATOR_INIT;
  allocator.allocate = allocate;
  allocator.release = release;
  allocator.context = own;
  allocator.release_context = close_heap;
  TRY(dlf_create_with(
      &allocator, (DLDataType){kDLFloat, 32, 1}, 2, shape, (DLDevice){kDLCPU, 0}, &tensor, &error));
  EXPECT(closed == 0);
  dlf_release(tensor);
  EXPECT(closed == 1);
  return 0;
}
