# SPDX-License-Identifier: Apache-2.0
"""The table on the terminal, and those of the two READMEs."""

import re
from pathlib import Path

from results import by_row

ROOT = Path(__file__).resolve().parents[3]
TABLE = re.compile(r"(<!-- bench_move\.py writes this -->\n).*?(<!-- to here -->)", re.S)
FLOORS = ("by hand", "memcpy")
HEAD = f"{'row':46}{'contender':26}{'time':>11}{'GB/s':>8}{'ratio':>8}  aim"
RULE = "-" * 114


def size_text(size):
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def time_text(seconds):
    if seconds >= 1:
        return f"{seconds:.2f} s"
    if seconds >= 1e-4:
        return f"{seconds * 1e3:.2f} ms"
    if seconds >= 1e-6:
        return f"{seconds * 1e6:.2f} us"
    return f"{seconds * 1e9:.0f} ns"


def floor_of(row):
    """The fastest of what is written by hand, and memcpy."""
    floors = [result for result in row if any(word in result.peer for word in FLOORS)]
    return min(floors, key=lambda result: result.seconds)


def lines_of(row):
    """A row's lines: dlferry's, then each contender's."""
    for result in row:
        rate = result.bytes_moved / result.seconds / 1e9
        name = result.row if result.peer == "dlferry" else ""
        figures = f"{time_text(result.seconds):>11}{rate:8.1f}"
        compared = "" if result.peer == "dlferry" else f"{result.ratio:8.2f}"
        verdict = {"": "", "yes": ": met", "no": ": MISSED"}[result.met]
        yield f"{name:46}{result.peer:26}{figures}{compared}  {result.aim}{verdict}".rstrip()
    if any(result.met == "no" for result in row):
        floor = floor_of(row)
        yield f"{'':46}the floor, {floor.peer}, takes {floor.ratio:.2f} of dlferry's time"


def summary(results):
    asked = [result for result in results if result.met]
    missed = [result for result in asked if result.met == "no"]
    yield f"{len(asked) - len(missed)} of {len(asked)} aims are met."
    for result in missed:
        yield f"  missed: {result.row}, to {result.peer}: {result.ratio:.2f}, {result.aim}"


def slower_than_peers(results):
    """Where a peer is faster as cost grows: the ten worst."""
    grown = [result for result in results if result.form and result.peer in ("NumPy", "torch")]
    slower = sorted((result for result in grown if result.ratio < 0.95), key=lambda result: result.ratio)
    yield f"Of {len(grown)} points beside NumPy and torch, {len(slower)} are below 0.95."
    for result in slower[:10]:
        yield f"  {result.row}, to {result.peer}: {result.ratio:.2f}"


def alternatives(row):
    shown = [result for result in row if result.peer not in ("dlferry", "memcpy's rate")]
    return ", ".join(f"{result.peer} {time_text(result.seconds)}" for result in shown)


def essence(results, shown):
    """The main README's table, of the rows named in `shown`."""
    yield "| work | dlferry | alternatives, in the same run |"
    yield "|---|---|---|"
    for name, row in by_row(results).items():
        if name in shown:
            yield f"| {name} | {time_text(row[0].seconds)} | {alternatives(row)} |"


def everything(results):
    """All rows, with their ratios and aims."""
    yield "| work | contender | time | GB/s | ratio | aim | met |"
    yield "|---|---|---|---|---|---|---|"
    for result in results:
        name = result.row if result.peer == "dlferry" else ""
        rate = result.bytes_moved / result.seconds / 1e9
        compared = "" if result.peer == "dlferry" else f"{result.ratio:.2f}"
        cells = [name, result.peer, time_text(result.seconds), f"{rate:.1f}", compared, result.aim, result.met]
        yield f"| {' | '.join(cells)} |".replace("|  ", "| ")


def put(page, lines):
    """Replace a page's table."""
    text = page.read_text(encoding="utf-8")
    table = "\n".join(lines)
    text, count = TABLE.subn(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", text)
    if count != 1:
        raise SystemExit(f"{page}: expected one place for the table, got {count}")
    page.write_text(text, encoding="utf-8")
