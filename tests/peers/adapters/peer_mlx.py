# SPDX-License-Identifier: Apache-2.0
"""MLX on the CPU: arrays are immutable, and evaluated before they are shared."""

import importlib.metadata

import mlx.core as mx
import numpy as np
from adapter import Adapter, NoForm
from cells import DTYPES
from witness import Seen, look

NAMES = {name: getattr(mx, name if name != "bool" else "bool_", None) for name in DTYPES}
NAMES = {name: dtype for name, dtype in NAMES.items() if isinstance(dtype, mx.Dtype)}
BACK = {dtype: name for name, dtype in NAMES.items()}


class Peer(Adapter):
    name = "MLX"
    dtypes = NAMES
    ways = ("dlferry.from_dlpack(x)", "mx.from_dlpack(t)")

    def versions(self):
        return f"{importlib.metadata.version('mlx')}, CPU"

    def make(self, case):
        if case.read_only:
            raise NoForm("no read-only arrays")
        raw = mx.array(np.frombuffer(case.image, np.uint8))
        base = mx.array([byte > 0 for byte in case.image]) if case.dtype == "bool" else raw.view(NAMES[case.dtype])
        x = mx.as_strided(base, case.shape, case.strides, case.offset) if case.layout != "contiguous" else base
        x = x.reshape(case.shape) if case.layout == "contiguous" else x
        mx.eval(x)
        return x

    def read(self, x):
        raw = x.astype(mx.uint8) if x.dtype == mx.bool_ else mx.view(mx.contiguous(x).reshape(-1), mx.uint8)
        elements = np.array(raw).tobytes()
        return Seen(BACK[x.dtype], tuple(x.shape), elements, look(x.__dlpack__()).address)

    def take(self, x):
        return mx.from_dlpack(x)
