# SPDX-License-Identifier: Apache-2.0
"""Device memory goes through dlferry in both directions at one address, with its dtype, shape, strides and device."""

import dlferry
import numpy as np
import pytest
from conftest import settled, words_asked

DTYPES = ["float32", "float64", "float16", "int8", "int64", "uint8", "bool", "complex64"]
CUDA = (dlferry.DeviceType.CUDA, 0)


def sample(dtype):
    return (np.arange(12) % 2 if dtype == "bool" else np.arange(12)).astype(dtype).reshape(3, 4)


def check(t, address, dtype, shape=(3, 4), strides=(4, 1)):
    assert (t.data, t.dtype, t.shape, t.strides) == (address, dtype, shape, strides)
    assert t.device == "cuda:0" == dlferry.Device(CUDA) and t.__dlpack_device__() == CUDA
    assert not t.device.is_cpu_accessible and not dlferry.is_reachable(t)


@pytest.mark.parametrize("dtype", DTYPES + ["bfloat16"])
def test_torch__both_ways(torch, dtype):
    x = torch.from_numpy(sample(dtype if dtype != "bfloat16" else "float32")).to("cuda", getattr(torch, dtype))
    t = dlferry.from_dlpack(x)
    check(t, x.data_ptr(), dtype)
    assert not t.readonly and t.device == x.device and t.device.torch() == x.device
    back = torch.from_dlpack(t)
    assert back.data_ptr() == x.data_ptr() and back.dtype == x.dtype and torch.equal(back, x)
    assert dlferry.to(x, torch.Tensor).data_ptr() == x.data_ptr()


@pytest.mark.parametrize("dtype", ["float8_e4m3fn", "float8_e5m2"])
def test_torch__float8(torch, dtype):
    x = torch.ones(4, device="cuda").to(getattr(torch, dtype))
    try:
        x.__dlpack__(max_version=(1, 3))
    except BufferError as error:
        pytest.skip(str(error))
    t = dlferry.from_dlpack(x)
    check(t, x.data_ptr(), dtype, (4,), (1,))
    assert torch.from_dlpack(t).data_ptr() == x.data_ptr()


@pytest.mark.parametrize("dtype", DTYPES)
def test_cupy__both_ways(cupy, dtype):
    x = cupy.asarray(sample(dtype))
    t = dlferry.from_dlpack(x)
    check(t, x.data.ptr, dtype)
    back = cupy.from_dlpack(t)
    assert back.data.ptr == x.data.ptr and back.dtype == x.dtype
    np.testing.assert_array_equal(back.get(), sample(dtype))
    assert dlferry.to(x, cupy.ndarray).data.ptr == x.data.ptr


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "uint8", "complex64"])
def test_jax__both_ways(jax, dtype):
    x = jax.numpy.arange(12, dtype=dtype).reshape(3, 4)
    t = dlferry.from_dlpack(x)
    check(t, x.unsafe_buffer_pointer(), dtype)
    assert t.readonly and t.device == next(iter(x.devices()))
    if "max_version" not in words_asked(jax.dlpack.from_dlpack):
        refuse_legacy(jax, t)
        return
    back = jax.dlpack.from_dlpack(t)
    assert back.unsafe_buffer_pointer() == x.unsafe_buffer_pointer() and back.dtype == x.dtype
    assert bool((back == x).all())
    assert dlferry.to(t, jax.Array).unsafe_buffer_pointer() == x.unsafe_buffer_pointer()


def refuse_legacy(jax, t):
    """JAX 0.11 asks for DLPack 0.8, which has no read-only flag, and the hub copies no memory of a device."""
    text = "expected writable data for a consumer of DLPack before 1.0, got read-only"
    with pytest.raises(dlferry.errors.ReadOnlyError) as caught:
        jax.dlpack.from_dlpack(t)
    assert str(caught.value) == f"to_dlpack: {text}" and isinstance(caught.value, BufferError)
    with pytest.raises(BufferError, match=text):
        dlferry.to(t, jax.Array)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32", "uint8", "complex64"])
def test_jax__takes_what_may_be_written(torch, jax, dtype):
    x = torch.arange(12, device="cuda").to(getattr(torch, dtype)).reshape(3, 4)
    t = dlferry.from_dlpack(x)
    for there in (jax.dlpack.from_dlpack(t), dlferry.to(t, jax.Array)):
        assert there.unsafe_buffer_pointer() == x.data_ptr() and there.dtype.name == dtype
        assert bool((there == jax.numpy.arange(12, dtype=dtype).reshape(3, 4)).all())


def test_numba__both_ways(numba, torch):
    x = torch.arange(6.0, device="cuda").reshape(2, 3)
    t = dlferry.from_dlpack(x)
    there = numba.as_cuda_array(t)
    assert there.device_ctypes_pointer.value == x.data_ptr()
    np.testing.assert_array_equal(there.copy_to_host(), x.cpu().numpy())
    if hasattr(there, "__dlpack__"):
        assert dlferry.from_dlpack(there).data == x.data_ptr()
    else:
        with pytest.raises(dlferry.errors.ProtocolError):
            dlferry.from_dlpack(there)


def test_cuda_array_interface(cupy, torch):
    x = torch.arange(6.0, device="cuda").reshape(2, 3)
    face = dlferry.from_dlpack(x.t()).__cuda_array_interface__
    assert face["data"] == (x.data_ptr(), False) and face["shape"] == (3, 2) and face["strides"] == (4, 12)
    assert face["stream"] == 1 and face["typestr"] == "<f4" and face["version"] == 3
    there = cupy.asarray(dlferry.from_dlpack(x))
    assert there.data.ptr == x.data_ptr()
    assert not hasattr(dlferry.create("float32", [2]), "__cuda_array_interface__")


