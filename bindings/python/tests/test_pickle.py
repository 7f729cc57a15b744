# SPDX-License-Identifier: Apache-2.0
"""Tensors in pickles: protocols 0 to 5, out-of-band buffers, subclasses, pickles that lie."""

import multiprocessing
import pickle
from multiprocessing import shared_memory

import classes
import dlferry
import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as st

READ_ONLY_FLAG = 1
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Image(dlferry.Tensor):
    """A subclass with attributes."""


def beside(t):
    """The pickle of t, and the buffers that belong to it."""
    buffers = []
    return pickle.dumps(t, protocol=5, buffer_callback=buffers.append), buffers


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (2, 3), (2, 1, 4)])
def test_pickle__keeps_elements_dtype_and_shape(protocol, shape):
    a = np.arange(np.prod(shape, dtype=int), dtype=np.complex64).reshape(shape)
    t = pickle.loads(pickle.dumps(dlferry.from_dlpack(a), protocol))
    assert type(t) is dlferry.Tensor and t.dtype == "complex64" and t.shape == shape
    np.testing.assert_array_equal(t.numpy(), a)
    assert t.data != a.ctypes.data or not a.size


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pickle__result_may_be_written(protocol):
    t = pickle.loads(pickle.dumps(dlferry.create("int32", [2]), protocol))
    t.numpy()[...] = 7
    assert t.numpy().tolist() == [7, 7]


@given(
    dtype=st.sampled_from([np.int8, np.float16, np.float32, np.complex128, np.bool_]),
    shape=st.lists(st.integers(0, 4), max_size=4),
    data=st.data(),
)
def test_pickle__any_view_beside_or_inside(dtype, shape, data):
    a = np.arange(np.prod(shape, dtype=int)).astype(dtype).reshape(shape)
    a = a.transpose(data.draw(st.permutations(range(a.ndim))))
    a = a[tuple(slice(None, None, data.draw(st.sampled_from([1, 2, -1]))) for _ in range(a.ndim))]
    text, buffers = beside(dlferry.from_dlpack(a))
    for t in (pickle.loads(text, buffers=buffers), pickle.loads(pickle.dumps(dlferry.from_dlpack(a)))):
        np.testing.assert_array_equal(t.numpy(), a)
        del t


def test_buffers__carry_the_memory_itself():
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    text, buffers = beside(dlferry.from_dlpack(a))
    assert len(buffers) == 1 and len(text) < 200
    t = pickle.loads(text, buffers=buffers)
    assert t.data == a.ctypes.data
    a[1, 2] = 50
    assert t.numpy()[1, 2] == 50


def test_buffers__column_major_is_not_copied():
    a = np.asfortranarray(np.arange(6.0).reshape(2, 3))
    text, buffers = beside(dlferry.from_dlpack(a))
    t = pickle.loads(text, buffers=buffers)
    assert t.data == a.ctypes.data and t.strides == (1, 2)
    np.testing.assert_array_equal(t.numpy(), a)


def test_buffers__read_only_stays_so():
    a = np.arange(3)
    a.flags.writeable = False
    text, buffers = beside(dlferry.from_dlpack(a))
    with pytest.raises(ValueError):
        pickle.loads(text, buffers=buffers).numpy()[0] = 1


def read_only(a):
    a.flags.writeable = False
    return a


def of_a_later_version(flags=0, code=classes.FLOAT):
    """A tensor of DLPack 1.9."""
    return dlferry.from_dlpack(classes.Made(code, 32, flags=flags, minor=9))


