/* SPDX-License-Identifier: Apache-2.0 */
/* The twins: a kernel's arguments, and the handling of its result. */
#include "twin_dlferry.h"

#include "../c/test.h"

#include <pthread.h>

/* ---- the kernels ---- */

static int calls;

int twin_add(const DLTensor *x, twin_mode mode, DLTensor *out, dlf_error *error) {
  const float *from = dlf_data(x);
  float *to = dlf_data(out);
  calls++;
  for (int64_t i = 0; i < x->shape[0]; i++) {
    to[i] = from[i] + 1;
  }
  if (mode == TWIN_MODE_TEXT) {
    return dlf_error_set(error, DLF_NO_MEMORY, "add: no room for a row");
  }
  if (mode == TWIN_MODE_FOREIGN) {
    dlf_error_set(error, 1000, "add: \xE2\x80\xA6 of its own");
  }
  return mode;
}

dlf_status twin_status(int32_t status) {
  return (dlf_status)status;
}
int twin_code(int code) {
  return code;
}
const char *twin_text(int code) {
  return code == 7 ? "the seventh" : NULL;
}
int64_t twin_stride(const DLTensor *x) {
  return x->strides ? x->ndim ? x->strides[0] : 0 : -99;
}

uint64_t twin_data(const DLTensor *x, uint64_t *byte_offset) {
  *byte_offset = x->byte_offset;
  return (uint64_t)(uintptr_t)x->data;
}

int twin_two(const DLTensor *x, DLTensor *a, DLTensor *b, dlf_error *error) {
  (void)x, (void)a, (void)b, (void)error;
  return 0;
}

int32_t twin_present(const DLTensor *x, const DLTensor *y, DLTensor *z) {
  return (x != NULL) + 2 * (y != NULL) + 4 * (z != NULL);
}
size_t twin_scalars(uint64_t k, const char *text, bool twice, enum twin_flag flags) {
  return (size_t)k * strlen(text) * (twice ? 2 : 1) + 1000 * (size_t)flags;
}
int64_t twin_length(const char *text) {
  return (int64_t)strlen(text);
}
int twin_spell(const char *text, DLTensor *out, dlf_error *error) {
  (void)text, (void)error;
  return out->shape[0] < 0;
}
int twin_cycle(const DLTensor *x, const char *text, DLTensor *out, dlf_error *error) {
  (void)text, (void)error;
  return x->shape[0] < 0 || out->shape[0] < 0;
}
double twin_value(double x, dlf_error *error) {
  if (x < 0) {
    dlf_error_set(error, DLF_BOUNDS, "value: x is below 0");
  }
  return 2 * x;
}
void twin_nothing(void) {
  calls++;
}

/* ---- the tests ---- */

static float data[2][8];
static int64_t shape[2][2] = {{4, 2}, {4, 2}};
static DLTensor plain[2];

static dlf_arg arg(int which) {
  plain[which] = (DLTensor){data[which], cpu, 1, f32, shape[which], NULL, 0};
  return (dlf_arg){&plain[which], 0};
}

static void test_twin__the_kernel_runs_once_its_arguments_hold(void) {
  data[0][3] = 41;
  calls = 0;
  EXPECT_INT(twin_add_checked(arg(0), TWIN_MODE_FINE, arg(1), NULL), DLF_OK);
  EXPECT_INT(calls, 1);
  EXPECT(data[1][3] == 42);
  EXPECT_FAILS(twin_add_checked(arg(0), TWIN_MODE_FINE, arg(0), &error),
               DLF_INVALID,
               "add: out: shares memory with x; wanted f32[n] noalias");
  EXPECT_FAILS(twin_add_checked((dlf_arg){NULL, 0}, TWIN_MODE_FINE, arg(1), &error),
               DLF_INVALID,
               "add: x: expected a tensor, got NULL");
  EXPECT_INT(calls, 1);
}

