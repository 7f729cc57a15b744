# SPDX-License-Identifier: Apache-2.0
"""Prove that the matrix can fail: a room that copies, one that sums wrongly, one that keeps its input."""

import sys

import matrix
import rooms as house


class Room:
    """A room seen through a glass that distorts one thing."""

    def __init__(self, room, **changed):
        self._room, self._changed = room, changed

    def __getattr__(self, name):
        return self._changed.get(name) or getattr(self._room, name)


def expect(name, got, wanted):
    if wanted not in str(got):
        print(f"FAILED {name}: expected {wanted!r}, got {got!r}")
        return 1
    return 0


def main():
    config = {"python": True, "c": house.read_config(sys.argv[1])["c"]}
    if not config["c"]:
        print("not run: this build has no C room")
        return 77
    rooms, _ = house.open_rooms(config)
    c, python = rooms["c"], rooms["python"]

    def copies(managed):
        array = python.adopt(managed).copy()
        return c.consume(python.export(array))

    def adds_one(managed):
        total, address = c.consume(managed)
        return total + 1, address

    kept = []

    def keeps(managed):
        array = python.adopt(managed)
        kept.append(array)
        return matrix.SUM, array.ctypes.data

    failures = expect("as it is", matrix.pair(c, c), "ok")
    failures += expect("copies", matrix.pair(c, Room(c, consume=copies)), "copied: produced at 0x")
    failures += expect("adds one", matrix.pair(c, Room(c, consume=adds_one)), "sum is 145.0, expected 144.0")
    failures += expect("compact", matrix.pair(Room(c, produce=lambda: compact(python)), c), "compact strides")
    failures += expect("keeps", matrix.pair(c, Room(c, consume=keeps)), "ok")
    failures += expect("keeps, counted in c", c.live(), str(matrix.ROUNDS))
    failures += expect("keeps, counted in python", python.live(), str(matrix.ROUNDS))
    kept.clear()
    failures += expect("let go, in c", python.live() or c.live(), "0")
    return 1 if failures else 0


def compact(python):
    return python.export(python.numpy.zeros((2, 3), dtype="float32"))


if __name__ == "__main__":
    sys.exit(main())
