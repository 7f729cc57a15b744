# SPDX-License-Identifier: Apache-2.0
"""Errors about refused arguments: which one, what it is, and what to pass instead."""

import pickle
import sys

import dlferry
import numpy as np
import pytest
from conftest import need

photo = need("photo")
torch = need("torch")
jax = need("jax")

IMAGE = np.arange(20, dtype="float32").reshape(4, 5)


class Producer:
    """Exports an array by the protocol once the hook has run."""

    def __init__(self, hook=lambda: None, array=IMAGE):
        self.hook, self.array = hook, array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        self.hook()
        return self.array.__dlpack__(**options)


def failing(error):
    def fail():
        raise error

    return Producer(fail)


# ---- a producer that fails ----

CALLS = {
    "from_dlpack": dlferry.from_dlpack,
    "describe": dlferry.describe,
    "mean: image": photo.mean,
    "difference: b": lambda x: photo.difference(IMAGE, x),
    "sobel: out": lambda x: photo.sobel(IMAGE, out=x),
}
CALLED = pytest.mark.parametrize("name", CALLS)


@CALLED
@pytest.mark.parametrize("kind", [BufferError, NotImplementedError, RuntimeError, TypeError, ValueError])
def test_failure__of_a_built_in_kind_names_the_argument(name, kind):
    error = kind("two\nlines")
    with pytest.raises(kind) as caught:
        CALLS[name](failing(error))
    told = f"{name}: expected an array that can be exported, got Producer, which raised {kind.__name__}: two"
    assert str(caught.value) == told and caught.value.__cause__ is error
    assert caught.value.status is dlferry.Status.FOREIGN


class Mine(ValueError):
    pass


@CALLED
def test_failure__of_a_producers_own_class_passes_with_a_note(name):
    error = Mine("its own")
    for _ in range(2):
        with pytest.raises(Mine) as caught:
            CALLS[name](failing(error))
        assert caught.value is error and error.__cause__ is None
    if sys.version_info >= (3, 11):
        assert error.__notes__ == [f"{name}: raised by Producer, the argument"]


@CALLED
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3)])
def test_failure__that_is_none_passes_as_it_is(name, error):
    with pytest.raises(BaseException) as caught:
        CALLS[name](failing(error))
    assert caught.value is error and not hasattr(error, "__notes__")


class AtDevice(Producer):
    def __dlpack_device__(self):
        raise ValueError("nowhere")


def test_failure__of_device_is_told_alike():
    with pytest.raises(
        dlferry.errors.ForeignValueError, match=r"mean: image: .* AtDevice, which raised ValueError: now"
    ):
        photo.mean(AtDevice())


def torch_tensors():
    sparse, eye = torch.eye(3).to_sparse(), torch.eye(3)
    layout = "a tensor of layout {}; pass .to_dense()"
    yield sparse, layout.format("sparse_coo")
    yield sparse.to_sparse_csr(), layout.format("sparse_csr")
    yield eye.to_mkldnn(), layout.format("mkldnn")
    yield torch.empty(3, 3, device="meta"), "a tensor on the device meta, which has no data"
    yield torch.nested.nested_tensor([eye, eye[:2]]), "a nested tensor; pass each of .unbind()"
    yield torch.quantize_per_tensor(eye, 0.1, 0, torch.quint8), "a quantized tensor; pass .int_repr() or .dequantize()"


@pytest.mark.filterwarnings("ignore")  # torch's own, about its prototypes
@CALLED
def test_torch__without_memory_is_told_in_one_line(name):
    for x, what in torch_tensors():
        with pytest.raises(RuntimeError) as caught:
            CALLS[name](x)
        assert str(caught.value) == f"{name}: expected elements as they lie in memory, got {what}"
        assert type(caught.value.__cause__) is RuntimeError


@CALLED
def test_torch__inside_of_a_transform(name):
    told = []

    def inside(x):
        with pytest.raises(RuntimeError) as caught:
            CALLS[name](x)
        told.append(str(caught.value))
        return x.sum()

    torch.vmap(inside)(torch.ones(2, 4, 5))
    what = "a tensor inside of a transform such as torch.vmap; call the function outside of it"
    assert told == [f"{name}: expected elements as they lie in memory, got {what}"]


class Hollow(torch.Tensor):
    """Has a shape and no data, like FakeTensor, whose module cannot be imported beside TensorFlow."""

    @staticmethod
    def __new__(cls):
        return torch.Tensor._make_wrapper_subclass(cls, (4, 5))

    @classmethod
    def __torch_dispatch__(cls, function, types, arguments=(), options=None):
        raise NotImplementedError(function)


@CALLED
def test_torch__without_data(name):
    for _ in range(2):
        with pytest.raises(RuntimeError) as caught:
            CALLS[name](Hollow())
        assert str(caught.value) == f"{name}: expected elements as they lie in memory, got Hollow without data"
        photo.mean(torch.ones(2, 2))  # from here on torch's C interface is known


