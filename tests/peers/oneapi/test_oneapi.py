# SPDX-License-Identifier: Apache-2.0
"""dpctl's protocol for kDLOneAPI, on the processor's SYCL device: in Python with dpnp, in C with the hub's library.

run.py runs it, in an environment that has dpctl, dpnp and a generated package, photo.
"""

import ctypes
import gc
import os
import subprocess
import sys
from pathlib import Path

import dlferry
import dpctl
import dpnp
import dpnp.tensor as dpt
import numpy as np
import photo
import pytest
from dpctl.memory import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared

sys.path.append(str(Path(__file__).resolve().parents[2] / "cases"))

from structures import DELETER, DLTensor, Versioned

ONEAPI, CPU = 14, 1
KINDS = {"device": MemoryUSMDevice, "shared": MemoryUSMShared, "host": MemoryUSMHost}
LIBRARY = str(Path(dpctl.__file__).with_name("libDPCTLSyclInterface.so"))


@pytest.fixture(autouse=True)
def nothing_left():
    before = dlferry.live()
    yield
    gc.collect()
    assert dlferry.live() == before


def root():
    return dpctl.SyclDevice("0")


def default_queue():
    return dpctl.SyclQueue(root().sycl_platform.default_context, root())


def other_queue():
    """A queue whose context is not the platform's default one."""
    parts = root().create_sub_devices(partition=1)
    return dpctl.SyclQueue(dpctl.SyclContext(parts), parts[0])


def address(x):
    return x.get_array().usm_data._pointer


# ---- DLPack and the hub by hand ----


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("message", ctypes.c_char * 252)]


class Made:
    """A producer of `count` float32 at an address, which says what the test wants."""

    def __init__(self, data, device_id=0, count=4):
        self.deleted, self.extent, self.stride = 0, (ctypes.c_int64 * 1)(count), (ctypes.c_int64 * 1)(1)
        self.deleter = DELETER(self.delete)
        self.managed = Versioned(1, 3, None, ctypes.cast(self.deleter, ctypes.c_void_p), 0)
        self.managed.tensor = DLTensor(data, ONEAPI, device_id, 1, 2, 32, 1, self.extent, self.stride, 0)

    def delete(self, _):
        self.deleted += 1

    def __dlpack_device__(self):
        return ONEAPI, self.managed.tensor.device_id

    def __dlpack__(self, **_):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.managed), b"dltensor_versioned", None)


# ---- Python, both ways ----


@pytest.mark.parametrize("kind", KINDS)
def test_dpnp_and_back_share_the_memory(kind):
    x = dpnp.arange(6, dtype="float32", usm_type=kind).reshape(2, 3)
    t = dlferry.from_dlpack(x)
    assert (t.shape, str(t.device), t.__dlpack_device__()) == ((2, 3), "oneapi:0", (ONEAPI, 0))
    assert t.data == address(x)
    y = dpnp.from_dlpack(t)
    assert (y.usm_type, address(y)) == (kind, address(x))
    del x, t
    assert dpnp.asnumpy(y).tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("kind", KINDS)
def test_views_keep_their_elements(kind):
    x = dpnp.arange(24, dtype="int64", usm_type=kind).reshape(4, 6)
    for view in (x[1:, 2:], x[::2, ::-1], x.T, dpnp.broadcast_to(x[0], (3, 6))):
        y = dpnp.from_dlpack(dlferry.from_dlpack(view))
        assert y.shape == view.shape and y.strides == view.strides
        assert dpnp.asnumpy(y).tolist() == dpnp.asnumpy(view).tolist()
    # dpnp 0.20 fails on the NULL data that DLPack 1.3 wants of an empty tensor: it comes, but cannot go back.
    assert dlferry.from_dlpack(x[1:1]).shape == (0, 6)


def test_the_processor_reads_shared_and_host_memory_but_no_device_memory():
    image = np.random.default_rng(7).random((16, 20), dtype=np.float32)
    blurred = photo.blur(image, 2.0)
    for kind in ("shared", "host"):
        x, out = dpnp.asarray(image, usm_type=kind), dpnp.zeros(image.shape, dtype="float32", usm_type=kind)
        assert dlferry.from_dlpack(x).numpy().tolist() == image.tolist()
        assert np.array_equal(photo.blur(x, 2.0), blurred)
        photo.blur(x, 2.0, out=out)
        assert np.array_equal(dpnp.asnumpy(out), blurred)
    x = dpnp.asarray(image, usm_type="device")
    with pytest.raises(dlferry.DeviceError, match="blur: image: device is oneapi:0, wanted cpu"):
        photo.blur(x, 2.0)
    with pytest.raises(dlferry.DeviceError, match="processor can reach, got oneapi:0: move it to the CPU"):
        dlferry.from_dlpack(x).numpy()
    assert dlferry.from_dlpack(x, device="cpu").numpy().tolist() == image.tolist()  # dpnp's copy


def test_the_queue_has_finished_before_the_processor_reads():
    n = 1200
    x = dpnp.ones((n, n), usm_type="shared")
    t = dlferry.from_dlpack((x @ x) @ (x @ x))
    assert (t.numpy() == n**3).all()


def test_an_unknown_pointer_is_the_protocols_type_error():
    plain = (ctypes.c_float * 4)()
    made = Made(ctypes.addressof(plain))
    with pytest.raises(TypeError, match="expected data bound to the default context of the platform of oneapi:0"):
        dlferry.from_dlpack(made)
    with pytest.raises(BufferError, match="got a pointer that it does not know"):
        dlferry.from_dlpack(made)
    assert made.deleted == 2


