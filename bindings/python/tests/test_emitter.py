# SPDX-License-Identifier: Apache-2.0
"""What photo.h does not have: a package is made of tests/awkward/awkward.h, built and called."""

import ctypes
import enum
import importlib
import inspect
import math
import subprocess
import sys
from pathlib import Path

import dlferry
import numpy as np
import pytest
from conftest import need

HEADER = Path(__file__).parent / "awkward" / "awkward.h"


@pytest.fixture(scope="module")
def awkward(tmp_path_factory):
    folder = tmp_path_factory.mktemp("awkward")
    bind = [sys.executable, "-m", "dlferry.bind", "awkward.h", "--name", "awkward", "--prefix", "awk_", "--strict"]
    bind += ["--lang", "python", "--source", "awkward.c", "--out", folder]
    subprocess.run([*bind], cwd=HEADER.parent, check=True)
    subprocess.run([*bind, "--check"], cwd=HEADER.parent, check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    pip.append("--config-settings=cmake.build-type=Debug")  # soon compiled
    subprocess.run([*pip, "--target", folder / "site", folder / "python"], check=True)
    sys.path.insert(0, str(folder / "site"))
    yield importlib.import_module("awkward")
    sys.path.remove(str(folder / "site"))


def test_outputs__several(awkward):
    torch = need("torch")
    x = np.array([1.5, -2.25, 3])
    whole, broken = awkward.split(x)
    assert whole.tolist() == [1, -2, 3] and broken.tolist() == [0.5, -0.25, 0]
    given = np.empty(3), torch.empty(3, dtype=torch.float64)
    back = awkward.split(x, *given)
    assert back[0] is given[0] and back[1] is given[1] and given[1].tolist() == [0.5, -0.25, 0]
    assert [type(y) for y in awkward.split(torch.from_numpy(x))] == [torch.Tensor] * 2
    for partly in [{"whole": given[0]}, {"broken": given[0]}, {"whole": None, "broken": given[1]}]:
        with pytest.raises(TypeError, match=r"split\(\) takes its last 2 arguments all or not at all"):
            awkward.split(x, **partly)


def test_scalars__every_kind(awkward):
    assert str(inspect.signature(awkward.sum)).startswith(
        "(lambda_, a=1, b=2, c=3, d=0.5, e=0.25, f=True, way=<Way.DOWN"
    )
    assert awkward.sum(0) == 1 + 2 + 3 + 0.5 + 0.25 + 1 + 2
    assert awkward.sum(10, -1, 65535, c=2**40, d=1, e=2.5, f=False, way=awkward.Way.UP | awkward.Way.LEFT) == (
        10 - 1 + 65535 + 2**40 + 1 + 2.5 + 0 + 5
    )
    assert (
        awkward.sum(np.int32(4), np.int8(3), np.uint64(1), 2, np.float32(0.5), 0.25, np.bool_(False), 0)
        == 4 + 3 + 1 + 2 + 0.75
    )
    for wrong in [{"a": 128}, {"a": -129}, {"b": -1}, {"b": 65536}, {"c": 2**64}, {"c": -1}, {"lambda_": 2**63}]:
        with pytest.raises(OverflowError, match="expected an integer from"):
            awkward.sum(**{"lambda_": 0, **wrong})
    for wrong in [
        {"a": 1.0},
        {"b": "1"},
        {"d": "x"},
        {"e": None},
        {"e": np.bool_(True)},
        {"f": 1},
        {"f": None},
        {"way": 1.0},
    ]:
        with pytest.raises(TypeError, match="expected a"):
            awkward.sum(0, **wrong)


def test_scalars__a_finite_number_is_none_of_infinity_as_a_float(awkward):
    assert awkward.sum(0, d=3.4e38) == pytest.approx(3.4e38)
    assert awkward.sum(0, d=math.inf) == awkward.sum(0, e=math.inf) == math.inf
    assert awkward.sum(0, e=1e300) == 1e300
    for beyond, said in [(1e39, "1e+39"), (-1e300, "-1e+300"), (10**40, "1e+40"), (np.float64(1e39), "1e+39")]:
        with pytest.raises(OverflowError) as caught:
            awkward.sum(0, d=beyond)
        assert str(caught.value) == f"sum: d: expected a number that fits in float32, got {said}"


def test_scalars__arrays_without_axes_count_as_their_dtype(awkward):
    for whole in (np.array(2), np.array(2, "int8")):
        assert awkward.sum(whole, d=0, e=0) == awkward.sum(0, d=0, e=whole) == 2 + 1 + 2 + 3 + 1 + 2
    assert awkward.sum(0, d=np.array(0.5), e=np.array(0.25, "float32")) == awkward.sum(0)
    torch = pytest.importorskip("torch")
    assert awkward.sum(0, d=torch.tensor(0.5)) == awkward.sum(0, d=0.5)
    wrong = [np.array(True), np.array(1j), torch.tensor(True), torch.tensor(1j)]
    for x in wrong:
        for name in ("d", "e"):
            with pytest.raises(TypeError, match=f"sum: {name}: expected a number"):
                awkward.sum(0, **{name: x})
        with pytest.raises(TypeError, match="sum: a: expected an integer"):
            awkward.sum(0, a=x)


def test_values__a_member_of_another_enum_is_none_of_this(awkward):
    class Other(enum.IntEnum):
        NO = 3

    class Flags(enum.IntFlag):
        UP = 1

    class Number(int):
        pass

    for same in (awkward.Choice.YES, 3, Number(3), np.int64(3)):
        assert awkward.other(same) == awkward.Choice.NONE
    for wrong in (Other.NO, Flags.UP, awkward.Way.UP, True):
        with pytest.raises(TypeError, match="other: from: expected a member of Choice or an integer, got"):
            awkward.other(wrong)
    with pytest.raises(TypeError, match="sum: way: expected a member of Way or an integer, got"):
        awkward.sum(0, way=Other.NO)
    assert awkward.sum(0, way=awkward.Way.UP | awkward.Way.DOWN) == awkward.sum(0, way=3)


def test_values__enum_and_text(awkward):
    assert awkward.other(awkward.Choice.YES) == awkward.Choice.NONE == -1
    with pytest.raises(ValueError, match="wanted"):
        awkward.other(2)
    assert awkward.length() == 3 and awkward.length("é") == 2 and awkward.length("") == 0
    with pytest.raises(ValueError, match="expected a text without NUL"):
        awkward.length("a\0b")
    with pytest.raises(TypeError, match="expected a str, got bytes"):
        awkward.length(b"abc")
    with pytest.raises(ValueError, match="expected a text that UTF-8 has, got a lone surrogate"):
        awkward.length("\ud800")


def test_tensors__optional_inout_and_required_output(awkward):
    x = np.array([1.0, 2])
    assert awkward.weigh(x).tolist() == awkward.weigh(x, None, None).tolist() == [1, 2]
    assert awkward.weigh(x, weight=x).tolist() == [1, 4]
    assert awkward.call(x) is None and x.tolist() == [2, 4]
    assert awkward.call(x, status=0.5) is None and x.tolist() == [1, 2]
    assert awkward.fill(x, 7) is x and x.tolist() == [7, 7]
    with pytest.raises(TypeError, match="missing required argument 'out'"):
        awkward.fill(value=1)


def test_status__of_a_kernel(awkward):
    assert awkward.fail(7) is None
    with pytest.raises(RuntimeError) as caught:
        awkward.fail(8)
    assert caught.value.status is dlferry.Status.FOREIGN


def test_docs__awkward_texts(awkward):
    assert (
        awkward.__doc__ == "What photo.h does not have: several outputs, values, every scalar, awkward names and texts."
    )
    assert awkward.split.__doc__.splitlines()[0].startswith(
        'Split into whole and broken parts: "both" texts, a back\\slash'
    )
    assert '%} and "Ünïcödé".' in awkward.split.__doc__
    assert awkward.Way.__doc__ == 'Ways, to be or-ed: "quoted", back\\slash, %} and'
    assert sorted(awkward.__all__) == sorted(
        name for name in vars(awkward) if not name.startswith("_") and name[0] != "I"
    )
    stub = (Path(awkward.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    compile(stub, "__init__.pyi", "exec")
    assert "def split(x: _Array, whole: _Array | None = None" in stub


def test_stubs__an_output_that_was_given_comes_back_as_it_is(awkward):
    given = np.empty(3)
    assert awkward.ramp(3, given) is given and given.tolist() == [0, 1, 2]
    assert isinstance(awkward.ramp(3), dlferry.Tensor)
    stub = (Path(awkward.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    assert "def ramp(n: int, out: object | None = None) -> Any: ..." in stub
    assert "def fill(out: _Array, value: float) -> _Array: ..." in stub


def test_object__freed_under_an_exception_may_call_python(awkward):
    log = []

    @ctypes.CFUNCTYPE(None)
    def ring():
        log.append(sum(i for i in range(3)))

    address = ctypes.cast(ring, ctypes.c_void_p).value
    with pytest.raises(TypeError, match="takes no arguments"):
        awkward.Bell(address).close(1)  # the object dies while this is on its way
    awkward.Bell(address).close()
    assert log == [3, 3]
