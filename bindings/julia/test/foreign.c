/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that Julia does not know run deleters, while Julia goes on; a kernel during which somebody presses Ctrl-C. */
#define _DEFAULT_SOURCE
#include "dlferry.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define FOREIGN_API __attribute__((visibility("default")))

enum { THREADS = 4 };

typedef struct share {
  pthread_t thread;
  void **owned;
  int64_t count, first;
  int32_t legacy;
} share;

static void *delete_share(void *context) {
  share *s = context;
  for (int64_t i = s->first; i < s->count; i += THREADS) {
    if (s->legacy) {
      DLManagedTensor *managed = s->owned[i];
      managed->deleter(managed);
    } else {
      DLManagedTensorVersioned *managed = s->owned[i];
      managed->deleter(managed);
    }
  }
  return NULL;
}

/** Begin to delete managed tensors on four threads; owned must stay until foreign_join. */
FOREIGN_API share *foreign_start(void **owned, int64_t count, int32_t legacy) {
  share *shares = calloc(THREADS, sizeof *shares);
  if (!shares) abort();
  for (int i = 0; i < THREADS; i++) {
    shares[i] = (share){.owned = owned, .count = count, .first = i, .legacy = legacy};
    if (pthread_create(&shares[i].thread, NULL, delete_share, &shares[i])) abort();
  }
  return shares;
}

FOREIGN_API void foreign_join(share *shares) {
  for (int i = 0; i < THREADS; i++) pthread_join(shares[i].thread, NULL);
  free(shares);
}

/** A kernel of one tensor, long enough for Julia to hear of the signal. */
FOREIGN_API dlf_status foreign_interrupted(dlf_arg x, dlf_error *error) {
  (void)x, (void)error;
  kill(getpid(), SIGINT);
  usleep(200000);
  return DLF_OK;
}
