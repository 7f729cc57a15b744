/* SPDX-License-Identifier: Apache-2.0 */
/* The C room: the hub and the photo kernels as a C program uses them, behind the functions of
 * room.h. */
#include "../room.h"
#include "foreign.h"

#include <photo_dlferry.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int32_t room_produce(DLManagedTensorVersioned **out, dlf_error *error) {
  /* Rows 1 and 3, columns 1, 3 and 5 of a 4 x 7 array. */
  enum { WIDTH = 7, FIRST = WIDTH + 1 };
  int64_t shape[2] = {2, 3}, strides[2] = {2 * WIDTH, 2};
  const DLDataType float32 = {kDLFloat, 32, 1};
  const DLDevice cpu = {kDLCPU, 0};
  float *array = malloc(4 * WIDTH * sizeof *array);
  dlf_tensor *tensor = NULL;

  *out = NULL;
  if (!array) {
    return dlf_error_set(
        error, DLF_NO_MEMORY, "room_produce: expected memory for an array, got none");
  }
  for (int i = 0; i < 4 * WIDTH; i++) {
    array[i] = -1;
  }
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 3; j++) {
      array[FIRST + i * strides[0] + j * strides[1]] = (float)(10 * i + j);
    }
  }
  /* The owner is the array, the data lies inside it: the hub must release the one and lend the
   * other. */
  const DLTensor described = {array + FIRST, cpu, 2, float32, shape, strides, 0};
  dlf_status status = dlf_wrap(&described, 0, array, free, &tensor, error);
  if (status) {
    free(array);
    return status;
  }
  status = dlf_to_dlpack(tensor, out, error);
  dlf_release(tensor);
  return status;
}

/* Takes owned, after a failure too. */
static dlf_status import(DLManagedTensorVersioned *owned, dlf_tensor **out, dlf_error *error) {
  const dlf_status status = dlf_from_dlpack(owned, out, error);
  if (status) {
    dlf_dlpack_release(owned);
  }
  return status;
}

int32_t room_consume(DLManagedTensorVersioned *owned, double *sum, uint64_t *address,
                     dlf_error *error) {
  dlf_tensor *tensor = NULL;
  dlf_status status = import(owned, &tensor, error);
  if (status) {
    return status;
  }
  const DLTensor *t = dlf_dltensor(tensor);
  if (t->dtype.code != kDLFloat || t->dtype.bits != 32 || t->dtype.lanes != 1) {
    status = dlf_error_set(error, DLF_DTYPE, "room_consume: expected float32, got another dtype");
  } else if (t->ndim != 2) {
    status =
        dlf_error_set(error, DLF_SHAPE, "room_consume: expected 2 dimensions, got another number");
  } else {
    const float *first = dlf_data(t);
    *sum = 0;
    for (int64_t i = 0; i < t->shape[0]; i++) {
      for (int64_t j = 0; j < t->shape[1]; j++) {
        *sum += (double)((i + 1) * (j + 1)) * (double)first[i * t->strides[0] + j * t->strides[1]];
      }
    }
    *address = (uint64_t)(uintptr_t)first;
  }
  dlf_release(tensor);
  return status;
}

static dlf_status run(const char *kernel, dlf_tensor *tensor, DLManagedTensorVersioned **out,
                      dlf_error *error) {
  const dlf_arg image = {dlf_dltensor(tensor), dlf_flags(tensor)};
  dlf_status status;
  char text[128];
  if (!strcmp(kernel, "gray")) {
    return photo_gray_new(image, out, error);
  }
  if (!strcmp(kernel, "blur")) {
    return photo_blur_new(image, 1.0, out, error);
  }
  if (!strcmp(kernel, "sobel")) {
    return photo_sobel_new(image, out, error);
  }
  if (!strcmp(kernel, "equalize")) {
    return photo_equalize_new(image, out, error);
  }
  if (!strcmp(kernel, "draw_histogram")) {
    status = photo_draw_histogram_checked(image, PHOTO_CORNER_BOTTOM_LEFT, false, error);
    return status ? status : dlf_to_dlpack(tensor, out, error);
  }
  snprintf(text, sizeof text, "room_photo: expected a kernel of photo.h, got '%.64s'", kernel);
  return dlf_error_set(error, DLF_INVALID, text);
}

int32_t room_photo(const char *kernel, DLManagedTensorVersioned *owned,
                   DLManagedTensorVersioned **out, uint64_t *address, dlf_error *error) {
  dlf_tensor *tensor = NULL;
  *out = NULL;
  dlf_status status = import(owned, &tensor, error);
  if (status) {
    return status;
  }
  *address = (uint64_t)(uintptr_t)dlf_data(dlf_dltensor(tensor));
  status = run(kernel, tensor, out, error);
  dlf_release(tensor);
  return status;
}

int64_t room_live(void) {
  return dlf_live();
}

static void *call_deleter(void *owned) {
  dlf_dlpack_release(owned);
  return NULL;
}

int32_t foreign_delete(DLManagedTensorVersioned *owned) {
  pthread_t thread;
  const int failed = pthread_create(&thread, NULL, call_deleter, owned);
  return failed ? failed : pthread_join(thread, NULL);
}
