# SPDX-License-Identifier: Apache-2.0
"""Cycles through the owner of a tensor's memory: collected if nothing else keeps the memory, untouched otherwise."""

import array
import ctypes
import gc
import threading
import weakref

import dlferry
import numpy as np
import pytest
from conftest import need


class Array(np.ndarray):
    """An array with attributes."""


class Bytes(bytearray):
    """The same for a buffer."""


class Numbers(array.array):
    """Another one."""


class Tensor(dlferry.Tensor):
    """A tensor with attributes."""


def new_array():
    return np.ones((4, 5), "float32").view(Array)


def keep(name, function):
    def link(x):
        setattr(x, name, function(x))

    return link


def keep_buffer(x):
    x.t = dlferry.from_dlpack(x)
    x.m = memoryview(x.t)


def keep_buffer_alone(x):
    x.m = memoryview(dlferry.from_dlpack(x))


def keep_address(x):
    x.t = dlferry.from_dlpack(x)
    x.address = x.t.__array_interface__


def keep_in_tuple(x):
    x.t = (dlferry.from_dlpack(x), [x])


def keep_twice(x):
    x.t, x.u = dlferry.from_dlpack(x), dlferry.wrap(x)


def keep_state(x):
    x.t = Tensor(x)
    x.t.itself = x.t


def keep_in_another(x):
    x.other = new_array()
    x.other.t, x.t = dlferry.from_dlpack(x), dlferry.from_dlpack(x.other)


LINKS = {
    "from_dlpack": keep("t", dlferry.from_dlpack),
    "a view": keep("t", lambda x: dlferry.from_dlpack(x)[1:]),
    "a view of a view": keep("t", lambda x: dlferry.from_dlpack(x)[1:][:1]),
    "wrap": keep("t", dlferry.wrap),
    "other elements": keep("t", lambda x: dlferry.wrap(x, dtype="uint8")),
    "a subclass": keep("t", Tensor),
    "its state": keep_state,
    "a buffer": keep_buffer,
    "a buffer alone": keep_buffer_alone,
    "an address": keep_address,
    "a tuple": keep_in_tuple,
    "twice": keep_twice,
    "another array": keep_in_another,
}
MAKERS = {"ndarray": new_array, "bytearray": lambda: Bytes(80), "array": lambda: Numbers("d", range(10))}


def watched(make, log):
    x = make()
    weakref.finalize(x, log.append, 1)
    return x


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("maker", MAKERS)
def test_cycle__is_collected(maker, link):
    log = []
    before = dlferry.live()
    for _ in range(3):
        x = watched(MAKERS[maker], log)
        LINKS[link](x)
        del x
    gc.collect()
    assert (len(log), dlferry.live()) == (3, before)


def test_cycle__of_torch_is_collected():
    torch = need("torch")
    dlferry.from_dlpack(torch.ones(3)).release()  # the first one goes another way
    log = []
    before = dlferry.live()
    for _ in range(3):
        x = watched(lambda: torch.ones(3), log)
        x.t = dlferry.from_dlpack(x)
        del x
    gc.collect()
    assert (len(log), dlferry.live()) == (3, before)


HOLDERS = {
    "the tensor": lambda x: x.t,
    "another one": lambda x: dlferry.from_dlpack(x.t),
    "a view": lambda x: x.t[0],
    "a buffer": lambda x: memoryview(x.t),
    "a capsule": lambda x: x.t.__dlpack__(max_version=(1, 0)),
    "a legacy capsule": lambda x: x.t.__dlpack__(),
    "an array": lambda x: x.t.numpy(),
    "an array of the buffer": lambda x: np.asarray(memoryview(x.t)),
}


@pytest.mark.parametrize("holder", HOLDERS)
def test_cycle__that_is_in_use_stays(holder):
    log = []
    before = dlferry.live()
    x = watched(new_array, log)
    x.t = dlferry.from_dlpack(x)
    x.note = [1]
    kept, shown = HOLDERS[holder](x), weakref.ref(x)
    del x
    for _ in range(3):
        gc.collect()
    assert log == [] and shown().note == [1] and shown().t.numpy()[0, 0] == 1
    del kept
    gc.collect()
    assert (log, dlferry.live()) == ([1], before)


def test_cycle__with_del_sees_an_open_tensor():
    seen = []

    class Ending(Array):
        def __del__(self):
            seen.append(float(self.t.numpy().sum()))

    class EndingTensor(dlferry.Tensor):
        def __del__(self):
            seen.append(self.shape)

    before = dlferry.live()
    x = np.ones(3).view(Ending)
    x.t = EndingTensor(x)
    del x
    gc.collect()
    assert sorted(seen, key=str) == [(3,), 3.0] and dlferry.live() == before


def test_cycle__that_is_resurrected_stays_whole():
    saved = []

    class Rising(Array):
        def __del__(self):
            saved.append(self)

    before = dlferry.live()
    x = np.ones(3).view(Rising)
    x.t = dlferry.from_dlpack(x)
    del x
    gc.collect()
    assert saved[0].t.numpy().tolist() == [1, 1, 1]
    saved[0].t.numpy()[0] = 5
    assert saved[0].tolist() == [5, 1, 1]
    saved.clear()
    gc.collect()
    assert dlferry.live() == before


def test_cycle__frozen_is_not_collected_before_it_thaws():
    log = []
    x = watched(new_array, log)
    x.t = dlferry.from_dlpack(x)
    del x
    gc.freeze()
    try:
        gc.collect()
        assert log == []
    finally:
        gc.unfreeze()
    gc.collect()
    assert log == [1]


def test_cycle__referents_are_the_owner_alone_if_nothing_else_keeps_it():
    x = new_array()
    t = dlferry.from_dlpack(x)
    assert x in [y for y in gc.get_referents(t) if isinstance(y, Array)]
    u = t[1:]
    assert not [y for y in gc.get_referents(t, u) if isinstance(y, Array)]
    del t
    assert [y for y in gc.get_referents(u) if isinstance(y, Array)]
    u.release()
    assert not [y for y in gc.get_referents(u) if isinstance(y, Array)]
    plain = dlferry.from_dlpack(np.zeros(3))
    assert not gc.is_tracked(plain) and not gc.is_tracked(plain[1:])


def test_cycle__collections_during_use_by_threads():
    """Foreign threads drop references without the GIL while the collector counts."""
    deleter_type = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    get, rename = ctypes.pythonapi.PyCapsule_GetPointer, ctypes.pythonapi.PyCapsule_SetName
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename.restype, rename.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
    used = ctypes.c_char_p(b"used_dltensor_versioned")
    before, stop, failures = dlferry.live(), threading.Event(), []

    def churn():
        while not stop.is_set():
            x = new_array()
            x.t, x.note = dlferry.from_dlpack(x), 7
            capsule = x.t.__dlpack__(max_version=(1, 0))
            managed = get(capsule, b"dltensor_versioned")
            rename(capsule, used)
            deleter = deleter_type(ctypes.c_void_p.from_address(managed + 16).value)
            t, shown = x.t, weakref.ref(x)
            del x
            deleter(managed)
            y = shown()
            if y is None or y.note != 7 or y.t is not t:
                failures.append(y)

    threads = [threading.Thread(target=churn) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        gc.collect(0)
    stop.set()
    for thread in threads:
        thread.join()
    assert not failures

    gc.collect()
    assert dlferry.live() == before
