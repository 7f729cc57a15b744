/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion between versions: one test for each cell of the two tables in core/README.md. */
#include "producer.h"
#include "test.h"

#include <stdlib.h>

#define LEGACY UINT32_MAX /* as a minor: the structure of DLPack 0.8 */
#define READ_ONLY DLPACK_FLAG_BITMASK_READ_ONLY
#define COPIED DLPACK_FLAG_BITMASK_IS_COPIED
#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
#define LATER (UINT64_C(1) << 40) /* an unknown flag */

/* Every distinguishable minor: 1.0, 1.1, 1.2, 1.3 and an unknown one. */
static const uint32_t minors[] = {0, 1, 2, 3, 9};
enum { MINORS = sizeof minors / sizeof *minors };

static float memory[16];
static const DLDataType u4 = {kDLUInt, 4, 1};

/* float32[2, 3], column-major, 8 bytes behind data. */
static DLTensor columns(void) {
  DLTensor t = {memory, cpu, 2, f32, NULL, NULL, 8};
  static int64_t shape[2] = {2, 3}, strides[2] = {1, 2};
  t.shape = shape;
  t.strides = strides;
  for (int i = 0; i < 16; i++) {
    memory[i] = (float)i;
  }
  return t;
}

/* Import a tensor of a producer of this version. */
static dlf_tensor *import_from(uint32_t minor, uint64_t flags, DLTensor tensor) {
  dlf_tensor *t = NULL;
  if (minor == LEGACY) {
    EXPECT_INT(dlf_from_dlpack_legacy(legacy(tensor), &t, NULL), DLF_OK);
  } else {
    EXPECT_INT(dlf_from_dlpack(versioned(1, minor, flags, tensor), &t, NULL), DLF_OK);
  }
  return t;
}

/* The minor version that exports tell. */
static uint32_t told_minor(const dlf_tensor *t) {
  const DLPackVersion origin = dlf_dlpack_version(t);
  return origin.major == 1 && origin.minor == 9 ? 9 : 3;
}

static DLManagedTensorVersioned *export_of(dlf_tensor *t) {
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
  EXPECT_INT(m->version.major, 1);
  EXPECT_INT(m->version.minor, told_minor(t)); /* ours, or a later one of the import */
  return m;
}

static DLManagedTensor *legacy_export_of(dlf_tensor *t) {
  DLManagedTensor *m = NULL;
  EXPECT_INT(dlf_to_dlpack_legacy(t, &m, NULL), DLF_OK);
  return m;
}

/* The adapters, like the one in core/README.md: nothing is copied, and only the result keeps the
 * producer's tensor. Owned is released on every failure. */
static dlf_status legacy_to_versioned(DLManagedTensor *owned, DLManagedTensorVersioned **out,
                                      dlf_error *error) {
  dlf_tensor *tensor;
  *out = NULL;
  dlf_status status = dlf_from_dlpack_legacy(owned, &tensor, error);
  if (status) {
    dlf_dlpack_release_legacy(owned);
    return status;
  }
  status = dlf_to_dlpack(tensor, out, error);
  dlf_release(tensor);
  return status;
}

static dlf_status versioned_to_legacy(DLManagedTensorVersioned *owned, DLManagedTensor **out,
                                      dlf_error *error) {
  dlf_tensor *tensor;
  *out = NULL;
  dlf_status status = dlf_from_dlpack(owned, &tensor, error);
  if (status) {
    dlf_dlpack_release(owned);
    return status;
  }
  status = dlf_to_dlpack_legacy(tensor, out, error);
  dlf_release(tensor);
  return status;
}

/* Also when the export finds no memory, as fault injection has it: after a failure the deleter has
 * run, once. */
