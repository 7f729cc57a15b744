# SPDX-License-Identifier: Apache-2.0
"""The hub's cast of NumPy arrays, by its C functions."""

import ctypes
import os

import numpy as np


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("message", ctypes.c_char * 252)]


PADDED = 4  # DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED
library = ctypes.CDLL(os.environ["DLFERRY_LIBRARY"])


def checked(status, error):
    if status:
        raise RuntimeError(error.message.decode())


def dtype_of(name):
    """The code and the bits of a dtype."""
    dtype = (ctypes.c_uint8 * 4)()
    error = Error()
    checked(library.dlf_dtype_parse(name.encode(), dtype, ctypes.byref(error)), error)
    return dtype[0], dtype[1]


class Handle:
    """A handle on an array that outlives it; packed is the shape of elements that share the array's bytes."""

    def __init__(self, array, name, packed=None):
        code, bits = dtype_of(name)
        extents = packed or array.shape
        shape = (ctypes.c_int64 * len(extents))(*extents)
        strides = None if packed else (ctypes.c_int64 * array.ndim)(*(s // array.itemsize for s in array.strides))
        tensor = Tensor(array.ctypes.data, 1, 0, len(extents), code, bits, 1, shape, strides, 0)
        self.address = ctypes.c_void_p()
        error = Error()
        flags = PADDED if bits < 8 and not packed else 0
        status = library.dlf_wrap(
            ctypes.byref(tensor),
            ctypes.c_uint64(flags),
            None,
            None,
            ctypes.byref(self.address),
            ctypes.byref(error),
        )
        checked(status, error)

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        library.dlf_release(self.address)


def cast_into(source, source_name, destination, destination_name, saturate=False):
    error = Error()
    with Handle(source, source_name) as a, Handle(destination, destination_name) as b:
        status = library.dlf_cast_into(a, b, ctypes.c_bool(saturate), ctypes.byref(error))
    checked(status, error)


def cast(source, source_name, destination_name, saturate=False):
    """The bits of the result, as unsigned integers; source holds such bits, too."""
    bits = dtype_of(destination_name)[1]
    out = np.zeros(source.shape, UNSIGNED[max(bits, 8)])
    cast_into(source, source_name, out, destination_name, saturate)
    return out


UNSIGNED = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64, 128: np.complex128}
