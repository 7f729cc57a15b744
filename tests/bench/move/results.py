# SPDX-License-Identifier: Apache-2.0
"""What was measured: each contender of a row beside dlferry, with the row's aims, and as CSV."""

import csv
import statistics
from dataclasses import asdict, dataclass, fields

from rows import PASS, RESIZE, RESIZE_CACHED, TURN_NEW
from timing import excess, ratio

FLOORS = (PASS, RESIZE, RESIZE_CACHED, TURN_NEW, "checked loop by hand")
AT_FLOOR = 0.9  # of dlferry's time


@dataclass(frozen=True)
class Result:
    """One contender of a row. Its ratio is its time over dlferry's, the median of those of the rounds."""

    row: str
    peer: str
    threads: int
    bytes_moved: int  # read and written
    rounds: int
    seconds: float  # the median
    low: float  # a quarter of the rounds took less
    high: float
    ratio: float
    aim: str = ""
    met: str = ""  # yes, no, or explained: dlferry takes about as long as the floor
    form: str = ""  # of a row that shows how cost grows
    rank: int = 0


def quartiles(times):
    if len(times) == 1:
        return times[0], times[0]
    low, _, high = statistics.quantiles(times, n=4, method="inclusive")
    return low, high


def judged(row, peer, times):
    """The aim of a contender, and whether it is met."""
    ours = times["dlferry"]
    if peer == "loop by hand" and row.most_over_loop:
        over = excess(ours, times[peer]) * 1e9
        return f"{over:.0f} ns over it, at most {row.most_over_loop:.0f}", over <= row.most_over_loop
    if peer == "dlferry from Python" and row.most_over_loop:
        return f"{excess(times[peer], ours) * 1e9:.0f} ns over C", None
    if peer not in row.aims:
        return "", None
    least = row.aims[peer]
    return f"at least {least:.3g}", ratio(times[peer], ours) >= least


def floor_of(peers):
    """The name of what shows how fast the work can be: the fastest of the row's floors, or else by hand."""
    by_hand = [name for name in peers if "by hand" in name or "memcpy" in name]
    floors = [name for name in peers if name in FLOORS]
    return min(floors or by_hand, key=peers.get, default=None)


def verdict(peer, met, times):
    """A contender that is itself the floor explains nothing."""
    if met is None:
        return ""
    if met:
        return "yes"
    floor = floor_of({name: statistics.median(measured) for name, measured in times.items()})
    if floor and floor != peer and ratio(times[floor], times["dlferry"]) >= AT_FLOOR:
        return "explained"
    return "no"


def results_of(case, times, threads, **place):
    for peer, measured in times.items():
        aim, met = judged(case.row, peer, times) if threads == 1 else ("", None)
        yield Result(
            case.row.name,
            peer,
            threads,
            case.bytes_moved,
            len(measured),
            statistics.median(measured),
            *quartiles(measured),
            ratio(measured, times["dlferry"]),
            aim,
            verdict(peer, met, times),
            **place,
        )


def write_csv(path, results):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Result)])
        writer.writeheader()
        for result in results:
            writer.writerow(asdict(result))


def read_csv(path):
    with path.open(newline="", encoding="utf-8") as file:
        for line in csv.DictReader(file):
            yield Result(**{field.name: field.type(line[field.name]) for field in fields(Result)})


def by_row(results):
    """{row: [results]}, in the order of the run."""
    rows = {}
    for result in results:
        rows.setdefault(result.row, []).append(result)
    return rows
