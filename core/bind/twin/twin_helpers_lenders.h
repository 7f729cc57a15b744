/* SPDX-License-Identifier: Apache-2.0 */
/* For the twins: handles that lend tensors until a change, and handles that others take. See
 * twin_helpers.h; this is its fifth part. */
/* @section holders */
/* ---- tensors until a change ---- */

/* A tensor over memory that the next change of the handle may free. */
DLFERRY_HELPER dlf_status dlferry_lend_until_change(const dlferry_gift *gift, dlf_status verdict,
                                                    void *handle, DLManagedTensorVersioned **out,
                                                    dlf_error *error) {
  verdict = dlferry_lend(gift, verdict, handle, out, error);
  if (!verdict) {
    dlferry_owned *owned = (dlferry_owned *)(*out)->manager_ctx;
    owned->until_change = true;
    atomic_fetch_add_explicit(&owned->holder->lent, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&dlferry_lent_count, 1, memory_order_relaxed);
  }
  return verdict;
}

/* Refuse a change of a handle that such tensors have the memory of. */
DLFERRY_HELPER dlf_status dlferry_unlent(const char *where, void *handle, const char *name,
                                         const char *change, dlf_error *error) {
  if (atomic_load_explicit(&dlferry_lent_count, memory_order_acquire) == 0) {
    return DLF_OK;
  }
  int64_t lent = 0;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  if (holder) {
    lent = atomic_load_explicit(&holder->lent, memory_order_acquire);
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (lent == 0) {
    return DLF_OK;
  }
  return dlferry_fail(error,
                      DLF_INVALID,
                      "%s: expected a %s that lends no tensor, got one that lends %lld: release "
                      "them before it %s",
                      where,
                      name,
                      (long long)lent,
                      change);
}

/* The same for a part of what lends: it does not know which object that is, so none may lend. */
DLFERRY_HELPER dlf_status dlferry_unlent_whole(const char *where, dlf_error *error) {
  const int64_t lent = atomic_load_explicit(&dlferry_lent_count, memory_order_acquire);
  if (lent == 0) {
    return DLF_OK;
  }
  return dlferry_fail(error,
                      DLF_INVALID,
                      "%s: expected no lent tensor, which it may change, got %lld: release them",
                      where,
                      (long long)lent);
}

/* ---- handles that others take ----
 *
 * C frees a taken handle with its taker. Its owner still has the address, and perhaps objects that
 * were made from it, so the taker waits for the end of both. */

DLFERRY_HELPER bool dlferry_is_taken(void *handle) {
  if (atomic_load_explicit(&dlferry_taken_count, memory_order_acquire) == 0) {
    return false;
  }
  pthread_mutex_lock(&dlferry_holders_mutex);
  const dlferry_holder *holder = *dlferry_find_holder(handle);
  const bool taken = holder && holder->taker;
  pthread_mutex_unlock(&dlferry_holders_mutex);
  return taken;
}

/* Note that C takes a handle. Its users are the owner and, from here on, the taker. */
DLFERRY_HELPER dlf_status dlferry_take_handle(const char *where, void *handle, void *taken,
                                              dlf_error *error) {
  const dlf_status status = dlferry_keep_handle(where, handle, taken, error);
  if (status) {
    return status;
  }
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *taker = *dlferry_find_holder(handle);
  dlferry_holder *holder = *dlferry_find_holder(taken);
  const bool alone =
      !holder->taker && atomic_load_explicit(&holder->users, memory_order_acquire) == 2;
  if (alone) {
    holder->taker = taker;
    atomic_fetch_add_explicit(&taker->users, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&dlferry_taken_count, 1, memory_order_release);
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (alone) {
    return DLF_OK;
  }
  dlferry_forget_handle(handle, taken);
  return dlferry_fail(
      error,
      DLF_INVALID,
      "%s: expected an object that lends no tensor and that no other one keeps, got "
      "one that does: release what needs it",
      where);
}

/* C did not take it after all. */
DLFERRY_HELPER void dlferry_leave_handle(void *handle, void *taken) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(taken);
  dlferry_holder *taker = holder->taker;
  holder->taker = NULL;
  pthread_mutex_unlock(&dlferry_holders_mutex);
  atomic_fetch_sub_explicit(&dlferry_taken_count, 1, memory_order_relaxed);
  dlferry_unhold(taker);
  dlferry_forget_handle(handle, taken);
}

/* @section origins */
/* Tell whether a handle keeps another one, from which it was made. */
DLFERRY_HELPER bool dlferry_was_made_from(void *handle, void *origin) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  const dlferry_holder *holder = *dlferry_find_holder(handle);
  const dlferry_holder *from = *dlferry_find_holder(origin);
  const bool made = holder && from && dlferry_place_of(holder, from) < holder->handle_count;
  pthread_mutex_unlock(&dlferry_holders_mutex);
  return made;
}

/* @section facts */
/* ---- numbers that handles keep ---- */