@pytest.mark.parametrize("part", [slice(None), slice(None, None, -1)], ids=["whole", "reversed"])
@pytest.mark.parametrize("flags", [8, 64 | READ_ONLY_FLAG, 1 << 40])
def test_pickle__refuses_flags_that_it_cannot_keep(flags, part):
    t = of_a_later_version(flags)[part]
    told = f"expected flags that DLPack 1.3 names, got {flags & ~READ_ONLY_FLAG:#x}$"
    for protocol in PROTOCOLS:
        with pytest.raises(dlferry.errors.UnsupportedError, match=f"^pickle: {told}"):
            pickle.dumps(t, protocol)
    with pytest.raises(dlferry.errors.UnsupportedError, match=f"^pickle: {told}"):
        beside(t)
    for look in (t.tobytes, t.__bytes__, lambda: bytes(t)):
        with pytest.raises(dlferry.errors.UnsupportedError, match=told):
            look()


@pytest.mark.parametrize("flags", range(4))
def test_pickle__keeps_elements_of_a_later_version(flags):
    t = of_a_later_version(flags)
    for protocol in PROTOCOLS:
        back = pickle.loads(pickle.dumps(t, protocol))
        assert back.tobytes() == t.tobytes() and back.readonly == t.readonly


def test_pickle__refuses_a_dtype_without_a_name():
    t = of_a_later_version(code=40)
    assert len(t.tobytes()) == 8
    for protocol in PROTOCOLS:
        with pytest.raises(
            dlferry.errors.DtypeError, match=r"^pickle: expected a dtype that DLPack 1.3 names, got dtype\(40, 32\)$"
        ):
            pickle.dumps(t, protocol)


READ_ONLY = {
    "array": lambda: dlferry.from_dlpack(read_only(np.arange(6.0).reshape(2, 3))),
    "bytes": lambda: dlferry.wrap(bytes(range(8)), dtype="int32"),
    "view with gaps": lambda: dlferry.from_dlpack(read_only(np.arange(6.0)))[::2],
    "column-major": lambda: dlferry.from_dlpack(read_only(np.asfortranarray(np.arange(6.0).reshape(2, 3)))),
    "empty": lambda: dlferry.from_dlpack(read_only(np.zeros((0, 3)))),
    "subclass": lambda: Image(read_only(np.arange(6.0))),
    "legacy": lambda: dlferry.from_dlpack(dlferry.to_dlpack_legacy(dlferry.create("float64", [3]))),
}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", READ_ONLY)
def test_pickle__read_only_stays_so(kind, protocol):
    t = READ_ONLY[kind]()
    once = pickle.loads(pickle.dumps(t, protocol))
    twice = pickle.loads(pickle.dumps(once, protocol))
    for back in (once, twice):
        assert back.readonly and back.readonly == t.readonly
        np.testing.assert_array_equal(back.numpy(), t.numpy())
        assert back.numpy().flags.writeable == t.numpy().flags.writeable
        with pytest.raises(dlferry.errors.ReadOnlyError):
            dlferry.to_dlpack_legacy(back)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pickle__writable_stays_so(protocol):
    for a in (np.arange(6.0), np.arange(6.0)[::2], np.asfortranarray(np.ones((2, 3)))):
        back = pickle.loads(pickle.dumps(dlferry.from_dlpack(a), protocol))
        assert not back.readonly
        back.numpy()[...] = 5


def test_buffers__read_only_at_an_odd_address_stays_so():
    text, buffers = beside(dlferry.from_dlpack(read_only(np.arange(5.0))))
    for start in range(2):  # one of them is odd
        room = b"x" * start + bytes(buffers[0].raw())
        t = pickle.loads(text, buffers=[memoryview(room)[start:]])
        assert t.readonly and t.data % 8 == 0 and t.numpy().tolist() == [0, 1, 2, 3, 4]


