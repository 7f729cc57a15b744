# SPDX-License-Identifier: Apache-2.0
"""C compiles without a warning for other systems, by zig: compile.py (--core CMAKE | --generated BIND) ZIG TARGET...

With --core the hub and the generator, as one file each; with --generated what BIND writes for headers of the tests. A
program is neither linked nor run. The preset platforms does both.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As core/cmake/DlferryC.cmake.
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]
HEADERS = ("tests/bind/kinds.h", "tests/bind/shapes/shapes.h", "tests/golden/golden.h")


def write_core(cmake, folder):
    subprocess.run([cmake, f"-DOUT={folder}", "-P", ROOT / "core/amalgamate.cmake"], check=True)


def write_generated(bind, folder):
    for header in HEADERS:
        path = ROOT / header
        command = [bind, path, "--name", path.stem, "--out", folder]
        contracts = path.with_suffix(".contracts")
        if contracts.exists():
            command += ["--contracts", contracts, "--prefix", "s_"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser()
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--core")
    which.add_argument("--generated")
    parser.add_argument("zig")
    parser.add_argument("targets", nargs="+")
    given = parser.parse_args()
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        if given.core:
            write_core(given.core, folder)
            wanted = 2
        else:
            write_generated(given.generated, folder)
            wanted = len(HEADERS)
        sources = sorted(Path(folder).glob("*.c"))
        headers = ["core/include/dlferry.h", *HEADERS] if given.generated else []
        includes = [f"-I{(ROOT / header).parent}" for header in headers]
        for target in given.targets:
            for source in sources:
                # Without -c, as with -fsyntax-only, zig would compile the system's C library too.
                out = ["-O0", "-g0", "-c", source, "-o", f"{folder}/x.o"]
                command = [given.zig, "cc", "-target", target, *STRICT, *includes, *out]
                done = subprocess.run(command, capture_output=True, text=True)
                print(f"{target}: {source.name}: {done.stderr or 'no warning'}")
                bad += done.returncode != 0 or bool(done.stderr)
    sys.exit(bool(bad or len(sources) != wanted))


main()
