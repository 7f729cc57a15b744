# SPDX-License-Identifier: Apache-2.0
"""Tensors between the processes of Dask distributed: two real workers."""

import pickle

import classes
import dlferry
import dlferry.dask
import numpy as np
import pytest
from conftest import need


class Image(dlferry.Tensor):
    """A subclass with attributes."""


def add(a, b):
    """Run in a worker."""
    assert type(a) is type(b) is dlferry.Tensor
    return dlferry.from_dlpack(a.numpy() + b.numpy())


def describe(image):
    """Run in a worker."""
    return type(image).__name__, image.title, image.numpy().tolist()


def live_and_serialisers():
    """Run in a worker."""
    from distributed.protocol import dask_serialize

    try:
        dask_serialize.dispatch(dlferry.Tensor)
    except TypeError:
        return dlferry.live(), False
    return dlferry.live(), True


@pytest.fixture(scope="module")
def client():
    need("distributed")
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_sizeof__counts_the_elements():
    need("dask")
    from dask.sizeof import sizeof

    few, many = (dlferry.from_dlpack(np.zeros(n)) for n in (10, 100_000))
    assert sizeof(many) - sizeof(few) == (100_000 - 10) * 8
    assert sizeof(dlferry.from_dlpack(np.zeros((300, 200))[:, ::2])) - sizeof(few) == (30_000 - 10) * 8


def test_serialize__refuses_flags_that_it_cannot_keep():
    t = dlferry.from_dlpack(classes.Made(classes.FLOAT, 32, flags=64, minor=9))
    with pytest.raises(
        dlferry.errors.UnsupportedError, match=r"^pickle: expected flags that DLPack 1\.3 names, got 0x40$"
    ):
        dlferry.dask.serialize(t)


@pytest.mark.parametrize("registered", [False, True])
def test_cluster__computes_with_tensors(client, registered):
    if registered:
        dlferry.dask.register(client)
    # A key by content would be that of the run before, which Dask may still be releasing.
    a, b = client.scatter([dlferry.from_dlpack(np.full((200, 300), i, np.float32)) for i in (1, 2)], hash=False)
    first, second = (info for info in client.scheduler_info()["workers"])
    # Each worker sends to the other.
    left = client.submit(add, a, b, workers=[first], pure=False)
    right = client.submit(add, left, b, workers=[second], pure=False)
    back = client.submit(add, right, left, workers=[first], pure=False).result()
    assert type(back) is dlferry.Tensor and (back.numpy() == 8).all()
    del back, left, right, a, b
    states = client.run(live_and_serialisers).values()
    assert [has for _, has in states] == [registered] * 2


def test_cluster__keeps_a_subclass_with_its_attributes(client):
    image = Image(np.arange(3.0))
    image.title = "three"
    # Dask keeps the memory of arguments that are part of the graph; Dask releases scattered data.
    future = client.scatter(image)
    assert client.submit(describe, future).result() == ("Image", "three", [0, 1, 2])


def test_frames__are_the_memory_itself(client):
    from distributed.protocol import deserialize, serialize

    dlferry.dask.register()
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    header, frames = serialize(dlferry.from_dlpack(a))
    assert header["serializer"] == "dask" and len(pickle.dumps(header)) < 400
    assert np.frombuffer(frames[0], np.uint8).ctypes.data == a.ctypes.data
    t = deserialize(header, frames)
    assert t.data == a.ctypes.data and t.shape == (2, 3)
    # What a network gives may be read-only memory: a tensor that could be written stays so.
    copied = deserialize(header, [bytes(frames[0])])
    copied.numpy()[0, 0] = 9
    assert a[0, 0] == 0
    a.flags.writeable = False
    frozen = deserialize(*serialize(dlferry.from_dlpack(a)))
    with pytest.raises(ValueError):
        frozen.numpy()[0, 0] = 9
