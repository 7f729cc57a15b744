# SPDX-License-Identifier: Apache-2.0
"""Multiply arrays of any order and step by BLAS, without a copy."""

import blas
import numpy as np


def show(what, numbers):
    print(f"{what:21} {' '.join(f'{x:g}' for x in np.ravel(numbers))}")


a = np.array([[1.0, 2, 3], [4, 5, 6]])
b = np.array([[1.0, 2], [3, 4], [5, 6]])
c = np.zeros((2, 2))
blas.dgemm(a, b, c)
show("rows times rows", c)
c[:] = 0
blas.dgemm(np.asfortranarray(a), b.T.copy().T, c)
show("columns times a turn", c)
window = np.zeros((2, 3))
blas.dgemm(a, b, window[:, 1:])
show("into a window", window)
x, y = np.array([1.0, 2, 3]), np.zeros(2)
blas.dgemv(a, x, y)
show("matrix times vector", y)
show("backwards", [blas.ddot(x[::-1], x)])
show("backwards, both", [blas.ddot(x[::-1], x[::-1])])
blas.daxpy(3.0, np.array([1.0, 0, 2])[::2], y := np.array([3.0, 3]))
show("a step of two", y)
for wrong in (lambda: blas.dgemm(a, b[:2], c), lambda: blas.ddot(x.astype(np.float32), x)):
    try:
        wrong()
    except (ValueError, TypeError) as error:
        print(error)
