#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where Go finds a package: --go-module and --go-package."""

import tempfile
import unittest
from pathlib import Path

from headers import bind

HEADER = "#include <dlpack/dlpack.h>\n/** @contract x: f32[n] */\nint k_f(const DLTensor *x);\n"


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

    def test_go_paths__go_module_is_the_name_unless_given(self):
        source, module = self.emit()
        self.assertIn("\nmodule k\n", module)
        self.assertIn('"k/dlpack"', source)

    def test_go_paths__go_module_is_where_its_own_packages_are_and_line_1_repeats_it(self):
        source, module = self.emit("--go-module", "example.com/some-body/k")
        self.assertIn("\nmodule example.com/some-body/k\n", module)
        self.assertIn('"example.com/some-body/k/dlpack"', source)
        self.assertIn(" --name k --go-module example.com/some-body/k --lang go", source.splitlines()[0])

    def test_go_paths__go_package_belongs_to_a_module_that_exists(self):
        source, module = self.emit("--go-package", "example.com/app/made/go")
        self.assertIsNone(module)
        self.assertIn('"example.com/app/made/go/dlpack"', source)
        self.assertIn("\npackage k\n", source)

    def test_go_paths__what_go_mod_edit_appends_stays(self):
        module = self.folder / "o/go/go.mod"
        grown = self.emit()[1] + "\nreplace example.com/a => ../a\n"
        module.write_text(grown)
        self.assertEqual(self.emit("--check")[1], grown)
        self.assertEqual(self.emit()[1], grown)
        module.write_text(grown.replace("go 1.24", "go 1.23"))
        self.assertEqual(self.emit()[1], grown.partition("\nreplace")[0])
        (self.folder / "o/go/k.go").write_text((self.folder / "o/go/k.go").read_text() + "// more\n")
        self.assertEqual(bind("k.h", "--name", "k", "--lang", "go", "--out", "o", "--check", cwd=self.folder)[0], 1)

    def test_go_paths__an_import_path_that_go_refuses_is_refused(self):
        for option in ("--go-module", "--go-package"):
            for path in ("", "/a", "a/", "a//b", "a b", "a/.b", "a./b", "a..", "-a", "a\nb", 'a"b', "ä", "~"):
                status, out, said = bind("k.h", "--name", "k", "--ir", option, path, cwd=self.folder)
                self.assertEqual((status, out), (2, ""), path)
                self.assertIn(f"{option}: expected an import path, got {path}; see", said)
        said = bind("k.h", "--name", "k", "--ir", "--go-module", "a", "--go-package", "b", cwd=self.folder)[2]
        self.assertIn("expected one of --go-module and --go-package", said)


if __name__ == "__main__":
    unittest.main()
