/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

#include <pthread.h>
#include <stdlib.h>

static void count_release(void *owner) {
  ++*(int *)owner;
}

static void test_tensor__create_is_aligned_row_major_and_zero(void) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 2, LIST(3, 100), cpu, &t, NULL), DLF_OK);
  const DLTensor *dl = dlf_dltensor(t);
  EXPECT_INT((uintptr_t)dl->data % 256, 0);
  EXPECT_INT(dl->ndim, 2);
  EXPECT(dl->shape[0] == 3 && dl->shape[1] == 100 && dl->strides[0] == 100 && dl->strides[1] == 1);
  EXPECT_INT(dl->byte_offset, 0);
  EXPECT_INT(dlf_flags(t), 0);
  for (int i = 0; i < 300; i++) {
    EXPECT(((float *)dl->data)[i] == 0.0f);
  }
  memset(dl->data, 1, 1200);
  EXPECT_INT(live(), 1);
  dlf_release(t);
}

static void test_tensor__create_of_nothing_has_no_data(void) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 2, LIST(0, 5), cpu, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->data == NULL);
  dlf_release(t);
}

static void test_tensor__create_of_a_scalar_has_no_shape(void) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->shape == NULL && dlf_dltensor(t)->strides == NULL &&
         dlf_dltensor(t)->data != NULL);
  dlf_release(t);
}

static void test_tensor__create_refuses_bad_input(void) {
  dlf_tensor *t = (dlf_tensor *)&t;
  EXPECT_FAILS(dlf_create(f32, 1, LIST(-1), cpu, &t, &error),
               DLF_INVALID,
               "create: expected extents of 0 or more, got -1 on axis 0 (from 0)");
  EXPECT(t == NULL);
  EXPECT_FAILS(dlf_create(f32, 1, LIST(2), (DLDevice){kDLCUDA, 1}, &t, &error),
               DLF_UNSUPPORTED,
               "create: expected device cpu, got cuda:1");
  EXPECT_INT(dlf_create(f32, 2, LIST(INT64_MAX, 2), cpu, &t, NULL), DLF_OVERFLOW);
  EXPECT_INT(dlf_create(f32, 65, LIST(1), cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_create(f32, 1, NULL, cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_create((DLDataType){kDLFloat4_e2m1fn, 8, 1}, 1, LIST(2), cpu, &t, NULL),
             DLF_DTYPE);
}

static void test_tensor__create_reports_too_little_memory(void) {
  dlf_tensor *t;
  EXPECT_FAILS(dlf_create((DLDataType){kDLInt, 8, 1}, 1, LIST(INT64_MAX - 1), cpu, &t, &error),
               DLF_NO_MEMORY,
               "create: expected memory for 9223372036854775806 bytes, got none");
  EXPECT(t == NULL);
}

typedef struct counting {
  int allocated, released, contexts;
  int64_t size;
  int64_t skew; /* bytes by which memory misses its alignment; negative: none is given */
} counting;

static _Alignas(256) char pool[1024];

static void *take(void *context, int64_t size, int64_t alignment) {
  counting *c = context;
  EXPECT_INT(alignment, 256);
  c->allocated++;
  c->size = size;
  return c->skew < 0 ? NULL : pool + c->skew;
}

static void give_back(void *context, void *memory, int64_t size) {
  counting *c = context;
  c->released++;
  EXPECT(memory == pool + c->skew);
  EXPECT_INT(size, c->size);
}

static dlf_allocator allocator_of(counting *context) {
  dlf_allocator allocator = DLF_ALLOCATOR_INIT;
  allocator.allocate = take;
  allocator.release = give_back;
  allocator.context = context;
  return allocator;
}

static void test_tensor__create_with_uses_the_callers_allocator(void) {
  counting c = {0};
  const dlf_allocator allocator = allocator_of(&c);
  const DLDevice cuda = {kDLCUDA, 1};
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create_with(&allocator, f32, 2, LIST(3, 5), cuda, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->data == pool && (int)dlf_dltensor(t)->device.device_type == kDLCUDA);
  EXPECT(c.allocated == 1 && c.released == 0 && c.size == 60);
  dlf_release(t);
  EXPECT_INT(c.released, 1);
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(0), cpu, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->data == NULL);
  dlf_release(t);
  EXPECT(c.allocated == 1 && c.released == 1);
  struct {
    dlf_allocator known;
    void *later;
  } larger = {allocator, NULL};
  larger.known.size = sizeof larger;
  EXPECT_INT(dlf_create_with(&larger.known, f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(c.allocated == 2 && c.released == 2);
}

static void count_context(void *context) {
  counting *c = context;
  c->contexts++;
}

static void test_tensor__an_allocator_gets_its_context_back(void) {
  counting c = {0};
  dlf_allocator allocator = allocator_of(&c);
  dlf_tensor *t = NULL, *view = NULL;
  allocator.release_context = count_context;
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_flip(t, 0, &view, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(c.released == 0 && c.contexts == 0);
  dlf_release(view);
  EXPECT(c.released == 1 && c.contexts == 1);
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(0), cpu, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(c.released == 1 && c.contexts == 2);
  c.skew = 1;
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, NULL), DLF_FOREIGN);
  c.skew = -1;
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, NULL), DLF_NO_MEMORY);
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(-2), cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(c.contexts, 2);
}

