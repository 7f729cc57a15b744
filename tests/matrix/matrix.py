# SPDX-License-Identifier: Apache-2.0
"""Every tensor through every pair of runtimes, in one process: matrix.py ROOMS.json [REPORT]

Each of the five produces a float32 tensor of 2 x 3 with strides that are not compact; each of the five takes it, sums
it through its own typed view and lets it go. The address must be the producer's, the sum exact. Then each room's
deleters run on a thread that no runtime knows. In the end no room may hold a live tensor.
"""

import sys
from pathlib import Path

import rooms as house

ROUNDS = 20
SUM = float(sum((i + 1) * (j + 1) * (10 * i + j) for i in range(2) for j in range(3)))


def pass_on(producer, consumer):
    """Send one tensor from room to room. Return None, or the failure."""
    managed = producer.produce()
    look = house.Look(managed)
    total, address = consumer.consume(managed)
    if look.dtype != "float32" or look.shape != (2, 3):
        return f"produced {look.dtype}{list(look.shape)}"
    if look.strides == (3, 1):
        return "produced compact strides"
    if address != look.address:
        return f"copied: produced at {look.address:#x}, seen at {address:#x}"
    if total != SUM:
        return f"sum is {total}, expected {SUM}"
    return None


def pair(producer, consumer):
    if producer is None or consumer is None:
        return "not run"
    try:
        for _ in range(ROUNDS):
            wrong = pass_on(producer, consumer)
            if wrong:
                return wrong
    except house.RoomError as error:
        return str(error)
    return "ok"


def delete_abroad(name, rooms, foreign_delete):
    """Run a room's deleters on a thread unknown to all runtimes: for its own tensors, and for others that it holds."""
    room, python = rooms[name], rooms["python"]
    if room is None:
        return "not run"
    try:
        for _ in range(ROUNDS):
            if foreign_delete(room.produce()) != 0:
                return "no thread"
        for other in rooms.values():
            if python is None or other in (None, python):
                continue
            image = python.numpy.zeros((32, 40), dtype="float32")
            managed, address = python.export(image), image.ctypes.data
            for stage in (room, other):
                if stage is not python:
                    managed, seen = stage.photo("draw_histogram", managed)
                    if seen != address or house.Look(managed).address != address:
                        return f"copied: made at {address:#x}, seen at {seen:#x} by {stage.name}"
            if foreign_delete(managed) != 0:
                return "no thread"
            if not image.any():
                return f"{other.name} drew nothing"
    except house.RoomError as error:
        return str(error)
    return "ok"


def table(results, abroad, live):
    heads = [*house.LANGUAGES, "foreign thread", "live"]
    width = [max(9, len(head) + 2) for head in heads]

    def line(name, cells):
        return name.ljust(12) + "".join(cell.ljust(w) for cell, w in zip(cells, width)).rstrip()

    yield "float32[2, 3], strided, from (row) to (column), in one process. ok: at the producer's address, exact sum."
    yield "foreign thread: the row's deleters, for its own tensors and for those it passed on from Python to each other"
    yield "room, run by a POSIX thread that no runtime knows. live: tensors left over."
    yield ""
    yield line("from \\ to", heads)
    yield "-" * (12 + sum(width))
    for name in house.LANGUAGES:
        told = [results[name][to] for to in house.LANGUAGES] + [abroad[name]]
        cells = [cell if cell in ("ok", "not run") else "FAILED" for cell in told]
        yield line(name, [*cells, str(live[name])])
    yield ""


def main():
    config = house.read_config(sys.argv[1])
    house.enter(config)
    rooms, foreign_delete = house.open_rooms(config)
    results = {p: {c: pair(rooms[p], rooms[c]) for c in house.LANGUAGES} for p in house.LANGUAGES}
    abroad = {p: delete_abroad(p, rooms, foreign_delete) for p in house.LANGUAGES}
    live = house.live_counts(rooms)

    cells = [(f"{p} -> {c}", result) for p, row in results.items() for c, result in row.items()]
    cells += [(f"{p} -> foreign thread", result) for p, result in abroad.items()]
    failed = [(where, result) for where, result in cells if result not in ("ok", "not run")]
    failed += [(name, f"{count} tensors still live") for name, count in live.items() if count not in (0, "not run")]
    absent, required = house.missing(rooms)
    passed = sum(result == "ok" for row in results.values() for result in row.values())
    lines = [*table(results, abroad, live), f"{passed} of {len(results) ** 2} pairs, {ROUNDS} rounds each"]
    lines += [f"FAILED {where}: {result}" for where, result in failed]
    lines += [f"{n}: not run, this build has no room for it" + " (required)" * (n in required) for n in absent]
    text = "\n".join(lines) + "\n"
    print(text, end="")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(text)
    return 1 if failed or required else 77 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
