# SPDX-License-Identifier: Apache-2.0
"""A Tensor's properties, and its lifetime."""

import inspect

import dlferry
import numpy as np
import pytest
from conftest import need
from hypothesis import given, settings
from hypothesis import strategies as st

NAMED = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NAMED += ["float16", "float32", "float64", "complex64", "complex128"]


def test_create__is_zero_and_aligned():
    t = dlferry.create("float32", [2, 3])
    assert (t.shape, t.strides, t.ndim, t.dtype, t.device) == ((2, 3), (3, 1), 2, "float32", "cpu")
    assert (t.flags, t.readonly, t.byte_offset) == (0, False, 0)
    assert t.data % 256 == 0
    assert t.numpy().tolist() == [[0, 0, 0], [0, 0, 0]]


def test_create__keywords_and_scalars():
    t = dlferry.create(dtype="int8", shape=(), device="cpu")
    assert t.shape == () and t.strides == ()
    assert t.numpy().shape == ()


@pytest.mark.parametrize(
    ("arguments", "kind", "status"),
    [
        (("float33x", [1]), TypeError, "DTYPE"),
        (("float32", [-1]), ValueError, "INVALID"),
        (("float32", [2**40, 2**40]), OverflowError, "OVERFLOW"),
        (("float32", [1] * 65), ValueError, "INVALID"),
        (("float32", [1], "cuda:0"), NotImplementedError, "UNSUPPORTED"),
        (("float32", [1], "gpu"), BufferError, "DEVICE"),
        (("float32", [2**64]), OverflowError, "OVERFLOW"),
    ],
)
def test_create__refuses(arguments, kind, status):
    with pytest.raises(kind) as caught:
        dlferry.create(*arguments)
    assert isinstance(caught.value, dlferry.Error)
    assert caught.value.status is dlferry.Status[status]


@pytest.mark.parametrize("arguments", [(), ("float32",), (3, [1]), ("float32", ["a"]), ("float32", None)])
def test_create__wrong_python_types(arguments):
    with pytest.raises(TypeError):
        dlferry.create(*arguments)


def test_errors__device_error_is_both_of_the_standards():
    with pytest.raises(dlferry.DeviceError) as caught:
        dlferry.from_dlpack(np.zeros(2), device="cuda:0")
    assert isinstance(caught.value, BufferError) and isinstance(caught.value, TypeError)
    assert str(caught.value) == "from_dlpack: expected device cuda:0, got cpu"
    assert {kind.status for kind in dlferry.Error.__subclasses__()} == set(dlferry.Status) - {dlferry.Status.OK}


@pytest.mark.parametrize("dtype", NAMED)
def test_numpy__round_trip_by_dtype(dtype):
    a = np.arange(6).reshape(2, 3).astype(dtype)
    t = dlferry.from_dlpack(a)
    assert t.dtype == dtype and t.data == a.ctypes.data
    b = t.numpy()
    assert b.dtype == a.dtype and b.ctypes.data == a.ctypes.data and (b == a).all()


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4", "float4_e2m1fn"])
def test_numpy__dtypes_of_ml_dtypes(name):
    ml_dtypes = need("ml_dtypes")
    a = np.array([0, 1, 1, 0]).astype(getattr(ml_dtypes, name))
    t = dlferry.from_dlpack(a)
    assert t.dtype == name
    assert bool(t.flags & dlferry.Flag.SUBBYTE_PADDED) == (name in ("int4", "uint4", "float4_e2m1fn"))
    b = t.numpy()
    assert b.dtype == a.dtype and b.ctypes.data == a.ctypes.data and (b == a).all()


def test_numpy__dtype_that_no_array_has():
    with pytest.raises(TypeError, match="numpy: expected a dtype that NumPy or ml_dtypes has, got float32x4"):
        dlferry.create("float32x4", [2]).numpy()


@settings(deadline=None)
@given(st.lists(st.integers(0, 4), max_size=5), st.data())
def test_numpy__any_view_keeps_address_and_values(shape, data):
    a = np.arange(int(np.prod(shape)), dtype=np.int32).reshape(shape)
    view = a.transpose(data.draw(st.permutations(range(len(shape)))))
    for axis in range(view.ndim):
        step = data.draw(st.sampled_from([-2, -1, 1, 2]))
        view = view[(slice(None),) * axis + (slice(None, None, step),)]
    t = dlferry.from_dlpack(view)
    assert t.shape == view.shape
    assert (t.numpy() == view).all() and (t.copy().numpy() == view).all()
    assert np.asarray(memoryview(t)).tolist() == view.tolist()
    if view.size:
        assert t.data == view.__array_interface__["data"][0]
        assert [s * 4 for s, n in zip(t.strides, t.shape) if n > 1] == [
            s for s, n in zip(view.strides, view.shape) if n > 1
        ]


