/* SPDX-License-Identifier: Apache-2.0 */
/* Make a tensor of memory that your program has, and get the memory back after the last release. */
#include "example.h"

static void count_release(void *owner) {
  ++*(int *)owner;
}

/* 8 or 16 bytes, at a multiple of 8 also where addresses have 4. */
typedef struct small_owner {
  _Alignas(8) const void *memory;
  int *released;
} small_owner;

static void count_release_of(void *owner) {
  ++*((small_owner *)owner)->released;
}

int main(void) {
  dlf_error error;
  float pixels[6] = {0};
  int64_t shape[] = {2, 3};
  int released = 0;
  dlf_tensor *tensor, *row;
  const DLTensor image = {pixels, {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, NULL, 0};

  /* The hub calls count_release(&released) when the last reference goes. */
  TRY(dlf_wrap(&image, 0, &released, count_release, &tensor, &error));
  EXPECT(dlf_dltensor(tensor)->data == pixels);

  /* A view keeps the memory too. */
  TRY(dlf_select(tensor, 0, 1, &row, &error));
  dlf_release(tensor);
  EXPECT(released == 0 && dlf_data(dlf_dltensor(row)) == &pixels[3]);
  dlf_release(row);
  EXPECT(released == 1);

  /* The handle itself can hold an owner of a few words. */
  const small_owner owner = {pixels, &released};
  TRY(dlf_wrap_small(&image, 0, &owner, sizeof owner, count_release_of, &tensor, &error));
  dlf_release(tensor);
  EXPECT(released == 2);

  /* Consumers must not write constants. */
  TRY(dlf_wrap(&image, DLPACK_FLAG_BITMASK_READ_ONLY, NULL, NULL, &tensor, &error));
  EXPECT(dlf_flags(tensor) & DLPACK_FLAG_BITMASK_READ_ONLY);
  dlf_release(tensor);
  return 0;
}
