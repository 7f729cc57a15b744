# SPDX-License-Identifier: Apache-2.0
"""Producers of every make: proxies, objects with a method of their own, dtypes and devices of others; and the package
itself imported twice."""

import inspect
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need
from test_streams import ONEAPI, Device, framework

photo = need("photo")
torch = need("torch")
IMAGE = np.arange(6, dtype=np.float32).reshape(2, 3)


class Proxy:
    """Delegates every attribute."""

    def __init__(self, target):
        self.target = target

    def __getattr__(self, name):
        return getattr(self.target, name)


class Own:
    """Has the methods as attributes of the object."""

    def __init__(self, target):
        self.__dlpack__, self.__dlpack_device__ = target.__dlpack__, target.__dlpack_device__


@pytest.mark.parametrize("kind", [Proxy, Own, lambda x: Proxy(Own(x)), lambda x: Proxy(Proxy(x))])
@pytest.mark.parametrize("make", [np.asarray, torch.from_numpy, dlferry.from_dlpack])
def test_object__with_a_method_of_its_own(kind, make):
    x = kind(make(IMAGE))
    for _ in range(2):
        assert dlferry.from_dlpack(x).data == IMAGE.ctypes.data and dlferry.describe(x) == dlferry.describe(IMAGE)
        assert photo.mean(x) == IMAGE.mean() and np.asarray(photo.sobel(x)).shape == (2, 3)
    out = np.zeros_like(IMAGE)
    photo.sobel(IMAGE, out=kind(make(out)))
    assert (out == photo.sobel(IMAGE)).all()


def test_object__without_one():
    for x in (Proxy(3), Proxy(object()), type("Plain", (), {})(), Proxy(None)):
        with pytest.raises(TypeError, match="expected an array with __dlpack__"):
            dlferry.from_dlpack(x)
    one, other = Own(IMAGE), Own(IMAGE)
    del one.__dlpack__
    with pytest.raises(TypeError, match="expected an array with __dlpack__"):
        dlferry.from_dlpack(one)
    assert dlferry.from_dlpack(other).shape == (2, 3)

    class Bytes(bytearray):
        pass

    x = Bytes(4)
    assert dlferry.from_dlpack(x).shape == (4,)
    x.__dlpack__, x.__dlpack_device__ = IMAGE.__dlpack__, IMAGE.__dlpack_device__
    assert dlferry.from_dlpack(x).shape == (2, 3)


@pytest.mark.parametrize("base", [np.ndarray, torch.Tensor])
def test_subclass__with_an_export_of_its_own(base):
    other = np.ones((3, 3), np.float32)

    class Sub(base):
        def __dlpack__(self, **options):
            return other.__dlpack__(**options)

        def __dlpack_device__(self):
            return 1, 0

    class SubSub(Sub):
        pass

    for kind in (Sub, SubSub):
        x = IMAGE.view(kind) if base is np.ndarray else torch.from_numpy(IMAGE).as_subclass(kind)
        assert dlferry.from_dlpack(x).data == other.ctypes.data and photo.mean(x) == 1
        assert isinstance(photo.sobel(x), base)


def test_attribute_error__inside_a_producer_is_told():
    class Broken:
        def __dlpack__(self, **options):
            return IMAGE.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.nothing

    class BrokenExport(Broken):
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **options):
            return self.nothing

    class BrokenAccess:
        @property
        def __dlpack__(self):
            raise LookupError("mine")

    for kind in (Broken, BrokenExport):
        with pytest.raises(AttributeError, match="nothing") as caught:
            dlferry.from_dlpack(kind())
        assert f"from_dlpack: raised by {kind.__name__}, the argument" in caught.value.__notes__
        with pytest.raises(AttributeError, match="nothing"):
            photo.mean(kind())
    with pytest.raises(LookupError, match="mine"):
        dlferry.from_dlpack(BrokenAccess())


# ---- devices ----


class Sycl(Device):
    """On a device whose memory only its own library can move; the processor's, labelled."""

    size = 4

    def __init__(self):
        super().__init__(ONEAPI)
        self.memory[:] = range(4)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if dl_device in (None, (ONEAPI, 0)):
            return super().__dlpack__(stream=stream, max_version=max_version)
        assert dl_device == (1, 0)
        return self.memory.copy().__dlpack__(max_version=max_version, copy=copy)


