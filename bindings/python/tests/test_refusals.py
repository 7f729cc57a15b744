# SPDX-License-Identifier: Apache-2.0
"""Outputs are proven writable; tensors that torch would export wrongly are refused; small calls keep the GIL."""

import os
import platform
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need

photo = need("photo")
torch = need("torch")
jax = need("jax")
jnp = jax.numpy
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = need("tensorflow") if platform.machine() == "x86_64" else None  # the only one with wheels

SMALL, LARGE = (8, 10), (300, 200)  # borrowed with the GIL held; owned with it released
SIZES = pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])


def image(shape):
    return np.zeros(shape, "float32")


def frozen(shape):
    a = image(shape)
    a.flags.writeable = False
    return a


class Shows:
    """A producer that shows an array by the protocol alone."""

    def __init__(self, x, **options):
        self.x, self.options = x, options

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.x.__dlpack__(**{**options, **self.options})


def capsule(x):
    return dlferry.to_dlpack(dlferry.from_dlpack(x))


READ_ONLY = {
    "numpy": frozen,
    "numpy view": lambda shape: frozen((2, *shape))[1],
    "numpy broadcast": lambda shape: np.broadcast_to(np.float32(0), shape),
    "memoryview": lambda shape: memoryview(frozen(shape)),
    "bytes": lambda shape: memoryview(bytes(4 * shape[0] * shape[1])).cast("f", shape),
    "jax": lambda shape: jnp.asarray(image(shape)),
    "jax by the protocol": lambda shape: Shows(jnp.asarray(image(shape))),
    "jax's capsule": lambda shape: jnp.asarray(image(shape)).__dlpack__(),
    "numpy's legacy capsule": lambda shape: image(shape).__dlpack__(),
    "numpy by the legacy protocol": lambda shape: Shows(image(shape), max_version=None),
    "tensor of numpy": lambda shape: dlferry.from_dlpack(frozen(shape)),
    "tensor of jax": lambda shape: dlferry.from_dlpack(jnp.asarray(image(shape))),
    "tensor by the protocol": lambda shape: Shows(dlferry.from_dlpack(frozen(shape))),
    "tensor's capsule": lambda shape: capsule(frozen(shape)),
    "tensor's buffer": lambda shape: memoryview(dlferry.from_dlpack(frozen(shape))),
    "tensor's array": lambda shape: dlferry.from_dlpack(frozen(shape)).numpy(),
}
TENSORFLOW = {
    "tensorflow": lambda shape: tf.zeros(shape),
    "tensorflow by the protocol": lambda shape: Shows(tf.zeros(shape)),
    "tensorflow's capsule": lambda shape: tf.experimental.dlpack.to_dlpack(tf.zeros(shape)),
    "tensor of tensorflow": lambda shape: dlferry.from_dlpack(tf.zeros(shape)),
    "tensor of tensorflow's array": lambda shape: dlferry.from_dlpack(tf.zeros(shape)).numpy(),
}
READ_ONLY |= TENSORFLOW if tf else {}

# Every way to pass an output: by position or name, in each order, and one that is drawn into.
WRITES = {
    "by position": lambda x, out: photo.sobel(x, out),
    "by name": lambda x, out: photo.sobel(x, out=out),
    "all by name": lambda x, out: photo.sobel(out=out, image=x),
    "after a scalar": lambda x, out: photo.blur(x, 1.0, out),
    "in place": lambda x, out: photo.draw_histogram(out),
    "in place by name": lambda x, out: photo.draw_histogram(image=out),
}


@SIZES
@pytest.mark.parametrize("make", READ_ONLY.values(), ids=READ_ONLY)
def test_written__read_only_is_refused(make, shape):
    seen = {}
    for path, call in WRITES.items():
        try:
            seen[path] = call(image(shape), make(shape))
        except BufferError as error:
            assert error.status is dlferry.Status.READ_ONLY
            seen[path] = str(error).partition(";")[0]
    told = set(seen.values())
    for why in ("is read-only", "is not known to be writable"):  # the same on every path
        names = "sobel: out", "blur: out", "draw_histogram: image"
        if told == {f"{name}: {why}" for name in names}:
            return
    pytest.fail(str(seen))


