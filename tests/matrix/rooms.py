# SPDX-License-Identifier: Apache-2.0
"""Five runtimes in one process, each behind the same four functions (tests/rooms/room.h).

A tensor crosses between rooms as the address of a DLManagedTensorVersioned and as nothing else. Python is the main
program; C, Rust and Go are shared libraries; Julia is embedded. A JSON file that the build writes tells where they are:
{"python": true, "c": "/.../libroom_c.so", "rust": ..., "go": ..., "julia": {...}}, null for missing ones.
"""

import contextlib
import ctypes
import gc
import importlib.util
import json
import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "cases"))

from structures import Versioned

LANGUAGES = ("python", "c", "rust", "go", "julia")


class Error(ctypes.Structure):
    """dlf_error"""

    _fields_ = [("status", ctypes.c_int32), ("message", ctypes.c_char * 252)]


class Look:
    """A managed tensor's fields, read by the main program without taking it."""

    def __init__(self, managed):
        t = Versioned.from_address(managed).tensor
        kind = {0: "int", 1: "uint", 2: "float"}.get(t.code, f"code{t.code}_")
        self.dtype = f"{kind}{t.bits}"
        self.shape = tuple(t.shape[i] for i in range(t.ndim))
        self.strides = tuple(t.strides[i] for i in range(t.ndim))
        self.address = (t.data or 0) + t.byte_offset


class RoomError(Exception):
    pass


class NativeRoom:
    """A room of C functions: from a shared library, or pointers handed out by an embedded runtime."""

    def __init__(self, name, functions):
        address, error = ctypes.POINTER(ctypes.c_uint64), ctypes.POINTER(Error)
        out, double = ctypes.POINTER(ctypes.c_void_p), ctypes.POINTER(ctypes.c_double)
        signatures = {
            "room_produce": (ctypes.c_int32, out, error),
            "room_consume": (ctypes.c_int32, ctypes.c_void_p, double, address, error),
            "room_photo": (ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p, out, address, error),
            "room_live": (ctypes.c_int64,),
        }
        self.name = name
        self._functions = {}
        for symbol, signature in signatures.items():
            pointer = ctypes.cast(functions[symbol], ctypes.c_void_p).value
            # PYFUNCTYPE would keep the GIL, and a deleter that needs it on another thread would wait forever.
            self._functions[symbol] = ctypes.CFUNCTYPE(*signature)(pointer)

    def _call(self, symbol, *arguments):
        error = Error()
        status = self._functions[symbol](*arguments, ctypes.byref(error))
        if status != 0:
            text = error.message.decode("utf-8", "replace")
            raise RoomError(f"{self.name}: {symbol} failed with status {status}: {text}")

    def produce(self):
        out = ctypes.c_void_p()
        self._call("room_produce", ctypes.byref(out))
        return out.value

    def consume(self, managed):
        total, address = ctypes.c_double(), ctypes.c_uint64()
        self._call("room_consume", managed, ctypes.byref(total), ctypes.byref(address))
        return total.value, address.value

    def photo(self, kernel, managed):
        out, address = ctypes.c_void_p(), ctypes.c_uint64()
        self._call("room_photo", kernel.encode(), managed, ctypes.byref(out), ctypes.byref(address))
        return out.value, address.value

    def live(self):
        return self._functions["room_live"]()


