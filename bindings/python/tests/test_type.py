# SPDX-License-Identifier: Apache-2.0
"""dlferry.Tensor as a Python type: subclasses, the garbage collector, weak references."""

import gc
import weakref

import dlferry
import numpy as np
import pytest


class Image(dlferry.Tensor):
    """A subclass with attributes of its own."""

    def mean(self):
        return self.numpy().mean()


def test_type__makes_a_tensor_like_from_dlpack():
    a = np.arange(6.0)
    t = dlferry.Tensor(a)
    assert type(t) is dlferry.Tensor and t.data == a.ctypes.data
    assert dlferry.Tensor(a, copy=True).data != a.ctypes.data
    with pytest.raises(TypeError):
        dlferry.Tensor(a, a)
    with pytest.raises(TypeError, match="expected an array"):
        dlferry.Tensor(3)


def test_type__derives_from_object_alone():
    assert dlferry.Tensor.__mro__ == (dlferry.Tensor, object)
    assert dlferry.Tensor.__module__ == "dlferry"
    assert not {"this", "thisown", "own", "next", "append", "acquire", "disown"} & set(dir(dlferry.Tensor))


def test_type__and_its_objects_have_no_attributes_from_nowhere():
    t = dlferry.create("int8", [2])
    for target in (t, dlferry.Tensor):
        with pytest.raises((AttributeError, TypeError)):
            target.anything = 1


def test_subclass__is_a_tensor_to_all_functions():
    a = np.arange(6.0)
    image = Image(a)
    image.title = "six"
    assert isinstance(image, dlferry.Tensor) and image.mean() == 2.5 and image.title == "six"
    assert image.data == a.ctypes.data
    assert np.from_dlpack(image).ctypes.data == a.ctypes.data
    assert type(dlferry.from_dlpack(image)) is dlferry.Tensor
    image.release()
    with pytest.raises(ValueError, match="got a closed one"):
        _ = image.shape


def test_subclass__keeps_whether_it_may_be_written():
    a = np.arange(6.0)
    a.flags.writeable = False
    assert Image(a).readonly


def test_subclass__may_have_its_own_constructor():
    class Named(dlferry.Tensor):
        def __new__(cls, x, name):
            self = super().__new__(cls, x)
            self.name = name
            return self

        def __init__(self, x, name):
            pass

    assert Named(np.zeros(2), "zeros").name == "zeros"


def test_collector__finds_a_cycle():
    image = Image(np.zeros(3))
    image.me = image
    gone = weakref.ref(image)
    del image
    gc.collect()
    assert gone() is None


def test_collector__is_not_told_of_a_tensor_that_refers_to_nothing():
    assert not gc.is_tracked(dlferry.create("int8", [2]))
    assert gc.is_tracked(Image(np.zeros(2)))


def test_chain__of_a_hundred_thousand_is_let_go_of():
    t = None
    for _ in range(100_000):
        u = Image(np.empty(0, np.int8))
        u.link, t = t, u
    del t, u


def test_weak_reference__ends_with_the_tensor():
    t = dlferry.create("int8", [2])
    told = []
    r = weakref.ref(t, told.append)
    assert r() is t
    t.release()
    assert r() is t
    del t
    assert r() is None and told == [r]


def test_hash_and_equality__are_those_of_any_object():
    t = dlferry.create("int8", [2])
    same = dlferry.from_dlpack(t)
    assert t == t and t != same and hash(t) == object.__hash__(t)
    t.release()
    same.release()
    assert t != same
    assert dlferry.Tensor.__eq__(t, same) is NotImplemented