@pytest.mark.skipif(not tf, reason="TensorFlow has no wheels for this processor")
@SIZES
def test_tensorflow__is_read_where_it_lies(shape):
    x = tf.random.uniform(shape)
    assert dlferry.from_dlpack(x).data == np.asarray(memoryview(x)).ctypes.data
    assert photo.mean(x) == photo.mean(x.numpy())
    y = photo.blur(x, sigma=2.0)
    assert type(y) is type(x) and (y.numpy() == photo.blur(x.numpy(), 2.0)).all()


@pytest.mark.skipif(not tf, reason="TensorFlow has no wheels for this processor")
def test_tensorflow__what_has_no_numbers_is_refused():
    with pytest.raises(TypeError, match="mean: image: expected numbers, got TensorFlow's string"):
        photo.mean(tf.constant(["exporting it", "ends the process"]))
    with pytest.raises(TypeError, match="from_dlpack: expected numbers, got TensorFlow's variant"):
        dlferry.from_dlpack(tf.data.experimental.to_variant(tf.data.Dataset.range(1)))
    for x in (tf.Variable(image(SMALL)), tf.RaggedTensor.from_row_lengths([1.0, 2.0], [1, 1])):
        with pytest.raises(TypeError, match="mean: image: expected an array with __dlpack__"):
            photo.mean(x)


@SIZES
def test_written__writable_is_written(shape):
    x = np.random.default_rng(3).random(shape, dtype=np.float32)
    for make in (lambda a: a, torch.from_numpy, dlferry.from_dlpack, memoryview):
        out = image(shape)
        photo.sobel(x, out=make(out))
        assert (out == photo.sobel(x)).all() and out.any()
    out = image(shape)
    photo.sobel(x, out=Shows(dlferry.from_dlpack(out)))
    assert out.any()


@SIZES
def test_written__elements_that_share_memory_are_refused(shape):
    stretched = np.lib.stride_tricks.as_strided(np.zeros(shape[1], "float32"), shape, (0, 4))
    for out in (stretched, torch.zeros(shape[1]).expand(shape), dlferry.from_dlpack(stretched)):
        with pytest.raises(dlferry.Error):
            photo.sobel(image(shape), out=out)
        with pytest.raises(ValueError) as caught:
            photo.draw_histogram(out)
        assert caught.value.status is dlferry.Status.INVALID


class Subclass(torch.Tensor):
    """Takes torch's table, where torch.Tensor itself is read through torch's C interface."""


KINDS = {"tensor": lambda t: t, "subclass": lambda t: t.as_subclass(Subclass)}


@SIZES
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_torch__requires_grad_is_not_written(kind, shape):
    leaf = kind(torch.zeros(shape, requires_grad=True))
    for out in (leaf, leaf * 2, torch.nn.Parameter(torch.zeros(shape))):
        for call in WRITES.values():
            with pytest.raises(BufferError, match=r"requires grad; pass \.detach\(\)"):
                call(image(shape), out)
        with torch.no_grad():
            for call in WRITES.values():
                with pytest.raises(BufferError, match=r"requires grad; pass \.detach\(\)"):
                    call(image(shape), out)
            assert photo.mean(out) == 0  # reading is free
            assert photo.mean(photo.difference(image(shape), out)) == 0
    assert photo.sobel(image(shape), out=leaf.detach()) is not None


def negated(shape):
    """Lazily negated, of every kind of strides."""
    plain = torch.ones(shape)
    yield torch.complex(plain, plain).conj().imag
    yield torch._neg_view(plain)
    yield torch._neg_view(torch.ones(shape[0], shape[1] + 1))[:, 1:]  # odd strides
    yield torch._neg_view(torch.ones(shape[::-1])).T
    yield torch.complex(plain, plain).conj().imag.as_strided(shape, (1, 1))


@SIZES
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_torch__lazily_negated_or_conjugated_is_refused(kind, shape):
    for lazy in negated(shape):
        assert lazy.is_neg()
        for call in (*WRITES.values(), lambda x, lazy: photo.mean(lazy), lambda x, lazy: photo.sobel(lazy, out=x)):
            with pytest.raises(BufferError, match=r"lazily negated tensor; pass \.resolve_neg\(\)"):
                call(image(shape), kind(lazy))
        assert photo.mean(kind(lazy.resolve_neg())) == -1
    conj = torch.complex(torch.ones(shape), torch.ones(shape)).conj()
    for call in (*WRITES.values(), lambda x, lazy: photo.mean(lazy)):
        with pytest.raises(BufferError, match=r"lazily conjugated tensor; pass \.resolve_conj\(\)"):
            call(image(shape), kind(conj))


