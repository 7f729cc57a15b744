# SPDX-License-Identifier: Apache-2.0
"""A subinterpreter cannot import dlferry or a generated package. The main interpreter's tensors stay, even if
one of its threads releases them."""

import os
import subprocess
import sys

import pytest
from conftest import need

need("photo")

# Both kinds: one that shares the main interpreter's GIL, and one with a GIL of its own, from CPython 3.12 on.
START = """
import sys
try:
    import _interpreters as subs
except ImportError:
    import _xxsubinterpreters as subs

def create(kind):
    if hasattr(subs, "exec"):
        return subs.create(kind)
    return subs.create(isolated=kind == "isolated")

def run(sub, code):
    failed = (subs.exec if hasattr(subs, "exec") else subs.run_string)(sub, code)
    assert failed is None, failed

REFUSED = '''
import os, sys
seen = []
for round in range(3):
    for name in "dlferry", "photo", "dlferry", "dlferry._hub":
        try:
            __import__(name)
        except ImportError as error:
            seen.append(str(error))
            assert "subinterpreter" in str(error), error
            assert "dlferry" in str(error) or "photo" in str(error), error
            assert name not in sys.modules, name
assert len(seen) == 12, seen
'''
KIND = sys.argv[1]
"""

SHARED = """
sub = create(KIND)
run(sub, "try:\\n    import dlferry\\nexcept ImportError as error:\\n    text = str(error)\\n"
    "assert text == 'dlferry: expected the main interpreter, got a subinterpreter', text")
"""

BEFORE = """
subinterpreter = create(KIND)
run(subinterpreter, REFUSED)
import dlferry, photo, numpy as np
image = np.ones((4, 5), "float32")
t = dlferry.from_dlpack(image)
run(subinterpreter, REFUSED)
subs.destroy(subinterpreter)
assert photo.mean(t) == 1.0 and dlferry.live() == 1
t.release()
assert dlferry.live() == 0
"""

DURING = """
import dlferry, photo, gc, threading, weakref, numpy as np

class Array(np.ndarray):
    pass

log = []
def watched():
    a = np.ones((4, 5), "float32").view(Array)
    weakref.finalize(a, log.append, 1)
    return a

kept = dlferry.from_dlpack(watched())
for round in range(2):
    sub = create(KIND)
    run(sub, REFUSED)
    t = dlferry.from_dlpack(watched())
    assert photo.mean(t) == 1.0
    thread = threading.Thread(target=lambda: [photo.blur(t) for _ in range(100)])
    thread.start()
    run(sub, REFUSED)
    thread.join()
    if round % 2:
        subs.destroy(sub)
        del t
    else:
        del t
        subs.destroy(sub)
    gc.collect()
    assert log == [1] * (round + 1), log
    assert dlferry.live() == 1
np.testing.assert_array_equal(kept.numpy(), 1)
again = dlferry.from_dlpack(kept)
left = create(KIND)  # this one ends with the process, and so do the tensors
run(left, REFUSED)
"""

HIDDEN = """
import dlferry, numpy as np
held = dlferry.from_dlpack(np.zeros(3))
sub = create(KIND)
run(sub, "class Keeps:\\n    def __del__(self):\\n        try:\\n            import dlferry\\n"
    "        except ImportError:\\n            pass\\nkept = Keeps()\\nkept.itself = kept")
subs.destroy(sub)
assert dlferry.live() == 1 and held.numpy().tolist() == [0, 0, 0]
"""

# A thread that holds the GIL of the subinterpreter alone calls the deleters, while the main one uses such objects.
DELETERS = """
import ctypes, dlferry, threading, time, weakref, numpy as np

class Array(np.ndarray):
    pass

log = []
used = ctypes.c_char_p(b"used_dltensor_versioned")
api = ctypes.pythonapi
api.PyCapsule_GetPointer.restype = ctypes.c_void_p
api.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
api.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]

def exported():
    'The addresses of a managed tensor and of its deleter, which nothing else will call.'
    a = np.ones((4, 5), "float32").view(Array)
    weakref.finalize(a, log.append, 1)
    capsule = dlferry.from_dlpack(a).__dlpack__(max_version=(1, 0))
    managed = api.PyCapsule_GetPointer(capsule, b"dltensor_versioned")
    api.PyCapsule_SetName(capsule, used)
    return managed, ctypes.c_void_p.from_address(managed + 8 + ctypes.sizeof(ctypes.c_void_p)).value

sub = create(KIND)
for round in range(2):
    all = [exported() for _ in range(500)]
    code = f"import ctypes\\nfor x, f in {all}:\\n    ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(f)(x)"
    if round:
        thread = threading.Thread(target=run, args=(sub, code))
        thread.start()
        while thread.is_alive():
            [np.arange(3).view(Array) for _ in range(1000)]
        thread.join()
    else:
        run(sub, code)
    dlferry.create("int8", []).release()  # before CPython 3.12 a call of the hub releases them
    end = time.monotonic() + 10
    while len(log) < 500 * (round + 1) and time.monotonic() < end:
        time.sleep(0.01)
    assert (len(log), dlferry.live()) == (500 * (round + 1), 0), (len(log), dlferry.live())
subs.destroy(sub)
"""

PROGRAMS = {"text": SHARED, "before": BEFORE, "during": DURING, "at its end": HIDDEN, "deleters": DELETERS}
CASES = [(name, "legacy") for name in PROGRAMS]
if sys.version_info >= (3, 12):
    CASES += [(name, "isolated") for name in PROGRAMS if name not in ("text", "deleters")]  # the text is CPython's own
if sys.version_info >= (3, 13):  # ctypes has no earlier one for interpreters with a GIL of their own
    CASES += [("deleters", "isolated")]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_subinterpreter__is_refused(name, kind):
    command = [sys.executable, "-X", "faulthandler", "-c", START + PROGRAMS[name], kind]
    env = {**os.environ, "PYTHONWARNINGS": "ignore::DeprecationWarning"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert (done.returncode, done.stderr) == (0, "")
