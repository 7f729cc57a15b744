# SPDX-License-Identifier: Apache-2.0
"""A package's types, as mypy --strict and pyright see the programs of its users."""

import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, need

pytestmark = pytest.mark.usefixtures("no_kinds_open")

# Each line that ends in "# error" is one; no other is.
USER = '''
import array
import kinds
import dlferry
import shapes
import jax
import numpy as np
import photo
import torch
from dlferry.typing import Array
from numpy.typing import NDArray
from typing_extensions import assert_type


def use(x: NDArray[np.float64]) -> float:
    with kinds.Sum(1.0) as total:
        total.add(x)
        scaled: NDArray[np.float64] = kinds.scale(x, total)
        picked: NDArray[np.float64] = kinds.pick(scaled, [0, 1])
        counts: NDArray[np.int64] = kinds.unique(picked).counts  # another dtype: not of x's type
        values: NDArray[np.float64] = kinds.unique(picked).values
        stacked: NDArray[np.float64] = kinds.stack([counts.astype("f8"), values])
        low, high = kinds.range(stacked[0])
        found: kinds.FindResult = kinds.find(x, value=low)
        return high + total.total() + found.sign.value + found.value + len(kinds.word(1)) + float(kinds.gift(0)[0])


def frameworks(x: torch.Tensor, y: jax.Array, z: dlferry.Tensor, total: kinds.Sum) -> None:
    a: torch.Tensor = kinds.scale(x, total)
    b: jax.Array = kinds.scale(y, total)
    c: dlferry.Tensor = kinds.scale(z, total)
    d: torch.Tensor = kinds.scale(x, total, out=a)
    print(a, b, c, d, kinds.scale(memoryview(b"8 bytes."), total), kinds.scale(array.array("d", [1.0]), total))


def any_array(x: Array) -> float:
    """A user's own function over any array."""
    return kinds.range(x).high


def cut(x: NDArray[np.float32], y: torch.Tensor) -> int:
    kept: NDArray[np.float32] = shapes.keep(x)
    like: torch.Tensor = shapes.keep(y)
    made: NDArray[np.float32] = shapes.lie(2)
    places: NDArray[np.int32] = shapes.find(x, least=2).places
    written: int = shapes.keep(x, out=kept) + shapes.lie(2, made) + shapes.find(y, places=places, values=places)
    shapes.find(x, places=places)  # error
    text: str = shapes.keep(x, kept)  # error
    number: int = shapes.keep(x)  # error
    print(like, text, number)
    return written


def results(n: NDArray[np.float64], rgb: NDArray[np.uint8], t: torch.Tensor, total: kinds.Sum) -> None:
    """What is given comes back; else the result is of the first array's library. None is Any."""
    assert_type(photo.blur(n), NDArray[np.float64])
    assert_type(photo.blur(n, out=t), torch.Tensor)
    assert_type(photo.blur(n, 2.0, t), torch.Tensor)
    assert_type(photo.blur(t, out=n), NDArray[np.float64])
    assert_type(photo.blur(b"bytes", out=n), NDArray[np.float64])
    assert_type(photo.blur(t, 2.0), torch.Tensor)
    assert_type(photo.sobel(t), torch.Tensor)
    assert_type(photo.difference(t, n), torch.Tensor)
    assert_type(photo.gray(t), torch.Tensor)
    assert_type(photo.gray(rgb), NDArray[np.float32])
    assert_type(photo.gray(rgb, out=t), torch.Tensor)
    assert_type(kinds.scale(n, total, t), torch.Tensor)
    photo.blur(n, 1.0, "text")  # error
    photo.blur(n, out=5)  # error


def wrong(x: NDArray[np.float64], total: kinds.Sum) -> None:
    kinds.range("text")  # error
    kinds.range([1.0, 2.0])  # error
    kinds.range(None)  # error
    kinds.scale("text", total)  # error
    kinds.scale(x, total, "text")  # error
    kinds.scale(x, x)  # error
    kinds.stack("text")  # error
    kinds.stack(["text"])  # error
    kinds.pick(x, "text")  # error
    kinds.fill("text", 1.0)  # error
    kinds.range(x).lowest  # error
    kinds.word("text")  # error
    any_array("text")  # error
    a: torch.Tensor = kinds.scale(x, total)  # error
    print(a)
'''

# mypy reads the classes of torch and JAX themselves, and not the thousands of modules that they import.
SETTINGS = """
[mypy]
[mypy-torch.*,jax.*]
follow_imports = skip
[mypy-torch,torch._C.*,torch._tensor,torch.types,jax,jax._src.basearray]
follow_imports = silent
"""


def checked(kinds_site, cwd, *command):
    (cwd / "mypy.ini").write_text(SETTINGS, encoding="utf-8")
    need("mypy"), need("pyright")
    bind = [sys.executable, "-m", "dlferry.bind", "shapes.h", "--name", "shapes", "--prefix", "s_", "--lang", "python"]
    bind += ["--contracts", "shapes.contracts", "--out", cwd / "made"]  # only its stubs are read
    subprocess.run(bind, cwd=ROOT / "tests/bind/shapes", check=True)
    sites = os.pathsep.join(
        [str(kinds_site), str(cwd / "made" / "python"), str(ROOT / "examples/photo/packages/python")]
    )
    path = os.pathsep.join([sites, *sys.path])
    env = {**os.environ, "MYPYPATH": sites, "PYTHONPATH": path, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    command = [sys.executable, "-m", *command]
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)


def lines_with_errors(done):
    return {int(number) for number in re.findall(r"user\.py:(\d+)(?::\d+)*(?:: | - )error", done.stdout)}


EXPECTED = {number for number, line in enumerate(USER.splitlines(), 1) if line.endswith("# error")}


def test_mypy_strict(kinds_site, tmp_path):
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    mypy = ["mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    done = checked(kinds_site, tmp_path, *mypy, "user.py", kinds_site / "kinds")
    assert lines_with_errors(done) == EXPECTED, done.stdout + done.stderr
    assert f"Found {len(EXPECTED)} errors in 1 file" in done.stdout, done.stdout


def test_pyright(kinds_site, tmp_path):
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    settings = '{"typeCheckingMode": "standard", "reportAttributeAccessIssue": "error"}'
    (tmp_path / "pyrightconfig.json").write_text(settings, encoding="utf-8")
    done = checked(kinds_site, tmp_path, "pyright", "--pythonpath", sys.executable, "user.py")
    assert lines_with_errors(done) == EXPECTED, done.stdout + done.stderr


def test_stubs__say_what_is_there(kinds_site, tmp_path):
    packages = ["kinds", "dlferry.typing"]
    done = checked(kinds_site, tmp_path, "mypy.stubtest", *packages, "--ignore-disjoint-bases")
    assert done.returncode == 0, done.stdout + done.stderr
