/* SPDX-License-Identifier: Apache-2.0 */
/* Backends live as long as the process, so each test has device types of its own. */
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static float near[4] = {1, 2, 3, 4};

/* A device whose memory is CPU-accessible from one address on, like oneAPI's shared allocations. */
typedef struct driver {
  const void *first;
  bool everything;
  int status;
  _Atomic int asked;
} driver;

static bool reaches(void *context, DLDevice device, const void *address) {
  driver *d = context;
  atomic_fetch_add(&d->asked, 1);
  return address ? device.device_id == 0 && (uintptr_t)address >= (uintptr_t)d->first
                 : d->everything;
}

static int stream_of(void *context, DLDevice device, void **out) {
  driver *d = context;
  *out = (char *)d + device.device_id;
  return d->status;
}

/* Succeeds, and stores nothing. */
static int silent_stream(void *context, DLDevice device, void **out) {
  (void)context;
  (void)device;
  (void)out;
  return 0;
}

static dlf_backend backend_of(bool (*is_cpu_accessible)(void *, DLDevice, const void *),
                              int (*current_stream)(void *, DLDevice, void **), void *context) {
  dlf_backend backend = DLF_BACKEND_INIT;
  backend.is_cpu_accessible = is_cpu_accessible;
  backend.current_stream = current_stream;
  backend.context = context;
  return backend;
}

static DLTensor on(int32_t type, void *data) {
  static int64_t shape[1] = {2}, strides[1] = {1};
  return (DLTensor){data, {(DLDeviceType)type, 0}, 1, f32, shape, strides, 0};
}

static void test_backend__without_one_nothing_is_near_and_no_stream_known(void) {
  const DLTensor t = on(kDLOneAPI, near);
  void *stream = &stream;
  EXPECT(!dlf_is_cpu_accessible(t.device) && !dlf_is_reachable(&t));
  EXPECT_INT(dlf_exchange_api()->current_work_stream(kDLOneAPI, 0, &stream), -1);
  EXPECT(stream == NULL);
  for (int32_t type = kDLCPU; type <= kDLTrn; type++) {
    const bool host =
        type == kDLCPU || type == kDLCUDAHost || type == kDLROCMHost || type == kDLCUDAManaged;
    const DLTensor other = on(type, near);
    EXPECT_INT(dlf_is_cpu_accessible(other.device), host);
    EXPECT_INT(dlf_is_reachable(&other), host);
    stream = &stream;
    EXPECT_INT(dlf_exchange_api()->current_work_stream((DLDeviceType)type, 0, &stream),
               host ? 0 : -1);
    EXPECT(stream == NULL);
  }
}

