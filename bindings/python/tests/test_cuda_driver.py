# SPDX-License-Identifier: Apache-2.0
"""A Tensor is handed to any stream of CUDA, which waits for the default one. A library with the name of CUDA's driver
stands for it here; tests/cuda has the real one."""

import ctypes
import os

import dlferry
import pytest
from conftest import compile_c
from test_streams import CUDA, MANAGED, ROCM, Device

STUB = r"""
#include <stdint.h>
int64_t stub_active, stub_recorded, stub_waiting, stub_contexts, stub_depth, stub_events, stub_fails, stub_calls;
static int step(void) { return ++stub_calls == stub_fails; }
int cuDeviceGet(int *out, int ordinal) { *out = 100 + ordinal; return step(); }
int cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  *flags = 0;
  *active = device == 100 && stub_active;
  return step();
}
int cuDevicePrimaryCtxRetain(void **out, int device) {
  *out = (void *)(intptr_t)device;
  return step() ? 1 : (stub_contexts++, 0);
}
int cuDevicePrimaryCtxRelease_v2(int device) { return stub_contexts--, (void)device, 0; }
int cuCtxPushCurrent_v2(void *context) { return (void)context, step() ? 1 : (stub_depth++, 0); }
int cuCtxPopCurrent_v2(void **out) { return *out = 0, stub_depth--, 0; }
int cuEventCreate(void **out, unsigned flags) {
  *out = &stub_events;
  return flags != 2 || step() ? 1 : (stub_events++, 0);
}
int cuEventRecord(void *event, void *stream) { return (void)event, stub_recorded = (intptr_t)stream, step(); }
int cuStreamWaitEvent(void *stream, void *event, unsigned flags) {
  return (void)event, stub_waiting = (intptr_t)stream, (int)flags || step();
}
int cuEventDestroy_v2(void *event) { return (void)event, stub_events--, 0; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    try:
        ctypes.CDLL("libcuda.so.1", os.RTLD_NOLOAD)
    except OSError:
        pass
    else:
        pytest.skip("CUDA's own driver is loaded")
    folder = tmp_path_factory.mktemp("driver")
    (folder / "driver.c").write_text(STUB)
    return compile_c(folder / "driver.c", folder / "driver.so", "-Wl,-soname,libcuda.so.1")


@pytest.fixture
def driver(library):
    """Read and write the stub's numbers. Other tests get a driver on which nothing runs."""

    class Numbers:
        def __getattr__(self, name):
            return ctypes.c_int64.in_dll(library, f"stub_{name}").value

        def __setattr__(self, name, value):
            ctypes.c_int64.in_dll(library, f"stub_{name}").value = value

    numbers = Numbers()
    numbers.active, numbers.recorded, numbers.waiting, numbers.fails, numbers.calls = 1, 0, 0, 0, 0
    Device.size = 4
    yield numbers
    assert (numbers.contexts, numbers.depth, numbers.events) == (0, 0, 0)
    numbers.active = numbers.fails = 0


@pytest.mark.parametrize("device", [CUDA, MANAGED])
@pytest.mark.parametrize("stream", [2, 0x7000])
def test_export__to_another_stream(driver, device, stream):
    t = dlferry.from_dlpack(Device(device))
    assert t.__dlpack__(stream=stream, max_version=(1, 3))
    assert (driver.recorded, driver.waiting) == (1, stream)
    assert t.__dlpack__(stream=stream, dl_device=(device, 0))


def test_export__to_the_default_stream_waits_for_nothing(driver):
    t = dlferry.from_dlpack(Device(CUDA))
    for number in (None, -1, 1):
        assert t.__dlpack__(stream=number)
    for number in (0, -2):
        with pytest.raises(ValueError):
            t.__dlpack__(stream=number)
    assert driver.calls == 0


def test_export__what_is_no_stream(driver):
    for device, number in ((CUDA, 3), (CUDA, 4095), (ROCM, 0x7000)):
        with pytest.raises(NotImplementedError, match="expected the default stream of"):
            dlferry.from_dlpack(Device(device)).__dlpack__(stream=number)
    with pytest.raises(ValueError, match="expected stream None on cpu, got 28672"):
        dlferry.from_dlpack(Device(CUDA)).__dlpack__(stream=0x7000, dl_device=(1, 0))
    assert driver.calls == 0


def test_export__where_nothing_runs(driver):
    with pytest.raises(NotImplementedError, match="expected the default stream of cuda:1, got 28672"):
        dlferry.from_dlpack(Device(CUDA, 1)).__dlpack__(stream=0x7000)
    driver.active = 0
    with pytest.raises(NotImplementedError, match="expected the default stream of cuda:0, got 28672"):
        dlferry.from_dlpack(Device(CUDA)).__dlpack__(stream=0x7000)


@pytest.mark.parametrize("call", range(1, 8))
def test_export__failures_of_the_driver(driver, call):
    t = dlferry.from_dlpack(Device(CUDA))
    driver.fails = call
    with pytest.raises(NotImplementedError, match="expected the default stream of cuda:0, got 28672"):
        t.__dlpack__(stream=0x7000)
    driver.fails = 0
    assert t.__dlpack__(stream=0x7000) and driver.waiting == 0x7000
