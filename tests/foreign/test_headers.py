#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Headers that were not written for dlferry-bind: none of their pointers to numbers is bound by its type alone.

    test_headers.py DLFERRY_BIND ROOT REPORT

A place for one number would be too small for an array. Without a file of contracts no function may have such a place.
"""

import json
import subprocess
import sys
from pathlib import Path

from libraries import LIBRARIES, MORE, command, root_of

NUMBERS = ("integer", "real", "complex", "bool", "enum")
REFUSED = "a pointer to a number"  # how its line begins


def places(function):
    return [p["name"] for p in function["params"] if p.get("returned") and p["kind"] in NUMBERS]


def main():
    bind, root, report = sys.argv[1], root_of(sys.argv[2]), Path(sys.argv[3])
    rows, missing, problems = ["library         functions  bound  pointers to numbers left out"], [], []
    for library in LIBRARIES + MORE:
        words = command(library, root)
        if words is None:
            missing.append(library.name)
            continue
        done = subprocess.run([bind, *words, "--ir"], capture_output=True, text=True)
        if done.returncode:
            problems.append(f"{library.name}: {done.stderr[:500]}")
            continue
        functions = json.loads(done.stdout)["functions"]
        bound = [f for f in functions if f["unbound"] is None]
        left = sum(REFUSED in f["unbound"] for f in functions if f["unbound"])
        problems += [f"{library.name}: {f['name']}: {' '.join(places(f))}" for f in bound if places(f)]
        rows.append(f"{library.name:<14}{len(functions):>11}{len(bound):>7}{left:>32}")
        if not functions:
            problems.append(f"{library.name}: no function was read")
    rows += [f"not run: {name}: this release of Debian has no headers of it" for name in missing]
    report.parent.mkdir(exist_ok=True)
    report.write_text("\n".join(rows) + "\n")
    print(report.read_text() + "\n".join(problems))
    sys.exit(bool(problems))


main()
