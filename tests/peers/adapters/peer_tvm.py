# SPDX-License-Identifier: Apache-2.0
"""Apache TVM's tensors on the CPU."""

import ctypes

import tvm
from adapter import NoForm
from peer_tvm_ffi import Peer as Base


class Peer(Base):
    name = "Apache TVM"

    def versions(self):
        return tvm.__version__

    def make(self, case):
        if case.layout not in ("contiguous", "0-d", "size-0", "packed"):
            raise NoForm("compact tensors of its own")
        made = tvm.runtime.empty(case.shape, case.dtype)
        if case.expected:
            ctypes.memmove(made.data_ptr(), case.image, len(case.image) if case.shape else case.itemsize)
        return made

    def take(self, x):
        return tvm.runtime.from_dlpack(x)
