# SPDX-License-Identifier: Apache-2.0
"""Declarations that photo.h lacks: a package is made from tests/bind/odd.h, built and called."""

import ctypes
import enum
import importlib
import inspect
import math
import subprocess
import sys
import warnings
from pathlib import Path

import dlferry
import numpy as np
import pytest
from conftest import ROOT, need

HEADER = ROOT / "tests" / "bind" / "odd.h"


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    bind = [sys.executable, "-m", "dlferry.bind", "odd.h", "--name", "odd", "--strict"]
    bind += ["--lang", "python", "--source", "odd.c", "--out", folder]
    subprocess.run([*bind], cwd=HEADER.parent, check=True)
    subprocess.run([*bind, "--check"], cwd=HEADER.parent, check=True)
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    pip.append("--config-settings=cmake.build-type=Debug")  # soon compiled
    subprocess.run([*pip, "--target", folder / "site", folder / "python"], check=True)
    sys.path.insert(0, str(folder / "site"))
    yield importlib.import_module("odd")
    sys.path.remove(str(folder / "site"))


def test_declarations__parameters_that_a_language_or_the_generated_code_needs(odd):
    assert odd.errors(1, 2, 3, 4) == odd.errors(error=1, result=2, status=3, message=4) == odd.owns(1, 2, 3, 4) == 1234
    for call, text in (
        (lambda: odd.errors(0, 2, 3, 4), "errors: error is 0, wanted error in 1..9"),
        (lambda: odd.owns(0, 1, 1, 1), "owns: dlf_code is 0, wanted dlf_code > 0"),
        (lambda: odd.status(1, 5, odd.Mode.UP), "status: kernel returned 7 (seven)"),
        (lambda: odd.hooked(5), "hooked: odd_reach is 5, wanted odd_reach < 5"),
    ):
        with pytest.raises(dlferry.Error) as caught:
            call()
        assert str(caught.value) == text
    assert odd.tensors(np.ones(2), type=3).tolist() == [3, 3] and odd.hooked(2).tolist() == [0, 2, 4, 6]
    assert odd.lists([1.0, 2.0], [np.ones(1, "f")], 5) == 108 and odd.outs(error=4) == (5, 6)
    assert odd.Box(7).read(error=2, handle=3) == 17
    assert odd.words_c(*range(8)) == 168 and odd.words_python(*range(18)) == 1938 and odd.words_rust(*range(30)) == 8990
    assert odd.words_go(*range(29)) == 8120 and odd.words_julia(*range(26)) == 5850
    assert (
        odd.words_python(
            None_=1,
            **{f"{word}_": 0 for word in "True def lambda pass from is with yield".split()},
            **dict.fromkeys("len str print list object args kwargs self cls".split(), 0),
        )
        == 1
    )
    assert odd.locals(np.zeros(1), *range(33)).tolist() == [528]


def test_outputs__several(odd):
    torch = need("torch")
    x = np.array([1.5, -2.25, 3])
    whole, rest = odd.split(x, odd.Mode.DOWN)
    assert whole.tolist() == [1, -3, 3] and rest.tolist() == [0.5, 0.75, 0]
    given = np.empty(3, np.int64), torch.empty(3, dtype=torch.float64)
    back = odd.split(x, odd.Mode.DOWN, *given)
    assert back[0] is given[0] and back[1] is given[1] and given[1].tolist() == [0.5, 0.75, 0]
    assert [type(y) for y in odd.split(torch.from_numpy(x))] == [torch.Tensor] * 2
    for partly in [{"whole": given[0]}, {"err": given[1]}, {"whole": None, "err": given[1]}]:
        with pytest.raises(TypeError, match=r"split\(\) takes its outputs all or not at all: got .* without"):
            odd.split(x, **partly)


