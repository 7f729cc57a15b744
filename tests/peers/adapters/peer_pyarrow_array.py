# SPDX-License-Identifier: Apache-2.0
"""pyarrow's arrays: one axis, compact, immutable."""

import pyarrow as pa
from adapter import Adapter, NoForm
from peer_pyarrow import NAMES
from witness import Seen, memory_of


class Peer(Adapter):
    name = "pyarrow Array"
    dtypes = NAMES
    flat = True

    def versions(self):
        return pa.__version__

    def make(self, case):
        if case.layout in ("strided", "negative", "broadcast", "0-d"):
            raise NoForm("compact")
        kind = {"halffloat": pa.float16(), "float": pa.float32(), "double": pa.float64()}.get(NAMES[case.dtype])
        image = pa.py_buffer(case.image)
        array = pa.Array.from_buffers(kind or getattr(pa, case.dtype)(), 24, [None, image])
        return array.slice(case.offset, case.shape[0])

    def read(self, x):
        name = next((name for name, other in NAMES.items() if other == str(x.type)), str(x.type))
        size = x.type.bit_width // 8
        address = x.buffers()[1].address + x.offset * size if len(x) else None
        elements = memory_of(address, (len(x),), (1,), size) if len(x) else b""
        return Seen(name, (len(x),), elements, address, True)

    def take(self, x):
        return pa.Array.from_dlpack(x)
