/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of owners: each handle's owner keeps the handle before it. Releasing the last one releases
 * all, in little stack and before the release returns. */
#include "system.h"
#include "test.h"

#include <limits.h>
#include <stdlib.h>

static float memory;
static const DLTensor scalar = {&memory, {kDLCPU, 0}, 0, {kDLFloat, 32, 1}, NULL, NULL, 0};

/* Takes `before`, even on failure. */
typedef dlf_tensor *make_link(dlf_tensor *before);

static void release_handle(void *owner) {
  dlf_release(owner);
}

static dlf_tensor *link_by_wrap(dlf_tensor *before) {
  dlf_tensor *out = NULL;
  if (dlf_wrap(&scalar, 0, before, release_handle, &out, NULL)) {
    dlf_release(before);
  }
  return out;
}

static void delete_managed(DLManagedTensorVersioned *managed) {
  dlf_release(managed->manager_ctx);
  free(managed);
}

static dlf_tensor *link_by_import(dlf_tensor *before) {
  dlf_tensor *out = NULL;
  DLManagedTensorVersioned *managed = calloc(1, sizeof *managed);
  if (!managed) {
    abort();
  }
  managed->version = (DLPackVersion){DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR};
  managed->manager_ctx = before;
  managed->deleter = delete_managed;
  managed->dl_tensor = scalar;
  if (dlf_from_dlpack(managed, &out, NULL)) {
    delete_managed(managed);
  }
  return out;
}

static void delete_legacy(DLManagedTensor *managed) {
  dlf_release(managed->manager_ctx);
  free(managed);
}

static dlf_tensor *link_by_legacy_import(dlf_tensor *before) {
  dlf_tensor *out = NULL;
  DLManagedTensor *managed = calloc(1, sizeof *managed);
  if (!managed) {
    abort();
  }
  managed->manager_ctx = before;
  managed->deleter = delete_legacy;
  managed->dl_tensor = scalar;
  if (dlf_from_dlpack_legacy(managed, &out, NULL)) {
    delete_legacy(managed);
  }
  return out;
}

/* A consumer's copy of the structure, as frameworks make it, so that the import does not give the
 * handle back. */
typedef struct forwarded {
  DLManagedTensorVersioned managed, *inner;
} forwarded;

static void delete_forwarded(DLManagedTensorVersioned *managed) {
  forwarded *self = (forwarded *)managed;
  dlf_dlpack_release(self->inner);
  free(self);
}

static dlf_tensor *link_by_export(dlf_tensor *before) {
  dlf_tensor *out = NULL;
  forwarded *self = calloc(1, sizeof *self);
  if (!self) {
    abort();
  }
  if (dlf_into_dlpack(before, &self->inner, NULL)) {
    dlf_release(before);
    free(self);
    return NULL;
  }
  self->managed = *self->inner;
  self->managed.deleter = delete_forwarded;
  if (dlf_from_dlpack(&self->managed, &out, NULL)) {
    delete_forwarded(&self->managed);
  }
  return out;
}

static dlf_tensor *link_by_view(dlf_tensor *before) {
  dlf_tensor *out = NULL, *view = NULL;
  const dlf_status status = dlf_unsqueeze(before, 0, &view, NULL);
  dlf_release(before);
  if (status) {
    return NULL;
  }
  out = link_by_wrap(view);
  return out;
}

static dlf_queue *queue;

static bool release_at_once(void *owner) {
  dlf_release(owner);
  return true;
}

static dlf_tensor *link_by_queue(dlf_tensor *before) {
  dlf_tensor *out = NULL;
  if (dlf_wrap_queued(&scalar, 0, queue, before, &out, NULL)) {
    dlf_release(before);
  }
  return out;
}

static dlf_tensor *link_by_turns(dlf_tensor *before) {
  static make_link *const all[] = {link_by_wrap,
                                   link_by_import,
                                   link_by_legacy_import,
                                   link_by_export,
                                   link_by_view,
                                   link_by_queue};
  static unsigned turn;
  return all[turn++ % (sizeof all / sizeof *all)](before);
}

