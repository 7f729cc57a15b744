/* SPDX-License-Identifier: Apache-2.0 */
#include "test.h"

static const DLPackExchangeAPI *api;

typedef struct report {
  int calls;
  char kind[32], message[128];
} report;

static void set_error(void *context, const char *kind, const char *message) {
  report *r = context;
  r->calls++;
  snprintf(r->kind, sizeof r->kind, "%s", kind);
  snprintf(r->message, sizeof r->message, "%s", message);
}

static void test_exchange_api__table_is_complete_and_stays(void) {
  EXPECT(api == dlf_exchange_api());
  EXPECT_INT(api->header.version.major, 1);
  EXPECT_INT(api->header.version.minor, 3);
  EXPECT(api->header.prev_api == NULL);
  EXPECT(api->managed_tensor_allocator && api->managed_tensor_from_py_object_no_sync &&
         api->managed_tensor_to_py_object_no_sync && api->dltensor_from_py_object_no_sync &&
         api->current_work_stream);
}

static void test_exchange_api__allocator_follows_the_prototype(void) {
  report r = {0};
  DLTensor prototype = {NULL, cpu, 2, f32, LIST(2, 3), NULL, 0};
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), 0);
  EXPECT_INT(r.calls, 0);
  EXPECT(m->dl_tensor.shape[0] == 2 && m->dl_tensor.shape[1] == 3 && m->dl_tensor.data != NULL);
  dlf_dlpack_release(m);
}

static void test_exchange_api__allocator_reports_each_failure_once(void) {
  report r = {0};
  DLTensor prototype = {NULL, cpu, 1, f32, LIST(-2), NULL, 0};
  DLManagedTensorVersioned *m = (DLManagedTensorVersioned *)&m;
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), -1);
  EXPECT(m == NULL);
  EXPECT_INT(r.calls, 1);
  EXPECT_TEXT(r.kind, "ValueError");
  EXPECT_TEXT(r.message, "create: expected extents of 0 or more, got -2 on axis 0 (from 0)");
  prototype.shape = LIST(INT64_MAX);
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), -1);
  EXPECT_TEXT(r.kind, "OverflowError");
  prototype.shape = LIST(INT64_MAX / 8);
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), -1);
  EXPECT_TEXT(r.kind, "MemoryError");
  prototype.dtype.bits = 0;
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), -1);
  EXPECT_TEXT(r.kind, "TypeError");
  prototype.device.device_type = kDLCUDA;
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, &r, set_error), -1);
  EXPECT_TEXT(r.kind, "NotImplementedError");
  EXPECT_INT(api->managed_tensor_allocator(NULL, &m, &r, set_error), -1);
  EXPECT_INT(api->managed_tensor_allocator(&prototype, NULL, &r, set_error), -1);
  EXPECT_INT(r.calls, 7);
  EXPECT_INT(api->managed_tensor_allocator(&prototype, &m, NULL, NULL), -1); /* without SetError */
}

static void test_exchange_api__objects_travel_both_ways(void) {
  dlf_tensor *t = NULL;
  void *back = NULL;
  DLManagedTensorVersioned *m = NULL;
  DLTensor plain;
  void *stream = &stream;
  EXPECT_INT(dlf_create(f32, 1, LIST(4), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(api->dltensor_from_py_object_no_sync(t, &plain), 0);
  EXPECT(plain.data == dlf_dltensor(t)->data && plain.shape[0] == 4);
  EXPECT_INT(api->managed_tensor_from_py_object_no_sync(t, &m), 0);
  EXPECT_INT(api->managed_tensor_to_py_object_no_sync(m, &back), 0);
  EXPECT(dlf_dltensor(back)->data == plain.data);
  EXPECT_INT(api->current_work_stream(kDLCPU, 0, &stream), 0);
  EXPECT(stream == NULL);
  dlf_release(t);
  dlf_release(back);
}

static void test_exchange_api__failures_leave_nothing_behind(void) {
  dlf_tensor *t = NULL;
  void *object = &t, *stream = &t;
  DLTensor plain;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_create(f32, 1, LIST(4), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  m->dl_tensor.ndim = -1;
  EXPECT_INT(api->managed_tensor_to_py_object_no_sync(m, &object),
             -1); /* stolen: its deleter has run */
  EXPECT(object == NULL);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT_INT(api->managed_tensor_to_py_object_no_sync(m, NULL), -1);
  EXPECT_INT(api->managed_tensor_from_py_object_no_sync(t, NULL), -1);
  EXPECT_INT(api->dltensor_from_py_object_no_sync(t, NULL), -1);
  dlf_release(t);
  EXPECT_INT(live(), 0);
  EXPECT_INT(api->managed_tensor_to_py_object_no_sync(NULL, &object), -1);
  EXPECT_INT(api->managed_tensor_from_py_object_no_sync(NULL, &m), -1);
  EXPECT_INT(api->dltensor_from_py_object_no_sync(NULL, &plain), -1);
  EXPECT_INT(api->current_work_stream(kDLCUDA, 0, &stream), -1);
  EXPECT_INT(api->current_work_stream(kDLCPU, 0, NULL), -1);
}

int main(void) {
  api = dlf_exchange_api();
  RUN(test_exchange_api__table_is_complete_and_stays);
  RUN(test_exchange_api__allocator_follows_the_prototype);
  RUN(test_exchange_api__allocator_reports_each_failure_once);
  RUN(test_exchange_api__objects_travel_both_ways);
  RUN(test_exchange_api__failures_leave_nothing_behind);
  return test_end();
}