static void test_backend__is_asked_about_the_address(void) {
  static driver d;
  d.first = near + 2;
  const dlf_backend backend = backend_of(reaches, NULL, &d);
  DLTensor t = on(kDLOneAPI, near);
  dlf_tensor *away = NULL, *here = NULL, *copy = NULL;
  DLManagedTensorVersioned *m = NULL;
  bool same = false;
  if (!dlf_is_reachable(&t) && d.asked == 0) {
    EXPECT_INT(dlf_backend_register(kDLOneAPI, &backend, NULL), DLF_OK);
  }
  EXPECT(!dlf_is_cpu_accessible(t.device));
  EXPECT(!dlf_is_reachable(&t));
  t.byte_offset = 8;
  EXPECT(dlf_is_reachable(&t));
  EXPECT(d.asked >= 3);
  t.device.device_id = 1;
  EXPECT(!dlf_is_reachable(&t));
  d.everything = true;
  EXPECT(dlf_is_cpu_accessible(t.device));
  d.everything = false;
  /* Functions that read elements also ask. */
  const DLDevice device = {kDLOneAPI, 0};
  EXPECT_INT(
      dlf_wrap(&(DLTensor){near, device, 1, f32, LIST(2), NULL, 0}, 0, NULL, NULL, &away, NULL),
      DLF_OK);
  EXPECT_INT(
      dlf_wrap(&(DLTensor){near + 2, device, 1, f32, LIST(2), NULL, 0}, 0, NULL, NULL, &here, NULL),
      DLF_OK);
  EXPECT_FAILS(
      dlf_copy(away, &copy, &error),
      DLF_DEVICE,
      "copy: expected data that the processor can reach, got oneapi:0: move it to the CPU first");
  EXPECT_INT(dlf_copy(here, &copy, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(copy)->device.device_type, kDLCPU);
  EXPECT_INT(dlf_identical(
                 (dlf_arg){dlf_dltensor(here), 0}, (dlf_arg){dlf_dltensor(copy), 0}, &same, NULL),
             DLF_OK);
  EXPECT(same);
  EXPECT_INT(dlf_identical(
                 (dlf_arg){dlf_dltensor(away), 0}, (dlf_arg){dlf_dltensor(copy), 0}, &same, NULL),
             DLF_DEVICE);
  /* Shared memory is one memory, even if two tensors name different devices. */
  const DLTensor host = on(kDLCPU, near + 2);
  EXPECT(dlf_overlap((dlf_arg){dlf_dltensor(here), 0}, (dlf_arg){&host, 0}));
  EXPECT(!dlf_overlap((dlf_arg){dlf_dltensor(away), 0}, (dlf_arg){&host, 0}));
  EXPECT_INT(dlf_to_dlpack_copy(away, &m, NULL), DLF_DEVICE);
  dlf_release(away);
  dlf_release(here);
  dlf_release(copy);
}

static void test_backend__tells_the_current_stream(void) {
  static driver d;
  const dlf_backend backend = backend_of(NULL, stream_of, &d);
  const DLPackExchangeAPI *api = dlf_exchange_api();
  void *stream = NULL;
  if (api->current_work_stream((DLDeviceType)101, 0, &stream) != 0) {
    EXPECT_INT(dlf_backend_register(101, &backend, NULL), DLF_OK);
  }
  EXPECT_INT(api->current_work_stream((DLDeviceType)101, 3, &stream), 0);
  EXPECT(stream == (char *)&d + 3);
  EXPECT_INT(dlf_exchange_stream(api, (DLDevice){(DLDeviceType)101, 2}, &stream, NULL), DLF_OK);
  EXPECT(stream == (char *)&d + 2);
  d.status = 5; /* any other status is a failure, and its stream is not believed */
  EXPECT_INT(api->current_work_stream((DLDeviceType)101, 3, &stream), -1);
  EXPECT(stream == NULL);
  d.status = 0;
  const DLTensor t = on(101, near);
  EXPECT(!dlf_is_cpu_accessible(t.device) && !dlf_is_reachable(&t)); /* it does not say */
}

static void test_backend__a_stream_that_is_not_stored_is_null(void) {
  const dlf_backend backend = backend_of(NULL, silent_stream, NULL);
  void *stream = &stream;
  (void)dlf_backend_register(103, &backend, NULL);
  EXPECT_INT(dlf_exchange_api()->current_work_stream((DLDeviceType)103, 0, &stream), 0);
  EXPECT(stream == NULL);
}

/* The CPU reaches pinned and managed memory without a backend, but a backend may know the stream.
 */
static void test_backend__of_host_memory_only_tells_streams(void) {
  static driver d;
  const dlf_backend backend = backend_of(reaches, stream_of, &d);
  const DLTensor t = on(kDLCUDAManaged, near);
  void *stream = NULL;
  const DLPackExchangeAPI *api = dlf_exchange_api();
  EXPECT_INT(api->current_work_stream(kDLCUDAManaged, 1, &stream), 0);
  if (!stream) {
    EXPECT_INT(dlf_backend_register(kDLCUDAManaged, &backend, NULL), DLF_OK);
  }
  EXPECT(dlf_is_cpu_accessible(t.device) && dlf_is_reachable(&t));
  EXPECT_INT(d.asked, 0);
  EXPECT_INT(api->current_work_stream(kDLCUDAManaged, 1, &stream), 0);
  EXPECT(stream == (char *)&d + 1);
}

static void test_backend__registration_refuses(void) {
  static driver d;
  const dlf_backend backend = backend_of(reaches, stream_of, &d);
  EXPECT_FAILS(dlf_backend_register(102, NULL, &error),
               DLF_INVALID,
               "backend_register: expected a backend, got NULL");
  EXPECT_FAILS(dlf_backend_register(kDLCPU, &backend, &error),
               DLF_INVALID,
               "backend_register: expected a device type other than the processor's, got 1");
  (void)dlf_backend_register(102, &backend, NULL);
  EXPECT_FAILS(
      dlf_backend_register(102, &backend, &error),
      DLF_INVALID,
      "backend_register: expected a device type without a backend, got 102, which has one");
}

enum { THREADS = 8, TYPES = 16, FIRST = 200 };
static driver drivers[THREADS][TYPES];
static _Atomic int registered[TYPES];

static void *register_and_ask(void *context) {
  driver *own = context;
  for (int i = 0; i < TYPES; i++) {
    const dlf_backend backend = backend_of(reaches, stream_of, &own[i]);
    void *stream;
    own[i].everything = true;
    if (dlf_backend_register(FIRST + i, &backend, NULL) == DLF_OK) {
      atomic_fetch_add(&registered[i], 1);
    }
    if (!dlf_is_cpu_accessible((DLDevice){(DLDeviceType)(FIRST + i), 0})) {
      atomic_fetch_add(&registered[i], 100);
    }
    if (dlf_exchange_api()->current_work_stream((DLDeviceType)(FIRST + i), 0, &stream) != 0) {
      atomic_fetch_add(&registered[i], 100);
    }
  }
  return NULL;
}

/* The first registration wins, and then every thread gets an answer. */
static void test_backend__eight_threads_register_and_ask(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, register_and_ask, drivers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  for (int i = 0; i < TYPES; i++) {
    EXPECT_INT(registered[i], 1);
  }
}

/* Asks until it is answered: nothing but the publication orders this thread after the registration.
 */
static void *ask_until_answered(void *context) {
  const int32_t type = *(const int32_t *)context;
  while (!dlf_is_cpu_accessible((DLDevice){(DLDeviceType)type, 0})) {
    sched_yield();
  }
  return NULL;
}

static void test_backend__an_answer_is_of_a_whole_entry(void) {
  static const int32_t type = 300;
  static driver d = {.everything = true};
  pthread_t thread;
  const dlf_backend backend = backend_of(reaches, NULL, &d);
  pthread_create(&thread, NULL, ask_until_answered, (void *)(uintptr_t)&type);
  (void)dlf_backend_register(type, &backend, NULL);
  pthread_join(thread, NULL);
  EXPECT(dlf_is_cpu_accessible((DLDevice){(DLDeviceType)type, 0}));
}

/* Version 0.1 had a smaller structure, without the last two functions. */
static void test_backend__of_a_smaller_structure_decides_nothing(void) {
  struct first {
    int64_t size;
    bool (*is_cpu_accessible)(void *, DLDevice, const void *);
    int (*current_stream)(void *, DLDevice, void **);
    void *context;
  };
  union {
    struct first first;
    unsigned char bytes[sizeof(dlf_backend)];
  } oldest;
  memset(
      oldest.bytes,
      1,
      sizeof oldest.bytes); /* what lies behind it, and its padding where pointers have 32 bits */
  const struct first nothing = {sizeof nothing, NULL, NULL, NULL};
  memcpy(oldest.bytes, &nothing, offsetof(struct first, context) + sizeof nothing.context);
  DLManagedTensorVersioned m = {{1, 3}, NULL, NULL, 0, on(114, near)};
  dlf_tensor *t = NULL;
  (void)dlf_backend_register(114, (const dlf_backend *)(const void *)oldest.bytes, NULL);
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_OK);
  dlf_release(t);
}

