# SPDX-License-Identifier: Apache-2.0
"""Every kind of parameter: a package is made from tests/bind/kinds.h, its wheel built, installed and called."""

import array
import gc
import importlib
import inspect
import os
import subprocess
import sys
import threading
import time
import zipfile
from pathlib import Path

import dlferry
import numpy as np
import pytest
from conftest import need

ROOT = Path(__file__).resolve().parents[3]
ARRAY = "an array with __dlpack__, a DLPack capsule or a buffer"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the installed wheel, which was built without network."""
    folder = tmp_path_factory.mktemp("kinds")
    bind = [sys.executable, "-m", "dlferry.bind", "kinds.h", "--name", "kinds", "--source", "kinds.c", "--strict"]
    bind += ["--lang", "python", "--out", folder]
    subprocess.run([*bind], cwd=ROOT / "tests" / "bind", check=True)
    subprocess.run([*bind, "--check"], cwd=ROOT / "tests" / "bind", check=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    offline = ["--no-index", "--no-deps"]
    wheel = [*pip, "wheel", *offline, "--no-build-isolation", "-w", folder, folder / "python"]
    subprocess.run(wheel, check=True)
    (made,) = folder.glob("kinds-*.whl")
    subprocess.run([*pip, "install", *offline, "--target", folder / "site", made], check=True)
    return folder / "site"


@pytest.fixture(scope="module")
def kinds(site):
    sys.path.insert(0, str(site))
    yield importlib.import_module("kinds")
    sys.path.remove(str(site))


@pytest.fixture(autouse=True)
def nothing_open(kinds):
    yield
    gc.collect()
    assert (kinds.open_sums(), kinds.open_gifts()) == (0, 0)


def refused(call, kind, text):
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text


# ---- the tests that the package carries ----


def own_tests(site, folder, cwd=None):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path[1:]])}
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", folder]
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, env=env, cwd=cwd)


def test_own_tests__call_the_installed_package_inside_its_source_too(site):
    passed = own_tests(site, "tests", cwd=site.parent / "python")
    assert passed.returncode == 0, passed.stdout


def test_own_tests__pass_and_can_fail(site, tmp_path):
    tests = site.parent / "python" / "tests"
    passed = own_tests(site, tests)
    assert passed.returncode == 0, passed.stdout
    lines = (tests / "golden.txt").read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("# no case breaks resample: out: f32[hook(") for line in lines)
    rows = [line for line in lines if not line.startswith("#")]
    assert len(rows) > 90 and f"{len(rows) + 1} passed" in passed.stdout
    # Another text, another status, a refusal where there is none, a line too few: each is seen.
    wrong = {
        "stack/out_h": lambda row: row.replace("is 3", "is 4"),
        "stack/out_w": lambda row: row.replace("SHAPE", "DTYPE"),
        "stack/accepted": lambda row: row.replace("OK", "SHAPE"),
        "range/x_dtype": lambda row: "# none",
    }
    rows = "\n".join(wrong.get(row.split("\t")[0], str)(row) for row in rows)
    (tmp_path / "golden.txt").write_text(rows)
    (tmp_path / "test_contract.py").write_text((tests / "test_contract.py").read_text(encoding="utf-8"))
    failed = own_tests(site, tmp_path)
    assert failed.returncode == 1 and f"{len(wrong) + 1} failed" in failed.stdout, failed.stdout
    for name in wrong:
        assert f"::test_call[{name}]" in failed.stdout, failed.stdout
    assert "::test_golden__has_a_line_for_each_call" in failed.stdout, failed.stdout


# ---- objects ----


def test_object__is_a_class(kinds):
    s = kinds.Sum()
    assert s.total() == 0.0 and s.add(np.array([1.0, 2.5])) is None and s.total() == 3.5
    assert kinds.open_sums() == 1
    s.close()
    s.close()
    assert kinds.open_sums() == 0
    with kinds.Sum(start=4) as a, kinds.Sum.from_values(values=np.ones(3)) as b:
        assert (a.total(), b.total(), kinds.open_sums()) == (4.0, 3.0, 2)
        assert kinds.scale(np.array([1.0, 2.0]), a).tolist() == [4.0, 8.0]
    del s, a, b
    kinds.Sum()  # closed with its last reference
    assert kinds.open_sums() == 0


def test_object__what_is_refused(kinds):
    s = kinds.Sum()
    s.close()
    closed = "sum: expected an open sum, got a closed one"
    refused(s.total, ValueError, f"sum_total: {closed}")
    refused(lambda: s.add(np.ones(1)), ValueError, f"sum_add: {closed}")
    refused(lambda: kinds.scale(np.ones(1), s), ValueError, f"scale: {closed}")
    refused(s.__enter__, ValueError, "Sum: expected an open object, got a closed one")
    refused(lambda: kinds.Sum(-1), ValueError, "sum_create: start is -1, wanted start >= 0")
    refused(lambda: kinds.Sum(13), NotImplementedError, "sum_create: expected a lucky start, got 13")
    refused(lambda: kinds.scale(np.ones(1), 3), TypeError, "scale: sum: expected a kinds.Sum, got int")
    refused(lambda: kinds.scale(np.ones(1), None), TypeError, "scale: sum: expected a kinds.Sum, got None")
    for call in (lambda: kinds.Sum("x"), lambda: kinds.Sum(1, 2), lambda: kinds.Sum(begin=1)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError):
        kinds.Sum.total(3)
    with pytest.raises(TypeError):
        type("Mine", (kinds.Sum,), {})


def test_object__is_closed_under_a_call_and_freed_after_it(kinds):
    """The call releases the GIL; close() returns at once, and the last user frees."""
    values = np.ones(40_000_000)
    s = kinds.Sum()
    thread = threading.Thread(target=s.add, args=(values,))
    thread.start()
    while not s.busy():
        assert thread.is_alive()
    s.close()
    seen = kinds.open_sums()
    refused(s.total, ValueError, "sum_total: sum: expected an open sum, got a closed one")
    thread.join()
    assert seen == 1 and kinds.open_sums() == 0


def test_object__calls_take_turns(kinds):
    """Threads change two sums, with and without the GIL, naming them in either order, while others read them."""
    values = {n: np.ones(n) for n in (1, 20_000)}  # the second releases the GIL
    sums, rounds, met = [kinds.Sum(), kinds.Sum()], 300, kinds.met()
    errors = []

    def work(turn):
        a, b = sums if turn % 2 else sums[::-1]
        try:
            for i in range(rounds):
                a.add(values[20_000 if i % 7 == turn else 1])
                a.move(b)
                b.add(values=values[1])
                b.total(), kinds.scale(values[20_000], a), a.spell()
                a.count()
                if i % 50 == 0:
                    gc.collect()
        except Exception as e:
            errors.append(e)

    threads = [threading.Thread(target=work, args=(turn,)) for turn in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(interval)
    assert (errors, kinds.met() - met) == ([], 0)
    large = sum(i % 7 == turn for turn in range(4) for i in range(rounds))
    assert sum(s.total() for s in sums) == 4 * 2 * rounds + large * 19_999
    assert sum(s.counted() for s in sums) == 4 * rounds


def test_object__one_used_twice_is_refused_if_the_call_changes_it(kinds):
    with kinds.Sum() as s, kinds.Sum(2) as other:
        refused(lambda: s.move(s), ValueError, "sum_move: from: expected another sum than sum, got the same one")
        s.move(other)
        assert (s.total(), other.total(), s.spell()) == (2, 0, "2")


def test_object__waits_for_its_lock_without_the_gil(kinds):
    values, s = np.ones(40_000_000), kinds.Sum()
    thread = threading.Thread(target=s.add, args=(values,))
    thread.start()
    while not s.busy():
        assert thread.is_alive()
    waiting = [threading.Thread(target=f) for f in (s.total, s.spell, lambda: s.add(values[:1]))]
    for each in waiting:
        each.start()
    assert s.busy() and all(each.is_alive() for each in waiting)  # this thread goes on
    for each in [thread, *waiting]:
        each.join()
    assert s.total() == 40_000_001 and kinds.met() == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_object__a_forked_child_ends_though_a_call_was_inside(site):
    program = """
