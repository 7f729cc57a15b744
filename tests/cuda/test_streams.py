# SPDX-License-Identifier: Apache-2.0
"""Which stream a kernel gets, and that data of one stream is not read before it is there on another.

A stream is kept busy by a kernel that spins, and its tensor is written behind that: a reader that does not wait sees
the old values.
"""

import dlferry
import pytest

CYCLES = 400_000_000  # about 0.2 seconds
SIZES = [1000, 100_000]


@pytest.fixture(params=SIZES, ids=["small", "large"])
def n(request):
    return request.param


@pytest.fixture
def busy(torch):
    """Write 5 to a tensor on a stream, behind 0.2 seconds of work."""

    def begin(x, stream):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(CYCLES)
            x.fill_(5)
        assert not stream.query()  # else the test would prove nothing

    torch.cuda._sleep(1000)  # loads the kernel
    torch.cuda.synchronize()
    return begin


def vector(torch, n):
    x = torch.ones(n, device="cuda")
    torch.cuda.synchronize()
    return x


# ---- the handle ----


def test_handle__of_torchs_current_stream(torch, vk, n):
    x, out = vector(torch, n), vector(torch, n)
    vk.scale(x, 2.0, out)
    assert vk.last_stream() == torch.cuda.current_stream().cuda_stream
    for stream in (torch.cuda.Stream(), torch.cuda.Stream(priority=-1)):
        with torch.cuda.stream(stream):
            vk.scale(x, 2.0, out)
        assert vk.last_stream() == stream.cuda_stream != 0
    vk.scale(x, 2.0, out)
    assert vk.last_stream() == torch.cuda.default_stream().cuda_stream
    torch.cuda.synchronize()


def test_handle__of_a_list(torch, vk, n):
    parts, out = [vector(torch, n), vector(torch, n)], vector(torch, n)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        vk.sum(parts, out)
    assert vk.last_stream() == stream.cuda_stream
    stream.synchronize()
    assert bool((out == 2).all())


def test_handle__without_a_table_is_the_default_stream(torch, cupy, vk, n):
    """A producer without an exchange table names no stream; its data is made ready on the default one."""
    x = cupy.ones(n, cupy.float32)
    named = hasattr(type(x), "__dlpack_c_exchange_api__")
    with cupy.cuda.Stream() as stream:
        vk.scale(x, 2.0, cupy.zeros(n, cupy.float32))
    assert vk.last_stream() == (stream.ptr if named else 0)
    with cupy.cuda.Stream(non_blocking=True) as stream:
        vk.scale(x, 2.0, cupy.zeros(n, cupy.float32))
    assert vk.last_stream() == (stream.ptr if named else 0)
    cupy.cuda.runtime.deviceSynchronize()


def test_handle__the_default_stream_of_jax(torch, jax, vk, n):
    vk.scale(jax.numpy.ones(n), 2.0, vector(torch, n))
    assert vk.last_stream() == 0
    torch.cuda.synchronize()


# ---- the order ----


def test_control__a_reader_that_does_not_wait_sees_old_values(torch, busy, n):
    x, a, b = vector(torch, n), torch.cuda.Stream(), torch.cuda.Stream()
    busy(x, a)
    with torch.cuda.stream(b):
        early = x.clone()
    b.synchronize()
    assert bool((early == 1).all())
    torch.cuda.synchronize()


def test_order__within_one_stream(torch, vk, busy, n):
    x, out, stream = vector(torch, n), vector(torch, n), torch.cuda.Stream()
    busy(x, stream)
    with torch.cuda.stream(stream):
        vk.scale(x, 2.0, out)
        later = out + 1
    stream.synchronize()
    assert bool((out == 10).all()) and bool((later == 11).all())


def test_order__the_call_does_not_wait(torch, vk, busy, n):
    x, out, stream = vector(torch, n), vector(torch, n), torch.cuda.Stream()
    busy(x, stream)
    with torch.cuda.stream(stream):
        vk.scale(x, 2.0, out)
    assert not stream.query()
    torch.cuda.synchronize()


def test_order__kernels_of_a_package(torch, vk, n):
    x, out, stream = vector(torch, n), vector(torch, n), torch.cuda.Stream()
    with torch.cuda.stream(stream):
        vk.fill(x, 7.0, CYCLES)
        assert not stream.query()
        vk.scale(x, 2.0, out)
    stream.synchronize()
    assert bool((out == 14).all())


def test_order__cupys_data_for_a_kernel_on_torchs_stream(torch, cupy, vk, busy, n):
    y, theirs = vector(torch, n), cupy.cuda.Stream(non_blocking=True)
    x, out, mine = vector(torch, n), vector(torch, n), torch.cuda.Stream()
    busy(y, torch.cuda.ExternalStream(theirs.ptr))
    with theirs, torch.cuda.stream(mine):
        vk.add(x, cupy.from_dlpack(y.__dlpack__(max_version=(1, 0))), out)
        assert vk.last_stream() == mine.cuda_stream
    mine.synchronize()
    assert bool((out == 6).all())


