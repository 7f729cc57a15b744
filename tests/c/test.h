/* SPDX-License-Identifier: Apache-2.0 */
/* The C tests' runner: a program for each source file of the hub, its functions named test_<file>__<behaviour>. */
#ifndef DLFERRY_TEST_H
#define DLFERRY_TEST_H

#include <dlferry.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* Tests ask for more memory than there is, and want NULL for it. */
const char *__asan_default_options(void);
const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }
#endif

static int test_failures, test_count;

#define EXPECT(condition)                                                                                              \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      printf("%s:%d: expected %s\n", __FILE__, __LINE__, #condition);                                                  \
      test_failures++;                                                                                                 \
    }                                                                                                                  \
  } while (0)

#define EXPECT_INT(actual, expected)                                                                                   \
  do {                                                                                                                 \
    const int64_t actual_ = (int64_t)(actual), expected_ = (int64_t)(expected);                                        \
    if (actual_ != expected_) {                                                                                        \
      printf("%s:%d: %s is %" PRId64 ", expected %" PRId64 "\n", __FILE__, __LINE__, #actual, actual_, expected_);     \
      test_failures++;                                                                                                 \
    }                                                                                                                  \
  } while (0)

#define EXPECT_TEXT(actual, expected)                                                                                  \
  do {                                                                                                                 \
    const char *actual_ = (actual), *expected_ = (expected);                                                           \
    if (strcmp(actual_, expected_) != 0) {                                                                             \
      printf("%s:%d: %s is \"%s\", expected \"%s\"\n", __FILE__, __LINE__, #actual, actual_, expected_);               \
      test_failures++;                                                                                                 \
    }                                                                                                                  \
  } while (0)

/* The call failed with this status, said so in the error too, and gave this text. */
#define EXPECT_FAILS(call, expected_status, text)                                                                      \
  do {                                                                                                                 \
    dlf_error error = {0};                                                                                             \
    EXPECT_INT(call, expected_status);                                                                                 \
    EXPECT_INT(error.status, expected_status);                                                                         \
    EXPECT_TEXT(error.message, text);                                                                                  \
  } while (0)

#define RUN(test)                                                                                                      \
  do {                                                                                                                 \
    const int before_ = test_failures;                                                                                 \
    test();                                                                                                            \
    test_count++;                                                                                                      \
    printf("%s %s\n", test_failures == before_ ? "ok    " : "FAILED", #test);                                          \
  } while (0)

/* Ends every program: nothing may be left alive. */
static inline int test_end(void) {
  EXPECT_INT(dlf_live(), 0);
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