/* Last: afterwards the table is full. */
static void test_backend__refuses_more_than_there_is_room_for(void) {
  static driver d;
  const dlf_backend backend = backend_of(reaches, stream_of, &d);
  dlf_error error = {0};
  int32_t type = 1000;
  while (type < 1100 && dlf_backend_register(type, &backend, &error) == DLF_OK) {
    type++;
  }
  EXPECT(type < 1000 + 32);
  EXPECT_INT(error.status, DLF_UNSUPPORTED);
  EXPECT_TEXT(error.message, "backend_register: expected at most 32 backends, got more");
  EXPECT(!dlf_is_cpu_accessible((DLDevice){(DLDeviceType)1100, 0}));
}

/* A later version may have more fields: those of a larger structure are ignored, a smaller one is
 * refused. */
static void test_backend__size_is_that_of_the_structure(void) {
  static driver d;
  struct {
    dlf_backend known;
    void *later;
  } larger = {backend_of(reaches, NULL, &d), &d};
  dlf_backend smaller = larger.known;
  larger.known.size = sizeof larger;
  smaller.size = offsetof(dlf_backend, check_import) - 8;
  d.everything = true;
  char text[100];
  snprintf(text,
           sizeof text,
           "backend_register: expected a size of %zu bytes or more for dlf_backend, got %d",
           offsetof(dlf_backend, check_import),
           (int)smaller.size);
  EXPECT_FAILS(dlf_backend_register(2000, &smaller, &error), DLF_INVALID, text);
  smaller.size = 0;
  EXPECT_INT(dlf_backend_register(2000, &smaller, NULL), DLF_INVALID);
  smaller.size = -1;
  EXPECT_INT(dlf_backend_register(2000, &smaller, NULL), DLF_INVALID);
  EXPECT(!dlf_is_cpu_accessible((DLDevice){(DLDeviceType)2000, 0}));
  EXPECT_INT(dlf_backend_register(2000, &larger.known, NULL), DLF_OK);
  EXPECT(dlf_is_cpu_accessible((DLDevice){(DLDeviceType)2000, 0}));
}

int main(void) {
  RUN(test_backend__without_one_nothing_is_near_and_no_stream_known);
  RUN(test_backend__is_asked_about_the_address);
  RUN(test_backend__tells_the_current_stream);
  RUN(test_backend__a_stream_that_is_not_stored_is_null);
  RUN(test_backend__of_host_memory_only_tells_streams);
  RUN(test_backend__of_a_smaller_structure_decides_nothing);
  RUN(test_backend__registration_refuses);
  RUN(test_backend__size_is_that_of_the_structure);
  RUN(test_backend__eight_threads_register_and_ask);
  RUN(test_backend__an_answer_is_of_a_whole_entry);
  RUN(test_backend__refuses_more_than_there_is_room_for);
  return test_end();
}
