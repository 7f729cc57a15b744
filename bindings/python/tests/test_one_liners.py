# SPDX-License-Identifier: Apache-2.0
"""What a NumPy user types, on Tensors and on NumPy arrays of the same elements.

The results are the same, or the refusal is listed here with its reason."""

import copy
import operator
import pickle
import sys

import dlferry
import numpy as np
import pytest

ARRAY = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
NAMES = {"np": np, "copy": copy, "operator": operator, "pickle": pickle, "sys": sys}
# Other arrays: v has one axis, w whole numbers, s and n no axis, o one element.
OTHERS = {
    "v": np.array([3.5, -1.0, 0.0, 2.25]),
    "w": np.array([[1, 2], [3, 4]], np.int64),
    "s": np.array(2.5),
    "n": np.array(3),
    "o": np.array([7], np.int32),
    "b": np.array([True, False]),
    "c": np.array([1 + 2j, 3j]),
    "e": np.zeros((0, 3)),
}

SAME = """
t[0]; t[-1]; t[1, 2]; t[1, 2, 3]; t[...]; t[()]; t[:]; t[::-1]; t[:, 1]; t[..., 0]; t[0, ...]; t[..., 0, :]; t[None]
t[:, None]; t[None, ..., None]; t[0:1]; t[1:0]; t[:, ::2]; t[:, ::-2]; t[:, 5:]; t[-100:100]; t[1, 1:, ::-1]
t[np.int64(1)]; t[np.uint8(1), np.array(2)]; t[operator.index(1)]; t[slice(0, 2)]; t[slice(None), 1]; v[::-1]; v[2:]
v[-2:]; v[:-1]; v[1:3][::-1]; w[1]; w[:, 1]; w[::-1, ::-1]; e[:, 1]; e[::-1]; e[0:0]; c[::-1]; b[1:]; t.T; t.mT; w.T
v.T; s.T; t.T.T; t[0].T; t.reshape(-1); t.reshape(6, 4); t.reshape((4, 6)); t.reshape(2, -1); t.reshape([24])
t.reshape(1, 24).squeeze(); t.squeeze(); t[None].squeeze(0); t[None, :, None].squeeze((0, 2)); v.reshape(2, 2)
s.reshape(1); s.reshape(()); o.reshape(()); e.reshape(-1, 5); t.copy(); t[:, ::2].copy(); t.T.copy(); v.copy()
t.astype('float32'); t.astype(np.float32); w.astype('int64'); t.astype('float32', copy=False); t.shape; t.ndim; t.size
t.nbytes; t.itemsize; v.shape; s.shape; s.size; e.size; e.nbytes; w.itemsize; t.shape[0]; t[0].shape; len(t); len(v)
len(e); list(e); len(t[0]); t.tolist(); v.tolist(); w.tolist(); s.tolist(); n.tolist(); b.tolist(); c.tolist()
e.tolist(); t[::-1].tolist(); t.T.tolist(); s.item(); n.item(); o.item(); t.item(5); t.item(-1); t.item(1, 2, 3)
t.item((0, 1, 2)); v.item(1); w.item(3); b.item(0); c.item(1); t.tobytes(); t.T.tobytes(); v[::-1].tobytes()
e.tobytes(); b.tobytes(); int(n); float(s); complex(s); bool(n); bool(s); float(n); operator.index(n); range(n)
hex(n); [10, 20, 30, 40][n]; int(s); 2.25 in v; 5 in v; 0 in w; 3 in w; 23 in t; 24 in t; 1j in c; 3j in c; True in b
2.5 in s; 1 in e; 0.0 in t; np.float32(23) in t; [x.tolist() for x in t]; [x.tolist() for x in w]
[x.shape for x in t]; [row.tolist() for row in reversed(w)]; list(map(len, t)); sum(len(x) for x in t)
[i for i, _ in enumerate(v)]; [float(x) for x in v]; max(float(x) for x in v); dict(zip('ab', w.tolist()))
str(t.dtype); t.dtype == 'float32'; t.dtype == np.float32; w.dtype == np.dtype('int64'); b.dtype == bool
np.dtype(t.dtype); np.asarray(t); np.array(t); np.asarray(t, dtype='float64'); np.array(t, copy=True)
np.asarray(v[::-1]); np.asarray(e); np.asarray(s); np.asanyarray(t); np.ascontiguousarray(t.T); np.asfortranarray(t)
np.copy(t); np.sum(t); np.mean(t); np.add(t, 1); np.abs(v); np.max(t, axis=0); np.min(v); np.argmax(v); np.sort(v)
np.argsort(v); np.unique(w); np.concatenate([v, v]); np.stack([v, v]); np.vstack([w, w]); np.hstack([w, w])
np.dot(w, w); np.matmul(w, w); np.einsum('ij->ji', w); np.transpose(t); np.swapaxes(w, 0, 1)
np.reshape(np.asarray(t), 24); np.ravel(np.asarray(t)); np.allclose(t, t); np.array_equal(t, t); np.isnan(v)
np.where(np.asarray(v) > 0, v, 0); np.linalg.norm(v); np.ones(4) + v; np.ones(4) * v; np.ones(4) - v; np.ones(4) @ v
np.eye(2) @ w; np.ones(4) > v; np.shape(t); np.ndim(t); np.size(t); np.broadcast_to(v, (2, 4)); np.expand_dims(v, 0)
np.squeeze(np.asarray(t[None])); np.flip(np.asarray(t)); np.from_dlpack(t); np.from_dlpack(t.T)
np.from_dlpack(v[::-1]); np.may_share_memory(t, t); np.frombuffer(v); np.cumsum(v); np.diff(v); np.clip(v, 0, 1)
np.isin(v, [0.0]); np.tile(v, 2); np.repeat(v, 2); np.split(v, 2); np.outer(v, v); np.histogram(v, 2)
memoryview(v).tolist(); memoryview(t).shape; memoryview(t).strides; bytes(v); bytearray(v); memoryview(w).ndim
bytes(t[0]); copy.copy(t); copy.deepcopy(t); copy.copy(t[:, ::2]); pickle.loads(pickle.dumps(t)); t is t
(t == t) is not None; isinstance(hash(id(t)), int); callable(t.copy); hasattr(t, '__array__')
hasattr(t, '__dlpack__'); hasattr(t, '__array_interface__'); t.__array_interface__['typestr']
t.__array_interface__['shape']; t.T.__array_interface__['strides']; t.__dlpack_device__(); sys.getsizeof(t) > 0
t.__array_interface__['version']; t.__array__().shape; t.__array__('float64').dtype; not e.size
t.astype('float64'); t[:, ::-2].astype('int8'); w.astype('float16'); v.astype('int64'); b.astype('uint8')
v.astype('bool'); w.astype('complex64'); e.astype('int8'); s.astype('float32'); t.fill(7) or t; w.T.fill(-1) or w
b.fill(True) or b; c.fill(1 - 2j) or c; s.fill(np.float32(2.5)) or s; t.__setitem__(0, 1) or t
t.__setitem__((..., slice(None, None, -2)), np.float32(3)) or t; t.__setitem__(0, t[1]) or t
w.__setitem__(0, w[1]) or w; v.__setitem__(slice(1, None), v[:-1]) or v; s.__setitem__((), 4) or s
t.__setitem__((slice(None), 1), t[0, 0]) or t; e.__setitem__(..., 1) or e; c.__setitem__(0, 3) or c
"""

