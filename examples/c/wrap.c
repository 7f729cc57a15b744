/* SPDX-License-Identifier: Apache-2.0 */
/* Make tensors of memory that your program has, and get it back when nobody uses it any more. */
#include "example.h"

#include <stdlib.h>

static void *allocate(void *context, int64_t size, int64_t alignment) {
  ++*(int *)context;
  return aligned_alloc((size_t)alignment, (size_t)((size + alignment - 1) / alignment * alignment));
}

static void release(void *context, void *memory, int64_t size) {
  (void)size;
  --*(int *)context;
  free(memory);
}

static void count_release(void *owner) { ++*(int *)owner; }

int main(void) {
  dlf_error error;
  float pixels[6] = {0};
  int64_t shape[] = {2, 3};
  int released = 0, blocks = 0;
  dlf_tensor *tensor;
  DLTensor image = {pixels, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};

  /* Check a description that you did not make yourself. */
  TRY(dlf_check(&image, 0, DLF_CHECK_STRUCTURE, &error));
  TRY(dlf_check_memory(&image, 0, pixels, sizeof pixels, &error));

  /* The hub calls count_release(&released) when the last reference goes. */
  TRY(dlf_wrap(&image, 0, &released, count_release, &tensor, &error));
  EXPECT(dlf_dltensor(tensor)->data == pixels);
  dlf_release(tensor);
  EXPECT(released == 1);

  /* Runtimes give memory as a slice with counts; the window must lie inside of it. */
  dlf_window window = {pixels, sizeof pixels, {kDLFloat, 32, 1}, false, 4, 1, shape, 0, NULL, 0};
  TRY(dlf_check_window("wrap", &window, &image, &error));
  EXPECT(dlf_data(&image) == &pixels[4]);
  window.start = 5;
  EXPECT(dlf_check_window("wrap", &window, &image, &error) == DLF_BOUNDS);

  /* A runtime with a heap of its own allocates there. */
  dlf_allocator allocator = DLF_ALLOCATOR_INIT;
  allocator.allocate = allocate;
  allocator.release = release;
  allocator.context = &blocks;
  TRY(dlf_create_with(&allocator, window.dtype, 2, shape, (DLDevice){kDLCPU, 0}, &tensor, &error));
  EXPECT(blocks == 1);
  dlf_release(tensor);
  EXPECT(blocks == 0);
  return 0;
}
