/* SPDX-License-Identifier: Apache-2.0 */
#include "producer.h"
#include "test.h"

#include <pthread.h>

static void test_exchange__import_of_each_minor_keeps_everything(void) {
  for (uint32_t minor = 0; minor < 9; minor++) {
    DLTensor plain = tensor_of(f32, 2, LIST(2, 3), minor < 2 ? NULL : LIST(1, 2));
    plain.byte_offset = 8;
    dlf_tensor *t = NULL;
    EXPECT_INT(dlf_from_dlpack(versioned(1, minor, DLPACK_FLAG_BITMASK_READ_ONLY, plain), &t, NULL),
               DLF_OK);
    const DLTensor *dl = dlf_dltensor(t);
    EXPECT(dl->data == plain.data && dl->byte_offset == 8 && dl->ndim == 2 &&
           dl->shape != plain.shape);
    EXPECT(dl->shape[0] == 2 && dl->shape[1] == 3);
    EXPECT_INT(dl->strides[0], minor < 2 ? 3 : 1);
    EXPECT_INT(dl->strides[1], minor < 2 ? 1 : 2);
    EXPECT_INT(dlf_flags(t), DLPACK_FLAG_BITMASK_READ_ONLY);
    EXPECT_INT(deleted, 0);
    dlf_release(t);
    EXPECT_INT(deleted, 1);
  }
}

