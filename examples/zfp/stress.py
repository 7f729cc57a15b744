# SPDX-License-Identifier: Apache-2.0
"""Ranks 1 to 4, every dtype, all settings; then data that are cut or no stream at all, and fields that are closed."""

import gc

import numpy
import zf

random = numpy.random.default_rng(7)
make = (zf.Field, zf.Field.from_2d, zf.Field.from_3d, zf.Field.from_4d)
settings = {
    "lossless": lambda stream: stream.set_reversible(),
    "accuracy": lambda stream: stream.set_accuracy(1e-3),
    "precision": lambda stream: stream.set_precision(20),
    "rate": lambda stream: stream.set_rate(3.7, 2),
}


def refused(*calls):
    """Each call fails with an exception of ours."""
    for call, *arguments in calls:
        try:
            call(*arguments)
        except (ValueError, RuntimeError, TypeError, BufferError):
            continue
        raise AssertionError(f"expected an exception from {call} with {arguments}")


for setting, choose in settings.items():
    for dtype in "i4", "i8", "f4", "f8":
        for rank in range(1, 5):
            values = (1000 * random.standard_normal((2, 9, 6, 5)[-rank:])).astype(dtype)
            back = numpy.empty_like(values)
            field, other = make[rank - 1](values), make[rank - 1](back)
            with zf.Stream() as stream:
                choose(stream)
                code, size = stream.encode(field)
                most = stream.maximum_size(field)
                assert code.size == most >= size > 0
                room = numpy.empty(most, "u1")
                assert stream.encode(field, out=room).size == size and (room[:size] == code[:size]).all()
                stream.decode(other, code)
                if setting == "lossless":
                    assert (back == values).all()
                if setting == "accuracy" and dtype == "f8":
                    assert abs(back - values).max() <= 1e-3
                for broken in ~code, random.integers(0, 256, most, "u1"), numpy.zeros(most, "u1"), room[::-1].copy():
                    stream.decode(other, broken)  # wrong values at worst
                if dtype[0] == "f":
                    values.flat[::3], values.flat[1::3] = numpy.nan, numpy.inf
                stream.encode(field)
                memory = values.reshape(-1).view("u1")
                if memory.size >= most:
                    stream.encode(field, memory[:most])  # into what it reads
                    stream.decode(field, memory)  # from what it writes
                refused(
                    (stream.decode, other, code[: most // 2]),
                    (stream.decode, other, code[:0]),
                    (stream.decode, other, code[1:]),
                    (stream.decode, other, numpy.zeros(2 * most, "u1")[::2]),
                    (stream.decode, other, numpy.zeros(most, "u1")[::-1]),
                    (stream.decode, other, numpy.zeros(most, "i1")),
                    (stream.decode, values, code),
                    (stream.encode, values),
                    (stream.encode, field, numpy.empty(most - 8, "u1")),
                    (stream.encode, field, code[:0]),
                )
                # A field of another dtype and rank gets wrong values, or is refused.
                wide = zf.Field.from_2d(numpy.zeros((400, 40)))
                refused((stream.decode, wide, code))
                padded = numpy.zeros(stream.maximum_size(wide), "u1")
                padded[:size] = code[:size]
                stream.decode(wide, padded)
                field.close()
                refused(
                    (stream.encode, field), (stream.decode, field, code), (stream.maximum_size, field), (field.blocks,)
                )
            refused((stream.encode, other), (stream.set_reversible,))

# A field keeps its array: neither its end nor a new shape takes the memory away.
values = numpy.ones((64, 64))
field = zf.Field.from_2d(values)
refused((values.resize, (1 << 20,)))
del values
gc.collect()
with zf.Stream() as stream:
    code, size = stream.encode(field)
    stream.decode(field, code)

read_only = numpy.ones(8)
read_only.flags.writeable = False
refused(
    *[(maker, numpy.ones((1,) * rank)) for rank in range(6) for at, maker in enumerate(make) if at + 1 != rank],
    *[(maker, numpy.ones((0,) * (at + 1))) for at, maker in enumerate(make)],
    (zf.Field, read_only),
    (zf.Field, numpy.ones(8, "u4")),
    (zf.Field, numpy.ones(8, "f2")),
    (zf.Field, numpy.ones(8)[::2]),
    (zf.Field, numpy.ones(8)[::-1]),
    (zf.Field, numpy.broadcast_to(1.0, 8)),
    (zf.Field.from_2d, numpy.ones((4, 6)).T),
    (zf.Field, None),
    (zf.Field, 3),
)
