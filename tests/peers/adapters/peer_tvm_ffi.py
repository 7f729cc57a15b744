# SPDX-License-Identifier: Apache-2.0
"""tvm-ffi, which has tensors of others only: those of the hand-made producer."""

import tvm_ffi
from adapter import Adapter, NoForm
from cells import DTYPES
from witness import Producer, Seen, elements_of


class Peer(Adapter):
    name = "tvm-ffi"

    def versions(self):
        return tvm_ffi.__version__

    def make(self, case):
        if case.read_only:
            raise NoForm("no read-only tensors")
        return tvm_ffi.from_dlpack(Producer(case))

    def read(self, x):
        name, address = str(x.dtype), x.data_ptr()
        bits = DTYPES.get(name, (0, 8))[1] * (4 if name.endswith("x4") else 1)
        shape, strides = tuple(x.shape), tuple(x.strides)
        return Seen(name, shape, elements_of(address, shape, strides, bits), address)

    def take(self, x):
        return tvm_ffi.from_dlpack(x)
