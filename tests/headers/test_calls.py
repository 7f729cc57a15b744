#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Contracts beside headers that stay as they are, called: no accepted call of the generated tests may touch memory
that is not its own, under the address sanitizer, in the library itself where it is here, and in stubs of every library.

    test_calls.py DLFERRY_BIND CC HUB REPORT [--update] ROOT... [FLAG...]

entered.txt has how many functions of each library were entered: fewer are a failure, and --update writes what is
reached. The report names those that were not. LIBRARY=NAME in the environment picks one; KEEP=FOLDER keeps the files.
"""

import os
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "foreign"))

from attempt import Attempt, folder_for  # noqa: E402
from known import words_of  # noqa: E402
from libraries import LIBRARIES, first_root, root_of  # noqa: E402
from stubbed import Stubbed  # noqa: E402
from stubs import own_name  # noqa: E402


def attempt(of, bind, library, root, tools):
    """One attempt, in a folder of its own; returns it and how many calls were made and left out."""
    with folder_for(f"{of.__name__}/{library.name}") as folder:
        made = of(bind, words_of(library, root), library, root, folder)
        return made, *made.call(*tools)


TABLE = HERE / "entered.txt"
HEAD = """# Functions of C in which the calls of test_calls.py ended, in stubs or in the library itself: no fewer may.
# `cmake --build --preset headers --target headers_calls_update` writes this file.
"""


def read_table(path):
    rows = [line.split() for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {name: int(entered) for name, entered in rows}


def compare(counted, known):
    """Return what is wrong with the counts."""
    fewer = [name for name, entered in counted.items() if entered < known.get(name, 0)]
    for name in counted.keys() - set(fewer):
        if counted[name] > known.get(name, 0):
            print(f"{name}: more is entered than the table has: the target headers_calls_update writes it")
    return [f"{name}: {counted[name]} functions are entered, the table has {known[name]}" for name in fewer]


def write_table(counted, known):
    known = {**known, **counted}
    names = [library.name for library in LIBRARIES if library.name in known]
    TABLE.write_text(HEAD + "".join(f"{name:<16}{known[name]:>5}\n" for name in names))


def ended_in_c(attempt):
    """The functions of C in which calls of the library itself ended."""
    names = {f["short_name"]: own_name(f) for f in attempt.ir["functions"] if not f.get("member_of")}
    called = re.findall(r"^([^/\n]+)/.*\t(?:OK|FOREIGN)\t", attempt.printed, re.M)
    return {names[call] for call in called if call in names}


def here(library, root):
    return any((root / "usr/lib").glob(f"*-linux-gnu*/lib{name}.so") for name in library.links)


def main():
    update = "--update" in sys.argv
    bind, cc, hub, report, *others = [word for word in sys.argv[1:] if word != "--update"]
    known, counted = read_table(TABLE), {}
    flags = [word for word in others if word.startswith("-")]
    roots = [root_of(word) for word in others if not word.startswith("-")]
    left_alone, problems = [], []
    rows = [f"{'library':<16}{'bound':>7}{'entered':>9}{'calls':>7}{'left':>6}{'in C':>6}"]
    for library in LIBRARIES:
        root = first_root(library, roots)
        if root is None or os.environ.get("LIBRARY", library.name) != library.name:
            continue
        tools = (cc, hub, flags)
        stubbed, calls, left = attempt(Stubbed, bind, library, root, tools)
        bound = {own_name(f) for f in stubbed.ir["functions"] if not f["unbound"]}
        entered, own = stubbed.entered() & bound, 0
        problems += [f"{library.name}, stubs: {problem}" for problem in stubbed.problems]
        if here(library, root):
            real, own, _ = attempt(Attempt, bind, library, root, tools)
            problems += [f"{library.name}: {problem}" for problem in real.problems]
            entered |= ended_in_c(real) & bound
        counted[library.name] = len(entered)
        rows.append(f"{library.name:<16}{len(bound):>7}{len(entered):>9}{calls:>7}{left:>6}{own:>6}")
        left_alone += [f"{library.name}: {name}" for name in sorted(bound - entered)]
        print(rows[-1], flush=True)
    if update:
        write_table(counted, known)
    else:
        problems += compare(counted, known)
    Path(report).parent.mkdir(exist_ok=True)
    Path(report).write_text("\n".join([*rows, "", "Not entered:", *left_alone]) + "\n")
    print("\n".join([rows[0], *problems]))
    sys.exit(bool(problems))


main()
