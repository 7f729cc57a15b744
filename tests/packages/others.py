# SPDX-License-Identifier: Apache-2.0
"""Make a release's files for other systems and for distributions, and say what became of each of them.

others.py RELEASE SETUP WORK CMAKE DEBHELPER CONAN

RELEASE is what core/release.cmake wrote; wheels are made of its sdist, archives of the built C library and Debian's and
Conan's packages of its C archive, each twice. SETUP gets the compilers and other systems' Pythons; DEBHELPER and CONAN
are tests/setup/packagers.cmake's.
The lines of RELEASE/states/others.txt are for released.py: `FILE: STATE`, and `- TEXT` for what is no file.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from layout import version_of

RELEASE, SETUP, WORK = (Path(word).resolve() for word in sys.argv[1:4])
CMAKE, DEBHELPER, CONAN = sys.argv[4:7]
HERE = Path(__file__).resolve().parent
PLATFORMS = HERE.parent / "platforms"
VERSION = version_of(RELEASE)
NOT_RUN = 77
# By the end of a wheel's name: the kind of first_call.py that installs and calls it, and where that runs.
RUNS = {
    "manylinux_2_17_x86_64": ("bullseye", "Debian 11's C library"),
    "manylinux_2_17_aarch64": ("aarch64", "Debian 13 for arm64, under qemu"),
    "win_amd64": ("windows", "Windows' Python, under wine"),
}
# For these, archive.sh builds the C library and the generator.
SYSTEMS = [
    *(f"linux-{machine}" for machine in ("x86_64", "aarch64", "armhf", "i686", "riscv64", "s390x")),
    *(f"musl-{machine}" for machine in ("x86_64", "aarch64", "armhf", "i686", "riscv64", "s390x")),
    *("windows-x86_64", "windows-arm64", "macos-x86_64", "macos-arm64"),
]
FAILED = "- FAILED: "  # with which released.py fails, after its table


def tried(*command, **options):
    """Run a command, and return why it did not succeed, or nothing."""
    status = subprocess.run([str(word) for word in command], check=False, **options).returncode
    why = {0: "", NOT_RUN: "it cannot be run here, see the output above"}
    return why.get(status, f"{' '.join(map(str, command))}: {status}")


def note(what, why):
    return f"- not run: {what}: {why}" if "cannot be run here" in why else f"{FAILED}{what}: {why}"


def dated():
    """The environment in which files have the commit's date."""
    date = subprocess.check_output(["git", "-C", RELEASE / "repository", "log", "-1", "--format=%ct"], text=True)
    return {**os.environ, "SOURCE_DATE_EPOCH": date.strip()}


def make_archives():
    shutil.rmtree(WORK / "c", ignore_errors=True)
    shutil.unpack_archive(RELEASE / f"c/dlferry-{VERSION}.tar.gz", WORK / "c")
    for system in SYSTEMS:
        build = WORK / system
        source = WORK / f"c/dlferry-{VERSION}"
        why = tried("sh", PLATFORMS / "archive.sh", system, source, RELEASE / "c", build, SETUP, CMAKE, env=dated())
        if why:
            yield note(f"the C library for {system}", why)
            continue
        state = (build / "state").read_text(encoding="utf-8").strip()
        shutil.rmtree(build)
        yield f"c/dlferry-{VERSION}-{system}.tar.gz: {state}"


def make_wheels():
    build = WORK / "wheels"
    sdist = RELEASE / f"python/dlferry-{VERSION}.tar.gz"
    made = list((RELEASE / "python").glob("*.whl"))
    why = tried(sys.executable, "-B", PLATFORMS / "wheels_twice.py", SETUP, build, sdist, *made, env=dated())
    if why:
        yield note("all wheels for other systems", why)
    for wheel in sorted(build.glob("wheels/dlferry-*.whl")):
        shutil.copy(wheel, RELEASE / "python")
        state = "compiled"
        for platform, (kind, where) in RUNS.items():
            if platform not in wheel.name:
                continue
            why = tried(sys.executable, "-B", PLATFORMS / "first_call.py", kind, SETUP, build)
            if why:
                yield note(where, why)
            else:
                state = f"run on {where}: installed, called"
        yield f"python/{wheel.name}: {state}"


def make_debian():
    build = WORK / "debian"
    why = tried("sh", HERE / "debian.sh", RELEASE, VERSION, build, DEBHELPER)
    if why:
        yield note("Debian's packages", why)
        return
    (RELEASE / "debian").mkdir()
    for path in sorted((build / "one").iterdir()):
        if path.is_file() and path.suffix in (".deb", ".dsc", ".xz", ".gz"):
            shutil.copy(path, RELEASE / "debian")
            yield f"debian/{path.name}: built on this system, accepted by lintian, used by another project"


def make_conan():
    if not CONAN:
        yield "- not run: Conan's recipe in the C archive: Conan is missing"
        return
    why = tried(sys.executable, "-B", HERE / "conan.py", CONAN, RELEASE, VERSION, WORK / "conan")
    if why:
        yield note("Conan's recipe in the C archive", why)
    else:
        yield "- Conan's recipe in the C archive creates the package on this system, static and shared"


def main():
    (RELEASE / "states").mkdir(exist_ok=True)
    with open(RELEASE / "states/others.txt", "w", encoding="utf-8") as file:
        for make in (make_debian, make_conan, make_archives, make_wheels):
            for line in make():
                print(line, file=file, flush=True)


main()
