/* SPDX-License-Identifier: Apache-2.0 */
/* The rule about flags that DLPack 1.3 does not name: they travel and are shown, and nothing uses
 * the elements. */
#include "producer.h"
#include "test.h"

#define LATER (UINT64_C(1) << 40 | 8)
#define PADDED DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
#define EXPECT_UNSUPPORTED(name, call)                                                             \
  EXPECT_FAILS(                                                                                    \
      call, DLF_UNSUPPORTED, name ": expected flags that DLPack 1.3 names, got 0x10000000008")

static float memory[6] = {1, 2, 3, 4, 5, 6};
static char text[400];

/* A tensor of a producer of a later version. */
static dlf_tensor *of_later(DLTensor described, uint64_t flags) {
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_from_dlpack(versioned(1, 9, flags, described), &t, NULL), DLF_OK);
  return t;
}

static void ignore(void *owned) {
  (void)owned;
}

static dlf_tensor *matrix(uint64_t flags) {
  return of_later((DLTensor){memory, cpu, 2, f32, LIST(2, 3), NULL, 0}, flags);
}

static void test_flags__unknown_ones_are_shown(void) {
  dlf_tensor *t = matrix(LATER | PADDED);
  dlf_describe(dlf_dltensor(t), dlf_flags(t), text, sizeof text);
  EXPECT_TEXT(text, "float32[2, 3] cpu padded flags 0x10000000008");
  dlf_format(dlf_dltensor(t), dlf_flags(t), text, sizeof text); /* and no element */
  EXPECT_TEXT(text, "float32[2, 3] cpu padded flags 0x10000000008");
  dlf_describe_json(t, text, sizeof text);
  EXPECT(strstr(text, "\"flags\": [\"subbyte_padded\", \"0x10000000008\"], "));
  dlf_release(t);
  t = matrix(LATER);
  dlf_describe_json(t, text, sizeof text);
  EXPECT(strstr(text, "\"flags\": [\"0x10000000008\"], "));
  dlf_release(t);
  const DLTensor plain = tensor_of(f32, 1, LIST(2), NULL);
  dlf_describe(&plain, DLF_FLAGS_UNKNOWN, text, sizeof text);
  EXPECT_TEXT(text, "float32[2] cpu");
}

static void test_flags__nothing_copies_unknown_ones(void) {
  dlf_tensor *t = matrix(LATER), *out = NULL;
  DLManagedTensorVersioned *managed = NULL;
  DLManagedTensor *legacy = NULL;
  EXPECT_UNSUPPORTED("copy", dlf_copy(t, &out, &error));
  EXPECT_UNSUPPORTED("copy", dlf_to_dlpack_copy(t, &managed, &error));
  EXPECT_INT(dlf_to_dlpack_legacy(t, &legacy, NULL), DLF_UNSUPPORTED);
  EXPECT(!out && !managed && !legacy);
  dlf_release(t);
}

/* What is made here says 1.3, in which such a flag has no meaning. */
static void test_flags__nothing_is_made_with_unknown_ones(void) {
  dlf_tensor *t = matrix(LATER), *made = (dlf_tensor *)&made;
  EXPECT_UNSUPPORTED("wrap", dlf_wrap(dlf_dltensor(t), dlf_flags(t), NULL, NULL, &made, &error));
  EXPECT(!made);
  dlf_release(t);
  const DLTensor plain = tensor_of(f32, 2, LIST(2, 3), NULL);
  dlf_queue *queue = NULL;
  int owner = 0;
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  EXPECT_UNSUPPORTED("wrap", dlf_wrap_queued(&plain, LATER, queue, &owner, &made, &error));
  dlf_queue_release(queue);
  const int64_t words[1] = {0};
  EXPECT_UNSUPPORTED(
      "wrap", dlf_wrap_small(&plain, LATER | PADDED, words, sizeof words, ignore, &made, &error));
  EXPECT(!made);
  DLManagedTensor *const owned = legacy(plain);
  DLManagedTensorVersioned *m = (DLManagedTensorVersioned *)&m;
  EXPECT_UNSUPPORTED("versioned_from_legacy", dlf_versioned_from_legacy(owned, LATER, &m, &error));
  EXPECT(!m && deleted == 0);
  dlf_dlpack_release_legacy(owned);
}

/* Each flag by itself: an export of ours is as 1.3 wants it, or is not made. */
static void test_flags__exports_have_flags_of_their_version(void) {
  static _Alignas(256) float aligned[6];
  const DLTensor plain = {aligned, cpu, 1, f32, LIST(6), NULL, 0};
  for (int bit = 0; bit < 64; bit++) {
    dlf_tensor *t = NULL;
    DLManagedTensorVersioned *m = NULL;
    const dlf_status status = dlf_wrap(&plain, UINT64_C(1) << bit, NULL, NULL, &t, NULL);
    EXPECT_INT(status == DLF_OK, bit < 3);
    if (status) {
      continue;
    }
    EXPECT_INT(dlf_to_dlpack(t, &m, NULL), DLF_OK);
    EXPECT_INT(dlf_check_managed(m, DLF_CHECK_STRICT, NULL), DLF_OK);
    dlf_dlpack_release(m);
    dlf_release(t);
  }
}

