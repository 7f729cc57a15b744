# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests here: the frameworks, the package vk, and that no tensor is left."""

import gc
import importlib
import os
import sys
import time
from pathlib import Path

import dlferry
import pytest

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # the frameworks share the device's memory
sys.path.append(str(Path(__file__).resolve().parents[1] / "cases"))  # structures.py


def framework(name):
    """A framework that works on the GPU; its tests are skipped, with the reason, where it does not."""
    module = pytest.importorskip(name)
    try:
        here = {
            "torch": lambda: module.cuda.is_available(),
            "cupy": lambda: module.cuda.runtime.getDeviceCount() > 0,
            "jax": lambda: module.devices()[0].platform in ("gpu", "cuda"),
            "numba.cuda": lambda: module.is_available(),
        }[name]()
    except Exception as error:
        pytest.skip(f"{name}: {error}")
    if not here:
        pytest.skip(f"{name} does not see the GPU")
    return module


@pytest.fixture(scope="session")
def torch():
    return framework("torch")


@pytest.fixture(scope="session")
def cupy():
    return framework("cupy")


@pytest.fixture(scope="session")
def jax():
    return framework("jax")


@pytest.fixture(scope="session")
def numba():
    return framework("numba.cuda")


@pytest.fixture(scope="session")
def vk():
    return importlib.import_module("vk")


def settled(count, expected, seconds=10):
    """A count once other threads had time to reach the expected one."""
    end = time.monotonic() + seconds
    while count() != expected and time.monotonic() < end:
        gc.collect()
        time.sleep(0.01)
    return count()


@pytest.fixture(autouse=True)
def nothing_left():
    """Fail a test after which a tensor is still alive."""
    before = dlferry.live()
    yield
    gc.collect()
    assert settled(dlferry.live, before) == before
