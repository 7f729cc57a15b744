# SPDX-License-Identifier: Apache-2.0
"""PaddlePaddle on the CPU."""

import numpy as np
import paddle
from adapter import Adapter, NoForm
from cells import DTYPES
from witness import Seen, memory_of

paddle.set_device("cpu")
NAMES = {name: getattr(paddle, name) for name in DTYPES if isinstance(getattr(paddle, name, None), paddle.dtype)}
BACK = {dtype: name for name, dtype in NAMES.items()}


class Peer(Adapter):
    name = "PaddlePaddle"
    dtypes = NAMES

    def versions(self):
        return paddle.__version__

    def make(self, case):
        if case.read_only:
            raise NoForm("no read-only tensors")
        raw = paddle.to_tensor(np.frombuffer(case.image, np.uint8))
        base = raw.astype("bool") if case.dtype == "bool" else raw.view(NAMES[case.dtype])
        if case.layout == "contiguous":
            return base.reshape(case.shape)
        return paddle.as_strided(base, list(case.shape), list(case.strides), case.offset * case.itemsize)

    def read(self, x):
        strides = tuple(x.strides)
        size = DTYPES[BACK[x.dtype]][1] // 8
        address = x.data_ptr() if x.size else None
        elements = memory_of(address, tuple(x.shape), strides, size) if x.size else b""
        return Seen(BACK[x.dtype], tuple(x.shape), elements, address)

    def take(self, x):
        return paddle.from_dlpack(x)
