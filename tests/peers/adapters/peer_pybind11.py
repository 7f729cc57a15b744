# SPDX-License-Identifier: Apache-2.0
"""A C++ module that takes and gives buffers with pybind11."""

import importlib.metadata

import numpy as np
import peers_pybind11
from numpy_based import NumPyBased
from witness import Seen, memory_of


class Peer(NumPyBased):
    name = "pybind11"
    ways = ("dlferry.from_dlpack(x)", "py::buffer")

    def versions(self):
        return importlib.metadata.version("pybind11")

    def make(self, case):
        size = case.itemsize
        strides = [stride * size for stride in case.strides]
        form = memoryview(np.empty(0, case.dtype)).format
        return peers_pybind11.Memory(case.image, form, case.shape, strides, case.offset * size, size, case.read_only)

    def read(self, x):
        info = x.info if isinstance(x, peers_pybind11.Memory) else x
        name = np.dtype(np.empty(0, self.case.dtype).dtype).name
        if memoryview(np.empty(0, name)).format != info.format.replace("q", "l").replace("Q", "L"):
            name = f"format {info.format}"
        strides = [stride // info.itemsize for stride in info.strides]
        elements = memory_of(info.address, info.shape, strides, info.itemsize)
        return Seen(name, tuple(info.shape), elements, info.address, info.read_only)

    def take(self, x):
        return peers_pybind11.take(x)
