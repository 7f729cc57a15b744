# SPDX-License-Identifier: Apache-2.0
"""The end of a process with live tensors of many frameworks: exit status 0, and nothing on stderr."""

import itertools

import pytest
from conftest import need
from frameworks import ALL, run_alone

need("photo")
for name in ALL:
    need(name)

# The frameworks are loaded in the order given; "dlferry" stands for itself and the generated package, since what is
# imported first ends last.
START = """
import sys
sys.path.insert(0, ".")
ORDER = sys.argv[1].split(",")
PLACES = sys.argv[2].split(",")
for name in ORDER:
    if name == "dlferry":
        import dlferry, photo
    else:
        __import__(name)
import atexit, functools, gc, threading, types, weakref
import dlferry, photo, frameworks, numpy as np
made = {name: frameworks.ALL[name]() for name in ORDER if name != "dlferry"}

def some():
    'For each framework: its array, our tensor of it, a tensor of ours and the array over that, and capsules.'
    for f in made.values():
        x = f.make()
        t = dlferry.from_dlpack(x)
        own = dlferry.create("float32", [4, 5])
        yield x, t, own, f.take(own), own.__dlpack__(max_version=(1, 3)), own.__dlpack__(), memoryview(t), t.numpy()
    yield photo.blur(np.ones((4, 5), "float32")), photo.sobel(dlferry.create("float32", [40, 40]))

class Keeper:
    'Uses its tensors when it ends, after the globals are gone.'
    def __init__(self, tensors):
        self.tensors, self.hub, self.photo = tensors, dlferry, photo
    def __del__(self):
        for group in self.tensors:
            for x in group:
                if self.hub.Tensor is not None and type(x) is self.hub.Tensor:
                    self.hub.describe(x)
                    if x.shape == (4, 5):
                        self.photo.mean(x)
                    x.release()
"""

PLACES = {
    "globals": """
held = list(some())
also = [t for group in held for t in group]
""",
    "cycles": """
class Node:
    pass
for group in some():
    node = Node()
    node.itself, node.group = node, group
class Image(dlferry.Tensor):
    pass
cycles = []
for f in made.values():
    image = Image(f.make())
    image.itself, image.exported = image, image.__dlpack__(max_version=(1, 3))
    cycles.append(image)
cycles.append(cycles)
gc.disable()
gc.freeze()
""",
    "threads": """
ready = threading.Barrier(5)
def busy():
    local = threading.local()
    local.kept = list(some())
    keep = Keeper(list(some()))
    large = np.ones((300, 300), "float32")
    ready.wait()
    while True:  # a daemon: it still runs when the interpreter ends
        photo.blur(large)
        dlferry.from_dlpack(large).numpy()
for _ in range(4):
    threading.Thread(target=busy, daemon=True).start()
def last():
    kept = list(some())
    threading.main_thread().join()
    photo.mean(kept[0][2])
threading.Thread(target=last).start()  # the interpreter waits for this one
ready.wait()
""",
    "atexit": """
def at_the_end(tensors, more):
    for group in more():
        tensors.append(group)
    Keeper(list(some()))
for _ in range(2):
    atexit.register(at_the_end, list(some()), some)
atexit.register(functools.partial(list, some()))
""",
    "destructors": """
keeper = Keeper(list(some()))
keeper.itself = keeper
another = Keeper(list(some()))
weakref.finalize(another, Keeper, list(some()))
module = types.ModuleType("late")
module.keeper, module.dlferry = Keeper(list(some())), dlferry
sys.modules["late"] = module
sys.keeper = Keeper(list(some()))
""",
}
FIVE = [name for name in ALL if name != "tensorflow"]
ROTATIONS = [[*list(ALL)[i:], *list(ALL)[:i]] for i in range(len(ALL))]


@pytest.mark.parametrize("order", [["dlferry", *ALL], [*FIVE, "dlferry"]], ids=["dlferry first", "dlferry last"])
def test_shutdown__with_tensors_everywhere(order):
    run_alone(START + "".join(PLACES.values()), ",".join(order), "all")


def test_shutdown__in_every_order_and_place(rounds):
    """One place at a time, each framework once as the first one, dlferry first and last."""
    if rounds < 100_000:
        pytest.skip("the preset python-soak runs it")
    for order, place in itertools.product(ROTATIONS, PLACES):
        for whole in (["dlferry", *order], [*order, "dlferry"]):
            run_alone(START + PLACES[place], ",".join(whole), place)


def test_shutdown__with_the_interpreter_gone():
    """What a C library still holds when Python has ended is left to the process; its late release does no harm."""
    run_alone("""
import atexit, ctypes, dlferry, numpy as np, test_release as r
deleters = [r.take(dlferry.from_dlpack(np.zeros(3))) for _ in range(3)]
late = [r.take(dlferry.create("float32", [3])) for _ in range(2)]
addresses = [d.__closure__[0].cell_contents for d in (*deleters, *late)]
functions = [d.__closure__[1].cell_contents for d in (*deleters, *late)]
libc = ctypes.CDLL(None)
libc.__cxa_atexit.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
for function, address in zip(functions, addresses):
    assert libc.__cxa_atexit(ctypes.cast(function, ctypes.c_void_p), address, None) == 0
""")
