# SPDX-License-Identifier: Apache-2.0
"""Inputs are ready on the kernel's stream. No device runs here: this file's producers label the
processor's memory as a device's, which the kernels never touch; they tell the stream that they were given."""

import ctypes
import importlib
import subprocess
import sys
import sysconfig
from pathlib import Path

import dlferry
import numpy as np
import pytest
from structures import DLTensor, Versioned

HEADER = """\
#include <dlferry.h>
/** Add on a stream.
 *  @return the stream
 *  @contract x: f32[n] cuda|rocm|oneapi;  y: f32[n] cuda|rocm|oneapi|cpu;  out: f32[n] cuda|rocm|oneapi */
int64_t streams_add(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream);
/** Add managed memory on a stream.
 *  @return the stream
 *  @contract x: f32[n] cuda|cuda_managed;  y: f32[n] cuda|cuda_managed;  out: f32[n] cuda|cuda_managed */
int64_t streams_managed(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream);
/** Read a list on a stream.
 *  @return the stream
 *  @contract x: opt f32[n] cuda;  more: f32[n] *count cuda */
int64_t streams_look(const DLTensor *x, const DLTensor *const *more, int64_t count, dlf_stream stream);
"""
SOURCE = """\
#include "streams.h"
int64_t streams_add(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream) {
  return (void)x, (void)y, (void)out, (int64_t)(intptr_t)stream.handle;
}
int64_t streams_managed(const DLTensor *x, const DLTensor *y, DLTensor *out, dlf_stream stream) {
  return (void)x, (void)y, (void)out, (int64_t)(intptr_t)stream.handle;
}
int64_t streams_look(const DLTensor *x, const DLTensor *const *more, int64_t count, dlf_stream stream) {
  return (void)x, (void)more, (void)count, (int64_t)(intptr_t)stream.handle;
}
"""
CUDA, ROCM, MANAGED, ONEAPI = 2, 10, 13, 14


@pytest.fixture(scope="module")
def streams(tmp_path_factory):
    folder = tmp_path_factory.mktemp("streams")
    (folder / "streams.h").write_text(HEADER)
    (folder / "streams.c").write_text(SOURCE)
    bind = [sys.executable, "-m", "dlferry.bind", "streams.h", "--name", "streams", "--source", "streams.c", "--strict"]
    subprocess.run([*bind, "--lang", "python", "--out", "."], cwd=folder, check=True)
    made, core = folder / "python", Path(dlferry.get_include())
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    words = [compiler, "-Wall", "-Wextra", "-Werror", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden"]
    words += ["-DDLF_HIDDEN", f"-I{made / 'c'}", f"-I{core}", f"-I{sysconfig.get_path('include')}"]
    words += [made / "streams_python.c", *(made / "c").glob("*.c"), core / "dlferry.c", *(core / "python").glob("*.c")]
    words += ["-lm", "-ldl", "-o", made / "streams" / "_streams.so"]
    subprocess.run([str(word) for word in words], check=True)
    sys.path.insert(0, str(made))
    yield importlib.import_module("streams")
    sys.path.remove(str(made))


# ---- producers ----


LENT = {}  # by address: tensors whose deleters were not called yet


TWICE = []


@ctypes.CFUNCTYPE(None, ctypes.c_void_p)
def delete(address):
    if not LENT.pop(address, None):
        TWICE.append(address)


@pytest.fixture(autouse=True)
def nothing_lent():
    yield
    assert not LENT and not TWICE


@pytest.fixture(autouse=True, params=[4, 20_000], ids=["small", "large"])
def size(request):
    """Small calls borrow and keep the GIL, large ones own and release it."""
    Device.size = request.param


class Device:
    """Tensors of a framework without a table; asked holds the requested streams."""

    table = None

    def __init__(self, device=CUDA, number=0):
        self.device, self.asked = (device, number), []
        self.memory = np.zeros(self.size, "float32")
        self.shape, self.strides = (ctypes.c_int64 * 1)(self.size), (ctypes.c_int64 * 1)(1)

    def describe(self):
        return DLTensor(self.memory.ctypes.data, *self.device, 1, 2, 32, 1, self.shape, self.strides, 0)

    def lend(self):
        managed = Versioned(1, 3, None, ctypes.cast(delete, ctypes.c_void_p), 0, self.describe())
        LENT[ctypes.addressof(managed)] = managed, self
        return ctypes.addressof(managed)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, max_version=None):
        self.asked.append(stream)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(self.lend(), b"dltensor_versioned", None)


KEPT = []  # tables live as long as the process


def framework(stream, **members):
    """A class with an exchange table that works on a stream, None for a stream query that fails."""
    own = type("Framework", (Device,), members)

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
    def managed(x, out):
        out[0] = x.lend()
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))
    def plain(x, out):
        out[0] = x.describe()
        return 0

    @ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int32, ctypes.POINTER(ctypes.c_void_p))
    def current(device, number, out):
        if stream is None:
            return -1
        out[0] = stream
        return 0

    table = (ctypes.c_uint64 * 7)(1 | 3 << 32, 0)
    for i, function in enumerate([None, managed, None, plain, current]):
        table[2 + i] = ctypes.cast(function, ctypes.c_void_p).value if function else 0
    KEPT.append((table, managed, plain, current))
    own.__dlpack_c_exchange_api__ = ctypes.addressof(table)
    return own


# ---- inputs ----


def test_read__of_the_same_stream_is_borrowed(streams):
    one, two = framework(0x70), framework(0x70)
    x, y, out = one(), two(), one()
    assert streams.add(x, y, out) == (0x70, out)
    assert (x.asked, y.asked) == ([], [])