def test_copy__is_writable_and_apart():
    a = np.arange(4.0)
    a.flags.writeable = False
    t = dlferry.from_dlpack(a)
    c = t.copy()
    assert t.readonly and not c.readonly and c.data != t.data
    c.numpy()[0] = 9
    assert a[0] == 0


def test_repr__is_format():
    t = dlferry.from_dlpack(np.array([[1, 2], [3, 4]], np.int16).T)
    assert repr(t) == "int16[2, 2] strides [1, 2] cpu\n[[1, 3],\n [2, 4]]" == dlferry.format(t)
    assert dlferry.describe(t) == "int16[2, 2] strides [1, 2] cpu"
    assert "..." in dlferry.format(np.zeros(5000))
    assert len(dlferry.format(np.zeros((30, 30)))) > 1024


def test_release__ends_the_tensor_but_not_the_memory():
    a = np.arange(3.0)
    t = dlferry.from_dlpack(a)
    b, view = t.numpy(), memoryview(t)
    t.release()
    t.release()
    assert b.tolist() == view.tolist() == [0, 1, 2]
    assert repr(t) == "<dlferry.Tensor, released>"
    for use in [lambda: t.shape, lambda: t.data, t.copy, t.numpy, t.__dlpack__, t.__dlpack_device__]:
        with pytest.raises(ValueError, match="got a closed one"):
            use()
    for use in [dlferry.describe, dlferry.check, dlferry.to_dlpack, dlferry.from_dlpack, memoryview, np.from_dlpack]:
        with pytest.raises((ValueError, RuntimeError)):
            use(t)


def test_release__with_statement():
    with dlferry.create("int8", [2]) as t:
        assert dlferry.live() >= 1
    with pytest.raises(ValueError), t:
        pass
    with pytest.raises(KeyError), dlferry.create("int8", [2]):
        raise KeyError


def test_tensor__cannot_be_made_from_nothing():
    for make in [
        dlferry.Tensor,
        lambda: dlferry.Tensor.__new__(dlferry.Tensor),
        lambda: object.__new__(dlferry.Tensor),
        lambda: type("Sub", (dlferry.Tensor,), {})(),
    ]:
        with pytest.raises((TypeError, AttributeError)):
            make()


def test_tensor__swig_leaves_no_trap():
    t = dlferry.create("int8", [2])
    for name in ("disown", "acquire", "own", "next"):
        if hasattr(t, name):
            getattr(t, name)()
    if hasattr(t, "append"):
        t.append(dlferry.create("int8", [3]))
    assert t.shape == (2,)
    for name in ("shape", "data", "dtype"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(t, name, 0)
    del t


def test_check__levels():
    dlferry.check(np.zeros(3))
    aligned = dlferry.create("float32", [4])
    dlferry.check(aligned, level="strict")
    with pytest.raises(dlferry.Error):
        dlferry.check(aligned.numpy()[1:], "strict")
    with pytest.raises(ValueError, match="expected 'structure' or 'strict'"):
        dlferry.check(aligned, "deep")


@pytest.mark.parametrize("bad", [None, 3, "text", [1.0], object()])
def test_any_argument__wrong_type_is_type_error(bad):
    for call in [dlferry.from_dlpack, dlferry.check, dlferry.describe, dlferry.format, dlferry.to_dlpack, dlferry.wrap]:
        with pytest.raises(TypeError):
            call(bad)


def test_docs__signatures_and_c_names():
    public = [getattr(dlferry, name) for name in dlferry.__all__]
    functions = [f for f in public if inspect.isbuiltin(f)]
    assert {f.__name__ for f in functions} >= {"create", "wrap", "from_dlpack", "to_dlpack", "check", "live", "version"}
    for f in [*functions, dlferry.Tensor.copy, dlferry.Tensor.numpy, dlferry.Tensor.__dlpack__, dlferry.Tensor.release]:
        inspect.signature(f)
        assert f.__doc__.strip().splitlines()[-1].startswith("C: dlf_"), f
    assert str(inspect.signature(dlferry.create)) == "(dtype, shape, device='cpu')"
    assert dlferry.Tensor.shape.__doc__.strip().endswith("C: dlf_dltensor")
    assert dlferry.__version__ == dlferry.version()
