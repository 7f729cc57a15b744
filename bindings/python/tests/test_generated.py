# SPDX-License-Identifier: Apache-2.0
"""A package that dlferry-bind made from examples/photo/photo.h: every framework, every reference."""

import array
import ctypes
import inspect
import itertools
import subprocess
import sys
import threading

import dlferry
import numpy as np
import pytest
from conftest import need

photo = need("photo")
torch = need("torch")
jax = need("jax")
jnp = jax.numpy

# ---- results ----

IMAGE = np.random.default_rng(1).random((40, 50), dtype=np.float32)
TO = {
    "numpy": lambda a: a,
    "torch": lambda a: torch.from_numpy(a.copy()),
    "jax": jnp.asarray,
    "dlferry": dlferry.from_dlpack,
}


@pytest.mark.parametrize("framework", TO)
@pytest.mark.parametrize("size", [40, 600])  # borrowed with the GIL held, and held with it released
def test_result__comes_back_in_the_first_inputs_framework(framework, size):
    image = np.resize(IMAGE, (size, 50))
    x = TO[framework](image)
    y = photo.blur(x, sigma=1.5)
    assert type(y) is type(TO[framework](image))
    assert (np.asarray(y) == photo.blur(image, 1.5)).all()
    assert np.asarray(y).std() < image.std()


def test_result__of_a_buffer_is_numpys():
    flat = array.array("f", IMAGE.ravel())
    y = photo.blur(memoryview(flat).cast("B").cast("f", IMAGE.shape))
    assert type(y) is np.ndarray and (y == photo.blur(IMAGE)).all()
    capsule = IMAGE.__dlpack__(max_version=(1, 0))
    assert type(photo.blur(capsule)) is np.ndarray
    with pytest.raises(ValueError, match="blur: image: expected a capsule that has not been consumed"):
        photo.blur(capsule)


@pytest.mark.parametrize("framework", ["numpy", "torch", "dlferry"])
def test_result__out_is_written_and_returned(framework):
    out = TO[framework](np.zeros_like(IMAGE))
    assert photo.sobel(IMAGE, out=out) is out
    assert (np.asarray(out) == photo.sobel(IMAGE)).all()
    assert photo.sobel(IMAGE, out) is out
    assert photo.draw_histogram(out) is None
    assert (np.asarray(out) != photo.sobel(IMAGE)).any()


def test_result__mixed_frameworks():
    y = photo.difference(torch.from_numpy(IMAGE), jnp.asarray(IMAGE * 2), out=np.empty_like(IMAGE))
    assert isinstance(y, np.ndarray) and np.allclose(y, IMAGE)
    assert isinstance(photo.difference(jnp.asarray(IMAGE), IMAGE), jax.Array)


def test_result__values_and_layouts():
    assert photo.mean(IMAGE) == pytest.approx(IMAGE.mean())
    assert photo.mean(torch.from_numpy(IMAGE)[::2, 1:]) == pytest.approx(IMAGE[::2, 1:].mean())
    y = photo.equalize(np.asfortranarray(IMAGE))
    assert y.flags.f_contiguous and (y == photo.equalize(IMAGE)).all()


# ---- writable arguments ----


def refused(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text


def test_written__must_be_provably_writable():
    frozen = np.zeros_like(IMAGE)
    frozen.flags.writeable = False
    read_only = "blur: out: is read-only; wanted T[h, w] noalias"
    for out in [
        frozen,
        dlferry.from_dlpack(frozen),
        memoryview(frozen),
        dlferry.from_dlpack(jnp.asarray(IMAGE)),
    ]:
        refused(lambda out=out: photo.blur(IMAGE, out=out), BufferError, read_only)
    grad = torch.zeros(IMAGE.shape, requires_grad=True)
    refused(
        lambda: photo.blur(IMAGE, out=grad),
        BufferError,
        "blur: out: expected a tensor that may be written, got one that requires grad; pass .detach()",
    )
    assert photo.blur(IMAGE, out=grad.detach()) is not None
    never = "is read-only; JAX's arrays never change, pass a copy by numpy.array(x)"
    refused(lambda: photo.blur(IMAGE, out=jnp.zeros_like(IMAGE)), BufferError, f"blur: out: {never}")
    refused(lambda: photo.draw_histogram(jnp.asarray(IMAGE)), BufferError, f"draw_histogram: image: {never}")


def test_written__legacy_producers_prove_nothing():
    class Legacy:
        def __init__(self, a):
            self.a = a

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, stream=None):
            return self.a.__dlpack__()

    with pytest.raises(dlferry.Error) as caught:
        photo.blur(IMAGE, out=Legacy(np.zeros_like(IMAGE)))
    assert caught.value.status is dlferry.Status.READ_ONLY
    assert photo.mean(Legacy(IMAGE)) == photo.mean(IMAGE)