static void test_twin__a_kernel_answers_with_text_number_or_name(void) {
  EXPECT_FAILS(twin_add_checked(arg(0), TWIN_MODE_NUMBER, arg(1), &error),
               DLF_FOREIGN,
               "add: kernel returned 3");
  EXPECT_FAILS(twin_add_checked(arg(0), TWIN_MODE_TEXT, arg(1), &error),
               DLF_NO_MEMORY,
               "add: no room for a row");
  EXPECT_FAILS(twin_add_checked(arg(0), TWIN_MODE_FOREIGN, arg(1), &error),
               DLF_FOREIGN,
               "add: \xE2\x80\xA6 of its own: expected a dlf_status, got 1000");
  EXPECT_INT(twin_add_checked(arg(0), TWIN_MODE_TEXT, arg(1), NULL), DLF_NO_MEMORY);
  EXPECT_FAILS(twin_status_checked(4, &error), DLF_DTYPE, "status: kernel returned 4 (DTYPE)");
  EXPECT_FAILS(
      twin_status_checked(99, &error), DLF_FOREIGN, "status: kernel returned 99 (UNKNOWN)");
  EXPECT_INT(twin_status_checked(0, NULL), DLF_OK);
  EXPECT_INT(twin_code_checked(1, NULL), DLF_OK);
  EXPECT_FAILS(twin_code_checked(0, &error), DLF_FOREIGN, "code: kernel returned 0");
  EXPECT_FAILS(twin_code_checked(7, &error), DLF_FOREIGN, "code: kernel returned 7 (the seventh)");
}

/* An earlier failure in the caller's error must not be taken for the kernel's. */
static void test_twin__an_old_error_is_not_the_kernels(void) {
  dlf_error error;
  dlf_error_set(&error, DLF_VERSION, "old");
  EXPECT_INT(twin_add_checked(arg(0), TWIN_MODE_NUMBER, arg(1), &error), DLF_FOREIGN);
  EXPECT_TEXT(error.message, "add: kernel returned 3");
}

static void test_twin__enums_take_their_values_only(void) {
  EXPECT_FAILS(twin_add_checked(arg(0), (twin_mode)4, arg(1), &error),
               DLF_INVALID,
               "add: mode is 4, wanted FINE|NUMBER|TEXT|FOREIGN");
  size_t result = 0;
  EXPECT_FAILS(twin_scalars_checked(2, "ab", false, (enum twin_flag)9, &result, &error),
               DLF_INVALID,
               "scalars: flags is 9, wanted A|B|C");
  EXPECT_INT(twin_scalars_checked(
                 2, "ab", true, (enum twin_flag)(TWIN_FLAG_A | TWIN_FLAG_C), &result, NULL),
             DLF_OK);
  EXPECT_INT(result, 5008);
  EXPECT_INT(twin_scalars_checked(2, "ab", true, (enum twin_flag)0, NULL, NULL), DLF_OK);
}

static void test_twin__scalars_and_texts_are_checked_without_tensors(void) {
  size_t result = 7;
  EXPECT_FAILS(twin_scalars_checked(10, "", false, TWIN_FLAG_A, &result, &error),
               DLF_INVALID,
               "scalars: k is 10, wanted k in 1..9");
  EXPECT_FAILS(twin_scalars_checked(UINT64_MAX, "", false, TWIN_FLAG_A, &result, &error),
               DLF_OVERFLOW,
               "scalars: k is 18446744073709551615, expected below 2^63");
  EXPECT_FAILS(twin_scalars_checked(1, NULL, false, TWIN_FLAG_A, &result, &error),
               DLF_INVALID,
               "scalars: text: expected text, got NULL");
  EXPECT_INT(result, 7);
}

static void test_twin__a_missing_text_reaches_no_hook(void) {
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(twin_spell_new("abcd", &out, NULL), DLF_OK);
  EXPECT_INT(out->dl_tensor.shape[0], 4);
  dlf_dlpack_release(out);
  EXPECT_INT(twin_spell_checked("abcd", arg(0), NULL), DLF_OK);
  EXPECT_FAILS(twin_spell_checked(NULL, arg(0), &error),
               DLF_INVALID,
               "spell: text: expected text, got NULL");
  EXPECT_FAILS(
      twin_spell_new(NULL, &out, &error), DLF_INVALID, "spell: text: expected text, got NULL");
  EXPECT(out == NULL);
}

