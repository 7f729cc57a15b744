# SPDX-License-Identifier: Apache-2.0
"""The tables of statuses agree with dlf_status in dlferry.h: names, numbers, order, and the text if there is one."""

import re
import sys

from files import ROOT, sources

HEADER = "core/include/dlferry.h"


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def between(text, start, end):
    return text.partition(start)[2].partition(end)[0]


def statuses():
    """[(name, number, text)], OK first."""
    body = between(read(HEADER), "typedef enum dlf_status {", "} dlf_status;")
    found = re.findall(r"DLF_(\w+) = (\d+),?\s*(?:/\*\*< (.*?) \*/)?", body, re.S)
    return [(name, int(number), " ".join(text.split())) for name, number, text in found]


def sentence(text):
    return text[:1].upper() + text[1:] + "."


def camel(name):
    return "".join(word.capitalize() for word in name.split("_"))


def tables(known):
    """(file, its entries, the expected entries)."""
    failures = [(name, text) for name, _, text in known if name != "OK"]
    names = between(read("core/hub/error.c"), "names[] = {", "}")
    yield "core/hub/error.c", re.findall(r'"(\w+)"', names), [name for name, _, _ in known]
    python = read("bindings/python/src/dlferry/errors.py")
    members = re.findall(r"^    (\w+) = (\d+)$", between(python, "class Status", "class Error"), re.M)
    yield "errors.py, Status", members, [(name, str(number)) for name, number, _ in known]
    error = r'^class \w+\((?:MemoryError, )?Error\b[^"]*"""([^\n"]*).*?status = Status\.(\w+)'
    classes = re.findall(error, python, re.M | re.S)
    yield "errors.py, classes", classes, [(sentence(text), name) for name, text in failures]
    rust = re.findall(
        r"/// ([^\n]*)\n\s*(\w+),", between(read("bindings/rust/dlferry/src/error.rs"), "enum ErrorKind", "\n}")
    )
    yield "error.rs", rust, [(sentence(text), camel(name)) for name, text in failures]
    go = re.findall(r"Err(\w+) +Status = C\.DLF_(\w+) +// ([^\n]*)", read("bindings/go/error.go"))
    yield "error.go", go, [(camel(name), name, text) for name, text in failures]
    julia = between(read("bindings/julia/src/error.jl"), '"""', '"""')
    said = re.findall(r"\b[A-Z_]{4,}\b", julia)
    yield "error.jl", sorted(set(said)), sorted(name for name, _ in failures)


def main():
    known = statuses()
    bad = []
    if len(known) < 13 or [number for _, number, _ in known] != list(range(len(known))):
        bad.append(f"{HEADER}: expected statuses counted from 0, got {known}")
    for file, says, must in tables(known):
        if says != must:
            wrong = [pair for pair in zip([*says, None], [*must, None], strict=False) if pair[0] != pair[1]][:1]
            bad.append(f"{file}: differs from {HEADER}: got {wrong[0][0]}, expected {wrong[0][1]}")
    for path in sources(".c", ".h", ".go"):
        for name in re.findall(r"<= (?:C\.)?DLF_([A-Z_]+)\b", path.read_text(encoding="utf-8")):
            if name in {name for name, _, _ in known}:
                bad.append(f"{path.relative_to(ROOT)}: takes {name} for the last status, expected dlf_status_name")
    for line in bad:
        print(line)
    print(f"statuses: {len(known)} in the header, {len(bad)} faults")
    sys.exit(bool(bad))


main()
