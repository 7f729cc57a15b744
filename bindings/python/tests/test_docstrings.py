# SPDX-License-Identifier: Apache-2.0
"""The examples in the docstrings run as they stand."""

import doctest
import gc

import dlferry
import pytest
from conftest import need

np = need("numpy")
need("ml_dtypes")


def documented():
    """Everything of the package with an example, by its name."""
    types = (dlferry.Tensor, dlferry.dtype, dlferry.Device, dlferry.Contract)
    members = {f"{kind.__name__}.{name}": x for kind in types for name, x in vars(kind).items()}
    found = {name: getattr(dlferry, name) for name in dlferry.__all__} | members
    return {name: x.__doc__ for name, x in found.items() if ">>>" in (getattr(x, "__doc__", None) or "")}


EXAMPLES = documented()


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_example(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    t = dlferry.from_dlpack(np.arange(6, dtype="float32").reshape(2, 3))
    example = doctest.DocTestParser().get_doctest(EXAMPLES[name], {"dlferry": dlferry, "t": t}, name, None, 0)
    del t
    said = []
    failed, tried = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    gc.collect()  # the traceback of an expected exception keeps its frames
    assert tried and not failed, "".join(said)


def test_example__there_are_many():
    assert len(EXAMPLES) > 60
