# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of dlferry-bind, which need only Python and the command's path."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PHOTO = HERE.parent.parent / "examples/photo/photo.h"
LANGUAGES = "python,rust,go,julia"
BIND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "dlferry-bind"

# A sanitizer's report must not pass for a refusal, which also exits with 1.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": "exitcode=99", "UBSAN_OPTIONS": "halt_on_error=1:exitcode=99"}


def bind(*arguments, cwd=None):
    done = subprocess.run([BIND, *map(str, arguments)], cwd=cwd, env=ENVIRONMENT, capture_output=True, timeout=120)
    if done.returncode not in (0, 1, 2):
        raise AssertionError(f"dlferry-bind ended with {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")


def without_columns(said):
    """Messages with files and lines alone; test_places is about columns."""
    return re.sub(r"(?m)^((?:dlferry-bind: )?\S+:\d+):\d+: ", r"\1: ", said)


class Headers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, text, name="k.h"):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def read(self, text, *options):
        """The IR of a header, and the text on stderr."""
        status, out, said = bind(self.write(text), "--name", "k", "--ir", *options)
        self.assertEqual(status, 0, said)
        return json.loads(out), said

    def refused(self, text, message, *options):
        """The header is refused, and the whole of stderr is this."""
        status, out, said = bind(self.write(text), "--name", "k", "--ir", *options, cwd=self.folder)
        self.assertEqual((status, out), (1, ""), said)
        said = said.replace(str(self.folder) + "/", "").replace("dlferry-bind: ", "")
        self.assertEqual(without_columns(said).strip(), message)

    def first(self, text, *options):
        return self.read(text, *options)[0]["functions"][0]
