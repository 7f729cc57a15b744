# SPDX-License-Identifier: Apache-2.0
"""Every cell of one system, in this interpreter: one_peer.py NAME [--after N | --probe N]

Prints one line of JSON for each cell, and one before it, so that the caller knows which cell ended the process.
"""

import argparse
import faulthandler
import gc
import importlib
import json
import platform
import re
import resource
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "adapters"), str(Path(sys.prefix) / "modules")]

import dlferry  # noqa: E402
from adapter import NoForm, NotRun  # noqa: E402
from cells import DTYPES, cases  # noqa: E402
from systems import SYSTEMS  # noqa: E402
from witness import Producer, Seen, Watched, elements_of  # noqa: E402

GIGABYTES = 12  # of memory, so that a shape that has gone wrong does not take the machine's


class Miss(Exception):
    """A cell that did not work; `kind` is what a probe of the peer alone must show too."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


def first_line(error):
    """An exception in a line that is the same in every run."""
    lines = str(error).strip().splitlines() or [""]
    line = next((line for line in lines if not line.startswith(("Traceback", "  ", "[bt]"))), lines[-1])
    line = "".join(c if c.isprintable() else "?" for c in line.strip())
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", f"{type(error).__name__}: {line}")
    return text if len(text) <= 160 else text[:157] + "..."


def bare(error):
    """The exception without the frames that it passed, whose variables would stay alive."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def attempt(kind, function, *arguments):
    try:
        return function(*arguments)
    except (NoForm, NotRun, Miss):
        raise
    except Exception as error:
        raise Miss(kind, first_line(error)) from None


def until(done, wait_for=None):
    """Whether a condition comes true: some systems release on a thread of their own."""
    for wait in (0, 0, 0.01, 0.1, 1):
        if done():
            return True
        if wait_for:
            wait_for()
        gc.collect()
        time.sleep(wait)
    return done()


def compare(case, seen, name):
    """Raise for a dtype, shape or elements that are not the case's."""
    if seen.dtype != name:
        raise Miss(f"dtype {seen.dtype}", f"{name} arrives as {seen.dtype}")
    if tuple(seen.shape) != case.shape:
        raise Miss("shape", f"shape {list(case.shape)} arrives as {list(seen.shape)}")
    if seen.elements != case.expected:
        raise Miss("values", "the values are wrong")


def seen_in_dlferry(t):
    """What dlferry says of its tensor, the elements from the memory that it points to."""
    dtype = str(t.dtype)
    bits = DTYPES.get(dtype, (0, 8))[1]
    padded, read_only = bool(t.flags & 4), bool(t.readonly)
    shape, strides = tuple(t.shape), tuple(t.strides)
    lanes = 4 if dtype.endswith("x4") else 1
    elements = elements_of(t.data, shape, strides, bits * lanes, padded)
    return Seen(dtype, shape, elements, t.data, read_only, padded)


# ---- the two directions ----


def check_from(peer, case):
    """peer -> dlferry, as a user does it, then again through a capsule whose deleter counts."""
    try:
        x = peer.make(case)
        told = peer.read(x)
    except NoForm:
        raise
    except Exception as error:
        raise NoForm(first_line(error)) from None
    name, before = peer.dtype_name(case), dlferry.live()
    if told.elements != case.expected or tuple(told.shape) != case.shape:
        raise Miss("made", "the peer's own reading of its array is wrong")
    t = attempt("refuses", peer.give_to, dlferry, x)
    seen = seen_in_dlferry(t)
    compare(case, seen, name)
    if peer.tells_read_only and case.read_only and not seen.read_only:
        raise Miss("writable", "arrives writable")
    if case.layout == "padded" and not seen.padded and seen.dtype == case.dtype:
        raise Miss("flag", "arrives without the flag for padded elements")
    address = peer.read(x).address
    copied = case.expected and address is not None and address != seen.address
    del told
    if dlferry.live() <= before:
        raise Miss("count", "the live count did not rise")
    reference = peer.weak(x)
    del x
    if seen_in_dlferry(t).elements != case.expected:
        raise Miss("values", "the values change once the peer's own reference is gone")
    del t
    if not until(lambda: dlferry.live() == before, peer.wait):
        raise Miss("leak", "the tensor stays alive")
    if reference and not until(lambda: reference() is None, peer.wait):
        raise Miss("leak", "the peer's array stays alive")
    x = peer.make(case)
    counted = sys.getrefcount(x)
    if peer.exports:
        count_deleter(peer, Watched(peer.give(x), peer.export))
    if not until(lambda: sys.getrefcount(x) == counted, peer.wait):
        raise Miss("leak", "a reference to the peer's array stays")
    if copied:
        raise Miss("copied", "copied without being asked")
    return "same"


