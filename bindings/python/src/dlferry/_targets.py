# SPDX-License-Identifier: Apache-2.0
"""Make an array of a type that has no exchange table, for `dlferry.to`, which imports this for the first such type."""

import sys

# Packages whose from_dlpack is in another module than the type names.
ELSEWHERE = {"jax": "jax.numpy"}


def _from_dlpack(target):
    """Return the from_dlpack of a type or of its package, from the innermost module outwards; None if it has none."""
    found = getattr(target, "from_dlpack", None)
    module = ELSEWHERE.get(target.__module__, target.__module__)
    while not callable(found) and module:
        found = getattr(sys.modules.get(module), "from_dlpack", None)
        module = module.rpartition(".")[0]
    return found if callable(found) else None


def _from_tensorflow(tensor):
    """TensorFlow takes only the legacy structure."""
    from tensorflow.experimental.dlpack import from_dlpack

    from ._hub import to_dlpack_legacy

    return from_dlpack(to_dlpack_legacy(tensor))


def make(target, tensor):
    """Return an array of the type `target` that shares the tensor's memory."""
    name = f"{target.__module__}.{target.__qualname__}"
    function = _from_tensorflow if name.startswith("tensorflow.") else _from_dlpack(target)
    if function is None:
        raise TypeError(f"to: expected a type with an exchange table or from_dlpack, such as torch.Tensor, got {name}")
    made = function(tensor)
    if not isinstance(made, target):
        raise TypeError(f"to: expected a type that from_dlpack makes, got {name}; it makes {type(made).__name__}")
    return made
