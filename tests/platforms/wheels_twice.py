# SPDX-License-Identifier: Apache-2.0
"""Wheels of dlferry and examples/photo for other systems, built twice to the same bytes.

wheels_twice.py SETUP BUILD [SDIST WHEEL]

BUILD gets the sdist and dlferry's wheel for this machine, unless a release's are given; the package photo; and in
wheels/ what first_call.py installs. Status 77 if a system's compiler or headers are missing; the others' wheels are
made all the same.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OTHERS = ("manylinux-aarch64", "musllinux-x86_64", "windows-x86_64")  # than this machine
SDIST = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
NOT_RUN = 77


def run(*command, check=True, **options):
    status = subprocess.run([str(word) for word in command], **options).returncode
    if check and status:
        sys.exit(f"wheels: {' '.join(map(str, command))}: {status}")
    return status


def hashes(folder):
    return {wheel.name: hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in folder.glob("*.whl")}


def main():
    setup, build, *given = (Path(word).resolve() for word in sys.argv[1:])
    shutil.rmtree(build, ignore_errors=True)
    build.mkdir(parents=True)
    tools = setup / "pythons" / "tools"
    tools.parent.mkdir(parents=True, exist_ok=True)
    if run("sh", ROOT / "tests/setup/python_for.sh", "tools", tools, check=False):
        print("NOT RUN: no Python can build wheels here, see the output above")
        sys.exit(NOT_RUN)
    python = tools / "bin" / "python"
    os.environ["PATH"] = f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"
    os.environ.setdefault("SOURCE_DATE_EPOCH", "1700000000")
    if not given:
        run(python, "-c", SDIST, build, cwd=ROOT / "bindings/python")
    sdist, *wheel = given or build.glob("dlferry-*.tar.gz")
    targets = OTHERS if wheel else ()
    maker = [python, ROOT / "tests/platforms/wheels.py"]

    statuses = []
    for name in "wheels", "again":
        out = build / name
        statuses.append(run(*maker, setup, sdist, out, *targets, check=False))
        for path in wheel:
            shutil.copy(path, out)
        hub = next(out.glob("dlferry-*manylinux*x86_64.whl"), None)
        if not hub:
            sys.exit("wheels: expected a wheel for this machine, got none")
        if name == "wheels":
            run(python, "-m", "zipfile", "-e", hub, build / "hub")
            (build / "hub/dlferry/bin/dlferry-bind").chmod(0o755)
            bind = [python, "-m", "dlferry.bind", "photo.h", "--name", "photo", "--source", "photo.c", "--lang"]
            env = {**os.environ, "PYTHONPATH": str(build / "hub")}
            run(*bind, "python", "--out", build, cwd=ROOT / "examples/photo", env=env)
        statuses.append(run(*maker, "--with", hub, setup, build / "python", out, check=False))
    first, second = hashes(build / "wheels"), hashes(build / "again")
    for wheel in sorted(first):
        print(f"{'the same' if first[wheel] == second.get(wheel) else 'OTHER'} bytes twice: {wheel}")
    if first != second or not set(statuses) <= {0, NOT_RUN}:
        sys.exit(1)
    sys.exit(max(statuses))


main()
