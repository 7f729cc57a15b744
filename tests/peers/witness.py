# SPDX-License-Identifier: Apache-2.0
"""A producer and a consumer of DLPack written from its specification alone, in ctypes, without dlferry.

A cell that fails is tried again with these in dlferry's place: a peer that fails here too is at fault itself.
"""

import ctypes
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "cases"))

from cells import DTYPES, IS_COPIED, PADDED, READ_ONLY, count, positions, unpack
from structures import DELETER, Legacy, Versioned

NAMES = {(code, bits): name for name, (code, bits) in DTYPES.items() if "x4" not in name}


class Host:
    """Where the elements lie: the memory of the processor."""

    device = 1, 0
    read = staticmethod(ctypes.string_at)

    def fill(self, image):
        """Memory with these bytes, and its address; the memory lives as long as the first one."""
        memory = ctypes.create_string_buffer(len(image) + 64)
        base = (ctypes.addressof(memory) + 63) & ~63  # JAX and TensorFlow share memory of this alignment only
        ctypes.memmove(base, image, len(image))
        return memory, base


PLACE = [Host()]  # of this process; adapters for a GPU put theirs in


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


STRUCTS = {b"dltensor": Legacy, b"dltensor_versioned": Versioned}
USED = {name: b"used_" + name for name in STRUCTS}

api = ctypes.pythonapi
api.PyCapsule_New.restype = ctypes.py_object
api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


def open_capsule(capsule):
    """The struct in a capsule that has not been consumed, and its name."""
    for name, kind in STRUCTS.items():
        if api.PyCapsule_IsValid(capsule, name):
            return kind.from_address(api.PyCapsule_GetPointer(capsule, name)), name
    raise ValueError("expected a DLPack capsule that has not been consumed")


api.PyCapsule_GetDestructor.restype = ctypes.c_void_p
api.PyCapsule_GetDestructor.argtypes = [ctypes.py_object]
api.PyCapsule_SetDestructor.argtypes = [ctypes.py_object, ctypes.c_void_p]

# The destructor of our capsules does nothing: it must not be Python, which cannot run while an exception is on its way.
# A consumer renames the capsule or takes the destructor out; `settle` deletes what no consumer has taken.
NOTHING = ctypes.cast(api.Py_GetVersion, ctypes.c_void_p)
LIVE = {}  # the struct's address: all that must outlive it


class Producer:
    """Memory in the layout of a case, which counts its exports and the calls of their deleters."""

    def __init__(self, case):
        self.case, self.asked, self.capsules, self.exports, self.deletions = case, [], [], 0, 0
        self.memory, self.base = self.fill()
        self.address = self.base + case.offset * case.itemsize

    @property
    def given(self):
        """What a consumer is given."""
        return self

    def fill(self):
        return PLACE[0].fill(self.case.image)

    def __dlpack_device__(self):
        return PLACE[0].device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        self.asked.append({"max_version": max_version, "copy": copy})
        case = self.case
        if dl_device not in (None, PLACE[0].device):
            raise BufferError("expected the device where the elements lie")
        kind, name, flags = Versioned, b"dltensor_versioned", case.flags
        memory, base = self.memory, self.base
        if max_version is None or max_version[0] < 1:
            kind, name = Legacy, b"dltensor"
            if flags & READ_ONLY and copy is None:
                copy = True  # a capsule from before 1.0 cannot carry the flag
        if copy:
            memory, base = self.fill()
            flags = flags & ~READ_ONLY | IS_COPIED
        if kind is Legacy and flags & (READ_ONLY | PADDED):
            raise BufferError("a capsule from before DLPack 1.0 cannot carry this flag")
        managed = kind()
        shape, strides = ((ctypes.c_int64 * max(len(case.shape), 1))(*x) for x in (case.shape, case.strides))
        tensor = managed.tensor
        tensor.data, tensor.ndim = base, len(case.shape)
        tensor.device_type, tensor.device_id = PLACE[0].device
        tensor.code, tensor.bits, tensor.lanes = case.code, case.bits, case.lanes
        tensor.shape, tensor.strides = shape, strides
        tensor.byte_offset = case.offset * case.itemsize
        if kind is Versioned:
            managed.major, managed.minor, managed.flags = 1, 3, flags
        deleter = DELETER(self.delete)
        managed.deleter = ctypes.cast(deleter, ctypes.c_void_p)
        self.exports += 1
        # PaddlePaddle calls no deleter where manager_ctx is NULL.
        address = managed.manager = ctypes.addressof(managed)
        capsule = api.PyCapsule_New(address, name, NOTHING)
        LIVE[address] = (managed, shape, strides, memory, deleter, self)
        self.capsules.append((capsule, name, address))
        return capsule

    def delete(self, address):
        self.deletions += 1
        LIVE.pop(address, None)

    def settle(self):
        """Delete what no consumer has taken."""
        for capsule, name, address in self.capsules:
            if api.PyCapsule_IsValid(capsule, name) and api.PyCapsule_GetDestructor(capsule) == NOTHING.value:
                api.PyCapsule_SetDestructor(capsule, None)
                self.delete(address)
        self.capsules.clear()


