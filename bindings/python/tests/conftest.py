# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests: nothing may be left alive, and how to make malformed tensors."""

import ctypes
import gc
import importlib
import json
import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import dlferry
import pytest


def need(name):
    """A framework; where the build has set up all of them, a missing one is a failure instead of a skip."""
    return importlib.import_module(name) if os.environ.get("DLFERRY_NEEDS_ALL") else pytest.importorskip(name)


ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "tests" / "cases"))
CASES = json.loads((ROOT / "tests" / "cases" / "malformed.json").read_text(encoding="utf-8"))["cases"]


@pytest.fixture(scope="module", autouse=True)
def frozen():
    """What is there before a file's tests stays out of their collections, which else take a second with all frameworks
    loaded. A frozen object that kept a tensor would fail its test.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def rounds():
    """How often a long loop runs; the preset python-soak asks for 100,000."""
    return int(os.environ.get("DLFERRY_ROUNDS", "2000"))


def settled(expected):
    """How many tensors live once threads of a framework had time to release theirs, as JAX's do after the call."""
    end = time.monotonic() + 10
    while dlferry.live() != expected and time.monotonic() < end:
        time.sleep(0.01)
    return dlferry.live()


@pytest.fixture(autouse=True)
def nothing_left():
    """Fail a test after which a tensor is still alive."""
    before = dlferry.live()
    yield
    if dlferry.live() != before:  # collecting takes long with the frameworks loaded
        gc.collect()
    assert settled(before) == before


@pytest.fixture(scope="session", autouse=True)
def nothing_left_at_the_end():
    yield
    gc.collect()
    assert dlferry.live() == 0


def compile_c(source, out, *options):
    """Compile a C file as a shared library."""
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    command = [
        compiler,
        "-std=c11",
        "-O1",
        "-shared",
        "-fPIC",
        f"-I{dlferry.get_include()}",
        source,
        "-o",
        out,
        *options,
    ]
    subprocess.run([str(word) for word in command], check=True)
    return ctypes.PyDLL(str(out))


class Malformed:
    """tests/cases/malformed.c, its tensors in capsules."""

    def __init__(self, library):
        self.library = library
        library.malformed_make.restype = library.malformed_make_legacy.restype = ctypes.c_void_p
        library.malformed_make.argtypes = library.malformed_make_legacy.argtypes = [ctypes.c_char_p]
        library.malformed_deleted.restype = ctypes.c_int64
        library.made_tensor.restype, library.made_tensor.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
        self.new = ctypes.pythonapi.PyCapsule_New
        self.new.restype = ctypes.py_object
        self.new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]

    def capsule(self, name, legacy=False):
        make = self.library.malformed_make_legacy if legacy else self.library.malformed_make
        address = make(name.encode())
        assert address, name
        return self.new(address, b"dltensor" if legacy else b"dltensor_versioned", None)

    def deleted(self):
        return self.library.malformed_deleted()

    def tensor(self, text):
        """A tensor from its text, as made.h reads it."""
        address = self.library.made_tensor(text.encode())
        assert address, text
        return dlferry.from_dlpack(self.new(address, b"dltensor_versioned", None))


@pytest.fixture(scope="session")
def malformed(tmp_path_factory):
    given = os.environ.get("DLFERRY_MALFORMED")
    if given:
        return Malformed(ctypes.PyDLL(given))
    out = tmp_path_factory.mktemp("malformed") / "malformed.so"
    return Malformed(compile_c(ROOT / "tests" / "cases" / "malformed.c", out, ROOT / "tests" / "cases" / "made.c"))


def capsule_name(capsule):
    get = ctypes.pythonapi.PyCapsule_GetName
    get.restype, get.argtypes = ctypes.c_char_p, [ctypes.py_object]
    return get(capsule).decode()


@pytest.fixture(scope="session")
def kinds_site(tmp_path_factory):
    """A folder with the package of tests/bind/kinds.h, as an installed wheel that was built without network."""
    folder = tmp_path_factory.mktemp("kinds")
    bind = [sys.executable, "-m", "dlferry.bind", "kinds.h", "--name", "kinds", "--source", "kinds.c", "--strict"]
    bind += ["--package-file", "kinds.toml", "--lang", "python", "--out", folder]
    subprocess.run([*bind], cwd=ROOT / "tests" / "bind", check=True)
    subprocess.run([*bind, "--check"], cwd=ROOT / "tests" / "bind", check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps"]
    wheel = [*pip, "wheel", *offline, "--no-build-isolation", "-w", folder, folder / "python"]
    subprocess.run(wheel, check=True)
    (made,) = folder.glob("kinds-*.whl")
    subprocess.run([*pip, "install", *offline, "--target", folder / "site", made], check=True)
    return folder / "site"


@pytest.fixture(scope="session")
def kinds(kinds_site):
    sys.path.insert(0, str(kinds_site))
    yield importlib.import_module("kinds")
    sys.path.remove(str(kinds_site))


@pytest.fixture
def no_kinds_open(kinds):
    yield
    gc.collect()
    assert (kinds.open_sums(), kinds.open_gifts()) == (0, 0)


def refused(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
