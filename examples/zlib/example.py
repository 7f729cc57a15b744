# SPDX-License-Identifier: Apache-2.0
"""Compress bytes with zlib's own functions, get them back, and read zlib's refusals."""

import sys

import numpy
import zl

data = (numpy.arange(100000) % 251).astype(numpy.uint8)
packed = zl.compress(data)
print(f"packed   {len(data)} bytes into less than {len(packed) // 1000 + 1} thousand")

room = numpy.empty(200000, numpy.uint8)
size = zl.uncompress(room, packed)
print(f"unpacked {size} bytes, crc32 {zl.crc32(room[:size]):08x}, before {zl.crc32(data):08x}")
print(f"in parts {zl.adler32(data[500:], zl.adler32(data[:500]))}, whole {zl.adler32(data)}")

path = f"{sys.argv[1]}/data.gz"
with zl.GzFile(path, "wb") as file:
    parts = [zl.gzwrite(file, part) for part in numpy.split(data, 4)]
back, got = numpy.empty_like(data), 0
with zl.GzFile(path, "rb") as file:
    while more := zl.gzread(file, back[got : got + 30000]):
        got += more
print(f"file     {len(parts)} parts of {parts[0]} bytes, read {got}, {(back != data).sum()} wrong")

for call in (
    lambda: zl.uncompress(room[:9], packed),
    lambda: zl.uncompress(room, data),
    lambda: zl.compress(data, level=zl.BEST_COMPRESSION + 1),
    lambda: zl.compress(numpy.zeros(3)),
    lambda: zl.GzFile(path + ".no", "rb"),
):
    try:
        call()
    except Exception as error:
        print(error)
