# SPDX-License-Identifier: Apache-2.0
"""Real frameworks for the tests of threads, forks, ends of processes and long loops: how each gives and takes an array.

A function imports its framework, so that a program chooses which ones it loads and in what order.
"""

import array
import importlib.util
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import dlferry


@dataclass
class Framework:
    make: Callable[[], Any]
    """An own array, float32[4, 5] of ones (pyarrow's: float32[20])."""
    take: Callable[[Any], Any]
    """An array over the memory of a tensor that may be written."""


def numpy():
    import numpy as np

    return Framework(lambda: np.ones((4, 5), np.float32), np.from_dlpack)


def torch():
    import torch

    return Framework(lambda: torch.ones(4, 5), torch.from_dlpack)


def jax():
    import jax

    ones = jax.numpy.ones((4, 5), "float32")
    return Framework(lambda: ones + 0, jax.numpy.from_dlpack)


def tensorflow():
    import tensorflow as tf

    return Framework(lambda: tf.ones((4, 5)), lambda t: tf.experimental.dlpack.from_dlpack(t.__dlpack__()))


def tvm_ffi():
    import tvm_ffi

    ones = array.array("f", [1.0] * 20)
    return Framework(lambda: tvm_ffi.from_dlpack(dlferry.wrap(ones, shape=(4, 5))), tvm_ffi.from_dlpack)


def pyarrow():
    import pyarrow

    return Framework(lambda: pyarrow.array([1.0] * 20, pyarrow.float32()), pyarrow.Tensor.from_dlpack)


ALL = {f.__name__: f for f in (numpy, torch, jax, tensorflow, tvm_ffi, pyarrow)}
if platform.machine() != "x86_64":
    del ALL["tensorflow"]  # no wheels


def present():
    """The frameworks to test with: all where the build has set up all, else those that are installed."""
    return [name for name in ALL if os.environ.get("DLFERRY_NEEDS_ALL") or importlib.util.find_spec(name)]


def run_alone(code, *arguments, options=(), timeout=600):
    """Run a program in a process of its own; it must end with status 0 and write nothing on stderr."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-X", "faulthandler", *options, "-c", code, *arguments]
    done = subprocess.run(
        command,
        env={**os.environ, **quiet},
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
    )
    assert (done.returncode, done.stderr) == (0, ""), f"status {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout
