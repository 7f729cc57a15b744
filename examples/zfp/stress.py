# SPDX-License-Identifier: Apache-2.0
"""Ranks 1 to 4, every dtype, any strides, all settings; then streams that are cut or not streams at all."""

import numpy
import zf

random = numpy.random.default_rng(7)
settings = {
    "lossless": lambda stream: stream.set_reversible(),
    "accuracy": lambda stream: stream.set_accuracy(1e-3),
    "precision": lambda stream: stream.set_precision(20),
    "rate": lambda stream: stream.set_rate(3.7, 2),
}
for setting, choose in settings.items():
    for dtype in "i4", "i8", "f4", "f8":
        for rank in range(1, 5):
            whole = (1000 * random.standard_normal((2, 9, 6, 5)[-rank:])).astype(dtype)
            field = whole.T[::-1, ...]
            field.flags.writeable = False
            with zf.Stream() as stream:
                choose(stream)
                code = stream.encode(field)
                room = numpy.empty(100_000, "u1")
                assert stream.encode(field, out=room) == code.size
                assert (room[: code.size] == code).all()
                back = numpy.empty_like(whole).T[::-1, ...]
                stream.decode(code, back)
                if setting == "lossless":
                    assert (back == field).all()
                if setting == "accuracy" and dtype == "f8":
                    assert abs(back - field).max() <= 1e-3
                for broken in code[: code.size // 2], random.integers(0, 256, 3, "u1"), ~code, room:
                    stream.decode(numpy.ascontiguousarray(broken), back)  # wrong values at worst
                for call, *arguments in (
                    (stream.encode, field, numpy.empty(4, "u1")),
                    (stream.decode, code, field),
                    (stream.decode, code[:0], back),
                    (stream.encode, numpy.zeros((1,) * 5)),
                    (stream.encode, numpy.zeros(())),
                ):
                    try:
                        call(*arguments)
                    except (ValueError, RuntimeError, BufferError):
                        continue
                    raise AssertionError("expected an exception")
