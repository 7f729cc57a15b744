/* SPDX-License-Identifier: Apache-2.0 */
/* A DLPack deleter may run on any thread. A thread that holds the main interpreter's GIL releases
 * the Python object at once. Any other puts it in the queue: taking the GIL from outside could wait
 * forever, and races with the interpreter's end. */
#include "release.h"

#include <stdatomic.h>

dlf_queue *dlfpy_queue;
static void *nothing;
void *const *dlfpy_queue_head = &nothing;

/* False from atexit on: then nothing may be scheduled, and later releases are left to the process's
 * end. */
static atomic_bool open_for_calls;

/* Threads that may be inside Py_AddPendingCall, which needs the interpreter. */
static atomic_int scheduling;

/* The main interpreter, the only one that imports this module: all owners are its objects. */
static PyInterpreterState *home;

#if !defined(Py_LIMITED_API) && PY_VERSION_HEX >= 0x030D0000
#define current_thread_state PyThreadState_GetUnchecked
#elif !defined(Py_LIMITED_API)
#define current_thread_state _PyThreadState_UncheckedGet
#endif

/* A thread of a subinterpreter may hold that one's own GIL, which protects none of our objects.
 * PyGILState_Check does not tell: it is true on every thread if there is a subinterpreter or no
 * interpreter. */
static bool holds_the_gil(void) {
#ifdef Py_LIMITED_API
  return false; /* it cannot tell: every release takes the queue */
#else
  PyThreadState *state = current_thread_state();
#if PY_VERSION_HEX < 0x030C0000 /* before the GIL of an interpreter's own this was the holder's    \
                                   state, on any thread */
  if (state != PyGILState_GetThisThreadState()) {
    return false;
  }
#endif
  return state && PyThreadState_GetInterpreter(state) == home;
#endif
}

/* The queue has one consumer. Of two threads without the GIL, the second one leaves the rest to the
 * first, which asks again. */
static int64_t take_waiting(void **owners, int64_t room) {
  static bool busy;
  if (!dlfpy_begin_alone(&busy)) {
    return 0;
  }
  const int64_t count = dlf_queue_drain(dlfpy_queue, owners, room);
  dlfpy_end_alone(&busy);
  return count;
}

/* Calls that release what waits, of all threads. */
static atomic_int draining;

static void release_waiting(void) {
  void *owners[64];
  int64_t count;
  const dlfpy_flight flight =
      dlfpy_set_aside(); /* a capsule's destructor may run with an exception in flight */
  do {
    count = take_waiting(owners, 64);
    for (int64_t i = 0; i < count; i++) {
      Py_DECREF((PyObject *)owners[i]);
    }
  } while (count > 0);
  dlfpy_put_back(flight);
}

/* An object's __del__ may call the hub, which comes here again: so many levels are enough, the
 * outer ones go on. */
void dlfpy_drain_now(void) {
  enum { AT_ONCE = 8 };
  if (atomic_fetch_add(&draining, 1) < AT_ONCE) {
    release_waiting();
  }
  atomic_fetch_sub(&draining, 1);
}

void dlfpy_release(dlf_tensor *owned) {
  const dlfpy_flight flight = dlfpy_set_aside();
  dlf_release(owned);
  dlfpy_put_back(flight);
}

void dlfpy_release_managed(DLManagedTensorVersioned *owned) {
  const dlfpy_flight flight = dlfpy_set_aside();
  dlf_dlpack_release(owned);
  dlfpy_put_back(flight);
}

void dlfpy_release_legacy(DLManagedTensor *owned) {
  const dlfpy_flight flight = dlfpy_set_aside();
  dlf_dlpack_release_legacy(owned);
  dlfpy_put_back(flight);
}

dlf_tensor *dlfpy_wrap(PyObject *owned, const DLTensor *t, uint64_t flags, const char *name) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status = dlf_wrap_queued(t, flags, dlfpy_queue, owned, &out, &error);
  if (status) {
    Py_DECREF(owned); /* first: it may run Python code */
    dlfpy_raise_as(name, "wrap", status, &error);
  }
  return out;
}

