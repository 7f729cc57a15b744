# SPDX-License-Identifier: Apache-2.0
"""Use the installed wheel with arrays of NumPy, PyTorch and JAX: test_service.py ERRORS HOSTILE FRESH.

ERRORS is errors.py of the Python package dlferry, which the wheel does not use; HOSTILE is tests/cases/hostile.py;
FRESH is the environment of the wheel.
"""

import enum
import gc
import importlib.util
import subprocess
import sys
import threading
import types
from pathlib import Path

import jax.numpy
import numpy
import service
import torch

ERRORS, HOSTILE, FRESH = sys.argv[1:4]
READ_ONLY, IS_COPIED = 1, 2
ones = numpy.ones((2, 3), numpy.float32)


def refused(kind, text, call, *args, **asked):
    try:
        call(*args, **asked)
    except kind as error:
        assert text in str(error), error
        return error
    raise AssertionError(f"expected {kind.__name__}: {text}")


def name_of(capsule):
    return repr(capsule).split('"')[1]


def address(x):
    return x.__array_interface__["data"][0]


class Producer:
    """A foreign array with a given __dlpack__."""

    def __init__(self, dlpack, device=(1, 0)):
        self.dlpack, self.device = dlpack, device

    def __dlpack__(self, **asked):
        return self.dlpack(**asked)

    def __dlpack_device__(self):
        return self.device


def the_wheel_is_the_one_installed():
    assert service.__file__.startswith(FRESH), service.__file__
    assert "dlferry" not in sys.modules


def arrays_of_numpy():
    x = numpy.arange(6, dtype=numpy.float32).reshape(2, 3).T  # strided
    y = numpy.from_dlpack(service.doubled(x))
    assert y.shape == (3, 2) and (y == 2 * x).all(), y
    assert address(numpy.from_dlpack(service.same(x))) == address(x)
    assert (service.doubled_like(x) == 2 * x).all() and type(service.doubled_like(x)) is numpy.ndarray
    x.flags.writeable = False
    assert (numpy.from_dlpack(service.doubled(x)) == 2 * x).all()
    assert service.facts(x) == (READ_ONLY, address(x))
    assert not numpy.from_dlpack(service.same(x)).flags.writeable
    made = service.doubled(x)
    again = numpy.from_dlpack(service.doubled(made))  # its own come in as others' do
    assert (again == 4 * x).all(), again
    refused(BufferError, "expected float32, got float64", service.doubled, numpy.ones(2))
    masked = numpy.ma.masked_array(ones, ones > 0)
    assert service.facts(numpy.ma.masked_array(ones)) == (0, address(ones))  # it hides nothing
    refused(BufferError, "a masked array; pass .filled() or .data", service.doubled, masked)


def arrays_of_torch():
    x = torch.arange(6, dtype=torch.float32).reshape(2, 3).t()
    y = torch.from_dlpack(service.doubled(x))
    assert torch.equal(y, 2 * x), y
    assert torch.equal(torch.utils.dlpack.from_dlpack(service.doubled(x).__dlpack__()), 2 * x)  # DLPack 0.8
    assert service.facts(x) == (0, x.data_ptr())
    like = service.same_like(x)
    assert type(like) is torch.Tensor and like.data_ptr() == x.data_ptr() and like.stride() == x.stride()
    grad = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        assert service.facts(grad)[0] == READ_ONLY  # a write would bypass autograd
    refused(BufferError, "requires grad; pass .detach(), call it in torch.no_grad()", service.facts, grad)
    conj = torch.ones(2, dtype=torch.complex64).conj()
    refused(BufferError, "a lazily conjugated tensor; pass .resolve_conj()", service.facts, conj)
    refused(BufferError, "a lazily negated tensor; pass .resolve_neg()", service.facts, conj.imag)


def a_subclass_of_torch():
    """One with its own export is read by that; one without by the table."""

    class Plain(torch.Tensor):
        pass

    class Own(torch.Tensor):
        def __dlpack__(self, **asked):
            return torch.zeros(4).__dlpack__(**asked)

    x = torch.ones(4)
    assert service.facts(x.as_subclass(Plain))[1] == x.data_ptr()
    assert torch.from_dlpack(service.same(x.as_subclass(Own))).tolist() == [0] * 4


def arrays_of_jax():
    x = jax.numpy.arange(6, dtype=jax.numpy.float32).reshape(2, 3)
    y = jax.dlpack.from_dlpack(service.doubled(x))
    assert (y == 2 * x).all(), y
    assert service.facts(x) == (READ_ONLY, x.unsafe_buffer_pointer())
    like = service.doubled_like(x)
    assert isinstance(like, jax.Array) and (like == 2 * x).all()


