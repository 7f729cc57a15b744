# SPDX-License-Identifier: Apache-2.0
"""The table on the terminal, and those of the two READMEs."""

import re
from pathlib import Path

from results import by_row, floor_of
from rows import PASS, RESIZE, RESIZE_CACHED, TURN_NEW

ROOT = Path(__file__).resolve().parents[3]
TABLE = re.compile(r"(<!-- bench_move\.py writes this -->\n).*?(<!-- to here -->)", re.S)
REASONS = {
    PASS: "reading the source and writing as many bytes as the result has",
    RESIZE: "cutting off or adding bytes of each element, without a rounding,",
    RESIZE_CACHED: "cutting off or adding bytes of each element, without streams,",
    TURN_NEW: "a transpose by hand into new huge pages",
    "checked loop by hand": "a loop by hand behind the checks that a copy makes",
}
MISSED = ("no", "explained")
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


def explanation(row):
    """What the floor takes, if the row misses an aim."""
    name = floor_of({result.peer: result.seconds for result in row})
    if name is None:
        return "nothing by hand stands beside it: open"
    floor = next(result for result in row if result.peer == name)
    end = "" if any(result.met == "explained" for result in row) else ": open"
    return f"{REASONS.get(name, name)} takes {floor.ratio:.2f} of dlferry's time{end}"


def explained(results):
    """A sentence for each row that misses an aim."""
    for name, row in by_row(results).items():
        missed = [result for result in row if result.met in MISSED]
        if missed:
            aims = ", ".join(f"{result.ratio:.2f} of {result.peer} ({result.aim})" for result in missed)
            yield f"- {name}, {aims}: {explanation(row)}."


def lines_of(row):
    """A row's lines: dlferry's, then each contender's."""
    for result in row:
        rate = result.bytes_moved / result.seconds / 1e9
        name = result.row if result.peer == "dlferry" else ""
        figures = f"{time_text(result.seconds):>11}{rate:8.1f}"
        compared = "" if result.peer == "dlferry" else f"{result.ratio:8.2f}"
        verdict = {"": "", "yes": ": met", "no": ": MISSED", "explained": ": explained"}[result.met]
        yield f"{name:46}{result.peer:26}{figures}{compared}  {result.aim}{verdict}".rstrip()
    if any(result.met in MISSED for result in row):
        yield f"{'':46}{explanation(row)}"


def summary(results):
    asked = [result for result in results if result.met]
    met = sum(result.met == "yes" for result in asked)
    at_floor = sum(result.met == "explained" for result in asked)
    is_open = len(asked) - met - at_floor
    yield f"{met} of {len(asked)} aims are met, {at_floor} are explained by a floor, {is_open} are open:"
    yield ""
    yield from explained(results)


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
