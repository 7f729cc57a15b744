# SPDX-License-Identifier: Apache-2.0
"""Times of contenders that take turns, round by round, and the medians of these."""

import statistics
import time
from dataclasses import dataclass, replace
from typing import Callable

CLOCKS = {"processor": time.process_time, "wall": time.perf_counter}
MOST_CALLS = 1 << 20


@dataclass
class Contender:
    """`seconds(n)` is the time of n calls; `scale` turns it into the time of as many bytes as the row has."""

    name: str
    seconds: Callable[[int], float]
    scale: float = 1


@dataclass(frozen=True)
class Effort:
    """How long a row may take, and the shortest time that is measured."""

    budget: float
    shortest: float
    least_rounds: int
    most_rounds: int

    def part(self, share):
        return replace(self, budget=self.budget * share)

    def within(self, seconds):
        """The same in less time: at last with few rounds."""
        if seconds >= self.budget:
            return self
        return replace(self, budget=seconds, least_rounds=min(self.least_rounds, 3))


class Pace:
    """Shares the time of a part of the run among what is left of it."""

    def __init__(self, seconds, count):
        self.end, self.count, self.done = time.monotonic() + seconds, count, 0

    def next(self, effort):
        left = max(0, self.end - time.monotonic())
        share = left / max(1, self.count - self.done)
        self.done += 1
        return effort.within(share)

    def __str__(self):
        left = max(0, self.end - time.monotonic())
        return f"{self.done} of {self.count}, at most {left / 60:.0f} minutes to go"


FULL = Effort(budget=3, shortest=2e-3, least_rounds=7, most_rounds=41)
QUICK = Effort(budget=0.2, shortest=1e-3, least_rounds=3, most_rounds=11)
TINY = Effort(budget=0, shortest=0, least_rounds=1, most_rounds=1)


def calls_for(contender, shortest):
    """How many calls take so long that the clock is no part of their time."""
    calls = 1
    while True:
        seconds = contender.seconds(calls)
        if seconds >= shortest or calls >= MOST_CALLS:
            return calls, seconds
        calls = min(MOST_CALLS, calls * max(2, min(64, int(shortest / max(seconds, 1e-9)))))


def measure(contenders, effort):
    """{name: [seconds of one call, round by round]}; every contender has run before."""
    counts, round_seconds = {}, 0
    for contender in contenders:
        counts[contender.name], seconds = calls_for(contender, effort.shortest)
        round_seconds += seconds
    rounds = int(effort.budget / max(round_seconds, 1e-9))
    rounds = max(effort.least_rounds, min(rounds, effort.most_rounds))
    times = {contender.name: [] for contender in contenders}
    for number in range(rounds):
        for contender in contenders if number % 2 == 0 else contenders[::-1]:
            calls = counts[contender.name]
            times[contender.name].append(contender.seconds(calls) / calls * contender.scale)
    return times


def ratio(peer, ours):
    return statistics.median(theirs / mine for theirs, mine in zip(peer, ours, strict=True))


def excess(ours, peer):
    """How much longer ours takes."""
    return statistics.median(mine - theirs for mine, theirs in zip(ours, peer, strict=True))
