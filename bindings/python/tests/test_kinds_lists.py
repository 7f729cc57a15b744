# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors and arrays of numbers in a package."""

import array
import gc

import dlferry
import numpy as np
import pytest
from conftest import need, refused

pytestmark = pytest.mark.usefixtures("no_kinds_open")
ARRAY = "an array with __dlpack__, a DLPack capsule or a buffer"


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
    with torch.no_grad():
        assert [frame.mean() for frame in kinds.stack(frames)] == [1, 2, 3]
    with pytest.raises(BufferError, match=r"^stack: frames\[2\]: .* requires grad; pass \.detach\(\), call it in"):
        kinds.stack(frames)
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
