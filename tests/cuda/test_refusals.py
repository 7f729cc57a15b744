# SPDX-License-Identifier: Apache-2.0
"""What a function with a CUDA contract does not take is refused before the launch, with the document's sentences."""

import re
from pathlib import Path

import dlferry
import numpy as np
import pytest

CONTRACTS = Path(__file__).resolve().parents[2] / "core" / "CONTRACTS.md"


@pytest.fixture
def x(torch):
    return torch.ones(4, device="cuda")


def refused(call, text, status):
    with pytest.raises(dlferry.Error) as caught:
        call()
    assert str(caught.value) == text
    assert caught.value.status is status


def test_device__the_sentence_of_the_document(torch, vk, x):
    (sentence,) = re.findall(r"refused before the launch: `(.*?)`", CONTRACTS.read_text(encoding="utf-8"))
    device = dlferry.Status.DEVICE
    refused(lambda: vk.scale(torch.ones(4), 2.0, x), sentence, device)
    refused(lambda: vk.scale(np.ones(4, np.float32), 2.0, x), sentence, device)
    refused(lambda: vk.scale(torch.ones(100_000), 2.0, x), sentence, device)
    assert x.tolist() == [1.0] * 4


def test_device__samedevice(torch, vk, x):
    text = "scale: out: device is cpu, wanted cuda:0 as x: pass a tensor there"
    refused(lambda: vk.scale(x, 2.0, torch.zeros(4)), text, dlferry.Status.DEVICE)
    refused(lambda: vk.scale(x, 2.0, np.zeros(4, np.float32)), text, dlferry.Status.DEVICE)


def test_device__a_function_for_the_processor(torch, x):
    mean = dlferry.Contract("x: f32[n]", "mean", {"x": "input"})
    refused(lambda: mean.match(x), "mean: x: device is cuda:0, wanted cpu: pass a copy there", dlferry.Status.DEVICE)


def test_out__is_not_made_on_the_device(vk, x):
    text = "scale: out must be given: none is made on cuda:0; wanted T[n] noalias samedevice"
    refused(lambda: vk.scale(x, 2.0), text, dlferry.Status.UNSUPPORTED)


def test_dtype_and_extent(torch, vk, x):
    text = "scale: x: dtype is f64, expected T in f32|f16|bf16|f8_e4m3fn; got f64[4], wanted T[n] cuda"
    refused(lambda: vk.scale(x.double(), 2.0, x), text, dlferry.Status.DTYPE)
    text = "scale: out[n] is 3, expected 4 as x[n]; got f32[3], wanted T[n] noalias samedevice"
    refused(lambda: vk.scale(x, 2.0, torch.zeros(3, device="cuda")), text, dlferry.Status.SHAPE)


def test_noalias(torch, vk):
    x = torch.ones(10, device="cuda")
    text = "scale: out: shares memory with x; wanted T[n] noalias samedevice"
    for out in (x[:6], x[4:]):
        with pytest.raises(dlferry.Error) as caught:
            vk.scale(x[2:8], 2.0, out)
        assert str(caught.value) == text
    vk.scale(x[:5], 2.0, x[5:])
    assert x.tolist() == [1.0] * 5 + [2.0] * 5


def test_noalias__between_frameworks(torch, cupy, vk):
    x = torch.ones(10, device="cuda")
    with pytest.raises(dlferry.Error, match="scale: out: shares memory with x"):
        vk.scale(x, 2.0, cupy.from_dlpack(x))


def test_layout(torch, vk, x):
    text = "scale: x: layout is strided, wanted row-major: pass a row-major copy"
    with pytest.raises(dlferry.Error) as caught:
        vk.scale(torch.ones(8, device="cuda")[::2], 2.0, x)
    assert str(caught.value) == text


def test_alignment__is_that_of_the_devices_address(torch, vk):
    x, out = torch.ones(9, device="cuda"), torch.zeros(8, device="cuda")
    vk.negate(x[:8], out)
    assert out.tolist() == [-1.0] * 8
    with pytest.raises(dlferry.Error, match="negate: x: is not aligned to 16 bytes: pass an aligned copy"):
        vk.negate(x[1:], out)


def test_written__jax_arrays_never_change(jax, vk, x):
    with pytest.raises(dlferry.Error, match="scale: out: is read-only; JAX's arrays never change"):
        vk.scale(x, 2.0, jax.numpy.zeros(4))


def test_gradient(torch, vk, x):
    w = torch.ones(4, device="cuda", requires_grad=True)
    with pytest.raises(BufferError, match="scale: x: expected a tensor without a gradient"):
        vk.scale(w, 2.0, x)
    with pytest.raises(BufferError, match=r"scale: out: .*requires grad; pass \.detach\(\)"):
        vk.scale(x, 2.0, w)
    for options in ({}, {"device": "cpu"}, {"copy": True}):
        with pytest.raises(BufferError, match=r"from_dlpack: expected a tensor without a gradient.*pass \.detach\(\)"):
            dlferry.from_dlpack(w, **options)
    with torch.no_grad():
        vk.scale(w, 2.0, x)
        t = dlferry.from_dlpack(w)  # which torch's own __dlpack__ would refuse
        assert t.readonly and t.data == w.data_ptr()
        assert dlferry.from_dlpack(w, device="cpu").tolist() == [1.0] * 4
    assert x.tolist() == [2.0] * 4
    vk.scale(w.detach(), 3.0, x)
    assert x.tolist() == [3.0] * 4


def test_gradient__a_write_raises_the_version(torch, vk, x):
    before = x._version
    vk.scale(torch.ones(4, device="cuda"), 2.0, x)
    assert x._version == before + 1


def test_lazy_values(torch, vk, x):
    with pytest.raises(dlferry.Error, match=r"lazily negated tensor; pass \.resolve_neg\(\)"):
        vk.scale(torch._neg_view(x), 2.0, torch.zeros(4, device="cuda"))


def test_sparse(torch, vk, x):
    with pytest.raises(dlferry.Error, match=r"sparse_coo; pass \.to_dense\(\)"):
        vk.scale(x.to_sparse(), 2.0, x)
