# SPDX-License-Identifier: Apache-2.0
"""Share tensors of any framework through DLPack, without a copy.

    t = dlferry.from_dlpack(x)      # NumPy, PyTorch, JAX, TensorFlow, a capsule, a buffer, ...
    torch.from_dlpack(t)            # and on to any DLPack consumer
    t.numpy()[0] = 1                # the same memory

`from_dlpack` and `wrap` share existing data, `create` allocates. A `Tensor` has shape, strides (in elements), dtype and
device by name, and lends its memory through `__dlpack__`, the exchange table of DLPack 1.3 and the buffer protocol. The
last reference releases the memory, on any thread; `live()` counts the tensors left.
"""

from enum import IntFlag
from pathlib import Path

from ._hub import (
    Tensor,
    check,
    create,
    describe,
    format,
    from_dlpack,
    live,
    to,
    to_dlpack,
    to_dlpack_legacy,
    version,
    wrap,
)

# After the extension module, which restores the exceptions of its first import.
# isort: split
from . import errors
from .errors import DeviceError, Error, Status

__version__ = version()


class Flag(IntFlag):
    """Bits of `Tensor.flags`, as DLPack defines them."""

    READ_ONLY = 1
    IS_COPIED = 2
    SUBBYTE_PADDED = 4


def get_include():
    """Return the folder with dlferry.h, for your own C code."""
    return str(Path(__file__).parent / "c")


def get_cmake_dir():
    """Return the folder with dlferry_python.cmake, which packages made by dlferry-bind use to build."""
    return str(Path(__file__).parent / "cmake")


__all__ = [
    "DeviceError",
    "Error",
    "Flag",
    "Status",
    "Tensor",
    "check",
    "create",
    "describe",
    "errors",
    "format",
    "from_dlpack",
    "get_cmake_dir",
    "get_include",
    "live",
    "to",
    "to_dlpack",
    "to_dlpack_legacy",
    "version",
    "wrap",
]
