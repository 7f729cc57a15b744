# SPDX-License-Identifier: Apache-2.0
"""dpnp's arrays in shared memory, on the SYCL device of the processor, which intel-opencl-rt brings."""

import os
import sys
from pathlib import Path

os.environ.setdefault("OCL_ICD_FILENAMES", str(Path(sys.prefix, "lib", "libintelocl.so")))

import dpctl
import dpnp
import dpnp.tensor as dpt
import numpy as np
from adapter import Adapter, NotRun
from dpctl.memory import MemoryUSMShared
from witness import Seen

NAMES = ["bool", "float16", "float32", "float64", "complex64", "complex128"]
NAMES += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]


class Peer(Adapter):
    name = "dpnp"
    dtypes = NAMES

    def __init__(self):
        if not dpctl.get_devices():
            raise NotRun("dpctl finds no SYCL device")

    def versions(self):
        return f"{dpnp.__version__}, dpctl {dpctl.__version__}"

    def make(self, case):
        memory = MemoryUSMShared(len(case.image))
        memory.copy_from_host(np.frombuffer(case.image, np.uint8))
        x = dpt.usm_ndarray(case.shape, dtype=case.dtype, buffer=memory, strides=case.strides, offset=case.offset)
        if case.read_only:
            x.flags.writable = False
        return dpnp.asarray(x)

    def read(self, x):
        if isinstance(x, np.ndarray):  # what dpnp makes of memory that no SYCL device knows
            return Seen(str(x.dtype), x.shape, x.tobytes(), x.ctypes.data, not x.flags.writeable)
        about = x.get_array().__sycl_usm_array_interface__
        address = about["data"][0] + about["offset"] * x.itemsize
        return Seen(str(x.dtype), x.shape, dpnp.asnumpy(x).tobytes(), address, not x.flags.writable)

    def take(self, x):
        return dpnp.from_dlpack(x)