static void test_tensor__codes_that_are_not_released_are_not_made(void) {
  const DLDataType bcomplex32 = {18, 32, 1};
  const DLDevice tpu = {(DLDeviceType)19, 0}, ascend = {(DLDeviceType)21, 1};
  counting c = {0};
  const dlf_allocator allocator = allocator_of(&c);
  dlf_tensor *t;
  EXPECT_FAILS(dlf_create(bcomplex32, 1, LIST(2), cpu, &t, &error),
               DLF_DTYPE,
               "create: expected a dtype of DLPack 1.3, got bcomplex32, not yet released");
  EXPECT_FAILS(dlf_create_with(&allocator, bcomplex32, 1, LIST(2), cpu, &t, &error),
               DLF_DTYPE,
               "create_with: expected a dtype of DLPack 1.3, got bcomplex32, not yet released");
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), tpu, &t, &error),
               DLF_DEVICE,
               "create_with: expected a device of DLPack 1.3, got tpu:0, not yet released");
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), ascend, &t, &error),
               DLF_DEVICE,
               "create_with: expected a device of DLPack 1.3, got ascend:1, not yet released");
}

static void test_tensor__create_with_refuses_bad_allocators(void) {
  counting c = {0};
  dlf_allocator allocator = allocator_of(&c);
  dlf_tensor *t;
  c.skew = -1;
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, &error),
               DLF_NO_MEMORY,
               "create_with: expected memory for 8 bytes, got none");
  EXPECT_INT(c.released, 0);
  c.skew = 8;
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, &error),
               DLF_FOREIGN,
               "create_with: expected memory aligned to 256 bytes, got less");
  EXPECT_INT(c.released, 1);
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(-2), cpu, &t, NULL), DLF_INVALID);
  EXPECT_INT(c.allocated, 2);
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(2), (DLDevice){kDLOpenCL, 0}, &t, NULL),
             DLF_OK);
  dlf_release(t); /* a handle, which has no alignment */
  EXPECT_INT(c.released, 2);
  allocator.allocate = NULL;
  EXPECT_INT(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, NULL), DLF_INVALID);
  allocator.allocate = take;
  allocator.release = NULL;
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, &error),
               DLF_INVALID,
               "create_with: expected an allocator with both functions, got NULL");
  allocator.size = sizeof allocator - 8;
  char text[100];
  snprintf(text,
           sizeof text,
           "create_with: expected a size of %zu bytes or more for dlf_allocator, got %d",
           sizeof allocator,
           (int)allocator.size);
  EXPECT_FAILS(dlf_create_with(&allocator, f32, 1, LIST(2), cpu, &t, &error), DLF_INVALID, text);
  EXPECT_INT(dlf_create_with(NULL, f32, 1, LIST(2), cpu, &t, NULL), DLF_INVALID);
  EXPECT(t == NULL);
}

static void test_tensor__wrap_releases_its_owner_once(void) {
  float memory[6] = {0};
  int released = 0;
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){memory, cpu, 2, f32, LIST(2, 3), NULL, 0},
                      DLPACK_FLAG_BITMASK_READ_ONLY,
                      &released,
                      count_release,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT(dlf_dltensor(t)->data == memory);
  EXPECT(dlf_dltensor(t)->strides[0] == 3 && dlf_dltensor(t)->strides[1] == 1);
  EXPECT_INT(dlf_flags(t), DLPACK_FLAG_BITMASK_READ_ONLY);
  EXPECT(dlf_retain(t) == t);
  dlf_release(t);
  EXPECT_INT(released, 0);
  dlf_release(t);
  EXPECT_INT(released, 1);
}

typedef struct small_owner {
  float *memory;
  int *released;
} small_owner;

static void release_small(void *owner) {
  const small_owner *const o = owner;
  EXPECT_INT((uintptr_t)owner % 8, 0);
  free(o->memory);
  ++*o->released;
}

