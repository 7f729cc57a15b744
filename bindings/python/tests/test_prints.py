# SPDX-License-Identifier: Apache-2.0
"""Reals are printed with the least digits that read back as the same number, as NumPy does."""

import math

import dlferry
import numpy as np
import pytest
from conftest import need

SMALL = ["float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz"]
SMALL += ["float8_e5m2", "float8_e5m2fnuz", "bfloat16"]


def texts(array, dtype):
    """The text of each element; at most a thousand at a time, so that no tensor is summarised."""
    words = []
    for first in range(0, len(array), 1000):
        part = np.frombuffer(array[first : first + 1000].tobytes(), np.uint8).copy()
        elements = str(dlferry.wrap(part, dtype)).partition("\n")[2]
        words += [word.strip() for word in elements.strip("[]").split(",")]
    assert len(words) == len(array)
    return words


def shortest(x, highest):
    """NumPy's least digits of a number, in full below `highest`."""
    if not np.isfinite(x):
        return str(x)
    if x == 0 or 1e-4 <= abs(x) < highest:
        return np.format_float_positional(x, unique=True, trim=".")
    return np.format_float_scientific(x, unique=True, trim="-", exp_digits=2)


def test_prints__every_float16_as_numpy_does():
    values = np.arange(65536, dtype=np.uint16).view(np.float16)
    printed = texts(values, "float16")
    assert printed == [shortest(x, 1e3) for x in values]
    if np.lib.NumpyVersion(np.__version__) >= "2.3.0":  # older ones write 1000.0 instead of 1e+03
        assert printed == [str(x).removesuffix("0") if str(x).endswith(".0") else str(x) for x in values]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_prints__digits_as_numpy_does(dtype):
    real, bits = np.dtype(dtype), np.dtype(f"uint{np.dtype(dtype).itemsize * 8}")
    some = np.random.default_rng(7).integers(0, np.iinfo(bits).max, 20000, dtype=bits).view(real)
    info = np.finfo(real)
    powers = np.ldexp(real.type(1), np.arange(info.minexp - info.nmant, info.maxexp))
    values = np.concatenate([some, powers.astype(real), np.arange(-500, 500).astype(real) / real.type(100)])
    for x, text in zip(values, texts(values, dtype), strict=True):
        if x != 0 and abs(float(x)) < 1e-4 and text == "0.0001":  # a float32 that lies just below
            continue
        assert text == shortest(x, 1e16)


@pytest.mark.parametrize("dtype", SMALL)
def test_prints__small_floats_read_back(dtype):
    kind = getattr(need("ml_dtypes"), dtype)
    bits = np.dtype(f"uint{np.dtype(kind).itemsize * 8}")
    values = np.arange(np.iinfo(bits).max + 1, dtype=bits).view(kind)
    printed = texts(values, dtype)
    with np.errstate(all="ignore"):
        back = np.array([float(text) for text in printed]).astype(kind)
        assert np.all((back.view(bits) == values.view(bits)) | (np.isnan(back) & np.isnan(values)))
        # One digit less, whether rounded up or down, is another number.
        shorter = []
        for text, x in zip(printed, values.astype(float), strict=True):
            digits = len(text.partition("e")[0].lstrip("-0.").replace(".", ""))
            digits -= len(text) - len(text.rstrip("0.")) if text.endswith(".") else 0
            if np.isfinite(x) and x != 0 and digits > 1:
                scale = 10.0 ** (math.floor(math.log10(abs(x))) - digits + 2)
                shorter += [(math.floor(x / scale) * scale, x), (math.ceil(x / scale) * scale, x)]
        shorter = np.array(shorter).astype(kind)
        assert not np.any(shorter[:, 0] == shorter[:, 1])
