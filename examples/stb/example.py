# SPDX-License-Identifier: Apache-2.0
"""Decode a photograph: the pixels stay where stb_image put them, and the array's release frees them."""

import sys
from pathlib import Path

import numpy
import si

file = numpy.frombuffer(Path(sys.argv[1]).read_bytes(), numpy.uint8)
width, height, channels = si.size(file)
pixels = si.decode(file)
gray = si.decode(file, channels=1)
print(f"size    {height} rows, {width} columns, {channels} channels")
print(f"pixels  {'x'.join(map(str, pixels.shape))}, sum {pixels.sum(dtype=numpy.int64)}")
print(f"gray    {'x'.join(map(str, gray.shape))}, sum {gray.sum(dtype=numpy.int64)}")
try:
    si.decode(file[100:])
except RuntimeError as error:
    print(error)
try:
    si.decode(file, channels=5)
except ValueError as error:
    print(error)
