# SPDX-License-Identifier: Apache-2.0
"""Run dlferry-bind, which makes packages from a C header over DLTensor: python -m dlferry.bind HEADER ..."""

import os
import subprocess
import sys
from pathlib import Path


def main():
    """Replace this process with the generator; on Windows, which cannot, end with its status."""
    folder = Path(__file__).parent / "bin"
    if os.name == "nt":
        sys.exit(subprocess.call([folder / "dlferry-bind.exe", *sys.argv[1:]]))
    os.execv(folder / "dlferry-bind", ["dlferry-bind", *sys.argv[1:]])


if __name__ == "__main__":
    main()
