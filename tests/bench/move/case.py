# SPDX-License-Identifier: Apache-2.0
"""A row's arrays, in memory that was touched, and the same as handles of the hub and as a job for C."""

import ctypes
import math
import mmap
import os

import hub
import ml_dtypes
import numpy as np

PACKED = {"float4_e2m1fn": 2}  # elements in a byte
TILE = 1 << 16


class Job(ctypes.Structure):
    """by_hand.h has the same structure."""

    _fields_ = [
        ("source", ctypes.c_void_p),
        ("first", ctypes.c_void_p),
        ("to", ctypes.c_void_p),
        ("bytes", ctypes.c_int64),
        ("rows", ctypes.c_int64),
        ("columns", ctypes.c_int64),
        ("extents", ctypes.c_int64 * 3),
        ("steps", ctypes.c_int64 * 3),
        ("source_handle", ctypes.c_void_p),
        ("destination_handle", ctypes.c_void_p),
    ]


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def memory(shape, dtype, small_pages=False):
    """An array in pages of its own: huge ones where the system has them, as NumPy's own large arrays have."""
    size = max(math.prod(shape) * dtype.itemsize, 1)
    private = {}
    if hasattr(mmap, "MAP_PRIVATE"):  # Linux gives shared memory no huge pages
        private["flags"] = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    pages = mmap.mmap(-1, size, **private)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        pages.madvise(mmap.MADV_NOHUGEPAGE if small_pages else mmap.MADV_HUGEPAGE)
    return np.ndarray(shape, dtype, buffer=pages)


def filled(shape, dtype, small_pages):
    """Random numbers, again after each 2^16 of them."""
    random = np.random.default_rng(1)
    count = min(TILE, math.prod(shape))
    if dtype.kind in "iu":
        tile = random.integers(0, 100, count).astype(dtype)
    else:
        tile = (10 * random.standard_normal(count, np.float32)).astype(dtype)
    array = memory(shape, dtype, small_pages)
    flat = array.reshape(-1)
    for start in range(0, flat.size, TILE):
        part = flat[start : start + TILE]
        part[:] = tile[: part.size]
    return array


def bytes_of(name, count):
    """How many bytes the elements take in dlferry, which packs small ones."""
    return count // PACKED[name] if name in PACKED else count * dtype_of(name).itemsize


def packed(array):
    """The same elements of 4 bits, two in a byte."""
    codes = array.reshape(-1).view(np.uint8)
    data = memory((codes.size // 2,), codes.dtype)
    np.bitwise_or(codes[::2] & 15, codes[1::2] << 4, out=data)
    return data


class Case:
    """What a row needs; `destination` and the handles are for rows into existing memory."""

    def __init__(self, row, tiny=False):
        self.row = row
        shape = tuple(min(extent, 64) for extent in row.shape) if tiny else row.shape
        self.base = filled(shape, dtype_of(row.dtype), row.small_pages)
        self.view = eval(row.view, {"x": self.base, "np": np})
        self.to = row.to or row.dtype
        self.destination = memory(self.view.shape, dtype_of(self.to), row.small_pages)
        self.destination.view(np.uint8).reshape(-1)[:] = 1
        self.count = self.view.size
        self.bytes_out = bytes_of(self.to, self.count)
        self.bytes_moved = bytes_of(row.dtype, self.count) + self.bytes_out
        self.kept = []
        self.job = self.make_job()

    def handle(self, array, name):
        if name in PACKED:
            data = packed(array)
            self.kept.append(data)
            handle = hub.Handle(data, name, packed=array.shape)
        else:
            handle = hub.Handle(array, name)
        self.kept.append(handle)
        return handle.address

    def make_job(self):
        job = Job(self.base.ctypes.data, self.view.ctypes.data, self.destination.ctypes.data, self.bytes_out)
        job.rows = self.view.shape[0] if self.view.ndim else 1
        job.columns = self.count // max(job.rows, 1)
        job.extents[:], job.steps[:] = (1, 1, 1), (0, 0, 0)
        shape, strides = self.loop_axes()
        for axis in range(1, 1 + min(len(shape), 3)):
            job.extents[3 - axis], job.steps[3 - axis] = shape[-axis], strides[-axis]
        job.source_handle = self.handle(self.view, self.row.dtype)
        job.destination_handle = self.handle(self.destination, self.to)
        return job

    def loop_axes(self):
        """The axes of a loop by hand, which copies a short dense row at once."""
        shape, strides = list(self.view.shape), list(self.view.strides)
        if self.loop_width() != self.view.itemsize:
            shape.pop()
            strides.pop()
        return shape, strides

    def function_of_cast(self, kind, way):
        """The C function that reads the lines of the source, and writes a result of its size."""
        last = abs(self.view.strides[-1]) if self.view.ndim else 1
        read = "half" if self.row.dtype in PACKED else last
        written = "half" if self.to in PACKED else self.destination.itemsize
        return f"bench_{kind}_{read}_{written}{way}"

    def loop_width(self):
        view = self.view
        row = view.shape[-1] * view.itemsize
        dense = view.strides[-1] == view.itemsize and view.ndim > 1
        return row if dense and row <= 16 else view.itemsize

    def close(self):
        for kept in self.kept:
            if isinstance(kept, hub.Handle):
                hub.library.dlf_release(kept.address)


def load_by_hand():
    """The C part, whose `bench_seconds` times a function of it."""
    library = ctypes.CDLL(os.environ["DLFERRY_BY_HAND"])
    library.bench_seconds.restype = ctypes.c_double
    library.bench_seconds.argtypes = [ctypes.c_void_p, ctypes.POINTER(Job), ctypes.c_int64, ctypes.c_bool]
    return library