@pytest.mark.parametrize("blocking", [True, False])
def test_order__cupys_data_for_a_kernel_on_the_default_stream(torch, cupy, vk, busy, n, blocking):
    y, theirs = vector(torch, n), cupy.cuda.Stream(non_blocking=not blocking)
    out = vector(torch, n)
    busy(y, torch.cuda.ExternalStream(theirs.ptr))
    with theirs:
        vk.scale(cupy.from_dlpack(y.__dlpack__(max_version=(1, 0))), 2.0, out)
    torch.cuda.default_stream().synchronize()
    assert bool((out == 10).all())


def test_order__jaxs_data_that_is_still_computed(torch, jax, vk):
    @jax.jit
    def long(x):
        return jax.lax.fori_loop(0, 200, lambda _, y: (y @ y) / 2048, x)[0]

    x = jax.numpy.ones((2048, 2048))
    long(x).block_until_ready()
    stream = torch.cuda.Stream()
    zero, first, second = (torch.zeros(2048, device="cuda") for _ in range(3))
    torch.cuda.synchronize()
    y = long(x)
    vk.scale(y, 2.0, first)  # on the default stream
    with torch.cuda.stream(stream):
        vk.add(zero, y, second)  # on the other
    torch.cuda.synchronize()
    assert first.tolist() == [2.0] * 2048 and second.tolist() == [1.0] * 2048


def test_order__a_tensor_of_ours_for_a_kernel_on_torchs_stream(torch, vk, busy, n):
    """The default stream is busy with the tensor, and torch's other streams do not wait for it by themselves."""
    y, out, zero, stream = vector(torch, n), vector(torch, n), torch.zeros(n, device="cuda"), torch.cuda.Stream()
    torch.cuda.synchronize()
    busy(y, torch.cuda.default_stream())
    ours = dlferry.from_dlpack(y)
    with torch.cuda.stream(stream):
        vk.add(zero, ours, out)
        assert vk.last_stream() == stream.cuda_stream
    stream.synchronize()
    assert bool((out == 5).all())


def test_order__import_makes_data_ready_on_the_default_stream(torch, busy, n):
    y, stream = vector(torch, n), torch.cuda.Stream()
    busy(y, stream)
    with torch.cuda.stream(stream):
        ours = dlferry.from_dlpack(y)
    back = torch.from_dlpack(ours)
    late = back.clone()
    torch.cuda.default_stream().synchronize()
    assert bool((late == 5).all())


# ---- exports to another stream ----


def test_export__for_torchs_current_stream(torch, busy, n):
    y, stream = vector(torch, n), torch.cuda.Stream()
    busy(y, torch.cuda.default_stream())
    ours = dlferry.from_dlpack(y)
    with torch.cuda.stream(stream):
        late = torch.from_dlpack(ours).clone()
    stream.synchronize()
    assert bool((late == 5).all())


@pytest.mark.parametrize("blocking", [True, False])
def test_export__for_cupys_current_stream(torch, cupy, busy, n, blocking):
    y = vector(torch, n)
    busy(y, torch.cuda.default_stream())
    ours = dlferry.from_dlpack(y)
    with cupy.cuda.Stream(non_blocking=not blocking) as stream:
        late = cupy.from_dlpack(ours) + 0
    stream.synchronize()
    assert bool((late.get() == 5).all())


def test_export__for_jax(torch, jax, busy, n):
    y = vector(torch, n)
    busy(y, torch.cuda.default_stream())
    late = jax.dlpack.from_dlpack(dlferry.from_dlpack(y)) + 0
    assert bool((late == 5).all())


def test_export__numbers_of_streams(torch):
    t, stream = dlferry.from_dlpack(vector(torch, 4)), torch.cuda.Stream()
    for number in (None, -1, 1, 2, stream.cuda_stream):
        t.__dlpack__(stream=number, max_version=(1, 3))
    for number in (0, -2):
        with pytest.raises(ValueError, match="expected a stream of cuda:0"):
            t.__dlpack__(stream=number)
    for number in (3, 4095):  # no addresses of streams
        with pytest.raises(NotImplementedError, match="expected the default stream of cuda:0"):
            t.__dlpack__(stream=number)
    with pytest.raises(ValueError, match="expected stream None on cpu, got 1"):
        t.__dlpack__(stream=1, dl_device=(1, 0))


# ---- what a kernel may not write ----


def test_written__on_another_stream_is_refused(torch, cupy, jax, vk):
    x, out = vector(torch, 4), vector(torch, 4)
    with torch.cuda.stream(torch.cuda.Stream()):
        with pytest.raises(dlferry.DeviceError, match="works on the default stream of cuda:0, as the first tensor's"):
            vk.scale(jax.numpy.ones(4), 2.0, out)
        with pytest.raises(dlferry.DeviceError, match="scale: out: expected a producer that works on stream 0x"):
            vk.scale(x, 2.0, dlferry.from_dlpack(out))
        if not hasattr(cupy.ndarray, "__dlpack_c_exchange_api__"):
            with pytest.raises(dlferry.DeviceError, match="got one that names no stream"):
                vk.scale(x, 2.0, cupy.zeros(4, cupy.float32))
    assert out.tolist() == [1.0] * 4
