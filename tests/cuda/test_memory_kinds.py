# SPDX-License-Identifier: Apache-2.0
"""Pinned and managed memory: the processor reads it in place, and kernels that ask for it take it."""

import ctypes

import dlferry
import numpy as np
import pytest
from lent import Lent

PINNED, MANAGED = (3, 0), (13, 0)


# ---- pinned ----


def test_pinned__torchs_is_the_processors(torch, vk):
    x = torch.arange(6.0).pin_memory()
    t = dlferry.from_dlpack(x)
    assert t.data == x.data_ptr() and t.device in ("cpu", "cuda_host:0") and t.device.is_cpu_accessible
    assert t.tolist() == x.tolist() and t.numpy().ctypes.data == x.data_ptr()
    t.numpy()[0] = 7
    assert x[0] == 7
    with pytest.raises(dlferry.DeviceError, match=r"scale: x: device is (cpu|cuda_host:0), wanted cuda: pass a copy"):
        vk.scale(x, 2.0, torch.zeros(6, device="cuda"))


def test_pinned__labelled_as_such(torch):
    x = torch.arange(6.0).pin_memory()
    t = dlferry.from_dlpack(Lent(x, x.data_ptr(), [6], PINNED, name="pinned"))
    assert t.device == "cuda_host:0" and t.__dlpack_device__() == PINNED and dlferry.is_reachable(t)
    assert t.tolist() == x.tolist() and t.numpy().ctypes.data == x.data_ptr()
    assert dlferry.equal(t, x) and bytes(t) == x.numpy().tobytes()
    assert dlferry.from_dlpack(t, device="cpu").tolist() == x.tolist()
    mean = dlferry.Contract("x: f32[n]", "mean", {"x": "input"})
    mean.match(t)


def test_pinned__of_cupy(cupy):
    memory = cupy.cuda.alloc_pinned_memory(24)
    x = np.frombuffer(memory, np.float32, 6)
    x[:] = range(6)
    assert dlferry.from_dlpack(x).tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


def test_pinned__of_jax(jax):
    """JAX calls such memory kDLCUDAHost."""
    try:
        device = jax.devices()[0]
        place = jax.sharding.SingleDeviceSharding(device, memory_kind="pinned_host")
        x = jax.device_put(jax.numpy.arange(6.0), place)
        capsule_device = x.__dlpack_device__()
    except Exception as error:
        pytest.skip(f"JAX: {error}")
    x.block_until_ready()
    t = dlferry.from_dlpack(x)
    print(f"JAX's pinned memory is {capsule_device}, as a Tensor {t.device}")
    if t.device.is_cpu_accessible:
        assert t.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]


# ---- managed ----


@pytest.fixture
def managed(cupy):
    def make(values):
        x = cupy.ndarray(len(values), cupy.float32, memptr=cupy.cuda.malloc_managed(4 * len(values)))
        x.set(np.asarray(values, np.float32))
        cupy.cuda.runtime.deviceSynchronize()
        return x

    return make


def test_managed__both_ways(cupy, managed):
    x = managed(range(6))
    t = dlferry.from_dlpack(x)
    assert t.data == x.data.ptr and t.__dlpack_device__() == MANAGED == x.__dlpack_device__()
    assert t.device == "cuda_managed:0" and t.device.is_cpu_accessible and dlferry.is_reachable(t)
    assert t.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0, 5.0] and t.numpy().ctypes.data == x.data.ptr
    back = cupy.from_dlpack(t)
    assert back.data.ptr == x.data.ptr
    with cupy.cuda.Stream(non_blocking=True):
        assert cupy.from_dlpack(t).data.ptr == x.data.ptr
    assert cupy.asarray(t).data.ptr == x.data.ptr  # __cuda_array_interface__
    assert dlferry.equal(t, t.copy()) and "cuda_managed" in str(t)


def test_managed__in_kernels(torch, managed, vk):
    x, y, out = managed([1, 2, 3]), managed([4, 5, 6]), managed([0, 0, 0])
    assert vk.add(x, y, out) is out
    torch.cuda.synchronize()
    assert dlferry.from_dlpack(out).tolist() == [5.0, 7.0, 9.0]
    there = torch.zeros(3, device="cuda")
    vk.add(x, torch.ones(3, device="cuda"), there)
    assert there.tolist() == [2.0, 3.0, 4.0]


def test_managed__follows_the_stream_of_a_device_tensor(torch, cupy, managed, vk):
    """Written on CuPy's stream, read on torch's."""
    x, out = managed([1, 1, 1]), torch.zeros(3, device="cuda")
    zero, mine, theirs = torch.zeros(3, device="cuda"), torch.cuda.Stream(), cupy.cuda.Stream(non_blocking=True)
    torch.cuda._sleep(1000)  # loads the kernels
    x.fill(1)
    torch.cuda.synchronize()
    with torch.cuda.stream(torch.cuda.ExternalStream(theirs.ptr)):
        torch.cuda._sleep(400_000_000)
    with theirs:
        x.fill(5)
        assert not theirs.done
        with torch.cuda.stream(mine):
            vk.add(x, zero, out)
            assert vk.last_stream() == mine.cuda_stream
    mine.synchronize()
    assert out.tolist() == [5.0] * 3


def test_managed__written_on_another_stream_is_refused(torch, managed, vk):
    ones, out = torch.ones(3, device="cuda"), managed([0, 0, 0])
    refused = pytest.raises(dlferry.DeviceError, match=r"add: out: .*got one that names no stream")
    with torch.cuda.stream(torch.cuda.Stream()), refused:
        vk.add(ones, ones, out)


def test_managed__needs_a_contract_that_names_it(managed, torch, vk):
    text = "scale: x: device is cuda_managed:0, wanted cuda: pass a copy there"
    with pytest.raises(dlferry.DeviceError) as caught:
        vk.scale(managed([1, 2]), 2.0, torch.zeros(2, device="cuda"))
    assert str(caught.value) == text


def test_managed__from_the_driver(torch):
    """Memory of the driver itself, by a library that torch has loaded."""
    cuda = ctypes.CDLL("libcuda.so.1")
    address = ctypes.c_uint64()
    torch.zeros(1, device="cuda")
    assert cuda.cuMemAllocManaged(ctypes.byref(address), ctypes.c_size_t(64), 1) == 0
    try:
        t = dlferry.from_dlpack(Lent(None, address.value, [16], MANAGED, name="driver"))
        t.numpy()[:] = range(16)
        assert t[3:5].tolist() == [3.0, 4.0]
        del t
    finally:
        cuda.cuMemFree_v2(address)
