# SPDX-License-Identifier: Apache-2.0
"""What the module that the README's recipe makes does with NumPy's arrays."""

import gc
import sys

import numpy

sys.path.insert(0, sys.argv[1])
import service

x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3).T  # strided
y = numpy.from_dlpack(service.doubled(x))
assert y.shape == (3, 2) and (y == 2 * x).all(), y
assert service.live() == 1, service.live()

made = service.doubled(x)
assert made.__dlpack_device__() == (1, 0)
again = numpy.from_dlpack(service.doubled(made))  # its own come in as others' do
assert (again == 4 * x).all(), again

capsule = made.__dlpack__()
del made, capsule  # which nobody took
for wrong, kind, text in (
    (numpy.ones(2), BufferError, "view: expected float32, got float64"),
    (3, AttributeError, "__dlpack__"),
):
    try:
        service.doubled(wrong)
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(f"{wrong!r} was taken")

del y, again
gc.collect()
assert service.live() == 0, service.live()
print("pyo3: the README's recipe hands NumPy's arrays over and back")