def count_deleter(peer, watched):
    if exports(watched):
        t = attempt("refuses", dlferry.from_dlpack, watched)
        del t
        if not until(lambda: watched.deletions == watched.exports, peer.wait):
            raise Miss("deleter", f"the deleter ran {watched.deletions} times for {watched.exports} exports")
        watched.source = None


def exports(producer):
    """Whether a producer exports at all: dlferry reads some arrays without their help."""
    try:
        producer.export(producer.source)
    except Exception:
        producer.source = None
        return False
    return True


def check_to(peer, case, source, witness=Producer):
    """A producer -> peer: `source` is what turns the witness into what the peer takes."""
    before, p = dlferry.live(), witness(case)
    try:
        return exchange_to(peer, case, source, p, before)
    finally:
        p.settle()


def exchange_to(peer, case, source, p, before):
    given = attempt("given", source, p)
    x = attempt("refuses", peer.take, given)
    p.settle()
    seen = attempt("unreadable", peer.read, x)
    compare(case, seen, peer.dtype_name(case))
    if case.read_only and seen.read_only is False and not peer.copies:
        raise Miss("writable", "arrives writable")
    address = peer.read(x).address
    copied = case.expected and address is not None and address != p.address and not peer.copies
    read_only = seen.read_only
    del given, seen
    if peer.read(x).elements != case.expected:
        raise Miss("values", "the values change once the other references are gone")
    if case.expected and not copied and not peer.copies and p.deletions:
        raise Miss("deleter", "released while the peer's array is alive")
    del x
    if not until(lambda: p.deletions == p.exports and dlferry.live() == before, peer.wait):
        raise Miss("deleter", f"the deleter ran {p.deletions} times for {p.exports} exports")
    if case.read_only and read_only is None and not copied and not peer.copies:
        raise Miss("unflagged", "the peer has no read-only arrays, so it may write")
    if copied:
        raise Miss("copied", "copied without being asked")
    return "same"


def by_dlferry(p):
    return dlferry.from_dlpack(p)


def by_witness(p):
    return p.given


# ---- whose fault ----


def probe_from(peer, case, miss):
    """Whether the peer's own capsule shows the miss; a text, or None."""
    x = peer.make(case)
    try:
        seen = peer.probe_export(x)
    except Exception as error:
        return f"its export alone: {first_line(error)}"
    try:
        compare(case, seen, peer.dtype_name(case))
    except Miss as alone:
        return f"its capsule alone: {alone}"
    if miss.kind == "writable" and not seen.read_only:
        return "its capsule alone has no read-only flag"
    if miss.kind == "flag" and not seen.padded:
        return "its capsule alone has no flag for padded elements"
    if miss.kind == "copied" and seen.address != peer.read(x).address:
        return "its capsule alone holds a copy"
    return None


def probe_to(peer, case, miss):
    """Whether the peer misses in the same way without dlferry; a text, or None.

    A peer that reads dlferry's exchange table is given one made by hand too.
    """
    for witness, kind in peer.witnesses:
        try:
            check_to(peer, case, by_witness, witness)
        except Miss as caught:
            alone = bare(caught)
            if alone.kind == miss.kind:
                return f"given {kind} made by hand: {alone}"
    return None


def instead_from(peer, case):
    """What a user can do instead of sharing it: text, or nothing."""
    x = peer.make(case)
    t = peer.give_to(dlferry, x, copy=True)
    compare(case, seen_in_dlferry(t), peer.dtype_name(case))
    return "a copy"


