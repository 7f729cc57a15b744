# SPDX-License-Identifier: Apache-2.0
"""A Tensor among Python's own operations: numbers, truth, equality and arrays of other libraries. Never an address."""

import copy
import ctypes
import math
import operator
import sys
import threading

import dlferry
import numpy as np
import pytest
from conftest import need
from test_streams import CUDA, Device

torch = need("torch")
jnp = need("jax").numpy


class Far(Device):
    """Elements that the processor cannot reach, as the label says."""

    size = 1

    def __init__(self):
        super().__init__(CUDA)


def one(value, dtype):
    return dlferry.from_dlpack(np.full((1, 1), value).astype(dtype))


# ---- numbers ----


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_number__of_integers(dtype):
    for value in (np.iinfo(dtype).min, np.iinfo(dtype).max, 1, 0):
        t = one(value, dtype)
        assert int(t) == value and float(t) == float(value) and bool(t) is bool(value)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16", "float8_e5m2"])
def test_number__of_reals(dtype):
    dtype = getattr(need("ml_dtypes"), dtype, dtype)
    for value in (0.1, -2.75, 0.0):
        t = one(value, dtype)
        exact = float(np.array(value).astype(dtype))
        assert float(t) == exact and int(t) == int(exact) and bool(t) is bool(exact)
    assert math.isnan(float(one(math.nan, dtype))) and bool(one(math.nan, dtype))
    for call, value, kind in [(int, math.nan, ValueError), (int, math.inf, OverflowError)]:
        with pytest.raises(kind):
            call(one(value, dtype))


def test_number__of_others():
    assert int(one(True, bool)) == 1 and bool(one(False, bool)) is False and float(one(True, bool)) == 1.0
    z = one(1j, "complex64")
    assert bool(z) and not bool(one(0j, "complex128"))
    for call in (int, float):
        with pytest.raises(TypeError):
            call(z)
    assert int(dlferry.create("int8", [])) == 0
    assert float(dlferry.from_dlpack(np.arange(6.0)[4::2])) == 4.0


@pytest.mark.parametrize("call", [int, float, bool])
def test_number__what_has_none(call):
    name = call.__name__
    for t, told in [
        (dlferry.create("float32", [2]), f"{name}: expected one element, got float32[2] cpu"),
        (dlferry.create("int8", [0]), f"{name}: expected one element, got int8[0] cpu"),
        (dlferry.from_dlpack(b"1.5"), f"{name}: expected one element, got uint8[3] cpu"),
    ]:
        with pytest.raises(ValueError) as caught:
            call(t)
        assert str(caught.value) == told and caught.value.status is dlferry.Status.SHAPE
    with pytest.raises(dlferry.DeviceError) as caught:
        call(dlferry.from_dlpack(Far()))
    assert str(caught.value) == "read: expected data that the processor can reach, got cuda:0: move it to the CPU first"
    with pytest.raises(TypeError):
        call(dlferry.create("float32x4", [1]))
    t = dlferry.create("int8", [1])
    t.release()
    with pytest.raises(ValueError, match="got a closed one"):
        call(t)


def test_number__only_an_integer_without_axes_is_an_index():
    t = dlferry.from_dlpack(np.array(2))
    assert [1, 2, 3][t] == 3 and hex(t) == "0x2" and list(range(t)) == [0, 1]
    assert dlferry.create("int8", [t, t]).shape == (2, 2)
    for x in (np.array([2]), np.array(2.0), np.array(True)):
        with pytest.raises(TypeError, match="index: expected an integer without axes, got"):
            operator.index(dlferry.from_dlpack(x))
    assert bytes(dlferry.from_dlpack(np.array(2, np.uint8))) == b"\2"


# ---- equality ----


def test_equal__is_identity():
    a = np.zeros(3)
    t, u = dlferry.from_dlpack(a), dlferry.from_dlpack(a)
    assert t.data == u.data and t == t and t != u and u not in [t] and t != t.data
    before = hash(t), hash(u)
    t.release()
    u.release()
    assert t != u and t == t and (hash(t), hash(u)) == before and len({t, u}) == 2
    assert t.__eq__(u) is NotImplemented and t.__eq__(3) is NotImplemented
    for compare in (t.__lt__, t.__ge__):  # how to order elements is said as for t + u
        with pytest.raises(TypeError, match="expected no arithmetic with elements"):
            compare(u)
        assert compare("3") is NotImplemented


