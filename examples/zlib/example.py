# SPDX-License-Identifier: Apache-2.0
"""Compress bytes with zlib's own functions, get them back, and read zlib's refusals."""

import numpy
import zl

data = (numpy.arange(100000) % 251).astype(numpy.uint8)
packed = zl.compress(data)
print(f"packed   {len(data)} bytes into less than {len(packed) // 1000 + 1} thousand")

room = numpy.empty(200000, numpy.uint8)
size = zl.uncompress(room, packed)
print(f"unpacked {size} bytes, crc32 {zl.crc32(room[:size]):08x}, before {zl.crc32(data):08x}")
print(f"in parts {zl.adler32(data[500:], zl.adler32(data[:500]))}, whole {zl.adler32(data)}")

for call in (
    lambda: zl.uncompress(room[:9], packed),
    lambda: zl.uncompress(room, data),
    lambda: zl.compress(data, level=zl.BEST_COMPRESSION + 1),
    lambda: zl.compress(numpy.zeros(3)),
):
    try:
        call()
    except Exception as error:
        print(error)
