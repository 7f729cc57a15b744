# SPDX-License-Identifier: Apache-2.0
"""Turn the shared cases into C: cases_rows.py OUT HEADER LANGUAGES CASES...

OUT gets cases.inc, a row a case, and views.inc, a call of each view in HEADER that takes only ints: a number, or a list
and its length.
"""

import json
import re
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


def views(header):
    """C functions that pass a case's ints to a function of the hub, and the list of their names."""
    calls = []
    declared = r"dlf_status dlf_(\w+)\(dlf_tensor \*self, ([^)]*?)dlf_tensor \*\*out, dlf_error \*error\);"
    for name, parameters in re.findall(declared, " ".join(header.split())):
        words = [word.strip() for word in parameters.split(",") if word.strip()]
        if words and words[0].startswith("const int64_t *"):
            arguments = ["k->c->ints", "k->c->count"]
        elif all(word.startswith("int64_t ") for word in words):
            arguments = [f"k->c->ints[{i}]" for i in range(len(words))]
        else:
            continue
        call = f"dlf_{name}({', '.join(['k->x', *arguments, '&k->out', '&k->error'])})"
        calls.append((name, f"static dlf_status do_{name}(call *k) {{\n  return {call};\n}}\n"))
    assert len(calls) > 9, "the header's views are not found"
    listed = ", ".join(f"OPERATION({name})" for name, _ in calls)
    return "".join(function for _, function in calls) + f"#define VIEWS {listed}\n"


def main(out, header, languages, *files):
    cannot = json.loads(Path(languages).read_text(encoding="utf-8"))["cannot"].get("c", {})
    cases = [case for file in files for case in json.loads(Path(file).read_text(encoding="utf-8"))["cases"]]
    assert len({case["name"] for case in cases}) == len(cases), "two cases have one name"
    Path(out, "cases.inc").write_text("".join(row(case, cannot) for case in cases), encoding="utf-8")
    Path(out, "views.inc").write_text(views(Path(header).read_text(encoding="utf-8")), encoding="utf-8")


main(*sys.argv[1:])