def test_base__offers_nothing():
    t = dlferry.create("int8", [2])
    assert dlferry.Tensor.__mro__ == (dlferry.Tensor, object) and dlferry.Tensor.__base__ is object
    for name in ("append", "next", "own", "acquire", "disown", "this", "thisown", "__hex__"):
        assert not hasattr(t, name) and name not in dir(t), name
    assert isinstance(t, dlferry.Tensor) and not hasattr(copy, "SwigPyObject")


# ---- arrays of others ----


def test_numpy__array_of_what_is_no_buffer():
    ml_dtypes = need("ml_dtypes")
    a = np.arange(6, dtype=np.float32).reshape(2, 3).astype(ml_dtypes.bfloat16)
    t = dlferry.from_dlpack(a)
    b = np.asarray(t)
    assert b.dtype == a.dtype and b.shape == (2, 3) and b.ctypes.data == a.ctypes.data
    assert np.array(t).ctypes.data != a.ctypes.data
    assert np.asarray(t, dtype=np.float32).tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(ValueError):
        np.asarray(t, dtype=np.float32, copy=False)
    for make in (np.asarray, np.array, lambda x: np.add(x, 1)):
        with pytest.raises(dlferry.DeviceError, match="processor can reach, got cuda:0: move it to the CPU"):
            make(dlferry.from_dlpack(Far()))
        with pytest.raises(dlferry.Error, match="numpy: expected a dtype that NumPy or ml_dtypes has, got float32x4"):
            make(dlferry.create("float32x4", [2]))


@pytest.mark.parametrize("dtype", ["float32", "complex64", "int8"])
def test_others__keep_the_shape(dtype):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    t = dlferry.from_dlpack(a)
    for array in (np.asarray(t), torch.as_tensor(t), torch.from_dlpack(t), jnp.asarray(t), jnp.array(t)):
        assert tuple(array.shape) == (2, 3) and np.asarray(array).tolist() == a.tolist()
    assert jnp.asarray(t).dtype == dtype and jnp.asarray(t, dtype="complex64").shape == (2, 3)
    # torch reads only a buffer's bytes, and would make a tensor with one axis from them.
    with pytest.raises((ValueError, RuntimeError, BufferError)):
        torch.asarray(t)
    # Before 2.15 it takes every buffer for float32.
    right = dtype == "float32" or tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 15)
    for flat in (dlferry.from_dlpack(a[0]), memoryview(a[0])):
        try:
            assert (torch.asarray(flat).tolist() == a[0].tolist()) is right
        except ValueError as error:  # 3 bytes are no multiple of 4
            assert not right and str(error).startswith("buffer length"), error


def test_buffer__without_a_shape_is_for_one_axis(tmp_path):
    a = np.arange(6.0).reshape(2, 3)
    t = dlferry.from_dlpack(a)
    with open(tmp_path / "x", "wb") as file:
        with pytest.raises(BufferError, match=r"pass memoryview\(x\)"):
            file.write(t)
        file.write(memoryview(t))
        file.write(dlferry.from_dlpack(a[0]))
    assert (tmp_path / "x").read_bytes() == a.tobytes() + a[0].tobytes() and bytes(t) == a.tobytes()


# ---- dtypes by name ----


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("i8", "int8 or int64?"),
        ("<i8", "int8 or int64?"),
        ("u1", "uint1 or uint8?"),
        ("|u1", "uint1 or uint8?"),
        ("f4", "float4 or float32?"),
        ("<f4", "float4 or float32?"),
        (">f8", "float8 or float64?"),
        ("f16", "float16 or float128?"),
        ("c8", "complex8 or complex64?"),
        ("b1", "bool?"),
        ("f32", "float32?"),
        ("u8_x4", "uint8x4?"),
        ("bf16", "bfloat16?"),
        ("f8_e4m3fn", "float8_e4m3fn?"),
    ],
)
def test_dtype__short_names_are_of_contracts(given, told):
    for name, call in [("create", lambda: dlferry.create(given, [8])), ("wrap", lambda: dlferry.wrap(bytes(8), given))]:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == f"{name}: dtype: expected a dtype by its whole name, got '{given}'; {told}"
        assert caught.value.status is dlferry.Status.DTYPE


def test_dtype__whole_names():
    for name in ("float32", "bfloat16", "bool", "complex64", "uint8x4", "float4_e2m1fn", "int4", "dtype(40, 8)"):
        assert dlferry.create(name, [2]).dtype == name
    for name in ("", "float", "M8", "i", "<", "U5", "float33333", "double"):
        with pytest.raises(TypeError, match="create: dtype: expected a dtype such as float32, got"):
            dlferry.create(name, [2])


# ---- legacy producers ----


class Legacy:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


