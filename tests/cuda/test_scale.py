# SPDX-License-Identifier: Apache-2.0
"""The kernel of core/CONTRACTS.md on arrays of each framework and dtype: the values are right, and stay on the GPU."""

import dlferry
import numpy as np
import pytest

FACTOR = 0.75
# Calls on fewer than 65,536 bytes borrow their tensors and keep the GIL, larger ones own them and release it.
SIZES = [0, 1, 1000, 100_003]


def values(n):
    """Numbers that every dtype here holds; their products with the factor are rounded in float8."""
    return (np.arange(n) % 31 - 15).astype(np.float32)


def wanted(torch, n, dtype):
    """The same on the processor: in float32, then rounded as the kernel rounds."""
    kind = getattr(torch, dtype)
    x = torch.from_numpy(values(n)).to(kind).to(torch.float32)
    return (x * FACTOR).to(kind).to(torch.float32).numpy()


class Torch:
    def __init__(self, module):
        self.module = module

    def make(self, n, dtype):
        return self.module.from_numpy(values(n)).to("cuda").to(getattr(self.module, dtype))

    def empty(self, n, dtype):
        return self.module.zeros(n, dtype=getattr(self.module, dtype), device="cuda")

    def read(self, x):
        return x.to(self.module.float32).cpu().numpy()

    def address(self, x):
        return x.data_ptr()


class CuPy:
    def __init__(self, module):
        self.module = module

    def dtype(self, name):
        return name if name.startswith("float") and "_" not in name else getattr(pytest.importorskip("ml_dtypes"), name)

    def make(self, n, dtype):
        return self.module.asarray(values(n).astype(self.dtype(dtype)))

    def empty(self, n, dtype):
        return self.module.asarray(np.zeros(n, self.dtype(dtype)))

    def read(self, x):
        return x.get().astype(np.float32)

    def address(self, x):
        return x.data.ptr


FRAMEWORKS = {"torch": Torch, "cupy": CuPy}
DTYPES = ["float32", "float16", "bfloat16", "float8_e4m3fn"]


@pytest.fixture(params=FRAMEWORKS)
def framework(request):
    return FRAMEWORKS[request.param](request.getfixturevalue(request.param))


def exported(make, *arguments):
    """An array, if its framework has the dtype and exports it."""
    try:
        x = make(*arguments)
        x.__dlpack__()
    except Exception as error:
        pytest.skip(f"the framework does not export {arguments[-1]}: {error}")
    return x


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_scale__of_each_framework(torch, framework, vk, n, dtype):
    x, out = exported(framework.make, n, dtype), framework.empty(n, dtype)
    result = vk.scale(x, FACTOR, out)
    assert result is out
    np.testing.assert_array_equal(framework.read(out), wanted(torch, n, dtype))
    np.testing.assert_array_equal(framework.read(x), values(n))
    if n:
        assert vk.last_address() == framework.address(x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_scale__of_jax_into_torch(torch, jax, vk, n, dtype):
    x = exported(lambda n, dtype: jax.numpy.asarray(values(n), dtype=dtype), n, dtype)
    out = Torch(torch).empty(n, dtype)
    assert vk.scale(x, FACTOR, out=out) is out
    np.testing.assert_array_equal(Torch(torch).read(out), wanted(torch, n, dtype))
    if n:
        assert vk.last_address() == x.unsafe_buffer_pointer()


def test_scale__by_keywords(torch, vk):
    x, out = torch.ones(5, device="cuda"), torch.zeros(5, device="cuda")
    assert vk.scale(x=x, factor=2.0, out=out) is out
    assert out.tolist() == [2.0] * 5


def test_scale__frameworks_mixed(torch, cupy, jax, vk):
    ones = np.ones(70_000, np.float32)
    out = torch.zeros(70_000, device="cuda")
    assert vk.add(cupy.asarray(ones), jax.numpy.asarray(ones), out) is out
    assert bool((out == 2).all())
    mine = cupy.zeros(70_000, cupy.float32)
    assert vk.add(out, jax.numpy.asarray(ones), mine) is mine
    assert bool((mine == 3).all())


@pytest.mark.parametrize("n", [100, 100_000])
def test_scale__of_our_own_tensors(torch, vk, n):
    x, out = torch.ones(n, device="cuda"), torch.zeros(n, device="cuda")
    ours = dlferry.from_dlpack(out)
    assert vk.scale(dlferry.from_dlpack(x), 3.0, ours) is ours
    assert bool((out == 3).all())


def test_scale__of_a_subclass_of_torchs(torch, vk):
    x = torch.nn.Parameter(torch.ones(8, device="cuda"), requires_grad=False)
    out = torch.zeros(8, device="cuda")
    assert vk.scale(x, 2.0, out) is out
    assert out.tolist() == [2.0] * 8


@pytest.mark.parametrize("count", [1, 3])
def test_sum__of_a_list(torch, cupy, vk, count):
    parts = [torch.full((9,), float(i), device="cuda") for i in range(count)] + [cupy.ones(9, cupy.float32)]
    out = torch.zeros(9, device="cuda")
    assert vk.sum(parts, out) is out
    assert out.tolist() == [1.0 + sum(range(count))] * 9


def test_copy__any_strides(torch, vk):
    x = torch.arange(24.0, device="cuda").reshape(4, 6)
    out = torch.zeros(6, 4, device="cuda")
    vk.copy(x.t(), out)
    assert torch.equal(out, x.t().contiguous())
    part = torch.zeros(4, 3, device="cuda")
    vk.copy(x[:, ::2], part)
    assert torch.equal(part, x[:, ::2])


def test_fail__tells_cudas_text(torch, vk):
    with pytest.raises(dlferry.Error) as caught:
        vk.fail(torch.ones(1, device="cuda"), 2)
    assert str(caught.value) == "fail: kernel returned 2 (out of memory)"
    assert vk.text(0) == "no error"