def test_buffers__at_an_odd_address_are_copied():
    a = np.arange(5, dtype=np.float64)
    text, buffers = beside(dlferry.from_dlpack(a))
    room = bytearray(a.nbytes + 8)
    start = next(i for i in range(8) if (np.frombuffer(room, np.uint8).ctypes.data + i) % 8)
    room[start : start + a.nbytes] = buffers[0].raw()
    t = pickle.loads(text, buffers=[memoryview(room)[start : start + a.nbytes]])
    assert t.data % 8 == 0
    np.testing.assert_array_equal(t.numpy(), a)


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float4_e2m1fn", "int4"])
def test_dtypes__that_buffers_do_not_have(name):
    ml_dtypes = need("ml_dtypes")
    a = np.array([0, 1, 2, 3], getattr(ml_dtypes, name))
    for protocol in PROTOCOLS:
        t = pickle.loads(pickle.dumps(dlferry.from_dlpack(a), protocol))
        np.testing.assert_array_equal(t.numpy().astype(np.float32), a.astype(np.float32))


def test_dtypes__of_several_lanes_and_packed_ones():
    for dtype, shape in [("float32x4", (2, 3)), ("uint4", (3, 5)), ("float4_e2m1fn", (7,))]:
        t = dlferry.create(dtype, shape)
        back = pickle.loads(pickle.dumps(t))
        assert (back.dtype, back.shape, back.flags) == (t.dtype, t.shape, t.flags)


def test_subclass__keeps_its_type_and_attributes():
    image = Image(np.arange(4.0))
    image.title = "four"
    for protocol in PROTOCOLS:
        back = pickle.loads(pickle.dumps(image, protocol))
        assert type(back) is Image and back.title == "four"
        np.testing.assert_array_equal(back.numpy(), image.numpy())


def test_released__is_refused():
    t = dlferry.create("int8", [2])
    t.release()
    with pytest.raises(ValueError, match="got a closed one"):
        pickle.dumps(t)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({1: b"12345"}, dlferry.errors.ShapeError),
        ({1: b""}, dlferry.errors.ShapeError),
        ({1: 3}, TypeError),
        ({2: "float"}, dlferry.errors.DtypeError),
        ({2: "float32x65535"}, (dlferry.errors.BoundsError, dlferry.errors.ShapeError)),
        ({3: (1 << 62, 1 << 62)}, OverflowError),
        ({3: (-1,)}, ValueError),
        ({3: 5}, dlferry.errors.ShapeError),
        ({4: "Z"}, ValueError),
        ({0: int}, TypeError),
    ],
)
def test_pickle__that_lies(change, error):
    function, arguments, *_ = dlferry.create("float32", [2, 2]).__reduce_ex__(5)
    arguments = [change.get(i, x) for i, x in enumerate(arguments)]
    with pytest.raises(error):
        function(*arguments)


def _double(name, text, size):
    """Run in another process: double the elements in shared memory."""
    before = dlferry.live()
    memory = shared_memory.SharedMemory(name)
    t = pickle.loads(text, buffers=[memory.buf[:size]])
    t.numpy()[...] *= 2
    total = float(t.numpy().sum())
    t.release()
    memory.close()
    return total, dlferry.live() - before


@pytest.mark.parametrize("method", ["spawn", "fork"])
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning", "ignore:.*fork.*:RuntimeWarning")
def test_shared_memory__is_used_by_two_processes_without_a_copy(method):
    t = dlferry.from_dlpack(np.arange(1000, dtype=np.float32))
    text, [buffer] = beside(t)
    size = buffer.raw().nbytes
    memory = shared_memory.SharedMemory(create=True, size=size)
    try:
        memory.buf[:size] = buffer.raw()
        with multiprocessing.get_context(method).Pool(1) as pool:
            total, live = pool.apply(_double, (memory.name, text, size))
        assert (total, live) == (999 * 1000, 0)
        shared = pickle.loads(text, buffers=[memory.buf[:size]])
        assert shared.numpy()[7] == 14
        shared.release()
    finally:
        memory.close()
        memory.unlink()


def test_multiprocessing__sends_tensors_and_gets_them_back():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        back = pool.map(_plus_one, [dlferry.from_dlpack(np.full(3, i)) for i in range(4)])
    assert [t.numpy().tolist() for t in back] == [[i + 1] * 3 for i in range(4)]


def _plus_one(t):
    return dlferry.from_dlpack(t.numpy() + 1)
