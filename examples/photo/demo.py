# SPDX-License-Identifier: Apache-2.0
"""A photograph through five runtimes in one process, without a copy: demo.py ROOMS.json [--out PICTURE]

Python loads it, C turns it to gray, Rust blurs it, Go takes its gradient, Julia equalises that, C draws the histogram
into the same tensor, Python saves. Each hop hands over only a DLManagedTensorVersioned. A hop counts as a copy if the
consumer sees a different address; memory that a kernel allocates for its output does not count.

Exit status 0 if nothing was copied or leaked, 77 if a runtime is missing, else 1.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "matrix"))
import rooms as house

# consumer, kernel, text of the picture's panel
STEPS = [
    ("c", "gray", "luma of BT.601"),
    ("rust", "blur", "Gaussian, σ = 1 pixel"),
    ("go", "sobel", "gradient magnitude"),
    ("julia", "equalize", "histogram equalised"),
    ("c", "draw_histogram", "its histogram, in place"),
]
JOURNEYS = 5


def load_photograph():
    """matplotlib's portrait of Grace Hopper (public domain), as uint8[h, w, 3]."""
    from matplotlib import get_data_path
    from PIL import Image

    with Image.open(Path(get_data_path()) / "sample_data" / "grace_hopper.jpg") as photograph:
        return np.array(photograph.convert("RGB"))


def snapshot(managed):
    """Copy a tensor's present content, only for the contact sheet; the tensor itself stays untouched."""
    import ctypes

    look = house.Look(managed)
    kind = np.dtype(look.dtype)
    span = 1 + sum((n - 1) * s for n, s in zip(look.shape, look.strides))
    memory = (ctypes.c_char * (span * kind.itemsize)).from_address(look.address)
    strides = tuple(s * kind.itemsize for s in look.strides)
    return np.ndarray(look.shape, kind, memory, strides=strides).copy()


def copying_hop(python, managed):
    """Behave like a binding without DLPack: the same values at another address."""
    return python.export(python.adopt(managed).copy())


class Journey:
    """Carries one tensor from room to room and records each hop."""

    def __init__(self, rooms, copy_at=None):
        self.rooms, self.copy_at = rooms, copy_at
        self.hops, self.snapshots = [], []

    def hand_over(self, producer, consumer, kernel, managed, take):
        """One hop: take(managed) gives the kernel's result and the address that the consumer saw."""
        look = house.Look(managed)
        if self.copy_at == consumer:
            managed = copying_hop(self.rooms["python"], managed)
        start = time.perf_counter()
        result, seen = take(managed)
        elapsed = time.perf_counter() - start
        self.hops.append((producer, consumer, kernel, look, seen, elapsed))
        return result

    def run(self, photograph):
        """Run all steps; return the picture that arrives back in Python."""
        python, at = self.rooms["python"], "python"
        managed = python.export(photograph)
        for consumer, kernel, _ in STEPS:
            before = house.Look(managed).address
            managed = self.hand_over(
                at, consumer, kernel, managed, lambda m, c=consumer, k=kernel: self.rooms[c].photo(k, m)
            )
            if kernel == "draw_histogram" and self.copy_at is None and house.Look(managed).address != before:
                raise house.RoomError("c: draw_histogram did not work in place")
            self.snapshots.append(snapshot(managed))
            at = consumer

        def adopt(managed):
            array = python.adopt(managed)
            return array, array.ctypes.data

        return self.hand_over(at, "python", "save", managed, adopt)


def print_hops(hops, fastest):
    heads = ("hop", "from", "to", "kernel", "handed over", "data address", "seen at", "time", "copied")
    rows = []
    for number, (producer, consumer, kernel, look, seen, _) in enumerate(hops, 1):
        what = f"{look.dtype}{list(look.shape)}"
        copied = "no" if seen == look.address else f"YES, {np.prod(look.shape) * np.dtype(look.dtype).itemsize} bytes"
        rows.append(
            (f"{number}", producer, consumer, kernel, what, f"{look.address:#x}", f"{seen:#x}")
            + (f"{fastest[number - 1] * 1e3:.3f} ms", copied)
        )
    width = [max(len(row[i]) for row in [heads, *rows]) for i in range(len(heads))]
    right = {0, 7}

    def line(cells):
        print(
            "  ".join(c.rjust(w) if i in right else c.ljust(w) for i, (c, w) in enumerate(zip(cells, width))).rstrip()
        )

    line(heads)
    line(["-" * w for w in width])
    for row in rows:
        line(row)
    copies = sum(look.address != seen for _, _, _, look, seen, _ in hops)
    print(f"\n{len(hops)} hops, {copies} copies. time: hand-over and kernel, the best of {JOURNEYS} journeys.")
    return copies


def write_sheet(photograph, journey, picture, options):
    from sheet import draw_sheet

    panels = [("python", "load", "the photograph", photograph)]
    panels += [(*step, image) for step, image in zip(STEPS, [*journey.snapshots[:-1], picture])]
    options.out.parent.mkdir(parents=True, exist_ok=True)
    draw_sheet(panels, journey.hops, options.out, options.width, options.small)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", help="JSON that says where the build put each runtime's room")
    parser.add_argument("--out", type=Path, help="the contact sheet to write; none without it")
    parser.add_argument("--width", type=int, default=1800, help="its width in pixels")
    parser.add_argument("--small", action="store_true", help="write it with a palette, for the README")
    parser.add_argument("--keep", action="store_true", help="hold on to the last tensor, to see it counted")
    parser.add_argument("--copy-at", choices=sorted({s[0] for s in STEPS}), help="make a copying hop, to see it found")
    options = parser.parse_args()

    config = house.read_config(options.rooms)
    house.enter(config)
    rooms, _ = house.open_rooms(config)
    absent, required = house.missing(rooms)
    if absent:
        for name in absent:
            print(f"{name}: not run, the build has no room for it" + (" (required)" if name in required else ""))
        print("demo: not run, it needs all five runtimes")
        return 1 if required else 77

    photograph = load_photograph()
    # The first journey compiles Julia's code, and others may have had to wait for a processor.
    rehearsals = [Journey(rooms, options.copy_at) for _ in range(JOURNEYS - 1)]
    for rehearsal in rehearsals:
        rehearsal.run(photograph)
    journey = Journey(rooms, options.copy_at)
    picture = journey.run(photograph)
    fastest = [min(hop[-1] for hop in same) for same in zip(*(j.hops for j in (*rehearsals, journey)))]
    copies = print_hops(journey.hops, fastest)

    if options.out:
        write_sheet(photograph, journey, picture, options)
    if not options.keep:
        del picture
    live = house.live_counts(rooms)
    print("live tensors: " + ", ".join(f"{name} {count}" for name, count in live.items()))
    if options.out:
        here = options.out.resolve()
        print(f"picture: {here.relative_to(Path.cwd()) if here.is_relative_to(Path.cwd()) else here}")
    return 1 if copies or any(live.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
