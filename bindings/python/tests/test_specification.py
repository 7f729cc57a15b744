# SPDX-License-Identifier: Apache-2.0
"""The protocol's calls, as the array API standard has them: signatures, keywords, streams, devices, exceptions."""

import enum
import functools
import inspect

import dlferry
import numpy as np
import pytest
from conftest import capsule_name
from test_streams import CUDA, ROCM, Device

DATA = np.arange(3.0)


class Producer:
    """Exports an array by the protocol alone, and records how it was asked."""

    def __init__(self, source=DATA, device=(1, 0)):
        self.source, self.device, self.asked = source, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        return self.source.__dlpack__(**keywords)


# ---- signatures ----


def test_signature__from_dlpack():
    assert str(inspect.signature(dlferry.from_dlpack)) == "(x, /, *, device=None, copy=None)"
    for call in (lambda: dlferry.from_dlpack(x=DATA), lambda: dlferry.from_dlpack(DATA, "cpu"), dlferry.from_dlpack):
        with pytest.raises(TypeError):
            call()


def test_signature__dlpack_takes_keywords_alone():
    own = inspect.signature(dlferry.Tensor.__dlpack__)
    assert str(own) == "(self, /, *, stream=None, max_version=None, dl_device=None, copy=None)"
    t = dlferry.from_dlpack(DATA)
    for call in (lambda: t.__dlpack__(None), lambda: t.__dlpack__(None, (1, 0)), lambda: t.__dlpack_device__(None)):
        with pytest.raises(TypeError):
            call()
    assert str(inspect.signature(dlferry.Tensor.__dlpack_device__)) == "(self, /)"


# ---- streams ----


def test_stream__on_the_processor_is_none_or_no_synchronisation():
    t = dlferry.from_dlpack(DATA)
    for stream in (None, -1):
        for device in (None, (1, 0)):
            assert t.__dlpack__(stream=stream, dl_device=device)
    for stream in (0, 1, 2, 5, -2):
        with pytest.raises(ValueError, match=f"to_dlpack: expected stream None on cpu, got {stream}"):
            t.__dlpack__(stream=stream)
    with pytest.raises(TypeError):
        t.__dlpack__(stream="1")


@pytest.mark.parametrize(
    ("device", "good", "bad", "unknown"), [(CUDA, (None, -1, 1), (0, -2), 2), (ROCM, (None, -1, 0), (1, 2, -2), 3)]
)
def test_stream__numbers_of_a_device(device, good, bad, unknown):
    Device.size = 4
    t = dlferry.from_dlpack(Device(device))
    for stream in good:
        assert capsule_name(t.__dlpack__(stream=stream, max_version=(1, 3))) == "dltensor_versioned"
    for stream in bad:
        with pytest.raises(ValueError):
            t.__dlpack__(stream=stream)
    with pytest.raises(NotImplementedError, match="expected the default stream"):  # support is optional
        t.__dlpack__(stream=unknown)


def test_stream__fits_the_device_that_is_asked_for():
    class Moves(Device):
        def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
            self.asked.append((stream, dl_device))
            return self.memory.copy().__dlpack__(max_version=max_version)

    Device.size = 4
    x = Moves(CUDA)
    assert dlferry.from_dlpack(x, device="cpu").device == "cpu"
    assert x.asked == [(None, (1, 0))]
    t = dlferry.from_dlpack(Device(CUDA))
    with pytest.raises(ValueError, match="expected stream None on cpu, got 1"):
        t.__dlpack__(stream=1, dl_device=(1, 0))


# ---- devices ----


class Type(enum.Enum):
    CPU = 1
    CUDA = 2


def test_device__members_of_a_plain_enum():
    assert dlferry.from_dlpack(Producer(device=(Type.CPU, 0))).shape == (3,)
    t = dlferry.from_dlpack(DATA)
    assert capsule_name(t.__dlpack__(dl_device=(Type.CPU, 0))) == "dltensor"
    assert dlferry.from_dlpack(DATA, device=(Type.CPU, 0)).data == DATA.ctypes.data
    with pytest.raises(BufferError):
        t.__dlpack__(dl_device=(Type.CUDA, 0))
    for pair in ((enum.Enum("Word", {"CPU": "1"}).CPU, 0), (Type, 0), (object(), 0)):
        with pytest.raises(ValueError, match="expected a pair of device type and device id"):
            t.__dlpack__(dl_device=pair)


