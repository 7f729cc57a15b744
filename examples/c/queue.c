/* SPDX-License-Identifier: Apache-2.0 */
/* Release owners on the thread of their own runtime; any thread may drop the last reference. */
#include "example.h"

/* This program has no runtime, so that each thread may release an owner. */
static bool forget(void *owner) {
  *(float *)owner = 0;
  return true;
}

int main(void) {
  dlf_error error;
  float number = 1;
  void *owners[8];
  dlf_queue *queue;
  dlf_tensor *tensor;
  TRY(dlf_queue_create(NULL, NULL, NULL, &queue, &error));
  void *const *head = dlf_queue_head(queue);
  EXPECT(!dlf_queue_has_waiting(head));

  const DLTensor scalar = {&number, {kDLCPU, 0}, 0, {kDLFloat, 32, 1}, NULL, NULL, 0};
  TRY(dlf_wrap_queued(&scalar, 0, queue, &number, &tensor, &error));
  EXPECT(dlf_queue_owner(queue, tensor, 1) ==
         &number);     /* A collector of cycles may follow this only reference. */
  dlf_release(tensor); /* This may happen on any thread: the owner then waits in the queue. */

  /* The runtime polls without a call, and drains waiting owners. */
  EXPECT(dlf_queue_has_waiting(head));
  EXPECT(dlf_queue_drain(queue, owners, 8) == 1 && owners[0] == &number);
  EXPECT(!dlf_queue_has_waiting(head));

  /* A thread that can release owners itself needs no queue. */
  dlf_queue_set_release(queue, forget);
  TRY(dlf_wrap_queued(&scalar, 0, queue, &number, &tensor, &error));
  dlf_release(tensor);
  EXPECT(number == 0 && !dlf_queue_has_waiting(head));

  EXPECT(dlf_queue_close(queue)); /* No thread is inside a wake-up, so its context may go. */
  dlf_queue_release(queue);
  return 0;
}
