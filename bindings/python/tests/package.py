# SPDX-License-Identifier: Apache-2.0
"""The sdist builds a wheel without the repository and SWIG, and that wheel works: package.py [DIST]

Both are left in the folder DIST, for tests/packages.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
TRY = """
import dlferry, dlferry.bind, inspect, sys
assert dlferry.__file__.startswith(sys.argv[1]), dlferry.__file__
t = dlferry.wrap(bytearray(8), "float32")
assert t.shape == (2,) and str(inspect.signature(dlferry.create)) == "(dtype, shape, device='cpu')"
t.release()
assert dlferry.live() == 0
"""
OFFLINE = ["--no-index", "--no-deps", "--no-build-isolation"]
CARRIED = ["dlferry.h", "dlpack/dlpack.h", "dlferry.c", "dlferry_python.h", "python/call.c"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def path_without_swig(folder):
    """The tools that building needs, linked into one folder, so that no SWIG is on PATH."""
    tools = folder / "tools"
    tools.mkdir()
    own = Path((sysconfig.get_config_var("CC") or "cc").split()[0]).name  # Debian's Python has a longer name for it
    for name in {own, "cmake", "ninja", "make", "cc", "gcc", "ld", "as", "ar", "ranlib", "sh", "uname", "nm", "strip"}:
        found = shutil.which(name)
        if found:
            (tools / name).symlink_to(found)
    return str(tools)


def exported(library):
    rows = [line.split() for line in run("nm", "-P", "-D", "--defined-only", library).splitlines()]
    return {row[0] for row in rows}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # The sdist step writes beside the sources, so it works on a copy of what git would check out.
        source = folder / "source"
        for part in ("bindings/python", "core"):
            skip = shutil.ignore_patterns("made", "__pycache__", ".*")
            shutil.copytree(HERE.parents[1] / part, source / part, ignore=skip)
        build = "import sys; from scikit_build_core.build import build_sdist; print(build_sdist(sys.argv[1]))"
        run(sys.executable, "-c", build, folder, cwd=source / "bindings/python")
        (sdist,) = folder.glob("dlferry-*.tar.gz")
        shutil.rmtree(source)
        with tarfile.open(sdist) as archive:
            names = {member.partition("/")[2] for member in archive.getnames()}
        assert {"extension/made/hub_wrap.c", "core/hub/tensor.c", "core/include/dlferry.h"} <= names, sorted(names)

        env = {**os.environ, "PATH": path_without_swig(folder), "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        pip = [sys.executable, "-m", "pip"]
        debug = "--config-settings=cmake.build-type=Debug"  # soon compiled; pip has -C only from 23.1 on
        run(*pip, "wheel", *OFFLINE, debug, "-w", folder, sdist, env=env)
        (wheel,) = folder.glob("dlferry-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
        wanted = {f"dlferry/c/{file}" for file in CARRIED} | {"dlferry/__init__.pyi", "dlferry/py.typed"}
        wanted |= {"dlferry/bin/dlferry-bind", "dlferry/cmake/DlferryPython.cmake"}
        assert wanted <= names, wanted - names

        site = folder / "site"
        run(*pip, "install", "--no-index", "--no-deps", "--target", site, wheel, env=env)
        env["PYTHONPATH"] = str(site)
        run(sys.executable, "-c", TRY, site, env=env)
        version = run(sys.executable, "-m", "dlferry.bind", "--version", env=env)
        assert f"-{version.split()[-1]}-" in wheel.name, (version, wheel.name)
        (library,) = site.glob("dlferry/_hub.*.so")
        assert exported(library) == {"PyInit__hub"}, exported(library)
        assert "NODELETE" in run("readelf", "-d", library)
        if sys.argv[1:]:
            dist = Path(sys.argv[1])
            shutil.rmtree(dist, ignore_errors=True)
            dist.mkdir(parents=True)
            shutil.copy2(sdist, dist)
            shutil.copy2(wheel, dist)
    print(f"package: {sdist.name} and {wheel.name} work, without SWIG")


main()