# In NumPy they work, or mean something else: the reason, and a part of what dlferry says.
COMPUTES = "dlferry has no arithmetic: write t.numpy() first"
NAMED = "another name: NumPy's methods beyond views are written with t.numpy()"
REFUSED = [
    ("t + 1", TypeError, "expected no arithmetic", COMPUTES),
    ("1 + t", TypeError, "expected no arithmetic", COMPUTES),
    ("t * 2", TypeError, "expected no arithmetic", COMPUTES),
    ("t - t", TypeError, "expected no arithmetic", COMPUTES),
    ("t / 2", TypeError, "expected no arithmetic", COMPUTES),
    ("t @ t", TypeError, "expected no arithmetic", COMPUTES),
    ("-t", TypeError, "expected no arithmetic", COMPUTES),
    ("abs(t)", TypeError, "expected no arithmetic", COMPUTES),
    ("t > 0", TypeError, "got >; write t.numpy() > 0", COMPUTES),
    ("1 <= t", TypeError, "got >=; write t.numpy() >= 1", COMPUTES),
    ("t < t", TypeError, "got <; write t.numpy() < u.numpy()", COMPUTES),
    ("divmod(t, 2)", TypeError, "got divmod(); write divmod(t.numpy(), 2)", COMPUTES),
    ("divmod(7, t)", TypeError, "got divmod(); write divmod(7, t.numpy())", COMPUTES),
    ("t % 2", TypeError, "got %; write t.numpy() % 2", COMPUTES),
    ("t.sum()", AttributeError, "no attribute 'sum'", COMPUTES),
    ("t.mean()", AttributeError, "no attribute 'mean'", COMPUTES),
    ("t.max()", AttributeError, "no attribute 'max'", COMPUTES),
    ("t.dot(t)", AttributeError, "no attribute 'dot'", COMPUTES),
    ("t.ravel()", AttributeError, "no attribute 'ravel'", NAMED + ", or t.reshape(-1)"),
    ("t.flatten()", AttributeError, "no attribute 'flatten'", NAMED + ", or t.reshape(-1, copy=True)"),
    ("t.transpose(1, 0, 2)", AttributeError, "no attribute 'transpose'", "torch and NumPy differ: t.permute(1, 0, 2)"),
    ("t.view('int32')", AttributeError, "no attribute 'view'", "t.bitcast('int32')"),
    ("t.base", AttributeError, "no attribute 'base'", "a view keeps the first owner, which may be no Python object"),
    ("t[[0, 1]]", TypeError, "is no view; write t.numpy()[...]", "integer arrays cannot be views"),
    ("t[np.array([0, 1])]", TypeError, "is no view; write t.numpy()[...]", "integer arrays cannot be views"),
    ("t[np.array([True, False])]", TypeError, "is no view; write t.numpy()[...]", "masks cannot be views"),
    ("t[True]", TypeError, "is no view; write t.numpy()[...]", "masks cannot be views"),
    ("t.__setitem__(0, v)", TypeError, "cast_into converts", "nothing is converted without being asked for"),
    ("v.__setitem__(..., v[0])", BufferError, "copy the source first", "NumPy makes a copy of what overlaps"),
    ("t.__setitem__([0], 1)", TypeError, "write t.numpy()[...]", "integer arrays cannot be views"),
    ("w.fill(1.5)", ValueError, "expected a number that int64 has, got 1.5", "NumPy drops the fraction"),
    ("t.T.reshape(-1)", BufferError, "strides that need a copy", "nothing is copied without being asked for"),
    ("c.astype('float64')", TypeError, "bitcast it to its parts first", "NumPy drops the imaginary part"),
    ("t.astype('i4')", TypeError, "int4 or int32?", "typestrings are never read as bits"),
]
ERRORS = """
t[2]; t[0, 3]; t[0, 0, 0, 0]; t[..., ...]; t['x']; t[1.0]; t[::0]; t.reshape(7); t.reshape(-1, -1); t.squeeze(0)
t[0, 0].mT; t.item(); t.item(24); t.item(0, 0, 4); t.item(0, 1); int(t); float(t); bool(t); operator.index(t)
operator.index(s); operator.index(o); len(s); iter(s); v[4]; w[0, 0, 0]; s[0]; e[0]
np.asarray(t, dtype='float64', copy=False); range(s); hex(s); hash(t) and t[9]
"""