def test_scalars__every_kind(odd):
    assert str(inspect.signature(odd.defaults)).startswith(
        "(lambda_, a=1, b=2, c=3, d=0.5, e=0.25, f=True, way=<Way.DOWN"
    )
    assert odd.defaults(0) == 1 + 2 + 3 + 0.5 + 0.25 + 1 + 2
    assert odd.defaults(10, -1, 65535, c=2**40, d=1, e=2.5, f=False, way=odd.Way.UP | odd.Way.LEFT) == (
        10 - 1 + 65535 + 2**40 + 1 + 2.5 + 0 + 5
    )
    assert (
        odd.defaults(np.int32(4), np.int8(3), np.uint64(1), 2, np.float32(0.5), 0.25, np.bool_(False), 0)
        == 4 + 3 + 1 + 2 + 0.75
    )
    for wrong in [{"a": 128}, {"a": -129}, {"b": -1}, {"b": 65536}, {"c": 2**64}, {"c": -1}, {"lambda_": 2**63}]:
        with pytest.raises(OverflowError, match="expected an integer from"):
            odd.defaults(**{"lambda_": 0, **wrong})
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
            odd.defaults(0, **wrong)


def test_scalars__a_finite_number_is_none_of_infinity_as_a_float(odd):
    assert odd.defaults(0, d=3.4e38) == pytest.approx(3.4e38)
    assert odd.defaults(0, d=math.inf) == odd.defaults(0, e=math.inf) == math.inf
    assert odd.defaults(0, e=1e300) == 1e300
    for beyond, said in [(1e39, "1e+39"), (-1e300, "-1e+300"), (10**40, "1e+40"), (np.float64(1e39), "1e+39")]:
        with pytest.raises(OverflowError) as caught:
            odd.defaults(0, d=beyond)
        assert str(caught.value) == f"defaults: d: expected a number that fits in float32, got {said}"


def test_scalars__arrays_without_axes_count_as_their_dtype(odd):
    for whole in (np.array(2), np.array(2, "int8")):
        assert odd.defaults(whole, d=0, e=0) == odd.defaults(0, d=0, e=whole) == 2 + 1 + 2 + 3 + 1 + 2
    assert odd.defaults(0, d=np.array(0.5), e=np.array(0.25, "float32")) == odd.defaults(0)
    torch = pytest.importorskip("torch")
    assert odd.defaults(0, d=torch.tensor(0.5)) == odd.defaults(0, d=0.5)
    wrong = [np.array(True), np.array(1j), torch.tensor(True), torch.tensor(1j)]
    for x in wrong:
        for name in ("d", "e"):
            with pytest.raises(TypeError, match=f"defaults: {name}: expected a number"):
                odd.defaults(0, **{name: x})
        with pytest.raises(TypeError, match="defaults: a: expected an integer"):
            odd.defaults(0, a=x)


def test_values__a_member_of_another_enum_is_none_of_this(odd):
    class Other(enum.IntEnum):
        NO = 1

    class Flags(enum.IntFlag):
        UP = 1

    class Number(int):
        pass

    for same in (odd.Mode.UP, 1, Number(1), np.int64(1)):
        assert odd.next(same) == odd.Mode.DOWN
    for wrong in (Other.NO, Flags.UP, odd.Way.UP, True):
        with pytest.raises(TypeError, match="next: mode: expected a member of Mode or an integer, got"):
            odd.next(wrong)
    with pytest.raises(TypeError, match="defaults: way: expected a member of Way or an integer, got"):
        odd.defaults(0, way=Other.NO)
    assert odd.defaults(0, way=odd.Way.UP | odd.Way.DOWN) == odd.defaults(0, way=3)


def test_values__enum_and_text(odd):
    assert odd.next(odd.Mode.UP) == odd.Mode.DOWN == -1
    with pytest.raises(ValueError, match="wanted"):
        odd.next(2)
    assert odd.length() == 3 and odd.length("é") == 2 and odd.length("") == 0
    with pytest.raises(ValueError, match="expected a text without NUL"):
        odd.length("a\0b")
    with pytest.raises(TypeError, match="expected a str, got bytes"):
        odd.length(b"abc")
    with pytest.raises(ValueError, match="expected a text that UTF-8 has, got a lone surrogate"):
        odd.length("\ud800")


