/* SPDX-License-Identifier: Apache-2.0 */
/* Nanoseconds of the hub's own functions on a 4-d tensor, and of malloc and free of a handle's
 * size: bench_hub [CALLS]. One run measures everything in turn, round after round, and each keeps
 * its best, since disturbances only make a run longer. Compare the ratios; the nanoseconds are this
 * machine's. */
#include <dlferry.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS = 1000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Without this the compiler may see that the memory is never read. */
static void *volatile sink;
static size_t volatile handle_bytes;

static float values[2 * 3 * 4 * 5];
static int64_t shape[4] = {2, 3, 4, 5}, strides[4] = {60, 20, 5, 1};
static DLManagedTensorVersioned managed;
static dlf_tensor *tensor;

static void nothing_to_free(DLManagedTensorVersioned *self) {
  sink = self;
}

static int malloc_free(void) {
  sink = malloc(handle_bytes);
  free(sink);
  return 0;
}

static int import_release(void) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status = dlf_from_dlpack(&managed, &out, &error);
  dlf_release(out);
  return (int)status;
}

static int export_release(void) {
  DLManagedTensorVersioned *out;
  dlf_error error;
  const dlf_status status = dlf_to_dlpack(tensor, &out, &error);
  dlf_dlpack_release(out);
  return (int)status;
}

static int check(void) {
  dlf_error error;
  return (int)dlf_check(&managed.dl_tensor, 0, DLF_CHECK_STRUCTURE, &error);
}

static int look(void) {
  dlf_error error;
  dlf_elements elements;
  return (int)dlf_look(
      (dlf_arg){&managed.dl_tensor, 0}, managed.dl_tensor.dtype, DLF_LOOK_WRITE, &elements, &error);
}

static int slice_release(void) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status = dlf_slice(tensor, 1, 2, 2, -1, &out, &error);
  dlf_release(out);
  return (int)status;
}

static int retain_release(void) {
  dlf_release(dlf_retain(tensor));
  return 0;
}

static int compare(void) {
  const dlf_arg arg = {&managed.dl_tensor, 0};
  bool same;
  return dlf_identical(arg, arg, &same, NULL) != DLF_OK || !same;
}

/* A limit in nanoseconds, or in mallocs: the design's aim on the measured machine; 0 is none. */
typedef struct measured {
  const char *name;
  int (*call)(void);
  double limit_ns, limit_mallocs, best;
} measured;

static measured calls[] = {
    {"malloc + free of a handle's size", malloc_free, 0, 0, 1e18},
    {"from_dlpack + release", import_release, 0, 2, 1e18},
    {"check, level structure", check, 15, 0, 1e18},
    {"look, for writing", look, 15, 0, 1e18},
    {"slice + release", slice_release, 30, 0, 1e18},
    {"retain + release", retain_release, 12, 0, 1e18},
    {"to_dlpack + deleter", export_release, 0, 0, 1e18},
    {"identical, 120 elements", compare, 0, 0, 1e18},
};
enum { COUNT = sizeof calls / sizeof *calls };

/* Through a pointer that the compiler cannot follow: nothing is inlined or moved out of the loop.
 */
static int measure(measured *m, long count) {
  int (*volatile call)(void) = m->call;
  const double start = now();
  for (long i = 0; i < count; i++) {
    if (call()) {
      return fprintf(stderr, "%s failed\n", m->name), 1;
    }
  }
  const double one = (now() - start) / (double)count;
  if (one < m->best) {
    m->best = one;
  }
  return 0;
}

/* Start at another stack depth each round: the position relative to the handles changes some
 * nanoseconds. */
static int measure_below(int depth, measured *m, long count) {
  char volatile pad[80];
  pad[0] = (char)depth;
  return depth > 0 ? measure_below(depth - 1, m, count) + pad[0] - (char)depth : measure(m, count);
}

int main(int argc, char **argv) {
  const long count = argc > 1 ? atol(argv[1]) : 10000;
  managed = (DLManagedTensorVersioned){
      {DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR}, NULL, nothing_to_free, 0, {0}};
  managed.dl_tensor = (DLTensor){values, {kDLCPU, 0}, 4, {kDLFloat, 32, 1}, shape, strides, 0};
  if (dlf_from_dlpack(&managed, &tensor, NULL)) {
    return 1;
  }
  handle_bytes = malloc_usable_size(tensor);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < COUNT; i++) {
      if (measure_below(round % 16, &calls[i], count)) {
        return 1;
      }
    }
  }
  printf(
      "the hub on float32[2, 3, 4, 5], a handle of %zu bytes; best of %d rounds of %ld calls\n\n",
      (size_t)handle_bytes,
      ROUNDS,
      count);
  printf("%-36s%8s%12s%18s\n", "call", "ns", "in mallocs", "asked at most");
  for (int i = 0; i < COUNT; i++) {
    const measured *m = &calls[i];
    printf("%-36s%8.1f%12.2f", m->name, m->best, m->best / calls[0].best);
    if (m->limit_ns > 0) {
      printf("%12.0f ns", m->limit_ns);
    }
    if (m->limit_mallocs > 0) {
      printf("%10.1f mallocs", m->limit_mallocs);
    }
    printf("\n");
  }
  dlf_release(tensor);
  return dlf_live() != 0;
}
