# SPDX-License-Identifier: Apache-2.0
"""16 threads at once: imports, exports, generated calls and releases, of which some are on threads without Python.

At the end no tensor is alive, and each shared object has as many references as before.
"""

import ctypes
import gc
import random
import sys
import threading
from pathlib import Path

import dlferry
import frameworks
import numpy as np
import pytest
from conftest import compile_c, need
from test_release import take as deleter_of

photo = need("photo")
torch = need("torch")

THREADS = 16
LARGE = (200, 200)  # a call on so much data releases the GIL
NAMES = [name for name in frameworks.present() if name != "tensorflow"]  # which takes longest to load


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """The function of foreign.c that releases tensors on its own threads, without the GIL."""
    out = tmp_path_factory.mktemp("foreign") / "foreign.so"
    compile_c(Path(__file__).with_name("foreign.c"), out, "-pthread")
    function = ctypes.CDLL(str(out)).foreign_release
    function.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int64, ctypes.c_int]
    return function


@pytest.fixture(autouse=True)
def often():
    """Let threads take turns a hundred times more often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(before / 100)
    yield
    sys.setswitchinterval(before)


def run(target):
    """Call target(random numbers) on all threads, which begin together, and raise what one of them raised."""
    failures, start = [], threading.Barrier(THREADS)

    def work(seed):
        try:
            start.wait()
            target(random.Random(seed))
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def counts(objects):
    gc.collect()
    return [sys.getrefcount(x) for x in objects]


class Shared:
    """What all threads use."""

    def __init__(self):
        self.large = np.full(LARGE, 0.5, np.float32)
        self.tensor = dlferry.from_dlpack(self.large)
        self.made = {name: frameworks.ALL[name]() for name in NAMES}
        self.arrays = {name: f.make() for name, f in self.made.items()}

    def objects(self):
        types = [type(x) for x in self.arrays.values()]
        return [self.large, self.tensor, *self.arrays.values(), *types, dlferry.Tensor, self.large.dtype, photo.mean]


def import_and_export(shared, chance):
    name = chance.choice(NAMES)
    t = dlferry.from_dlpack(shared.arrays[name])
    assert t.numpy().sum() == 20.0
    u = dlferry.from_dlpack(shared.tensor)
    assert tuple(shared.made[name].take(u).shape) == LARGE
    t.release()


def view(shared, chance):
    with memoryview(shared.tensor) as bytes_of:
        assert bytes_of.shape == LARGE
    assert shared.tensor.numpy()[chance.randrange(200), 3] == 0.5
    assert repr(shared.tensor).startswith("float32[200, 200]")
    assert shared.tensor.copy().shape == LARGE


def index(shared, chance):
    row, column = chance.randrange(200), chance.randrange(1, 200)
    part = shared.tensor[row, column::-1]
    assert part.shape == (column + 1,) and part[0].item() == 0.5
    assert shared.tensor[..., None][row:].shape == (200 - row, 200, 1)
    with pytest.raises(IndexError):
        shared.tensor[200]


def call(shared, chance):
    x = chance.choice([shared.large, shared.tensor, *[shared.arrays[name] for name in NAMES if name != "pyarrow"]])
    assert photo.mean(x) in (0.5, 1.0)
    out = np.empty(LARGE, np.float32)
    assert photo.sobel(shared.tensor, out=out) is out and out.max() == 0.0
    if chance.random() < 0.1:
        assert photo.blur(shared.large).shape == LARGE


def refuse(shared, chance):
    for wrong in (object(), shared.large.astype("complex64"), shared.arrays["pyarrow"]):
        with pytest.raises((TypeError, ValueError)):
            photo.mean(wrong)
    with pytest.raises(dlferry.Error):
        photo.sobel(shared.large, out=shared.arrays["pyarrow"])


def capsules(shared, chance):
    kept = [shared.tensor.__dlpack__(max_version=(1, 3)) for _ in range(3)]
    kept.append(shared.tensor.__dlpack__())
    assert dlferry.from_dlpack(kept.pop(chance.randrange(4))).shape == LARGE


def move(shared, chance):
    """From what all threads read into this one's own memory."""
    half = shared.tensor.astype("float16")
    out = chance.choice([np.empty(LARGE, np.float32), torch.empty(LARGE), dlferry.create("float32", LARGE).T])
    half.cast_into(out)
    assert dlferry.equal(out, shared.tensor) and shared.tensor.copy(out=out) is out
    t = dlferry.from_dlpack(out)
    t[:100] = chance.choice([shared.tensor[100:], 0.5, shared.large[0]])
    assert t.equal(shared.tensor)
    t.fill(chance.random())
    with pytest.raises(dlferry.Error):
        half.copy_into(out)


