# SPDX-License-Identifier: Apache-2.0
"""How fast dlferry's Tensor is exchanged: the peer's time over ours, in one process: python_exchange.py [--out FILE]

Both sides of a ratio take turns, batch by batch, so that a disturbance meets both; a round gives one ratio of their
best batches, and the table shows the median of seven rounds. Every time includes the release of the result.
"""

import argparse
import importlib
import os
import platform
import statistics
import subprocess
import sys
import timeit
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROUNDS, TURNS, BATCH = 7, 40, 200
SETUP = """
import dlferry
import numpy

class Producer:
    def __init__(self, array):
        self.array = array
    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        return self.array.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device, copy=copy)
    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

a = numpy.ones((4, 4), "float32")
t, plain = dlferry.from_dlpack(a), Producer(a)
"""
# How to make each peer's object, by the peer's module.
MORE = {
    "torch": "import torch; w = torch.ones(4, 4)",
    "tvm_ffi": "import tvm_ffi; v = tvm_ffi.from_dlpack(a)",
    "pyarrow": "import pyarrow; p = pyarrow.array([1.0, 2.0, 3.0, 4.0]); q = pyarrow.Tensor.from_numpy(a)",
    "jax": "import jax; j = jax.numpy.ones((4, 4))",
}
# row, ours, the peer's, at least
RATIOS = [
    ("NumPy array in, to tvm-ffi's", "dlferry.from_dlpack(a)", "tvm_ffi.from_dlpack(a)", 4.0),
    ("NumPy array in, to NumPy's", "dlferry.from_dlpack(a)", "numpy.from_dlpack(a)", 2.5),
    ("torch tensor in, to tvm-ffi's", "dlferry.from_dlpack(w)", "tvm_ffi.from_dlpack(w)", 2.0),
    ("torch tensor in, to NumPy's", "dlferry.from_dlpack(w)", "numpy.from_dlpack(w)", 16.2),
    ("tvm-ffi tensor in, to NumPy's", "dlferry.from_dlpack(v)", "numpy.from_dlpack(v)", 1.0),
    ("tvm-ffi tensor in, to tvm-ffi's", "dlferry.from_dlpack(v)", "tvm_ffi.from_dlpack(v)", 1.0),
    ("pyarrow array in, to NumPy's", "dlferry.from_dlpack(p)", "numpy.from_dlpack(p)", 1.0),
    ("pyarrow tensor in, to NumPy's", "dlferry.from_dlpack(q)", "numpy.from_dlpack(q)", 1.0),
    ("Python class in, to NumPy's", "dlferry.from_dlpack(plain)", "numpy.from_dlpack(plain)", 0.8),
    ("JAX array in, to tvm-ffi's", "dlferry.from_dlpack(j)", "tvm_ffi.from_dlpack(j)", 0.6),
    ("versioned export, to NumPy's", "t.__dlpack__(max_version=(1, 3))", "a.__dlpack__(max_version=(1, 3))", 1.0),
    ("into NumPy, to tvm-ffi's tensor", "numpy.from_dlpack(t)", "numpy.from_dlpack(v)", 1.0),
    ("into torch, to torch's", "dlferry.to(t, torch.Tensor)", "torch.from_dlpack(t)", 4.0),
]
IMPORT_LIMIT = 30.0  # milliseconds, without NumPy
LOADED = (
    "import sys, time; start = time.perf_counter(); import dlferry; end = time.perf_counter(); "
    "assert 'numpy' not in sys.modules; print((end - start) * 1e3)"
)


def prepare():
    """The statements' names, and the peers that are installed, with their versions."""
    space, peers = {}, {"numpy": None, "dlferry": None}
    exec(SETUP, space)
    for module, setup in MORE.items():
        try:
            importlib.import_module(module)
        except ImportError:
            continue
        exec(setup, space)
        peers[module] = None
    for module in peers:
        try:
            peers[module] = version({"tvm_ffi": "apache-tvm-ffi"}.get(module, module))
        except PackageNotFoundError:
            peers[module] = "?"
    return space, peers


