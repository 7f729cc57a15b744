# SPDX-License-Identifier: Apache-2.0
"""Types are recognised by identity, never by name, and without running their Python code."""

import ctypes
import gc
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need
from test_exchange import KEPT, Table, Version, torch_slots

photo = need("photo")
torch = need("torch")
IMAGE = np.arange(6, dtype=np.float32).reshape(2, 3)


def named(name, module, base=object, **members):
    """A class with another class's name, which exports its own array."""

    def export(self, **options):
        return self.array.__dlpack__(**options)

    members = {"__dlpack__": export, "__dlpack_device__": lambda self: (1, 0), **members}
    made = type(name, (base,), {"__module__": module, "array": IMAGE, **members})
    assert (made.__name__, made.__module__) == (name, module)
    return made


class Shows:
    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)


IMPOSTORS = [("ndarray", "numpy"), ("Tensor", "torch"), ("Tensor", "dlferry"), ("MaskedArray", "numpy.ma")]


@pytest.mark.parametrize(("name", "module"), IMPOSTORS)
def test_impostor__is_read_by_what_it_exports(name, module):
    photo.mean(IMAGE)  # from here on NumPy's structure is known
    made = named(name, module)()
    made.padding = [7] * 20
    t = dlferry.from_dlpack(made)
    assert (t.data, t.shape) == (IMAGE.ctypes.data, (2, 3))
    assert photo.mean(made) == IMAGE.mean() and dlferry.describe(made) == dlferry.describe(IMAGE)


@pytest.mark.parametrize("module", ["jax.mine", "jaxtyping", "tensorflow_like.arrays", "tensorflow"])
def test_impostor__of_a_framework_whose_arrays_never_change_is_written(module):
    out = np.zeros_like(IMAGE)
    made = named("Array", module, array=out)()
    photo.sobel(IMAGE, out=made)
    assert (out == photo.sobel(IMAGE)).all() and not dlferry.from_dlpack(made).readonly


def test_impostor__of_torch_is_not_asked_what_only_torch_knows():
    """Its methods are another class's, and so is its structure."""
    torch.from_numpy(IMAGE)
    KEPT.append(Table(Version(1, 3), None, torch_slots()))
    made = named("Tensor", "torch", __dlpack_c_exchange_api__=ctypes.addressof(KEPT[-1]))()
    with pytest.raises(RuntimeError, match=r"which raised|neither"):  # torch's own function sees that it is none of its
        dlferry.from_dlpack(made)


def test_metaclass__runs_no_code_of_its_own():
    """It could change the ancestry that is walked, or an earlier argument's borrowed data."""
    ran = []

    class Meta(type):
        def __getattribute__(cls, name):
            ran.append(name)
            return super().__getattribute__(name)

    for base, module in [(np.ndarray, "numpy"), (torch.Tensor, "torch"), (Shows, "jax"), (Shows, "tensorflow")]:
        meta = type("Meta", (Meta, type(base)), {})
        made = meta(base.__name__, (base,), {"__module__": module})
        x = made(IMAGE) if base is Shows else made((2,))
        del ran[:]
        dlferry.describe(x)
        assert ran == []


CHANGES_BASES = """
import dlferry, gc, numpy as np
dlferry.from_dlpack(np.zeros(2))
A = type("A", (), {"one": 1})
B = type("B", (), {"two": 2})
class Meta(type):
    def __getattribute__(cls, name):
        if name == "__module__":
            for base in (A, B) * 50:
                cls.__bases__ = (base,)
            gc.collect()
            return "numpy"
        return super().__getattribute__(name)
for i in range(200):
    made = Meta("ndarray", (A,), {})
    try:
        dlferry.from_dlpack(made())
    except TypeError as error:
        assert "expected an array" in str(error)
    else:
        raise AssertionError
print("done")
"""


def test_metaclass__that_changes_its_bases():
    command = [sys.executable, "-X", "dev", "-c", CHANGES_BASES]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


# ---- any change of a type removes it from the cache ----