def test_lazy_torch__is_refused_as_input_and_output():
    z = torch.complex(torch.from_numpy(IMAGE), torch.from_numpy(IMAGE))
    lazy = z.conj().imag
    refused(
        lambda: photo.mean(lazy),
        BufferError,
        "mean: image: expected elements as they lie in memory, got a lazily negated tensor; pass .resolve_neg()",
    )
    assert photo.mean(lazy.resolve_neg()) == pytest.approx(-IMAGE.mean())
    assert photo.mean(z.imag) == pytest.approx(IMAGE.mean())
    with pytest.raises(BufferError, match="resolve_neg"):
        photo.draw_histogram(lazy)
    with pytest.raises(BufferError, match="resolve_conj"):
        photo.mean(z.conj())


# ---- arguments ----


def test_signature__is_real():
    assert str(inspect.signature(photo.blur)) == "(image, sigma=1.0, out=None)"
    default = inspect.signature(photo.draw_histogram).parameters["corner"].default
    assert default is photo.Corner.BOTTOM_LEFT
    assert "Contract: image: T[h, w]; out: T[h, w] noalias" in photo.blur.__doc__
    assert photo.blur.__doc__.splitlines()[0] == "Blur an image with a Gaussian."
    assert photo.blur.__doc__.endswith("C: photo_blur")
    assert photo.blur.__module__ == "photo"


@pytest.mark.parametrize(
    ("arguments", "options", "text"),
    [
        ((), {}, r"blur\(\) missing required argument 'image' \(pos 1\)"),
        ((IMAGE, 1.0, None, 4), {}, r"blur\(\) takes at most 3 arguments \(4 given\)"),
        ((IMAGE,), {"sgima": 1}, r"blur\(\) got an unexpected keyword argument 'sgima'"),
        ((IMAGE,), {"image": IMAGE}, r"blur\(\) got multiple values for argument 'image'"),
        ((IMAGE, "1"), {}, "blur: sigma: expected a number, got str"),
        ((IMAGE, True), {}, "blur: sigma: expected a number, got bool"),
        ((IMAGE, None), {}, "blur: sigma: expected a number, got None"),
        (([[1.0]],), {}, "blur: image: expected an array with __dlpack__, a DLPack capsule or a buffer, got list"),
        ((None,), {}, "blur: image: expected an array with __dlpack__, a DLPack capsule or a buffer, got None"),
        ((IMAGE,), {"out": 3}, "blur: out: expected an array with __dlpack__, a DLPack capsule or a buffer, got int"),
    ],
)
def test_arguments__wrong(arguments, options, text):
    with pytest.raises(TypeError, match=text):
        photo.blur(*arguments, **options)


def test_arguments__scalars():
    image = np.zeros((40, 50), np.float32)
    photo.blur(image, np.float32(1))
    photo.blur(image, 2, out=None)
    photo.blur(image, **{IMAGE.dtype.name.replace("float32", "sigma"): 2.0})
    photo.draw_histogram(image, photo.Corner.TOP_LEFT, logarithmic=np.bool_(True))
    photo.draw_histogram(image, corner=0)
    with pytest.raises(TypeError, match="logarithmic: expected a bool, got int"):
        photo.draw_histogram(image, logarithmic=1)
    with pytest.raises(TypeError, match="corner: expected a member of Corner or an integer, got float"):
        photo.draw_histogram(image, 1.0)
    with pytest.raises(OverflowError, match="corner: expected an integer from"):
        photo.draw_histogram(image, 2**31)
    with pytest.raises(ValueError, match="corner is 4, wanted"):
        photo.draw_histogram(image, 4)
    with pytest.raises(ValueError, match="sigma is nan, wanted sigma > 0"):
        photo.blur(image, float("nan"))


# ---- references and threads ----


@pytest.mark.parametrize("size", [4, 300])
@pytest.mark.parametrize("framework", TO)
def test_references__are_given_back(framework, size):
    image = np.resize(IMAGE, (size, 50))
    x, bad = TO[framework](image), TO[framework](np.zeros((2, 2, 2), np.float32))
    before = sys.getrefcount(x), sys.getrefcount(bad)
    for _ in range(50):
        photo.mean(x)
        photo.blur(x)
        with pytest.raises(ValueError):
            photo.blur(bad)
        with pytest.raises((ValueError, BufferError)):
            photo.blur(x, out=bad)
    assert (sys.getrefcount(x), sys.getrefcount(bad)) == before


def test_gil__is_released_while_a_large_call_runs():
    big = np.zeros((2000, 2000), np.float32)
    count, stop = [0], []

    def work():
        while not stop:
            count[0] += 1

    thread = threading.Thread(target=work)
    interval = sys.getswitchinterval()
    thread.start()
    try:
        sys.setswitchinterval(1e-4)  # the thread cannot count far between two bytecodes of this one
        photo.blur(big, 1.0)
        before = count[0]
        photo.blur(big, 100.0)
        assert count[0] - before > 20_000
    finally:
        sys.setswitchinterval(interval)
        stop.append(1)
        thread.join()


