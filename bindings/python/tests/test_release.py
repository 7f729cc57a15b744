# SPDX-License-Identifier: Apache-2.0
"""Release of owners, on which thread: exactly once, and never behind Python's back."""

import ctypes
import gc
import subprocess
import sys
import threading
import time
import weakref

import dlferry
import numpy as np
import pytest
from conftest import need
from structures import DELETER, DLTensor, Versioned

GetPointer = ctypes.pythonapi.PyCapsule_GetPointer
GetPointer.restype, GetPointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
SetName = ctypes.pythonapi.PyCapsule_SetName
SetName.restype, SetName.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
USED = b"used_dltensor_versioned"


def take(tensor):
    """Export as a C consumer does: returns a function that calls the deleter without the GIL."""
    capsule = tensor.__dlpack__(max_version=(1, 0))
    address = GetPointer(capsule, b"dltensor_versioned")
    SetName(capsule, USED)
    deleter = DELETER(Versioned.from_address(address).deleter)
    return lambda: deleter(address)


class Array(np.ndarray):
    """An array that can be watched."""


def watched(log):
    a = np.arange(3.0).view(Array)
    weakref.finalize(a, log.append, 1)
    return a


def settle(log, count):
    end = time.monotonic() + 20
    while len(log) < count and time.monotonic() < end:
        time.sleep(0.001)  # pending calls run between bytecodes of the main thread


class DeletedByPython:
    """A producer whose deleter is Python code, which must not see an exception in flight."""

    def __init__(self, device=(1, 0)):
        self.device, self.seen, self.delete = device, [], DELETER(self.deleted)
        self.shape, self.strides = (ctypes.c_int64 * 1)(3), (ctypes.c_int64 * 1)(1)
        self.memory = np.zeros(3, np.float32)
        self.parts = Versioned(1, 3, None, ctypes.cast(self.delete, ctypes.c_void_p), 0)
        self.parts.tensor = DLTensor(self.memory.ctypes.data, *device, 1, 2, 32, 1, self.shape, self.strides, 0)

    def deleted(self, address):
        self.seen.append({"a": address}.pop("a") == ctypes.addressof(self.parts))

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **_):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.parts), b"dltensor_versioned", None)


def test_release__by_an_exception_in_flight():
    """A tensor dies while a frame is left."""
    x = DeletedByPython()

    def fail(keep):
        keep(dlferry.from_dlpack(x.__dlpack__()))

    for keep in [float, lambda t: t.__dlpack__(max_version=(1, 0)).nothing, lambda t: t.__dlpack__().nothing]:
        with pytest.raises((ValueError, AttributeError)) as caught:
            fail(keep)
        del caught
        gc.collect()
    with pytest.raises(AttributeError):
        memoryview(dlferry.from_dlpack(x.__dlpack__())).nothing  # noqa: B018
    assert x.seen == [True] * 4


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda x: dlferry.check(x, level="lax"), "check: level: expected 'structure' or 'strict', got 'lax'"),
        (lambda x: dlferry.is_contiguous(x, order="any"), "is_contiguous: order: expected"),
        (lambda x: dlferry.overlap(x, 3), "overlap: expected"),
        (lambda x: dlferry.npy_save(x, 3), "expected str, bytes or os.PathLike object"),
    ],
)
def test_release__of_an_argument_before_a_refused_one(call, message):
    x = DeletedByPython()
    with pytest.raises((ValueError, TypeError), match=message):
        call(x)
    assert x.seen == [True]


def test_release__of_a_tensor_whose_queue_fails():
    class Queue:
        def wait(self):
            raise RuntimeError("lost")

    x = DeletedByPython((14, 0))
    x.sycl_queue = Queue()
    with pytest.raises(RuntimeError, match="lost"):
        dlferry.from_dlpack(x)
    assert x.seen and all(x.seen)


def test_release__of_a_tensor_whose_producer_closes_it_and_fails():
    class Closing(DeletedByPython):
        def __dlpack__(self, dl_device=None, **_):
            if dl_device is None:
                return super().__dlpack__()
            self.tensor.release()
            raise RuntimeError("lost")

    x = Closing((14, 0))
    x.tensor = dlferry.from_dlpack(x)
    with pytest.raises(RuntimeError, match="lost"):
        dlferry.from_dlpack(x.tensor, device="cpu")
    assert x.seen and all(x.seen)


def test_release__of_a_pickled_tensor_that_closes_itself_and_fails():
    class Closing(dlferry.Tensor):
        def __getstate__(self):
            self.release()
            raise RuntimeError("lost")

    x = DeletedByPython()
    with pytest.raises(RuntimeError, match="lost"):
        Closing(x).__reduce_ex__(5)
    assert x.seen == [True]


def test_release__at_once_with_the_gil():
    log = []
    t = dlferry.from_dlpack(watched(log))
    assert log == []
    del t
    assert log == [1]


def test_release__reference_counts():
    a = np.arange(3.0)
    before = sys.getrefcount(a)
    t = dlferry.from_dlpack(a)
    u, v = t.numpy(), dlferry.from_dlpack(t)
    assert sys.getrefcount(a) == before + 1
    del t, u
    assert sys.getrefcount(a) == before + 1
    v.release()
    assert sys.getrefcount(a) == before


def test_release__torch_tensor_by_a_foreign_thread():
    log = []
    x = need("torch").from_numpy(watched(log))
    delete = take(dlferry.from_dlpack(x))
    del x
    gc.collect()
    assert log == []
    thread = threading.Thread(target=delete)
    thread.start()
    thread.join()
    settle(log, 1)
    assert log == [1]


