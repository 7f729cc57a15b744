# SPDX-License-Identifier: Apache-2.0
"""dlferry.Contract: a program checks its own calls with the texts of C headers."""

import gc
import inspect
import subprocess
import sys

import dlferry
import numpy as np
import pytest
from conftest import need

jax = need("jax")
torch = need("torch")

BLUR = dlferry.Contract(
    "image: T[h, w];  out: T[h, w] noalias;  T in f32|f64;  sigma > 0",
    function="blur",
    parameters={"image": "input", "sigma": "real", "out": "output"},
)
IMAGE = np.zeros((2, 3), "float32")


def test_match__accepts_arrays_of_every_framework():
    for image in (IMAGE, torch.zeros(2, 3), jax.numpy.zeros((2, 3)), dlferry.from_dlpack(IMAGE), memoryview(IMAGE)):
        for out in (np.zeros((2, 3), "float32"), torch.zeros(2, 3), dlferry.create("float32", (2, 3))):
            assert BLUR.match(image, 1.5, out) is None
            assert BLUR.match(image, out=out, sigma=np.float32(2)) is None
    big = np.zeros((300, 300))
    BLUR.match(big, 1, out=np.zeros_like(big))


REFUSED = [
    ((IMAGE, -1.0, IMAGE.copy()), {}, ValueError, "blur: sigma is -1, wanted sigma > 0"),
    (
        (IMAGE, 1.0, np.zeros((2, 4), "float32")),
        {},
        ValueError,
        "blur: out[w] is 4, expected 3 as image[w]; got f32[2, 4], wanted T[h, w] noalias",
    ),
    ((IMAGE, 1.0, np.zeros((2, 3))), {}, TypeError, "blur: out: dtype is f64, expected T = f32 from image; "),
    ((IMAGE, 1.0, IMAGE), {}, ValueError, "blur: out: shares memory with image; "),
    ((IMAGE.T, 1.0, np.zeros((3, 2), "float32")), {}, BufferError, "blur: image: "),
    ((IMAGE, 1.0, np.broadcast_to(np.float32(0), (2, 3))), {}, BufferError, "blur: out: "),
    ((IMAGE, 1.0, jax.numpy.zeros((2, 3))), {}, BufferError, "blur: out: is read-only; JAX's arrays never change"),
    ((IMAGE, 1.0, None), {}, ValueError, "blur: out: "),
    ((), {}, TypeError, "blur: sigma: expected a number, got None"),
    ((IMAGE, "1"), {}, TypeError, "blur: sigma: expected a number, got str"),
    ((3, 1.0), {}, TypeError, "blur: image: expected an array"),
    ((IMAGE, 1.0, None, 4), {}, TypeError, "blur: expected at most 3 arguments, got 4"),
    ((IMAGE,), {"image": IMAGE}, TypeError, "blur: image: expected one value for a parameter, got two values"),
    ((IMAGE,), {"radius": 1}, TypeError, "blur: radius: expected one value for a parameter, got no such parameter"),
]


@pytest.mark.parametrize(("given", "named", "kind", "text"), REFUSED, ids=[case[3] for case in REFUSED])
def test_match__refuses(given, named, kind, text):
    with pytest.raises(kind) as caught:
        BLUR.match(*given, **named)
    assert str(caught.value).startswith(text)
    if text.startswith("blur: out[") or text.endswith("0"):
        assert str(caught.value) == text and isinstance(caught.value, dlferry.Error)


def test_match__says_what_a_generated_package_says():
    photo = need("photo")
    sobel = dlferry.Contract(
        "image: T[h, w]; out: T[h, w] noalias; T in f32|f64", "sobel", {"image": "input", "out": "output"}
    )
    out = np.zeros((2, 4), "float32")
    texts = []
    for call in (photo.sobel, sobel.match):
        with pytest.raises(ValueError, match=r"out\[w\] is 4") as caught:
            call(IMAGE, out=out)
        texts.append(str(caught.value).partition(";")[0])
    assert texts[0] == texts[1]


def test_inputs__alone():
    BLUR.match_inputs(IMAGE, 1.0)
    with pytest.raises(ValueError, match="sigma is 0"):
        BLUR.match_inputs(IMAGE, 0)


def test_outputs__are_described_and_made():
    told = BLUR.infer("out", IMAGE, 1.0)
    assert told == (dlferry.float32, (2, 3), (3, 1), "cpu", told.align) and told.dtype == np.float32
    out = BLUR.create("out", IMAGE, sigma=1.0)
    assert out.shape == (2, 3) and out.dtype == "float32" and not out.numpy().any()
    BLUR.match(IMAGE, 1.0, out)
    for call in (BLUR.infer, BLUR.create):
        with pytest.raises(ValueError, match="sigma is -1"):
            call("out", IMAGE, -1)
        with pytest.raises(ValueError, match="blur: expected the name of a parameter, got 'in'"):
            call("in", IMAGE, 1)
        with pytest.raises(ValueError, match="blur: "):
            call("image", IMAGE, 1)


def test_text__in_its_usual_form():
    assert BLUR.format("image") == "T[h, w]" and BLUR.format("out") == "T[h, w] noalias"
    again = dlferry.Contract(str(BLUR), "blur", {"image": "input", "sigma": "real", "out": "output"})
    assert str(again) == str(BLUR) == BLUR.format() and "T in f32|f64" in str(BLUR)
    assert repr(BLUR) == f"<dlferry.Contract of blur(image: input, sigma: real, out: output): {BLUR}>"


