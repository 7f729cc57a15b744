/* SPDX-License-Identifier: Apache-2.0 */
/* Backends live as long as the process, so each test has a device type of its own. */
#include "test.h"

static float near[4] = {1, 2, 3, 4};

static DLTensor on(int32_t type, void *data) {
  static int64_t shape[1] = {2}, strides[1] = {1};
  return (DLTensor){data, {(DLDeviceType)type, 0}, 1, f32, shape, strides, 0};
}

/* A runtime that refuses data in one context, and knows the id of the device that made the rest. */
typedef struct judge {
  const void *foreign; /* data in another context */
  int32_t id;
  const char *text;
  int imports, exports;
} judge;

static dlf_status decide(judge *j, const DLTensor *tensor, int32_t *device_id, dlf_error *error) {
  if (tensor->data == j->foreign) {
    return dlf_error_set(error, DLF_DEVICE, j->text);
  }
  *device_id = j->id;
  return DLF_OK;
}

static dlf_status on_import(void *context, const DLTensor *tensor, int32_t *device_id,
                            dlf_error *error) {
  judge *j = context;
  j->imports++;
  return decide(j, tensor, device_id, error);
}

static dlf_status on_export(void *context, const DLTensor *tensor, int32_t *device_id,
                            dlf_error *error) {
  judge *j = context;
  j->exports++;
  return decide(j, tensor, device_id, error);
}

/* The judge of a kind of device, registered at the first call: each test starts again after a
 * failed allocation. */
static judge *judge_of(int32_t type) {
  static judge judges[4];
  judge *j = &judges[type - 110];
  dlf_backend backend = DLF_BACKEND_INIT;
  backend.context = j;
  backend.check_import = on_import;
  backend.check_export = on_export;
  (void)dlf_backend_register(type, &backend, NULL);
  *j = (judge){near + 2, 4, "expected data of the default context, got data of another", 0, 0};
  return j;
}

static int deleted;
static void count_deleted(DLManagedTensorVersioned *self) {
  (void)self;
  deleted++;
}
static void count_deleted_legacy(DLManagedTensor *self) {
  (void)self;
  deleted++;
}

static void test_veto__decides_on_imports_and_names_the_device(void) {
  judge *j = judge_of(110);
  DLManagedTensorVersioned m = {{1, 3}, NULL, count_deleted, 0, on(110, near)};
  DLManagedTensor old = {on(110, near), NULL, count_deleted_legacy};
  dlf_tensor *t = NULL;
  DLTensor lent;
  deleted = 0;
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->device.device_id, 4);
  dlf_release(t);
  EXPECT_INT(dlf_from_dlpack_legacy(&old, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_dltensor(t)->device.device_id, 4);
  dlf_release(t);
  EXPECT_INT(deleted, 2);
  EXPECT_INT(j->imports, 2);
  /* A refused tensor is still the caller's. */
  m.dl_tensor.data = old.dl_tensor.data = near + 2;
  EXPECT_FAILS(dlf_from_dlpack(&m, &t, &error),
               DLF_DEVICE,
               "from_dlpack: expected data of the default context, got data of another");
  EXPECT(t == NULL);
  EXPECT_FAILS(dlf_from_dlpack_legacy(&old, &t, &error),
               DLF_DEVICE,
               "from_dlpack: expected data of the default context, got data of another");
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_DEVICE);
  m.dl_tensor.ndim = 0; /* not the usual tensor: checked closely */
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_DEVICE);
  EXPECT_INT(deleted, 2);
  /* So is a malformed one, of which the backend learns nothing. */
  j->imports = 0;
  m.dl_tensor.ndim = -1;
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_INVALID);
  EXPECT_INT(j->imports, 0);
  /* What a table lends is an import too. */
  dlf_tensor *mine = NULL;
  const DLTensor made = on(110, near), far = on(110, near + 2);
  EXPECT_INT(dlf_wrap(&made, 0, NULL, NULL, &mine, NULL), DLF_OK);
  EXPECT_INT(dlf_exchange_borrow(dlf_exchange_api(), mine, &lent, NULL), DLF_OK);
  EXPECT_INT(lent.device.device_id, 4);
  dlf_release(mine);
  EXPECT_INT(dlf_wrap(&far, 0, NULL, NULL, &mine, NULL), DLF_OK); /* wrapping is no import */
  EXPECT_INT(dlf_exchange_borrow(dlf_exchange_api(), mine, &lent, NULL), DLF_FOREIGN);
  dlf_release(mine);
}

