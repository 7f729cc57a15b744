#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the generator binds of C libraries whose headers were not written for it; the figures may only rise.

    coverage.py DLFERRY_BIND TABLE REPORT [--update] ROOT...

A library's headers are those of the first ROOT that has them. TABLE, figures.txt, is what was reached: a library that
binds less, or whose guesses reach less, is a failure. One that binds more is one too, until --update has written it
there, so that it cannot fall back unseen. A library whose headers are from elsewhere than those of the table, such as
another release of Debian, is shown and not compared. Status 77: a library has no headers here, NOT RUN says why.
"""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "foreign"))

from known import why_missing, words_of  # noqa: E402
from libraries import LIBRARIES, first_root, root_of  # noqa: E402

COLUMNS = ("functions", "bound", "guessed", "hidden", "left_out")
TITLE = f"{'library':<16}" + "".join(f"{column:>11}" for column in COLUMNS) + "  headers"
HEAD = """# What dlferry-bind binds of headers that were not written for it, as coverage.py counts it.
# "bound": callers get it, or an object's end calls it. "guessed": it needs a contract that --new-contracts guesses.
# `cmake --build --preset headers --target headers_update` writes this file.
"""
REASONS = 4  # the table shows so many of each library


def count(bind, library, root):
    done = subprocess.run([bind, *words_of(library, root), "--coverage", "json"], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip()[:500])
    told = json.loads(done.stdout)
    told["bound"] += told["frees"]
    told["headers"] = origin(library, root)
    return told


def origin(library, root):
    """Where the headers are from: a package of PyPI with its version, or a release of Debian."""
    path = root / "from" / library.name
    return path.read_text().strip() if path.exists() else f"debian-{platform.freedesktop_os_release()['VERSION_ID']}"


def row(name, told):
    return f"{name:<16}" + "".join(f"{told[column]:>11}" for column in COLUMNS) + f"  {told['headers']}".rstrip()


def read_table(path):
    rows = [line.split() for line in path.read_text().splitlines() if line and not line.startswith(("#", "library"))]
    return {
        name: dict(zip(COLUMNS, map(int, figures), strict=True)) | {"headers": headers}
        for name, *figures, headers in rows
    }


def compare(name, told, known):
    """Return what is wrong with a library's figures, or None."""
    if known is None:
        return f"{name}: it is not in the table"
    if told["headers"] != known["headers"]:
        return None
    if told["functions"] != known["functions"]:
        return f"{name}: {told['functions']} functions are read, the table has {known['functions']}"
    for what, of in (("binds", ("bound",)), ("binds, guesses counted,", ("bound", "guessed"))):
        now, was = (sum(figures[key] for key in of) for figures in (told, known))
        if now < was:
            return f"{name}: {what} {now} functions, the table has {was}"
    if row(name, told) != row(name, known):
        return f"{name}: the figures rose: `cmake --build --preset headers --target headers_update` writes them"
    return None


def show_reasons(name, told):
    reasons = told["reasons"][:REASONS]
    return [name, *(f"{len(reason['functions']):>6}  {reason['why']}" for reason in reasons)]


def total(counted):
    return {column: sum(told[column] for told in counted.values()) for column in COLUMNS} | {"headers": ""}


def main():
    update = "--update" in sys.argv
    bind, table, report, *roots = [word for word in sys.argv[1:] if word != "--update"]
    table, report, roots = Path(table), Path(report), [root_of(root) for root in roots]
    known = read_table(table) if table.exists() else {}
    counted, missing, problems = {}, [], []
    for library in LIBRARIES:
        root = first_root(library, roots)
        if root is None:
            missing.append(f"NOT RUN: {library.name}: {why_missing(library, roots)}")
            continue
        try:
            counted[library.name] = count(bind, library, root)
        except RuntimeError as error:
            problems.append(f"{library.name}: {error}")
    if update:
        known.update(counted)
        rows = [row(library.name, known[library.name]) for library in LIBRARIES if library.name in known]
        table.write_text(HEAD + "\n".join([TITLE, *rows]) + "\n")
        sys.exit(bool(problems))
    problems += [why for name, told in counted.items() if (why := compare(name, told, known.get(name)))]
    others = [name for name in counted if name in known and counted[name]["headers"] != known[name]["headers"]]
    notes = [f"{name}: not compared: the table is about {known[name]['headers']}" for name in others]
    lines = [TITLE, *(row(name, told) for name, told in counted.items()), row("all", total(counted)), *notes, *missing]
    for name, told in counted.items():
        lines += ["", *show_reasons(name, told)]
    os.makedirs(report.parent, exist_ok=True)
    report.write_text("\n".join(lines) + "\n")
    print("\n".join(lines + problems))
    if problems:
        sys.exit(1)
    sys.exit(77 if missing else 0)


main()
