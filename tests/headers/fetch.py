#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Put the headers that packages of PyPI and Go carry into a folder, ROOT/usr/include, as Debian's packages have theirs.

    fetch.py ROOT

pip downloads one file of each package; only the headers stay, and ROOT/from/LIBRARY says which package they are from. A
package that cannot be had leaves its reason in ROOT/missing/LIBRARY, and the status is 1, so that the next configure
tries it again. What is there is not fetched again.
"""

import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Package:
    libraries: str  # whose headers it has, as in libraries.py
    pin: str
    source: str  # "wheel" or "sdist" of PyPI, or "go": a module of Go
    folders: dict  # folders in it, and their places below usr/include


PACKAGES = [
    Package("llama ggml", "llama-cpp-python==0.3.36", "sdist",
            {"vendor/llama.cpp/include": "", "vendor/llama.cpp/ggml/include": ""}),
    Package("cuvs", "libcuvs-cu12==26.10.0", "wheel", {"libcuvs/include/cuvs": "cuvs"}),
    Package("lightgbm", "lightgbm==4.7.0", "sdist", {"include/LightGBM": "LightGBM"}),
    Package("whisper", "pywhispercpp==1.5.1", "sdist", {"whisper.cpp/include": ""}),
    Package("blosc2", "blosc2==4.14.1", "wheel", {"blosc2/include": ""}),
    Package("tensorflow", "tensorflow-cpu==2.21.0", "wheel",
            {f"tensorflow/include/{folder}": folder for folder in
             ("tensorflow/c", "tensorflow/core/platform", "tsl/platform", "xla/tsl/c", "xla/tsl/platform")}),
    Package("onnxruntime", "github.com/yalue/onnxruntime_go@v1.27.0", "go", {".": "onnxruntime"}),
    Package("duckdb", "github.com/duckdb/duckdb-go-bindings@v0.20000.0", "go", {"include": ""}),
]  # fmt: skip
# Libraries without a package that has their header.
ABSENT = {"usearch": "neither its package of PyPI nor its module of Go has usearch.h"}


def unpack(path, folder):
    """Unpack the headers of a wheel or of sources, whose files lie in one folder; return where they are."""
    if path.suffix in (".whl", ".zip"):
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".h")])
    else:
        with tarfile.open(path) as archive:
            headers = [member for member in archive.getmembers() if member.isfile() and member.name.endswith(".h")]
            archive.extractall(folder, headers, filter="data")
    return folder if path.suffix == ".whl" else next(folder.iterdir(), folder)


def run(*words):
    """Run a command; return its output, or raise with the last line of what it said."""
    try:
        done = subprocess.run(words, capture_output=True, text=True)
    except OSError as error:
        raise RuntimeError(str(error)) from None
    if done.returncode:
        raise RuntimeError((done.stderr.strip().splitlines() or [f"{words[0]} failed"])[-1])
    return done.stdout


def download(package, work):
    """Return a folder with the headers of a package."""
    if package.source == "go":
        return Path(json.loads(run("go", "mod", "download", "-json", package.pin))["Dir"])
    kind = ["--only-binary" if package.source == "wheel" else "--no-binary", package.pin.split("==")[0]]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet", "--no-deps"]
    run(*pip, *kind, "--dest", work / "downloaded", package.pin)
    return unpack(next((work / "downloaded").iterdir()), work / "unpacked")


def fetch(package, root):
    """Return why the headers cannot be had, or None."""
    with tempfile.TemporaryDirectory() as work:
        try:
            folder = download(package, Path(work))
        except RuntimeError as error:
            return f"{package.pin} cannot be had: {error}"
        for inside, place in package.folders.items():
            headers = sorted((folder / inside).rglob("*.h"))
            if not headers:
                return f"{package.pin} has no header in {inside}"
            for header in headers:
                path = root / "usr/include" / place / header.relative_to(folder / inside)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(header.read_bytes())
    return None


def main():
    root = Path(sys.argv[1])
    shutil.rmtree(root / "missing", ignore_errors=True)
    failed = False
    for folder in ("missing", "from"):
        (root / folder).mkdir(parents=True, exist_ok=True)
    for package in PACKAGES:
        notes = [root / "from" / library for library in package.libraries.split()]
        if all(note.exists() and note.read_text() == package.pin for note in notes):
            continue
        print(f"headers: {package.pin}", flush=True)
        why = fetch(package, root)
        if why:
            print(f"headers: {why}", flush=True)
            failed = True
        for note in notes:
            if why:
                (root / "missing" / note.name).write_text(why)
            else:
                note.write_text(package.pin)
    for library, why in ABSENT.items():
        (root / "missing" / library).write_text(why)
    sys.exit(failed)


main()
