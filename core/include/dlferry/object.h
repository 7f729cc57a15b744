/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: a C library's own struct in a runtime whose threads may use and close it at any time. Generated packages call
 * these functions. */
#ifndef DLFERRY_OBJECT_H
#define DLFERRY_OBJECT_H

#include <dlferry.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Object (C only) ---- */

/** Counted box around a pointer that a C library gave and frees, with a lock for the calls that use it. */
typedef struct dlf_object dlf_object;

/** What a call does to an object. Values are never renumbered. */
typedef enum dlf_use_mode {
  DLF_USE_EXCLUSIVE = 0, /**< changes it: alone */
  DLF_USE_SHARED = 1,    /**< reads it: beside others that read */
  DLF_USE_UNLOCKED = 2   /**< the C library locks by itself */
} dlf_use_mode;

/** One object in one call, in memory of the caller that stays where it is from dlf_object_enter to dlf_object_leave. */
typedef struct dlf_use {
  dlf_object *object; /**< NULL counts as closed */
  const char *name;   /**< of the parameter, for messages */
  const char *type;   /**< of the object, likewise: "codec" */
  int32_t mode;       /**< a dlf_use_mode */
  int32_t held;       /**< the hub's own, as what follows pointer */
  void *pointer;      /**< lent from a successful dlf_object_enter to dlf_object_leave: what C gets */
  uintptr_t thread;
  struct dlf_use *next;
  void *waiting;
} dlf_use;

/** Put a box around what a C library gave.
 *  Takes owned: release(owned) runs once, when the box is closed and no call is inside. Keeps the parents, which are
 *  entered: C may have made the new object of them, so they are freed after it. Gives *out. Fails with NO_MEMORY. */
DLF_API dlf_status dlf_object_create(void *owned, void (*release)(void *owner), const dlf_use *parents, int32_t count,
                                     dlf_object **out, dlf_error *error);

/** Enter a call: lock its objects, in one order whatever the order of the uses, and keep them open until it leaves.
 *  Borrows all. Waits its turn, first come first served. Fails with INVALID for an object that is closed, that the call uses twice and changes, or that a call
 *  of the same thread is inside of, unless both only read; then nothing is entered.
 *  @param function opens the messages
 *  @param busy     NULL to wait. Else the call never waits: *busy tells whether it would have, and the status is then
 *                  INVALID without a message */
DLF_API dlf_status dlf_object_enter(const char *function, dlf_use *uses, int32_t count, bool *busy, dlf_error *error);

/** Leave a call that was entered, on the same thread. What was closed meanwhile is freed by the last call to leave. */
DLF_API void dlf_object_leave(dlf_use *uses, int32_t count);

/** Let no call enter any more: C frees the object now, or when the last call leaves. Never waits. Twice does no harm;
 *  NULL does nothing. */
DLF_API void dlf_object_close(dlf_object *self);

/** Tell whether calls may enter; false for NULL. */
DLF_API bool dlf_object_is_open(const dlf_object *self);

/** Close an object and let go of its box, which the calls that are inside keep. Never waits, nor does a child of fork(),
 *  which has lost the threads of calls inside. NULL does nothing. */
DLF_API void dlf_object_release(dlf_object *self);

#ifdef __cplusplus
}
#endif

#endif
