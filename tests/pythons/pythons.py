# SPDX-License-Identifier: Apache-2.0
"""Build the wheel and run the binding's tests on each CPython: pythons.py SETUP BUILD [--torch] [--write] [VERSION...]

SETUP gets a folder for each Python's packages and has Debian's newest Pythons in SETUP/cpythons/unpacked; BUILD gets
the sdist and the wheels. A Python that is not found is "not run". With --write the table of all results becomes
bindings/python/docs/pythons.md; a version that was not asked for keeps its row.
"""

import argparse
import glob
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BINDING = ROOT / "bindings" / "python"
TABLE = BINDING / "docs" / "pythons.md"
VERSIONS = ["3.10", "3.11", "3.12", "3.13", "3.14", "3.15", "3.14t", "3.15t"]
# pip reads a requirement's conditions for its own Python: the last three are those of CPython 3.10.
BUILDING = ["scikit-build-core", "pip", "tomli", "exceptiongroup", "typing_extensions"]
TESTING = ["numpy", "ml_dtypes", "jax", "pytest", "hypothesis"]
# torch without the CUDA libraries of its own 3 GB: those of build/venv serve every Python.
TORCH = ["torch", "filelock", "fsspec", "jinja2", "networkx", "sympy", "typing_extensions", "setuptools"]
WITH = """
from importlib.metadata import PackageNotFoundError, version
for name in ("numpy", "jax", "torch"):
    try:
        print(name, version(name))
    except PackageNotFoundError:
        pass
"""
WHEEL = """
import sys
from scikit_build_core.build import build_wheel
build_wheel(sys.argv[1], {"cmake.define.DLFERRY_SWIG": "none"})
"""
PROBE = """
import json, os, sys, sysconfig
json.dump({
    "version": sys.version.split()[0],
    "name": "%d.%d%s" % (*sys.version_info[:2], "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""),
    "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
    "debug": bool(sysconfig.get_config_var("Py_DEBUG")),
    "venv": sys.prefix != sys.base_prefix,
}, sys.stdout)
"""
HEAD = """<!-- Written by cmake --workflow --preset pythons -->
# CPython versions

The wheel is built from the sdist, without SWIG, and the binding's own tests run with it.

| CPython | wheel | tests | with | from |
|---|---|---|---|---|
"""


def run(*command, cwd=None, env=None, check=True):
    command = [str(word) for word in command]
    done = subprocess.run(command, cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command[:6])} ...: {done.returncode}\n{done.stdout[-6000:]}")
    return done


def candidates(name, setup):
    """Programs that may be this Python: of PATH, of pyenv, and of Debian's newest suite."""
    found = shutil.which(f"python{name}")
    pyenv = os.environ.get("PYENV_ROOT") or os.path.expanduser("~/.pyenv")
    yield from [found] if found else []
    yield from sorted(glob.glob(f"{pyenv}/versions/{name}*/bin/python{name}"), reverse=True)
    yield from glob.glob(f"{setup}/cpythons/unpacked/usr/bin/python{name}")


def find(name, setup):
    for program in candidates(name, setup):
        done = run(program, "-c", PROBE, check=False)
        facts = json.loads(done.stdout) if done.returncode == 0 else {}
        if facts.get("name") == name and facts["headers"] and not facts["debug"] and not facts["venv"]:
            source = "Debian sid" if str(setup) in program else "pyenv" if "/versions/" in program else "PATH"
            return program, facts["version"], source
    return None


def install(site, name, packages, *options):
    """Fetch wheels for another Python, once; pip runs under this one."""
    stamp = site / (re.sub(r"\W", "", packages[0]) + ".done")
    if stamp.exists():
        return
    abi = f"cp{name.replace('.', '')}"
    plain = abi.rstrip("t")
    run(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--upgrade",
        "--target", site, "--only-binary=:all:", "--implementation", "cp", "--python-version", plain[2:],
        "--abi", abi, "--abi", "abi3", "--abi", "none", *options, *packages)  # fmt: skip
    stamp.touch()


