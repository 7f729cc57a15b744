# SPDX-License-Identifier: Apache-2.0
"""TensorFlow on the CPU, whose functions take and give capsules; tensors are immutable and compact."""

import tensorflow as tf
from adapter import Adapter, NoForm
from cells import DTYPES
from witness import Seen, look

NAMES = [name for name in DTYPES if isinstance(getattr(tf, name, None), tf.DType)]
NAMES += [name for name in DTYPES if isinstance(getattr(tf.dtypes.experimental, name, None), tf.DType)]


def dtype_of(name):
    return getattr(tf, name, None) or getattr(tf.dtypes.experimental, name)


class Peer(Adapter):
    name = "TensorFlow"
    dtypes = NAMES

    def versions(self):
        return tf.__version__

    def make(self, case):
        if case.layout in ("offset", "strided", "negative", "broadcast"):
            raise NoForm("compact tensors of their own")
        if case.layout == "packed":
            raise NoForm("an element is a byte at least")
        if case.dtype == "bool":
            flat = tf.constant([bool(byte) for byte in case.image])
        else:
            raw = tf.io.decode_raw(case.image, tf.uint8)
            size = case.itemsize
            flat = tf.bitcast(tf.reshape(raw, [24, size] if size > 1 else [24]), dtype_of(case.dtype))
        return tf.reshape(flat[: max(len(case.expected) // case.itemsize, 0)], case.shape)

    def read(self, x):
        raw = tf.cast(x, tf.uint8) if x.dtype == tf.bool else tf.bitcast(x, tf.uint8)
        address = look(tf.experimental.dlpack.to_dlpack(x)).address
        return Seen(x.dtype.name, tuple(x.shape), raw.numpy().tobytes(), address, True)

    def take(self, x):
        """Its function takes a capsule from before 1.0."""
        return tf.experimental.dlpack.from_dlpack(x.__dlpack__())