static void test_versions__adapters_take_owned_also_when_they_fail(void) {
  for (int sound = 0; sound < 2; sound++) {
    DLManagedTensor *old = malloc(sizeof *old), *to_old = NULL;
    DLManagedTensorVersioned *m = malloc(sizeof *m), *to_new = NULL;
    if (!old || !m) {
      abort();
    }
    *old = (DLManagedTensor){columns(), NULL, delete_legacy};
    *m = (DLManagedTensorVersioned){
        {1, 3}, NULL, delete_versioned, sound ? 0 : READ_ONLY, columns()};
    if (!sound) {
      old->dl_tensor.ndim = -1;
    }
    deleted = 0;
    const dlf_status to_new_status = legacy_to_versioned(old, &to_new, NULL);
    EXPECT_INT(deleted, to_new_status != DLF_OK);
    EXPECT((to_new != NULL) == (to_new_status == DLF_OK));
    dlf_dlpack_release(to_new);
    EXPECT_INT(deleted, 1);
    deleted = 0;
    const dlf_status to_old_status = versioned_to_legacy(m, &to_old, NULL);
    EXPECT_INT(deleted, to_old_status != DLF_OK);
    EXPECT((to_old != NULL) == (to_old_status == DLF_OK));
    dlf_dlpack_release_legacy(to_old);
    EXPECT_INT(deleted, 1);
    EXPECT_INT(live(), 0);
  }
}

static DLManagedTensorVersioned *to_versioned(DLManagedTensor *owned) {
  DLManagedTensorVersioned *m = NULL;
  EXPECT_INT(legacy_to_versioned(owned, &m, NULL), DLF_OK);
  EXPECT_INT(m->version.major, 1);
  EXPECT_INT(m->version.minor, 3);
  return m;
}

static DLManagedTensor *to_legacy(DLManagedTensorVersioned *owned) {
  DLManagedTensor *m = NULL;
  EXPECT_INT(versioned_to_legacy(owned, &m, NULL), DLF_OK);
  return m;
}

static void expect_same(const DLTensor *got, DLTensor wanted) {
  bool same = false;
  EXPECT(got->data == wanted.data && got->byte_offset == wanted.byte_offset &&
         got->ndim == wanted.ndim);
  EXPECT(memcmp(got->shape, wanted.shape, 16) == 0 &&
         memcmp(got->strides, wanted.strides, 16) == 0);
  EXPECT(memcmp(&got->dtype, &wanted.dtype, sizeof wanted.dtype) == 0);
  EXPECT(memcmp(&got->device, &wanted.device, sizeof wanted.device) == 0);
  EXPECT_INT(dlf_identical((dlf_arg){got, 0}, (dlf_arg){&wanted, 0}, &same, NULL), DLF_OK);
  EXPECT(same);
}

/* ---- The first table: producers and consumers ---- */

static void cell_to_legacy(uint32_t minor) {
  const DLTensor given = columns();
  dlf_tensor *t = import_from(minor, 0, given);
  DLManagedTensor *m = legacy_export_of(t);
  dlf_release(t);
  expect_same(&m->dl_tensor, given);
  EXPECT_INT(deleted, 0);
  /* And back, through the adapters, to the same address. */
  m = to_legacy(to_versioned(m));
  expect_same(&m->dl_tensor, given);
  EXPECT_INT(deleted, 0);
  dlf_dlpack_release_legacy(m);
  EXPECT_INT(deleted, 1);
}

static void cell_to_versioned(uint32_t minor) {
  const DLTensor given = columns();
  dlf_tensor *t = import_from(minor, 0, given);
  DLManagedTensorVersioned *m = export_of(t);
  dlf_release(t);
  expect_same(&m->dl_tensor, given);
  EXPECT_INT(m->flags, 0);
  EXPECT_INT(deleted, 0);
  m = to_versioned(to_legacy(m));
  expect_same(&m->dl_tensor, given);
  EXPECT_INT(deleted, 0);
  dlf_dlpack_release(m);
  EXPECT_INT(deleted, 1);
}

static void test_versions__0_8_to_legacy(void) {
  cell_to_legacy(LEGACY);
}
static void test_versions__0_8_to_versioned(void) {
  cell_to_versioned(LEGACY);
}
static void test_versions__1_0_to_legacy(void) {
  cell_to_legacy(0);
}
static void test_versions__1_0_to_versioned(void) {
  cell_to_versioned(0);
}
static void test_versions__1_1_to_legacy(void) {
  cell_to_legacy(1);
}
static void test_versions__1_1_to_versioned(void) {
  cell_to_versioned(1);
}
static void test_versions__1_2_to_legacy(void) {
  cell_to_legacy(2);
}
static void test_versions__1_2_to_versioned(void) {
  cell_to_versioned(2);
}
static void test_versions__1_3_to_legacy(void) {
  cell_to_legacy(3);
}
static void test_versions__1_3_to_versioned(void) {
  cell_to_versioned(3);
}

