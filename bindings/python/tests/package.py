# SPDX-License-Identifier: Apache-2.0
"""The published sdist's and wheel's content, and whether the wheel works: package.py DIST

core/release.cmake wrote both into the folder DIST. It built the wheel from the sdist, with no SWIG.
"""

import os
import platform
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

DIST = Path(sys.argv[1])
TRY = """
import dlferry, dlferry.bind, inspect, sys
assert dlferry.__file__.startswith(sys.argv[1]), dlferry.__file__
t = dlferry.wrap(bytearray(8), "float32")
assert t.shape == (2,) and str(inspect.signature(dlferry.create)) == "(dtype, shape, device='cpu')"
t.release()
assert dlferry.live() == 0
"""
CORE = ["amalgamate.cmake", "cmake/Amalgamate.cmake", "hub/tensor/tensor.c", "include/dlferry.h"]
CARRIED = ["dlferry.h", "dlpack/dlpack.h", "dlferry.c", "dlferry_python.h", "python/call.c"]


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def exported(library):
    rows = [line.split() for line in run("nm", "-P", "-D", "--defined-only", library).splitlines()]
    return {row[0] for row in rows}


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (sdist,) = DIST.glob("dlferry-*.tar.gz")
        (wheel,) = DIST.glob("dlferry-*.whl")
        with tarfile.open(sdist) as archive:
            names = {member.partition("/")[2] for member in archive.getnames()}
        wanted = {"LICENSE", "extension/made/hub_wrap.c"} | {f"core/{file}" for file in CORE}
        assert wanted <= names, wanted - names

        if (sys.platform, platform.machine()) == ("linux", "x86_64"):
            assert re.search(r"[-.]manylinux_2_17_x86_64\.whl$", wheel.name), wheel.name

        with zipfile.ZipFile(wheel) as archive:
            names = set(archive.namelist())
        wanted = {f"dlferry/c/{file}" for file in CARRIED} | {"dlferry/__init__.pyi", "dlferry/py.typed"}
        wanted |= {"dlferry/bin/dlferry-bind", "dlferry/cmake/DlferryPython.cmake"}
        assert wanted <= names, wanted - names
        assert any(re.fullmatch(r"dlferry-.*/LICENSE", name) for name in names), sorted(names)

        site = folder / "site"
        env = {**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        run(sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", site, wheel, env=env)
        env["PYTHONPATH"] = str(site)
        run(sys.executable, "-c", TRY, site, env=env)
        version = run(sys.executable, "-m", "dlferry.bind", "--version", env=env)
        assert f"-{version.split()[-1]}-" in wheel.name, (version, wheel.name)
        (library,) = site.glob("dlferry/_hub.*.so")
        assert exported(library) == {"PyInit__hub"}, exported(library)
        assert "NODELETE" in run("readelf", "-d", library)
    print(f"package: {sdist.name} and {wheel.name} work")


main()
