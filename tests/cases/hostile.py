# SPDX-License-Identifier: Apache-2.0
"""Producers that no library would ship, for the tests of programs that import Python objects: see README.md.

A program that imports one must get a tensor or an error, keep no reference, leave no exception behind, and run nothing
twice. The name of an object that is odd, but no mistake, begins with a plus; it gives float32[2, 3].
"""

import datetime
import gc
import threading

import numpy

array = numpy.arange(6, dtype="f4").reshape(2, 3)


class Lends:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **given):
        return self.array.__dlpack__(**given)


class Hostile:
    def __init__(self, **methods):
        self.__dict__.update(methods)

    def __dlpack_device__(self):
        return self.device() if "device" in self.__dict__ else (1, 0)

    def __dlpack__(self, **given):
        return self.export(**given)


def raises(kind, *text):
    def export(*args, **given):
        raise kind(*text)

    return export


class Exits(BaseException):
    def __str__(self):
        raise RuntimeError("no text")


class Text(str):
    def __str__(self):
        return 5


def recursion(**given):
    return recursion(**given)


def nested(**given):
    deep = []
    for _ in range(200000):
        deep = [deep]
    try:
        return repr(deep)
    finally:
        while deep:
            deep = deep.pop()  # else freeing it recurses as deep


def reenters(**given):
    return numpy.from_dlpack(Lends(array)).__dlpack__(**given)


def forgets(**given):  # the capsule's only other reference goes while it is consumed
    global kept
    kept = array.__dlpack__(**given)
    return kept


def consumed(**given):
    capsule = array.__dlpack__(**given)
    numpy.from_dlpack(Hostile(export=lambda **given: capsule))
    return capsule


def threads(**given):
    ones = [threading.Thread(target=lambda: numpy.from_dlpack(Lends(array))) for _ in range(8)]
    for one in ones:
        one.start()
    for one in ones:
        one.join()
    return array.__dlpack__(**given)


def clears(**given):
    gc.collect()
    return array.copy().__dlpack__(**given)


class Index:
    def __index__(self):
        raise ValueError("no index")


class Pair(tuple):
    def __getitem__(self, i):
        raise ValueError("no item")

    def __len__(self):
        return 10**9

    def __iter__(self):
        raise ValueError("no items")


class Lookup:
    def __getattribute__(self, name):
        raise OSError(name)


class Class:
    @property
    def __class__(self):
        raise OSError("no class")

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **given):
        return array.__dlpack__(**given)


class Table:  # an attribute with the table's name that is none
    __dlpack_c_exchange_api__ = 5
    __c_dlpack_exchange_api__ = 5

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **given):
        return array.__dlpack__(**given)


good = dict(export=array.__dlpack__)
objects = {
    "raises nothing": Hostile(export=raises(ValueError)),
    "raises long": Hostile(export=raises(ValueError, "long " * 100000)),
    "raises nul": Hostile(export=raises(ValueError, "a\0b")),
    "raises surrogate": Hostile(export=raises(ValueError, "\udc80")),
    "raises without text": Hostile(export=raises(Exits)),
    "raises odd text": Hostile(export=raises(ValueError, Text("x"))),
    "exits": Hostile(export=raises(SystemExit, 3)),
    "interrupted": Hostile(export=raises(KeyboardInterrupt)),
    "out of memory": Hostile(export=raises(MemoryError)),
    "refuses all keywords": Hostile(
        export=raises(TypeError, "f() got an unexpected keyword argument 'max_version', 'copy', 'dl_device', 'stream'")
    ),
    "takes no arguments": Hostile(export=raises(TypeError, "f() takes no arguments, no keyword arguments")),
    "recursion": Hostile(export=recursion),
    "nested": Hostile(export=nested),
    "none": Hostile(export=lambda **given: None),
    "itself": Hostile(export=lambda **given: objects["itself"]),
    "an array": Hostile(export=lambda **given: array),
    "other capsule": Hostile(export=lambda **given: datetime.datetime_CAPI),
    "consumed": Hostile(export=consumed),
    "no device": Hostile(device=raises(RuntimeError, "no device"), **good),
    "device none": Hostile(device=lambda: None, **good),
    "device text": Hostile(device=lambda: ("cpu", 0), **good),
    "device huge": Hostile(device=lambda: (2**70, 2**70), **good),
    "device negative": Hostile(device=lambda: (-1, -1), **good),
    "device floats": Hostile(device=lambda: (1.0, 0.5), **good),
    "device index": Hostile(device=lambda: (Index(), Index()), **good),
    "device pair": Hostile(device=lambda: Pair((1, 0)), **good),
    "device empty": Hostile(device=lambda: (), **good),
    "device endless": Hostile(device=lambda: iter(int, 1), **good),
    "not callable": Hostile(export=5),
    "lookup": Lookup(),
    "proxy": type("Proxy", (), {"__dlpack__": 5, "__dlpack_device__": 5})(),
    # These are odd, and no mistake.
    "+re-enters": Hostile(export=reenters),
    "+forgets": Hostile(export=forgets),
    "+threads": Hostile(export=threads),
    "+collects": Hostile(export=clears),
    "+class": Class(),
    "+table": Table(),
    "+lies": Hostile(device=lambda: (2, 0), export=lambda **given: array.__dlpack__(max_version=given["max_version"])),
    "+oldest": Hostile(export=lambda: array.__dlpack__()),
}
