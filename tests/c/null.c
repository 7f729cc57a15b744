/* SPDX-License-Identifier: Apache-2.0 */
/* Every function of dlferry.h with NULL for each of its pointers, one at a time and the others
 * sound: by the rule that the header states, it fails with INVALID or does nothing, and loses
 * nothing. null.py writes the calls. */
#include "system.h"
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

static void do_nothing(dlf_deferred *self) {
  (void)self;
}
static dlf_deferred deferred = {.inside = do_nothing, .after = do_nothing};

static char folder[200], path[220];

/* Inputs of the calls. */
static float memory[2];
static int64_t extents[] = {1, 2};
static const int64_t axes[] = {0, 1};
static DLTensor plain;
static DLManagedTensorVersioned described;
static dlf_window window;
static const dlf_index_item first = {.kind = DLF_INDEX_ONE};
static const int64_t origin[DLF_MAX_NDIM];
static dlf_number read_number;
static const dlf_number sought = {.kind = DLF_NUMBER_REAL};
static dlf_tensor *tensor;
static dlf_queue *queue;
static dlf_object *object;
static dlf_use use;
static dlf_contract *contract;
static const dlf_parameter parameters[] = {{"x", DLF_PARAMETER_INPUT},
                                           {"out", DLF_PARAMETER_OUTPUT}};
static dlf_value arguments[2];
static dlf_prototype wanted;
static dlf_allocator allocator;
static dlf_backend backend;

/* Places for results. */
static dlf_error error;
static char text[1];
static int64_t numbers[4];
static bool truth;
static double real;
static uint64_t bits;
static float number;
static DLDataType dtype;
static DLDevice device;
static DLTensor shown;
static dlf_elements elements;
static dlf_prototype prototype = DLF_PROTOTYPE_INIT;
static struct {
  dlf_tensor *tensor;
  DLManagedTensorVersioned *managed;
  DLManagedTensor *legacy;
  dlf_queue *queue;
  dlf_object *object;
  dlf_contract *contract;
  const DLPackExchangeAPI *api;
  void *pointers[4];
} given;

/* Objects that a call takes, and that stay ours if it fails. */
static struct {
  DLManagedTensorVersioned *managed;
  DLManagedTensor *legacy;
  dlf_tensor *handle;
} taken;

/* An output's value before a call. */
#define UNTOUCHED ((void *)memory)

static const char *function, *parameter;
static bool allowed;

static void nothing(void *context) {
  (void)context;
}
static bool refuse(void *owner) {
  return owner == NULL;
}

static void *allocate(void *context, int64_t size, int64_t alignment) {
  (void)context;
  return system_allocate((size_t)size, (size_t)alignment);
}

static void release(void *context, void *released, int64_t size) {
  (void)context;
  (void)size;
  system_free(released);
}

static DLManagedTensorVersioned *take_managed(void) {
  EXPECT_INT(dlf_to_dlpack(tensor, &taken.managed, NULL), DLF_OK);
  return taken.managed;
}

static DLManagedTensor *take_legacy(void) {
  EXPECT_INT(dlf_to_dlpack_legacy(tensor, &taken.legacy, NULL), DLF_OK);
  return taken.legacy;
}

static dlf_tensor *take_handle(void) {
  return taken.handle = dlf_retain(tensor);
}

static void begin(const char *name, const char *of, bool may) {
  function = name;
  parameter = of;
  allowed = may;
  test_count++;
  printf("%s(%s)\n", name, of); /* the last one before a crash is the culprit */
  fflush(stdout);
  plain = (DLTensor){memory, cpu, 2, f32, extents, NULL, 0};
  described = (DLManagedTensorVersioned){.version = {DLF_DLPACK_MAJOR, 0}, .dl_tensor = plain};
  window = (dlf_window){.size = sizeof window,
                        .memory = memory,
                        .bytes = sizeof memory,
                        .dtype = f32,
                        .ndim = 2,
                        .shape = extents};
  arguments[0].tensor = arguments[1].tensor = (dlf_arg){&plain, 0};
  wanted = (dlf_prototype){.size = sizeof wanted,
                           .dtype = f32,
                           .device = cpu,
                           .ndim = 2,
                           .shape = {1, 2},
                           .strides = {2, 1}};
  use = (dlf_use){.size = sizeof use, .object = object, .name = "x", .type = "thing"};
  error = (dlf_error){0};
}

