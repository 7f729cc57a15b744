# SPDX-License-Identifier: Apache-2.0
"""Exceptions of failed calls: one for each status of dlferry.h, each also the matching built-in exception.

`except ValueError` catches malformed input, `except dlferry.Error as e` all errors; `e.status` tells them apart.
"""

from enum import IntEnum


class Status(IntEnum):
    """Statuses of dlferry.h."""

    OK = 0
    INVALID = 1
    BOUNDS = 2
    OVERFLOW = 3
    DTYPE = 4
    SHAPE = 5
    DEVICE = 6
    LAYOUT = 7
    READ_ONLY = 8
    VERSION = 9
    NO_MEMORY = 10
    FOREIGN = 11
    UNSUPPORTED = 12


class Error(Exception):
    """Base of every dlferry exception, beside a built-in one. `status` tells the kind."""

    status = Status.FOREIGN


class InvalidError(Error, ValueError):
    """Malformed tensor or argument."""

    status = Status.INVALID


class BoundsError(Error, IndexError):
    """Index or axis out of range."""

    status = Status.BOUNDS


class SizeOverflowError(Error, OverflowError):
    """A size does not fit."""

    status = Status.OVERFLOW


class DtypeError(Error, BufferError, TypeError):
    """Dtype unknown here, or not the expected one.

    BufferError in the array API standard, if data of that dtype cannot be exported.
    """

    status = Status.DTYPE


class ShapeError(Error, ValueError):
    """Shape breaks a contract."""

    status = Status.SHAPE


class DeviceError(Error, BufferError, TypeError, ValueError):
    """Device absent, or data not reachable from here.

    BufferError in the array API standard, but ValueError if only a forbidden copy could reach the device; TypeError in
    the older DLPack specification.
    """

    status = Status.DEVICE


class LayoutError(Error, BufferError, ValueError):
    """Would need a copy, and copying is forbidden.

    BufferError of __dlpack__ and ValueError of from_dlpack in the array API standard.
    """

    status = Status.LAYOUT


class ReadOnlyError(Error, BufferError):
    """Write to read-only data requested."""

    status = Status.READ_ONLY


class VersionError(Error, BufferError):
    """DLPack major version not understood."""

    status = Status.VERSION


class NoMemoryError(MemoryError, Error):
    """Allocation failed."""

    # MemoryError comes first (as OSError below), since CPython refuses its __new__ otherwise, which tblib calls.

    status = Status.NO_MEMORY


class ForeignError(Error, RuntimeError):
    """A producer, device or kernel failed by itself.

    The producer's exception is its `__cause__`. The subclasses are also that exception's built-in type; an exception of
    a producer's own class passes as it is, with a note that names the argument.
    """

    status = Status.FOREIGN


class ForeignBufferError(ForeignError, BufferError):
    """A producer raised BufferError."""


class ForeignNotImplementedError(ForeignError, NotImplementedError):
    """A producer raised NotImplementedError."""


class ForeignTypeError(ForeignError, TypeError):
    """A producer raised TypeError."""


class ForeignValueError(ForeignError, ValueError):
    """A producer raised ValueError."""


class ForeignOSError(OSError, ForeignError):
    """The system refused a file; `errno` tells why."""


class ForeignFileNotFoundError(ForeignOSError, FileNotFoundError):
    """There is no such file or folder."""


class ForeignPermissionError(ForeignOSError, PermissionError):
    """The system does not allow the access."""


class UnsupportedError(Error, BufferError, NotImplementedError):
    """Known, but not in this build.

    BufferError in the array API standard, if such data cannot be exported.
    """

    status = Status.UNSUPPORTED


class ProtocolError(AttributeError, TypeError, Error):
    """An object without DLPack's methods, which is not a buffer either.

    AttributeError in the array API standard; TypeError, since the argument has the wrong type.
    """

    status = Status.INVALID


BY_STATUS = {int(kind.status): kind for kind in Error.__subclasses__() if kind is not ProtocolError}


def of_file(text: str, number: int) -> ForeignOSError:
    """Return the exception to raise for a file that the system refuses with this errno."""
    kinds: dict[type[OSError], type[ForeignOSError]] = {
        FileNotFoundError: ForeignFileNotFoundError,
        PermissionError: ForeignPermissionError,
    }
    error = kinds.get(type(OSError(number, text)), ForeignOSError)(text)
    error.errno = number
    return error
