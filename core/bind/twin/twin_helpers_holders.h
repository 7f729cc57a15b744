/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: handles that tensors keep, array interfaces, and reported counts. See
 * twin_helpers.h; this is its third part. */
/* @section holders */
/* ---- handles that tensors keep ----
 *
 * A holder exists from the first tensor that needs a handle until the handle is freed: by its
 * owner, or by the last such tensor if the owner freed it before. A deleter runs on any thread at
 * any time, so it uses only atomic operations and waits for nothing: memory that only the handle
 * can free stays in a list until a call changes the handle, or to its end. */

typedef struct dlferry_owned dlferry_owned;

/* A handle that another one keeps, once for each time that C was told to. */
typedef struct dlferry_kept_handle {
  struct dlferry_holder *holder;
  int64_t times;
} dlferry_kept_handle;

typedef struct dlferry_holder {
  dlf_deferred deferred; /* its end inside a lock; first, since the hub returns this address */
  void *handle;
  void (*end)(void *handle);     /* set once the owner has freed the handle */
  const char *lock;              /* in which it ends, or NULL */
  dlf_object *box;               /* of the owner, which stays with what it was made from, or NULL */
  _Atomic int64_t users;         /* the owner, and each tensor */
  _Atomic int64_t lent;          /* tensors whose elements the next change may free */
  _Atomic(dlferry_owned *) gone; /* released, not freed yet */
  dlf_tensor **kept;             /* by C, under the mutex of the table */
  size_t kept_count, kept_capacity;
  dlferry_kept_handle *handles; /* kept by C, likewise */
  size_t handle_count, handle_capacity;
  /* @section facts */
  struct dlferry_fact *facts; /* likewise */
  /* @section holders */
  struct dlferry_holder *owner; /* of the handle that C needs to free this one, or NULL */
  dlferry_owned *ending;        /* what the owner then gets */
  struct dlferry_holder *taker; /* of the handle that C frees this one with, or NULL */
  struct dlferry_holder *next;  /* in the table, later among those to end */
  struct dlferry_holder *todo;  /* in a search under the mutex */
  uint64_t search;              /* the last one that has seen it */
} dlferry_holder;

/* A tensor over memory of the library. */
struct dlferry_owned {
  dlf_deferred deferred; /* first, likewise */
  DLManagedTensorVersioned managed;
  dlferry_holder *holder; /* NULL if no handle is needed */
  void (*give_back)(void *handle, void *data);
  const char *lock; /* of give_back alone */
  void *data;
  bool until_change; /* counted in the holder's lent */
  dlferry_owned *next;
  int64_t numbers[]; /* extents and strides */
};

enum { DLFERRY_HOLDERS = 256 };
static pthread_mutex_t dlferry_holders_mutex = PTHREAD_MUTEX_INITIALIZER; /* of the table */
static dlferry_holder *dlferry_holders[DLFERRY_HOLDERS];
static _Atomic int64_t dlferry_gone_count;  /* in all lists: most calls need not search */
static _Atomic int64_t dlferry_lent_count;  /* of all holders, likewise */
static _Atomic int64_t dlferry_taken_count; /* handles in the table with a taker */

static inline dlferry_holder **dlferry_find_holder(const void *handle) {
  dlferry_holder **at = &dlferry_holders[((uintptr_t)handle >> 4) % DLFERRY_HOLDERS];
  while (*at && (*at)->handle != handle) {
    at = &(*at)->next;
  }
  return at;
}

/* Find or make the holder of an open handle, under the mutex; NULL without memory. */
static inline dlferry_holder *dlferry_holder_of(void *handle) {
  dlferry_holder **at = dlferry_find_holder(handle);
  dlferry_holder *holder = *at;
  const bool is_new = !holder;
  if (is_new) {
    holder = (dlferry_holder *)calloc(1, sizeof *holder);
  }
  if (is_new && holder) {
    holder->handle = handle;
    atomic_init(&holder->users, 1);
    atomic_init(&holder->lent, 0);
    atomic_init(&holder->gone, NULL);
    *at = holder;
  }
  return holder;
}