static void *release_chain(void *last) {
  dlf_release(last);
  return NULL;
}

/* Release on a thread of a small stack, on which nothing else runs. */
static void release_in_little_stack(dlf_tensor *last) {
  pthread_t thread;
  system_little_thread(&thread, release_chain, last);
  pthread_join(thread, NULL);
}

static void chain(make_link *make) {
  dlf_tensor *last = NULL;
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &last, NULL), DLF_OK);
  const int length = ROUNDS(1000) > 2 ? 100000 : 100; /* fault injection repeats it for each link */
  for (int i = 0; i < length; i++) {
    last = make(last);
    EXPECT(last != NULL);
    if (!last) {
      return;
    }
  }
  release_in_little_stack(last);
  EXPECT_INT(live(), 0);
}

static void test_handle__a_long_chain_needs_little_stack(void) {
  chain(link_by_wrap);
  chain(link_by_import);
  chain(link_by_legacy_import);
  chain(link_by_export);
  chain(link_by_view);
}

static void test_handle__a_long_chain_of_queued_owners_needs_little_stack(void) {
  EXPECT_INT(dlf_queue_create(NULL, NULL, NULL, &queue, NULL), DLF_OK);
  dlf_queue_set_release(queue, release_at_once);
  chain(link_by_queue);
  chain(link_by_turns);
  dlf_queue_release(queue);
}

/* An owner of several handles, each of which has such an owner: a tree. */
enum { BRANCHES = 3 };
typedef struct node {
  dlf_tensor *branches[BRANCHES];
} node;

static int released;

static void release_node(void *owner) {
  node *self = owner;
  for (int i = 0; i < BRANCHES; i++) {
    dlf_release(self->branches[i]);
  }
  released++;
  free(self);
}

static dlf_tensor *tree(int height) {
  dlf_tensor *out = NULL;
  node *self = calloc(1, sizeof *self);
  if (!self) {
    abort();
  }
  for (int i = 0; i < BRANCHES && height > 1; i++) {
    self->branches[i] = tree(height - 1);
  }
  if (!dlf_wrap(&scalar, 0, self, release_node, &out, NULL)) {
    return out;
  }
  release_node(self);
  return NULL;
}

static void test_handle__a_high_tree_is_released_once(void) {
  dlf_tensor *root = NULL;
  const int height = ROUNDS(1000) > 2 ? 11 : 3;
  int count = 0;
  for (int i = 0; i < height; i++) {
    count = count * BRANCHES + 1;
  }
  root = tree(height);
  EXPECT(root != NULL);
  released = 0;
  release_in_little_stack(root);
  EXPECT_INT(live(), 0);
  EXPECT_INT(released, count);
}

/* What a release callback sees, a few releases deep: the handles that it releases are gone at once.
 */
static int64_t seen[4];

static void release_and_look(void *owner) {
  static int depth;
  const int at = depth++;
  dlf_release(owner);
  seen[at] = live();
  depth--;
}

static void test_handle__releases_that_are_not_deep_end_at_once(void) {
  dlf_tensor *last = NULL;
  EXPECT_INT(dlf_create(f32, 0, NULL, cpu, &last, NULL), DLF_OK);
  for (int i = 0; i < 4; i++) {
    dlf_tensor *before = last;
    EXPECT_INT(dlf_wrap(&scalar, 0, before, release_and_look, &last, NULL), DLF_OK);
  }
  dlf_release(last);
  for (int i = 0; i < 4; i++) {
    EXPECT_INT(seen[i], i + 1);
  }
  EXPECT_INT(live(), 0);
}

int main(void) {
  RUN(test_handle__a_long_chain_needs_little_stack);
  RUN(test_handle__a_long_chain_of_queued_owners_needs_little_stack);
  RUN(test_handle__a_high_tree_is_released_once);
  RUN(test_handle__releases_that_are_not_deep_end_at_once);
  return test_end();
}
