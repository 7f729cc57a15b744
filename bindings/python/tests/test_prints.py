# SPDX-License-Identifier: Apache-2.0
"""Reals are printed with the least digits that read back as the same number, up to eight, as NumPy does."""

import math

import dlferry
import numpy as np
import pytest
from conftest import need

SMALL = ["float8_e3m4", "float8_e4m3", "float8_e4m3b11fnuz", "float8_e4m3fn", "float8_e4m3fnuz"]
SMALL += ["float8_e5m2", "float8_e5m2fnuz", "bfloat16"]


def texts(array, dtype):
    """The text of each element by itself, since columns have a common notation."""
    t = dlferry.wrap(np.frombuffer(array.tobytes(), np.uint8).copy(), dtype)
    return [dlferry.format(element).partition("\n")[2] for element in t]


def blocks_are_numpys(values):
    """Blocks of a thousand are not summarised."""
    for first in range(0, len(values), 1000):
        block = values[first : first + 1000]
        assert dlferry.format(block).partition("\n")[2] == np.array2string(block, separator=", ")


NEWEST = np.lib.NumpyVersion(np.__version__) >= "2.5.0"  # older ones begin the scientific notation elsewhere


@pytest.mark.skipif(not NEWEST, reason="another notation for float16")
def test_prints__every_float16_as_numpy_does():
    values = np.arange(65536, dtype=np.uint16).view(np.float16)
    blocks_are_numpys(values)
    assert texts(values[:2000], "float16") == [np.array2string(x) for x in values[:2000]]


@pytest.mark.skipif(not NEWEST, reason="another notation for float32")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_prints__digits_as_numpy_does(dtype):
    real, bits = np.dtype(dtype), np.dtype(f"uint{np.dtype(dtype).itemsize * 8}")
    some = np.random.default_rng(7).integers(0, np.iinfo(bits).max, 3000, dtype=bits).view(real)
    info = np.finfo(real)
    powers = np.ldexp(real.type(1), np.arange(info.minexp - info.nmant, info.maxexp)).astype(real)
    hundredths = np.arange(-500, 500).astype(real) / real.type(100)
    with np.errstate(all="ignore"):
        for values in (some, powers, hundredths, hundredths * 3, np.sqrt(np.arange(1000, dtype=real))):
            blocks_are_numpys(values)
    for x, text in zip(powers, texts(powers, dtype), strict=True):
        assert text == np.array2string(x)


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
