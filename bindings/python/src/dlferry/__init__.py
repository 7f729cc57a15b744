# SPDX-License-Identifier: Apache-2.0
"""Tensors of any framework, shared without a copy through DLPack.

    t = dlferry.from_dlpack(x)      # NumPy, PyTorch, JAX, TensorFlow, a capsule, a buffer, ...
    torch.from_dlpack(t)            # and on to anybody who speaks DLPack
    t.numpy()[0] = 1                # the same memory

`from_dlpack` and `wrap` look at data that somebody owns, `create` allocates; a `Tensor` tells shape, strides (in
elements), dtype and device by name, and lends its memory by `__dlpack__`, by the exchange table of DLPack 1.3 and by
the buffer protocol. Memory is let go with the last reference, on any thread; `live()` counts what is left.
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
    to_dlpack,
    to_dlpack_legacy,
    version,
    wrap,
)

# Behind the extension module, which brings back the exceptions of the first time when it is imported once more.
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
    """Return the folder with dlferry.h, for C code of your own."""
    return str(Path(__file__).parent / "c")


def get_cmake_dir():
    """Return the folder with dlferry_python.cmake, with which packages made by dlferry-bind build themselves."""
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
    "to_dlpack",
    "to_dlpack_legacy",
    "version",
    "wrap",
]
