# SPDX-License-Identifier: Apache-2.0
"""The core compiles without a warning for other systems, by zig: compile.py CMAKE ZIG TARGET...

As one file each, the hub and the generator; a program is neither linked nor run. The preset platforms does both.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# As core/cmake/DlferryC.cmake.
STRICT = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Wno-sign-conversion", "-Werror"]


def main():
    cmake, zig, *targets = sys.argv[1:]
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cmake, f"-DOUT={folder}", "-P", ROOT / "core/amalgamate.cmake"], check=True)
        sources = sorted(Path(folder).glob("*.c"))
        for target in targets:
            for source in sources:
                # Without -c, as with -fsyntax-only, zig would compile the system's C library too.
                command = [zig, "cc", "-target", target, *STRICT, "-O0", "-g0", "-c", source, "-o", f"{folder}/x.o"]
                done = subprocess.run(command, capture_output=True, text=True)
                print(f"{target}: {source.name}: {done.stderr or 'no warning'}")
                bad += done.returncode != 0 or bool(done.stderr)
    sys.exit(bool(bad or not targets or len(sources) != 2))


main()
