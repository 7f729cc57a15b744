# SPDX-License-Identifier: Apache-2.0
"""Use the module made by the README's recipe with arrays of NumPy, PyTorch and JAX."""

import gc
import sys

import jax.numpy
import numpy
import torch

sys.path.insert(0, sys.argv[1])
import service

ones = numpy.ones((2, 3), numpy.float32)


def refused(kind, text, call, *args, **asked):
    try:
        call(*args, **asked)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"expected {kind.__name__}: {text}")


def name_of(capsule):
    return repr(capsule).split('"')[1]


class Producer:
    """A foreign array with a given __dlpack__, which counts the calls."""

    def __init__(self, dlpack):
        self.dlpack = dlpack

    def __dlpack__(self, **asked):
        return self.dlpack(**asked)

    def __dlpack_device__(self):
        return (1, 0)


def arrays_of_numpy():
    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3).T  # strided
    y = numpy.from_dlpack(service.doubled(x))
    assert y.shape == (3, 2) and (y == 2 * x).all(), y
    x.flags.writeable = False
    assert (numpy.from_dlpack(service.doubled(x)) == 2 * x).all()
    made = service.doubled(x)
    assert made.__dlpack_device__() == (1, 0)
    again = numpy.from_dlpack(service.doubled(made))  # its own come in as others' do
    assert (again == 4 * x).all(), again
    refused(BufferError, "look: expected float32, got float64", service.doubled, numpy.ones(2))
    refused(AttributeError, "__dlpack__", service.doubled, 3)


def arrays_of_torch():
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3).t()
    y = torch.from_dlpack(service.doubled(x))
    assert torch.equal(y, 2 * x), y
    assert torch.equal(torch.utils.dlpack.from_dlpack(service.doubled(x).__dlpack__()), 2 * x)  # DLPack 0.8
    refused(BufferError, "grad", service.doubled, torch.ones(2, requires_grad=True))


def arrays_of_jax():
    x = jax.numpy.arange(6, dtype=jax.numpy.float32).reshape(2, 3)
    y = jax.dlpack.from_dlpack(service.doubled(x))
    assert (y == 2 * x).all(), y


def a_copy_only_where_one_is_asked_for():
    made = service.doubled(ones)
    shared, again = numpy.from_dlpack(made), numpy.from_dlpack(made, copy=False)
    copied = numpy.from_dlpack(made, copy=True)
    assert numpy.shares_memory(shared, again) and not numpy.shares_memory(shared, copied)
    shared[0, 0] = 7
    assert (again[0, 0], copied[0, 0]) == (7, 2)
    one, other = (torch.utils.dlpack.from_dlpack(made.__dlpack__(copy=copy)) for copy in (None, True))
    assert (one.data_ptr() == shared.ctypes.data, other.data_ptr() == shared.ctypes.data) == (True, False)
    assert (one == other).all()


def the_structure_that_the_consumer_knows():
    made = service.doubled(ones)
    for copy in (None, False, True):
        for version, name in (
            (None, "dltensor"),
            ((0, 8), "dltensor"),
            ((1, 0), "dltensor_versioned"),
            ((1, 3), "dltensor_versioned"),
            ((2, 0), "dltensor_versioned"),
        ):
            assert name_of(made.__dlpack__(max_version=version, copy=copy)) == name
    refused(TypeError, "'int' object", made.__dlpack__, max_version=1)
    refused(TypeError, "", made.__dlpack__, None)  # by keyword only


def no_other_device_and_no_stream():
    made = service.doubled(ones)
    assert made.__dlpack__(dl_device=(1, 0), stream=-1, copy=False)
    refused(BufferError, "expected dl_device cpu, got cuda:1", made.__dlpack__, dl_device=(2, 1))
    refused(BufferError, "expected dl_device cpu, got cpu:1", made.__dlpack__, dl_device=(1, 1), copy=True)
    refused(BufferError, "expected stream None or -1 on cpu, got 1", made.__dlpack__, stream=1)
    refused(TypeError, "'str' object", made.__dlpack__, stream="1")


def producers_old_and_odd():
    """Of DLPack 0.8, with neither the keyword nor the structure; of one without the other; of neither's capsule."""

    def old(stream=None):
        return ones.__dlpack__()

    asked = []

    def halfway(**keywords):
        asked.append(keywords)
        return ones.__dlpack__()

    for dlpack in (
        old,
        halfway,
        lambda **asked: service.doubled(ones).__dlpack__(),
        lambda max_version: service.doubled(ones).__dlpack__(max_version=max_version),
    ):
        y = numpy.from_dlpack(service.doubled(Producer(dlpack)))
        assert (y == y[0, 0]).all() and y.shape == ones.shape, y
    assert asked == [{"max_version": (1, 3)}]
    used = ones.__dlpack__(max_version=(1, 0))
    service.doubled(Producer(lambda **asked: used))
    assert name_of(used) == "used_dltensor_versioned"
    legacy = ones.__dlpack__()
    service.doubled(Producer(lambda **asked: legacy))
    assert name_of(legacy) == "used_dltensor"
    for wrong in (used, legacy, service.__doc__, None, ones):
        refused(
            BufferError,
            "__dlpack__: expected a fresh capsule",
            service.doubled,
            Producer(lambda wrong=wrong, **asked: wrong),
        )

    def broken(**asked):
        raise TypeError("a mistake of its own")

    refused(TypeError, "a mistake of its own", service.doubled, Producer(broken))
    # A refused tensor is released, and its capsule counts as used.
    wrong = numpy.ones(2).__dlpack__(max_version=(1, 0))
    refused(BufferError, "got float64", service.doubled, Producer(lambda wrong=wrong, **asked: wrong))
    assert name_of(wrong) == "used_dltensor_versioned"


def capsules_that_nobody_takes():
    made = service.doubled(ones)
    capsules = [made.__dlpack__(max_version=version, copy=copy) for version in (None, (1, 0)) for copy in (None, True)]
    del made
    assert service.live() == 3, service.live()  # the shared one and two copies
    del capsules


for test in (
    arrays_of_numpy,
    arrays_of_torch,
    arrays_of_jax,
    a_copy_only_where_one_is_asked_for,
    the_structure_that_the_consumer_knows,
    no_other_device_and_no_stream,
    producers_old_and_odd,
    capsules_that_nobody_takes,
):
    references = sys.getrefcount(ones)
    test()
    gc.collect()
    assert service.live() == 0, (test.__name__, service.live())
    assert sys.getrefcount(ones) == references, test.__name__
print("pyo3: the README's recipe hands the arrays of NumPy, PyTorch and JAX over and back")
