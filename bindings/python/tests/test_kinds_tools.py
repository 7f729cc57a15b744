# SPDX-License-Identifier: Apache-2.0
"""A package as tools see it: help, type checkers, wheels."""

import email
import inspect
import os
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from conftest import need

pytestmark = pytest.mark.usefixtures("no_kinds_open")


def test_signatures_and_docs(kinds):
    signature = inspect.signature
    assert str(signature(kinds.Sum)) == "(start=0.0)"
    assert str(signature(kinds.Sum.from_values)) == "(values)"
    assert str(signature(kinds.Sum.add)) == "(self, /, values)"
    assert str(signature(kinds.find)) == "(x, value=0.0)"
    assert str(signature(kinds.stack)) == "(frames, out=None)"
    assert kinds.stack.__module__ == kinds.Sum.__module__ == "kinds"
    assert kinds.stack.__doc__ == (
        "Stack images into one tensor.\n\nParameters\n----------\n"
        "frames : sequence of n arrays, each an array of float32 or float64 with shape (h, w), row-major\n"
        "    images of one size\n"
        "out : array of the dtype of frames with shape (n, h, w), row-major, no memory shared with other arguments,"
        " optional\n    made if left out\n\nReturns\n-------\n"
        "out : array of the dtype of frames with shape (n, h, w), row-major, no memory shared with other arguments\n"
        "    an array of the first argument's framework, or the given one\n\n"
        "Notes\n-----\nContract: frames: T[h, w] *n; out: T[n, h, w] noalias; T in f32|f64\n\nC: kinds_stack"
    )
    assert "close(self, /)" in subprocess.run(
        [sys.executable, "-c", "import kinds; help(kinds.Sum)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\b", "")
    assert kinds.__all__ == sorted(kinds.__all__, key=lambda name: (name.islower(), name))


def test_wheel__holds_its_own_core(kinds_site):
    (wheel,) = kinds_site.parent.glob("kinds-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        about = email.message_from_bytes(archive.read("kinds-0.1.7.dist-info/METADATA"))
    assert (about["Version"], about["License-Expression"]) == ("0.1.7", "Apache-2.0")
    assert about["Author-email"] == "Ada Lovelace <ada@example.org>" and about["Author"] == "Charles"
    assert about["Project-URL"] == "Homepage, https://example.org/kinds"
    assert "kinds-0.1.7.dist-info/licenses/LICENSE" in names
    assert {"kinds/__init__.py", "kinds/__init__.pyi", "kinds/py.typed"} <= set(names)
    assert not [name for name in names if name.endswith((".c", ".h", ".i"))]


def test_two_packages_in_one_process(kinds):
    """Each has its own core, queue and classes; they exchange tensors through DLPack."""
    photo = need("photo")
    image = np.random.default_rng(2).random((40, 50), dtype=np.float32)
    blurred = [photo.blur(image), photo.sobel(image)]
    stacked = kinds.stack(blurred)
    assert (stacked[0] == blurred[0]).all() and photo.mean(stacked[1]) == photo.mean(blurred[1])
    with kinds.Sum() as s:
        s.add(stacked.astype("float64")[0, 0])
    with pytest.raises(ValueError, match=r"^blur: image: "):
        photo.blur(stacked)
    with pytest.raises(TypeError, match=r"^range: x: "):
        kinds.range(stacked)
    loaded = [name for name in sys.modules if name in ("kinds._kinds", "photo._photo")]
    assert sorted(loaded) == ["kinds._kinds", "photo._photo"]
