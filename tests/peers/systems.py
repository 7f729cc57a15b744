# SPDX-License-Identifier: Apache-2.0
"""The systems of the matrix: the adapter's module, the name, and the environment that has it.

`main` is the environment of all tests; another name is a file of environments/ and a virtual environment of its own.
"""

from typing import NamedTuple, Optional


class System(NamedTuple):
    key: str
    name: str
    environment: Optional[str]
    not_run: str = ""  # why it is not run anywhere yet


SYSTEMS = [
    System("numpy", "NumPy", "main"),
    System("torch", "PyTorch", "main"),
    System("jax", "JAX", "main"),
    System("tensorflow", "TensorFlow", "main"),
    System("tvm_ffi", "tvm-ffi", "main"),
    System("pyarrow", "pyarrow Tensor", "main"),
    System("pyarrow_array", "pyarrow Array", "main"),
    System("nanobind", "nanobind", "main"),
    System("dpnp", "dpnp", "oneapi"),
]
