# SPDX-License-Identifier: Apache-2.0
"""A fresh environment in which only the wheel of dlferry is installed makes, builds and calls a package of a C header.

in_a_venv.py DIST KERNELS PACKAGES README, run by a Python that has scikit-build-core, which offline nothing could
fetch, and frameworks. DIST has the wheel that core/release.cmake made, PACKAGES what README's command makes of
photo.h. README's program and that of the wheel's own README run too. See stranger.py for pip's build isolation.
This file may not be called pip.py: `python -m pip` in this folder would find it.
"""

import importlib.util
import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path

from command import run

DIST, KERNELS = map(Path, sys.argv[1:3])
TOOLS = ("scikit_build_core", "packaging", "pathspec")
WANTED = "[2.0, 4.0, 6.0] 12.0 ValueError: scale: out[n] is 2, expected 3 as x[n]; got f32[2], wanted f32[n]\n"
PROGRAM = """
from array import array

import dlferry
import kernels

assert dlferry.__file__.startswith(FRESH) and kernels.__file__.startswith(FRESH), (dlferry.__file__, kernels.__file__)
t = dlferry.from_dlpack(array("f", range(6))).reshape([2, 3])
assert t.T.shape == (3, 2) and dlferry.equal(t[:, 1], t.T[1]) and not dlferry.equal(t, t.T)
x, out = array("f", [1, 2, 3]), array("f", [0, 0, 0])
kernels.scale(x, 2.0, out)
try:
    kernels.scale(x, out=array("f", [0, 0]))
except ValueError as error:
    print(list(out), kernels.sum(out), f"ValueError: {error}")
"""


def first(page):
    """The first program of a page."""
    return re.search(r"^```python\n(.*?)^```", page, re.M | re.S)[1]


def run_readmes(python, install, env):
    packages, readme = map(Path, sys.argv[3:5])
    run(*install, packages / "python", env=env)
    folders = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    Path(folders, "frameworks.pth").write_text(sysconfig.get_path("purelib") + "\n")
    got = run(python, "-c", first(readme.read_text(encoding="utf-8")), cwd=packages)
    assert got == "0.1592\n", got
    page = run(python, "-c", "import importlib.metadata as m; print(m.metadata('dlferry').get_payload())")
    got = run(python, "-c", first(page), cwd=packages)
    wanted = re.search(r"^print\(.*\)  # (.*) \.\.\.$", first(page), re.M)[1]
    assert got.startswith(wanted + "\n[[7."), got


def main():
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        tools = work / "tools"
        tools.mkdir()
        for tool in TOOLS:
            place = Path(importlib.util.find_spec(tool).submodule_search_locations[0])
            (tools / tool).symlink_to(place)
        offline = ("--no-index", "--no-deps", "--no-build-isolation")
        (wheel,) = DIST.glob("dlferry-*.whl")
        run(sys.executable, "-m", "venv", "--without-pip", work / "fresh")
        python = work / "fresh/bin/python"
        pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check", "--quiet")
        env = {**os.environ, "PYTHONPATH": str(tools)}
        whole = {name: value for name, value in env.items() if name != "SKBUILD_CMAKE_DEFINE"}  # from the wheel's files
        run(*pip, "install", *offline, wheel)
        empty = work / "empty"
        empty.mkdir()
        for file in ("kernels.h", "kernels.c"):
            (empty / file).write_text((KERNELS / file).read_text())
        bind = (python, "-m", "dlferry.bind", "kernels.h", "--name", "kernels", "--source", "kernels.c")
        bind += ("--lang", "python", "--out", "made")
        run(*bind, cwd=empty)
        run(*bind, "--check", cwd=empty)
        assert run(work / "fresh/bin/dlferry-bind", "--version") == run(*bind[:3], "--version")
        run(*pip, "install", *offline, "./made/python", cwd=empty, env=whole)
        got = run(python, "-c", PROGRAM.replace("FRESH", repr(str(work / "fresh"))), cwd=empty)
        assert got == WANTED, got
        run(*pip, "check", cwd=empty)
        run_readmes(python, (*pip, "install", *offline), env)

        (empty / "kernels.h").write_text("int kernels_late(@);\n")
        said = run(*bind, cwd=empty, fails=True)
        assert said == "dlferry-bind: kernels.h:1: expected a declaration: @ ) ;\n", said
    print(f"pip: {got}", end="")


if __name__ == "__main__":
    main()