@pytest.mark.parametrize("capsule", [False, True])
def test_legacy__counts_as_read_only_and_goes_to_its_like(capsule):
    a = np.arange(4.0)
    legacy = Legacy(a)
    t = dlferry.from_dlpack(a.__dlpack__() if capsule else legacy)
    assert t.readonly and t.flags == dlferry.Flag.READ_ONLY and dlferry.describe(t) == "float64[4] cpu read-only"
    assert repr(t).startswith("float64[4] cpu read-only")
    assert memoryview(t).readonly and not t.numpy().flags.writeable and not np.from_dlpack(t).flags.writeable
    assert dlferry.from_dlpack(t.__dlpack__(max_version=(1, 0))).readonly
    assert dlferry.from_dlpack(dlferry.to_dlpack(t)).readonly
    again = dlferry.from_dlpack(t)
    assert again.readonly and again.data == a.ctypes.data
    for export in (t.__dlpack__, again.__dlpack__, lambda: dlferry.to_dlpack_legacy(t)):
        assert np.asarray(dlferry.from_dlpack(export())).ctypes.data == a.ctypes.data  # a legacy consumer
    assert jnp.from_dlpack(dlferry.from_dlpack(legacy)).tolist() == a.tolist()
    writable = t.copy()
    assert not writable.readonly and not dlferry.from_dlpack(legacy, copy=True).readonly
    assert dlferry.from_dlpack(t.__dlpack__(max_version=(1, 0), copy=True)).readonly is False


def test_legacy__is_not_written_by_a_call():
    photo = need("photo")
    image = np.ones((2, 3), np.float32)
    for out in (Legacy(np.zeros_like(image)), dlferry.from_dlpack(Legacy(np.zeros_like(image)))):
        with pytest.raises(BufferError) as caught:
            photo.sobel(image, out=out)
        assert caught.value.status is dlferry.Status.READ_ONLY
        assert str(caught.value).startswith("sobel: out: is read-only")
        assert photo.mean(out) == 0


# ---- copies ----


@pytest.mark.parametrize(
    "make",
    [
        lambda t: t.copy(),
        lambda t: dlferry.from_dlpack(t, copy=True),
        lambda t: t.__dlpack__(copy=True),
        lambda t: t.__dlpack__(copy=True, max_version=(1, 0)),
    ],
)
def test_copy__lets_other_threads_run(make):
    """One that can get in only while the GIL is released gets its turns during a copy."""
    t = dlferry.from_dlpack(np.zeros((6000, 6000), np.float32).T)
    turns, stop = [], threading.Event()

    def take_turns():
        while not stop.wait(0.0005):
            turns.append(1)

    other = threading.Thread(target=take_turns)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        other.start()
        before = len(turns)
        made = make(t)
        seen = len(turns) - before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        other.join()
    assert seen > 0
    del made


# ---- one check of typed access for all languages ----


def test_look__tells_the_same_as_every_language():
    frozen = np.arange(6.0).reshape(2, 3)
    frozen.flags.writeable = False
    columns = dlferry.from_dlpack(np.zeros((3, 2), np.int16).T)
    gaps = dlferry.from_dlpack(np.zeros((4, 4), np.int16)[:, ::2])
    far = dlferry.from_dlpack(Far())
    rows = columns.copy()
    any_of, column_major = 0x80 | 0x18, 0x40 | 0x18  # PyBUF_ANY_CONTIGUOUS, PyBUF_F_CONTIGUOUS
    for x, flags, status, told in [
        (
            far,
            0x18,
            "DEVICE",
            "elements: expected data that the processor can reach, got cuda:0: move it to the CPU first",
        ),
        (dlferry.from_dlpack(frozen), 0x19, "READ_ONLY", "elements: expected writable data, got read-only"),
        (
            columns,
            8,
            "LAYOUT",
            "elements: expected row-major elements, got shape [2, 3] with strides [1, 2]: pass a row-major copy",
        ),
        (
            rows,
            column_major,
            "LAYOUT",
            "elements: expected column-major elements, got shape [2, 3] with strides [3, 1]: pass a column-major copy",
        ),
        (
            gaps,
            any_of,
            "LAYOUT",
            "elements: expected row- or column-major elements, got shape [4, 2] with strides [4, 2]: "
            "pass a row-major copy",
        ),
    ]:
        with pytest.raises(dlferry.Error) as caught:
            get_buffer(x, flags)
        assert (caught.value.status.name, str(caught.value)) == (status, told)
    with pytest.raises(dlferry.DeviceError) as caught:
        far.numpy()
    reach = "expected data that the processor can reach, got cuda:0: move it to the CPU first"
    assert str(caught.value) == f"elements: {reach}"
    for x, flags in [(columns, 0x18), (columns, any_of), (columns, column_major), (gaps, 0x18), (rows, 9)]:
        get_buffer(x, flags)
    with pytest.raises(ValueError, match="wrap: expected 2 strides, got 1"):
        dlferry.wrap(bytearray(24), shape=[2, 2], strides=[1])
    with pytest.raises(IndexError, match="wrap: expected 28 bytes inside a block of 24, got them from byte 0"):
        dlferry.wrap(bytearray(24), "float32", [7])