STANDARD = dict(
    CPU=1, CUDA=2, CPU_PINNED=3, OPENCL=4, VULKAN=7, METAL=8, VPI=9, ROCM=10, CUDA_MANAGED=13, ONE_API=14
)  # fmt: skip


def test_device__of_dlpack_device_is_a_member_and_a_number():
    assert dlferry.from_dlpack(DATA).__dlpack_device__() == (1, 0)
    Device.size = 4
    for name, number in STANDARD.items():
        kind, at = dlferry.from_dlpack(Device(number)).__dlpack_device__()
        assert kind is dlferry.DeviceType[name] and kind == number and at == 0
        assert isinstance(kind, enum.Enum) and type(at) is int
    assert dlferry.from_dlpack(Device(1000)).__dlpack_device__() == (1000, 0)


def test_device__that_no_copy_may_reach():
    for device in ("cuda:0", "gpu"):
        with pytest.raises(dlferry.DeviceError) as caught:
            dlferry.from_dlpack(DATA, device=device)
        assert isinstance(caught.value, BufferError) and isinstance(caught.value, ValueError)


# ---- keywords that a producer does not know ----


class Plain(Producer):
    def __dlpack__(self):
        return self.source.__dlpack__()


class OfStream(Producer):
    def __dlpack__(self, stream=None):
        return self.source.__dlpack__()


class OfVersion(Producer):
    def __dlpack__(self, *, stream=None, max_version=None):
        self.asked.append(max_version)
        return self.source.__dlpack__(max_version=max_version)


class OfDevice(Producer):
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None):
        self.asked.append((max_version, dl_device))
        return self.source.__dlpack__(max_version=max_version, dl_device=dl_device)


class OfCopy(Producer):
    def __dlpack__(self, *, max_version=None, copy=None):
        self.asked.append((max_version, copy))
        return self.source.__dlpack__(max_version=max_version, copy=copy)


def test_keywords__are_dropped_one_by_one():
    frozen = DATA.copy()
    frozen.flags.writeable = False  # which only the versioned structure can say
    for kind, asked in ((OfVersion, (1, 3)), (OfDevice, ((1, 3), (1, 0))), (OfCopy, ((1, 3), False))):
        x = kind(frozen)
        t = dlferry.from_dlpack(x, device="cpu", copy=False)
        assert t.data == frozen.ctypes.data and t.readonly and x.asked == [asked]
        assert dlferry.from_dlpack(x, device="cpu", copy=True).data != frozen.ctypes.data
    for kind in (Plain, OfStream):
        t = dlferry.from_dlpack(kind(), device="cpu", copy=False)
        assert t.data == DATA.ctypes.data and t.readonly
        assert dlferry.from_dlpack(kind(), device="cpu", copy=True).numpy().tolist() == [0, 1, 2]


def test_keywords__behind_decorators_proxies_and_other_names():
    def decorate(method):
        @functools.wraps(method)
        def wrapper(*arguments, **keywords):
            return method(*arguments, **keywords)

        return wrapper

    class Decorated(Producer):
        __dlpack__ = decorate(OfVersion.__dlpack__)

    class Partial(Producer):
        def __getattribute__(self, name):
            if name == "__dlpack__":
                return functools.partial(OfVersion.__dlpack__, self)
            return super().__getattribute__(name)

    class Wraps(Producer):
        def __dlpack__(self, **keywords):
            return OfVersion(self.source).__dlpack__(**keywords)

    def export(self, stream=None):
        return self.source.__dlpack__()

    Named = type("Named", (Producer,), {"__dlpack__": export})
    for kind in (Decorated, Partial, Wraps, Named):
        t = dlferry.from_dlpack(kind(), device="cpu", copy=False)
        assert t.data == DATA.ctypes.data and t.readonly == (kind is Named)


class Says:
    """A method that refuses keywords in the words of a compiled one."""

    def __init__(self, text, takes):
        self.text, self.takes = text, takes

    def __call__(self, **keywords):
        extra = [word for word in keywords if word not in self.takes]
        if extra:
            raise TypeError(self.text.format(extra[-1]))
        return DATA.__dlpack__(**keywords)


@pytest.mark.parametrize(
    "text",
    [
        "__dlpack__() got an unexpected keyword argument '{}'",  # Cython, CPython 3.13
        "'{}' is an invalid keyword argument for __dlpack__()",  # CPython 3.10 to 3.12
        "'{}' is an invalid keyword argument for this function",
        "Array.__dlpack__() takes no keyword arguments",
        "__dlpack__() takes at most 1 keyword argument (3 given)",
        "__dlpack__(): incompatible function arguments. The following argument types are supported:",  # pybind11
    ],
)
def test_keywords__of_compiled_methods(text):
    for takes in ((), ("max_version",)):
        if takes and "no keyword" in text:
            continue
        x = Producer()
        x.__dlpack__ = Says(text, takes)
        t = dlferry.from_dlpack(x, device="cpu", copy=False)
        assert t.data == DATA.ctypes.data and t.readonly == (not takes)


