# SPDX-License-Identifier: Apache-2.0
"""numba's compiled functions, which take buffers and make arrays."""

import numba
import numpy as np
from adapter import NoForm
from numpy_based import NumPyBased
from peer_numpy import array_of, seen_in
from witness import Seen


@numba.njit
def same(a):
    made = np.empty(a.shape, a.dtype)
    made[...] = a
    return made


@numba.njit
def elements(a, out):
    for i, value in enumerate(a.flat):
        out[i] = value


@numba.njit
def address(a):
    return a.ctypes.data


class Taken:
    """An array as compiled code sees it."""

    def __init__(self, array):
        self.array = array


class Peer(NumPyBased):
    name = "numba"
    ways = ("dlferry.from_dlpack(x)", "compiled(t.numpy())")
    dtypes = tuple(name for name in NumPyBased.dtypes if name != "float16")

    def versions(self):
        return numba.__version__

    def make(self, case):
        if case.layout not in ("contiguous", "0-d", "size-0"):
            raise NoForm("views are NumPy's")
        return same(array_of(case))

    def read(self, x):
        if isinstance(x, np.ndarray):
            return seen_in(x)
        x = x.array
        out = np.empty(x.size, x.dtype)
        elements(x, out)
        read_only = not numba.typeof(x).mutable
        return Seen(x.dtype.name, tuple(x.shape), out.tobytes(), address(x), read_only)

    def take(self, x):
        array = x if isinstance(x, np.ndarray) else x.numpy()
        address(array)
        return Taken(array)
