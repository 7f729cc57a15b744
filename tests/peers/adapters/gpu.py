# SPDX-License-Identifier: Apache-2.0
"""The memory of a GPU as the place of the elements, for adapters of systems that work there."""

import ctypes

import witness


class Gpu:
    """Copied by CUDA's driver, in the context that the system has made current; wait ends the system's work."""

    device = 2, 0

    def __init__(self, wait):
        self.driver, self.wait = ctypes.CDLL("libcuda.so.1"), wait
        witness.PLACE[0] = self

    def call(self, name, *arguments):
        status = getattr(self.driver, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} gives {status}")

    def read(self, address, size):
        there = ctypes.create_string_buffer(max(size, 1))
        self.wait()
        if size:
            self.call("cuMemcpyDtoH_v2", there, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return there.raw[:size]

    def fill(self, image):
        memory = Memory(self, len(image))
        self.call("cuMemcpyHtoD_v2", ctypes.c_uint64(memory.address), image, ctypes.c_size_t(len(image)))
        return memory, memory.address


class Memory:
    """A block, freed with this object."""

    def __init__(self, gpu, size):
        self.gpu, address = gpu, ctypes.c_uint64()
        gpu.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        self.address = address.value

    def __del__(self):
        self.gpu.call("cuMemFree_v2", ctypes.c_uint64(self.address))