def lines(text):
    return [line.strip() for line in text.replace("\n", ";").split(";") if line.strip()]


def run(line, convert):
    names = {name: convert(array) for name, array in {"t": ARRAY, **OTHERS}.items()}
    return eval(line, {**NAMES, **names})


def plain(x):
    """A result as NumPy's array, or as it is."""
    if isinstance(x, (dlferry.Tensor, np.ndarray, np.generic)):
        a = np.asarray(x)
        return (str(a.dtype), a.shape, a.tolist())
    if isinstance(x, (list, tuple)):
        return [plain(item) for item in x]
    return x


@pytest.mark.parametrize("line", lines(SAME))
def test_same_as_numpy(line):
    expected = run(line, np.copy)
    got = run(line, lambda a: dlferry.from_dlpack(np.copy(a)))
    assert plain(got) == plain(expected)


@pytest.mark.parametrize(("line", "kind", "said", "reason"), REFUSED)
def test_refused(line, kind, said, reason):
    assert reason
    with pytest.raises(kind) as caught:
        run(line, dlferry.from_dlpack)
    assert said in str(caught.value)


@pytest.mark.parametrize("line", lines(ERRORS))
def test_error_as_in_numpy(line):
    with pytest.raises((TypeError, ValueError, IndexError)) as theirs:
        run(line, np.copy)
    with pytest.raises((TypeError, ValueError, IndexError)) as ours:
        run(line, dlferry.from_dlpack)
    if type(theirs.value) is IndexError and "x" not in line and "1.0" not in line:
        assert isinstance(ours.value, IndexError)
    assert str(ours.value)


def test_table_is_long_enough():
    assert len(lines(SAME)) + len(REFUSED) + len(lines(ERRORS)) >= 171


def test_torch_asarray_flattens_every_buffer():
    """Hence a Tensor of several axes refuses a consumer that asks for no shape, and torch.asarray fails."""
    torch = pytest.importorskip("torch")
    assert torch.asarray(memoryview(ARRAY)).shape == (24,)
    t = dlferry.from_dlpack(ARRAY.copy())
    with pytest.raises(RuntimeError):
        torch.asarray(t)
    assert torch.from_dlpack(t).shape == torch.as_tensor(t).shape == ARRAY.shape
