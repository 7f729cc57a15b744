# SPDX-License-Identifier: Apache-2.0
"""Copies, casts, fills and assignments, between arrays of any package. What the numbers become is tests/casts'."""

import ctypes
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need
from test_value import Far

ml_dtypes = need("ml_dtypes")
torch = need("torch")


def matrix(dtype=np.float32):
    return np.arange(1, 7).reshape(2, 3).astype(dtype)


def buffer():
    return memoryview(bytearray(24)).cast("f", (2, 3))


# Places for float32[2, 3], and how to read them.
PLACES = {
    "numpy": lambda: np.zeros((2, 3), np.float32),
    "column-major": lambda: np.zeros((3, 2), np.float32).T,
    "with gaps": lambda: np.zeros((4, 9), np.float32)[::2, 1::3],
    "reversed": lambda: np.zeros((2, 3), np.float32)[::-1, ::-1],
    "torch": lambda: torch.zeros(2, 3),
    "torch with gaps": lambda: torch.zeros(3, 5, 2)[:, 1:4, 1].T[1:],
    "memoryview": buffer,
    "ctypes": lambda: (ctypes.c_float * 3 * 2)(),
    "dlferry": lambda: dlferry.create("float32", (2, 3)),
    "dlferry, reversed": lambda: dlferry.create("float32", (2, 3)).flip(),
}
SOURCES = {
    "as it lies": lambda: dlferry.from_dlpack(matrix()),
    "column-major": lambda: dlferry.from_dlpack(np.asfortranarray(matrix())),
    "reversed": lambda: dlferry.from_dlpack(matrix()[::-1, ::-1].copy()).flip(),
    "broadcast": lambda: dlferry.from_dlpack(np.float32([1, 2, 3])).broadcast_to(2, 3),
    "read-only": lambda: dlferry.from_dlpack(bytes(matrix())).bitcast("float32").reshape(2, 3),
    "torch": lambda: dlferry.from_dlpack(torch.arange(6.0).reshape(3, 2).T),
}


def shown(x):
    return dlferry.from_dlpack(x).tolist()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("source", SOURCES)
def test_copy__into_any_array_from_any_strides(source, place):
    t = SOURCES[source]()
    numbers, out = t.tolist(), PLACES[place]()
    before = sys.getrefcount(out)
    assert t.copy_into(out) is None
    assert shown(out) == numbers
    dlferry.from_dlpack(out).fill(0)
    assert t.copy(out=out) is out and shown(out) == numbers
    whole = t.astype("int16")
    whole[...] = np.int16(0)
    assert t.astype("float32", out=out) is out and shown(out) == numbers
    assert t.cast_into(whole) is None and whole.tolist() == numbers
    assert whole.astype("float32", out=out) is out
    assert sys.getrefcount(out) == before


def test_copy__without_out_is_new():
    t = dlferry.from_dlpack(matrix())
    for copy in (t.copy(), t.copy(out=None), t.astype("float32"), t.astype("float32", out=None)):
        assert copy.data != t.data and not copy.readonly and copy.tolist() == t.tolist()
    assert t.astype("float32", False) is t and t.astype(copy=False, dtype=np.float32) is t
    assert t.astype("float64", copy=False).tolist() == t.tolist()


def test_contiguous__copies_only_what_has_gaps():
    t = dlferry.from_dlpack(np.arange(6.0).reshape(2, 3))
    assert t.contiguous() is t and t[1:].contiguous().data == t[1:].data
    columns = t.T.contiguous()
    assert columns.strides == (2, 1) and columns.data != t.data and columns.tolist() == t.T.tolist()
    assert t.T.contiguous("column_major").data == t.data and t.T.contiguous(order="dense").data == t.data
    rows = t.contiguous("F")
    assert rows.strides == (1, 2) and rows.tolist() == t.tolist()
    assert t[:, ::2].contiguous("dense").strides == (2, 1)
    with pytest.raises(ValueError, match="contiguous: order: expected 'row_major', 'column_major' or 'dense', got 'K'"):
        t.contiguous("K")


DTYPES = """bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16 complex64 complex128
float8_e3m4 float8_e4m3 float8_e4m3b11fnuz float8_e4m3fn float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz float6_e2m3fn
float6_e3m2fn float4_e2m1fn""".split()


def numpy_dtype(name):
    return np.dtype(getattr(ml_dtypes, name, name))


