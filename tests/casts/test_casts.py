# SPDX-License-Identifier: Apache-2.0
"""Every pair of dtypes, by exact arithmetic and by NumPy with ml_dtypes."""

import os
import random

import exact
import hub
import ml_dtypes
import numpy as np
import pytest

ALL = [*exact.INTEGERS, *exact.FLOATS]
SMALL = [name for name in ALL if exact.bits_of(name) <= 16]
WIDE = [name for name in ALL if exact.bits_of(name) > 16]
SWEEP_BITS = int(os.environ.get("DLFERRY_SWEEP_BITS", "0"))  # 28 for a release, 32 in the preset `move`


def numpy_dtype(name):
    return np.dtype(getattr(ml_dtypes, name, name))


def unsigned(name):
    return hub.UNSIGNED[max(exact.bits_of(name), 8)]


def all_codes(name):
    if name == "bool":
        return np.array([0, 1], np.uint8)
    return np.arange(1 << exact.bits_of(name)).astype(unsigned(name))


def first_difference(source, codes, name, got, wanted):
    for i in np.flatnonzero(got != wanted)[:1]:
        code = int(codes.flat[i])
        value = exact.decode(source, code)
        return f"{source} {code:#x} {value[0]} to {name}: {got[i]:#x}, expected {wanted[i]:#x}"
    return None


def assert_exact(source, codes, name, saturate):
    got = hub.cast(codes, source, name, saturate)
    wanted = [exact.cast(source, int(code), name, saturate) for code in codes]
    wanted = np.array(wanted, np.uint64).astype(got.dtype)
    assert first_difference(source, codes, name, got, wanted) is None