def test_threads__share_a_package():
    image = torch.from_numpy(np.resize(IMAGE, (300, 300)).copy())
    expected = photo.blur(image)
    wrong = []

    def work():
        for _ in range(20):
            if not torch.equal(photo.blur(image), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# ---- the short ways: few axes, keywords in the signature's order ----


class Own(np.ndarray):
    pass


@pytest.mark.parametrize("dtype", "?bBhHiIlLqQefdFD")
@pytest.mark.parametrize("ndim", range(8))
def test_array__is_described_alike_on_every_way(dtype, ndim):
    """The plain class, up to four axes, and a subclass take different ways to the same description."""
    x = np.ones(range(2, 2 + ndim), dtype)
    views = [x, x.T, x[..., ::-1], x[..., :1], x[..., :0], np.broadcast_to(x, (3, *x.shape))] if ndim else [x]
    for view in views:
        for array_ in (view, view.view(Own)):
            with pytest.raises(dlferry.Error) as caught:
                photo.gray(array_)
            assert caught.value.status is not dlferry.Status.INVALID
            assert dlferry.describe(array_) == dlferry.describe(view.view(Own))
            assert f"[{', '.join(map(str, view.shape))}]" in dlferry.describe(array_)


def test_array__odd_ones_take_the_long_way():
    record = np.zeros(6, [("one", "f4"), ("two", "u1")])
    with pytest.raises(BufferError, match="mean: image: expected strides that are multiples of the 4-byte element"):
        photo.mean(record.reshape(2, 3)["one"])
    assert photo.mean(record[:1].reshape(1, 1)["one"]) == 0  # no step is taken
    for unknown in (">f4", "f16", "M8[s]", "O", "S4", "m8[s]", "V4"):
        with pytest.raises(TypeError, match="mean: image: expected a dtype that DLPack has"):
            photo.mean(np.zeros((2, 3), unknown))


def test_keywords__in_order_or_not():
    a, b, out = np.full((2, 3), 5.0), np.full((2, 3), 2.0), np.empty((2, 3))
    made = {"".join(["o", "ut"]): out}  # a name that is not the interned one
    for call in (
        lambda: photo.difference(a, b, out),
        lambda: photo.difference(a, b, out=out),
        lambda: photo.difference(a, b=b, out=out),
        lambda: photo.difference(a=a, b=b, out=out),
        lambda: photo.difference(out=out, b=b, a=a),
        lambda: photo.difference(a, out=out, b=b),
        lambda: photo.difference(a=a, b=b, **made),
    ):
        out[:] = 0
        assert call() is out and (out == 3).all()
    wrong = [
        (lambda: photo.difference(a, a=a, b=b), "multiple values for argument 'a'"),
        (lambda: photo.difference(a, b, a=out), "multiple values for argument 'a'"),
        (lambda: photo.difference(a, b, far=out), "unexpected keyword argument 'far'"),
        (lambda: photo.difference(a=a, c=b, out=out), "unexpected keyword argument 'c'"),
        (lambda: photo.difference(a, out=out), "missing required argument 'b'"),
        (lambda: photo.difference(a, b, out, out), r"at most 3 arguments \(4 given\)"),
        (lambda: photo.difference(a, b, out, out=out), "multiple values for argument 'out'"),
    ]
    for call, text in wrong:
        with pytest.raises(TypeError, match=text):
            call()


class Slot(ctypes.Structure):
    _fields_ = (("id", ctypes.c_int), ("value", ctypes.c_void_p))


class Definition(ctypes.Structure):
    """CPython's PyModuleDef."""

    _fields_ = (
        ("head", ctypes.c_byte * object.__basicsize__),
        ("own", ctypes.c_void_p * 3),
        ("name", ctypes.c_char_p),
        ("doc", ctypes.c_char_p),
        ("size", ctypes.c_ssize_t),
        ("methods", ctypes.c_void_p),
        ("slots", ctypes.POINTER(Slot)),
    )


@pytest.mark.parametrize("module", ["photo._photo", "dlferry._hub"])
def test_extension__says_what_it_supports(module):
    exec_, multiple_interpreters, gil = 2, 3, 4
    name = module.rpartition(".")[2]
    init = getattr(ctypes.PyDLL(sys.modules[module].__file__), f"PyInit_{name}")
    init.restype = ctypes.POINTER(Definition)
    definition = init().contents
    slots = {}
    for slot in itertools.takewhile(lambda slot: slot.id, definition.slots):
        slots.setdefault(slot.id, slot.value)
    assert definition.name.decode() == name and exec_ in slots
    if sys.version_info >= (3, 12):
        assert slots[multiple_interpreters] is None  # Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED
    if sys.version_info >= (3, 13):
        assert slots[gil] == 1  # Py_MOD_GIL_NOT_USED


def test_extension__exports_its_init_function_alone():
    library = photo._photo.__file__
    rows = subprocess.run(
        ["nm", "-P", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    assert {row.split()[0] for row in rows} == {"PyInit__photo"}
