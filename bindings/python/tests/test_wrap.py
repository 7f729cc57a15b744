# SPDX-License-Identifier: Apache-2.0
"""Buffers in, by wrap, and out, by the buffer protocol."""

import array
import ctypes
import io

import dlferry
import numpy as np
import pytest


@pytest.mark.parametrize("code", "bBhHiIlLqQfd")
def test_wrap__array_array(code):
    a = array.array(code, [1, 2, 3])
    t = dlferry.wrap(a)
    assert t.data == a.buffer_info()[0] and not t.readonly
    assert t.numpy().tolist() == [1, 2, 3]
    t.numpy()[1] = 7
    assert a[1] == 7
    with pytest.raises(BufferError):
        a.append(4)  # exported: the memory must stay where it is


def test_wrap__keeps_the_owner_until_the_last_reference():
    a = bytearray(b"abcd")
    t = dlferry.wrap(a)
    view = t.numpy()
    t.release()
    with pytest.raises(BufferError):
        a.append(1)
    del view
    a.append(1)


def test_wrap__read_only_bytes():
    t = dlferry.wrap(b"abc")
    assert t.readonly and t.dtype == "uint8"
    with pytest.raises(ValueError):
        t.numpy()[0] = 1
    with pytest.raises(TypeError):
        memoryview(t)[0] = 1


def test_wrap__ctypes_and_memoryview():
    block = (ctypes.c_double * 6)(*range(6))
    t = dlferry.wrap(memoryview(block).cast("B").cast("d", [2, 3])[::-1])
    assert t.shape == (2, 3) and t.strides == (-3, 1)
    assert t.numpy().tolist() == [[3, 4, 5], [0, 1, 2]]


def test_wrap__other_dtype_and_shape():
    a = bytearray(24)
    assert dlferry.wrap(a, "float32").shape == (6,)
    assert dlferry.wrap(a, dtype="bfloat16", shape=[3, 4]).strides == (4, 1)
    assert dlferry.wrap(a, shape=[2, 2], strides=[12, 3]).strides == (12, 3)
    assert dlferry.wrap(a, "float64", strides=[1]).shape == (3,)
    assert dlferry.wrap(bytearray(), "float32").shape == (0,)
    t = dlferry.wrap(a, "float32", [2, 3])
    t.numpy()[1, 2] = 1.5
    assert np.frombuffer(a, np.float32)[5] == 1.5


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"dtype": "float32", "shape": [7]}, IndexError),
        ({"shape": [2, 2], "strides": [-12, 1]}, IndexError),
        ({"shape": [2], "strides": [24]}, IndexError),
        ({"shape": [2, 2], "strides": [1]}, ValueError),
        ({"shape": [-2]}, ValueError),
        ({"shape": [2**62, 2**62]}, OverflowError),
        ({"shape": [3], "strides": [2**62]}, OverflowError),
        ({"dtype": "floaty"}, TypeError),
        ({"dtype": 3}, TypeError),
        ({"strides": "ab"}, TypeError),
    ],
)
def test_wrap__stays_inside_the_buffer(arguments, kind):
    with pytest.raises(kind):
        dlferry.wrap(bytearray(24), **arguments)


def test_wrap__refuses_formats_and_gaps():
    class Point(ctypes.Structure):
        _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_float)]

    for odd in [(Point * 2)(), np.zeros(2, "i4,f4"), np.zeros(2, ">f4"), np.zeros(2, np.longdouble)]:
        with pytest.raises(TypeError):
            dlferry.wrap(odd)
    with pytest.raises(BufferError):
        dlferry.wrap(np.zeros((4, 4), np.uint8)[:, ::2], "float32")
    with pytest.raises(BufferError):  # a field of a structure: strides are no multiple of the element
        dlferry.from_dlpack(np.zeros(3, "u1,f4")["f1"])


def test_buffer__layouts():
    t = dlferry.from_dlpack(np.arange(6, dtype=np.int16).reshape(2, 3).T)
    view = memoryview(t)
    assert (view.shape, view.strides, view.format, view.itemsize) == ((3, 2), (2, 6), "h", 2)
    assert view.f_contiguous and not view.c_contiguous and not view.readonly
    assert view.obj is t
    assert bytes(dlferry.wrap(b"xyz")) == b"xyz"
    with pytest.raises(BufferError):
        np.frombuffer(dlferry.from_dlpack(np.zeros((4, 4))[:, ::2]))


def test_buffer__refuses():
    frozen = np.zeros(3)
    frozen.flags.writeable = False
    t = dlferry.from_dlpack(frozen)
    assert memoryview(t).readonly
    with pytest.raises(TypeError):
        (ctypes.c_double * 3).from_buffer(t)  # asks, then looks at readonly itself
    with pytest.raises(TypeError):
        io.BytesIO(b"123").readinto(t)
    with pytest.raises(BufferError, match="struct module"):
        memoryview(dlferry.create("bfloat16", [2]))


def test_buffer__keeps_the_memory_after_release():
    t = dlferry.create("uint8", [4])
    view = memoryview(t)
    t.release()
    assert view.tolist() == [0, 0, 0, 0] and dlferry.live() >= 1
    view.release()


@pytest.mark.parametrize("stride", [2**60, 2**62, 2**63 - 1, -(2**62)])
def test_wrap__stride_of_one_element_may_be_any_number(stride):
    t = dlferry.wrap(bytearray(8), "float64", (1,), strides=(stride,))
    assert t.strides == (stride,)
    assert memoryview(t).strides == np.asarray(memoryview(t)).strides == (8,)
