# SPDX-License-Identifier: Apache-2.0
"""Arithmetic on the layouts of any array, compared with NumPy's."""

import json

import dlferry
import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as some

torch = need("torch")

SHAPES = some.lists(some.integers(0, 4), max_size=4).map(tuple)


@some.composite
def arrays(draw):
    """An array with steps, turned axes and broadcast ones."""
    shape = draw(SHAPES)
    room = np.zeros([2 * n + 1 for n in shape], draw(some.sampled_from(["int8", "float32", "complex128"])))
    steps = [draw(some.sampled_from([1, 2, -1, -2])) for _ in shape]
    cut = [slice(None, n * s, s) if s > 0 else slice(-1, (n * s) - 1, s) for n, s in zip(shape, steps, strict=True)]
    a = room[(..., *cut)].transpose(draw(some.permutations(range(len(shape)))))
    return np.broadcast_to(a, (draw(some.integers(1, 3)), *a.shape)) if draw(some.booleans()) else a


@given(arrays())
def test_sizes__are_numpys(a):
    assert dlferry.count(a) == a.size and dlferry.byte_size(a) == a.nbytes
    low, high = dlferry.byte_range(a)
    start, end = np.lib.array_utils.byte_bounds(a)
    if a.size:
        assert (a.ctypes.data + low, a.ctypes.data + high) == (start, end)
    else:
        assert (low, high) == (0, 0)


@given(arrays())
def test_contiguity__is_numpys(a):
    t = dlferry.from_dlpack(a)
    for x in (a, t, dlferry.to_dlpack(t)):
        assert dlferry.is_contiguous(x) is dlferry.is_contiguous(x, "C") is a.flags.c_contiguous
        assert dlferry.is_contiguous(x, order="column_major") is a.flags.f_contiguous
    if a.flags.c_contiguous or a.flags.f_contiguous:
        assert dlferry.is_contiguous(a, "dense")


def test_contiguity__dense_is_any_order_of_axes():
    a = np.zeros((2, 3, 4)).transpose(1, 0, 2)
    assert [dlferry.is_contiguous(a, order) for order in ("row_major", "column_major", "dense")] == [False, False, True]
    for wrong in ("A", "K", "", "rows"):
        with pytest.raises(ValueError, match="order: expected 'row_major', 'column_major' or 'dense', got"):
            dlferry.is_contiguous(a, wrong)
    with pytest.raises(TypeError, match="is_contiguous: order: expected a str, got int"):
        dlferry.is_contiguous(a, 0)


@given(SHAPES)
def test_strides__are_numpys(shape):
    for order in "CF":
        strides = dlferry.compact_strides(shape, order)
        made = np.zeros(shape, "int8", order=order)
        if made.size:
            assert [n for n, extent in zip(strides, shape, strict=True) if extent > 1] == [
                n for n, extent in zip(made.strides, shape, strict=True) if extent > 1
            ]
    assert dlferry.compact_strides(shape) == dlferry.create("int8", shape).strides


def test_strides__that_do_not_fit():
    with pytest.raises(OverflowError):
        dlferry.compact_strides([2**32, 2**32, 2**32])
    with pytest.raises(ValueError, match="compact_strides: "):
        dlferry.compact_strides([-1])


def test_sizes__of_elements_below_a_byte():
    t = dlferry.create("int4", [5])
    assert dlferry.count(t) == 5 and dlferry.byte_size(t) == 3 and dlferry.byte_range(t) == (0, 3)


def test_alignment__of_the_first_element():
    room = np.zeros(4096, "int8")
    start = -room.ctypes.data % 1024
    for offset, aligned in [(1, 1), (6, 2), (64, 64), (192, 64), (256, 256)]:
        assert dlferry.alignment(room[start + offset :]) == aligned
    assert dlferry.alignment(np.zeros(0)) == 2**62


def test_overlap__is_of_byte_ranges():
    a = np.zeros(8)
    assert dlferry.overlap(a[:4], a[3:]) and not dlferry.overlap(a[:4], a[4:])
    assert dlferry.overlap(a[::2], a[1::2]), "the ranges overlap, if not the elements"
    assert dlferry.overlap(torch.from_numpy(a), a) and not dlferry.overlap(a, a.copy())
    assert not dlferry.overlap(a, a[:0])


def test_reachable__is_the_processors_memory():
    assert dlferry.is_reachable(np.zeros(2)) and dlferry.is_reachable(torch.zeros(2))


def test_unique__counts_what_the_hub_knows():
    t = dlferry.create("int8", [2])
    assert dlferry.is_unique(t)
    array = np.from_dlpack(t)
    assert not dlferry.is_unique(t)
    del array
    assert dlferry.is_unique(t)
    with pytest.raises(TypeError, match=r"expected a dlferry\.Tensor"):
        dlferry.is_unique(np.zeros(2))


def test_describe_json__tells_all():
    a = np.zeros((2, 3), "float32").T
    a.flags.writeable = False
    t = dlferry.from_dlpack(a)
    told = json.loads(dlferry.describe_json(t))
    assert told["dtype"] == "float32" and told["shape"] == [3, 2] and told["strides"] == [1, 3]
    assert told["device"] == "cpu" and told["flags"] == ["read_only"] and int(told["address"], 16) == t.data
    big = dlferry.create("int8", [1] * 64)
    assert json.loads(dlferry.describe_json(big))["shape"] == [1] * 64
    t.release()
    with pytest.raises(ValueError, match="got a closed one"):
        dlferry.describe_json(t)


@pytest.mark.parametrize("name", ["null_shape", "negative_extent", "ndim_65"])
def test_malformed__is_checked_first(malformed, name):
    for call in (dlferry.count, dlferry.byte_size, dlferry.byte_range, dlferry.is_contiguous, dlferry.alignment):
        capsule = malformed.capsule(name)
        with pytest.raises((ValueError, OverflowError, TypeError, BufferError)):
            call(capsule)
        with pytest.raises((ValueError, OverflowError, TypeError, BufferError)):
            dlferry.from_dlpack(capsule)
    capsule = malformed.capsule(name)
    with pytest.raises(ValueError):
        dlferry.overlap(np.zeros(2), capsule)
    with pytest.raises(ValueError):
        dlferry.from_dlpack(capsule)


def test_version__as_a_number():
    major, minor, patch = map(int, dlferry.version().split("."))
    assert dlferry.version_number() == major * 10000 + minor * 100 + patch


def test_arguments__that_are_no_arrays():
    for call in (dlferry.count, dlferry.byte_size, dlferry.is_contiguous, dlferry.is_reachable):
        for x in (3, None, "abc", [1, 2]):
            with pytest.raises(TypeError, match=f"{call.__name__}: expected an array"):
                call(x)
