# SPDX-License-Identifier: Apache-2.0
"""Every tensor through every pair of runtimes, in one process: matrix.py ROOMS.json

Each of the five produces a float32 tensor of 2 x 3 with strides that are not compact; each of the five takes it, sums
it through its own typed view and lets it go. The address must be the producer's, the sum exact. Then each producer's
deleter runs on a thread that no runtime knows. In the end no room may hold a live tensor.
"""

import sys

import rooms as house

ROUNDS = 20
SUM = float(sum((i + 1) * (j + 1) * (10 * i + j) for i in range(2) for j in range(3)))


def pass_on(producer, consumer):
    """Send one tensor from room to room. Return None, or what went wrong."""
    managed = producer.produce()
    look = house.Look(managed)
    if look.dtype != "float32" or look.shape != (2, 3):
        return f"produced {look.dtype}{list(look.shape)}"
    if look.strides == (3, 1):
        return "produced compact strides"
    total, address = consumer.consume(managed)
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


def delete_abroad(producer, foreign_delete):
    """Let a thread of no runtime run the deleters of tensors that the main program still knows by address."""
    if producer is None:
        return "not run"
    for _ in range(ROUNDS):
        if foreign_delete(producer.produce()) != 0:
            return "no thread"
    return "ok"


def print_table(results, abroad, live):
    wide = max(10, *(len(name) + 2 for name in house.LANGUAGES))
    short = {name: dict(row, foreign=abroad[name], live=str(live[name])) for name, row in results.items()}
    columns = [*house.LANGUAGES, "foreign", "live"]
    heads = [*house.LANGUAGES, "foreign thread", "live"]
    width = [max(wide, len(h) + 2) for h in heads]
    print("float32[2, 3], strided, from (row) to (column), in one process; ok: same address, exact sum")
    print()
    print("from \\ to".ljust(12) + "".join(h.ljust(w) for h, w in zip(heads, width)).rstrip())
    print("-" * (12 + sum(width)))
    for name in house.LANGUAGES:
        cells = (short[name][c] if short[name][c] in ("ok", "not run") or c == "live" else "FAILED" for c in columns)
        print(name.ljust(12) + "".join(cell.ljust(w) for cell, w in zip(cells, width)).rstrip())
    print()


def main():
    config = house.read_config(sys.argv[1])
    house.enter(config)
    rooms, foreign_delete = house.open_rooms(config)
    results = {p: {c: pair(rooms[p], rooms[c]) for c in house.LANGUAGES} for p in house.LANGUAGES}
    abroad = {p: delete_abroad(rooms[p], foreign_delete) for p in house.LANGUAGES}
    live = {name: room.live() if room else "not run" for name, room in rooms.items()}
    print_table(results, abroad, live)

    cells = [(f"{p} -> {c}", result) for p, row in results.items() for c, result in row.items()]
    cells += [(f"{p} -> foreign thread", result) for p, result in abroad.items()]
    failed = [(where, result) for where, result in cells if result not in ("ok", "not run")]
    failed += [(name, f"{count} tensors still live") for name, count in live.items() if count not in (0, "not run")]
    for where, result in failed:
        print(f"FAILED {where}: {result}")
    absent, required = house.missing(rooms)
    for name in absent:
        print(f"{name}: not run, the build has no room for it" + (" (required)" if name in required else ""))
    passed = sum(result == "ok" for row in results.values() for result in row.values())
    print(f"{passed} of {len(house.LANGUAGES) ** 2} pairs, {ROUNDS} rounds each")
    return 1 if failed or required else 77 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