class Table(ctypes.Structure):
    """The exchange table of DLPack 1.3; its slots are NULL where a producer need not have them."""

    _fields_ = [
        ("version", Version),
        ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p),
        ("export", ctypes.c_void_p),
        ("import_", ctypes.c_void_p),
        ("lend", ctypes.c_void_p),
        ("stream", ctypes.c_void_p),
    ]


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
def slot_export(producer, out):
    capsule = producer.__dlpack__(max_version=(1, 3))
    out[0] = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
    api.PyCapsule_SetName(capsule, USED[b"dltensor_versioned"])
    return 0


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
def slot_stream(device_type, device_id, out):
    out[0] = None
    return 0


TABLE_NAME = b"dlpack_exchange_api"  # a capsule does not keep its name
TABLE = Table(Version(1, 3), None, None, *(ctypes.cast(slot, ctypes.c_void_p) for slot in (slot_export,)))
TABLE.stream = ctypes.cast(slot_stream, ctypes.c_void_p)


class TableProducer(Producer):
    """A producer with an exchange table, whose tensors come versioned without being asked for."""

    __dlpack_c_exchange_api__ = api.PyCapsule_New(ctypes.addressof(TABLE), TABLE_NAME, None)


class Watched:
    """Another producer, with each capsule's deleter replaced by one that counts and calls the first."""

    def __init__(self, source, export):
        self.source, self.export, self.exports, self.deletions = source, export, 0, 0

    def __dlpack_device__(self):
        return tuple(int(x or 0) for x in self.source.__dlpack_device__())

    def __dlpack__(self, **options):
        return self.watch(self.export(self.source, **options))

    def watch(self, capsule):
        managed, _ = open_capsule(capsule)
        first = managed.deleter

        def delete(address):
            self.deletions += 1
            LIVE.pop(key, None)
            if first:
                DELETER(first)(address)

        deleter = DELETER(delete)
        key = (ctypes.addressof(managed), id(deleter))
        LIVE[key] = (deleter, self)
        managed.deleter = ctypes.cast(deleter, ctypes.c_void_p)
        self.exports += 1
        return capsule


@dataclass
class Seen:
    """What arrived: what a peer, or the consumer below, says of an array."""

    dtype: str
    shape: tuple
    elements: bytes
    address: int = None
    read_only: bool = None
    padded: bool = None


def memory_of(address, shape, strides, size):
    """The bytes of the elements in C order; strides in elements."""
    places = [address + at * size for at in positions(shape, strides)]
    if places and not 0 <= min(places) <= max(places) < 1 << 64:  # ctypes would let an address wrap
        raise ValueError(f"strides {list(strides)} lead out of the address space")
    return b"".join(PLACE[0].read(place, size) for place in places)


def elements_of(address, shape, strides, bits, padded=False):
    """The elements in C order; those below a byte are packed and compact, unless they are padded."""
    if bits < 8 and not padded:
        size = count(shape)
        return unpack(PLACE[0].read(address, (size * bits + 7) // 8), bits, 0, size)
    return memory_of(address, shape, strides, (bits + 7) // 8)


def dtype_name(code, bits, lanes=1):
    name = NAMES.get((code, bits), f"code {code} of {bits} bits")
    return name if lanes == 1 else f"{name}x{lanes}"


def look(capsule):
    """What a capsule holds, without consuming it."""
    managed, name = open_capsule(capsule)
    t = managed.tensor
    shape = tuple(t.shape[i] for i in range(t.ndim))
    strides = tuple(t.strides[i] for i in range(t.ndim)) if t.strides else compact(shape)
    flags = managed.flags if name == b"dltensor_versioned" else 0
    address = (t.data or 0) + t.byte_offset
    elements = elements_of(address, shape, strides, t.bits * t.lanes, flags & PADDED)
    read_only = bool(flags & READ_ONLY) if name == b"dltensor_versioned" else None
    return Seen(dtype_name(t.code, t.bits, t.lanes), shape, elements, address, read_only, bool(flags & PADDED))


def compact(shape):
    strides, step = [], 1
    for extent in reversed(shape):
        strides.insert(0, step)
        step *= extent
    return tuple(strides)


def consume(source):
    """What a producer, or a capsule, exports; its deleter is then called as a consumer calls it."""
    capsule = source
    if hasattr(source, "__dlpack__"):
        try:
            capsule = source.__dlpack__(max_version=(1, 3))
        except TypeError:
            capsule = source.__dlpack__()
    seen = look(capsule)
    managed, name = open_capsule(capsule)
    api.PyCapsule_SetName(capsule, USED[name])
    if managed.deleter:
        DELETER(managed.deleter)(ctypes.addressof(managed))
    return seen
