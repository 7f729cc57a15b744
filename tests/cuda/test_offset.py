# SPDX-License-Identifier: Apache-2.0
"""Tensors whose elements begin byte_offset bytes behind data: a kernel that reads x->data alone gets the right ones."""

import dlferry
import pytest
from lent import Lent, lent_by

SIZES = [64, 100_000]


@pytest.fixture(params=SIZES, ids=["small", "large"])
def x(torch, request):
    return torch.arange(float(request.param), device="cuda")


@pytest.mark.parametrize("through_us", [False, True], ids=["producer", "tensor"])
def test_offset__of_an_input(torch, vk, x, through_us):
    lent = lent_by(x, offset=64)
    given = dlferry.from_dlpack(lent) if through_us else lent
    out = torch.zeros(len(x) - 16, device="cuda")
    vk.scale(given, 2.0, out)
    assert vk.last_address() == x.data_ptr() + 64
    assert torch.equal(out, x[16:] * 2)


@pytest.mark.parametrize("through_us", [False, True], ids=["producer", "tensor"])
def test_offset__of_an_output(torch, vk, x, through_us):
    before = x.clone()
    lent = lent_by(x, offset=64, length=16)
    given = dlferry.from_dlpack(lent) if through_us else lent
    assert vk.scale(torch.full((16,), 3.0, device="cuda"), 2.0, given) is given
    torch.cuda.synchronize()
    assert torch.equal(x[:16], before[:16]) and torch.equal(x[32:], before[32:])
    assert x[16:32].tolist() == [6.0] * 16


def test_offset__of_both_and_of_a_list(torch, vk, x):
    whole = torch.zeros_like(x)
    vk.scale(lent_by(x, offset=32), 2.0, lent_by(whole, offset=32))
    torch.cuda.synchronize()
    assert torch.equal(whole[8:], x[8:] * 2) and whole[:8].tolist() == [0.0] * 8
    out = torch.zeros(len(x) - 8, device="cuda")
    vk.sum([lent_by(x, offset=32), x[8:], lent_by(x, offset=0, length=len(x) - 8)], out)
    assert torch.equal(out, x[8:] + x[8:] + x[:-8])


def test_offset__of_a_matrix(torch, vk):
    x = torch.arange(24.0, device="cuda")
    lent = Lent(x, x.data_ptr(), [4, 5], (2, 0), offset=16)
    out = torch.zeros(5, 4, device="cuda")
    vk.copy(dlferry.from_dlpack(lent).T, out)
    assert torch.equal(out, x[4:].reshape(4, 5).t().contiguous())


def test_offset__counts_for_alignment(torch, vk, x):
    out = torch.zeros(len(x) - 4, device="cuda")
    vk.negate(lent_by(x, offset=16), out)
    assert torch.equal(out, -x[4:])
    with pytest.raises(dlferry.Error, match="negate: x: is not aligned to 16 bytes: pass an aligned copy"):
        vk.negate(lent_by(x, offset=4, length=len(x) - 4), out)
    with pytest.raises(dlferry.Error, match="scale: x: is not aligned to 4 bytes: pass an aligned copy"):
        vk.scale(lent_by(x, offset=2, length=len(x) - 4), 1.0, out)


def test_offset__counts_for_overlap(torch, vk, x):
    with pytest.raises(dlferry.Error, match="scale: out: shares memory with x"):
        vk.scale(lent_by(x, offset=16, length=8), 2.0, x[:8])
    vk.scale(lent_by(x, offset=32, length=8), 2.0, x[:8])
    assert x[:8].tolist() == [16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0, 30.0]


def test_offset__of_slices_by_us(torch, vk, x):
    ours = dlferry.from_dlpack(lent_by(x, offset=64))
    out = torch.zeros(10, device="cuda")
    vk.scale(ours[6:16], 2.0, out)
    assert torch.equal(out, x[22:32] * 2)
    vk.scale(out, 1.0, ours[0:10])
    torch.cuda.synchronize()
    assert torch.equal(x[16:26], out)


def test_offset__reaches_other_frameworks(torch, cupy, jax, x):
    """What consumers do with the offset is theirs to say: a view by us has none."""
    ours = dlferry.from_dlpack(lent_by(x, offset=128))
    assert ours.data == x.data_ptr() + 128
    assert cupy.from_dlpack(ours).get().tolist() == x[32:].tolist()
    there = torch.from_dlpack(ours[0:])
    assert there.data_ptr() == x.data_ptr() + 128 and torch.equal(there, x[32:])
