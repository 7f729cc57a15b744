# SPDX-License-Identifier: Apache-2.0
"""The C++ modules of the matrix, built for the running interpreter: modules.py FOLDER [NAME ...]"""

import hashlib
import importlib.metadata
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

SOURCES = Path(__file__).parent / "modules"


def command(name):
    """How to compile a module, without the output."""
    include = ["-I" + sysconfig.get_path("include")]
    if name == "peers_nanobind":
        import nanobind

        root = Path(nanobind.__file__).parent
        include += [f"-I{root / 'include'}", f"-I{root / 'ext' / 'robin_map' / 'include'}", "-fno-strict-aliasing"]
        sources = [SOURCES / "peers_nanobind.cc", root / "src" / "nb_combined.cpp"]
    else:
        import pybind11

        include += [f"-I{pybind11.get_include()}"]
        sources = [SOURCES / f"{name}.cc"]
    compiler = (os.environ.get("CXX") or "c++").split()
    flags = ["-std=c++17", "-O1", "-w", "-shared", "-fPIC", "-fvisibility=hidden", "-DNDEBUG"]
    return [*compiler, *flags, *include, *sources]


def build(folder, name):
    """Compile a module unless it is there already."""
    words = [str(word) for word in command(name)]
    version = importlib.metadata.version(name.partition("_")[2])
    text = (SOURCES / f"{name}.cc").read_text()
    key = hashlib.sha256("\n".join([*words, version, sys.version, text]).encode()).hexdigest()
    out = folder / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    stamp = folder / f"{name}.stamp"
    if out.exists() and stamp.exists() and stamp.read_text() == key:
        return
    folder.mkdir(parents=True, exist_ok=True)
    print(f"peers: compiling {name}", flush=True)
    subprocess.run([*words, "-o", str(out)], check=True)
    stamp.write_text(key)


if __name__ == "__main__":
    for wanted in sys.argv[2:]:
        build(Path(sys.argv[1]), wanted)