def build(program, site, sdist, wheels):
    """The wheel, built from the sdist and unpacked beside the packages."""
    work = wheels / "source"
    shutil.rmtree(wheels, ignore_errors=True)
    work.mkdir(parents=True)
    shutil.unpack_archive(sdist, work)
    (source,) = work.iterdir()
    run(program, "-c", WHEEL, wheels, cwd=source, env={**os.environ, "PYTHONPATH": str(site)})
    shutil.rmtree(work)
    (wheel,) = wheels.glob("*.whl")
    for old in site.glob("dlferry*"):
        shutil.rmtree(old)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    (site / "dlferry" / "bin" / "dlferry-bind").chmod(0o755)
    return wheel


def test(program, site, shared):
    """pytest's last line, the peers' versions, and whether nothing failed."""
    env = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{shared}"}
    env.pop("DLFERRY_NEEDS_ALL", None)
    done = run(program, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "ignore", BINDING / "tests",
               cwd=BINDING, env=env, check=False)  # fmt: skip
    counts = re.findall(r"\d+ (?:passed|failed|skipped|errors?)", done.stdout.strip().splitlines()[-1])
    peers = run(program, "-c", WITH, env=env, check=False).stdout.split("\n")
    if done.returncode:
        print(done.stdout[-8000:])
    return ", ".join(counts) or "none", ", ".join(peer for peer in peers if peer), done.returncode == 0


def cuda_parts(torch):
    """The parts of CUDA that a torch needs: cublas, curand, ..."""
    found = [re.match(r"cuda-toolkit\[(.*?)\]", line) for line in torch.requires or []]
    return {part for match in found if match for part in match.group(1).split(",")}


def cuda_beside(site):
    """The CUDA libraries of this torch that the environment's, a newer one for the oldest CPythons, does not need."""
    (torch,) = importlib.metadata.distributions(name="torch", path=[str(site)])
    return [
        f"nvidia-{part}" for part in sorted(cuda_parts(torch) - cuda_parts(importlib.metadata.distribution("torch")))
    ]


def one(name, arguments, sdist):
    """A row of the table, and whether it is no failure."""
    found = find(name, arguments.setup)
    if not found:
        return ["-", "-", "not run: not found, or without headers", "-", "-"], True
    program, version, source = found
    site = arguments.setup / "cpythons" / name
    try:
        install(site, name, BUILDING)
        wheel = build(program, site, sdist, arguments.build / name)
        install(site, name, TESTING)
        if arguments.torch:
            install(site, name, TORCH, "--no-deps")
            for package in cuda_beside(site):
                install(site, name, [package], "--no-deps")
            install(site, name, ["mpmath", "markupsafe"])
        counts, peers, fine = test(program, site, arguments.build / "shared")
    except RuntimeError as error:
        print(error)
        return [version, "-", "failed: see the output", "-", source], False
    return [version, "-".join(wheel.stem.split("-")[2:]), counts, peers, source], fine


def write(rows):
    old = dict(re.findall(r"^\| (\S+) (\|.*)$", TABLE.read_text(), re.M)) if TABLE.exists() else {}
    text = HEAD
    for name in VERSIONS:
        if name in rows:
            version, *rest = rows[name]
            text += f"| {version if version != '-' else name} | {' | '.join(rest)} |\n"
        else:
            text += "".join(f"| {key} {row}\n" for key, row in old.items() if key == name or key.startswith(f"{name}."))
    TABLE.parent.mkdir(exist_ok=True)
    TABLE.write_text(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("setup", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("--torch", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("versions", nargs="*", default=VERSIONS)
    arguments = parser.parse_args()
    arguments.build.mkdir(parents=True, exist_ok=True)
    shared = arguments.build / "shared"
    shared.mkdir(exist_ok=True)
    for cuda in Path(sys.prefix).glob("lib/python*/site-packages/nvidia"):
        (shared / "nvidia").unlink(missing_ok=True)
        (shared / "nvidia").symlink_to(cuda)
    code = "import sys; from scikit_build_core.build import build_sdist as b; print(b(sys.argv[1]))"
    done = run(sys.executable, "-c", code, arguments.build.resolve(), cwd=BINDING)
    sdist = arguments.build.resolve() / done.stdout.strip().splitlines()[-1]
    rows, fine = {}, True
    for name in arguments.versions:
        rows[name], passed = one(name, arguments, sdist)
        fine = fine and passed
        print(f"{name:6}", " | ".join(rows[name]), flush=True)
    if arguments.write:
        write(rows)
    sys.exit(not fine)


main()
