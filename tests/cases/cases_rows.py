# SPDX-License-Identifier: Apache-2.0
"""Turn the shared cases into C, a row a case: cases_rows.py OUT LANGUAGES CASES..."""

import json
import sys
from pathlib import Path


def literal(text):
    """Octal escapes, which end after three digits."""
    return '"' + "".join(c if 32 <= ord(c) < 127 and c not in '"\\?' else f"\\{ord(c):03o}" for c in text) + '"'


def numbers(kind, values):
    return f"{len(values)}, ({kind}[]){{{', '.join(map(str, values)) or 0}}}"


def row(case, cannot):
    """A closed tensor is an operation of its own here: C has none."""
    case = case | {"op": "closed"} if case.get("closed") else case
    texts = [literal(case[key]) if key in case else "NULL" for key in ("name", "op", "x", "y", "text")]
    status, message = case.get("fails", ["OK", case.get("gives", "")])
    listed = cannot.get(case["op"], cannot.get(case["name"]))
    why = literal(listed) if listed else "NULL"
    parts = [*texts, numbers("int64_t", case.get("ints", [])), numbers("double", case.get("reals", []))]
    return f"{{{', '.join([*parts, f'DLF_{status}', literal(message), why])}}},\n"


def main(out, languages, *files):
    cannot = json.loads(Path(languages).read_text(encoding="utf-8"))["cannot"].get("c", {})
    cases = [case for file in files for case in json.loads(Path(file).read_text(encoding="utf-8"))["cases"]]
    assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    Path(out).write_text("".join(row(case, cannot) for case in cases), encoding="utf-8")


main(*sys.argv[1:])