static void test_twin__a_hook_need_not_take_the_tensors_of_its_function(void) {
  DLManagedTensorVersioned *out = NULL;
  EXPECT_INT(twin_cycle_new(arg(0), "abcd", &out, NULL),
             DLF_OK); /* which compiles without a warning, too */
  EXPECT_INT(out->dl_tensor.shape[0], 4);
  dlf_dlpack_release(out);
}

static void test_twin__values_come_back_unless_the_kernel_fails(void) {
  double result = 0;
  EXPECT_INT(twin_value_checked(4, &result, NULL), DLF_OK);
  EXPECT(result == 8);
  EXPECT_FAILS(twin_value_checked(-4, &result, &error), DLF_BOUNDS, "value: x is below 0");
  EXPECT(result == 8);
  calls = 0;
  EXPECT_INT(twin_nothing_checked(NULL), DLF_OK);
  EXPECT_INT(calls, 1);
}

static void test_twin__kernels_never_see_null_strides(void) {
  int64_t result = 0;
  dlf_arg a = arg(0);
  plain[0].ndim = 2;
  EXPECT_INT(twin_stride_checked(a, &result, NULL), DLF_OK);
  EXPECT_INT(result, 2);
  EXPECT(plain[0].strides == NULL);
  plain[0].strides = LIST(3, 1);
  EXPECT_INT(twin_stride_checked(a, &result, NULL), DLF_OK);
  EXPECT_INT(result, 3);
}

static void test_twin__kernels_never_see_an_offset(void) {
  dlf_arg x = arg(0), out = arg(1);
  data[0][6] = 41;
  plain[0].byte_offset = 3 * sizeof(float);
  plain[1].byte_offset = sizeof(float);
  EXPECT_INT(twin_add_checked(x, TWIN_MODE_FINE, out, NULL), DLF_OK);
  EXPECT(data[1][4] == 42);
  EXPECT(plain[0].data == data[0] && plain[0].byte_offset == 3 * sizeof(float));
  uint64_t seen = 0, offset = 9;
  EXPECT_INT(twin_data_checked(x, &offset, &seen, NULL), DLF_OK);
  EXPECT(seen == (uint64_t)(uintptr_t)&data[0][3] && offset == 0);
  /* Without elements data may be NULL, to which nothing can be added. */
  shape[0][0] = 0;
  plain[0].data = NULL;
  EXPECT_INT(twin_data_checked(x, &offset, &seen, NULL), DLF_OK);
  EXPECT(seen == 0 && offset == 0);
  shape[0][0] = 4;
}

/* CONTRACTS.md lists these devices. */
static bool has_addresses(int32_t type) {
  return type == kDLCPU || type == kDLCUDA || type == kDLCUDAHost || type == kDLROCM ||
         type == kDLROCMHost || type == kDLCUDAManaged || type == kDLOneAPI;
}

static void test_twin__a_handle_keeps_its_offset(void) {
  dlf_arg x = arg(0);
  plain[0].byte_offset = 16;
  for (int32_t type = 1; type < 40; type++) {
    uint64_t seen = 0, offset = 0;
    plain[0].device = (DLDevice){(DLDeviceType)type, 0};
    EXPECT_INT(twin_data_checked(x, &offset, &seen, NULL), DLF_OK);
    EXPECT_INT((int64_t)(seen - (uint64_t)(uintptr_t)data[0]), has_addresses(type) ? 16 : 0);
    EXPECT_INT((int64_t)offset, has_addresses(type) ? 0 : 16);
  }
}

static void test_twin__absent_tensors_reach_the_kernel_as_null(void) {
  const dlf_arg none = {NULL, 0};
  int32_t result = 0;
  EXPECT_INT(twin_present_checked(arg(0), none, none, &result, NULL), DLF_OK);
  EXPECT_INT(result, 1);
  EXPECT_INT(twin_present_checked(arg(0), none, arg(1), &result, NULL), DLF_OK);
  EXPECT_INT(result, 5);
  shape[1][0] = 3;
  EXPECT_FAILS(twin_present_checked(arg(0), arg(1), none, &result, &error),
               DLF_SHAPE,
               "present: y[n] is 3, expected 4 as x[n]; got f32[3], wanted opt f32[n]");
  shape[1][0] = 4;
}

