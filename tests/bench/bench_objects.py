# SPDX-License-Identifier: Apache-2.0
"""What a struct of 64 bytes and an object cost as arguments, from Python: bench_objects.py DLFERRY_BIND [CALLS]

The calls take turns, and each keeps its best.
"""

import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

HERE = Path(__file__).resolve().parent


def build(bind, folder):
    """Make and install the package of objects.h."""
    header = [HERE / "objects.h", "--source", HERE / "objects.c", "--name", "objects", "--prefix", "ob_"]
    subprocess.run([bind, *header, "--lang", "python", "--out", folder], check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", f"{folder}/site", f"{folder}/python"], check=True)
    sys.path.insert(0, f"{folder}/site")


def measure(objects, calls):
    """Return the nanoseconds of a call by its name."""
    box = objects.Box()
    names = {"objects": objects, "settings": objects.Settings(rate=1), "box": box, "part": box.part()}
    turns = {
        "none": timeit.Timer("objects.none(1.0)", globals=names),
        "pointer": timeit.Timer("objects.pointer(settings, 1.0)", globals=names),
        "value": timeit.Timer("objects.value(settings, 1.0)", globals=names),
        "owned": timeit.Timer("objects.owned(box, 1.0)", globals=names),
        "borrowed": timeit.Timer("objects.borrowed(part, 1.0)", globals=names),
    }
    best = dict.fromkeys(turns, float("inf"))
    for _ in range(50):
        for name, timer in turns.items():
            best[name] = min(best[name], timer.timeit(calls) / calls * 1e9)
    return best


def main():
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with tempfile.TemporaryDirectory() as folder:
        build(sys.argv[1], folder)
        import objects

        best = measure(objects, calls)
    for name in ("pointer", "value"):
        title = f"struct of 64 bytes, by {name}: beyond a call without it"
        print(f"{title:58} {best[name] - best['none']:5.1f} ns, aim <= 15")
    ratio = best["borrowed"] / best["owned"]
    title = "borrowed object / owned object"
    print(f"{title:58} {best['borrowed']:5.1f} ns / {best['owned']:5.1f} ns = {ratio:.2f}, aim 1")


main()