static void test_flags__nothing_compares_unknown_ones(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  const dlf_arg known = {&t, DLF_FLAGS_UNKNOWN}, later = {&t, LATER};
  bool answer;
  for (int second = 0; second < 2; second++) {
    const dlf_arg a = second ? known : later, b = second ? later : known;
    EXPECT_UNSUPPORTED("identical", dlf_identical(a, b, &answer, &error));
    EXPECT_UNSUPPORTED("equal", dlf_equal(a, b, &answer, &error));
    EXPECT_UNSUPPORTED("all_close", dlf_all_close(a, b, 0, 0, false, &answer, &error));
  }
  EXPECT_INT(dlf_identical(known, known, &answer, NULL), DLF_OK);
}

static void test_flags__nothing_saves_unknown_ones(void) {
  const DLTensor t = tensor_of(f32, 1, LIST(2), NULL);
  EXPECT_UNSUPPORTED("npy_save", dlf_npy_save((dlf_arg){&t, LATER}, "/nowhere/at/all.npy", &error));
}

/* The table lends a tensor without its flags: not where they say how elements lie. */
static void test_flags__the_table_lends_no_unknown_ones(void) {
  const uint64_t flags[] = {LATER, PADDED, DLPACK_FLAG_BITMASK_READ_ONLY};
  const DLDataType dtypes[] = {f32, {kDLInt, 4, 1}};
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 2; k++) {
      const DLTensor described = {memory, cpu, 1, dtypes[k], LIST(2), NULL, 0};
      dlf_tensor *t = of_later(described, flags[i]);
      DLTensor lent;
      const bool lends = flags[i] != LATER && !(flags[i] == PADDED && k == 1);
      EXPECT_INT(dlf_exchange_borrow(dlf_exchange_api(), t, &lent, NULL),
                 lends ? DLF_OK : DLF_FOREIGN);
      dlf_release(t);
    }
  }
}

static void test_flags__no_kernel_gets_unknown_ones(void) {
  static const dlf_parameter parameters[] = {
      {"x", DLF_PARAMETER_INPUT}, {"list", DLF_PARAMETER_LIST}, {"out", DLF_PARAMETER_OUTPUT}};
  const DLTensor x = tensor_of(f32, 1, LIST(2), NULL);
  const char *const texts[] = {"x: f32[n]; list: f32[n]; out: f32[n]", NULL};
  for (int i = 0; i < 2; i++) {
    dlf_contract *contract = NULL;
    EXPECT_INT(
        dlf_contract_compile(texts[i], "f", parameters, 3, sizeof(dlf_parameter), &contract, NULL),
        DLF_OK);
    if (!contract) {
      return;
    }
    dlf_arg items[2] = {{&x, 0}, {&x, DLF_FLAGS_UNKNOWN}};
    dlf_value values[3] = {{.tensor = {&x, DLF_FLAGS_UNKNOWN}},
                           {.integer = 2, .items = items},
                           {.tensor = {&x, PADDED}}};
    EXPECT_INT(dlf_contract_match(contract, values, sizeof(dlf_value), NULL), DLF_OK);
    values[0].tensor.flags |= LATER;
    EXPECT_UNSUPPORTED("f: x", dlf_contract_match(contract, values, sizeof(dlf_value), &error));
    EXPECT_UNSUPPORTED("f: x",
                       dlf_contract_match_inputs(contract, values, sizeof(dlf_value), &error));
    values[0].tensor.flags = 0;
    values[2].tensor.flags = LATER;
    EXPECT_UNSUPPORTED("f: out", dlf_contract_match(contract, values, sizeof(dlf_value), &error));
    EXPECT_INT(dlf_contract_match_inputs(contract, values, sizeof(dlf_value), NULL), DLF_OK);
    items[1].flags = LATER;
    EXPECT_UNSUPPORTED("f: list[1] (from 0)",
                       dlf_contract_match_inputs(contract, values, sizeof(dlf_value), &error));
    dlf_contract_free(contract);
  }
}

int main(void) {
  RUN(test_flags__unknown_ones_are_shown);
  RUN(test_flags__nothing_copies_unknown_ones);
  RUN(test_flags__nothing_is_made_with_unknown_ones);
  RUN(test_flags__exports_have_flags_of_their_version);
  RUN(test_flags__nothing_compares_unknown_ones);
  RUN(test_flags__nothing_saves_unknown_ones);
  RUN(test_flags__the_table_lends_no_unknown_ones);
  RUN(test_flags__no_kernel_gets_unknown_ones);
  return test_end();
}