@pytest.mark.parametrize("source", DTYPES)
def test_astype__is_as_in_numpy(source):
    """Also into NumPy's arrays, whose elements below a byte are padded, and from them."""
    a = np.array([[0, 1, 1], [0, 0.5, 2]]).astype(numpy_dtype(source))
    t = dlferry.from_dlpack(a)
    for name in DTYPES:
        if source.startswith("complex") and not name.startswith("complex"):
            continue
        expected = a.astype(numpy_dtype(name))
        got = t.astype(name)
        assert got.dtype == name and got.numpy(copy=True).tobytes() == expected.tobytes()
        assert got.astype(name).flags == got.flags
        out = np.zeros((3, 2), numpy_dtype(name)).T
        assert t.astype(name, out=out) is out and out.tobytes() == expected.tobytes()


def test_astype__saturates_if_asked():
    t = dlferry.from_dlpack(np.float32([1e9, -1e9, np.inf]))
    assert t.astype("float8_e4m3fn", saturate=True).tolist() == [448, -448, 448]
    assert np.isnan(t.astype("float8_e4m3fn").tolist()).all()
    whole = dlferry.from_dlpack(np.array([300, -1], np.int16))
    out = np.zeros(2, np.uint8)
    whole.cast_into(out)
    assert out.tolist() == [44, 255]
    whole.cast_into(out, saturate=True)
    assert out.tolist() == [255, 0]
    assert whole.astype("uint8", saturate=True, out=torch.zeros(2, dtype=torch.uint8)).tolist() == [255, 0]


def test_copy__packs_and_unpacks():
    packed = dlferry.wrap(bytearray(b"\x21\x43"), "int4")
    padded = np.zeros(4, ml_dtypes.int4)
    packed.copy_into(padded)
    assert padded.tolist() == [1, 2, 3, 4]
    again = dlferry.create("int4", 4)
    dlferry.from_dlpack(padded).copy_into(again)
    assert again.tobytes() == packed.tobytes()
    again[:2] = padded[2:]
    again[2:].fill(-1)
    assert again.tolist() == [3, 4, -1, -1]
    with pytest.raises(ValueError, match="fill: expected a number that int4 has, got 8"):
        again.fill(8)


def test_copy__within_one_memory():
    a = np.arange(6, dtype=np.int32)
    t = dlferry.from_dlpack(a)
    t[1:] = t[:-1]
    assert a.tolist() == [0, 0, 1, 2, 3, 4]
    t[:-1].copy_into(t[1:])
    assert a.tolist() == [0, 0, 0, 1, 2, 3]
    t[:-1] = a[1:]
    assert a.tolist() == [0, 0, 1, 2, 3, 3]
    t.copy_into(t)
    with pytest.raises(BufferError, match="got shared memory and other strides: copy the source first"):
        t[:3] = t[::2]
    with pytest.raises(BufferError, match="cast_into: expected a source apart from the destination"):
        t.cast_into(t.bitcast("float32"))
    assert a.tolist() == [0, 0, 1, 2, 3, 3]


# ---- Assignment ----

KEYS = [..., 0, -1, (0, 1), (slice(None), 2), (slice(None, None, -1),), (..., slice(None, None, 2)), (1, ..., None)]
VALUES = {
    "a number": lambda shape: 7,
    "a float": lambda shape: -0.5,
    "NumPy's": lambda shape: np.float64(0.1),
    "ml_dtypes'": lambda shape: ml_dtypes.bfloat16(3),
    "a bool": lambda shape: np.True_,
    "whole": lambda shape: np.arange(1, 1 + np.prod(shape, dtype=int), dtype=np.float32).reshape(shape),
    "reversed": lambda shape: np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape)[..., ::-1],
    "one": lambda shape: np.float32([5]).reshape(()),
    "a row": lambda shape: np.arange(shape[-1], dtype=np.float32),
}


@pytest.mark.parametrize("key", KEYS, ids=str)
@pytest.mark.parametrize("value", VALUES)
def test_assign__is_as_in_numpy(key, value):
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    t, tensor = dlferry.from_dlpack(a.copy()), torch.from_numpy(a.copy())
    x = VALUES[value](a[key].shape)
    a[key] = x
    t[key] = x
    assert t.tolist() == a.tolist()
    if isinstance(x, np.ndarray) and value != "reversed":
        dlferry.from_dlpack(tensor)[key] = torch.from_numpy(x)
        assert tensor.tolist() == a.tolist()