def measure(ours, theirs, space, rounds, turns, batch):
    """[(our nanoseconds, theirs)], one pair a round."""
    pair = [timeit.Timer(statement, globals=space) for statement in (ours, theirs)]
    for timer in pair:
        timer.timeit(10)  # the first ones import and fill caches
    figures = []
    for _ in range(rounds):
        best = [float("inf")] * 2
        for _ in range(turns):
            for i, timer in enumerate(pair):
                best[i] = min(best[i], timer.timeit(batch))
        figures.append([nanoseconds / batch * 1e9 for nanoseconds in best])
    return figures


def ratios(space, peers, rounds, turns, batch):
    """[(row, ours, theirs, our ns, their ns, ratio, aim)], with None for figures of an absent peer."""
    rows = []
    for text, ours, theirs, aim in RATIOS:
        absent = [m for m in MORE if m not in peers and any(name in ours + theirs for name in names(m))]
        if absent:
            rows.append((text, ours, theirs, None, None, None, aim))
            continue
        figures = measure(ours, theirs, space, rounds, turns, batch)
        middle = [statistics.median(side) for side in zip(*figures, strict=True)]
        rows.append((text, ours, theirs, *middle, statistics.median(b / a for a, b in figures), aim))
    return rows


def names(module):
    """How statements name a peer and its objects."""
    return [f"{module}."] + [f"({word.strip()})" for word in "w v p q j".split() if f"{word} = " in MORE[module]]


def import_time(rounds):
    command = [sys.executable, "-c", LOADED]
    # As for a user: the tests' own folder of bytecode has none for Python's own modules.
    environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
    done = [
        subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, env=environment)
        for _ in range(rounds + 1)
    ]
    return statistics.median(float(one.stdout) for one in done[1:])  # the first one writes bytecode


def table(rows, milliseconds):
    yield "| | ours | ns | the peer's | ns | ratio | at least |"
    yield "|---|---|---|---|---|---|---|"
    for text, ours, theirs, mine, other, ratio, aim in rows:
        figures = ("not run",) * 3 if ratio is None else (f"{mine:.0f}", f"{other:.0f}", f"{ratio:.2f}")
        yield f"| {text} | `{ours}` | {figures[0]} | `{theirs}` | {figures[1]} | {figures[2]} | {aim} |"
    yield ""
    yield f"`import dlferry` without NumPy: {milliseconds:.1f} ms, at most {IMPORT_LIMIT:.0f}."
    yield ""
    yield "torch 2.15's own function for a new tensor, called in a loop in C without dlferry, takes 312 to 352 of the"
    yield "1,151 to 1,222 ns of `torch.from_dlpack`: into torch, no caller reaches more than 3.5 to 3.8."


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="see that it runs; the figures mean nothing")
    parser.add_argument("--out", type=Path, help="also write the table here")
    parser.add_argument("--strict", action="store_true", help="fail if a ratio misses its aim")
    options = parser.parse_args()
    space, peers = prepare()
    rows = ratios(space, peers, *((1, 2, 20) if options.short else (ROUNDS, TURNS, BATCH)))
    milliseconds = import_time(1 if options.short else ROUNDS)
    lines = list(table(rows, milliseconds))
    print("\n".join(lines))
    missed = [row[0] for row in rows if row[5] is not None and row[5] < row[6]]
    missed += ["import dlferry"] * (milliseconds > IMPORT_LIMIT)
    if missed:
        print("below the aim: " + "; ".join(missed))
    if options.out:
        versions = ", ".join(f"{name} {peers[name]}" for name in peers)
        head = [
            "# How fast tensors are exchanged",
            "",
            "Written by `tests/bench/python_exchange.py --out bindings/python/docs/speed.md`, which",
            "`cmake --workflow --preset bench` runs too. A ratio is the peer's time over ours in one process, the",
            "median of seven rounds in which both sides take turns. Times are nanoseconds and include the release of",
            "the result; only ratios compare between machines.",
            "",
            f"CPython {platform.python_version()}, {versions}.",
            "",
        ]
        options.out.write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
    return 1 if options.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
