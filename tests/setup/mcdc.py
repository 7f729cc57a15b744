# SPDX-License-Identifier: Apache-2.0
"""Print how many conditions of core/hub each decide their decision alone in some C test (MC/DC), and which do not:

    mcdc.py SOURCE WORK CLANG [--files PATTERN...] [--tests PATTERN]

It compiles the library and the C tests with clang's coverage of conditions; llvm-profdata and llvm-cov of clang's
version read what the tests leave. Not counted are conditions that the compiler knows, and decisions with others inside
`!( )`, which clang 19 names.
"""

import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FLAGS = ["-std=c11", "-O1", "-w", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE", "-Icore", "-Icore/include"]
COUNTED = ["-fprofile-instr-generate", "-fcoverage-mapping", "-fcoverage-mcdc"]
LEFT_OUT = ("test_oneapi", "test_pyobject")  # need a stand-in for dpctl, or a Python
MOVER = ["hub/move/*", "hub/convert/*"] + [
    f"hub/elements/{name}.c" for name in "compare fill float number read".split()
]


def not_run(why):
    print(f"NOT RUN: {why}")
    sys.exit(77)


def tools(clang):
    """llvm-profdata and llvm-cov of clang's version."""
    try:
        told = subprocess.check_output([clang, "--version"], text=True)
    except (OSError, subprocess.CalledProcessError):
        not_run(f"needs clang 18 or later, {clang} does not run")
    version = re.search(r"clang version (\d+)", told)
    if not version or int(version[1]) < 18:
        not_run(f"needs clang 18 or later, {clang} is another compiler: {told.splitlines()[0]}")
    for name in ("llvm-profdata", "llvm-cov"):
        found = shutil.which(f"{name}-{version[1]}") or shutil.which(name, path=f"/usr/lib/llvm-{version[1]}/bin")
        if not found:
            not_run(f"needs {name} of LLVM {version[1]} (Debian's package llvm-{version[1]})")
        yield found


class Build:
    def __init__(self, options):
        self.source, self.work, self.clang = options.source, options.work, options.clang
        self.work.mkdir(parents=True, exist_ok=True)

    def run(self, *command, **more):
        subprocess.run([str(word) for word in command], cwd=self.source, check=True, **more)

    def compile(self, path):
        made = self.work / (path.relative_to(self.source).as_posix().replace("/", "_") + ".o")
        self.run(self.clang, *FLAGS, *COUNTED, "-Itests/c", "-c", path, "-o", made)
        return made

    def test(self, path, objects):
        """Link a test's program and run it; what it counted lies beside it."""
        program = self.work / path.stem
        self.run(self.clang, *COUNTED, self.compile(path), *objects, "-o", program, "-lm", "-lpthread", "-ldl")
        counts = program.with_suffix(".profraw")
        done = subprocess.run([program], env={**os.environ, "LLVM_PROFILE_FILE": str(counts)}, capture_output=True)
        if done.returncode:
            sys.exit(f"{path.stem} failed:\n{done.stdout.decode()}")
        return program, counts


def decisions(shown, source):
    """Of each file and place of a condition: whether some expansion of it was decided by it, from llvm-cov's text."""
    file, places, found = "", {}, {}
    for line in shown.splitlines():
        if path := re.match(r"(/.*):$", line):
            file = Path(path[1]).relative_to(source / "core").as_posix() if "/core/" in path[1] else ""
        elif "MC/DC Decision Region" in line:
            places = {}
        elif at := re.search(r"Condition C(\d+) --> \((\d+):(\d+)", line):
            places[at[1]] = int(at[2]), int(at[3])
        elif pair := re.search(r"C(\d+)-Pair: (not )?covered", line):
            key = file, *places[pair[1]]
            found[key] = found.get(key, False) or not pair[2]
    return found


def report(found, patterns, source):
    files = {}
    for (file, line, column), decided in found.items():
        if any(fnmatch.fnmatch(file, pattern) for pattern in patterns):
            files.setdefault(file, {})[line, column] = decided
    total = [decided for places in files.values() for decided in places.values()]
    print(f"{'file below core':32} conditions that decide alone")
    for file, places in sorted(files.items()):
        print(f"{file:32} {sum(places.values()):5} of {len(places)}")
    print(f"{'total':32} {sum(total):5} of {len(total)}")
    for file, places in sorted(files.items()):
        text = (source / "core" / file).read_text(encoding="utf-8").splitlines()
        for (line, column), decided in sorted(places.items()):
            if not decided:
                rest = text[line - 1][column - 1 :].rstrip("\\").rstrip()
                print(f"{file}:{line}:{column}: {rest}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=lambda text: Path(text).resolve())
    parser.add_argument("work", type=lambda text: Path(text).resolve())
    parser.add_argument("clang")
    parser.add_argument("--files", nargs="+", default=MOVER, help="patterns below core; the mover's without it")
    parser.add_argument("--tests", default="*", help="a pattern of C tests")
    options = parser.parse_args()
    profdata, cov = tools(options.clang)
    build = Build(options)
    core = [path for room in ("hub", "contract") for path in (options.source / "core" / room).rglob("*.c")]
    tests = sorted((options.source / "tests/c").glob(f"test_{options.tests}.c"))
    tests = [path for path in tests if path.stem not in LEFT_OUT]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(build.compile, [*core, options.source / "tests/c/system.c"]))
        ran = list(pool.map(lambda path: build.test(path, objects), tests))
    counts = build.work / "all.profdata"
    build.run(profdata, "merge", "-o", counts, *(raw for _, raw in ran))
    programs = [word for program, _ in ran[1:] for word in ("-object", program)]
    shown = subprocess.check_output(
        [cov, "show", ran[0][0], *programs, "-instr-profile", counts, "-show-mcdc"], text=True, cwd=options.source
    )
    report(decisions(shown, options.source), options.files, options.source)


main()
