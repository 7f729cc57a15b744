# SPDX-License-Identifier: Apache-2.0
"""Each public function has its home in each language, is named there, and has an example that runs as a test.

The functions are those of the public headers. The home of a function names it: `doc(alias = "dlf_x")` in Rust,
`C: dlf_x` at the end of the doc comment in Go and Julia, and in Python the tables of
bindings/python/extension/documented.py, which end the docstrings likewise. A function has no home anywhere if the
banner of its section in the header, or its comment, says `C only:` and why. Every other exception is a line of
parity.txt: function, languages and why; `example:FUNCTION` is a home whose example parity_examples.py does not find.
"""

import os
import re
import sys
from pathlib import Path

from files import ROOT, sources
from parity_examples import FINDERS

MARK = "C only"
HEADERS = [path for path in sorted((ROOT / "core/include").rglob("*.h")) if path.parent.name != "dlpack"]
EXCEPTIONS = Path(__file__).with_name("parity.txt")
LANGUAGES = {
    "python": ("extension/documented.py", ".py", r'"(dlf_[\w, ]+)"'),
    "rust": ("dlferry/src", ".rs", r"doc\(([^)]*)\)"),
    "go": ("", ".go", r"// C: ([^\n]*)"),
    "julia": ("src", ".jl", r"C: ([^\n]*)"),
}


def functions():
    """{public function: why the header keeps it to C, or nothing}."""
    found = {}
    banner, declared = (
        r"/\* ---- (?:(?!\*/).)*\*/",
        r"(?:(/\*\*(?:(?!\*/).)*\*/)\n)?^(?:DLF_API|static inline)\b[^;{(]*?\b(dlf_\w+)\([^;{]*[;{]",
    )
    for path in HEADERS:
        section = None
        for note in re.finditer(rf"{banner}|{declared}", path.read_text(encoding="utf-8"), re.S | re.M):
            if note[2]:
                found[note[2]] = section or reason(note[1] or "", note[2])
            else:
                section = reason(note[0], path.name)
    return found


def reason(comment, name):
    """Why a comment keeps something to C."""
    comment = " ".join(re.sub(r"\n \*", " ", comment).split())
    if MARK not in comment:
        return None
    why = re.search(rf"{MARK}: (\w.+)", comment)
    return why[1] if why else sys.exit(f"{name}: expected a reason after '{MARK}:' in its comment")


def homes(language):
    """{function: the file that is its home} in a language."""
    place, suffix, pattern = LANGUAGES[language]
    root, found = ROOT / "bindings" / language / place, {}
    for path in sources(suffix):
        inside = path == root or root in path.parents  # as one lies in the checkout: that may lie in a folder "tests"
        inside = inside and not re.search(r"(^|/)tests?(/|$)|_test\.", path.relative_to(ROOT).as_posix())
        for words in re.findall(pattern, path.read_text(encoding="utf-8")) if inside else ():
            found |= {name: path.name for name in re.findall(r"\bdlf_\w+", words)}
    return found


def exceptions():
    """{(function, language): why}."""
    found = {}
    for line in EXCEPTIONS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, languages, why = line.split(None, 2)
            for language in languages.split(","):
                if (name, language) in found:
                    sys.exit(f"parity.txt: {name} has two lines for {language}")
                found[name, language] = why
    return found


def unshown(public, excepted):
    """The same for examples."""
    for language, find in FINDERS.items():
        for name, shown in find().items():
            why = excepted.pop((f"example:{name}", language), None)
            if shown and why:
                yield f"{name}: has an example in {language}, and parity.txt excepts it"
            if name in public and not public[name] and not shown and not why:
                yield f"{name}: has no example that runs as a test in {language}"


def problems(public, found, excepted):
    for name, only_c in public.items():
        for language in LANGUAGES:
            home, why = found[language].get(name), excepted.get((name, language))
            if home and only_c:
                yield f"{name}: has a home in {language}, {home}, and is marked '{MARK}' in the header"
            if home and why:
                yield f"{name}: has a home in {language}, {home}, and parity.txt excepts it"
            if not home and not only_c and not why:
                yield f"{name}: has no home in {language}"
    for name, language in excepted:
        if name not in public or public[name] or language not in LANGUAGES:
            yield f"parity.txt: no exception is needed for {name} in {language}"


def main():
    public, excepted = functions(), exceptions()
    found = {language: homes(language) for language in LANGUAGES}
    table = [["C function", *LANGUAGES]]
    for name, only_c in public.items():
        table.append([name, *(found[language].get(name, MARK if only_c else "-") for language in LANGUAGES)])
    widths = [max(len(row[column]) for row in table) + 2 for column in range(len(table[0]))]
    text = "\n".join(
        "".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table
    )
    print(text)
    if os.environ.get("DLFERRY_REPORT_DIR"):
        Path(os.environ["DLFERRY_REPORT_DIR"], "names.txt").write_text(text + "\n", encoding="utf-8")
    kept, count = sum(map(bool, public.values())), len(excepted)
    bad = [*unshown(public, excepted), *problems(public, found, excepted)]
    for line in bad:
        print(line)
    print(f"parity: {len(public)} functions, {kept} in C only, {count} exceptions, {len(bad)} faults")
    sys.exit(bool(bad) or len(public) < 50)


main()
