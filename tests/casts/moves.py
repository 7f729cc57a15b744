# SPDX-License-Identifier: Apache-2.0
"""Copies and casts over random shapes, strides, offsets and dtypes, against NumPy and ml_dtypes.

usage: moves.py [--count N] [--seed S]

Every byte of the destination's memory is compared, also those between and around its elements. A failure names the seed
of its move, which `--seed S --count 1` makes again.
"""

import argparse
import ctypes
import functools
import math
import random
import sys
import time
import zlib

import exact
import hub
import ml_dtypes
import numpy as np

CASTABLE = [*exact.INTEGERS, *exact.FLOATS, "complex64", "complex128"]
COPIED = [*CASTABLE, "int4", "uint2", "uint1", "int24", "float32x3", "uint8x2"]
EXTENTS = [1, 2, 3, 4, 5, 8, 15, 16, 17, 33, 64, 70, 130, 300, 1000]
MOST = 6000  # elements
HOLDS_INT64 = np.finfo(np.longdouble).nmant >= 63


@functools.cache
def dtype_of(name):
    dtype = (ctypes.c_uint8 * 4)()
    hub.library.dlf_dtype_parse(name.encode(), dtype, None)
    return dtype[0], dtype[1], dtype[2] | dtype[3] << 8


class Memory:
    """Bytes with elements at places that strides give, packed ones counted in elements from bit 0."""

    def __init__(self, rng, name, shape, is_source):
        self.name, self.shape = name, shape
        self.code, self.bits, self.lanes = dtype_of(name)
        self.width = self.bits * self.lanes
        self.is_packed = self.width % 8 != 0 and rng.random() < 0.6
        self.item = (self.width + 7) // 8
        self.strides, self.places, count = laid_out(rng, shape, is_source)
        self.length = (count * self.width + 7) // 8 if self.is_packed else count * self.item
        self.front = 16 + rng.randrange(8) * self.item
        self.offset = rng.randrange(2) * self.item
        self.bytes = random_bytes(rng, self.front + self.length + 24)

    def elements(self):
        return self.bytes[self.front : self.front + self.length]

    def read(self):
        """A row of bytes for each element, in the order of the shape."""
        if self.is_packed:
            bits = np.unpackbits(self.elements(), bitorder="little")
            rows = bits[self.places.ravel()[:, None] * self.width + np.arange(self.width)]
            return np.packbits(rows, axis=1, bitorder="little")
        return self.elements().reshape(-1, self.item)[self.places.ravel()]

    def write(self, rows):
        if self.is_packed:
            bits = np.unpackbits(self.elements(), bitorder="little")
            each = np.unpackbits(rows, axis=1, bitorder="little")[:, : self.width]
            bits[self.places.ravel()[:, None] * self.width + np.arange(self.width)] = each
            self.elements()[:] = np.packbits(bits, bitorder="little")
        else:
            self.elements().reshape(-1, self.item)[self.places.ravel()] = rows

    def handle(self):
        """The address of a dlf_tensor over a copy of the bytes, and the copy."""
        copy = self.bytes.copy()
        first = self.places.flat[0] if self.places.size else 0
        start = first * self.width // 8 if self.is_packed else first * self.item
        shape, strides = ((ctypes.c_int64 * len(self.shape))(*x) for x in (self.shape, self.strides))
        tensor = hub.Tensor(copy.ctypes.data + self.front + int(start) - self.offset, 1, 0, len(self.shape))
        tensor.code, tensor.bits, tensor.lanes = self.code, self.bits, self.lanes
        tensor.shape, tensor.strides, tensor.byte_offset = shape, strides, self.offset
        flags = hub.PADDED if self.width % 8 and not self.is_packed else 0
        address, error = ctypes.c_void_p(), hub.Error()
        out = (ctypes.byref(address), ctypes.byref(error))
        hub.checked(hub.library.dlf_wrap(ctypes.byref(tensor), ctypes.c_uint64(flags), None, None, *out), error)
        return address, copy

    def __str__(self):
        form = "packed" if self.is_packed else "padded" if self.width % 8 else "plain"
        return f"{form} {self.name}{list(self.shape)} strides {self.strides} first {self.places.ravel()[:1]}"


def random_bytes(rng, count):
    return np.frombuffer(bytearray(rng.randbytes(count)), np.uint8)


def laid_out(rng, shape, is_source):
    """Strides, the place of each element, and how many places there are: axes in any order, gaps and flips."""
    order = list(range(len(shape)))[::-1]
    if rng.random() < 0.6:
        rng.shuffle(order)
    strides, span = [0] * len(shape), 1
    for axis in order:
        step = span * rng.choice((1, 1, 1, 1, 2, 3))
        if is_source and rng.random() < 0.08:
            continue  # repeats its elements
        span = step * max(shape[axis], 1)
        strides[axis] = -step if rng.random() < 0.15 else step
    if 0 in shape:
        return strides, np.zeros(shape, np.int64), 0
    low = sum(step * (extent - 1) for step, extent in zip(strides, shape, strict=True) if step < 0)
    high = sum(step * (extent - 1) for step, extent in zip(strides, shape, strict=True) if step > 0)
    first = -low + low % 8  # a packed tensor begins with a whole byte
    places = np.int64(first)
    for step, extent in zip(strides, shape, strict=True):
        places = places[..., None] + np.arange(extent) * step
    return strides, np.asarray(places), first + high + 1


