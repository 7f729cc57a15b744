# SPDX-License-Identifier: Apache-2.0
"""NumPy, with the dtypes of ml_dtypes where that is installed."""

import numpy as np
from adapter import Adapter, NoForm, masked
from cells import DTYPES, Case
from witness import Seen

try:
    import ml_dtypes
except ImportError:
    ml_dtypes = None


def dtype_of(name):
    """NumPy's dtype of a name, or None."""
    if name in ("float16", "float32", "float64", "complex64", "complex128", "bool") or "int" in name:
        try:
            return np.dtype(name)
        except TypeError:
            pass
    found = getattr(ml_dtypes, name, None) if ml_dtypes else None
    return np.dtype(found) if found else None


def array_of(case, dtype=None):
    """A NumPy array with the elements of a case."""
    dtype = dtype or dtype_of(case.dtype)
    if dtype is None:
        raise NoForm(f"no {case.dtype}")
    if case.layout == "packed":
        raise NoForm("an element is a byte at least")
    size = dtype.itemsize
    strides = [stride * size for stride in case.strides]
    x = np.ndarray(case.shape, dtype, bytearray(case.image), case.offset * size, strides)
    x.flags.writeable = not case.read_only
    return x


def seen_in(x):
    """What a NumPy array says of itself."""
    name = x.dtype.name
    data = x.tobytes()
    if DTYPES.get(name, (0, 8))[1] < 8:
        data = masked(data, DTYPES[name][1])
    return Seen(name, x.shape, data, x.ctypes.data, not x.flags.writeable)


class Peer(Adapter):
    name = "NumPy"
    other_way = "t.numpy()"
    dtypes = tuple(name for name in DTYPES if dtype_of(name) is not None)

    def versions(self):
        return np.__version__ + (f", ml_dtypes {ml_dtypes.__version__}" if ml_dtypes else "")

    def make(self, case: Case):
        return array_of(case)

    def read(self, x):
        return seen_in(x)

    def take(self, x):
        return np.from_dlpack(x)

    def take_otherwise(self, t):
        return t.numpy()
