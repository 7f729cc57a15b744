# SPDX-License-Identifier: Apache-2.0
"""Copies by Python's module copy, and the array protocols before DLPack."""

import copy

import classes
import dlferry
import numpy as np
import pytest
from conftest import need
from test_value import Far


class Image(dlferry.Tensor):
    pass


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copy__of_a_subclass_keeps_its_attributes(duplicate):
    image = Image(np.arange(3.0))
    image.title, image.me = ["x"], image
    other = duplicate(image)
    assert type(other) is Image and other.tolist() == [0, 1, 2] and other.data != image.data
    assert (other.title is image.title) == (duplicate is copy.copy) and other.title == ["x"]
    assert other.me is (image if duplicate is copy.copy else other)
    assert type(duplicate(dlferry.create("int8", [2]))) is dlferry.Tensor
    del image.me, other.me


@pytest.mark.parametrize("dtype", ["int4", "uint4", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", "int2", "uint2"])
def test_numpy__packed_and_padded_elements(dtype):
    kind = np.dtype(getattr(need("ml_dtypes"), dtype))
    packed = dlferry.wrap(bytearray(range(200, 224)), dtype)
    with pytest.raises(TypeError, match=r"packed; write t.numpy\(copy=True\)"):
        packed.numpy()
    a = packed.numpy(copy=True)
    assert a.dtype == kind and a.shape == packed.shape and a.astype(float).tolist() == packed.tolist()
    padded = dlferry.from_dlpack(a)
    assert padded.data == a.ctypes.data and padded.tolist() == packed.tolist() and padded.equal(packed)
    assert padded.numpy().ctypes.data == a.ctypes.data and np.array(packed, copy=True).dtype == kind
    assert padded.nbytes == a.nbytes and packed.nbytes == 24


@pytest.mark.parametrize("yes", [True, np.True_, 1])
def test_array__copy_is_any_true_value(yes):
    t = dlferry.from_dlpack(np.arange(3.0))
    assert t.__array__(copy=yes).ctypes.data != t.data and t.numpy(copy=yes).ctypes.data != t.data
    assert t.__array__(None, None).ctypes.data == t.__array__(copy=np.False_).ctypes.data == t.data
    with pytest.raises(ValueError):
        t.__array__("float32", copy=False)


def test_array_interface__is_numpys():
    a = np.arange(6, dtype=np.int16).reshape(2, 3)[:, ::-1]
    t = dlferry.from_dlpack(a)
    ours, theirs = t.__array_interface__, a.__array_interface__
    assert {key: ours[key] for key in ours} == {key: theirs[key] for key in ours}
    assert dlferry.wrap(b"abc").__array_interface__["data"][1] is True
    for x in (dlferry.create("bfloat16", [2]), dlferry.create("float32x4", [2]), dlferry.from_dlpack(Far())):
        assert not hasattr(x, "__array_interface__")


def test_array_interface__refusal_shows_the_flags():
    t = dlferry.from_dlpack(classes.Made(classes.FLOAT, 32, flags=65, minor=9))
    told = "__array_interface__: expected flags that DLPack 1.3 names, got float32[2] cpu read-only flags 0x40"
    with pytest.raises(AttributeError) as caught:
        t.__array_interface__  # noqa: B018
    assert str(caught.value) == told


def test_array_interface__keeps_the_memory_as_long_as_the_tensor():
    t = dlferry.create("int32", [3])
    live = dlferry.live()

    class Consumer:
        __array_interface__ = t.__array_interface__

    t.release()
    assert dlferry.live() == live
    view = np.asarray(Consumer())
    view[:] = 7
    assert view.tolist() == [7, 7, 7]
    del view, t
    assert dlferry.live() == live - 1


def test_cuda_array_interface__is_for_cuda():
    assert not hasattr(dlferry.create("int8", [1]), "__cuda_array_interface__")
    t = dlferry.from_dlpack(Far())
    told = t.__cuda_array_interface__
    assert told["data"] == (t.data, False) and told["shape"] == t.shape and told["version"] == 3
    assert told["typestr"] == "<f4" and told["stream"] == 1 and told["strides"] is None
