#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options of dlferry-bind beside reading and checking. test_ways.py DLFERRY_BIND

Needs nothing but Python. DLFERRY_BIND_UPDATE=1 rewrites explain.txt, what --explain says of some functions.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
BIND = str(Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else "dlferry-bind"
HEADER = "#include <dlpack/dlpack.h>\n/** @contract x: f32[n] */\nint k_f(const DLTensor *x);\n"


def bind(*arguments, cwd=None):
    done = subprocess.run([BIND, *map(str, arguments)], cwd=cwd, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


class TestGoModule(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "k.h").write_text(HEADER)

    def emit(self, *options):
        status, out, said = bind("k.h", "--name", "k", "--lang", "go", "--out", "o", *options, cwd=self.folder)
        self.assertEqual((status, out), (0, ""), said)
        module = self.folder / "o/go/go.mod"
        return (self.folder / "o/go/k.go").read_text(), module.read_text() if module.exists() else None

    def test_ways__go_module_is_the_name_unless_given(self):
        source, module = self.emit()
        self.assertIn("\nmodule k\n", module)
        self.assertIn('"k/dlpack"', source)

    def test_ways__go_module_is_where_its_own_packages_are_and_line_1_repeats_it(self):
        source, module = self.emit("--go-module", "example.com/some-body/k")
        self.assertIn("\nmodule example.com/some-body/k\n", module)
        self.assertIn('"example.com/some-body/k/dlpack"', source)
        self.assertIn(" --name k --go-module example.com/some-body/k --lang go", source.splitlines()[0])

    def test_ways__go_package_belongs_to_a_module_that_exists(self):
        source, module = self.emit("--go-package", "example.com/app/made/go")
        self.assertIsNone(module)
        self.assertIn('"example.com/app/made/go/dlpack"', source)
        self.assertIn("\npackage k\n", source)

    def test_ways__what_go_mod_edit_appends_stays(self):
        module = self.folder / "o/go/go.mod"
        grown = self.emit()[1] + "\nreplace example.com/a => ../a\n"
        module.write_text(grown)
        self.assertEqual(self.emit("--check")[1], grown)
        self.assertEqual(self.emit()[1], grown)
        module.write_text(grown.replace("go 1.24", "go 1.23"))
        self.assertEqual(self.emit()[1], grown.partition("\nreplace")[0])
        (self.folder / "o/go/k.go").write_text((self.folder / "o/go/k.go").read_text() + "// more\n")
        self.assertEqual(bind("k.h", "--name", "k", "--lang", "go", "--out", "o", "--check", cwd=self.folder)[0], 1)

    def test_ways__an_import_path_that_go_refuses_is_refused(self):
        for option in ("--go-module", "--go-package"):
            for path in ("", "/a", "a/", "a//b", "a b", "a/.b", "a./b", "a..", "-a", "a\nb", 'a"b', "ä", "~"):
                status, out, said = bind("k.h", "--name", "k", "--ir", option, path, cwd=self.folder)
                self.assertEqual((status, out), (2, ""), path)
                self.assertIn(f"{option}: expected an import path, got {path}; see", said)
        said = bind("k.h", "--name", "k", "--ir", "--go-module", "a", "--go-package", "b", cwd=self.folder)[2]
        self.assertIn("expected one of --go-module and --go-package", said)


class TestExplain(unittest.TestCase):
    FUNCTIONS = (
        ("photo", "photo_blur photo_draw_histogram mean"),
        ("kinds", "sum_create sum_from_values sum_add weigh pick range find unique resample fill word"),
        ("all", "all_print"),
    )

    def header(self, name):
        return HERE.parent.parent / "examples/photo/photo.h" if name == "photo" else HERE / f"{name}.h"

    def test_ways__explain_tells_the_same_as_ever(self):
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

    def test_ways__explain_shows_what_the_packages_have(self):
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

    def test_ways__explain_says_what_is_not_there(self):
        status, out, said = bind(self.header("photo"), "--name", "photo", "--explain", "photo_blue")
        self.assertEqual((status, out), (1, ""))
        self.assertEqual(said, "dlferry-bind: --explain: photo.h has no function photo_blue\n")


class TestProgram(unittest.TestCase):
    def setUp(self):
        if not all(shutil.which(tool) for tool in ("ldd", "strip")):
            self.skipTest("needs ldd and strip")
        done = subprocess.run(["ldd", BIND], capture_output=True, text=True)
        self.needs = set(re.findall(r"^\s*(?:\S*/)?([\w-]+)\.so", done.stdout, re.MULTILINE))
        if self.needs & {"libasan", "libtsan", "libubsan"}:
            self.skipTest("a sanitizer's build")

    def test_ways__the_program_needs_the_c_library_only(self):
        self.assertLessEqual(self.needs, {"libc", "libm", "linux-vdso", "ld-linux-x86-64", "ld-linux-aarch64"})

    def test_ways__the_program_is_small(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "dlferry-bind"
            subprocess.run(["strip", "-o", copy, BIND], check=True)
            self.assertLess(copy.stat().st_size, 1_000_000)


if __name__ == "__main__":
    unittest.main()
