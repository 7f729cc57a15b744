/* SPDX-License-Identifier: Apache-2.0 */
/* DLPack 1.3's rules for each exported tensor: flags, device ids of host memory, NULL for nothing.
 */
#include "test.h"

#define READ_ONLY DLPACK_FLAG_BITMASK_READ_ONLY
#define COPIED DLPACK_FLAG_BITMASK_IS_COPIED

static dlf_arg arg(const DLTensor *tensor, uint64_t flags) {
  return (dlf_arg){tensor, flags};
}

static void test_normal_form__is_copied_means_sole_ownership(void) {
  static float source[] = {1, 2, 3, 4};
  dlf_tensor *t = NULL, *copy = NULL, *view = NULL, *part = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){source, cpu, 1, f32, LIST(4), NULL, 0}, READ_ONLY, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_INT(dlf_to_dlpack_copy(t, &m, NULL), DLF_OK);
  EXPECT_INT(m->flags, COPIED); /* not read-only: the consumer is the only owner */
  EXPECT_INT(dlf_from_dlpack(m, &copy, NULL), DLF_OK);
  EXPECT_INT(dlf_slice(copy, 0, 1, 3, 1, &part, NULL), DLF_OK);
  EXPECT_INT(dlf_reshape(part, LIST(3, 1), 2, &view, NULL), DLF_OK);
  EXPECT_INT(dlf_flags(view), COPIED);
  /* A function that writes takes the view, and refuses the original. */
  const dlf_parameter out = {"out", DLF_PARAMETER_OUTPUT};
  dlf_contract *contract = NULL;
  EXPECT_INT(dlf_contract_compile(
                 "out: inout f32[...]", "fill", &out, 1, sizeof(dlf_parameter), &contract, NULL),
             DLF_OK);
  dlf_value value = {.tensor = arg(dlf_dltensor(view), dlf_flags(view))};
  EXPECT_INT(dlf_contract_match(contract, &value, sizeof(dlf_value), NULL), DLF_OK);
  value.tensor = arg(dlf_dltensor(t), dlf_flags(t));
  EXPECT_INT(dlf_contract_match(contract, &value, sizeof(dlf_value), NULL), DLF_READ_ONLY);
  dlf_contract_free(contract);
  ((float *)dlf_data(dlf_dltensor(view)))[0] = 20;
  EXPECT(source[1] == 2.0F && ((float *)dlf_data(dlf_dltensor(copy)))[1] == 20.0F);
  dlf_release(view);
  dlf_release(part);
  dlf_release(copy);
  dlf_release(t);
}

static void test_normal_form__host_memory_has_device_id_0(void) {
  static const DLDeviceType host[] = {kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged};
  static _Alignas(256) float aligned[64];
  DLTensor t = tensor_of(f32, 1, LIST(4), LIST(1));
  dlf_tensor *made = NULL;
  t.data = aligned;
  for (size_t i = 0; i < sizeof host / sizeof *host; i++) {
    t.device = (DLDevice){host[i], 0};
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
    t.device.device_id = 1;
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_DEVICE);
    EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRUCTURE, NULL),
               DLF_OK); /* harmless, so only the letter minds */
  }
  t.device = (DLDevice){kDLCUDA, 1};
  EXPECT_INT(dlf_check(&t, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  EXPECT_FAILS(dlf_create(f32, 1, LIST(4), (DLDevice){kDLCPU, 1}, &made, &error),
               DLF_UNSUPPORTED,
               "create: expected device cpu, got cpu:1");
}

static void test_normal_form__no_elements_means_null_data(void) {
  static float source[8];
  for (int32_t axis = 0; axis < 2; axis++) {
    dlf_tensor *t = NULL, *none = NULL;
    DLManagedTensorVersioned *m = NULL;
    DLManagedTensor *old = NULL;
    EXPECT_INT(
        dlf_wrap(&(DLTensor){source, cpu, 2, f32, LIST(2, 4), NULL, 0}, 0, NULL, NULL, &t, NULL),
        DLF_OK);
    EXPECT_INT(dlf_slice(t, axis, 1, 0, 1, &none, NULL), DLF_OK);
    EXPECT_INT(dlf_to_dlpack(none, &m, NULL), DLF_OK);
    EXPECT(m->dl_tensor.data == NULL && m->dl_tensor.byte_offset == 0 &&
           m->dl_tensor.strides != NULL);
    EXPECT_INT(dlf_check(&m->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
    EXPECT_INT(dlf_to_dlpack_legacy(none, &old, NULL), DLF_OK);
    EXPECT(old->dl_tensor.data == NULL && old->dl_tensor.byte_offset == 0);
    dlf_dlpack_release(m);
    dlf_dlpack_release_legacy(old);
    dlf_release(none);
    dlf_release(t);
    EXPECT_INT(dlf_create(f32, 2, LIST(3, 0), cpu, &t, NULL), DLF_OK);
    EXPECT(dlf_dltensor(t)->data == NULL);
    dlf_release(t);
  }
}

static void test_normal_form__no_dimensions_means_null_shape_and_strides(void) {
  static float source = 3;
  int64_t nothing[1] = {7};
  char text[80];
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  DLManagedTensor given = {
      {&source, cpu, 0, f32, nothing, nothing, 0}, NULL, NULL}; /* allowed, so it must be taken */
  EXPECT_INT(dlf_from_dlpack_legacy(&given, &t, NULL), DLF_OK);
  EXPECT(dlf_dltensor(t)->shape == NULL && dlf_dltensor(t)->strides == NULL);
  dlf_format(dlf_dltensor(t), 0, text, sizeof text);
  EXPECT_TEXT(text, "float32[] cpu\n3.");
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.shape == NULL && m->dl_tensor.strides == NULL &&
         m->dl_tensor.data == &source);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_OK);
  EXPECT(old->dl_tensor.shape == NULL && old->dl_tensor.strides == NULL &&
         old->dl_tensor.data == &source);
  dlf_dlpack_release(m);
  dlf_dlpack_release_legacy(old);
  dlf_release(t);
}

int main(void) {
  RUN(test_normal_form__is_copied_means_sole_ownership);
  RUN(test_normal_form__host_memory_has_device_id_0);
  RUN(test_normal_form__no_elements_means_null_data);
  RUN(test_normal_form__no_dimensions_means_null_shape_and_strides);
  return test_end();
}
