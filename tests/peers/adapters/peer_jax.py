# SPDX-License-Identifier: Apache-2.0
"""JAX on the CPU: arrays are immutable and compact."""

import jax
import ml_dtypes
import numpy as np
from adapter import Adapter, NoForm
from cells import DTYPES, Case
from peer_numpy import array_of, seen_in

jax.config.update("jax_enable_x64", True)
jnp = jax.numpy
NAMES = [name for name in DTYPES if hasattr(jnp, name if name != "bool" else "bool_")]


class Peer(Adapter):
    name = "JAX"
    dtypes = NAMES

    def versions(self):
        return f"{jax.__version__}, ml_dtypes {ml_dtypes.__version__}"

    def make(self, case):
        if case.layout in ("offset", "strided", "negative", "broadcast"):
            raise NoForm("compact arrays of their own")
        if case.layout == "padded":
            raise NoForm("below a byte its own form, which is packed")
        source = Case(case.dtype, "padded") if case.layout == "packed" else case
        return jnp.array(array_of(source), copy=True)

    def read(self, x):
        seen = seen_in(np.asarray(x))
        seen.address, seen.read_only = x.unsafe_buffer_pointer(), True
        return seen

    def take(self, x):
        return jnp.from_dlpack(x)
