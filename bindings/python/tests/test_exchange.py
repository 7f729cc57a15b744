# SPDX-License-Identifier: Apache-2.0
"""Every way in and out by DLPack, with the real frameworks."""

import ctypes
import sys

import dlferry
import numpy as np
import pytest
from conftest import capsule_name, need

torch = need("torch")
jax = need("jax")
jnp = jax.numpy
KEEPS_FLAGS = capsule_name(jnp.zeros(1).__dlpack__(max_version=(1, 3))) == "dltensor_versioned"  # JAX 0.12 does

# ---- in ----


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "bool", "bfloat16", "complex64"])
def test_torch__shares(dtype):
    x = torch.zeros(3, 4, dtype=getattr(torch, dtype))[:, ::2].T
    t = dlferry.from_dlpack(x)
    assert (t.dtype, t.shape, t.strides, t.data, t.readonly) == (dtype, (2, 3), (2, 4), x.data_ptr(), False)
    y = torch.from_dlpack(t)
    assert y.data_ptr() == x.data_ptr() and y.stride() == x.stride() and y.dtype == x.dtype


def test_torch__subclass():
    assert dlferry.from_dlpack(torch.nn.Parameter(torch.ones(2), requires_grad=False)).shape == (2,)


KINDS = {
    "row-major": lambda: torch.ones(3, 4),
    "column-major": lambda: torch.ones(3, 4).T,
    "part": lambda: torch.arange(24.0).reshape(4, 6)[1::2, 2:5],
    "broadcast": lambda: torch.ones(3, 1).expand(3, 4),
    "overlapping": lambda: torch.ones(6).as_strided((3, 4), (1, 1)),
    "one element": lambda: torch.ones(1, 1),
    "no axis": lambda: torch.tensor(7.0),
    "no elements": lambda: torch.ones(3, 0),
    "float8": lambda: torch.ones(3, dtype=torch.float8_e5m2),
    "inference": lambda: torch.inference_mode()(torch.ones)(3),
    "lazy copy": lambda: torch._lazy_clone(torch.ones(3)),
}


@pytest.mark.parametrize("kind", KINDS)
def test_torch__as_its_capsule_says(kind):
    """dlferry reads torch's C++ tensor where it can; torch's own export must say the same."""
    x = KINDS[kind]()
    t, theirs = dlferry.from_dlpack(x), dlferry.from_dlpack(x.__dlpack__(max_version=(1, 3)))
    assert (t.dtype, t.shape, t.data, t.device) == (theirs.dtype, theirs.shape, theirs.data, theirs.device)
    assert t.readonly is theirs.readonly is False
    long = [axis for axis, extent in enumerate(t.shape) if extent > 1 and t.size]
    assert [t.strides[axis] for axis in long] == [theirs.strides[axis] for axis in long]


def test_torch__is_kept_without_its_table():
    x = torch.ones(2, 3)
    dlferry.from_dlpack(x)  # compares the structure that it knows with torch's answer, once
    storage = x.untyped_storage()
    before = sys.getrefcount(storage)
    t = dlferry.from_dlpack(x)
    assert sys.getrefcount(storage) == before + 1  # torch's export would count in C++
    address = x.data_ptr()
    del storage
    del x
    assert t.numpy().tolist() == [[1.0] * 3] * 2 and t.data == address
    y = torch.from_dlpack(t)
    t.release()
    assert y.data_ptr() == address and y.sum() == 6.0


def test_torch__a_changed_class_is_asked_again(monkeypatch):
    x = torch.ones(2, 3)
    plain = dlferry.from_dlpack(x).data
    monkeypatch.setattr(torch.Tensor, "__dlpack__", lambda x, **words: np.zeros(5).__dlpack__(**words))
    monkeypatch.setattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    assert dlferry.from_dlpack(x).shape == (5,)
    monkeypatch.undo()
    assert dlferry.from_dlpack(x).data == plain


