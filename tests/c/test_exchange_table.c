/* SPDX-License-Identifier: Apache-2.0 */
/* The exchange table: its major version is read before any slot, and it lives as long as the
 * process. */
#include "system.h"
#include "test.h"

/* A header that ends where the readable memory ends: a look at any slot crashes. */
static DLPackExchangeAPIHeader *header_at_the_edge(uint32_t major, DLPackExchangeAPIHeader *older) {
  DLPackExchangeAPIHeader *header = system_edge(sizeof *header);
  *header = (DLPackExchangeAPIHeader){{major, 0}, older};
  return header;
}

static void let_go_of_header(DLPackExchangeAPIHeader *header) {
  system_free_edge(header, sizeof *header);
}

static void test_exchange_table__the_tables_major_version_comes_before_any_slot(void) {
  const DLPackExchangeAPI *api = NULL;
  DLPackExchangeAPI ours = *dlf_exchange_api();
  DLPackExchangeAPIHeader *newer = header_at_the_edge(2, NULL),
                          *newest = header_at_the_edge(3, newer);
  EXPECT_FAILS(dlf_exchange_find(newest, &api, &error),
               DLF_VERSION,
               "exchange_find: expected a table of DLPack major version 1, got 3");
  EXPECT(api == NULL);
  newer->prev_api = &ours.header;
  EXPECT_INT(dlf_exchange_find(newest, &api, NULL), DLF_OK);
  EXPECT(api == &ours);
  ours.header.version.minor = 99; /* a minor may be any */
  EXPECT_INT(dlf_exchange_find(newest, &api, NULL), DLF_OK);
  let_go_of_header(newest);
  let_go_of_header(newer);
}

static void test_exchange_table__the_table_and_its_names_live_as_long_as_the_process(void) {
  /* Constants: a capsule keeps the pointer to its name, and a consumer the pointer to the table. */
  static const char *const names[] = {
      DLF_EXCHANGE_CAPSULE, DLF_EXCHANGE_ATTRIBUTE, DLF_EXCHANGE_ATTRIBUTE_OLD};
  EXPECT_TEXT(names[0], "dlpack_exchange_api");
  EXPECT_TEXT(names[1], "__dlpack_c_exchange_api__");
  EXPECT_TEXT(names[2], "__c_dlpack_exchange_api__");
  const DLPackExchangeAPI *api = dlf_exchange_api();
  dlf_tensor *t = NULL;
  EXPECT_INT(dlf_create(f32, 1, LIST(2), cpu, &t, NULL), DLF_OK);
  dlf_release(t);
  EXPECT(dlf_exchange_api() == api && api->header.prev_api == NULL);
  EXPECT(dlf_version() == dlf_version() && dlf_status_name(DLF_OK) == dlf_status_name(DLF_OK));
}

int main(void) {
  RUN(test_exchange_table__the_tables_major_version_comes_before_any_slot);
  RUN(test_exchange_table__the_table_and_its_names_live_as_long_as_the_process);
  return test_end();
}