static void test_twin__outputs_are_made_as_the_contract_says(void) {
  DLManagedTensorVersioned *a = NULL, *b = NULL;
  dlf_arg x = arg(0);
  plain[0].ndim = 2;
  EXPECT_INT(twin_two_new(x, &a, &b, NULL), DLF_OK);
  EXPECT_INT(a->dl_tensor.ndim, 1);
  EXPECT_INT(a->dl_tensor.shape[0], 2);
  EXPECT_INT(b->dl_tensor.strides[0], 1);
  EXPECT_INT(b->dl_tensor.strides[1], 4);
  EXPECT_INT(b->flags & DLPACK_FLAG_BITMASK_READ_ONLY, 0);
  dlf_dlpack_release(a);
  dlf_dlpack_release(b);
  plain[0].dtype.bits = 16;
  EXPECT_FAILS(twin_two_new(x, &a, &b, &error),
               DLF_DTYPE,
               "two: x: dtype is f16, expected T in f32|f64|i32; got f16[4, 2], wanted T[h, w]: "
               "cast converts");
  EXPECT(a == NULL && b == NULL);
  EXPECT_FAILS(twin_two_new(x, NULL, &b, &error),
               DLF_INVALID,
               "two: a: expected a place for the tensor, got NULL");
  EXPECT_FAILS(
      twin_add_new(arg(0), TWIN_MODE_NUMBER, &a, &error), DLF_FOREIGN, "add: kernel returned 3");
  EXPECT(a == NULL);
  EXPECT_INT(dlf_live(), 0);
}

/* Every thread races to compile the contracts first, over one tensor, and releases its neighbour's
 * results; the sanitizers watch. */
enum { THREADS = 8, ROUNDS_EACH = 50 };
static pthread_barrier_t start;
static DLManagedTensorVersioned *made[THREADS][ROUNDS_EACH][2];

static void *race(void *number) {
  const intptr_t me = (intptr_t)number;
  dlf_error error;
  intptr_t wrong = 0;
  pthread_barrier_wait(&start);
  for (int i = 0; i < ROUNDS_EACH; i++) {
    wrong += twin_two_new((dlf_arg){&plain[i % 2], 0}, &made[me][i][0], &made[me][i][1], &error) !=
             DLF_OK;
  }
  pthread_barrier_wait(&start);
  for (int i = 0; i < 2 * ROUNDS_EACH; i++) {
    dlf_dlpack_release(made[(me + 1) % THREADS][i / 2][i % 2]);
  }
  return (void *)wrong;
}

static void test_twin__threads_may_race_to_the_first_call(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i < 2; i++) {
    arg(i);
    plain[i].ndim = 2;
  }
  shape[0][1] = 0; /* no elements: the interpreter decides, so the contract is compiled */
  pthread_barrier_init(&start, NULL, THREADS);
  for (intptr_t i = 0; i < THREADS; i++) {
    EXPECT_INT(pthread_create(&threads[i], NULL, race, (void *)i), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    void *wrong;
    pthread_join(threads[i], &wrong);
    EXPECT(wrong == NULL);
  }
  pthread_barrier_destroy(&start);
  shape[0][1] = 2;
  EXPECT_INT(dlf_live(), 0);
}

int main(void) {
  RUN(test_twin__threads_may_race_to_the_first_call);
  RUN(test_twin__the_kernel_runs_once_its_arguments_hold);
  RUN(test_twin__a_kernel_answers_with_text_number_or_name);
  RUN(test_twin__an_old_error_is_not_the_kernels);
  RUN(test_twin__enums_take_their_values_only);
  RUN(test_twin__scalars_and_texts_are_checked_without_tensors);
  RUN(test_twin__a_missing_text_reaches_no_hook);
  RUN(test_twin__a_hook_need_not_take_the_tensors_of_its_function);
  RUN(test_twin__values_come_back_unless_the_kernel_fails);
  RUN(test_twin__kernels_never_see_null_strides);
  RUN(test_twin__kernels_never_see_an_offset);
  RUN(test_twin__a_handle_keeps_its_offset);
  RUN(test_twin__absent_tensors_reach_the_kernel_as_null);
  RUN(test_twin__outputs_are_made_as_the_contract_says);
  return test_end();
}
