# SPDX-License-Identifier: Apache-2.0
"""Views of a Tensor. The oracle is NumPy: the same shape, strides, address and values, and refusals where it raises."""

import gc
import sys

import dlferry
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

DTYPES = ["bool", "int8", "uint16", "int32", "float16", "float32", "float64", "complex64", "complex128"]
SHAPES = st.lists(st.integers(0, 4), max_size=4)


@st.composite
def arrays(draw):
    """An array, perhaps transposed, strided and reversed."""
    shape = draw(SHAPES)
    a = np.arange(int(np.prod(shape))).reshape(shape).astype(draw(st.sampled_from(DTYPES)))
    a = a.transpose(draw(st.permutations(range(a.ndim))))
    return a[(*(slice(None, None, draw(st.sampled_from([-2, -1, 1, 2]))) for _ in range(a.ndim)), ...)]


def ints(extent):
    return st.one_of(st.integers(-extent - 1, extent), st.integers(-extent - 1, extent).map(np.int64))


def one_index(extent):
    bound = st.one_of(st.none(), st.integers(-extent - 2, extent + 2))
    step = st.one_of(st.none(), st.integers(-3, 3), st.sampled_from([sys.maxsize, -sys.maxsize]))
    return st.one_of(ints(extent), st.builds(slice, bound, bound, step), st.none(), st.just(Ellipsis))


@st.composite
def indexed(draw):
    a = draw(arrays())
    items = [draw(one_index(draw(st.sampled_from(a.shape)) if a.ndim else 1)) for _ in range(draw(st.integers(0, 5)))]
    return a, items[0] if len(items) == 1 and draw(st.booleans()) else tuple(items)


def agree(view, expected, parent=None):
    """One of NumPy's arrays and a tensor are the same view. A stride counts if it is used."""
    assert view.shape == expected.shape and str(view.dtype) == str(expected.dtype)
    assert (view.ndim, view.size, view.itemsize) == (expected.ndim, expected.size, expected.itemsize)
    assert view.nbytes == expected.nbytes
    if expected.size:
        assert view.data == expected.__array_interface__["data"][0]
        used = [(s, n) for s, n in zip(view.strides, view.shape, strict=True) if n > 1]
        assert [s * view.itemsize for s, _ in used] == [
            s for s, n in zip(expected.strides, expected.shape, strict=True) if n > 1
        ]
    assert (view.numpy() == expected).all()
    if parent is not None:
        assert view.readonly == parent.readonly and view.version == parent.version


def same(parent, ours, theirs):
    """Both give the same view, or both refuse."""
    try:
        expected = theirs()
    except (IndexError, ValueError, TypeError) as refused:
        with pytest.raises((IndexError, ValueError, TypeError, BufferError)) as caught:
            ours()
        if isinstance(refused, IndexError) and not isinstance(refused, np.exceptions.AxisError):
            assert isinstance(caught.value, IndexError) or "slice step" in str(caught.value), (refused, caught.value)
    else:
        agree(ours(), np.asarray(expected), parent)


@settings(deadline=None, max_examples=200)
@given(indexed())
def test_index__is_that_of_numpy(case):
    a, key = case
    t = dlferry.from_dlpack(a)
    # NumPy gives a number, not an array, where no axis is left.
    same(t, lambda: t[key], lambda: a[key] if isinstance(a[key], np.ndarray) else a[(*as_tuple(key), ...)])


def as_tuple(key):
    return key if isinstance(key, tuple) else (key,)


@settings(deadline=None, max_examples=60)
@given(st.data(), arrays())
def test_index__of_views_of_released_parents(data, a):
    t = dlferry.from_dlpack(a)
    for _ in range(4):
        extent = max(a.shape, default=1)
        key = tuple(data.draw(one_index(extent)) for _ in range(data.draw(st.integers(0, 2))))
        try:
            a = a[(*key, ...)] if Ellipsis not in key else a[key]
        except (IndexError, ValueError):
            assume(False)
        parent, t = t, t[key]
        parent.release()
        a = np.asarray(a)
        agree(t, a)


@settings(deadline=None, max_examples=60)
@given(st.data(), arrays())
def test_shape__of_every_view_is_that_of_numpy(data, a):
    t = dlferry.from_dlpack(a)
    shape = data.draw(st.lists(st.integers(-1, 6), max_size=4))
    axes = data.draw(st.lists(st.integers(-3, 3), max_size=3).map(tuple))
    axis = data.draw(st.integers(-4, 4))
    same(t, lambda: t.T, lambda: a.T)
    same(t, lambda: t.mT, lambda: a.mT)
    same(t, lambda: t.permute(axes), lambda: a.transpose(axes) if axes or not a.ndim else a.transpose((0,) * 9))
    same(t, lambda: t.squeeze(), lambda: a.squeeze())
    if a.ndim:  # NumPy lets axis 0 of an array without axes pass
        same(t, lambda: t.squeeze(axes), lambda: a.squeeze(axes))
        same(t, lambda: t.squeeze(axis=axis), lambda: a.squeeze(axis))
        same(t, lambda: t.flip(axes), lambda: np.flip(a, axes))
        same(t, lambda: t.flip(axis), lambda: np.flip(a, axis))
    same(t, lambda: t.flip(), lambda: a[(slice(None, None, -1),) * a.ndim + (...,)])  # np.flip copies without axes
    same(t, lambda: t.unsqueeze(axis), lambda: np.expand_dims(a, axis))
    same(t, lambda: t.unsqueeze(axes), lambda: np.expand_dims(a, axes))
    same(t, lambda: t.broadcast_to(shape), lambda: np.broadcast_to(a, shape))
    same(t, lambda: t.reshape(shape), lambda: a.reshape(shape, copy=False))