import os, sys, threading, warnings
import numpy as np
import kinds
warnings.simplefilter("ignore")
values, s = np.ones(40_000_000), kinds.Sum()
threads = [threading.Thread(target=s.add, args=(values,)) for _ in range(2)]
for thread in threads: thread.start()
while not s.busy(): pass
child = os.fork()
if child == 0:
    s.close()
    del s, values
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
for thread in threads: thread.join()
"""
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(site), *sys.path[1:]])}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=300)
    assert (done.stdout, done.returncode) == ("7\n", 0), done.stderr


# ---- the GIL: a contract's word decides, before the bytes do ----


def released(call):
    """Whether another thread ran while this one was inside a call that is alone to hold it back."""
    seen, stop = [], threading.Event()

    def watch():
        while not stop.is_set():
            seen.append(None)
            time.sleep(0)

    thread = threading.Thread(target=watch)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # no thread takes the GIL from one that does not release it
    try:
        thread.start()
        while not seen:
            stop.wait(0.001)
        before = len(seen)
        call()
        return len(seen) != before
    finally:
        stop.set()
        sys.setswitchinterval(interval)
        thread.join()


def test_gil__slow_releases_it_and_little_work_keeps_it(kinds):
    with kinds.Sum() as s:
        assert released(lambda: kinds.sleep(200))
        assert not released(lambda: s.add(np.ones(3)))
        assert not released(s.total)
        assert not released(lambda: kinds.word(1))


# ---- lists and arrays ----

FRAMES = [np.full((2, 3), i, dtype="float32") for i in range(3)]


def test_list__any_sequence_of_any_framework(kinds):
    torch, jax = need("torch"), need("jax")
    for frames in (FRAMES, tuple(FRAMES), iter(FRAMES), np.stack(FRAMES)):
        assert (kinds.stack(frames) == np.stack(FRAMES)).all()
    mixed = [torch.full((2, 3), 0.0), jax.numpy.full((2, 3), 1, "float32"), dlferry.from_dlpack(FRAMES[2])]
    stacked = kinds.stack(mixed)
    assert isinstance(stacked, torch.Tensor) and (stacked.numpy() == np.stack(FRAMES)).all()
    out = np.empty((3, 2, 3), "float32")
    assert kinds.stack(mixed, out=out) is out and (out == np.stack(FRAMES)).all()
    large = [np.full((200, 100), i, dtype="float64") for i in range(4)]  # with the GIL released
    assert (kinds.stack(large) == np.stack(large)).all()
    assert (kinds.stack([torch.from_numpy(f) for f in large]).numpy() == np.stack(large)).all()


def test_list__what_is_refused(kinds):
    for wrong, text in [
        (3, "stack: frames: expected a sequence of tensors, got int; pass [x]"),
        (None, "stack: frames: expected a sequence of tensors, got None"),
        ("ab", "stack: frames: expected a sequence of tensors, got str"),
        ({"a": FRAMES[0]}, "stack: frames: expected a sequence of tensors, got dict; pass list(x.values())"),
        ([FRAMES[0], "b"], f"stack: frames[1]: expected {ARRAY}, got str"),
    ]:
        refused(lambda wrong=wrong: kinds.stack(wrong), TypeError, text)
    with pytest.raises(dlferry.Error):
        kinds.stack([])  # h and w are nowhere to be seen
    with pytest.raises(ValueError, match=r"^stack: frames"):
        kinds.stack([FRAMES[0], np.zeros((2, 2), "float32")])
    with pytest.raises(TypeError, match=r"^stack: frames"):
        kinds.stack([FRAMES[0], np.zeros((2, 3))])

    def fails(error):
        yield FRAMES[0]
        raise error

    for error in (LookupError("the iterator's own"), TypeError("no less")):
        refused(lambda error=error: kinds.stack(fails(error)), type(error), str(error))


@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")  # the way to free a shape
def test_list__may_change_during_the_call(kinds):
    class Clears:
        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **options):
            frames.clear()
            first.shape = (1, 1, 1, 2, 3)
            first.shape = (6,)
            return FRAMES[1].__dlpack__(**options)

    first = FRAMES[0].copy()
    frames = [first, Clears()]
    assert (kinds.stack(frames) == kinds.stack(FRAMES[:2])).all()


SIZES = pytest.mark.parametrize("shape", [(2, 3), (200, 100)], ids=["small", "large"])


@SIZES
def test_list__items_are_read_only_so_all_but_lazy_ones_are_welcome(kinds, shape):
    torch, jax = need("torch"), need("jax")
    frozen = np.full(shape, 1, "float32")
    frozen.flags.writeable = False
    frames = [frozen, jax.numpy.full(shape, 2, "float32"), torch.full(shape, 3.0, requires_grad=True)]
    assert [frame.mean() for frame in kinds.stack(frames)] == [1, 2, 3]
    lazy = {"negated": torch._neg_view(torch.ones(shape)), "conjugated": torch.complex(frames[2], frames[2]).conj()}
    for kind, item in lazy.items():
        with pytest.raises(BufferError, match=rf"^stack: frames\[1\]: .*lazily {kind} tensor"):
            kinds.stack([frozen, item, frozen])


@SIZES
def test_list__what_is_written_is_refused_as_without_one(kinds, shape):
    torch, jax = need("torch"), need("jax")
    frames = [np.zeros(shape, "float32")]
    frozen = np.zeros((1, *shape), "float32")
    frozen.flags.writeable = False
    grad = torch.zeros((1, *shape), requires_grad=True)
    for out in (frozen, jax.numpy.asarray(frozen), grad, torch._neg_view(grad.detach())):
        for call in (lambda out: kinds.stack(frames, out), lambda out: kinds.stack(frames, out=out)):
            with pytest.raises(BufferError, match=r"^stack: out: (is read-only|expected)"):
                call(out)
    for out in (np.broadcast_to(0.0, shape[1]), torch.zeros(3, dtype=torch.float64, requires_grad=True)):
        with pytest.raises(BufferError, match=r"^fill: out: (is read-only|expected)"):
            kinds.fill(out, 7)


def test_list__keeps_its_items_while_python_code_runs(kinds):
    frames = list(FRAMES)

    class Clears:
        def __dlpack_device__(self):
            frames.clear()
            gc.collect()
            return 1, 0

        def __dlpack__(self, **options):
            return FRAMES[1].__dlpack__(**options)

    frames[1] = Clears()
    assert (kinds.stack(frames) == np.stack(FRAMES)).all()


def test_array__numbers_or_a_buffer(kinds):
    torch = need("torch")
    x = np.arange(5.0)
    for index in ([3, 0], (3, 0), range(3, -1, -3), np.array([3, 0]), array.array("q", [3, 0]), np.array([3, 0], "i1")):
        assert kinds.pick(x, index).tolist() == [3.0, 0.0]
    assert kinds.pick(x, torch.tensor([3, 0])).tolist() == [3.0, 0.0]
    assert kinds.pick(x, np.array([3, 9, 0, 9])[::2]).tolist() == [3.0, 0.0]  # not contiguous: by element
    assert kinds.pick(x, np.array([3, 0], ">i8")).tolist() == [3.0, 0.0]
    assert kinds.pick(x, []).tolist() == [] == kinds.pick(x, np.array([], "i8")).tolist()
    rows = [np.ones(2), np.full(2, 10.0)]
    for weights in ([1, 2.5], np.array([1, 2.5]), np.array([1, 2.5], "float32")):
        assert kinds.weigh(rows, weights).tolist() == [26.0, 26.0]
    raw = bytearray(np.array([9, 3, 0]).tobytes())
    odd = memoryview(raw)[4:20].cast("q")  # misaligned: copied
    assert len(odd) == 2
    with pytest.raises(IndexError):
        kinds.pick(x, odd)


def test_array__what_is_refused(kinds):
    x = np.arange(5.0)
    for wrong, kind, text in [
        (3, TypeError, "pick: index: expected a sequence of numbers, got int; pass [x]"),
        ("12", TypeError, "pick: index: expected a sequence of numbers, got str"),
        ([1, 2.0], TypeError, "pick: index[1]: expected an integer, got float; pass int(x)"),
        ({1: 2}, TypeError, "pick: index: expected a sequence of numbers, got dict; pass list(x.values())"),
        ([True], TypeError, "pick: index[0]: expected an integer, got bool"),
        (np.ones((2, 2), "i8"), TypeError, "pick: index[0]: expected an integer, got numpy.ndarray"),
        (
            [2**63],
            OverflowError,
            "pick: index[0]: expected an integer from -9223372036854775808 to 9223372036854775807, got one outside",
        ),
    ]:
        with pytest.raises(kind) as caught:
            kinds.pick(x, wrong)
        if not isinstance(wrong, np.ndarray):
            assert str(caught.value) == text
    with pytest.raises(IndexError):
        kinds.pick(x, [5])
    with pytest.raises(ValueError, match=r"weigh: .*n"):
        kinds.weigh([np.ones(2)], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"weigh: the number of rows is 0, wanted n > 0"):
        kinds.weigh([], [])


# ---- results ----


def test_results__in_order(kinds):
    x = np.array([3.0, -1.0, 2.0])
    assert kinds.range(x) == (-1.0, 3.0)
    assert kinds.find(x, 2.0) == (2, True, kinds.Sign.POSITIVE)
    assert kinds.find(x) == (3, False, kinds.Sign.ZERO)
    where, found, sign = kinds.find(x, value=-1)
    assert (type(where), type(found), type(sign)) == (int, bool, kinds.Sign)
    assert kinds.word(1) == "one"
    refused(lambda: kinds.word(7), RuntimeError, "word: kernel returned NULL, expected text")
    refused(lambda: kinds.range(np.ones(0)), ValueError, "range: x[n] is 0, wanted n > 0")


def test_given__in_the_framework_of_the_first_tensor(kinds):
    torch, jax = need("torch"), need("jax")
    x = np.array([2.0, -1.0, 2.0, 0.5])
    assert kinds.positive(x).tolist() == [2.0, 2.0, 0.5] and type(kinds.positive(x)) is np.ndarray
    assert type(kinds.positive(torch.from_numpy(x))) is torch.Tensor
    assert isinstance(kinds.positive(jax.numpy.asarray(x, "float32")), jax.Array)
    values, counts = kinds.unique(x)
    assert values.tolist() == [-1.0, 0.5, 2.0] and counts.tolist() == [1, 1, 2] and counts.dtype == np.int64
    del values, counts
    gift = kinds.gift(0)
    assert isinstance(gift, dlferry.Tensor) and gift.shape == (3,) and kinds.open_gifts() == 1
    view = gift.numpy()
    del gift
    assert kinds.open_gifts() == 1 and view.tolist() == [0.0, 0.0, 0.0]
    del view
    assert kinds.open_gifts() == 0


def test_given__what_is_refused_is_released(kinds):
    for what, kind, text in [
        (1, RuntimeError, "gift: out: kernel gave no tensor"),
        (2, TypeError, "gift: out: dtype is f32, expected f64; got f32[3], wanted f64[3]"),
        (3, ValueError, "gift: out: expected extents of 0 or more, got -3 on axis 0 (from 0)"),
        (4, NotImplementedError, "gift: expected to give, got cold feet"),
    ]:
        refused(lambda what=what: kinds.gift(what), kind, text)
        assert kinds.open_gifts() == 0


def test_hook_and_stream(kinds):
    x = np.arange(4, dtype="float32")
    assert kinds.resampled(x, 1.5) == 6 and kinds.resample(x, 1.5).shape == (6,)
    with pytest.raises(ValueError, match="resample"):
        kinds.resample(x, 1001.0)
    out = np.empty(3)
    assert kinds.fill(out, 7) is True and out.tolist() == [7.0, 7.0, 7.0]  # the default stream


# ---- view of tools ----


def test_signatures_and_docs(kinds):
    signature = inspect.signature
    assert str(signature(kinds.Sum)) == "(start=0.0)"
    assert str(signature(kinds.Sum.from_values)) == "(values)"
    assert str(signature(kinds.Sum.add)) == "(self, /, values)"
    assert str(signature(kinds.find)) == "(x, value=0.0)"
    assert str(signature(kinds.stack)) == "(frames, out=None)"
    assert kinds.stack.__module__ == kinds.Sum.__module__ == "kinds"
    assert kinds.stack.__doc__ == (
        "Stack images into one tensor.\n\nParameters\n----------\nframes : sequence of T[h, w] *n\n"
        "    images of one size\nout : T[n, h, w] noalias, optional\n    made if left out\n\n"
        "Returns\n-------\nout : T[n, h, w] noalias\n"
        "    an array of the first argument's framework, or the given one\n\n"
        "Notes\n-----\nContract: frames: T[h, w] *n; out: T[n, h, w] noalias; T in f32|f64\n\nC: kinds_stack"
    )
    assert "close(self, /)" in subprocess.run(
        [sys.executable, "-c", "import kinds; help(kinds.Sum)"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.replace("\b", "")
    assert kinds.__all__ == sorted(kinds.__all__, key=lambda name: (name.islower(), name))


USER = """
import numpy as np
from numpy.typing import NDArray
import kinds

