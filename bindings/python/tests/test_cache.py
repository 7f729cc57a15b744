# SPDX-License-Identifier: Apache-2.0
"""A type is examined once for its ways to export, and again after it has changed."""

import dlferry
import numpy as np
import pytest
from test_streams import CUDA, LENT, TWICE, Device

CPU = 1


class Key(str):
    """A name that counts how often it is compared."""

    compared = 0
    __hash__ = str.__hash__

    def __eq__(self, other):
        Key.compared += 1
        return str.__eq__(self, other)


class Producer:
    def __init__(self):
        self.array = np.arange(3.0)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


@pytest.fixture
def counted():
    """An object of a new type, with an attribute that nothing but dlferry's examination of the type looks up."""
    return type("Counted", (Producer,), {Key("__dlpack_c_exchange_api__"): None})()


def comparisons(x):
    before = Key.compared
    assert dlferry.from_dlpack(x).data == x.array.ctypes.data
    return Key.compared - before


def test_type__is_examined_once(counted):
    assert comparisons(counted) > 0
    assert [comparisons(counted) for _ in range(5)] == [0] * 5
    assert comparisons(type(counted)()) == 0


def test_type__is_examined_again_after_a_change(counted):
    comparisons(counted)
    type(counted).anything = 1
    assert comparisons(counted) > 0
    assert comparisons(counted) == 0
    Producer.anything = 1  # of a base
    del Producer.anything
    assert comparisons(counted) > 0
    assert comparisons(counted) == 0


class Placed(Device):
    """A framework with tensors on the processor and elsewhere, which counts the questions for the device."""

    size = 4

    def __dlpack_device__(self):
        self.questions.append(self)
        return super().__dlpack_device__()


@pytest.fixture
def placed():
    yield type("Framework", (Placed,), {"questions": []})
    assert not LENT and not TWICE


def test_device__of_a_type_on_the_processor_is_asked_once(placed):
    for x in [placed(CPU) for _ in range(4)]:
        assert dlferry.from_dlpack(x).data == x.memory.ctypes.data and x.asked == [None]
    assert len(placed.questions) == 1
    placed.anything = 1  # the type has changed
    dlferry.from_dlpack(placed(CPU))
    assert len(placed.questions) == 2
    dlferry.from_dlpack(x, device="cpu")  # not the plain call
    assert len(placed.questions) == 3


def test_device__elsewhere_gets_its_stream(placed):
    dlferry.from_dlpack(placed(CPU))
    x = placed(CUDA)
    with dlferry.from_dlpack(x) as t:
        assert t.device == "cuda:0" and x.asked == [None, 1]  # the first capsule was not on the processor
    for device, asked in [(CUDA, 1), (CPU, None)]:
        before, x = len(placed.questions), placed(device)
        dlferry.from_dlpack(x)
        assert len(placed.questions) == before + 1 and x.asked == [asked]


def test_device__of_what_raises_is_asked(placed):
    def fail(self, **options):
        raise LookupError("mine")

    dlferry.from_dlpack(placed(CPU))
    x, other = placed(CPU), placed((1, 2, 3))
    x.__dlpack__ = other.__dlpack__ = fail.__get__(x)
    with pytest.raises(LookupError, match="mine"):
        dlferry.from_dlpack(x)
    other.device = "nowhere"
    with pytest.raises(ValueError, match="expected a pair of device type and device id"):
        dlferry.from_dlpack(other)
    x.__dlpack__ = Interrupts()
    with pytest.raises(KeyboardInterrupt):
        dlferry.from_dlpack(x)
    assert x.__dlpack__.calls == 1


class Interrupts:
    calls = 0

    def __call__(self, **options):
        self.calls += 1
        raise KeyboardInterrupt


def test_device__of_a_malformed_export_is_said_at_once(placed):
    """The capsule is consumed, so that asking again would only say that."""
    dlferry.from_dlpack(placed(CPU))
    x = placed(CPU)
    x.shape[0] = -1
    with pytest.raises(ValueError, match=r"from_dlpack: .*-1"):
        dlferry.from_dlpack(x)
    assert x.asked == [None]