@pytest.mark.parametrize(
    ("make", "shape", "strides", "first"),
    [
        (lambda t: t[1:], (2, 4), (4, 1), 4),
        (lambda t: t.T, (4, 3), (1, 4), 0),
        (lambda t: t[:, 1::2], (3, 2), (4, 2), 1),
        (lambda t: t[2, 3], (), (), 11),
        (lambda t: t[1:][1:].reshape(2, 2), (2, 2), (2, 1), 8),
        (lambda t: t[1].broadcast_to(2, 4), (2, 4), (0, 1), 4),
        (lambda t: t.unsqueeze(0)[:, 2:], (1, 1, 4), (12, 4, 1), 8),
    ],
)
def test_views__arrive_where_they_begin(torch, cupy, jax, make, shape, strides, first):
    """torch ignores byte_offset, so that a view must have moved data itself."""
    x = torch.arange(12.0, device="cuda").reshape(3, 4)
    view = make(dlferry.from_dlpack(x))
    check(view, x.data_ptr() + 4 * first, "float32", shape, view.strides)
    there = torch.from_dlpack(view)
    assert there.data_ptr() == view.data and tuple(there.shape) == shape
    flat = np.arange(12.0, dtype=np.float32)
    wanted = np.lib.stride_tricks.as_strided(flat[first:], shape, [4 * step for step in strides])
    np.testing.assert_array_equal(there.cpu().numpy(), wanted)
    np.testing.assert_array_equal(cupy.from_dlpack(view).get(), wanted)


def test_views__into_jax(torch, jax):
    x = torch.arange(256.0, device="cuda").reshape(4, 64)
    there = jax.dlpack.from_dlpack(dlferry.from_dlpack(x)[1:])  # row by row, as JAX wants it, at an address that fits
    assert there.unsafe_buffer_pointer() == x.data_ptr() + 256
    np.testing.assert_array_equal(np.asarray(there), x[1:].cpu().numpy())


def test_bitcast_and_flip(torch, cupy):
    x = torch.arange(4, dtype=torch.int32, device="cuda")
    words = dlferry.from_dlpack(x).bitcast("int16")
    np.testing.assert_array_equal(cupy.from_dlpack(words).get(), x.cpu().numpy().view(np.int16))
    backwards = cupy.from_dlpack(dlferry.from_dlpack(x).flip())
    np.testing.assert_array_equal(backwards.get(), [3, 2, 1, 0])


def test_legacy__capsules(torch, cupy):
    x = torch.arange(4.0, device="cuda")
    t = dlferry.from_dlpack(torch.utils.dlpack.to_dlpack(x))
    assert t.data == x.data_ptr() and t.device == "cuda:0"
    there = torch.from_dlpack(dlferry.to_dlpack_legacy(dlferry.from_dlpack(x)))
    assert there.data_ptr() == x.data_ptr()
    there = cupy.from_dlpack(dlferry.from_dlpack(x).__dlpack__())
    assert there.data.ptr == x.data_ptr()


def test_empty(torch, cupy):
    x = torch.zeros(0, 3, device="cuda")
    t = dlferry.from_dlpack(x)
    assert t.shape == (0, 3) and t.device == "cuda:0" and t.data == 0
    assert torch.from_dlpack(t).shape == (0, 3)
    assert dlferry.from_dlpack(cupy.zeros((3, 0))).shape == (3, 0)


def test_moves__by_the_producer(torch, cupy, jax):
    for x in (torch.arange(4.0, device="cuda"), cupy.arange(4.0, dtype=cupy.float32), jax.numpy.arange(4.0)):
        t = dlferry.from_dlpack(x, device="cpu")
        assert t.device == "cpu" and t.tolist() == [0.0, 1.0, 2.0, 3.0]
        again = np.from_dlpack(dlferry.from_dlpack(x), device="cpu")
        assert again.tolist() == [0.0, 1.0, 2.0, 3.0]


def test_moves__data_that_is_still_written(torch):
    x, stream = torch.ones(100_000, device="cuda"), torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(200_000_000)
        x.fill_(5)
        t = dlferry.from_dlpack(x, device="cpu")
    assert set(t.tolist()) == {5.0}


@pytest.mark.parametrize("copy", [True, False, None])
def test_copy__on_the_device(torch, copy):
    x = torch.arange(4.0, device="cuda")
    try:
        t = dlferry.from_dlpack(x, copy=copy)
    except dlferry.Error as error:
        pytest.fail(f"from_dlpack(copy={copy}): {error}")
    assert t.device == "cuda:0" and (t.data == x.data_ptr()) == (copy is not True)
    assert torch.from_dlpack(t).tolist() == [0.0, 1.0, 2.0, 3.0]


@pytest.mark.parametrize("n", [5, 100_000])
def test_results__that_c_made_on_the_device(torch, cupy, jax, vk, n):
    freed = vk.freed()
    for like in (torch.ones(n, device="cuda"), cupy.ones(n, cupy.float32), jax.numpy.ones(n)):
        made = vk.ramp(like)
        if type(made) is dlferry.Tensor:  # its framework names no namespace with from_dlpack
            assert type(like) is cupy.ndarray and not hasattr(like, "__array_namespace__")
            made = cupy.from_dlpack(made)
        assert type(made) is type(like) and made.shape == like.shape
        assert float(made[n - 1]) == n - 1 and float(made.sum()) == pytest.approx(n * (n - 1) / 2, rel=1e-3)
    made = vk.ramp(dlferry.from_dlpack(torch.ones(n, device="cuda")))
    assert type(made) is dlferry.Tensor and made.device == "cuda:0"
    assert float(torch.from_dlpack(made)[n - 1]) == n - 1
    del made, like
    assert settled(vk.freed, freed + 4) == freed + 4