# The number of cached types is limited; later ones must be judged alike.
MANY = """
import numpy, photo, torch
for _ in range(200):
    photo.mean(numpy.ones((2, 3), "f4").view(type("Own", (numpy.ndarray,), {})))
late = type("Late", (torch.Tensor,), {})
x, out = torch._neg_view(torch.ones(2, 3)), torch.zeros(2, 3, requires_grad=True)
for call in (lambda x, out: photo.mean(x), lambda x, out: photo.sobel(torch.ones(2, 3), out=out)):
    for kind in (late, torch.nn.Parameter, torch.Tensor):
        try:
            call(x.as_subclass(kind), out.as_subclass(kind))
            print("no error")
        except BufferError as error:
            print(error)
print(type(photo.sobel(torch.ones(2, 3).as_subclass(late))).__name__)
"""


def test_torch__types_that_come_late_are_refused_alike():
    lines = subprocess.run(
        [sys.executable, "-c", MANY], capture_output=True, text=True, check=True, timeout=600
    ).stdout.splitlines()
    assert len(lines) == 7 and all("lazily negated tensor; pass .resolve_neg()" in line for line in lines[:3])
    assert all("requires grad; pass .detach()" in line for line in lines[3:6])
    assert lines[6] == "Tensor"


def test_torch__whole_numbers_may_be_negated_too():
    with pytest.raises(BufferError, match="lazily negated"):
        photo.gray(torch._neg_view(torch.ones(4, 5, 3, dtype=torch.uint8)))
    with pytest.raises(BufferError, match="lazily negated"):
        dlferry.format(torch._neg_view(torch.ones(3, dtype=torch.int32)))


DTYPES = "uint8 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128 bool".split()


@pytest.mark.parametrize("dtype", [*DTYPES, "uint16", "uint32", "float8_e4m3fn"])
def test_torch__is_read_alike_on_both_ways(dtype):
    """dlferry.format borrows, by torch's C interface; from_dlpack takes torch's table."""
    base = (torch.arange(24) % 2).to(getattr(torch, dtype)).reshape(2, 3, 4)
    views = [base, base[1], base.permute(2, 0, 1), base[:, ::2, 1:], base[:0], base[1, 1, 1], base[0, :1].expand(5, 4)]
    for view in views:
        assert dlferry.format(view) == dlferry.format(dlferry.from_dlpack(view.detach()))


def test_torch__what_has_no_memory_fails_as_torch_says():
    sparse = torch.eye(3).to_sparse()
    for x in (sparse, torch.empty(3, 3, device="meta"), torch.eye(3).to_mkldnn(), sparse.to_sparse_csr()):
        for call in (photo.mean, photo.mean, lambda x: photo.difference(image(LARGE), x)):
            with pytest.raises((RuntimeError, BufferError, ValueError, TypeError)):
                call(x)
    seen = []

    def inside(x):
        with pytest.raises((RuntimeError, BufferError, ValueError, TypeError)):
            seen.append(photo.mean(x))
        return x

    torch.vmap(inside)(torch.ones(2, 3, 3))
    assert photo.mean(torch.ones(3, 3)) == 1 and seen == []


HELD = """
import sys, threading, time
import numpy as np
import photo

image, count, stop = np.zeros((40, 50), "float32"), [0], []

def work():
    while not stop:
        count[0] += 1
        time.sleep(1e-4)

photo.blur(image)
thread = threading.Thread(target=work)
thread.start()
sys.setswitchinterval(1000)  # from now on other threads run only when one releases the GIL
time.sleep(0.05)
before = count[0]
for _ in range(5):
    photo.blur(image, 1000.0)
moved = count[0] != before
stop.append(1)
thread.join()
print(moved)
"""


@pytest.mark.parametrize(("limit", "released"), [("", False), ("8001", False), ("8000", True), ("0", True)])
def test_gil__from_the_limit_on_it_is_released(limit, released):
    """The image has 8,000 bytes; the output, which is made, does not count."""
    env = {**os.environ, "DLFERRY_GIL_LIMIT": limit}
    done = subprocess.run(
        [sys.executable, "-c", HELD], env=env, capture_output=True, text=True, check=True, timeout=600
    )
    assert done.stdout.split() == [str(released)]
