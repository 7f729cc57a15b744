# SPDX-License-Identifier: Apache-2.0
"""What cibuildwheel would build of dlferry and of a generated package: cibuildwheel.py SETUP

Nothing is built: --print-build-identifiers lists what the settings in their pyproject.toml choose.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECTS = ["bindings/python", "examples/photo/packages/python"]
SYSTEMS = {
    "linux": {"manylinux_x86_64", "manylinux_aarch64", "musllinux_x86_64"},
    "macos": {"macosx_x86_64", "macosx_arm64"},
    "windows": {"win_amd64"},
}
OLDEST = 10  # CPython 3.10, as requires-python says
NOT_RUN = 77


def main():
    setup = Path(sys.argv[1]).resolve()
    tools = setup / "pythons" / "tools"
    tools.parent.mkdir(parents=True, exist_ok=True)
    if subprocess.run(["sh", ROOT / "tests/setup/python_for.sh", "tools", tools]).returncode:
        print("NOT RUN: cibuildwheel could not be installed, see the output above")
        sys.exit(NOT_RUN)
    bad = 0
    for project in PROJECTS:
        for system, wanted in SYSTEMS.items():
            command = [tools / "bin/cibuildwheel", "--print-build-identifiers", "--platform", system, ROOT / project]
            done = subprocess.run(command, text=True, capture_output=True)
            found = [line.partition("-") for line in done.stdout.split()]
            versions = {int(python.removeprefix("cp3")) for python, _, _ in found if python.startswith("cp3")}
            each = {(f"cp3{version}", "-", system_tag) for version in versions for system_tag in wanted}
            fine = set(found) == each and min(versions) == OLDEST and set(range(OLDEST, 14)) <= versions
            print(f"{project}: {system}: {' '.join(''.join(words) for words in found) or done.stderr}")
            bad += not fine
    sys.exit(bool(bad))


main()
