# SPDX-License-Identifier: Apache-2.0
"""The exchange table in CUDA's case: torch's, which calls use instead of __dlpack__, and that of our own Tensor."""

import ctypes
import sys

import dlferry
import pytest
from structures import DLTensor

POINTERS = ["allocate", "managed", "object", "plain", "stream"]


def table_of(kind):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    capsule = kind.__dlpack_c_exchange_api__
    address = capsule if isinstance(capsule, int) else get(capsule, b"dlpack_exchange_api")
    slots = (ctypes.c_void_p * 7).from_address(address)
    return dict(zip(POINTERS, slots[2:], strict=True))


def current_stream(kind, device=2, number=0):
    function = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    out = ctypes.c_void_p(0xBAD)
    assert function(table_of(kind)["stream"])(device, number, ctypes.byref(out)) == 0
    return out.value or 0


@pytest.fixture
def has_table(torch):
    if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        pytest.skip(f"torch {torch.__version__} has no exchange table")


def test_torch__names_its_current_stream(torch, has_table):
    assert current_stream(torch.Tensor) == torch.cuda.current_stream().cuda_stream
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        assert current_stream(torch.Tensor) == stream.cuda_stream
    assert current_stream(torch.Tensor, device=1) == 0


def test_ours__is_the_default_stream(torch):
    assert current_stream(dlferry.Tensor) == 0
    with torch.cuda.stream(torch.cuda.Stream()):
        assert current_stream(dlferry.Tensor) == 0
    assert current_stream(dlferry.Tensor, device=1) == current_stream(dlferry.Tensor, device=13) == 0


@pytest.mark.parametrize("n", [100, 100_000])
def test_torch__calls_do_not_ask_its_method(torch, vk, has_table, n):
    """torch.Tensor.__dlpack__, in Python, would record events and make streams wait for each other."""
    x, out, called = torch.ones(n, device="cuda"), torch.zeros(n, device="cuda"), []
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        sys.setprofile(lambda frame, event, _: called.append(frame.f_code.co_name) if event == "call" else None)
        try:
            vk.scale(x, 2.0, out)
            vk.add(out, x, out)
        finally:
            sys.setprofile(None)
    stream.synchronize()
    assert bool((out == 3).all())
    assert "__dlpack__" not in called and "__dlpack_device__" not in called


def test_torch__a_subclass_with_its_own_method(torch, vk):
    asked = []

    class Mine(torch.Tensor):
        def __dlpack__(self, **options):
            asked.append(options.get("stream"))
            return super().__dlpack__(**options)

    x, out = torch.ones(8, device="cuda").as_subclass(Mine), torch.zeros(8, device="cuda")
    vk.scale(x, 2.0, out)
    assert out.tolist() == [2.0] * 8 and asked == [1]


def test_torch__of_its_own_functions(torch, has_table):
    """The plain structure of the table, as consumers in C read it."""
    x = torch.arange(12.0, device="cuda").reshape(3, 4)[1:, 1:]
    plain = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
    for kind, object_ in ((torch.Tensor, x), (dlferry.Tensor, dlferry.from_dlpack(x))):
        t = DLTensor()
        assert plain(table_of(kind)["plain"])(object_, ctypes.byref(t)) == 0
        assert t.data + t.byte_offset == x.data_ptr() and (t.device_type, t.device_id) == (2, 0)
        assert (t.shape[0], t.shape[1], t.strides[0], t.strides[1]) == (2, 3, 4, 1)


def test_tvm_ffi__takes_ours(torch):
    tvm_ffi = pytest.importorskip("tvm_ffi")
    x = torch.arange(4.0, device="cuda")
    there = tvm_ffi.from_dlpack(dlferry.from_dlpack(x))
    assert dlferry.from_dlpack(there).data == x.data_ptr()
