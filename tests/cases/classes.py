# SPDX-License-Identifier: Apache-2.0
"""What a class that holds a tensor of ours does in Python, in any language that gives one: see README.md.

A program imports each of `inputs` and gives it back to Python as an object of its class; check(name, x) then looks at
x. After all objects are gone, finish() tells whether each tensor was released exactly once.
"""

import ctypes
import gc
import importlib.util
import sys
import weakref

import numpy
from structures import DELETER, Versioned

CPU, CUDA = 1, 2
UINT, FLOAT, BFLOAT = 1, 2, 4
STRUCT_DTYPES = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
OTHER = {"float32": "f8", "complex64": "c16", "complex128": "c8"}  # all others are converted to float32


kept = []  # never emptied: a consumer may call a deleter at any time, and its C must not go before


class Made:
    """A producer of a tensor with two elements, made by hand; it counts what it gives and how often a deleter runs."""

    def __init__(self, code, bits, device=CPU, flags=0, minor=3):
        self.code, self.bits, self.device = code, bits, device
        self.flags, self.minor = flags, minor
        self.given, self.deleted = [], []
        self.memory = (ctypes.c_uint16 * 4)(0x3F80, 0x4000)  # 1 and 2 as bfloat16
        self.shape, self.strides = (ctypes.c_int64 * 1)(2), (ctypes.c_int64 * 1)(1)
        self.deleter = DELETER(self.deleted.append)
        kept.append(self)

    def __dlpack_device__(self):
        return (self.device, 0)

    def __dlpack__(self, **asked):
        managed = Versioned(1, self.minor, None, ctypes.cast(self.deleter, ctypes.c_void_p).value, self.flags)
        t = managed.tensor
        t.data, t.device_type, t.ndim = ctypes.addressof(self.memory), self.device, 1
        t.code, t.bits, t.lanes = self.code, self.bits, 1
        t.shape, t.strides = self.shape, self.strides
        self.given.append(managed)
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(managed), NAME, None)


NAME = ctypes.c_char_p(b"dltensor_versioned")  # a capsule keeps its address


def read_only(array):
    array.flags.writeable = False
    return array


inputs = {
    "plain": numpy.arange(6, dtype="f4").reshape(2, 3),
    "line": numpy.arange(4, dtype="f8"),
    "strided": numpy.arange(24, dtype="i4").reshape(4, 6)[1::2, ::-3].T,
    "read_only": read_only(numpy.arange(3, dtype="i8")),
    "scalar": numpy.array(7, "i2"),
    "empty": numpy.zeros((0, 3), "f4"),
    "bfloat16": Made(BFLOAT, 16),
    "unknown": Made(UINT, 2),
    "flagged": Made(BFLOAT, 16, flags=1 << 7, minor=9),
    "cuda": Made(FLOAT, 32, CUDA),
}
inputs.update({f"dtype {name}": numpy.ones(3, name) for name in STRUCT_DTYPES})


def refused(kind, text, call, *args, **asked):
    try:
        call(*args, **asked)
    except kind as error:
        assert text in str(error), error
        return
    raise AssertionError(f"expected {kind.__name__}: {text}")


def address(array):
    return array.__array_interface__["data"][0]


def check_any(name, x):
    """A class that is not dlferry's Tensor does not say that it is one."""
    dlferry = sys.modules.get("dlferry")
    kind = type(x)
    if kind.__name__ == "Tensor":
        assert isinstance(x, dlferry.Tensor), kind
    else:
        assert (kind.__module__, kind.__name__) == ("dlferry", "SharedTensor"), kind
    assert "object at 0x" not in repr(x), repr(x)
    refused(TypeError, "", kind)
    assert weakref.ref(x)() is x
    assert "dlpack_exchange_api" in repr(kind.__dlpack_c_exchange_api__)


def check_array(x, source):
    array = numpy.asarray(x)
    for array in (numpy.asarray(x), x.__array__(), x.__array__(None), x.__array__(copy=False)):
        assert array.dtype == source.dtype and array.shape == source.shape and (array == source).all(), array
        assert array.flags.writeable == source.flags.writeable
        if source.size:  # no elements have no place
            assert address(array) == address(source) and array.strides == source.strides
    assert (tuple(x.shape), str(x.dtype), str(x.device)) == (source.shape, source.dtype.name, "cpu")
    if source.size:
        assert tuple(step * source.itemsize for step in x.strides) == source.strides
    assert f"{source.dtype.name}[" in repr(x), repr(x)


def check_copies(x, source):
    for copy in (x.__array__(copy=True), numpy.array(x), x.__array__(None, True)):
        assert copy.dtype == source.dtype and (copy == source).all() and copy.flags.writeable
        assert not numpy.shares_memory(copy, source)
    refused(TypeError, "", x.__array__, unknown=1)
    if not source.size:  # no elements have no place
        return
    other = numpy.dtype(OTHER.get(source.dtype.name, "f4"))
    for converted in (numpy.asarray(x, other), x.__array__(other), x.__array__(dtype=other, copy=True)):
        assert converted.dtype == other and (converted == source.astype(other)).all()
    assert address(x.__array__(source.dtype, copy=False)) == address(source)
    if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0":
        refused(ValueError, "Unable to avoid copy", x.__array__, other, copy=False)
        refused(ValueError, "Unable to avoid copy", numpy.asarray, x, other, copy=False)
        assert address(numpy.asarray(x, copy=False)) == address(source)