def failing(error):
    class Fails(Producer):
        def __dlpack__(self, **keywords):
            self.asked.append(keywords)
            if len(keywords) > 1:
                raise error
            return self.source.__dlpack__(**keywords)

    return Fails()


@pytest.mark.parametrize(
    "text",
    [
        "my own",
        "copy() got an unexpected keyword argument 'copy'",
        "'copy' is an invalid keyword argument for this function",
    ],
)
def test_keywords__type_errors_of_the_body_are_told(text):
    x = failing(TypeError(text))
    with pytest.raises(TypeError) as caught:
        dlferry.from_dlpack(x, copy=True)
    assert text in str(caught.value) and len(x.asked) == 1
    assert isinstance(caught.value.__cause__, TypeError)


def test_keywords__the_stream_is_never_dropped():
    with pytest.raises(TypeError, match="'stream'"):
        dlferry.from_dlpack(OfCopy(device=(2, 0)))


def test_copy__made_by_a_producer_that_was_not_asked():
    class Copies(Producer):
        def __dlpack__(self, *, max_version=None):
            return self.source.__dlpack__(max_version=max_version, copy=True)

    assert dlferry.from_dlpack(Copies()).flags == dlferry.Flag.IS_COPIED
    with pytest.raises(BufferError, match="expected data that is shared, got a copy from Copies") as caught:
        dlferry.from_dlpack(Copies(), copy=False)
    assert isinstance(caught.value, ValueError)


# ---- exceptions ----


def test_exception__missing_methods():
    class NoDevice:
        def __dlpack__(self, **keywords):
            return DATA.__dlpack__(**keywords)

    class NoExport:
        def __dlpack_device__(self):
            return 1, 0

    class NoneAtAll(NoDevice):
        __dlpack_device__ = None

    for x, missing in (
        (3, "__dlpack__"), ("text", "__dlpack__"), (NoExport(), "__dlpack__"),
        (NoDevice(), "__dlpack_device__"), (NoneAtAll(), "__dlpack_device__"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=f"from_dlpack: expected an array with {missing}") as caught:
            dlferry.from_dlpack(x)
        assert isinstance(caught.value, (dlferry.Error, TypeError))
        assert isinstance(caught.value, TypeError) and caught.value.status is dlferry.Status.INVALID


def test_exception__attribute_error_inside_passes_on():
    class InDevice(Producer):
        def __dlpack_device__(self):
            return self.nothing

    class InProperty(Producer):
        @property
        def __dlpack_device__(self):
            return self.nothing

    with pytest.raises(AttributeError, match="nothing") as caught:
        dlferry.from_dlpack(InDevice())
    assert type(caught.value) is AttributeError
    with pytest.raises(AttributeError, match="__dlpack_device__") as caught:
        dlferry.from_dlpack(InProperty())
    assert "nothing" in str(caught.value.__cause__)


@pytest.mark.parametrize("dtype", ["M8[s]", ">f8", "V3", "U1", "O"])
def test_exception__dtypes_without_a_name(dtype):
    with pytest.raises(BufferError) as caught:
        dlferry.from_dlpack(np.zeros(2, dtype))
    assert isinstance(caught.value, TypeError)


def test_exception__padded_elements_to_the_legacy_structure():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    t = dlferry.from_dlpack(np.arange(4, dtype=ml_dtypes.int4))
    assert t.flags == dlferry.Flag.SUBBYTE_PADDED and t.__dlpack__(max_version=(1, 0))
    for copy in (None, True, False):
        with pytest.raises(BufferError, match="expected packed elements"):
            t.__dlpack__(copy=copy)


@pytest.mark.parametrize("kind", [BufferError, ValueError, RuntimeError, NotImplementedError, MemoryError, LookupError])
def test_exception__of_a_producer_passes_on(kind):
    class Fails(Producer):
        def __dlpack__(self, **keywords):
            raise kind("mine")

    class FailsEarly(Producer):
        def __dlpack_device__(self):
            raise kind("mine")

    for x in (Fails(), FailsEarly()):
        with pytest.raises(kind, match="mine"):
            dlferry.from_dlpack(x)