/* One beyond 63 bits, which no memory has, is the largest. */
static inline int64_t dlferry_fact_of(uint64_t value) {
  return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* Find a number that a handle keeps, under the mutex; NULL for none. */
static inline dlferry_fact *dlferry_find_fact(const void *handle, const char *name) {
  const dlferry_holder *holder = *dlferry_find_holder(handle);
  dlferry_fact *fact = holder ? holder->facts : NULL;
  while (fact && strcmp(fact->name, name) != 0) {
    fact = fact->next;
  }
  return fact;
}

/* C may change the number from now on, also if it fails. */
DLFERRY_HELPER void dlferry_doubt(const void *handle, const char *name) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_fact *fact = dlferry_find_fact(handle, name);
  if (fact) {
    fact->known = false;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
}

/* Let a handle keep a number, instead of an earlier one. */
DLFERRY_HELPER dlf_status dlferry_note(const char *where, void *handle, const char *name,
                                       int64_t value, dlf_error *error) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = dlferry_holder_of(handle);
  dlferry_fact *fact = dlferry_find_fact(handle, name);
  if (holder && !fact) {
    fact = (dlferry_fact *)calloc(1, sizeof *fact);
    if (fact) {
      *fact = (dlferry_fact){name, 0, false, holder->facts};
      holder->facts = fact;
    }
  }
  if (fact) {
    fact->value = value;
    fact->known = true;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (fact) {
    return DLF_OK;
  }
  return dlferry_fail(
      error, DLF_NO_MEMORY, "%s: expected memory to keep a number, got none", where);
}

/* Read a number that a handle keeps. */
DLFERRY_HELPER dlf_status dlferry_recall(const char *where, void *handle, const char *name,
                                         int64_t *value, dlf_error *error) {
  pthread_mutex_lock(&dlferry_holders_mutex);
  const dlferry_fact *fact = dlferry_find_fact(handle, name);
  const bool known = fact && fact->known;
  if (known) {
    *value = fact->value;
  }
  pthread_mutex_unlock(&dlferry_holders_mutex);
  if (known) {
    return DLF_OK;
  }
  return dlferry_fail(error,
                      DLF_INVALID,
                      "%s: expected one whose number %s is known, got another one",
                      where,
                      name);
}

/* @section owners */
/* ---- handles that C frees by a call that needs another one ----
 *
 * The handle keeps that owner. Its end waits for a call that changes the owner, and so has its
 * lock, or for the owner's end. */

/* What the owner of such a handle calls; what it leaves is freed later. */
static inline void dlferry_end_later(void *handle) {
  (void)handle;
}

/* Note what the end of a new handle needs; without memory free it now, and return false. */
DLFERRY_HELPER bool dlferry_end_with(void *handle, void *owner,
                                     void (*give_back)(void *owner, void *handle)) {
  dlferry_owned *ending = (dlferry_owned *)calloc(1, sizeof *ending);
  if (!ending || dlferry_keep_handle("", handle, owner, NULL)) {
    free(ending);
    dlferry_drop(handle, dlferry_end_later, NULL);
    give_back(owner, handle);
    return false;
  }
  ending->data = handle;
  ending->give_back = give_back;
  pthread_mutex_lock(&dlferry_holders_mutex);
  dlferry_holder *holder = *dlferry_find_holder(handle);
  holder->owner = *dlferry_find_holder(owner);
  holder->ending = ending;
  pthread_mutex_unlock(&dlferry_holders_mutex);
  return true;
}

/* @section filled */
/* A tensor over memory of a handle, as C has described it in a DLManagedTensor. C's deleter frees
 * the description alone, which is copied: the handle has the memory. */
DLFERRY_HELPER dlf_status dlferry_lend_filled(const char *where, DLManagedTensor *filled,
                                              dlf_status verdict, void *handle, bool until_change,
                                              DLManagedTensorVersioned **out, dlf_error *error) {
  const DLTensor *t = &filled->dl_tensor;
  const dlferry_gift gift = {where, NULL, t->data, t->dtype, t->ndim, t->shape, true, false, true};
  if (!verdict && (t->ndim < 0 || t->ndim > DLF_MAX_NDIM || (t->ndim && !t->shape))) {
    verdict = dlferry_fail(
        error, DLF_FOREIGN, "%s: kernel gave %d axes, or no extents", where, (int)t->ndim);
  }
  if (!verdict && until_change) {
    verdict = dlferry_lend_until_change(&gift, verdict, handle, out, error);
  } else if (!verdict) {
    verdict = dlferry_lend(&gift, verdict, handle, out, error);
  }
  if (!verdict) {
    DLTensor *made = &(*out)->dl_tensor;
    made->device = t->device;
    made->byte_offset = t->byte_offset;
    for (int32_t i = 0; i < t->ndim && t->strides; i++) {
      made->strides[i] = t->strides[i];
    }
  }
  if (filled->deleter) {
    filled->deleter(filled);
  }
  return verdict;
}
