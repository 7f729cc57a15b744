# SPDX-License-Identifier: Apache-2.0
"""Compress a field as it lies in memory, transposed or not, and get it back within the tolerance."""

import numpy
import zf

x, y, z = numpy.ogrid[:32, :32, :32]
field = (x * y - z * z + x) / 64.0
field.flags.writeable = False
with zf.Stream() as stream:
    stream.set_accuracy(0.001)
    code = stream.encode(field)
    back = numpy.empty_like(field)
    stream.decode(code, back)
    print(f"field   {field.nbytes} bytes")
    print(f"stream  {code.size} bytes")
    print(f"within the tolerance: {'yes' if numpy.abs(back - field).max() <= 0.001 else 'no'}")
    turned = field.T  # strides of 8, 256 and 8192 bytes: zfp walks them itself
    stream.decode(stream.encode(turned), back.T)
    print(f"turned, in place: {'yes' if numpy.abs(back - field).max() <= 0.001 else 'no'}")
    try:
        stream.encode(numpy.broadcast_to(1.0, (3, 4)))  # to zfp a stride of 0 means no stride
    except RuntimeError as error:
        print(error)