static void test_tensor__wrap_small_keeps_the_owner_in_the_handle(void) {
  int released = 0;
  dlf_tensor *t;
  small_owner owner = {calloc(6, sizeof(float)), &released};
  const DLTensor described = {owner.memory, cpu, 2, f32, LIST(2, 3), NULL, 0};
  EXPECT_INT(dlf_wrap_small(&described, 0, &owner, sizeof owner, release_small, &t, NULL), DLF_OK);
  EXPECT(dlf_data(dlf_dltensor(t)) == owner.memory && dlf_dltensor(t)->strides[0] == 3);
  owner = (small_owner){NULL, NULL};
  DLManagedTensorVersioned *exported;
  EXPECT_INT(dlf_to_dlpack(t, &exported, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(released, 0);
  dlf_dlpack_release(exported);
  EXPECT_INT(released, 1);
}

static void add_up(void *owner) {
  int64_t *const words = owner;
  for (int i = 1; words[i]; i++) {
    *(int64_t *)(intptr_t)words[0] += words[i];
  }
}

static void test_tensor__wrap_small_copies_every_word(void) {
  float memory[1] = {0};
  const DLTensor described = {memory, cpu, 1, f32, LIST(1), NULL, 0};
  for (int count = 2; count <= 8; count++) {
    dlf_tensor *t;
    int64_t sum = 0, words[8] = {(int64_t)(intptr_t)&sum};
    for (int i = 1; i < count - 1; i++) {
      words[i] = 1 << i;
    }
    EXPECT_INT(dlf_wrap_small(&described, 0, words, 8 * count, add_up, &t, NULL), DLF_OK);
    dlf_release(t);
    EXPECT_INT(sum, (1 << (count - 1)) - 2);
  }
}

static void test_tensor__wrap_small_that_fails_leaves_the_owner(void) {
  int released = 0;
  float memory[2] = {0};
  small_owner owner = {NULL, &released};
  dlf_tensor *t = (dlf_tensor *)&released;
  const DLTensor good = {memory, cpu, 1, f32, LIST(2), NULL, 0},
                 bad = {NULL, cpu, 1, f32, LIST(2), NULL, 0};
  EXPECT_FAILS(dlf_wrap_small(&bad, 0, &owner, sizeof owner, release_small, &t, &error),
               DLF_INVALID,
               "wrap: expected data for 8 bytes, got NULL");
  EXPECT(t == NULL);
  EXPECT_FAILS(dlf_wrap_small(&good, 0, &owner, 65, release_small, &t, &error),
               DLF_INVALID,
               "wrap: expected an owner of 1 to 8 words and its release, got another size");
  EXPECT_INT(dlf_wrap_small(&good, 0, &owner, 0, release_small, &t, NULL), DLF_INVALID);
  EXPECT_INT(dlf_wrap_small(&good, 0, &owner, 12, release_small, &t, NULL), DLF_INVALID);
  EXPECT_FAILS(dlf_wrap_small(&good, 0, &owner, sizeof owner, NULL, &t, &error),
               DLF_INVALID,
               "wrap: expected an owner of 1 to 8 words and its release, got NULL");
  EXPECT_INT(released, 0);
}

static void test_tensor__wrap_keeps_strides(void) {
  float memory[6] = {0};
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){memory + 5, cpu, 2, f32, LIST(2, 3), LIST(-1, -2), 0},
                      0,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT(dlf_dltensor(t)->strides[0] == -1 && dlf_dltensor(t)->strides[1] == -2);
  dlf_release(t);
}

static void test_tensor__wrap_that_fails_leaves_the_owner(void) {
  int released = 0;
  dlf_tensor *t = (dlf_tensor *)&t;
  EXPECT_FAILS(dlf_wrap(&(DLTensor){NULL, cpu, 1, f32, LIST(2), NULL, 0},
                        0,
                        &released,
                        count_release,
                        &t,
                        &error),
               DLF_INVALID,
               "wrap: expected data for 8 bytes, got NULL");
  EXPECT(t == NULL);
  EXPECT_FAILS(dlf_wrap(&(DLTensor){&released, cpu, 1, f32, LIST(1), NULL, 0},
                        DLF_FLAGS_UNKNOWN,
                        &released,
                        count_release,
                        &t,
                        &error),
               DLF_INVALID,
               "wrap: expected flags of a managed tensor, got flags unknown");
  EXPECT_INT(released, 0);
}

static void test_tensor__null_is_nobody(void) {
  dlf_release(NULL);
  EXPECT(dlf_retain(NULL) == NULL);
}

static void *retain_and_release(void *t) {
  for (int i = 0; i < 10000; i++) {
    dlf_release(dlf_retain(t));
  }
  dlf_release(t);
  return NULL;
}

static void test_tensor__references_are_counted_across_threads(void) {
  enum { THREADS = 8 };
  pthread_t threads[THREADS];
  int released = 0;
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){&released, cpu, 0, f32, NULL, NULL, 0},
                      0,
                      &released,
                      count_release,
                      &t,
                      NULL),
             DLF_OK);
  for (int i = 0; i < THREADS; i++) {
    pthread_create(&threads[i], NULL, retain_and_release, dlf_retain(t));
  }
  dlf_release(t);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
  }
  EXPECT_INT(released, 1);
}

