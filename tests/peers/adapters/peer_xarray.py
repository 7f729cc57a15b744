# SPDX-License-Identifier: Apache-2.0
"""xarray's DataArray around NumPy arrays."""

import xarray
from numpy_based import NumPyBased
from peer_numpy import array_of, seen_in


class Peer(NumPyBased):
    name = "xarray"
    ways = ("dlferry.from_dlpack(x.data)", "xarray.DataArray(t)")

    def versions(self):
        return xarray.__version__

    def make(self, case):
        return xarray.DataArray(array_of(case))

    def read(self, x):
        return seen_in(x.data)

    def give(self, x):
        return x.data

    def take(self, x):
        return xarray.DataArray(x)
