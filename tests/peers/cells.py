# SPDX-License-Identifier: Apache-2.0
"""What is exchanged: each dtype in each layout, as bytes that no framework has made."""

import re
import struct
from dataclasses import dataclass
from pathlib import Path

HEADER = Path(__file__).resolve().parents[2] / "core/include/dlpack/dlpack.h"
# Those whose code has one width, such as float8_e4m3fn.
SMALL = {
    f"float{bits}_{name}": (int(code), int(bits))
    for bits, name, code in re.findall(r"\bkDLFloat(\d)_(\w+) = (\d+)U", HEADER.read_text(encoding="utf-8"))
}
# Name: code and bits, as in dlpack.h. A suffix xN is a dtype of N lanes.
DTYPES = {
    "bool": (6, 8),
    "int8": (0, 8),
    "int16": (0, 16),
    "int32": (0, 32),
    "int64": (0, 64),
    "uint8": (1, 8),
    "uint16": (1, 16),
    "uint32": (1, 32),
    "uint64": (1, 64),
    "float16": (2, 16),
    "float32": (2, 32),
    "float64": (2, 64),
    "bfloat16": (4, 16),
    "complex32": (5, 32),
    "complex64": (5, 64),
    "complex128": (5, 128),
    **SMALL,
    "int4": (0, 4),
    "uint4": (1, 4),
    "int2": (0, 2),
    "uint2": (1, 2),
    "int1": (0, 1),
    "uint1": (1, 1),
    "float32x4": (2, 32),
}
READ_ONLY, IS_COPIED, PADDED = 1, 2, 4

# Name: shape, strides and offset, all in elements of a base of 24.
LAYOUTS = {
    "contiguous": ((2, 3, 4), (12, 4, 1), 0),
    "offset": ((2, 3), (3, 1), 5),
    "strided": ((3, 4), (2, 6), 0),
    "negative": ((4, 6), (-6, -1), 23),
    "broadcast": ((3, 4), (0, 1), 0),
    "0-d": ((), (), 0),
    "size-0": ((0, 3), (3, 1), 0),
    "read-only": ((2, 3, 4), (12, 4, 1), 0),
    "packed": ((2, 3, 4), (12, 4, 1), 0),
    "padded": ((2, 3, 4), (12, 4, 1), 0),
}
# The same for systems whose arrays have one axis.
FLAT = {
    "contiguous": ((24,), (1,), 0),
    "offset": ((6,), (1,), 5),
    "strided": ((12,), (2,), 0),
    "negative": ((24,), (-1,), 23),
    "broadcast": ((4,), (0,), 0),
    "size-0": ((0,), (1,), 0),
    "read-only": ((24,), (1,), 0),
    "packed": ((24,), (1,), 0),
    "padded": ((24,), (1,), 0),
}
BASE = 24


def element(name, k):
    """The bytes of the k-th element; of a dtype below a byte its code in one byte."""
    code, bits = DTYPES[name]
    if name.endswith("x4"):
        return struct.pack("<4f", *(k + lane / 4 for lane in range(4)))
    if code == 6:
        return bytes([k % 2])
    if bits < 8:
        return bytes([(k + 1) % (1 << bits)])
    if code >= 7:
        return bytes([k + 1])  # a positive number in each of these formats
    if code in (0, 1):
        return (k + 1 if code == 1 or k % 2 else -k - 1).to_bytes(bits // 8, "little", signed=code == 0)
    if code == 4:
        return struct.pack("<f", k - 3.5)[2:]
    if code == 5:
        return struct.pack("<2" + {32: "e", 64: "f", 128: "d"}[bits], k - 3.5, -k)
    return struct.pack("<" + {16: "e", 32: "f", 64: "d"}[bits], k - 3.5)


def count(shape):
    total = 1
    for extent in shape:
        total *= extent
    return total


def positions(shape, strides):
    """The position of each element in C order, in elements from the first."""
    found = [0]
    for extent, stride in zip(shape, strides):
        found = [at + i * stride for at in found for i in range(extent)]
    return found


def pack(elements, bits):
    number = sum(element[0] << (i * bits) for i, element in enumerate(elements))
    return number.to_bytes((len(elements) * bits + 7) // 8, "little")


def unpack(data, bits, first, size):
    """The codes of size packed elements, a byte each."""
    number = int.from_bytes(data, "little") >> (first * bits)
    return bytes((number >> (i * bits)) & ((1 << bits) - 1) for i in range(size))


@dataclass(frozen=True)
class Case:
    """One dtype in one layout."""

    dtype: str
    layout: str
    flat: bool = False

    @property
    def form(self):
        return (FLAT if self.flat else LAYOUTS)[self.layout]

    @property
    def code(self):
        return DTYPES[self.dtype][0]

    @property
    def bits(self):
        return DTYPES[self.dtype][1]

    @property
    def lanes(self):
        return int(self.dtype.rpartition("x")[2]) if self.dtype.endswith("x4") else 1

    @property
    def itemsize(self):
        """Bytes from one element to the next; of a packed dtype 0."""
        if self.layout == "packed":
            return 0
        return (self.bits * self.lanes + 7) // 8

    @property
    def shape(self):
        return self.form[0]

    @property
    def strides(self):
        return self.form[1]

    @property
    def offset(self):
        return self.form[2]

    @property
    def read_only(self):
        return self.layout == "read-only"

    @property
    def flags(self):
        return {"read-only": READ_ONLY, "padded": PADDED}.get(self.layout, 0)

    @property
    def image(self):
        """The bytes of the base."""
        elements = [element(self.dtype, k) for k in range(BASE)]
        return pack(elements, self.bits) if self.layout == "packed" else b"".join(elements)

    @property
    def expected(self):
        """The elements' bytes in C order; of a dtype below a byte one byte each."""
        return b"".join(element(self.dtype, self.offset + at) for at in positions(self.shape, self.strides))


def layouts_of(dtype, flat):
    below = DTYPES[dtype][1] < 8
    return [name for name in (FLAT if flat else LAYOUTS) if (name in ("packed", "padded")) == below]


def cases(dtypes, flat=False):
    return [Case(dtype, layout, flat) for dtype in DTYPES if dtype in dtypes for layout in layouts_of(dtype, flat)]