STEPS = [import_and_export, view, index, call, refuse, capsules, move]


def test_threads__share_arrays_of_all_frameworks(rounds):
    shared = Shared()
    for step in STEPS:  # what is found and kept at the first use
        for seed in range(20):
            step(shared, random.Random(seed))

    def work(chance):
        for _ in range(rounds // 32):
            chance.choice(STEPS)(shared, chance)

    before, alive = counts(shared.objects()), dlferry.live()
    run(work)
    assert counts(shared.objects()) == before and dlferry.live() == alive


def test_threads__release_one_tensor_once(rounds):
    """All threads race to release, export and drop the same tensor, which any of them may find released."""
    array = np.ones((4, 5), np.float32)
    before = counts([array, dlferry.Tensor])
    for _ in range(rounds // 100):
        tensor = dlferry.from_dlpack(array)

        def work(chance, tensor=tensor):
            for _ in range(5):
                try:
                    step = chance.randrange(4)
                    if step == 0:
                        tensor.release()
                    elif step == 1:
                        assert tensor.numpy().sum() == 20.0
                    elif step == 2:
                        np.from_dlpack(tensor)
                    else:
                        assert photo.mean(tensor) == 1.0
                except ValueError as error:
                    assert "got a closed one" in str(error)

        run(work)
        tensor.release()
        del tensor, work
        assert dlferry.live() == 0
    assert counts([array, dlferry.Tensor]) == before


def test_threads__foreign_ones_release_beside_python(foreign, rounds):
    """Threads of C release tensors that Python's threads make, while these drain, import and end."""
    arrays = [np.ones((4, 5), np.float32) for _ in range(4)]
    before = counts([*arrays, dlferry.Tensor])
    shared = torch.ones(4, 5)
    used = shared._use_count()

    def work(chance):
        for _ in range(rounds // 200):
            deleters = [deleter_of(dlferry.from_dlpack(chance.choice([*arrays, shared]))) for _ in range(32)]
            addresses = (ctypes.c_void_p * len(deleters))(*[delete.__closure__[0].cell_contents for delete in deleters])
            assert foreign(addresses, len(deleters), 4) == 4
            assert photo.mean(chance.choice(arrays)) == 1.0
            dlferry.live()

    run(work)
    assert dlferry.live() == 0
    assert counts([*arrays, dlferry.Tensor]) == before and shared._use_count() == used


def test_threads__import_the_package_together():
    """The first import of dlferry, of a generated package and of a framework's type, on 16 threads at once."""
    code = """
import sys, threading
sys.setswitchinterval(1e-5)
start, failures = threading.Barrier(16), []

def work():
    try:
        start.wait()
        import dlferry, photo, numpy as np
        image = np.ones((4, 5), "float32")
        for _ in range(20):
            t = dlferry.from_dlpack(image)
            assert photo.mean(t) == 1.0 and photo.blur(image).shape == (4, 5)
    except BaseException as error:
        failures.append(error)

threads = [threading.Thread(target=work) for _ in range(16)]
for t in threads: t.start()
for t in threads: t.join()
assert not failures, failures
import dlferry
assert dlferry.live() == 0
"""
    frameworks.run_alone(code)
