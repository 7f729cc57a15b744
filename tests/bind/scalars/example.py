# SPDX-License-Identifier: Apache-2.0
"""Values of every kind but tensors, in and out of C."""

import numpy as np
import scalars


def show(what, value):
    print(f"{what:12} {value}")


def number(value):
    return f"{value.real:g}{value.imag:+g}i"


def refused(call):
    try:
        call()
        print("not refused")
    except (ValueError, TypeError, OverflowError, RuntimeError) as error:
        print(error)


show("times", number(scalars.times(1 + 2j, np.complex128(3 - 1j))))
show("timesf", number(scalars.timesf(1j, np.complex64(1j))))
show("real", number(scalars.times(2, 1.5)))
x = np.array([1, 1j])
scalars.scale(2j, x)
show("scale", " ".join(number(z) for z in x))
y = np.array([2], np.complex64)
scalars.scalef(y)
show("default", number(y[0]))
show("total", number(scalars.total(x)))
total, odd = scalars.sum(x[:1])
show("sum", f"{number(total)} {int(odd)}")
show("triangle", f"{scalars.triangle()} {scalars.triangle('L', 'y')}")
show("grade", scalars.grade(60))
show("mean", f"{scalars.mean(np.arange(1.0, 5)[::-3]):g}")
show("within", f"{scalars.within():g} {scalars.within(2.0, 3):g}")
show("greet", f"{scalars.greet('you')} {'absent' if scalars.greet() is None else 'present'}")
show("plan", f"{scalars.plan()} {scalars.plan(scalars.BACKWARD, scalars.QUICK)}")
show("modes", f"{scalars.modes()} {scalars.modes(scalars.Mode.TWO)}")
show("fixed", f"{scalars.fixed(np.ones(3)):g}")
y = np.array([10, 20], np.float32)
scalars.axpy(np.array([1, 2], np.float32), y, alpha=2)
show("axpy", f"{y[0]:g} {y[1]:g}")
z = np.zeros(1, np.complex128)
scalars.axpy(np.ones(1, np.complex128), z, 1j)
show("axpy", number(z[0]))
show("largest", f"{scalars.largest(y):g} {scalars.largest(np.array([3.0, -4])):g}")
lengths = scalars.abs(np.array([3 + 4j], np.complex64))
show("abs", f"{lengths[0]:g} {lengths.dtype}")
refused(lambda: scalars.triangle("u"))
refused(lambda: scalars.check(1))
refused(lambda: scalars.count(1))
refused(lambda: scalars.solve(np.array([[1.0, 2], [3, 0]])))
refused(lambda: scalars.solve(np.array([[1.0, 2], [3, -1]])))
refused(lambda: scalars.total(np.ones(2)))
refused(lambda: scalars.axpy(y, y.copy(), 1j))
refused(lambda: scalars.axpy(np.array([1], np.int32), y[:1]))
