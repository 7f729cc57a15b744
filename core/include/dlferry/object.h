/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: a C library's struct in a runtime whose threads may use and close it at any time.
 * Generated packages call these functions. */
#ifndef DLFERRY_OBJECT_H
#define DLFERRY_OBJECT_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Object (C only: what is around the handles of generated packages) ---- */

/** Counted box around a C library's pointer, with a lock for the calls that use it. */
typedef struct dlf_object dlf_object;

/** How a call uses an object. Values are never renumbered. */
typedef enum dlf_use_mode {
  DLF_USE_EXCLUSIVE = 0, /**< changes it: alone */
  DLF_USE_SHARED = 1,    /**< reads it: with other readers */
  DLF_USE_UNLOCKED = 2,  /**< the C library locks by itself */
  DLF_USE_ABSENT = 3     /**< there is none: C gets NULL, and object is NULL */
} dlf_use_mode;

/** The hub's notes on an object that is entered. Callers only keep them. */
typedef struct dlf_use_notes {
  int32_t held;
  int32_t reserved;
  uintptr_t thread;
  struct dlf_use *next;
  void *waiting;
  dlf_object *root;
} dlf_use_notes;

/** One object in one call. Begin with DLF_USE_INIT.
 *  It is the caller's memory, and stays in place from dlf_object_enter to dlf_object_leave. All
 * uses of a call have the same size. */
typedef struct dlf_use {
  int64_t size;       /**< of this structure, like in dlf_backend */
  dlf_object *object; /**< NULL counts as closed, unless the mode is ABSENT */
  const char *name;   /**< of the parameter, for messages */
  const char *type;   /**< of the object, likewise: "codec" */
  int32_t mode;       /**< a dlf_use_mode */
  int32_t item;       /**< its place in a list of objects, from 1, for messages; 0 for one alone */
  void *pointer;      /**< for C; lent from a successful dlf_object_enter to dlf_object_leave. Set
                         it to NULL once C has freed it in an EXCLUSIVE use: that closes the object */
  dlf_use_notes notes;
} dlf_use;
#define DLF_USE_INIT {sizeof(dlf_use), 0, 0, 0, 0, 0, 0, {0, 0, 0, 0, 0, 0}}

/** Box a pointer that a C library gave.
 *  Takes owned: release(owned) runs once, when the box is closed and no call is inside. Keeps the
 * parents, which are entered: C may have made the new object from them, so they are freed after it.
 * Gives *out. Fails with INVALID for NULL, also of a parent that is not ABSENT,
 * or NO_MEMORY. */
DLF_API dlf_status dlf_object_create(void *owned, void (*release)(void *owner),
                                     const dlf_use *parents, int32_t count, dlf_object **out,
                                     dlf_error *error);

/** Box a pointer into an object: something that C frees with it.
 *  Keeps the owner, which is entered, and so may be closed while this one lives. Both have one
 * lock: calls of one wait for those of the other, and a call may get both. owner may be NULL: C
 * never frees what it lends then. Gives *out. Fails with INVALID for NULL, or NO_MEMORY. */
DLF_API dlf_status dlf_object_borrow(void *lent, const dlf_use *owner, dlf_object **out,
                                     dlf_error *error);

/** Enter a call: lock its objects in a fixed order and keep them open until it leaves.
 *  Borrows all. Waits its turn, first come first served. Fails with INVALID for a mode outside
 * dlf_use_mode, for a closed object, and for one that the call uses twice or that a call of the
 * same thread is inside, unless no use is EXCLUSIVE; then nothing is entered. The uses keep their
 * modes: the same array may be entered again.
 *  @param function opens the messages
 *  @param busy     NULL to wait. Otherwise the call never waits: *busy tells whether it would have,
 * and the status is then INVALID without a message */
DLF_API dlf_status dlf_object_enter(const char *function, dlf_use *uses, int32_t count, bool *busy,
                                    dlf_error *error);

/** Leave an entered call, on the same thread.
 *  The last call to leave frees objects that were closed meanwhile. */
DLF_API void dlf_object_leave(dlf_use *uses, int32_t count);

/** Enter one object inside a lock of the caller's runtime, such as Python's GIL, without atomic
 * operations. The caller holds that lock, and so do all users of an object here and in
 * dlf_object_leave_guarded, until one calls dlf_object_unguard. Never waits. Returns false, and
 * enters nothing, if that was called, for a mode outside dlf_use_mode, or if the object is NULL,
 * closed or in use: then call dlf_object_enter, which tells which. */
DLF_API bool dlf_object_enter_guarded(dlf_use *use);

/** Leave one entered object inside that lock.
 *  Returns false, and leaves nothing, if that takes dlf_object_leave: after dlf_object_unguard, and
 * if the object was closed or freed, or calls wait for it. */
DLF_API bool dlf_object_leave_guarded(dlf_use *use);

/** Let threads outside that lock use an object from now on.
 *  Call it inside the lock, before a call that has entered or will enter the object gives up the
 * lock, and before dlf_object_close or dlf_object_release outside it. dlf_object_create does it for
 * parents. A borrowed object and its owner are one here. NULL does nothing. */
DLF_API void dlf_object_unguard(dlf_object *self);

/** Let no further call enter: C frees the object now, or when the last call leaves.
 *  Never waits. Closing twice is allowed; NULL does nothing. */
DLF_API void dlf_object_close(dlf_object *self);

/** Tell whether calls may enter; false for NULL. */
DLF_API bool dlf_object_is_open(const dlf_object *self);

/** Close an object and release its box, which running calls keep.
 *  Never waits, even in a child of fork(), which has lost the threads of calls inside. NULL does
 * nothing. */
DLF_API void dlf_object_release(dlf_object *self);

/** Let an object keep what it was made from, since C frees it only later.
 *  For a release that the hub runs, on its thread. Returns the object, to be passed to
 * dlf_object_gone once C has freed it, or NULL where no release runs. */
DLF_API dlf_object *dlf_object_linger(void);

/** Leave what an object was made from, now that C has freed it.
 *  On any thread, once for each dlf_object_linger. NULL does nothing. */
DLF_API void dlf_object_gone(dlf_object *lingering);

/* ---- Lock (C only: generated packages call it) ---- */

/** The hub's notes on work that is deferred. Callers only keep them. */
typedef struct dlf_deferred_notes {
  struct dlf_deferred *next;
} dlf_deferred_notes;

/** Work that needs a lock of the process and must not wait for it, such as a deleter's.
 *  It is the caller's memory, and stays in place until `after` has run. */
typedef struct dlf_deferred {
  void (*inside)(struct dlf_deferred *self); /**< runs once, inside the lock */
  void (*after)(struct dlf_deferred *self);  /**< runs once after that, outside; may free self */
  dlf_deferred_notes notes;
} dlf_deferred;

/** Enter the lock of this name, for a C library whose functions share state of the whole process.
 *  Waits until no other thread is inside. A thread that is inside may enter again. Enter objects
 * before it, and enter no other lock inside. NULL counts as "". */
DLF_API void dlf_lock_enter(const char *name);

/** Leave a lock on the thread that entered it.
 *  The outermost call runs what was deferred meanwhile. */
DLF_API void dlf_lock_leave(const char *name);

/** Do some work inside a lock without waiting: now, or on the thread that leaves the lock.
 *  Takes owned; NULL does nothing. */
DLF_API void dlf_lock_defer(const char *name, dlf_deferred *owned);

#ifdef __cplusplus
}
#endif

#endif
