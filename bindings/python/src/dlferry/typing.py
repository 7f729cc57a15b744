# SPDX-License-Identifier: Apache-2.0
"""Types for annotations: the arrays that functions of dlferry's packages take.

    def mine(x: dlferry.typing.Array) -> float:
        return photo.mean(x)

A type checker accepts arrays of NumPy, PyTorch, JAX and every other library with DLPack, buffers and capsules, and
refuses a str or a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, Union

if TYPE_CHECKING:
    from typing_extensions import CapsuleType, TypeAlias

__all__ = ["Array", "SupportsBuffer", "SupportsDLPack"]


class SupportsDLPack(Protocol):
    """An array of any library with DLPack: its class has these two methods."""

    def __dlpack__(self, *args: Any, **options: Any) -> Any: ...

    def __dlpack_device__(self) -> tuple[Any, int]: ...


class SupportsBuffer(Protocol):
    """An object with a buffer: bytes, bytearray, memoryview, array.array, mmap."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


Array: TypeAlias = Union[SupportsDLPack, SupportsBuffer, "CapsuleType"]