def check_buffer(x, source):
    view, wanted = memoryview(x), memoryview(source)
    assert (view.shape, view.itemsize) == (wanted.shape, wanted.itemsize)
    assert view.strides == wanted.strides or not source.size
    assert (view.readonly, view.ndim, view.nbytes) == (wanted.readonly, wanted.ndim, wanted.nbytes)
    assert struct_name(view.format) == struct_name(wanted.format), (view.format, wanted.format)
    assert view.tobytes() == wanted.tobytes()
    if source.ndim == 1 and source.flags.c_contiguous:
        assert b"".join([x]) == source.tobytes()  # a consumer that asks for no shape
    elif source.size > 1:
        refused((BufferError, TypeError), "", b"".join, [x])


def struct_name(text):
    """64 bits have two names."""
    return {"l": "q", "L": "Q"}.get(text, text)


def check_life(x, source):
    """Arrays and views keep the memory, without the object too."""
    views = [numpy.asarray(x), memoryview(x), x.__array__(), numpy.asarray(x)[:1]]
    del x
    gc.collect()
    assert views[0].tolist() == source.tolist()
    views[1].release()
    assert views[2].tolist() == source.tolist()


def check_written(x, source):
    before = source[0, 0]
    numpy.asarray(x)[0, 0] = 5
    assert source[0, 0] == 5 and numpy.from_dlpack(x)[0, 0] == 5
    memoryview(x)[0, 0] = before
    assert source[0, 0] == before


def check_read_only(x, source):
    assert memoryview(x).readonly
    refused(ValueError, "read-only", numpy.asarray(x).__setitem__, 0, 1)
    refused((BufferError, TypeError), "", lambda: (ctypes.c_int64 * 3).from_buffer(x))  # which writes
    assert x.__array__(copy=True).flags.writeable


def check_bfloat16(x):
    refused(BufferError, "expected a dtype that the struct module has", memoryview, x)
    assert x.dtype == "bfloat16" and "bfloat16[2] cpu" in repr(x)
    if importlib.util.find_spec("ml_dtypes") is None:
        refused(TypeError, "expected a dtype that NumPy or ml_dtypes has, got bfloat16", numpy.asarray, x)
        return
    array = numpy.asarray(x)
    assert array.dtype.name == "bfloat16" and array.tolist() == [1, 2]
    assert address(array) == ctypes.addressof(inputs["bfloat16"].memory)
    assert numpy.asarray(x, "f4").tolist() == [1, 2] and numpy.array(x, copy=True).tolist() == [1, 2]


def check_unknown(x):
    """Packed elements of two bits: NumPy has none, and a buffer neither; never an array of objects."""
    text = "expected a dtype that NumPy or ml_dtypes has, got uint2, packed; write"
    refused(TypeError, text, numpy.asarray, x)
    refused(TypeError, text, x.__array__)
    refused(BufferError, "expected elements of whole bytes, got uint2", memoryview, x)


def check_flagged(x):
    """A flag that DLPack 1.3 does not name may change where elements lie: no way to NumPy may lose it."""
    text = "expected flags that DLPack 1.3 names, got 0x80"
    for call in (numpy.asarray, numpy.array, memoryview, lambda x: x.__array__(), lambda x: x.__array__(copy=True)):
        refused((BufferError, NotImplementedError), text, call, x)
    assert "flags 0x80" in repr(x), repr(x)


def check_cuda(x):
    text = "expected data that the processor can reach, got cuda:0"
    for call in (numpy.asarray, numpy.array, memoryview, lambda x: x.__array__(), lambda x: x.__array__(copy=True)):
        refused(BufferError, text, call, x)
    assert "float32[2] cuda:0" in repr(x) and str(x.device) == "cuda:0", repr(x)
    assert tuple(x.__dlpack_device__()) == (CUDA, 0)


def check(name, x):
    """Look at an object that came from inputs[name]."""
    source = inputs[name]
    check_any(name, x)
    if isinstance(source, Made):
        checks = {"bfloat16": check_bfloat16, "unknown": check_unknown, "flagged": check_flagged, "cuda": check_cuda}
        checks[name](x)
        return
    check_array(x, source)
    check_copies(x, source)
    check_buffer(x, source)
    if name == "plain":
        check_written(x, source)
    if name == "read_only":
        check_read_only(x, source)
    if source.size and source.ndim:
        check_life(x, source)


def finish():
    gc.collect()
    for name, source in inputs.items():
        if isinstance(source, Made):
            given = [ctypes.addressof(managed) for managed in source.given]
            assert given and sorted(source.deleted) == sorted(given), (name, len(given), len(source.deleted))