def test_lists_and_arrays_and_integers():
    stack = dlferry.Contract(
        "frames: T[h, w] *n; weights: f64 *n; out: T[n, h, w]; T in f32|f64; 0 <= first; first < n",
        "stack",
        {"frames": "list", "weights": "array", "first": "integer", "out": "output"},
    )
    frames = [IMAGE, torch.zeros(2, 3)]
    out = stack.create("out", frames, (0.5, 0.5), 1)
    assert out.shape == (2, 2, 3)
    stack.match(frames, np.array([0.5, 0.5]), first=0, out=out)
    for given, kind, text in [
        (([IMAGE, np.zeros((2, 3))], [1, 2], 0, out), TypeError, r"stack: frames\[1\] \(from 0\): dtype is f64"),
        ((frames, [1, 2, 3], 0, out), ValueError, "stack: "),
        ((frames, [1, 2], 2, out), ValueError, "first is 2, wanted first < n"),
        ((frames, 3, 0, out), TypeError, "stack: weights: expected a sequence of numbers"),
        ((frames, "ab", 0, out), TypeError, "stack: weights: expected a sequence of numbers"),
        ((IMAGE[0, 0], [1, 2], 0, out), TypeError, "stack: frames: expected a sequence of tensors"),
        (([IMAGE, 3], [1, 2], 0, out), TypeError, r"stack: frames\[1\]: expected an array"),
        ((frames, [1, 2], 1.5, out), TypeError, "stack: first: expected an integer"),
        ((frames, [1, 2], 2**63, out), OverflowError, "stack: first: expected an integer"),
    ]:
        with pytest.raises(kind, match=text):
            stack.match(*given)


def test_optional_and_given_and_unsigned():
    pick = dlferry.Contract(
        "x: any[n]; mask: opt bool[n]; y: f32[m]; m <= n",
        "pick",
        {"x": "input", "mask": "input", "seed": "unsigned", "way": "other", "y": "given"},
    )
    x = np.zeros(4)
    pick.match(x, None, 2**64 - 1)
    pick.match(x, mask=np.zeros(4, bool), seed=0, way=object(), y=np.zeros(3, "float32"))
    with pytest.raises(ValueError, match="pick: "):
        pick.match(x, seed=0, y=np.zeros(5, "float32"))
    with pytest.raises(ValueError, match=r"pick: mask"):
        pick.match(x, np.zeros(3, bool), 0)
    with pytest.raises(OverflowError, match="pick: seed: expected an integer from 0 to"):
        pick.match(x, seed=-1)


def test_hooks__are_functions_of_the_arguments():
    asked = []

    def count_positive(x, limit):
        asked.append((x, limit))
        return int((x > limit).sum())

    select = dlferry.Contract(
        "x: f64[n]; out: f64[hook(count_positive)]; limit >= 0",
        "select",
        {"x": "input", "limit": "real", "out": "output"},
        hooks={"count_positive": count_positive},
    )
    x = np.array([1.0, 5, 7])
    assert select.create("out", x, 3).shape == (2,) and select.infer("out", x, limit=0).shape == (3,)
    select.match(x, 3, np.zeros(2))
    with pytest.raises(ValueError, match="as count_positive returned"):
        select.match(x, 3, np.zeros(3))
    before = len(asked)
    with pytest.raises(ValueError, match="limit is -1"):
        select.match(x, -1, np.zeros(3))
    assert len(asked) == before, "a hook runs once the inputs hold"
    with pytest.raises(TypeError, match=r"select: expected a function for hook\(count_positive\) in hooks, got none"):
        dlferry.Contract("x: f64[n]; out: f64[hook(count_positive)]", "select", {"x": "input", "out": "output"})


@pytest.mark.parametrize(
    ("text", "parameters", "kind", "told"),
    [
        ("image: T[h, w", {"image": "input"}, ValueError, ""),
        ("image: flaot32[n]", {"image": "input"}, ValueError, "f32"),
        ("other: f32[n]", {"image": "input"}, ValueError, "other"),
        ("", {"image": "tensor"}, ValueError, "f: image: expected input, output, integer, "),
        ("", {"image": 3}, TypeError, "f: image: expected a str, got int"),
        ("", {3: "input"}, TypeError, "Contract: parameters: expected a str, got int"),
        (b"", {}, TypeError, "Contract: text: expected a str, got bytes"),
        ("\0", {}, ValueError, "NUL"),
    ],
)
def test_compile__refuses(text, parameters, kind, told):
    with pytest.raises(kind) as caught:
        dlferry.Contract(text, "f", parameters)
    assert told in str(caught.value)


def test_arguments__may_run_python_code_that_changes_others():
    class Shrinks:
        def __float__(self):
            array.resize(0, refcheck=False)
            return 1.0

    array = np.zeros((2, 3), "float32")
    with pytest.raises(ValueError, match="blur: image"):
        BLUR.match(array, Shrinks(), np.zeros((2, 3), "float32"))


def test_memory__is_given_back():
    for _ in range(3):
        contract = dlferry.Contract("x: f32[n]; out: f32[n]", "f", {"x": "input", "out": "output"})
        contract.create("out", np.zeros(100_000, "float32")).release()
        with pytest.raises(TypeError):
            contract.match(np.zeros(3), np.zeros(3))
        with pytest.raises(TypeError):
            contract.match(np.zeros(3, "float32"), 3)
        del contract
    gc.collect()
    assert dlferry.live() == 0


def test_documentation__example():
    code = inspect.getdoc(dlferry.Contract)
    start, end = code.index("    blur = "), code.index("parameters maps")
    program = "import dlferry, numpy\nimage = numpy.zeros((2, 3), 'f4')\n"
    program += inspect.cleandoc(code[start:end].replace("\n    ", "\n"))
    command = [sys.executable, "-c", program + "\nprint(out.shape)"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "(2, 3)\n"
