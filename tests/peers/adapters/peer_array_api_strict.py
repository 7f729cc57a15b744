# SPDX-License-Identifier: Apache-2.0
"""array-api-strict, which has what the standard has and no more."""

import array_api_strict
import numpy as np
from adapter import Adapter
from numpy_based import PLAIN
from peer_numpy import array_of, seen_in


class Peer(Adapter):
    name = "array-api-strict"
    dtypes = tuple(name for name in PLAIN if name != "float16")

    def versions(self):
        return array_api_strict.__version__

    def make(self, case):
        return array_api_strict.asarray(array_of(case), copy=False)

    def read(self, x):
        return seen_in(np.asarray(x))

    def take(self, x):
        return array_api_strict.from_dlpack(x)
