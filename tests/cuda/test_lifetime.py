# SPDX-License-Identifier: Apache-2.0
"""Device memory lives as long as any tensor of it, and is given back once, on any thread."""

import gc
import threading
import weakref

import dlferry
import pytest
from conftest import settled
from lent import ALIVE, DELETED, lent_by

SIZE = 64 << 20  # a block of its own in torch's allocator


@pytest.fixture
def allocated(torch):
    """Tell how many bytes torch has handed out beyond those before the test."""
    gc.collect()
    torch.cuda.synchronize()
    before = torch.cuda.memory_allocated()
    return lambda: torch.cuda.memory_allocated() - before


def test_torch__memory_comes_back(torch, allocated):
    x = torch.zeros(SIZE, dtype=torch.uint8, device="cuda")
    t = dlferry.from_dlpack(x)
    del x
    assert allocated() == SIZE  # the tensor alone keeps it
    view = t[10:20]
    del t
    assert allocated() == SIZE
    back = torch.from_dlpack(view)
    del view
    assert allocated() == SIZE
    del back
    assert settled(allocated, 0) == 0


def test_torch__memory_comes_back_from_another_thread(torch, allocated):
    box = [dlferry.from_dlpack(torch.zeros(SIZE, dtype=torch.uint8, device="cuda"))]
    thread = threading.Thread(target=box.clear)
    thread.start()
    thread.join()
    assert settled(allocated, 0) == 0


def test_torch__release_at_once(torch, allocated):
    t = dlferry.from_dlpack(torch.zeros(SIZE, dtype=torch.uint8, device="cuda"))
    t.release()
    assert settled(allocated, 0) == 0
    with pytest.raises(dlferry.Error, match="expected an open tensor, got a closed one"):
        t.__dlpack__()
    assert repr(t) == "<dlferry.Tensor, released>"


def test_torch__capsules_that_nobody_takes(torch, allocated):
    t = dlferry.from_dlpack(torch.zeros(SIZE, dtype=torch.uint8, device="cuda"))
    capsules = [t.__dlpack__(max_version=version) for version in ((1, 3), None)]
    del t
    assert allocated() == SIZE
    del capsules
    assert settled(allocated, 0) == 0


def test_torch__storage_that_is_replaced(torch, allocated):
    x = torch.ones(SIZE // 4, device="cuda")
    t = dlferry.from_dlpack(x)
    x.data = torch.zeros(1, device="cuda")
    assert bool((torch.from_dlpack(t) == 1).all())
    del t, x
    assert settled(allocated, 0) == 0


def test_torch__calls_keep_nothing(torch, vk, allocated):
    x = torch.ones(SIZE // 4, device="cuda")
    out = torch.empty_like(x)
    vk.scale(x, 2.0, out)
    torch.cuda.synchronize()
    del x, out
    assert settled(allocated, 0) == 0


def test_cupy__memory_comes_back(cupy):
    pool = cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        x = cupy.zeros(SIZE, cupy.uint8)
        t = dlferry.from_dlpack(x)
        del x
        assert pool.used_bytes() == SIZE
        back = cupy.from_dlpack(t)
        del t
        assert pool.used_bytes() == SIZE
        del back
        assert settled(pool.used_bytes, 0) == 0


def test_jax__buffer_comes_back(torch, jax):
    x = jax.numpy.arange(1000.0) * 2
    there = weakref.ref(x)
    t = dlferry.from_dlpack(x)
    assert t.data == x.unsafe_buffer_pointer()
    back = torch.from_dlpack(t)  # which takes read-only memory, too
    assert back.data_ptr() == t.data
    del x, t
    gc.collect()
    assert float(back[999]) == 1998.0
    del back
    gc.collect()
    assert there() is None


def test_deleter__runs_once(torch, cupy, jax):
    x = torch.arange(1024.0, device="cuda")
    for name, use in {
        "nothing": lambda t: t,
        "views": lambda t: [t[i:] for i in range(10)],
        "torch": torch.from_dlpack,
        "cupy": cupy.from_dlpack,
        "jax": jax.dlpack.from_dlpack,
        "capsule": lambda t: t.__dlpack__(max_version=(1, 3)),
        "legacy": lambda t: t.__dlpack__(),
        "numba": lambda t: t.__cuda_array_interface__,
    }.items():
        DELETED.clear()
        t = dlferry.from_dlpack(lent_by(x, name=name))
        used = use(t)
        del t
        gc.collect()
        if name != "numba":  # which keeps the Tensor itself
            assert DELETED == [], name
        del used
        assert settled(lambda: len(DELETED), 1) == 1, name
        assert not ALIVE


def test_deleter__on_many_threads(torch):
    DELETED.clear()
    x = torch.arange(64.0, device="cuda")
    boxes = [[dlferry.from_dlpack(lent_by(x, name="threads"))] for _ in range(64)]
    threads = [threading.Thread(target=box.clear) for box in boxes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert settled(lambda: len(DELETED), 64) == 64 and not ALIVE


def test_deleter__of_refused_tensors(torch, vk):
    DELETED.clear()
    x, out = torch.arange(8.0, device="cuda"), torch.zeros(4, device="cuda")
    for _ in range(10):
        with pytest.raises(dlferry.Error):
            vk.scale(lent_by(x, name="refused"), 2.0, out)
    assert settled(lambda: len(DELETED), 10) == 10 and not ALIVE
