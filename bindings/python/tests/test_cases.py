# SPDX-License-Identifier: Apache-2.0
"""tests/cases: each operation of the hub in Python, with the result, status and text that every language gives."""

import ctypes
import json
import math
from fnmatch import fnmatch

import dlferry
import pytest
from conftest import ROOT

FOLDER = ROOT / "tests" / "cases"
FILES = ("view", "compare", "layout", "float", "npy", "exchange", "access", "move")
CASES = [c for name in FILES for c in json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))["cases"]]
LANGUAGES = json.loads((FOLDER / "languages.json").read_text(encoding="utf-8"))
CANNOT, NAMES = LANGUAGES["cannot"]["python"], LANGUAGES["names"]["python"]


def item(ints):
    """An item of dlf_index as Python writes it."""
    kind, start, count, step = ints
    if kind:
        return start if kind == 1 else None
    stop = start + count * step
    return slice(start, stop if stop >= 0 else None, step)


def index(x, c):
    return x[tuple(item(c["ints"][i : i + 4]) for i in range(0, len(c["ints"]), 4))]


def on_axis(x, axis, part):
    """An index has its axis by its place."""
    if not 0 <= axis <= 64:
        raise NotImplementedError
    return x[(slice(None),) * axis + (part,)]


def cut(x, c):
    """Python itself refuses a step of 0."""
    axis, *part = c["ints"]
    if part[-1] == 0:
        raise NotImplementedError
    return on_axis(x, axis, item([0, *part]))


def read(x, c):
    """A tensor without lanes has lane 0, and its index is whole."""
    *where, lane = c["ints"]
    value = x.item(*where)
    return value[lane] if isinstance(value, tuple) and lane < len(value) else value


def number(c):
    reals = c.get("reals", c.get("ints"))
    return complex(*reals) if len(reals) == 2 else reals[0]


def export(x, c):
    *version, copy = c["ints"]
    device = tuple(dlferry.Device(c["text"])) if "text" in c else None
    copy = (None, True, False)[copy]
    return dlferry.from_dlpack(x.__dlpack__(max_version=tuple(version), copy=copy, dl_device=device))


def to_device(x, c):
    return dlferry.from_dlpack(x, device=c["text"], copy=(None, True, False)[c["ints"][0]])


def copy_into(x, _, y):
    x.copy_into(y)
    return y


def cast_into(x, _, y):
    x.cast_into(y)
    return y


def fill(x, c):
    x.fill(number(c))
    return x


def save(x, c):
    dlferry.npy_save(x, c["text"])
    return dlferry.npy_open(c["text"])


def opened(_, c):
    if "ints" in c:
        with open(c["text"], "wb") as file:
            file.write(bytes(c["ints"]))
    return dlferry.npy_open(c["text"])


