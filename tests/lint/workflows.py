# SPDX-License-Identifier: Apache-2.0
"""The workflows for GitHub are right by actionlint, and have no right or secret that they do not need.

workflows.py ACTIONLINT DLFERRY_BIND: those of this repository, and the one of a project that --new writes. The rules
first find their faults in a workflow that is made for it.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from files import ROOT

ACTIONLINT, BIND = sys.argv[1:3]
OURS = ROOT / ".github/workflows"
RULES = [
    (re.compile(r"^permissions:\n  contents: read\n", re.M), True, "expected only the right to read, at the top"),
    (re.compile(r"secrets\."), False, "expected no secret"),
    (re.compile(r"uses: \S+@(?!v\d+$)\S+", re.M), False, "expected an action's major version, such as @v4"),
]
FAULTY = "on: push\njobs:\n  one:\n    runs-on: ubuntu-1\n    steps:\n      - uses: actions/checkout@main\n"


def problems(files):
    """Yield what is wrong. Other linters that actionlint would find on PATH are left out: they differ by machine."""
    words = [ACTIONLINT, "-no-color", "-oneline", "-shellcheck=", "-pyflakes=", *map(str, files)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    yield from done.stdout.splitlines()
    if done.returncode not in (0, 1):
        yield f"actionlint: {done.stderr}"
    for path in files:
        for rule, wanted, text in RULES:
            if bool(rule.search(path.read_text(encoding="utf-8"))) != wanted:
                yield f"{path}: {text}"


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        faulty = folder / "faulty.yml"
        faulty.write_text(FAULTY)
        faults = list(problems([faulty]))
        assert len(faults) == 3 and "runner-label" in faults[0], faults

        subprocess.run([BIND, "--new", "demo", folder / "demo"], check=True, stdout=subprocess.DEVNULL)
        files = [*sorted(OURS.glob("*.yml")), *sorted(folder.glob("demo/.github/workflows/*.yml"))]
        assert len(files) >= 2, files
        found = list(problems(files))
    print("\n".join(found))
    print(f"workflows: {len(files)} files, {len(found)} problems")
    sys.exit(bool(found))


main()