def test_torch__requires_grad_is_read_only_without_grad_mode():
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert dlferry.from_dlpack(x).readonly
    assert not dlferry.from_dlpack(x.detach()).readonly


def test_torch__lazy_views_are_refused():
    z = torch.tensor([1 + 2j, 3 + 4j])
    for lazy in (z.conj(), z.conj().imag):
        with pytest.raises(BufferError, match="resolve_") as caught:
            dlferry.from_dlpack(lazy)
        assert caught.value.status is dlferry.Status.LAYOUT
    assert dlferry.from_dlpack(z.conj().resolve_conj()).numpy().tolist() == [1 - 2j, 3 - 4j]
    assert dlferry.from_dlpack(z.conj().imag.resolve_neg()).numpy().tolist() == [-2, -4]
    assert dlferry.from_dlpack(z.imag).numpy().tolist() == [2, 4]


def test_jax__is_read_only_and_copies_are_not():
    x = jnp.arange(6.0).reshape(2, 3)
    t = dlferry.from_dlpack(x)
    assert t.readonly and t.data == x.unsafe_buffer_pointer()
    copy = dlferry.from_dlpack(x, copy=True)
    assert copy.readonly is KEEPS_FLAGS and copy.data != t.data  # JAX made the copy itself, or we did
    y = jnp.from_dlpack(copy)
    assert (y == x).all()
    del y


def test_jax__takes_ours_without_a_copy():
    t = dlferry.create("float32", [4, 16])
    y = jnp.from_dlpack(t)
    assert y.unsafe_buffer_pointer() == t.data
    read_only = dlferry.from_dlpack(jnp.arange(3))
    assert jnp.from_dlpack(read_only).tolist() == [0, 1, 2]
    with pytest.raises(BufferError, match=r"before 1\.0, got read-only"):
        read_only.__dlpack__(copy=False)


def test_numpy__read_only_is_flagged_both_ways():
    a = np.arange(3.0)
    a.flags.writeable = False
    t = dlferry.from_dlpack(a)
    assert t.flags == dlferry.Flag.READ_ONLY
    assert not np.from_dlpack(t).flags.writeable
    assert np.from_dlpack(dlferry.from_dlpack(np.arange(3.0))).flags.writeable


def test_numpy__subclasses(tmp_path):
    m = np.memmap(tmp_path / "m", np.float32, "w+", shape=(4,))
    assert dlferry.from_dlpack(m).data == m.ctypes.data

    class Other(np.ndarray):
        def __dlpack__(self, **options):
            return np.full(2, 5.0).__dlpack__(**options)

    assert dlferry.from_dlpack(np.zeros(3).view(Other)).numpy().tolist() == [5, 5]


@pytest.mark.parametrize(
    "a", [np.array(["x"]), np.array([None]), np.zeros(2, "M8[s]"), np.zeros(2, ">f8"), np.zeros(2, "V3")]
)
def test_numpy__dtypes_without_a_name(a):
    with pytest.raises(TypeError) as caught:
        dlferry.from_dlpack(a)
    assert caught.value.status is dlferry.Status.DTYPE


def test_tensor__shares_its_handle():
    t = dlferry.create("int8", [3])
    u = dlferry.from_dlpack(t)
    assert u is not t and u.data == t.data
    t.release()
    assert u.shape == (3,)


# ---- capsules ----


@pytest.mark.parametrize("legacy", [False, True])
def test_capsule__consumed_once(legacy):
    a = np.arange(3.0)
    capsule = (dlferry.to_dlpack_legacy if legacy else dlferry.to_dlpack)(dlferry.from_dlpack(a))
    name = capsule_name(capsule)
    assert name == ("dltensor" if legacy else "dltensor_versioned")
    dlferry.check(capsule)
    assert dlferry.describe(capsule) == "float64[3] cpu" and capsule_name(capsule) == name
    t = dlferry.from_dlpack(capsule)
    assert t.data == a.ctypes.data and capsule_name(capsule) == "used_" + name
    for again in (dlferry.from_dlpack, dlferry.check):
        with pytest.raises(ValueError, match=f'expected a capsule that has not been consumed, got "used_{name}"'):
            again(capsule)


