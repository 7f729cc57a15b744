# SPDX-License-Identifier: Apache-2.0
"""Start Julia inside this process and take its room's functions as C pointers.

room(entry) expects CMake's findings: {"libjulia": path, "bindir": path, "room": path of room.jl,
"environment": {variable: value}}; "library_path", where an unpacked Julia's own libraries lie, must have been in
LD_LIBRARY_PATH when the process began. Every later call must come from the thread that called this.
"""

import ctypes
import json
import os
import sys
from pathlib import Path

SYMBOLS = ("room_produce", "room_consume", "room_photo", "room_live")


def start(entry):
    """Load libjulia and initialise it; return the library."""
    os.environ.update(entry.get("environment", {}))
    # Global: the system image finds the runtime's functions by name in the whole process.
    julia = ctypes.CDLL(entry["libjulia"], mode=os.RTLD_GLOBAL | os.RTLD_NOW)
    # Up to Julia 1.6 the names say that threads are compiled in; a NULL image is the one beside bindir.
    for name in ("jl_init_with_image__threading", "jl_init_with_image"):
        if hasattr(julia, name):
            getattr(julia, name)(entry["bindir"].encode(), None)
            break
    else:
        julia.jl_init()
    julia.jl_eval_string.restype = ctypes.c_void_p
    julia.jl_eval_string.argtypes = [ctypes.c_char_p]
    julia.jl_string_ptr.restype = ctypes.c_char_p
    julia.jl_string_ptr.argtypes = [ctypes.c_void_p]
    return julia


def evaluate(julia, code):
    """Evaluate an expression and return its printed text; an exception is raised here."""
    quoted = json.dumps(code).replace("$", "\\$")
    guarded = f"""
        try
            (true, string(Base.include_string(Main, {quoted})))
        catch e
            (false, sprint(showerror, e))
        end |> r -> string(r[1] ? "=" : "!", r[2])
    """
    value = julia.jl_eval_string(guarded.encode())
    if not value:
        raise RuntimeError("julia: the expression could not be read")
    text = julia.jl_string_ptr(value).decode()
    if text[0] != "=":
        raise RuntimeError(f"julia: {text[1:]}")
    return text[1:]


def room(entry):
    """Return the addresses of the room's functions by name."""
    julia = start(entry)
    evaluate(julia, f'include(raw"{entry["room"]}"); nothing')
    return {symbol: int(evaluate(julia, f'UInt(Room.pointers["{symbol}"])')) for symbol in SYMBOLS}


if __name__ == "__main__":  # embed_julia.py ROOM.json: does it start?
    print(f"julia: {len(room(json.loads(Path(sys.argv[1]).read_text())))} functions")