def the_exchange_table_comes_first():
    table = type(service.same(ones)).__dlpack_c_exchange_api__
    assert 'capsule object "dlpack_exchange_api"' in repr(table), table

    class Both:
        __dlpack_c_exchange_api__ = table  # whose functions refuse this class

        def __dlpack__(self, **asked):
            raise AssertionError("the table is there")

    class Circle(Both):
        __dlpack_c_exchange_api__ = 0  # no table; the base's is next

    for x in (Both(), Circle()):
        refused(TypeError, "", service.same, x)

    class Old:
        __c_dlpack_exchange_api__ = 1 << 70  # not an address

        def __dlpack__(self, **asked):
            return ones.__dlpack__(**asked)

        def __dlpack_device__(self):
            return (1, 0)

    assert service.facts(Old())[1] == address(ones)


def a_consumer_of_the_table():
    """apache-tvm-ffi reads tensors through the table, like C code does."""
    import tvm_ffi

    made = service.doubled(ones)
    seen = tvm_ffi.from_dlpack(made)
    assert tuple(seen.shape) == (2, 3) and (numpy.from_dlpack(seen) == 2).all()


def a_copy_only_where_one_is_asked_for():
    made = service.doubled(ones)
    shared, again = numpy.from_dlpack(made), numpy.from_dlpack(made, copy=False)
    copied = numpy.from_dlpack(made, copy=True)
    assert numpy.shares_memory(shared, again) and not numpy.shares_memory(shared, copied)
    shared[0, 0] = 7
    assert (again[0, 0], copied[0, 0]) == (7, 2)
    one, other = (torch.utils.dlpack.from_dlpack(made.__dlpack__(copy=copy)) for copy in (None, True))
    assert (one.data_ptr() == address(shared), other.data_ptr() == address(shared)) == (True, False)
    assert (one == other).all()


def a_copy_of_an_import():
    for x, at in ((ones, address(ones)), (torch.ones(3), None)):
        at = at or x.data_ptr()
        for copy, device, shares in ((None, None, 1), (False, None, 1), (None, "cpu", 1), (True, None, 0)):
            assert (service.facts(service.imported(x, copy=copy, device=device))[1] == at) == shares, (x, copy, device)

    def copies(**asked):
        asked.pop("copy", None)
        return ones.__dlpack__(copy=True, **asked)

    refused(ValueError, "expected data that is shared, got a copy", service.imported, Producer(copies), copy=False)
    # A producer that has copied as asked is not copied again.
    assert service.facts(Producer(copies), copy=True)[0] == IS_COPIED
    assert service.facts(ones, copy=True)[0] == IS_COPIED
    assert service.facts(torch.ones(3), copy=True)[0] == 0  # by us
    # Our own copy is Rust's memory; the producer may have lent its copy to others.
    x = torch.ones(3)
    assert torch.from_dlpack(service.refilled(x)).tolist() == [7, 7, 7] and x.tolist() == [1, 1, 1]
    refused(ValueError, "expected memory that Rust allocated", service.refilled, ones.astype(numpy.float32))


def what_python_may_write():
    """Rust reads it by value, and neither borrows nor writes it; what Rust lends is not given away."""

    def write(x):
        numpy.from_dlpack(x)[:] = 7

    for like in (ones, torch.ones(1)):
        assert service.given_and_read(like, write) == [7, 7, 7]
    assert not numpy.from_dlpack(service.shared_read_only()).flags.writeable
    assert not service.borrowed_like(ones).flags.writeable
    refused(BufferError, "no read-only arrays, got read-only; pass a copy", service.borrowed_like, torch.ones(1))
    x = numpy.ones(3, numpy.float32)
    for array in (x, x[1:], torch.from_numpy(x), service.same(x)):
        refused(BufferError, "x: is not known to be writable", service.is_written, array)


def keywords_of_the_import():
    asked = []

    def dlpack(**keywords):
        asked.append(keywords)
        return ones.__dlpack__(max_version=(1, 3))

    cuda = Producer(dlpack, (2, 0))  # says it is elsewhere, so that the stream is named
    service.imported(Producer(dlpack))
    service.imported(cuda)
    service.imported(cuda, stream=2)
    service.imported(cuda, device="cpu", copy=None)
    service.imported(Producer(dlpack, (10, 0)))
    kind = enum.Enum("kind", {"CPU": 1})
    service.imported(Producer(dlpack, (kind.CPU, None)))  # a plain enum; Paddle's id
    version = {"max_version": (1, 3)}
    assert asked == [
        version,
        {**version, "stream": 1},
        {**version, "stream": 2},
        {**version, "dl_device": (1, 0)},
        {**version, "stream": 0},
        version,
    ], asked
    refused(BufferError, "unsupported device requested", service.imported, ones, device="cuda:1")  # NumPy's own text
    refused(BufferError, "expected device cuda:1, got cpu", service.imported, Producer(dlpack), device="cuda:1")
    refused(BufferError, "expected device cuda:0, got cpu", service.imported, torch.ones(2), device="cuda:0")
    for pair in ((1,), 1, (0, 0), (1, -1), ("cpu", 0), None):
        refused(ValueError, "a pair of device type and device id", service.same, Producer(dlpack, pair))