/* If the import fails first, the managed tensor is still ours, so we call its deleter. */
dlf_tensor *dlfpy_take(DLManagedTensorVersioned *owned, const char *name) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status = dlf_from_dlpack(owned, &out, &error);
  if (status) {
    dlf_dlpack_release(owned);
    dlfpy_raise_as(name, "from_dlpack", status, &error);
  }
  return out;
}

static void release_owner(void *tensor) {
  dlf_release(tensor);
}

dlf_tensor *dlfpy_redescribe(dlf_tensor *self, const DLTensor *description, uint64_t flags) {
  dlf_tensor *out;
  dlf_error error;
  const dlf_status status =
      dlf_wrap(description, flags, dlf_retain(self), release_owner, &out, &error);
  if (status) {
    dlf_release(self);
    dlfpy_raise(status, &error);
  }
  return out;
}

/* Before CPython 3.12 a subinterpreter runs what its threads schedule: then the next call of the
 * hub drains. */
static int drain_pending(void *Py_UNUSED(context)) {
  if (PyInterpreterState_Get() == home) {
    dlfpy_drain_now();
  }
  return 0;
}

/* Runs on the releasing thread. The deleter of another framework may run it with an exception in
 * flight. */
static bool release_now(void *owner) {
  if (!holds_the_gil() || !atomic_load_explicit(&open_for_calls, memory_order_relaxed)) {
    return false;
  }
#ifndef Py_GIL_DISABLED
  if (Py_REFCNT((PyObject *)owner) > 1) { /* runs no code that could touch the exception */
    Py_DECREF((PyObject *)owner);
    return true;
  }
#endif
  const dlfpy_flight flight = dlfpy_set_aside();
  Py_DECREF((PyObject *)owner);
  dlfpy_put_back(flight);
  return true;
}

/* Runs on a releasing thread without the GIL. If Python's list of pending calls is full, the next
 * call of the hub drains. */
static void wake(void *Py_UNUSED(context)) {
  atomic_fetch_add(
      &scheduling,
      1); /* before the check, so that either this thread or close_at_exit sees the other */
  if (atomic_load(&open_for_calls)) {
    (void)Py_AddPendingCall(drain_pending, NULL);
  }
  atomic_fetch_sub(&scheduling, 1);
}

static PyObject *close_at_exit(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(unused)) {
  dlfpy_drain_now();
  atomic_store(&open_for_calls, false);
  /* After this the interpreter may end. Py_AddPendingCall takes no GIL, so the wait is short; it is
   * bounded because a thread may have been cancelled. */
  for (int i = 0; i < 1000 && atomic_load(&scheduling) > 0; i++) {
    dlfpy_pause();
  }
  Py_RETURN_NONE;
}

/* A forked child has none of those threads. */
static void forget_threads(void) {
  atomic_store(&scheduling, 0);
  atomic_store(&draining, 0);
}

bool dlfpy_open_queue(void) {
  static PyMethodDef closer = {"dlferry_close", close_at_exit, METH_NOARGS, NULL};
  dlf_error error;
  home = PyInterpreterState_Get();
  const dlf_status status = dlf_queue_create(wake, NULL, NULL, &dlfpy_queue, &error);
  if (status) {
    dlfpy_raise(status, &error);
    return false;
  }
  if (!dlfpy_after_fork(forget_threads)) {
    return false;
  }
  dlf_queue_set_release(dlfpy_queue, release_now);
  dlfpy_queue_head = dlf_queue_head(dlfpy_queue);
  atomic_store_explicit(&open_for_calls, true, memory_order_release);
  PyObject *function = PyCFunction_New(&closer, NULL);
  PyObject *done = NULL;
  if (function) {
    done = dlfpy_call_from("atexit", "register", "(O)", function);
  }
  Py_XDECREF(function);
  Py_XDECREF(done);
  return done != NULL;
}