def test_another_context_is_refused():
    queue = other_queue()
    memory = MemoryUSMShared(64, queue=queue)
    made = Made(memory._pointer)
    with pytest.raises(dlferry.DeviceError, match="got a pointer that it does not know"):
        dlferry.from_dlpack(made)
    assert made.deleted == 1
    x = dpt.usm_ndarray((4,), dtype="float32", buffer=memory)
    with pytest.raises(Exception, match="default platform SYCL context"):  # dpctl's own refusal
        dlferry.from_dlpack(x)


@pytest.mark.parametrize("device_id", [1, 99, 2**31 - 1])
def test_a_device_id_out_of_range_is_refused(device_id):
    count = len(dpctl.get_devices())
    memory = MemoryUSMShared(64, queue=default_queue())
    if device_id < count:
        pytest.skip("so many devices are here")
    for made in (Made(memory._pointer, device_id), Made(None, device_id, 0)):
        with pytest.raises(dlferry.DeviceError, match=f"one of {count} SYCL devices, got oneapi:{device_id}"):
            dlferry.from_dlpack(made)
        assert made.deleted == 1


def test_a_known_pointer_made_by_hand_is_taken():
    memory = MemoryUSMShared(64, queue=default_queue())
    memory.copy_from_host(np.arange(16, dtype=np.float32).view(np.uint8))
    made = Made(memory._pointer)
    t = dlferry.from_dlpack(made)
    assert t.numpy().tolist() == [0, 1, 2, 3]
    assert made.deleted == 0
    del t
    gc.collect()
    assert made.deleted == 1
    assert dlferry.from_dlpack(Made(None, 0, 0)).shape == (0,)


def test_without_dpctl_the_device_is_like_any_unknown_one():
    program = """
import dlferry, test_oneapi_made as m
import sys
assert "dpctl" not in sys.modules
assert str(dlferry.from_dlpack(m.Made(4096, 99)).device) == "oneapi:99"
"""
    source = Path(__file__).read_text()
    begin, end = source.index("# ---- a DLPack structure"), source.index("# ---- Python, both ways")
    text = "import ctypes\nONEAPI = 14\n" + source[begin:end]
    program = f"import sys, types\nm = types.ModuleType('test_oneapi_made')\nexec({text!r}, m.__dict__)\n" + (
        "sys.modules['test_oneapi_made'] = m\n" + program
    )
    subprocess.run([sys.executable, "-c", program], check=True)


# ---- C: the hub's library ----


@pytest.fixture(scope="module")
def hub():
    library = ctypes.CDLL(os.environ["DLFERRY_LIBRARY"])
    error = Error()
    assert library.dlf_oneapi_enable(b"/nowhere/libDPCTLSyclInterface.so", ctypes.byref(error)) == 11
    assert library.dlf_oneapi_enable(None, ctypes.byref(error)) == 0, error.message  # loaded by dpctl
    assert library.dlf_oneapi_enable(LIBRARY.encode(), None) == 0
    return library


def wrap(hub, memory, device_id):
    made, t = Made(memory, device_id), ctypes.c_void_p()
    assert hub.dlf_wrap(ctypes.byref(made.managed.tensor), ctypes.c_uint64(0), None, None, ctypes.byref(t), None) == 0
    return t


@pytest.mark.parametrize("kind", KINDS)
def test_c_export_names_the_position_of_the_root_device(hub, kind):
    memory = KINDS[kind](64, queue=default_queue())
    t, out = wrap(hub, memory._pointer, 77), ctypes.POINTER(Versioned)()  # a wrong id
    assert hub.dlf_to_dlpack(t, ctypes.byref(out), None) == 0
    assert (out.contents.tensor.device_type, out.contents.tensor.device_id) == (ONEAPI, root().get_device_id())
    tensor = out.contents.tensor
    hub.dlf_is_reachable.restype = ctypes.c_bool
    assert hub.dlf_is_reachable(ctypes.byref(tensor)) == (kind != "device")
    hub.dlf_dlpack_release(out)
    hub.dlf_release(t)


def test_c_export_refuses_another_context_and_unknown_pointers(hub):
    memory, plain = MemoryUSMShared(64, queue=other_queue()), (ctypes.c_float * 4)()
    for data in (memory._pointer, ctypes.addressof(plain)):
        t, out, error = wrap(hub, data, 0), ctypes.POINTER(Versioned)(), Error()
        assert hub.dlf_to_dlpack(t, ctypes.byref(out), ctypes.byref(error)) == 6
        assert error.message == (
            b"to_dlpack: expected data bound to the default context of a SYCL platform, got a pointer that none knows"
        )
        assert not out
        hub.dlf_release(t)


def test_c_import_of_dpnps_capsule(hub):
    x = dpnp.arange(4, dtype="float32", usm_type="shared")
    capsule = x.__dlpack__(max_version=(1, 3))
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    rename = ctypes.pythonapi.PyCapsule_SetName
    rename.argtypes = [ctypes.py_object, ctypes.c_char_p]
    used, t, copy = b"used_dltensor_versioned", ctypes.c_void_p(), ctypes.c_void_p()
    managed = ctypes.c_void_p(pointer(capsule, b"dltensor_versioned"))
    rename(capsule, used)
    release = ctypes.PyDLL(os.environ["DLFERRY_LIBRARY"]).dlf_release  # dpnp's deleter needs the GIL
    assert hub.dlf_from_dlpack(managed, ctypes.byref(t), None) == 0
    assert hub.dlf_copy(t, ctypes.byref(copy), None) == 0
    release(copy)
    release(t)
    hub.dlf_live.restype = ctypes.c_int64
    assert hub.dlf_live() == 0
    del capsule
