# SPDX-License-Identifier: Apache-2.0
"""A type is examined once for its ways to export, and again after it has changed."""

import dlferry
import numpy as np
import pytest


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
