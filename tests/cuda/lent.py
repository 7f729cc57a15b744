# SPDX-License-Identifier: Apache-2.0
"""Tensors made by hand over memory of another array: with a byte_offset, on any device, with a counted deleter."""

import ctypes

from structures import DELETER, DLTensor, Versioned

ALIVE = {}  # by the structure's address: what it needs until its deleter runs
DELETED = []  # names, in the order of their deleters' calls


@DELETER
def delete(address):
    DELETED.append(ALIVE.pop(address)[0])


class Lent:
    """A producer of float32 without an exchange table; asked holds the streams that consumers passed.

    owner keeps the memory, which begins at address; the elements begin offset bytes later.
    """

    def __init__(self, owner, address, shape, device, offset=0, name=""):
        self.owner, self.address, self.shape, self.device = owner, address, tuple(shape), device
        self.offset, self.name, self.asked = offset, name, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, max_version=None):
        self.asked.append(stream)
        return self.capsule()

    def capsule(self):
        ndim = len(self.shape)
        shape = (ctypes.c_int64 * ndim)(*self.shape)
        steps, strides = 1, (ctypes.c_int64 * ndim)()
        for axis in reversed(range(ndim)):
            strides[axis], steps = steps, steps * self.shape[axis]
        tensor = DLTensor(self.address, *self.device, ndim, 2, 32, 1, shape, strides, self.offset)
        managed = Versioned(1, 3, None, ctypes.cast(delete, ctypes.c_void_p), 0, tensor)
        address = ctypes.addressof(managed)
        ALIVE[address] = self.name, managed, shape, strides, self.owner
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(address, b"dltensor_versioned", None)


def lent_by(x, offset=0, length=None, device=None, name=""):
    """A Lent over a torch tensor's storage: its data pointer, and an offset in bytes beside it."""
    count = x.numel() - offset // 4 if length is None else length
    return Lent(x, x.data_ptr(), [count], device or (2, x.device.index), offset, name)