def the_structure_that_the_consumer_knows():
    made = service.doubled(ones)
    for copy in (None, False, True):
        for version, name in (
            (None, "dltensor"),
            ((0, 8), "dltensor"),
            ((1, 0), "dltensor_versioned"),
            ([1, 3], "dltensor_versioned"),
            ((2, 0), "dltensor_versioned"),
        ):
            assert name_of(made.__dlpack__(max_version=version, copy=copy)) == name
    refused(ValueError, "expected pairs of numbers for max_version and dl_device", made.__dlpack__, max_version=1)
    refused(TypeError, "", made.__dlpack__, None)  # by keyword only
    fixed = ones.copy()
    fixed.flags.writeable = False
    hidden = torch.utils.dlpack.from_dlpack(service.same(fixed).__dlpack__())  # the older one cannot say read-only
    assert hidden.data_ptr() != address(fixed)
    refused(BufferError, "", service.same(fixed).__dlpack__, copy=False)


def no_other_device_and_no_stream():
    made = service.doubled(ones)
    assert made.__dlpack_device__() == (1, 0)
    assert made.__dlpack__(dl_device=(1, 0), copy=False)
    refused(BufferError, "expected device cuda:1, got cpu", made.__dlpack__, dl_device=(2, 1))
    refused(BufferError, "expected device rocm:0, got cpu", made.__dlpack__, dl_device=(10, 0), copy=False)
    refused(ValueError, "expected stream None on cpu, got 1", made.__dlpack__, stream=1)
    refused(ValueError, "expected pairs of numbers for max_version and dl_device", made.__dlpack__, dl_device="cpu")
    refused(TypeError, "'str' object", made.__dlpack__, stream="1")


def the_class_in_python():
    made = service.doubled(numpy.ones((2, 3), numpy.float32))
    assert type(made) is type(service.same(ones)) and numpy.asarray(made).tolist() == [[2] * 3] * 2
    sys.path.append(str(Path(HOSTILE).parent))
    import classes

    for name, source in classes.inputs.items():
        classes.check(name, service.same(source))
    classes.finish()
    assert (service.is_given(), service.is_given(None), service.is_given(made)) == (False, False, True)


def producers_old_and_odd():
    """Of DLPack 0.8, with neither the keyword nor the structure; of one without the other; of neither's capsule."""

    def old(stream=None):
        return ones.__dlpack__()

    asked = []

    def halfway(**keywords):
        asked.append(keywords)
        return ones.__dlpack__()

    for dlpack in (
        old,
        halfway,
        lambda **asked: service.doubled(ones).__dlpack__(),
        lambda max_version: service.doubled(ones).__dlpack__(max_version=max_version),
    ):
        y = numpy.from_dlpack(service.doubled(Producer(dlpack)))
        assert (y == y[0, 0]).all() and y.shape == ones.shape, y
    assert asked == [{"max_version": (1, 3)}]
    copied = service.imported(Producer(old), copy=True)  # the keyword it lacks is ours to do
    assert service.facts(copied)[1] != address(ones)
    for used in (ones.__dlpack__(max_version=(1, 0)), ones.__dlpack__()):
        fresh = name_of(used)
        service.doubled(Producer(lambda used=used, **asked: used))
        assert name_of(used) == f"used_{fresh}"
        refused(ValueError, "a capsule that has not been consumed", service.doubled, used)
    service.doubled(ones.__dlpack__(max_version=(1, 0)))  # a capsule by itself
    refused(ValueError, "a DLPack capsule, got PyCapsule", service.doubled, table_capsule())
    for wrong in ("text", None, ones):
        refused(RuntimeError, "expected a capsule from", service.doubled, Producer(lambda wrong=wrong, **asked: wrong))

    def broken(**asked):
        raise TypeError("a mistake of its own")

    refused(TypeError, "a mistake of its own", service.doubled, Producer(broken))

    def other(**asked):
        raise LookupError("an exception of its own")

    refused(LookupError, "an exception of its own", service.doubled, Producer(other))
    # A refused tensor is released, and its capsule counts as used.
    wrong = numpy.ones(2).__dlpack__(max_version=(1, 0))
    refused(BufferError, "got float64", service.doubled, Producer(lambda wrong=wrong, **asked: wrong))
    assert name_of(wrong) == "used_dltensor_versioned"


