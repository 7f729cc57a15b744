# SPDX-License-Identifier: Apache-2.0
"""What tensors are in Python, also those that other languages give: tests/cases/classes.py says it for all of them."""

import ctypes
import gc
import shutil

import classes
import dlferry
import numpy
import pytest
from conftest import ROOT, compile_c


def test_classes__a_tensor_is_like_the_others():
    for name, source in classes.inputs.items():
        classes.check(name, dlferry.from_dlpack(source))
    classes.finish()


class Hub:
    """A copy of the hub in a library of its own, as each language brings one."""

    def __init__(self, path):
        self.library = ctypes.PyDLL(path)
        self.library.dlf_release.restype = None
        self.library.dlf_live.restype = ctypes.c_int64

    def same(self, x):
        """Import an object and give it back."""
        handle, made = ctypes.c_void_p(), ctypes.c_void_p()
        error = ctypes.create_string_buffer(256)
        status = self.library.dlf_from_python(ctypes.py_object(x), None, ctypes.byref(handle), error)
        assert status == 0, error.raw[4:]
        status = self.library.dlf_to_python(handle, None, False, ctypes.byref(made), error)
        self.library.dlf_release(handle)
        assert status == 0, error.raw[4:]
        given = ctypes.cast(made, ctypes.py_object).value
        ctypes.pythonapi.Py_DecRef(ctypes.py_object(given))
        return given

    def refused(self, x, like):
        """Import an object and give it back like another: the refusal."""
        handle, made = ctypes.c_void_p(), ctypes.c_void_p()
        error = ctypes.create_string_buffer(256)
        assert self.library.dlf_from_python(ctypes.py_object(x), None, ctypes.byref(handle), error) == 0
        status = self.library.dlf_to_python(handle, ctypes.py_object(like), False, ctypes.byref(made), error)
        self.library.dlf_release(handle)
        assert not made.value
        return dlferry.Status(status), ctypes.string_at(ctypes.addressof(error) + 4).decode()

    def live(self):
        gc.collect()
        return self.library.dlf_live()


@pytest.fixture(scope="module")
def hubs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hubs")
    core = ROOT / "core"
    sources = sorted(str(path) for room in ("hub", "contract") for path in (core / room).rglob("*.c"))
    compile_c(sources[0], folder / "one.so", *sources[1:], f"-I{core}", f"-I{core / 'include'}", "-O0", "-lm")
    shutil.copy(folder / "one.so", folder / "other.so")
    return Hub(str(folder / "one.so")), Hub(str(folder / "other.so"))


@pytest.mark.parametrize(("extent", "stride"), [(1, 2**62), (1, 2**63 - 1), (1, -(2**63)), (0, 2**62)])
def test_classes__a_stride_without_use_does_not_overflow(hubs, extent, stride):
    """In bytes it would: a buffer has the element's size there."""
    made = classes.Made(classes.FLOAT, 32)
    made.shape[0], made.strides[0] = extent, stride
    x, y = hubs[0].same(made), dlferry.from_dlpack(made)
    assert memoryview(x).strides == memoryview(y).strides == (4,)
    assert numpy.asarray(x).shape == (extent,)
    del x, y
    assert len(made.deleted) == 2 and hubs[0].live() == 0


def test_classes__the_object_of_a_c_program(hubs):
    for name, source in classes.inputs.items():
        classes.check(name, hubs[0].same(source))
    classes.finish()
    assert hubs[0].live() == 0


def test_classes__no_library_drops_read_only(hubs):
    """Also one without an exchange table, as PaddlePaddle: what it exports of the new array tells."""
    source = classes.Made(classes.FLOAT, 32, flags=1)

    class Careless(classes.Made):
        @staticmethod
        def from_dlpack(x):
            made = Careless(classes.FLOAT, 32)
            made.memory = source.memory
            return made

    told = "to_python: expected writable data for Careless, which has no read-only arrays, got read-only; pass a copy"
    assert hubs[0].refused(source, Careless) == (dlferry.Status.READ_ONLY, told)
    assert hubs[0].live() == 0 and len(source.deleted) == 1


def test_classes__no_library_loses_a_flag(hubs):
    """A consumer of DLPack 1.3 may ignore what it does not know, and would read other elements."""
    told = "to_python: expected flags that DLPack 1.3 names, got 0x80"
    for like in (numpy, dlferry.Tensor):
        source = classes.Made(classes.FLOAT, 32, flags=1 << 7, minor=9)
        assert hubs[0].refused(source, like) == (dlferry.Status.UNSUPPORTED, told)
    assert hubs[0].live() == 0


def test_classes__each_copy_of_the_hub_has_its_own(hubs):
    """Their handles differ: one copy must neither read nor release the other's."""
    one, other = hubs
    array = numpy.arange(3.0)
    x, y = one.same(array), other.same(array)
    assert type(x) is not type(y) and type(x) is type(one.same(array))
    assert (one.live(), other.live()) == (1, 1)
    again = other.same(x)
    assert type(again) is type(y) and numpy.shares_memory(numpy.asarray(again), array)
    assert dlferry.from_dlpack(x).data == array.ctypes.data
    del x, y
    assert (one.live(), other.live()) == (1, 1)  # again keeps x's tensor
    del again
    assert (one.live(), other.live()) == (0, 0)