def use(x: NDArray[np.float64]) -> float:
    with kinds.Sum(1.0) as total:
        total.add(x)
        scaled: NDArray[np.float64] = kinds.scale(x, total)
        picked: NDArray[np.float64] = kinds.pick(scaled, [0, 1])
        counts: NDArray[np.int64] = kinds.unique(picked)[1]  # another dtype, another rank: not of x's type
        stacked: NDArray[np.float64] = kinds.stack([counts.astype("f8")] * 2)
        low, high = kinds.range(stacked[0])
        sign: kinds.Sign = kinds.find(x, value=low)[2]
        return high + total.total() + sign.value + len(kinds.word(1)) + kinds.gift(0).ndim
"""


def run_mypy(arguments, site, cwd):
    need("mypy")
    env = {**os.environ, "MYPYPATH": str(site), "PYTHONPATH": os.pathsep.join([str(site), *sys.path])}
    return subprocess.run(
        [sys.executable, "-m", *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def test_stubs__mypy_strict(site, tmp_path):
    (tmp_path / "user.py").write_text(USER, encoding="utf-8")
    mypy = ["mypy", "--strict", "--cache-dir", tmp_path / "cache"]
    done = run_mypy([*mypy, "user.py", site / "kinds"], site, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    (tmp_path / "user.py").write_text(USER.replace("kinds.word(1)", "kinds.word('x')"), encoding="utf-8")
    done = run_mypy([*mypy, "user.py"], site, tmp_path)
    assert done.returncode == 1 and 'incompatible type "str"; expected "int"' in done.stdout


def test_stubs__say_what_is_there(site, tmp_path):
    done = run_mypy(["mypy.stubtest", "kinds", "--ignore-disjoint-bases"], site, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_wheel__holds_its_own_core(site):
    (wheel,) = site.parent.glob("kinds-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    assert {"kinds/__init__.py", "kinds/__init__.pyi", "kinds/py.typed"} <= set(names)
    assert not [name for name in names if name.endswith((".c", ".h", ".i"))]


def test_two_packages_in_one_process(kinds):
    """Each has its own core, queue and classes; they exchange tensors through DLPack."""
    photo = need("photo")
    image = np.random.default_rng(2).random((40, 50), dtype=np.float32)
    blurred = [photo.blur(image), photo.sobel(image)]
    stacked = kinds.stack(blurred)
    assert (stacked[0] == blurred[0]).all() and photo.mean(stacked[1]) == photo.mean(blurred[1])
    with kinds.Sum() as s:
        s.add(stacked.astype("float64")[0, 0])
    with pytest.raises(ValueError, match=r"^blur: image: "):
        photo.blur(stacked)
    with pytest.raises(TypeError, match=r"^range: x: "):
        kinds.range(stacked)
    loaded = [name for name in sys.modules if name in ("kinds._kinds", "photo._photo")]
    assert sorted(loaded) == ["kinds._kinds", "photo._photo"]
