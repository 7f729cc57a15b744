/* SPDX-License-Identifier: Apache-2.0 */
/* Let the hub create tensors in memory of your own allocator. */
#include "example.h"

#include <stdlib.h>

/* Counts the blocks that are in use; context points to the counter. */
static void *allocate(void *context, int64_t size, int64_t alignment) {
  ++*(int *)context;
  return aligned_alloc((size_t)alignment, (size_t)((size + alignment - 1) / alignment * alignment));
}

static void release(void *context, void *memory, int64_t size) {
  (void)size;
  --*(int *)context;
  free(memory);
}

int main(void) {
  dlf_error error;
  int blocks = 0;
  const int64_t shape[] = {2, 3};
  dlf_tensor *tensor;
  dlf_allocator allocator = DLF_ALLOCATOR_INIT;
  allocator.allocate = allocate;
  allocator.release = release;
  allocator.context = &blocks;
  TRY(dlf_create_with(&allocator, (DLDataType){kDLFloat, 32, 1}, 2, shape, (DLDevice){kDLCPU, 0},
                      &tensor, &error));
  EXPECT(blocks == 1);
  dlf_release(tensor);
  EXPECT(blocks == 0);
  return 0;
}