class Half:
    def __float__(self):
        return 0.5


def test_fill__takes_each_kind_of_number():
    t = dlferry.create("float64", 2)
    for x, expected in [(Half(), 0.5), (2**63, 2.0**63), (10**30, 1e30), (np.int8(-3), -3), (True, 1), (1 + 0j, 1)]:
        t.fill(x)
        assert t.tolist() == [expected] * 2
        t[1] = x
    t = dlferry.create("uint64", 1)
    t.fill(2**64 - 1)
    assert t.item() == 2**64 - 1
    t = dlferry.create("complex64", 1)
    t.fill(complex(1, -0.0))
    assert str(t.item()) == "(1-0j)"
    t = dlferry.create("uint8x4", 2)
    t[0] = 3
    assert t.tolist() == [(3, 3, 3, 3), (0, 0, 0, 0)]


# ---- Refusals: each writes nothing ----


def read_only():
    a = matrix()
    a.flags.writeable = False
    return a


def legacy():
    return dlferry.from_dlpack(dlferry.to_dlpack_legacy(dlferry.create("float32", (2, 3))))


GRAD = "expected a tensor without a gradient, got one that requires grad; pass .detach()"
OLD = "expected a tensor known to be writable, got one by DLPack before 1.0"
OTHER = "expected a source of float64, the destination's dtype, got float32: cast_into converts"
REFUSED = [
    ("t.copy_into(np.zeros((2, 3)))", TypeError, f"copy_into: {OTHER}"),
    ("t.copy(out=np.zeros((2, 3)))", TypeError, f"copy: {OTHER}"),
    ("t.astype('float16', out=np.zeros((2, 3)))", TypeError, "astype: out: expected float16, got float64"),
    ("t.astype('int4')", TypeError, "astype: expected bool, integers of 8 to 64 bits, floats or complex numbers, got"),
    ("t.astype('complex64').astype('int8')", TypeError, "expected a complex dtype for complex64, got int8; bitcast it"),
    ("t.astype('float32x2')", TypeError, "astype: expected 1 lanes for float32, got float32x2"),
    ("t.copy_into(np.zeros((3, 2), 'f4'))", ValueError, "expected a source of extent 3 on axis 0 (from 0), the dest"),
    ("t.cast_into(np.zeros(6))", ValueError, "cast_into: expected a source of 1 axes, as many as the destination has"),
    ("t.copy_into(read_only())", BufferError, "copy_into: expected a writable destination, got a read-only one"),
    ("t.astype('float32', out=read_only())", BufferError, "astype: expected a writable destination, got a read-only"),
    ("t.copy(out=bytes(24))", TypeError, "copy: expected a source of uint8"),
    ("t.copy_into(legacy())", BufferError, f"copy_into: destination: {OLD}"),
    ("legacy().fill(1)", BufferError, f"fill: {OLD}"),
    ("legacy().__setitem__(0, 1)", BufferError, f"assign: {OLD}"),
    ("dlferry.from_dlpack(read_only()).fill(1)", BufferError, "fill: expected a writable destination, got a read-only"),
    ("dlferry.from_dlpack(read_only()).__setitem__(0, 1)", BufferError, "assign: expected a writable destination"),
    ("dlferry.from_dlpack(read_only()).__setitem__(0, t[0])", BufferError, "assign: expected a writable destination"),
    ("t.copy(out=torch.zeros(2, 3, requires_grad=True))", BufferError, f"copy: out: {GRAD}"),
    ("t.__setitem__(0, torch.zeros(3, requires_grad=True))", BufferError, f"assign: {GRAD}"),
    ("t.copy_into(torch.zeros(3).expand(2, 3))", BufferError, "expected a destination whose elements lie apart, got"),
    ("t[0].broadcast_to(2, 3).fill(1)", BufferError, "expected a destination whose elements lie apart, got shape"),
    ("t.copy_into([[1, 2]])", TypeError, "copy_into: destination: expected an array with __dlpack__, a DLPack capsule"),
    ("t.copy_into(1)", TypeError, "copy_into: destination: expected an array with __dlpack__, a DLPack capsule or a"),
    ("t.__setitem__(0, [1, 2, 3])", TypeError, "assign: expected an array with __dlpack__"),
    ("t.__setitem__(0, 'x')", TypeError, "assign: expected an array with __dlpack__"),
    ("t.__setitem__(0, None)", TypeError, "assign: expected an array with __dlpack__"),
    ("t.__setitem__(0, np.arange(3))", TypeError, "assign: expected a source of float32, the destination's dtype, got"),
    ("t.__setitem__(0, np.zeros(2, 'f4'))", ValueError, "assign: expected a source of extent 3 on axis 0 (from 0)"),
    ("t.__setitem__(0, np.zeros((1, 3), 'f4'))", ValueError, "assign: expected a source of 1 axes"),
    ("t.__setitem__(2, 1)", IndexError, "index: expected index below 2 of axis 0 (from 0), got 2"),
    ("t.__setitem__([0], 1)", TypeError, "index: expected integers, slices, Ellipsis and None, got list"),
    ("t.__delitem__(0)", TypeError, "tensor: expected no deletion of elements, got one"),
    ("t.__setitem__(0, 1j)", ValueError, "assign: expected a number that float32 has, got 0+1i"),
    ("t.fill('1')", TypeError, "fill: expected a number, got str"),
    ("t.fill([1])", TypeError, "fill: expected a number, got list"),
    ("t.fill(t)", ValueError, "expected one element, got float32[2, 3] cpu"),
    ("t.fill(10**400)", OverflowError, "int too large to convert to float"),
    ("t.astype('int8').fill(128)", ValueError, "fill: expected a number that int8 has, got 128"),
    ("t.astype('int8').fill(float('nan'))", ValueError, "fill: expected a number that int8 has, got nan"),
    ("t.astype('bool').__setitem__(0, 2)", ValueError, "assign: expected a number that bool has, got 2"),
    ("t.copy('C')", TypeError, "copy() takes at most 0 positional arguments (1 given)"),
    ("t.astype('int8', True, False)", TypeError, "astype() takes at most 2 positional arguments (3 given)"),
    ("t.cast_into(t, saturate=1.5)", TypeError, "cast_into: saturate: expected"),
    ("closed().copy_into(t)", ValueError, "copy_into: expected an open tensor, got a closed one"),
    ("t.copy_into(closed())", ValueError, "copy_into: destination: expected an open tensor, got a closed one"),
    ("closed().fill(1)", ValueError, "fill: expected an open tensor, got a closed one"),
    ("closed().__setitem__(0, 1)", ValueError, "expected an open tensor, got a closed one"),
]


