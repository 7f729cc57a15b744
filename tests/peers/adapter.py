# SPDX-License-Identifier: Apache-2.0
"""What the matrix needs to know of one system: make an array, read it, give it to dlferry, take one from dlferry."""

import weakref

from cells import DTYPES
from witness import Producer, TableProducer, consume


class NoForm(Exception):
    """The system has no such array: no such dtype, layout or flag."""


class NotRun(Exception):
    """The system cannot run here; the text says why."""


class Adapter:
    """A system. An adapter module has one subclass of this, named `Peer`; a method that is right here stays here."""

    name = ""
    dtypes = DTYPES
    #: its arrays have one axis
    flat = False
    #: `read` tells whether an array of this system may be written
    tells_read_only = True
    #: its arrays come as DLPack capsules, not by the buffer protocol
    exports = True
    #: `take` copies by purpose, as a message does
    copies = False
    #: how a user writes the two directions, where it is not from_dlpack on both sides
    ways = ()
    #: what `take` is tried with instead of dlferry
    witnesses = ((Producer, "a capsule"), (TableProducer, "an exchange table"))
    #: the case at hand, for systems whose arrays do not know their own dtype
    case = None
    #: how `take_otherwise` is written, where there is another way that shares more than `take`
    other_way = ""

    def versions(self):
        """The system's version, and those of what it rests upon."""
        raise NotImplementedError

    def make(self, case):
        """An array of this system with the case's elements; NoForm where it has none."""
        raise NotImplementedError

    def read(self, x):
        """`Seen`: dtype, shape and elements by the system's own means; address and read-only flag where it tells."""
        raise NotImplementedError

    def give(self, x):
        """What a user passes to dlferry.from_dlpack."""
        return x

    def give_to(self, dlferry, x, copy=None):
        """A dlferry tensor from `x`, in the way that a user takes."""
        return dlferry.from_dlpack(self.give(x), copy=copy)

    def take(self, x):
        """An array of this system from a producer, in the way that a user takes."""
        raise NotImplementedError

    def take_otherwise(self, t):
        """An array of this system from a dlferry tensor in that other way."""
        raise NotImplementedError

    def export(self, x, **options):
        """A capsule of the system's array `x`."""
        return x.__dlpack__(**options)

    def probe_export(self, x):
        """What the system's array looks like to a consumer that is not dlferry."""
        return consume(self.give(x))

    def dtype_name(self, case):
        """The system's name of the case's dtype, where DLPack cannot tell two of them apart."""
        return case.dtype

    def wait(self):
        """Wait for what the system does on threads of its own."""

    def weak(self, x):
        """A weak reference to what owns the memory, or None."""
        try:
            return weakref.ref(x)
        except TypeError:
            return None


def masked(data, bits):
    """The codes of padded elements, whose upper bits carry the sign or nothing."""
    return bytes(byte & ((1 << bits) - 1) for byte in data)
