# SPDX-License-Identifier: Apache-2.0
"""Multiply and solve with arrays of any order, step and dtype by BLAS and LAPACK, without a copy."""

import blas
import numpy as np


def show(what, numbers):
    print(f"{what:21} {' '.join(f'{round(float(x), 6):g}' for x in np.ravel(numbers))}")


def complex_text(z):
    return f"{z.real:g}{z.imag:+g}i"


a = np.array([[1.0, 2, 3], [4, 5, 6]])
b = np.array([[1.0, 2], [3, 4], [5, 6]])
c = np.zeros((2, 2))
blas.gemm(a, b, c)
show("rows times rows", c)
c[:] = 0
blas.gemm(np.asfortranarray(a), b.T.copy().T, c)
show("columns times a turn", c)
window = np.zeros((2, 3))
blas.gemm(a, b, window[:, 1:])
show("into a window", window)
fortran = np.zeros((2, 2), order="F")
blas.gemm(a, b, fortran)
show("into columns", fortran)
single = np.zeros((2, 2), np.float32)
blas.gemm(a.astype(np.float32), b.astype(np.float32), single, alpha=0.5)
show("halves in float32", single)
x, y = np.array([1.0, 2, 3]), np.zeros(2)
blas.gemv(a, x, y)
show("matrix times vector", y)
show("backwards", [blas.dot(x[::-1], x)])
show("backwards, both", [blas.dot(x[::-1], x[::-1])])
blas.axpy(3.0, np.array([1.0, 0, 2])[::2], y := np.array([3.0, 3]))
show("a step of two", y)

z, turned = np.array([[2, 1j]]), np.zeros((1, 1), complex)
blas.gemm(z, z.T, turned, alpha=1j, beta=0)
print(f"{'complex matrices':21} {complex_text(turned[0, 0])}")
print(f"{'complex vectors':21} {complex_text(blas.dotu(z[0], z[0]))} {complex_text(blas.dotc(z[0], z[0]))}")
show("lengths", [blas.nrm2(np.array([3.0, 4])), blas.nrm2(np.array([3 + 4j], np.complex64))])

matrix, right = np.array([[0.0, 2], [4, 0]]), np.array([[2.0], [8]])
pivots = blas.gesv(matrix, right)
show("solved", right)
show("pivots", pivots)
layouts = {
    "rows": np.array,
    "columns": np.asfortranarray,
    "a window": lambda m: np.pad(m, 1)[1:-1, 1:-1],
    "its turn": lambda m: np.pad(m.T, 1)[1:-1, 1:-1].T,
}
for name, dtype in {"f32": np.float32, "f64": np.float64, "c64": np.complex64}.items():
    for what, turn in layouts.items():
        matrix = turn(np.array([[0, 2], [4, 0]], dtype))
        right = turn(np.array([[2, 4], [8, 4]], dtype))
        blas.gesv(matrix, right)
        show(f"solved {name} {what}", right.real)
row = np.asfortranarray([[0.0, 0, 0], [2, 4, 6]])[1:]
blas.gesv(np.array([[2.0]]), row)
show("one row of columns", row)
for turn in (np.array, np.asfortranarray):
    s, u, vt = blas.gesdd(turn(np.array([[3.0, 0], [0, 4], [0, 0]], np.complex64)))
    order = {(True, True): "columns", (False, False): "rows"}[u.flags.f_contiguous, vt.flags.f_contiguous]
    print(f"{'singular values':21} {s[0]:g} {s[1]:g} {order}")
for wrong in (
    lambda: blas.gemm(a, b[:2], c),
    lambda: blas.dot(x.astype(np.float32), x),
    lambda: blas.gemm(a.astype(np.int32), b, c),
    lambda: blas.gemm(a, b, c, alpha=1j),
    lambda: blas.gesv(np.zeros((2, 2)), np.ones((2, 1))),
    lambda: blas.gesv(a[:, :2].copy(), np.ones((2, 2), order="F")),
    lambda: blas.gesv(np.ones((2, 2))[::-1], np.ones((2, 2))),
):
    try:
        wrong()
    except (ValueError, TypeError, RuntimeError) as error:
        print(error)
