# SPDX-License-Identifier: Apache-2.0
"""dlferry.to makes an array of a type: through the type's exchange table, whose functions count their calls here, or by
the from_dlpack of its class or package."""

import ctypes
import gc
import subprocess
import sys

import classes
import dlferry
import numpy as np
import pytest
from conftest import need
from test_exchange import KEPT, Table, Version, read_table

torch = need("torch")
EXPORT, MAKE = 1, 2  # places in the table
FROM_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
TO_OBJECT = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.py_object))


class Counting:
    """A copy of a type's table that counts the calls of the two functions which pass ownership."""

    def __init__(self, source):
        theirs = read_table(source.__dlpack_c_exchange_api__)
        export, make = FROM_OBJECT(theirs.slots[EXPORT]), TO_OBJECT(theirs.slots[MAKE])
        self.exports = self.makes = 0
        self.made_as = None  # a subclass to make instead

        def count_export(x, out):
            self.exports += 1
            return export(x, out)

        def count_make(managed, out):
            self.makes += 1
            status = make(managed, out)
            if self.made_as:
                plain, out[0] = out[0], out[0].as_subclass(self.made_as)
                ctypes.pythonapi.Py_DecRef(ctypes.py_object(plain))
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(out[0]))
            return status

        self.functions = FROM_OBJECT(count_export), TO_OBJECT(count_make)
        slots = list(theirs.slots)
        slots[EXPORT : MAKE + 1] = (ctypes.cast(f, ctypes.c_void_p).value for f in self.functions)
        table = Table(Version(1, 3), None, (ctypes.c_void_p * 5)(*slots))
        KEPT.extend([self, table])
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = new(ctypes.addressof(table), b"dlpack_exchange_api", None)

    @property
    def counts(self):
        return self.exports, self.makes


@pytest.fixture
def t():
    t = dlferry.from_dlpack(np.arange(6, dtype=np.float32).reshape(2, 3))
    yield t
    t.release()


def test_to__torch_through_its_table(t, monkeypatch):
    counting = Counting(torch.Tensor)
    with monkeypatch.context() as changed:
        changed.setattr(torch.Tensor, "__dlpack_c_exchange_api__", counting.capsule)
        x = dlferry.to(t, torch.Tensor)
        assert counting.counts == (0, 1)
        assert type(x) is torch.Tensor and x.data_ptr() == t.data and x.tolist() == [[0, 1, 2], [3, 4, 5]]
        assert dlferry.from_dlpack(x).data == t.data
        assert counting.counts == (0, 1)  # an import takes the storage, not the table
        assert dlferry.to(x, torch.Tensor) is x  # nothing to do
        assert dlferry.to(np.zeros(3), torch.Tensor).tolist() == [0, 0, 0]
        assert counting.counts == (0, 2)
    del x
    dlferry.to(t, torch.Tensor)
    assert counting.counts == (0, 2)


@pytest.mark.parametrize("target", [torch.Tensor, np.ndarray])
def test_to__no_library_loses_a_flag(target):
    """Of a DLPack after 1.3 it may mean that elements lie elsewhere."""
    flagged = dlferry.from_dlpack(classes.Made(classes.FLOAT, 32, flags=1 << 7, minor=9))
    with pytest.raises(NotImplementedError, match=r"^to: expected flags that DLPack 1\.3 names, got 0x80$"):
        dlferry.to(flagged, target)


def test_to__a_type_with_a_table_of_its_own(t):
    counting = Counting(torch.Tensor)
    counting.made_as = type("Framework", (torch.Tensor,), {"__dlpack_c_exchange_api__": counting.capsule})
    x = dlferry.to(t, counting.made_as)
    assert type(x) is counting.made_as and x.data_ptr() == t.data and counting.counts == (0, 1)


