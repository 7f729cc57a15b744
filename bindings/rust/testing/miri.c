/* SPDX-License-Identifier: Apache-2.0 */
/* The hub's allocator under Miri: all memory lies in one block of Rust's, since Miri can follow no
 * other. The hub is compiled with these names instead of malloc, calloc and free. Nothing is freed
 * before the test's process ends. */
#include <stddef.h>
#include <string.h>

static unsigned char *miri_next, *miri_end;

void miri_hub_memory(void *block, size_t size);
void *miri_hub_malloc(size_t size);
void *miri_hub_calloc(size_t count, size_t size);
void miri_hub_free(void *owned);

void miri_hub_memory(void *block, size_t size) {
  miri_next = block;
  miri_end = miri_next + size;
}

void *miri_hub_malloc(size_t size) {
  const size_t alignment = 16;
  const size_t room = (size + alignment - 1) / alignment * alignment;
  unsigned char *const made = miri_next;
  if (!made || room < size || (size_t)(miri_end - made) < room) {
    return NULL;
  }
  miri_next += room;
  return made;
}

void *miri_hub_calloc(size_t count, size_t size) {
  void *made = miri_hub_malloc(count * size); /* the hub has checked the product */
  if (made) {
    return memset(made, 0, count * size);
  }
  return NULL;
}

void miri_hub_free(void *owned) {
  (void)owned;
}
