# SPDX-License-Identifier: Apache-2.0
"""gemm of 4x4 from NumPy: the package of examples/blas beside SciPy's own binding. bench_blas.py DLFERRY_BIND [CALLS]

CPATH, LIBRARY_PATH and LD_LIBRARY_PATH name Debian's libraries. The calls take turns, and each keeps its best.
"""

import os
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def found(name):
    """Return the path of a header in CPATH."""
    return next(path for folder in os.environ["CPATH"].split(":") if (path := Path(folder, name)).exists())


def build(bind, folder):
    """Make and install the package, as examples/try.sh does."""
    headers = ["cblas-netlib.h", "lapacke.h"]
    command = [bind, *map(found, headers), "--preprocess", "--name", "blas", "--prefix", "cblas_,LAPACKE_"]
    command += [word for header in headers for word in ("--include", header)]
    command += ["--contracts", ROOT / "examples/blas/blas.contracts", "--link", "lapacke", "--link", "blas"]
    subprocess.run([*command, "--lang", "python", "--out", folder], check=True, stderr=subprocess.DEVNULL)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", f"{folder}/site", f"{folder}/python"], check=True)
    sys.path.insert(0, f"{folder}/site")


def main():
    calls = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    with tempfile.TemporaryDirectory() as folder:
        build(sys.argv[1], folder)
        import blas
        import numpy as np
        from scipy.linalg.blas import dgemm

        a, b, c = (np.ones((4, 4)) for _ in range(3))
        columns = [np.asfortranarray(x) for x in (a, b, c)]
        names = {"ours": blas.gemm, "theirs": dgemm, "a": a, "b": b, "c": c}
        names |= dict(zip("xyz", columns, strict=True))
        turns = {
            "dlferry": timeit.Timer("ours(a, b, c)", globals=names),
            "scipy": timeit.Timer("theirs(1.0, x, y)", globals=names),
            "scipy, into c": timeit.Timer("theirs(1.0, x, y, 0.0, z, overwrite_c=1)", globals=names),
        }
        best = dict.fromkeys(turns, float("inf"))
        for _ in range(50):
            for name, timer in turns.items():
                best[name] = min(best[name], timer.timeit(calls) / calls * 1e9)
        for name in ("scipy", "scipy, into c"):
            ratio = best["dlferry"] / best[name]
            print(
                f"{'gemm of 4x4 from NumPy: dlferry / ' + name:50} {best['dlferry']:6.0f} ns / {best[name]:6.0f} ns"
                f" = {ratio:.2f}, aim <= 0.5"
            )


if __name__ == "__main__":
    main()
