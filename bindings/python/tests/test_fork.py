# SPDX-License-Identifier: Apache-2.0
"""Forked children: they use and release the tensors they inherit, and end cleanly, like their parent."""

import pytest
from conftest import need
from frameworks import run_alone

need("photo")
need("torch")

# A child ends by sys.exit in the forked frame, so that atexit functions and the interpreter's own end run there. From
# 3.12 on CPython warns in a process that has threads, and JAX warns always: whether to fork is the caller's choice.
START = """
import os, sys, threading, time, warnings
warnings.simplefilter("ignore", DeprecationWarning)
import dlferry, photo, numpy as np

def child(work):
    pid = os.fork()
    if pid == 0:
        work()
        sys.exit(0)  # a failed assertion ends with status 1 and its text
    return pid

def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

image = np.arange(20, dtype="float32").reshape(4, 5)
if sys.argv[2] == "torch":  # whose own end takes a second in each child
    import torch
    torch.set_num_threads(1)
    ones = torch.ones(4, 5)
else:
    torch, ones = np, np.ones((4, 5), "float32")
kept = [dlferry.from_dlpack(x) for x in (image, ones)] + [dlferry.create("float32", [4, 5])]
views = [kept[0].numpy(), torch.from_dlpack(kept[1])]
capsule = kept[0].__dlpack__(max_version=(1, 3))
ALIVE = dlferry.live()

def use():
    assert dlferry.live() == ALIVE
    assert photo.mean(kept[0]) == 9.5 and photo.mean(kept[1]) == 1.0
    kept[1].numpy()[...] = 3.0  # a copy of the page, invisible to the parent
    assert photo.mean(views[1]) == 3.0
    assert photo.blur(np.ones((300, 300), "float32")).shape == (300, 300)  # without the GIL
    u = dlferry.from_dlpack(capsule)
    assert u.shape == (4, 5) and u.copy().shape == (4, 5)

def use_and_release():
    global capsule
    use()
    del views[:], capsule
    while kept:
        kept.pop().release()
    assert dlferry.live() == 0

def intact():
    assert dlferry.live() == ALIVE and photo.mean(kept[1]) == 1.0 and image[3, 4] == 19.0
"""

PLAIN = """
assert ended(child(use_and_release)) == 0
intact()
assert ended(child(lambda: ended(child(use)) and sys.exit(1))) == 0  # a child's child
intact()
use_and_release()
"""

# The parent's other threads release, import and call when the process is copied; the child has none of them.
BUSY = """
import ctypes, test_release as r
stop = threading.Event()

# What a lost thread had is out of reach in the child, which is no leak of ours.
ignore = getattr(ctypes.CDLL(None), "__lsan_disable", lambda: None)

def work():
    ignore()
    while not stop.is_set():
        delete = r.take(dlferry.from_dlpack(np.ones((4, 5), "float32")))
        other = threading.Thread(target=delete)
        other.start()
        photo.blur(np.ones((200, 200), "float32"))
        other.join()

def alone():
    assert photo.mean(kept[0]) == 9.5 and threading.active_count() == 1
    before = dlferry.live()  # with what the lost threads had
    t = dlferry.from_dlpack(np.zeros(3))
    r.take(t)()  # without the GIL: waits in the queue, and is drained
    del t
    assert dlferry.live() == before
    for t in kept:
        t.release()

threads = [threading.Thread(target=work) for _ in range(4)]
for t in threads: t.start()
assert [ended(child(alone)) for _ in range(int(sys.argv[1]))] == [0] * int(sys.argv[1])
stop.set()
for t in threads: t.join()
intact()
"""

POOL = """
import multiprocessing

def task(n):
    out = dlferry.from_dlpack(np.full((4, 5), n, "float32"))
    return float(photo.mean(out)) + float(photo.mean(kept[0])), dlferry.live() >= ALIVE

if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map(task, range(30)) == [(n + 9.5, True) for n in range(30)]
        pool.close()
        pool.join()
    process = multiprocessing.get_context("fork").Process(target=use_and_release)
    process.start()
    process.join()
    assert process.exitcode == 0
    intact()
"""

# The child ends as those of multiprocessing do: JAX 0.12 alone crashes in the interpreter's end in a child.
LOADED = """
import frameworks
warnings.simplefilter("ignore", RuntimeWarning)  # of JAX, about any fork
names = [name for name in frameworks.present() if name not in ("numpy", "torch")]
made = {name: frameworks.ALL[name]() for name in names}
arrays = {name: f.make() for name, f in made.items()}
tensors = {name: dlferry.from_dlpack(x) for name, x in arrays.items()}
own = {name: dlferry.create("float32", [4, 5]) for name in made}
over = {name: f.take(own[name]) for name, f in made.items()}
ALIVE = dlferry.live()

def exchange():
    try:
        use()
        for name, f in made.items():
            assert float(tensors[name].numpy().sum()) == 20.0, name
            again = dlferry.from_dlpack(arrays[name])
            assert again.data == tensors[name].data, name
            new = dlferry.create("float32", [4, 5])
            there = f.take(new)
            assert dlferry.from_dlpack(there).data == new.data, name
            del again, new, there
            before = dlferry.live()
            tensors.pop(name).release()
            assert dlferry.live() == before - 1, name
            own.pop(name).release()
            del over[name]
            if name != "jax":  # which releases on a thread that the child lacks
                assert dlferry.live() == before - 2, name
    except BaseException:
        sys.excepthook(*sys.exc_info())
        os._exit(1)
    os._exit(0)

assert [ended(child(exchange)) for _ in range(2)] == [0, 0]
intact()
assert all(float(t.numpy().sum()) == 20.0 for t in tensors.values())
"""

CASES = {"plain": (PLAIN, "torch"), "busy threads": (BUSY, "numpy"), "multiprocessing": (POOL, "numpy")}
CASES["frameworks loaded"] = (LOADED, "numpy")


@pytest.mark.parametrize("name", CASES)
def test_fork__child_uses_and_releases(name, rounds):
    program, framework = CASES[name]
    run_alone(START + program, str(max(rounds // 500, 4)), framework)