def get_buffer(x, flags):
    """Ask as C does; Python's own consumers ask for everything or nothing."""
    view = (ctypes.c_char * 128)()
    call = ctypes.pythonapi.PyObject_GetBuffer
    call.argtypes, call.restype = [ctypes.py_object, ctypes.c_void_p, ctypes.c_int], ctypes.c_int
    assert call(x, view, flags) == 0
    ctypes.pythonapi.PyBuffer_Release(view)


# ---- arithmetic ----

ARITHMETIC = {
    "t + 1": "t.numpy() + 1",
    "1.5 - t": "1.5 - t.numpy()",
    "t * u": "t.numpy() * u.numpy()",
    "t / True": "t.numpy() / True",
    "t // 2": "t.numpy() // 2",
    "t % 2": "t.numpy() % 2",
    "t ** 2": "t.numpy() ** 2",
    "t @ u": "t.numpy() @ u.numpy()",
    "t & 1": "t.numpy() & 1",
    "t | 1": "t.numpy() | 1",
    "t ^ 1": "t.numpy() ^ 1",
    "t << 1": "t.numpy() << 1",
    "t >> 1": "t.numpy() >> 1",
    "-t": "-t.numpy()",
    "+t": "+t.numpy()",
    "~t": "~t.numpy()",
    "abs(t)": "abs(t.numpy())",
}


@pytest.mark.parametrize("expression", ARITHMETIC)
def test_arithmetic__says_how_numpy_writes_it(expression):
    t, u = dlferry.create("int32", 2), dlferry.create("int32", 2)
    with pytest.raises(TypeError, match=r"^tensor: expected no arithmetic with elements, got .*; write ") as caught:
        eval(expression)
    assert str(caught.value).endswith("; write " + ARITHMETIC[expression])
    assert u is not t


def test_arithmetic__is_another_package_s_own_if_it_can():
    t = dlferry.from_dlpack(np.arange(3.0))
    for result in (t + np.ones(3), np.ones(3) + t, t + np.float64(1), np.float64(1) + t):
        assert type(result) is np.ndarray and result.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="unsupported operand"):
        t + "1"
    t_again = t
    t_again += np.ones(3)
    assert type(t_again) is np.ndarray


def test_arithmetic__equality_is_identity():
    t, u = dlferry.create("int32", 2), dlferry.create("int32", 2)
    assert t == t and t != u and t != 1 and {t: 1}[t] == 1 and hash(t) == object.__hash__(t)


# ---- create ----


def test_create__takes_numpy_s_order_and_one_number():
    for t in (
        dlferry.create((2, 3), "float32"),
        dlferry.create([2, 3], np.float32),
        dlferry.create((2, 3), np.dtype("float32"), "cpu"),
        dlferry.create(np.array([2, 3]), dlferry.float32, device="cpu"),
        dlferry.create(shape=(2, 3), dtype="float32"),
        dlferry.create((2, 32, 1), (2, 3)),  # (code, bits, lanes), before a shape
    ):
        assert (t.shape, t.dtype) == ((2, 3), "float32")
    for t in (dlferry.create("int8", 3), dlferry.create(3, "int8"), dlferry.create(dtype="int8", shape=np.int64(3))):
        assert (t.shape, t.dtype) == ((3,), "int8")
    assert dlferry.create((2, 32, 1), "float32").shape == (2, 32, 1)
    assert dlferry.wrap(b"123456", shape=6).shape == dlferry.create("int8", [2, 3]).reshape(6).shape
    with pytest.raises(dlferry.Error):
        dlferry.create(-1, "int8")


def test_numpy_asarray__takes_a_dtype():
    for t in (dlferry.from_dlpack(np.arange(3.0)), dlferry.create("bfloat16", 3)):
        for array in (np.asarray(t, dtype="float32"), np.asarray(t, "float32"), t.__array__("float32")):
            assert array.dtype == "float32" and array.shape == (3,)
    t = dlferry.from_dlpack(np.arange(3.0))
    assert np.asarray(t, "float64").ctypes.data == t.data