@pytest.mark.parametrize(
    ("device", "first", "second", "asked"),
    [
        (CUDA, 0x70, 0x80, 0x70),
        (CUDA, 0x70, 0, 0x70),
        (CUDA, 0, 0x80, 1),  # the legacy default stream
        (CUDA, 2, 0x80, 2),  # a thread's default stream has a number of its own
        (ROCM, 0x70, 0x80, 0x70),
        (ROCM, 0, 0x80, 0),
        (ONEAPI, 0x70, 0x80, 0x70),
        (ONEAPI, 0, 0x80, None),
    ],
)
def test_read__of_another_stream_is_made_ready(streams, device, first, second, asked):
    one, two = framework(first), framework(second)
    x, y, out = one(device), two(device), one(device)
    assert streams.add(x, y, out) == (first, out)
    assert (x.asked, y.asked) == ([], [asked])


def test_read__without_a_table(streams):
    own = framework(0x70)
    x, y, out = own(), Device(), own()
    assert streams.add(x, y, out) == (0x70, out)
    assert y.asked == [1, 0x70]  # as any import, and again once the stream is known
    x, y, out = Device(), framework(0x70)(), Device()
    assert streams.add(x, y, out) == (0, out)
    assert (x.asked, y.asked) == ([1], [1])


def test_read__elsewhere_has_no_order(streams):
    x, y, out = framework(0x70)(), np.zeros(Device.size, "float32"), framework(0x70)()
    assert streams.add(x, y, out) == (0x70, out)


@pytest.mark.parametrize("device", [CUDA, ROCM])
def test_read__of_our_own_tensors(streams, device):
    """Their data is ready on the default stream."""
    x, y, out = (dlferry.from_dlpack(Device(device)) for _ in range(3))
    assert streams.add(x, y, out) == (0, out)
    assert streams.add(framework(0)(device), y, out) == (0, out)
    one = framework(0x70)
    with pytest.raises(NotImplementedError, match="expected the default stream of "):
        streams.add(one(device), y, one(device))
    with pytest.raises(dlferry.DeviceError, match=r"add: out: .* got one on the default stream"):
        streams.add(one(device), one(device), out)


def test_read__managed_memory_follows_the_device(streams):
    one = framework(0x70)
    x, y, out = Device(MANAGED), one(), one()
    assert streams.managed(x, y, out) == (0x70, out)
    assert x.asked == [1, 0x70] and y.asked == []
    x, y, out = Device(MANAGED), Device(MANAGED), Device(MANAGED)
    assert streams.managed(x, y, out) == (0, out)
    assert x.asked == y.asked == out.asked == [1]
    x, y, out = framework(0)(), Device(MANAGED), Device(MANAGED)
    assert streams.managed(x, y, out) == (0, out)
    assert y.asked == out.asked == [1]


def test_written__managed_memory_of_another_stream_is_refused(streams):
    one = framework(0x70)
    with pytest.raises(dlferry.DeviceError, match=r"managed: out: .*stream 0x70 of cuda:0, .*that names no stream"):
        streams.managed(one(), one(), Device(MANAGED))


def test_read__lists(streams):
    one, two = framework(0x70), framework(0x80)
    x, more = one(), [one(), two(), Device()]
    assert streams.look(more, x) == 0x70
    assert [t.asked for t in (x, *more)] == [[], [], [0x70], [1, 0x70]]
    assert streams.look([two(), two()]) == 0x80
    assert streams.look([]) == 0


def test_read__producers_failures(streams):
    class Silent(Device):
        def __dlpack__(self, **options):
            raise LookupError("has no such stream")

    two = framework(0x80, __dlpack__=Silent.__dlpack__)
    with pytest.raises(LookupError, match="has no such stream"):
        streams.add(framework(0x70)(), two(), framework(0x70)())
    with pytest.raises(LookupError, match="has no such stream"):
        streams.look([framework(0x70)(), framework(0x80)(), two()])
    with pytest.raises(RuntimeError, match="add: x: expected the current stream, got none"):
        streams.add(framework(None)(), framework(0x70)(), framework(0x70)())
    one = framework(1)  # a ROCm device, for which 1 and 2 are not stream numbers
    with pytest.raises(dlferry.Error, match="add: y: expected a stream that DLPack has a number for") as caught:
        streams.add(one(ROCM), framework(0x80)(ROCM), one(ROCM))
    assert caught.value.status is dlferry.Status.DEVICE


# ---- outputs ----


@pytest.mark.parametrize(
    ("first", "out", "text"),
    [
        (
            framework(0x70),
            framework(0x80),
            "expected a producer that works on stream 0x70 of cuda:0, .* got one on stream 0x80",
        ),
        (framework(0), framework(0x80), "works on the default stream of cuda:0, .* got one on stream 0x80"),
        (framework(0x70), framework(0), "works on stream 0x70 of cuda:0, .* got one on the default stream"),
        (framework(0x70), Device, "works on stream 0x70 of cuda:0, .* got one that names no stream"),
    ],
)
def test_written__of_another_stream_is_refused(streams, first, out, text):
    with pytest.raises(dlferry.Error, match="add: out: .*" + text) as caught:
        streams.add(first(), first(), out())
    assert caught.value.status is dlferry.Status.DEVICE


def test_written__on_the_default_stream(streams):
    one, out = framework(0), Device()
    assert streams.add(one(), one(), out) == (0, out)
    assert out.asked == [1]
