/* SPDX-License-Identifier: Apache-2.0 */
/* Functions on a plain DLTensor allocate nothing, on success and on failure: here the first
 * allocation would fail, and be noticed. */
#include <dlferry.h>
#include <faults.h>
#include <stdio.h>
#include <string.h>

static int failures, calls;
static double values[2 * 3 * 4], others[2 * 3 * 4]; /* room for 64 bits each */
static int64_t shape[3] = {2, 3, 4}, rows[3] = {12, 4, 1}, columns[3] = {1, 2, 6},
               hostile[3] = {INT64_MAX, 2, 3};
static const DLDevice cpu = {kDLCPU, 0};

static void note(const char *call) {
  calls++;
  if (!faults_fired()) {
    return;
  }
  printf("%s allocates\n", call);
  failures++;
  faults_arm(0);
}

#define CALL(call)                                                                                 \
  do {                                                                                             \
    (void)(call);                                                                                  \
    note(#call);                                                                                   \
  } while (0)

static void on_one(DLTensor t, uint64_t flags) {
  int64_t low, high, strides[3];
  char text[400];
  dlf_error error;
  DLTensor shown;
  dlf_elements elements;
  const dlf_window window = {sizeof window,
                             values,
                             sizeof values,
                             t.dtype,
                             false,
                             0,
                             t.ndim,
                             t.shape,
                             t.ndim,
                             t.strides,
                             flags};
  CALL(dlf_count(&t, &low, &error));
  CALL(dlf_byte_size(&t, flags, &low, &error));
  CALL(dlf_byte_range(&t, flags, &low, &high, &error));
  CALL(dlf_is_contiguous(&t, DLF_ROW_MAJOR));
  CALL(dlf_is_contiguous(&t, DLF_COLUMN_MAJOR));
  CALL(dlf_is_contiguous(&t, DLF_DENSE));
  CALL(dlf_compact_strides(t.ndim, t.shape, DLF_ROW_MAJOR, strides, &error));
  CALL(dlf_data(&t));
  CALL(dlf_alignment(&t));
  CALL(dlf_is_cpu_accessible(t.device));
  CALL(dlf_is_reachable(&t));
  CALL(dlf_check(&t, flags, DLF_CHECK_STRUCTURE, &error));
  CALL(dlf_check(&t, flags, DLF_CHECK_STRICT, &error));
  CALL(dlf_check_window("wrap", &window, &shown, &error));
  CALL(dlf_look(
      (dlf_arg){&t, flags}, t.dtype, DLF_LOOK_WRITE | DLF_LOOK_ROW_MAJOR, &elements, &error));
  CALL(dlf_describe(&t, flags, text, sizeof text));
  if (t.data) {
    CALL(dlf_format(&t, flags, text, sizeof text));
  }
}

static void on_two(dlf_arg a, dlf_arg b) {
  bool answer;
  dlf_error error;
  CALL(dlf_overlap(a, b));
  CALL(dlf_identical(a, b, &answer, &error));
  CALL(dlf_equal(a, b, &answer, &error));
  CALL(dlf_all_close(a, b, 1e-6, 1e-9, true, &answer, &error));
}

static void on_words(void) {
  char text[DLF_NAME_CAPACITY];
  DLDataType dtype;
  DLDevice device;
  dlf_error error;
  CALL(dlf_dtype_parse("float8_e4m3fn", &dtype, &error));
  CALL(dlf_dtype_parse("nothing", &dtype, &error));
  CALL(dlf_dtype_format(dtype, text, sizeof text));
  CALL(dlf_dtype_format_short(dtype, text, sizeof text));
  CALL(dlf_device_parse("oneapi:1", &device, &error));
  CALL(dlf_device_format(device, text, sizeof text));
  CALL(dlf_error_set(&error, DLF_FOREIGN, "a text"));
  CALL(dlf_dlpack_release(NULL));
  CALL(dlf_dlpack_release_legacy(NULL));
}

int main(void) {
  static const uint8_t codes[] = {kDLFloat, kDLInt, kDLBfloat, kDLComplex, kDLFloat4_e2m1fn, 200};
  static const uint8_t bits[] = {32, 8, 16, 64, 4, 24};
  DLTensor t[5];
  for (size_t c = 0; c < sizeof codes; c++) {
    const DLDataType dtype = {codes[c], bits[c], 1};
    t[0] = (DLTensor){values, cpu, 3, dtype, shape, rows, 0};
    t[1] = (DLTensor){others, cpu, 3, dtype, shape, columns, 0};
    t[2] = (DLTensor){others, cpu, 3, dtype, shape, NULL, 0};
    t[3] = (DLTensor){NULL, cpu, 3, dtype, hostile, rows, 0};
    t[4] = (DLTensor){others, {kDLCUDA, 0}, 3, dtype, shape, NULL, 0};
    faults_arm(0);
    for (int i = 0; i < 5; i++) {
      on_one(t[i], 0);
    }
    for (int i = 0; i < 5; i++) {
      for (int k = 0; k < 5; k++) {
        on_two((dlf_arg){&t[i], 0}, (dlf_arg){&t[k], 0});
      }
    }
    faults_arm(-1);
  }
  faults_arm(0);
  on_words();
  /* That an allocation would have been noticed. */
  dlf_tensor *made = NULL;
  if (dlf_create(t[0].dtype, 3, shape, cpu, &made, NULL) != DLF_NO_MEMORY || !faults_fired()) {
    failures++;
  }
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