def test_device__moved_by_the_producer():
    x = Sycl()
    t = dlferry.from_dlpack(x)
    assert t.device == "oneapi:0" and t.__dlpack_device__() == (ONEAPI, 0)
    again = dlferry.from_dlpack(t)
    for source in (x, t, again):
        assert np.from_dlpack(source, device="cpu").tolist() == [0, 1, 2, 3]
        assert dlferry.from_dlpack(source, device="cpu").numpy().tolist() == [0, 1, 2, 3]
    for refused in (
        lambda: np.from_dlpack(t, device="cpu", copy=False),
        lambda: dlferry.from_dlpack(t, device="cpu", copy=False),
        lambda: t.__dlpack__(dl_device=(2, 0)),
        t.numpy,
        t.copy,
    ):
        with pytest.raises((BufferError, AssertionError)):
            refused()
    before = sys.getrefcount(x)
    t.release()
    again.release()
    assert sys.getrefcount(x) == before - 3  # each kept it to move it, and both lent it once


def copying(self, *, stream=None, max_version=None, copy=None):
    """Copy on the device as asked, without the flag, as torch and CuPy do."""
    source = self
    if copy:
        source = self.copy = Device()
    return Device.__dlpack__(source, stream=stream, max_version=max_version)


@pytest.mark.parametrize("table", [False, True])
def test_copy__on_a_device_is_the_producers(table):
    Device.size = 4
    x = framework(0x70, __dlpack__=copying)() if table else type("Copies", (Device,), {"__dlpack__": copying})()
    t = dlferry.from_dlpack(x, copy=True)
    assert t.device == "cuda:0" and t.data == x.copy.memory.ctypes.data != x.memory.ctypes.data
    assert dlferry.from_dlpack(x).data == dlferry.from_dlpack(x, copy=False).data == x.memory.ctypes.data
    with pytest.raises(dlferry.DeviceError, match="copy: expected data that the processor can reach, got cuda:0"):
        dlferry.from_dlpack(Device(), copy=True)  # from before that keyword


# ---- dtypes ----


@pytest.mark.skipif(not hasattr(np.dtypes, "register_dlpack_dtype"), reason="NumPy 2.5 has it")
def test_dtype__that_a_package_has_registered():
    registry = np._core._multiarray_umath._dlpack_registry_replace
    before = registry({}, {})
    try:
        np.dtypes.register_dlpack_dtype((7, 8), np.dtype("S1"))
        x = np.array([b"a", b"b"])
        t = dlferry.from_dlpack(x)
        assert (t.dtype, t.shape, t.data) == ("float8_e3m4", (2,), x.ctypes.data)
        assert np.from_dlpack(t).tolist() == [b"a", b"b"] == t.numpy().tolist()
        with pytest.raises(TypeError, match="expected a dtype that DLPack has"):
            dlferry.from_dlpack(np.array(["text"]))
    finally:
        registry(*before)


# ---- signatures ----


def test_signatures__as_the_specification_has_them():
    a = np.zeros(2)
    t = dlferry.from_dlpack(a)
    for call in (
        lambda: dlferry.from_dlpack(x=a),
        lambda: dlferry.from_dlpack(a, "cpu"),
        lambda: dlferry.to_dlpack(tensor=t),
        lambda: t.__dlpack__(None),
        lambda: t.__dlpack__(None, (1, 0)),
        lambda: t.__dlpack_device__(1),
    ):
        with pytest.raises(TypeError):
            call()
    assert t.__dlpack__(stream=None)
    kinds = {name: str(inspect.signature(getattr(dlferry, name))) for name in ("from_dlpack", "to_dlpack")}
    assert kinds == {"from_dlpack": "(x, /, *, device=None, copy=None)", "to_dlpack": "(tensor, /)"}
    own = str(inspect.signature(dlferry.Tensor.__dlpack__))
    assert own == "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)"


# ---- the package, imported twice ----

TWICE = """
import sys, dlferry, photo, numpy as np
first, a = dlferry, np.zeros((2, 3), np.float32)
t = first.from_dlpack(a)
for name in [name for name in sys.modules if name.partition(".")[0] in ("dlferry", "photo")]:
    del sys.modules[name]
import dlferry, photo
assert dlferry is not first and dlferry.Tensor is first.Tensor and dlferry.Error is first.Error
for one, other in ((first, dlferry), (dlferry, first)):
    u = one.from_dlpack(other.from_dlpack(a))
    assert isinstance(u, other.Tensor) and u.data == t.data and other.describe(u) == one.describe(t)
    assert photo.mean(u) == 0
    try:
        one.create("nothing", [1])
    except other.errors.DtypeError as error:
        assert error.status is other.Status.DTYPE
del t, u
assert first.live() == dlferry.live() == 0
print("done")
"""


def test_import__once_more():
    done = subprocess.run([sys.executable, "-X", "dev", "-c", TWICE], capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr
