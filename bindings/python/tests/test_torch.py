# SPDX-License-Identifier: Apache-2.0
"""torch's tensors: their storage is kept, views lie inside of it, gradients do not vanish, versions tell of writes."""

import gc
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import dlferry
import numpy as np
import pytest
from conftest import ROOT, need

photo = need("photo")
torch = need("torch")

TORCH_C = ROOT / "bindings" / "python" / "src" / "dlferry" / "c" / "python" / "torch.c"
SMALL, LARGE = (8, 10), (300, 200)  # borrowed with the GIL held; held with it released
SIZES = pytest.mark.parametrize("shape", [SMALL, LARGE], ids=["small", "large"])


class Subclass(torch.Tensor):
    pass


KINDS = {
    "tensor": lambda x: x,
    "parameter": lambda x: torch.nn.Parameter(x, requires_grad=False),
    "subclass": lambda x: x.as_subclass(Subclass),
    "float8": lambda x: x.to(torch.float8_e4m3fn),  # only the exchange table describes it
}
EACH = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def alone(code):
    """Run code in a process of its own: it imports Triton, which aborts beside TensorFlow."""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr


# ---- storage ----


def assign_data(x):
    x.data = torch.zeros(5, dtype=x.dtype)


LOSES = {
    "data": assign_data,
    "set_": lambda x: x.set_(torch.zeros(5, dtype=x.dtype)),
    "set_ of a storage": lambda x: x.set_(torch.zeros(50, dtype=x.dtype).untyped_storage(), 1, (2,), (3,)),
}


def scribble(like):
    """Take memory of that size again, so that what was freed is overwritten."""
    return [torch.full(like.shape, 1, dtype=torch.uint8).fill_(0xEE) for _ in range(50)]


@EACH
@pytest.mark.parametrize("lose", LOSES.values(), ids=LOSES)
def test_storage__is_kept_when_the_tensor_gets_another(kind, lose):
    x = kind(torch.arange(1000.0))
    t, expected = dlferry.from_dlpack(x), x.to(torch.float32).tolist()
    address = t.data
    lose(x)
    junk = scribble(t)
    assert t.shape == (1000,) and t.data == address
    assert dlferry.to(t, torch.Tensor).to(torch.float32).tolist() == expected
    del junk


def test_storage__is_kept_when_a_module_is_converted():
    """Module.to() assigns to each parameter's data."""
    module = torch.nn.Linear(40, 40)
    with torch.no_grad():
        t, expected = dlferry.from_dlpack(module.weight), module.weight.numpy().copy()
    module.to(torch.float64)
    junk = scribble(t)
    assert (t.numpy() == expected).all()
    del junk


def test_storage__a_tensor_owns_itself_no_longer():
    x = torch.ones(2, 3)
    before = sys.getrefcount(x)
    x.imported = dlferry.from_dlpack(x)
    assert sys.getrefcount(x) == before and x._use_count() == 1
    alive = dlferry.live()
    del x
    assert dlferry.live() == alive - 1  # at once, without the collector


SHRINKS = {"less": 39, "nothing": 0}  # of 40 bytes