def test_jax__inside_of_a_transform():
    with pytest.raises(
        RuntimeError, match=r"^mean: image: .* a tracer inside .*; call the function by jax\.pure_callback"
    ):
        jax.jit(photo.mean)(jax.numpy.ones((3, 3), "float32"))


def test_malformed__is_told_of_the_argument():
    wide = Producer(array=dlferry.from_dlpack(IMAGE))
    with pytest.raises(TypeError, match=r"^mean: image: dtype is i8"):
        photo.mean(Producer(array=IMAGE.astype("int8")))
    assert photo.mean(wide) == photo.mean(IMAGE)


# ---- arguments of the wrong type ----


class Frame:
    """Converts itself like a pandas or polars table."""

    def to_numpy(self):
        return IMAGE


class Picture:
    """Shows itself like a Pillow picture."""

    __array_interface__ = IMAGE.__array_interface__


@pytest.mark.parametrize(
    ("x", "told"),
    [
        ("a text", "str"),
        ({"a": IMAGE}, "dict"),
        (np.ndarray, "type"),
        ([[1.0]], "list; pass numpy.asarray(x)"),
        (3.5, "float; pass numpy.asarray(x)"),
        (Picture(), "Picture; pass numpy.asarray(x)"),
        (Frame(), "Frame; pass x.to_numpy()"),
        ((i for i in [1]), "generator; pass numpy.asarray(list(x))"),
    ],
    ids=repr,
)
@CALLED
def test_wrong_type__of_an_array(name, x, told):
    with pytest.raises(TypeError) as caught:
        CALLS[name](x)
    assert str(caught.value) == f"{name}: expected an array with __dlpack__, a DLPack capsule or a buffer, got {told}"


@CALLED
def test_masked_array__that_hides_an_element(name):
    shown = np.ma.masked_array(IMAGE.copy(), mask=np.zeros(IMAGE.shape, bool))
    CALLS[name](shown)
    shown[1, 2] = np.ma.masked
    with pytest.raises(BufferError) as caught:
        CALLS[name](shown)
    told = "expected elements as they lie in memory, got a masked array; pass .filled() or .data"
    assert str(caught.value) == f"{name}: {told}" and caught.value.status is dlferry.Status.LAYOUT


class Number:
    """It looks like a number."""

    def __init__(self, convert):
        self.convert = convert

    def __float__(self):
        return self.convert()

    __index__ = __float__


def test_wrong_type__none():
    with pytest.raises(TypeError, match=r"mean: image: expected an array with .*, got None$"):
        photo.mean(None)


@pytest.mark.parametrize(
    ("x", "kind", "told"),
    [
        (1j, TypeError, "expected a number, got complex"),
        (np.complex64(1j), TypeError, "expected a number, got complex64"),
        (np.clongdouble(1j), TypeError, "expected a number, got clongdouble"),
        (10**400, OverflowError, "expected a number that a float can be, got one outside"),
        (np.ones(2), TypeError, "expected a number, got ndarray, which raised TypeError"),
        (Number(lambda: "1"), TypeError, "expected a number, got Number, which raised TypeError"),
    ],
)
def test_wrong_type__of_a_number(x, kind, told):
    with pytest.raises(kind) as caught:
        photo.blur(IMAGE, x)
    assert str(caught.value).startswith(f"blur: sigma: {told}")


def test_too_many_axes__have_the_hubs_text():
    for call in (lambda x: dlferry.create("int8", x), lambda x: dlferry.wrap(bytearray(1), "int8", x)):
        with pytest.raises(ValueError, match=r"^(create|wrap): expected ndim between 0 and 64, got 65$"):
            call([1] * 65)


def test_wrong_type__of_the_hub():
    for call, told in [
        (lambda: dlferry.create(5, [2]), "create: dtype: expected a dtype such as float32, got int"),
        (lambda: dlferry.create("float32", 2.5), "create: shape: expected a sequence of integers, got float; pass [x]"),
        (lambda: dlferry.create("float32", "2"), "create: shape: expected a sequence of integers, got str"),
        (lambda: dlferry.create(None, 2), "create: dtype: expected a dtype such as float32, got None"),
        (lambda: dlferry.create("int8", [2], 0), "create: device: expected a device such as 'cpu' or (2, 0), got int"),
        (lambda: dlferry.wrap([1]), "wrap: expected a buffer, got list"),
        (lambda: dlferry.wrap(b"12", 5), "wrap: dtype: expected a dtype such as float32, got int"),
        (lambda: dlferry.check(IMAGE, 1), "check: level: expected a str, got int"),
        (lambda: dlferry.create("int8", [2]).__dlpack__(stream="1"), "to_dlpack: stream: expected an integer, got str"),
    ]:
        with pytest.raises(TypeError) as caught:
            call()
        assert str(caught.value) == told


def test_exceptions__survive_a_process_pool():
    for kind in dlferry.errors.BY_STATUS.values(), dlferry.errors.ForeignError.__subclasses__():
        for error in kind:
            again = pickle.loads(pickle.dumps(error("text")))
            assert type(again) is error and str(again) == "text"
            assert str(error.__new__(error, "text")) == "text"  # as tblib makes it, which Dask installs