/* @section facts */
/* A number that calls have left with a handle. */
typedef struct dlferry_fact {
  const char *name;
  int64_t value;
  bool known; /* not after a failure of what would replace it */
  struct dlferry_fact *next;
} dlferry_fact;

static inline void dlferry_free_facts(dlferry_fact *fact) {
  while (fact) {
    dlferry_fact *next = fact->next;
    free(fact);
    fact = next;
  }
}

/* @section holders */
/* Count one more user of a handle; NULL without memory. */
DLFERRY_HELPER dlferry_holder *dlferry_hold(void *handle) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = dlferry_holder_of(handle);
  if (holder) {
    atomic_fetch_add_explicit(&holder->users, 1, memory_order_relaxed);
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  return holder;
}

static inline void dlferry_let_go(void *tensor) {
  dlf_release((dlf_tensor *)tensor);
}

/* Another reference to a tensor that C keeps as a DLTensor; if that does not suit kernels, a handle
 * on one that does. NULL without memory. */
DLFERRY_HELPER dlf_tensor *dlferry_hold_for_kernel(dlf_tensor *tensor) {
  const DLTensor *t = dlf_dltensor(tensor);
  dlferry_room room;
  dlf_tensor *held = NULL;
  const uint64_t flags = dlf_flags(tensor) & ~DLF_FLAGS_UNKNOWN;
  if (dlferry_suits_kernels(t) || !dlferry_is_address(t)) {
    return dlf_retain(tensor);
  }
  t = dlferry_fill_room(t, &room);
  if (dlf_wrap(t, flags, dlf_retain(tensor), dlferry_let_go, &held, NULL)) {
    dlf_release(tensor);
  }
  return held;
}

