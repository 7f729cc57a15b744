# SPDX-License-Identifier: Apache-2.0
"""Nanoseconds for one call of a generated kernel of three tensors, in each language: bench.py BENCH.json [--short]

photo_difference on float32[4, 4], so small that what is measured is the way there. Every figure of the table comes from
one run: the languages take turns, round after round, and each keeps its best. Compare the ratios, not the nanoseconds.
BENCH.json says how to start each language's part, which prints lines of "name nanoseconds"; null is not run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
# key as the parts print it, language, what is called
ROWS = [
    ("c.raw", "C", "photo_difference(a, b, out)"),
    ("c.checked", "C", "photo_difference_checked(a, b, out)"),
    ("rust.into", "Rust", "difference_into(&a, &b, &mut out)"),
    ("go.two", "Go", "GrayInto(rgb, out), two slices"),
    ("go.into", "Go", "DifferenceInto(a, b, out), three slices"),
    ("julia.into", "Julia", "difference!(out, a, b)"),
    ("python.numpy", "Python", "difference(a, b, out=o), NumPy"),
    ("python.torch", "Python", "difference(a, b, out=o), torch"),
    ("python.dlferry", "Python", "difference(a, b, out=o), dlferry"),
    ("peer.numpy", "tvm-ffi", "difference(a, b, o), NumPy"),
    ("peer.torch", "tvm-ffi", "difference(a, b, o), torch"),
    ("peer.tvm_ffi", "tvm-ffi", "difference(a, b, o), tvm_ffi"),
    ("c.new", "C", "photo_difference_new(a, b), output made"),
    ("rust.new", "Rust", "difference(&a, &b), output made"),
    ("go.new", "Go", "Difference(a, b), output made"),
    ("julia.new", "Julia", "difference(a, b), output made"),
    ("python.numpy_new", "Python", "difference(a, b), NumPy, output made"),
    ("python.torch_new", "Python", "difference(a, b), torch, output made"),
]


def best_of_ten(call, calls):
    """Time call in a loop; the loop itself is taken off."""
    clock, best, empty = time.perf_counter_ns, float("inf"), float("inf")
    numbers = range(calls)
    for _ in range(10):
        start = clock()
        for _ in numbers:
            pass
        middle = clock()
        for _ in numbers:
            call()
        end = clock()
        empty, best = min(empty, middle - start), min(best, end - middle)
    return (best - empty) / calls


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


def python_calls():
    """{key: function of no arguments} of the calls in Python."""
    try:
        import photo
    except ImportError:
        return {}
    calls = {}
    for kind in ("numpy", "torch", "dlferry"):
        given = tensors(kind)
        if given is None:
            continue
        a, b, o = given
        calls[f"python.{kind}"] = lambda a=a, b=b, o=o, f=photo.difference: f(a, b, out=o)
        if kind != "dlferry":
            calls[f"python.{kind}_new"] = lambda a=a, b=b, f=photo.difference: f(a, b)
    return calls


def peer_calls(compiler, folder):
    """The same through tvm-ffi, whose kernel is compiled here as its users would."""
    try:
        import tvm_ffi
    except ImportError:
        return {}
    library = Path(folder) / "peer.so"
    include = Path(tvm_ffi.__file__).parent / "include"
    done = subprocess.run(
        [compiler, "-O2", "-std=c++17", "-fPIC", "-shared", f"-I{include}", HERE / "peer.cc", "-o", library],
        check=False,
    )
    if done.returncode != 0:
        return {}
    difference = tvm_ffi.load_module(str(library)).difference
    calls = {}
    for kind in ("numpy", "torch", "tvm_ffi"):
        given = tensors(kind)
        if given is not None:
            a, b, o = given
            calls[f"peer.{kind}"] = lambda a=a, b=b, o=o: difference(a, b, o)
    return calls


def run_part(command, calls):
    """Start another language's part; {name: nanoseconds}."""
    done = subprocess.run([*command, str(calls)], stdout=subprocess.PIPE, text=True, check=True)
    pairs = (line.split() for line in done.stdout.splitlines())
    return {name: float(figure) for name, figure in pairs}


def measure(config, rounds, calls):
    best = {}

    def keep(key, figure):
        best[key] = min(figure, best.get(key, float("inf")))

    with tempfile.TemporaryDirectory() as folder:
        inside = {**python_calls(), **(peer_calls(config["cxx"], folder) if config.get("cxx") else {})}
        for _ in range(rounds):
            for language in ("c", "rust", "go", "julia"):
                if config.get(language):
                    for name, figure in run_part(config[language], calls).items():
                        keep(f"{language}.{name}", figure)
            for key, call in inside.items():
                keep(key, best_of_ten(call, max(10, calls // 10)))
    return best


def table(best):
    raw, unit = best["c.raw"], best["c.malloc_free"]
    yield "photo_difference on three float32[4, 4]; ns per call, best of all rounds of this run"
    yield f"for scale: malloc(64) + free takes {unit:.1f} ns here, the kernel itself {raw:.1f} ns"
    yield ""
    yield f"{'language':10}{'call':42}{'ns':>8}{'over raw C':>12}{'in mallocs':>12}"
    yield "-" * 84
    for key, language, call in ROWS:
        if key in best:
            ns = best[key]
            yield f"{language:10}{call:42}{ns:8.1f}{ns - raw:12.1f}{ns / unit:12.1f}"
        else:
            yield f"{language:10}{call:42}{'not run':>8}"
    yield ""
    for kind in ("numpy", "torch"):
        ours, peer = best.get(f"python.{kind}"), best.get(f"peer.{kind}")
        if ours and peer:
            yield f"{kind}: tvm-ffi takes {peer / ours:.1f} times as long, and checks neither dtype nor shape"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config")
    parser.add_argument("--short", action="store_true", help="see that it runs; the figures mean nothing")
    parser.add_argument("--out", type=Path, help="also write the table here")
    options = parser.parse_args()
    config = json.loads(Path(options.config).read_text())
    best = measure(config, *((1, 100) if options.short else (5, 100_000)))
    text = "\n".join(table(best)) + "\n"
    print(text, end="")
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text)
    absent = [key for key, _, _ in ROWS if key not in best]
    required = os.environ.get("DLFERRY_REQUIRE", "").split(",")
    if any(key.split(".")[0] in required for key in absent):
        print("FAILED: required, but not run: " + ", ".join(absent))
        return 1
    return 77 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
