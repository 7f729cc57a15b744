# SPDX-License-Identifier: Apache-2.0
"""The systems of the matrix: the adapter's module, the name, and the environment that has it.

`main` is the environment of all tests, and `gpu` the same where there is a GPU of NVIDIA's; another name is a file of
environments/ and a virtual environment of its own.
"""

from typing import NamedTuple, Optional


class System(NamedTuple):
    key: str
    name: str
    environment: Optional[str]
    not_run: str = ""  # why it is not run anywhere yet
    # Directions and layouts in which each dtype would end the process, and seconds with it. Once one dtype has done so
    # in a run, by the system's own fault, the others are left out: a version that is mended is tried in all of them.
    ends: frozenset = frozenset()


SYSTEMS = [
    System("numpy", "NumPy", "main"),
    System("torch", "PyTorch", "main"),
    System("jax", "JAX", "main"),
    System("tensorflow", "TensorFlow", "main"),
    System("tvm_ffi", "tvm-ffi", "main"),
    System("pyarrow", "pyarrow Tensor", "main"),
    System("pyarrow_array", "pyarrow Array", "main"),
    System("nanobind", "nanobind", "main"),
    System("pybind11", "pybind11", "arrays"),
    System("paddle", "PaddlePaddle", "arrays"),
    System("mxnet", "MXNet", "mxnet"),
    System("tvm", "Apache TVM", "arrays"),
    System("mlx", "MLX", "arrays"),
    System("mpi4py", "mpi4py", "arrays"),
    System("array_api_strict", "array-api-strict", "arrays"),
    System("xarray", "xarray", "arrays"),
    System("numba", "numba", "arrays"),
    System("pandas", "pandas", "arrays"),
    System("dask", "Dask array", "arrays"),
    System("dpnp", "dpnp", "oneapi"),
    System("cupy", "CuPy", "gpu"),
    # torch before the mending of pytorch/pytorch#188023 ends the process on negative strides; 2.11 was seen to.
    System("torch_cuda", "PyTorch on CUDA", "gpu", ends=frozenset({("to", "negative")})),
    System("torch_xpu", "PyTorch on XPU", None, "needs hardware: an Intel GPU"),
    System("tensorflow_xpu", "TensorFlow with Intel's extension", None, "needs hardware: an Intel GPU"),
]
