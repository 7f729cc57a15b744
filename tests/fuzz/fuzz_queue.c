/* SPDX-License-Identifier: Apache-2.0 */
/* Compare a release queue with a model: every owner comes back once or, after the queue was closed,
 * never; the head tells whether owners wait; the first arrival wakes the runtime. */
#include "fuzz.h"

enum { OWNERS = 40 };

typedef enum owner_state { FREE, HELD, WAITING } owner_state;

static struct {
  dlf_queue *queue;
  dlf_tensor *tensors[OWNERS];
  owner_state states[OWNERS];
  int waiting, wakes, expected_wakes, released;
  bool closed;
  enum { COUNTS, DRAINS, CLOSES, SLEEPS } mood; /* of wake */
} model;

static char owners[OWNERS];

static void drain(int64_t capacity) {
  void *back[OWNERS];
  const int64_t count = dlf_queue_drain(model.queue, back, capacity);
  MUST(count == (model.waiting < capacity ? model.waiting : capacity));
  for (int64_t i = 0; i < count; i++) {
    const int64_t owner = (char *)back[i] - owners;
    MUST(owner >= 0 && owner < OWNERS && model.states[owner] == WAITING);
    model.states[owner] = FREE;
  }
  model.waiting -= (int)count;
}

static void close_queue(void) {
  for (int i = 0; i < OWNERS; i++) {
    if (model.states[i] == WAITING) {
      model.states[i] = FREE;
    }
  }
  model.waiting = 0;
  model.closed = true;
  dlf_queue_close(model.queue); /* refused inside wake */
}

static void wake(void *context) {
  MUST(context == &model && model.released == 0);
  model.wakes++;
  if (model.mood == DRAINS) {
    drain(OWNERS);
  }
  if (model.mood == CLOSES) {
    close_queue();
  }
  MUST(model.released == 0);
}

static void released(void *context) {
  MUST(context == &model && model.closed);
  model.released++;
}

/* The last reference to an owner's tensor is about to go. */
static void expect_push(int owner) {
  model.states[owner] = model.closed ? FREE : WAITING;
  if (model.closed) {
    return;
  }
  if (model.waiting++ == 0 && model.mood != SLEEPS) {
    model.expected_wakes++;
  }
}

static void step(fuzz_input *in) {
  static float element;
  const DLDevice cpu = {kDLCPU, 0};
  const int owner = fuzz_byte(in) % OWNERS;
  dlf_tensor **tensor = &model.tensors[owner], *other = NULL;
  DLManagedTensorVersioned *managed = NULL;
  switch (fuzz_byte(in) % 8) {
  case 0:
  case 1:
    if (model.states[owner] != FREE) {
      return;
    }
    MUST(dlf_wrap_queued(
             &(DLTensor){&element, cpu, 1, (DLDataType){kDLFloat, 32, 1}, (int64_t[]){1}, NULL, 0},
             0,
             model.queue,
             owners + owner,
             tensor,
             NULL) == DLF_OK);
    model.states[owner] = HELD;
    return;
  case 2:
    if (model.states[owner] != HELD) {
      return;
    }
    expect_push(owner);
    dlf_release(*tensor);
    return;
  case 3: /* through a deleter */
    if (model.states[owner] != HELD) {
      return;
    }
    MUST(dlf_to_dlpack(*tensor, &managed, NULL) == DLF_OK);
    dlf_release(*tensor);
    expect_push(owner);
    dlf_dlpack_release(managed);
    return;
  case 4: /* a view takes its place */
    if (model.states[owner] != HELD) {
      return;
    }
    MUST(dlf_slice(*tensor, 0, 0, 1, 1, &other, NULL) == DLF_OK);
    dlf_release(*tensor);
    *tensor = other;
    return;
  case 5:
  case 6:
    drain(fuzz_byte(in) % 6);
    return;
  default:
    if (fuzz_byte(in) > 30) {
      return;
    }
    close_queue();
    MUST(dlf_queue_close(model.queue) && model.released == 1);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  fuzz_input in = {bytes, size};
  memset(&model, 0, sizeof model);
  model.mood = fuzz_byte(&in) % 4;
  MUST(dlf_queue_create(model.mood == SLEEPS ? NULL : wake, released, &model, &model.queue, NULL) ==
       DLF_OK);
  while (in.size > 0) {
    step(&in);
    MUST(model.closed || (*dlf_queue_head(model.queue) != NULL) == (model.waiting > 0));
    MUST(model.wakes == model.expected_wakes && model.released == model.closed);
  }
  const bool early = size % 2 != 0; /* the runtime releases before the tensors, or after them */
  model.closed = model.closed || early;
  if (early) {
    dlf_queue_release(model.queue);
  }
  for (int i = 0; i < OWNERS; i++) {
    if (model.states[i] != HELD) {
      continue;
    }
    expect_push(i);
    dlf_release(model.tensors[i]);
  }
  model.closed = true;
  if (!early) {
    dlf_queue_release(model.queue);
  }
  MUST(model.wakes == model.expected_wakes && model.released == 1 && dlf_live() == 0);
  return 0;
}
