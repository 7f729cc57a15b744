/* SPDX-License-Identifier: Apache-2.0 */
/* A stack: many threads push, one empties it. One exchange takes everything, so no successor of a
 * node can change between reading and swapping (no ABA). The node is the released handle itself, so
 * a push cannot run out of memory. */
#include "handle.h"

struct dlf_queue {
  _Atomic(dlf_tensor *) head;
  dlf_tensor *taken;          /* consumer only: taken from head, not handed out yet */
  bool is_closed;             /* consumer only */
  _Atomic int64_t references; /* the runtime, each tensor, and one for all users */
  _Atomic int64_t users; /* users of context: the runtime until it closes the queue, and threads
                            that may be inside wake */
  void (*wake)(void *context);
  void (*released)(void *context);
  void *context;
  bool (*release)(void *owner); /* or NULL; does not change once tensors keep the queue */
};

/* The value of head after the runtime has closed the queue. */
static dlf_tensor closed;

/* The value of head, or the end of the stack, while owners wait in `taken`: head is then not NULL,
 * so that a runtime that polls it calls again. */
static dlf_tensor rest_taken;

dlf_status dlf_queue_create(void (*wake)(void *context), void (*released)(void *context),
                            void *context, dlf_queue **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("queue_create", error);
  }
  dlf_queue *self = *out = calloc(1, sizeof *self);
  if (!self) {
    return dlf__fail(error, DLF_NO_MEMORY, "queue_create: expected memory for a queue, got none");
  }
  atomic_init(&self->head, NULL);
  atomic_init(&self->references, 2);
  atomic_init(&self->users, 1);
  self->wake = wake;
  self->released = released;
  self->context = context;
  return DLF_OK;
}

static void drop(dlf_queue *self) {
  if (atomic_fetch_sub_explicit(&self->references, 1, memory_order_acq_rel) == 1) {
    free(self);
  }
}

static void free_node(dlf_queue *self, dlf_tensor *node) {
  dlf__tensor_free(node);
  drop(self);
}

/* Keep context for a call of wake; false if it may have been released. The caller keeps the queue.
 */