class Buffer(ctypes.Structure):
    """Py_buffer."""

    _fields_ = [
        *(("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t)),
        *(("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("rest", ctypes.c_void_p * 8)),
    ]


# The bits of dlf_look_how that a consumer of the buffer protocol has: to write, and row-major elements. Else strides.
WRITE, ROW_MAJOR = 1, 2
PYBUF_WRITABLE, PYBUF_STRIDED, PYBUF_C_CONTIGUOUS = 0x1, 0x1C, 0x3C
python_api = ctypes.PyDLL(None)  # not ctypes.pythonapi: other files give its functions other types
get_buffer = python_api.PyObject_GetBuffer
get_buffer.argtypes = [ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int]


def look(x, c):
    how, buffer = c["ints"][0], Buffer()
    if how & ~(WRITE | ROW_MAJOR):
        raise NotImplementedError
    asked = (PYBUF_C_CONTIGUOUS if how & ROW_MAJOR else PYBUF_STRIDED) | (PYBUF_WRITABLE if how & WRITE else 0)
    get_buffer(x, buffer, asked)
    count = buffer.len // buffer.itemsize
    python_api.PyBuffer_Release(ctypes.byref(buffer))
    return count


def back(capsule):
    return dlferry.from_dlpack(capsule)


OPERATIONS = {
    "index": index,
    "slice": cut,
    "select": lambda x, c: on_axis(x, *c["ints"]),
    "permute": lambda x, c: x.permute(c["ints"]),
    "reshape": lambda x, c: x.reshape(c["ints"]),
    "broadcast": lambda x, c: x.broadcast_to(c["ints"]),
    "bitcast": lambda x, c: x.bitcast(c["text"]),
    "to_device": to_device,
    "copy_into": copy_into,
    "cast": lambda x, c: x.astype(c["text"], saturate="ints" in c),
    "cast_into": cast_into,
    "fill": fill,
    "all_close": lambda x, c, y: dlferry.all_close(x, y, *c["reals"], bool(c["ints"][0])),
    "contains": lambda x, c: number(c) in x,
    "read": read,
    "is_contiguous": lambda x, c: dlferry.is_contiguous(x, c["text"]),
    "compact_strides": lambda _, c: dlferry.compact_strides(c["ints"], c["text"]),
    "encode": lambda _, c: dlferry.dtype(c["text"]).encode(*c["reals"]),
    "npy_save": save,
    "npy_open": opened,
    "to_dlpack": lambda x, c: back(dlferry.to_dlpack(x)),
    "to_dlpack_legacy": lambda x, c: back(dlferry.to_dlpack_legacy(x)),
    "to_dlpack_copy": lambda x, c: back(x.__dlpack__(max_version=(1, 3), copy=True)),
    "export": export,
    "look": look,
    "wrap": lambda _, c: dlferry.wrap(bytearray(4 * c["ints"][0]), "float32", c["ints"][1:]),
}


def find(op):
    """How to call an operation: a function or method of its name takes the tensors and the ints."""
    function = getattr(dlferry, op, None) or getattr(dlferry.Tensor, op, None)
    named = function and (lambda x, c, *y: function(x, *y, *c.get("ints", ())))
    return OPERATIONS.get(op, named)


def told(value):
    """A result as the cases write it."""
    if isinstance(value, dlferry.Tensor):
        return dlferry.format(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return str(int(value) if math.isfinite(value) and value == int(value) else value)
    if isinstance(value, complex):
        return f"{told(value.real)} {told(value.imag)}"
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def outcome(c, malformed):
    x = malformed.tensor(c["x"]) if "x" in c else None
    more = [] if "y" not in c else [x if c["y"] == "x" else malformed.tensor(c["y"])]
    if c.get("closed"):
        x.release()
    try:
        return {"gives": told(find(c["op"])(x, c, *more))}
    except dlferry.Error as error:
        return {"fails": [error.status.name, str(error)]}
    except NotImplementedError:
        return {}


def expected(c):
    """A failure's text opens with the name of Python's function."""
    if "gives" in c:
        return {"gives": c["gives"]}
    status, text = c["fails"]
    function, _, rest = text.partition(":")
    return {"fails": [status, f"{NAMES.get(function, function)}:{rest}"]}


def is_listed(name, c):
    """Whether a line of languages.json is of an operation, a feature, or cases with such a name."""
    return name == c["op"] or fnmatch(c["name"], name) or (name == "closed" and c.get("closed"))


SAYABLE = [c for c in CASES if not any(is_listed(name, c) for name in CANNOT)]


@pytest.mark.parametrize("case", SAYABLE, ids=lambda c: c["name"])
def test_case(case, malformed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert outcome(case, malformed) == expected(case)


@pytest.mark.parametrize("name", sorted(CANNOT))
def test_cannot__is_so(name, malformed, tmp_path, monkeypatch):
    """What languages.json lists is not expressible: there is no operation, or no case of it gives what others give."""
    monkeypatch.chdir(tmp_path)
    listed = [c for c in CASES if is_listed(name, c)]
    assert listed, "no case needs this line of languages.json"
    print(f"not expressible in Python: {name}, {len(listed)} cases: {CANNOT[name]}")
    for c in listed:
        if find(c["op"]):
            assert outcome(c, malformed) != expected(c)
