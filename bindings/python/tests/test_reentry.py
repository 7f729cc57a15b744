# SPDX-License-Identifier: Apache-2.0
"""Python code of an argument changes objects during a call; nothing is left after calls."""

import gc
import os
import subprocess
import sys
import traceback

import dlferry
import numpy as np
import pytest
from conftest import need
from test_arguments import CALLS, IMAGE, Mine, Number, Producer, failing

photo = need("photo")
torch = need("torch")
jax = need("jax")

pytestmark = pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")  # the way to free a shape

# ---- Python code that runs during a call ----


def test_call__arguments_before_may_change():
    """NumPy frees the borrowed shape; the call continues with its original tensors."""
    for _ in range(100):
        first = IMAGE.copy()

        def change(first=first):
            first.shape = (1, 1, 1, 1, 4, 5)
            first.shape = (2, 10)

        assert photo.difference(first, Producer(change)).shape == (4, 5)


def test_call__numbers_are_read_before_arrays():
    image, out = IMAGE.copy(), np.zeros_like(IMAGE)

    def change():
        image.shape = out.shape = (5, 4)
        return 1.0

    assert photo.blur(image, Number(change)).shape == (5, 4)
    image.shape = out.shape = (4, 5)
    assert photo.blur(image, Number(change), out) is out


def test_call__may_be_entered_again():
    seen = []
    photo.mean(Producer(lambda: seen.append(photo.mean(Producer(lambda: seen.append(photo.mean(IMAGE)))))))
    assert len(seen) == 2 and seen[0] == seen[1]


ALONE = """
import dlferry, photo, torch

class Owner(bytearray):
    def __del__(self):
        tensor.release()

for end in (lambda: tensor.release(), lambda: tensor.__exit__(None, None, None)):
    tensor = dlferry.wrap(Owner(8))
    end()
assert dlferry.live() == 0

class Releases:
    def __bool__(self):
        tensor.release()
        return False

    def __getitem__(self, index):
        tensor.release()
        return 1

    def __len__(self):
        return 2

for options in {"copy": Releases()}, {"max_version": Releases()}:
    tensor = dlferry.create("float32", [4])
    try:
        tensor.__dlpack__(**options)
        raise AssertionError(options)
    except ValueError as error:
        assert "got a closed one" in str(error)

x = torch.ones(3, 4)
for call in (dlferry.describe, dlferry.check, photo.mean, photo.mean):
    call(x)
assert x._use_count() == 1
"""


def test_tensor__may_be_released_by_what_it_calls():
    """Else memory is freed twice, hence a process of its own; the limit makes calls own torch's tensors."""
    env = {**os.environ, "DLFERRY_GIL_LIMIT": "0"}
    command = [sys.executable, "-X", "dev", "-W", "ignore", "-c", ALONE]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


# ---- autograd ----


class Subclass(torch.Tensor):
    pass


@pytest.mark.parametrize("kind", [torch.Tensor, Subclass])
@pytest.mark.parametrize("shape", [(4, 5), (300, 200)], ids=["small", "large"])
def test_torch__autograd_sees_a_write(kind, shape):
    weight, x = torch.ones(shape, requires_grad=True), torch.ones(shape).as_subclass(kind)
    loss = (weight * x).sum()  # x is kept for backward
    photo.sobel(np.zeros(shape, "float32"), out=x)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    version = x._version
    photo.mean(x)
    assert x._version == version  # reading leaves it alone
    with torch.inference_mode():
        photo.sobel(np.zeros(shape, "float32"), out=torch.ones(shape))


# ---- leaks ----

TAKEN = {
    "numpy": lambda: IMAGE,
    "torch": lambda: torch.from_numpy(IMAGE),
    "tensor": lambda: dlferry.from_dlpack(IMAGE),
    "protocol": Producer,
    "capsule": lambda: IMAGE.__dlpack__(max_version=(1, 0)),
    "jax": lambda: jax.numpy.asarray(IMAGE),
    "memoryview": lambda: memoryview(IMAGE),
    "wrong type": lambda: [[1.0]],
    "failing": lambda: failing(ValueError("no")),
    "own failure": lambda: failing(Mine("no")),
    "sparse": lambda: torch.eye(3).to_sparse(),
    "dtype": lambda: IMAGE.astype("int8"),
    "shape": lambda: IMAGE[0],
    "lazy": lambda: torch._neg_view(torch.ones(4, 5)),
    "grad": lambda: torch.ones(4, 5, requires_grad=True),
}


def attempt(call, x):
    try:
        call(x)
    except Exception as error:
        traceback.clear_frames(error.__traceback__)


@pytest.mark.parametrize("make", TAKEN.values(), ids=TAKEN)
def test_leaks__no_object_is_left(make):
    """By success and by each failure, in calls that read it first, read it second and write it."""

    def round_of_calls():
        for call in CALLS.values():
            attempt(call, make())

    def growth():
        before = sys.getallocatedblocks()
        for _ in range(50):
            round_of_calls()
        gc.collect()
        return sys.getallocatedblocks() - before

    assert any(growth() < 50 for _ in range(10))  # less than one a round, once caches are full


SUB = """
import sys, dlferry, photo
try:
    import _interpreters as interpreters  # CPython 3.13
except ImportError:
    import _xxsubinterpreters as interpreters
other = interpreters.create()
for name in ("dlferry", "photo"):
    code = f"try:\\n import {name}\\nexcept ImportError as error:\\n print(error)"
    getattr(interpreters, "exec", getattr(interpreters, "run_string", None))(other, code)
interpreters.destroy(other)
print(tuple(map(int, dlferry.create("float32", [2, 2]).__dlpack_device__())), flush=True)
"""


def test_subinterpreter__is_refused():
    """Else the main one's Tensor would no longer be of its class."""
    done = subprocess.run([sys.executable, "-c", SUB], capture_output=True, text=True, timeout=600)
    *refused, main = sorted(done.stdout.splitlines(), reverse=True)
    assert len(refused) == 2 and main == "(1, 0)", done.stderr
    assert all("subinterpreter" in line for line in refused)  # CPython itself refuses a subinterpreter with its own GIL
