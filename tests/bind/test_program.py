#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The libraries and the size of the program dlferry-bind."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from headers import BIND


class TestProgram(unittest.TestCase):
    def setUp(self):
        if not all(shutil.which(tool) for tool in ("ldd", "strip")):
            self.skipTest("needs ldd and strip")
        done = subprocess.run(["ldd", BIND], capture_output=True, text=True)
        self.needs = set(re.findall(r"^\s*(?:\S*/)?([\w-]+)\.so", done.stdout, re.MULTILINE))
        if self.needs & {"libasan", "libtsan", "libubsan"}:
            self.skipTest("a sanitizer's build")

    def test_program__the_program_needs_the_c_library_only(self):
        self.assertLessEqual(self.needs, {"libc", "libm", "linux-vdso", "ld-linux-x86-64", "ld-linux-aarch64"})

    def test_program__the_program_is_small(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "dlferry-bind"
            subprocess.run(["strip", "-o", copy, BIND], check=True)
            self.assertLess(copy.stat().st_size, 1_000_000)


if __name__ == "__main__":
    unittest.main()
