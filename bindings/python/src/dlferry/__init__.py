# SPDX-License-Identifier: Apache-2.0
"""Share tensors of any framework through DLPack, without a copy.

    t = dlferry.from_dlpack(x)      # NumPy, PyTorch, JAX, TensorFlow, a capsule, a buffer, ...
    torch.from_dlpack(t)            # and on to any DLPack consumer
    t.numpy()[0] = 1                # the same memory

`from_dlpack` and `wrap` share existing data, `create` allocates. A `Tensor` has shape, strides (in elements), dtype and
device, which equal their names, and lends its memory through `__dlpack__`, the exchange table of DLPack 1.3 and the
buffer protocol. The last reference releases the memory, on any thread; `live()` counts the tensors left.
"""

import os.path
from enum import IntEnum, IntFlag

from . import _hub
from ._hub import (
    Device,
    Tensor,
    alignment,
    all_close,
    byte_range,
    byte_size,
    check,
    compact_strides,
    count,
    create,
    describe,
    describe_json,
    dtype,
    equal,
    format,
    from_dlpack,
    identical,
    is_contiguous,
    is_reachable,
    is_unique,
    live,
    npy_open,
    npy_save,
    oneapi_enable,
    overlap,
    set_threads,
    to,
    to_dlpack,
    to_dlpack_legacy,
    version,
    version_number,
    wrap,
)

# After the extension module, which restores the exceptions of its first import.
# isort: split
from . import errors
from ._contract import Contract, Prototype
from .errors import DeviceError, Error, Status

__version__ = version()
_dtypes = {name: x for name, x in vars(_hub).items() if isinstance(x, dtype)}
globals().update(_dtypes)


class DeviceType(IntEnum):
    """DLPack's device types, the first number of `Tensor.__dlpack_device__`, by the array API standard's names."""

    CPU = 1
    CUDA = 2
    CPU_PINNED = 3
    OPENCL = 4
    VULKAN = 7
    METAL = 8
    VPI = 9
    ROCM = 10
    ROCM_PINNED = 11
    EXT_DEV = 12
    CUDA_MANAGED = 13
    ONE_API = 14
    WEBGPU = 15
    HEXAGON = 16
    MAIA = 17
    TRN = 18


class Flag(IntFlag):
    """Bits of `Tensor.flags`, as DLPack defines them."""

    READ_ONLY = 1
    IS_COPIED = 2
    SUBBYTE_PADDED = 4


def get_include():
    """Return the folder with dlferry.h, for your own C code."""
    return os.path.join(os.path.dirname(__file__), "c")


def get_cmake_dir():
    """Return the folder with dlferry_python.cmake, which packages made by dlferry-bind use to build."""
    return os.path.join(os.path.dirname(__file__), "cmake")


__all__ = [
    *_dtypes,
    "Contract",
    "Device",
    "DeviceError",
    "DeviceType",
    "Error",
    "Flag",
    "Prototype",
    "Status",
    "Tensor",
    "alignment",
    "all_close",
    "byte_range",
    "byte_size",
    "check",
    "compact_strides",
    "count",
    "create",
    "describe",
    "describe_json",
    "dtype",
    "equal",
    "errors",
    "format",
    "from_dlpack",
    "get_cmake_dir",
    "get_include",
    "identical",
    "is_contiguous",
    "is_reachable",
    "is_unique",
    "live",
    "npy_open",
    "npy_save",
    "oneapi_enable",
    "overlap",
    "set_threads",
    "to",
    "to_dlpack",
    "to_dlpack_legacy",
    "version",
    "version_number",
    "wrap",
]
