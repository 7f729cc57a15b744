# SPDX-License-Identifier: Apache-2.0
"""What the array API standard and DLPack's Python specification say about the exchanged data itself."""

import ctypes
import os
import platform

import dlferry
import numpy as np
import pytest
from conftest import capsule_name, need
from structures import Versioned
from test_streams import CUDA, Device

jax = need("jax")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
tf = need("tensorflow") if platform.machine() == "x86_64" else None  # the only one with wheels

DTYPES = ["bool", "float32", "float64", "complex64", "complex128"]
DTYPES += [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)]


def managed(capsule):
    """The versioned structure in a capsule."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Versioned.from_address(get(capsule, b"dltensor_versioned"))


@pytest.fixture(autouse=True)
def four_elements():
    Device.size = 4


class Of(Device):
    """A producer on the processor whose structure a test changes."""

    def __init__(self, change, device=1):
        super().__init__(device)
        self.change = change

    def lend(self):
        address = super().lend()
        self.change(Versioned.from_address(address))
        return address


# ---- dtypes and layouts ----


@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes__of_the_standard_go_both_ways(dtype):
    a = np.arange(6).astype(dtype).reshape(2, 3)[:, ::-1]
    for version in (None, (1, 0)):
        t = dlferry.from_dlpack(dlferry.from_dlpack(a).__dlpack__(max_version=version))
        assert t.dtype == dtype and t.data == a.ctypes.data and np.array_equal(np.from_dlpack(t), a)


def test_layout__any_strides_are_shared():
    a = np.arange(24.0).reshape(2, 3, 4)
    for view in (a, a.T, a[:, ::2], a[::-1, ::-1], np.broadcast_to(a[0], (5, 3, 4)), a[0, 0, :1].reshape(()), a[:0]):
        t = dlferry.from_dlpack(view)
        assert t.shape == view.shape and np.array_equal(np.from_dlpack(t), view)
        assert view.size == 0 or t.data == view.ctypes.data == np.from_dlpack(t).ctypes.data
    y = np.from_dlpack(dlferry.from_dlpack(a))
    a[0, 0, 0] = 7  # both may be used like any array
    assert y[0, 0, 0] == 7


def test_layout__strides_may_be_missing():
    def clear(m):
        m.tensor.strides = None

    assert dlferry.from_dlpack(Of(clear)).strides == (1,)


def test_layout__no_elements_have_no_address():
    t = dlferry.from_dlpack(np.ones((2, 3))[:0])
    assert managed(t.__dlpack__(max_version=(1, 3))).tensor.data is None


# ---- versions ----


def test_version__is_verified_whatever_was_asked_for():
    def set_version(major, minor):
        def change(m):
            m.major, m.minor = major, minor

        return change

    assert dlferry.from_dlpack(Of(set_version(1, 9))).shape == (4,)
    with pytest.raises(dlferry.Error, match="expected DLPack major version 1, got 2") as caught:
        dlferry.from_dlpack(Of(set_version(2, 0)))
    assert isinstance(caught.value, BufferError)


def test_version__of_an_export_is_the_newest_that_the_consumer_reads():
    t = dlferry.from_dlpack(np.zeros(2))
    for asked in ((1, 0), (1, 3), (1, 9), (2, 0)):
        capsule = t.__dlpack__(max_version=asked)
        m = managed(capsule)
        assert (m.major, m.minor) == (1, 3)
    for asked in (None, (0, 8), (0, 0)):
        assert capsule_name(t.__dlpack__(max_version=asked)) == "dltensor"


# ---- devices and copies ----


def test_device__stays_the_same_unless_asked_for():
    assert dlferry.from_dlpack(Device(CUDA, 3)).__dlpack_device__() == (CUDA, 3)
    t = dlferry.from_dlpack(np.zeros(2))
    assert dlferry.from_dlpack(np.ones(2), device=t.device, copy=True).device == t.device


def test_device__that_is_not_supported():
    t = dlferry.from_dlpack(Device(CUDA))
    by_copy = lambda: dlferry.from_dlpack(t, device="cpu")  # noqa: E731
    for call in (t.numpy, lambda: memoryview(t), lambda: np.from_dlpack(t), by_copy):
        with pytest.raises((BufferError, ValueError, RuntimeError)):
            call()
    with pytest.raises(BufferError) as caught:
        dlferry.from_dlpack(t, device="cpu", copy=False)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, TypeError)


def test_copy__is_flagged_and_owned_by_the_consumer():
    a = np.arange(3.0)
    t = dlferry.from_dlpack(a)
    for copy, flag in ((None, 0), (False, 0), (True, 2)):
        m = managed(t.__dlpack__(max_version=(1, 3), copy=copy))
        assert m.flags == flag and (m.tensor.data == a.ctypes.data) == (not flag)
    for copy in (None, False, True):
        assert (dlferry.from_dlpack(a, copy=copy).data == a.ctypes.data) == (copy is not True)


# ---- read-only data ----


def flags_by(t):
    """Whether each way out says that the data must not be written."""
    exported = managed(t.__dlpack__(max_version=(1, 3))).flags & 1
    return t.readonly, memoryview(t).readonly, not t.numpy().flags.writeable, exported


def test_read_only__is_passed_on():
    a = np.arange(3.0)
    a.flags.writeable = False
    t = dlferry.from_dlpack(a)
    assert all(flags_by(t)) and all(flags_by(dlferry.from_dlpack(t.__dlpack__(max_version=(1, 3)))))
    assert not any(flags_by(dlferry.from_dlpack(np.arange(3.0))))


def test_read_only__is_every_tensor_of_a_legacy_producer():
    a = np.arange(3.0)
    t = dlferry.from_dlpack(a.__dlpack__())
    assert all(flags_by(t)) and all(flags_by(dlferry.from_dlpack(t)))
    for copy in (None, False):  # a consumer of DLPack 0.8 cannot ask, and gets it unchanged
        again = dlferry.from_dlpack(t.__dlpack__(copy=copy))
        assert again.data == a.ctypes.data and all(flags_by(again))


def test_read_only__are_views_of_such_tensors():
    a = np.arange(6.0).reshape(2, 3)
    t = dlferry.from_dlpack(a.__dlpack__())
    for view in (t[0], t[:, ::-1], t.T, t.reshape([3, 2]), t.broadcast_to([4, 2, 3]), t.bitcast("int64")):
        assert all(flags_by(view))
        assert np.shares_memory(dlferry.from_dlpack(view.__dlpack__(copy=False)).numpy(), a)
    assert not any(flags_by(t.copy()))


IMMUTABLE = [jax.numpy.arange(3.0), *([tf.constant([0.0, 1.0, 2.0])] if tf else [])]


@pytest.mark.parametrize("x", IMMUTABLE, ids=lambda x: type(x).__name__)
def test_read_only__are_frameworks_whose_arrays_never_change(x):
    t = dlferry.from_dlpack(x)
    assert all(flags_by(t)) and all(flags_by(dlferry.from_dlpack(t)))
    with pytest.raises(BufferError):
        t.__dlpack__(copy=False)
    for copy in (None, True):
        copied = dlferry.from_dlpack(t.__dlpack__(copy=copy))
        assert copied.data != t.data and copied.numpy().tolist() == [0, 1, 2]
