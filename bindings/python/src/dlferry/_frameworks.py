# SPDX-License-Identifier: Apache-2.0
"""Dtypes and devices of other packages, read and made.

The extension modules call this. The first dtype or device that is neither dlferry's nor a name imports it.
"""

import importlib
import sys

from . import errors

# Python's own types have a width only in some package: 64 bits in NumPy, 32 in others.
WIDTHS = {int: "int32 or int64", float: "float32 or float64", complex: "complex64 or complex128"}
# Our name for torch's devices, and torch's for ours.
FROM_TORCH = {
    "cpu": "cpu",
    "cuda": "cuda",
    "hip": "rocm",
    "maia": "maia",
    "mps": "metal",
    "opencl": "opencl",
    "privateuseone": "ext_dev",
    "vulkan": "vulkan",
    "xpu": "oneapi",
}
TO_TORCH = {ours: theirs for theirs, ours in FROM_TORCH.items()}
TO_TORCH |= {"rocm": "cuda", "rocm_host": "cpu", "cuda_host": "cpu", "cuda_managed": "cuda"}
LONG_DOUBLE = (13, 16)  # NumPy's numbers of it and of its complex, which have 80 bits in 128
DTYPE = "a dtype such as float32"
DEVICE = "a device such as 'cpu' or (2, 0)"


def _package(x):
    return type(x).__module__.partition(".")[0]


def _wrong(name, wanted, x):
    from ._refusals import wrong_type

    return wrong_type(name, wanted, x)


# ---- Reading ----


def _numpy_dtype(x):
    """Return NumPy's dtype for its own dtypes, for scalar types such as numpy.float32, and for JAX's; else None."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return None
    x = getattr(x, "__numpy_dtype__", x)
    if isinstance(x, type):
        # An abstract type, such as numpy.floating, has no objects.
        x = getattr(x(0) if issubclass(x, numpy.generic) else x, "dtype", None)
    return x if isinstance(x, numpy.dtype) else None


def _own_name(x):
    """Return the name in torch.float32, mlx.core.float32 and the like, whose text begins with their package."""
    text = "" if isinstance(x, type) else str(x)
    package, _, word = text.rpartition(".")
    own = package.partition(".")[0] == _package(x) and word.isidentifier()
    return word.replace("fn_x", "fnx") if own else None  # torch.float4_e2m1fn_x2


def _dtype(x):
    """Return the name of a package's dtype, its code, bits and lanes, NumPy's dtype, or None."""
    numbers = None if isinstance(x, type) else getattr(x, "__dlpack_data_type__", None)
    if numbers:
        return tuple(numbers())
    if x is bool:
        return "bool"
    if _package(x) == "tensorflow":
        return x.name
    given = _numpy_dtype(x)
    return _own_name(x) if given is None else given


def dtype_name(x, name):
    """Return the name of any package's dtype, or its code, bits and lanes."""
    try:
        found = _dtype(x)
    except Exception:  # of an object that only looks like a dtype
        found = None
    if isinstance(found, (str, tuple)):
        return found
    if found is not None:
        if found.isnative and found.num not in LONG_DOUBLE:
            return found.name
        raise errors.DtypeError(f"{name}: expected a dtype that DLPack has, in native byte order, got {found}")
    if isinstance(x, type):
        ask = f"; {WIDTHS[x]}?" if x in WIDTHS else ""
        raise errors.DtypeError(f"{name}: expected {DTYPE}, got the type {x.__name__}{ask}")
    raise _wrong(name, DTYPE, x)


def _torch_device(x):
    import torch

    kind = "rocm" if x.type == "cuda" and torch.version.hip else FROM_TORCH.get(x.type)
    if kind is None or kind == "cpu":
        return kind
    if x.index is not None:
        return f"{kind}:{x.index}"
    runtime = getattr(torch, x.type, None)  # torch.device("cuda") is the current one
    current = runtime.current_device() if getattr(runtime, "is_initialized", bool)() else 0
    return f"{kind}:{current}"


def _jax_device(x):
    if x.platform == "cpu":
        return "cpu"
    version = x.client.platform_version
    kind = "cuda" if "cuda" in version else "rocm" if "rocm" in version else None
    return kind and f"{kind}:{x.local_hardware_id}"


def device_name(x, name):
    """Return the name of any package's device, or DLPack's pair."""
    found, package = None, _package(x)
    try:
        if hasattr(x, "__dlpack_device__") and not hasattr(x, "__dlpack__") and not isinstance(x, type):
            found = tuple(x.__dlpack_device__())
        elif package == "torch" and type(x).__name__ == "device":
            found = _torch_device(x)
        elif package == "tvm_ffi":
            found = (x.dlpack_device_type(), x.index)
        elif package in ("jax", "jaxlib") and hasattr(x, "platform"):
            found = _jax_device(x)
    except Exception:  # of an object that only looks like a device
        found = None
    if found is None:
        raise _wrong(name, DEVICE, x)
    return found


# ---- Making ----


def numpy_dtype(name):
    """Return NumPy's dtype of this name, from NumPy or ml_dtypes."""
    import numpy

    try:
        made = numpy.dtype(name)
    except (TypeError, ValueError):
        try:
            made = numpy.dtype(getattr(importlib.import_module("ml_dtypes"), name))
        except (ImportError, AttributeError, TypeError):
            made = None
    if made is None or made.name != name or made.num in LONG_DOUBLE:
        raise errors.DtypeError(f"numpy: expected a dtype that NumPy or ml_dtypes has, got {name}")
    return made


def torch_dtype(name):
    """Return torch's dtype of this name."""
    import torch

    made = getattr(torch, name.replace("fnx", "fn_x"), None)
    if not isinstance(made, torch.dtype):
        raise errors.DtypeError(f"torch: expected a dtype that torch has, got {name}")
    return made


def torch_device(name):
    """Return torch's device of this name."""
    import torch

    kind, _, index = name.partition(":")
    if kind not in TO_TORCH:
        raise errors.DeviceError(f"torch: expected a device that torch has, got {name}")
    theirs = TO_TORCH[kind]
    return torch.device(theirs) if theirs == "cpu" else torch.device(theirs, int(index))
