# SPDX-License-Identifier: Apache-2.0
"""Results of a package's calls."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from conftest import need, refused

pytestmark = pytest.mark.usefixtures("no_kinds_open")

WITHOUT = """
import array, sys
sys.modules["numpy"] = None  # an import of it fails
import dlferry, kinds
for out in [kinds.gift(0), kinds.positive(array.array("d", [-1.0, 2.0]))]:
    print(type(out).__name__, out.tolist())
del out
print(kinds.open_gifts())
"""


def test_results__in_order(kinds):
    x = np.array([3.0, -1.0, 2.0])
    assert kinds.range(x) == (-1.0, 3.0)
    assert kinds.find(x, 2.0) == (2, True, kinds.Sign.POSITIVE)
    assert kinds.find(x) == (3, False, kinds.Sign.ZERO)
    where, found, sign = kinds.find(x, value=-1)
    assert (type(where), type(found), type(sign)) == (int, bool, kinds.Sign)
    assert kinds.word(1) == "one"
    refused(lambda: kinds.word(7), RuntimeError, "word: kernel returned NULL, expected text")
    refused(lambda: kinds.range(np.ones(0)), ValueError, "range: x[n] is 0, wanted n > 0")


def test_results__several_are_a_named_tuple(kinds):
    x = np.array([3.0, -1.0, 3.0])
    found = kinds.find(x, 3.0)
    assert repr(found) == "FindResult(value=0, found=True, sign=<Sign.POSITIVE: 1>)"
    assert type(found) is kinds.FindResult and isinstance(found, tuple) and found._fields == ("value", "found", "sign")
    assert kinds.range(x).high == kinds.range(x)[1] == 3.0 and kinds.range(x)._replace(low=0.0) == (0.0, 3.0)
    assert pickle.loads(pickle.dumps(found)) == found
    unique = kinds.unique(x)
    assert unique.values.tolist() == [-1.0, 3.0] and unique.counts.tolist() == [1, 2]


def test_given__read_only_is_a_copy_for_torch(kinds):
    """Without read-only arrays of its own torch would write what C takes for constant."""
    torch = need("torch")
    x, before = np.array([2.0, 0.5]), kinds.open_gifts()
    kept = kinds.positive(x)
    assert not kept.flags.writeable and kinds.open_gifts() == before + 1
    result = kinds.positive(torch.from_numpy(x))
    assert kinds.open_gifts() == before + 1  # C's is released
    result[0] = 7
    assert type(result) is torch.Tensor and result.tolist() == [7.0, 0.5]


def test_given__in_the_framework_of_the_first_tensor(kinds):
    torch, jax = need("torch"), need("jax")
    x = np.array([2.0, -1.0, 2.0, 0.5])
    assert kinds.positive(x).tolist() == [2.0, 2.0, 0.5] and type(kinds.positive(x)) is np.ndarray
    assert type(kinds.positive(torch.from_numpy(x))) is torch.Tensor
    assert isinstance(kinds.positive(jax.numpy.asarray(x, "float32")), jax.Array)
    values, counts = kinds.unique(x)
    assert values.tolist() == [-1.0, 0.5, 2.0] and counts.tolist() == [1, 1, 2] and counts.dtype == np.int64
    del values, counts
    gift = kinds.gift(0)
    assert type(gift) is np.ndarray and gift.shape == (3,) and kinds.open_gifts() == 1
    view = gift[1:]
    del gift
    assert kinds.open_gifts() == 1 and view.tolist() == [0.0, 0.0]
    del view
    assert kinds.open_gifts() == 0


def test_given__is_a_tensor_without_numpy(kinds_site):
    done = subprocess.run(
        [sys.executable, "-B", "-c", WITHOUT],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(kinds_site), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "Tensor [0.0, 0.0, 0.0]\nTensor [2.0]\n0\n", done.stdout + done.stderr


def test_given__what_is_refused_is_released(kinds):
    for what, kind, text in [
        (1, RuntimeError, "gift: out: kernel gave no tensor"),
        (2, TypeError, "gift: out: dtype is f32, expected f64; got f32[3], wanted f64[3]"),
        (3, RuntimeError, "gift: out: expected extents of 0 or more, got -3 on axis 0 (from 0)"),
        (4, NotImplementedError, "gift: expected to give, got cold feet"),
    ]:
        refused(lambda what=what: kinds.gift(what), kind, text)
        assert kinds.open_gifts() == 0


def test_hook_and_stream(kinds):
    x = np.arange(4, dtype="float32")
    assert kinds.resampled(x, 1.5) == 6 and kinds.resample(x, 1.5).shape == (6,)
    with pytest.raises(ValueError, match="resample"):
        kinds.resample(x, 1001.0)
    out = np.empty(3)
    assert kinds.fill(out, 7) is True and out.tolist() == [7.0, 7.0, 7.0]  # the default stream
