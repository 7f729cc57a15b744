# SPDX-License-Identifier: Apache-2.0
"""The matrix can fail: a fault planted in dlferry or in a peer is found, and the one at fault is named."""

import os
import sys
from pathlib import Path

import dlferry
import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent / "adapters")]

import one_peer  # noqa: E402
import peers  # noqa: E402
import table  # noqa: E402
import witness  # noqa: E402
from cells import Case  # noqa: E402
from peer_numpy import Peer  # noqa: E402
from systems import System  # noqa: E402

CASE = Case("int16", "contiguous")
KEPT = []


class Planted:
    """dlferry with another from_dlpack."""

    def __init__(self, from_dlpack):
        self.from_dlpack, self.live = from_dlpack, dlferry.live


def copies(x, **options):
    return dlferry.from_dlpack(x).copy()


def refuses(x, **options):
    raise BufferError("from_dlpack: expected less, got more")


def leaks(x, **options):
    KEPT.append(dlferry.from_dlpack(x))
    return KEPT[-1]


def mistakes(x, **options):
    t = dlferry.from_dlpack(x)
    return dlferry.wrap(t.numpy().view("uint16"))


@pytest.mark.parametrize("direction", ["from", "to"])
@pytest.mark.parametrize("fault", [copies, refuses, leaks, mistakes])
def test_planted__in_dlferry(monkeypatch, fault, direction):
    monkeypatch.setattr(one_peer, "dlferry", Planted(fault))
    monkeypatch.setattr(one_peer, "until", lambda done, wait_for=None: done())
    row = one_peer.cell(Peer(), CASE, direction)
    KEPT.clear()
    assert row["fault"] == "dlferry", row
    found = {"rows": [{**row, "direction": direction, "dtype": "int16", "layout": "contiguous"}], "name": "NumPy"}
    assert any("dlferry is at fault" in problem for problem in table.problems(found))


class Liar(Peer):
    """A peer whose capsule and whose own reading differ."""

    def give(self, x):
        return x.view("uint16")

    def read(self, x):
        seen = super().read(x)
        seen.dtype = "int16"
        return seen


class Copier(Peer):
    def take(self, x):
        return super().take(x).copy()


class Refuser(Peer):
    def take(self, x):
        raise BufferError("not today")


@pytest.mark.parametrize(
    ("peer", "direction", "result"), [(Liar, "from", "dtype"), (Copier, "to", "copied"), (Refuser, "to", "refuses")]
)
def test_planted__in_a_peer(peer, direction, result):
    row = one_peer.cell(peer(), CASE, direction)
    assert (row["result"], row["fault"]) == (result, "peer"), row
    found = {"rows": [{**row, "direction": "from", "dtype": "int16", "layout": "contiguous"}], "name": "NumPy"}
    assert [problem for problem in table.problems(found) if "dlferry is" in problem] == []


ABORTS = """
import os
from peer_numpy import Peer as Base

class Peer(Base):
    dtypes = ["int8"]

    def take(self, x):
        taken = super().take(x)
        if taken.shape == () and {condition}:
            os._exit(3)
        return taken
"""


@pytest.mark.parametrize(("condition", "fault"), [("True", "peer"), ("type(x).__name__ == 'Tensor'", "dlferry")])
def test_planted__a_crash(tmp_path, monkeypatch, condition, fault):
    (tmp_path / "peer_aborts.py").write_text(ABORTS.format(condition=condition))
    paths = [tmp_path, Path(__file__).parent, Path(__file__).parent / "adapters"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    found = peers.run(System("aborts", "Aborts", "main"), sys.executable, print)
    crashed = [row for row in found["rows"] if row["result"] == "crashes"]
    assert [row["fault"] for row in crashed] == [fault], crashed
    assert len([row for row in found["rows"] if row["result"] == "same"]) == 15


def test_planted__a_layout_that_ends_the_process_is_tried_once(tmp_path, monkeypatch):
    (tmp_path / "peer_aborts.py").write_text(ABORTS.format(condition="True").replace('["int8"]', '["int8", "int16"]'))
    paths = [tmp_path, Path(__file__).parent, Path(__file__).parent / "adapters"]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    system = System("aborts", "Aborts", "main", ends=frozenset({("to", "0-d"), ("to", "negative")}))
    found = peers.run(system, sys.executable, print)
    missed = [(row["dtype"], row["layout"], row["result"], row["fault"]) for row in found["rows"] if "fault" in row]
    assert missed == [("int8", "0-d", "crashes", "peer"), ("int16", "0-d", "left out", "peer")]
    assert len([row for row in found["rows"] if row["result"] == "same"]) == 30


class UnsignedStrides(Peer):
    """A peer that divides its strides as unsigned numbers, which CuPy 14.2 does."""

    def export(self, x, **options):
        capsule = super().export(x, **options)
        tensor = witness.open_capsule(capsule)[0].tensor
        for axis, stride in enumerate(x.strides):
            tensor.strides[axis] = (stride % (1 << 64)) // x.itemsize
        return capsule

    def give(self, x):
        return witness.Watched(x, self.export)


@pytest.mark.parametrize("dtype", ["int16", "int64", "complex128"])
def test_planted__strides_that_only_wrap_to_the_right_addresses(dtype):
    row = one_peer.cell(UnsignedStrides(), Case(dtype, "negative"), "from")
    assert (row["result"], row["fault"]) == ("refuses", "peer"), row
    assert "SizeOverflowError: from_dlpack: expected " in row["text"]
    assert row["proof"].startswith("its export alone: ValueError: strides ["), row


def test_table__is_read_as_it_was_written(tmp_path):
    row = {**one_peer.cell(Refuser(), CASE, "to"), "direction": "to", "dtype": "int16", "layout": "contiguous"}
    same = {"direction": "from", "dtype": "int16", "layout": "contiguous", "result": "same"}
    found = {"key": "numpy", "name": "NumPy", "version": "1", "python": "3.13.0", "rows": [row, same]}
    path = tmp_path / "peers.md"
    path.write_text(table.merge(table.read(path), [found]))
    assert list(table.differences(table.read(path), [found])) == []
    assert path.read_text() == table.merge(table.read(path), [])
    row["text"] = "BufferError: not tomorrow | either"
    assert len(list(table.differences(table.read(path), [found]))) == 1
    assert list(table.differences(table.read(path), [{**found, "version": "2"}])) == []
    elsewhere = {"name": "NumPy", "rows": [], "not_run": "needs hardware: a processor"}
    assert table.merge(table.read(path), [elsewhere]) == path.read_text()