/* Let a handle keep a tensor until it is freed. */
DLFERRY_HELPER dlf_status dlferry_keep(const char *where, void *handle, dlf_tensor *tensor,
                                       dlf_error *error) {
  bool done = false;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = dlferry_holder_of(handle);
  if (holder && holder->kept_count == holder->kept_capacity) {
    const size_t capacity = 2 * holder->kept_capacity + 4;
    dlf_tensor **more = (dlf_tensor **)realloc(holder->kept, capacity * sizeof(dlf_tensor *));
    if (more) {
      holder->kept = more;
      holder->kept_capacity = capacity;
    }
  }
  if (holder && holder->kept_count < holder->kept_capacity) {
    holder->kept[holder->kept_count++] = dlf_retain(tensor);
    done = true;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (done) {
    return DLF_OK;
  }
  return dlferry_fail(
      error, DLF_NO_MEMORY, "%s: expected memory to keep a tensor, got none", where);
}

/* C did not keep it after all. */
DLFERRY_HELPER void dlferry_forget(void *handle, dlf_tensor *tensor) {
  bool found = false;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  for (size_t i = holder ? holder->kept_count : 0; i-- > 0 && !found;) {
    found = holder->kept[i] == tensor;
    if (found) {
      holder->kept[i] = holder->kept[--holder->kept_count];
    }
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (found) {
    dlf_release(tensor); /* outside: a deleter may do anything */
  }
}

/* Free what released tensors left. Only a call that changes the handle does so, or its end. If f
 * has a lock, it is that of the handle's functions. */
DLFERRY_HELPER void dlferry_free_gone(dlferry_holder *holder) {
  dlferry_owned *owned = atomic_exchange_explicit(&holder->gone, NULL, memory_order_acquire);
  while (owned) {
    dlferry_owned *next = owned->next;
    owned->give_back(holder->handle, owned->data);
    free(owned);
    atomic_fetch_sub_explicit(&dlferry_gone_count, 1, memory_order_relaxed);
    owned = next;
  }
}

DLFERRY_HELPER void dlferry_clear(void *handle) {
  if (atomic_load_explicit(&dlferry_gone_count, memory_order_relaxed) == 0) {
    return;
  }
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (holder) {
    dlferry_free_gone(holder);
  }
}

/* Leave memory to the next call that changes the handle, or to its end. */
static inline void dlferry_put_gone(dlferry_holder *holder, dlferry_owned *owned) {
  dlferry_owned *head = atomic_load_explicit(&holder->gone, memory_order_relaxed);
  atomic_fetch_add_explicit(&dlferry_gone_count, 1, memory_order_relaxed);
  do {
    owned->next = head;
  } while (!atomic_compare_exchange_weak_explicit(
      &holder->gone, &head, owned, memory_order_release, memory_order_relaxed));
}

static inline void dlferry_end_inside(dlf_deferred *self) {
  dlferry_holder *holder = (dlferry_holder *)(void *)self;
  dlferry_free_gone(holder);
  if (holder->end && holder->owner) {
    dlferry_put_gone(holder->owner, holder->ending);
    holder->ending = NULL;
  } else if (holder->end) {
    holder->end(holder->handle);
  }
  free(holder->ending);
}

/* Call both, inside the lock and after it, without waiting for it. */
DLFERRY_HELPER void dlferry_run(const char *lock, dlf_deferred *work,
                                void (*inside)(dlf_deferred *self),
                                void (*after)(dlf_deferred *self)) {
  work->inside = inside;
  work->after = after;
  if (lock) {
    dlf_lock_defer(lock, work);
  } else {
    inside(work);
    after(work);
  }
}

static inline bool dlferry_is_last(dlferry_holder *holder) {
  return atomic_fetch_sub_explicit(&holder->users, 1, memory_order_acq_rel) == 1;
}

/* Outside of every lock: the deleter of a kept tensor may wait, for Python's GIL. Kept handles end
 * after the handle: a list, since a chain of them may be long. */
static inline void dlferry_end_after(dlf_deferred *self) {
  dlferry_holder *list = (dlferry_holder *)(void *)self;
  list->next = NULL;
  while (list) {
    dlferry_holder *ended = list;
    list = ended->next;
    for (size_t i = 0; i < ended->kept_count; i++) {
      dlf_release(ended->kept[i]);
    }
    for (size_t i = 0; i < ended->handle_count; i++) {
      dlferry_holder *kept = ended->handles[i].holder;
      if (!dlferry_is_last(kept)) {
        continue;
      }
      if (kept->lock) {
        dlferry_run(kept->lock, &kept->deferred, dlferry_end_inside, dlferry_end_after);
      } else {
        dlferry_end_inside(&kept->deferred);
        kept->next = list;
        list = kept;
      }
    }
    free(ended->kept);
    free(ended->handles);
    /* @section facts */
    dlferry_free_facts(ended->facts);
    /* @section holders */
    dlf_object_gone(ended->box);
    free(ended);
  }
}

/* One user less; the last one ends the handle. */
DLFERRY_HELPER void dlferry_unhold(dlferry_holder *holder) {
  if (dlferry_is_last(holder)) {
    dlferry_run(holder->lock, &holder->deferred, dlferry_end_inside, dlferry_end_after);
  }
}

/* Tell whether a handle keeps another one, itself or through others; under the mutex. */
DLFERRY_HELPER bool dlferry_keeps(dlferry_holder *from, const dlferry_holder *wanted) {
  static uint64_t searches;
  const uint64_t search = ++searches;
  dlferry_holder *todo = from;
  from->todo = NULL;
  from->search = search;
  while (todo && todo != wanted) {
    const dlferry_holder *at = todo;
    todo = at->todo;
    for (size_t i = 0; i < at->handle_count; i++) {
      dlferry_holder *kept = at->handles[i].holder;
      if (kept->search != search) {
        kept->search = search;
        kept->todo = todo;
        todo = kept;
      }
    }
  }
  return todo != NULL;
}

/* Return the place of a handle among those that another one keeps; their number for none. */
static inline size_t dlferry_place_of(const dlferry_holder *keeper, const dlferry_holder *kept) {
  size_t i = 0;
  while (i < keeper->handle_count && keeper->handles[i].holder != kept) {
    i++;
  }
  return i;
}

/* Note a handle that C keeps; false without memory. Under the mutex. */
static inline bool dlferry_add_handle(dlferry_holder *keeper, dlferry_holder *kept) {
  const size_t place = dlferry_place_of(keeper, kept);
  if (place == keeper->handle_capacity) {
    const size_t capacity = 2 * keeper->handle_capacity + 4;
    dlferry_kept_handle *more =
        (dlferry_kept_handle *)realloc(keeper->handles, capacity * sizeof(dlferry_kept_handle));
    if (!more) {
      return false;
    }
    keeper->handles = more;
    keeper->handle_capacity = capacity;
  }
  if (place == keeper->handle_count) {
    keeper->handles[keeper->handle_count++] = (dlferry_kept_handle){kept, 0};
    atomic_fetch_add_explicit(&kept->users, 1, memory_order_relaxed);
  }
  keeper->handles[place].times++;
  return true;
}

/* Let a handle keep another one: it is freed after it. Two that keep each other would never be. */
DLFERRY_HELPER dlf_status dlferry_keep_handle(const char *where, void *handle, void *kept,
                                              dlf_error *error) {
  bool done = false;
  bool circle = false;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *keeper = dlferry_holder_of(handle);
  dlferry_holder *holder = dlferry_holder_of(kept);
  if (keeper && holder) {
    circle = dlferry_keeps(holder, keeper);
    done = !circle && dlferry_add_handle(keeper, holder);
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (done) {
    return DLF_OK;
  }
  if (circle) {
    return dlferry_fail(
        error,
        DLF_INVALID,
        "%s: expected an object that does not keep the one that is to keep it, got one that does",
        where);
  }
  return dlferry_fail(
      error, DLF_NO_MEMORY, "%s: expected memory to keep an object, got none", where);
}

/* C did not keep it after all. It stays, since the caller has it. */
DLFERRY_HELPER void dlferry_forget_handle(void *handle, void *kept) {
  dlferry_holder *released = NULL;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *keeper = *dlferry_find_holder(handle);
  dlferry_holder *holder = *dlferry_find_holder(kept);
  const size_t place = dlferry_place_of(keeper, holder);
  if (--keeper->handles[place].times == 0) {
    keeper->handles[place] = keeper->handles[--keeper->handle_count];
    released = holder;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (released) {
    dlferry_unhold(released);
  }
}

/* The owner frees the handle: at once, unless tensors need it. It leaves the table first, since C
 * may give its address to the next handle. */
DLFERRY_HELPER void dlferry_drop(void *handle, void (*end)(void *handle), const char *lock) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder **at = dlferry_find_holder(handle);
  dlferry_holder *holder = *at;
  if (!holder && lock) {
    holder = dlferry_holder_of(handle); /* whose memory waits for the lock */
  }
  at = dlferry_find_holder(handle);
  if (holder) {
    *at = holder->next;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (holder) {
    holder->end = end;
    holder->lock = lock;
    holder->box = dlf_object_linger();
    dlferry_holder *taker = holder->taker;
    if (taker) {
      holder->end = NULL;
      holder->lock = NULL;
      atomic_fetch_sub_explicit(&dlferry_taken_count, 1, memory_order_relaxed);
    }
    dlferry_unhold(holder);
    if (taker) {
      dlferry_unhold(taker);
    }
  } else {
    if (lock) {
      dlf_lock_enter(lock);
    }
    end(handle);
    if (lock) {
      dlf_lock_leave(lock);
    }
  }
}

static inline void dlferry_free_nothing(void *handle, void *data) {
  (void)handle;
  (void)data;
}

static inline void dlferry_give_back(dlf_deferred *self) {
  dlferry_owned *owned = (dlferry_owned *)(void *)self;
  owned->give_back(NULL, owned->data);
}

static inline void dlferry_free_owned(dlf_deferred *self) {
  free(self);
}

static inline void dlferry_delete_owned(DLManagedTensorVersioned *managed) {
  dlferry_owned *owned = (dlferry_owned *)managed->manager_ctx;
  dlferry_holder *holder = owned->holder;
  if (owned->until_change) {
    atomic_fetch_sub_explicit(&holder->lent, 1, memory_order_release);
    atomic_fetch_sub_explicit(&dlferry_lent_count, 1, memory_order_release);
  }
  if (!holder) {
    dlferry_run(owned->lock, &owned->deferred, dlferry_give_back, dlferry_free_owned);
  } else if (!owned->give_back) {
    free(owned);
  } else {
    dlferry_put_gone(holder, owned);
  }
  if (holder) {
    dlferry_unhold(holder);
  }
}

/* Make the tensor. If that fails, the memory is freed at once: the call still has the handle. */
DLFERRY_HELPER dlf_status dlferry_own(const dlferry_gift *gift, dlf_status verdict, void *handle,
                                      void (*give_back)(void *handle, void *data), const char *lock,
                                      DLManagedTensorVersioned **out, dlf_error *error) {
  int64_t bytes = 0;
  size_t rank;
  if (gift->ndim < 0 || gift->ndim > DLF_MAX_NDIM) {
    rank = 0;
  } else {
    rank = (size_t)gift->ndim;
  }
  dlferry_owned *owned = NULL;
  if (!verdict) {
    verdict = dlferry_measure(gift, &bytes, error);
  }
  if (!verdict) {
    owned = (dlferry_owned *)calloc(1, sizeof *owned + 2 * rank * sizeof *owned->numbers);
    if (owned && handle) {
      owned->holder = dlferry_hold(handle);
    }
    if (!owned || (handle && !owned->holder)) {
      verdict = dlferry_fail(
          error, DLF_NO_MEMORY, "%s: expected memory for a tensor, got none", gift->where);
    }
  }
  if (verdict) {
    if (lock) {
      dlf_lock_enter(lock);
    }
    if (give_back && gift->data) {
      give_back(handle, gift->data);
    }
    if (lock) {
      dlf_lock_leave(lock);
    }
    free(owned);
    return verdict;
  }
  owned->data = gift->data;
  owned->lock = lock;
  if (gift->data) {
    owned->give_back = give_back;
  }
  if (!handle && !owned->give_back) {
    owned->give_back = dlferry_free_nothing;
  }
  for (size_t i = 0; i < rank; i++) {
    owned->numbers[i] = gift->shape[i];
  }
  dlferry_lay_out(gift, owned->numbers + rank);
  owned->managed.version = (DLPackVersion){DLF_DLPACK_MAJOR, DLF_DLPACK_MINOR};
  owned->managed.manager_ctx = owned;
  owned->managed.deleter = dlferry_delete_owned;
  if (gift->constant) {
    owned->managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  }
  owned->managed.dl_tensor = (DLTensor){bytes ? gift->data : NULL,
                                        {kDLCPU, 0},
                                        gift->ndim,
                                        gift->dtype,
                                        owned->numbers,
                                        owned->numbers + rank,
                                        0};
  *out = &owned->managed;
  return DLF_OK;
}

/* A tensor over memory that is valid until the handle is freed. */
DLFERRY_HELPER dlf_status dlferry_lend(const dlferry_gift *gift, dlf_status verdict, void *handle,
                                       DLManagedTensorVersioned **out, dlf_error *error) {
  return dlferry_own(gift, verdict, handle, NULL, NULL, out, error);
}

/* @section interface */
/* ---- NumPy's array interface, as JSON ---- */

DLFERRY_HELPER char *dlferry_put(char *to, const char *text) {
  while (*text) {
    *to++ = *text++;
  }
  return to;
}

DLFERRY_HELPER char *dlferry_put_number(char *to, uint64_t value, bool negative) {
  char digits[20];
  int count = 0;
  do {
    digits[count++] = (char)('0' + value % 10);
  } while (value /= 10);
  if (negative) {
    *to++ = '-';
  }
  while (count) {
    *to++ = digits[--count];
  }
  return to;
}

/* The letter of a dtype in a typestr, or 0. */
DLFERRY_HELPER char dlferry_typestr(DLDataType t) {
  if (t.lanes != 1 || t.bits % 8 || !t.bits) {
    return 0;
  }
  switch (t.code) {
  case kDLInt:
    return 'i';
  case kDLUInt:
    return 'u';
  case kDLFloat:
    if (t.bits > 8) {
      return 'f';
    }
    return 0;
  case kDLComplex:
    if (t.bits > 32) {
      return 'c';
    }
    return 0;
  case kDLBool:
    if (t.bits == 8) {
      return 'b';
    }
    return 0;
  default:
    return 0;
  }
}

/* Write {"data": [address, true], ...}; false if the dtype or a stride in bytes cannot be said. */
DLFERRY_HELPER bool dlferry_array_interface(const DLTensor *t, char *to) {
  const uint16_t probe = 1;
  const char letter = dlferry_typestr(t->dtype);
  const char type[] = {letter, '\0'};
  const int64_t item = t->dtype.bits / 8;
  if (!letter) {
    return false;
  }
  to = dlferry_put(to, "{\"data\": [");
  to = dlferry_put_number(to, (uint64_t)(uintptr_t)dlf_data(t), false);
  to = dlferry_put(to, ", true], \"shape\": [");
  for (int32_t i = 0; i < t->ndim; i++) {
    if (i) {
      to = dlferry_put(to, ", ");
    }
    to = dlferry_put_number(to, (uint64_t)t->shape[i], false);
  }
  to = dlferry_put(to, "], \"strides\": [");
  for (int32_t i = 0; i < t->ndim; i++) {
    const int64_t stride =
        dlferry_stride(t, i); /* elements in memory: their number times their size is no overflow */
    if (stride > INT64_MAX / item || stride < -(INT64_MAX / item)) {
      return false;
    }
    if (i) {
      to = dlferry_put(to, ", ");
    }
    to = dlferry_put_number(
        to, (uint64_t)(stride < 0 ? -stride : stride) * (uint64_t)item, stride < 0);
  }
  to = dlferry_put(to, "], \"typestr\": \"");
  if (item == 1) {
    *to++ = '|';
  } else if (*(const char *)&probe) { /* little-endian */
    *to++ = '<';
  } else {
    *to++ = '>';
  }
  to = dlferry_put(to, type);
  to = dlferry_put_number(to, (uint64_t)item, false);
  to = dlferry_put(to, "\", \"version\": 3}");
  *to = '\0';
  return true;
}

DLFERRY_HELPER dlf_status dlferry_no_interface(const char *where, const DLTensor *t,
                                               dlf_error *error) {
  char name[DLF_NAME_CAPACITY];
  dlf_dtype_format_short(t->dtype, name, sizeof name);
  if (dlferry_typestr(t->dtype)) {
    return dlferry_fail(
        error, DLF_OVERFLOW, "%s: expected strides below 2^63 bytes, got larger ones", where);
  }
  return dlferry_fail(
      error, DLF_DTYPE, "%s: expected a dtype of NumPy's array interface, got %s", where, name);
}

/* @section cut */
/* ---- outputs of which the kernel reports how much it wrote ---- */

DLFERRY_HELPER dlf_status dlferry_miscounted(const char *who, uint64_t count, bool below,
                                             const char *name, const char *wanted,
                                             dlf_error *error) {
  return dlferry_fail(error,
                      DLF_FOREIGN,
                      below ? "%s %lld for %s, expected %s" : "%s %llu for %s, expected %s",
                      who,
                      (unsigned long long)count,
                      name,
                      wanted);
}

/* Refuse a number that would read memory which is not there. */
DLFERRY_HELPER dlf_status dlferry_count(const char *who, uint64_t count, bool below,
                                        const char *name, int64_t most, dlf_error *error) {
  char wanted[64];
  if (!below && count <= (uint64_t)most) {
    return DLF_OK;
  }
  snprintf(wanted, sizeof wanted, "0 to %lld", (long long)most);
  return dlferry_miscounted(who, count, below, name, wanted, error);
}

/* Replace a made output by a view of its first elements along an axis, which counts from the end if
 * it is negative. */
DLFERRY_HELPER dlf_status dlferry_cut(DLManagedTensorVersioned **made, int32_t axis, int64_t count,
                                      dlf_error *error) {
  dlf_tensor *whole = NULL;
  dlf_tensor *part = NULL;
  if (axis < 0) {
    axis += (*made)->dl_tensor.ndim;
  }
  if ((*made)->dl_tensor.shape[axis] == count) {
    return DLF_OK;
  }
  dlf_status status = dlf_from_dlpack(*made, &whole, error);
  if (status) {
    return status;
  }
  *made = NULL;
  status = dlf_slice(whole, axis, 0, count, 1, &part, error);
  if (!status) {
    status = dlf_to_dlpack(part, made, error);
  }
  dlf_release(part);
  dlf_release(whole);
  return status;
}