def test_capsule__never_consumed_lets_go():
    a = np.arange(3.0)
    before = sys.getrefcount(a)
    capsule, legacy = np.zeros(1).__dlpack__(), dlferry.from_dlpack(a).__dlpack__()
    versioned = dlferry.from_dlpack(a).__dlpack__(max_version=(1, 0))
    assert sys.getrefcount(a) == before + 2
    del capsule, legacy, versioned
    assert sys.getrefcount(a) == before


def test_capsule__of_something_else():
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    for name in (b"arrow_schema", None):
        with pytest.raises(ValueError, match="from_dlpack: expected a capsule"):
            dlferry.from_dlpack(capsule(1, name, None))


# ---- __dlpack__ ----


def test_dlpack__max_version_decides_the_capsule():
    t = dlferry.create("float32", [2])
    for version, name in [
        (None, "dltensor"),
        ((0, 8), "dltensor"),
        ((1, 0), "dltensor_versioned"),
        ((2, 0), "dltensor_versioned"),
    ]:
        assert capsule_name(t.__dlpack__(max_version=version)) == name
    assert t.__dlpack_device__() == (1, 0)


def test_dlpack__copy():
    a = np.arange(4.0)
    t = dlferry.from_dlpack(a)
    for legacy in (None, (1, 3)):
        shared = dlferry.from_dlpack(t.__dlpack__(max_version=legacy, copy=False))
        copied = dlferry.from_dlpack(t.__dlpack__(max_version=legacy, copy=True))
        assert shared.data == t.data != copied.data
        assert bool(copied.flags & dlferry.Flag.IS_COPIED) == (legacy is not None)
    # A copy may be exported again while it is held: then no consumer is told that it is the only owner.
    again = [dlferry.from_dlpack(copied.__dlpack__(max_version=(1, 3))) for _ in range(2)]
    assert all(x.data == copied.data and not x.flags & dlferry.Flag.IS_COPIED for x in again)
    frozen = dlferry.wrap(b"abc")
    with pytest.raises(BufferError):
        frozen.__dlpack__(copy=False)
    assert dlferry.from_dlpack(frozen.__dlpack__()).data != frozen.data
    assert dlferry.from_dlpack(frozen.__dlpack__(copy=True, max_version=(1, 0))).readonly is False


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ({"stream": 1}, ValueError),
        ({"stream": "s"}, TypeError),
        ({"dl_device": (2, 0)}, BufferError),
        ({"dl_device": (1,)}, ValueError),
        ({"dl_device": "gpu"}, BufferError),
        ({"max_version": 1}, ValueError),
        ({"max_version": ()}, ValueError),
        ({"max_version": (1 << 80, 0)}, ValueError),
        ({"colour": 1}, TypeError),
    ],
)
def test_dlpack__refuses(options, kind):
    with pytest.raises(kind):
        dlferry.create("int8", [1]).__dlpack__(**options)


def test_dlpack__accepts():
    t = dlferry.create("int8", [1])
    for options in [{"stream": None}, {"stream": -1}, {"dl_device": (1, 0)}, {"dl_device": (1, None)}, {"copy": None}]:
        assert capsule_name(t.__dlpack__(**options)) == "dltensor"


# ---- from_dlpack's own arguments, and producers of every age ----


class Producer:
    """Records its requests."""

    def __init__(self, source, device=(1, 0)):
        self.source, self.device, self.asked = source, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        self.asked.append(options)
        return self.source.__dlpack__(**options)


class Old(Producer):
    """From before max_version."""

    def __dlpack__(self, stream=None):
        self.asked.append({"stream": stream})
        return self.source.__dlpack__()


def test_from_dlpack__asks_for_the_newest():
    p = Producer(np.arange(3.0))
    assert dlferry.from_dlpack(p).data == p.source.ctypes.data
    assert p.asked == [{"max_version": (1, 3)}]


