# SPDX-License-Identifier: Apache-2.0
"""The Python environments of the matrix: virtual environments below SETUP/peers, made once and kept.

A stamp holds the hash of the requirements, another that of dlferry's sources; only what has changed is done again.
"""

import ctypes
import glob
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PYTHONS = {"mxnet": ["3.11", "3.10"]}  # environments that the newest Python cannot have
MODULES = {"arrays": ["peers_pybind11"]}  # C++ modules, built for the environment
LOCKS = {}


class Missing(Exception):
    """An environment that cannot be had here; the text says why."""


def interpreter(name):
    """The Python that makes an environment: the one that runs the tests, or an older one of pyenv's or on PATH."""
    versions = PYTHONS.get(name)
    if not versions:
        return sys.executable
    pyenv = os.environ.get("PYENV_ROOT") or str(Path.home() / ".pyenv")
    for version in versions:
        found = sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python{version}"))
        on_path = shutil.which(f"python{version}")
        for candidate in [*reversed(found), *([on_path] if on_path else [])]:
            if subprocess.run([candidate, "-c", "import ensurepip, venv"], capture_output=True).returncode == 0:
                return candidate
    raise Missing(f"needs CPython {' or '.join(versions)} with venv")


def hash_of(paths):
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def sources():
    folders = ("bindings/python/src", "bindings/python/extension", "core")
    kept = {".c", ".h", ".i", ".py", ".cmake", ".toml", ".txt"}
    found = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in kept]
    found = [path for path in found if "made" not in path.parts and "__pycache__" not in path.parts]
    return [*found, ROOT / "bindings/python/pyproject.toml"]


def step(folder, name, key, commands, say):
    """Run commands unless the stamp says that they have succeeded for this key."""
    stamp = folder / f"{name}.stamp"
    if stamp.exists() and stamp.read_text() == key:
        return
    stamp.unlink(missing_ok=True)
    say(f"peers: environment {folder.name}: {name}")
    environment = dict(os.environ, PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    environment.pop("PYTHONPATH", None)
    for command in commands:
        done = subprocess.run([str(word) for word in command], env=environment, stdin=subprocess.DEVNULL)
        if done.returncode:
            raise Missing(f"set-up failed: {' '.join(str(word) for word in command[1:])}")
    stamp.write_text(key)


def make(name, setup, say):
    base, folder = interpreter(name), setup / "peers" / name
    python = folder / "bin" / "python"
    requirements = HERE / "environments" / f"{name}.txt"
    if not requirements.exists():
        raise Missing(f"environments/{name}.txt is not there")
    if setup is None:
        raise Missing("needs --setup")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    local = [*pip, "install", "--no-index", "--no-deps", "--no-build-isolation", "--force-reinstall"]
    folder.mkdir(parents=True, exist_ok=True)
    version = subprocess.run([base, "--version"], capture_output=True, text=True, check=True).stdout
    key = version + hash_of([requirements])
    venv = [[base, "-m", "venv", "--clear", folder], [*pip, "install", "--no-compile", "-r", requirements]]
    step(folder, "packages", key, venv, say)
    build = f"--config-settings=build-dir={folder / 'build'}"
    step(folder, "dlferry", key + hash_of(sources()), [[*local, build, ROOT / "bindings/python"]], say)
    if name in MODULES:
        modules = HERE / "modules"
        compile_ = [python, "-B", HERE / "modules.py", folder / "modules", *MODULES[name]]
        step(folder, "modules", key + hash_of([HERE / "modules.py", *modules.iterdir()]), [compile_], say)
    return python


def has_gpu():
    count = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def python_of(name, setup, say):
    """The interpreter of an environment, which is set up where it is missing."""
    if name == "gpu" and not has_gpu():
        raise Missing("needs hardware: an NVIDIA GPU")
    if name in ("main", "gpu"):
        return sys.executable
    with LOCKS.setdefault(name, threading.Lock()):
        return make(name, setup, say)