def table_capsule():
    return type(service.same(ones)).__dlpack_c_exchange_api__


def what_is_no_array():
    class Nothing:
        __dlpack__ = None

    for x in (3, "text", None, Nothing(), numpy):
        error = refused(TypeError, "expected an array with __dlpack__ or a DLPack capsule, got ", service.same, x)
        assert isinstance(error, (AttributeError, service.Error))
    refused(AttributeError, "__dlpack_device__", service.same, types.SimpleNamespace(__dlpack__=lambda **asked: None))


def every_status_is_pythons_exception():
    """The classes are those of the Python package, which is not installed here."""
    spec = importlib.util.spec_from_file_location("errors", ERRORS)
    errors = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(errors)
    for status, wanted in errors.BY_STATUS.items():
        error = refused(service.Error, f"fail: expected 0, got {status}", service.fail, status)
        assert [base.__name__ for base in type(error).__mro__] == [base.__name__ for base in wanted.__mro__], error
        assert error.status == status
    assert refused(service.Error, "got 99", service.fail, 99).status == errors.Status.FOREIGN
    protocol = refused(service.Error, "", service.same, 3)
    assert [base.__name__ for base in type(protocol).__mro__] == [
        base.__name__ for base in errors.ProtocolError.__mro__
    ]


def the_packages_own_classes_if_it_is_imported():
    program = """
import importlib.util, sys, types
spec = importlib.util.spec_from_file_location("dlferry.errors", sys.argv[1])
errors = importlib.util.module_from_spec(spec)
spec.loader.exec_module(errors)
sys.modules["dlferry"] = package = types.ModuleType("dlferry")
package.errors = errors
import service
assert service.Error is errors.Error
try:
    service.fail(8)
except errors.ReadOnlyError as error:
    print(error.status.name)
"""
    done = subprocess.run([sys.executable, "-c", program, ERRORS], capture_output=True, text=True, check=True)
    assert done.stdout == "READ_ONLY\n", done


def release_on_any_thread():
    x = ones.copy()
    before = sys.getrefcount(x)
    service.drop_elsewhere(x)
    service.drop_elsewhere(torch.ones(3))
    service.drop_elsewhere(service.doubled(ones))
    assert sys.getrefcount(x) == before


def capsules_that_nobody_takes():
    made = service.doubled(ones)
    capsules = [made.__dlpack__(max_version=version, copy=copy) for version in (None, (1, 0)) for copy in (None, True)]
    del made
    assert service.live() == 3, service.live()  # the shared one and two copies
    del capsules


def import_hostile(name, x, copy):
    """A producer's own exception of any kind passes."""
    failure = None
    try:
        assert service.imported(x, copy=copy).shape == (2, 3)
    except BaseException as error:
        failure = error
    assert (failure is None) == name.startswith("+"), (name, copy, type(failure))


def hostile_producers():
    """Each is a tensor or an exception, and keeps nothing."""
    spec = importlib.util.spec_from_file_location("hostile", HOSTILE)
    hostile = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hostile)
    for name, x in hostile.objects.items():
        before = sys.getrefcount(hostile.array)
        for copy in (None, True, False):
            import_hostile(name, x, copy)
        hostile.kept = None
        gc.collect()
        assert (name, sys.getrefcount(hostile.array)) == (name, before)

    failures = []

    def all_of_them():
        for name, x in hostile.objects.items():
            try:
                if name not in ("nested", "+threads"):
                    import_hostile(name, x, None)
            except AssertionError as failure:
                failures.append(failure)

    several = [threading.Thread(target=all_of_them) for _ in range(4)]
    for one in several:
        one.start()
    for one in several:
        one.join()
    assert not failures, failures
    hostile.objects.clear()


for test in (
    the_wheel_is_the_one_installed,
    arrays_of_numpy,
    arrays_of_torch,
    a_subclass_of_torch,
    arrays_of_jax,
    the_exchange_table_comes_first,
    a_consumer_of_the_table,
    a_copy_only_where_one_is_asked_for,
    a_copy_of_an_import,
    what_python_may_write,
    keywords_of_the_import,
    the_structure_that_the_consumer_knows,
    no_other_device_and_no_stream,
    the_class_in_python,
    producers_old_and_odd,
    what_is_no_array,
    every_status_is_pythons_exception,
    the_packages_own_classes_if_it_is_imported,
    release_on_any_thread,
    capsules_that_nobody_takes,
    hostile_producers,
):
    references = sys.getrefcount(ones)
    test()
    gc.collect()
    assert service.live() == 0, (test.__name__, service.live())
    assert sys.getrefcount(ones) == references, test.__name__
print("pyo3: the wheel takes the arrays of NumPy, PyTorch and JAX and gives them back")
