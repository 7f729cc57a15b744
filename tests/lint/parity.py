# SPDX-License-Identifier: Apache-2.0
"""Every concept has its home in every language, under the same verb, and names its C function there.

Rust says `#[doc(alias = "dlf_x")]`, Go and Julia end the doc comment with `C: dlf_x`; Python's extension calls it.
"""

import os
import re
import sys
from pathlib import Path

from files import ROOT, sources

# What each binding offers, function by function; alternatives where a runtime must release on its own thread.
CONCEPTS = [
    "create",
    "wrap wrap_queued",
    "from_dlpack",
    "from_dlpack_legacy",
    "to_dlpack",
    "to_dlpack_legacy",
    "to_dlpack_copy",
    "check",
    "release",
    "copy",
    "dltensor",
    "data",
    "flags",
    "describe",
    "format",
    "dtype_format",
    "device_format",
    "version",
    "live",
]
LANGUAGES = {
    "python": ((".py", ".pyi", ".i", ".c", ".h"), r"\b({name})\b"),
    "rust": ((".rs",), r'doc\(alias = "({name})"\)'),
    "go": ((".go",), r"C: [^\n]*\b({name})\b"),
    "julia": ((".jl",), r"C: [^\n]*\b({name})\b"),
}


def homes(language):
    suffixes, pattern = LANGUAGES[language]
    found = {}
    for path in sources(*suffixes):
        if (ROOT / "bindings" / language) not in path.parents or "test" in path.name:
            continue
        for name in re.findall(pattern.replace("{name}", r"dlf_\w+"), path.read_text(encoding="utf-8")):
            found.setdefault(name, path.name)
    return found


def main():
    header = (ROOT / "core/include/dlferry.h").read_text(encoding="utf-8")
    found = {language: homes(language) for language in LANGUAGES}
    missing, rows = [], []
    for concept in CONCEPTS:
        names = ["dlf_" + word for word in concept.split()]
        if not all(f"{name}(" in header for name in names):
            missing.append(f"dlferry.h: {' or '.join(names)}")
        row = [names[0]]
        for language in LANGUAGES:
            home = next((found[language][name] for name in names if name in found[language]), None)
            row.append(home or "-")
            if not home:
                missing.append(f"{language}: {' or '.join(names)}")
        rows.append(row)
    rows.insert(0, ["C function", *LANGUAGES])
    widths = [max(len(row[column]) for row in rows) + 2 for column in range(len(rows[0]))]
    table = "\n".join("".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows)
    print(table)
    if os.environ.get("DLFERRY_REPORT_DIR"):
        Path(os.environ["DLFERRY_REPORT_DIR"], "names.txt").write_text(table + "\n", encoding="utf-8")
    for line in missing:
        print(f"no home: {line}")
    sys.exit(bool(missing))


main()