@EACH
@pytest.mark.parametrize("bytes", SHRINKS.values(), ids=SHRINKS)
def test_storage__smaller_than_its_views_is_refused(kind, bytes):
    whole = kind(torch.ones(5, 2))
    size = whole.element_size()
    part, turned, empty = whole[2:], whole[2:].T, whole[5:]
    whole.untyped_storage().resize_(bytes * size // 4)
    assert part.data_ptr() != 0  # FSDP: NULL and the offset
    for x in (whole, part, turned):
        for call in (dlferry.from_dlpack, dlferry.format, dlferry.describe, lambda x: dlferry.identical(x, x)):
            with pytest.raises(dlferry.Error, match="storage too small for its elements"):
                call(x)
        if size == 4:
            for write in (lambda x: photo.mean(x), lambda x: photo.sobel(np.zeros(x.shape, "float32"), out=x)):
                with pytest.raises(dlferry.Error, match="storage too small for its elements"):
                    write(x)
    assert dlferry.from_dlpack(empty).shape == (0, 2)


def test_storage__lazy_copies_share_none():
    x = torch.ones(30)
    y = torch._lazy_clone(x)
    t = dlferry.from_dlpack(y)
    x.fill_(2)
    assert t.numpy().tolist() == [1.0] * 30 and t.data == y.data_ptr()


class Trap(torch.Tensor):
    """Runs code when its storage is asked for."""

    springs = None

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if Trap.springs and function is torch.Tensor.untyped_storage:
            Trap.springs()
        return super().__torch_function__(function, types, args, kwargs or {})


def test_storage__python_code_on_the_way_changes_nothing():
    """A subclass's own code runs while its storage is asked for; what was borrowed before is held by then."""
    x = torch.rand(LARGE)
    expected = photo.difference(x, torch.zeros(LARGE))
    trap = torch.zeros(LARGE).as_subclass(Trap)
    junk = []

    def spring():
        x.data = torch.zeros(1, 1)
        trap.data = torch.zeros(LARGE)
        junk.extend(scribble(expected))

    Trap.springs = spring
    try:
        assert (photo.difference(x, trap) == expected).all()
    finally:
        Trap.springs = None


class Liar(torch.Tensor):
    """Shows another storage than its own, or none."""

    answer = None

    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if function is torch.Tensor.untyped_storage:
            return Liar.answer
        return super().__torch_function__(function, types, args, kwargs or {})


@pytest.mark.parametrize("answer", [lambda: torch.ones(60000).untyped_storage(), lambda: None, lambda: 7])
def test_storage__another_one_is_no_proof(answer):
    x = torch.ones(LARGE).as_subclass(Liar)
    Liar.answer = answer()
    try:
        for call in (dlferry.from_dlpack, photo.mean):
            with pytest.raises(dlferry.Error, match="without data"):
                call(x)
    finally:
        Liar.answer = None


def test_storage__a_function_mode_is_no_way_around():
    class Mode(torch.overrides.TorchFunctionMode):
        def __torch_function__(self, function, types, args=(), kwargs=None):
            if function is torch.Tensor.untyped_storage:
                return torch.zeros(10).untyped_storage()
            return function(*args, **(kwargs or {}))

    x = torch.ones(10)
    with Mode(), pytest.raises(dlferry.Error, match="without data"):
        dlferry.from_dlpack(x)
    with torch.device("cpu"):  # a mode, too
        t = dlferry.from_dlpack(x)
    assign_data(x)
    assert t.numpy().tolist() == [1.0] * 10


def test_storage__another_thread_changes_the_tensor(rounds):
    """Its calls run without the GIL."""
    x, stop = torch.ones(LARGE), threading.Event()

    def change():
        while not stop.is_set():
            x.data = torch.ones(LARGE)

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(rounds // 10):
            assert photo.mean(x) == 1
            assert dlferry.from_dlpack(x).numpy().mean() == 1
    finally:
        stop.set()
        thread.join()


def test_storage__a_capsule_keeps_only_the_tensor():
    """torch's own __dlpack__, which a subclass calls, keeps no storage; so the import keeps it, too."""

    class Own(torch.Tensor):
        def __dlpack__(self, **asked):
            return super().__dlpack__(**asked)

    class Elsewhere(torch.Tensor):
        def __dlpack__(self, **asked):
            return torch.arange(4.0).__dlpack__(**asked)

    x = torch.ones(1000).as_subclass(Own)
    t = dlferry.from_dlpack(x)
    x.data = torch.zeros(5)
    junk = scribble(t)
    assert t.numpy().sum() == 1000
    assert dlferry.from_dlpack(torch.ones(9).as_subclass(Elsewhere)).tolist() == [0, 1, 2, 3]
    del junk


def test_storage__other_threads_release_it():
    x = torch.from_numpy(np.ones(1000))
    held = [dlferry.from_dlpack(x) for _ in range(200)]
    del x
    threads = [threading.Thread(target=held.pop) for _ in range(200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not held


# ---- tensors without memory of their own ----


TRANSFORMS = """
import dlferry, photo, torch
seen = []

def look(x):
    for call in (dlferry.from_dlpack, dlferry.describe, lambda x: photo.mean(x)):
        try:
            call(x)
        except dlferry.Error as error:
            seen.append(str(error))
    return x.sum()

x = torch.ones(2, 3, 4)
torch.vmap(look)(x)
torch.func.grad(look)(x)
torch.func.functionalize(look)(x)
with torch._subclasses.FakeTensorMode():
    look(torch.ones(3, 4))
look(torch.ones(3, 4, device="meta"))
assert len(seen) == 15 and dlferry.live() == 0, seen
assert all("expected elements as they lie in memory" in text for text in seen), seen
"""


def test_inference__is_read_and_written():
    with torch.inference_mode():
        x = torch.ones(SMALL)
        photo.sobel(np.zeros(SMALL, "float32"), out=x)
        assert x.sum() == 0 and dlferry.from_dlpack(x).shape == SMALL
    t = dlferry.from_dlpack(x)
    photo.sobel(np.zeros(SMALL, "float32"), out=x)
    assert t.numpy().sum() == 0 and not t.readonly


# ---- gradients ----

GRADIENT = (
    r"got one that requires grad; pass \.detach\(\), call it in torch\.no_grad\(\), or in a torch\.autograd\.Func"
)


@SIZES
@pytest.mark.parametrize("kind", ["tensor", "parameter", "subclass"])
def test_gradient__is_not_lost(kind, shape):
    leaf = KINDS[kind](torch.ones(shape)).requires_grad_()
    for x in (leaf, leaf * 2):
        for call in (photo.mean, photo.blur, lambda x: photo.difference(x.detach(), x), dlferry.from_dlpack):
            with pytest.raises(BufferError, match=GRADIENT) as caught:
                call(x)
            assert caught.value.status is dlferry.Status.READ_ONLY
        with pytest.raises(BufferError, match=GRADIENT):
            dlferry.to(x, np.ndarray)
        assert photo.mean(x.detach()) in (1, 2)
        with torch.no_grad():
            assert photo.mean(x) in (1, 2)
            assert dlferry.from_dlpack(x).readonly and photo.blur(x).shape == shape
        with torch.enable_grad(), torch.no_grad(), torch.enable_grad(), pytest.raises(BufferError, match=GRADIENT):
            photo.mean(x)
    with torch.no_grad(), pytest.raises(BufferError, match=r"requires grad; pass \.detach\(\)$"):
        photo.sobel(np.zeros(shape, "float32"), out=leaf)


@pytest.mark.parametrize("kind", ["tensor", "parameter", "subclass"])
def test_gradient__where_torch_s_own_export_is_asked(kind, monkeypatch):
    """As for memory of a GPU. torch's __dlpack__ refuses what requires grad, in no_grad() too."""
    monkeypatch.setattr(torch.Tensor, "__dlpack_c_exchange_api__", None)
    leaf = KINDS[kind](torch.ones(SMALL)).requires_grad_()
    alive = dlferry.live()
    with torch.no_grad():
        with pytest.raises(BufferError, match=r"detach\(\)"):
            leaf.__dlpack__()
        t, other = dlferry.from_dlpack(leaf), dlferry.from_dlpack(leaf, copy=True)
        assert (t.data, t.readonly, t.shape) == (leaf.data_ptr(), True, SMALL)
        assert other.data != leaf.data_ptr() and other.tolist() == leaf.tolist()
    with pytest.raises(BufferError, match=r"detach\(\)"):
        dlferry.from_dlpack(leaf)
    leaf.data = torch.zeros(SMALL)
    assert dlferry.equal(t, np.ones(SMALL, "float32"))  # the storage is kept
    del t, other
    assert dlferry.live() == alive and leaf.requires_grad


def test_gradient__is_the_function_s_own():
    """In forward and backward of a Function grad mode is off."""

    class Blur(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            assert dlferry.from_dlpack(x).readonly
            return photo.blur(x)

        @staticmethod
        def backward(context, gradient):
            return photo.blur(gradient.contiguous())

    x = torch.rand(SMALL, requires_grad=True)
    Blur.apply(x).sum().backward()
    assert torch.allclose(x.grad, torch.from_numpy(photo.blur(np.ones(SMALL, "float32"))))


OPERATOR = """
import numpy as np, photo, torch

@torch.library.custom_op("dlferry_test::blur", mutates_args=())
def blur(x: torch.Tensor) -> torch.Tensor:
    return photo.blur(x)

blur.register_autograd(lambda context, gradient: photo.blur(gradient.contiguous()))
x = torch.rand(8, 10, requires_grad=True)
blur(x).sum().backward()
assert torch.allclose(x.grad, torch.from_numpy(photo.blur(np.ones((8, 10), "float32"))))
"""


def test_transforms__are_refused_and_a_gradient_is_the_operator_s_own():
    """One process for both, since torch imports its compiler for each."""
    alone(TRANSFORMS + OPERATOR)


def test_gradient__looking_is_free():
    """What computes no array from the elements loses no gradient."""
    x = torch.ones(3, 4, requires_grad=True)
    assert "float32[3, 4]" in dlferry.describe(x)
    assert dlferry.byte_size(x) == 48 and dlferry.is_contiguous(x) and dlferry.equal(x, x)
    contract = dlferry.Contract("x: f32[h, w]", "look", {"x": "input"})
    contract.match(x)


# ---- versions ----


@SIZES
@pytest.mark.parametrize("kind", ["tensor", "parameter", "subclass"])
def test_version__of_a_refused_call_stays(kind, shape):
    weight, x = torch.ones(shape, requires_grad=True), KINDS[kind](torch.ones(shape))
    loss, version = (weight * x).sum(), x._version
    other = np.zeros((3, 3), "float32")
    for call in (
        lambda: photo.sobel(other, out=x),  # another shape
        lambda: photo.blur(np.zeros(shape, "float32"), -1.0, x),  # another argument
        lambda: photo.sobel(x, out=x),  # shares memory
        lambda: photo.sobel([], out=x),  # read before
        lambda: photo.sobel(np.zeros(shape, "float64"), out=x),
    ):
        with pytest.raises((dlferry.Error, TypeError)):
            call()
        assert x._version == version
    loss.backward()
    photo.sobel(np.zeros(shape, "float32"), out=x)
    assert x._version == version + 1


def test_version__of_a_function_that_fails_is_raised():
    """It may have written before."""
    x = torch.ones(SMALL)
    with pytest.raises(dlferry.Error, match="draw_histogram"):
        photo.draw_histogram(x)  # too small, says the function itself
    assert x._version == 1
    with pytest.raises(dlferry.Error):
        photo.draw_histogram(z := torch.ones(10).expand(SMALL))
    assert z._version == 0
    photo.draw_histogram(y := torch.ones(64, 64))
    assert y._version == 1


def test_version__a_check_alone_leaves_it():
    contract = dlferry.Contract("x: f32[h, w]", "look", {"x": "output"})
    x = torch.ones(3, 4)
    contract.match(x)
    assert x._version == 0


# ---- torch without a function that we use ----

SYMBOLS = [*re.findall(r'find\((?:cpu|core), "([^"]+)"', TORCH_C.read_text(encoding="utf-8")), "aoti_torch_dtype_%s"]

LOOK = r"""
import os, sys
sys.path[:0] = sys.argv[1].split(":")
import numpy as np, torch
def look():
    import dlferry, photo
    asked, lines = set(), []
    class Asked(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            asked.add(getattr(function, "__name__", ""))
            return super().__torch_function__(function, types, args, kwargs or {})
    def tell(call, *args):
        try:
            lines.append(str(call(*args)))
        except Exception as error:
            lines.append(f"{type(error).__name__}: {error}")
    dlferry.format(torch.ones(2))
    x = torch.ones(2).as_subclass(Asked)
    asked.clear()
    dlferry.describe(x)
    slow = "is_neg" in asked
    for shape in ((8, 10), (300, 200)):
        zeros = np.zeros(shape, "float32")
        for kind in (lambda x: x, lambda x: torch.nn.Parameter(x, False), lambda x: x.as_subclass(Asked)):
            for x in (torch._neg_view(torch.ones(shape)), torch.ones(shape, dtype=torch.complex64).conj(),
                      torch.ones(shape), torch.ones(shape, requires_grad=True), torch.ones(shape).T):
                with torch.no_grad():
                    y = kind(x.detach()).requires_grad_(x.requires_grad)
                calls = (photo.mean, lambda y: dlferry.from_dlpack(y).readonly, lambda y: photo.sobel(zeros, y).sum())
                for call in calls:
                    tell(call, y)
                    with torch.no_grad():
                        tell(call, y)
                lines.append(y._version)
            x = kind(torch.ones(shape))
            t = dlferry.from_dlpack(x)
            x.data = torch.zeros(shape)
            junk = [torch.full(shape, 3.0) for _ in range(9)]
            lines.append(t.numpy().sum())
            part = x[1:]
            tell(photo.sobel, np.zeros((3, 3), "float32"), x)
            lines.append(x._version)
            x.untyped_storage().resize_(0)
            for y in (x, part):
                for call in (photo.mean, dlferry.from_dlpack, dlferry.describe):
                    tell(call, y)
            with torch.inference_mode():
                tell(photo.sobel, zeros, kind(torch.ones(shape)))
    return slow, lines
for site in sys.argv[2:]:
    sys.stdout.flush()
    if os.fork() == 0:
        sys.path.insert(0, site)
        try:
            print(os.path.basename(site), *map(repr, look()))
        except BaseException as error:
            print(os.path.basename(site), repr(error))
        sys.stdout.flush()
        os._exit(0)
    os.wait()
"""


def test_symbols__a_missing_one_costs_only_speed(tmp_path):
    """Copies of the extension modules that look for a name that does not exist, one copy for each function of torch."""
    sites = []
    for symbol in ["none", *SYMBOLS]:
        site = tmp_path / symbol.replace("%", "")
        sites.append(site)
        for package in (dlferry, photo):
            folder = Path(package.__file__).parent
            shutil.copytree(folder, site / folder.name, ignore=shutil.ignore_patterns("c", "bin", "__pycache__"))
            (module,) = (site / folder.name).glob("_*.so")
            code = module.read_bytes()
            if symbol != "none":
                assert code.count(b"\0" + symbol.encode() + b"\0") == 1, symbol
                code = code.replace(symbol.encode() + b"\0", b"#" + symbol[1:].encode() + b"\0")
            module.write_bytes(code)
    command = [sys.executable, "-W", "ignore", "-c", LOOK, os.pathsep.join(filter(None, sys.path)), *map(str, sites)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    seen = {line.partition(" ")[0]: line.partition(" ")[2] for line in done.stdout.splitlines()}
    assert len(seen) == len(sites), done.stdout + done.stderr
    intact = seen.pop("none")
    assert intact.startswith("False [") and "Error" not in intact.partition(" ")[0], intact
    for symbol, line in seen.items():
        assert line.partition(" ")[0] == "True", (symbol, line)  # the quick way is closed
        assert line.partition(" ")[2] == intact.partition(" ")[2], symbol


@pytest.fixture(autouse=True)
def collected():
    yield
    gc.collect()
