# SPDX-License-Identifier: Apache-2.0
"""Files in NumPy's format, written and read by both sides."""

import os
import threading
from pathlib import Path

import dlferry
import numpy as np
import pytest
from conftest import need

torch = need("torch")

ARRAYS = {
    "plain": np.arange(6.0).reshape(2, 3),
    "fortran": np.asfortranarray(np.arange(6, dtype="int16").reshape(2, 3)),
    "turned": np.arange(24, dtype="complex64").reshape(4, 6)[::-2, 1::3],
    "none": np.zeros((0, 3), "uint8"),
    "scalar": np.array(True),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_both_ways(tmp_path, name):
    a = ARRAYS[name]
    ours, theirs = tmp_path / "ours.npy", tmp_path / "theirs.npy"
    dlferry.npy_save(a, ours)
    np.save(theirs, a)
    for path in (ours, theirs):
        back = np.load(path)
        t = dlferry.npy_open(path)
        assert back.dtype == a.dtype == t.dtype and (back == a).all() and back.shape == a.shape == t.shape
        assert (t.numpy() == a).all() and t.numpy().flags.writeable == (a.size == 0) and t.device == "cpu"
        t.release()


def test_paths__of_every_kind(tmp_path):
    folder = tmp_path / "ünï"
    folder.mkdir()
    path = folder / "x.npy"
    for kind in (path, str(path), os.fsencode(path)):
        dlferry.npy_save(np.arange(3), kind)
        with dlferry.npy_open(kind) as t:
            assert t.shape == (3,)
        path.unlink()
    for wrong in (3, None, b"a\0b", "a\0b", object()):
        with pytest.raises((TypeError, ValueError)):
            dlferry.npy_open(wrong)
        with pytest.raises((TypeError, ValueError)):
            dlferry.npy_save(np.zeros(1), wrong)


def test_arrays__of_every_framework(tmp_path):
    path = tmp_path / "x.npy"
    a, t = np.arange(3.0), torch.arange(3.0)
    for x in (t, dlferry.from_dlpack(a), memoryview(a), t.__dlpack__()):
        dlferry.npy_save(x, path)
        assert np.load(path).tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="npy_save: expected an array"):
        dlferry.npy_save([1, 2], path)
    with pytest.raises(TypeError, match="npy_save: "):
        dlferry.npy_save(torch.zeros(2, dtype=torch.bfloat16), path)
    assert np.load(path).tolist() == [0, 1, 2], "a failure keeps the older file"


def test_mapping__lives_as_long_as_its_users(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.arange(1000.0))
    array = dlferry.npy_open(path).numpy()
    path.unlink()
    assert array.sum() == 499500 and dlferry.live() == 1
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1
    del array


@pytest.mark.parametrize(
    ("call", "kind", "number"),
    [
        (lambda folder: dlferry.npy_open(folder / "absent.npy"), FileNotFoundError, 2),
        (lambda folder: dlferry.npy_save(np.zeros(1), folder / "absent" / "x.npy"), FileNotFoundError, 2),
        (lambda folder: dlferry.npy_open(folder / "file" / "x.npy"), OSError, 20),
    ],
)
def test_failure__of_the_system_is_pythons_too(tmp_path, call, kind, number):
    (tmp_path / "file").touch()
    with pytest.raises(kind, match=r"^npy_(open|save): expected a file at '.*', got: ") as caught:
        call(tmp_path)
    assert isinstance(caught.value, dlferry.errors.ForeignError) and caught.value.errno == number
    assert caught.value.status is dlferry.Status.FOREIGN


def test_failure__of_the_contents(tmp_path):
    path = tmp_path / "x.npy"
    for contents in (b"", b"PK\3\4", b"\x93NUMPY\1\0"):
        path.write_bytes(contents)
        with pytest.raises(ValueError, match="npy_open: "):
            dlferry.npy_open(path)
    with pytest.raises(ValueError, match="npy_open: "):
        dlferry.npy_open(tmp_path)
    np.save(path, np.array(["text"]))
    with pytest.raises(TypeError, match="npy_open: "):
        dlferry.npy_open(path)
    np.save(path, np.arange(3).astype(">i4"))
    with pytest.raises(NotImplementedError, match="npy_open: "):
        dlferry.npy_open(path)


def test_threads__save_and_open_at_once(tmp_path):
    a, failed = np.arange(100_000.0), []

    def work(number):
        try:
            for _ in range(5):
                path = Path(tmp_path, f"{number}.npy")
                dlferry.npy_save(a, path)
                assert dlferry.npy_open(path).numpy()[-1] == a[-1]
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
