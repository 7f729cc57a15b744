# SPDX-License-Identifier: Apache-2.0
"""What the core's C must hold to: core.py analyze|direction|amalgam|exports ARGUMENTS.

analyze CC              gcc's static analyzer finds nothing in the hub and the generator
direction CC            each file of hub and generator uses only those before it in core/amalgamate.py's order
amalgam CC              the core and the generator compile as one file each, and run
exports LIBRARY         libdlferry.so shows its public functions and nothing else, and is never unloaded
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT

sys.path.insert(0, str(ROOT / "core"))
import amalgamate

# What the analyzer of gcc 12 gets wrong: it does not see that a caller's own reference keeps the queue from being
# freed, nor that a pointer to the first member of an export is kept by its consumer.
ACCEPTED = {
    "queue.c": ["-Wno-analyzer-use-after-free", "-Wno-analyzer-double-free"],
    "exchange.c": ["-Wno-analyzer-malloc-leak"],
}
HUB = ROOT / "core/hub"
BASE = ["-std=c11", "-O1", f"-I{ROOT / 'core/include'}", "-c"]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def analyze(compiler):
    if "Free Software Foundation" not in run(compiler, "--version").stdout:
        print("not run: -fanalyzer is gcc's")
        sys.exit(77)
    bad = 0
    flags = ["-fanalyzer", "-fdiagnostics-path-format=none", "-Werror"]
    for source in sorted([*HUB.glob("*.c"), *(ROOT / "core/bind").glob("*.c")]):
        result = run(compiler, *BASE, *flags, *ACCEPTED.get(source.name, []), source, "-o", "/dev/null")
        print(f"{source.name}: {'clean' if result.returncode == 0 else result.stderr}")
        bad += result.returncode != 0
    return bad


def symbols(kinds, path):
    rows = [line.split() for line in run("nm", "-P", "-g", path).stdout.splitlines()]
    return {row[0] for row in rows if len(row) > 1 and row[1] in kinds}


def direction(compiler):
    groups = [(HUB, amalgamate.HUB), (ROOT / "core/bind", amalgamate.BIND)]
    files = [source for folder, names in groups for source in amalgamate.ordered(folder, names)]
    with tempfile.TemporaryDirectory() as folder:
        defined, used = [], []
        for source in files:
            target = Path(folder) / (source.stem + ".o")
            result = run(compiler, *BASE, "-O0", source, "-o", target)
            if result.returncode:
                sys.exit(result.stderr)
            defined.append(symbols("TDBRC", target))
            used.append(symbols("U", target))
    bad = 0
    for i, source in enumerate(files):
        for j in range(i + 1, len(files)):
            for name in sorted(used[i] & defined[j]):
                print(f"{source.name}: uses {name} of {files[j].name}, which comes after it")
                bad += 1
    print(f"direction: {len(files)} files, {bad} against it")
    return bad


def amalgam(compiler):
    strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
    with tempfile.TemporaryDirectory() as folder:
        run(sys.executable, ROOT / "core/amalgamate.py", "--out", folder)
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
    action, argument = sys.argv[1:3]
    sys.exit(
        bool({"analyze": analyze, "direction": direction, "amalgam": amalgam, "exports": exports}[action](argument))
    )


main()