static void test_tensor__is_unique_without_other_references(void) {
  dlf_tensor *t = NULL, *view = NULL, *view2 = NULL;
  DLManagedTensorVersioned *managed = NULL;
  EXPECT(!dlf_is_unique(NULL));
  EXPECT_INT(dlf_create(f32, 1, LIST(4), cpu, &t, NULL), DLF_OK);
  EXPECT(dlf_is_unique(t));
  dlf_retain(t);
  EXPECT(!dlf_is_unique(t));
  dlf_release(t);
  EXPECT_INT(dlf_to_dlpack(t, &managed, NULL), DLF_OK);
  EXPECT(!dlf_is_unique(t));
  dlf_dlpack_release(managed);
  EXPECT_INT(dlf_slice(t, 0, 0, 2, 1, &view, NULL), DLF_OK);
  EXPECT(!dlf_is_unique(t) && !dlf_is_unique(view));
  dlf_release(t);
  EXPECT(dlf_is_unique(view));
  EXPECT_INT(dlf_flip(view, 0, &view2, NULL), DLF_OK);
  EXPECT(!dlf_is_unique(view) && !dlf_is_unique(view2)); /* both view the original of t */
  dlf_release(view);
  EXPECT(dlf_is_unique(view2));
  dlf_release(view2);
}

static void test_tensor__knows_the_bytes_that_it_holds(void) {
  static float memory[100];
  dlf_tensor *t = NULL, *view = NULL;
  DLManagedTensorVersioned *managed = NULL;
  const DLTensor outside = {memory, cpu, 1, f32, LIST(100), NULL, 0};
  EXPECT_INT(dlf_held_bytes(NULL), 0);
  EXPECT_INT(dlf_create(f32, 1, LIST(1), cpu, &t, NULL), DLF_OK);
  const int64_t handle = dlf_held_bytes(t) - 4;
  EXPECT(handle > 0 && handle < 1000);
  dlf_release(t);
  EXPECT_INT(dlf_create(f32, 1, LIST(100), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_held_bytes(t), handle + 400);
  EXPECT_INT(dlf_flip(t, 0, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_held_bytes(view), handle);
  EXPECT_INT(dlf_to_dlpack_copy(t, &managed, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(dlf_held_bytes(view), 2 * handle + 400); /* which is now the only one */
  dlf_release(view);
  EXPECT_INT(dlf_from_dlpack(managed, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_held_bytes(t), 2 * handle + 400);
  dlf_release(t);
  EXPECT_INT(dlf_wrap(&outside, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_held_bytes(t), handle);
  dlf_release(t);
  EXPECT_INT(dlf_wrap(&outside, DLPACK_FLAG_BITMASK_IS_COPIED, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_held_bytes(t), handle + 400);
  dlf_release(t);
}

static void test_tensor__knows_the_version_that_it_came_in(void) {
  DLManagedTensor legacy = {tensor_of(f32, 0, NULL, NULL), NULL, NULL};
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_dlpack_version(NULL).major, 0);
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dlpack_version(t).major, DLF_DLPACK_MAJOR);
  EXPECT_INT(dlf_dlpack_version(t).minor, DLF_DLPACK_MINOR);
  dlf_release(t);
  EXPECT_INT(dlf_from_dlpack_legacy(&legacy, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dlpack_version(t).major, 0);
  EXPECT_INT(dlf_dlpack_version(t).minor, 8);
  dlf_release(t);
}

int main(void) {
  RUN(test_tensor__create_is_aligned_row_major_and_zero);
  RUN(test_tensor__create_of_nothing_has_no_data);
  RUN(test_tensor__create_of_a_scalar_has_no_shape);
  RUN(test_tensor__create_refuses_bad_input);
  RUN(test_tensor__create_reports_too_little_memory);
  RUN(test_tensor__create_with_uses_the_callers_allocator);
  RUN(test_tensor__an_allocator_gets_its_context_back);
  RUN(test_tensor__codes_that_are_not_released_are_not_made);
  RUN(test_tensor__create_with_refuses_bad_allocators);
  RUN(test_tensor__wrap_releases_its_owner_once);
  RUN(test_tensor__wrap_small_keeps_the_owner_in_the_handle);
  RUN(test_tensor__wrap_small_copies_every_word);
  RUN(test_tensor__wrap_small_that_fails_leaves_the_owner);
  RUN(test_tensor__wrap_keeps_strides);
  RUN(test_tensor__wrap_that_fails_leaves_the_owner);
  RUN(test_tensor__null_is_nobody);
  RUN(test_tensor__references_are_counted_across_threads);
  RUN(test_tensor__is_unique_without_other_references);
  RUN(test_tensor__knows_the_bytes_that_it_holds);
  RUN(test_tensor__knows_the_version_that_it_came_in);
  return test_end();
}