def test_from_dlpack__passes_device_and_copy():
    p = Producer(np.arange(3.0))
    t = dlferry.from_dlpack(p, device="cpu", copy=True)
    assert p.asked[0]["dl_device"] == (1, 0) and p.asked[0]["copy"] is True
    assert t.data != p.source.ctypes.data
    dlferry.from_dlpack(p, device=(1, 0), copy=False)
    assert p.asked[1]["copy"] is False


def test_from_dlpack__old_producer():
    p = Old(np.arange(3.0))
    assert dlferry.from_dlpack(p).data == p.source.ctypes.data
    copied = dlferry.from_dlpack(p, copy=True)
    assert copied.data != p.source.ctypes.data and copied.numpy().tolist() == [0, 1, 2]


@pytest.mark.parametrize("make", [np.ones, torch.ones, bytearray, lambda n: dlferry.create("int8", [n])])
def test_from_dlpack__copy_means_copy(make):
    x = make(3)
    assert dlferry.from_dlpack(x).data == dlferry.from_dlpack(x, copy=False).data
    assert dlferry.from_dlpack(x, copy=True).data != dlferry.from_dlpack(x).data
    assert dlferry.from_dlpack(x, device="cpu").data == dlferry.from_dlpack(x, device=(1, 0)).data


def test_from_dlpack__producers_failures():
    class Fails(Producer):
        def __dlpack__(self, **options):
            raise LookupError("mine")

    class FailsByType(Producer):
        def __dlpack__(self, **options):
            raise TypeError("my own TypeError")

    class NoCapsule(Producer):
        def __dlpack__(self, **options):
            return 3

    class NoDevice:
        def __dlpack__(self, **options):
            return np.zeros(2).__dlpack__(**options)

    with pytest.raises(LookupError, match="mine"):
        dlferry.from_dlpack(Fails(None))
    with pytest.raises(TypeError, match="my own TypeError"):
        dlferry.from_dlpack(FailsByType(None))
    with pytest.raises(RuntimeError, match="expected a capsule from __dlpack__ of NoCapsule, got int"):
        dlferry.from_dlpack(NoCapsule(None))
    for device in [3, (1, 2, 3), ("a", 0), (-1, 0)]:
        with pytest.raises(ValueError, match="expected a pair"):
            dlferry.from_dlpack(Producer(None, device))
    with pytest.raises(AttributeError, match="from_dlpack: expected an array with __dlpack_device__, got NoDevice"):
        dlferry.from_dlpack(NoDevice())
    assert dlferry.from_dlpack(Producer(np.zeros(2), (1, None))).shape == (2,)


def test_from_dlpack__explicit_stream_for_devices():
    for kind, stream in [(2, 1), (13, 1), (10, 0)]:
        p = Old(np.zeros(1), (kind, 0))
        dlferry.from_dlpack(p)
        assert p.asked[-1]["stream"] == stream


# ---- exchange tables ----


class Version(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)]


class Table(ctypes.Structure):
    pass


Table._fields_ = [("version", Version), ("prev", ctypes.POINTER(Table)), ("slots", ctypes.c_void_p * 5)]


def read_table(capsule):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return Table.from_address(get(capsule, b"dlpack_exchange_api"))


def torch_slots(*without):
    source = read_table(torch.Tensor.__dlpack_c_exchange_api__)
    return (ctypes.c_void_p * 5)(*(None if i in without else slot for i, slot in enumerate(source.slots)))


KEPT = []  # tables live as long as the process


def producer_with(attribute, table, as_capsule):
    KEPT.append(table)
    address = ctypes.addressof(table)
    if as_capsule:
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        address = new(address, b"dlpack_exchange_api", None)
    members = {"__dlpack_c_exchange_api__": None, attribute: address, "__dlpack__": None}
    return torch.ones(3).as_subclass(type("Framework", (torch.Tensor,), members))


