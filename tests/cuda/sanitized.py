# SPDX-License-Identifier: Apache-2.0
"""One call of each kernel through the package, for compute-sanitizer: it reports kernels that read or write elsewhere.

The arrays come from CuPy's copies, since most of torch's kernels would take minutes to load under the tool.
"""

import sys
from pathlib import Path

import cupy
import dlferry
import numpy as np
import vk

sys.path.append(str(Path(__file__).resolve().parents[1] / "cases"))
from lent import Lent


def there(values, dtype="float32"):
    return cupy.asarray(np.asarray(values, dtype))


def main():
    wanted = {}
    x, out = there(range(1000)), there(np.zeros(1000))
    vk.scale(x, 2.0, out)
    wanted["scale"] = (out, np.arange(1000) * 2)
    half = there(np.zeros(1000), "float16")
    vk.scale(there(range(1000), "float16"), 0.5, half)
    wanted["half"] = (half, np.arange(1000) / 2)
    total = there(np.zeros(1000))
    vk.sum([x, x, there(np.ones(1000))], total)
    wanted["sum"] = (total, np.arange(1000) * 2 + 1)
    turned = there(np.zeros((3, 4)))
    vk.copy(dlferry.from_dlpack(there(np.arange(12).reshape(4, 3))).T, turned)
    wanted["copy"] = (turned, np.arange(12).reshape(4, 3).T)
    negative = there(np.zeros(8))
    vk.negate(there(range(8)), negative)
    wanted["negate"] = (negative, -np.arange(8.0))
    last = there(np.zeros(4))
    vk.scale(Lent(x, x.data.ptr, [4], (2, 0), offset=3984), 1.0, last)  # the very end of the memory
    wanted["offset"] = (last, np.arange(996, 1000))
    made = vk.ramp(x)
    wanted["ramp"] = (cupy.from_dlpack(made) if type(made) is dlferry.Tensor else made, np.arange(1000))
    for name, (array, numbers) in wanted.items():
        np.testing.assert_array_equal(array.get().astype(np.float64), numbers, err_msg=name)
    print(f"{len(wanted)} kernels, right values: {', '.join(wanted)}")


main()