static bool begin_use(dlf_queue *self) {
  int64_t users = atomic_load_explicit(&self->users, memory_order_relaxed);
  while (users > 0) {
    if (atomic_compare_exchange_weak_explicit(
            &self->users, &users, users + 1, memory_order_relaxed, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

static void end_use(dlf_queue *self) {
  /* Acquire and release: uses of context by other threads happen before its release. */
  if (atomic_fetch_sub_explicit(&self->users, 1, memory_order_acq_rel) != 1) {
    return;
  }
  if (self->released) {
    self->released(self->context);
  }
  drop(self);
}

/* The runtime has closed the queue: no thread takes the owner any more. */
static void drop_unclaimed(dlf_queue *self, dlf_tensor *tensor, bool keeps_context) {
  if (keeps_context) {
    end_use(self);
  }
  free_node(self, tensor);
}

/* Hand a tensor without references to its queue. Cannot fail, takes no lock. */
static void push_tensor(dlf_tensor *tensor) {
  dlf_queue *self = tensor->queue;
  void (*const wake)(void *) = self->wake;
  bool keeps_context = false;
  bool is_open = true;
  dlf_tensor *head = atomic_load_explicit(&self->head, memory_order_relaxed);
  do {
    /* Before the push: after it the consumer may free the tensor and close the queue, but this
     * thread must wake it. */
    if (!head && wake && !keeps_context) {
      keeps_context = begin_use(self);
      is_open = keeps_context;
    }
    if (head == &closed || !is_open) {
      drop_unclaimed(self, tensor, keeps_context);
      return;
    }
    tensor->next = head;
  } while (!atomic_compare_exchange_weak_explicit(
      &self->head, &head, tensor, memory_order_release, memory_order_relaxed));
  if (!keeps_context) {
    return;
  }
  if (!head) {
    wake(self->context);
  }
  end_use(self);
}

/* The shortest way: a runtime's own threads release most of its owners. */
static void let_go_of_queued(dlf_tensor *tensor) {
  dlf_queue *self = tensor->queue;
  if (!self->release || atomic_load_explicit(&self->head, memory_order_relaxed) == &closed) {
    push_tensor(tensor);
    return;
  }
  dlf__releases *inside = dlf__begin_release(tensor);
  if (!inside) {
    return;
  }
  if (self->release(tensor->owner)) {
    free_node(self, tensor);
  } else {
    push_tensor(tensor);
  }
  dlf__end_release(inside);
}

void dlf_queue_set_release(dlf_queue *self, bool (*release)(void *owner)) {
  if (self) {
    self->release = release;
  }
}

dlf_status dlf_wrap_queued(const DLTensor *tensor, uint64_t flags, dlf_queue *queue, void *owned,
                           dlf_tensor **out, dlf_error *error) {
  if (!out) {
    return dlf__no_place("wrap_queued", error);
  }
  *out = NULL;
  if (!queue || !owned) {
    return dlf__missing("wrap", "a queue and an owner", error);
  }
  const dlf_status status = dlf_wrap(tensor, flags, owned, NULL, out, error);
  if (status) {
    return status;
  }
  (*out)->queue = queue;
  (*out)->let_go = let_go_of_queued;
  (*out)->has_owner = true;
  atomic_fetch_add_explicit(&queue->references, 1, memory_order_relaxed);
  return DLF_OK;
}

int64_t dlf_queue_drain(dlf_queue *self, void **owners, int64_t capacity) {
  int64_t count = 0;
  if (!self || !owners) {
    return 0;
  }
  while (count < capacity) {
    if (!self->taken) {
      /* Load first: most calls find nothing, and an exchange would take the cache line from the
       * pushers. */
      dlf_tensor *head = atomic_load_explicit(&self->head, memory_order_relaxed);
      if (!head || head == &closed) {
        break;
      }
      head = atomic_exchange_explicit(&self->head, NULL, memory_order_acquire);
      if (head == &rest_taken) {
        break;
      }
      self->taken = head;
    }
    dlf_tensor *node = self->taken;
    if (node->next == &rest_taken) {
      self->taken = NULL;
    } else {
      self->taken = node->next;
    }
    owners[count++] = node->owner;
    free_node(self, node);
  }
  dlf_tensor *expected = &rest_taken;
  dlf_tensor *wanted = NULL;
  if (self->taken) {
    expected = NULL;
    wanted = &rest_taken;
  }
  if (atomic_load_explicit(&self->head, memory_order_relaxed) == expected) {
    (void)atomic_compare_exchange_strong_explicit(
        &self->head, &expected, wanted, memory_order_relaxed, memory_order_relaxed);
  }
  return count;
}

void *dlf_queue_owner(const dlf_queue *self, const dlf_tensor *tensor, int64_t references) {
  if (!self || !tensor) {
    return NULL;
  }
  const bool is_view = tensor->let_go == dlf__let_go_of_root;
  const dlf_tensor *base = tensor;
  if (is_view) {
    base = tensor->owner;
  }
  if (base->let_go != let_go_of_queued || base->queue != self) {
    return NULL;
  }
  if (references == 0) {
    return base->owner;
  }
  if (atomic_load_explicit(&tensor->references, memory_order_acquire) > references) {
    return NULL;
  }
  if (is_view && atomic_load_explicit(&base->references, memory_order_acquire) > 1) {
    return NULL;
  }
  return base->owner;
}

void *const *dlf_queue_head(const dlf_queue *self) {
  if (self) {
    return (void *const *)(const void *)&self->head;
  }
  return NULL;
}

bool dlf_queue_close(dlf_queue *self) {
  if (!self) {
    return true;
  }
  if (!self->is_closed) {
    self->is_closed = true;
    dlf_tensor *rest[2] = {self->taken,
                           atomic_exchange_explicit(&self->head, &closed, memory_order_acquire)};
    self->taken = NULL;
    for (int i = 0; i < 2; i++) {
      while (rest[i] && rest[i] != &rest_taken) {
        dlf_tensor *next = rest[i]->next;
        free_node(self, rest[i]);
        rest[i] = next;
      }
    }
    end_use(self);
  }
  return atomic_load_explicit(&self->users, memory_order_acquire) == 0;
}

void dlf_queue_release(dlf_queue *self) {
  if (!self) {
    return;
  }
  dlf_queue_close(self);
  drop(self);
}