static void test_exchange__import_of_another_major_leaves_it_to_the_caller(void) {
  for (uint32_t major = 0; major < 4; major++) {
    char text[80];
    dlf_tensor *t = (dlf_tensor *)&t;
    if (major == 1) {
      continue;
    }
    /* Nothing behind the flags may be read: the structure of that version may end here. */
    volatile size_t head = offsetof(DLManagedTensorVersioned,
                                    flags); /* volatile: or the compiler warns that it ends */
    DLManagedTensorVersioned *m = malloc(head);
    if (!m) {
      abort();
    }
    m->version = (DLPackVersion){major, 0};
    m->deleter = delete_versioned;
    deleted = 0;
    snprintf(text, sizeof text, "from_dlpack: expected DLPack major version 1, got %d", (int)major);
    EXPECT_FAILS(dlf_from_dlpack(m, &t, &error), DLF_VERSION, text);
    EXPECT(t == NULL);
    EXPECT_INT(deleted, 0);
    dlf_dlpack_release(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_exchange__import_wants_a_tensor(void) {
  dlf_tensor *t = (dlf_tensor *)&t;
  EXPECT_FAILS(dlf_from_dlpack(NULL, &t, &error),
               DLF_INVALID,
               "from_dlpack: expected a managed tensor, got NULL");
  EXPECT_FAILS(dlf_from_dlpack_legacy(NULL, &t, &error),
               DLF_INVALID,
               "from_dlpack: expected a managed tensor, got NULL");
  EXPECT(t == NULL);
}

static void test_exchange__import_of_a_legacy_tensor(void) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_from_dlpack_legacy(legacy(tensor_of(f32, 1, LIST(4), NULL)), &t, NULL), DLF_OK);
  EXPECT_INT(dlf_flags(t), 0);
  EXPECT_INT(dlf_dltensor(t)->strides[0], 1);
  dlf_release(t);
  EXPECT_INT(deleted, 1);
}

static void test_exchange__a_null_deleter_is_nothing_to_call(void) {
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned m = {{1, 3}, NULL, NULL, 0, tensor_of(f32, 0, NULL, NULL)};
  DLManagedTensor old = {tensor_of(f32, 0, NULL, NULL), NULL, NULL};
  EXPECT_INT(dlf_from_dlpack(&m, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(dlf_from_dlpack_legacy(&old, &t, NULL), DLF_OK);
  dlf_release(t);
  dlf_dlpack_release(&m);
  dlf_dlpack_release(NULL);
  dlf_dlpack_release_legacy(&old);
  dlf_dlpack_release_legacy(NULL);
}

static void test_exchange__unknown_codes_and_flags_pass_through(void) {
  DLTensor odd = tensor_of((DLDataType){77, 24, 3}, 1, LIST(2), LIST(1));
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  odd.device = (DLDevice){(DLDeviceType)99, 5};
  EXPECT_INT(dlf_from_dlpack(versioned(1, 9, UINT64_C(1) << 40, odd), &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT_INT(m->flags, UINT64_C(1) << 40);
  EXPECT(m->dl_tensor.dtype.code == 77 && (int)m->dl_tensor.device.device_type == 99);
  dlf_release(t);
  dlf_dlpack_release(m);
  EXPECT_INT(deleted, 1);
}

/* Bit 63 says "flags unknown" of a plain DLTensor. A managed tensor always has flags, so a
 * producer's bit 63 is cleared. */
static void test_exchange__flags_unknown_is_no_flag_of_a_managed_tensor(void) {
  const uint64_t flags = DLF_FLAGS_UNKNOWN | DLPACK_FLAG_BITMASK_READ_ONLY;
  dlf_tensor *t = NULL, *back = NULL;
  DLManagedTensorVersioned *m = NULL;
  for (int closely = 0; closely < 2; closely++) {
    DLTensor plain = tensor_of(f32, 1, closely ? LIST(0) : LIST(2), LIST(1));
    EXPECT_INT(dlf_from_dlpack(versioned(1, 3, flags, plain), &t, NULL), DLF_OK);
    EXPECT_INT(dlf_flags(t), DLPACK_FLAG_BITMASK_READ_ONLY);
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    EXPECT_INT(m->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
    m->flags |= DLF_FLAGS_UNKNOWN;
    EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
    EXPECT_INT(dlf_flags(back), DLPACK_FLAG_BITMASK_READ_ONLY);
    dlf_release(back);
    dlf_release(t);
  }
}

static void test_exchange__an_export_may_take_the_handle(void) {
  dlf_tensor *t = NULL, *back = NULL;
  DLManagedTensorVersioned *m = NULL;
  dlf_error error = {0};
  EXPECT_INT(dlf_create(f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  dlf_tensor *const handle = t;
  EXPECT_INT(dlf_into_dlpack(t, &m, &error), DLF_OK);
  EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
  EXPECT(back == handle && dlf_is_unique(back));
  EXPECT_INT(dlf_into_dlpack(back, &m, NULL), DLF_OK);
  dlf_dlpack_release(m);
  EXPECT_INT(dlf_into_dlpack(NULL, &m, &error), DLF_INVALID);
  EXPECT_TEXT(error.message, "to_dlpack: expected a tensor, got NULL");
  EXPECT(m == NULL);
  EXPECT_INT(dlf_into_dlpack(NULL, NULL, NULL), DLF_INVALID);
}

static void test_exchange__export_outlives_the_handle(void) {
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_create(f32, 2, LIST(2, 3), cpu, &t, NULL), DLF_OK);
  const void *data = dlf_dltensor(t)->data;
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.shape != dlf_dltensor(t)->shape);
  dlf_release(t);
  EXPECT_INT(live(), 1);
  EXPECT_INT(m->version.major, 1);
  EXPECT_INT(m->version.minor, 3);
  EXPECT_INT(m->flags, 0);
  EXPECT(m->dl_tensor.data == data && m->dl_tensor.shape[1] == 3 && m->dl_tensor.strides[0] == 3);
  EXPECT_INT(dlf_check(&m->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  dlf_dlpack_release(m);
}

/* Change one of 16 things about an export. */
static void change_export(DLManagedTensorVersioned *m, int change) {
  static int64_t shape[] = {2, 3}, strides[] = {3, 1};
  DLTensor *dl = &m->dl_tensor;
  switch (change) {
  case 0:
    dl->shape[1] = 2;
    break;
  case 1:
    dl->strides[1] = 0;
    break;
  case 2:
    dl->ndim = 1;
    break;
  case 3:
    dl->data = (char *)dl->data + 4;
    break; /* described wrongly, but never read */
  case 4:
    dl->byte_offset = 12;
    break;
  case 5:
    dl->dtype.code = kDLInt;
    break;
  case 6:
    dl->device.device_type = kDLCUDAHost;
    break;
  case 7:
    m->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
    break;
  case 8:
    dl->shape = shape;
    break;
  case 9:
    dl->strides = strides;
    break;
  case 10:
    dl->device = (DLDevice){kDLCUDA, 0};
    break;
  case 11:
    dl->device = (DLDevice){kDLOpenCL, 1};
    break;
  case 12:
    dl->dtype.bits = 16;
    break;
  case 13:
    dl->dtype.lanes = 2;
    break;
  case 14:
    m->flags |= UINT64_C(1) << 40;
    break;
  default:
    m->version.minor = 0;
    break;
  }
}

static void test_exchange__what_comes_back_as_it_left_is_the_same_handle(void) {
  dlf_tensor *t = NULL, *back = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_create(f32, 2, LIST(2, 3), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
  EXPECT(back == t);
  dlf_release(t);
  EXPECT_INT(live(), 1);
  EXPECT_INT(dlf_dltensor(back)->shape[1], 3);
  t = back;

  /* A consumer may modify what it owns; the import takes the modified tensor, and the original
   * stays. */
  for (int change = 0; change < 16; change++) {
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    change_export(m, change);
    const DLTensor left = m->dl_tensor;
    const uint64_t flags = m->flags;
    EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
    EXPECT(back != t);
    EXPECT_INT(dlf_dltensor(back)->dtype.code, left.dtype.code);
    EXPECT_INT(dlf_dltensor(back)->dtype.bits, left.dtype.bits);
    EXPECT_INT(dlf_dltensor(back)->dtype.lanes, left.dtype.lanes);
    EXPECT_INT(dlf_dltensor(back)->device.device_type, left.device.device_type);
    EXPECT_INT(dlf_dltensor(back)->device.device_id, left.device.device_id);
    EXPECT(dlf_dltensor(back)->data == left.data &&
           dlf_dltensor(back)->byte_offset == left.byte_offset);
    EXPECT_INT(dlf_flags(back), flags);
    EXPECT_INT(dlf_dltensor(back)->ndim, change == 2 ? 1 : 2);
    EXPECT(dlf_dltensor(t)->shape[0] == 2 && dlf_dltensor(t)->shape[1] == 3 &&
           dlf_dltensor(t)->strides[1] == 1);
    dlf_release(back);
  }
  /* Only the device's number changes, which does not matter for host memory. */
  static float elements[6];
  dlf_tensor *away = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){elements, (DLDevice){kDLCUDA, 0}, 2, f32, LIST(2, 3), NULL, 0},
                      0,
                      NULL,
                      NULL,
                      &away,
                      NULL),
             DLF_OK);
  EXPECT_INT(dlf_to_dlpack(away, &m, NULL), DLF_OK);
  m->dl_tensor.device.device_id = 1;
  EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
  EXPECT(back != away);
  EXPECT_INT(dlf_dltensor(back)->device.device_id, 1);
  dlf_release(back);
  dlf_release(away);
  /* A changed one that is refused stays with the caller. */
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  m->dl_tensor.shape[0] = -1;
  EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_INVALID);
  dlf_dlpack_release(m);
  dlf_release(t);
  EXPECT_INT(live(), 0);
}

/* IS_COPIED tells a consumer that it is the only owner. A handle may still be used and exported
 * again: none of its exports and imports carries the flag. */
static void test_exchange__is_copied_is_not_passed_on(void) {
  const uint64_t copied = DLPACK_FLAG_BITMASK_IS_COPIED,
                 both = copied | DLPACK_FLAG_BITMASK_READ_ONLY;
  static float memory[4];
  for (int kind = 0; kind < 4; kind++) {
    dlf_tensor *t = NULL, *view = NULL, *back = NULL;
    DLManagedTensorVersioned *m = NULL, *second = NULL;
    DLManagedTensor *old = NULL;
    uint64_t flags = copied;
    if (kind == 0) { /* imported */
      DLTensor plain = tensor_of(f32, 1, LIST(4), LIST(1));
      EXPECT_INT(dlf_from_dlpack(versioned(1, 3, flags, plain), &t, NULL), DLF_OK);
    } else if (kind == 1) { /* imported from a copy of ours */
      EXPECT_INT(
          dlf_wrap(&(DLTensor){memory, cpu, 1, f32, LIST(4), NULL, 0}, 0, NULL, NULL, &back, NULL),
          DLF_OK);
      EXPECT_INT(dlf_to_dlpack_copy(back, &m, NULL), DLF_OK);
      EXPECT_INT(m->flags, copied);
      EXPECT_INT(dlf_from_dlpack(m, &t, NULL), DLF_OK);
      dlf_release(back);
    } else { /* wrapped */
      if (kind == 3) {
        flags = both;
      }
      EXPECT_INT(
          dlf_wrap(&(DLTensor){memory, cpu, 1, f32, LIST(4), NULL, 0}, flags, NULL, NULL, &t, NULL),
          DLF_OK);
    }
    EXPECT_INT(dlf_flags(t), flags);
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    EXPECT_INT(dlf_to_dlpack(dlf_retain(t), &second, NULL), DLF_OK);
    EXPECT_INT(m->flags, flags & ~copied);
    EXPECT_INT(second->flags, flags & ~copied);
    EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
    EXPECT(back != t &&
           dlf_dltensor(back)->data == dlf_dltensor(t)->data); /* t says that it owns alone */
    EXPECT_INT(dlf_flags(back), flags & ~copied);
    dlf_release(t);
    dlf_release(back);
    EXPECT_INT(dlf_from_dlpack(second, &back, NULL), DLF_OK);
    EXPECT_INT(dlf_flags(back), flags & ~copied);
    dlf_release(back);
    EXPECT_INT(dlf_slice(t, 0, 0, 2, 1, &view, NULL), DLF_OK);
    EXPECT_INT(dlf_flags(view), flags); /* the handle's own business */
    EXPECT_INT(dlf_to_dlpack(view, &m, NULL), DLF_OK);
    EXPECT_INT(m->flags, flags & ~copied);
    dlf_dlpack_release(m);
    EXPECT_INT(dlf_exchange_api()->managed_tensor_from_py_object_no_sync(view, &m), 0);
    EXPECT_INT(m->flags, flags & ~copied);
    dlf_dlpack_release(m);
    if (flags == copied) {
      EXPECT_INT(dlf_to_dlpack_legacy(view, &old, NULL), DLF_OK);
      EXPECT_INT(dlf_from_dlpack_legacy(old, &back, NULL), DLF_OK);
      EXPECT_INT(dlf_flags(back), 0);
      dlf_release(back);
    }
    EXPECT_INT(dlf_to_dlpack_copy(view, &m, NULL), DLF_OK); /* a new one, which has one owner */
    EXPECT_INT(m->flags, copied);
    dlf_dlpack_release(m);
    dlf_release(view);
    dlf_release(t);
    EXPECT_INT(live(), 0);
  }
}

/* DLPack: of plain, pinned and managed memory the device id "is set to 0". Producers that number
 * their processors exist, so it is set, not refused. */
static void test_exchange__host_memory_has_device_id_0(void) {
  static const DLDeviceType types[] = {
      kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged, kDLCUDA, kDLOpenCL};
  static float memory[4];
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const int32_t wanted = i < 4 ? 0 : 3;
    DLTensor plain = tensor_of(f32, 1, LIST(4), LIST(1));
    dlf_tensor *t[3] = {NULL, NULL, NULL};
    plain.device = (DLDevice){types[i], 3};
    EXPECT_INT(dlf_wrap(&(DLTensor){memory, plain.device, 1, f32, LIST(4), NULL, 0},
                        0,
                        NULL,
                        NULL,
                        &t[0],
                        NULL),
               DLF_OK);
    EXPECT_INT(dlf_from_dlpack(versioned(1, 3, 0, plain), &t[1], NULL), DLF_OK);
    EXPECT_INT(dlf_from_dlpack_legacy(legacy(plain), &t[2], NULL), DLF_OK);
    for (int j = 0; j < 3; j++) {
      DLManagedTensorVersioned *m = NULL;
      DLManagedTensor *old = NULL;
      dlf_tensor *back = NULL;
      EXPECT_INT(dlf_dltensor(t[j])->device.device_type, types[i]);
      EXPECT_INT(dlf_dltensor(t[j])->device.device_id, wanted);
      EXPECT_INT(dlf_to_dlpack_legacy(t[j], &old, NULL), DLF_OK);
      EXPECT_INT(old->dl_tensor.device.device_id, wanted);
      dlf_dlpack_release_legacy(old);
      EXPECT_INT(dlf_to_dlpack(t[j], &m, NULL), DLF_OK);
      EXPECT_INT(m->dl_tensor.device.device_id, wanted);
      EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
      EXPECT(j == 2 || back == t[j]); /* an import from 0.8 returns changed: stamped 1.3 */
      dlf_release(back);
      dlf_release(t[j]);
    }
  }
  EXPECT_INT(live(), 0);
}

static void test_exchange__export_keeps_the_letter_for_empty_and_scalar(void) {
  static float memory;
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(
      dlf_wrap(&(DLTensor){&memory, cpu, 2, f32, LIST(0, 3), NULL, 0}, 0, NULL, NULL, &t, NULL),
      DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.data == NULL && m->dl_tensor.strides != NULL);
  dlf_dlpack_release(m);
  dlf_release(t);
  DLTensor behind = tensor_of(f32, 2, LIST(0, 3), LIST(3, 1));
  DLManagedTensor *old = NULL;
  DLTensor lent;
  behind.byte_offset = 8;
  EXPECT_INT(dlf_from_dlpack(versioned(1, 3, 0, behind), &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.data == NULL && m->dl_tensor.byte_offset == 0);
  EXPECT_INT(dlf_check(&m->dl_tensor, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  dlf_dlpack_release(m);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &old, NULL), DLF_OK);
  EXPECT(old->dl_tensor.data == NULL && old->dl_tensor.byte_offset == 0);
  dlf_dlpack_release_legacy(old);
  EXPECT_INT(dlf_exchange_api()->dltensor_from_py_object_no_sync(t, &lent), 0);
  EXPECT(lent.data == NULL && lent.byte_offset == 0 && lent.shape[0] == 0 && lent.shape[1] == 3);
  EXPECT_INT(dlf_check(&lent, 0, DLF_CHECK_STRICT, NULL), DLF_OK);
  dlf_release(t);
  EXPECT_INT(dlf_wrap(&(DLTensor){&memory, cpu, 0, f32, NULL, NULL, 0}, 0, NULL, NULL, &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.data == &memory && m->dl_tensor.shape == NULL &&
         m->dl_tensor.strides == NULL);
  dlf_dlpack_release(m);
  dlf_release(t);
}

static void test_exchange__legacy_export_carries_no_flags(void) {
  static unsigned char memory[8];
  dlf_tensor *t = NULL;
  DLManagedTensor *m = NULL;
  EXPECT_INT(dlf_wrap(&(DLTensor){memory, cpu, 1, f32, LIST(2), NULL, 0}, 0, NULL, NULL, &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_to_dlpack_legacy(t, &m, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(m->dl_tensor.data == memory && m->dl_tensor.strides[0] == 1);
  dlf_dlpack_release_legacy(m);
  EXPECT_INT(dlf_wrap(&(DLTensor){memory, cpu, 1, f32, LIST(2), NULL, 0},
                      DLPACK_FLAG_BITMASK_READ_ONLY,
                      NULL,
                      NULL,
                      &t,
                      NULL),
             DLF_OK);
  EXPECT_FAILS(
      dlf_to_dlpack_legacy(t, &m, &error),
      DLF_READ_ONLY,
      "to_dlpack: expected writable data for a consumer of DLPack before 1.0, got read-only");
  EXPECT(m == NULL);
  dlf_release(t);
  EXPECT_INT(
      dlf_wrap(&(DLTensor){memory, cpu, 1, (DLDataType){kDLFloat4_e2m1fn, 4, 1}, LIST(2), NULL, 0},
               DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED,
               NULL,
               NULL,
               &t,
               NULL),
      DLF_OK);
  EXPECT_FAILS(
      dlf_to_dlpack_legacy(t, &m, &error),
      DLF_UNSUPPORTED,
      "to_dlpack: expected packed elements for a consumer of DLPack before 1.0, got padded");
  dlf_release(t);
  EXPECT_FAILS(dlf_to_dlpack_legacy(NULL, &m, &error),
               DLF_INVALID,
               "to_dlpack: expected a tensor, got NULL");
}

static void test_exchange__export_of_null_fails(void) {
  DLManagedTensorVersioned *m;
  EXPECT_FAILS(
      dlf_to_dlpack(NULL, &m, &error), DLF_INVALID, "to_dlpack: expected a tensor, got NULL");
}

static void *delete_elsewhere(void *m) {
  dlf_dlpack_release(m);
  return NULL;
}

static void test_exchange__a_foreign_thread_may_let_go_last(void) {
  pthread_t thread;
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_from_dlpack(versioned(1, 3, 0, tensor_of(f32, 1, LIST(2), NULL)), &t, NULL),
             DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  dlf_release(t);
  pthread_create(&thread, NULL, delete_elsewhere, m);
  pthread_join(thread, NULL);
  EXPECT_INT(deleted, 1);
}

/* An export is not the same as its handle if the handle's flags, version, data or shape cannot be
 * exported as they are.
 */
static void test_exchange__what_leaves_otherwise_comes_back_as_another_handle(void) {
  static const struct {
    uint32_t minor;
    uint64_t flags;
    int32_t ndim;
    int64_t extent;
    bool same;
  } rows[] = {{DLF_DLPACK_MINOR, 0, 1, 4, true},
              {DLF_DLPACK_MINOR, DLPACK_FLAG_BITMASK_READ_ONLY, 1, 4, true},
              {DLF_DLPACK_MINOR, DLPACK_FLAG_BITMASK_IS_COPIED, 1, 4, false},
              {0, 0, 1, 4, false},
              {DLF_DLPACK_MINOR, 0, 0, 0, false},
              {DLF_DLPACK_MINOR, 0, 1, 0, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    dlf_tensor *t = NULL, *back = NULL;
    DLManagedTensorVersioned *m = NULL;
    const DLTensor plain = tensor_of(f32, rows[i].ndim, LIST(rows[i].extent), NULL);
    EXPECT_INT(dlf_from_dlpack(versioned(1, rows[i].minor, rows[i].flags, plain), &t, NULL),
               DLF_OK);
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    EXPECT_INT(dlf_from_dlpack(m, &back, NULL), DLF_OK);
    EXPECT((back == t) == rows[i].same);
    EXPECT(!dlf_is_unique(t));
    dlf_release(back);
    EXPECT(dlf_is_unique(t));
    dlf_release(t);
    EXPECT_INT(deleted, 1);
  }
  EXPECT_INT(live(), 0);
}

static void delete_both(DLManagedTensorVersioned *m, DLManagedTensor *old) {
  dlf_dlpack_release(m);
  dlf_dlpack_release_legacy(old);
}

static void test_exchange__versioned_from_legacy_passes_the_owner_on(void) {
  const uint64_t flags = DLPACK_FLAG_BITMASK_READ_ONLY | DLPACK_FLAG_BITMASK_IS_COPIED;
  DLTensor plain = tensor_of(f32, 2, LIST(2, 3), NULL);
  DLManagedTensorVersioned *m = NULL;
  dlf_tensor *t = NULL;
  plain.byte_offset = 4;
  EXPECT_INT(dlf_versioned_from_legacy(legacy(plain), flags, &m, NULL), DLF_OK);
  EXPECT(m->dl_tensor.data == plain.data && m->dl_tensor.byte_offset == 4 &&
         m->dl_tensor.strides[0] == 3);
  EXPECT(m->version.major == 1 && m->version.minor == DLF_DLPACK_MINOR && m->flags == flags &&
         deleted == 0);
  EXPECT_INT(dlf_from_dlpack(m, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_flags(t), flags);
  EXPECT(dlf_is_unique(t));
  dlf_release(t);
  EXPECT_INT(deleted, 1);
  EXPECT_INT(live(), 0);
}

static void test_exchange__legacy_from_versioned_passes_the_owner_on(void) {
  const DLTensor plain = tensor_of(f32, 2, LIST(2, 3), LIST(1, 2));
  DLManagedTensor *old = NULL;
  EXPECT_INT(
      dlf_legacy_from_versioned(versioned(1, 7, DLPACK_FLAG_BITMASK_IS_COPIED, plain), &old, NULL),
      DLF_OK);
  EXPECT(old->dl_tensor.data == plain.data && old->dl_tensor.strides[1] == 2 && deleted == 0);
  dlf_dlpack_release_legacy(old);
  EXPECT_INT(deleted, 1);
  EXPECT_INT(live(), 0);
}

/* On failure the caller still owns its argument: its deleter has not run. */
static void test_exchange__conversion_that_fails_takes_nothing(void) {
  const DLTensor plain = tensor_of(f32, 1, LIST(4), LIST(1)),
                 broken = tensor_of(f32, -1, NULL, NULL);
  static const struct {
    uint32_t major;
    uint64_t flags;
    dlf_status status;
  } rows[] = {{1, DLPACK_FLAG_BITMASK_READ_ONLY, DLF_READ_ONLY},
              {1, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, DLF_UNSUPPORTED},
              {1, 8, DLF_UNSUPPORTED},
              {2, 0, DLF_VERSION}};
  DLManagedTensorVersioned *m = NULL;
  DLManagedTensor *old = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    DLManagedTensorVersioned *const owned = versioned(rows[i].major, 0, rows[i].flags, plain);
    EXPECT_INT(dlf_legacy_from_versioned(owned, &old, NULL), rows[i].status);
    EXPECT(old == NULL && deleted == 0 && live() == 0);
    dlf_dlpack_release(owned);
  }
  DLManagedTensor *const owned = legacy(broken);
  EXPECT_FAILS(dlf_versioned_from_legacy(owned, 0, &m, &error),
               DLF_INVALID,
               "versioned_from_legacy: expected ndim between 0 and 64, got -1");
  owned->dl_tensor = plain;
  EXPECT_FAILS(dlf_versioned_from_legacy(owned, DLF_FLAGS_UNKNOWN, &m, &error),
               DLF_INVALID,
               "versioned_from_legacy: expected flags of a managed tensor, got flags unknown");
  owned->dl_tensor =
      tensor_of((DLDataType){kDLInt, 4, 3}, 1, LIST(INT64_C(1) << 62), NULL); /* fits if packed */
  EXPECT_FAILS(
      dlf_versioned_from_legacy(owned, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, &m, &error),
      DLF_OVERFLOW,
      "versioned_from_legacy: expected a size below 2^63 bytes, got a larger one");
  EXPECT(m == NULL && deleted == 0 && live() == 0);
  dlf_dlpack_release_legacy(owned);
}

/* Exports of ours have a handle behind them, which stays usable beside the conversion and after it.
 */
static void test_exchange__conversion_of_our_own_exports(void) {
  dlf_tensor *t = NULL;
  DLManagedTensorVersioned *m = NULL, *again = NULL;
  DLManagedTensor *old = NULL;
  EXPECT_INT(dlf_create(f32, 1, LIST(4), cpu, &t, NULL), DLF_OK);
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  dlf_status status = dlf_legacy_from_versioned(m, &old, NULL);
  if (status) {
    dlf_dlpack_release(m);
  }
  EXPECT_INT(status, DLF_OK);
  EXPECT(old->dl_tensor.data == dlf_dltensor(t)->data);
  status = dlf_versioned_from_legacy(old, 0, &again, NULL);
  if (status) {
    dlf_dlpack_release_legacy(old);
  }
  EXPECT_INT(status, DLF_OK);
  EXPECT(!dlf_is_unique(t));
  dlf_dlpack_release(again);
  EXPECT(dlf_is_unique(t));
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  m->flags |= DLPACK_FLAG_BITMASK_READ_ONLY;
  EXPECT_INT(dlf_legacy_from_versioned(m, &old, NULL), DLF_READ_ONLY);
  EXPECT(!dlf_is_unique(t));
  delete_both(m, old);
  EXPECT(dlf_is_unique(t));
  dlf_release(t);
  EXPECT_INT(live(), 0);
}

int main(void) {
  RUN(test_exchange__import_of_each_minor_keeps_everything);
  RUN(test_exchange__import_of_another_major_leaves_it_to_the_caller);
  RUN(test_exchange__import_wants_a_tensor);
  RUN(test_exchange__import_of_a_legacy_tensor);
  RUN(test_exchange__a_null_deleter_is_nothing_to_call);
  RUN(test_exchange__unknown_codes_and_flags_pass_through);
  RUN(test_exchange__flags_unknown_is_no_flag_of_a_managed_tensor);
  RUN(test_exchange__an_export_may_take_the_handle);
  RUN(test_exchange__export_outlives_the_handle);
  RUN(test_exchange__what_comes_back_as_it_left_is_the_same_handle);
  RUN(test_exchange__what_leaves_otherwise_comes_back_as_another_handle);
  RUN(test_exchange__is_copied_is_not_passed_on);
  RUN(test_exchange__host_memory_has_device_id_0);
  RUN(test_exchange__export_keeps_the_letter_for_empty_and_scalar);
  RUN(test_exchange__legacy_export_carries_no_flags);
  RUN(test_exchange__export_of_null_fails);
  RUN(test_exchange__a_foreign_thread_may_let_go_last);
  RUN(test_exchange__versioned_from_legacy_passes_the_owner_on);
  RUN(test_exchange__legacy_from_versioned_passes_the_owner_on);
  RUN(test_exchange__conversion_that_fails_takes_nothing);
  RUN(test_exchange__conversion_of_our_own_exports);
  return test_end();
}
