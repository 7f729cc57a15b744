# SPDX-License-Identifier: Apache-2.0
"""dlferry-bind's time for a large header, its size and its needs: bench_bind.py DLFERRY_BIND HEADER...

A run is a whole process, as in a build. The best of many is the machine's; the median's distance from it shows how busy
the machine was.
"""

import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BIND, *HEADERS = sys.argv[1:]
ROUNDS = 60


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(*options):
    walls, processor = [], []
    for _ in range(ROUNDS):
        before, start = used(), time.perf_counter()
        subprocess.run([BIND, *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        walls.append(1e3 * (time.perf_counter() - start))
        processor.append(1e3 * (used() - before))
    return min(walls), statistics.median(walls), min(processor)


def measure_header(path):
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    print(f"\n{Path(path).name}: {text.count(chr(10)):,} lines, {len(text):,} bytes; {ROUNDS} runs of each")
    print(f"{'dlferry-bind':34} {'best':>10} {'median':>10} {'processor':>10}")
    with tempfile.TemporaryDirectory() as out:
        header = (path, "--name", Path(path).stem)
        folder = ("-I", Path(path).parent)
        for title, options in (
            ("start and end", ("--version",)),
            ("read: --ir", (*header, "--ir")),
            ("preprocessed: --preprocess --ir", (*header, "--preprocess", *folder, "--ir")),
            ("checked C", (*header, "--out", out)),
            ("four packages", (*header, "--lang", "python,rust,go,julia", "--no-tests", "--out", out)),
            ("four packages with tests", (*header, "--lang", "python,rust,go,julia", "--out", out)),
        ):
            row = "".join(f" {milliseconds:7.2f} ms" for milliseconds in measure(*options))
            print(f"{title:34}{row}", flush=True)


def main():
    for path in HEADERS:
        measure_header(path)
    with tempfile.TemporaryDirectory() as out:
        if shutil.which("strip"):
            subprocess.run(["strip", "-o", f"{out}/stripped", BIND], check=True)
            print(f"{'size, stripped':34} {Path(out, 'stripped').stat().st_size / 1e3:7.0f} kB")
    if shutil.which("ldd"):
        needs = subprocess.run(["ldd", BIND], capture_output=True, text=True).stdout
        libraries = re.findall(r"^\s*(?:\S*/)?([^\s/]+\.so\S*)", needs, re.MULTILINE)
        print(f"{'needs':34} {', '.join(libraries)}")


main()