def closed():
    t = dlferry.create("float32", (2, 3))
    t.release()
    return t


@pytest.mark.parametrize(("line", "kind", "said"), REFUSED, ids=[row[0] for row in REFUSED])
def test_refused(line, kind, said):
    a, made = matrix(), []
    names = {"t": dlferry.from_dlpack(a), "np": np, "torch": torch, "dlferry": dlferry, "closed": closed}

    def keep(make):
        return lambda *x, **y: made.append(make(*x, **y)) or made[-1]

    names |= {"read_only": keep(read_only), "legacy": keep(legacy)}
    with pytest.raises(kind) as caught:
        eval(line, names)
    assert str(caught.value).startswith(said) or f" {said}" in str(caught.value)
    assert a.tolist() == matrix().tolist()
    assert all(shown(x) in (matrix().tolist(), [[0] * 3] * 2) for x in made)


def test_refused__arrays_that_never_change():
    jax = need("jax")
    t = dlferry.from_dlpack(matrix())
    x = jax.numpy.zeros((2, 3), "float32")
    with pytest.raises(BufferError, match="copy: out: is read-only; JAX's arrays never change, pass a copy by numpy"):
        t.copy(out=x)
    t[...] = x
    assert t.tolist() == [[0] * 3] * 2


def test_refused__memory_that_the_processor_cannot_reach():
    far = dlferry.from_dlpack(Far())
    here = dlferry.create(far.dtype, far.shape)
    for move in (
        lambda: far.copy_into(here),
        lambda: here.copy_into(far),
        lambda: here.copy(out=Far()),
        lambda: far.astype("int8"),
        lambda: far.fill(1),
        lambda: far.__setitem__(..., here),
        lambda: here.__setitem__(..., far),
    ):
        with pytest.raises(dlferry.DeviceError, match=r"expected data that the processor can reach, got cuda:\d"):
            move()