@settings(deadline=None, max_examples=60)
@given(arrays())
def test_shape__reshape_copies_only_if_asked(a):
    t = dlferry.from_dlpack(a)
    for shape in ((-1,), (a.size,), (*a.shape, 1)):
        if a.size == 0 and -1 in shape:
            continue
        copied = t.reshape(shape, copy=True)
        assert copied.numpy().tolist() == a.reshape(shape).tolist()
        assert not a.size or copied.data != t.data
        assert not copied.readonly


@settings(deadline=None, max_examples=60)
@given(arrays(), st.sampled_from(["int8", "uint16", "float32", "int64", "complex128"]))
def test_bitcast__is_numpys_view(a, dtype):
    assume(a.size and a.dtype != bool)
    t = dlferry.from_dlpack(a)
    try:
        expected = a.view(dtype)
    except ValueError:
        with pytest.raises((ValueError, BufferError)):
            t.bitcast(dtype)
        return
    view = t.bitcast(dtype)
    assert view.data == expected.ctypes.data
    assert view.shape == expected.shape and view.numpy().tobytes() == expected.tobytes()


def test_index__numbers_of_other_libraries():
    t = dlferry.from_dlpack(np.arange(6).reshape(2, 3))

    class Two:
        def __index__(self):
            return 2

    for index in (Two(), np.int8(2), np.array(2), dlferry.from_dlpack(np.array(2))):
        assert t[1, index].numpy() == 5
        assert t[:, index:].shape == (2, 1)


@pytest.mark.parametrize(
    ("key", "kind", "text"),
    [
        (2, IndexError, "index: expected index below 2 of axis 0 (from 0), got 2"),
        ((0, -4), IndexError, "index: expected index below 3 of axis 1 (from 0), got -4"),
        ((0, 0, 0), IndexError, "index: expected at most 2 indices, got more"),
        ((..., ...), IndexError, "index: expected one Ellipsis, got two"),
        ((None,) * 63, ValueError, "index: expected at most 64 axes, got more"),
        (2**70, IndexError, "cannot fit 'int' into an index-sized integer"),
        (slice(None, None, 0), ValueError, "slice step cannot be zero"),
        (1.0, TypeError, "index: expected integers, slices, Ellipsis and None, got float"),
        ("x", TypeError, "index: expected integers, slices, Ellipsis and None, got str"),
        ([0], TypeError, "index: expected integers, slices, Ellipsis and None, got list, which is no view; write "),
        (True, TypeError, "index: expected integers, slices, Ellipsis and None, got bool, which is no view; write "),
        (np.True_, TypeError, "got numpy.bool, which is no view; write t.numpy()[...]"),
        (np.array(True), TypeError, "got numpy.ndarray, which is no view; write t.numpy()[...]"),
        (np.array([0, 1]), TypeError, "got numpy.ndarray, which is no view; write t.numpy()[...]"),
        ((0, [True] * 3), TypeError, "got list, which is no view; write t.numpy()[...]"),
    ],
)
def test_index__refusals_say_why(key, kind, text):
    t = dlferry.from_dlpack(np.zeros((2, 3)))
    with pytest.raises(kind) as caught:
        t[key]
    assert text in str(caught.value)
    with pytest.raises(kind) as caught:
        t[key] = 1
    assert text in str(caught.value) and not t.numpy().any()


def test_index__python_code_that_releases_the_tensor():
    t = dlferry.from_dlpack(np.zeros((2, 3)))

    class Evil:
        def __index__(self):
            t.release()
            return 0

    for key in (Evil(), (0, Evil()), slice(Evil(), None)):
        t = dlferry.from_dlpack(np.zeros((2, 3)))
        with pytest.raises(ValueError, match="got a closed one"):
            t[key]
        t = dlferry.from_dlpack(np.zeros((2, 3)))
        with pytest.raises(ValueError, match="got a closed one"):
            t[key] = 1
    t = dlferry.from_dlpack(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="got a closed one"):
        t.reshape(Evil(), 6)
    for call in (
        lambda t: t[:, Evil()],
        lambda t: t.reshape([Evil()]),
        lambda t: t[: Evil()],
        lambda t: t.permute([Evil(), 1]),
        lambda t: t.squeeze(Evil()),
        lambda t: t.unsqueeze([Evil()]),
        lambda t: t.flip(Evil()),
    ):
        t = dlferry.from_dlpack(np.zeros((2, 3)))
        with pytest.raises(ValueError, match="got a closed one"):
            call(t)


