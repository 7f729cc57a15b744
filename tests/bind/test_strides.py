#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random strides, signs and extents through cblas under the address sanitizer.

test_strides.py DLFERRY_BIND CC HUB CALLS [SEED]

CPATH, LIBRARY_PATH and LD_LIBRARY_PATH name Debian's libraries; the contracts are those of examples/blas.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WARNINGS = ["-std=c11", "-O1", "-g", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def found(name):
    """Return the path of a header in CPATH."""
    return next(path for folder in os.environ["CPATH"].split(":") if (path := Path(folder, name)).exists())


def main():
    bind, cc, hub, calls, *seed = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        headers = ["cblas-netlib.h", "lapacke.h"]
        command = [bind, *map(found, headers), "--preprocess", "--name", "blas", "--prefix", "cblas_,LAPACKE_"]
        command += [word for header in headers for word in ("--include", header)]
        command += ["--contracts", ROOT / "examples/blas/blas.contracts", "--out", folder]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        program = Path(folder, "strides")
        sources = [Path(__file__).with_name("strides.c"), Path(folder, "blas_dlferry.c"), hub]
        includes = [f"-I{folder}", f"-I{ROOT}/core/include"]
        subprocess.run(
            [cc, *WARNINGS, *SANITIZERS, *includes, *sources, "-llapacke", "-lblas", "-lm", "-o", program], check=True
        )
        # Fortran's runtime keeps memory until the process ends.
        environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([program, calls, *seed], env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
