# SPDX-License-Identifier: Apache-2.0
"""dlferry.Device: its name and numbers, comparison, hash, other packages' devices, and what is refused."""

import copy
import enum
import pickle

import dlferry
import numpy as np
import pytest
from conftest import need
from hypothesis import given
from hypothesis import strategies as some

jax = need("jax")
torch = need("torch")

INT32 = 2**31 - 1
PAIRS = some.tuples(some.integers(1, INT32), some.integers(0, INT32))
KNOWN = {
    "cpu": 1,
    "cuda": 2,
    "cuda_host": 3,
    "opencl": 4,
    "vulkan": 7,
    "metal": 8,
    "vpi": 9,
    "rocm": 10,
    "rocm_host": 11,
    "ext_dev": 12,
    "cuda_managed": 13,
    "oneapi": 14,
    "webgpu": 15,
    "hexagon": 16,
    "maia": 17,
    "trn": 18,
    "tpu": 19,
    "tpu_host": 20,
    "ascend": 21,
}
HOST = {"cpu", "cuda_host", "rocm_host", "cuda_managed"}


# ---- names and numbers ----


@given(PAIRS)
def test_device__every_pair_has_a_name_of_its_own(pair):
    x = dlferry.Device(pair)
    kind, number = x
    assert (x.code, x.id) == (x[0], x[1]) == (kind, number) == tuple(x) == x.__dlpack_device__()
    assert kind == pair[0] and number == (0 if x.is_cpu_accessible else pair[1])
    for same in (dlferry.Device(str(x)), dlferry.Device(x), pickle.loads(pickle.dumps(x)), copy.deepcopy(x)):
        assert same == x and x == tuple(x) and x == str(x) and hash(same) == hash(x) == hash(str(x))
    assert eval(repr(x)) == x and {str(x): 1}[x] == {x: 1}[str(x)] == 1


@given(PAIRS, PAIRS)
def test_device__others_are_not_equal(a, b):
    x, y = dlferry.Device(a), dlferry.Device(b)
    same = tuple(x) == tuple(y)
    assert (x == y) == (x == str(y)) == same and (x != y) == (x != str(y)) == (not same)


@pytest.mark.parametrize("name", KNOWN)
def test_device__tells_what_it_is(name):
    first, third = dlferry.Device(name), dlferry.Device(f"{name}:2")
    assert (first.type, first.code, first.id) == (name, KNOWN[name], 0)
    assert first.is_cpu_accessible == third.is_cpu_accessible == (name in HOST)
    assert third.id == (0 if name in HOST else 2)
    assert str(first) == ("cpu" if name == "cpu" else f"{name}:0") and repr(first) == f"dlferry.Device('{first}')"
    assert f"{first}|{first:>16}" == f"{first}|{first!s:>16}"


def test_device__of_a_tensor():
    t = dlferry.create("int8", [2])
    assert type(t.device) is dlferry.Device and t.device == "cpu" == np.zeros(1).device == t.device
    assert t.device == t.__dlpack_device__() == tuple(t.device) == (1, 0)
    assert dlferry.Device(t.__dlpack_device__()) == t.device


