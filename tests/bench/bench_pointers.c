/* SPDX-License-Identifier: Apache-2.0 */
/* bench_pointers CALLS: a checked call over pointers beside the same over tensors, and the lock of
 * an object that no other thread uses beside a mutex. Each pair takes turns, and each keeps its
 * best. A process has its addresses for life, and some of them cost a call twice the time of
 * others: so processes of their own measure, and the table shows the median of their ratios with
 * the least and the greatest. */
#include "pointers_dlferry.h"
#include <dlferry/object.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- the library ---- */

struct pb_box {
  int value;
};

static pb_box the_box;

pb_box *pb_box_create(void) {
  return &the_box;
}
void pb_box_free(pb_box *box) {
  box->value = 0;
}

static void add(int64_t m, int64_t n, const float *x, int64_t ldx, float *y) {
  for (int64_t i = 0; i < m; i++) {
    for (int64_t k = 0; k < n; k++) {
      y[i * n + k] += x[i * ldx + k];
    }
  }
}

/* Through pointers, as from another library: not inlined. */
static void (*volatile kernel)(int64_t, int64_t, const float *, int64_t, float *) = add;

void pb_tensors(const DLTensor *x, DLTensor *y) {
  kernel(x->shape[0], x->shape[1], x->data, x->strides[0], y->data);
}
void pb_pointers(int m, int n, const float *x, int ldx, float *y) {
  kernel(m, n, x, ldx, y);
}

/* ---- what is measured ---- */

static int64_t shape[2] = {4, 4}, strides[2] = {4, 1};
static float values[2][16];
static DLTensor tensors[2];
static dlf_arg args[2];
static dlf_error error;

static int by_tensors(void) {
  return pb_tensors_checked(args[0], args[1], &error);
}
static int by_pointers(void) {
  return pb_pointers_checked(args[0], args[1], &error);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static dlf_object *object;

static int by_mutex(void) {
  return pthread_mutex_lock(&mutex) || pthread_mutex_unlock(&mutex);
}

static int by_object(void) {
  dlf_use use = {.size = sizeof use,
                 .object = object,
                 .name = "box",
                 .type = "box",
                 .mode = DLF_USE_EXCLUSIVE};
  const dlf_status status = dlf_object_enter("use", &use, 1, NULL, &error);
  if (!status) {
    dlf_object_leave(&use, 1);
  }
  return status;
}

/* glibc's mutex leaves out its atomic operations in a process of one thread, which needs no lock.
 */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *nothing) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return nothing;
}

static void release(void *owned) {
  pb_box_free(owned);
}

static double measure(int (*call)(void), long calls) {
  const double start = now();
  for (long i = 0; i < calls; i++) {
    if (call()) {
      exit(fprintf(stderr, "%s\n", error.message) < 0 ? 2 : 1);
    }
  }
  return (now() - start) / (double)calls;
}

typedef struct pair {
  const char *title, *aim;
  int (*ours)(void), (*theirs)(void);
} pair;

static const pair pairs[] = {
    {"a call over pointers / over tensors", "<= 1.1", by_pointers, by_tensors},
    {"an object's lock, uncontended / a mutex", "<= 1.5", by_object, by_mutex},
};

enum { PAIRS = sizeof pairs / sizeof *pairs, PROCESSES = 11 };

typedef struct result {
  double ours, theirs; /* nanoseconds */
} result;

static result compare(const pair *p, long calls) {
  result best = {1e18, 1e18};
  for (int round = 0; round < 30; round++) {
    const double ours = measure(p->ours, calls);
    const double theirs = measure(p->theirs, calls);
    if (ours < best.ours) {
      best.ours = ours;
    }
    if (theirs < best.theirs) {
      best.theirs = theirs;
    }
  }
  return best;
}

/* ---- one process: a line of numbers for each pair ---- */

static int measure_here(long calls) {
  for (int i = 0; i < 2; i++) {
    tensors[i] = (DLTensor){values[i], {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
    args[i].tensor = &tensors[i];
  }
  pthread_t other;
  pthread_mutex_lock(&gate);
  if (pthread_create(&other, NULL, wait_at_gate, NULL)) {
    return 1;
  }
  if (dlf_object_create(pb_box_create(), release, NULL, 0, &object, &error)) {
    return 1;
  }
  for (int i = 0; i < PAIRS; i++) {
    const result best = compare(&pairs[i], calls);
    printf("%.4f %.4f\n", best.ours, best.theirs);
  }
  dlf_object_release(object);
  pthread_mutex_unlock(&gate);
  pthread_join(other, NULL);
  return 0;
}

/* ---- all of them ---- */

static bool measure_there(const char *program, long calls, result results[PAIRS]) {
  char command[4096];
  const int size = snprintf(command, sizeof command, "'%s' %ld here", program, calls);
  if (size < 0 || (size_t)size >= sizeof command) {
    return false;
  }
  FILE *process = popen(command, "r");
  if (!process) {
    return false;
  }
  bool read = true;
  for (int i = 0; i < PAIRS; i++) {
    if (fscanf(process, "%lf %lf", &results[i].ours, &results[i].theirs) != 2) {
      read = false;
    }
  }
  return pclose(process) == 0 && read;
}

static int by_ratio(const void *a, const void *b) {
  const result *x = a, *y = b;
  const double difference = x->ours / x->theirs - y->ours / y->theirs;
  return (difference > 0) - (difference < 0);
}

static void show(const pair *p, result results[PROCESSES]) {
  qsort(results, PROCESSES, sizeof *results, by_ratio);
  const result least = results[0], median = results[PROCESSES / 2],
               greatest = results[PROCESSES - 1];
  printf("%-50s %6.2f ns / %6.2f ns = %.2f (%.2f to %.2f), aim %s\n",
         p->title,
         median.ours,
         median.theirs,
         median.ours / median.theirs,
         least.ours / least.theirs,
         greatest.ours / greatest.theirs,
         p->aim);
}

int main(int argc, char **argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 20000;
  if (argc > 2) {
    return measure_here(calls);
  }
  result results[PAIRS][PROCESSES];
  for (int process = 0; process < PROCESSES; process++) {
    result measured[PAIRS];
    if (!measure_there(argv[0], calls, measured)) {
      fprintf(stderr, "bench_pointers: expected numbers from %s, got none\n", argv[0]);
      return 1;
    }
    for (int i = 0; i < PAIRS; i++) {
      results[i][process] = measured[i];
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    show(&pairs[i], results[i]);
  }
  return 0;
}