/* A later minor may bring codes that have no name yet: data, which both structures carry. */
static DLTensor of_codes_to_come(void) {
  DLTensor t = columns();
  t.dtype = (DLDataType){kDLFloat4_e2m1fn + 9, 32, 1};
  t.device = (DLDevice){(DLDeviceType)99, 5};
  return t;
}

static void test_versions__unknown_minor_to_legacy(void) {
  cell_to_legacy(9);
  dlf_tensor *t = import_from(9, 0, of_codes_to_come());
  DLManagedTensor *m = legacy_export_of(t);
  dlf_release(t);
  EXPECT(m->dl_tensor.dtype.code == kDLFloat4_e2m1fn + 9 &&
         (int)m->dl_tensor.device.device_type == 99);
  dlf_dlpack_release_legacy(m);
  EXPECT_INT(deleted, 1);
}

static void test_versions__unknown_minor_to_versioned(void) {
  cell_to_versioned(9);
  dlf_tensor *t = import_from(9, LATER, of_codes_to_come());
  DLManagedTensorVersioned *m = export_of(t);
  dlf_release(t);
  EXPECT(m->dl_tensor.dtype.code == kDLFloat4_e2m1fn + 9 &&
         (int)m->dl_tensor.device.device_type == 99);
  EXPECT_INT(m->flags, LATER);
  dlf_dlpack_release(m);
  EXPECT_INT(deleted, 1);
}

