# SPDX-License-Identifier: Apache-2.0
"""pandas' Series."""

import pandas
from numpy_based import Array, NumPyBased
from peer_numpy import array_of, seen_in


class Object(Array):
    """An object that NumPy makes the array from, but that is none itself."""

    def __init__(self, case):
        super().__init__(case)
        array = self.given
        self.given = type("Object", (), {"__array__": lambda self, dtype=None, copy=None: array})()
        kind = type(self.given)
        kind.__len__, kind.__iter__, kind.dtype = (lambda s: len(array)), (lambda s: iter(array)), "of its own"


class Peer(NumPyBased):
    name = "pandas"
    ways = ("dlferry.from_dlpack(x.to_numpy())", "pandas.Series(t, copy=False)")
    flat = True
    witnesses = ((Array, "a NumPy array"), (Object, "an object with __array__"))

    def versions(self):
        return pandas.__version__

    def make(self, case):
        return pandas.Series(array_of(case), copy=False)

    def read(self, x):
        return seen_in(x.to_numpy())

    def give(self, x):
        return x.to_numpy()

    def take(self, x):
        return pandas.Series(x, copy=False)

    other_way = "pandas.Series(t.numpy(), copy=False)"

    def take_otherwise(self, t):
        return pandas.Series(t.numpy(), copy=False)
