/* SPDX-License-Identifier: Apache-2.0 */
/* Nanoseconds for one call in C, and for malloc and free as a measure: bench_c CALLS */
#include <photo_dlferry.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* Without this the compiler may see that the memory is never read. */
static void *volatile sink;

static int64_t shape[2] = {4, 4}, strides[2] = {4, 1};
static float values[3][16];
static DLTensor tensors[3];
static dlf_arg args[3];

static int malloc_free(void) {
  sink = malloc(64);
  free(sink);
  return 0;
}

/* Through a pointer, as from another library: not inlined. */
static int (*volatile kernel)(const DLTensor *, const DLTensor *, DLTensor *,
                              dlf_error *) = photo_difference;

static int raw(void) {
  return kernel(&tensors[0], &tensors[1], &tensors[2], NULL);
}

static int checked(void) {
  dlf_error error;
  return photo_difference_checked(args[0], args[1], args[2], &error);
}

static int new_output(void) {
  dlf_error error;
  DLManagedTensorVersioned *out = NULL;
  const dlf_status status = photo_difference_new(args[0], args[1], &out, &error);
  dlf_dlpack_release(out);
  return status;
}

/* The best of ten runs, since disturbances only make a run longer. */
static int measure(const char *name, int (*call)(void), long calls) {
  double best = 1e18;
  for (int run = 0; run < 10; run++) {
    const double start = now();
    for (long i = 0; i < calls; i++) {
      if (call()) {
        return fprintf(stderr, "%s failed\n", name), 1;
      }
    }
    const double one = (now() - start) / (double)calls;
    if (one < best) {
      best = one;
    }
  }
  printf("%s %.2f\n", name, best);
  return 0;
}

int main(int argc, char **argv) {
  const long calls = argc > 1 ? atol(argv[1]) : 1000000;
  for (int i = 0; i < 3; i++) {
    tensors[i] = (DLTensor){values[i], {kDLCPU, 0}, 2, {kDLFloat, 32, 1}, shape, strides, 0};
    args[i].tensor = &tensors[i];
  }
  return measure("malloc_free", malloc_free, calls) || measure("raw", raw, calls) ||
         measure("checked", checked, calls) || measure("new", new_output, calls);
}
