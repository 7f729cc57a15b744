/* SPDX-License-Identifier: Apache-2.0 */
/* The C tests' runner: a program for each source file of the hub, its functions named
 * test_<file>__<behaviour>. */
#ifndef DLFERRY_TEST_H
#define DLFERRY_TEST_H

#include <dlferry.h>
#include <dlferry/contract.h>
#include <dlferry/npy.h>
#include <dlferry/object.h>
#include <dlferry/oneapi.h>
#include <dlferry/pyobject.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Tests ask for more memory than there is, and want NULL for it. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1";
}
const char *__tsan_default_options(void) {
  return "allocator_may_return_null=1";
}
#endif

static int test_failures, test_count;

#ifdef DLFERRY_FAULTS
/* Under fault injection a call whose allocation failed may fail, if it leaves nothing allocated;
 * the test ends there. */
#include <faults.h>
#include <setjmp.h>
static jmp_buf test_end_of_run;
#define BEFORE_CALL const int64_t blocks_ = faults_blocks();
#define AFTER_CALL(failed)                                                                         \
  if ((failed) && faults_fired()) {                                                                \
    if (faults_blocks() > blocks_) {                                                               \
      printf("%s:%d: an allocation failed, and others were lost\n", __FILE__, __LINE__);           \
      test_failures++;                                                                             \
    }                                                                                              \
    longjmp(test_end_of_run, 1);                                                                   \
  }
#define ROUNDS(count) ((count) / 1000 + 1)
#else
#define BEFORE_CALL
#define AFTER_CALL(failed)
#define ROUNDS(count) (count)
#endif

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    BEFORE_CALL                                                                                    \
    const bool holds_ = (condition);                                                               \
    AFTER_CALL(!holds_)                                                                            \
    if (!holds_) {                                                                                 \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                              \
      test_failures++;                                                                             \
    }                                                                                              \
  } while (0)

#define EXPECT_INT(actual, expected)                                                               \
  do {                                                                                             \
    BEFORE_CALL                                                                                    \
    const int64_t actual_ = (int64_t)(actual), expected_ = (int64_t)(expected);                    \
    AFTER_CALL(actual_ != expected_)                                                               \
    if (actual_ != expected_) {                                                                    \
      printf("%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n",                                   \
             __FILE__,                                                                             \
             __LINE__,                                                                             \
             #actual,                                                                              \
             actual_,                                                                              \
             expected_);                                                                           \
      test_failures++;                                                                             \
    }                                                                                              \
  } while (0)

#define EXPECT_TEXT(actual, expected)                                                              \
  do {                                                                                             \
    BEFORE_CALL                                                                                    \
    const char *actual_ = (actual), *expected_ = (expected);                                       \
    AFTER_CALL(strcmp(actual_, expected_) != 0)                                                    \
    if (strcmp(actual_, expected_) != 0) {                                                         \
      printf("%s:%d: %s is \"%s\", expected \"%s\"\n",                                             \
             __FILE__,                                                                             \
             __LINE__,                                                                             \
             #actual,                                                                              \
             actual_,                                                                              \
             expected_);                                                                           \
      test_failures++;                                                                             \
    }                                                                                              \
  } while (0)

/* The call failed with this status, said so in the error too, and gave this text. */
#define EXPECT_FAILS(call, expected_status, text)                                                  \
  do {                                                                                             \
    dlf_error error = {0};                                                                         \
    EXPECT_INT(call, expected_status);                                                             \
    EXPECT_INT(error.status, expected_status);                                                     \
    EXPECT_TEXT(error.message, text);                                                              \
  } while (0)

#ifdef DLFERRY_FAULTS
static int64_t test_live_before;

/* Tensors that the running test has not released; those of an aborted test do not count. */
static inline int64_t live(void) {
  return dlf_live() - test_live_before;
}

/* Once for each allocation of the test, until none is left to fail. */
static inline void test_run(void (*test)(void)) {
  volatile int64_t n = 0;
  do {
    faults_sweep();
    test_live_before = dlf_live();
    faults_arm(n++);
    if (setjmp(test_end_of_run) == 0) {
      test();
    }
  } while (faults_fired());
  faults_arm(-1);
  if (faults_blocks() != 0) {
    printf("%" PRId64 " blocks are left\n", faults_blocks());
    test_failures++;
  }
}
#else
static inline int64_t live(void) {
  return dlf_live();
}
static inline void test_run(void (*test)(void)) {
  test();
}
#endif

#define RUN(test)                                                                                  \
  do {                                                                                             \
    const int before_ = test_failures;                                                             \
    test_run(test);                                                                                \
    test_count++;                                                                                  \
    printf("%s %s\n", test_failures == before_ ? "ok    " : "FAILED", #test);                      \
  } while (0)

/* Ends every program: nothing may be left alive. */
static inline int test_end(void) {
#ifndef DLFERRY_FAULTS /* an aborted test's tensors are freed uncounted */
  EXPECT_INT(dlf_live(), 0);
#endif
  printf("%d tests, %d failures\n", test_count, test_failures);
  return test_failures ? 1 : 0;
}

/* An axis list and its length, for calls that take shape or strides. */
#define LIST(...) ((int64_t[]){__VA_ARGS__})

static const DLDevice cpu = {kDLCPU, 0};
static const DLDataType f32 = {kDLFloat, 32, 1};

/* A tensor over memory that only has to look real. */
static inline DLTensor tensor_of(DLDataType dtype, int32_t ndim, int64_t *shape, int64_t *strides) {
  static double memory[1024];
  return (DLTensor){memory, cpu, ndim, dtype, shape, strides, 0};
}

#endif
