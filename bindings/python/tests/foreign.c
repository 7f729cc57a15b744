/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that Python does not know, which release what they are given. */
#include <dlferry.h>

#include <pthread.h>

enum { MOST = 16 };

typedef struct part {
  DLManagedTensorVersioned **first;
  int64_t count;
} part;

static void *release_part(void *context) {
  const part *own = context;
  for (int64_t i = 0; i < own->count; i++) {
    own->first[i]->deleter(own->first[i]);
  }
  return NULL;
}

/** Release count tensors on this many threads at once, and wait. Returns the number of threads that
 * ran. */
DLF_API int foreign_release(DLManagedTensorVersioned **tensors, int64_t count, int threads) {
  pthread_t ids[MOST];
  part parts[MOST];
  int started = 0;
  if (threads > MOST) {
    threads = MOST;
  }
  const int64_t each = (count + threads - 1) / threads;
  for (int64_t at = 0; at < count; at += each) {
    const int64_t left = count - at;
    parts[started] = (part){tensors + at, left < each ? left : each};
    if (pthread_create(&ids[started], NULL, release_part, &parts[started])) {
      break;
    }
    started++;
  }
  for (int i = 0; i < started; i++) {
    pthread_join(ids[i], NULL);
  }
  return started;
}
