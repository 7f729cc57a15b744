# SPDX-License-Identifier: Apache-2.0
"""Call each function of shapes.h well and badly."""

import dlferry
import numpy
import shapes


def said(call, *args, **words):
    """The result of a call, or the error's text."""
    try:
        return call(*args, **words)
    except dlferry.Error as error:
        return str(error)


def show(value):
    """Numbers alike in all languages."""
    if isinstance(value, tuple):
        return " ".join(show(item) for item in value)
    if isinstance(value, numpy.ndarray):
        return "[" + " ".join(show(item) for item in value.ravel()) + "]"
    if isinstance(value, (bool, numpy.bool_)):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value:g}"


print("next     ", show(shapes.next(1)))
print("next     ", said(shapes.next, 0))
print("step     ", show(shapes.step(2, 0.5, True, shapes.Phase.REST, by=-3)))
print("step     ", said(shapes.step, -11, 0.5, True, shapes.Phase.REST))
print("step     ", said(shapes.step, 0, 0.5, True, shapes.Phase.RUN))
print("trace    ", show(shapes.trace(numpy.arange(12.0).reshape(3, 4)[:, :2])))
print("trace    ", said(shapes.trace, numpy.zeros((300, 256))))
short, long = numpy.array([1, 2], "f"), numpy.array([10, 20, 30], "f")
print("add      ", show(shapes.add(short, long)))
print("add      ", said(shapes.add, short, long, out=numpy.zeros(2, "f")))

x = numpy.array([-1, 2, 0, 4], "f")
print("keep     ", show(shapes.keep(x)))
print("keep     ", show(shapes.keep(x, out=numpy.zeros(5, "f"))))
print("keep     ", said(shapes.keep, x, out=numpy.zeros(2, "f")))
i = numpy.array([5, 6, 0, 7, 1], "i")
print("find     ", show(tuple(shapes.find(i, least=6))))
print("find     ", show(shapes.find(i, least=6, places=numpy.zeros(1, "i"), values=numpy.zeros(1, "i"))))
print("find     ", said(shapes.find, i, least=5))
print("find     ", said(shapes.find, i, places=numpy.zeros(256, "i"), values=numpy.zeros(256, "i")))
print("pack     ", show(shapes.pack(numpy.array([[1, 1], [1, 2]], "u1"))))
print("pack     ", show(shapes.pack(numpy.array([0x0101, 0x0201], "<u2"), to=numpy.zeros(8, "u1"))))
print("unpack   ", show(shapes.unpack(numpy.array([4, 7], "u1"))))
print("unpack   ", said(shapes.unpack, numpy.array([3, 7], "u1")))
print("unpack   ", said(shapes.unpack, numpy.array([3], "u1")))
print("down     ", show(shapes.down(3, numpy.zeros(5, "i"))))
print("down     ", show(shapes.down(3, numpy.zeros(2, "i"))))
print("down     ", said(shapes.down, 99, numpy.zeros(4, "i")))
print("lie      ", show(shapes.lie(2)))
print("lie      ", said(shapes.lie, -1))
print("lie      ", said(shapes.lie, 5, out=numpy.zeros(4, "f")))
print("lie      ", said(shapes.lie_wide, 2**64 - 1))
table, rows = shapes.Table(3), numpy.arange(1.0, 7)
print("weigh    ", show(table.weigh(rows.reshape(2, 3))))
print("weigh    ", said(table.weigh, rows.reshape(3, 2)))
print("weigh    ", said(shapes.Table(10).weigh, rows.reshape(2, 3)))
print("repeat   ", show(table.repeat(1)))
print("repeat   ", said(table.repeat, 64))
print("weight   ", show(table.weight(2)))
print("weight   ", said(table.weight, 3))
print("weight   ", said(table.weight, -1))
print("weight   ", said(shapes.Table(10).weight, 2))
print("weigh row", show(table.weigh_row(rows)))
print("weigh row", said(table.weigh_row, rows[:2]))
print("weigh row", said(shapes.Table(5).weigh_row, rows[:2]))
