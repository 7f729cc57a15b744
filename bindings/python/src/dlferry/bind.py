# SPDX-License-Identifier: Apache-2.0
"""Run dlferry-bind, which makes packages from a C header over DLTensor: python -m dlferry.bind HEADER ..."""

import os
import sys
from pathlib import Path


def main():
    """Replace this process with the generator."""
    program = Path(__file__).parent / "bin" / "dlferry-bind"
    os.execv(program, ["dlferry-bind", *sys.argv[1:]])


if __name__ == "__main__":
    main()
