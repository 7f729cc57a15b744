# SPDX-License-Identifier: Apache-2.0
"""Long loops of each exchange with each framework: memory, live tensors and reference counts stay flat.

DLFERRY_ROUNDS sets their length: the preset python-soak asks for 100,000 exchanges of each kind.
"""

import array
import ctypes
import gc
import resource
import sys
from pathlib import Path

import dlferry
import frameworks
import numpy as np
import pytest
from conftest import need, settled

photo = need("photo")

PAGE = resource.getpagesize()
LEAK = 16
"""Bytes that each round may add: less than the smallest allocation of C or Python."""


class Malloc(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in "arena ordblks smblks hblks hblkhd usmblks".split()]
    _fields_ += [(name, ctypes.c_size_t) for name in "fsmblks uordblks fordblks keepcost".split()]


def allocated():
    """Bytes that C has from malloc, which Python's own blocks and most frameworks' are not part of."""
    function = getattr(ctypes.CDLL(None), "mallinfo2", None)  # glibc's; not under a sanitizer
    if function is None:
        return 0
    function.restype = Malloc
    now = function()
    return now.uordblks + now.hblkhd


def resident():
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * PAGE


def total_references():
    """All references of the process; only a debug build of CPython counts them."""
    return getattr(sys, "gettotalrefcount", lambda: 0)()


def measure(watched, expected=None):
    gc.collect()
    live = dlferry.live() if expected is None else settled(expected)
    counts = [sys.getrefcount(x) for x in watched]
    return live, counts, sys.getallocatedblocks(), allocated(), total_references(), resident()


WATCHED = [None, True, Ellipsis, dlferry.Tensor, dlferry.from_dlpack, np.ndarray, np.float32, np.dtype("float32")]
WATCHED += [tuple, dict, memoryview, dlferry.Error, dlferry.Status, photo.mean, 0, 1, ()]