/* Judge a call with a status, and release its results. */
static void judge(dlf_status status) {
  const bool wrote = error.status != 0;
  const bool needs_python =
      status == DLF_UNSUPPORTED && strstr(function, "python"); /* there is none here */
  if (status != DLF_INVALID && !(allowed && (status == DLF_OK || needs_python))) {
    printf("  %s of %s is NULL: %s: %s\n",
           parameter,
           function,
           dlf_status_name((int32_t)status),
           error.message);
    test_failures++;
  }
  if (status && !allowed) {
    if (!wrote || !strstr(error.message, ": ")) {
      printf("  %s of %s is NULL: no text\n", parameter, function);
      test_failures++;
    }
  }
  void *const outputs[] = {given.tensor,
                           given.managed,
                           given.legacy,
                           given.queue,
                           given.object,
                           given.contract,
                           (void *)(uintptr_t)given.api,
                           given.pointers[0]};
  for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++) {
    if (!outputs[i] || (!status && outputs[i] != UNTOUCHED)) {
      continue;
    }
    printf("  %s of %s is NULL: an output is not\n", parameter, function);
    test_failures++;
    memset(&given, 0, sizeof given);
  }
  if (status) {
    dlf_dlpack_release(taken.managed);
    dlf_dlpack_release_legacy(taken.legacy);
    dlf_release(taken.handle);
  }
  memset(&taken, 0, sizeof taken);
  if (!status && strcmp(function, "dlf_exchange_export") == 0) {
    dlf_release(given.pointers[0]);
  }
  if (!status && strcmp(function, "dlf_object_enter") == 0) {
    dlf_object_leave(&use, 1);
  }
  dlf_release(given.tensor);
  dlf_dlpack_release(given.managed);
  dlf_dlpack_release_legacy(given.legacy);
  dlf_queue_release(given.queue);
  dlf_object_release(given.object);
  dlf_contract_free(given.contract);
  memset(&given, 0, sizeof given);
}

static void judge_answer(uintptr_t answer) {
  if (answer == 0 || allowed) {
    return;
  }
  printf("  %s of %s is NULL: an answer\n", parameter, function);
  test_failures++;
}

static void judge_text(int64_t length) {
  if (length >= 0) {
    return;
  }
  printf("  %s of %s is NULL: a length of %d\n", parameter, function, (int)length);
  test_failures++;
}

#include "null_calls.inc"

int main(void) {
  if (!system_loads()) {
    return 77;
  }
  EXPECT_INT(dlf_oneapi_enable(DPCTL_STAND_IN, NULL), DLF_OK); /* afterwards NULL succeeds too */
  if (!system_make_folder(folder, sizeof folder)) {
    return 1;
  }
  snprintf(path, sizeof path, "%s/t.npy", folder);
  allocator = (dlf_allocator){sizeof allocator, allocate, release, NULL, NULL};
  backend.size = sizeof backend;
  EXPECT_INT(dlf_create(f32, 2, extents, cpu, &tensor, NULL), DLF_OK);
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  EXPECT_INT(dlf_object_create(memory, nothing, NULL, 0, &object, NULL), DLF_OK);
  EXPECT_INT(dlf_contract_compile("x: f32[a, b]; out: f32[a, b]",
                                  "f",
                                  parameters,
                                  2,
                                  sizeof(dlf_parameter),
                                  &contract,
                                  NULL),
             DLF_OK);
  EXPECT_INT(dlf_npy_save((dlf_arg){dlf_dltensor(tensor), 0}, path, NULL), DLF_OK);
  call_all();
  dlf_release(tensor);
  dlf_queue_release(queue);
  dlf_object_release(object);
  dlf_contract_free(contract);
  remove(path);
  rmdir(folder);
  return test_end();
}
