# SPDX-License-Identifier: Apache-2.0
"""dlferry.dtype: its names and numbers, comparison, hash, other packages' dtypes, and what is refused."""

import copy
import os
import pickle
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as some

jax = need("jax")
ml_dtypes = need("ml_dtypes")
torch = need("torch")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

ARRAY_API = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
]
USUAL = [name for name, x in vars(dlferry).items() if isinstance(x, dlferry.dtype)]
ML_DTYPES = [name for name in USUAL if isinstance(getattr(ml_dtypes, name, None), type)]
NUMBERS = some.tuples(some.integers(0, 255), some.integers(1, 255), some.integers(1, 65535))


def tensor_of(dtype):
    return dlferry.create(dtype, [2])


# ---- names and numbers ----


@given(NUMBERS)
def test_dtype__every_code_width_and_lanes_has_a_name_of_its_own(numbers):
    x = dlferry.dtype(numbers)
    assert (x.code, x.bits, x.lanes) == x.__dlpack_data_type__() == numbers
    assert x.itemsize == -(-x.bits * x.lanes // 8)
    for same in (dlferry.dtype(str(x)), dlferry.dtype(x), pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert same == x and hash(same) == hash(x) and same.__dlpack_data_type__() == numbers
    assert x == x.name == str(x) and hash(x) == hash(x.name) and {x.name: 1}[x] == {x: 1}[x.name] == 1
    assert eval(repr(x)) == x


@given(NUMBERS, NUMBERS)
def test_dtype__others_are_not_equal(a, b):
    x, y = dlferry.dtype(a), dlferry.dtype(b)
    assert (x == y) == (a == b) == (x == str(y)) and (x != y) == (a != b) == (x != str(y))


def test_dtype__tells_what_it_is():
    x = dlferry.dtype("float32")
    assert (x.name, x.code, x.bits, x.lanes, x.itemsize) == ("float32", 2, 32, 1, 4)
    assert repr(x) == "dlferry.dtype('float32')" and f"{x}|{x:>9}|{x!s}" == "float32|  float32|float32"
    assert dlferry.dtype("uint8x4").lanes == 4 == dlferry.dtype("uint8x4").itemsize
    assert dlferry.dtype("int4").itemsize == 1 and dlferry.dtype((40, 8)) == "dtype(40, 8)"


def test_dtype__of_the_package_are_those_of_tensors():
    assert set(ARRAY_API) <= set(USUAL) <= set(dlferry.__all__)
    for name in USUAL:
        x = getattr(dlferry, name)
        assert x == name and dlferry.dtype(name) is x and tensor_of(name).dtype is x


def test_dtype__does_not_change_and_has_no_subclasses():
    for target in (dlferry.float32, dlferry.dtype):
        for name in ("name", "bits", "anything"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(target, name, 1)
    with pytest.raises(TypeError):
        type("Mine", (dlferry.dtype,), {})
    for wrong in [(), ("float32", 1)]:
        with pytest.raises(TypeError):
            dlferry.dtype(*wrong)
    with pytest.raises(TypeError):
        dlferry.dtype(x="float32")


# ---- comparison ----


def test_compare__with_names_is_exact():
    x = dlferry.float32
    assert x == "float32" and (x != "float32") is False and x in ("int8", "float32")
    others = "f4", "f32", "<f4", "float", "float64", "Float32", "", None, 2, 2.0, (2, 32, 1), [], b"", float
    for other in others:
        assert x != other and (x == other) is False and other != x


def test_compare__order_has_no_meaning():
    for call in (lambda a, b: a < b, lambda a, b: a >= b):
        with pytest.raises(TypeError):
            call(dlferry.int8, dlferry.int16)
        with pytest.raises(TypeError):
            call(dlferry.int8, "int16")


def test_compare__passes_on_what_is_no_error():
    class Stops:
        @property
        def __dlpack_data_type__(self):
            raise KeyboardInterrupt

    class Fails:
        @property
        def __dlpack_data_type__(self):
            raise MemoryError

    with pytest.raises(KeyboardInterrupt):
        _ = dlferry.int8 == Stops()
    assert dlferry.int8 != Fails()


# ---- other packages ----


@pytest.mark.parametrize("name", sorted({*ARRAY_API, "float16"}))
def test_numpy__both_ways(name):
    x, theirs = getattr(dlferry, name), np.dtype(name)
    assert x.numpy() == np.dtype(x) == np.empty(0, x).dtype == theirs and x.numpy() is np.dtype(x)
    for same in (theirs, theirs.type, getattr(np, name), f"{name}"):
        assert dlferry.dtype(same) is x and x == same and same == x and (x != same) is False
        assert tensor_of(same).dtype == x
    assert dlferry.wrap(bytes(16), dtype=theirs).dtype is dlferry.wrap(bytes(16), dtype=theirs.type).dtype is x


def test_numpy__types_with_the_same_width_are_one():
    for theirs in (np.longlong, np.dtype("longlong"), np.int_, np.intp):
        assert dlferry.dtype(theirs) == "int64"
    assert dlferry.dtype(np.intc) == "int32" and dlferry.dtype(bool) is dlferry.bool == np.bool_


@pytest.mark.parametrize("name", sorted(ML_DTYPES))
def test_ml_dtypes__both_ways(name):
    x, theirs = getattr(dlferry, name), getattr(ml_dtypes, name)
    assert x.numpy() == np.dtype(x) == np.dtype(theirs)
    for same in (theirs, np.dtype(theirs)):
        assert dlferry.dtype(same) is x and x == same and same == x
    assert np.zeros(2, x).dtype == theirs
    jnp = getattr(jax.numpy, name, None)
    assert jnp is None or dlferry.dtype(jnp) is x


def test_ml_dtypes__has_every_small_float():
    assert {name for name in USUAL if name.startswith(("float8_", "float6_", "float4_", "bfloat"))} <= set(ML_DTYPES)


REALS = sorted(name for name in USUAL if "float" in name)


def theirs_of(name):
    """NumPy's dtype and the unsigned integer of its width."""
    kind = getattr(dlferry, name).numpy()
    return kind, np.dtype(f"uint{8 * kind.itemsize}")


@pytest.mark.parametrize("name", [name for name in REALS if getattr(dlferry, name).bits <= 16])
@np.errstate(all="ignore")
def test_float__decodes_every_pattern_as_ml_dtypes(name):
    x = getattr(dlferry, name)
    kind, raw = theirs_of(name)
    theirs = np.arange(1 << x.bits).astype(raw).view(kind).astype(np.float64)
    ours = np.array([x.decode(bits) for bits in range(1 << x.bits)])
    np.testing.assert_array_equal(ours, theirs)
    signed = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(ours)[signed], np.signbit(theirs)[signed])


def tricky(x):
    """Every value of a dtype, the middle of every two, the floats and the doubles beside them, and the extremes."""
    kind, raw = theirs_of(x.name)
    values = np.unique(np.arange(1 << x.bits).astype(raw).view(kind).astype(np.float64))
    values = values[np.isfinite(values)]
    past = 2 * values[-1] - values[-2]
    values = np.concatenate([values, (values[1:] + values[:-1]) / 2, [past, (past + values[-1]) / 2]])
    single = values.astype(np.float32)
    beside = [np.nextafter(array, array.dtype.type(to)) for array in (values, single) for to in (-np.inf, np.inf)]
    small, large = [0.0, 5e-324, 1e-300, 1e-40, 2.0**-127, 1.1 * 2.0**-127], [65520, 3.4028235e38, 1e39, 1e300]
    values = np.concatenate([values, *beside, small, large, [1 / 3, np.inf, np.nan]])
    return np.concatenate([values, -values])


@pytest.mark.parametrize("name", REALS)
@np.errstate(all="ignore")
def test_float__encodes_as_ml_dtypes(name):
    x = getattr(dlferry, name)
    kind, raw = theirs_of(name)
    values = tricky(x if x.bits <= 16 else dlferry.bfloat16)
    ours = np.array([x.encode(value) for value in values], raw)
    theirs = values.astype(kind).view(raw)
    np.testing.assert_array_equal(ours, theirs)


def test_float__refuses_what_is_none():
    for call in (lambda: dlferry.int8.encode(1), lambda: dlferry.complex64.decode(0)):
        with pytest.raises(TypeError, match=r"^float_(en|de)code: expected a dtype of reals, got (int8|complex64)$"):
            call()
    for call in (lambda: dlferry.float16.encode("1"), lambda: dlferry.float16.decode(1.5)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(OverflowError):
        dlferry.float16.decode(1 << 64)


@pytest.mark.parametrize("name", ["uint8x4", "dtype(40, 8)", "float128", "int24", "opaque_handle64"])
def test_numpy__has_no_such_dtype(name):
    x = dlferry.dtype(name)
    calls = [x.numpy, lambda: np.dtype(x)]
    if np.lib.NumpyVersion(np.__version__) < "2.4.0":  # it replaces the error by one of its own
        with pytest.raises(TypeError):
            calls.pop()()
    for call in calls:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == f"numpy: expected a dtype that NumPy or ml_dtypes has, got {x}"
        assert caught.value.status is dlferry.Status.DTYPE


def torch_dtypes():
    found = {x for x in vars(torch).values() if isinstance(x, torch.dtype)}
    return sorted(found, key=str)


@pytest.mark.parametrize("theirs", torch_dtypes(), ids=str)
def test_torch__both_ways(theirs):
    name = str(theirs).removeprefix("torch.").replace("fn_x2", "fnx2")
    if name.startswith(("q", "bits")):
        with pytest.raises(TypeError, match=f"^dtype: expected a dtype such as float32, got '{name}'$"):
            dlferry.dtype(theirs)
        assert dlferry.int8 != theirs
        return
    x = dlferry.dtype(theirs)
    assert x == name and x.torch() is theirs and x == theirs and theirs == x and (theirs != x) is False
    if name == "bcomplex32":  # not yet in a released DLPack; torch does not export it either
        with pytest.raises(
            dlferry.Error, match=r"^create: expected a dtype of DLPack 1\.3, got bcomplex32, not yet released$"
        ):
            tensor_of(theirs)
        return
    assert tensor_of(theirs).dtype == x


def test_torch__of_its_tensors():
    for theirs in (torch.float32, torch.bfloat16, torch.bool, torch.uint16, torch.complex64, torch.float8_e5m2fnuz):
        assert dlferry.from_dlpack(torch.empty(2, dtype=theirs)).dtype == theirs


def test_torch__has_no_such_dtype():
    for name in ("float8_e3m4", "uint8x4", "dtype(40, 8)", "opaque_handle64"):
        with pytest.raises(TypeError, match=r"^torch: expected a dtype that torch has, got "):
            dlferry.dtype(name).torch()


def test_jax__both_ways():
    for name in ("float32", "bfloat16", "int8", "bool", "int4", "float8_e4m3fn"):
        theirs = getattr(jax.numpy, name, None) or getattr(jax.numpy, f"{name}_")
        assert dlferry.dtype(theirs) == name and dlferry.dtype(name) == theirs
        made = jax.numpy.zeros(2, dlferry.dtype(name))
        assert made.dtype == name and dlferry.dtype(made.dtype) == name
    with pytest.raises(TypeError, match="expected a dtype"):
        dlferry.dtype(jax.random.key(0).dtype)


def test_tensorflow__one_way():
    tf = need("tensorflow")
    for name in ("float32", "bfloat16", "bool", "complex64", "half", "int4", "float8_e5m2"):
        assert dlferry.dtype(getattr(tf.dtypes, name, None) or getattr(tf.dtypes.experimental, name)) == (
            "float16" if name == "half" else name
        )
    for theirs in (tf.string, tf.resource, tf.qint8):
        with pytest.raises(TypeError, match="expected a dtype such as float32"):
            dlferry.dtype(theirs)


def test_tvm_ffi__both_ways():
    tvm_ffi = need("tvm_ffi")
    for name in ("float32", "bfloat16", "bool", "uint8x4", "float8_e4m3fn"):
        theirs = tvm_ffi.dtype(name)
        assert dlferry.dtype(theirs) == theirs == name == tvm_ffi.convert(dlferry.dtype(name))


def test_protocol__of_dlpack():
    class Theirs:
        def __dlpack_data_type__(self):
            return 4, 16, 1

    assert dlferry.dtype(Theirs()) is dlferry.bfloat16 == Theirs()


def test_protocol__of_numpy():
    class Theirs:
        __numpy_dtype__ = np.dtype("int16")

    assert dlferry.dtype(Theirs()) is dlferry.int16 == Theirs()


# ---- what is refused ----

CALLS = {
    "dtype": dlferry.dtype,
    "create: dtype": tensor_of,
    "wrap: dtype": lambda x: dlferry.wrap(bytes(16), x),
}
CALLED = pytest.mark.parametrize("name", CALLS)


def refused(name, x):
    with pytest.raises(TypeError) as caught:
        CALLS[name](x)
    start = f"{name}: expected a dtype "
    assert str(caught.value).startswith(start)
    return str(caught.value).removeprefix(start)


@CALLED
@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("i8", "int8 or int64?"),
        ("<i8", "int8 or int64?"),
        ("f4", "float4 or float32?"),
        ("<f4", "float4 or float32?"),
        (">f4", "float4 or float32?"),
        ("|u1", "uint1 or uint8?"),
        ("b1", "bool?"),
        ("c8", "complex8 or complex64?"),
        ("f32", "float32?"),
        ("bf16", "bfloat16?"),
    ],
)
def test_refused__typestrings_and_short_names(name, given, told):
    assert refused(name, given) == f"by its whole name, got '{given}'; {told}"


@CALLED
def test_refused__byte_order_of_another_machine(name):
    order = ">" if np.little_endian else "<"
    for theirs in (np.dtype(f"{order}f4"), np.dtype("int16").newbyteorder("S")):
        assert refused(name, theirs) == f"that DLPack has, in native byte order, got {theirs}"
    assert dlferry.float32 != np.dtype(f"{order}f4")


@CALLED
def test_refused__what_dlpack_does_not_have(name):
    for theirs in (np.dtype("S4"), np.dtype("U4"), np.dtype("f4,i4"), np.dtype("M8[s]"), np.dtype(object)):
        assert refused(name, theirs).startswith("such as float32, got '")
    if np.dtype(np.longdouble).itemsize > 8:
        for theirs in (np.longdouble, np.dtype(np.longdouble), np.clongdouble):
            assert refused(name, theirs) == f"that DLPack has, in native byte order, got {np.dtype(theirs)}"
    for theirs in (np.floating, np.generic, str, object, type, np.ndarray):
        assert refused(name, theirs) == f"such as float32, got the type {theirs.__name__}"
    for theirs in (torch.device("cpu"), object(), 1, 1.5, [1], {}, np.zeros(2), torch.zeros(2), None):
        if name != "wrap: dtype" or theirs is not None:
            kind = "None" if theirs is None else type(theirs).__name__
            assert refused(name, theirs) == f"such as float32, got {kind}"


@CALLED
def test_refused__types_whose_width_differs_between_packages(name):
    assert refused(name, int) == "such as float32, got the type int; int32 or int64?"
    assert refused(name, float) == "such as float32, got the type float; float32 or float64?"
    assert refused(name, complex) == "such as float32, got the type complex; complex64 or complex128?"


@CALLED
def test_refused__numbers_that_do_not_fit(name):
    for numbers in [(), (2,), (2, 0), (2, 256), (256, 8), (-1, 8), (2, 32, 0), (2, 32, 65536), (2, 32, 1, 1), ("f", 4)]:
        assert refused(name, numbers) == "as (code, bits, lanes), got other numbers"


def test_names__need_no_other_package():
    code = "import sys, dlferry; assert dlferry.dtype('int8').bits == 8; print({'numpy', 'torch'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"
