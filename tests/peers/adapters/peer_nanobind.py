# SPDX-License-Identifier: Apache-2.0
"""A C++ module that takes and gives nanobind's ndarray."""

import importlib.metadata

import peers_nanobind
from adapter import Adapter, NoForm
from witness import Seen, dtype_name, elements_of


class Peer(Adapter):
    name = "nanobind"
    other_way = "nb::ndarray<nb::ro>"

    def versions(self):
        return importlib.metadata.version("nanobind")

    def make(self, case):
        if case.layout in ("packed", "padded"):
            raise NoForm("no flags")
        dtype = [case.code, case.bits, case.lanes]
        offset = case.offset * case.itemsize
        return peers_nanobind.make(case.image, dtype, case.shape, case.strides, offset, case.read_only)

    def read(self, x):
        """What its C++ sees of an array."""
        taken = x if isinstance(x, peers_nanobind.Taken) else peers_nanobind.take_read_only(x)
        code, bits, lanes = taken.dtype
        elements = elements_of(taken.address, taken.shape, taken.strides, bits * lanes)  # no flag says padded
        return Seen(dtype_name(code, bits, lanes), taken.shape, elements, taken.address)

    def take(self, x):
        return peers_nanobind.take(x)

    def take_otherwise(self, t):
        return peers_nanobind.take_read_only(t)
