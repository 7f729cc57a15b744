# SPDX-License-Identifier: Apache-2.0
"""Build the kernels and their package as core/CONTRACTS.md tells it, and run every test of this folder on a GPU.

    python3 tests/cuda/run.py [--inputs FOLDER] [--work FOLDER] [--only PART ...]

needs nvcc, a GPU, CMake, a C compiler, and for this Python pip, scikit-build-core, pytest, NumPy and torch; CuPy, JAX,
numba-cuda and compute-sanitizer where they are there. It needs no network. dlferry comes from its sdist in the folder
of inputs, with wheels that are missing here, or is installed already. A failed test stops no other one. The log lies in
the work folder, and in $OUT if that is set. The exit status is 77, with the reason, without nvcc or a GPU.
`--only peers` builds no kernel, and needs no nvcc; the table with its rows is peers.md there, and $OUT/cuda_peers.md.
"""

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
NOT_RUN = 77
PARTS = [*sorted(path.name for path in HERE.glob("test_*.py")), "peers", "sanitizer", "timing"]
PEERS_TABLE = ROOT / "bindings" / "python" / "docs" / "peers.md"
BEGIN = time.monotonic()


class Steps:
    """Runs commands, and keeps what they printed and how they ended."""

    def __init__(self, work):
        self.work, self.lock, self.results = work, threading.Lock(), []
        self.log = (work / "cuda.log").open("w", encoding="utf-8")
        self.environment = {**os.environ, "PYTHONUNBUFFERED": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.environment |= {"PYTHONFAULTHANDLER": "1", "PYTHONDONTWRITEBYTECODE": "1"}

    def say(self, text, shown=True):
        with self.lock:
            self.log.write(text + "\n")
            self.log.flush()
            if shown:
                print(text, flush=True)

    def call(self, name, command, timeout, directory=ROOT):
        """The output and the exit status: negative for a signal, None if it is missing or took too long."""
        command = [str(word) for word in command]
        began = time.monotonic()
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
            try:
                process = subprocess.Popen(
                    command, cwd=directory, env=self.environment, stdout=output, stderr=subprocess.STDOUT,
                    start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                return str(error), None
            try:
                status = process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                status = None
            output.seek(0)
            text = output.read()
        took = time.monotonic() - began
        self.say(f"\n==== {name}: {' '.join(command)}\n{text}\n==== {name}: status {status}, {took:.1f} s", shown=False)
        return text, status

    def step(self, name, command, timeout=120, directory=ROOT):
        began = time.monotonic()
        text, status = self.call(name, command, timeout, directory)
        self.note(name, status == 0, f"{time.monotonic() - began:.1f} s")
        if status != 0:
            self.say("\n".join(text.splitlines()[-25:]))
        return status == 0

    def note(self, name, good, details=""):
        with self.lock:
            self.results.append((name, good, details))
        self.say(f"[{time.monotonic() - BEGIN:5.1f} s] {'ok    ' if good else 'FAILED'} {name} {details}")


# ---- what is here ----


def missing(needs_kernels):
    """Why nothing can run here; None if it can."""
    if needs_kernels and not shutil.which("nvcc"):
        return "nvcc is missing"
    try:
        import ctypes

        cuda, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
        good = cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0
    except OSError as error:
        return f"there is no driver of CUDA: {error}"
    return None if good else "there is no GPU"


VERSIONS = """
import importlib.metadata, platform, sys, sysconfig
print(platform.platform(), sys.version.split()[0], sysconfig.get_path("include"))
for name in ("numpy", "torch", "cupy-cuda13x", "cupy-cuda12x", "jax", "jax-cuda13-plugin", "numba-cuda", "ml_dtypes",
             "apache-tvm-ffi", "pytest", "scikit-build-core"):
    try:
        print(name, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        print(name, "-")
"""
LOAD = """
import time
for name in ("torch", "cupy", "jax", "numba.cuda"):
    begin = time.monotonic()
    try:
        __import__(name)
        print(f"import {name}: {time.monotonic() - begin:.1f} s", flush=True)
    except Exception as error:
        print(f"import {name}: {error}", flush=True)
"""


def describe(steps):
    for name, command in {
        "GPU": ["nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"],
        "nvcc": ["nvcc", "--version"],
        "versions": [sys.executable, "-c", VERSIONS],
        "compute-sanitizer": ["compute-sanitizer", "--version"],
    }.items():
        text, _ = steps.call(name, command, 30)
        steps.say(f"{name}: {text.strip()}")


# ---- build ----


def build(steps, inputs, needs_kernels):
    """True if the package dlferry is there, and vk where kernels are needed."""
    work, site, prefix = steps.work, steps.work / "site", steps.work / "prefix"
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    jobs = str(min(16, os.cpu_count() or 1))
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--no-build-isolation", "--no-compile"]
    pip += ["--upgrade", "--target", site]
    steps.environment["PYTHONPATH"] = f"{site}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    steps.environment["LIBRARY_PATH"] = f"{work / 'library'}{os.pathsep}{os.environ.get('LIBRARY_PATH', '')}"
    steps.environment["LD_LIBRARY_PATH"] = f"{work / 'library'}{os.pathsep}{os.environ.get('LD_LIBRARY_PATH', '')}"

    def hub():
        configure = ["cmake", "-S", ROOT, "-B", work / "hub", *generator, "-DCMAKE_BUILD_TYPE=Release"]
        return (
            steps.step("configure dlferry", [*configure, f"-DCMAKE_INSTALL_PREFIX={prefix}"])
            and steps.step("build dlferry", ["cmake", "--build", work / "hub", "-j", jobs])
            and steps.step("install dlferry", ["cmake", "--install", work / "hub"])
        )

    def kernels():
        configure = ["cmake", "-S", HERE / "library", "-B", work / "library", *generator]
        configure += ["-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CUDA_ARCHITECTURES=native"]
        configure += [f"-DCMAKE_PREFIX_PATH={prefix}"]
        return steps.step("configure kernels", configure) and steps.step(
            "build kernels with nvcc", ["cmake", "--build", work / "library", "-j", jobs]
        )

    def python():
        good = True
        if wheels := sorted(inputs.glob("*.whl")):
            good = steps.step("pip: wheels", [*pip, *wheels])
        for sdist in inputs.glob("dlferry-*.tar.gz"):
            quick = "--config-settings=cmake.build-type=RelWithDebInfo"  # without optimisation at link time
            good = steps.step("pip: dlferry", [*pip, quick, sdist], 150) and good
        return good

    with ThreadPoolExecutor() as pool:
        package, load = pool.submit(python), pool.submit(steps.call, "load", [sys.executable, "-c", LOAD], 120)
        native = not needs_kernels or (hub() and kernels())
        good = package.result() and native
        steps.say(load.result()[0].strip())
    if not needs_kernels:
        return good
    return good and steps.step("pip: vk", [*pip, work / "library" / "vk-bindings" / "python"], 150)


# ---- run ----

TEST = r"^(\S+\.py::[^\[\s]+(?:\[.*?\])?)"
ENDED = re.compile(TEST + r" (PASSED|FAILED|SKIPPED|ERROR)\b", re.M)
BEGUN = re.compile(TEST, re.M)
ALONE = ["test_streams.py", "test_memory_kinds.py"]  # which need the device to themselves for a moment


def test_file(steps, path, timeout=100):
    """Run a file's tests; after one that ends the process, the rest again without it."""
    outcomes, left_out = {}, []
    for _ in range(4):
        command = [sys.executable, "-m", "pytest", "-v", "-rsfE", "--tb=short", "--color=no", "-p", "no:cacheprovider"]
        command += [f"--rootdir={HERE}", path.name, *[f"--deselect={name}" for name in left_out]]
        text, status = steps.call(path.name, command, timeout, HERE)
        outcomes.update(ENDED.findall(text))
        for reason in re.findall(r"^(?:SKIPPED|FAILED|ERROR) .*", text, re.M):
            steps.say(f"    {reason[:300]}")
        if status is not None and 0 <= status <= 1:
            break
        begun = [name for name in BEGUN.findall(text) if name not in outcomes]
        end = "too long" if status is None else f"status {status}"
        if not begun or status is None or status > 1:
            outcomes[f"{path.name}::the file"] = f"FAILED, {end}"
            steps.say("\n".join(text.splitlines()[-30:]))
            break
        outcomes[begun[-1]] = f"CRASHED, {end}"
        left_out.append(begun[-1])
        steps.say(f"    CRASHED {begun[-1]}: {end}")
    return outcomes


def test_and_note(steps, path):
    began = time.monotonic()
    outcomes = test_file(steps, path)
    kinds = [outcome.split(",")[0] for outcome in outcomes.values()]
    counts = ", ".join(f"{kinds.count(kind)} {kind.lower()}" for kind in sorted(set(kinds)))
    bad = {"FAILED", "ERROR", "CRASHED"} & set(kinds)
    steps.note(path.name, bool(kinds) and not bad, f"{counts}; {time.monotonic() - began:.1f} s")
    return outcomes


def run_tests(steps, parts):
    """Several files at a time, since each takes seconds to load the frameworks."""
    everything = {}
    files = [HERE / part for part in parts if part.startswith("test_")]
    alone = [path for path in files if path.name in ALONE]
    for path in alone:
        everything.update(test_and_note(steps, path))
    with ThreadPoolExecutor(4) as pool:
        peers = pool.submit(run_peers, steps) if "peers" in parts else None
        for outcomes in pool.map(lambda path: test_and_note(steps, path), [p for p in files if p not in alone]):
            everything.update(outcomes)
        if peers:
            peers.result()
    return everything


def run_peers(steps):
    """Every dtype and layout, as tests/peers does it on the processor; the table gets the rows of this machine."""
    folder = ROOT / "tests" / "peers"
    made = steps.work / "peers.md"
    shutil.copy(PEERS_TABLE, made)
    for key in ("cupy", "torch_cuda"):
        command = [sys.executable, "-B", folder / "peers.py", key, "--silence", "30", "--limit", "120"]
        command += ["--json", steps.work / f"{key}.json", "--table", made, "--write"]
        text, status = steps.call(f"peers: {key}", command, 150, folder)
        steps.note(f"peers: {key}", status == 0, f"status {status}")
        steps.say("\n".join(f"    {line[:300]}" for line in text.splitlines()[-20:] if line))
    same = made.read_text(encoding="utf-8") == PEERS_TABLE.read_text(encoding="utf-8")
    steps.say("peers: the rows are those of peers.md" if same else f"peers: ROWS DIFFER from peers.md: see {made}")


def sanitize(steps):
    tool = shutil.which("compute-sanitizer")
    if not tool:
        steps.say("NOT RUN: compute-sanitizer, which is missing")
        return
    command = [tool, "--tool", "memcheck", "--error-exitcode", "9", sys.executable, "sanitized.py"]
    text, status = steps.call("compute-sanitizer", command, 90, HERE)
    clean = "ERROR SUMMARY: 0 errors" in text
    if status != 0 and "Device not supported" in text:
        steps.say("NOT RUN: compute-sanitizer, which does not support this device")
        return
    steps.note("compute-sanitizer memcheck", status == 0 and clean, f"status {status}")
    steps.say("\n".join(text.splitlines()[-12:]))


def measure(steps):
    text, status = steps.call("timing", [sys.executable, "timing.py"], 60, HERE)
    steps.note("timing", status == 0)
    steps.say(text.rstrip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--inputs", default="none", help="a folder with dlferry's sdist, and wheels that are missing here"
    )
    parser.add_argument("--work", help="the folder to build in")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))
    options = parser.parse_args()
    needs_kernels = options.only != ["peers"]
    reason = missing(needs_kernels)
    if reason:
        print(f"NOT RUN: needs {'nvcc and ' * needs_kernels}a GPU of NVIDIA's: {reason}")
        return NOT_RUN
    work = Path(options.work or tempfile.mkdtemp(prefix="dlferry-cuda-")).resolve()
    work.mkdir(parents=True, exist_ok=True)
    steps, outcomes = Steps(work), {}
    try:
        describe(steps)
        if build(steps, Path(options.inputs).resolve(), needs_kernels):
            outcomes = run_tests(steps, options.only)
            if "sanitizer" in options.only:
                sanitize(steps)
            if "timing" in options.only:
                measure(steps)
    except Exception as error:
        steps.note("run.py", False, repr(error))
    bad = {name: outcome for name, outcome in outcomes.items() if outcome.split(",")[0] not in ("PASSED", "SKIPPED")}
    steps.say("\n---- summary ----")
    for name, good, details in steps.results:
        steps.say(f"{'ok    ' if good else 'FAILED'} {name} {details}")
    for name, outcome in bad.items():
        steps.say(f"{outcome}: {name}")
    passed = sum(outcome == "PASSED" for outcome in outcomes.values())
    skipped = sum(outcome == "SKIPPED" for outcome in outcomes.values())
    steps.say(f"{passed} passed, {len(bad)} failed, {skipped} skipped; {time.monotonic() - BEGIN:.0f} s in all")
    report(work)
    return 0 if steps.results and not bad and all(good for _, good, _ in steps.results) else 1


def report(work):
    """Leave the log where the caller collects results."""
    folder = os.environ.get("OUT") or os.environ.get("DLFERRY_REPORT_DIR")
    if folder and Path(folder) != work:
        shutil.copy(work / "cuda.log", Path(folder) / "cuda.txt")
        if (work / "peers.md").exists():
            shutil.copy(work / "peers.md", Path(folder) / "cuda_peers.md")
        for cells in work.glob("*.json"):
            shutil.copy(cells, Path(folder) / f"cuda_{cells.name}")


if __name__ == "__main__":
    sys.exit(main())