class PythonRoom:
    """The main program's own tensors, through the dlferry package and NumPy."""

    name = "python"

    def __init__(self):
        import dlferry
        import numpy

        self.dlferry, self.numpy = dlferry, numpy
        api = ctypes.pythonapi
        api.PyCapsule_New.restype = ctypes.py_object
        api.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        api.PyCapsule_GetPointer.restype = ctypes.c_void_p
        api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]
        self._api = api
        # A capsule keeps the address of its name, not a copy.
        self._fresh = ctypes.create_string_buffer(b"dltensor_versioned")
        self._used = ctypes.create_string_buffer(b"used_dltensor_versioned")

    def export(self, array):
        """Hand out any array as the address of a managed tensor."""
        capsule = self.dlferry.from_dlpack(array).__dlpack__(max_version=(1, 3))
        managed = self._api.PyCapsule_GetPointer(capsule, self._fresh)
        self._api.PyCapsule_SetName(capsule, self._used)
        return managed

    def adopt(self, managed):
        """Take a managed tensor; give it as a NumPy array over the same memory."""
        return self.numpy.from_dlpack(self.dlferry.from_dlpack(_Handed(self, managed)))

    def produce(self):
        whole = self.numpy.full((4, 7), -1, dtype="float32")
        window = whole[1::2, 1::2]
        window[:] = [[10 * i + j for j in range(3)] for i in range(2)]
        return self.export(window)

    def consume(self, managed):
        array = self.adopt(managed)
        if array.dtype != "float32" or array.ndim != 2:
            raise RoomError("python: expected float32 of 2 dimensions")
        rows, columns = array.shape
        total = sum((i + 1) * (j + 1) * float(array[i, j]) for i in range(rows) for j in range(columns))
        return total, array.ctypes.data

    def live(self):
        gc.collect()
        return self.dlferry.live()


class _Handed:
    """An object of the array API around a managed tensor given as an address."""

    def __init__(self, room, managed):
        self._room, self._managed = room, managed

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        managed, self._managed = self._managed, None
        return self._room._api.PyCapsule_New(managed, self._room._fresh, None)

    def __dlpack_device__(self):
        t = Versioned.from_address(self._managed).tensor
        return t.device_type, t.device_id


def _library(path):
    # RTLD_LOCAL: each room carries a core of its own, and their symbols must not meet.
    library = ctypes.CDLL(path, mode=os.RTLD_LOCAL | os.RTLD_NOW)
    return library, {s: library[s] for s in ("room_produce", "room_consume", "room_photo", "room_live")}


def read_config(path):
    return json.loads(Path(path).read_text())


def enter(config):
    """Restart the program with the library path that an unpacked Julia needs, for this process only."""
    wanted = (config.get("julia") or {}).get("library_path")
    if wanted and os.environ.get("DLFERRY_ROOMS_ENTERED") != wanted:
        environment = dict(os.environ, DLFERRY_ROOMS_ENTERED=wanted)
        environment["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [wanted, os.environ.get("LD_LIBRARY_PATH")]))
        os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], environment)


def open_rooms(config):
    """Open all rooms that the build found: {name: room, or None}, and the C room's foreign_delete.

    Julia comes before Go: it overwrites the signal handlers of Go, while Go passes on to those that it finds.
    """
    rooms = dict.fromkeys(LANGUAGES)
    foreign_delete = None
    if config.get("python"):
        rooms["python"] = PythonRoom()
    for name in ("c", "rust", "julia", "go"):
        entry = config.get(name)
        if not entry:
            continue
        if name == "julia":
            rooms[name] = NativeRoom(name, _embed_julia(entry))
            continue
        library, functions = _library(entry)
        rooms[name] = NativeRoom(name, functions)
        if name == "c":
            foreign_delete = library.foreign_delete
            foreign_delete.restype, foreign_delete.argtypes = ctypes.c_int32, [ctypes.c_void_p]
    return rooms, foreign_delete


def _embed_julia(entry):
    # libjulia must be global and brings libunwind, whose _Unwind_Resume would then end every C++ exception and Rust
    # panic that libgcc began. First come, first found.
    with contextlib.suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1", mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    spec = importlib.util.spec_from_file_location("embed_julia", entry["embed"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.room(entry)


def live_counts(rooms):
    """{name: tensors not released}. A runtime's garbage may hold another's tensor: all clean up before any count."""
    for room in filter(None, rooms.values()):
        room.live()
    return {name: room.live() if room else "not run" for name, room in rooms.items()}


def missing(rooms):
    """Name the languages that have no room, and whether one of them is required by DLFERRY_REQUIRE."""
    absent = [name for name in LANGUAGES if rooms[name] is None]
    required = os.environ.get("DLFERRY_REQUIRE", "").replace(";", ",").split(",")
    return absent, [name for name in absent if name in required or name == "c"]
