# SPDX-License-Identifier: Apache-2.0
"""A user's installation: with pip, a C compiler, and a package registry for build requirements.

stranger.py DIST KERNELS BUILD_TYPE. DIST has dlferry's sdist, which is on no registry yet. Each wheel is built in
isolation by a pip that is alone in its environment, with no CMake, SWIG, ninja or libclang on PATH, and installed in
another one. BUILD_TYPE is CMake's for both, as a user's environment may set it.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

from command import run
from in_a_venv import PROGRAM, WANTED

DIST, KERNELS = map(Path, sys.argv[1:3])
BUILD_TYPE = sys.argv[3]
TOOLS = {"cc", "gcc", "c++", "g++", "ld", "as", "ar", "ranlib", "nm", "strip", "sh", "uname"}
for variable in ("CC", "CXX"):  # Debian's Python compiles with a longer name
    TOOLS.update(Path(word).name for word in (sysconfig.get_config_var(variable) or "").split()[:1])
NOT_THERE = ("cmake", "ninja", "swig", "clang", "cargo", "go", "julia")
STARTED = time.monotonic()


def told(what):
    print(f"{time.monotonic() - STARTED:5.1f} s  {what}", flush=True)


def surroundings(work):
    """The environment of every command: the registry's settings stay, the tests' own go."""
    (work / "tools").mkdir()
    for name in TOOLS:
        found = shutil.which(name)
        if found:
            (work / "tools" / name).symlink_to(found)
    for name in NOT_THERE:
        assert not shutil.which(name, path=work / "tools"), name
    ours = ("DLFERRY_", "PYTHON", "LIBCLANG_", "BINDGEN_", "SKBUILD_", "CMAKE_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    links = f"{work / 'links'} {env.get('PIP_FIND_LINKS', '')}".strip()
    return env | {"PATH": str(work / "tools"), "PIP_FIND_LINKS": links, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def main():
    (sdist,) = DIST.glob("dlferry-*.tar.gz")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        env = surroundings(work)
        run(sys.executable, "-m", "venv", work / "a", env=env)
        python = work / "a/bin/python"
        pip = (python, "-m", "pip", "--quiet")
        names = {row.split()[0] for row in run(python, "-m", "pip", "list", env=env).splitlines()[2:]}
        assert names <= {"pip", "setuptools"}, names
        asked = [*pip, "download", "--no-deps", "--dest", work / "asked", "scikit-build-core>=1.1"]
        if subprocess.run(asked, env=env, capture_output=True, check=False).returncode:
            print("NOT RUN: no package registry can be reached")
            sys.exit(77)

        env["SKBUILD_CMAKE_BUILD_TYPE"] = BUILD_TYPE
        run(*pip, "wheel", "--no-deps", "--wheel-dir", work / "links", sdist, env=env)
        told("dlferry: sdist to wheel")
        run(*pip, "install", "--no-index", "dlferry", env=env)
        empty = work / "empty"
        empty.mkdir()
        for file in ("kernels.h", "kernels.c"):
            (empty / file).write_text((KERNELS / file).read_text())
        bind = (python, "-m", "dlferry.bind", "kernels.h", "--name", "kernels", "--source", "kernels.c")
        run(*bind, "--lang", "python", "--out", "made", cwd=empty, env=env)
        run(*pip, "wheel", "--no-deps", "--wheel-dir", work / "links", "./made/python", cwd=empty, env=env)
        told("kernels: package to wheel")

        # Nothing but wheels from here on: no registry, no compiler.
        env |= {"PATH": "", "PIP_FIND_LINKS": str(work / "links"), "PIP_ONLY_BINARY": ":all:"}
        run(sys.executable, "-m", "venv", "--without-pip", work / "b", env=env)
        run(*pip, "--python", work / "b/bin/python", "install", "--no-index", "kernels", cwd=empty, env=env)
        shutil.rmtree(empty / "made")
        got = run(work / "b/bin/python", "-c", PROGRAM.replace("FRESH", repr(str(work / "b"))), cwd=empty, env=env)
        assert got == WANTED, got
        wheels = sorted(path.name for path in (work / "links").iterdir())
        told(f"called, from {' and '.join(wheels)}")
    print(got, end="")


main()
