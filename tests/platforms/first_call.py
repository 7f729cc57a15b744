# SPDX-License-Identifier: Apache-2.0
"""A newcomer's first call on another system, from prebuilt files and without a compiler: first_call.py KIND SETUP BUILD

KIND is a Python of tests/setup/python_for.sh: bullseye, aarch64 or windows. wheels_twice.py left the wheels in
BUILD/wheels; NumPy's, for all but Windows, comes from Python's package index. The time from the first command to the
result is printed.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_RUN = 77
# By kind: the platforms whose wheels fit.
PLATFORMS = {
    "bullseye": ["manylinux_2_17_x86_64", "manylinux_2_28_x86_64"],
    "aarch64": ["manylinux_2_17_aarch64", "manylinux_2_28_aarch64"],
    "windows": ["win_amd64"],
}
WITH_NUMPY = """
import numpy

image = numpy.zeros((5, 5), numpy.float32)
image[2, 2] = 1
print(f"{photo.blur(image, sigma=1.0)[2, 2]:.4f}")
"""
# NumPy's wheel calls functions of Windows' C library, such as crealf, that wine 8 lacks.
WITHOUT_NUMPY = """
import array

pixels = array.array("f", [0] * 25)
pixels[12] = 1
image = dlferry.from_dlpack(pixels).reshape([5, 5])
print(f"{photo.blur(image, sigma=1.0)[2, 2].item():.4f}")
"""
CALL = """
import os, sys, sysconfig
import dlferry, photo
%s
try:
    photo.blur(image, sigma=-1)
except ValueError as error:
    print(error)
t = dlferry.from_dlpack(image)
assert dlferry.equal(t, t.copy())
del t, image
assert dlferry.live() == 0, dlferry.live()
# Not by the module platform, which asks Windows' WMI, and wine then may crash.
library = os.confstr("CS_GNU_LIBC_VERSION") if hasattr(os, "confstr") else sys.getwindowsversion()[:3]
numpy = f"with NumPy {numpy.__version__}" if "numpy" in sys.modules else "without NumPy"
print("on", sysconfig.get_platform(), library, "CPython", sys.version.split()[0], numpy)
"""
WANTED = "0.1592\nblur: sigma is -1, wanted sigma > 0\non "


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          **options)  # fmt: skip
    if done.returncode:
        sys.exit(f"first_call: {' '.join(map(str, command))}: {done.returncode}\n{done.stdout}")
    return done.stdout


def not_run(why):
    print(f"NOT RUN: {why}")
    sys.exit(NOT_RUN)


def main():
    kind, setup, build = sys.argv[1], Path(sys.argv[2]).resolve(), Path(sys.argv[3]).resolve()
    folder = setup / "pythons" / kind
    if subprocess.run(["sh", ROOT / "tests/setup/python_for.sh", kind, folder]).returncode:
        not_run(f"{kind}: its Python is missing, see the output above")
    wheels = [next((build / "wheels").glob(f"{name}-*{PLATFORMS[kind][0]}.whl"), None) for name in ("dlferry", "photo")]
    if None in wheels:
        not_run(f"{kind}: its wheels are missing in {build / 'wheels'}")
    pip = [setup / "pythons/tools/bin/python", "-m", "pip", "--disable-pip-version-check"]
    fits = ["--only-binary=:all:", "--python-version=3.13", *(f"--platform={word}" for word in PLATFORMS[kind])]
    arrays = []
    if kind != "windows":
        store = build / f"numpy-{kind}"
        if not list(store.glob("*.whl")):
            run(*pip, "download", "--quiet", "--no-deps", *fits, "--dest", store, "numpy")
        arrays = list(store.glob("*.whl"))
    call = CALL % (WITH_NUMPY if arrays else WITHOUT_NUMPY)

    site = build / f"first-{kind}"
    shutil.rmtree(site, ignore_errors=True)
    started = time.monotonic()
    if kind == "bullseye":  # the only one with pip
        run(folder / "bin/python", "-m", "venv", site)
        python, env = site / "bin/python", {"PATH": str(site / "bin")}
        run(python, "-m", "pip", "install", "--quiet", "--no-index", *arrays, env=env)
        before = time.monotonic()
        run(python, "-m", "pip", "install", "--quiet", "--no-index", *wheels, env=env)
    else:
        python, env = folder / "bin/python", {**os.environ, "PYTHONPATH": f"{'Z:' * (kind == 'windows')}{site}"}
        if arrays:
            run(*pip, "install", "--quiet", "--no-index", "--target", site, *fits, *arrays)
        before = time.monotonic()
        run(*pip, "install", "--quiet", "--no-index", "--no-deps", "--target", site, *fits, *wheels)
    installed = time.monotonic()
    said = run(python, "-B", "-c", call, env=env)
    ended = time.monotonic()
    print(f"{said}pip installed dlferry and photo in {installed - before:.1f} s; the first call came after "
          f"{ended - started:.1f} s")  # fmt: skip
    if not said.startswith(WANTED):
        sys.exit(f"first_call: expected {WANTED!r} ..., got the above")
    if kind != "aarch64":  # whose Python cannot start another program here, which qemu would have to run
        said = run(python, "-m", "dlferry.bind", "--version", env=env)
        if not said.startswith("dlferry-bind "):
            sys.exit(f"first_call: expected the generator's version, got {said}")


main()