/* Codes of DLPack's main branch pass under 1.3 as well: no version tells them apart. */
static void test_versions__codes_not_released_to_legacy(void) {
  for (int type = 19; type <= 21; type++) {
    DLTensor of_main = columns();
    of_main.dtype = (DLDataType){18, 32, 1};
    of_main.device = (DLDevice){(DLDeviceType)type, 5};
    deleted = 0;
    dlf_tensor *t = import_from(3, 0, of_main);
    DLManagedTensor *m = legacy_export_of(t);
    dlf_release(t);
    EXPECT_INT(m->dl_tensor.dtype.code, 18);
    EXPECT_INT(m->dl_tensor.device.device_type, type);
    EXPECT_INT(m->dl_tensor.device.device_id, 5);
    dlf_dlpack_release_legacy(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_versions__codes_not_released_to_versioned(void) {
  for (int type = 19; type <= 21; type++) {
    DLTensor of_main = columns();
    of_main.dtype = (DLDataType){18, 32, 1};
    of_main.device = (DLDevice){(DLDeviceType)type, 5};
    deleted = 0;
    dlf_tensor *t = import_from(3, 0, of_main);
    DLManagedTensorVersioned *m = export_of(t);
    dlf_release(t);
    EXPECT_INT(m->dl_tensor.dtype.code, 18);
    EXPECT_INT(m->dl_tensor.device.device_type, type);
    EXPECT_INT(m->version.minor, 3);
    dlf_dlpack_release(m);
    EXPECT_INT(deleted, 1);
  }
}

/* An unknown major version is refused at the import, so there is nothing to export: test_exchange.c
 * and tests/cases/malformed.json say so. */

/* ---- The second table: properties of a tensor, and consumers ---- */

/* A view by each function that makes one; each takes its parent's place. */
static dlf_tensor *through_views(dlf_tensor *t, uint64_t flags) {
  for (int step = 0; step < 10; step++) {
    dlf_tensor *view = NULL;
    switch (step) {
    case 0:
      EXPECT_INT(dlf_unsqueeze(t, 0, &view, NULL), DLF_OK);
      break;
    case 1:
      EXPECT_INT(dlf_broadcast(t, LIST(2, 2, 3), 3, &view, NULL), DLF_OK);
      break;
    case 2:
      EXPECT_INT(dlf_select(t, 0, 1, &view, NULL), DLF_OK);
      break;
    case 3:
      EXPECT_INT(dlf_permute(t, (int64_t[]){1, 0}, 2, &view, NULL), DLF_OK);
      break;
    case 4:
      EXPECT_INT(dlf_flip(t, 0, &view, NULL), DLF_OK);
      break;
    case 5:
      EXPECT_INT(dlf_flip(t, 0, &view, NULL), DLF_OK);
      break;
    case 6:
      EXPECT_INT(dlf_slice(t, 0, 0, 3, 1, &view, NULL), DLF_OK);
      break;
    case 7:
      EXPECT_INT(dlf_reshape(t, LIST(3, 2, 1), 3, &view, NULL), DLF_OK);
      break;
    case 8:
      EXPECT_INT(dlf_squeeze(t, 2, &view, NULL), DLF_OK);
      break;
    case 9:
      EXPECT_INT(dlf_bitcast(t, dlf_dltensor(t)->dtype, &view, NULL), DLF_OK);
      break;
    }
    dlf_release(t);
    t = view;
    EXPECT_INT(dlf_flags(t), flags);
  }
  return t;
}

/* Flags of a versioned producer of any minor, but IS_COPIED, arrive at a versioned consumer,
 * through views and a second import. */
static void keeps_flags(DLTensor given, uint64_t flags) {
  for (int i = 0; i < MINORS; i++) {
    dlf_tensor *again = NULL, *t = through_views(import_from(minors[i], flags, given), flags);
    DLManagedTensorVersioned *m = export_of(t);
    dlf_release(t);
    EXPECT_INT(m->flags, flags & ~(uint64_t)COPIED); /* the only one, which is never passed on */
    EXPECT(dlf_data(&m->dl_tensor) == dlf_data(&given));
    EXPECT_INT(dlf_from_dlpack(m, &again, NULL), DLF_OK);
    EXPECT_INT(dlf_flags(again), flags & ~(uint64_t)COPIED);
    EXPECT_INT(deleted, 0);
    dlf_release(again);
    EXPECT_INT(deleted, 1);
  }
}

static DLTensor nibbles(void) {
  DLTensor t = columns();
  t.dtype = u4;
  return t;
}

static void test_versions__read_only_to_versioned(void) {
  keeps_flags(columns(), READ_ONLY);
  keeps_flags(nibbles(), READ_ONLY | COPIED | PADDED | LATER);
}

static void test_versions__read_only_to_legacy(void) {
  for (int i = 0; i < MINORS; i++) {
    DLManagedTensor *m = (DLManagedTensor *)&m;
    dlf_tensor *t = through_views(import_from(minors[i], READ_ONLY, columns()), READ_ONLY);
    EXPECT_FAILS(
        dlf_to_dlpack_legacy(t, &m, &error),
        DLF_READ_ONLY,
        "to_dlpack: expected writable data for a consumer of DLPack before 1.0, got read-only");
    EXPECT(m == NULL);
    /* The way out: a copy is writable. */
    DLManagedTensorVersioned *copy = NULL;
    EXPECT_INT(dlf_to_dlpack_copy(t, &copy, NULL), DLF_OK);
    dlf_release(t);
    EXPECT_INT(deleted, 1);
    m = to_legacy(copy);
    EXPECT(m->dl_tensor.data != memory);
    dlf_dlpack_release_legacy(m);
    EXPECT_INT(live(), 0);
  }
}

static void test_versions__is_copied_to_versioned(void) {
  keeps_flags(columns(), COPIED);
}

static void test_versions__is_copied_to_legacy(void) {
  for (int i = 0; i < MINORS; i++) { /* a permission: losing it does no harm */
    dlf_tensor *t = import_from(minors[i], COPIED, columns());
    DLManagedTensorVersioned *m = to_versioned(legacy_export_of(t));
    dlf_release(t);
    EXPECT_INT(m->flags, 0);
    expect_same(&m->dl_tensor, columns());
    dlf_dlpack_release(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_versions__padded_to_versioned(void) {
  keeps_flags(nibbles(), PADDED);
}

static void test_versions__padded_to_legacy(void) {
  for (int i = 0; i < MINORS; i++) {
    DLManagedTensor *m = (DLManagedTensor *)&m;
    dlf_tensor *t = import_from(minors[i], PADDED, nibbles());
    EXPECT_FAILS(
        dlf_to_dlpack_legacy(t, &m, &error),
        DLF_UNSUPPORTED,
        "to_dlpack: expected packed elements for a consumer of DLPack before 1.0, got padded");
    EXPECT(m == NULL);
    dlf_release(t);
    EXPECT_INT(deleted, 1);
  }
}

/* Without the flag sub-byte elements are packed, in either structure and in every version. */
static void test_versions__packed_to_legacy(void) {
  for (int i = -1; i < MINORS; i++) {
    dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, nibbles());
    DLManagedTensor *m = legacy_export_of(t);
    dlf_release(t);
    EXPECT(m->dl_tensor.dtype.bits == 4 && m->dl_tensor.data == memory);
    dlf_dlpack_release_legacy(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_versions__packed_to_versioned(void) {
  for (int i = -1; i < MINORS; i++) {
    dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, nibbles());
    DLManagedTensorVersioned *m = export_of(t);
    dlf_release(t);
    EXPECT(m->dl_tensor.dtype.bits == 4 && m->dl_tensor.data == memory);
    EXPECT_INT(m->flags, 0);
    dlf_dlpack_release(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_versions__flag_to_come_to_versioned(void) {
  keeps_flags(columns(), LATER);
}

static void test_versions__flag_to_come_to_legacy(void) {
  dlf_tensor *t = import_from(9, LATER | COPIED, columns());
  DLManagedTensor *m = NULL;
  EXPECT_FAILS(dlf_to_dlpack_legacy(t, &m, &error),
               DLF_UNSUPPORTED,
               "to_dlpack: expected flags that a consumer of DLPack before 1.0 can do without, got "
               "0x10000000002");
  EXPECT(m == NULL);
  dlf_release(t);
  EXPECT_INT(deleted, 1);
}

/* NULL strides were row-major until DLPack 1.2, and some later producers still leave them out. */
static void expect_strides(const DLTensor *t) {
  EXPECT(t->strides != NULL && t->strides[0] == 3 && t->strides[1] == 1);
}

static void test_versions__null_strides_to_versioned(void) {
  for (int i = -1; i < MINORS; i++) {
    DLTensor given = columns();
    given.strides = NULL;
    EXPECT_INT(dlf_check(&given, 0, DLF_CHECK_STRUCTURE, NULL), DLF_OK);
    dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, given);
    expect_strides(dlf_dltensor(t));
    DLManagedTensorVersioned *m = export_of(t);
    dlf_release(t);
    expect_strides(&m->dl_tensor);
    dlf_dlpack_release(m);
    EXPECT_INT(deleted, 1);
  }
}

static void test_versions__null_strides_to_legacy(void) {
  for (int i = -1; i < MINORS; i++) {
    DLTensor given = columns();
    given.strides = NULL;
    dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, given);
    DLManagedTensor *m = legacy_export_of(t);
    dlf_release(t);
    expect_strides(&m->dl_tensor);
    dlf_dlpack_release_legacy(m);
    EXPECT_INT(deleted, 1);
  }
}

/* A tensor of a later version stays one: what its flags and codes mean is not known to 1.3. */
static void test_versions__a_later_version_is_kept(void) {
  for (int i = 0; i < MINORS; i++) {
    const uint64_t flags = minors[i] == 9 ? LATER : 0;
    const uint32_t told = minors[i] == 9 ? 9 : 3;
    DLTensor given = columns();
    given.strides = NULL;
    dlf_tensor *t = through_views(import_from(minors[i], flags, given), flags), *again = NULL;
    DLManagedTensorVersioned *m = export_of(t);
    EXPECT_INT(m->version.minor, told);
    m->dl_tensor.data = NULL; /* the address is not aligned to 256 bytes: the version and its flags
                                 are what matters */
    m->dl_tensor.shape[0] = 0;
    EXPECT_INT(dlf_check_managed(m, DLF_CHECK_STRICT, NULL), DLF_OK);
    dlf_dlpack_release(m);
    EXPECT_INT(dlf_into_dlpack(t, &m, NULL), DLF_OK);
    EXPECT_INT(m->version.minor, told);
    EXPECT_INT(dlf_from_dlpack(m, &again, NULL), DLF_OK);
    EXPECT_INT(dlf_dlpack_version(again).minor, told);
    m = export_of(again); /* at the third hop too */
    EXPECT_INT(m->version.minor, told);
    dlf_dlpack_release(m);
    dlf_release(again);
    EXPECT_INT(deleted, 1);
  }
}

/* A copy has no unknown flag, but may have a code of the later version. */
static void test_versions__a_copy_keeps_a_later_version(void) {
  for (int i = -1; i < MINORS; i++) {
    DLManagedTensorVersioned *m = NULL;
    DLTensor given = columns();
    given.dtype.code = kDLFloat4_e2m1fn + 9;
    dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, given), *copy = NULL;
    EXPECT_INT(dlf_copy(t, &copy, NULL), DLF_OK);
    EXPECT_INT(dlf_dlpack_version(copy).major, 1);
    EXPECT_INT(dlf_dlpack_version(copy).minor, told_minor(t));
    EXPECT_INT(dlf_to_dlpack_copy(t, &m, NULL), DLF_OK);
    EXPECT_INT(m->version.minor, told_minor(t));
    dlf_dlpack_release(m);
    dlf_release(copy);
    dlf_release(t);
    EXPECT_INT(deleted, 1);
  }
}

/* Bytes for packed elements too, and where there is none. */
static void test_versions__a_padded_copy_keeps_a_later_version(void) {
  for (int i = -1; i < MINORS; i++) {
    for (int64_t extent = 0; extent < 4; extent += 3) {
      DLTensor given = columns();
      given.dtype = u4;
      given.ndim = 1;
      given.shape = &extent;
      given.strides = NULL;
      dlf_tensor *t = import_from(i < 0 ? LEGACY : minors[i], 0, given), *copy = NULL;
      EXPECT_INT(dlf_copy_padded(t, &copy, NULL), DLF_OK);
      EXPECT_INT(dlf_flags(copy), PADDED);
      EXPECT_INT(dlf_dlpack_version(copy).major, 1);
      EXPECT_INT(dlf_dlpack_version(copy).minor, told_minor(t));
      dlf_release(copy);
      dlf_release(t);
      EXPECT_INT(deleted, 1);
    }
  }
}

/* A handle keeps the version of its import, and shows it. */
static void test_versions__origin_is_told(void) {
  static const char *const told[] = {"\"version\": \"0.8\"",
                                     "\"version\": \"1.0\"",
                                     "\"version\": \"1.1\"",
                                     "\"version\": \"1.2\"",
                                     "\"version\": \"1.3\"",
                                     "\"version\": \"1.9\""};
  for (int i = -1; i < MINORS; i++) {
    char text[512];
    dlf_tensor *t = through_views(import_from(i < 0 ? LEGACY : minors[i], 0, columns()), 0);
    dlf_describe_json(t, text, sizeof text);
    EXPECT(strstr(text, told[i + 1]) != NULL);
    dlf_release(t);
  }
}

int main(void) {
  RUN(test_versions__adapters_take_owned_also_when_they_fail);
  RUN(test_versions__0_8_to_legacy);
  RUN(test_versions__0_8_to_versioned);
  RUN(test_versions__1_0_to_legacy);
  RUN(test_versions__1_0_to_versioned);
  RUN(test_versions__1_1_to_legacy);
  RUN(test_versions__1_1_to_versioned);
  RUN(test_versions__1_2_to_legacy);
  RUN(test_versions__1_2_to_versioned);
  RUN(test_versions__1_3_to_legacy);
  RUN(test_versions__1_3_to_versioned);
  RUN(test_versions__unknown_minor_to_legacy);
  RUN(test_versions__unknown_minor_to_versioned);
  RUN(test_versions__codes_not_released_to_legacy);
  RUN(test_versions__codes_not_released_to_versioned);
  RUN(test_versions__read_only_to_legacy);
  RUN(test_versions__read_only_to_versioned);
  RUN(test_versions__is_copied_to_legacy);
  RUN(test_versions__is_copied_to_versioned);
  RUN(test_versions__padded_to_legacy);
  RUN(test_versions__padded_to_versioned);
  RUN(test_versions__packed_to_legacy);
  RUN(test_versions__packed_to_versioned);
  RUN(test_versions__flag_to_come_to_legacy);
  RUN(test_versions__flag_to_come_to_versioned);
  RUN(test_versions__null_strides_to_legacy);
  RUN(test_versions__null_strides_to_versioned);
  RUN(test_versions__a_later_version_is_kept);
  RUN(test_versions__a_copy_keeps_a_later_version);
  RUN(test_versions__a_padded_copy_keeps_a_later_version);
  RUN(test_versions__origin_is_told);
  return test_end();
}
