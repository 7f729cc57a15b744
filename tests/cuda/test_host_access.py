# SPDX-License-Identifier: Apache-2.0
"""Elements of device memory are never touched by the processor, which would end the process: each way to read or write
them is refused with a sentence, and what only describes a tensor works.
"""

import copy
import os
import pickle
import sys
from pathlib import Path

import dlferry
import numpy as np
import pytest

REACH = "expected data that the processor can reach, got "


def source(request, torch):
    x = torch.arange(6.0, device="cuda").reshape(2, 3)
    if request.param == "capsule":  # of which no producer is known
        return x.__dlpack__(max_version=(1, 3))
    if request.param == "torch":
        return x
    module = request.getfixturevalue(request.param)
    module = module.numpy if request.param == "jax" else module
    return module.arange(6, dtype="float32").reshape(2, 3)


@pytest.fixture(params=["torch", "cupy", "jax", "capsule"])
def t(request, torch):
    tensor = dlferry.from_dlpack(source(request, torch))
    yield tensor
    tensor.release()  # pytest keeps the fixture's value until nothing_left has looked


READS = {
    "item": lambda t: t.item(0, 0),
    "item of one": lambda t: t[0, 0].item(),
    "tolist": lambda t: t.tolist(),
    "tobytes": lambda t: t.tobytes(),
    "tobytes of a view": lambda t: t.T.tobytes(),
    "bytes": lambda t: bytes(t),
    "int": lambda t: int(t[0, 0]),
    "float": lambda t: float(t[0, 0]),
    "bool": lambda t: bool(t[0, 0]),
    "complex": lambda t: complex(t[0, 0]),
    "in": lambda t: 1.0 in t,
    "copy": lambda t: t.copy(),
    "copy.copy": lambda t: copy.copy(t),
    "copy.deepcopy": lambda t: copy.deepcopy(t),
    "contiguous of a view": lambda t: t.T.contiguous(),
    "reshape with a copy": lambda t: t.reshape(3, 2, copy=True),
    "reshape that needs a copy": lambda t: t.T.reshape(6),
    "astype": lambda t: t.astype("float32"),
    "__dlpack__ with copy": lambda t: t.__dlpack__(copy=True, max_version=(1, 3)),
    "numpy": lambda t: t.numpy(),
    "numpy with copy": lambda t: t.numpy(copy=True),
    "numpy.asarray": lambda t: np.asarray(t),
    "numpy.array": lambda t: np.array(t),
    "numpy.from_dlpack": lambda t: np.from_dlpack(t),
    "__array__": lambda t: t.__array__(),
    "__array_interface__": lambda t: t.__array_interface__,
    "memoryview": lambda t: memoryview(t),
    "bytearray": lambda t: bytearray(t),
    "write to a file": lambda t: Path(os.devnull).write_bytes(t),
    "wrap": lambda t: dlferry.wrap(t),
    "pickle 2": lambda t: pickle.dumps(t, protocol=2),
    "pickle 5": lambda t: pickle.dumps(t, protocol=5),
    "pickle beside": lambda t: pickle.dumps(t, protocol=5, buffer_callback=[].append),
    "npy_save": lambda t: dlferry.npy_save(t, "/dev/null"),
    "equal": lambda t: dlferry.equal(t, t),
    "equal with the processor's": lambda t: dlferry.equal(np.zeros((2, 3), np.float32), t),
    "t.equal": lambda t: t.equal(np.zeros((2, 3), np.float32)),
    "identical": lambda t: dlferry.identical(t, t),
    "all_close": lambda t: dlferry.all_close(t, t),
    "t.all_close": lambda t: t.all_close(np.zeros((2, 3), np.float32)),
    "to numpy": lambda t: dlferry.to(t, np.ndarray),
    "a contract for the processor": lambda t: dlferry.Contract("x: f32[h, w]", "f", {"x": "input"}).match(t),
    "copy into the processor's": lambda t: t.copy_into(np.empty((2, 3), np.float32)),
    "copy out": lambda t: t.copy(out=np.empty((2, 3), np.float32)),
    "copy of a view out": lambda t: t.T.copy(out=np.empty((3, 2), np.float32)),
    "t[...] = of the device": lambda t: dlferry.create("float32", [2, 3]).__setitem__(..., t),
    "cast": lambda t: t.astype("float16"),
    "cast of a view": lambda t: t.T.astype("float64"),
    "cast out": lambda t: t.astype("float64", out=np.empty((2, 3))),
    "cast into the processor's": lambda t: t.cast_into(np.empty((2, 3))),
}

# Where the device's memory is written; a test looks that no element has changed.
WRITES = {
    "fill": lambda t: t.fill(9),
    "t[...] = number": lambda t: t.__setitem__(..., 9),
    "t[...] = array": lambda t: t.__setitem__(..., np.full((2, 3), 9, np.float32)),
    "t[row] = array": lambda t: t.__setitem__(1, np.full(3, 9, np.float32)),
    "copy_into": lambda t: dlferry.wrap(np.full((2, 3), 9, np.float32)).copy_into(t),
    "copy out": lambda t: dlferry.wrap(np.full((2, 3), 9, np.float32)).copy(out=t),
    "cast_into": lambda t: dlferry.wrap(np.full((2, 3), 9)).cast_into(t),
    "cast out": lambda t: dlferry.wrap(np.full((2, 3), 9)).astype("float32", out=t),
    "copy from device to device": lambda t: t[0].copy_into(t[1]),
}