def edges(source, seed):
    """Codes of a wide dtype around every number and middle of the small ones, and random ones."""
    rng = random.Random(seed)
    bits = exact.bits_of(source)
    codes = {rng.getrandbits(bits) for _ in range(300)}
    if source in exact.INTEGERS:
        for shift in range(bits):
            for low in (-1, 0, 1, 1 << max(shift - 8, 0), 3 << max(shift - 9, 0)):
                codes.add((1 << shift) + low)
                codes.add(-(1 << shift) - low)
        codes = {code & ((1 << bits) - 1) for code in codes}
        return np.array(sorted(codes), unsigned(source))
    for name in SMALL:
        limit = exact.largest_code(name) if name in exact.FLOATS else exact.INTEGERS[name][1]
        chosen = range(limit + 1) if limit < 32 else rng.sample(range(limit + 1), 30)
        for code in chosen:
            one, next_one = exact.decode(name, code)[1], exact.decode(name, code + 1)[1]
            if exact.NAN in (one, next_one) or next_one == exact.INFINITY:
                next_one = one + (one >> 3)
            for number in (one, (one + next_one) // 2):
                middle = exact.round_wide(source, number)
                codes.update(max(middle + step, 0) for step in (-1, 0, 1, 4096))
    special = exact.infinity_code(source)
    for code in (0, 1, special - 1, special, special + 1, 2 * special // 3):
        codes.add(code)
    sign = 1 << (bits - 1)
    codes |= {code ^ sign for code in codes}
    return np.array(sorted(code for code in codes if code < 2 * sign), unsigned(source))


@pytest.mark.parametrize("saturate", [False, True])
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("source", SMALL)
def test_every_small_input_is_exact(source, name, saturate):
    codes = all_codes(source)
    if len(codes) > 256:  # all of them against NumPy below, and in the preset
        rng = np.random.default_rng(hash(name) % 1000)
        codes = codes if SWEEP_BITS else np.unique(rng.choice(codes, 600))
    assert_exact(source, codes, name, saturate)


@pytest.mark.parametrize("saturate", [False, True])
@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("source", WIDE)
def test_edges_of_wide_inputs_are_exact(source, name, saturate):
    assert_exact(source, edges(source, name), name, saturate)


def in_range(source, values, name):
    """Where C, and so NumPy, defines what an integer becomes."""
    if name not in exact.INTEGERS or name == "bool" or source in exact.INTEGERS:
        return np.ones(values.shape, bool)
    least, most = exact.INTEGERS[name]
    wide = values.astype(np.float64)
    return np.isfinite(wide) & (wide > least - 1.0) & (wide < most + 1.0)


def has_cast(source, name):
    """ml_dtypes lacks some pairs."""
    try:
        np.ones(1, numpy_dtype(source)).astype(numpy_dtype(name))
    except TypeError:
        return False
    return True


def rounds_twice(source, name):
    """NumPy and ml_dtypes go through float32."""
    return source in ("float64", "int32", "uint32", "int64", "uint64") and (
        name not in ("float64", "float32", "float16") and name in exact.FLOATS
    )


def assert_as_numpy(source, codes, name):
    with np.errstate(all="ignore"):
        values = codes.view(numpy_dtype(source))
        wanted = values.astype(numpy_dtype(name)).view(unsigned(name))
        defined = in_range(source, values, name)
    got = hub.cast(codes, source, name)
    if not np.array_equal(got, wanted):
        assert first_difference(source, codes[defined], name, got[defined], wanted[defined]) is None


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("source", SMALL)
def test_every_small_input_is_as_in_numpy(source, name):
    if not has_cast(source, name):
        pytest.skip("ml_dtypes has no such cast")
    assert_as_numpy(source, all_codes(source), name)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("source", WIDE)
def test_edges_of_wide_inputs_are_as_in_numpy(source, name):
    if rounds_twice(source, name):
        pytest.skip("NumPy and ml_dtypes round twice")
    assert_as_numpy(source, edges(source, name), name)


@pytest.mark.parametrize("name", ALL)
def test_float32_in_a_sweep_is_as_in_numpy(name):
    chunk = 1 << 22
    step = 16381 if not SWEEP_BITS else 1 << (32 - SWEEP_BITS)
    count = (1 << 32) // step
    for first in range(0, count, chunk):
        numbers = np.arange(first, min(first + chunk, count), dtype=np.uint64) * np.uint64(step)
        if step > 1:
            numbers += np.uint64(first // chunk % step)
        assert_as_numpy("float32", numbers.astype(np.uint32), name)


def test_rounds_once_where_ml_dtypes_rounds_twice():
    number = np.array([1 + 2**-8 + 2**-40])
    assert number.astype(ml_dtypes.bfloat16) == 1.0
    assert hub.cast(number.view(np.uint64), "float64", "bfloat16")[0] == 0x3F81  # 1.0078125
    integer = np.array([2**30 + 2**22 + 1], np.int32)
    assert integer.astype(ml_dtypes.bfloat16).view(np.uint16) == 0x4E80
    assert hub.cast(integer.view(np.uint32), "int32", "bfloat16")[0] == 0x4E81


@pytest.mark.parametrize("seed", range(200))
def test_any_strides_on_both_sides(seed):
    rng = np.random.default_rng(seed)
    source = ["float32", "bfloat16", "int8", "float64", "float8_e4m3fn", "float4_e2m1fn"][seed % 6]
    name = ["float16", "float32", "float8_e5m2", "int32", "float64", "bool", "int8"][seed % 7]
    shape = tuple(int(n) for n in rng.integers(0, 9, rng.integers(0, 5)))

    def laid_out(kind, fill):
        """An array with axes in any order, and gaps and flips along them."""
        axes = rng.permutation(len(shape))
        steps = rng.integers(1, 4, len(shape))
        whole = np.zeros([shape[a] * steps[a] + 1 for a in axes], kind)
        if fill:
            whole[...] = rng.integers(0, 1 << 60, whole.shape).astype(kind)
        flips = rng.choice([-1, 1], len(shape))
        cut = tuple(slice(None, shape[a] * steps[a], steps[a]) for a in axes)
        turned = tuple(slice(None, None, flip) for flip in flips)
        return whole, whole[cut].transpose(np.argsort(axes))[turned] if shape else whole.reshape(())

    _, a = laid_out(unsigned(source), True)
    whole, b = laid_out(unsigned(name), False)
    assert a.shape == b.shape == shape
    hub.cast_into(a, source, b, name)
    dense = hub.cast(a.copy(), source, name)
    assert np.array_equal(b, dense)
    b[...] = 0
    assert not whole.any()
