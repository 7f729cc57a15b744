/* SPDX-License-Identifier: Apache-2.0 */
/* Threads live no longer than the call that makes them: a fork, an unloaded library and the end of
 * the process meet none that waits. That is simpler than a pool, and a large share takes far longer
 * than it takes to make its thread. */
#include "threads.h"

#include "kernels.h"

enum { MOST_THREADS = 64 };

static _Atomic int32_t allowed = 1;
/* Bytes. Measured with two threads: twice 4 MiB take longer than one thread does. */
static _Atomic int64_t least_share = 8 << 20;

dlf_status dlf_set_threads(int32_t count, dlf_error *error) {
  if (count < 1 || count > MOST_THREADS) {
    return dlf__fail(error,
                     DLF_INVALID,
                     "set_threads: expected 1 to %d threads, got %" PRId32,
                     MOST_THREADS,
                     count);
  }
  atomic_store_explicit(&allowed, count, memory_order_relaxed);
  return DLF_OK;
}

int32_t dlf__threads_for(int64_t bytes) {
  const int64_t share = atomic_load_explicit(&least_share, memory_order_relaxed);
  if (bytes / 2 < share) {
    return 1;
  }
  return (int32_t)dlf__least(bytes / share, atomic_load_explicit(&allowed, memory_order_relaxed));
}

void dlf__threads_share(int64_t least) {
  atomic_store_explicit(&least_share, least, memory_order_relaxed);
}

/* A part of one axis, with all of the others. */
typedef struct share {
  const dlf__loop *whole;
  int32_t axis;
  int64_t begin, end;
  dlf__tile_work work;
  void *context;
  dlf__thread thread;
  bool has_thread;
} share;

static void walk_share(void *context) {
  const share *self = context;
  dlf__loop loop = *self->whole;
  if (self->begin < self->end) {
    loop.to += self->begin * loop.to_step[self->axis];
    loop.from += self->begin * loop.from_step[self->axis];
    loop.extent[self->axis] = self->end - self->begin;
    (void)dlf__walk(&loop, self->work, self->context);
  }
  dlf__end_stream(); /* each thread ends its own */
}

/* The longest axis, the outer one of two. */
static int32_t axis_to_share(const dlf__loop *loop) {
  int32_t longest = 0;
  for (int32_t i = 1; i < loop->ndim; i++) {
    if (loop->extent[i] > loop->extent[longest]) {
      longest = i;
    }
  }
  return longest;
}

/* Where the share of a thread begins; between long ones no line of the cache is shared. */
static int64_t begin_of(int64_t extent, int32_t thread, int32_t threads) {
  enum { LINE = 64 };
  int64_t step = extent / threads;
  if (thread == threads) {
    return extent;
  }
  if (step >= LINE) {
    step -= step % LINE;
  }
  return step * thread;
}

void dlf__walk_on_threads(const dlf__loop *loop, int32_t threads, dlf__tile_work work,
                          void *context) {
  share shares[MOST_THREADS];
  if (threads == 1 || loop->ndim < 1) {
    (void)dlf__walk(loop, work, context);
    return;
  }
  const int32_t axis = axis_to_share(loop);
  for (int32_t i = 0; i < threads; i++) {
    shares[i] = (share){.whole = loop,
                        .axis = axis,
                        .begin = begin_of(loop->extent[axis], i, threads),
                        .end = begin_of(loop->extent[axis], i + 1, threads),
                        .work = work,
                        .context = context};
  }
  for (int32_t i = 1; i < threads; i++) {
    shares[i].has_thread = dlf__thread_start(&shares[i].thread, walk_share, &shares[i]);
  }
  walk_share(&shares[0]);
  for (int32_t i = 1; i < threads; i++) {
    if (shares[i].has_thread) {
      dlf__thread_join(&shares[i].thread);
    } else { /* the system gave none: this one does it all */
      walk_share(&shares[i]);
    }
  }
}