def test_release__foreign_thread_wakes_python():
    log = []
    delete = take(dlferry.from_dlpack(watched(log)))
    gc.collect()
    thread = threading.Thread(target=delete)
    thread.start()
    thread.join()
    settle(log, 1)
    assert log == [1]


def test_release__many_foreign_threads():
    log = []
    deleters = [take(dlferry.from_dlpack(watched(log))) for _ in range(400)]
    gc.collect()
    assert log == []

    def run(part):
        for delete in part:
            delete()

    threads = [threading.Thread(target=run, args=(deleters[i::8],)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert dlferry.live() == 0  # drains first
    assert log == [1] * 400


def test_release__without_the_gil_on_the_main_thread():
    log = []
    take(dlferry.from_dlpack(watched(log)))()
    settle(log, 1)
    assert log == [1]


def test_release__nested_owners():
    log = []
    t = dlferry.from_dlpack(watched(log))
    for _ in range(50):
        t = dlferry.from_dlpack(t.numpy())
    assert log == []
    del t
    assert log == [1]


CHAINS = {
    "memoryview": lambda t: dlferry.wrap(memoryview(t)),
    "a view of it": lambda t: dlferry.wrap(memoryview(t))[0:2],
    "other elements": lambda t: dlferry.wrap(memoryview(t).cast("B"), dtype="float32"),
    "numpy.from_dlpack": lambda t: dlferry.from_dlpack(np.from_dlpack(t)),
    "numpy()": lambda t: dlferry.from_dlpack(t.numpy()),
    "a subclass of ndarray": lambda t: dlferry.from_dlpack(t.numpy().view(Array)),
    "__del__": lambda t: dlferry.from_dlpack(t.numpy().view(Calling)),
    "subclass": lambda t: Tensor(dlferry.wrap(memoryview(t))),
}


class Calling(np.ndarray):
    """An array whose end calls the hub."""

    depth = deepest = ended = 0

    def __del__(self):
        cls = type(self)
        cls.depth += 1
        cls.deepest = max(cls.deepest, cls.depth)
        dlferry.create("int8", [1]).release()
        cls.depth -= 1
        cls.ended += 1


class Tensor(dlferry.Tensor):
    """A subclass, whose end calls the hub too."""

    def __del__(self):
        dlferry.create("int8", [1]).release()


def in_little_stack(function):
    before = threading.stack_size(256 * 1024)
    try:
        thread = threading.Thread(target=function)
        thread.start()
        thread.join()
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("kind", CHAINS)
def test_release__a_chain_of_owners_needs_little_stack(kind, rounds):
    before = dlferry.live()
    t = dlferry.create("float32", [4])
    for _ in range(min(500 * rounds, 1_000_000 if kind == "memoryview" else 20_000)):
        t = CHAINS[kind](t)
    last = [t]
    del t
    in_little_stack(last.clear)
    assert dlferry.live() == before


def test_release__waiting_objects_that_call_the_hub_nest_little():
    """Each __del__ releases what waits, which runs other __del__."""
    before, ended = dlferry.live(), Calling.ended
    deleters = [take(dlferry.from_dlpack(np.zeros(3).view(Calling))) for _ in range(5000)]
    Calling.deepest = 0
    thread = threading.Thread(target=lambda: [delete() for delete in deleters])
    thread.start()
    thread.join()  # the main thread, which alone runs pending calls, runs none meanwhile
    dlferry.create("int8", [1]).release()
    assert (Calling.ended, dlferry.live()) == (ended + 5000, before)
    assert Calling.deepest < 20


def test_release__with_an_exception_in_flight():
    def fails():
        t = dlferry.from_dlpack(np.zeros(2)).__dlpack__()
        raise KeyError(id(t))

    with pytest.raises(KeyError):
        fails()


def test_release__deleters_of_refused_tensors(malformed):
    before = malformed.deleted()
    for name in ("null_shape", "major_2", "overflow_bytes"):
        with pytest.raises(dlferry.Error):
            dlferry.from_dlpack(malformed.capsule(name))
    assert malformed.deleted() == before + 3


@pytest.mark.parametrize("when", ["alive", "queued", "threads"])
def test_release__end_of_the_process(when):
    code = {
        "alive": "t = dlferry.from_dlpack(np.zeros(3)); u = t.numpy(); c = t.__dlpack__()",
        "queued": "import test_release as r; d = r.take(dlferry.from_dlpack(np.zeros(3)));"
        "import atexit; atexit.register(d)",
        "threads": "import test_release as r, threading, time\n"
        "ds = [r.take(dlferry.from_dlpack(np.zeros(3))) for _ in range(2000)]\n"
        "def run():\n  for d in ds: d()\n"
        "threading.Thread(target=run, daemon=True).start(); time.sleep(0.002)",
    }[when]
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", f"import dlferry, numpy as np\n{code}"],
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
        cwd=__file__.rpartition("/")[0],
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_release__subinterpreter_does_not_confuse_the_gil():
    """With a second interpreter PyGILState_Check answers yes on every thread."""
    code = """
import dlferry, numpy as np, test_release as r, threading, weakref
try:
    import _xxsubinterpreters as subs
except ImportError:
    import _interpreters as subs
sub = subs.create()
log = []
delete = r.take(dlferry.from_dlpack(r.watched(log)))
thread = threading.Thread(target=delete); thread.start(); thread.join()
r.settle(log, 1)
assert log == [1], log
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
        cwd=__file__.rpartition("/")[0],
    )
    assert done.returncode == 0, done.stderr
