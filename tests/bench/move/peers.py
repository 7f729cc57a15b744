# SPDX-License-Identifier: Apache-2.0
"""The contenders of a row: the hub, memcpy and loops by hand in C, NumPy with ml_dtypes, torch and JAX."""

import ctypes
import timeit
import warnings

import ml_dtypes
import numpy as np
from case import PACKED, Case, hub, load_by_hand
from rows import LARGE, PASS, RESIZE, RESIZE_CACHED, TURN_NEW, Row
from timing import CLOCKS, Contender

BY_HAND = {
    "memcpy": "bench_memcpy",
    "stream by hand": "bench_stream",
    "malloc + memcpy": "bench_malloc_memcpy",
    "huge pages + memcpy": "bench_huge_memcpy",
    "streamed blocks by hand": "bench_transpose_streamed",
    TURN_NEW: "bench_huge_transpose_streamed",
}
CASTS = {PASS: ("pass", ""), RESIZE: ("resize", ""), RESIZE_CACHED: ("resize", "_cached")}
BLOCKS = {1: "bench_transpose_uint8_t", 4: "bench_transpose_uint32_t"}
SCALED_FROM = 16 << 20  # what moves as much goes past the caches, like memcpy of 256 MiB


class Peers:
    """The libraries that are there, and a clock. `chosen` leaves others out."""

    def __init__(self, chosen, tiny=False):
        self.c = load_by_hand()
        self.dlferry = imported("dlferry")
        self.torch = self.jax = None
        if "torch" in chosen:
            self.torch = imported("torch")
        if "jax" in chosen:
            self.jax = imported("jax")
        self.use_threads(1, "processor")
        if self.jax:
            self.jax.config.update("jax_enable_x64", True)
        self.large = Case(Row("memcpy of 256 MiB", (LARGE,), "float32"), tiny)

    def use_threads(self, count, clock):
        self.clock = clock
        if self.torch:
            self.torch.set_num_threads(count)
        if hasattr(hub.library, "dlf_set_threads"):
            hub.library.dlf_set_threads(ctypes.c_int64(count))

    def of(self, case):
        """The contenders of a row; dlferry is the first one."""
        yield self.hub(case)
        if self.has_binding() and case.row.dtype not in PACKED and case.to not in PACKED:
            yield self.of_binding(case)
        for name in case.row.hand:
            yield self.in_c(name, self.by_hand(name, case), case)
        if not case.row.hand or case.row.to:
            yield self.limit(case)
        yield self.numpy(case)
        if self.torch:
            yield from self.of_torch(case)
        if self.jax and case.row.new:
            yield from self.of_jax(case)

    def in_c(self, name, function, case):
        pointer = getattr(self.c, function)
        wall = self.clock == "wall"
        return Contender(name, lambda calls: self.c.bench_seconds(pointer, case.job, calls, wall))

    def in_python(self, name, function):
        return Contender(name, timeit.Timer(function, timer=CLOCKS[self.clock]).timeit)

    def hub(self, case):
        verb = "cast" if case.row.to else "copy"
        return self.in_c("dlferry", f"bench_hub_{verb}{'' if case.row.new else '_into'}", case)

    def has_binding(self):
        return hasattr(getattr(self.dlferry, "Tensor", None), "cast_into")

    def of_binding(self, case):
        """The Python package: the same work with the call's own time."""
        source, destination = map(self.dlferry.Tensor, (case.view, case.destination))
        name, dtype, cast = "dlferry from Python", case.to, bool(case.row.to)
        if not case.row.new:
            write = source.cast_into if cast else source.copy_into
            return self.in_python(name, lambda: write(destination))
        return self.in_python(name, (lambda: source.astype(dtype)) if cast else source.copy)

    def by_hand(self, name, case):
        if name == "loop by hand":
            return f"bench_loop_{case.loop_width()}"
        if name == "checked loop by hand":
            return f"bench_checked_{case.loop_width()}"
        if name in CASTS:
            return case.function_of_cast(*CASTS[name])
        if name == "blocks by hand":
            return BLOCKS[case.view.itemsize]
        return BY_HAND[name]

    def limit(self, case):
        """memcpy of as many bytes; of large ones its speed on 256 MiB."""
        if case.bytes_moved < SCALED_FROM:
            return self.same_bytes(case)
        contender = self.in_c("memcpy's rate", "bench_memcpy", self.large)
        contender.scale = case.bytes_moved / self.large.bytes_moved
        return contender

    def same_bytes(self, case):
        half = Case(Row("", (case.bytes_moved // 2,), "uint8"))
        return self.in_c("memcpy's rate", "bench_memcpy", half)

    def numpy(self, case):
        """Called ml_dtypes where that does the work."""
        name = "ml_dtypes" if any(hasattr(ml_dtypes, dtype) for dtype in (case.row.dtype, case.to)) else "NumPy"
        view, destination = case.view, case.destination
        if not case.row.new:
            return self.in_python(name, lambda: np.copyto(destination, view, casting="unsafe"))
        if case.row.to:
            return self.in_python(name, lambda: view.astype(destination.dtype, order="C"))
        return self.in_python(name, lambda: view.copy())

    def of_torch(self, case):
        torch = self.torch
        base, destination = as_torch(torch, case.base), as_torch(torch, case.destination)
        if base is None or destination is None:
            return
        view, flipped = strided(torch, base, case.view)
        if flipped and case.row.new:
            yield self.in_python("torch", lambda: torch.flip(view, flipped))
        elif flipped:
            return  # torch has no negative strides, and flip makes its result
        elif not case.row.new:
            yield self.in_python("torch", lambda: destination.copy_(view))
        elif case.row.to:
            kept = torch.contiguous_format
            yield self.in_python("torch", lambda: view.to(destination.dtype, memory_format=kept))
        else:
            yield self.in_python("torch", lambda: view.clone(memory_format=torch.contiguous_format))

    def of_jax(self, case):
        jax = self.jax
        dtype = getattr(jax.numpy, case.to, None)
        same = case.view.flags.c_contiguous and not case.row.to  # which JAX would give back
        if same or dtype is None or case.row.dtype in PACKED or case.to in PACKED:
            return
        program = compile(case.row.view, "view", "eval")

        def moved(x):
            out = eval(program, {"x": x, "np": jax.numpy})
            return out.astype(dtype) if case.row.to else out

        x = jax.numpy.asarray(case.base)
        call = jax.jit(moved)
        yield self.in_python("JAX", lambda: call(x).block_until_ready())


def imported(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def as_torch(torch, array):
    """A torch tensor on the same memory, or None for a dtype that torch cannot convert."""
    name = array.dtype.name
    dtype = getattr(torch, name, None)
    if dtype is None:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a broadcast array is not writable
        bits = torch.from_numpy(array.view(f"u{array.itemsize}"))
    return bits.view(dtype)


def strided(torch, base, view):
    """The view with positive strides, and the axes to flip."""
    step = base.element_size()
    flipped = [axis for axis, stride in enumerate(view.strides) if stride < 0]
    forward = np.flip(view, flipped) if flipped else view
    first = (forward.ctypes.data - base.data_ptr()) // step
    strides = [stride // step for stride in forward.strides]
    return torch.as_strided(base, forward.shape, strides, first), flipped