def test_to__consumers_use_our_table(t):
    """tvm-ffi finds the table in the type; the counts show that it goes through it and not through __dlpack__."""
    tvm_ffi = need("tvm_ffi")
    counting = Counting(dlferry.Tensor)
    sub = type("Sub", (dlferry.Tensor,), {"__dlpack_c_exchange_api__": counting.capsule})
    x = tvm_ffi.from_dlpack(sub(t))
    assert counting.counts == (1, 0) and dlferry.from_dlpack(x).data == t.data
    del x
    y = dlferry.to(t, sub)
    assert type(y) is sub and y.data == t.data
    del y, sub
    gc.collect()


@pytest.mark.parametrize(
    "path", ["tvm_ffi.Tensor", "paddle.Tensor", "numpy.ndarray", "pyarrow.Tensor", "tensorflow.Tensor"]
)
def test_to__types_of_other_frameworks(t, path):
    module, _, name = path.partition(".")
    target = getattr(pytest.importorskip(module), name)
    x = dlferry.to(t, target)
    assert isinstance(x, target) and dlferry.from_dlpack(x).data == t.data
    assert np.asarray(dlferry.from_dlpack(x)).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert dlferry.to(x, dlferry.Tensor).data == t.data


def test_to__jax_which_copies_what_is_not_aligned(t):
    jax = need("jax")
    assert isinstance(dlferry.to(t, jax.Array), jax.Array)
    assert dlferry.to(t, jax.Array).tolist() == [[0, 1, 2], [3, 4, 5]]
    aligned = dlferry.create("float32", [4])
    assert dlferry.from_dlpack(dlferry.to(aligned, jax.Array)).data == aligned.data


def test_to__keeps_the_memory_and_gives_it_back(t):
    x = dlferry.to(t, torch.Tensor)
    data = t.data
    t.release()
    assert x.data_ptr() == data and x[1, 2] == 5
    x[0, 0] = 7
    before = dlferry.live()
    del x
    assert dlferry.live() < before
    with pytest.raises(ValueError, match="got a closed one"):
        dlferry.to(t, torch.Tensor)


def test_to__read_only():
    image = np.zeros(3)
    image.flags.writeable = False
    t = dlferry.from_dlpack(image)
    assert not dlferry.to(t, np.ndarray).flags.writeable
    assert dlferry.to(t, torch.Tensor).data_ptr() == t.data  # torch has no such flag


@pytest.mark.parametrize("target", [3, "torch", None, torch])
def test_to__a_target_that_is_no_type(t, target):
    with pytest.raises(TypeError, match=r"to: target: expected a type such as torch.Tensor or numpy.ndarray, got"):
        dlferry.to(t, target)


@pytest.mark.parametrize(
    ("target", "text"),
    [
        (list, "to: expected a type with an exchange table or from_dlpack, such as torch.Tensor, got builtins.list"),
        (torch.nn.Parameter, "to: expected a type whose exchange table makes its objects, got Parameter, whose table"),
        (np.matrix, "to: expected a type that from_dlpack makes, got numpy.matrix; it makes ndarray"),
    ],
)
def test_to__a_type_that_makes_no_such_array(t, target, text):
    with pytest.raises(TypeError, match=text):
        dlferry.to(t, target)


def test_to__arguments(t):
    for given in [(), (t,), (t, torch.Tensor, 3)]:
        with pytest.raises(TypeError, match=r"to\(\) takes 2 positional arguments"):
            dlferry.to(*given)
    with pytest.raises(TypeError, match="to: expected an array with __dlpack__"):
        dlferry.to(3, torch.Tensor)


def test_to__what_torch_refuses_is_released():
    t = dlferry.create("float6_e2m3fn", [2])
    with pytest.raises(dlferry.Error, match=r"^to: expected a tensor that Tensor can hold, got Tensor, which raised"):
        dlferry.to(t, torch.Tensor)
    before = dlferry.live()
    del t
    assert dlferry.live() == before - 1


def test_import__is_quick_because_it_loads_nothing_else():
    """The import's time is in docs/speed.md; here it is what makes it short."""
    code = (
        "import sys; before = set(sys.modules); import dlferry;"
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    assert not {"numpy", "torch", "inspect", "ctypes", "pathlib"} & set(done.stdout.split())