def random_shape(rng):
    shape = []
    for _ in range(rng.randrange(7)):
        extent = 0 if rng.random() < 0.01 else rng.choice(EXTENTS)
        if extent * math.prod(shape) > MOST:
            extent = rng.choice((1, 2)) if 2 * math.prod(shape) <= MOST else 1
        shape.append(extent)
    return tuple(shape)


# ---- what a cast gives ----


@functools.cache
def numpy_dtype(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def random_rows(rng, name, count):
    """Elements of any bits, or near 1, or small."""
    dtype = numpy_dtype(name)
    numbers = np.random.Generator(np.random.PCG64(rng.getrandbits(32)))
    kind = rng.randrange(3)
    if name == "bool":
        values = numbers.integers(0, 2, count).astype(bool)
    elif kind and name in exact.INTEGERS:
        values = (numbers.integers(-(1 << 62), 1 << 62, count) >> numbers.integers(0, 62, count)).astype(dtype)
    elif kind and name != "float8_e8m0fnu":
        values = (numbers.standard_normal(count) * 2.0 ** numbers.integers(-12, 40, count)).astype(dtype)
    else:
        codes = random_bytes(rng, count * dtype.itemsize).reshape(count, dtype.itemsize)
        if name in exact.FLOATS and exact.bits_of(name) < 8:
            codes &= (1 << exact.bits_of(name)) - 1
        return codes
    return values.view(np.uint8).reshape(count, dtype.itemsize)


def to_integers(values, name):
    """Reals to the nearest integer within range, NaN to 0."""
    least, most = exact.INTEGERS[name]
    wide = np.trunc(values.astype(np.longdouble))
    wide = np.where(np.isnan(wide), 0, np.clip(wide, least, most))
    return wide.astype(np.uint64 if least == 0 else np.int64).astype(name)


def to_odd_float32(values):
    """Reals to float32 whose last bit says whether anything was lost: rounded again they are rounded once."""
    wide = values.astype(np.longdouble)
    near = wide.astype(np.float32)
    lost = ~np.isnan(wide) & (near.astype(np.longdouble) != wide)
    too_far = lost & (np.abs(near.astype(np.longdouble)) > np.abs(wide))
    codes = near.view(np.uint32) - too_far.astype(np.uint32)
    return (codes | lost).view(np.float32)


def cast_rows(rows, source, name):
    values = rows.reshape(-1).view(numpy_dtype(source))
    if name not in exact.INTEGERS or name == "bool" or source in exact.INTEGERS:
        rounds_twice = source in ("float64", "int32", "uint32", "int64", "uint64")
        if rounds_twice and name in exact.FLOATS and name not in ("float64", "float32", "float16"):
            values = to_odd_float32(values)
        values = values.astype(numpy_dtype(name))
    else:
        values = to_integers(values.astype(np.float64), name)
    return values.view(np.uint8).reshape(len(rows), values.itemsize)


@functools.cache
def has_cast(source, name):
    try:
        np.ones(1, numpy_dtype(source)).astype(numpy_dtype(name))
    except TypeError:
        return False
    return True


# ---- the moves ----


def run_move(seed):
    """What went wrong, or None."""
    rng = random.Random(seed)
    is_cast = rng.random() < 0.6
    source_name = rng.choice(CASTABLE if is_cast else COPIED)
    name = rng.choice(CASTABLE) if is_cast else source_name
    if is_cast and (("complex" in source_name) > ("complex" in name) or not has_cast(source_name, name)):
        return None
    shape = random_shape(rng)
    source, destination = Memory(rng, source_name, shape, True), Memory(rng, name, shape, False)
    if is_cast:
        source.write(random_rows(rng, source_name, source.places.size))
    elif source.width % 8 and not source.is_packed:
        source.bytes &= (1 << source.width) - 1
    rows = source.read()
    wanted = cast_rows(rows, source_name, name) if is_cast else rows
    (from_address, _), (to_address, result) = source.handle(), destination.handle()
    error = hub.Error()
    if is_cast:
        status = hub.library.dlf_cast_into(from_address, to_address, ctypes.c_bool(False), ctypes.byref(error))
    else:
        status = hub.library.dlf_copy_into(from_address, to_address, ctypes.byref(error))
    hub.library.dlf_release(from_address)
    hub.library.dlf_release(to_address)
    told = f"{'cast' if is_cast else 'copy'} of {source} to {destination}"
    if status:
        return f"{told}: {error.message.decode()}"
    destination.write(wanted)
    if np.array_equal(result, destination.bytes):
        return None
    at = int(np.flatnonzero(result != destination.bytes)[0])
    return f"{told}: byte {at - destination.front} is {result[at]:#x}, expected {destination.bytes[at]:#x}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=zlib.crc32(b"dlferry"))
    options = parser.parse_args()
    if not HOLDS_INT64:
        print("NOT RUN: long double does not hold every int64 here")
        sys.exit(77)
    began = time.monotonic()
    with np.errstate(all="ignore"):
        for done in range(options.count):
            wrong = run_move(options.seed + done)
            if wrong:
                sys.exit(f"moves: seed {options.seed + done}: {wrong}")
            if (done + 1) % max(options.count // 20, 1000) == 0:
                print(f"moves: {done + 1} of {options.count}, {time.monotonic() - began:.0f} s", flush=True)
    print(f"moves: {options.count} moves, 0 problems")


main()
