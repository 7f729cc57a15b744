# SPDX-License-Identifier: Apache-2.0
"""Rules for the core's C: core.py analyze|warnings|amalgam|exports ARGUMENTS.

analyze CC FOLDER...    gcc's static analyzer finds nothing in these folders of the core
warnings CLANG          clang has no warning for the core, which another compiler builds every day
amalgam CC CMAKE        the core and the generator compile as one file each, and run; also as C23, with a checked file
exports LIBRARY         libdlferry.so shows its public functions and nothing else, and is never unloaded
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT, public_functions

# False positives of gcc 12's analyzer: it does not see that a caller's own reference keeps the queue from being
# freed, nor that a pointer to the first member of an export is kept by its consumer.
ACCEPTED = {
    "queue.c": ["-Wno-analyzer-use-after-free", "-Wno-analyzer-double-free"],
    "exchange.c": ["-Wno-analyzer-malloc-leak"],
}
BASE = ["-std=c11", "-O1", f"-I{ROOT / 'core/include'}", f"-I{ROOT / 'core'}", "-c"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
STRICT = ["-std=c11", *WARNINGS]
# C23 puts names of threads.h, such as call_once, into stdlib.h.
NEWER = ["-std=gnu2x", "-D_GNU_SOURCE", "-include", "threads.h", *WARNINGS]


def run(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def analyze(compiler, *folders):
    if "Free Software Foundation" not in run(compiler, "--version").stdout:
        print("not run: -fanalyzer is gcc's")
        sys.exit(77)
    bad = 0
    flags = ["-fanalyzer", "-fdiagnostics-path-format=none", "-Werror"]
    sources = [path for folder in folders for path in (ROOT / "core" / folder).rglob("*.c")]
    for source in sorted(sources):
        result = run(compiler, *BASE, *flags, *ACCEPTED.get(source.name, []), source, "-o", "/dev/null")
        print(f"{source.name}: {'clean' if result.returncode == 0 else result.stderr}")
        bad += result.returncode != 0
    return bad


def warnings(clang):
    """Sign conversions aside: clang takes an enum without negative values for unsigned."""
    if not shutil.which(clang):
        print("not run: no clang")
        sys.exit(77)
    sources = sorted(
        path for room in ("hub", "contract", "bind", "tool") for path in (ROOT / "core" / room).rglob("*.c")
    )
    result = run(clang, *STRICT, "-Wno-sign-conversion", "-fsyntax-only", *BASE, *sources)
    print(f"{len(sources)} files\n{result.stderr}")
    return result.returncode


def amalgam(compiler, cmake):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run(cmake, f"-DOUT={folder}", "-P", ROOT / "core/amalgamate.cmake")
        sources = sorted(folder.glob("*.c"))
        photo = ROOT / "examples/photo"
        steps = [
            [compiler, *STRICT, *sources, "-o", folder / "bind"],
            [folder / "bind", "--version"],
            [folder / "bind", photo / "photo.h", "--name", "photo", "--out", folder],
            [compiler, *NEWER, "-fsyntax-only", f"-I{photo}", f"-I{folder}", *sources, folder / "photo_dlferry.c"],
        ]
        for step in steps:
            done = run(*step)
            print(done.stdout + done.stderr)
            if done.returncode:
                return 1
    return 0


def exports(library):
    declared = public_functions()
    listed = run("nm", "-P", "-D", "--defined-only", library).stdout
    rows = [line.split()[0].split("@@") for line in listed.splitlines()]
    version = rows[0][-1]
    shown = {row[0] for row in rows if row[0] != version}  # whose name is in the list too
    unversioned = [row[0] for row in rows if row[-1] != version or not version.startswith("DLFERRY_")]
    if unversioned:
        print(f"expected the functions to have one version, DLFERRY_..., got another or none: {unversioned}")
    for name in sorted(declared - shown):
        print(f"declared, but not exported: {name}")
    for name in sorted(shown - declared):
        print(f"exported, but not declared in a public header: {name}")
    kept = "NODELETE" in run("readelf", "-d", library).stdout
    if not kept:
        print("the library can be unloaded under a live tensor: no NODELETE flag")
    print(f"exports: {len(shown)} functions")
    return declared != shown or unversioned or not kept or not shown


def main():
    actions = {"analyze": analyze, "warnings": warnings, "amalgam": amalgam, "exports": exports}
    sys.exit(bool(actions[sys.argv[1]](*sys.argv[2:])))


main()