def test_changed__class_of_the_protocol():
    made = type("Made", (Shows,), {})
    x = made(IMAGE)
    assert dlferry.from_dlpack(x).data == IMAGE.ctypes.data
    other = np.zeros(4)
    made.__dlpack__ = lambda self, **options: other.__dlpack__(**options)
    assert dlferry.from_dlpack(x).data == other.ctypes.data
    made.__dlpack__ = None
    with pytest.raises(TypeError, match="expected an array"):
        dlferry.from_dlpack(x)
    del made.__dlpack__
    assert dlferry.from_dlpack(x).data == IMAGE.ctypes.data
    made.__bases__ = (type("Base", (Shows,), {"__dlpack__": lambda self, **o: other.__dlpack__(**o)}),)
    assert dlferry.from_dlpack(x).data == other.ctypes.data


@pytest.mark.parametrize("base", [np.ndarray, torch.Tensor])
def test_changed__subclass_of_a_known_type(base):
    made = type("Made", (base,), {})
    x = IMAGE.view(made) if base is np.ndarray else torch.from_numpy(IMAGE).as_subclass(made)
    other = np.zeros(4, np.float32)
    for _ in range(2):
        assert dlferry.from_dlpack(x).data == IMAGE.ctypes.data and photo.mean(x) == IMAGE.mean()
        made.__dlpack__ = lambda self, **options: other.__dlpack__(**options)
        assert dlferry.from_dlpack(x).data == other.ctypes.data
        assert dlferry.describe(x) == "float32[4] cpu"
        del made.__dlpack__


def test_changed__torch_itself(monkeypatch):
    x, other = torch.from_numpy(IMAGE), np.zeros((1, 5), np.float32)
    for _ in range(3):
        assert photo.mean(x) == IMAGE.mean()
    made = type("Own", (torch.Tensor,), {})
    with monkeypatch.context() as changed:
        changed.setattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
        changed.setattr(torch.Tensor, "__dlpack__", lambda self, **options: other.__dlpack__(**options))
        assert photo.mean(x) == 0 and dlferry.from_dlpack(x).data == other.ctypes.data
        assert dlferry.from_dlpack(x.as_subclass(made)).data == other.ctypes.data
    for _ in range(3):
        assert photo.mean(x) == IMAGE.mean() and dlferry.from_dlpack(x).data == IMAGE.ctypes.data


def test_changed__while_a_call_holds_what_was_decided():
    """The first argument's type changes while the second one's code runs."""
    made = type("Made", (np.ndarray,), {})
    first = IMAGE.view(made)

    class Second(Shows):
        def __dlpack__(self, **options):
            made.__dlpack__ = lambda self, **options: np.zeros(4).__dlpack__(**options)
            dlferry.describe(first)
            return super().__dlpack__(**options)

    assert (photo.difference(first, Second(IMAGE)) == 0).all()


def test_many__classes_need_no_room_of_their_own():
    """More types than the cache holds: each is right, and freed if not cached."""
    frees = []

    class Counted(type):
        def __del__(cls):
            frees.append(1)

    for i in range(600):
        kind = [Shows, np.ndarray, torch.Tensor][i % 3]
        made = (type if i % 3 else Counted)(f"Made{i}", (kind,), {})
        if kind is Shows:
            x = made(IMAGE)
        elif kind is np.ndarray:
            x = IMAGE.view(made)
        else:
            x = torch.from_numpy(IMAGE).as_subclass(made)
            with pytest.raises(BufferError, match="resolve_neg"):
                dlferry.from_dlpack(torch._neg_view(x))
        assert dlferry.from_dlpack(x).data == IMAGE.ctypes.data
    del made, x
    gc.collect()
    assert len(frees) > 60


def test_chain__of_tables_that_bites_its_tail():
    table = Table(Version(9, 0), None)
    table.prev = ctypes.pointer(table)
    KEPT.append(table)
    made = type("Made", (Shows,), {"__dlpack_c_exchange_api__": ctypes.addressof(table)})
    assert dlferry.from_dlpack(made(IMAGE)).data == IMAGE.ctypes.data