def test_index__packed_elements_start_on_a_byte():
    t = dlferry.wrap(bytearray(b"\x21\x43\x65\x87\x09"), "uint4", [3, 3])
    assert dlferry.format(t[1, 1:]) == "uint4[2] cpu\n[5, 6]"
    with pytest.raises(BufferError, match="starts on a byte"):
        t[1]


def test_views__keep_their_parents_memory_and_flags():
    a = np.arange(6.0)
    a.flags.writeable = False
    before = sys.getrefcount(a)
    t = dlferry.from_dlpack(a)
    views = [t[1:], t.T, t.reshape(2, 3)[0], t.bitcast("uint8")[::2]]
    assert all(v.readonly for v in views)
    t.release()
    assert sys.getrefcount(a) > before
    assert views[2].numpy().tolist() == [0, 1, 2]
    del views
    gc.collect()
    assert sys.getrefcount(a) == before


def test_views__of_a_legacy_parent_count_as_read_only():
    t = dlferry.from_dlpack(np.arange(6.0).__dlpack__())
    assert t.version == (0, 8) and t.readonly
    for view in (t[1:], t.T, t.flip(), t.reshape(2, 3), t.broadcast_to(2, 6)):
        assert view.readonly and view.version == (0, 8)
        assert not view.numpy().flags.writeable
        assert np.from_dlpack(view.__dlpack__ and view).flags.writeable is False


def test_length_and_iteration():
    t = dlferry.from_dlpack(np.arange(6).reshape(2, 3))
    assert len(t) == 2 and [row.numpy().tolist() for row in t] == [[0, 1, 2], [3, 4, 5]]
    assert [row.shape for row in reversed(t)] == [(3,), (3,)]
    first, second = t
    assert second.data == first.data + 3 * 8
    for use in (len, iter, list):
        with pytest.raises(TypeError, match="expected a tensor with an axis, got one without"):
            use(t[0, 0])
    assert len(dlferry.create("int8", [0, 3])) == 0 and list(dlferry.create("int8", [0, 3])) == []


def test_lanes__there_and_back():
    t = dlferry.from_dlpack(np.arange(8, dtype=np.float32).reshape(2, 4))
    packed = t.pack_lanes()
    assert (packed.dtype, packed.shape, packed.itemsize, packed.nbytes) == ("float32x4", (2,), 16, 32)
    assert packed[1].unpack_lanes().numpy().tolist() == [4, 5, 6, 7]
    assert packed.unpack_lanes().numpy().tolist() == t.numpy().tolist()


def test_methods__refuse_what_is_no_axis():
    t = dlferry.from_dlpack(np.zeros((2, 3, 4)))
    for call, kind in (
        (lambda: t[2**70], IndexError),
        (lambda: t[1.0], TypeError),
        (lambda: t.permute([0, 1, 2**40]), IndexError),
        (lambda: t.permute([0, 1, 2**70]), OverflowError),
        (lambda: t.squeeze(1.0), TypeError),
        (lambda: t[::0], ValueError),
    ):
        with pytest.raises(kind):
            call()


def test_sizeof__counts_the_memory_that_goes_with_the_tensor():
    small, large = dlferry.create("uint8", [1]), dlferry.create("uint8", [10_001])
    assert sys.getsizeof(large) - sys.getsizeof(small) == 10_000
    assert sys.getsizeof(large[:]) < 1000 and sys.getsizeof(dlferry.from_dlpack(np.zeros(10_000))) < 1000
    assert sys.getsizeof(large.copy()) == sys.getsizeof(large)
    assert sys.getsizeof(dlferry.from_dlpack(np.zeros(10_000), copy=True)) > 80_000
    large.release()
    assert sys.getsizeof(large) < sys.getsizeof(small)


@settings(deadline=None, max_examples=50)
@given(arrays(), arrays())
def test_compare__is_numpys(a, b):
    x, y = dlferry.from_dlpack(a), dlferry.from_dlpack(b)
    assert x.equal(x) and x.identical(a) and x.all_close(a.copy()) and dlferry.equal(a, x)
    assert x.equal(y) == dlferry.equal(x, b) == np.array_equal(a, b)
    assert x.identical(y) == dlferry.identical(a, b) == (a.dtype == b.dtype and np.array_equal(a, b))
    if a.shape == b.shape:
        assert x.all_close(y, rtol=0.5, atol=1) == np.allclose(a.astype(complex), b.astype(complex), 0.5, 1)


def test_compare__what_is_different():
    nan = dlferry.from_dlpack(np.array([np.nan, 1]))
    assert nan.identical(nan) and not nan.equal(nan)
    assert nan.all_close(nan, equal_nan=True) and not nan.all_close(nan)
    assert dlferry.all_close(np.zeros(2), np.full(2, 1e-9)) and not dlferry.all_close(np.zeros(2), np.full(2, 1e-7))
    with pytest.raises(ValueError, match="all_close: expected"):
        nan.all_close(nan, rtol=-1)
    with pytest.raises(TypeError, match="equal: expected an array"):
        nan.equal(3)
    assert (nan == nan[:]) is False and nan != nan[:]
