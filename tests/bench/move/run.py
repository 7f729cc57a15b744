# SPDX-License-Identifier: Apache-2.0
"""A run of the bench: its rows, with two threads, and how cost grows."""

import re
import sys

import numpy as np
from case import Case, hub
from machine import available, provenance, use_all, use_one
from peers import CASTS as BY_HAND_CASTS
from peers import Peers
from report import HEAD, ROOT, RULE, essence, everything, lines_of, put, size_text, slower_than_peers, summary
from results import read_csv, results_of, write_csv
from rows import FORMS, SHOWN_RANK, casts, grown, moves, small
from timing import FULL, QUICK, TINY, Effort, Pace, measure

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
QUICK_GROWTH = Effort(budget=0.05, shortest=3e-4, least_rounds=1, most_rounds=3)
FULL_GROWTH = Effort(budget=0.3, shortest=1e-3, least_rounds=2, most_rounds=9)
ANY = re.compile("")
THREADED = re.compile("^(dlferry$|torch|memcpy)")
GROWN = re.compile("^(dlferry$|NumPy|torch|JAX|memcpy)")
GROWN_LARGE = re.compile("^(dlferry$|memcpy)")  # the peers take seconds for a GiB: they run at one rank only
LARGE = 64 * MIB
LARGE_RANKS = (1, SHOWN_RANK, 8)
SHARES = {"rows": 0.5, "threads": 0.15, "growth": 0.35}  # of a run's time
HERE = ROOT / "tests/bench/move"


def say(text=""):
    print(text, flush=True)


def progress(text):
    """The row at work, on a terminal; the row's lines take its place."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def draw(results, file):
    from picture import draw as draw_with_matplotlib  # takes a second to import

    draw_with_matplotlib(results, file)


def works(contender):
    """Whether it can do this at all; torch lacks some casts."""
    try:
        contender.seconds(1)
    except (RuntimeError, NotImplementedError, TypeError):
        return False
    return True


def check(contender, case):
    """A contender that writes into the row's memory must move what the row says."""
    written = case.destination.reshape(-1).view(np.uint8)
    written[:] = 1
    contender.seconds(1)
    wanted = case.view.astype(case.destination.dtype, order="C").reshape(-1).view(np.uint8)
    writes_others = contender.name in BY_HAND_CASTS or (case.row.to and contender.name == "torch")
    if not writes_others and (written != 1).any() and (written != wanted).any():
        raise SystemExit(f"{case.row.name}: {contender.name} wrote other elements than NumPy")