def instead_to(peer, case):
    """Another way that shares, else a copy."""
    p = Producer(case)
    try:
        t = dlferry.from_dlpack(p)
        if peer.other_way:
            try:
                seen = peer.read(peer.take_otherwise(t))
                compare(case, seen, peer.dtype_name(case))
                shared = not case.expected or seen.address == p.address or peer.copies
                return peer.other_way if shared else f"{peer.other_way}, a copy"
            except Exception as error:
                bare(error)
        compare(case, peer.read(peer.take(t.copy())), peer.dtype_name(case))
        return "a copy"
    finally:
        p.settle()


def cell(peer, case, direction):
    """The row of one cell: what happened, and after a miss at whose fault and what works instead."""
    peer.case = case
    try:
        if direction == "from":
            return {"result": check_from(peer, case)}
        return {"result": check_to(peer, case, by_dlferry)}
    except NoForm as error:
        return {"result": "none", "text": str(error)}
    except Miss as caught:
        miss = bare(caught)
    probe, instead = (probe_from, instead_from) if direction == "from" else (probe_to, instead_to)
    row = {"result": miss.kind.partition(" ")[0], "text": str(miss), "fault": "dlferry"}
    proof = None if miss.kind in ("leak", "count", "given") else probe(peer, case, miss)
    if miss.kind == "made" or proof:
        row.update(fault="peer", proof=proof or str(miss))
    try:
        row["instead"] = instead(peer, case)
    except Exception as error:
        bare(error)
        row["instead"] = ""
    return row


def left_out_row(dtype):
    """The row of a cell that is not tried, since another dtype has ended the process in the same way."""
    text = "not tried: it would end the process"
    return {"result": "left out", "text": text, "fault": "peer", "proof": f"{dtype} does", "instead": ""}


def watch(seconds):
    """Show where the process is if it is there for so long."""
    if seconds:
        faulthandler.dump_traceback_later(seconds)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name")
    parser.add_argument("--after", type=int, default=-1, help="the number of the last cell that has been tried")
    parser.add_argument("--probe", type=int, help="the number of a cell to try without dlferry")
    parser.add_argument(
        "--left-out", nargs=3, action="append", default=[], help="a direction and a layout, and the dtype that ended it"
    )
    parser.add_argument("--stuck", type=float, default=0, help="seconds, after which a cell's trace goes to stderr")
    options = parser.parse_args()
    if {system.key: system.environment for system in SYSTEMS}.get(options.name) != "gpu":  # CUDA maps more than that
        resource.setrlimit(resource.RLIMIT_DATA, (GIGABYTES << 30, GIGABYTES << 30))

    def say(row):
        print(json.dumps(row), flush=True)

    try:
        peer = importlib.import_module(f"peer_{options.name}").Peer()
        say({"peer": peer.name, "version": peer.versions(), "python": platform.python_version(), "ways": peer.ways})
    except (NotRun, ImportError) as error:
        say({"not_run": str(error)})
        return
    grid = [(case, direction) for direction in ("from", "to") for case in cases(peer.dtypes, peer.flat)]
    watch(options.stuck)
    for case, direction in grid[:1] + grid[-1:]:
        say({"begin": {"number": 0, "of": len(grid), "direction": direction, "dtype": case.dtype, "layout": "first"}})
        cell(peer, case, direction)  # once for what the first use imports and keeps
    gc.collect()
    gc.freeze()  # it is not searched for each cell
    if options.probe is not None:
        case, direction = grid[options.probe]
        peer.case = case
        probe = probe_from if direction == "from" else probe_to
        say({"probe": probe(peer, case, Miss("crashes", ""))})
        return
    left_out = {(direction, layout): dtype for direction, layout, dtype in options.left_out}
    for number, (case, direction) in enumerate(grid):
        if number <= options.after:
            continue
        row = {"number": number, "of": len(grid), "direction": direction, "dtype": case.dtype, "layout": case.layout}
        if (direction, case.layout) in left_out:
            say({**row, **left_out_row(left_out[direction, case.layout])})
            continue
        say({"begin": row})
        watch(options.stuck)
        say({**row, **cell(peer, case, direction)})
    gc.collect()
    say({"end": len(grid), "live": dlferry.live()})


if __name__ == "__main__":
    main()
