# SPDX-License-Identifier: Apache-2.0
"""pyarrow's tensors."""

import pyarrow as pa
from adapter import Adapter
from cells import DTYPES
from peer_numpy import array_of
from witness import Seen

NAMES = {"float16": "halffloat", "float32": "float", "float64": "double"}
NAMES = {name: NAMES.get(name, name) for name in DTYPES if name in NAMES or name.strip("u")[:3] == "int"}
NAMES = {name: other for name, other in NAMES.items() if DTYPES[name][1] >= 8}


class Peer(Adapter):
    name = "pyarrow Tensor"
    dtypes = NAMES

    def versions(self):
        return pa.__version__

    def make(self, case):
        return pa.Tensor.from_numpy(array_of(case))

    def read(self, x):
        name = next((name for name, other in NAMES.items() if other == str(x.type)), str(x.type))
        array = x.to_numpy()
        return Seen(name, x.shape, array.tobytes(), array.ctypes.data, not x.is_mutable)

    def take(self, x):
        return pa.Tensor.from_dlpack(x)
