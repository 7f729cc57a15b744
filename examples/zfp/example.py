# SPDX-License-Identifier: Apache-2.0
"""Compress a field, get it back within the tolerance, then again from the bytes that a file would hold."""

import numpy
import zf

x, y, z = numpy.ogrid[:32, :32, :32]
values = (x * y - z * z + x) / 64.0
back = numpy.empty_like(values)


def within():
    return "yes" if numpy.abs(back - values).max() <= 0.001 else "no"


with zf.Stream() as stream, zf.Field.from_3d(values) as field, zf.Field.from_3d(back) as other:
    stream.set_accuracy(0.001)
    code, size = stream.encode(field)
    stream.decode(other, code)
    print(f"field   {values.nbytes} bytes")
    print(f"stream  {size} bytes of {code.size}")
    print(f"within the tolerance: {within()}")
    stored = code[:size].copy()
    try:
        stream.decode(other, stored)
    except ValueError as error:
        print(error)
    back[:] = 0
    stream.decode(other, numpy.pad(stored, (0, stream.maximum_size(other) - size)))
    print(f"stored and padded: {within()}")
    try:
        zf.Field.from_2d(numpy.zeros((0, 3)))
    except ValueError as error:
        print(error)
