# SPDX-License-Identifier: Apache-2.0
"""Python starts Julia and they exchange tensors as Python objects: embed.py EMBED_JULIA.py ROOM.json

Julia has two threads. Some of its calls hold the GIL, others do not.
"""

import ctypes
import gc
import importlib.util
import json
import sys
import threading
from pathlib import Path

import numpy

spec = importlib.util.spec_from_file_location("embed_julia", sys.argv[1])
embed_julia = importlib.util.module_from_spec(spec)
spec.loader.exec_module(embed_julia)
entry = json.loads(Path(sys.argv[2]).read_text())
entry["environment"]["JULIA_NUM_THREADS"] = "2"
julia = embed_julia.start(entry)
with_gil = ctypes.PyDLL(entry["libjulia"])
with_gil.jl_eval_string.restype, with_gil.jl_eval_string.argtypes = ctypes.c_void_p, [ctypes.c_char_p]
with_gil.jl_string_ptr.restype, with_gil.jl_string_ptr.argtypes = ctypes.c_char_p, [ctypes.c_void_p]


def run(code, library=julia):
    return embed_julia.evaluate(library, code)


def take(address):
    """Take a new reference from C."""
    made = ctypes.cast(int(address), ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(made))
    return made


run("using DLFerry; nothing")
for library in (julia, with_gil):
    array = numpy.arange(6.0)
    total = run(f"t = from_python(Ptr{{Cvoid}}({id(array)})); A = DLArray(t); A[2] = 20; close(t); sum(A)", library)
    assert total == "34.0" and array[1] == 20, (total, array)
    made = numpy.from_dlpack(take(run("UInt(to_python([1.0 2.0 3.0; 4.0 5.0 6.0]))", library)))
    assert made.tolist() == [[1, 2, 3], [4, 5, 6]] and made.strides == (8, 16)
    like = take(run(f"UInt(to_python(A; like = Ptr{{Cvoid}}({id(numpy)})))", library))
    assert isinstance(like, numpy.ndarray) and like.base is not None and like[1] == 20
    like[0] = 7
    assert array[0] == 7
    del made, like

# What its class does in Python is said by tests/cases/classes.py.
sys.path.append(str(Path(__file__).resolve().parents[4] / "tests" / "cases"))
import classes  # noqa: E402

for name, source in classes.inputs.items():
    run(f"t = from_python(Ptr{{Cvoid}}({id(source)})); x = to_python(t); close(t); t = nothing")
    classes.check(name, take(run("UInt(x)")))
classes.finish()

# A thread of Julia waits for the GIL while the one that holds it collects garbage.
run(f"""
    exchange() = (t = from_python(Ptr{{Cvoid}}({id(array)})); close(t))
    done = Threads.Atomic{{Int}}(0)
    nothing""")
stop = threading.Event()


def work():
    while not stop.is_set():
        numpy.zeros(10).sum()
        gc.collect(0)


threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(5):
    run(
        """
        job = Threads.@spawn for _ in 1:20
            exchange()
            Threads.atomic_add!(done, 1)
        end
        for _ in 1:5
            Libc.systemsleep(0.001)
            GC.gc()
        end""",
        with_gil,
    )
    run("wait(job)")
stop.set()
for thread in threads:
    thread.join()
assert run("done[]") == "100"
run("A = t = nothing; GC.gc(); GC.gc(); nothing")
del array
assert run("DLFerry.live()") == "0"
print("python and julia: exchanged")
