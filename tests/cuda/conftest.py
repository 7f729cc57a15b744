# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests here: the frameworks, the package vk, and that nothing is left."""

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

from lent import ALIVE

FAILED = pytest.StashKey()


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
    gc.collect()
    gc.freeze()  # a framework's objects are not searched after each test
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


class Told(Exception):
    """What a consumer asked."""


def words_asked(consumer):
    """The keywords with which a consumer calls __dlpack__ of an array on the GPU."""

    class Asked:
        def __dlpack_device__(self):
            return 2, 0

        def __dlpack__(self, **words):
            raise Told(words)

    with pytest.raises(Told) as caught:
        consumer(Asked())
    return caught.value.args[0]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report


def forget_failure():
    """Drop the exception of a test that failed before, whose frames keep tensors."""
    for name in ("last_exc", "last_type", "last_value", "last_traceback"):
        if hasattr(sys, name):
            delattr(sys, name)
    if dlferry.live() or ALIVE:
        gc.collect()


@pytest.fixture(autouse=True)
def nothing_left(request):
    """Fail a test after which a tensor is still alive."""
    forget_failure()
    before = dlferry.live(), len(ALIVE)
    yield
    if request.node.stash.get(FAILED, False):
        return  # its own failure is enough
    assert settled(lambda: (dlferry.live(), len(ALIVE)), before) == before