static void test_veto__decides_on_exports_and_names_the_device(void) {
  judge *j = judge_of(111);
  const DLTensor made = on(111, near), far = on(111, near + 2);
  dlf_tensor *t = NULL, *again = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  DLDevice device;
  EXPECT_INT(dlf_wrap(&made, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_INT(j->imports + j->exports, 0);
  EXPECT_INT(dlf_export_device(t, &device, NULL), DLF_OK);
  EXPECT(device.device_type == (DLDeviceType)111 && device.device_id == 4);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT_INT(m->dl_tensor.device.device_id, 4);
  EXPECT_INT(dlf_dltensor(t)->device.device_id, 0); /* the handle's stays */
  EXPECT_INT(dlf_from_dlpack(m, &again, NULL), DLF_OK);
  EXPECT(again != t && dlf_data(dlf_dltensor(again)) == near);
  EXPECT_INT(dlf_dltensor(again)->device.device_id, 4);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_OK);
  EXPECT_INT(old->dl_tensor.device.device_id, 4);
  dlf_dlpack_release_legacy(old);
  /* A consumer that asks for the named device gets the data without a copy. */
  dlf_export_options options = DLF_EXPORT_OPTIONS_INIT;
  options.device = (DLDevice){(DLDeviceType)111, 4};
  EXPECT_INT(dlf_export(t, &options, &m, &old, NULL), DLF_OK);
  EXPECT_INT(m->dl_tensor.device.device_id, 4);
  dlf_dlpack_release(m);
  options.device.device_id = 0;
  EXPECT_FAILS(dlf_export(t, &options, &m, &old, &error),
               DLF_DEVICE,
               "to_dlpack: expected device device(111):0, got device(111):4");
  dlf_release(t);
  dlf_release(again);
  /* Refused: nothing is exported, on any way. */
  EXPECT_INT(dlf_wrap(&far, 0, NULL, NULL, &t, NULL), DLF_OK);
  EXPECT_FAILS(dlf_to_dlpack(t, &m, &error),
               DLF_DEVICE,
               "to_dlpack: expected data of the default context, got data of another");
  EXPECT(m == NULL);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_DEVICE);
  EXPECT_INT(dlf_export(t, NULL, &m, &old, NULL), DLF_DEVICE);
  EXPECT_FAILS(dlf_export_device(t, &device, &error),
               DLF_DEVICE,
               "export_device: expected data of the default context, got data of another");
  EXPECT_INT(device.device_type, 0);
  EXPECT_INT(dlf_exchange_api()->managed_tensor_from_py_object_no_sync(t, &m), -1);
  dlf_release(t);
}

/* A conversion between the structures is an import and an export. */
static void test_veto__decides_on_conversions(void) {
  judge *j = judge_of(112);
  DLManagedTensorVersioned m = {{1, 3}, NULL, count_deleted, 0, on(112, near + 2)}, *out = NULL;
  DLManagedTensor old = {on(112, near + 2), NULL, count_deleted_legacy}, *legacy = NULL;
  deleted = 0;
  EXPECT_INT(dlf_legacy_from_versioned(&m, &legacy, NULL), DLF_DEVICE);
  EXPECT_FAILS(dlf_versioned_from_legacy(&old, 0, &out, &error),
               DLF_DEVICE,
               "versioned_from_legacy: expected data of the default context, got data of another");
  EXPECT_INT(deleted, 0);
  m.dl_tensor.data = old.dl_tensor.data = near;
  EXPECT_INT(dlf_legacy_from_versioned(&m, &legacy, NULL), DLF_OK);
  EXPECT_INT(dlf_versioned_from_legacy(&old, 0, &out, NULL), DLF_OK);
  EXPECT_INT(out->dl_tensor.device.device_id, 4);
  EXPECT_INT(legacy->dl_tensor.device.device_id, 4);
  EXPECT_INT(j->exports, 2);
  dlf_dlpack_release(out);
  dlf_dlpack_release_legacy(legacy);
  EXPECT_INT(deleted, 2);
}

/* A backend's answers are checked. */
static void test_veto__must_answer_sense(void) {
  judge *j = judge_of(113);
  DLManagedTensorVersioned m = {{1, 3}, NULL, NULL, 0, on(113, near)};
  dlf_tensor *t = NULL;
  j->id = -1;
  EXPECT_FAILS(
      dlf_from_dlpack(&m, &t, &error),
      DLF_FOREIGN,
      "from_dlpack: expected a device id of 0 or more from the backend of device(113):0, got -1");
  j->text = NULL;
  m.dl_tensor.data = near + 2;
  EXPECT_FAILS(dlf_from_dlpack(&m, &t, &error),
               DLF_DEVICE,
               "from_dlpack: expected data that the backend of device(113):0 accepts, got other");
}

int main(void) {
  RUN(test_veto__decides_on_imports_and_names_the_device);
  RUN(test_veto__decides_on_exports_and_names_the_device);
  RUN(test_veto__decides_on_conversions);
  RUN(test_veto__must_answer_sense);
  return test_end();
}
