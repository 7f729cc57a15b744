# SPDX-License-Identifier: Apache-2.0
"""Nanoseconds for one call of a generated kernel of three tensors, in each language: bench.py BENCH.json [--short]

photo_difference on float32[4, 4], so small that the call dominates the time. Every figure of the table comes from
one run: the languages take turns, round after round, and each keeps its best. Compare the ratios, not the nanoseconds.
BENCH.json says how to start each language's part, which prints lines of "name nanoseconds"; null is not run.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# key as the parts print it, language, call
ROWS = [
    ("c.raw", "C", "photo_difference(a, b, out)"),
    ("c.checked", "C", "photo_difference_checked(a, b, out)"),
    ("rust.into", "Rust", "difference_into(&a, &b, &mut out)"),
    ("go.two", "Go", "GrayInto(rgb, out), two slices"),
    ("go.into", "Go", "DifferenceInto(a, b, out), three slices"),
    ("julia.into", "Julia", "difference!(out, a, b)"),
    ("python.numpy", "Python", "difference(a, b, o), NumPy"),
    ("python.torch", "Python", "difference(a, b, o), torch"),
    ("python.dlferry", "Python", "difference(a, b, o), dlferry"),
    ("python.numpy_word", "Python", "difference(a=a, b=b, out=o), NumPy"),
    ("released.python", "Python", "the same with torch, GIL released"),
    ("python.method", "Python", "box.add(1), an object's method"),
    ("python.getter", "Python", "box.value(), which only reads"),
    ("hand.numpy", "by hand", "difference(a, b, o), NumPy"),
    ("hand.numpy_word", "by hand", "difference(a=a, b=b, out=o), NumPy"),
    ("hand.torch", "by hand", "difference(a, b, o), torch"),
    ("nanobind.numpy", "nanobind", "difference(a, b, o), NumPy"),
    ("nanobind.numpy_word", "nanobind", "difference(a=a, b=b, out=o), NumPy"),
    ("nanobind.torch", "nanobind", "difference(a, b, o), torch"),
    ("nanobind.method", "nanobind", "box.add(1), an object's method"),
    ("nanobind.getter", "nanobind", "box.value(), which only reads"),
    ("peer.numpy", "tvm-ffi", "difference(a, b, o), NumPy"),
    ("peer.torch", "tvm-ffi", "difference(a, b, o), torch"),
    ("peer.tvm_ffi", "tvm-ffi", "difference(a, b, o), tvm_ffi"),
    ("released.peer", "tvm-ffi", "difference(a, b, o), torch, GIL released"),
    ("c.new", "C", "photo_difference_new(a, b), output made"),
    ("rust.new", "Rust", "difference(&a, &b), output made"),
    ("go.new", "Go", "Difference(a, b), output made"),
    ("julia.new", "Julia", "difference(a, b), output made"),
    ("python.numpy_new", "Python", "difference(a, b), NumPy, output made"),
    ("python.torch_new", "Python", "difference(a, b), torch, output made"),
]


# call, slower, faster, the aim; tvm-ffi checks neither dtype nor shape
RATIOS = [
    ("NumPy: nanobind / dlferry", "nanobind.numpy", "python.numpy", ">= 5"),
    ("NumPy: tvm-ffi / dlferry", "peer.numpy", "python.numpy", ">= 6"),
    ("NumPy, keywords: nanobind / dlferry", "nanobind.numpy_word", "python.numpy_word", ">= 1.5"),
    ("NumPy: dlferry / by hand", "python.numpy", "hand.numpy", "<= 1.2"),
    ("NumPy, keywords: dlferry / by hand", "python.numpy_word", "hand.numpy_word", "<= 1.2"),
    ("method of an object: dlferry / nanobind", "python.method", "nanobind.method", "<= 1.1"),
    ("one that only reads: dlferry / nanobind", "python.getter", "nanobind.getter", "<= 1.0"),
    ("torch: dlferry / by hand", "python.torch", "hand.torch", "<= 1.2"),
    ("torch: tvm-ffi / dlferry", "peer.torch", "python.torch", ">= 3"),
    ("torch, GIL released on both sides: tvm-ffi / dlferry", "released.peer", "released.python", ">= 1.3"),
]


def run_part(command, calls, more=(), environment=None):
    """Start another process's part; {name: nanoseconds}."""
    done = subprocess.run([*command, str(calls), *more], env=environment, stdout=subprocess.PIPE, text=True, check=True)
    pairs = (line.split() for line in done.stdout.splitlines())
    return {name: float(figure) for name, figure in pairs}


def measure(config, rounds, calls):
    best = {}

    def keep(key, figure):
        best[key] = min(figure, best.get(key, float("inf")))

    with tempfile.TemporaryDirectory() as folder:
        python = [sys.executable, HERE / "python_calls.py", folder]
        cxx = [config["cxx"]] if config.get("cxx") else []
        for _ in range(rounds):
            for language in ("c", "rust", "go", "julia"):
                if config.get(language):
                    for name, figure in run_part(config[language], calls).items():
                        keep(f"{language}.{name}", figure)
            # A process a round: where the loader puts code and stack, some calls are slower for its whole life.
            for limit in ("65536", "0") if cxx else ("65536",):
                environment = {**os.environ, "DLFERRY_GIL_LIMIT": limit}
                for key, figure in run_part(python, calls // 3, cxx, environment).items():
                    keep(key, figure)
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
    yield "ratios of this run, and what they should be:"
    for text, over, under, asked in RATIOS:
        if over in best and under in best:
            yield f"  {text:58}{best[over] / best[under]:6.2f}   {asked}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config")
    parser.add_argument("--short", action="store_true", help="see that it runs; the figures mean nothing")
    parser.add_argument("--out", type=Path, help="also write the table here")
    options = parser.parse_args()
    config = json.loads(Path(options.config).read_text())
    if options.short:
        os.environ["DLFERRY_BENCH_LEVEL"] = "-O0"
        os.environ["SKBUILD_CMAKE_BUILD_TYPE"] = "Debug"
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
