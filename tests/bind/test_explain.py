#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The output of --explain. DLFERRY_BIND_UPDATE=1 rewrites explain.txt, its output for some functions."""

import os
import tempfile
import unittest
from pathlib import Path

from headers import HERE, bind


class TestExplain(unittest.TestCase):
    FUNCTIONS = (
        ("photo", "photo_blur photo_draw_histogram mean"),
        ("kinds", "sum_create sum_from_values sum_add weigh pick range find unique resample fill word"),
        ("all", "all_print"),
    )

    def header(self, name):
        return HERE.parent.parent / "examples/photo/photo.h" if name == "photo" else HERE / f"{name}.h"

    def test_explain__explain_tells_the_same_as_ever(self):
        told = []
        for name, functions in self.FUNCTIONS:
            for function in functions.split():
                status, out, said = bind(self.header(name), "--name", name, "--explain", function)
                self.assertEqual(status, 0, said)
                told.append(f"$ dlferry-bind {name}.h --name {name} --explain {function}\n{out}")
        golden = HERE / "explain.txt"
        if os.environ.get("DLFERRY_BIND_UPDATE"):
            golden.write_text("\n".join(told))
        self.assertEqual("\n".join(told), golden.read_text())

    def test_explain__explain_shows_what_the_packages_have(self):
        with tempfile.TemporaryDirectory() as out:
            self.assertEqual(
                bind(self.header("kinds"), "--name", "kinds", "--lang", "rust,go,python", "--out", out)[0], 0
            )
            emitted = {
                "python": (Path(out) / "python/kinds/__init__.pyi").read_text(),
                "rust": (Path(out) / "rust/src/lib.rs").read_text(),
                "go": (Path(out) / "go/kinds.go").read_text(),
            }
        for function in dict(self.FUNCTIONS)["kinds"].split():
            language = None
            for line in bind(self.header("kinds"), "--name", "kinds", "--explain", function)[1].splitlines():
                language = line if not line.startswith(" ") else language
                if language in emitted and not line.endswith(("(", ":")) and line != language:
                    self.assertIn(line.strip(), emitted[language], language)

    def test_explain__explain_says_what_is_not_there(self):
        status, out, said = bind(self.header("photo"), "--name", "photo", "--explain", "photo_blue")
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(
            said,
            "dlferry-bind: --explain: photo.h has no function photo_blue (those of the files that "
            "it includes are not read: name such a file too)\n",
        )


if __name__ == "__main__":
    unittest.main()
