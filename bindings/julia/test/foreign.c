/* SPDX-License-Identifier: Apache-2.0 */
/* Threads unknown to Julia run deleters while Julia continues; a deleter waits for a lock, as
 * NumPy's waits for the GIL; a user presses Ctrl-C during a kernel. */
#define _DEFAULT_SOURCE
#include "dlferry.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
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
  if (!shares) {
    abort();
  }
  for (int i = 0; i < THREADS; i++) {
    shares[i] = (share){.owned = owned, .count = count, .first = i, .legacy = legacy};
    if (pthread_create(&shares[i].thread, NULL, delete_share, &shares[i])) {
      abort();
    }
  }
  return shares;
}

FOREIGN_API void foreign_join(share *shares) {
  for (int i = 0; i < THREADS; i++) {
    pthread_join(shares[i].thread, NULL);
  }
  free(shares);
}

/** A kernel of one tensor, long enough for Julia to hear of the signal. */
FOREIGN_API dlf_status foreign_interrupted(dlf_arg x, dlf_error *error) {
  (void)x;
  (void)error;
  kill(getpid(), SIGINT);
  usleep(200000);
  return DLF_OK;
}

static pthread_mutex_t gil = PTHREAD_MUTEX_INITIALIZER;
static atomic_int waiting, stuck, deleted, interrupting;

FOREIGN_API void foreign_gil_take(void) {
  pthread_mutex_lock(&gil);
}
FOREIGN_API void foreign_gil_give(void) {
  pthread_mutex_unlock(&gil);
}

/** Have the next deleter interrupt the process. */
FOREIGN_API void foreign_interrupt(void) {
  interrupting = 1;
}

/** Count the deleters that wait for the lock or have waited, that gave up waiting, that ran. */
FOREIGN_API int foreign_waiting(void) {
  return waiting;
}
FOREIGN_API int foreign_stuck(void) {
  return stuck;
}
FOREIGN_API int foreign_deleted(void) {
  return deleted;
}

static void wait_and_delete(DLManagedTensorVersioned *self) {
  struct timespec limit;
  clock_gettime(CLOCK_REALTIME, &limit);
  limit.tv_sec += 20;
  waiting++;
  if (interrupting) {
    kill(getpid(), SIGINT);
    usleep(200000);
    interrupting = 0;
  }
  if (pthread_mutex_timedlock(&gil, &limit)) {
    stuck++;
  } else {
    pthread_mutex_unlock(&gil);
  }
  deleted++;
  free(self->dl_tensor.data);
  free(self);
}

/** Make a tensor of n doubles whose deleter waits for the lock; one of another major version is
 * refused. */
FOREIGN_API DLManagedTensorVersioned *foreign_make(int64_t n, uint32_t major) {
  DLManagedTensorVersioned *self = calloc(1, sizeof *self + 2 * sizeof(int64_t));
  if (!self) {
    abort();
  }
  int64_t *numbers = (int64_t *)(self + 1);
  numbers[0] = n;
  numbers[1] = 1;
  self->version.major = major;
  self->version.minor = 1;
  self->deleter = wait_and_delete;
  self->dl_tensor = (DLTensor){calloc((size_t)n, sizeof(double)),
                               {kDLCPU, 0},
                               1,
                               {kDLFloat, 64, 1},
                               numbers,
                               numbers + 1,
                               0};
  return self;
}

/** A kernel that gives two such tensors, the first of another major version. */
FOREIGN_API dlf_status foreign_give(DLManagedTensorVersioned **first,
                                    DLManagedTensorVersioned **second, dlf_error *error) {
  (void)error;
  *first = foreign_make(3, 9);
  *second = foreign_make(3, 1);
  return DLF_OK;
}

static atomic_int guarded_deleted;

FOREIGN_API int foreign_guarded_deleted(void) {
  return guarded_deleted;
}

/* Its address is never used again, so each later access is a fault. */
static void delete_guarded(DLManagedTensorVersioned *self) {
  if (mprotect(
          self->dl_tensor.data, (size_t)self->dl_tensor.shape[0] * sizeof(double), PROT_NONE)) {
    abort();
  }
  free(self->dl_tensor.shape);
  free(self);
  guarded_deleted++;
}

/** A vector of the numbers from 1 up, in pages that fault once its deleter has run. */
FOREIGN_API DLManagedTensorVersioned *foreign_guarded(int64_t count, uint64_t flags) {
  DLManagedTensorVersioned *self = calloc(1, sizeof *self);
  int64_t *shape = malloc(sizeof *shape);
  double *data = mmap(NULL,
                      (size_t)count * sizeof(double),
                      PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS,
                      -1,
                      0);
  if (!self || !shape || data == MAP_FAILED) {
    abort();
  }
  for (int64_t i = 0; i < count; i++) {
    data[i] = (double)(i + 1);
  }
  *shape = count;
  self->version = (DLPackVersion){1, 3};
  self->deleter = delete_guarded;
  self->flags = flags;
  self->dl_tensor = (DLTensor){data, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, shape, NULL, 0};
  return self;
}

static atomic_int summing;

/** Tell how often the following has begun. */
FOREIGN_API int foreign_summing(void) {
  return summing;
}

/** Add n numbers after a while, in which the caller may release them. */
FOREIGN_API dlf_status foreign_sum(const double *numbers, int64_t n, double *sum,
                                   dlf_error *error) {
  (void)error;
  summing++;
  usleep(200000);
  *sum = 0;
  for (int64_t i = 0; i < n; i++) {
    *sum += numbers[i];
  }
  return DLF_OK;
}