def test_deprecated(odd):
    with pytest.warns(
        DeprecationWarning, match=r"^twice\(\) is deprecated: Use `n \+ n` instead: it is \"shorter\"\.$"
    ):
        assert odd.twice(21) == 42
    with warnings.catch_warnings(), pytest.raises(DeprecationWarning):
        warnings.simplefilter("error")
        odd.twice(21)
    assert 'Deprecated: Use `n + n` instead: it is "shorter".\n' in odd.twice.__doc__
    stub = (Path(odd.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    assert '@deprecated("Use `n + n` instead: it is \\"shorter\\".")\ndef twice(n: int) -> int: ...' in stub


def test_tensors__optional_inout_and_required_output(odd):
    x = np.array([1.0, 2])
    assert odd.weigh(x).tolist() == odd.weigh(x, None, None).tolist() == [1, 2]
    assert odd.weigh(x, weight=x).tolist() == [1, 4]
    assert odd.call(x) is None and x.tolist() == [2, 4]
    assert odd.call(x, status=0.5) is None and x.tolist() == [1, 2]
    assert odd.fill(x, 7) is x and x.tolist() == [7, 7]
    with pytest.raises(TypeError, match="missing required argument 'out'"):
        odd.fill(value=1)


def test_status__of_a_kernel(odd):
    assert odd.fail(7) is None
    with pytest.raises(RuntimeError) as caught:
        odd.fail(8)
    assert caught.value.status is dlferry.Status.FOREIGN


def test_docs__odd_texts(odd):
    said = 'Declarations that a header may hold beside the ordinary: <b>html</b>, [links], "quotes", keywords.'
    assert odd.__doc__ == said
    assert odd.split.__doc__.splitlines()[0].startswith(
        'Split into whole and broken parts: "both" texts, a back\\slash'
    )
    assert '%} and "Ünïcödé".' in odd.split.__doc__
    assert odd.Way.__doc__ == 'Ways, to be or-ed: "quoted", back\\slash, %} and'
    imported = {"Any", "IntEnum", "IntFlag", "NamedTuple"}
    assert set(odd.__all__) == {name for name in vars(odd) if not name.startswith("_")} - imported
    stub = (Path(odd.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    compile(stub, "__init__.pyi", "exec")
    assert "def split(match: _Like, mode: Mode = Mode.NEAREST, whole: Array | None = None" in stub


def test_stubs__an_output_that_was_given_comes_back_as_it_is(odd):
    given = np.empty(3)
    assert odd.ramp(3, given) is given and given.tolist() == [0, 1, 2]
    assert odd.ramp(3, given, 0.5) is given and given.tolist() == [0, 0.5, 1]  # C's order, in which step is last
    assert str(inspect.signature(odd.ramp)) == "(n, out=None, step=1.0)"
    assert odd.ramp(3, step=2.0).tolist() == odd.ramp(3, None, 2.0).tolist() == [0, 2, 4]
    assert type(odd.ramp(3)) is np.ndarray  # no array tells a framework
    stub = (Path(odd.__file__).parent / "__init__.pyi").read_text(encoding="utf-8")
    assert "def ramp(n: int, out: Array | None = None, step: float = 1.0) -> Any: ..." in stub
    assert "def fill(out: _Given, value: float) -> _Given: ..." in stub


def test_object__freed_under_an_exception_may_call_python(odd):
    log = []

    @ctypes.CFUNCTYPE(None)
    def ring():
        log.append(sum(i for i in range(3)))

    address = ctypes.cast(ring, ctypes.c_void_p).value
    with pytest.raises(TypeError, match="takes no arguments"):
        odd.Bell(address).close(1)  # the object dies while this is on its way
    odd.Bell(address).close()
    assert log == [3, 3]