def test_refused__leaves_the_exporter_of_a_buffer_free():
    t, raw = dlferry.from_dlpack(matrix()), bytearray(24)
    for destination in (raw, memoryview(raw).cast("f", (3, 2))):
        with pytest.raises(dlferry.Error):
            t.copy_into(destination)
    t.copy_into(memoryview(raw).cast("f", (2, 3)))
    del destination
    raw.append(0)  # a BufferError while a buffer of it is open
    assert raw[:24] == t.tobytes()


@pytest.mark.parametrize("capsule", [dlferry.to_dlpack, dlferry.to_dlpack_legacy])
def test_capsule__is_consumed_by_a_copy_and_by_a_refusal(capsule):
    t = dlferry.from_dlpack(matrix())
    for make, refused in ((lambda: t.copy(), False), (lambda: t.astype("float64"), True), (lambda: t[:, :2], True)):
        given = capsule(make())
        if refused:
            with pytest.raises(dlferry.Error):
                t[...] = given
        else:
            t[...] = given
        with pytest.raises(ValueError, match="assign: expected a capsule that has not been consumed, got"):
            t[...] = given
    assert t.tolist() == matrix().tolist()


# ---- torch learns of writes, Python code in between, threads ----


def test_torch__learns_of_a_write_and_of_no_refusal():
    t = dlferry.from_dlpack(matrix())
    x = torch.zeros(2, 3)
    t.copy_into(x)
    t.astype("float32", out=x)
    assert x._version == 2
    for refused in (lambda: t.astype("float64", out=x), lambda: t[0].copy_into(x), lambda: t.copy(out=x.T)):
        with pytest.raises(dlferry.Error):
            refused()
    assert x._version == 2


class Releases:
    """An array whose export releases a tensor."""

    def __init__(self, array, tensor):
        self.array, self.tensor = array, tensor

    def __dlpack__(self, **words):
        self.tensor.release()
        return self.array.__dlpack__(**words)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("extent", [3, 100_000])
def test_python_code_may_release_the_tensor_meanwhile(extent):
    a = np.ones(extent, np.float32)
    for write in (
        lambda t, x: t.copy_into(x),
        lambda t, x: t.copy(out=x),
        lambda t, x: t.astype("float32", out=x),
        lambda t, x: t.__setitem__(..., x),
    ):
        t, out = dlferry.from_dlpack(a).copy(), np.ones(extent, np.float32)
        write(t, Releases(out, t))
        assert out[-1] == 1
        with pytest.raises(dlferry.Error, match="a closed one"):
            t.fill(1)


WATCH = """
import sys, threading, time
import dlferry, numpy as np

count, stop = [0], []

def work():
    while not stop:
        count[0] += 1
        time.sleep(1e-5)

def is_released(f):
    f()
    for _ in range(200):
        before = count[0]
        f()
        if count[0] != before:
            return True
    return False

def of(n):
    t = dlferry.from_dlpack(np.ones((2, n // 8), "float32"))
    u, v, w = t.copy(), t.astype("int8"), dlferry.create("float32", t.shape)
    columns = t.T.contiguous().T
    return {
        "copy": t.copy, "copy_into": lambda: t.copy_into(u), "copy out": lambda: t.copy(out=u.numpy()),
        "astype": lambda: t.astype("float16"), "wider": lambda: v.astype("float32"),
        "cast_into": lambda: v.cast_into(w), "fill": lambda: u.fill(3), "assign": lambda: u.__setitem__(0, t[0]),
        "assign all": lambda: u.__setitem__(..., t), "assign number": lambda: u.__setitem__(..., 1),
        "contiguous": columns.contiguous, "equal": lambda: t.equal(t), "all_close": lambda: t.all_close(t),
    }

thread = threading.Thread(target=work)
thread.start()
sys.setswitchinterval(1000)  # from now on other threads run only when one releases the GIL
for n in (1 << 21, 1 << 14):
    print(*[name for name, f in of(n).items() if is_released(f)], sep=",")
stop.append(1)
thread.join()
"""


def test_gil__is_released_from_64_kib_on():
    done = subprocess.run([sys.executable, "-c", WATCH], capture_output=True, text=True, check=True, timeout=600)
    large, small = done.stdout.splitlines()
    assert large == (
        "copy,copy_into,copy out,astype,wider,cast_into,fill,assign,assign all,assign number,contiguous,equal,all_close"
    )
    assert small == ""
