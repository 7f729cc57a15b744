# SPDX-License-Identifier: Apache-2.0
"""Describe an argument of a failed call: its name, what it is and, if known, what to pass instead.

The extension modules call this. The first failure imports it, so that success costs nothing.
"""

import sys
from collections.abc import Iterable, Mapping

from . import errors

# Ours for a producer's exception of exactly this type, so that `except` clauses for it still match.
FOREIGN = {
    BufferError: errors.ForeignBufferError,
    NotImplementedError: errors.ForeignNotImplementedError,
    RuntimeError: errors.ForeignError,
    TypeError: errors.ForeignTypeError,
    ValueError: errors.ForeignValueError,
}
IN_MEMORY = "elements as they lie in memory"
LONGEST = 200  # of a producer's text, which may fill a page


def _kind(x):
    return "None" if x is None else type(x).__name__


def _own(library, attribute, x):
    """Tell whether x has a type of a library that is imported."""
    kind = sys.modules.get(library)
    for name in attribute.split("."):
        kind = getattr(kind, name, None)
    return isinstance(kind, type) and isinstance(x, kind)


def _torch(x):
    import torch

    if torch._C._functorch.is_functorch_wrapped_tensor(x):
        return "a tensor inside of a transform such as torch.vmap; call the function outside of it"
    if torch._is_functional_tensor(x) or type(x).__name__ in ("FakeTensor", "FunctionalTensor"):
        return "a tensor without data, as torch traces with; call the function in a torch.library.custom_op"
    if x.is_nested:
        return "a nested tensor; pass each of .unbind()"
    if x.layout is not torch.strided:
        return f"a tensor of layout {str(x.layout).removeprefix('torch.').lstrip('_')}; pass .to_dense()"
    if x.is_quantized:
        return "a quantized tensor; pass .int_repr() or .dequantize()"
    if x.device.type == "meta":
        return "a tensor on the device meta, which has no data"
    return "" if _fits(x) else "a tensor with a storage too small for its elements"


def _fits(x):
    """Tell whether a torch tensor's storage holds its elements: resize_() of a storage leaves views as they were."""
    last = sum((extent - 1) * stride for extent, stride in zip(x.shape, x.stride(), strict=True))
    needed = (x.storage_offset() + last + 1) * x.element_size() if x.numel() else 0
    return needed <= x.untyped_storage().nbytes()


def _without_memory(x):
    """Describe an array without memory of its own, and what to pass instead; "" if that is not known."""
    try:
        if _own("torch", "Tensor", x):
            return _torch(x)
        if _own("jax", "core.Tracer", x):
            return "a tracer inside of a transform such as jax.jit; call the function by jax.pure_callback"
    except Exception:  # an array that cannot even say what it is
        pass
    return ""


def foreign(name, wanted, x, error):
    """Return the exception to raise for x: error itself or one that names the argument."""
    kind = _kind(x)
    what = _without_memory(x)
    told = type(error) in FOREIGN
    if not told and not what:
        note = f"{name}: raised by {kind}, the argument"
        if hasattr(error, "add_note") and note not in getattr(error, "__notes__", ()):  # CPython 3.11
            error.add_note(note)
        return error
    if what:
        text = f"{name}: expected {IN_MEMORY}, got {what}"
    else:
        said = str(error).strip().partition("\n")[0].rstrip()
        said = said if len(said) <= LONGEST else said[: LONGEST - 1] + "…"
        text = f"{name}: expected {wanted}, got {kind}, which raised {type(error).__name__}{said and ': '}{said}"
    return FOREIGN.get(type(error), errors.ForeignError)(text)


def no_memory(name, x):
    """Return the exception to raise for an array that names no memory for its elements."""
    return errors.ForeignError(f"{name}: expected {IN_MEMORY}, got {_without_memory(x) or f'{_kind(x)} without data'}")


def _array(x):
    for method in ("to_numpy", "toarray", "to_tensor", "value"):  # pandas and polars; SciPy; TensorFlow
        if callable(getattr(x, method, None)):
            return f"x.{method}()"
    plain = isinstance(x, (list, tuple, range, int, float, complex))
    if plain or hasattr(x, "__array__") or hasattr(x, "__array_interface__"):
        return "numpy.asarray(x)"
    return "numpy.asarray(list(x))" if isinstance(x, Iterable) and not isinstance(x, (str, Mapping)) else ""


def _sequence(x):
    if isinstance(x, Mapping):
        return "list(x.values())"
    return "[x]" if isinstance(x, (int, float)) or hasattr(x, "__dlpack__") else ""


def _text(x):
    if isinstance(x, (bytes, bytearray)):
        return "x.decode()"
    return "str(x)" if hasattr(x, "__fspath__") else ""


# What to pass instead of x, by the start of the expected type; "" if that is not known.
INSTEAD = {
    "an array": _array,
    "a sequence": _sequence,
    "a str": _text,
    "a bool": lambda x: "bool(x)" if isinstance(x, int) else "",
    "an integer": lambda x: "int(x)" if isinstance(x, float) and x.is_integer() else "",
}


def wrong_type(name, wanted, x, kind=TypeError):
    """Return the exception to raise for an argument of a refused type."""
    instead = ""
    try:
        for beginning, find in INSTEAD.items():
            if wanted.startswith(beginning) and not isinstance(x, (type, type(None))):
                instead = find(x)
    except Exception:  # attributes of anything
        pass
    return kind(f"{name}: expected {wanted}, got {_kind(x)}{instead and '; pass '}{instead}")


def no_protocol(name, wanted, x):
    """Return the exception to raise for an object without DLPack's methods."""
    what = _without_memory(x)
    if what:
        return errors.ForeignError(f"{name}: expected {IN_MEMORY}, got {what}")
    return wrong_type(name, wanted, x, errors.ProtocolError)