@pytest.mark.parametrize("way", READS)
def test_read__is_refused(t, way):
    with pytest.raises(Exception) as caught:
        READS[way](t)
    text = str(caught.value)
    print(f"{way}: {type(caught.value).__name__}: {text}")
    assert "cuda:0" in text or "device" in text.lower() or way == "reshape that needs a copy"
    assert isinstance(caught.value, (dlferry.Error, AttributeError, BufferError, TypeError, ValueError, RuntimeError))


@pytest.mark.parametrize("way", WRITES)
def test_write__is_refused(torch, way):
    x = torch.arange(6.0, device="cuda").reshape(2, 3)
    tensor = dlferry.from_dlpack(x)
    with pytest.raises(dlferry.DeviceError) as caught:
        WRITES[way](tensor)
    print(f"{way}: {caught.value}")
    assert f"{REACH}cuda:0: move it to the CPU first" in str(caught.value)
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_read__has_a_sentence_of_ours(t):
    for way, wanted in {
        "item": f"read: {REACH}cuda:0: move it to the CPU first",
        "tolist": f"read: {REACH}cuda:0: move it to the CPU first",
        "copy": f"copy: {REACH}cuda:0: move it to the CPU first",
        "pickle 5": f"pickle: {REACH}cuda:0: move it to the CPU first",
        "in": f"contains: {REACH}cuda:0: move it to the CPU first",
        "copy into the processor's": f"copy_into: {REACH}cuda:0: move it to the CPU first",
        "cast": f"astype: {REACH}cuda:0: move it to the CPU first",
        "a contract for the processor": "f: x: device is cuda:0, wanted cpu: pass a copy there",
    }.items():
        with pytest.raises(dlferry.DeviceError) as caught:
            READS[way](t)
        assert str(caught.value) == wanted


DESCRIBES = {
    "repr": repr,
    "str": str,
    "format": lambda t: f"{t}",
    "dlferry.format": dlferry.format,
    "describe": lambda t: t.describe(),
    "dlferry.describe": dlferry.describe,
    "describe_json": dlferry.describe_json,
}


@pytest.mark.parametrize("way", DESCRIBES)
def test_describe__works_without_elements(t, way):
    text = DESCRIBES[way](t)
    print(f"{way}: {text}")
    assert "cuda" in text and "float32" in text and "5." not in text


def test_describe__numbers(t):
    assert (t.shape, t.ndim, t.size, t.nbytes, t.itemsize, len(t)) == ((2, 3), 2, 6, 24, 4, 2)
    assert (dlferry.count(t), dlferry.byte_size(t)) == (6, 24)
    low, high = dlferry.byte_range(t)
    assert high - low == 24
    assert dlferry.is_contiguous(t) and not dlferry.is_reachable(t) and dlferry.alignment(t) >= 16
    assert dlferry.overlap(t, t[1:]) and not dlferry.overlap(t[:1], t[1:])
    assert t.__sizeof__() > 0 and isinstance(dlferry.is_unique(t), bool)
    dlferry.check(t)
    assert t.contiguous().data == t.data and t.reshape(6).data == t.data
    assert [row.shape for row in t] == [(3,), (3,)]
    assert t.astype("float32", copy=False).data == t.data


def test_describe__arrays_of_the_frameworks(torch, cupy, jax):
    for x in (torch.ones(2, device="cuda"), cupy.ones(2, "float32"), jax.numpy.ones(2)):
        assert "cuda:0" in dlferry.describe(x) and "cuda:0" in dlferry.format(x)
        assert dlferry.count(x) == 2 and not dlferry.is_reachable(x)
        with pytest.raises(dlferry.Error):
            dlferry.equal(x, x)
        with pytest.raises(dlferry.Error):
            dlferry.npy_save(x, "/dev/null")


def test_device__none_is_made(torch):
    for device in ("cuda:0", (2, 0), torch.device("cuda", 0), dlferry.Device("cuda")):
        with pytest.raises(NotImplementedError, match=r"^create: expected device cpu, got cuda:0$"):
            dlferry.create("float32", [2], device)
        for x in (np.ones(2), torch.ones(2), dlferry.create("float32", [2])):
            with pytest.raises(dlferry.DeviceError):
                dlferry.from_dlpack(x, device=device)
    make = dlferry.Contract("x: f32[n] cuda; out: f32[n] samedevice", "f", {"x": "input", "out": "output"})
    prototype = make.infer("out", torch.ones(3, device="cuda"))
    assert (prototype.shape, prototype.device) == ((3,), "cuda:0")
    with pytest.raises(dlferry.Error, match="f: out must be given: none is made on cuda:0"):
        make.create("out", torch.ones(3, device="cuda"))


def test_dask_sizes_need_no_elements(t):
    assert sys.getsizeof(t) > 0
