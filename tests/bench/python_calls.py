# SPDX-License-Identifier: Apache-2.0
"""Python's calls: of the generated package and of other tools' packages, built here as their users would.

python_calls.py FOLDER CALLS [CXX] prints each call's nanoseconds; without CXX, only dlferry's. The other packages are
built in FOLDER, once. With DLFERRY_GIL_LIMIT=0 in the environment, which dlferry reads at import, both sides run with
the GIL released.
"""

import importlib
import os
import subprocess
import sys
import sysconfig
import timeit
from pathlib import Path

HERE = Path(__file__).resolve().parent
BATCH = 1000


def interleaved(calls, number):
    """{key: nanoseconds}, the best of many short batches; the calls take turns, so a disturbance meets them all."""
    rounds, batch = max(1, number // BATCH), min(BATCH, number)
    turns = {"": timeit.Timer(), **calls}
    best = dict.fromkeys(turns, float("inf"))
    for timer in turns.values():
        timer.timeit(1)  # the first one imports, compiles contracts and fills caches
    for _ in range(rounds):
        for key, timer in turns.items():
            best[key] = min(best[key], timer.timeit(batch))
    return {key: (best[key] - best[""]) / batch * 1e9 for key in calls}


def tensors(kind):
    """Three tensors of one framework, the last to be written, or None when it is not installed."""
    try:
        if kind == "torch":
            import torch

            return [torch.ones(4, 4) for _ in range(3)]
        import numpy

        arrays = [numpy.ones((4, 4), dtype="float32") for _ in range(3)]
        if kind == "numpy":
            return arrays
        module = __import__(kind)
        return [module.from_dlpack(array) for array in arrays]
    except ImportError:
        return None


def call(statement, function, given):
    """A call site of its own, as in a program: CPython fits a site's bytecode to the function that it met there."""
    return timeit.Timer(statement, "f, a, b, o = given", globals={"given": (function, *given)})


def by_position(function, given):
    return call("f(a, b, o)", function, given)


def by_keyword(function, given):
    return call("f(a=a, b=b, out=o)", function, given)


def generated():
    """Calls of the package made by dlferry-bind."""
    try:
        import photo
    except ImportError:
        return {}
    calls = {}
    for kind in ("numpy", "torch", "dlferry"):
        given = tensors(kind)
        if given is None:
            continue
        calls[f"python.{kind}"] = by_position(photo.difference, given)
        if kind == "numpy":
            calls[f"python.{kind}_word"] = by_keyword(photo.difference, given)
        if kind != "dlferry":
            calls[f"python.{kind}_new"] = call("f(a, b)", photo.difference, given)
    return calls


def build(compiler, out, *words):
    if Path(out).exists():
        return True
    level = os.environ.get("DLFERRY_BENCH_LEVEL", "-O3")
    command = [compiler, level, "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden", "-o", out, *words]
    return subprocess.run([str(word) for word in command], check=False).returncode == 0


def boxes(folder):
    """The class of the package made from cell.h by dlferry-bind, built as a user would."""
    site = Path(folder) / "site"
    if not site.exists():
        bind = [sys.executable, "-m", "dlferry.bind", "cell.h", "--name", "cell", "--source", "cell.c"]
        pip = "--quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation".split()
        commands = [
            [*bind, "--no-tests", "--lang", "python", "--out", folder],
            [sys.executable, "-m", "pip", "install", *pip, "--target", site, Path(folder) / "python"],
        ]
        for command in commands:
            subprocess.run([str(word) for word in command], cwd=HERE, check=True)
    sys.path.insert(0, str(site))
    return importlib.import_module("cell").Box


def methods(key, make):
    """A method that changes an object and one that reads it."""
    return {
        f"{key}.method": timeit.Timer("b.add(1)", "b = make(0)", globals={"make": make}),
        f"{key}.getter": timeit.Timer("b.value()", "b = make(0)", globals={"make": make}),
    }


def tvm_ffi(compiler, folder):
    import tvm_ffi as peer

    library = Path(folder) / "peer_tvm_ffi.so"
    include = Path(peer.__file__).parent / "include"
    if not build(compiler, library, "-std=c++17", f"-I{include}", HERE / "peer.cc"):
        return None
    return peer.load_module(str(library)).difference


def nanobind(compiler, folder):
    import nanobind as peer

    home = Path(peer.__file__).parent
    folders = [home / "include", home / "ext" / "robin_map" / "include", sysconfig.get_path("include")]
    words = ["-std=c++17", "-fno-strict-aliasing", *(f"-I{path}" for path in folders)]
    sources = [HERE / "peer_nanobind.cc", home / "src" / "nb_combined.cpp"]
    if not build(compiler, Path(folder) / "peer_nanobind.so", *words, *sources):
        return None
    return importlib.import_module("peer_nanobind")


def hand(folder):
    """Written by hand in C; linked as one, like the generated package."""
    import dlferry
    import numpy

    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0]
    core = Path(dlferry.get_include())
    kernels = HERE.parents[1] / "examples" / "photo" / "packages" / "python" / "c"
    folders = [core, kernels, sysconfig.get_path("include"), numpy.get_include()]
    words = ["-std=gnu11", "-flto=auto", "-DDLF_HIDDEN", *(f"-I{path}" for path in folders)]
    sources = [HERE / "peer_hand.c", *sorted(kernels.glob("*.c")), core / "dlferry.c"]
    if not build(compiler, Path(folder) / "peer_hand.so", *words, *sources, "-lm"):
        return None
    return importlib.import_module("peer_hand").difference


def peers(compiler, folder):
    """The same function by others."""
    sys.path.insert(0, folder)
    calls = {}
    for name, make, kinds in [
        ("peer", lambda: tvm_ffi(compiler, folder), ("numpy", "torch", "tvm_ffi")),
        ("nanobind", lambda: getattr(nanobind(compiler, folder), "difference", None), ("numpy", "torch")),
        ("hand", lambda: hand(folder), ("numpy", "torch")),
    ]:
        try:
            function = make()
        except ImportError:
            continue
        for kind in kinds if function else ():
            given = tensors(kind)
            if given is None:
                continue
            calls[f"{name}.{kind}"] = by_position(function, given)
            if kind == "numpy" and name != "peer":  # tvm-ffi's functions have no keywords
                calls[f"{name}.{kind}_word"] = by_keyword(function, given)
    return calls


def released(compiler, folder):
    """Calls of torch's tensors during which other threads can run Python code."""
    try:
        given, ours, peer = tensors("torch"), generated().get("python.torch"), tvm_ffi(compiler, folder)
    except ImportError:
        return {}
    if not (given and ours and peer):
        return {}
    peer.release_gil = True
    return {"released.python": ours, "released.peer": by_position(peer, given)}


def main():
    folder, number, *compiler = sys.argv[1:]
    if os.environ.get("DLFERRY_GIL_LIMIT") == "0":
        calls = released(*compiler, folder)
    else:
        calls = {**generated(), **(peers(*compiler, folder) if compiler else {}), **methods("python", boxes(folder))}
        if "nanobind.numpy" in calls:
            calls.update(methods("nanobind", nanobind(*compiler, folder).Box))
    for key, figure in interleaved(calls, int(number)).items():
        print(key, figure)


if __name__ == "__main__":
    main()