def test_device__does_not_change_and_has_no_subclasses():
    for target in (dlferry.Device("cpu"), dlferry.Device):
        for name in ("id", "anything"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(target, name, 1)
    with pytest.raises(TypeError):
        type("Mine", (dlferry.Device,), {})
    for wrong in [(), ("cuda", 1)]:
        with pytest.raises(TypeError):
            dlferry.Device(*wrong)
    with pytest.raises(IndexError):
        dlferry.Device("cpu")[2]


def test_compare__with_names_and_pairs():
    x = dlferry.Device("cuda:0")
    assert x == "cuda:0" == x and x == (2, 0) and x == (2, 0) and x != (2, 1) and x != (1, 0)
    for other in ("cuda", "cuda:1", "CUDA:0", "", "cpu", None, 2, (2,), (2, "0"), [], object(), torch.device("meta")):
        assert x != other and (x == other) is False
    with pytest.raises(TypeError):
        _ = x < x
    assert dlferry.Device("cpu") == (1, 7) == dlferry.Device("cpu")


# ---- other packages ----


@pytest.mark.parametrize(
    ("theirs", "ours", "back"),
    [
        ("cpu", "cpu", "cpu"),
        ("cpu:0", "cpu", "cpu"),
        ("cuda:1", "cuda:1", "cuda:1"),
        ("xpu:2", "oneapi:2", "xpu:2"),
        ("mps:0", "metal:0", "mps:0"),
        ("maia:1", "maia:1", "maia:1"),
        ("opencl:1", "opencl:1", "opencl:1"),
        ("vulkan:0", "vulkan:0", "vulkan:0"),
        ("hip:1", "rocm:1", "cuda:1"),
        ("privateuseone:3", "ext_dev:3", "privateuseone:3"),
    ],
)
def test_torch__both_ways(theirs, ours, back):
    device, x = torch.device(theirs), dlferry.Device(ours)
    assert dlferry.Device(device) == x == device and device == x and (device != x) is False
    assert x.torch() == torch.device(back) and isinstance(x.torch(), torch.device)


def test_torch__a_device_without_a_number_is_the_current_one():
    if torch.cuda.is_available():
        torch.cuda.init()
    for name, ours in [("cuda", "cuda"), ("xpu", "oneapi"), ("mps", "metal"), ("cpu", "cpu")]:
        assert dlferry.Device(torch.device(name)) == dlferry.Device(ours)


def test_torch__has_no_such_device():
    for name in ("webgpu", "hexagon:1", "device(99):0"):
        with pytest.raises(dlferry.DeviceError, match=r"^torch: expected a device that torch has, got "):
            dlferry.Device(name).torch()
    assert dlferry.Device("cuda_host").torch() == torch.device("cpu")


def test_torch__its_pair_has_an_enum():
    pair = torch.zeros(1).__dlpack_device__()
    assert dlferry.Device(pair) == pair == dlferry.Device("cpu")


def test_jax__one_way():
    theirs = jax.devices("cpu")[0]
    assert dlferry.Device(theirs) == "cpu" and dlferry.Device("cpu") == theirs


def test_tvm_ffi__both_ways():
    tvm_ffi = need("tvm_ffi")
    for name in ("cpu:0", "cuda:1"):
        theirs = tvm_ffi.device(name)
        assert dlferry.Device(theirs) == dlferry.Device(name) == theirs
        assert tvm_ffi.get_global_func("testing.echo")(dlferry.Device(name)) == theirs


def test_protocol__of_dlpack():
    class Theirs:
        def __dlpack_device__(self):
            return 2, 5

    assert dlferry.Device(Theirs()) == "cuda:5" == dlferry.Device("cuda:5") == Theirs()


# ---- functions that take one ----

HERE = {
    "name": "cpu",
    "Device": dlferry.Device("cpu"),
    "pair": (1, 0),
    "list": [1, 0],
    "enum": (enum.IntEnum("Kind", {"CPU": 1}).CPU, 0),
    "torch": torch.device("cpu"),
    "jax": jax.devices("cpu")[0],
    "numpy": np.zeros(1).device,
}


@pytest.mark.parametrize("device", HERE.values(), ids=HERE)
def test_functions__take_every_kind(device):
    a = np.arange(3.0)
    assert dlferry.create("int8", [2], device).device == "cpu" == dlferry.create("int8", [2], device=device).device
    t = dlferry.from_dlpack(a, device=device)
    assert t.data == a.ctypes.data == dlferry.Tensor(a, device=device).data
    again = dlferry.from_dlpack(t.__dlpack__(dl_device=device, max_version=(1, 3)))
    assert again.data == a.ctypes.data


def test_functions__of_other_packages_take_the_pair():
    here = dlferry.Device("cpu")
    for x in (np.zeros(2), torch.zeros(2)):
        assert dlferry.from_dlpack(x.__dlpack__(dl_device=tuple(here))).device == here


def test_functions__to_a_device_that_is_not_there():
    for device in ("cuda:0", dlferry.Device("cuda:0"), (2, 0), torch.device("cuda", 0)):
        with pytest.raises(NotImplementedError, match=r"^create: expected device cpu, got cuda:0"):
            dlferry.create("int8", [2], device)
        t = dlferry.create("int8", [2])
        with pytest.raises(dlferry.DeviceError):
            t.__dlpack__(dl_device=device)
        with pytest.raises(dlferry.DeviceError):
            dlferry.from_dlpack(t, device=device)


# ---- what is refused ----

CALLS = {
    "Device": dlferry.Device,
    "create: device": lambda x: dlferry.create("int8", [2], x),
    "from_dlpack: device": lambda x: dlferry.from_dlpack(np.zeros(2), device=x),
    "to_dlpack: dl_device": lambda x: dlferry.create("int8", [2]).__dlpack__(dl_device=x),
}


@pytest.mark.parametrize("name", CALLS)
def test_refused__by_its_own_name(name):
    for word in ("gpu", "cuda:", "cuda:x", "CPU", "", "cuda:99999999999"):
        with pytest.raises(dlferry.DeviceError) as caught:
            CALLS[name](word)
        assert str(caught.value) == f"{name}: expected a device such as cpu or cuda:0, got '{word}'"
    for x in (3, 1.5, object(), torch.device("meta"), dlferry.Device):
        with pytest.raises(TypeError) as caught:
            CALLS[name](x)
        assert str(caught.value) == f"{name}: expected a device such as 'cpu' or (2, 0), got {type(x).__name__}"
    for pair in [(0, 0), (-1, 0), (1, -1), (1,), (1, 0, 0), (2**40, 0), ("cpu", 0), []]:
        with pytest.raises(ValueError, match=f"{name}: expected a pair of device type and device id, got"):
            CALLS[name](pair)
    for array in (dlferry.create("int8", [2]), torch.zeros(2), np.zeros(3)):
        with pytest.raises((TypeError, ValueError), match=f"{name}: expected a "):
            CALLS[name](array)


def test_oneapi_needs_dpctls_library(tmp_path):
    with pytest.raises(dlferry.errors.ForeignError, match="oneapi_enable: expected dpctl's C library, got: "):
        dlferry.oneapi_enable(tmp_path / "libDPCTLSyclInterface.so")
    with pytest.raises(dlferry.errors.ForeignError, match=r"libDPCTLSyclInterface\.so"):
        dlferry.oneapi_enable()
    with pytest.raises(TypeError):
        dlferry.oneapi_enable(3)
