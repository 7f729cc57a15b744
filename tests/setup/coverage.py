# SPDX-License-Identifier: Apache-2.0
"""Print which lines and branches of core/hub and core/contract the tests have reached:

    coverage.py BUILD SOURCE GCOV [--missing].

Each file of the hub may be compiled more than once (the library, the fault tests); their counts are added up.
"""

import json
import subprocess
import sys
from pathlib import Path


def read(build, gcov):
    """Every file's report, as gcov's own JSON."""
    for notes in sorted(build.rglob("*.gcno")):
        if notes.with_suffix(".gcda").exists():
            run = subprocess.run(
                [gcov, "--json-format", "--stdout", "--branch-probabilities", notes], capture_output=True, text=True
            )
            if run.returncode:
                sys.exit(run.stderr)
            for line in run.stdout.splitlines():
                report = json.loads(line)
                for file in report["files"]:
                    yield Path(report["current_working_directory"], file["file"]).resolve(), file["lines"]


def merge(reports, core):
    """{file: ({line: count}, {(line, function, branch): count})}, for the files of the library"""
    files = {}
    for path, rows in reports:
        if not any(path.is_relative_to(core / room) for room in ("hub", "contract")):
            continue
        lines, branches = files.setdefault(path.relative_to(core).as_posix(), ({}, {}))
        for row in rows:
            number, function = row["line_number"], row.get("function_name", "")
            lines[number] = lines.get(number, 0) + row["count"]
            for index, branch in enumerate(row["branches"]):
                key = number, function, index
                branches[key] = branches.get(key, 0) + branch["count"]
    return files


def share(counts):
    reached = sum(count > 0 for count in counts)
    return f"{reached:5}/{len(counts):<5}{100 * reached / max(len(counts), 1):6.1f} %"


def main():
    build, source, gcov = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    core = (source / "core").resolve()
    files = merge(read(build, gcov), core)
    if not files:
        sys.exit("coverage: the tests have not run, or not as gcc's --coverage build")
    print(f"{'file below core':24} {'lines':>19} {'branches':>19}")
    for name, (lines, branches) in sorted(files.items()):
        print(f"{name:24} {share(lines.values()):>19} {share(branches.values()):>19}")
    lines = [count for found, _ in files.values() for count in found.values()]
    branches = [count for _, found in files.values() for count in found.values()]
    print(f"{'total':24} {share(lines):>19} {share(branches):>19}")
    if "--missing" in sys.argv:
        for name, (lines, branches) in sorted(files.items()):
            text = (core / name).read_text(encoding="utf-8").splitlines()
            missing = {number for number, count in lines.items() if not count}
            partly = {number for (number, _, _), count in branches.items() if not count}
            for number in sorted(missing | partly):
                print(f"{name}:{number}: {'line  ' if number in missing else 'branch'} {text[number - 1].strip()}")


main()
