# SPDX-License-Identifier: Apache-2.0
"""Run test_oneapi.py in the environment `oneapi`: run.py --setup DIR --library LIBDLFERRY

Sets the environment up where it is missing, with a package that dlferry-bind makes from examples/photo. dpctl finds the
processor's SYCL device through intel-opencl-rt, which OCL_ICD_FILENAMES names.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(HERE.parent))

import environments  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--setup", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    options = parser.parse_args()
    try:
        python = Path(environments.python_of("oneapi", options.setup, lambda text: print(text, flush=True)))
    except environments.Missing as missing:
        print(f"not run: {missing}")
        sys.exit(77)
    folder = python.parents[1]
    environment = dict(os.environ, PATH=f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
    environment.update(OCL_ICD_FILENAMES=str(folder / "lib/libintelocl.so"), DLFERRY_LIBRARY=str(options.library))

    def do(*command):
        subprocess.run([str(word) for word in command], env=environment, check=True)

    photo, made = ROOT / "examples/photo", folder / "photo"
    do(folder / "bin/dlferry-bind", photo / "photo.h", "--name", "photo", "--source", photo / "photo.c",
       "--lang", "python", "--out", made)  # fmt: skip
    do(python, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-deps",
       "--no-build-isolation", "--force-reinstall", f"--config-settings=build-dir={folder / 'build-photo'}",
       made / "python")  # fmt: skip
    done = subprocess.run(
        [python, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "test_oneapi.py"], env=environment
    )
    sys.exit(done.returncode)


main()
