# SPDX-License-Identifier: Apache-2.0
"""MXNet 1.9.1, whose functions take and give capsules from before 1.0."""

import mxnet
import numpy as np
from adapter import Adapter, NoForm
from peer_numpy import array_of
from witness import Seen, consume

NAMES = ("bool", "int8", "int32", "int64", "uint8", "float16", "float32", "float64")


class Peer(Adapter):
    name = "MXNet"
    dtypes = NAMES
    ways = ("dlferry.from_dlpack(x.to_dlpack_for_read())", "mx.nd.from_dlpack(t.__dlpack__())")
    exports = False

    def versions(self):
        return mxnet.__version__

    def make(self, case):
        if case.layout not in ("contiguous", "0-d", "size-0"):
            raise NoForm("compact arrays of its own, none read-only")
        return mxnet.nd.array(array_of(case), dtype=case.dtype)

    def read(self, x):
        array = x.asnumpy()
        address = consume(x.to_dlpack_for_read()).address if x.size else None
        return Seen(np.dtype(x.dtype).name, x.shape, array.tobytes(), address)

    def give(self, x):
        return x.to_dlpack_for_read()

    def take(self, x):
        return mxnet.nd.from_dlpack(x.__dlpack__())

    def wait(self):
        mxnet.nd.waitall()