@pytest.mark.parametrize("attribute", ["__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"])
@pytest.mark.parametrize("as_capsule", [True, False])
def test_table__both_names_both_forms(attribute, as_capsule):
    x = producer_with(attribute, Table(Version(1, 3), None, torch_slots()), as_capsule)
    assert dlferry.from_dlpack(x).data == x.data_ptr()
    assert dlferry.describe(x) == "float32[3] cpu"


def test_table__walks_to_the_major_version_it_knows():
    poison = (ctypes.c_void_p * 5)(*[1] * 5)
    old = Table(Version(1, 2), None, torch_slots())
    x = producer_with("__dlpack_c_exchange_api__", Table(Version(2, 0), ctypes.pointer(old), poison), True)
    assert dlferry.from_dlpack(x).data == x.data_ptr()


@pytest.mark.parametrize("missing", [0, 2, 3, 4])
def test_table__slots_may_be_null(missing):
    x = producer_with("__dlpack_c_exchange_api__", Table(Version(1, 3), None, torch_slots(missing)), True)
    assert dlferry.from_dlpack(x).shape == (3,)
    assert dlferry.describe(x) == "float32[3] cpu"


def test_table__unusable_falls_back_to_dlpack():
    class Framework(Producer):
        __dlpack_c_exchange_api__ = ctypes.addressof(Table(Version(7, 0), None))

    keep = Table(Version(7, 0), None)
    Framework.__dlpack_c_exchange_api__ = ctypes.addressof(keep)
    assert dlferry.from_dlpack(Framework(np.zeros(2))).shape == (2,)


def test_table__ours_is_complete():
    table = read_table(dlferry.Tensor.__dlpack_c_exchange_api__)
    assert (table.version.major, table.version.minor) == (1, 3)
    assert all(table.slots)
    t = dlferry.create("float32", [2])
    from_object = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))(table.slots[1])
    to_object = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))(table.slots[2])
    managed, out = ctypes.c_void_p(), ctypes.py_object()
    assert from_object(t, ctypes.byref(managed)) == 0
    assert to_object(managed, ctypes.byref(out)) == 0
    u = out.value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(u))
    assert u.data == t.data
    with pytest.raises(TypeError, match=r"expected a dlferry\.Tensor, got list"):
        from_object([], ctypes.byref(managed))


def test_table__lends_no_data_without_elements():
    table = read_table(dlferry.Tensor.__dlpack_c_exchange_api__)
    lend = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(table.slots[3])
    lent = (ctypes.c_void_p * 6)()  # a DLTensor, which begins with data
    empty = dlferry.wrap(np.ones((2, 3))[:0])
    assert lend(empty, ctypes.addressof(lent)) == 0 and lent[0] is None
    t = dlferry.create("float32", [2])
    assert lend(t, ctypes.addressof(lent)) == 0 and lent[0] == t.data


def test_from_dlpack__a_chain_of_legacy_exports_keeps_the_first_owner():
    t = dlferry.create("float32", [2])
    data, before = t.data, dlferry.live()
    for _ in range(200_000):  # a release that went through them all would overflow the stack
        t = dlferry.from_dlpack(t.__dlpack__())
    assert t.data == data and dlferry.live() <= before + 1
    del t


def test_table__allocator_makes_and_reports(malformed):
    table = read_table(dlferry.Tensor.__dlpack_c_exchange_api__)
    assert table.slots[0]
    tvm_ffi = need("tvm_ffi")
    x = tvm_ffi.from_dlpack(dlferry.create("float32", [2, 3]))
    assert tuple(x.shape) == (2, 3)


def test_tvm_ffi__takes_and_gives():
    tvm_ffi = need("tvm_ffi")
    t = dlferry.from_dlpack(np.arange(6.0).reshape(2, 3))
    u = dlferry.from_dlpack(tvm_ffi.from_dlpack(t))
    assert u.data == t.data and u.strides == t.strides
