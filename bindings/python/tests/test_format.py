# SPDX-License-Identifier: Apache-2.0
"""The text of a Tensor's elements is that of NumPy's array2string."""

import re

import dlferry
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

SPECIAL = [0.0, -0.0, 1.0, 0.1, 1 / 3, -2.5, 1e-5, 1e-4, 1e20, 999.0, 1e6, 1e8, 123456.789, float("nan"), float("inf")]
REAL = st.one_of(st.floats(width=64), st.sampled_from([*SPECIAL, float("-inf")]), st.floats(-1000, 1000, width=16))
WHOLE = st.integers(-(2**63), 2**63 - 1)
FLOATS = ["float16", "float32", "float64", "complex64", "complex128"]
SHAPES = st.sampled_from([(), (1,), (2,), (7,), (2, 3), (3, 1, 2), (30,), (1001,), (40, 30), (2, 0)])
NEWEST = tuple(map(int, re.findall(r"\d+", np.__version__)[:2])) >= (2, 5)


def elements(t):
    head, _, rest = dlferry.format(t).partition("\n")
    assert head == dlferry.describe(t)
    return rest


def expected(a):
    return np.array2string(a, separator=", ")


@settings(deadline=None, max_examples=250)
@given(st.sampled_from(FLOATS), SHAPES, st.lists(REAL, min_size=1))
@example("float64", (3,), [0.0, 0.5, 1.0])
@example("float32", (2,), [1e-4, 1.0])
@example("complex64", (3,), [1.0, -2.0, float("-inf")])
@pytest.mark.skipif(not NEWEST, reason="older NumPy begins the scientific notation of float16 and float32 later")
def test_reals(dtype, shape, values):
    with np.errstate(all="ignore"):
        a = np.resize(np.array(values), shape)
        if dtype[0] == "c":
            a = a + 1j * np.resize(np.array(values[::-1]), shape)
        a = a.astype(dtype)
        assert elements(a) == expected(a)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["bool", "int8", "uint64", "int64"]), SHAPES, st.lists(WHOLE, min_size=1))
def test_integers(dtype, shape, values):
    a = np.resize(np.array(values), shape).astype(dtype)
    assert elements(a) == expected(a)


@pytest.mark.parametrize("n", [1, 18, 19, 20, 25, 36, 37, 1000])
def test_lines_are_75_wide(n):
    for a in (np.arange(n), np.arange(n) / 2, np.arange(2.0 * n).reshape(2, n), np.arange(n).reshape(1, 1, n) > 0):
        assert elements(a) == expected(a)
        assert max(map(len, elements(a).splitlines())) <= 75


def test_columns_are_numpys():
    assert elements(np.array([0, 0.5, 1])) == "[0. , 0.5, 1. ]"
    assert elements(np.array([True, True])) == "[ True,  True]"
    assert elements(dlferry.create("float32x2", [1])) == "[(0., 0.)]"
    t = dlferry.from_dlpack(np.array([[1, -2], [0.5, 3]]))
    assert repr(t) == "float64[2, 2] cpu\n[[ 1. , -2. ],\n [ 0.5,  3. ]]"
