# SPDX-License-Identifier: Apache-2.0
"""CuPy, whose arrays lie on a GPU."""

import cupy
import numpy as np
from adapter import Adapter, NoForm, NotRun
from cells import DTYPES
from cupy.lib.stride_tricks import as_strided
from gpu import Gpu
from peer_numpy import dtype_of
from witness import Seen


class Peer(Adapter):
    name = "CuPy"
    dtypes = tuple(name for name in DTYPES if dtype_of(name) is not None and DTYPES[name][1] >= 8)

    def __init__(self):
        try:
            cupy.zeros(1)
        except cupy.cuda.runtime.CUDARuntimeError as error:
            raise NotRun("needs hardware: an NVIDIA GPU") from error
        Gpu(cupy.cuda.runtime.deviceSynchronize)

    def versions(self):
        return f"{cupy.__version__}, {cupy.cuda.runtime.getDeviceProperties(0)['name'].decode()}"

    def make(self, case):
        if case.read_only:
            raise NoForm("no read-only arrays")
        base = cupy.asarray(np.frombuffer(case.image, dtype_of(case.dtype)))
        strides = [stride * base.itemsize for stride in case.strides]
        return as_strided(base[case.offset :], case.shape, strides)

    def read(self, x):
        data = cupy.ascontiguousarray(x).get().tobytes()
        return Seen(x.dtype.name, x.shape, data, x.data.ptr)

    def take(self, x):
        return cupy.from_dlpack(x)