def stays_flat(step, rounds, *watched, exact=False):
    """Run step often, and compare what lives before and after. exact tells that no framework's C code takes part: one
    that is no debug build does not count its references.
    """
    watched = [*WATCHED, *watched, *map(type, watched)]
    gc.collect()
    gc.freeze()  # else each collection would look at all objects of all frameworks
    for _ in range(max(rounds // 10, 200)):
        step()
    after = measure(watched)  # makes objects of its own
    for _ in range(8):  # a framework's thread may fall behind, and its pages stay; a leak comes back each time
        before = measure(watched, after[0])
        for _ in range(rounds):
            step()
        after = measure(watched, before[0])
        if after[5] - before[5] < LEAK * rounds:
            break
    assert after[0] == before[0]
    changes = [(x, now - then) for x, then, now in zip(watched, before[1], after[1], strict=True)]
    assert not [x for x in changes if abs(x[1]) > rounds // 100]  # other frames' references to None come and go
    assert after[2] - before[2] < rounds // 4, "blocks of Python's memory"
    assert not exact or abs(after[4] - before[4]) < rounds // 4, "references"
    assert after[3] - before[3] < LEAK * rounds // 2, after[3] - before[3]
    if rounds >= 50_000:  # in a shorter loop the pages of other threads would count
        assert after[5] - before[5] < LEAK * rounds, after[5] - before[5]


@pytest.mark.parametrize("name", frameworks.ALL)
def test_soak__from_a_framework(name, rounds):
    need(name)
    x = frameworks.ALL[name]().make()

    def step():
        t = dlferry.from_dlpack(x)
        t.numpy()
        t.__dlpack__(max_version=(1, 3))

    stays_flat(step, rounds, x)


@pytest.mark.parametrize("name", frameworks.ALL)
def test_soak__to_a_framework(name, rounds):
    need(name)
    take = frameworks.ALL[name]().take
    tensor = dlferry.create("float32", [4, 5])
    stays_flat(lambda: take(tensor), rounds, tensor)


IMAGE = np.ones((4, 5), np.float32)
OUT = np.empty((4, 5), np.float32)
LARGE = np.ones((160, 160), np.float32)
ITEMS = array.array("f", [1.0] * 20)
GIVEN: dlferry.Tensor
MADE: dlferry.Tensor


@pytest.fixture(scope="module", autouse=True)
def given():
    global GIVEN, MADE
    GIVEN, MADE = dlferry.wrap(ITEMS, shape=(4, 5)), dlferry.create("float32", [4, 5])
    yield
    del GIVEN, MADE


class Subclass(dlferry.Tensor):
    pass


class Failing:
    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        raise ValueError("no")


class Old:
    """A producer that knows no keyword."""

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self):
        return GIVEN.__dlpack__()


def refuse(call):
    try:
        call()
    except Exception as error:
        return str(error)
    raise AssertionError("expected a refusal")


def cycle():
    x = Subclass(GIVEN)
    x.itself = x


EXACT = {
    "capsule": lambda: dlferry.from_dlpack(GIVEN.__dlpack__(max_version=(1, 0))),
    "legacy capsule": lambda: dlferry.from_dlpack(GIVEN.__dlpack__()),
    "dropped capsules": lambda: (GIVEN.__dlpack__(), GIVEN.__dlpack__(max_version=(1, 3))),
    "producer": lambda: dlferry.from_dlpack(Old()),
    "buffer": lambda: memoryview(dlferry.wrap(bytearray(80), "float32", (4, 5))).release(),
    "create": lambda: dlferry.create("float32", [4, 5]).release(),
    "copy": lambda: (GIVEN.copy(), dlferry.from_dlpack(GIVEN, copy=True)),
    "texts": lambda: (repr(GIVEN), dlferry.describe(GIVEN), dlferry.format(GIVEN)),
    "properties": lambda: (GIVEN.shape, GIVEN.strides, GIVEN.dtype, GIVEN.device, GIVEN.flags, GIVEN.data),
    "subclass": lambda: Subclass(GIVEN),
    "cycle": cycle,
    "call": lambda: (photo.mean(GIVEN), photo.sobel(GIVEN, out=MADE)),
    "result": lambda: (photo.blur(GIVEN), photo.difference(a=GIVEN, b=GIVEN)),
    "refused call": lambda: refuse(lambda: photo.mean(3)),
    "refused import": lambda: refuse(lambda: dlferry.from_dlpack(object())),
    "refused shape": lambda: refuse(lambda: photo.sobel(GIVEN, out=LARGE)),
    "failing producer": lambda: refuse(lambda: photo.mean(Failing())),
    "failing import": lambda: refuse(lambda: dlferry.from_dlpack(Failing())),
}
STEPS = {
    "capsule of NumPy": lambda: dlferry.from_dlpack(IMAGE.__dlpack__(max_version=(1, 0))),
    "copy": lambda: dlferry.from_dlpack(IMAGE, copy=True),
    "call": lambda: (photo.mean(IMAGE), photo.sobel(IMAGE, out=OUT)),
    "result": lambda: (photo.blur(IMAGE), photo.difference(a=IMAGE, b=IMAGE)),
    "call without the GIL": lambda: photo.mean(LARGE),
}


@pytest.mark.parametrize("name", EXACT)
def test_soak__step_without_a_framework(name, rounds):
    stays_flat(EXACT[name], rounds, ITEMS, GIVEN, MADE, exact=True)


@pytest.mark.parametrize("name", STEPS)
def test_soak__step_with_numpy(name, rounds):
    stays_flat(STEPS[name], rounds, IMAGE, OUT, LARGE)


def leak_reference():
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(ITEMS))


def test_soak__can_see_a_leak(rounds):
    kept = []
    with pytest.raises(AssertionError):
        stays_flat(lambda: kept.append(dlferry.from_dlpack(IMAGE)), rounds)
    kept.clear()
    if sys.getallocatedblocks():  # 0 with PYTHONMALLOC=malloc, which the sanitizers need
        with pytest.raises(AssertionError, match="blocks of Python's memory"):
            stays_flat(lambda: kept.append(bytearray(32)), rounds)
    if allocated():
        libc = ctypes.CDLL(None)
        with pytest.raises(AssertionError):
            stays_flat(lambda: libc.malloc(24), rounds)
    if total_references():
        with pytest.raises(AssertionError, match="references"):
            stays_flat(leak_reference, rounds, exact=True)
