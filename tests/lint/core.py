# SPDX-License-Identifier: Apache-2.0
"""What the core's C must hold to: core.py analyze|direction|amalgam|exports ARGUMENTS.

analyze CC              gcc's static analyzer finds nothing in the hub and the generator
direction CC            each folder of the core uses only those before it
amalgam CC CMAKE        the core and the generator compile as one file each, and run
exports LIBRARY         libdlferry.so shows its public functions and nothing else, and is never unloaded
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT

# What the analyzer of gcc 12 gets wrong: it does not see that a caller's own reference keeps the queue from being
# freed, nor that a pointer to the first member of an export is kept by its consumer.
ACCEPTED = {
    "queue.c": ["-Wno-analyzer-use-after-free", "-Wno-analyzer-double-free"],
    "exchange.c": ["-Wno-analyzer-malloc-leak"],
}
BASE = ["-std=c11", "-O1", f"-I{ROOT / 'core/include'}", f"-I{ROOT / 'core'}", "-c"]
# Folders of the core, each using only those before it.
FOLDERS = [
    *"hub contract bind/base bind/read bind/emit bind/twin bind/cases".split(),
    *"bind/python bind/rust bind/go bind/julia bind".split(),
]


def sources():
    """Every C file of the core, folder by folder."""
    return [(rank, path) for rank, name in enumerate(FOLDERS) for path in sorted((ROOT / "core" / name).glob("*.c"))]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def analyze(compiler):
    if "Free Software Foundation" not in run(compiler, "--version").stdout:
        print("not run: -fanalyzer is gcc's")
        sys.exit(77)
    bad = 0
    flags = ["-fanalyzer", "-fdiagnostics-path-format=none", "-Werror"]
    for _, source in sources():
        result = run(compiler, *BASE, *flags, *ACCEPTED.get(source.name, []), source, "-o", "/dev/null")
        print(f"{source.name}: {'clean' if result.returncode == 0 else result.stderr}")
        bad += result.returncode != 0
    return bad


def symbols(kinds, path):
    rows = [line.split() for line in run("nm", "-P", "-g", path).stdout.splitlines()]
    return {row[0] for row in rows if len(row) > 1 and row[1] in kinds}


def direction(compiler):
    files = sources()
    defined, used = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _, source in files:
            target = Path(folder) / "one.o"
            result = run(compiler, *BASE, "-O0", source, "-o", target)
            if result.returncode:
                sys.exit(result.stderr)
            defined.append(symbols("TDBRC", target))
            used.append(symbols("U", target))
    bad = 0
    for (rank, source), names in zip(files, used, strict=True):
        for (other_rank, other), theirs in zip(files, defined, strict=True):
            if other_rank > rank:
                for name in sorted(names & theirs):
                    print(f"{source.relative_to(ROOT)}: uses {name} of {other.relative_to(ROOT)}, which comes after it")
                    bad += 1
    print(f"direction: {len(files)} files, {bad} against it")
    return bad


def amalgam(compiler, cmake):
    strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    with tempfile.TemporaryDirectory() as folder:
        run(cmake, f"-DOUT={folder}", "-P", ROOT / "core/amalgamate.cmake")
        program = Path(folder) / "bind"
        built = run(compiler, *strict, *Path(folder).glob("*.c"), "-o", program)
        print(built.stderr or run(program, "--version").stdout)
        return built.returncode or run(program, "--version").returncode


def exports(library):
    header = (ROOT / "core/include/dlferry.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"\b(dlf_\w+)\(", " ".join(re.findall(r"DLF_API[^;]*;", header))))
    rows = [line.split() for line in run("nm", "-P", "-D", "--defined-only", library).stdout.splitlines()]
    shown = {row[0] for row in rows}
    for name in sorted(declared - shown):
        print(f"declared in dlferry.h, but not exported: {name}")
    for name in sorted(shown - declared):
        print(f"exported, but not declared in dlferry.h: {name}")
    kept = "NODELETE" in run("readelf", "-d", library).stdout
    if not kept:
        print("the library can be unloaded under a live tensor: no NODELETE flag")
    print(f"exports: {len(shown)} functions")
    return declared != shown or not kept or not shown


def main():
    actions = {"analyze": analyze, "direction": direction, "amalgam": amalgam, "exports": exports}
    sys.exit(bool(actions[sys.argv[1]](*sys.argv[2:])))


main()