class Run:
    def __init__(self, options, processors):
        self.options, self.processors = options, processors
        self.results = []
        self.provenance = provenance(options.quick, len(processors))
        self.effort = FULL
        if options.quick:
            self.effort = QUICK
        if options.tiny:
            self.effort = TINY
        chosen = {"torch", "jax"} - set(options.without.split(","))
        self.peers = Peers(chosen, tiny=options.tiny)
        self.minutes = options.minutes or (2 if options.quick else 10)
        self.table = [row for row in (*moves(), *casts(), *small()) if options.rows.search(row.name)]

    def measure(self, row, effort, threads=1, only=ANY, **place):
        """One row's results; `only` are the peers that take part."""
        case = Case(row, self.options.tiny)
        contenders = [each for each in self.peers.of(case) if only.search(each.name)]
        contenders = [each for each in contenders if works(each)]
        if self.options.tiny:
            for each in contenders:
                check(each, case)
        times = measure(contenders, effort)
        found = list(results_of(case, times, threads, **place))
        case.close()
        self.results += found
        return found

    def pace(self, part, count):
        return Pace(60 * self.minutes * SHARES[part], count)

    def show(self, row, pace, effort, **how):
        effort = pace.next(effort)
        progress(f"{row.name} ({pace})")
        found = self.measure(row, effort, **how)
        progress("")
        say("\n".join(lines_of(found)))

    def rows(self):
        say(f"One thread, processor time. A ratio is the contender's time over dlferry's.\n\n{HEAD}\n{RULE}")
        pace = self.pace("rows", len(self.table))
        for row in self.table:
            self.show(row, pace, self.effort)
        say()
        say("\n".join(summary(self.results)))

    def two_threads(self):
        """Reported, not asked. By the wall's clock: the processor's adds up what the threads take."""
        if len(self.processors) < 2:
            say("\nTwo threads: not run, there is one processor.")
            return
        use_all(self.processors)
        self.peers.use_threads(2, "wall")
        ours = "dlferry's too" if hasattr(hub.library, "dlf_set_threads") else "dlferry has one"
        say(f"\nTwo threads, {ours}; the wall's clock\n\n{HEAD}\n{RULE}")
        table = [row for row in self.table if not row.most_over_loop]
        pace = self.pace("threads", len(table))
        for row in table:
            self.show(row, pace, self.effort.part(0.3), threads=2, only=THREADED)
        self.peers.use_threads(1, "processor")
        use_one()

    def growth(self):
        """Picoseconds for each byte that dlferry reads and writes; the peers' are in the CSV and in the picture."""
        forms = [form for form in FORMS if self.options.rows.search(f"{form}, rank")]
        if not forms:
            return
        sizes = self.sizes()
        pace = self.pace("growth", len(forms) * len(self.ranks()) * len(sizes))
        say("\nHow cost grows: dlferry's picoseconds a byte, read and written, of float32\n")
        say(f"{'strides':26}{'rank':>5}" + "".join(f"{size_text(size):>9}" for size in sizes))
        for form in forms:
            for rank in self.ranks():
                figures = [self.grown(form, rank, size, pace) for size in sizes]
                say(f"{form:26}{rank:5}" + "".join(figures))
        say()
        say("\n".join(slower_than_peers(self.results)))

    def ranks(self):
        return (1, 3, 8) if self.options.quick or self.options.tiny else range(1, 9)

    def sizes(self):
        if self.options.tiny:
            return (KIB,)
        if self.options.quick:
            return (KIB, 16 * KIB, 256 * KIB, 4 * MIB)
        return tuple(KIB << shift for shift in range(0, 21, 2))

    def grown(self, form, rank, size, pace):
        row = grown(form, rank, size)
        effort = QUICK_GROWTH if self.options.quick else FULL_GROWTH
        effort = pace.next(TINY if self.options.tiny else effort)
        progress(f"{row.name} ({pace})")
        if available() < 4 * size + GIB:
            return f"{'memory':>9}"
        if size > LARGE and rank not in LARGE_RANKS:
            return f"{'-':>9}"
        only = GROWN if size <= LARGE or rank == SHOWN_RANK else GROWN_LARGE
        found = self.measure(row, effort, only=only, form=form, rank=rank)
        progress("")
        return f"{found[0].seconds / found[0].bytes_moved * 1e12:9.1f}"

    def finish(self):
        """Write everything; the exit status is 1 if a row is missing."""
        out = self.options.out
        out.mkdir(parents=True, exist_ok=True)
        write_csv(out / "move.csv", self.results)
        if list(read_csv(out / "move.csv")) != self.results:
            raise SystemExit("move.csv: expected what was measured, got something else")
        say(f"\n{out / 'move.csv'}")
        if "picture" not in self.options.without and not self.options.rows.pattern:
            draw(self.results, out / "move.png")
            say(f"{out / 'move.png'}")
        if self.options.readme:
            self.publish()
        missing = {row.name for row in self.table} - {result.row for result in self.results}
        if missing:
            say(f"FAILED: without a result: {', '.join(sorted(missing))}")
        return 1 if missing else 0

    def publish(self):
        draw(self.results, HERE / "move.png")
        shown = [row.name for row in self.table if row.shown]
        one = [result for result in self.results if result.threads == 1 and not result.form]
        two = [result for result in self.results if result.threads == 2]
        put(ROOT / "README.md", essence(one, shown))
        lines = [self.provenance, "", *summary(one), "", *everything(one)]
        lines += ["", "Two threads, by the wall's clock:", "", *everything(two)]
        put(HERE / "README.md", lines)
