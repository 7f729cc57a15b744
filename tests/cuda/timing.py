# SPDX-License-Identifier: Apache-2.0
"""Print how long a call takes until it returns, the kernel on its way. No test reads these numbers."""

import time

import dlferry
import vk


def per_call(call, synchronize, rounds=7, calls=500):
    """Microseconds, the best round. A round is short enough that the device's queue does not fill up."""
    best = float("inf")
    for _ in range(rounds):
        synchronize()
        begin = time.perf_counter_ns()
        for _ in range(calls):
            call()
        best = min(best, time.perf_counter_ns() - begin)
        synchronize()
    return best / calls / 1000


def torch_rows():
    import torch

    x, out, zero = torch.ones(256, device="cuda"), torch.zeros(256, device="cuda"), torch.zeros(256, device="cuda")
    large, target = torch.ones(1 << 20, device="cuda"), torch.zeros(1 << 20, device="cuda")
    wait = torch.cuda.synchronize
    yield "torch.mul(x, 2.0, out=out)", per_call(lambda: torch.mul(x, 2.0, out=out), wait)
    yield "vk.scale(x, 2.0, out), torch", per_call(lambda: vk.scale(x, 2.0, out), wait)
    yield "torch.add(x, y, out=out)", per_call(lambda: torch.add(x, zero, out=out), wait)
    yield "vk.add(x, y, out), torch", per_call(lambda: vk.add(x, zero, out), wait)
    yield "torch.mul, 4 MiB", per_call(lambda: torch.mul(large, 2.0, out=target), wait)
    yield "vk.scale, torch, 4 MiB", per_call(lambda: vk.scale(large, 2.0, target), wait)
    with torch.cuda.stream(torch.cuda.Stream()):
        yield "torch.mul, on a stream", per_call(lambda: torch.mul(x, 2.0, out=out), wait)
        yield "vk.scale, torch, on a stream", per_call(lambda: vk.scale(x, 2.0, out), wait)
    ours, mine = dlferry.from_dlpack(x), dlferry.from_dlpack(out)
    yield "vk.scale, tensors of ours", per_call(lambda: vk.scale(ours, 2.0, mine), wait)
    yield "dlferry.from_dlpack(x), torch", per_call(lambda: dlferry.from_dlpack(x), wait)
    yield "torch.from_dlpack(x), torch", per_call(lambda: torch.from_dlpack(x), wait)
    yield "torch.from_dlpack(t), ours", per_call(lambda: torch.from_dlpack(ours), wait)
    yield "vk.last_stream()", per_call(vk.last_stream, wait)


def cupy_rows():
    import cupy

    x, out = cupy.ones(256, cupy.float32), cupy.zeros(256, cupy.float32)
    ours = dlferry.from_dlpack(x)
    wait = cupy.cuda.runtime.deviceSynchronize
    yield "cupy.multiply(x, 2.0, out)", per_call(lambda: cupy.multiply(x, 2.0, out), wait)
    yield "vk.scale(x, 2.0, out), CuPy", per_call(lambda: vk.scale(x, 2.0, out), wait)
    yield "dlferry.from_dlpack(x), CuPy", per_call(lambda: dlferry.from_dlpack(x), wait)
    yield "cupy.from_dlpack(t), ours", per_call(lambda: cupy.from_dlpack(ours), wait)


def main():
    for rows in (torch_rows, cupy_rows):
        try:
            for name, microseconds in rows():
                print(f"{name:<32} {microseconds:8.2f} us", flush=True)
        except ImportError as error:
            print(f"{rows.__name__}: {error}")


main()
